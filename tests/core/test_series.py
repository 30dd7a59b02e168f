"""H9: a series is a page, its parts are what its toctrees list."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core.dates import parse
from sphinx_writing.core.problems import Kind, Place, Problem
from sphinx_writing.core.records import Entry, FrontMatter, Page, SeriesInfo, Toctree
from sphinx_writing.core.series import Series, neighbours, parts_of, series_of


def page(*toctrees: str, line: int = 9) -> Page:
    """A page with one toctree for each text of docnames."""
    entries = (tuple(Entry(name) for name in text.split()) for text in toctrees)
    return Page(title=(), toctrees=tuple(Toctree(e, line=line) for e in entries))


def front(key: str) -> FrontMatter:
    """The front matter of the page of series *key*."""
    return FrontMatter(series_info=SeriesInfo(key, key), places={"series": Place(2, 9), "date": Place(3, 7)})


def find(
    pages: dict[str, Page], fronts: dict[str, FrontMatter], leaves: str = ""
) -> tuple[dict[str, tuple[str, ...]], list[Problem]]:
    """The parts of each series, and what is wrong; *leaves* are more pages, all in the order given."""
    pages = pages | {name: page() for name in leaves.split()}
    series, problems = series_of(pages, fronts, list(pages))
    assert [s.index for s in series] == list(range(len(series)))
    assert all(s.docname in pages for s in series)
    return {s.key: s.parts for s in series}, problems


def test_parts_are_the_entries_of_all_toctrees_in_order() -> None:
    pages = {"infra/index": page("b a", "c"), "plain": page("a")}
    assert find(pages, {"infra/index": front("infra")}, "a b c") == ({"infra": ("b", "a", "c")}, [])


def test_outside_and_generated_and_missing_entries_are_not_parts() -> None:
    entries = (
        Entry("https://x.y", outside=True),
        Entry("a"),
        Entry("genindex", generated=True),
        Entry("gone"),
    )
    pages = {"s": Page((), toctrees=(Toctree(entries),))}
    assert find(pages, {"s": front("s")}, "a") == ({"s": ("a",)}, [])


def test_a_toctree_in_a_part_makes_no_parts() -> None:
    pages = {"s": page("a"), "a": page("a/deep")}
    assert find(pages, {"s": front("s")}, "a/deep") == ({"s": ("a",)}, [])


def test_a_part_listed_twice_by_its_series_counts_once() -> None:
    assert find({"s": page("a b", "a")}, {"s": front("s")}, "a b") == ({"s": ("a", "b")}, [])


def test_a_series_page_is_no_part_of_another_series() -> None:
    pages = {"s": page("a t"), "t": page("b")}
    assert find(pages, {"s": front("s"), "t": front("t")}, "a b") == ({"s": ("a",), "t": ("b",)}, [])


def test_a_post_listed_by_two_series_belongs_to_the_first_in_site_order() -> None:
    pages = {"t": page("a"), "s": page("a b", line=12)}
    parts, (problem,) = find(pages, {"s": front("s"), "t": front("t")}, "a b")
    assert parts == {"t": ("a",), "s": ("b",)}
    assert (problem.kind, problem.docname, problem.place) == (Kind.SERIES, "s", Place(12))
    assert '"a" is listed by series "t" already' in problem.message


def test_a_key_taken_twice_is_reported_and_the_first_keeps_it() -> None:
    pages = {"one": page("a"), "two": page("b")}
    series, problems = series_of(
        pages | {"a": page(), "b": page()}, {"one": front("s"), "two": front("s")}, ["one", "two", "a", "b"]
    )
    assert series == (Series("one", SeriesInfo("s", "s"), ("a",), 0),)
    assert [(p.kind, p.docname, p.place) for p in problems] == [(Kind.SERIES, "two", Place(2, 9))]
    assert 'key "s" is taken by "one"' in problems[0].message


def test_a_series_without_published_posts_is_reported() -> None:
    parts, (problem,) = find({"s": page("gone")}, {"s": front("s")})
    assert parts == {"s": ()}
    assert (problem.kind, problem.place) == (Kind.SERIES, Place(2, 9))
    assert 'series "s" has no published posts' in problem.message


def test_a_series_page_is_no_post() -> None:
    dated = replace(front("s"), date=parse("2026-03-01"))
    parts, (problem,) = find({"s": page("a")}, {"s": dated}, "a")
    assert parts == {"s": ("a",)}
    assert (problem.kind, problem.place) == (Kind.DATE, Place(3, 7))
    assert 'remove its "date"' in problem.message


def test_entries_come_with_the_line_of_their_toctree() -> None:
    trees = (
        Toctree((Entry("a"), Entry("https://x.y", outside=True)), line=4),
        Toctree((Entry("b"),), line=8),
    )
    assert parts_of(Page((), toctrees=trees)) == [("a", 4), ("b", 8)]


@pytest.mark.parametrize(("docname", "expected"), [("a", (None, "b")), ("b", ("a", "c")), ("c", ("b", None))])
def test_neighbours_are_the_parts_before_and_after(
    docname: str, expected: tuple[str | None, str | None]
) -> None:
    assert neighbours(Series("s", SeriesInfo("s", "s"), ("a", "b", "c"), 0), docname) == expected


def test_a_single_part_has_no_neighbours() -> None:
    assert neighbours(Series("s", SeriesInfo("s", "s"), ("a",), 0), "a") == (None, None)


@given(st.lists(st.text(min_size=1), min_size=1, unique=True).map(tuple))
def test_following_the_next_part_reads_the_whole_series(parts: tuple[str, ...]) -> None:
    series = Series("s", SeriesInfo("s", "s"), parts, 0)
    assert neighbours(series, parts[0])[0] is None
    walk = [parts[0]]
    while (after := neighbours(series, walk[-1])[1]) is not None:
        assert neighbours(series, after)[0] == walk[-1]
        walk.append(after)
    assert tuple(walk) == parts


NAMES = st.sampled_from(["s", "t", "u", "a", "b", "c", "d", "gone"])


@given(st.dictionaries(st.sampled_from("stu"), st.lists(NAMES, max_size=8)))
def test_every_page_is_a_part_of_one_series_at_most(listed: dict[str, list[str]]) -> None:
    pages = {name: page(" ".join(listed.get(name, []))) for name in "stuabcd"}
    fronts = {name: front(name) for name in listed}
    series, _ = series_of(pages, fronts, sorted(pages))
    parts = [part for s in series for part in s.parts]
    assert len(parts) == len(set(parts))
    wanted = {name for names in listed.values() for name in names}
    assert set(parts) == (wanted & pages.keys()) - fronts.keys()
