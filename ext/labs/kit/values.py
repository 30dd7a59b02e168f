"""Values with units, and their committed form ``lab.json``."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Value:
    """One figure that a note quotes.

    *unit* is shown behind the value: ``GB`` is 10^9 bytes, ``GiB`` is 2^30; ``%`` expects a value
    already multiplied by 100; an empty unit is a plain number.
    """

    value: float | str
    unit: str = ""


def rounded(value: float | str) -> float | str:
    """*value* to 12 significant digits, so that the last bits of a sum do not change a file."""
    if not isinstance(value, float):
        return value
    if not math.isfinite(value):
        raise ValueError(f"a lab value must be finite, not {value!r}")
    return float(f"{value:.12g}")


def dump(values: Mapping[str, Value]) -> str:
    """The text of ``lab.json``: names sorted, one value a line."""
    lines = [
        f"  {json.dumps(name)}: "
        + json.dumps({"value": rounded(v.value), "unit": v.unit}, ensure_ascii=False)
        for name, v in sorted(values.items())
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def load(text: str) -> dict[str, Value]:
    """The values in the text of a ``lab.json``."""
    return {name: Value(**entry) for name, entry in json.loads(text).items()}


def drift(fresh: Mapping[str, Value], committed: Mapping[str, Value]) -> list[str]:
    """One line for each name whose value or unit is not what was committed."""
    lines = []
    for name in sorted(fresh.keys() | committed.keys()):
        new, old = fresh.get(name), committed.get(name)
        if new is None or old is None or not same(new, old):
            lines.append(f"{name}: computed {new}, committed {old}")
    return lines


def same(a: Value, b: Value) -> bool:
    """Whether two values agree: numbers to ten significant digits, text and units exactly."""
    if a.unit != b.unit or isinstance(a.value, str) or isinstance(b.value, str):
        return a == b
    return math.isclose(a.value, b.value, rel_tol=1e-10, abs_tol=1e-12)
