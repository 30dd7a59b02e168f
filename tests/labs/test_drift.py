"""Every committed value is what its lab computes, and every value is quoted in its note."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from labs.kit import files, values

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", files.names())
def test_values_have_not_drifted(name: str) -> None:
    committed = values.load((DOCS / name / "lab.json").read_text(encoding="utf-8"))
    assert values.drift(files.load(name).values(), committed) == []


@pytest.mark.parametrize("name", files.names())
def test_every_value_is_quoted_and_every_quote_has_a_value(name: str) -> None:
    text = (DOCS / name / "index.md").read_text(encoding="utf-8")
    quoted = set(re.findall(r"\{lab\}`\s*([^`:\s]+)", text))
    assert quoted == set(values.load((DOCS / name / "lab.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", files.names())
def test_every_plot_is_committed_in_light_dark_and_print(name: str) -> None:
    text = (DOCS / name / "index.md").read_text(encoding="utf-8")
    for stem in files.load(name).FIGURES:
        for pattern in ("{}.svg", "{}-dark.svg", "{}.pdf"):
            assert (DOCS / name / pattern.format(stem)).is_file()
        assert f"{stem}.*" in text


def test_drift_is_seen() -> None:
    old = {"a": values.Value(1.0, "s"), "b": values.Value("x"), "gone": values.Value(1)}
    assert (
        values.drift(
            {"a": values.Value(1.0 + 1e-12, "s"), "b": values.Value("x"), "gone": values.Value(1)}, old
        )
        == []
    )
    new = {"a": values.Value(1.0 + 1e-9, "s"), "b": values.Value("y"), "new": values.Value(1)}
    assert [line.split(":")[0] for line in values.drift(new, old)] == ["a", "b", "gone", "new"]
    assert values.drift({"a": values.Value(1.0, "ms")}, {"a": values.Value(1.0, "s")})


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_value_that_is_no_number_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        values.dump({"a": values.Value(bad)})


def test_a_lab_file_reads_back() -> None:
    made = {"b": values.Value(1 / 3, "GB/s"), "a": values.Value("ring"), "c": values.Value(7)}
    assert values.load(values.dump(made)) == {**made, "b": values.Value(0.333333333333, "GB/s")}
    assert list(values.load(values.dump(made))) == ["a", "b", "c"]
