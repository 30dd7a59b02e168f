"""The glossary: which terms a text may hold, and where they stand in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core.glossary import Glossary, Term, is_taken, places, problems, vocabulary
from sphinx_writing.core.problems import Place
from sphinx_writing.core.records import Definition, FrontMatter, Page


def term(*names: str) -> Term:
    return Term("terms", tuple((name, f"term-{name}") for name in names))


def found(text: str, *names: str) -> list[str]:
    return [text[start:end] for start, end, _, _ in places(text, [term(name) for name in names])]


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("An inode, two inodes, Inode.", ["inode"], ["inode", "inodes", "Inode"]),
        ("A page cache", ["Page cache"], ["page cache"]),
        ("The FAT is fat, and FATs; Fat", ["FAT"], ["FAT", "FATs"]),
        ("A KV cache, a kv cache, KV caches, KV Cache", ["KV cache"], ["KV cache", "KV caches"]),
        ("a KV\n  cache, a KV\u00a0cache", ["KV cache"], ["KV\n  cache", "KV\u00a0cache"]),
        ("a KV cache and a cache", ["cache", "KV cache"], ["KV cache", "cache"]),
        ("KV caching in a cache", ["cache", "KV cache"], ["cache"]),
        (
            "inode_table inode.c a/inode sub-inode inode-like @inode :inode inode:x",
            ["inode"],
            ["inode", "inode"],
        ),
        ("(inode) “inode”, inode’s inode; inode.", ["inode"], ["inode"] * 5),
        (
            "All-reduce, all-reduces, all-reduce-scatter, all reduce",
            ["all-reduce"],
            ["All-reduce", "all-reduces"],
        ),
        ("C++ and C and C++.", ["C++"], ["C++", "C++"]),
        ("ld.so, ld.sox, xld.so", ["ld.so"], ["ld.so"]),
        ("q and Q", ["Q"], ["Q"]),
        ("Straße, straße", ["straße"], ["Straße", "straße"]),
        ("a.*b a(b", ["a.*b", "a(b"], ["a.*b", "a(b"]),
        ("nothing", ["++", ""], []),
        ("nothing", [], []),
    ],
)
def test_places(text: str, names: list[str], expected: list[str]) -> None:
    assert found(text, *names) == expected


def test_a_place_has_the_id_of_the_name_that_stands_there() -> None:
    one = term("KV cache", "key-value cache")
    assert list(places("A key-value cache", [one])) == [(2, 17, one, "term-key-value cache")]


def glossary(*entries: tuple[str, ...]) -> Glossary:
    definitions = tuple(Definition(tuple((n, f"term-{n}") for n in names), ()) for names in entries)
    return Glossary("terms", Page((), terms=definitions))


def page(*texts: str) -> Page:
    return Page((), vocabulary=vocabulary(texts))


def test_a_page_may_have_the_terms_whose_words_all_occur() -> None:
    known = glossary(("KV cache", "key-value cache"), ("inode",), ("cache",), ("all-reduce",), ("++",))
    assert known.possible(page("Two KV things,", "caches of values and a key")) == (
        term("KV cache", "key-value cache"),
        term("cache"),
    )
    assert known.possible(page("INODES")) == (term("inode"),)
    assert known.possible(page("all but reduce")) == (term("all-reduce"),)
    assert known.possible(page()) == ()
    assert known.possible(Page(())) == ()
    assert Glossary().possible(page("inode")) == ()


def test_the_order_of_the_glossary_does_not_count() -> None:
    text = page("an inode in a cache")
    assert glossary(("inode",), ("cache",)).possible(text) == glossary(("cache",), ("inode",)).possible(text)


@given(
    st.lists(st.sampled_from(["KV cache", "cache", "inode", "all-reduce", "FAT", "ß", "İx"]), unique=True),
    st.text(),
)
def test_every_term_that_stands_in_a_text_is_one_it_may_have(names: list[str], other: str) -> None:
    known = glossary(*((name,) for name in names))
    text = other.join(["", *(f" {name}s {name} " for name in names), ""])
    possible = known.possible(page(text))
    assert {one for _, _, one, _ in places(text, [term(n) for n in names])} <= set(possible)


def test_words_are_kept_in_little_space() -> None:
    assert vocabulary(["b a", "A c"]) == vocabulary(["a b c c"])
    assert vocabulary([]) == vocabulary(["."])


def test_a_term_is_taken_by_any_of_its_names() -> None:
    assert is_taken(term("KV cache", "other"), {"other"})
    assert is_taken(term("KV cache"), {"kv cache"})
    assert not is_taken(term("KV cache"), {"cache"})


def test_a_name_that_is_no_term_is_reported() -> None:
    front = FrontMatter(unlinked_terms=("Inode", "all", "inod"), places={"unlinked_terms[2]": Place(3, 9)})
    (problem,) = problems("a", front, glossary(("inode",)))
    assert (problem.place, problem.message) == (
        Place(3, 9),
        'the glossary has no term "inod"; did you mean "inode"?',
    )
    assert list(problems("a", front, Glossary())) == []
