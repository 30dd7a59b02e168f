"""The catalogue: every visible post with its series, part and tags, made from what was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sphinx_writing.core import graph, reading_time
from sphinx_writing.core.dates import Stamp
from sphinx_writing.core.inline import Inline, Span, parse, plain, resolve
from sphinx_writing.core.problems import Kind, Place, Problem, hint
from sphinx_writing.core.records import FrontMatter, Page
from sphinx_writing.core.series import Series, series_of
from sphinx_writing.core.tag_index import Tag, tags_of


def hidden(front: FrontMatter, as_of: datetime) -> str:
    """Why a release at *as_of* must not show the page: ``draft``, ``dated``, or empty if it may.

    This is the one rule of publishing; every surface asks it.
    """
    if front.draft:
        return "draft"
    return "dated" if front.date is not None and front.date.instant > as_of else ""


@dataclass(frozen=True)
class Post:
    """One post as every surface shows it; *part* counts from 1 and is 0 outside a series."""

    docname: str
    title: Inline
    summary: Inline
    stamp: Stamp | None
    updated: Stamp | None
    tags: tuple[str, ...]
    minutes: int
    series: str
    part: int
    hidden: str
    prerequisites: tuple[str, ...]


@dataclass(frozen=True)
class Catalogue:
    """All visible posts and what connects them. Posts are newest first, series in site order."""

    posts: Mapping[str, Post] = field(default_factory=dict)
    series: tuple[Series, ...] = ()
    tags: tuple[Tag, ...] = ()
    backlinks: Mapping[str, tuple[graph.Backlink, ...]] = field(default_factory=dict)
    titles: Mapping[str, Inline] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    def series_named(self, key: str) -> Series | None:
        """The series with this *key*."""
        return next((s for s in self.series if s.key == key), None)

    def find(self, name: str) -> str | None:
        """The docname of the post that authors call *name*, as in ``infra/nccl``."""
        return find(name, self.posts)


def find(name: str, posts: Mapping[str, object]) -> str | None:
    """The entry of *posts* for *name*: itself, or the ``index`` page of the folder *name*."""
    stem = name.strip("/")
    return next((d for d in (stem, f"{stem}/index") if d in posts), None)


@dataclass(frozen=True)
class Sources:
    """What the catalogue is made from: the visible documents, and the moment it is made for."""

    pages: Mapping[str, Page]
    fronts: Mapping[str, FrontMatter]
    root: str
    as_of: datetime
    labels: Mapping[str, str] = field(default_factory=dict)
    """The docname that each cross-reference label stands in."""

    def front(self, docname: str) -> FrontMatter:
        """The front matter of *docname*, empty where it has none."""
        return self.fronts.get(docname) or FrontMatter()


def build(sources: Sources) -> Catalogue:
    """The catalogue of *sources*; what is wrong is in its ``problems``, sorted by place."""
    order = graph.reading_order(sources.pages, sources.root)
    series, series_problems = series_of(sources.pages, sources.fronts, order)
    place_of = {d: (s, i) for s in series for i, d in enumerate(s.parts, start=1)}
    series_pages = {s.docname for s in series}
    dated = (d for d in sources.pages if sources.front(d).date is not None and d not in series_pages)
    names = dict.fromkeys([*place_of, *dated])
    tags, tag_problems = tags_of({d: sources.front(d) for d in sorted(names)})
    headings = {d: page.title or (Span(d),) for d, page in sources.pages.items()}
    titles = {d: resolve(heading, headings) for d, heading in headings.items()}
    posts = {d: _post(d, sources, place_of.get(d), tags, names, titles) for d in names}
    rank = {s.key: i for i, s in enumerate(series)}
    newest = sorted(posts.values(), key=lambda p: newest_first(p, rank))
    problems = [
        *series_problems,
        *tag_problems,
        *_address_problems(sources.pages),
        *(p for d in sorted(names) for p in _checks(posts[d], sources, place_of.get(d), posts)),
        *(p for d in sorted(sources.pages.keys() - names) for p in _claims(d, sources.front(d), None)),
        *graph.cycles({d: p.prerequisites for d, p in posts.items()}, sources.fronts),
    ]
    return Catalogue(
        posts={p.docname: p for p in newest},
        series=series,
        tags=tags,
        backlinks=graph.backlinks(sources.pages, posts, order, sources.labels, titles),
        titles=titles,
        problems=tuple(sorted(problems, key=lambda p: (p.docname, p.place, p.kind.subtype, p.message))),
    )


def newest_first(post: Post, rank: Mapping[str, int]) -> tuple[float, int, int, str]:
    """The sort key of newest first: instant, series order reversed, part reversed, docname."""
    instant = post.stamp.instant.timestamp() if post.stamp else float("-inf")
    return (-instant, -rank.get(post.series, -1), -post.part, post.docname)


def _post(
    docname: str,
    sources: Sources,
    placed: tuple[Series, int] | None,
    tags: tuple[Tag, ...],
    names: Mapping[str, None],
    titles: Mapping[str, Inline],
) -> Post:
    page, front = sources.pages[docname], sources.front(docname)
    wanted = (find(name, names) for name in front.prerequisites)
    return Post(
        docname=docname,
        title=titles[docname],
        summary=resolve(front.summary or page.first, titles),
        stamp=front.date,
        updated=front.updated,
        tags=tuple(t.key for t in tags if docname in t.docnames),
        minutes=reading_time.minutes(page.words, page.characters),
        series=placed[0].key if placed else "",
        part=placed[1] if placed else 0,
        hidden=hidden(front, sources.as_of),
        prerequisites=tuple(dict.fromkeys(d for d in wanted if d is not None)),
    )


def _checks(
    post: Post, sources: Sources, placed: tuple[Series, int] | None, posts: Mapping[str, Post]
) -> Iterator[Problem]:
    """What the front matter of *post* claims that is not so."""
    front = sources.front(post.docname)

    def problem(kind: Kind, name: str, message: str) -> Problem:
        return Problem(kind, post.docname, front.place(name), message)

    heading = plain(post.title) if sources.pages[post.docname].title else ""
    if not heading:
        message = 'this post has no title; begin its text with a heading such as "# Title"'
        yield problem(Kind.VALUE, "", message)
    if front.date is None and not front.draft and placed:
        message = f'series "{placed[0].key}" lists this page, but it has no "date"; add one, or "draft: true"'
        yield problem(Kind.DATE, "date", message)
    if front.date and front.updated and front.updated.day < front.date.day:
        message = f'"updated" ({front.updated.day}) is before "date" ({front.date.day}); correct one of them'
        yield problem(Kind.DATE, "updated", message)
    if heading and front.title and _typed(plain(parse(front.title))) != _typed(heading):
        message = f'"title" says "{front.title}", the heading says "{heading}"; the heading counts'
        yield problem(Kind.PART, "title", message + ', so remove "title"')
    yield from _claims(post.docname, front, placed)
    for i, name in enumerate(front.prerequisites):
        if find(name, posts) is None:
            known = [d.removesuffix("/index") for d in posts if d != post.docname]
            message = f'prerequisite "{name}" is no published post; {hint(name, known)}'
            yield problem(Kind.PREREQUISITE, f"prerequisites[{i}]", message)


def _claims(docname: str, front: FrontMatter, placed: tuple[Series, int] | None) -> Iterator[Problem]:
    """Where ``series`` and ``part`` of a page contradict the toctree that lists it, or none does."""
    key, part = (placed[0].key, placed[1]) if placed else ("", 0)
    if front.series and front.series != key:
        where = f'series "{key}" lists this page' if placed else "no series lists this page"
        message = f'"series" says "{front.series}", but {where}; the toctree counts'
        yield Problem(Kind.PART, docname, front.place("series"), message)
    if front.part is not None and front.part != part:
        where = f'series "{key}" lists it as part {part}' if placed else "no series lists this page"
        message = f'"part" says {front.part}, but {where}; the toctree counts'
        yield Problem(Kind.PART, docname, front.place("part"), message)


_TYPED = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "–": "--", "—": "---", "…": "..."})


def _typed(title: str) -> str:
    """*title* with the quotes, dashes and dots that a keyboard has: Sphinx makes finer ones in headings."""
    return title.translate(_TYPED)


def _address_problems(pages: Mapping[str, Page]) -> Iterator[Problem]:
    """Documents whose addresses differ in letter case only, or in a final ``index`` only."""
    seen: dict[str, str] = {}
    for docname in sorted(pages):
        address = docname.removesuffix("/index").casefold()
        first = seen.setdefault(address, docname)
        if first != docname:
            message = f'this page and "{first}" have the same address "/{address}/"; rename one of them'
            yield Problem(Kind.ADDRESS, docname, Place(1), message)
