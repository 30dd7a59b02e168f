"""Units of a quantity: one that a lab computed can be quoted in another that measures the same.

Prefixes of a thousand for links, disks and time, of 1024 (``KiB``, ``MiB``) for memory. A unit is one of
those below or one of them over another, such as ``GB/s`` or ``FLOP/B``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_DECIMAL = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50}
_SMALL = {"m": 1e-3, "µ": 1e-6, "n": 1e-9, "p": 1e-12}


class UnitError(ValueError):
    """Two units that do not measure the same; the message says which do."""


def _prefixed(
    dimension: str, name: str, one: float, *prefixes: Mapping[str, float]
) -> Iterator[tuple[str, tuple[str, float]]]:
    yield name, (dimension, one)
    for table in prefixes:
        yield from ((prefix + name, (dimension, factor * one)) for prefix, factor in table.items())


UNITS: dict[str, tuple[str, float]] = dict(
    [
        *_prefixed("data", "bit", 1, _DECIMAL, _BINARY),
        *_prefixed("data", "B", 8, _DECIMAL, _BINARY),
        *_prefixed("time", "s", 1, _SMALL),
        *(("min", ("time", 60.0)), ("h", ("time", 3600.0)), ("d", ("time", 86400.0))),
        *_prefixed("frequency", "Hz", 1, _DECIMAL),
        *_prefixed("operations", "FLOP", 1, _DECIMAL),
        *_prefixed("operations", "OP", 1, _DECIMAL),
        *_prefixed("power", "W", 1, _DECIMAL, _SMALL),
        *_prefixed("energy", "J", 1, _DECIMAL, _SMALL),
        *_prefixed("energy", "Wh", 3600, _DECIMAL),
        *_prefixed("length", "m", 1, {"k": 1e3}, _SMALL),
        *(("", ("share", 1.0)), ("%", ("share", 0.01))),
    ]
)
"""Each unit with what it measures, and how many of the first of its kind it is."""


def factor(unit: str, into: str) -> float:
    """How many *into* one *unit* is; :exc:`UnitError` where they do not measure the same.

    >>> factor("GiB", "GB")
    1.073741824
    >>> factor("GB/s", "Gbit/s")
    8.0
    """
    (above, below), (above_into, below_into) = _parts(unit), _parts(into)
    ratio = _one(above, above_into)
    divisor = 1.0 if below == below_into else _one(below or "", below_into or "")
    if not ratio or not divisor or (below is None) != (below_into is None):
        raise UnitError(f'"{unit}" cannot be shown in "{into}"; {_fitting(unit)}')
    return ratio / divisor


def _parts(unit: str) -> tuple[str, str | None]:
    above, slash, below = unit.partition("/")
    return above, below if slash else None


def _one(unit: str, into: str) -> float:
    """How many *into* one *unit* is, neither a quotient; 0 where they do not measure the same."""
    if unit == into:
        return 1.0
    dimension, size = UNITS.get(unit, ("", 0.0))
    other, size_into = UNITS.get(into, ("", 1.0))
    return size / size_into if dimension and dimension == other else 0.0


def _fitting(unit: str) -> str:
    """What a message says of the units that *unit* can be shown in."""
    above, below = _parts(unit)
    if above not in UNITS:
        return f'"{unit}" is shown as it is only'
    dimension = UNITS[above][0]
    names = [name or "no unit" for name, (other, _) in UNITS.items() if other == dimension]
    return f"use one of {', '.join(names)}{f', each with /{below}' if below else ''}"
