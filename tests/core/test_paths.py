"""Learning paths: what a file of them says, and what is wrong with it, to the line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core import paths
from sphinx_writing.core.inline import Span
from sphinx_writing.core.paths import Fault, LearningPath
from sphinx_writing.core.posts import Post
from sphinx_writing.core.problems import Place

FILE = """\
# A comment
- key: decode
  question: Why is `decode` slow?
  summary: Bytes, not arithmetic.
  posts:
    - infra/one
    - two

- {key: below, question: "What is below?", posts: two}
"""
NAMES = ("infra/one/index", "two", "three")


def posts(**first: str) -> dict[str, Post]:
    """Posts by docname; each of *first* names what one asks readers to read first."""
    return {
        name: Post(name, (), (), None, None, (), 1, "", 0, "", tuple(first.get(name, "").split()))
        for name in (*NAMES, *first.keys() - {*NAMES})
    }


POSTS = posts()


def faults(text: str) -> list[tuple[int, int, str]]:
    return [(f.place.line, f.place.column, f.message) for f in paths.read(text)[1]]


def resolved(text: str, *withheld: str) -> tuple[list[LearningPath], list[Fault]]:
    found, wrong = paths.resolve(paths.read(text)[0], POSTS, withheld)
    return list(found), list(wrong)


def test_a_file_of_paths() -> None:
    written, wrong = paths.read(FILE)
    assert wrong == ()
    first, second = written
    assert (first.key, first.posts, second.posts) == ("decode", ("infra/one", "two"), ("two",))
    assert first.question == (Span("Why is "), Span("decode", "code"), Span(" slow?"))
    assert (first.summary, second.summary) == ((Span("Bytes, not arithmetic."),), ())
    assert (first.places["key"], first.places["posts[1]"]) == (Place(2, 8), Place(7, 7))


def test_the_posts_of_a_path_are_found_as_prerequisites_are() -> None:
    (first, second), wrong = resolved(FILE)
    assert wrong == []
    assert (first.posts, first.places) == (("infra/one/index", "two"), (Place(6, 7), Place(7, 7)))
    assert second.posts == ("two",)


def test_a_withheld_post_is_left_out_without_a_word_and_a_path_of_nothing_else_too() -> None:
    text = FILE.replace("posts: two", "posts: [four, five/]").replace(
        "    - two\n", "    - two\n    - four\n"
    )
    found, wrong = resolved(text, "four", "five/index")
    assert wrong == []
    assert [path.posts for path in found] == [("infra/one/index", "two")]


@pytest.mark.parametrize(
    ("posts", "line", "message"),
    [
        ("[two, infra/won]", 2, 'path "a": "infra/won" is no post; did you mean "infra/one"?'),
        ("[two, x]", 2, 'path "a": "x" is no post; known: infra/one, three, two'),
        ("[two, /two/]", 2, 'path "a": "/two/" is on it twice; remove one'),
        ("[infra/one, two, infra/one/index]", 2, 'path "a": "infra/one/index" is on it twice; remove one'),
        ("[two, four, four]", 2, 'path "a": "four" is on it twice; remove one'),
    ],
)
def test_a_post_that_is_not_there_or_is_there_twice(posts: str, line: int, message: str) -> None:
    found, wrong = resolved(f"- {{key: a, question: Q,\n  posts: {posts}}}\n", "four")
    assert [(fault.place.line, fault.message) for fault in wrong] == [(line, message)]
    assert "two" in found[0].posts


def test_a_post_that_comes_before_what_it_asks_for() -> None:
    written, _ = paths.read("- {key: a, question: Q,\n  posts: [two,\n   three, infra/one]}\n")
    there = posts(two="three beside", three="infra/one/index", beside="two")
    found, wrong = paths.resolve(written, there, ())
    assert found[0].posts == ("two", "three", "infra/one/index")
    assert [(fault.place.line, fault.message) for fault in wrong] == [
        (2, f'path "a": "{one}" asks readers to read "{other}" first, which comes later; swap them')
        for one, other in (("two", "three"), ("two", "infra/one"))
    ] + [
        (3, 'path "a": "three" asks readers to read "infra/one" first, which comes later; swap them'),
    ]
    assert paths.resolve(written, posts(three="two", beside="three"), ())[1] == ()


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 0, 'expected a list of paths, found nothing; begin each with "- key: a-name"'),
        ("key: a\n", 1, 0, 'expected a list of paths, found a mapping; begin each with "- key: a-name"'),
        ("\n- a\n", 2, 3, "expected a path with key, question, posts, found text (a)"),
        ("- {key: a, question: Q, post: [b]}\n", 1, 25, 'unknown field "post"; did you mean "posts"?'),
        ("- {key: a, key: b, question: Q, posts: b}", 1, 12, '"key" is written twice; remove one'),
        ("- key: A b\n  question: Q\n  posts: b\n", 1, 8, '"key": "A b" is no key: use lower-case letters, digits and single hyphens'),
        ("- key: a\n  question: 1\n  posts: b\n", 2, 13, '"question": expected text, found a number (1); quote it: "1"'),
        ("- key: a\n  question: Q\n  posts: []\n", 3, 10, '"posts": found an empty list; list some posts, or remove the path'),
        ("- key: a\n  question: Q\n  posts:\n", 3, 9, '"posts": expected text, found empty'),
        ("- key: a\n  question: Q\n  posts: b, c\n", 3, 10, '"posts": expected a list, found text with a comma; write posts: [b, c]'),
        ("- key: a\n  question: Q\n  posts: [b, [c]]\n", 3, 14, '"posts": expected text, found a list'),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named_with_its_place(text: str, line: int, column: int, message: str) -> None:
    assert (line, column, message) in faults(text)


@pytest.mark.parametrize("name", paths.REQUIRED)
def test_what_every_path_needs(name: str) -> None:
    fields = {"key": "a", "question": "Q", "posts": "b"}
    del fields[name]
    inner = ", ".join(f"{field}: {value}" for field, value in fields.items())
    written, wrong = paths.read(f"\n- {{{inner}}}\n- {{key: z, question: Q, posts: b}}\n")
    assert [(fault.place.line, fault.message) for fault in wrong] == [(2, f'a path needs "{name}"; add it')]
    assert [path.key for path in written] == ["z"]


def test_two_paths_with_one_key() -> None:
    text = "- {key: a, question: Q, posts: b}\n- {key: a, question: R, posts: b}\n"
    assert faults(text) == [(2, 9, '"key": "a" is the key of the path on line 1 already; choose another')]


def test_a_value_that_must_be_quoted_is_shown_quoted() -> None:
    text = "- question: Why: because\n  key: a\n  posts: b\n"
    where = (
        'this file is not valid YAML: the value of "question" must be quoted; write question: "Why: because"'
    )
    assert faults(text) == [(1, 13, where)]


@pytest.mark.parametrize("text", ["- [", "\t- a", "- a\n--- b\n", "a: &x *x", "- \x01", "[" * 10_000])
def test_what_is_no_yaml_is_one_fault(text: str) -> None:
    assert len(paths.read(text)[1]) == 1


@given(st.text(alphabet="-:[]{}&*!'\"|> \nabkqp,#", max_size=60))
def test_any_text_is_read_or_is_a_fault(text: str) -> None:
    written, wrong = paths.read(text)
    found, more = paths.resolve(written, POSTS, ())
    assert all(path.posts for path in found)
    assert all(fault.place.line >= 1 and fault.message for fault in (*wrong, *more))
