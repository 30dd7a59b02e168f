"""``python -m labs`` says what to do where a lab cannot be run."""

from __future__ import annotations

from pathlib import Path

import pytest

from labs import __main__ as command
from labs.kit import files


def test_an_unknown_lab_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["infra/nothing"]) == 2
    assert "no lab named infra/nothing; known: concepts/beam-search" in capsys.readouterr().err


def test_a_lab_without_a_note_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "DOCS", tmp_path)
    assert command.main(["infra/nccl"]) == 2
    assert "the lab infra/nccl has no note: make docs/infra/nccl/index.md" in capsys.readouterr().err


def test_a_module_named_with_a_hyphen_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "infra").mkdir()
    (tmp_path / "infra" / "my-note.py").touch()
    monkeypatch.setattr(files, "ROOT", tmp_path)
    assert files.names() == ["infra/my-note"]
    with pytest.raises(files.LabError, match=r"my-note\.py cannot be imported; name it my_note\.py"):
        files.load("infra/my-note")
