"""Calculators: how their text is read, what is said of what does not fit, their table, and what the script gets."""

from __future__ import annotations

import json
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core import calculators, quotes
from sphinx_writing.core.calculator_text import read
from sphinx_writing.core.calculators import Calculator, Case, Cell, for_script, results, shown, table, typed
from sphinx_writing.core.inline import plain

CACHE = """\
inputs:
  layers: {label: Layers, range: [1, 200], default: 32}
  width: {label: "Width, $d$", range: [0.5, 4], default: 1, step: 0.5}
  element:
    label: Element
    choices: {BF16: 2, FP8: 1}
  tokens: {label: Tokens, unit: tokens, range: [1, 1_000_000], default: 10_000}
presets:
  large: {layers: 80}
  small: {layers: 16, element: FP8}
outputs:
  bytes: {label: Bytes, unit: B, value: layers * width * element * tokens}
  size: {label: Size, unit: MiB, value: bytes / 2**20, digits: 3, lab: size_of}
note: "As *above*."
"""


def cache(old: str = "", new: str = "") -> tuple[Calculator | None, list[str]]:
    """The calculator with *new* in place of *old*, and what is wrong with it, each with its line."""
    assert old in CACHE
    made, faults = read(CACHE.replace(old, new) if old else CACHE)
    assert (made is None) == bool(faults)
    return made, [f"{fault.line}: {fault.message}" for fault in faults]


def good(text: str = CACHE) -> Calculator:
    made, faults = read(dedent(text))
    assert faults == ()
    assert made is not None
    return made


def test_what_is_read() -> None:
    made = good()
    layers, width, element, tokens = made.inputs
    assert (layers.low, layers.high, layers.step, layers.default) == (1, 200, 1, 32)
    assert (width.step, plain(width.label)) == (0.5, "Width, d")
    assert (element.choices, element.default) == ({"BF16": 2, "FP8": 1}, "BF16")
    assert (tokens.default, tokens.unit) == (10_000, "tokens")
    assert made.presets == (
        Case("large", (80.0, 1.0, "BF16", 10_000.0)),
        Case("small", (16.0, 1.0, "FP8", 10_000.0)),
    )
    assert [(one.name, one.unit, one.digits, one.lab) for one in made.outputs] == [
        ("bytes", "B", 4, ""),
        ("size", "MiB", 3, "size_of"),
    ]
    assert made.outputs[0].formula == "layers * width * element * tokens"
    assert made.note == "As *above*."
    assert results(made, made.presets[1].values) == (160_000.0, 160_000 / 2**20)


def test_steps_are_whole_where_all_numbers_are() -> None:
    text = """\
        inputs:
          a: {label: A, range: [0, 10], default: 5}
          b: {label: B, range: [0, 10], default: 2.5}
          c: {label: C, range: [0, 10], default: 5}
        presets:
          other: {c: 1.5}
        outputs:
          sum: {label: Sum, value: a + b + c}
    """
    assert [one.step for one in good(text).inputs] == [1, 0, 0]


def test_choices_that_are_numbers_and_names_that_look_like_something_else() -> None:
    text = """\
        inputs:
          n: {label: N, choices: [1, 2, 4], default: 2}
          on: {label: Switch, choices: {yes: 1, no: 0}, default: no}
        presets:
          2026: {n: 4, on: yes}
        outputs:
          y: {label: Y, value: n + on}
    """
    made = good(text)
    assert [one.default for one in made.inputs] == ["2", "no"]
    assert made.presets == (Case("2026", ("4", "yes")),)
    assert made.results == (2.0,)


@pytest.mark.parametrize(
    ("old", "new", "faults"),
    [
        ("layers * width", "layres * width", ['12: output "bytes": value: "layres * width * element * tokens" has an unknown name "layres"; did you mean "layers"? (character 1)']),
        ("bytes / 2**20", "size / 2**20", ['13: output "size": value: "size / 2**20" uses "size", which is computed here or after it; outputs use those before them (character 1)']),
        ("layers * width", "size * width", ['12: output "bytes": value: "size * width * element * tokens" uses "size", which is computed here or after it; outputs use those before them (character 1)']),
        ("bytes / 2**20", "42", ['13: output "size": value: "42" is always the same; use the inputs']),
        (" * width", "", ['3: input "width" is used by no output; use it, or remove it']),
        ("/ 2**20", "/ (layers - 16)", ['10: preset "small": output "size" has no value: it divides by zero or is too large']),
        ("/ 2**20", "/ (layers - 32)", ['2: the default: output "size" has no value: it divides by zero or is too large']),
        ("default: 32", "default: 201", ['2: input "layers": default: 201 is not in the range, 1 to 200']),
        ("default: 32", "default: many", ['2: input "layers": default: expected a number, found text (many)']),
        (", default: 32", "", ['2: input "layers" needs a "default"; give a number from 1 to 200']),
        ("default: 32", "default: 32.5, step: 1", ["2: the default: layers: 32.5 is none of the steps of 1 from 1"]),
        ("layers: 80", "layers: 800", ['9: preset "large": layers: 800 is not in the range, 1 to 200']),
        ("layers: 80", "layres: 80", ['9: preset "large": unknown input "layres"; did you mean "layers"?']),
        ("layers: 80", "width: 0.7", ['9: preset "large": width: 0.7 is none of the steps of 0.5 from 0.5']),
        ("layers: 80", "layers: 80, layers: 80", ['9: preset "large": "layers" is written twice; remove one']),
        ("element: FP8", "element: FP9", ['10: preset "small": element: "FP9" is no choice; did you mean "FP8"?']),
        ("{layers: 80}", "80", ['9: preset "large": expected values of inputs, found a number (80)']),
        ("large:", "small:", ['10: presets: "small" is written twice; remove one']),
        ("[1, 200]", "[200, 1]", ['2: input "layers": range: 200 is not below 1; write [lowest, highest]']),
        ("[1, 200]", "200", ['2: input "layers": range: expected [lowest, highest], found a number (200)']),
        ("[1, 200]", "[1, 1e999]", ['2: input "layers": range: expected a number, found text (1e999)']),
        ("step: 0.5", "step: 0", ['3: input "width": step: expected a number above 0, found a number (0)']),
        ("choices: {BF16: 2, FP8: 1}", "choices: {BF16: 2}", ['6: input "element": choices: expected from two to 40 different choices, found 1']),
        ("choices: {BF16: 2, FP8: 1}", "choices: {BF16: 2, BF16: 1}", ['6: input "element": choices: "BF16" is written twice; remove one']),
        ("choices: {BF16: 2, FP8: 1}", "range: [1, 2]", ['5: input "element" needs a "default"; give a number from 1 to 2']),
        ("{BF16: 2, FP8: 1}", "{BF16: 2, FP8: 1}\n    range: [1, 2]", ['5: input "element" needs either a "range" or "choices"']),
        ("{BF16: 2, FP8: 1}", "{BF16: 2, FP8: 1}\n    step: 1", ['5: input "element" has choices, which have no "step"; remove it']),
        ("label: Layers", "lable: Layers", ['2: input "layers": unknown field "lable"; did you mean "label"?', '2: input "layers" needs "label"; add it']),
        ("label: Layers", "label: 7", ['2: input "layers": label: expected text, found a number (7); quote it: "7"']),
        ("label: Size", "label: Size, label: Size", ['13: output "size": "label" is written twice; remove one']),
        ("digits: 3", "digits: 3.5", ['13: output "size": digits: expected a whole number from 1 to 15, found a number (3.5)']),
        ("lab: size_of", "lab: size-of", ['13: output "size": lab: "size-of" is no name of a function of the lab']),
        ("  size: {", "  Size: {", ['13: "Size" is no name for a value: use lower-case letters, digits and _']),
        ("  size: {", "  max: {", ['13: "max" is no name for a value: the language of expressions has it already; choose another']),
        ("  size: {", "  layers: {", ['13: output "layers" has the name of another value; choose another']),
        ("{label: Size, unit: MiB, value: bytes / 2**20, digits: 3, lab: size_of}", "12", ['13: output "size": expected fields such as label, found a number (12)']),
        ("note:", "notes:", ['14: a calculator: unknown field "notes"; did you mean "note"?']),
        ("outputs:", "results:", ['11: a calculator: unknown field "results"; did you mean "presets"?', '1: a calculator needs "outputs"; add it']),
        ('"As *above*."', "as: above", ["14: is not valid YAML: mapping values are not allowed here; quote texts that hold a colon, a comma or a bracket"]),
    ],
)  # fmt: skip
def test_what_does_not_fit(old: str, new: str, faults: list[str]) -> None:
    assert cache(old, new)[1] == faults


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'needs "inputs" and "outputs", found nothing'),
        ("- a", 'needs "inputs" and "outputs", found a list'),
        ("inputs: {}\noutputs: {}", "inputs: expected a mapping of names, found none"),
        ("[" * 2000, "cannot be read as YAML; write it flatter"),
        ("inputs: &a {b: *a}\noutputs: {}", 'input "b": unknown field "b"; known: choices, default, label, range, step, unit'),
        ("inputs: {a: {label: A\0}}", "is not valid YAML: special characters are not allowed"),
        ("inputs: " + str({f"a{i}": 1 for i in range(41)}) + "\noutputs: {}", "inputs: expected at most 40, found 41; drop some"),
    ],
)  # fmt: skip
def test_what_is_no_calculator(text: str, message: str) -> None:
    made, faults = read(text)
    assert made is None
    assert faults[0].message.startswith(message), faults


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    made, faults = read(text)
    assert (made is None) == bool(faults)


def test_the_table_shows_the_default_and_the_presets_where_they_differ() -> None:
    made = table(good())
    assert list(map(plain, made.heads)) == ["Case", "Layers", "Element", "Bytes (B)", "Size (MiB)"]
    assert made.rows == (
        (Cell("Default"), Cell("32", True), Cell("BF16"), Cell("640,000", True), Cell("0.61", True)),
        (Cell("large"), Cell("80", True), Cell("BF16"), Cell("1,600,000", True), Cell("1.53", True)),
        (Cell("small"), Cell("16", True), Cell("FP8"), Cell("160,000", True), Cell("0.153", True)),
    )
    assert [(plain(label), value) for label, value in made.same] == [
        ("Width, d", "1"),
        ("Tokens", "10,000\u00a0tokens"),
    ]


def test_a_preset_can_be_the_default_and_there_may_be_none() -> None:
    made = good(CACHE.replace("layers: 80", "layers: 32"))
    assert [row[0].text for row in table(made).rows] == ["large", "small"]
    alone = table(good(CACHE[: CACHE.index("presets:")] + CACHE[CACHE.index("outputs:") :]))
    assert list(map(plain, alone.heads)) == [
        "Layers",
        "Width, d",
        "Element",
        "Tokens (tokens)",
        "Bytes (B)",
        "Size (MiB)",
    ]
    assert len(alone.rows) == 1
    assert alone.same == ()


def test_what_the_script_gets() -> None:
    assert json.loads(for_script(good())) == {
        "choices": {"element": {"BF16": 2, "FP8": 1}},
        "presets": [
            {"layers": "32", "width": "1", "element": "BF16", "tokens": "10000"},
            {"layers": "80", "width": "1", "element": "BF16", "tokens": "10000"},
            {"layers": "16", "width": "1", "element": "FP8", "tokens": "10000"},
        ],
        "outputs": [
            ["bytes", 4, ["*", ["*", ["*", "layers", "width"], "element"], "tokens"]],
            ["size", 3, ["/", "bytes", ["**", 2, 20]]],
        ],
    }


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_results_are_shown_as_values_of_labs_are(value: float) -> None:
    assert shown(value) == quotes.printed(value)
    assert float(typed(value)) == value


def test_nothing_is_shown_as_a_dash() -> None:
    assert (shown(None), typed(None)) == (quotes.NOTHING, "")
    assert [shown(-0.001234567, digits) for digits in (1, 2, 15)] == ["−0.001", "−0.0012", "−0.001234567"]
    assert calculators.DIGITS == 4
