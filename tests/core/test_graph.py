"""Reading order, backlinks, and circles of prerequisites."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core.graph import Backlink, backlinks, cycles, reading_order, target_of
from sphinx_writing.core.inline import Span
from sphinx_writing.core.problems import Kind, Place, Problem
from sphinx_writing.core.records import Entry, FrontMatter, Link, Page, Toctree

NODES = "abcdef"


def page(toctree: str = "", *links: Link) -> Page:
    """A page that lists these documents and has these links."""
    return Page((), links=links, toctrees=(Toctree(tuple(Entry(name) for name in toctree.split())),))


def link(target: str, text: str = "words", kind: str = "doc") -> Link:
    """A link in a sentence of its own."""
    return Link(kind, target, (Span(text),))


def circles(edges: dict[str, list[str]]) -> list[Problem]:
    """The problems of these prerequisites, each post having its own on line 5."""
    return list(cycles(edges, {name: FrontMatter(places={"prerequisites": Place(5, 1)}) for name in edges}))


def test_reading_order_follows_toctrees_down_and_then_names() -> None:
    pages = {
        "z": page(),
        "index": page("b/index a"),
        "a": page(),
        "b/index": page("b/two b/one"),
        "b/one": page(),
        "b/two": page("b/two/deep"),
        "b/two/deep": page(),
        "orphan": page("orphan/child"),
        "orphan/child": page(),
    }
    below = ["index", "b/index", "b/two", "b/two/deep", "b/one", "a"]
    assert reading_order(pages, "index") == (*below, "orphan", "orphan/child", "z")


def test_a_document_is_read_where_it_is_listed_first() -> None:
    pages = {"index": page("a b"), "a": page("b"), "b": page("a index")}
    assert reading_order(pages, "index") == ("index", "a", "b")


def test_without_the_root_page_the_order_is_by_name() -> None:
    assert reading_order({"b": page(), "a": page()}, "index") == ("a", "b")


@given(st.dictionaries(st.sampled_from(NODES), st.lists(st.sampled_from(NODES))))
def test_every_document_has_one_place_in_reading_order(listed: dict[str, list[str]]) -> None:
    pages = {name: page(" ".join(listed.get(name, []))) for name in NODES}
    order = reading_order(pages, "a")
    assert order[0] == "a"
    assert sorted(order) == sorted(pages)


@pytest.mark.parametrize(
    ("kind", "target", "found"),
    [
        ("doc", "infra/bus", "infra/bus"),
        ("doc", "infra/nccl", None),
        ("post", "infra/nccl", "infra/nccl/index"),
        ("post", "infra/bus", "infra/bus"),
        ("post", "gone", None),
        ("label", "rings", "infra/bus"),
        ("label", "infra/bus", None),
    ],
)
def test_a_link_leads_to_a_document_by_its_kind(kind: str, target: str, found: str | None) -> None:
    pages = {"infra/bus", "infra/nccl/index"}
    assert target_of(link(target, kind=kind), pages, {"rings": "infra/bus"}) == found


def test_backlinks_are_posts_in_reading_order_each_once_with_its_first_sentence() -> None:
    pages = {
        "a": page("", link("c", "first"), link("c", "second")),
        "b": page("", link("label", kind="label")),
        "c": page("", link("c"), link("a", "back"), link("gone")),
        "prose": page("", link("c"), link("a")),
    }
    found = backlinks(pages, {"a", "b", "c"}, ["b", "prose", "a", "c"], {"label": "c"}, {})
    assert found == {
        "c": (Backlink("b", (Span("words"),)), Backlink("a", (Span("first"),))),
        "a": (Backlink("c", (Span("back"),)),),
    }


def test_a_link_to_a_page_that_is_no_post_is_no_backlink() -> None:
    pages = {"a": page("", link("prose"), link("label", kind="label")), "prose": page()}
    assert backlinks(pages, {"a"}, ["a", "prose"], {"label": "withheld"}, {}) == {}


def test_titles_in_the_sentence_of_a_backlink_are_resolved() -> None:
    sentence = (Span("See "), Span("b", "title"))
    pages = {"a": page("", Link("post", "b", sentence)), "b": page()}
    found = backlinks(pages, {"a", "b"}, ["a", "b"], {}, {"b": (Span("Bus"),)})
    assert found["b"][0].sentence == (Span("See Bus"),)


@pytest.mark.parametrize(
    ("edges", "rings"),
    [
        ({"a": ["b"], "b": ["c"], "c": []}, []),
        ({"a": ["a"]}, ["a -> a"]),
        ({"b": ["a"], "a": ["b"]}, ["a -> b -> a"]),
        ({"c": ["a"], "b": ["c"], "a": ["b"]}, ["a -> b -> c -> a"]),
        ({"a": ["b"], "b": ["a"], "c": ["d"], "d": ["c"]}, ["a -> b -> a", "c -> d -> c"]),
        ({"a": ["b", "c"], "b": ["a"], "c": ["a"]}, ["a -> b -> a", "a -> c -> a"]),
        ({"x/index": ["y/index"], "y/index": ["x/index"]}, ["x -> y -> x"]),
    ],
)
def test_a_circle_is_written_from_its_first_post_by_name(
    edges: dict[str, list[str]], rings: list[str]
) -> None:
    found = circles(edges)
    assert sorted(p.message.split("(")[1].split(")")[0] for p in found) == rings
    for problem in found:
        assert (problem.kind, problem.place) == (Kind.PREREQUISITE, Place(5, 1))
        assert problem.docname.removesuffix("/index") == problem.message.split("(")[1].split(" ")[0]


EDGES = st.fixed_dictionaries(
    {name: st.lists(st.sampled_from(NODES), max_size=3, unique=True) for name in NODES}
)


@given(EDGES)
def test_circles_are_found_exactly_where_graphlib_finds_one(edges: dict[str, list[str]]) -> None:
    found = circles(edges)
    try:
        TopologicalSorter(edges).prepare()
    except CycleError:
        assert found
    else:
        assert found == []


@given(EDGES)
def test_each_circle_is_one_and_cutting_the_first_step_of_each_leaves_none(
    edges: dict[str, list[str]],
) -> None:
    rings = [p.message.split("(")[1].split(")")[0].split(" -> ") for p in circles(edges)]
    for ring in rings:
        assert ring[0] == ring[-1] == min(ring)
        assert len(set(ring[1:])) == len(ring) - 1
        assert all(after in edges[before] for before, after in pairwise(ring))
    cut = {(ring[0], ring[1]) for ring in rings}
    assert len(cut) == len(rings)
    TopologicalSorter({a: [b for b in bs if (a, b) not in cut] for a, bs in edges.items()}).prepare()


@given(EDGES)
def test_circles_do_not_depend_on_the_order_of_posts(edges: dict[str, list[str]]) -> None:
    assert circles(edges) == circles(dict(reversed(edges.items())))
