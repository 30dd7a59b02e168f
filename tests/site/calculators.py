"""The calculators in the documents of a folder, and random inputs for them."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sphinx_writing.core.calculator_text import read
from sphinx_writing.core.calculators import Calculator, Case, Input, Value

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(
    r"^(?P<fence>`{3,}|:{3,})\{calculator\}(?P<body>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL
)
_OPTION = re.compile(r":[\w-]+:")


@dataclass(frozen=True)
class Found:
    """A calculator: the page it stands on, its number there, from 0, and the folder of its note."""

    page: str
    number: int
    folder: str
    made: Calculator

    def __str__(self) -> str:
        return f"{self.page}, {self.number + 1}"


def find(docs: Path) -> list[Found]:
    """All calculators of the documents below *docs* but for those of the guide, which shows how one is written."""
    found: list[Found] = []
    for path in sorted(docs.rglob("*.md")):
        name = path.relative_to(docs)
        if name.parts[0] not in ("_build", "guide"):
            page = name.with_suffix(".html").as_posix()
            found += (
                Found(page, i, name.parent.as_posix(), made) for i, made in enumerate(calculators_in(path))
            )
    return found


def calculators_in(path: Path) -> Iterator[Calculator]:
    """The calculators of one document; none of them is at fault."""
    for block in _BLOCK.finditer(path.read_text(encoding="utf-8")):
        lines = block["body"].split("\n")[1:]  # the first is the title
        made, faults = read("\n".join(line for line in lines if not _OPTION.match(line)))
        assert made is not None, (path, faults)
        yield made


def cases(made: Calculator, count: int, seed: str) -> list[Case]:
    """All of its own cases, and as many random ones as make *count*; the same for every run."""
    chance = random.Random(seed)  # noqa: S311 - a repeatable sequence
    drawn = (
        Case("", tuple(_value(one, chance) for one in made.inputs)) for _ in range(count - len(made.cases))
    )
    return [*made.cases, *drawn]


def _value(one: Input, chance: random.Random) -> Value:
    """A value that *one* allows: of all sizes, and sometimes an end of the range."""
    if one.choices:
        return chance.choice(list(one.choices))
    if chance.random() < 0.05:
        value = chance.choice([one.low, one.high])
    elif chance.random() < 0.5:
        value = chance.uniform(one.low, one.high)
    else:  # as many from 10 to 100 as from 1,000 to 10,000
        value = one.low + math.exp(chance.uniform(math.log(1e-3), math.log(one.high - one.low)))
    if one.step:
        value = one.low + one.step * round((value - one.low) / one.step)
    return min(max(value, one.low), one.high)
