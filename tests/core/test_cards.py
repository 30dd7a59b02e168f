"""Cards: one post as lists show it."""

from __future__ import annotations

import pytest

from sphinx_writing.core.cards import SeriesRef, TagRef, series_ref, tag_page, year_page
from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.dates import parse
from sphinx_writing.core.inline import Span
from sphinx_writing.core.posts import Post
from sphinx_writing.core.records import SeriesInfo
from sphinx_writing.core.series import Series
from sphinx_writing.core.tag_index import Tag

NCCL = Post(
    docname="infra/nccl",
    title=(Span("NCCL"),),
    summary=(Span("How it picks."),),
    stamp=parse("2026-03-01"),
    updated=None,
    tags=("rdma", "c++"),
    minutes=7,
    series="infra",
    part=2,
    hidden="draft",
    prerequisites=(),
)


def catalogue(*posts: Post, numbered: bool = True) -> Catalogue:
    """A catalogue of these posts, of the series Infra and two tags."""
    return Catalogue(
        posts={p.docname: p for p in posts},
        series=(Series("infra/index", SeriesInfo("infra", "Infra", numbered=numbered), ("infra/nccl",), 3),),
        tags=(Tag("c++", "C++", "cplusplus", ("infra/nccl",)), Tag("rdma", "RDMA", "rdma", ("infra/nccl",))),
    )


def test_a_card_shows_what_its_post_says() -> None:
    (card,) = catalogue(NCCL).cards_of(["infra/nccl"])
    assert (card.docname, card.title, card.summary) == (NCCL.docname, NCCL.title, NCCL.summary)
    assert (card.stamp, card.minutes, card.hidden, card.part) == (NCCL.stamp, 7, "draft", 2)
    assert card.series == SeriesRef("infra", "Infra", "infra/index", 3, numbered=True)
    assert card.tags == (TagRef("RDMA", "tags/rdma/index"), TagRef("C++", "tags/cplusplus/index"))


def test_a_card_has_no_number_where_the_series_has_none() -> None:
    (card,) = catalogue(NCCL, numbered=False).cards_of(["infra/nccl"])
    assert card.part == 0
    assert card.series is not None
    assert not card.series.numbered


def test_a_card_outside_a_series_has_no_badge() -> None:
    outside = Post("a", (), (), None, None, (), 1, "", 0, "", ())
    (card,) = catalogue(outside).cards_of(["a"])
    assert (card.series, card.part, card.stamp) == (None, 0, None)


def test_cards_come_in_the_order_asked_for() -> None:
    others = [Post(name, (), (), None, None, (), 1, "", 0, "", ()) for name in "abc"]
    assert [c.docname for c in catalogue(*others).cards_of(["c", "a", "b"])] == ["c", "a", "b"]
    assert catalogue(*others).cards_of([]) == ()


def test_a_badge_is_what_the_series_says_of_itself() -> None:
    (series,) = catalogue().series
    assert series_ref(series) == SeriesRef("infra", "Infra", "infra/index", 3, numbered=True)


@pytest.mark.parametrize(
    ("name", "expected"),
    [(tag_page("kv-cache"), "tags/kv-cache/index"), (year_page(2026), "archive/2026/index")],
)
def test_made_pages_have_an_address_of_their_own(name: str, expected: str) -> None:
    assert name == expected
