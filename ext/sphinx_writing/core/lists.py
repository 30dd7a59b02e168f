"""Lists of posts: what a ``{writing}`` directive asks for, chosen from the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from sphinx_writing.core import tags
from sphinx_writing.core.bibtex import Reference
from sphinx_writing.core.cards import Card, SeriesRef, series_ref
from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.facets import OTHER, Facet, facets_of, marks, spoken
from sphinx_writing.core.inline import Inline, plain
from sphinx_writing.core.posts import Post
from sphinx_writing.core.problems import Kind, Place, Problem, hint
from sphinx_writing.core.records import Query


@dataclass(frozen=True)
class SeriesLine:
    """One line of a list of series."""

    ref: SeriesRef
    description: Inline
    parts: int


@dataclass(frozen=True)
class Step:
    """One post on a learning path."""

    docname: str
    title: Inline
    hidden: str


@dataclass(frozen=True)
class PathLine:
    """A learning path as a list shows it: *more* are the steps that are folded away."""

    key: str
    question: Inline
    summary: Inline
    steps: tuple[Step, ...]
    more: tuple[Step, ...] = ()
    anchor: str = ""
    """Its id in the page; empty where another list there has it already."""


@dataclass(frozen=True)
class Group:
    """Some posts under a heading; the heading is empty where the list is not grouped."""

    heading: str
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Listing:
    """The answer to one query; *total* counts the posts, *years* theirs, before ``limit`` cuts the list."""

    query: Query
    groups: tuple[Group, ...]
    featured: Card | None
    total: int
    series: tuple[SeriesLine, ...] = ()
    sentence: str = ""
    years: tuple[int, ...] = ()
    tagged: bool = False
    paths: tuple[PathLine, ...] = ()
    references: tuple[Reference, ...] = ()
    facets: tuple[Facet, ...] = ()
    """By what the posts that are shown can be filtered, where the query asks for it."""

    @property
    def shown(self) -> int:
        """How many posts are shown."""
        return sum(len(group.cards) for group in self.groups) + (self.featured is not None)

    @property
    def filtered_by(self) -> str:
        """What readers can filter by, as a line names it."""
        return spoken(self.facets)

    @cached_property
    def marks(self) -> dict[str, str]:
        """What each post carries in the page, so that a script can filter."""
        return marks(self.facets)


def listing(catalogue: Catalogue, query: Query) -> Listing:
    """What *query* lists."""
    chosen = [post for post in catalogue.posts.values() if _matches(post, query, catalogue)]
    chosen = sorted_by(query.sort, chosen, catalogue)
    first = chosen[: query.limit]
    kept = first if query.style in WITH_POSTS else []
    featured, rest = (kept[0], kept[1:]) if query.feature and kept else (None, kept)
    by_group: dict[str, list[str]] = {}
    for post in rest:
        by_group.setdefault(_GROUPS[query.group](post, catalogue), []).append(post.docname)
    return Listing(
        query=replace(query, line=0),
        groups=tuple(Group(heading, catalogue.cards_of(names)) for heading, names in by_group.items()),
        featured=catalogue.cards_of([featured.docname])[0] if featured else None,
        total=len(chosen),
        series=tuple(_series_lines(catalogue, query)) if query.style == "series" else (),
        references=tuple(map(_reference, first)) if query.style == "bibtex" else (),
        paths=tuple(_path_lines(catalogue, query.limit)) if query.style == "paths" else (),
        sentence=sentence(catalogue, chosen),
        years=tuple(sorted({p.stamp.day.year for p in chosen if p.stamp}, reverse=True)),
        tagged=any(p.tags for p in chosen),
        facets=facets_of(catalogue, kept, query) if query.faceted else (),
    )


def _matches(post: Post, query: Query, catalogue: Catalogue) -> bool:
    series = catalogue.series_named(post.series)
    year = post.stamp.day.year if post.stamp else None
    return (
        (not query.series or query.series == post.series)
        and (not query.category or (series is not None and series.info.category == query.category))
        and (not query.tag or tags.key(query.tag) in post.tags)
        and (query.year is None or query.year == year)
    )


def sorted_by(sort: str, posts: list[Post], catalogue: Catalogue) -> list[Post]:
    """*posts*, which are newest first, in another order."""
    if sort == "oldest":
        return posts[::-1]
    if sort == "title":
        return sorted(posts, key=lambda p: (plain(p.title).casefold(), p.docname))
    if sort == "series":
        rank = {s.key: s.index for s in catalogue.series}
        return sorted(posts, key=lambda p: (rank.get(p.series, len(rank)), p.part))
    return posts


def _series_label(post: Post, catalogue: Catalogue) -> str:
    series = catalogue.series_named(post.series)
    return series.info.label if series else OTHER


def _category(post: Post, catalogue: Catalogue) -> str:
    series = catalogue.series_named(post.series)
    return (series.info.category if series else "") or OTHER


_GROUPS: Mapping[str, Callable[[Post, Catalogue], str]] = {
    "none": lambda _post, _catalogue: "",
    "year": lambda post, _catalogue: str(post.stamp.day.year) if post.stamp else "Without a date",
    "series": _series_label,
    "category": _category,
}

SORTS = ("newest", "oldest", "series", "title")
GROUPS = tuple(_GROUPS)
STYLES = ("cards", "list", "series", "sentence", "paths", "bibtex")
WITH_POSTS = ("cards", "list")
"""The styles that show posts, which can be filtered."""
COUNT = "count"
"""The style of the role: how many posts there are, as a number within a sentence."""
_USUAL_GROUP = {"newest": "year", "oldest": "year", "series": "series"}


def usual_group(sort: str) -> str:
    """How a list that can be filtered is grouped if nothing else is asked for: by what it is sorted by."""
    return _USUAL_GROUP.get(sort, "none")


def _series_lines(catalogue: Catalogue, query: Query) -> Iterator[SeriesLine]:
    for series in catalogue.series:
        if query.series in ("", series.key) and query.category in ("", series.info.category) and series.parts:
            yield SeriesLine(series_ref(series), series.info.description, len(series.parts))


def _path_lines(catalogue: Catalogue, limit: int | None) -> Iterator[PathLine]:
    """Every learning path with at most *limit* steps in sight, or one more where only one would be folded."""
    for path in catalogue.paths:
        posts = (catalogue.posts[docname] for docname in path.posts)
        steps = tuple(Step(post.docname, post.title, post.hidden) for post in posts)
        cut = len(steps) if limit is None or len(steps) <= limit + 1 else limit
        yield PathLine(path.key, path.question, path.summary, steps[:cut], steps[cut:])


def anchor(key: str) -> str:
    """The id of the learning path *key* in the page that lists it."""
    return f"writing_path_{key}"


def anchored(found: Iterable[Listing]) -> Iterator[Listing]:
    """The lists *found* of one page, the paths of the first of them with their ids."""
    seen = False
    for one in found:
        if one.paths and not seen:
            seen = True
            yield replace(one, paths=tuple(replace(line, anchor=anchor(line.key)) for line in one.paths))
        else:
            yield one


def _reference(post: Post) -> Reference:
    return Reference(post.docname, post.title, post.authors, post.stamp, post.updated)


def all_series(catalogue: Catalogue) -> tuple[SeriesLine, ...]:
    """A line for every series that has posts."""
    return tuple(_series_lines(catalogue, Query()))


def sentence(catalogue: Catalogue, posts: list[Post]) -> str:
    """How many posts there are and in which categories, as a sentence."""
    keys = {post.series for post in posts}
    categories = (s.info.category for s in catalogue.series if s.key in keys and s.info.category)
    names = [_mid_sentence(name) for name in dict.fromkeys(categories)]
    count = f"{len(posts)} technical note" + ("s" if len(posts) != 1 else "")
    if len(names) > 1:
        return f"{count} across {', '.join(names[:-1])} and {names[-1]}."
    return f"{count} on {names[0]}." if names else f"{count}."


def _mid_sentence(name: str) -> str:
    """*name* with a small first letter, unless its first word is spelled in capitals (``LLM``)."""
    word = name.split(" ", 1)[0]
    return name if word[1:] != word[1:].lower() else name[0].lower() + name[1:]


def _tag_name(catalogue: Catalogue, written: str) -> str:
    """The tag *written* as it is shown, or as it is written where there is none."""
    return next((t.name for t in catalogue.tags if t.key == tags.key(written)), written)


def problems(catalogue: Catalogue, docname: str, query: Query) -> Iterator[Problem]:
    """What *query* names that is not there."""
    known = {
        "series": ([s.key for s in catalogue.series], query.series),
        "category": ([s.info.category for s in catalogue.series if s.info.category], query.category),
        "tag": ([t.name for t in catalogue.tags], _tag_name(catalogue, query.tag)),
        "year": ([str(p.stamp.day.year) for p in catalogue.posts.values() if p.stamp], str(query.year or "")),
    }
    for option, (names, value) in known.items():
        if value and value not in names:
            message = f'no published post has {option} "{value}", so this list is empty; {hint(value, names)}'
            yield Problem(Kind.POST, docname, Place(query.line), message)
