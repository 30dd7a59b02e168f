"""Numbers with units in prose that come neither from a lab nor stand by a citation."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from sphinx_writing.core import units

Origin = Literal["prose", "lab", "citation"]
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^\s\d])")
_NUMBER = r"(?<![\w.,/-])[-\u2212~]?\d[\d,]*(?:\.\d+)?"
_FILLER = "\ufffc"
"""Stands for what a lab computed, so that the words around it keep their places."""
_CITED = "\ufffd"


@dataclass(frozen=True)
class Run:
    """Some words of a paragraph, and where they come from."""

    text: str
    origin: Origin = "prose"


@dataclass(frozen=True)
class Found:
    """A number that nothing vouches for, and the sentence it stands in."""

    number: str
    sentence: str


def unsourced(runs: Iterable[Run], more_units: Collection[str]) -> Iterator[Found]:
    """The numbers with units in the paragraph *runs*, but for those of sentences that cite something."""
    text = "".join({"prose": run.text, "lab": _FILLER, "citation": _CITED}[run.origin] for run in runs)
    pattern = number_with_unit(more_units)
    for sentence in _SENTENCE_END.split(" ".join(text.split())):
        if _CITED not in sentence:
            for match in pattern.finditer(sentence):
                yield Found(match[0], sentence.replace(_FILLER, "…"))


def number_with_unit(more_units: Collection[str]) -> re.Pattern[str]:
    """What matches a number with a known unit or one of *more_units*, or with one of them over another."""
    names = sorted({name for name in units.UNITS if name} | set(more_units), key=lambda n: (-len(n), n))
    one = "|".join(map(re.escape, names))
    return re.compile(rf"{_NUMBER}[ \u00a0]?(?:{one})(?:/(?:{one}))?(?![\w/])")
