"""The map: every note once, in its lane and in order, and a line for each prerequisite."""

from __future__ import annotations

import re

from sphinx_writing.core import map as map_
from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.inline import Span
from sphinx_writing.core.posts import Post
from sphinx_writing.core.records import SeriesInfo
from sphinx_writing.core.series import Series


def catalogue(*series: int, alone: int = 0, first: dict[str, str] | None = None) -> Catalogue:
    """Series a, b, c with so many parts (a1, a2, ...), and posts *alone*; *first* are prerequisites."""
    asked = first or {}
    made = {}
    all_series = []
    for i, (key, count) in enumerate(zip("abcdef", series, strict=False)):
        parts = tuple(f"{key}{n}" for n in range(1, count + 1))
        all_series.append(Series(key, SeriesInfo(key, key.upper()), parts, i))
        for n, name in enumerate(parts, 1):
            made[name] = post(name, asked, key, n)
    for n in range(1, alone + 1):
        made[f"z{n}"] = post(f"z{n}", asked)
    return Catalogue(made, tuple(all_series))


def post(name: str, asked: dict[str, str], series: str = "", part: int = 0) -> Post:
    title = (Span(name.upper()),)
    return Post(name, title, (), None, None, (), 1, series, part, "", tuple(asked.get(name, "").split()))


def numbers(path: str) -> list[float]:
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", path)]


def test_a_lane_for_each_series_in_order_and_one_for_the_others() -> None:
    found = map_.drawn(catalogue(2, 0, 1, alone=2))
    assert [
        (lane.series and lane.series.key, [s.card.docname for s in lane.spots]) for lane in found.lanes
    ] == [
        ("a", ["a1", "a2"]),
        ("c", ["c1"]),
        (None, ["z1", "z2"]),
    ]
    assert found.total == 5
    assert found.height == 3 * (map_.NAME + map_.ROW + map_.GAP) - map_.GAP


def test_a_long_lane_has_more_rows_and_no_two_notes_share_a_place() -> None:
    found = map_.drawn(catalogue(30, 3))
    places = [(spot.x, spot.y) for lane in found.lanes for spot in lane.spots]
    assert len(set(places)) == 33
    assert all(0 <= x < 100 and 0 < y < found.height for x, y in places)
    assert len({y for _, y in places[:30]}) == 3
    below = found.lanes[1]
    assert below.y > max(y for _, y in places[:30])
    assert [spot.x for spot in below.spots] == [x for x, _ in places[:3]]


def test_a_line_leads_from_each_note_to_those_that_ask_for_it() -> None:
    found = map_.drawn(catalogue(3, 2, first={"a2": "a1", "b1": "a1 a3"}))
    spots = {spot.card.docname: spot for lane in found.lanes for spot in lane.spots}
    ends = [numbers(curve.path) for curve in found.curves]
    places = {name: (spot.x, spot.y) for name, spot in spots.items()}
    pairs = {("a1", "a2"), ("a1", "b1"), ("a3", "b1")}
    assert sorted((tuple(e[:2]), tuple(e[-2:])) for e in ends) == sorted(
        (places[s], places[t]) for s, t in pairs
    )
    assert [card.docname for card in spots["b1"].first] == ["a1", "a3"]
    asked = {name: [curve.asked for curve in spot.curves] for name, spot in spots.items()}
    assert asked == {"a1": [True, True], "a2": [False], "a3": [True], "b1": [False, False], "b2": []}


def test_lines_in_a_row_bow_above_it_the_longer_the_higher() -> None:
    heights = [min(numbers(map_.curve((0, 5), (x, 5)))[1::2]) for x in (10, 30, 90)]
    assert heights[0] > heights[1] > heights[2]
    assert heights[2] >= 5 - map_.ROW


def test_without_posts_there_is_nothing() -> None:
    assert map_.drawn(Catalogue()) == map_.Map((), (), 0.0, 0)
