"""Facets: by what a list can be filtered, in which order, and how many posts each value has."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core import lists
from sphinx_writing.core.cards import series_ref
from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.facets import Facet, Value, facets_of, marks, spoken
from sphinx_writing.core.records import Query, SeriesInfo
from sphinx_writing.core.series import Series
from sphinx_writing.core.tag_index import Tag

from .test_lists import SITE, post


def found(site: Catalogue = SITE, **query: Any) -> dict[str, list[tuple[str, str, int]]]:
    """The facets by name, each value with its key, its name and its number of posts."""
    listing = lists.listing(site, Query(faceted=True, **query))
    return {f.name: [(v.key, v.label, len(v.docnames)) for v in f.values] for f in listing.facets}


def test_series_and_categories_are_in_order_of_series_years_newest_first_tags_by_count_then_name() -> None:
    assert found() == {
        "series": [
            ("infra", "Infra", 2),
            ("llm", "LLM", 1),
            ("misc", "Misc", 1),
            ("other", "Other notes", 2),
        ],
        "category": [
            ("ai-infrastructure", "AI infrastructure", 2),
            ("models", "Models", 1),
            ("other", "Other notes", 3),
        ],
        "year": [("2026", "2026", 3), ("2025", "2025", 2)],
        "tag": [("cplusplus", "C++", 2), ("kv-cache", "KV Cache", 2)],
    }


def test_the_most_common_tag_is_first() -> None:
    site = Catalogue(
        {d: post(d, "2026-01-01", "", 0, *names) for d, names in {"x": ["b"], "y": ["a", "b"]}.items()},
        tags=(Tag("a", "A", "a", ("y",)), Tag("b", "B", "b", ("x", "y"))),
    )
    assert found(site)["tag"] == [("b", "B", 2), ("a", "A", 1)]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, ["series", "category", "year", "tag"]),
        ({"series": "infra"}, ["year", "tag"]),
        ({"category": "Models"}, ["series", "year", "tag"]),
        ({"year": 2026}, ["series", "category", "tag"]),
        ({"tag": "c++"}, ["series", "category", "year", "tag"]),
        ({"series": "misc"}, ["year"]),
        ({"series": "gone"}, []),
    ],
)
def test_a_list_has_the_facets_that_its_query_leaves_open(query: dict[str, Any], names: list[str]) -> None:
    assert list(found(**query)) == names


def test_only_posts_that_are_shown_count() -> None:
    assert found(limit=1) == {
        "series": [("infra", "Infra", 1)],
        "category": [("ai-infrastructure", "AI infrastructure", 1)],
        "year": [("2026", "2026", 1)],
        "tag": [("kv-cache", "KV Cache", 1)],
    }


def test_the_featured_post_counts() -> None:
    assert found(feature=True) == found()


def test_a_site_without_series_has_no_such_facet() -> None:
    assert list(found(Catalogue({"a": post("a", "2026-01-01")}))) == ["year"]


def test_a_list_that_does_not_ask_has_none() -> None:
    assert lists.listing(SITE, Query()).facets == ()


def test_values_with_one_address_are_told_apart() -> None:
    infos = [SeriesInfo("other", "Other"), SeriesInfo("b", "B", "C & C"), SeriesInfo("c", "C", "C and C")]
    site = Catalogue(
        {d: post(d, "", key, 1) for d, key in {"x": "other", "y": "b", "z": "c", "n": ""}.items()},
        tuple(Series(f"{i.key}/index", i, (), n) for n, i in enumerate(infos)),
    )
    assert [key for key, _, _ in found(site)["series"]] == ["other", "b", "c", "other-2"]
    assert [key for key, _, _ in found(site)["category"]] == ["c-and-c", "c-and-c-2", "other"]


def test_values_lead_to_the_pages_that_list_their_posts() -> None:
    series, category, year, tag = facets_of(SITE, list(SITE.posts.values()), Query())
    assert series.values[0] == Value("infra", "Infra", ("i2", "i1"), "i", series_ref(SITE.series[0]))
    assert [v.pagename for v in series.values] == ["i", "l", "x", ""]
    assert {v.pagename for v in category.values} == {""}
    assert year.values[0].pagename == "archive/2026/index"
    assert tag.values[0].pagename == "tags/cplusplus/index"


def test_a_post_carries_the_numbers_of_its_values() -> None:
    two = Facet("a", "A", "as", (Value("x", "X", ("p", "q")), Value("y", "Y", ("q",))))
    other = Facet("b", "B", "bs", (Value("z", "Z", ("p",)),))
    assert marks((two, other)) == {"p": "0 2", "q": "0 1"}


@pytest.mark.parametrize(
    ("names", "line"),
    [
        (["series", "category", "year", "tag"], "series, tag or year"),
        (["year", "tag"], "tag or year"),
        (["category", "year"], "year"),
        (["category"], ""),
        ([], ""),
    ],
)
def test_facets_are_named_in_a_line(names: list[str], line: str) -> None:
    assert spoken([Facet(name, "", "", ()) for name in names]) == line


@pytest.mark.parametrize(
    ("sort", "group"), [("newest", "year"), ("oldest", "year"), ("series", "series"), ("title", "none")]
)
def test_a_list_that_filters_is_grouped_by_what_it_is_sorted_by(sort: str, group: str) -> None:
    assert lists.usual_group(sort) == group


def test_every_way_to_sort_has_a_usual_group() -> None:
    assert {lists.usual_group(sort) for sort in lists.SORTS} <= set(lists.GROUPS)


@given(
    st.builds(
        Query,
        series=st.sampled_from(["", "infra", "gone"]),
        tag=st.sampled_from(["", "C++"]),
        year=st.sampled_from([None, 2025]),
        limit=st.sampled_from([None, 1, 3]),
        group=st.sampled_from(lists.GROUPS),
        feature=st.booleans(),
        faceted=st.just(True),
    )
)
def test_values_have_posts_of_the_list_only_and_each_post_one_of_a_facet(query: Query) -> None:
    listing = lists.listing(SITE, query)
    shown = {card.docname for group in listing.groups for card in group.cards}
    shown |= {listing.featured.docname} if listing.featured else set()
    assert listing.shown == len(shown)
    assert listing.marks.keys() <= shown
    for facet in listing.facets:
        assert len({value.key for value in facet.values}) == len(facet.values)
        named = [docname for value in facet.values for docname in value.docnames]
        assert set(named) <= shown
        if facet.name in ("series", "category"):
            assert sorted(named) == sorted(shown)
