"""The sitemap: every page of a release, with the day that its front matter gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape

from sphinx_writing.core.cards import NOT_FOUND
from sphinx_writing.core.dates import Stamp
from sphinx_writing.core.records import FrontMatter, Page
from sphinx_writing.core.search import PAGE

FILE = "sitemap.xml"
MOST = 50_000
"""Addresses in one file; the protocol allows no more."""
HEAVIEST = 50 * 1024 * 1024
"""Bytes of one file."""
_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
_SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


@dataclass(frozen=True)
class Entry:
    """A page: its name, and when it was last changed as far as its front matter says."""

    pagename: str
    changed: Stamp | None = None


Line = tuple[str, Stamp | None]
"""A whole address, and when what it leads to was last changed."""


def entries(
    pages: Mapping[str, Page], fronts: Mapping[str, FrontMatter], generated: Iterable[str]
) -> Iterator[Entry]:
    """The pages that robots may list, by name: published documents and *generated* pages."""
    for docname in sorted(pages):
        if not pages[docname].noindex:
            front = fronts.get(docname, FrontMatter())
            yield Entry(docname, front.updated or front.date)
    yield from (Entry(name) for name in sorted({*generated} - {PAGE, NOT_FOUND} - pages.keys()))


def written(stamp: Stamp) -> str:
    """*stamp* as sitemaps have it."""
    return stamp.day.isoformat() if stamp.day_only else stamp.iso


def files_of(addresses: Iterable[Line], base: str) -> Iterator[tuple[str, str]]:
    """The names and texts of all files: one, or several and an index of them where it would hold too much."""
    parts = list(_parts(map(_line, addresses)))
    if len(parts) <= 1:
        yield FILE, _file("urlset", parts[0] if parts else [])
        return
    names = [f"sitemap-{number}.xml" for number in range(1, len(parts) + 1)]
    index = [f"<sitemap><loc>{escape(base + name)}</loc></sitemap>\n" for name in names]
    yield FILE, _file("sitemapindex", index)
    yield from ((name, _file("urlset", part)) for name, part in zip(names, parts, strict=True))


def _line(entry: Line) -> str:
    address, changed = entry
    day = f"<lastmod>{written(changed)}</lastmod>" if changed else ""
    return f"<url><loc>{escape(address)}</loc>{day}</url>\n"


def _parts(lines: Iterable[str]) -> Iterator[list[str]]:
    """*lines* in as many parts as the limits of one file demand."""
    part: list[str] = []
    weight = len(_file("urlset", []))
    room = HEAVIEST - weight
    for line in lines:
        size = len(line.encode())
        if part and (len(part) == MOST or size > room):
            yield part
            part, room = [], HEAVIEST - weight
        part.append(line)
        room -= size
    if part:
        yield part


def _file(element: str, lines: Iterable[str]) -> str:
    return f'{_HEAD}<{element} xmlns="{_SPACE}">\n{"".join(lines)}</{element}>\n'
