"""Beside a note: ``lab.json``, which a lab computes, and ``measured.json``, which a machine gave."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field

from sphinx_writing.core import dates, units
from sphinx_writing.core.dates import Stamp
from sphinx_writing.core.problems import hint, nearest

LAB, MEASURED = NAMES = "lab.json", "measured.json"
_UNSHOWN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters, halves of a character, and marks that turn the direction of what follows."""
_NO_NUMBER = re.compile(r"-?\bInfinity\b|\bNaN\b")
_NAME = re.compile(r'[ \t{]*"((?:[^"\\]|\\.)*)"[ \t]*:[ \t]*\{')


class LabFileError(ValueError):
    """A file that holds no values; the message says why and what to do."""


@dataclass(frozen=True)
class Quantity:
    """A named value of a lab. ``GB`` is 10^9 bytes and ``GiB`` 2^30; an empty unit is a plain number."""

    value: float | str
    unit: str = ""


@dataclass(frozen=True)
class Column:
    """The head of a column, in Markdown, and the unit of its numbers."""

    head: str
    unit: str = ""


@dataclass(frozen=True)
class Table:
    """A table of a lab; a cell is a number, a text in Markdown, or nothing."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[float | str | None, ...], ...]

    @property
    def numeric(self) -> list[bool]:
        """For each column, whether it holds numbers only."""
        texts = ([isinstance(cell, str) for cell in cells] for cells in zip(*self.rows, strict=True))
        return [not any(column) for column in texts] if self.rows else [False] * len(self.columns)


@dataclass(frozen=True)
class LabFile:
    """What a ``lab.json`` holds, by name, and the line that each name stands on."""

    values: Mapping[str, Quantity] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """What a ``measured.json`` holds: on which machine, when and with which command its values were taken."""

    machine: str
    day: Stamp
    command: str
    values: Mapping[str, Quantity]
    lines: Mapping[str, int]
    versions: Mapping[str, str] = field(default_factory=dict)
    runs: int | None = None


def load(text: str) -> LabFile:
    """What the text of a ``lab.json`` holds; :exc:`LabFileError` where it is no such file."""
    entries = _mapping(text, LAB)
    tables = {
        name: entry for name, entry in entries.items() if isinstance(entry, dict) and "columns" in entry
    }
    return LabFile(
        {name: _quantity(name, entry, LAB) for name, entry in entries.items() if name not in tables},
        {name: _table(name, entry) for name, entry in tables.items()},
        _lines(text),
    )


def load_measured(text: str) -> Measured:
    """What the text of a ``measured.json`` holds; :exc:`LabFileError` where it is no such file."""
    entries = _mapping(text, MEASURED)
    machine, taken, command = (_text_of(entries, name) for name in ("machine", "date", "command"))
    try:
        day = dates.parse(taken)
    except (ValueError, OverflowError) as error:
        raise LabFileError(f'the "date" {taken!r} in {MEASURED}: {error}') from None
    values, versions, runs = entries.get("values"), entries.get("versions", {}), entries.get("runs")
    if not isinstance(values, dict):
        raise LabFileError(f'{MEASURED} needs "values", a mapping of names to values')
    if not isinstance(versions, dict) or not all(isinstance(v, str) for v in versions.values()):
        raise LabFileError(f'"versions" in {MEASURED} is a mapping of names to texts')
    if runs is not None and (not isinstance(runs, int) or isinstance(runs, bool) or runs < 1):
        raise LabFileError(f'"runs" in {MEASURED} is {runs!r}; it is how often the command ran')
    known = {"machine", "date", "command", "values", "versions", "runs"}
    for name in sorted(entries.keys() - known):
        raise LabFileError(f'"{name}" in {MEASURED} is not known; {hint(name, known)}')
    return Measured(
        machine=machine,
        day=day,
        command=command,
        values={name: _quantity(name, entry, MEASURED) for name, entry in values.items()},
        lines=_lines(text),
        versions=versions,
        runs=runs,
    )


def _text_of(entries: Mapping[str, object], name: str) -> str:
    value = entries.get(name)
    if isinstance(value, str) and value.strip():
        return value
    raise LabFileError(f'{MEASURED} needs a "{name}", a text: a measurement without it means nothing')


def _mapping(text: str, file: str) -> dict[str, object]:
    remedy = "recompute it" if file == LAB else "measure again, or mend it"
    try:
        entries = json.loads(text, parse_constant=_refuse, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        odd = _NO_NUMBER.search(text)
        where = f" (line {text.count(chr(10), 0, odd.start()) + 1})" if odd and odd[0] in str(error) else ""
        raise LabFileError(f"{file} is not valid: {error}{where}; {remedy}") from None
    if not isinstance(entries, dict):
        raise LabFileError(f"{file} is not a mapping of names to values; {remedy}")
    for text_in_it in texts(entries):
        if _UNSHOWN.search(text_in_it):
            raise LabFileError(f"{file} has {text_in_it!r}, with a character that no page can show; {remedy}")
    return entries


def texts(value: object) -> Iterator[str]:
    """All texts in a value read from JSON, names too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no number")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The mapping of *pairs*, each name in it once: JSON would silently take the last."""
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f'"{name}" stands in it twice')
        found[name] = value
    return found


def _only(entry: Mapping[str, object], known: Set[str], where: str) -> None:
    """Refuse a field of *entry* that is not *known*."""
    for name in sorted(entry.keys() - known):
        raise LabFileError(f'{where} has a field "{name}"; {hint(name, known)}')


def _quantity(name: str, entry: object, file: str) -> Quantity:
    if isinstance(entry, dict):
        _only(entry, {"value", "unit"}, f'"{name}" in {file}')
    value = entry.get("value") if isinstance(entry, dict) else None
    unit = entry.get("unit", "") if isinstance(entry, dict) else None
    if isinstance(value, int | float | str) and _is_cell(value) and isinstance(unit, str):
        return Quantity(value, unit)
    raise LabFileError(f'"{name}" in {file} needs a "value" and a "unit"; recompute it')


def _table(name: str, entry: Mapping[str, object]) -> Table:
    _only(entry, {"columns", "rows"}, f'the table "{name}" in {LAB}')
    columns, rows = entry.get("columns"), entry.get("rows")
    if not isinstance(columns, list) or not all(map(_is_column, columns)) or not columns:
        raise LabFileError(f'"columns" of the table "{name}" in {LAB} need a "head" each; recompute it')
    for column in columns:
        _only(column, {"head", "unit"}, f'a column of the table "{name}" in {LAB}')
    width = len(columns)
    if not isinstance(rows, list) or not all(isinstance(r, list) and len(r) == width for r in rows):
        raise LabFileError(f'"rows" of the table "{name}" in {LAB} need {width} cells each; recompute it')
    for cell in (cell for row in rows for cell in row):
        if not _is_cell(cell):
            raise LabFileError(
                f'the table "{name}" in {LAB} holds {cell!r}; a cell is a number, a text or null'
            )
    heads = (Column(column["head"], column.get("unit", "")) for column in columns)
    return Table(tuple(heads), tuple(map(tuple, rows)))


def _is_column(column: object) -> bool:
    return (
        isinstance(column, dict)
        and isinstance(column.get("head"), str)
        and isinstance(column.get("unit", ""), str)
    )


def _is_cell(cell: object) -> bool:
    if isinstance(cell, float):
        return math.isfinite(cell)
    return cell is None or (isinstance(cell, int | str) and not isinstance(cell, bool))


def _lines(text: str) -> dict[str, int]:
    """The line of each name in a file that is written as labs write it; a name may be missing."""
    found = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if match := _NAME.match(line):
            with suppress(ValueError):
                found[json.loads(f'"{match[1]}"')] = number
    return found


def odd_units(file: LabFile | Measured, more: frozenset[str]) -> Iterator[tuple[int, str]]:
    """The units in *file* that are neither known nor among *more*: the line and what is wrong."""
    used = [(name, quantity.unit) for name, quantity in file.values.items()]
    if isinstance(file, LabFile):
        used += [(name, column.unit) for name, table in file.tables.items() for column in table.columns]
    for name, unit in used:
        yield from ((file.lines.get(name, 1), message) for message in unit_faults(unit, f'"{name}"', more))


def unit_faults(unit: str, of: str, more: frozenset[str]) -> Iterator[str]:
    """What is wrong with *unit*, which is that *of* something, beside the known ones and *more*."""
    if unit.count("/") > 1:
        yield f'the unit "{unit}" of {of} has more than one "/"; give one at most'
        return
    for part in unit.split("/"):
        if part not in units.UNITS and part not in more:
            yield f'the unit "{unit}" of {of} is not known; {_meant(part, more)}'


_OTHER_SPELLINGS = {
    "us": "µs",
    "\u03bcs": "µs",
    "sec": "s",
    "ms.": "ms",
    "bits": "bit",
    "bytes": "B",
    "FLOPS": "FLOP/s",
}


def _meant(unit: str, more: frozenset[str]) -> str:
    """What a message says of an unknown *unit*."""
    near = _OTHER_SPELLINGS.get(unit) or nearest(unit, {name for name in units.UNITS if name} | more)
    if near:
        return f'did you mean "{near}"? If not, add "{unit}" to writing_units'
    return f'add "{unit}" to writing_units if it is one; known: B, bit, s, Hz, FLOP, W, J, m with prefixes, %'
