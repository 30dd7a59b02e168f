"""After any sequence of edits an incremental build is, byte for byte, a clean one.

``SEQUENCES`` in the environment says how many sequences are tried; CI takes a fixed few.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from .corpus import Corpus, Edit, edits

SEQUENCES = int(os.environ.get("SEQUENCES", "8"))
BUILDERS = ("html", "html", "html", "dirhtml", "text")


def tree(folder: Path) -> dict[str, str]:
    """A digest of every file below *folder*."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".buildinfo.bak"  # Sphinx keeps the last one when options change
    }


def build(source: Path, into: Path, builder: str, jobs: int = 1) -> Path:
    """Build *source* in a process of its own, as authors do; return the output folder."""
    out = into / builder
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-b",
        builder,
        "-j",
        str(jobs),
        "-d",
        str(into / "doctrees"),
    ]
    done = subprocess.run([*command, str(source), str(out)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


@settings(
    max_examples=SEQUENCES,
    derandomize=True,
    phases=[Phase.generate],  # shrinking builds the site for minutes; the steps are short as they are
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(
    st.lists(st.tuples(edits, st.sampled_from(BUILDERS), st.sampled_from([1, 1, 2])), min_size=2, max_size=4)
)
def test_incremental_is_clean(steps: list[tuple[Edit, str, int]]) -> None:
    folder = Path(tempfile.mkdtemp(prefix="invariants-"))
    source, corpus = folder / "source", Corpus()
    source.mkdir()
    try:
        corpus.write(source)
        build(source, folder / "kept", "html")
        for edit, builder, jobs in steps:
            note(f"{edit.__name__} -> {builder} -j {jobs}")
            corpus = edit(corpus)
            corpus.write(source)
            build(source, folder / "kept", builder, jobs)
        for builder in sorted({"html", *(builder for _, builder, _ in steps)}):
            kept = tree(build(source, folder / "kept", builder))
            clean = tree(build(source, folder / f"clean-{builder}", builder))
            different = {name for name in kept.keys() | clean.keys() if kept.get(name) != clean.get(name)}
            assert different == set(), builder
    finally:
        shutil.rmtree(folder)
