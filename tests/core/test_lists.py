"""Lists: what a query chooses, in which order, under which headings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core import lists
from sphinx_writing.core.cards import series_ref
from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.dates import parse
from sphinx_writing.core.inline import Span
from sphinx_writing.core.paths import LearningPath
from sphinx_writing.core.posts import Post
from sphinx_writing.core.problems import Kind, Place
from sphinx_writing.core.records import Query, SeriesInfo
from sphinx_writing.core.series import Series
from sphinx_writing.core.tag_index import Tag


def post(docname: str, date: str, series: str = "", part: int = 0, *tags: str) -> Post:
    """A post whose title is its docname backwards."""
    title = (Span(docname[::-1]),)
    return Post(docname, title, (), parse(date) if date else None, None, tags, 1, series, part, "", ())


SITE = Catalogue(
    posts={
        p.docname: p
        for p in [
            post("i2", "2026-03-02", "infra", 2, "kv-cache"),
            post("B0", "2026-03-01", "", 0, "kv-cache", "c++"),
            post("i1", "2026-02-01", "infra", 1),
            post("l1", "2025-12-31T23:00-03:00", "llm", 1, "c++"),
            post("x1", "2025-01-01", "misc", 1),
            post("a0", ""),
        ]
    },
    series=(
        Series(
            "i", SeriesInfo("infra", "Infra", "AI infrastructure", True, (Span("Machines"),)), ("i1", "i2"), 0
        ),
        Series("l", SeriesInfo("llm", "LLM", "Models"), ("l1",), 1),
        Series("x", SeriesInfo("misc", "Misc"), ("x1",), 2),
        Series("e", SeriesInfo("empty", "Empty", "Models"), (), 3),
    ),
    tags=(
        Tag("c++", "C++", "cplusplus", ("B0", "l1")),
        Tag("kv-cache", "KV Cache", "kv-cache", ("B0", "i2")),
    ),
)


def chosen(**query: Any) -> list[str]:
    """The docnames that this query lists, in order."""
    return [c.docname for g in lists.listing(SITE, Query(**query)).groups for c in g.cards]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, ["i2", "B0", "i1", "l1", "x1", "a0"]),
        ({"series": "infra"}, ["i2", "i1"]),
        ({"category": "Models"}, ["l1"]),
        ({"tag": "kv-cache"}, ["i2", "B0"]),
        ({"tag": "KV  Cache"}, ["i2", "B0"]),
        ({"tag": "C++"}, ["B0", "l1"]),
        ({"year": 2025}, ["l1", "x1"]),
        ({"series": "infra", "tag": "kv_cache", "year": 2026}, ["i2"]),
        ({"series": "infra", "tag": "c++"}, []),
        ({"series": "gone"}, []),
        ({"limit": 2}, ["i2", "B0"]),
        ({"limit": 99, "series": "llm"}, ["l1"]),
    ],
)
def test_a_query_chooses_newest_first(query: dict[str, Any], names: list[str]) -> None:
    assert chosen(**query) == names


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("newest", ["i2", "B0", "i1", "l1", "x1", "a0"]),
        ("oldest", ["a0", "x1", "l1", "i1", "B0", "i2"]),
        ("title", ["a0", "B0", "i1", "l1", "x1", "i2"]),
        ("series", ["i1", "i2", "l1", "x1", "B0", "a0"]),
    ],
)
def test_a_list_can_be_in_another_order(sort: str, names: list[str]) -> None:
    assert chosen(sort=sort) == names


def test_the_year_is_the_one_the_author_wrote() -> None:
    site = Catalogue({"a": post("a", "2025-12-31T23:00-03:00")})
    assert lists.listing(site, Query(year=2025)).total == 1
    assert lists.listing(site, Query(year=2026)).total == 0


@pytest.mark.parametrize(
    ("group", "groups"),
    [
        ("none", {"": ["i2", "B0", "i1", "l1", "x1", "a0"]}),
        ("year", {"2026": ["i2", "B0", "i1"], "2025": ["l1", "x1"], "Without a date": ["a0"]}),
        ("series", {"Infra": ["i2", "i1"], "Other notes": ["B0", "a0"], "LLM": ["l1"], "Misc": ["x1"]}),
        (
            "category",
            {"AI infrastructure": ["i2", "i1"], "Other notes": ["B0", "x1", "a0"], "Models": ["l1"]},
        ),
    ],
)
def test_a_list_can_be_grouped(group: str, groups: dict[str, list[str]]) -> None:
    found = lists.listing(SITE, Query(group=group)).groups
    assert [(g.heading, [c.docname for c in g.cards]) for g in found] == list(groups.items())


def test_the_featured_post_is_the_first_and_is_not_in_the_list_again() -> None:
    found = lists.listing(SITE, Query(feature=True, limit=2))
    assert found.featured is not None
    assert found.featured.docname == "i2"
    assert [c.docname for g in found.groups for c in g.cards] == ["B0"]
    assert found.total == 6


@pytest.mark.parametrize(
    ("query", "years", "tagged"),
    [
        ({}, (2026, 2025), True),
        ({"limit": 1}, (2026, 2025), True),
        ({"series": "misc"}, (2025,), False),
        ({"series": "gone"}, (), False),
    ],
)
def test_a_list_knows_the_years_and_whether_there_are_tags_before_it_is_cut(
    query: dict[str, Any], years: tuple[int, ...], tagged: bool
) -> None:
    found = lists.listing(SITE, Query(**query))
    assert (found.years, found.tagged) == (years, tagged)


def test_an_empty_list_features_nothing() -> None:
    found = lists.listing(SITE, Query(feature=True, series="gone"))
    assert (found.featured, found.groups, found.total) == (None, (), 0)


def test_the_line_of_a_query_is_not_shown() -> None:
    assert lists.listing(SITE, Query(line=3)) == lists.listing(SITE, Query(line=9))


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ({}, ["infra", "llm", "misc"]),
        ({"category": "Models"}, ["llm"]),
        ({"series": "misc"}, ["misc"]),
        ({"series": "empty"}, []),
    ],
)
def test_a_list_of_series_shows_those_with_parts(query: dict[str, Any], keys: list[str]) -> None:
    assert [line.ref.key for line in lists.listing(SITE, Query(style="series", **query)).series] == keys


def test_a_line_of_series_has_its_description_and_its_count() -> None:
    line = lists.listing(SITE, Query(style="series")).series[0]
    assert (line.ref, line.description, line.parts) == (series_ref(SITE.series[0]), (Span("Machines"),), 2)


@pytest.mark.parametrize("style", ["cards", "list", "sentence", "paths", "bibtex", "count"])
def test_other_styles_list_no_series(style: str) -> None:
    assert lists.listing(SITE, Query(style=style)).series == ()


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({}, "6 technical notes across AI infrastructure and models."),
        ({"limit": 1}, "6 technical notes across AI infrastructure and models."),
        ({"series": "llm"}, "1 technical note on models."),
        ({"series": "misc"}, "1 technical note."),
        ({"series": "gone"}, "0 technical notes."),
    ],
)
def test_a_sentence_counts_posts_and_names_categories(query: dict[str, Any], sentence: str) -> None:
    assert lists.listing(SITE, Query(**query)).sentence == sentence


@pytest.mark.parametrize(
    ("categories", "named"),
    [
        (["Models", "Models"], "on models."),
        (["LLM basics", "Deep learning", "A tour"], "across LLM basics, deep learning and a tour."),
        (["vLLM"], "on vLLM."),
    ],
)
def test_a_category_begins_small_unless_it_is_spelled_in_capitals(categories: list[str], named: str) -> None:
    names = [f"s{i}" for i in range(len(categories))]
    site = Catalogue(
        {n: post(n, "", n, 1) for n in names},
        tuple(
            Series(n, SeriesInfo(n, n, c), (n,), i)
            for i, (n, c) in enumerate(zip(names, categories, strict=True))
        ),
    )
    assert lists.listing(site, Query()).sentence.endswith(f" {named}")


@pytest.mark.parametrize(
    "query",
    [{}, {"series": "empty"}, {"category": "Models"}, {"tag": "KV cache"}, {"year": 2025}, {"limit": 1}],
)
def test_a_query_for_what_there_is_is_no_problem(query: dict[str, Any]) -> None:
    assert list(lists.problems(SITE, "index", Query(**query))) == []


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ({"series": "infr"}, ['series "infr"', 'did you mean "infra"?']),
        ({"category": "Model"}, ['category "Model"', 'did you mean "Models"?']),
        ({"tag": "KV Cash"}, ['tag "KV Cash"', 'did you mean "KV Cache"?']),
        ({"year": 1999}, ['year "1999"', "known: 2025, 2026"]),
    ],
)
def test_a_query_for_what_there_is_not_is_reported_as_written(
    query: dict[str, Any], parts: list[str]
) -> None:
    (problem,) = lists.problems(SITE, "index", Query(line=7, **query))
    assert (problem.kind, problem.docname, problem.place) == (Kind.POST, "index", Place(7))
    assert all(part in problem.message for part in parts)


def test_all_that_a_query_misses_is_reported() -> None:
    query = Query(series="x", category="y", tag="z", year=1)
    assert len(list(lists.problems(SITE, "index", query))) == 4


@given(
    st.builds(
        Query,
        series=st.sampled_from(["", "infra", "llm", "gone"]),
        tag=st.sampled_from(["", "C++", "kv cache"]),
        year=st.sampled_from([None, 2025, 2026]),
        limit=st.sampled_from([None, 1, 3]),
        sort=st.sampled_from(lists.SORTS),
        group=st.sampled_from(lists.GROUPS),
        style=st.sampled_from(lists.WITH_POSTS),
        feature=st.booleans(),
    )
)
def test_every_listed_post_is_listed_once_and_none_is_missing(query: Query) -> None:
    found = lists.listing(SITE, query)
    names = [c.docname for g in found.groups for c in g.cards]
    names += [found.featured.docname] if found.featured else []
    assert len(set(names)) == len(names)
    assert len(names) == (found.total if query.limit is None else min(found.total, query.limit))
    assert len({g.heading for g in found.groups}) == len(found.groups)
    assert all(g.cards for g in found.groups)


PATHS = replace(
    SITE,
    paths=(
        LearningPath("a", (Span("Why?"),), (Span("Because."),), ("i1", "i2", "B0", "l1"), (Place(),) * 4),
        LearningPath("b", (Span("How?"),), (), ("x1", "a0"), (Place(),) * 2),
    ),
)


@pytest.mark.parametrize(
    ("limit", "shown"),
    [
        (None, [(["i1", "i2", "B0", "l1"], []), (["x1", "a0"], [])]),
        (4, [(["i1", "i2", "B0", "l1"], []), (["x1", "a0"], [])]),
        (
            3,
            [(["i1", "i2", "B0", "l1"], []), (["x1", "a0"], [])],
        ),  # a fold is as long as the one it would hide
        (2, [(["i1", "i2"], ["B0", "l1"]), (["x1", "a0"], [])]),
        (1, [(["i1"], ["i2", "B0", "l1"]), (["x1", "a0"], [])]),
    ],
)
def test_a_list_of_paths_folds_what_is_over_the_limit(
    limit: int | None, shown: list[tuple[list[str], list[str]]]
) -> None:
    found = lists.listing(PATHS, Query(style="paths", limit=limit))
    assert [([s.docname for s in p.steps], [s.docname for s in p.more]) for p in found.paths] == shown
    assert found.groups == ()
    assert found.paths[0].question == (Span("Why?"),)
    assert found.paths[0].steps[0].title == (Span("1i"),)


def test_other_styles_show_no_paths() -> None:
    assert lists.listing(PATHS, Query()).paths == ()


@pytest.mark.parametrize("style", ["paths", "sentence", "series", "count"])
def test_a_list_that_shows_no_cards_holds_none(style: str) -> None:
    """Else its page would be written again whenever a summary changes."""
    found = lists.listing(PATHS, Query(style=style))
    assert (found.groups, found.featured, found.total) == ((), None, 6)


def test_posts_are_cited_in_the_order_of_the_list() -> None:
    found = lists.listing(SITE, Query(style="bibtex", series="infra", limit=1))
    assert [reference.docname for reference in found.references] == ["i2"]
