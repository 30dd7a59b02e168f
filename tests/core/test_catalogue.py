"""The catalogue: H1, H9, H10, H11, the rule of publishing, and what front matter claims that is not so."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core.catalogue import Catalogue, build, newest_first
from sphinx_writing.core.dates import parse
from sphinx_writing.core.graph import Backlink
from sphinx_writing.core.inline import Inline, Span
from sphinx_writing.core.posts import Sources, find, hidden
from sphinx_writing.core.problems import Kind, Place
from sphinx_writing.core.records import Entry, FrontMatter, Link, Page, SeriesInfo, Toctree
from sphinx_writing.core.series import neighbours

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)
Document = tuple[Page, FrontMatter]


def page(toctree: str = "", heading: str = "Title", **more: Any) -> Page:
    """A page that lists these documents, on line 9."""
    entries = tuple(Entry(name) for name in toctree.split())
    return replace(Page((Span(heading),) if heading else (), toctrees=(Toctree(entries, line=9),)), **more)


def front(date: str = "", **more: Any) -> FrontMatter:
    """Front matter with this date and these fields: dates on line 2, part 3, series 4, tags and title 5."""
    names = [*more, "date", *(f"{n}[{i}]" for n in ("tags", "prerequisites") for i in range(3))]
    places = {name: Place(2 + "dpst".find(name[0]), 1) for name in names}
    return replace(FrontMatter(date=parse(date) if date else None, places=places), **more)


def post(date: str = "2026-03-01", heading: str = "Title", **more: Any) -> Document:
    """A post with this date, heading and front matter."""
    return page(heading=heading), front(date, **more)


def series(key: str, toctree: str) -> Document:
    """The page of series *key* that lists these documents."""
    return page(toctree), front(series_info=SeriesInfo(key, key.title()))


def catalogue(documents: dict[str, Document], labels: dict[str, str] | None = None) -> Catalogue:
    """The catalogue of these documents, which the root page lists in this order."""
    documents = {"index": (page(" ".join(documents)), front())} | documents
    pages = {name: p for name, (p, _) in documents.items()}
    fronts = {name: f for name, (_, f) in documents.items()}
    return build(Sources(pages, fronts, "index", AS_OF, labels or {}))


def problems(documents: dict[str, Document]) -> list[tuple[str, Kind, str]]:
    """What is wrong with these documents: where, what kind, and the message."""
    return [(p.docname, p.kind, p.message) for p in catalogue(documents).problems]


def infra() -> dict[str, Document]:
    """H1: four parts whose order is not that of their dates, and a post outside."""
    return {
        "infra/index": series("infra", "infra/one infra/two infra/three infra/four"),
        "infra/one": post("2026-02-01"),
        "infra/two": post("2026-02-20"),
        "infra/three": post("2026-02-10"),
        "infra/four": post("2026-03-01"),
        "outside": post("2026-02-15"),
    }


def test_order_in_a_series_is_not_date_order() -> None:
    site = catalogue(infra())
    (only,) = site.series
    assert {name: p.part for name, p in site.posts.items() if p.series == "infra"} == {
        "infra/one": 1,
        "infra/two": 2,
        "infra/three": 3,
        "infra/four": 4,
    }
    assert neighbours(only, "infra/two") == ("infra/one", "infra/three")
    assert neighbours(only, "infra/one")[0] is None
    assert neighbours(only, "infra/four")[1] is None
    assert (site.posts["outside"].series, site.posts["outside"].part) == ("", 0)
    assert list(site.posts) == ["infra/four", "infra/two", "outside", "infra/three", "infra/one"]
    assert site.problems == ()


def test_eleven_parts_are_numbered_by_their_place() -> None:
    names = [f"mlc/mlc-{i}" for i in range(1, 12)]
    site = catalogue({"mlc/index": series("mlc", " ".join(names)), **{name: post() for name in names}})
    assert [site.posts[name].part for name in names] == list(range(1, 12))


def test_posts_of_one_day_are_by_series_and_part_reversed_then_by_docname() -> None:
    documents = {
        "z/index": series("z", "z/two z/one"),
        "a/index": series("a", "a/one a/two"),
        **{name: post() for name in ["z/two", "z/one", "a/one", "a/two", "note-b", "note-a"]},
    }
    expected = ["a/two", "a/one", "z/one", "z/two", "note-a", "note-b"]
    assert list(catalogue(documents).posts) == expected


def test_posts_are_newest_first_by_instant_across_zones_and_undated_drafts_are_last() -> None:
    documents = {
        "s/index": series("s", "draft"),
        "draft": post("", draft=True),
        "early": post("2026-03-01T08:00+09:00"),
        "day": post("2026-03-01"),
        "late": post("2026-02-28T23:00-02:00"),
    }
    assert list(catalogue(documents).posts) == ["late", "day", "early", "draft"]


DATES = st.sampled_from(
    ["", "2026-03-01", "2026-03-01T00:00Z", "2026-03-01T09:00+09:00", "2026-02-01", "2025-12-31"]
)


@given(
    st.lists(st.tuples(DATES, st.sampled_from(["", "s", "t"])), max_size=9), st.randoms(use_true_random=False)
)
def test_every_post_has_one_place_in_newest_order_however_it_was_read(
    drawn: list[tuple[str, str]], chance: Random
) -> None:
    names = {f"p{i}": chosen for i, chosen in enumerate(drawn)}
    lists = {key: " ".join(name for name, (_, k) in names.items() if k == key) for key in "st"}
    documents = {f"{key}/index": series(key, toctree) for key, toctree in lists.items()}
    documents |= {name: post(date) for name, (date, _) in names.items()}
    site = catalogue(documents)
    assert sorted(site.posts) == sorted(name for name, (date, key) in names.items() if date or key)
    rank = {s.key: s.index for s in site.series}
    keys = [newest_first(p, rank) for p in site.posts.values()]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)
    root = page(" ".join(documents))
    shuffled = list(documents.items())
    chance.shuffle(shuffled)
    assert catalogue({"index": (root, front()), **dict(shuffled)}) == site


def test_a_post_is_dated_or_listed_by_a_series_and_a_series_page_is_none() -> None:
    documents = {
        "s/index": (page("listed"), front("2026-01-01", series_info=SeriesInfo("s", "S"))),
        "listed": post("", draft=True),
        "dated": post(),
        "prose": post(""),
    }
    assert set(catalogue(documents).posts) == {"listed", "dated"}


def test_a_post_holds_what_every_surface_shows() -> None:
    text = page(heading="NCCL", words=231, first=(Span("First "), Span("bus", "title")))
    documents: dict[str, Document] = {
        "infra/index": series("infra", "infra/nccl"),
        "infra/nccl": (
            text,
            front(
                "2026-03-01", updated=parse("2026-03-02"), tags=("b", "A"), prerequisites=("bus",), draft=True
            ),
        ),
        "bus": post(heading="Bus", tags=("a",), summary=(Span("Written"),)),
    }
    site = catalogue(documents)
    nccl, bus = site.posts["infra/nccl"], site.posts["bus"]
    assert nccl.title == site.titles["infra/nccl"] == (Span("NCCL"),)
    assert (nccl.summary, bus.summary) == ((Span("First Bus"),), (Span("Written"),))
    assert (nccl.stamp, nccl.updated) == (parse("2026-03-01"), parse("2026-03-02"))
    assert (nccl.tags, nccl.minutes, nccl.hidden) == (("a", "b"), 2, "draft")
    assert (nccl.series, nccl.part, nccl.prerequisites) == ("infra", 1, ("bus",))
    assert [(t.key, t.docnames) for t in site.tags] == [("a", ("bus", "infra/nccl")), ("b", ("infra/nccl",))]


def test_a_title_that_names_another_post_is_resolved_everywhere() -> None:
    title: Inline = (Span("After "), Span("bus", "title"))
    site = catalogue({"bus": post(heading="Bus"), "nccl": (Page(title), front("2026-03-01"))})
    assert site.titles["nccl"] == site.posts["nccl"].title == (Span("After Bus"),)


def test_backlinks_are_part_of_the_catalogue() -> None:
    linking = page(links=(Link("label", "ring", (Span("See it."),)),))
    site = catalogue({"a": (linking, front("2026-03-01")), "b": post()}, {"ring": "b"})
    assert site.backlinks == {"b": (Backlink("a", (Span("See it."),)),)}


@pytest.mark.parametrize(
    ("written", "draft", "reason"),
    [
        ("", False, ""),
        ("", True, "draft"),
        ("2026-06-01", False, ""),
        ("2026-06-02", False, "dated"),
        ("2026-06-02", True, "draft"),
        ("2026-06-01T00:00:01Z", False, "dated"),
        ("2026-06-01T08:59:00+09:00", False, ""),
        ("2026-05-31T23:30:00-01:00", False, "dated"),
    ],
)
def test_one_rule_says_what_a_release_must_not_show(written: str, draft: bool, reason: str) -> None:
    assert hidden(front(written, draft=draft), AS_OF) == reason


def test_a_series_is_found_by_its_key() -> None:
    site = catalogue(infra())
    assert site.series_named("infra") == site.series[0]
    assert site.series_named("gone") is None


@pytest.mark.parametrize(
    ("name", "docname"),
    [
        ("infra/nccl", "infra/nccl/index"),
        ("/infra/nccl/", "infra/nccl/index"),
        ("infra/nccl/index", "infra/nccl/index"),
        ("single", "single"),
        ("nccl", None),
        ("", None),
    ],
)
def test_authors_name_a_post_by_its_address(name: str, docname: str | None) -> None:
    posts = {"infra/nccl/index": 1, "single": 2}
    assert find(name, posts) == docname
    assert find(name, catalogue({n: post() for n in posts}).posts) == docname


def claims(**fields: Any) -> list[tuple[str, Kind, str]]:
    """What is wrong where the second part of Infra says so of itself."""
    return problems({**infra(), "infra/two": post("2026-02-20", **fields)})


@pytest.mark.parametrize(
    "fields",
    [{"title": "Title"}, {"series": "infra"}, {"part": 2}, {"title": "Title", "series": "infra", "part": 2}],
)
def test_a_claim_that_is_so_is_no_problem(fields: dict[str, Any]) -> None:
    assert claims(**fields) == []


@pytest.mark.parametrize(
    ("fields", "parts"),
    [
        ({"title": "Other"}, ['"title" says "Other"', 'the heading says "Title"', 'remove "title"']),
        ({"series": "llm"}, ['"series" says "llm"', 'series "infra" lists this page', "the toctree counts"]),
        ({"part": 3}, ['"part" says 3', 'series "infra" lists it as part 2', "the toctree counts"]),
    ],
)
def test_a_claim_that_is_not_so_is_reported_with_both_sides(fields: dict[str, Any], parts: list[str]) -> None:
    ((docname, kind, message),) = claims(**fields)
    assert (docname, kind) == ("infra/two", Kind.PART)
    assert all(part in message for part in parts)


def test_a_claim_is_reported_where_it_stands() -> None:
    found = catalogue({"a": post(part=3, tags=("x", "X"))}).problems
    assert [(p.docname, p.kind, p.place) for p in found] == [
        ("a", Kind.PART, Place(3, 1)),
        ("a", Kind.TAG, Place(5, 1)),
    ]


@pytest.mark.parametrize("date", ["2026-03-01", ""])
@pytest.mark.parametrize("field", [{"series": "infra"}, {"part": 1}])
def test_a_page_that_claims_a_series_which_does_not_list_it_is_reported(
    date: str, field: dict[str, Any]
) -> None:
    ((docname, kind, message),) = problems({**infra(), "lost": post(date, **field)})
    assert (docname, kind) == ("lost", Kind.PART)
    assert "no series lists this page" in message


@pytest.mark.parametrize(
    ("written", "heading"),
    [
        ('What\'s new -- "here"', (Span("What’s new – “here”"),)),
        ("The `malloc` call", (Span("The "), Span("malloc", "code"), Span(" call"))),
        ("Why $O(n)$", (Span("Why "), Span("O(n)", "math"))),
        ("NCCL... again", (Span("NCCL… again"),)),
    ],
)
def test_a_title_written_as_the_heading_is_agrees_with_it(written: str, heading: Inline) -> None:
    """The heading comes with the quotes and dashes that Sphinx has made of those in the source."""
    documents: dict[str, Document] = {"a": (Page(heading), front("2026-03-01", title=written))}
    assert problems(documents) == []


@pytest.mark.parametrize("fields", [{}, {"title": "Written"}])
def test_a_post_without_a_heading_is_reported_once_and_shown_by_its_docname(
    fields: dict[str, Any],
) -> None:
    documents = {"a": post(heading="", **fields)}
    ((docname, kind, message),) = problems(documents)
    assert (docname, kind) == ("a", Kind.VALUE)
    assert 'begin its text with a heading such as "# Title"' in message
    site = catalogue(documents)
    assert site.posts["a"].title == site.titles["a"] == (Span("a"),)


@pytest.mark.parametrize(("draft", "count"), [(False, 1), (True, 0)])
def test_a_listed_page_without_a_date_is_reported_unless_it_is_a_draft(draft: bool, count: int) -> None:
    found = problems({"s/index": series("s", "a"), "a": post("", draft=draft)})
    assert [(docname, kind) for docname, kind, _ in found] == [("a", Kind.DATE)] * count


def test_a_prerequisite_that_is_no_post_is_reported_with_the_nearest() -> None:
    documents = {
        "infra/nccl/index": post(),
        "prose": post(""),
        "a": post(prerequisites=("infra/ncl", "prose", "a")),
    }
    found = problems(documents)
    messages = [message for docname, kind, message in found if (docname, kind) == ("a", Kind.PREREQUISITE)]
    assert len(messages) == len(found) == 3
    assert any('"infra/ncl" is no published post; did you mean "infra/nccl"?' in m for m in messages)
    assert any('"prose" is no published post' in m for m in messages)
    assert any("a -> a" in m for m in messages)
    assert catalogue(documents).posts["a"].prerequisites == ("a",)


def test_a_prerequisite_that_is_withheld_is_said_to_be() -> None:
    pages, fronts = {"index": page("a"), "a": page()}, {"a": post(prerequisites=("b",))[1]}
    found = build(Sources(pages, fronts, "index", AS_OF, withheld={"b/index": "draft"})).problems
    assert [p.message for p in found] == ['prerequisite "b" is no published post; it is withheld (draft)']


def test_a_prerequisite_named_twice_is_shown_once_and_makes_one_circle() -> None:
    documents = {"a/index": post(prerequisites=("b", "b", "b/index")), "b/index": post(prerequisites=("a",))}
    assert catalogue(documents).posts["a/index"].prerequisites == ("b/index",)
    assert [kind for _, kind, _ in problems(documents)] == [Kind.PREREQUISITE]


@pytest.mark.parametrize(
    ("names", "wrong"),
    [
        (["a/x", "b/x"], []),
        (["注意力机制", "位置编码"], []),
        (["a", "a/index"], ["a/index"]),
        (["a/Nccl", "a/nccl"], ["a/nccl"]),
        (["A/index", "a"], ["a"]),
        (["aindex", "a"], []),
    ],
)
def test_two_pages_with_one_address_are_reported_and_others_are_not(
    names: list[str], wrong: list[str]
) -> None:
    found = problems({name: post() for name in names})
    assert [(docname, kind) for docname, kind, _ in found] == [(name, Kind.ADDRESS) for name in wrong]
    for _, _, message in found:
        assert f'"{names[0]}"' in message


def test_two_posts_with_one_title_and_date_stay_two() -> None:
    site = catalogue({"a/x": post(heading="Same"), "b/x": post(heading="Same")})
    assert list(site.posts) == ["a/x", "b/x"]
    assert site.problems == ()


def test_problems_are_sorted_by_page() -> None:
    documents = {"c": post(part=1), "b/index": series("b", "gone"), "a": post(part=1)}
    assert [docname for docname, _, _ in problems(documents)] == ["a", "b/index", "c"]


def test_a_page_without_front_matter_is_no_post() -> None:
    site = build(Sources({"index": page(), "a": page()}, {}, "index", AS_OF))
    assert (site.posts, site.series, site.problems) == ({}, (), ())


def test_an_empty_catalogue_finds_nothing() -> None:
    assert (Catalogue().series_named("a"), Catalogue().problems) == (None, ())
