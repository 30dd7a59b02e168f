"""Units: what measures the same can be shown in one another, anything else is refused."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core.units import UNITS, UnitError, factor

DIMENSIONS = sorted({dimension for dimension, _ in UNITS.values()})
PAIRS = [(a, b) for a, (one, _) in UNITS.items() for b, (other, _) in UNITS.items() if one == other]


@pytest.mark.parametrize(
    ("unit", "into", "expected"),
    [
        ("GiB", "GB", 1.073741824),
        ("GB", "GiB", 1 / 1.073741824),
        ("B", "bit", 8),
        ("TB/s", "GB/s", 1000),
        ("GB/s", "Gbit/s", 8),
        ("MB/s", "MB/min", 60),
        ("FLOP/B", "FLOP/bit", 1 / 8),
        ("ms", "µs", 1000),
        ("h", "s", 3600),
        ("kWh", "MJ", 3.6),
        ("", "%", 100),
        ("tokens/s", "tokens/min", 60),
        ("tokens", "tokens", 1),
    ],
)
def test_one_unit_is_so_many_others(unit: str, into: str, expected: float) -> None:
    assert math.isclose(factor(unit, into), expected)


@given(st.sampled_from(PAIRS))
def test_there_and_back_is_nothing(pair: tuple[str, str]) -> None:
    assert math.isclose(factor(*pair) * factor(*reversed(pair)), 1)


@pytest.mark.parametrize(
    ("unit", "into", "remedy"),
    [
        ("GB", "s", "use one of bit, kbit"),
        ("GB/s", "GB", "each with /s"),
        ("GB/s", "GB/W", "each with /s"),
        ("tokens", "GB", '"tokens" is shown as it is only'),
        ("", "GB", "use one of no unit, %"),
        ("s", "sec", "use one of s, ms"),
    ],
)
def test_what_does_not_measure_the_same_is_refused_with_what_does(unit: str, into: str, remedy: str) -> None:
    with pytest.raises(UnitError, match=f'^"{unit}" cannot be shown in "{into}"; .*{remedy}'):
        factor(unit, into)


def test_every_kind_has_one_unit_that_is_one() -> None:
    for dimension in DIMENSIONS:
        assert 1 in {size for other, size in UNITS.values() if other == dimension}
