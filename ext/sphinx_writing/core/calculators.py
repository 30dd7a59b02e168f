"""Calculators: inputs, presets and outputs, what they come to, and what a table and a script get of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sphinx_writing.core import quotes
from sphinx_writing.core.expressions import Expression, Number, as_json, evaluate
from sphinx_writing.core.inline import Inline, Span

CASE, DEFAULT = "Case", "Default"
"""The head of the names of cases, and the name of the case that no preset names."""
DIGITS = 4
"""Significant digits of a result, as values of labs have them."""

Value = float | str
"""What stands in an input: a number, or the name of a choice."""


@dataclass(frozen=True)
class Input:
    """What a reader can set: a number from *low* to *high* in steps of *step* (any, if 0), or a choice.

    *line* is where it stands in the text of the calculator.
    """

    name: str
    label: Inline
    default: Value
    unit: str = ""
    low: float = 0
    high: float = 0
    step: float = 0
    choices: Mapping[str, float] | None = None
    line: int = 0


@dataclass(frozen=True)
class Output:
    """What is computed: *formula* is *expression* as it was written, *lab* the function that it equals."""

    name: str
    label: Inline
    formula: str
    expression: Expression
    unit: str = ""
    digits: int = DIGITS
    lab: str = ""
    line: int = 0


@dataclass(frozen=True)
class Case:
    """A value for each input, in their order, under the name of a preset."""

    name: str
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Calculator:
    """A calculator as it was read; *note* is Markdown for its foot."""

    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    presets: tuple[Case, ...] = ()
    note: str = ""

    @property
    def default(self) -> Case:
        """What it begins with; a preset, if one has the same values."""
        values = tuple(one.default for one in self.inputs)
        same = (preset for preset in self.presets if preset.values == values)
        return next(same, Case(DEFAULT, values))

    @property
    def cases(self) -> tuple[Case, ...]:
        """What the table shows: the default, then the presets."""
        first = self.default
        return (first, *(preset for preset in self.presets if preset != first))

    @property
    def results(self) -> tuple[float | None, ...]:
        """The outputs of the default."""
        return results(self, self.default.values)


def results(calculator: Calculator, values: tuple[Value, ...]) -> tuple[float | None, ...]:
    """What each output comes to for these *values* of the inputs; None where it has no value."""
    known: dict[str, float | None] = {
        one.name: number(one, value) for one, value in zip(calculator.inputs, values, strict=True)
    }
    for output in calculator.outputs:
        known[output.name] = evaluate(output.expression, known)
    return tuple(known[output.name] for output in calculator.outputs)


def number(one: Input, value: Value) -> float:
    """The number that *value* of this input stands for."""
    if isinstance(value, str):
        return (one.choices or {})[value]
    return value


def shown(value: float | None, digits: int = DIGITS) -> str:
    """A result as it is printed, without its unit."""
    return quotes.NOTHING if value is None else quotes.significant(value, digits)


def typed(value: Value | None) -> str:
    """*value* as it stands in a form: a number in its shortest form, without separators."""
    if value is None or isinstance(value, str):
        return value or ""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


@dataclass(frozen=True)
class Cell:
    """A cell of the table; *numeric* ones stand at the right."""

    text: str
    numeric: bool = False


@dataclass(frozen=True)
class Table:
    """What readers without script get: a row for each case. *same* are the inputs that no case changes."""

    heads: tuple[Inline, ...]
    rows: tuple[tuple[Cell, ...], ...]
    same: tuple[tuple[Inline, str], ...]


def table(calculator: Calculator) -> Table:
    """The default and the presets with the inputs in which they differ, and what they come to."""
    cases = calculator.cases
    differ = [
        len(cases) == 1 or len(set(column)) > 1 for column in zip(*(c.values for c in cases), strict=True)
    ]
    inputs = list(zip(calculator.inputs, differ, strict=True))
    named = len(cases) > 1
    heads = [head(one.label, one.unit) for one, moves in inputs if moves]
    heads += [head(one.label, one.unit) for one in calculator.outputs]
    rows = tuple(
        ((Cell(case.name),) if named else ()) + tuple(_cells(calculator, case, differ)) for case in cases
    )
    same = tuple(
        (one.label, _with_unit(value, one.unit))
        for (one, moves), value in zip(inputs, cases[0].values, strict=True)
        if not moves
    )
    return Table((*([(Span(CASE),)] if named else []), *heads), rows, same)


def _cells(calculator: Calculator, case: Case, differ: list[bool]) -> Iterator[Cell]:
    for value, moves in zip(case.values, differ, strict=True):
        if moves:
            yield Cell(_input_text(value), not isinstance(value, str))
    for output, result in zip(calculator.outputs, results(calculator, case.values), strict=True):
        yield Cell(shown(result, output.digits), numeric=True)


def _input_text(value: Value) -> str:
    """An input as the table has it: no digit of it is left out."""
    return value if isinstance(value, str) else quotes.significant(value, 15)


def _with_unit(value: Value, unit: str) -> str:
    return _input_text(value) + (quotes.gap(unit) + unit if unit else "")


def head(label: Inline, unit: str) -> Inline:
    """The head of a column."""
    return (*label, Span(f" ({unit})")) if unit else label


def for_script(calculator: Calculator) -> str:
    """What the script in the page computes with, as JSON; ranges and defaults stand in the form."""
    names = [one.name for one in calculator.inputs]
    data = {
        "choices": {
            one.name: {choice: as_json(Number(value)) for choice, value in one.choices.items()}
            for one in calculator.inputs
            if one.choices
        },
        "presets": [dict(zip(names, map(typed, case.values), strict=True)) for case in calculator.cases],
        "outputs": [[one.name, one.digits, as_json(one.expression)] for one in calculator.outputs],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
