"""The map: all notes by series in reading order, and lines to each from those to read first.

Places are fractions of the width and lines of text down, so one drawing fits every screen.
"""

from __future__ import annotations

from dataclasses import dataclass

from sphinx_writing.core.cards import Card, SeriesRef, series_ref
from sphinx_writing.core.catalogue import Catalogue

PAGE = "map"
"""The page that shows it."""
COLUMNS = 12
"""How many notes stand side by side at most: on a phone they are then a finger apart."""
FEWEST = 8
"""The columns of a small map, so that two notes do not stand at the two edges of the page."""
NAME, ROW = 1.75, 2.0
"""The height of a lane's name and of one row of notes, in rem."""
GAP = 1.25
"""The space below a lane."""


@dataclass(frozen=True)
class Curve:
    """A line from a note to one that asks for it, as an SVG path; *asked* is whether it leads from here."""

    path: str
    asked: bool


@dataclass(frozen=True)
class Spot:
    """A note on the map: *x* in per cent of the width, *y* in rem from the top, the lines that end here."""

    card: Card
    x: float
    y: float
    first: tuple[Card, ...]
    """What to read first."""
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class Lane:
    """A series and its notes; None is for those in no series. *y* is where its name stands, in rem."""

    series: SeriesRef | None
    y: float
    spots: tuple[Spot, ...]


@dataclass(frozen=True)
class Map:
    """The lanes, all lines, and the height in rem."""

    lanes: tuple[Lane, ...]
    curves: tuple[Curve, ...]
    height: float
    total: int


Point = tuple[float, float]


def drawn(catalogue: Catalogue) -> Map:
    """The map of *catalogue*."""
    rows = [(series_ref(s), s.parts) for s in catalogue.series if s.parts]
    lanes: list[tuple[SeriesRef | None, tuple[str, ...]]] = [*rows]
    placed = {docname for _, parts in rows for docname in parts}
    if others := tuple(d for d in catalogue.posts if d not in placed):
        lanes.append((None, others))
    columns = max(FEWEST, min(COLUMNS, max((len(names) for _, names in lanes), default=0)))
    tops, points, y = [], dict[str, Point](), 0.0
    for _, names in lanes:
        tops.append(y)
        for i, name in enumerate(names):
            points[name] = (100 * (i % columns) / columns, y + NAME + ROW * (i // columns) + ROW / 2)
        y += NAME + ROW * -(-len(names) // columns) + GAP
    asked_by: dict[str, list[str]] = {}
    for name in points:
        for first in catalogue.posts[name].prerequisites:
            asked_by.setdefault(first, []).append(name)
    ends = {
        name: (
            *(
                Curve(curve(points[first], points[name]), asked=False)
                for first in catalogue.posts[name].prerequisites
            ),
            *(Curve(curve(points[name], points[other]), asked=True) for other in asked_by.get(name, ())),
        )
        for name in points
    }
    return Map(
        lanes=tuple(
            Lane(series, top, tuple(_spot(catalogue, name, points[name], ends[name]) for name in names))
            for (series, names), top in zip(lanes, tops, strict=True)
        ),
        curves=tuple(c for name in points for c in ends[name] if not c.asked),
        height=max(0.0, y - GAP),
        total=len(points),
    )


def _spot(catalogue: Catalogue, name: str, at: Point, curves: tuple[Curve, ...]) -> Spot:
    first = catalogue.cards_of(catalogue.posts[name].prerequisites)
    return Spot(catalogue.cards[name], _round(at[0]), _round(at[1]), first, curves)


def curve(start: Point, end: Point) -> str:
    """An SVG path from *start* to *end*, upright at both; within a row it bows, the longer the higher."""
    (x1, y1), (x2, y2) = start, end
    bow = min(0.6 + abs(x2 - x1) / 40, ROW) if y1 == y2 else 0
    middle = (y1 + y2) / 2
    points = (x1, y1), (x1, middle - bow), (x2, middle - bow), (x2, y2)
    texts = [f"{_round(x):g} {_round(y):g}" for x, y in points]
    return f"M{texts[0]}C{', '.join(texts[1:])}"


def _round(value: float) -> float:
    return round(value, 2)
