"""Values quoted from a lab: found by name, checked, and printed with their unit."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from sphinx_writing.core import units
from sphinx_writing.core.problems import hint

NO_BREAK_SPACE = "\u00a0"
MINUS = "\u2212"
_SPEC = re.compile(r"[<>=^]?[-+ ]?#?0?\d{0,2}[,_]?(?:\.\d{1,2})?[a-zA-Z%]?")
"""Python's format specification without a fill, and with two digits at most for a length."""


_IN_UNIT = re.compile(r"\s+in\s+(\S+)\s*$")


class QuoteError(ValueError):
    """A quote that cannot be printed; the message says why and what to do."""


@dataclass(frozen=True)
class Quantity:
    """A named value of a lab. ``GB`` is 10^9 bytes and ``GiB`` 2^30; an empty unit is a plain number."""

    value: float | str
    unit: str = ""


def load(text: str) -> dict[str, Quantity]:
    """The quantities in the text of a ``lab.json``; :exc:`QuoteError` where it is no such file."""
    try:
        entries = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise QuoteError(f"lab.json is not valid: {error}; recompute it") from None
    if not isinstance(entries, dict):
        raise QuoteError("lab.json is not a mapping of names to values; recompute it")
    return {name: _quantity(name, entry) for name, entry in entries.items()}


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no number")


def _quantity(name: str, entry: object) -> Quantity:
    value = entry.get("value") if isinstance(entry, dict) else None
    unit = entry.get("unit", "") if isinstance(entry, dict) else None
    finite = not isinstance(value, float) or math.isfinite(value)
    if (
        finite
        and isinstance(value, int | float | str)
        and not isinstance(value, bool)
        and isinstance(unit, str)
    ):
        return Quantity(value, unit)
    raise QuoteError(f'"{name}" in lab.json needs a "value" and a "unit"; recompute it')


def quote(text: str, quantities: Mapping[str, Quantity]) -> str:
    """What ``{lab}`text``` prints: ``name``, ``name:spec`` with a Python format specification.

    Either may end in ``in UNIT``: the value is shown in this unit, which must measure the same as its own.
    """
    words, unit = (text[: match.start()], match[1]) if (match := _IN_UNIT.search(text)) else (text, None)
    name, _, spec = words.partition(":")
    name = name.strip()
    if name not in quantities:
        raise QuoteError(f'lab.json has no value "{name}"; {hint(name, quantities)}')
    quantity = quantities[name]
    return shown(quantity if unit is None else in_unit(quantity, unit), spec.strip())


def in_unit(quantity: Quantity, unit: str) -> Quantity:
    """The same quantity in another *unit*."""
    if isinstance(quantity.value, str):
        raise QuoteError(f'"{quantity.value}" is a text, so it has no "in {unit}"; leave that out')
    try:
        return Quantity(quantity.value * units.factor(quantity.unit, unit), unit)
    except units.UnitError as error:
        raise QuoteError(str(error)) from None


def shown(quantity: Quantity, spec: str = "") -> str:
    """*quantity* with its unit behind a no-break space (``%`` directly), by *spec* or in four digits."""
    if spec and not _SPEC.fullmatch(spec):
        raise QuoteError(f'"{spec}" is no format specification; use one such as ".1f"')
    try:
        number = (
            format(quantity.value, spec)
            if spec or isinstance(quantity.value, str)
            else _digits(quantity.value)
        )
    except (ValueError, OverflowError) as error:
        raise QuoteError(
            f'"{spec}" does not fit {quantity.value!r} ({error}); use one such as ".1f"'
        ) from None
    if number.startswith("-") and not isinstance(quantity.value, str):
        number = MINUS + number[1:]
    if not quantity.unit:
        return number
    return number + ("" if quantity.unit == "%" else NO_BREAK_SPACE) + quantity.unit


def _digits(value: float) -> str:
    """Whole numbers in full, others in four significant digits; thousands set apart from 10,000."""
    if value == 0:
        return "0"
    places = 0 if value == int(value) else max(0, 3 - math.floor(math.log10(abs(value))))
    comma = "," if abs(round(value, places)) >= 10_000 else ""
    text = f"{value:{comma}.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
