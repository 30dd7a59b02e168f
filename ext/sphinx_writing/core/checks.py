"""What posts claim that is not so: titles, places in a series, prerequisites, addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sphinx_writing.core.inline import parse, plain
from sphinx_writing.core.posts import Post, Sources, find
from sphinx_writing.core.problems import Kind, Place, Problem, hint
from sphinx_writing.core.records import FrontMatter, Page
from sphinx_writing.core.series import Series


def of_post(
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
    yield from of_claims(post.docname, front, placed)
    for i, name in enumerate(front.prerequisites):
        if find(name, posts) is None:
            known = [d.removesuffix("/index") for d in posts if d != post.docname]
            left_out = find(name, sources.withheld)
            remedy = f"it is withheld ({sources.withheld[left_out]})" if left_out else hint(name, known)
            message = f'prerequisite "{name}" is no published post; {remedy}'
            yield problem(Kind.PREREQUISITE, f"prerequisites[{i}]", message)


def of_claims(docname: str, front: FrontMatter, placed: tuple[Series, int] | None) -> Iterator[Problem]:
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


def of_addresses(pages: Mapping[str, Page]) -> Iterator[Problem]:
    """Documents whose addresses differ in letter case only, or in a final ``index`` only."""
    seen: dict[str, str] = {}
    for docname in sorted(pages):
        address = docname.removesuffix("/index").casefold()
        first = seen.setdefault(address, docname)
        if first != docname:
            message = f'this page and "{first}" have the same address "/{address}/"; rename one of them'
            yield Problem(Kind.ADDRESS, docname, Place(1), message)
