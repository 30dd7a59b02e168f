"""What is near a note: rare tags, links and prerequisites; and what tells nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core.posts import Post
from sphinx_writing.core.related import BROAD, Near, Neighbourhood
from sphinx_writing.core.tag_index import Tag


def post(name: str, *tags: str, first: str = "") -> Post:
    """A post with these tags that asks for the posts *first*."""
    return Post(name, (), (), None, None, tags, 1, "", 0, "", tuple(first.split()))


def around(*posts: Post, **links: str) -> Neighbourhood:
    """The neighbourhood of *posts*, newest first; each of *links* names the posts that link to one."""
    keys = dict.fromkeys(key for p in posts for key in p.tags)
    tags = [Tag(key, key, key, tuple(p.docname for p in posts if key in p.tags)) for key in keys]
    linked = {name: sources.split() for name, sources in links.items()}
    return Neighbourhood({p.docname: p for p in posts}, tags, linked)


def names(found: tuple[Near, ...]) -> str:
    """The posts *found*, in order."""
    return " ".join(near.docname for near in found)


def test_a_rare_tag_is_worth_more_than_a_common_one() -> None:
    posts = [post("a", "rare", "wide"), post("b", "wide"), post("c", "rare"), post("d", "wide"), post("e")]
    found = around(*posts).near("a", (), 4)
    assert found == (Near("c", ("rare",)), Near("b", ("wide",)), Near("d", ("wide",)))


def test_a_link_or_a_prerequisite_counts_either_way_as_a_tag_of_two() -> None:
    posts = [post("a", "x"), post("b", "x"), post("c"), post("d", first="a"), post("e"), post("f")]
    near = around(*posts, c="a", a="e")
    assert names(near.near("a", (), 9)) == "b c d e"
    assert [names(near.near(name, (), 9)) for name in "cde"] == ["a", "a", "a"]
    assert near.near("c", (), 9) == (Near("a", ()),)
    assert names(
        around(post("a", "x"), post("b", "x"), post("c", "x"), post("d"), a="d").near("a", (), 9)
    ) == ("d b c")


def test_what_the_page_names_already_is_left_out_before_the_rest_is_cut() -> None:
    posts = [post(name, "x") for name in "abcd"]
    assert names(around(*posts, *[post(name) for name in "ef"]).near("a", {"b"}, 1)) == "c"


def test_a_tag_on_very_many_posts_tells_nothing() -> None:
    few = [post(str(i), "x") for i in range(BROAD)]
    assert len(around(*few).near("0", (), 99)) == BROAD - 1
    assert around(*few, post("more", "x")).near("0", (), 99) == ()


@pytest.mark.parametrize("posts", [[post("a", "x")], [post("a"), post("b")]])
def test_a_post_that_shares_nothing_is_alone(posts: list[Post]) -> None:
    assert around(*posts).near("a", (), 9) == ()


@given(st.lists(st.lists(st.sampled_from("xyz"), unique=True), min_size=2, max_size=8))
def test_nearness_is_the_same_both_ways(tags: list[list[str]]) -> None:
    posts = [post(str(i), *mine) for i, mine in enumerate(tags)]
    near = around(*posts)
    for one in posts:
        found = near.near(one.docname, (), 99)
        assert {n.docname for n in found} == {o.docname for o in posts if {*o.tags} & {*one.tags}} - {
            one.docname
        }
        for other in found:
            assert one.docname in {n.docname for n in near.near(other.docname, (), 99)}
