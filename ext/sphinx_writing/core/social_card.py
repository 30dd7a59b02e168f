"""The social card: what stands on the picture of a page, how large, and in which lines.

Lengths of text are in ems, as faces give them, and so the same at every size.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sphinx_writing.core.inline import cut

WIDTH, HEIGHT, MARGIN = 1200, 630, 80
SIZES = (92, 84, 76, 68, 60, 54, 48)
"""Pixels of a title, the largest that fits being taken."""
LEADING = 1.14
TALLEST = 275
"""Pixels of all lines of a title together."""
LONGEST = 300
"""Characters of a title; more are in no preview."""

Measure = Callable[[str], float]
"""How long a text is, in ems."""


@dataclass(frozen=True)
class Card:
    """What a card shows: a line above the title, with the square of a series if *key* is one's number."""

    title: str
    line: str = ""
    key: int = -1


@dataclass(frozen=True)
class Title:
    """A title as it is set."""

    size: int
    lines: tuple[str, ...]

    @property
    def leading(self) -> float:
        """Pixels from line to line."""
        return self.size * LEADING


def set_title(text: str, measure: Measure) -> Title:
    """*text* as large as it fits, in lines of like length; cut at the end if it does not fit at all."""
    pieces = _pieces(cut(" ".join(text.split()), LONGEST))
    for size in SIZES:
        room, most = (WIDTH - 2 * MARGIN) / size, int(TALLEST / (size * LEADING))
        lines = _broken(pieces, measure, room)
        if len(lines) <= most and all(measure(line) <= room for line in lines):
            return Title(size, tuple(_balanced(pieces, measure, room, len(lines))))
    lines = _broken(list(_split_long(pieces, measure, room)), measure, room)
    if len(lines) > most:
        lines = [*lines[: most - 1], _shortened(lines[most - 1], measure, room)]
    return Title(size, tuple(lines))


_BREAKS = re.compile(
    r"(?<=\S[-–—/])(?=\S)| "  # behind a hyphen or slash, at a blank
    r"|(?<=[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef])(?=[\u3040-\u30fa\u3400-\u9fff])"  # between ideographs
)


def _pieces(text: str) -> list[str]:
    """The parts between which a line may end, each with the blank that stands at its end, if any."""
    places = [m.end() for m in _BREAKS.finditer(text)]
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


def _broken(pieces: Sequence[str], measure: Measure, room: float) -> list[str]:
    """*pieces* in lines, each as full as it may be."""
    lines = [""]
    for piece in pieces:
        if lines[-1] and measure((lines[-1] + piece).rstrip()) > room:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _balanced(pieces: Sequence[str], measure: Measure, room: float, number: int) -> list[str]:
    """*pieces* in *number* lines, the longest as short as it can be."""
    low, high = 0.0, room
    while high - low > 0.05:
        middle = (low + high) / 2
        lines = _broken(pieces, measure, middle)
        fits = len(lines) <= number and all(measure(line) <= middle for line in lines)
        low, high = (low, middle) if fits else (middle, high)
    return _broken(pieces, measure, high)


def _split_long(pieces: Iterable[str], measure: Measure, room: float) -> Iterator[str]:
    """*pieces*, with what is longer than a line split anywhere."""
    for piece in pieces:
        part = ""
        for char in piece:
            if part and measure(part + char) > room:
                yield part
                part = ""
            part += char
        yield part


def _shortened(line: str, measure: Measure, room: float) -> str:
    """*line* with an ellipsis at its end, in what room there is."""
    while line and measure(f"{line}…") > room:
        line = line[:-1]
    return f"{line.rstrip(' ,;:')}…"


class Drawable(NamedTuple):
    """What faces have of a text, and what they have not: signs, which may be left out, and letters."""

    text: str
    signs: str
    letters: str


def drawable(text: str, has: Callable[[str], bool]) -> Drawable:
    """What of *text* can be drawn in faces that a character is asked of by *has*.

    What is written from right to left cannot: it would stand the wrong way round.
    """
    normal = "".join(" " if char.isspace() else char for char in unicodedata.normalize("NFC", text))
    missing = {char for char in normal if not has(char) or unicodedata.bidirectional(char) in ("R", "AL")}
    kept = "".join(char for char in normal if char not in missing)
    left = dict.fromkeys(char for char in normal if char in missing and unicodedata.category(char) != "Cf")
    letters = "".join(char for char in left if unicodedata.category(char)[0] in "LN")
    return Drawable(" ".join(kept.split()), "".join(char for char in left if char not in letters), letters)
