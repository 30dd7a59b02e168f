"""Markdown: text of which nothing is taken for markup, and the blocks that a document is made of.

The dialect is CommonMark with what most readers know beside it: tables, notes and formulas between dollars.
A paragraph is one line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

BREAK = "\\\n"
"""A line that ends within its paragraph."""
TICKED, NOT_TICKED = "\x0e", "\x0f"
"""What stands for the boxes of tasks until :func:`finished`, so that text that looks like one is none."""
LINK, LINK_END = "\x02", "\x03"
"""What stands around the address of a page that may have a Markdown file, until all files are known."""

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_BLANKS = re.compile(r"[^\S\u00a0]+")
_MARKUP = re.compile(
    r"""
    \\(?=[!-/:-@\[-`{-~]|$)        # a backslash that would protect what follows
  | [`$]
  | (?<!\s)\*|\*(?!\s)             # one between blanks marks nothing
  | (?<![^\W_])_|_(?![^\W_])       # one within a word marks nothing
  | \](?=[(\[:]|$)                 # the end of the text of a link
  | \[(?=\^|$)|(?<=\^)\[           # a mark of a note
  | <(?=[A-Za-z/!?]|$)
  | &(?=\#?\w+;|$)
  | ~(?=~|$)|(?<=\S)~
    """,
    re.VERBOSE,
)
_BRACKETS = re.compile(r"(?<!\\)[\[\]]")
_OPENING = re.compile(r"#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|\[(?=[ xX]\](?:\s|$))|=+\s*$|-+\s*$|:(?=\s)")
"""What begins another block, or marks one, at the start of a line."""
_NUMBERED = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_NOTE = re.compile(r"(\[\^[^\]\s]+\]):")
_DELIMITERS = re.compile(r"\\?\|")
_TICKS = re.compile(r"`+")


def clean(text: str) -> str:
    """*text* without characters that no text file should hold; line ends are those of Unix."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def escaped(text: str) -> str:
    """*text* within a paragraph, each run of blanks as one."""
    return _MARKUP.sub(lambda found: f"\\{found[0]}", _BLANKS.sub(" ", clean(text)))


def started(line: str) -> str:
    """*line* of a paragraph, so that it begins nothing else."""
    if found := _NUMBERED.match(line):
        return f"{found[1]}\\{line[found.end(1) :]}"
    if found := _NOTE.match(line):
        return f"{found[1]}\\{line[found.end(1) :]}"
    return f"\\{line}" if _OPENING.match(line) else line


def paragraph(text: str) -> str:
    """A paragraph of *text*, which is Markdown already."""
    lines = (line.strip(" \t") for line in text.strip(" \t\n").removesuffix("\\\n").split("\n"))
    return "\n".join(started(line) for line in lines if line)


def code(text: str) -> str:
    """*text* as code in a sentence."""
    text = _BLANKS.sub(" ", clean(text))
    if not text:
        return ""
    ticks = _longer(text, 1)
    pad = " " if text.startswith("`") or text.endswith("`") or _is_padded(text) else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _is_padded(text: str) -> bool:
    """Whether a reader would take blanks from both ends of *text*."""
    return text.startswith(" ") and text.endswith(" ") and bool(text.strip())


def fence(text: str, language: str = "") -> str:
    """*text* as a block of code."""
    text = clean(text).strip("\n")
    ticks = _longer(text, 3)
    name = re.sub(r"[\s`\\&]+", "", clean(language))
    return f"{ticks}{name}\n{text}\n{ticks}"


def _longer(text: str, least: int) -> str:
    """More ticks than stand side by side in *text*."""
    return "`" * max(least, 1 + max(map(len, _TICKS.findall(text)), default=0))


def formula(tex: str) -> str:
    """*tex* in a sentence; one that holds a dollar itself as code, which hosts read as a formula, too."""
    tex = _BLANKS.sub(" ", clean(tex)).strip()
    if not tex:
        return ""
    return f"$`{tex}`$" if re.search(r"(?<!\\)\$", tex) or tex.endswith("\\") else f"${tex}$"


def displayed(tex: str, number: str, *, whole: bool) -> str:
    """*tex* as a formula of its own with its *number*; *whole* says that it brings an environment with it."""
    lines = [line.rstrip() for line in clean(tex).strip().split("\n") if line.strip()]
    if not whole and r"\\" in tex and r"\begin" not in tex:
        lines = [r"\begin{aligned}", *lines, r"\end{aligned}"]
    if number and not whole:
        lines.append(rf"\tag{{{number}}}")
    return "\n".join(["$$", *lines, f"$$ ({number})" if number and whole else "$$"])


def link(text: str, address: str) -> str:
    """A link that shows *text*, which is Markdown already; *text* alone where there is no address."""
    return f"[{text}]({_target(address)})" if address and text.strip() else text


def shown_address(address: str) -> str:
    """A link that shows its own *address*."""
    return f"<{_target(address)}>"


def picture(alt: str, address: str) -> str:
    """A picture; its description alone where it has no address."""
    words = bracketed(escaped(alt)).strip()
    return f"![{words}]({_target(address)})" if address else words


def bracketed(text: str) -> str:
    """*text* of a link, which no bracket in it ends."""
    return _BRACKETS.sub(lambda found: f"\\{found[0]}", text)


def _target(address: str) -> str:
    return "".join(_QUOTED.get(char, char) for char in address if char >= " " or char in (LINK, LINK_END))


_QUOTED = {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", "|": "%7C", "*": "%2A"}


def marked(text: str, mark: str, before: str, after: str) -> str:
    """*text* between two of *mark*, if a reader sees them as such between *before* and *after*.

    Blanks at its ends come to stand outside.
    """
    inner = text.strip()
    if not inner or "\n" in inner:
        return text
    head, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    opens = bool(head) or inner[0].isalnum() or not _is_word(before[-1:])
    closes = bool(tail) or inner[-1].isalnum() or not _is_word(after[:1])
    clear = not before.endswith(("*", "\\")) and not after.startswith("*")
    return f"{head}{mark}{inner}{mark}{tail}" if opens and closes and (clear or head or tail) else text


def _is_word(char: str) -> bool:
    """Whether *char* is neither a blank nor a mark of punctuation, nor the end of a text."""
    return bool(char) and not char.isspace() and unicodedata.category(char)[0] not in "PS"


def quoted(blocks: str) -> str:
    """*blocks* as a quotation."""
    return "\n".join(f"> {line}" if line else ">" for line in blocks.split("\n"))


def item(marker: str, blocks: str) -> str:
    """An item of a list, what follows its first line below it."""
    indent = " " * (len(marker) + 1)
    first, *rest = blocks.split("\n")
    return "\n".join([f"{marker} {first}".rstrip(), *(f"{indent}{line}" if line else "" for line in rest)])


def note(name: str, blocks: str) -> str:
    """What the mark of a note leads to."""
    first, *rest = blocks.split("\n")
    return "\n".join([f"[^{name}]: {first}".rstrip(), *(f"    {line}" if line else "" for line in rest)])


def mark_of(name: str) -> str:
    """The mark that leads to the note *name*."""
    return f"[^{name}]"


def label(text: str) -> str:
    """*text* as the name of a note."""
    return re.sub(r"[\s\[\]^`\\|]+", "-", clean(text)).strip("-") or "note"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], sides: Sequence[str]) -> str:
    """A table; *sides* says for each column where its cells are set: left, right, center or nothing."""
    rules = {"left": ":--", "right": "--:", "center": ":-:"}
    lines = [_row(head), f"| {' | '.join(rules.get(side, '---') for side in sides)} |", *map(_row, rows)]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return text.replace(BREAK, "<br>").replace("\n", " ").replace("|", r"\|").strip()


def in_cell(tex: str) -> str:
    """*tex* with words for its bars, which would end a cell, or mean something else once they are escaped."""
    if r"\begin" in tex:
        return tex
    return _DELIMITERS.sub(lambda found: r"\Vert " if len(found[0]) > 1 else r"\vert ", tex)


def heading(level: int, text: str) -> str:
    """A heading; a line cannot end in it."""
    words = text.replace(BREAK, " ").replace("\n", " ").strip()
    closing = re.search(r"(?:^|\s)(#+)$", words)
    words = f"{words[: closing.start(1)]}\\{closing[1]}" if closing else words
    return f"{'#' * min(level, 6)} {words}".rstrip()


def finished(text: str) -> str:
    """*text* with the boxes of its tasks, ended by one line end."""
    return text.replace(TICKED, "[x] ").replace(NOT_TICKED, "[ ] ").strip("\n") + "\n"
