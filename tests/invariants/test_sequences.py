"""After any sequence of edits, builders and output folders, an incremental build is, byte for byte, a clean one.

``SEQUENCES`` in the environment says how many sequences are tried; CI takes a fixed few. A failure prints
its steps: put these lines into a file and name it in ``REPLAY`` to run them alone, and take lines away by hand
until the fault is plain:

    REPLAY=steps.txt python -m pytest tests/invariants/test_sequences.py

Hypothesis does it too when ``Phase.shrink`` is added to the phases in ``conftest.drawn``; it builds for many minutes.
"""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from .conftest import Check, drawn
from .steps import Step, read, steps

SEQUENCES = int(os.environ.get("SEQUENCES", "16"))
REPLAY = os.environ.get("REPLAY", "")

if REPLAY:

    def test_replayed(check: Check) -> None:
        check(read(Path(REPLAY).read_text(encoding="utf-8")))

else:

    @drawn(SEQUENCES)
    @given(sequence=st.lists(steps, min_size=3, max_size=6))
    def test_incremental_is_clean(check: Check, sequence: list[Step]) -> None:
        check(sequence)
