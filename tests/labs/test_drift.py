"""What is committed beside each note is what its lab computes, prints and draws."""

from __future__ import annotations

from pathlib import Path

import pytest

from labs.kit import Column, Table, Value, figures, files, values

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", files.names())
def test_values_and_tables_have_not_drifted(name: str) -> None:
    committed = values.load((DOCS / name / "lab.json").read_text(encoding="utf-8"))
    assert values.drift(files.computed(name), committed) == [], f"run make labs LABS={name}"


@pytest.mark.parametrize("name", files.names())
def test_what_the_lab_prints_has_not_drifted(name: str) -> None:
    committed = (DOCS / name / "lab.txt").read_text(encoding="utf-8")
    assert files.printed(name) == committed, f"run make labs LABS={name}"


@pytest.mark.parametrize("name", files.names())
def test_plots_are_drawn_as_committed_and_shown(name: str, tmp_path: Path) -> None:
    text = (DOCS / name / "index.md").read_text(encoding="utf-8")
    for stem, draw in files.load(name).FIGURES.items():
        assert f"{stem}.*" in text
        for path in figures.render(draw, stem, tmp_path):
            committed = DOCS / name / path.name
            assert path.read_bytes() == committed.read_bytes(), f"{path.name}: run make labs LABS={name}"


@pytest.mark.parametrize("name", files.names())
def test_no_plot_is_left_over(name: str) -> None:
    drawn = {pattern.format(stem=stem) for stem in files.load(name).FIGURES for pattern in figures.RENDERINGS}
    text = (DOCS / name / "index.md").read_text(encoding="utf-8")
    kept = {path.name for suffix in ("svg", "pdf") for path in (DOCS / name).glob(f"*.{suffix}")}
    assert [file for file in sorted(kept - drawn) if file not in text] == [], "delete what no lab draws"


def test_every_lab_has_a_note_and_every_note_with_values_a_lab() -> None:
    noted = {path.parent.relative_to(DOCS).as_posix() for path in DOCS.glob("*/*/lab.json")}
    assert noted == set(files.names()), "a lab is named after its note, with underscores for hyphens"


def test_drift_is_seen() -> None:
    old = {"a": Value(1.0, "s"), "b": Value("x"), "gone": Value(1)}
    assert values.drift({"a": Value(1.0 + 1e-12, "s"), "b": Value("x"), "gone": Value(1)}, old) == []
    new = {"a": Value(1.0 + 1e-9, "s"), "b": Value("y"), "new": Value(1)}
    assert [line.split(":")[0] for line in values.drift(new, old)] == ["a", "b", "gone", "new"]
    assert values.drift({"a": Value(1.0, "ms")}, {"a": Value(1.0, "s")})


def test_drift_of_a_table_names_row_and_column() -> None:
    columns = (Column("size", "KiB"), Column("who"))
    old = {"t": Table(columns, ((1.0, "a"), (2.0, None)))}
    assert values.drift({"t": Table(columns, ((1.0 + 1e-12, "a"), (2.0, None)))}, old) == []
    assert values.drift({"t": Table(columns, ((1.0, "a"), (2.5, None)))}, old) == [
        "t, row 2, size: computed 2.5, committed 2.0"
    ]
    assert values.drift({"t": Table(columns, ((1.0, "a"),))}, old)
    assert values.drift({"t": Table((Column("size", "kB"), columns[1]), old["t"].rows)}, old)
    assert values.drift({"t": Value(1)}, old)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_value_that_is_no_number_is_refused_and_named(bad: float) -> None:
    with pytest.raises(ValueError, match="a: a lab value must be finite"):
        values.dump({"a": Value(bad)})
    with pytest.raises(ValueError, match="t: a lab value must be finite"):
        values.dump({"t": Table((Column("x"),), ((bad,),))})


def test_a_row_that_does_not_fit_its_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="a row has 2 cells for 1 columns"):
        Table((Column("x"),), ((1, 2),))


def test_a_lab_file_reads_back() -> None:
    table = Table((Column("$n$"), Column("time", "µs")), ((8, 1 / 3), ("all", None)))
    made: dict[str, values.Entry] = {"b": Value(1 / 3, "GB/s"), "a": Value("ring"), "c": Value(7), "t": table}
    read = values.load(values.dump(made))
    assert read == {
        **made,
        "b": Value(0.333333333333, "GB/s"),
        "t": Table(table.columns, ((8, 0.333333333333), ("all", None))),
    }
    assert list(read) == ["a", "b", "c", "t"]
