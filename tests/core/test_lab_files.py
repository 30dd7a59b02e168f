"""What lies beside a note, read and checked."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core import lab_files
from sphinx_writing.core.lab_files import Column, LabFile, LabFileError, Quantity, Table

TEXT = """{
  "busbw": {"value": 387.25, "unit": "GB/s"},
  "by": {"value": "ring"},
  "ranks": {"value": 8},
  "sizes": {"columns": [{"head": "$n$"}, {"head": "time", "unit": "s"}], "rows": [
    ["all", null],
    [8, 0.5]
  ]}
}
"""


def test_a_lab_file_gives_values_and_tables_with_their_lines() -> None:
    assert lab_files.load(TEXT) == LabFile(
        {"busbw": Quantity(387.25, "GB/s"), "by": Quantity("ring"), "ranks": Quantity(8)},
        {"sizes": Table((Column("$n$"), Column("time", "s")), (("all", None), (8, 0.5)))},
        {"busbw": 2, "by": 3, "ranks": 4, "sizes": 5},
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not valid"),
        ('{\n"a": {"value": NaN}}', r"NaN is no number \(line 2\)"),
        ('{"a": {"value": NaN}}', "NaN is no number"),
        ('{"a": {"value": -Infinity}}', "-Infinity is no number"),
        ('{"a": {"value": 1e999}}', '"a"'),
        ("[1]", "not a mapping"),
        ('{"a": 1}', '"a" in lab.json needs'),
        ('{"a": {}}', '"a" in lab.json needs'),
        ('{"a": {"value": true}}', '"a" in lab.json needs'),
        ('{"a": {"value": null}}', '"a" in lab.json needs'),
        ('{"a": {"value": 1, "unit": 2}}', '"a" in lab.json needs'),
        ('{"a": {"value": 1}, "a": {"value": 2}}', '"a" stands in it twice'),
        ('{"a": {"value": 1, "units": "B"}}', 'has a field "units"; did you mean "unit"'),
        ('{"a": {"value": "\\u0007"}}', "with a character that no page can show"),
        ('{"\\ud800": {"value": 1}}', "with a character that no page can show"),
        (
            '{"a": {"columns": [{"head": "x"}], "rows": [], "value": 1}}',
            'table "a" in lab.json has a field "value"',
        ),
        (
            '{"a": {"columns": [{"head": "x", "units": "s"}], "rows": []}}',
            'has a field "units"; did you mean "unit"',
        ),
        ('{"a": {"columns": []}}', 'the table "a" in lab.json need a "head"'),
        ('{"a": {"columns": ["x"], "rows": []}}', 'the table "a" in lab.json need a "head"'),
        ('{"a": {"columns": [{"head": "x"}]}}', 'the table "a" in lab.json need 1 cells each'),
        ('{"a": {"columns": [{"head": "x"}], "rows": [[1, 2]]}}', "need 1 cells each"),
        ('{"a": {"columns": [{"head": "x"}], "rows": [[true]]}}', "holds True"),
        ('{"a": {"columns": [{"head": "x"}], "rows": [[1e999]]}}', "holds inf"),
    ],
)
def test_what_is_no_lab_file_is_refused_and_says_what_to_do(text: str, message: str) -> None:
    with pytest.raises(LabFileError, match=message):
        lab_files.load(text)


PRINTABLE = st.text(st.characters().filter(lambda char: char.isprintable() or char == "\u00a0"))


@given(
    st.dictionaries(
        PRINTABLE,
        st.tuples(st.integers() | PRINTABLE | st.floats(allow_nan=False, allow_infinity=False), PRINTABLE),
    )
)
def test_what_json_can_hold_comes_back(entries: dict[str, tuple[float | str, str]]) -> None:
    text = json.dumps({name: {"value": value, "unit": unit} for name, (value, unit) in entries.items()})
    assert lab_files.load(text).values == {name: Quantity(*entry) for name, entry in entries.items()}


def test_a_column_is_numeric_where_no_cell_is_a_text() -> None:
    table = Table((Column("a"), Column("b"), Column("c")), ((1, "x", None), (None, 2, None)))
    assert table.numeric == [True, False, True]
    assert Table((Column("a"),), ()).numeric == [False]


@pytest.mark.parametrize(
    ("unit", "part"),
    [("Gib", "Gib"), ("gb/s", "gb"), ("GB/sec", "sec"), ("tokens", "tokens"), ("FLOPs", "FLOPs")],
)
def test_an_odd_unit_is_named_with_its_line(unit: str, part: str) -> None:
    file = lab_files.load(TEXT.replace("GB/s", unit))
    ((line, message),) = lab_files.odd_units(file, frozenset())
    assert line == 2
    assert f'the unit "{unit}" of "busbw" is not known' in message
    assert f'add "{part}" to writing_units' in message
    assert list(lab_files.odd_units(file, frozenset({part}))) == []


@pytest.mark.parametrize("unit", ["", "%", "GB/s", "GiB", "µs", "KiB/s", "FLOP/B"])
def test_units_of_the_field_are_known(unit: str) -> None:
    assert list(lab_files.odd_units(LabFile({"a": Quantity(1, unit)}), frozenset())) == []


def test_a_unit_over_a_unit_over_a_unit_is_refused() -> None:
    ((_, message),) = lab_files.odd_units(LabFile({"a": Quantity(1, "B/s/s")}), frozenset())
    assert 'the unit "B/s/s" of "a" has more than one "/"' in message


@pytest.mark.parametrize("date", ["9999-12-31T23:59:59-23:59", "0001-01-01T00:00+14:00", "soon"])
def test_a_day_out_of_range_is_refused(date: str) -> None:
    text = json.dumps({"machine": "M", "date": date, "command": "c", "values": {}})
    with pytest.raises(LabFileError, match='the "date"'):
        lab_files.load_measured(text)


def test_a_large_file_is_read_in_its_length() -> None:
    count = 20_000
    body = ",\n".join(f'  "v{i}": {{"value": {i}, "unit": "B"}}' for i in range(count))
    file = lab_files.load("{\n" + body + "\n}" + "\n" * 50_000)
    assert file.lines[f"v{count - 1}"] == count + 1
