"""``python -m labs`` says what to do where a lab cannot be run."""

from __future__ import annotations

import types
from pathlib import Path

import pytest

from labs import __main__ as command
from labs.kit import Value, files, machine
from sphinx_writing.core import lab_files


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("zzz", "no lab named zzz; known: concepts/beam-search"),
        ("docs/infra/nccl/", "no lab named docs/infra/nccl/; did you mean infra/nccl?"),
        ("concepts/beam_search", "did you mean concepts/beam-search?"),
        ("beam-search", "did you mean concepts/beam-search?"),
    ],
)
def test_an_unknown_lab_is_named(name: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([name]) == 2
    assert message in capsys.readouterr().err


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


def test_a_measurement_names_its_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lab = types.SimpleNamespace(
        measure=lambda: {"wall": Value(1 / 3, "s")}, versions=lambda: {"gcc": "12.2.0"}
    )
    (tmp_path / "docs/infra/nccl").mkdir(parents=True)
    monkeypatch.setattr(command, "DOCS", tmp_path / "docs")
    monkeypatch.setattr(files, "load", lambda name: lab)
    assert command.main(["--measure", "infra/nccl"]) == 0
    assert capsys.readouterr().out == "docs/infra/nccl/measured.json\n"
    found = lab_files.load_measured((tmp_path / "docs/infra/nccl/measured.json").read_text(encoding="utf-8"))
    assert found.values == {"wall": lab_files.Quantity(0.333333333333, "s")}
    assert found.command == "python -m labs --measure infra/nccl"
    assert found.machine == machine.describe()
    assert "GiB" in found.machine
    assert found.runs == 1
    assert found.versions["gcc"] == "12.2.0"
    assert "Python" in found.versions


@pytest.mark.parametrize(
    ("lab", "message"),
    [
        (
            types.SimpleNamespace(values=lambda: {"a": Value(float("nan"))}, main=print, FIGURES={}),
            "the lab infra/nccl computes what cannot be kept: a: a lab value must be finite, not nan; mend the lab",
        ),
        (types.SimpleNamespace(main=print, FIGURES={}), "the lab infra/nccl has no values; every lab has"),
    ],
)
def test_a_lab_at_fault_is_named(
    lab: object, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(files, "load", lambda name: lab)
    assert command.main(["infra/nccl"]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--measure"], "say which labs to measure"), (["--measure", "infra/nccl"], "has no measure()")],
)
def test_what_cannot_be_measured_is_said(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(arguments) == 2
    assert message in capsys.readouterr().err
