"""The labs of a site: a page for each, and what is wrong between a note and its lab."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from sphinx_writing.core import lab_files
from sphinx_writing.core.inline import Inline
from sphinx_writing.core.lab_files import LabFile, Measured
from sphinx_writing.core.records import Lab, Page

PAGE = "lab"
"""The name of a lab's page in the folder of its note."""

_BLANK = re.compile(r"[\s%]")
VALUE, MEASURED, LINE = "value", "measured", "line"
"""The places on that page that a note links to."""


@dataclass(frozen=True)
class LabPage:
    """The page of a lab: the note that it belongs to, what it computed and was measured, its source."""

    docname: str
    title: Inline
    lab: Lab


@dataclass(frozen=True)
class Fault:
    """Something wrong in a file beside a note: the file, relative to the source folder, and the line."""

    file: str
    line: int
    message: str


def page_of(folder: str) -> str:
    """The name of the page of the lab in *folder*."""
    return f"{folder}/{PAGE}" if folder else PAGE


def anchor(kind: str, name: str = "") -> str:
    """The id on a lab's page of a value or table, of its measurements, or of a line of its source."""
    return f"{kind}-{_BLANK.sub(lambda blank: f'%{ord(blank[0]):02X}', name)}" if name else kind


def places(folder: str) -> dict[str, str]:
    """What the pattern of a lab's source may name: the folder, as a module's path, and with dots."""
    module = folder.replace("-", "_")
    return {"folder": folder or ".", "module": module, "dotted": module.replace("/", ".")}


LANGUAGES = {
    ".py": "python",
    ".c": "c",
    ".h": "c",
    ".cc": "cpp",
    ".cpp": "cpp",
    ".cu": "cuda",
    ".rs": "rust",
    ".go": "go",
    ".sh": "bash",
}


def language(file: str) -> str:
    """The language of a source by its ending, as Pygments names it."""
    return LANGUAGES.get(posixpath.splitext(file)[1], "text")


def by_folder(pages: Mapping[str, Page]) -> Iterator[tuple[str, list[tuple[str, Lab]]]]:
    """The documents that use each lab, by its folder; the index of the folder comes first."""
    using = [(docname, page.lab) for docname, page in pages.items() if page.lab is not None]
    using.sort(key=lambda item: (item[1].folder, not item[0].endswith("index"), item[0]))
    for folder, group in groupby(using, key=lambda item: item[1].folder):
        yield folder, list(group)


def lab_pages(
    pages: Mapping[str, Page], titles: Mapping[str, Inline], withheld: Iterable[str] = ()
) -> dict[str, LabPage]:
    """The page of each lab, by name.

    Where a document in the same folder is *withheld*, only what the others quote is on it.
    """
    found, shared = {}, {posixpath.dirname(docname) for docname in withheld}
    for folder, using in by_folder(pages):
        docname, lab = using[0]
        if folder in shared:
            lab = as_quoted([lab for _, lab in using])
        if lab.file or lab.measurements or lab.source:
            found[page_of(folder)] = LabPage(docname, titles.get(docname, ()), lab)
    return found


def as_quoted(labs: list[Lab]) -> Lab:
    """The lab that *labs* share, with what they quote of it and no more."""
    first = labs[0]
    quoted = {name for lab in labs for name in lab.quoted}
    measured = {name for lab in labs for name in lab.measured}
    file, measurements = first.file, first.measurements
    if file:
        values = {name: value for name, value in file.values.items() if name in quoted}
        file = replace(file, values=values, tables={n: t for n, t in file.tables.items() if n in quoted})
    if measurements:
        kept = {name: value for name, value in measurements.values.items() if name in measured}
        measurements = replace(measurements, values=kept) if kept else None
    return replace(first, file=file, measurements=measurements)


def faults(
    pages: Mapping[str, Page], more_units: frozenset[str], withheld: Iterable[str] = ()
) -> Iterator[Fault]:
    """What is wrong in the files of all labs: values nobody quotes, units nobody knows.

    Beside a *withheld* document that may quote the rest, only units are judged.
    """
    shared = {posixpath.dirname(docname) for docname in withheld}
    for folder, using in by_folder(pages):
        labs = [lab for _, lab in using]
        first = as_quoted(labs) if folder in shared else labs[0]
        if first.file:
            quoted = {name for lab in labs for name in lab.quoted}
            yield from _in(folder, lab_files.LAB, unquoted(first.file, quoted))
            yield from _in(folder, lab_files.LAB, lab_files.odd_units(first.file, more_units))
        if first.measurements:
            yield from _in(folder, lab_files.MEASURED, measured_faults(first.measurements, labs))
            yield from _in(folder, lab_files.MEASURED, lab_files.odd_units(first.measurements, more_units))


def _in(folder: str, name: str, found: Iterable[tuple[int, str]]) -> Iterator[Fault]:
    path = f"{folder}/{name}" if folder else name
    yield from (Fault(path, line, message) for line, message in found)


def unquoted(file: LabFile | Measured, quoted: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The names in *file* that are not among *quoted*, each with its line."""
    tables = file.tables if isinstance(file, LabFile) else {}
    for name in sorted({*file.values, *tables} - set(quoted)):
        what = f'the table "{name}" is shown' if name in tables else f'the value "{name}" is quoted'
        yield (
            file.lines.get(name, 1),
            f"{what} in no page beside it; use it, or let the lab drop it",
        )


def measured_faults(measurements: Measured, labs: list[Lab]) -> Iterator[tuple[int, str]]:
    """What is wrong with measurements: not quoted, or quoted on pages that do not name the machine."""
    yield from unquoted(measurements, {name for lab in labs for name in lab.measured})
    if not any(lab.names_machine for lab in labs) and any(lab.measured for lab in labs):
        yield 1, "its values are quoted, but no page beside it names the machine; add a {measured} directive"
