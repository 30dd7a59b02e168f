"""Cards: one post as lists, neighbours and indexes show it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sphinx_writing.core.dates import Stamp
from sphinx_writing.core.inline import Inline
from sphinx_writing.core.posts import Post
from sphinx_writing.core.series import Series
from sphinx_writing.core.tag_index import Tag


@dataclass(frozen=True)
class SeriesRef:
    """A series as a badge shows it; *index* chooses its colour."""

    key: str
    label: str
    docname: str
    index: int
    numbered: bool


@dataclass(frozen=True)
class TagRef:
    """A tag as shown, and the page that lists its posts."""

    name: str
    pagename: str


@dataclass(frozen=True)
class Card:
    """One post; *part* counts from 1 and is 0 where the series has no numbers or there is none."""

    docname: str
    title: Inline
    summary: Inline
    stamp: Stamp | None
    minutes: int
    tags: tuple[TagRef, ...]
    series: SeriesRef | None
    part: int
    hidden: str


def series_ref(series: Series) -> SeriesRef:
    """The badge of *series*."""
    info = series.info
    return SeriesRef(info.key, info.label, series.docname, series.index, info.numbered)


def all_cards(posts: Iterable[Post], series: Iterable[Series], tags: Iterable[Tag]) -> dict[str, Card]:
    """The card of every post."""
    refs = {s.key: series_ref(s) for s in series}
    tag_refs = {t.key: TagRef(t.name, tag_page(t.slug)) for t in tags}
    return {
        post.docname: Card(
            docname=post.docname,
            title=post.title,
            summary=post.summary,
            stamp=post.stamp,
            minutes=post.minutes,
            tags=tuple(tag_refs[key] for key in post.tags),
            series=(ref := refs.get(post.series)),
            part=post.part if ref and ref.numbered else 0,
            hidden=post.hidden,
        )
        for post in posts
    }


def tag_page(slug: str) -> str:
    """The name of the page of the tag with this *slug*."""
    return f"tags/{slug}/index"


def year_page(year: int) -> str:
    """The name of the page that lists the posts of *year*."""
    return f"archive/{year}/index"


TAG_INDEX = "tags/index"
NOT_FOUND = "404"
"""The name of the page that hosts show for an address that leads nowhere."""
