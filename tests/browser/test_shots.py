"""The sheet of ``make shots``."""

from __future__ import annotations

from .pages import KINDS
from .shots import SHOWN, sheet


def test_the_sheet_shows_every_picture() -> None:
    text = sheet([("home", ["a.png", "b.png"]), ("tag", ["c.png"])])
    assert [text.count(f'src="{name}.png"') for name in "abc"] == [1, 1, 1]
    assert text.index("<h2>home</h2>") < text.index("<h2>tag</h2>")


def test_ten_kinds_of_page_are_shown() -> None:
    assert len(set(SHOWN)) == 10
    assert KINDS.keys() >= set(SHOWN)
