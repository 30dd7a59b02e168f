"""Values with units and tables of them, and their committed form ``lab.json``."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

Cell = float | str | None
"""What stands in a table: a number, a text in Markdown, or nothing."""


@dataclass(frozen=True)
class Value:
    """One figure that a note quotes.

    *unit* is shown behind the value: ``GB`` is 10^9 bytes, ``GiB`` is 2^30; ``%`` expects a value
    already multiplied by 100; an empty unit is a plain number.
    """

    value: float | str
    unit: str = ""


@dataclass(frozen=True)
class Column:
    """The head of a column, in Markdown, and the unit of its numbers, which is shown in the head."""

    head: str
    unit: str = ""


@dataclass(frozen=True)
class Table:
    """A table that a note shows: *rows* have one cell for each of *columns*."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row has {len(row)} cells for {len(self.columns)} columns: {row!r}")


Entry = Value | Table


def rounded(value: Cell) -> Cell:
    """*value* to 12 significant digits, so that the last bits of a sum do not change a file."""
    if not isinstance(value, float):
        return value
    if not math.isfinite(value):
        raise ValueError(f"a lab value must be finite, not {value!r}")
    return float(f"{value:.12g}")


def dump(entries: Mapping[str, Entry]) -> str:
    """The text of ``lab.json``: names sorted, one value or one row a line."""
    lines = [f"  {_json(name)}: {_dumped(name, entry)}" for name, entry in sorted(entries.items())]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _dumped(name: str, entry: Entry) -> str:
    try:
        if isinstance(entry, Value):
            return _json({"value": rounded(entry.value), "unit": entry.unit})
        rows = ",\n".join("    " + _json([rounded(cell) for cell in row]) for row in entry.rows)
        columns = _json([asdict(column) for column in entry.columns])
        return f'{{"columns": {columns}, "rows": [\n{rows}\n  ]}}'
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def load(text: str) -> dict[str, Entry]:
    """The values and tables in the text of a ``lab.json``."""
    return {name: _loaded(entry) for name, entry in json.loads(text).items()}


def _loaded(entry: dict[str, list[dict[str, str]]]) -> Entry:
    if "columns" not in entry:
        return Value(**entry)  # type: ignore[arg-type]  # as it was dumped
    return Table(tuple(Column(**column) for column in entry["columns"]), tuple(map(tuple, entry["rows"])))


def drift(fresh: Mapping[str, Entry], committed: Mapping[str, Entry]) -> list[str]:
    """One line for each value, unit or cell that is not what was committed."""
    lines: list[str] = []
    for name in sorted(fresh.keys() | committed.keys()):
        new, old = fresh.get(name), committed.get(name)
        if isinstance(new, Table) and isinstance(old, Table):
            lines += (f"{name}{where}" for where in _other_cells(new, old))
        elif isinstance(new, Value) and isinstance(old, Value) and same(new, old):
            continue
        else:
            lines.append(f"{name}: computed {new}, committed {old}")
    return lines


def _other_cells(new: Table, old: Table) -> Iterator[str]:
    if new.columns != old.columns or len(new.rows) != len(old.rows):
        yield f": computed {len(new.rows)} rows of {new.columns}, committed {len(old.rows)} of {old.columns}"
        return
    for i, (row, before) in enumerate(zip(new.rows, old.rows, strict=True), start=1):
        for column, cell, committed in zip(new.columns, row, before, strict=True):
            if not _close(cell, committed):
                yield f", row {i}, {column.head}: computed {cell!r}, committed {committed!r}"


def same(a: Value, b: Value) -> bool:
    """Whether two values agree: numbers to ten significant digits, text and units exactly."""
    return a.unit == b.unit and _close(a.value, b.value)


def _close(a: Cell, b: Cell) -> bool:
    if isinstance(a, str) or isinstance(b, str) or a is None or b is None:
        return a == b
    return math.isclose(a, b, rel_tol=1e-10, abs_tol=1e-12)
