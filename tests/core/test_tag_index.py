"""H3: one entry for each tag, each with its own address."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core import tag_index, tags
from sphinx_writing.core.problems import Kind, Place, Problem
from sphinx_writing.core.records import FrontMatter
from sphinx_writing.core.tag_index import Tag, tags_of


def index(posts: Mapping[str, tuple[str, ...]]) -> tuple[tuple[Tag, ...], list[Problem]]:
    """The index of posts that have these tags, the first of each on line 4."""
    return tags_of(
        {
            docname: FrontMatter(
                tags=names, places={f"tags[{i}]": Place(4 + i, 9) for i in range(len(names))}
            )
            for docname, names in posts.items()
        }
    )


POSTS = st.dictionaries(
    st.sampled_from("abcdef"), st.lists(st.text("aA+# -!", min_size=1), max_size=4).map(tuple)
)


def test_spellings_of_one_tag_are_one_entry_and_one_problem_naming_all() -> None:
    found, problems = index({"c": ("KV  cache",), "a": ("KV Cache",), "b": ("kv-cache",)})
    assert found == (Tag("kv-cache", "KV Cache", "kv-cache", ("a", "b", "c")),)
    (problem,) = problems
    assert (problem.kind, problem.docname, problem.place) == (Kind.TAG, "b", Place(4, 9))
    for part in ('"KV Cache" in a', '"kv-cache" in b', '"KV  cache" in c', 'shown as "KV Cache"'):
        assert part in problem.message


def test_one_spelling_is_no_problem() -> None:
    found, problems = index({"a": ("nccl",), "b": ("nccl", "rdma"), "c": ()})
    assert [(t.name, t.docnames) for t in found] == [("nccl", ("a", "b")), ("rdma", ("b",))]
    assert problems == []


def test_the_most_common_spelling_is_shown() -> None:
    (tag,), (problem,) = index({"a": ("kv-cache",), "b": ("KV cache",), "c": ("KV cache",)})
    assert tag.name == "KV cache"
    assert problem.docname == "a"


def test_a_tag_written_twice_in_one_post_lists_it_once() -> None:
    (tag,), problems = index({"a": ("nccl", "NCCL", "nccl")})
    assert (tag.name, tag.docnames) == ("nccl", ("a",))
    assert [p.place for p in problems] == [Place(5, 9)]


def test_tags_that_differ_in_signs_have_their_own_addresses() -> None:
    found, problems = index({"a": ("C++",), "b": ("C#",), "c": ("C",)})
    assert [(t.name, t.slug) for t in found] == [("C", "c"), ("C#", "csharp"), ("C++", "cplusplus")]
    assert problems == []


def test_two_tags_with_one_address_get_two_and_one_problem() -> None:
    found, problems = index({"a": ("a.b",), "b": ("a!b",), "c": ("a:b",)})
    assert {t.name: t.slug for t in found} == {"a!b": "a-b", "a.b": "a-b-2", "a:b": "a-b-3"}
    assert [(p.kind, p.docname) for p in problems] == [(Kind.TAG, "a"), (Kind.TAG, "c")]
    assert '"a!b" and "a.b" have one address' in problems[0].message
    assert '"a-b-2"' in problems[0].message


@pytest.mark.parametrize("names", [("b", "A", "c"), ("C", "b", "a")])
def test_the_index_is_by_name_whatever_the_case(names: tuple[str, ...]) -> None:
    found, _ = index({"x": names})
    assert [t.name.casefold() for t in found] == ["a", "b", "c"]


@given(POSTS)
def test_no_post_is_lost_and_no_two_entries_share_a_key_or_an_address(
    posts: dict[str, tuple[str, ...]],
) -> None:
    found, _ = index(posts)
    assert len({t.key for t in found}) == len({t.slug for t in found}) == len(found)
    listed = {(docname, t.key) for t in found for docname in t.docnames}
    assert listed == {(docname, tags.key(name)) for docname, names in posts.items() for name in names}


@given(POSTS)
def test_the_index_does_not_depend_on_the_order_of_reading(posts: dict[str, tuple[str, ...]]) -> None:
    assert index(posts) == index(dict(reversed(posts.items())))


@given(POSTS)
def test_every_problem_names_a_post_that_uses_tags(posts: dict[str, tuple[str, ...]]) -> None:
    _, problems = index(posts)
    assert all(p.kind is Kind.TAG and posts[p.docname] for p in problems)


def test_neighbours_share_most_posts_first_by_name_among_equals() -> None:
    tags = (
        Tag("a", "A", "a", ("1", "2", "3")),
        Tag("b", "b", "b", ("3", "2")),
        Tag("c", "C", "c", ("1",)),
        Tag("d", "d", "d", ("1", "9")),
        Tag("e", "E", "e", ("8",)),
    )
    found = tag_index.neighbours(tags, 2)
    assert {key: [tag.name for tag in near] for key, near in found.items()} == {
        "a": ["b", "C"],
        "b": ["A"],
        "c": ["A", "d"],
        "d": ["A", "C"],
        "e": [],
    }
