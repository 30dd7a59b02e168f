"""What was measured, by name: ``flavour/posts/phase/figure``, with one value for each run."""

from __future__ import annotations

import statistics
from collections.abc import Mapping

Figures = dict[str, list[float]]


def add(figures: Figures, place: str, values: Mapping[str, float]) -> None:
    """Note one more run of *values* at *place*, which is all of a name but its last part."""
    for figure, value in values.items():
        figures.setdefault(f"{place}/{figure}", []).append(round(value, 4))


def drop(figures: Figures, place: str) -> None:
    """Forget all that was measured at *place*."""
    for name in [name for name in figures if name.startswith(place)]:
        del figures[name]


def median(figures: Figures, name: str) -> float | None:
    """The median over the runs; none where it was not measured."""
    return statistics.median(figures[name]) if figures.get(name) else None


def ratio(figures: Figures, name: str, base: str) -> float | None:
    """One figure to another: the median of the ratios run by run, as both were measured in turn."""
    values, bases = figures.get(name, []), figures.get(base, [])
    if not values or not bases or 0 in bases:
        return None
    if len(values) != len(bases):
        return statistics.median(values) / statistics.median(bases)
    return statistics.median(value / base for value, base in zip(values, bases, strict=True))


def growth(small: float, large: float, start: float, times: float) -> float | None:
    """How the cost grows from *small* to *large* without *start*, for ten times the posts: 10 is linear."""
    return (large - start) / (small - start) * 10 / times if small > start else None
