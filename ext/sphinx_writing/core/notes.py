"""Where footnotes go when they stand beside the text: with the block that refers to them first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

Block = TypeVar("Block")


def placed(references: Iterable[tuple[str, Block]], inside: Mapping[str, Sequence[str]]) -> dict[str, Block]:
    """The block of each note, in the order in which a reader meets them.

    *references* are those in the text, in order, each with its block; *inside* has the notes, and what each
    refers to. A note to which only notes refer goes with these; one to which nothing refers is left out.
    """
    found: dict[str, Block] = {}
    for name, block in references:
        todo = [name]
        while todo:
            note = todo.pop()
            if note in inside and note not in found:
                found[note] = block
                todo += reversed(inside[note])
    return found


def numbers(order: Iterable[str], labels: Mapping[str, str]) -> dict[str, str]:
    """The labels of the notes in *order*, given out anew so that numbers rise; other labels stay.

    No label is new, so none is one that another footnote of the page has.
    """
    numbered = [name for name in order if labels[name].isdecimal()]
    rising = sorted((labels[name] for name in numbered), key=int)
    return {**labels, **dict(zip(numbered, rising, strict=True))}
