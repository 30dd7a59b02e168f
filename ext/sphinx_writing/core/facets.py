"""Facets: by what the posts of a list differ, each value with the posts that have it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sphinx_writing.core import tags
from sphinx_writing.core.cards import SeriesRef, series_ref, tag_page, year_page
from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.posts import Post
from sphinx_writing.core.records import Query

OTHER = "Other notes"
"""What posts outside a series, or of a series without a category, are listed under."""


@dataclass(frozen=True)
class Value:
    """One value of a facet: its *key* in addresses, its name as shown, the posts that have it.

    *pagename* is the page that lists them, and empty where there is none; *series* gives it its colour.
    """

    key: str
    label: str
    docnames: tuple[str, ...]
    pagename: str = ""
    series: SeriesRef | None = None


@dataclass(frozen=True)
class Facet:
    """One facet: its name in addresses, what stands over its values, what many of them are called."""

    name: str
    label: str
    many: str
    values: tuple[Value, ...]


def facets_of(catalogue: Catalogue, posts: Sequence[Post], query: Query) -> tuple[Facet, ...]:
    """The facets of *posts*, which *query* lists; those that the query itself fixes are left out."""
    found = (
        Facet("series", "Series", "series", tuple(_series(catalogue, posts))),
        Facet("category", "Category", "categories", tuple(_categories(catalogue, posts))),
        Facet("year", "Year", "years", tuple(_years(posts))),
        Facet("tag", "Tag", "tags", tuple(_tags(catalogue, posts))),
    )
    fixed = {"series": query.series, "category": query.category or query.series, "year": query.year}
    return tuple(facet for facet in found if facet.values and not fixed.get(facet.name))


def marks(found: Iterable[Facet]) -> dict[str, str]:
    """For each post the numbers of its values, which are counted from 0 through all of *found*."""
    numbers: dict[str, list[str]] = {}
    for number, value in enumerate(value for facet in found for value in facet.values):
        for docname in value.docnames:
            numbers.setdefault(docname, []).append(str(number))
    return {docname: " ".join(own) for docname, own in numbers.items()}


def spoken(found: Iterable[Facet]) -> str:
    """The facets as the line names them that they are folded behind: ``series, tag or year``."""
    there = {facet.name for facet in found}
    names = [name for name in ("series", "tag", "year") if name in there]
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _by(posts: Iterable[Post], values: Callable[[Post], Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """The docnames of the posts that have each value, in the order of *posts*."""
    found: dict[str, list[str]] = {}
    for post in posts:
        for value in values(post):
            found.setdefault(value, []).append(post.docname)
    return {value: tuple(docnames) for value, docnames in found.items()}


def _series(catalogue: Catalogue, posts: Sequence[Post]) -> Iterator[Value]:
    by_key = _by(posts, lambda post: [post.series])
    keys = set()
    for series in catalogue.series:
        if series.key in by_key:
            keys.add(series.key)
            yield Value(series.key, series.info.label, by_key[series.key], series.docname, series_ref(series))
    yield from _rest(by_key, keys)


def _categories(catalogue: Catalogue, posts: Sequence[Post]) -> Iterator[Value]:
    category_of = {series.key: series.info.category for series in catalogue.series}
    by_name = _by(posts, lambda post: [category_of.get(post.series, "")])
    keys: set[str] = set()
    for name in dict.fromkeys(category_of.values()):
        if name and name in by_name:
            key = tags.free(tags.slug(tags.key(name)), keys)
            keys.add(key)
            yield Value(key, name, by_name[name])
    yield from _rest(by_name, keys)


def _rest(by_name: dict[str, tuple[str, ...]], keys: set[str]) -> Iterator[Value]:
    """The posts with no value, where others have one."""
    if keys and "" in by_name:
        yield Value(tags.free("other", keys), OTHER, by_name[""])


def _years(posts: Sequence[Post]) -> Iterator[Value]:
    by_year = _by(posts, lambda post: [str(post.stamp.day.year)] if post.stamp else [])
    for year in sorted(by_year, key=int, reverse=True):
        yield Value(year, year, by_year[year], year_page(int(year)))


def _tags(catalogue: Catalogue, posts: Sequence[Post]) -> Iterator[Value]:
    by_key = _by(posts, lambda post: post.tags)
    used = (tag for tag in catalogue.tags if tag.key in by_key)
    for tag in sorted(used, key=lambda tag: -len(by_key[tag.key])):  # of equally common ones by name
        yield Value(tag.slug, tag.name, by_key[tag.key], tag_page(tag.slug))
