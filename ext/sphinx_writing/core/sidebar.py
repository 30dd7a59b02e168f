"""The sidebar: the root page's toctrees, with only the branch of the current page open.

What stands beside a page must not grow with the site, so of a long toctree only the lines around the
current one are shown, and a last line leads to the page that lists them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from sphinx_writing.core.cards import SeriesRef, series_ref
from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.inline import Inline, Span
from sphinx_writing.core.records import Entry, Page, Toctree
from sphinx_writing.core.series import parts_of


@dataclass(frozen=True)
class Item:
    """One line: its target and title, its place in a series or the series itself, the lines below it."""

    target: str
    title: Inline
    outside: bool = False
    current: bool = False
    open: bool = False
    series: SeriesRef | None = None
    number: int = 0
    count: int = 0
    hidden: str = ""
    children: tuple[Item, ...] = ()


@dataclass(frozen=True)
class Section:
    """One toctree of the root page, with its caption.

    Where it is shortened, *total* counts all its lines and *rest* is the page that shows them; else 0 and "".
    """

    caption: str
    items: tuple[Item, ...]
    total: int = 0
    rest: str = ""


Sidebar = tuple[Section, ...]

NO_LIMIT = 1_000_000
AROUND = 2
"""How many lines before and after the current one a shortened section shows."""


@dataclass(frozen=True)
class Navigation:
    """What the sidebars of a site are made from; a section of more than *limit* lines is shortened."""

    catalogue: Catalogue
    pages: Mapping[str, Page]
    root: str
    limit: int
    map: str = ""
    """The page of the map, whose line follows that of the page with all posts."""
    _branches: dict[str, tuple[Item, ...]] = field(default_factory=dict, compare=False)

    @cached_property
    def parents(self) -> dict[str, str]:
        """The document above each one in the toctrees."""
        return parents_of(self.pages, self.root)

    @cached_property
    def listing(self) -> str:
        """The page that lists every post or every series, if there is one."""
        return self._page_with("cards", "list", "series")

    @cached_property
    def all_posts(self) -> str:
        """The page that lists every post, if there is one."""
        return self._page_with("cards", "list")

    @cached_property
    def paths(self) -> str:
        """The page that lists the learning paths, if there is one."""
        return next((d for d, p in sorted(self.pages.items()) for q in p.queries if q.style == "paths"), "")

    def _page_with(self, *styles: str) -> str:
        """The first page with a whole list in one of these styles."""
        for docname, page in sorted(self.pages.items()):
            for query in page.queries:
                if query.style in styles and not query.limit and not query.filters:
                    return docname
        return ""

    def beside(self, docname: str) -> Sidebar:
        """The sidebar beside *docname*."""
        path = path_to(docname, self.parents) - {self.root} | {docname}
        return tuple(self._section(section, toctree, docname, path) for section, toctree in self._closed)

    def _section(self, closed: Section, toctree: Toctree, docname: str, path: frozenset[str]) -> Section:
        """The section *closed* as it is beside *docname*, whose toctree path is *path*."""
        items = list(closed.items)
        open_at = [i for i, item in enumerate(items) if item.target in path and not item.outside]
        for i in open_at:
            items[i] = self._opened(items[i], docname, path)
        if len(items) <= self.limit or not (rest := self._rest(toctree)):
            return replace(closed, items=tuple(items))
        first = max(0, min(open_at[0] if open_at else 0, len(items) - AROUND - 1) - AROUND)
        shown = items[first : first + 2 * AROUND + 1]
        return Section(closed.caption, tuple(shown), len(items), rest)

    def _opened(self, item: Item, docname: str, path: frozenset[str]) -> Item:
        """The line of a document on *path*, with those below it unless it is the root page's own."""
        marked = replace(item, current=item.target == docname, open=item.target in self.pages)
        if item.target not in self.pages or item.target == self.root:
            return marked
        below = (
            replace(child, current=child.target == docname, open=True) if child.target in path else child
            for child in self._branch(item.target)
        )
        return replace(marked, children=tuple(below))

    def _rest(self, toctree: Toctree) -> str:
        """Where the lines of *toctree* that a shortened section leaves out are found."""
        if not toctree.hidden:
            return self.root
        series = {s.docname for s in self.catalogue.series}
        found = all(e.target in series or e.target in self.catalogue.posts for e in toctree.entries)
        return self.listing if found else ""

    @cached_property
    def _closed(self) -> tuple[tuple[Section, Toctree], ...]:
        """The sections with no line open, and what they are made from."""
        toctrees = self.pages[self.root].toctrees if self.root in self.pages else ()
        return tuple((Section(t.caption, tuple(self._with_map(self._items(t)))), t) for t in toctrees)

    def _with_map(self, items: Iterable[Item]) -> Iterator[Item]:
        for item in items:
            yield item
            if self.map and item.target == self.all_posts and not item.outside:
                yield Item(self.map, (Span("Map"),))

    def _branch(self, parent: str) -> tuple[Item, ...]:
        """The lines below *parent*."""
        if parent not in self._branches:
            lines = (item for toctree in self.pages[parent].toctrees for item in self._items(toctree))
            self._branches[parent] = tuple(lines)
        return self._branches[parent]

    def _items(self, toctree: Toctree) -> Iterator[Item]:
        yield from filter(None, map(self._item, toctree.entries))

    def _item(self, entry: Entry) -> Item | None:
        if entry.outside:
            return Item(entry.target, (Span(entry.title or entry.target),), outside=True)
        if entry.generated:
            return Item(entry.target, (Span(entry.title),))
        if entry.target not in self.pages:
            return None
        series = self.catalogue.series_at(entry.target)
        label: Inline = (Span(series.info.label),) if series else self.catalogue.titles[entry.target]
        post = self.catalogue.posts.get(entry.target)
        within = self.catalogue.series_named(post.series) if post else None
        return Item(
            target=entry.target,
            title=(Span(entry.title),) if entry.title else label,
            series=series_ref(series) if series else None,
            number=post.part if post and within and within.info.numbered else 0,
            count=len(series.parts) if series else 0,
            hidden=post.hidden if post else "",
        )


def parents_of(pages: Mapping[str, Page], root: str) -> dict[str, str]:
    """The document whose toctree lists each document first, on the way down from *root*."""
    parents: dict[str, str] = {}
    todo = [root]
    for parent in todo:
        for child, _ in parts_of(pages[parent]) if parent in pages else ():
            if child in pages and child != root and child not in parents:
                parents[child] = parent
                todo.append(child)
    return parents


def path_to(docname: str, parents: Mapping[str, str]) -> frozenset[str]:
    """*docname* and the documents above it, by *parents*."""
    path = [docname]
    while path[-1] in parents:
        path.append(parents[path[-1]])
    return frozenset(path)
