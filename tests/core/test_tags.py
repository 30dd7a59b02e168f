"""H3: spellings of one tag, and one address for each."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core import tags


@pytest.mark.parametrize(
    "spelling",
    [
        "kv-cache",
        "KV Cache",
        "KV  cache",
        "kv_cache",
        " Kv\tCache ",
        "KV - CACHE",
        "ＫＶ cache",
        "k\u200bv cache",
    ],
)
def test_case_blanks_and_hyphens_do_not_tell_tags_apart(spelling: str) -> None:
    assert tags.key(spelling) == "kv-cache"


def test_letters_that_are_one_letter_in_capitals_do_not_tell_tags_apart() -> None:
    assert tags.key("Straße") == tags.key("STRASSE")


@pytest.mark.parametrize(
    ("one", "other"), [("C++", "C#"), ("C", "C++"), ("KV cache", "KVcache"), ("a, b", "a b"), ("é", "e")]
)
def test_signs_and_letters_tell_tags_apart(one: str, other: str) -> None:
    assert tags.key(one) != tags.key(other)


@pytest.mark.parametrize(
    ("spelling", "slug"),
    [
        ("KV Cache", "kv-cache"),
        ("C++", "cplusplus"),
        ("C#", "csharp"),
        ("C", "c"),
        ("R&D", "randd"),
        ("p99 @ 50%", "p99-at-50percent"),
        ("a, b", "a-b"),
        ("Café", "café"),
        ("注意力", "注意力"),
        ("हिन्दी", "हिन्दी"),
        ("../../etc", "etc"),
        ("🙂", "tag"),
        ("❤️", "tag"),
        ("\u0301", "tag"),
        ("--", "tag"),
    ],
)
def test_a_tag_has_a_readable_address(spelling: str, slug: str) -> None:
    assert tags.slug(tags.key(spelling)) == slug


def test_words_that_differ_in_a_vowel_sign_have_two_addresses() -> None:
    assert tags.slug(tags.key("कि")) != tags.slug(tags.key("कु"))


@given(st.text())
def test_an_address_is_one_path_segment_and_never_empty(spelling: str) -> None:
    slug = tags.slug(tags.key(spelling))
    assert slug
    assert not re.search(r"[\s/\\.?#%:]", slug)


@given(st.text())
def test_a_key_is_its_own_key(spelling: str) -> None:
    key = tags.key(spelling)
    assert tags.key(key) == key


@given(st.text(), st.sampled_from([" ", "-", "_", "  ", "\n"]))
def test_blanks_around_and_capitals_change_nothing(spelling: str, blank: str) -> None:
    assert tags.key(blank + spelling + blank) == tags.key(spelling)


@given(st.text("ab cd_-"))
def test_capitals_change_nothing(spelling: str) -> None:
    assert tags.key(spelling.upper()) == tags.key(spelling)
