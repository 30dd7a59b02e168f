"""The sidebar: the root page's toctrees, and only the branch of the current page open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core.cards import SeriesRef
from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.inline import Span
from sphinx_writing.core.posts import Post
from sphinx_writing.core.records import Entry, Page, Query, SeriesInfo, Toctree
from sphinx_writing.core.series import Series
from sphinx_writing.core.sidebar import NO_LIMIT, Item, Navigation, Section, parents_of, path_to

NODES = "abcdef"


def page(title: str, *toctrees: str) -> Page:
    """A page with a toctree of documents for each text."""
    trees = tuple(Toctree(tuple(Entry(name) for name in names.split())) for names in toctrees)
    return Page((Span(title),), toctrees=trees)


def post(docname: str, series: str, part: int) -> Post:
    """A post with a place in a series."""
    return Post(docname, (), (), None, None, (), 1, series, part, "", ())


def site(numbered: bool = True) -> tuple[Catalogue, dict[str, Page]]:
    """Two captioned toctrees: a series and a plain page; an outside link and a generated page."""
    outside = Toctree((Entry("https://x.y", "X", outside=True), Entry("https://z.y", outside=True)), "Links")
    made = Toctree((Entry("genindex", "Index", generated=True), Entry("about", "About us"), Entry("gone")))
    series = Toctree((Entry("infra"), Entry("guide")), "Notes")
    pages = {
        "index": Page((Span("Home"),), toctrees=(series, outside, made)),
        "infra": page("Infrastructure", "one", "two"),
        "one": page("One", "deep"),
        "two": page("Two"),
        "deep": page("Deep"),
        "guide": page("Guide"),
        "about": page("About"),
    }
    catalogue = Catalogue(
        posts={
            p.docname: p for p in (post("one", "infra", 1), post("two", "infra", 2), post("guide", "", 0))
        },
        series=(Series("infra", SeriesInfo("infra", "Infra", numbered=numbered), ("one", "two"), 0),),
        titles={name: p.title for name, p in pages.items()},
    )
    return catalogue, pages


def beside(docname: str, numbered: bool = True) -> tuple[Section, ...]:
    """The sidebar beside *docname*."""
    catalogue, pages = site(numbered)
    return Navigation(catalogue, pages, "index", NO_LIMIT).beside(docname)


def test_sections_are_the_toctrees_of_the_root_page_with_their_captions() -> None:
    sections = beside("index")
    assert [s.caption for s in sections] == ["Notes", "Links", ""]
    assert [[i.target for i in s.items] for s in sections] == [
        ["infra", "guide"],
        ["https://x.y", "https://z.y"],
        ["genindex", "about"],
    ]


def test_no_branch_is_open_beside_the_root_page() -> None:
    assert all(not i.children and not i.open and not i.current for s in beside("index") for i in s.items)


def test_a_series_is_shown_by_its_label_with_its_count() -> None:
    infra, guide = beside("index")[0].items
    assert (infra.title, infra.count) == ((Span("Infra"),), 2)
    assert infra.series == SeriesRef("infra", "Infra", "infra", 0, numbered=True)
    assert (guide.title, guide.count, guide.series) == ((Span("Guide"),), 0, None)


def test_the_branch_of_the_current_page_is_open_by_one_level() -> None:
    infra, guide = beside("two")[0].items
    assert (infra.open, infra.current, guide.open) == (True, False, False)
    assert [(c.target, c.title, c.number, c.current) for c in infra.children] == [
        ("one", (Span("One"),), 1, False),
        ("two", (Span("Two"),), 2, True),
    ]
    assert guide.children == ()
    assert all(c.children == () for c in infra.children)


def test_beside_a_page_further_down_its_branch_is_open_and_no_deeper_line_is_shown() -> None:
    infra, _ = beside("deep")[0].items
    assert [(c.target, c.open, c.current, c.children) for c in infra.children] == [
        ("one", True, False, ()),
        ("two", False, False, ()),
    ]


def test_the_series_page_itself_is_current_and_open() -> None:
    infra = beside("infra")[0].items[0]
    assert infra.current
    assert [c.target for c in infra.children] == ["one", "two"]


def test_parts_of_a_series_without_numbers_have_none() -> None:
    assert [c.number for c in beside("infra", numbered=False)[0].items[0].children] == [0, 0]


def test_outside_links_show_their_title_or_their_address() -> None:
    x, z = beside("index")[1].items
    assert (x.title, x.outside) == ((Span("X"),), True)
    assert (z.title, z.outside) == ((Span("https://z.y"),), True)


def test_a_title_in_the_toctree_wins_over_the_heading() -> None:
    assert beside("about")[2].items[1] == Item("about", (Span("About us"),), current=True, open=True)


def test_a_generated_page_can_be_the_current_one() -> None:
    made = beside("genindex")[2].items[0]
    assert made == Item("genindex", (Span("Index"),), current=True)


def test_the_root_page_in_its_own_toctree_opens_nothing() -> None:
    pages = {"index": page("Home", "index a"), "a": page("A")}
    catalogue = Catalogue(titles={name: p.title for name, p in pages.items()})
    navigation = Navigation(catalogue, pages, "index", NO_LIMIT)
    ((home, _),) = (s.items for s in navigation.beside("a"))
    assert (home.open, home.children) == (False, ())
    ((home, _),) = (s.items for s in navigation.beside("index"))
    assert (home.open, home.current, home.children) == (True, True, ())


def test_without_the_root_page_there_is_no_sidebar() -> None:
    assert Navigation(Catalogue(), {}, "index", NO_LIMIT).beside("a") == ()


def test_a_document_is_below_the_one_that_lists_it_nearest_to_the_root() -> None:
    pages = {
        "index": page("", "a b"),
        "a": page("", "deep index a gone"),
        "b": page("", "c"),
        "deep": page("", "c"),
        "c": page("", "a"),
        "orphan": page("", "lost"),
        "lost": page(""),
    }
    assert parents_of(pages, "index") == {"a": "index", "b": "index", "deep": "a", "c": "b"}
    assert parents_of(pages, "gone") == {}


def test_the_path_of_a_document_ends_at_the_root() -> None:
    assert path_to("c", {"c": "b", "b": "index", "d": "c"}) == {"c", "b", "index"}
    assert path_to("genindex", {"c": "b"}) == {"genindex"}


@given(st.dictionaries(st.sampled_from(NODES), st.lists(st.sampled_from(NODES))), st.sampled_from(NODES))
def test_every_reachable_page_has_a_path_to_the_root_whatever_the_circles(
    listed: dict[str, list[str]], docname: str
) -> None:
    pages = {name: page(name, " ".join(listed.get(name, []))) for name in NODES}
    parents = parents_of(pages, "a")
    assert "a" not in parents
    path = path_to(docname, parents)
    assert docname in path
    assert ("a" in path) is (docname == "a" or docname in parents)
    catalogue = Catalogue(titles={name: p.title for name, p in pages.items()})
    lines = [i for s in Navigation(catalogue, pages, "a", NO_LIMIT).beside(docname) for i in s.items]
    assert {i.target for i in lines} == set(listed.get("a", []))
    assert all(i.open is ((i.target in path and i.target != "a") or i.target == docname) for i in lines)
    assert all(not i.children or i.open for i in lines)


def long_site(lines: int, hidden: bool, queries: tuple[Query, ...] = ()) -> Navigation:
    """Documents p0, p1, ... in one toctree of the root page, which a series page closes; at most 9 lines."""
    names = [f"p{i}" for i in range(lines)]
    toctree = Toctree(tuple(map(Entry, names)), "Notes", hidden=hidden)
    pages = {
        "index": Page((Span("Home"),), toctrees=(toctree,)),
        "all": Page((Span("All"),), queries=queries),
    }
    pages |= {name: page(name) for name in names}
    posts = {name: post(name, "", 0) for name in names}
    return Navigation(Catalogue(posts, titles={d: p.title for d, p in pages.items()}), pages, "index", 9)


@pytest.mark.parametrize(
    ("docname", "first", "last"),
    [
        ("p0", 0, 4),
        ("p1", 0, 4),
        ("p2", 0, 4),
        ("p3", 1, 5),
        ("p10", 8, 12),
        ("p18", 15, 19),
        ("p19", 15, 19),
    ],
)
def test_a_long_section_is_shortened_around_the_current_line(docname: str, first: int, last: int) -> None:
    (section,) = long_site(20, hidden=False).beside(docname)
    assert [i.target for i in section.items] == [f"p{i}" for i in range(first, last + 1)]
    assert (section.total, section.rest) == (20, "index")


def test_where_no_line_is_current_the_first_ones_are_shown() -> None:
    (section,) = long_site(20, hidden=False).beside("index")
    assert [i.target for i in section.items] == ["p0", "p1", "p2", "p3", "p4"]


def test_a_section_within_the_limit_is_whole() -> None:
    (section,) = long_site(9, hidden=False).beside("p3")
    assert (len(section.items), section.total, section.rest) == (9, 0, "")


@pytest.mark.parametrize(
    ("queries", "rest"),
    [
        ((Query(),), "all"),
        ((Query(style="sentence"),), ""),
        ((Query(limit=3),), ""),
        ((Query(tag="x"),), ""),
        ((), ""),
    ],
)
def test_a_hidden_section_is_shortened_only_where_another_page_lists_its_lines(
    queries: tuple[Query, ...], rest: str
) -> None:
    (section,) = long_site(20, hidden=True, queries=queries).beside("p3")
    assert section.rest == rest
    assert len(section.items) == (5 if rest else 20)
