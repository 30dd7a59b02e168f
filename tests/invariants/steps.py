"""One step of a sequence: edits, and the build that follows them, as a value that is printed and read as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields

from hypothesis import strategies as st

from .corpus import Edit, edits


@dataclass(frozen=True)
class Harm:
    """What happens to one of the files in the output: *which* counts through those of the *kind*."""

    how: str
    """``delete``, ``cut`` (to half), ``empty`` or ``turn`` (other bytes, as many)."""
    kind: str
    """``page`` or ``other``."""
    which: int


@dataclass(frozen=True)
class Kill:
    """When a build is killed: after so many thousandths of its file events (see ``server.Kill``) or its time."""

    at: int
    how: str
    """``before``, ``empty``, ``half``, or ``time``."""


@dataclass(frozen=True)
class Step:
    """Edits and a build."""

    edits: tuple[Edit, ...] = ()
    back: int = 0
    """So many of the last steps' edits are taken back first."""
    stamp: str = "now"
    """The times of changed files: ``now``, ``then`` (as they were when they last held this), ``old``."""
    builder: str = "html"
    folder: str = "A"
    doctrees: str = "shared"
    """``shared`` by all builders and folders, or the ``own`` ones that lie in the output folder."""
    jobs: int = 1
    flag: str = ""
    """``-E``, ``-a``, or ``file``: only one document is named."""
    harm: tuple[Harm, ...] = ()
    kill: tuple[Kill, ...] = ()
    """How often, one after another, the build is tried and killed."""
    finish: bool = True
    """Whether it is then built to the end."""

    @property
    def out(self) -> str:
        """The output folder; what is known of it lies with its doctrees, so it has one folder of them."""
        return f"{self.builder}-{self.folder}-{self.doctrees}"

    def text(self) -> str:
        """The step as JSON, without what is as usual."""
        usual = {f.name: f.default for f in fields(self)}
        return json.dumps({k: v for k, v in asdict(self).items() if v != usual[k]}, ensure_ascii=False)


def read(text: str) -> list[Step]:
    """The steps in *text*, one in each line that begins with a brace."""
    found = [json.loads(line) for line in map(str.strip, text.splitlines()) if line.startswith("{")]
    for values in found:
        values["edits"] = tuple((name, value) for name, value in values.get("edits", ()))
        values["harm"] = tuple(Harm(**harm) for harm in values.get("harm", ()))
        values["kill"] = tuple(Kill(**kill) for kill in values.get("kill", ()))
    return [Step(**values) for values in found]


def text_of(steps: Sequence[Step]) -> str:
    """The steps as text that ``read`` takes."""
    return "\n".join(step.text() for step in steps)


harms = st.builds(
    Harm,
    st.sampled_from(["delete", "cut", "empty", "turn"]),
    st.sampled_from(["page", "other"]),
    st.integers(0, 99),
)
kills = st.builds(
    Kill, st.integers(0, 999), st.sampled_from(["before", "before", "empty", "empty", "half", "time"])
)

_edits = st.lists(edits, min_size=1, max_size=3).map(tuple)
_flag = st.sampled_from(["", "", "", "", "", "", "", "-E", "-a", "file"])
_stamps = st.sampled_from(["now", "now", "now", "then", "old"])


steps = st.builds(
    Step,
    edits=_edits,
    back=st.sampled_from([0, 0, 0, 0, 1, 2]),
    stamp=_stamps,
    builder=st.sampled_from(["html", "html", "html", "html", "dirhtml", "latex", "epub", "text"]),
    folder=st.sampled_from("AAAB"),
    doctrees=st.sampled_from(["shared", "shared", "shared", "own"]),
    jobs=st.sampled_from([1, 1, 2]),
    flag=_flag,
    harm=st.lists(harms, max_size=1).map(tuple),
)
"""A step whose build runs to its end."""

killed_steps = st.builds(
    Step,
    edits=_edits,
    builder=st.sampled_from(["html", "html", "html", "html", "dirhtml", "latex", "epub"]),
    doctrees=st.sampled_from(["shared", "shared", "own"]),
    jobs=st.sampled_from([1, 1, 1, 2]),
    flag=_flag,
    kill=st.lists(kills, min_size=1, max_size=2).map(tuple),
    finish=st.booleans(),
)
"""A step whose build is killed, and then perhaps repeated."""

steps_after = st.builds(
    Step,
    edits=_edits,
    back=st.sampled_from([0, 1]),
    stamp=st.sampled_from(["now", "then"]),
    builder=st.sampled_from(["html", "html", "dirhtml", "epub"]),
)
"""A step after such a one: another edit, or the last one taken back with the old times."""
