"""A build that is killed at any moment, then repeated, gives the clean result.

``KILLS`` in the environment says how many sequences with killed builds are tried, and at how many moments, spread
evenly, two builds are killed; ``REPLAY`` works as in ``test_sequences.py``.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .conftest import Check, drawn
from .corpus import Edit
from .steps import Kill, Step, killed_steps, steps, steps_after

KILLS = int(os.environ.get("KILLS", "10"))
RICH: tuple[Edit, ...] = (("a.figure", 4), ("b.download", 4), ("c.folder", True), ("b.body", 3))
MANY: tuple[Edit, ...] = (
    ("b.title", 1), ("d.there", False), ("c.renamed", True), ("a.figure", 5), ("e.there", True),
    ("a.tags", ("C#",)), ("css", 2),
)  # fmt: skip
ELSEWHERE: tuple[Edit, ...] = (("heading", 2), ("c.title", 2))


@drawn(KILLS)
@given(before=st.lists(steps, max_size=1), killed=killed_steps, after=st.lists(steps_after, max_size=1))
def test_a_killed_build_is_made_good(
    check: Check, before: list[Step], killed: Step, after: list[Step]
) -> None:
    first = Step(RICH, builder=killed.builder, doctrees=killed.doctrees)
    check([first, *before, killed, *after])


@pytest.mark.parametrize("moment", range(KILLS))
@pytest.mark.parametrize("edits", [MANY, (("config.title", 1),)], ids=["many", "config"])
def test_any_moment_will_do(check: Check, edits: tuple[Edit, ...], moment: int) -> None:
    """Killed in all ways in turn; every other time the edits are taken back, with their times, for others."""
    kill = Kill(1000 * moment // KILLS, ("before", "empty", "half")[moment % 3])
    after = Step(ELSEWHERE, back=1, stamp="then") if moment % 2 else Step()
    check([Step(RICH), Step(edits, kill=(kill,), finish=False), after])
