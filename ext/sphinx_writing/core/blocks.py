"""The block of front matter in a source: where it stands, and fields that stand where none are read."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field

from sphinx_writing.core.fields import DECIDES, DECODERS, FOREIGN
from sphinx_writing.core.problems import Place


@dataclass(frozen=True)
class Block:
    """The text between the two ``---`` lines; ``closed`` is False where the second is missing.

    *rest* is what stands behind the block.
    """

    text: str
    closed: bool = True
    rest: str = field(default="", compare=False)


def with_plain_lines(source: str) -> str:
    """*source* with lines that end as on Unix."""
    return source.replace("\r\n", "\n").replace("\r", "\n")


def block_of(source: str) -> Block | None:
    """The front matter block of *source*, or None if it has none."""
    lines = with_plain_lines(source.removeprefix("\ufeff")).split("\n")
    opening = re.match("-{3,}", lines[0])  # as MyST's parser: more hyphens and text behind them are allowed
    if opening is None:
        return None
    closing = re.compile(rf" {{0,3}}-{{{len(opening[0])},}}\s*|\.\.\.\s*")
    for number, line in enumerate(lines[1:], start=1):
        if closing.fullmatch(line):
            return Block("\n".join(lines[1:number]), rest="\n".join(lines[number + 1 :]))
    return Block("\n".join(lines[1:]), closed=False) if opens_a_field(lines[1:]) else None


def opens_a_field(lines: list[str]) -> bool:
    """Whether the first of *lines* that says something begins a field."""
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    return re.match(r"[\w-]+:(\s|$)", first) is not None


_UNSEEN = r"[\s\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
_SEPARATORS = re.compile("[\x85\u2028\u2029]")
"""What YAML counts as the end of a line, and no editor does."""
_BEFORE = re.compile(rf"\A(?:{_UNSEEN}|<!--.*?-->|%[^\n]*\n)*", re.DOTALL)
"""What authors have put in front of front matter: nothing that is seen, and comments."""
_FENCE = re.compile(r"[-+\u2010-\u2015\u2212]{2,}\s*")
"""What they have put for its first line: hyphens, the plus signs of TOML, the dashes that an editor made."""
_NAME = re.compile(r"[\s{]*[\"']?([^\s:=\"'{]+)[\"']?\s*[:=]")
OURS = frozenset([*DECODERS, *FOREIGN])


def displaced(source: str, names: Container[str] = OURS) -> int:
    """The line of front matter that does not stand where it is read; 0 if there is none.

    It may not be on the first line, be TOML, or lack its first line; it begins with one of *names*.
    """
    text = with_plain_lines(source)
    before = _BEFORE.match(text)
    start = before.end() if before else 0
    first, *rest = text[start:].split("\n")
    if _FENCE.fullmatch(first):
        begins = _name_in(next((line for line in rest if line.strip()), ""))
        found = begins in names or any(name in names for name in _names_to_fence(rest))
    else:
        indent = " " if text[:start].endswith((" ", "\t")) else ""
        headed = first.startswith(("#", "- "))  # a page that begins so is no list of fields
        found = not headed and any(name in DECIDES for name in _names_to_fence([indent + first, *rest]))
    return text.count("\n", 0, start) + 1 if found else 0


def _name_in(line: str) -> str:
    """The name of the field that *line* begins, as we would spell it."""
    match = _NAME.match(line)
    return match[1].casefold() if match else ""


def _names_to_fence(lines: list[str]) -> list[str]:
    """The names of the fields in *lines* up to one of hyphens; empty if there is anything else."""
    names: list[str] = []
    for line in lines:
        if re.fullmatch(r"-{3,}\s*", line):
            return names
        names.append(_name_in(line))
        if not names[-1] and line[:1].strip() and not line.startswith(("#", "- ")):
            break
    return []


def out_of_order(source: str, block: Block | None) -> tuple[Place, str] | None:
    """Why the *block* of *source*, or the want of one, is not what its author meant, and where."""
    if "\0" in source:
        message = "this file holds the character 0x00; save it as UTF-8, without that character"
        return place_in(source, source.index("\0")), message
    if block is None:
        line = displaced(source)
        message = 'front matter must be YAML between two lines "---", the first on line 1 of the file'
        return (Place(line, 1), message) if line else None
    if not block.closed:
        return Place(1, 1), 'front matter opens here and is never closed; end it with a line "---"'
    if line := displaced(block.rest, DECIDES):
        line += with_plain_lines(source).count("\n") - block.rest.count("\n")
        message = "here are more fields, behind the end of the front matter; put all of them into one block"
        return Place(line, 1), message
    if separator := _SEPARATORS.search(block.text):
        message = f"front matter holds the invisible end of a line {ord(separator[0]):#06x}; remove it"
        return place_in("\n" + block.text, separator.start() + 1), message
    return None


def place_in(text: str, at: int) -> Place:
    """The place of the character number *at* of *text*."""
    before = with_plain_lines(text[:at])
    return Place(before.count("\n") + 1, len(before) - before.rfind("\n"))
