"""Series: a page that names one, and the parts that its toctrees list, in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sphinx_writing.core.problems import Kind, Place, Problem
from sphinx_writing.core.records import FrontMatter, Page, SeriesInfo


@dataclass(frozen=True)
class Series:
    """A series: its page, how it describes itself, and the docnames of its parts in reading order.

    *index* counts the series of a site from 0, in site order; colours follow it.
    """

    docname: str
    info: SeriesInfo
    parts: tuple[str, ...]
    index: int

    @property
    def key(self) -> str:
        """The short name in front matter and options."""
        return self.info.key


def series_of(
    pages: Mapping[str, Page], fronts: Mapping[str, FrontMatter], order: Sequence[str]
) -> tuple[tuple[Series, ...], list[Problem]]:
    """All series in site order, and what is wrong with them. A page belongs to the first that lists it."""
    problems: list[Problem] = []
    owner: dict[str, str] = {}
    found: dict[str, Series] = {}
    infos = {d: f.series_info for d in order if (f := fronts.get(d)) and f.series_info}
    for docname, info in infos.items():
        at = fronts[docname].place("series")
        if info.key in found:
            message = f'series key "{info.key}" is taken by "{found[info.key].docname}"; choose another'
            problems.append(Problem(Kind.SERIES, docname, at, message))
            continue
        parts: list[str] = []
        for part, line in parts_of(pages[docname]):
            if part not in pages or part in infos or part in parts:
                continue
            if owner.setdefault(part, info.key) != info.key:
                message = f'"{part}" is listed by series "{owner[part]}" already; list it in one series only'
                problems.append(Problem(Kind.SERIES, docname, Place(line), message))
                continue
            parts.append(part)
        if not parts:
            remedy = 'list some in a toctree here, or add "draft: true"'
            message = f'series "{info.key}" has no published posts; {remedy}'
            problems.append(Problem(Kind.SERIES, docname, at, message))
        if fronts[docname].date is not None:
            message = 'a series page is no post; remove its "date"'
            problems.append(Problem(Kind.DATE, docname, fronts[docname].place("date"), message))
        found[info.key] = Series(docname, info, tuple(parts), len(found))
    return tuple(found.values()), problems


def parts_of(page: Page) -> list[tuple[str, int]]:
    """The documents that the toctrees of *page* list directly, each with the line of its toctree."""
    return [(e.target, t.line) for t in page.toctrees for e in t.entries if not e.outside]


def neighbours(series: Series, docname: str) -> tuple[str | None, str | None]:
    """The parts before and after *docname* in reading order."""
    i = series.parts.index(docname)
    return (series.parts[i - 1] if i else None, series.parts[i + 1] if i + 1 < len(series.parts) else None)
