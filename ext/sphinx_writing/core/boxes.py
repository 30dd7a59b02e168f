"""What is said of the boxes that hold code and tables: their labels and names, and how wide they are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from unicodedata import east_asian_width

NARROW = 32
"""Columns of code that stand side by side on every screen; what is longer may scroll."""

UNSAID = {"", "default", "guess", "none", "output", "text"}
"""Languages that are none."""

LABELS = {
    "bash": "Shell",
    "bat": "Batch",
    "console": "Console",
    "ipython": "IPython",
    "ipython3": "IPython",
    "pycon": "Python session",
    "pycon3": "Python session",
    "python3": "Python",
    "py": "Python",
    "sh": "Shell",
    "shell": "Shell",
    "shell-session": "Shell session",
    "zsh": "Shell",
}
"""Languages whose readers know them by another name than Pygments does."""


def label(language: str, lexer: str) -> str:
    """What a box says of its *language*, empty if it is none; *lexer* is Pygments' name for it."""
    name = language.lower()
    return "" if name in UNSAID or lexer == "Text only" else LABELS.get(name, lexer)


def is_path(caption: str) -> bool:
    """Whether *caption* is nothing but the path of a file."""
    return bool(re.fullmatch(r"[\w.~$+@-]*[/.][\w./+@-]*\w", caption))


def may_scroll(code: str) -> bool:
    """Whether *code* has a line that is wider than the narrowest box."""
    return any(columns(line) > NARROW for line in code.expandtabs(8).splitlines())


def columns(line: str) -> int:
    """How many columns *line* takes; letters of East Asia take two."""
    return sum(2 if east_asian_width(letter) in "FW" else 1 for letter in line)


def unique(names: Iterable[str]) -> list[str]:
    """The *names*, each a different one: the second of several alike gets a 2, and so on."""
    wanted = list(names)
    taken, seen, made = set(wanted), Counter[str](), []
    for name in wanted:
        seen[name] += 1
        free, number = name, seen[name]
        while number > 1 and free in taken:
            free, number = f"{name} ({number})", number + 1
        taken.add(free)
        made.append(free)
    return made


_NUMBER = re.compile(
    r"[≈~<>≤≥±+−–-]? ?(\d{1,3}([,\u00a0\u2009\u202f]\d{3})+|\d+)(\.\d+)?([eE][+−-]?\d+)?( ?[%×‰°])?"
)
_NOTHING = {"", "-", "–", "—", "n/a"}


def is_numeric(cells: Sequence[str]) -> bool:
    """Whether the *cells* of a column are numbers without a unit; some may be empty, not all."""
    numbers = [cell for cell in (text.strip() for text in cells) if cell not in _NOTHING]
    return bool(numbers) and all(map(_NUMBER.fullmatch, numbers))


GAP = 3
"""Columns of letters that the space between two columns of a table takes."""


def table_may_scroll(rows: Iterable[Iterable[str]]) -> bool:
    """Whether a table with these cells may be wider than the narrowest box, however its words are broken."""
    widest: list[int] = []
    for row in rows:
        words = [max(map(columns, cell.split()), default=0) for cell in row]
        widest = [max(pair) for pair in zip_longest(widest, words, fillvalue=0)]
    return sum(widest) + GAP * len(widest) > NARROW
