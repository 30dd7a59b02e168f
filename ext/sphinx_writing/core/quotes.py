"""Values quoted from a lab: found by name, checked, and printed with their unit."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sphinx_writing.core import units
from sphinx_writing.core.lab_files import Column, Quantity, Table
from sphinx_writing.core.problems import hint

NO_BREAK_SPACE = "\u00a0"
MINUS = "\u2212"
NOTHING = "\u2013"
"""What stands in a cell that has no value."""

_SPEC = re.compile(r"[<>=^]?[-+ ]?#?0?\d{0,2}[,_]?(?:\.\d{1,2})?[bdeEfFgGosxX%]?")
"""Python's format specification without a fill, and with two digits at most for a length."""

_IN_UNIT = re.compile(r"(?:^|\s+)in\s+(\S+)\s*$")


class QuoteError(ValueError):
    """A quote that cannot be printed; the message says why and what to do."""


@dataclass(frozen=True)
class Format:
    """How a number is printed: by a Python format specification, and in a unit or its own."""

    spec: str = ""
    unit: str | None = None


def split(text: str) -> tuple[str, Format]:
    """The name and the format in ``name``, ``name:spec``, either with ``in UNIT`` at its end."""
    words, unit = _without_unit(text)
    name, _, spec = words.partition(":")
    return name.strip(), Format(spec.strip(), unit)


def _without_unit(text: str) -> tuple[str, str | None]:
    match = _IN_UNIT.search(text)
    return (text[: match.start()], match[1]) if match else (text, None)


def quote(text: str, quantities: Mapping[str, Quantity], file: str = "lab.json") -> str:
    """What ``{lab}`text``` prints: ``name``, ``name:spec`` with a Python format specification.

    Either may end in ``in UNIT``: the value is shown in this unit, which must measure the same as its own.
    *file* is where *quantities* come from.
    """
    name, wanted = split(text)
    if name not in quantities:
        raise QuoteError(f'{file} has no value "{name}"; {hint(name, quantities)}')
    return shown(in_unit(quantities[name], wanted.unit), wanted.spec)


def shown(quantity: Quantity, spec: str = "") -> str:
    """*quantity* with its unit behind a no-break space (``%`` directly), by *spec* or in four digits."""
    if spec.endswith("%") and quantity.unit:
        raise QuoteError(
            f'"{spec}" makes a percentage of a value in {quantity.unit}; leave out one of the two'
        )
    return printed(quantity.value, spec) + gap(quantity.unit) + quantity.unit


def gap(unit: str) -> str:
    """What stands between a number and its *unit*."""
    return "" if unit in ("", "%") else NO_BREAK_SPACE


def in_unit(quantity: Quantity, unit: str | None) -> Quantity:
    """The same quantity in another *unit*; as it is where that is None."""
    if unit is None:
        return quantity
    if isinstance(quantity.value, str):
        raise QuoteError(f'"{quantity.value}" is a text, so it has no "in {unit}"; leave that out')
    try:
        value = quantity.value * units.factor(quantity.unit, unit)
    except units.UnitError as error:
        raise QuoteError(str(error)) from None
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise QuoteError(f"the value is too large to be shown in {unit}; leave its unit as it is")
    return Quantity(value, unit)


def printed(value: float | str, spec: str = "") -> str:
    """*value* by *spec*, or in four digits, with a true minus sign."""
    if spec and not _SPEC.fullmatch(spec):
        raise QuoteError(f'"{spec}" is no format specification; use one such as ".1f"')
    try:
        number = format(value, spec) if spec or isinstance(value, str) else _digits(value)
    except (ValueError, OverflowError) as error:
        raise QuoteError(f'"{spec}" does not fit {value!r} ({error}); use one such as ".1f"') from None
    return number if isinstance(value, str) else _with_minus(number)


def significant(value: float, digits: int) -> str:
    """*value* as ``printed`` shows it without a specification, in so many *digits*."""
    return _with_minus(_digits(value, digits))


def _with_minus(number: str) -> str:
    """*number* with a true minus sign, and no zero below zero."""
    if not number.startswith("-"):
        return number
    return MINUS + number[1:] if re.search("[1-9a-f]", number) else number[1:]


def _digits(value: float, digits: int = 4) -> str:
    """Whole numbers in full, others in so many significant digits; thousands set apart from 10,000."""
    if value == 0:
        return "0"
    if isinstance(value, float) and not 1e-15 < abs(value) < 1e21:
        short = f"{value:.{digits - 1}e}"
        return short if math.isfinite(float(short)) else repr(value)
    places = 0 if value == int(value) else max(0, digits - 1 - math.floor(math.log10(abs(value))))
    comma = "," if abs(round(value, places)) >= 10_000 else ""
    text = f"{value:{comma}.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def formats(text: str, columns: int) -> tuple[Format, ...]:
    """The format of each of *columns* in *text*, which sets them apart by ``;``; an empty one is plain."""
    parts = [part.strip() for part in text.split(";")] if text.strip() else [""] * columns
    if len(parts) != columns:
        raise QuoteError(f"{len(parts)} formats for {columns} columns; write one for each, with ; between")
    return tuple(Format(spec.strip(), unit) for spec, unit in map(_without_unit, parts))


def heads(table: Table, wanted: tuple[Format, ...]) -> Iterator[str]:
    """The heads of *table* in Markdown, each with the unit that its numbers are printed in."""
    for column, how in zip(table.columns, wanted, strict=True):
        unit = column.unit if how.unit is None else how.unit
        yield f"{column.head} ({unit})" if unit else column.head


def cell(value: float | str | None, column: Column, how: Format) -> str:
    """What the cell *value* of *column* prints: a text as it is, a number by *how*."""
    if value is None:
        return NOTHING
    if isinstance(value, str):
        return value
    return printed(in_unit(Quantity(value, column.unit), how.unit).value, how.spec)
