"""The Python in the prose runs as it stands: what a reader pastes works, and doctests print what they say."""

from __future__ import annotations

from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.myst import PythonCodeBlockParser, SkipParser

from .conftest import ROOT

PROSE = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SYBIL = Sybil([PythonCodeBlockParser(), SkipParser()])


def run(path: Path) -> int:
    """Run the examples of *path* one after the other, each with the names of those before; how many."""
    examples = list(SYBIL.parse(path).examples())
    for example in examples:
        example.evaluate()
    return len(examples)


@pytest.mark.parametrize(
    "path", [p for p in PROSE if "_build" not in p.parts], ids=lambda p: str(p.relative_to(ROOT))
)
def test_snippets_run(path: Path) -> None:
    run(path)


@pytest.mark.parametrize("code", ["1 / 0", ">>> 1 + 1\n3"])
def test_a_snippet_that_does_not_run_is_named(tmp_path: Path, code: str) -> None:
    path = tmp_path / "note.md"
    path.write_text(f"# Note\n\n```python\nx = 1\n```\n\n```python\n{code}\n```\n")
    with pytest.raises(Exception, match=r"division by zero|note\.md.*line 8"):
        run(path)


def test_snippets_of_a_page_share_their_names(tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text("```python\nx = 1\n```\n\n```python\n>>> x\n1\n```\n")
    assert run(path) == 2
