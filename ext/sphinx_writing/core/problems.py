"""Everything that can be wrong, each with one sentence; the guide prints its table from here."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """A kind of problem: the subtype of its warning (``writing.<value>``) and what it means."""

    CONFIG = "config", "A name in `conf.py` that begins like those of the extension and is none of them."
    FRONT_MATTER = "front-matter", "The front matter is not valid YAML; the page is left out until it is."
    FIELD = "field", "A front matter field is unknown or is written twice."
    VALUE = "value", "A front matter field has a value of the wrong type or form."
    DATE = "date", "A date is impossible or missing."
    TAG = "tag", "Two spellings of one tag, or two tags with one address."
    ADDRESS = "address", "Two pages would have the same address."
    SERIES = "series", "A series has no posts, shares its key, or claims a post that another one lists."
    PART = "part", "The series, part or title in the front matter contradicts the toctree or the heading."
    PREREQUISITE = "prerequisite", "A prerequisite is no published post, or prerequisites form a circle."
    POST = "post", "A link or a list names a post, series, tag or category that is not there."
    PATH = "path", "The file of learning paths cannot be read, or a path names what is not there."
    GLOSSARY = (
        "glossary",
        "The glossary is not there or has no terms, or a page names one that it has not.",
    )
    LAB = "lab", "A value, table or part of a lab that is not there, does not fit, or is used by no page."
    DIAGRAM = "diagram", "A diagram cannot be drawn as it is, or has no alternative text."
    DRAWING = "drawing", "A drawing in the folder of drawings belongs to no diagram."
    CALCULATOR = (
        "calculator",
        "A calculator has an expression, a range, a preset or a unit that cannot be used.",
    )
    MATH = "math", "A formula cannot be converted."

    def __init__(self, subtype: str, meaning: str) -> None:
        self.subtype = subtype
        self.meaning = meaning


@dataclass(frozen=True, order=True)
class Place:
    """A position in a source file; both count from 1, and 0 means unknown."""

    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: where, what was found, what was expected, what to do."""

    kind: Kind
    docname: str
    place: Place
    message: str


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The entry of *known* that *word* was probably meant to be."""
    folded = {name.casefold(): name for name in sorted(known)}
    match = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=cutoff)
    return folded[match[0]] if match else None


NAMED = 20
"""How many known names a message lists."""


def hint(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown *word*: the nearest known one, or all there are."""
    names = sorted(set(known))
    match = nearest(word, names)
    if match is not None:
        return f'did you mean "{match}"?'
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"known: {', '.join(names[:NAMED])}{more}" if names else "there is none yet"
