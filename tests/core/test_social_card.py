"""What stands on a social card: sizes, lines and characters."""

from __future__ import annotations

import pytest

from sphinx_writing.core import social_card
from sphinx_writing.core.social_card import SIZES, TALLEST, WIDTH, drawable, set_title

ROOM = WIDTH - 2 * social_card.MARGIN
LINES = {
    "Inodes": 1,
    "NCCL: from the call to the wire": 2,
    "Bus bandwidth: algbw is your time, busbw a wire you may not have": 3,
}


def measure(text: str) -> float:
    """Every character is half an em wide."""
    return len(text) / 2


@pytest.mark.parametrize("title", LINES)
def test_a_title_is_set_as_large_as_it_fits(title: str) -> None:
    found = set_title(title, measure)
    assert len(found.lines) == LINES[title]
    assert " ".join(found.lines) == title
    lengths = [measure(line) * found.size for line in found.lines]
    assert max(lengths) <= ROOM
    assert max(lengths) < 1.6 * min(lengths), "lines are of like length"


@pytest.mark.parametrize(
    "title",
    ["", "x", "word " * 2000, "x" * 10_000, "注意" * 40, "a/b-" * 50, "a\u00a0b " * 30, " \n\t "],
)
def test_every_title_fits(title: str) -> None:
    found = set_title(title, measure)
    assert found.size in SIZES
    assert len(found.lines) * found.leading <= TALLEST
    assert all(measure(line) * found.size <= ROOM for line in found.lines)


def test_a_title_that_is_too_long_ends_with_an_ellipsis() -> None:
    assert set_title("word " * 2000, measure).lines[-1].endswith("word…")
    assert set_title("x" * 10_000, measure).lines[-1].endswith("x…")


def test_lines_end_behind_hyphens_and_between_ideographs() -> None:
    assert set_title("averylongword-" * 4 + "x", measure).lines == (
        "averylongword-averylongword-",
        "averylongword-averylongword-x",
    )
    assert (
        len(
            {len(line) for line in set_title("注意力机制的工作原理与实现方法一二三四五六七八", measure).lines}
        )
        <= 2
    )


def test_what_no_face_has() -> None:
    def has(char: str) -> bool:
        return char.isascii() or char in "é…"

    assert drawable("Plain cafe\u0301\u2003x", has) == ("Plain café x", "", "")
    assert drawable("A 😀 B ≰ C", has) == ("A B C", "😀≰", "")
    assert drawable("A 注意 B\u200d", has) == ("A B", "", "注意")
    assert drawable("שלום", lambda char: True) == ("", "", "שלום")
    assert drawable("a\x00b\x07", lambda char: char.isprintable()) == ("ab", "\x00\x07", "")
