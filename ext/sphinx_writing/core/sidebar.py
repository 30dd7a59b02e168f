"""The sidebar: the root page's toctrees, with only the branch of the current page open."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace

from sphinx_writing.core.cards import SeriesRef, series_ref
from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.inline import Inline, Span
from sphinx_writing.core.records import Entry, Page
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
    """One toctree of the root page, with its caption."""

    caption: str
    items: tuple[Item, ...]


Sidebar = tuple[Section, ...]


def sidebar(
    catalogue: Catalogue, pages: Mapping[str, Page], root: str, path: Container[str], docname: str
) -> Sidebar:
    """The sidebar beside *docname*, whose toctree path from the root is *path*."""
    series = {s.docname: s for s in catalogue.series}

    def item(entry: Entry) -> Item | None:
        if entry.outside:
            return Item(entry.target, (Span(entry.title or entry.target),), outside=True)
        if entry.generated:
            return Item(entry.target, (Span(entry.title),), current=entry.target == docname)
        if entry.target not in pages:
            return None
        here = series.get(entry.target)
        label: Inline = (Span(here.info.label),) if here else catalogue.titles[entry.target]
        return Item(
            target=entry.target,
            title=(Span(entry.title),) if entry.title else label,
            current=entry.target == docname,
            open=entry.target in path,
            series=series_ref(here) if here else None,
            number=_number(catalogue, entry.target),
            hidden=post.hidden if (post := catalogue.posts.get(entry.target)) else "",
            count=len(here.parts) if here else 0,
        )

    def items(parent: str) -> Iterator[Item]:
        for toctree in pages[parent].toctrees:
            yield from filter(None, map(item, toctree.entries))

    def opened(top: Item) -> Item:
        branch = top.open and not top.outside and top.target != root
        return replace(top, children=tuple(items(top.target))) if branch else top

    return tuple(
        Section(t.caption, tuple(opened(i) for i in map(item, t.entries) if i is not None))
        for t in (pages[root].toctrees if root in pages else ())
    )


def _number(catalogue: Catalogue, docname: str) -> int:
    post = catalogue.posts.get(docname)
    series = catalogue.series_named(post.series) if post else None
    return post.part if post and series and series.info.numbered else 0


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
