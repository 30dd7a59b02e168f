"""The catalogue: every visible post with its series, part and tags, made from what was read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sphinx_writing.core import checks, graph, paths, reading_time, related
from sphinx_writing.core.cards import Card, all_cards
from sphinx_writing.core.inline import Inline, Span, opening, resolve
from sphinx_writing.core.paths import Fault, LearningPath, WrittenPath
from sphinx_writing.core.posts import Post, Sources, find, hidden
from sphinx_writing.core.problems import Problem
from sphinx_writing.core.series import Series, series_of
from sphinx_writing.core.tag_index import Tag, tags_of

LONGEST_SUMMARY = 500
"""Characters of a first paragraph that stands for a summary; most are shorter."""


@dataclass(frozen=True)
class Catalogue:
    """All visible posts and what connects them. Posts are newest first, series in site order."""

    posts: Mapping[str, Post] = field(default_factory=dict)
    series: tuple[Series, ...] = ()
    tags: tuple[Tag, ...] = ()
    backlinks: Mapping[str, tuple[graph.Backlink, ...]] = field(default_factory=dict)
    titles: Mapping[str, Inline] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    paths: tuple[LearningPath, ...] = ()
    path_faults: tuple[Fault, ...] = ()
    """What is wrong with the paths; a place in their file, which is no document."""

    def series_named(self, key: str) -> Series | None:
        """The series with this *key*."""
        return self._by_key.get(key)

    def series_at(self, docname: str) -> Series | None:
        """The series whose page is *docname*."""
        return self._by_page.get(docname)

    def is_writing(self, docname: str) -> bool:
        """Whether *docname* is a post or the page of a series."""
        return docname in self.posts or docname in self._by_page

    @cached_property
    def _by_key(self) -> dict[str, Series]:
        return {s.key: s for s in self.series}

    @cached_property
    def _by_page(self) -> dict[str, Series]:
        return {s.docname: s for s in self.series}

    @cached_property
    def cards(self) -> dict[str, Card]:
        """The card of every post."""
        return all_cards(self.posts.values(), self.series, self.tags)

    @cached_property
    def neighbourhood(self) -> related.Neighbourhood:
        """How near posts are to each other."""
        links = {d: [link.docname for link in links] for d, links in self.backlinks.items()}
        return related.Neighbourhood(self.posts, self.tags, links)

    @cached_property
    def paths_of(self) -> dict[str, tuple[LearningPath, ...]]:
        """The learning paths that lead over each post."""
        found: dict[str, tuple[LearningPath, ...]] = {}
        for path in self.paths:
            for docname in path.posts:
                found[docname] = (*found.get(docname, ()), path)
        return found

    def cards_of(self, docnames: Iterable[str]) -> tuple[Card, ...]:
        """The cards of these posts, in this order."""
        return tuple(self.cards[docname] for docname in docnames)


def build(sources: Sources, written: Iterable[WrittenPath] = ()) -> Catalogue:
    """The catalogue of *sources*, with its learning paths as *written*.

    What is wrong is in its ``problems``, sorted by place.
    """
    order = graph.reading_order(sources.pages, sources.root)
    series, series_problems = series_of(sources.pages, sources.fronts, order)
    place_of = {d: (s, i) for s in series for i, d in enumerate(s.parts, start=1)}
    series_pages = {s.docname for s in series}
    dated = (d for d in sources.pages if sources.front(d).date is not None and d not in series_pages)
    names = dict.fromkeys([*place_of, *dated])
    tags, tag_problems = tags_of({d: sources.front(d) for d in sorted(names)})
    headings = {d: page.title or (Span(d),) for d, page in sources.pages.items()}
    titles = {d: resolve(heading, headings) for d, heading in headings.items()}
    tagged: dict[str, list[str]] = {}
    for tag in tags:
        for d in tag.docnames:
            tagged.setdefault(d, []).append(tag.key)
    posts = {d: _post(d, sources, place_of.get(d), tuple(tagged.get(d, ())), names, titles) for d in names}
    rank = {s.key: i for i, s in enumerate(series)}
    newest = sorted(posts.values(), key=lambda p: newest_first(p, rank))
    problems = [
        *series_problems,
        *tag_problems,
        *checks.of_addresses(sources.pages),
        *(p for d in sorted(names) for p in checks.of_post(posts[d], sources, place_of.get(d), posts)),
        *(
            p
            for d in sorted(sources.pages.keys() - names)
            for p in checks.of_claims(d, sources.front(d), None)
        ),
        *graph.cycles({d: p.prerequisites for d, p in posts.items()}, sources.fronts),
    ]
    learning, path_faults = paths.resolve(written, posts, sources.withheld)
    return Catalogue(
        posts={p.docname: p for p in newest},
        series=series,
        tags=tags,
        backlinks=graph.backlinks(sources.pages, posts, order, sources.labels, titles),
        titles=titles,
        problems=tuple(sorted(problems, key=lambda p: (p.docname, p.place, p.kind.subtype, p.message))),
        paths=learning,
        path_faults=path_faults,
    )


def newest_first(post: Post, rank: Mapping[str, int]) -> tuple[float, int, int, str]:
    """The sort key of newest first: instant, series order reversed, part reversed, docname."""
    instant = post.stamp.instant.timestamp() if post.stamp else float("-inf")
    return (-instant, -rank.get(post.series, -1), -post.part, post.docname)


def _post(
    docname: str,
    sources: Sources,
    placed: tuple[Series, int] | None,
    tags: tuple[str, ...],
    names: Mapping[str, None],
    titles: Mapping[str, Inline],
) -> Post:
    page, front = sources.pages[docname], sources.front(docname)
    wanted = (find(name, names) for name in front.prerequisites)
    return Post(
        docname=docname,
        title=titles[docname],
        summary=resolve(front.summary or opening(page.first, LONGEST_SUMMARY), titles),
        stamp=front.date,
        updated=front.updated,
        tags=tags,
        minutes=reading_time.minutes(page.words, page.characters),
        series=placed[0].key if placed else "",
        part=placed[1] if placed else 0,
        hidden=hidden(front, sources.as_of),
        prerequisites=tuple(dict.fromkeys(d for d in wanted if d is not None)),
        authors=front.authors,
        redirect_from=front.redirect_from,
        feed_id=front.feed_id,
    )
