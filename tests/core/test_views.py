"""Views: what a page shows from elsewhere, and the digest that says whether it moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from sphinx_writing.core.catalogue import build
from sphinx_writing.core.dates import parse
from sphinx_writing.core.digests import Digests
from sphinx_writing.core.inline import Inline, Span
from sphinx_writing.core.posts import Sources
from sphinx_writing.core.records import Entry, FrontMatter, Link, Page, Query, SeriesInfo, Toctree
from sphinx_writing.core.views import PageView, Site

Pages = dict[str, Page]
Fronts = dict[str, FrontMatter]


def words(text: str) -> Inline:
    """*text* as plain inline text."""
    return (Span(text),)


def page(title: str, toctree: str = "", *links: Link, queries: tuple[Query, ...] = ()) -> Page:
    """A page of two minutes that lists these documents and has these links."""
    tree = Toctree(tuple(Entry(name) for name in toctree.split()))
    return Page(
        words(title), words(f"On {title}."), words=300, links=links, toctrees=(tree,), queries=queries
    )


def sources() -> tuple[Pages, Fronts]:
    """A series of three parts, a post outside that links to its second part, and a page with a list."""
    info = SeriesInfo("infra", "Infra", "AI", description=words("Machines"), status="complete")
    pages = {
        "index": page("Home", "infra list alone"),
        "infra": page("Infrastructure", "one two three"),
        "one": page("One"),
        "two": page("Two", "", Link("label", "ring", words("Ring.")), Link("doc", "gone", ())),
        "three": page("Three"),
        "list": page("All", queries=(Query(limit=2),)),
        "alone": page("Alone", "", Link("post", "two", words("See two."))),
    }
    fronts = {
        "infra": FrontMatter(series_info=info),
        "one": FrontMatter(date=parse("2026-03-01")),
        "two": FrontMatter(date=parse("2026-03-02"), updated=parse("2026-04-01"), prerequisites=("one",)),
        "three": FrontMatter(date=parse("2026-03-03")),
        "alone": FrontMatter(date=parse("2026-01-01")),
    }
    return pages, fronts


def site(pages: Pages, fronts: Fronts) -> Site:
    """The site of these documents."""
    labels = {"ring": "alone"}
    made_from = Sources(pages, fronts, "index", datetime(2026, 6, 1, tzinfo=UTC), labels)
    return Site(build(made_from), pages, "index", labels, {"infra": (("index",), "list", "")}, {}, {})


def digest(view: PageView) -> str:
    """The digest of *view* by itself."""
    return Digests().of(view)


def view(docname: str) -> PageView:
    """The view of *docname*."""
    return site(*sources()).page(docname)


def test_a_part_shows_its_neighbours_and_its_whole_series() -> None:
    post = view("two").post
    assert post is not None
    assert (post.card.docname, post.card.part, post.total) == ("two", 2, 3)
    assert [c.docname for c in post.parts] == ["one", "two", "three"]
    assert post.previous is not None
    assert post.next is not None
    assert (post.previous.docname, post.next.docname) == ("one", "three")
    assert post.updated == parse("2026-04-01")


@pytest.mark.parametrize(("docname", "before", "after"), [("one", None, "two"), ("three", "two", None)])
def test_the_ends_of_a_series_have_one_neighbour(docname: str, before: str | None, after: str | None) -> None:
    post = view(docname).post
    assert post is not None
    assert (post.previous and post.previous.docname, post.next and post.next.docname) == (before, after)


def test_a_post_outside_has_no_series_links() -> None:
    post = view("alone").post
    assert post is not None
    assert (post.previous, post.next, post.parts, post.total, post.card.series) == (None, None, (), 0, None)


def test_a_post_shows_what_to_read_first_and_who_links_to_it() -> None:
    post = view("two").post
    assert post is not None
    assert [c.docname for c in post.prerequisites] == ["one"]
    assert [(c.card.docname, c.sentence) for c in post.cited_by] == [("alone", words("See two."))]


def test_a_series_page_shows_its_parts_and_their_time() -> None:
    found = view("infra")
    assert found.post is None
    assert found.series is not None
    assert (found.series.ref.key, found.series.category, found.series.status) == ("infra", "AI", "complete")
    assert (found.series.description, found.series.numbered) == (words("Machines"), True)
    assert [c.docname for c in found.series.parts] == ["one", "two", "three"]
    assert found.series.minutes == 6
    assert found.around == (
        ("index", words("Home"), False, ""),
        ("list", words("All"), False, ""),
        ("", (), False, ""),
    )


def test_a_page_shows_its_lists() -> None:
    found = view("list")
    assert (found.post, found.series) == (None, None)
    assert [c.docname for g in found.lists[0].groups for c in g.cards] == ["three", "two"]


def test_a_page_shows_the_titles_it_links_to() -> None:
    assert view("two").references == ("alone Alone", "")
    assert view("alone").references == ("two Two",)


def test_a_generated_page_has_the_sidebar_only() -> None:
    found = view("genindex")
    assert found == PageView(found.sidebar)
    assert [i.target for s in found.sidebar for i in s.items] == ["infra", "list", "alone"]


def test_the_sidebar_is_open_where_the_page_is() -> None:
    infra = view("two").sidebar[0].items[0]
    assert [c.target for c in infra.children if c.current] == ["two"]


def test_the_digest_is_the_same_for_the_same_view() -> None:
    pages, fronts = sources()
    other = site(dict(reversed(pages.items())), dict(reversed(fronts.items())))
    assert {name: digest(view(name)) for name in pages} == {name: digest(other.page(name)) for name in pages}


def test_pages_that_show_different_things_have_different_digests() -> None:
    digests = [digest(view(name)) for name in sources()[0]]
    assert len(set(digests)) == len(digests)


def retitle(pages: Pages, _fronts: Fronts) -> None:
    pages["two"] = replace(pages["two"], title=words("Other"))


def move_date(_pages: Pages, fronts: Fronts) -> None:
    fronts["two"] = replace(fronts["two"], date=parse("2026-02-20"))


def same_instant_in_another_zone(_pages: Pages, fronts: Fronts) -> None:
    fronts["two"] = replace(fronts["two"], date=parse("2026-03-02T09:00+09:00"))


def rewrite_body(pages: Pages, _fronts: Fronts) -> None:
    pages["two"] = replace(pages["two"], words=301)


def longer_body(pages: Pages, _fronts: Fronts) -> None:
    pages["two"] = replace(pages["two"], words=3000)


def reorder(pages: Pages, _fronts: Fronts) -> None:
    pages["infra"] = page("Infrastructure", "one three two")


def relabel(_pages: Pages, fronts: Fronts) -> None:
    fronts["infra"] = FrontMatter(series_info=SeriesInfo("infra", "Inf"))


def retitle_outside(pages: Pages, _fronts: Fronts) -> None:
    pages["alone"] = replace(pages["alone"], title=words("Lonely"))


def drop_link(pages: Pages, _fronts: Fronts) -> None:
    pages["alone"] = replace(pages["alone"], links=())


@pytest.mark.parametrize(
    ("edit", "moved"),
    [
        (retitle, {"infra", "one", "two", "three", "list", "alone"}),
        (move_date, {"infra", "one", "two", "three", "list", "alone"}),
        (same_instant_in_another_zone, {"infra", "one", "two", "three", "list", "alone"}),
        (rewrite_body, set()),
        (longer_body, {"infra", "one", "two", "three", "list", "alone"}),
        (reorder, {"infra", "one", "two", "three", "list", "alone"}),
        (relabel, {"index", "infra", "one", "two", "three", "list", "alone"}),
        (retitle_outside, {"index", "infra", "one", "two", "three", "list", "alone"}),
        (drop_link, {"two", "alone"}),
    ],
)
def test_an_edit_moves_the_digest_of_the_pages_that_show_it_and_no_other(
    edit: Callable[[Pages, Fronts], None], moved: set[str]
) -> None:
    pages, fronts = sources()
    before = site(pages, fronts)
    digests = {name: digest(before.page(name)) for name in pages}
    edit(pages, fronts)
    after = site(pages, fronts)
    assert {name for name in pages if digest(after.page(name)) != digests[name]} == moved


def test_a_series_page_says_where_parts_have_no_numbers() -> None:
    pages, fronts = sources()
    fronts["infra"] = FrontMatter(series_info=SeriesInfo("infra", "Infra", numbered=False))
    series = site(pages, fronts).page("infra").series
    assert series is not None
    assert (series.numbered, series.ref.numbered) == (False, False)
    assert [c.part for c in series.parts] == [0, 0, 0]
