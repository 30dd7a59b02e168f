"""Views: what each page shows from elsewhere, ready to print.

A page is printed from its own doctree and its :class:`PageView`, nothing else. That makes the digest
of the view the one thing to compare when deciding whether a page must be written again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sphinx_writing.core import lists, sidebar
from sphinx_writing.core.cards import Card, SeriesRef, cards_of, series_ref
from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.dates import Stamp
from sphinx_writing.core.graph import target_of
from sphinx_writing.core.inline import Inline
from sphinx_writing.core.records import Page
from sphinx_writing.core.series import Series, neighbours

Relations = tuple[tuple[str, ...], str, str]
"""The documents above one in the toctrees, the one before it and the one after it, as Sphinx has them."""


@dataclass(frozen=True)
class Citation:
    """A post that links here, with the sentence in which it does."""

    card: Card
    sentence: Inline


@dataclass(frozen=True)
class PostView:
    """What stands around a post: its card, the whole series, what to read first, who links here."""

    card: Card
    updated: Stamp | None
    total: int
    parts: tuple[Card, ...]
    previous: Card | None
    next: Card | None
    prerequisites: tuple[Card, ...]
    cited_by: tuple[Citation, ...]


@dataclass(frozen=True)
class SeriesView:
    """A series page: the series, its parts in order, and the time they take together."""

    ref: SeriesRef
    description: Inline
    category: str
    status: str
    numbered: bool
    parts: tuple[Card, ...]
    minutes: int


@dataclass(frozen=True)
class PageView:
    """Everything that one page shows from elsewhere."""

    sidebar: sidebar.Sidebar
    post: PostView | None = None
    series: SeriesView | None = None
    lists: tuple[lists.Listing, ...] = ()
    linked_titles: tuple[Inline, ...] = ()
    around: tuple[Inline, ...] = ()

    @property
    def digest(self) -> str:
        """A digest of all that is shown."""
        return hashlib.sha256(repr(self).encode()).hexdigest()


@dataclass(frozen=True)
class Site:
    """A catalogue with what is needed to view any page of it."""

    catalogue: Catalogue
    pages: Mapping[str, Page]
    root: str
    labels: Mapping[str, str]
    relations: Mapping[str, Relations]

    @cached_property
    def parents(self) -> dict[str, str]:
        """The document above each one in the toctrees."""
        return sidebar.parents_of(self.pages, self.root)

    def is_writing(self, docname: str) -> bool:
        """Whether *docname* is a post or the page of a series."""
        return docname in self.catalogue.posts or any(s.docname == docname for s in self.catalogue.series)

    def around(self, docname: str) -> tuple[str, ...]:
        """The documents whose titles Sphinx and the theme may show around *docname*."""
        above, before, after = self.relations.get(docname, ((), "", ""))
        return (*above, before, after)

    def page(self, docname: str) -> PageView:
        """The view of *docname*; of a generated page, one that only has the sidebar."""
        page = self.pages.get(docname)
        path = sidebar.path_to(docname, self.parents)
        bar = sidebar.sidebar(self.catalogue, self.pages, self.root, path, docname)
        if page is None:
            return PageView(bar)
        series = next((s for s in self.catalogue.series if s.docname == docname), None)
        targets = (target_of(link, self.pages, self.labels) for link in page.links)
        return PageView(
            sidebar=bar,
            post=post_view(self.catalogue, docname) if docname in self.catalogue.posts else None,
            series=series_view(self.catalogue, series) if series else None,
            lists=tuple(lists.listing(self.catalogue, query) for query in page.queries),
            linked_titles=tuple(self.catalogue.titles.get(t, ()) if t else () for t in targets),
            around=tuple(self.catalogue.titles.get(d, ()) for d in self.around(docname)),
        )


def post_view(catalogue: Catalogue, docname: str) -> PostView:
    """The view of the post *docname*."""
    post = catalogue.posts[docname]
    series = catalogue.series_named(post.series)
    parts = cards_of(catalogue, series.parts if series else ())
    before, after = neighbours(series, docname) if series else (None, None)

    def one(name: str | None) -> Card | None:
        return next(iter(cards_of(catalogue, [name] if name else [])), None)

    return PostView(
        card=cards_of(catalogue, [docname])[0],
        updated=post.updated,
        total=len(parts),
        parts=parts,
        previous=one(before),
        next=one(after),
        prerequisites=cards_of(catalogue, post.prerequisites),
        cited_by=tuple(
            Citation(cards_of(catalogue, [link.docname])[0], link.sentence)
            for link in catalogue.backlinks.get(docname, ())
        ),
    )


def series_view(catalogue: Catalogue, series: Series) -> SeriesView:
    """The view of the page of *series*."""
    parts = cards_of(catalogue, series.parts)
    info = series.info
    return SeriesView(
        ref=series_ref(series),
        description=info.description,
        category=info.category,
        status=info.status,
        numbered=info.numbered,
        parts=parts,
        minutes=sum(card.minutes for card in parts),
    )
