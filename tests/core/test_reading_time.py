"""Reading time: words of alphabets, characters of CJK."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core import reading_time

COUNTS = st.integers(0, 100_000)


@pytest.mark.parametrize(
    ("text", "words", "characters"),
    [
        ("", 0, 0),
        ("two words", 2, 0),
        ("state-of-the-art isn’t 3.5", 3, 0),
        ("— … !", 0, 0),
        ("注意力机制", 0, 5),
        ("用 GPU 训练", 1, 3),
        ("KV缓存", 1, 2),
        ("カタカナとひらがな", 0, 9),
        ("한국어 글", 0, 4),
        ("人々", 0, 2),
        ("\U00020000\u3400\uf900", 0, 3),
        ("注意，力。", 0, 3),
    ],
)
def test_words_and_cjk_characters_are_counted_apart(text: str, words: int, characters: int) -> None:
    assert reading_time.count(text) == (words, characters)


@pytest.mark.parametrize(
    ("words", "characters", "minutes"),
    [
        (0, 0, 1),
        (1, 0, 1),
        (230, 0, 1),
        (231, 0, 2),
        (0, 400, 1),
        (0, 401, 2),
        (115, 200, 1),
        (230, 400, 2),
        (2300, 0, 10),
    ],
)
def test_a_started_minute_counts(words: int, characters: int, minutes: int) -> None:
    assert reading_time.minutes(words, characters) == minutes


@given(COUNTS, COUNTS)
def test_minutes_are_exact(words: int, characters: int) -> None:
    exact = math.ceil(Fraction(words, 230) + Fraction(characters, 400))
    assert reading_time.minutes(words, characters) == max(1, exact)


@given(st.text(), st.text())
def test_two_paragraphs_count_as_much_as_their_sum(a: str, b: str) -> None:
    both = reading_time.count(f"{a} {b}")
    assert both == tuple(x + y for x, y in zip(reading_time.count(a), reading_time.count(b), strict=True))
