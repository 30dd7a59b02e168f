"""Expressions: what is part of the language, what is said of the rest, and what they come to."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core import expressions
from sphinx_writing.core.expressions import ExpressionError, Name, Number, Operation, evaluate, parse

VALUES: dict[str, float | None] = {"a": 7.0, "b": -2.0, "zero": 0.0, "none": None}


def value(text: str) -> float | None:
    return evaluate(parse(text, VALUES), VALUES)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2 * a + 1", 15),
        ("-a ** 2", -49),
        ("+a - -b", 5),
        ("a // b", -4),
        ("a % b", -1),
        ("-7.5 // 2 + -7.5 % 2", -3.5),
        ("2 ** -3", 0.125),
        ("2 ** 0.5", math.sqrt(2)),
        ("0 ** 0", 1),
        ("10 ** 22", 1e22),
        ("a > b", 1),
        ("(a < b) + (a == 7) + (a != 7) + (a >= 7) + (a <= 7)", 3),
        ("a if b else 1 / zero", 7),
        ("min(a, b, 3) + max(a, b)", 5),
        ("floor(2.5) + ceil(2.5)", 5),
        ("round(2.5) + round(3.5) + round(-0.4)", 6),
        ("log2(2 ** 40) + log10(1000) + log2(0.125)", 40),
        ("ln(exp(1)) + sqrt(9) + abs(b)", 6),
        ("1_000 + 1e3", 2000),
    ],
)
def test_what_expressions_come_to(text: str, wanted: float) -> None:
    assert value(text) == pytest.approx(wanted, rel=1e-15)


@pytest.mark.parametrize(
    "text",
    [
        "1 / zero",
        "a // zero",
        "a % zero",
        "zero ** -1",
        "b ** 0.5",
        "sqrt(b)",
        "ln(zero)",
        "log2(b)",
        "exp(1000)",
        "1e200 * 1e200",
        "1e300 ** 2",
        "2 ** 1024",
        "none + 1",
        "1 / (1e200 * 1e200)",
        "None",
        "a if zero else None",
    ],
)
def test_what_is_no_finite_number_has_no_value(text: str) -> None:
    assert value(text) is None


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("2 * aa", 'has an unknown name "aa"; did you mean "a"?', 5),
        ("a + later", 'uses "later", which is computed here or after it; outputs use those before them', 5),
        ("a + sin(b)", 'has an unknown function "sin"; did you mean "min"?', 5),
        ("a * min", 'has "min" without brackets; write min(…)', 5),
        ("sqrt(a, b)", "calls sqrt with other than one value; give it one value", 1),
        ("max(a)", "calls max with other than two or more values; give it two or more values", 1),
        ("max(*a, b)", "has something that is not allowed here", 5),
        ("round(a, ndigits=1)", "calls round with other than one value", 1),
        ("0 < a < 9", "compares more than two values; compare two", 1),
        ("a and b", "has something that is not allowed here; known: numbers, names, +", 1),
        ("not a", "has something that is not allowed here", 1),
        ("a.real", "has something that is not allowed here", 1),
        ("a[0]", "has something that is not allowed here", 1),
        ("(lambda: a)()", 'has an unknown function ""', 1),
        ("__import__('os')", 'has an unknown function "__import__"', 1),
        ("'text'", "has 'text', which is no number", 1),
        ("True + 1", "has True, which is no number", 1),
        ("2j", "has 2j, which is no number", 1),
        ("1e999", "has a number that is too large", 1),
        ("9" * 400, "has a number that is too large", 1),
        ("a ^ 2", 'has a "^"; write **', 3),
        ("2 × a", 'has a "×"; write *', 3),
        ("é + aa", 'has an unknown name "é"', 1),
        ("a + é + aa", 'has an unknown name "é"', 5),
        ("a +", "cannot be read: ", None),
        ("a = 2", "cannot be read: ", None),
        ("", "cannot be read: ", 1),
        ("a\0", "cannot be read", 1),
        ("a" * 501, "is longer than 500 characters; give a part of it an output of its own", 501),
        ("-" * 40 + "a", "is more than 32 operations deep; give a part of it an output of its own", 33),
        ("(" * 250 + "a" + ")" * 249, "cannot be read", None),
        ("-" * 499 + "a", "", None),
        ("\ud800", "cannot be read", None),
    ],
)
def test_what_is_no_expression(text: str, message: str, column: int | None) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text, ["a", "b"], ["later"])
    assert str(caught.value).startswith(message)
    assert column in (None, caught.value.column)


def test_the_tree() -> None:
    tree = parse("a if a > 0.5 else min(b, 2)", ["a", "b"])
    test = Operation(">", (Name("a"), Number(0.5)))
    assert tree == Operation("if", (test, Name("a"), Operation("min", (Name("b"), Number(2.0)))))
    assert json.dumps(expressions.as_json(tree)) == '["if", [">", "a", 0.5], "a", ["min", "b", 2]]'
    assert sorted(expressions.names_in(tree)) == ["a", "a", "b"]
    assert not expressions.may_be_none(tree)
    assert expressions.may_be_none(parse("1 + (a if a else None)", ["a"]))


FLOATS = st.floats(-1e9, 1e9, allow_nan=False)


@given(FLOATS, FLOATS)
def test_whole_quotient_and_remainder_are_those_of_python(a: float, b: float) -> None:
    values: dict[str, float | None] = {"a": a, "b": b}
    quotient, rest = (evaluate(parse(text, values), values) for text in ("a // b", "a % b"))
    assert (quotient, rest) == ((a // b, a % b) if b else (None, None))


@given(st.integers(-300, 300))
def test_logarithms_of_powers_are_whole(n: int) -> None:
    values: dict[str, float | None] = {"n": float(n)}
    assert evaluate(parse("log2(2 ** n)", values), values) == n
    if abs(n) <= 22:
        assert evaluate(parse("log10(10 ** n)", values), values) == n


@given(st.text(max_size=60) | st.text("ab+-*/%()<>=!.,0123456789 minsqrt", max_size=60))
def test_any_text_is_an_expression_or_an_error(text: str) -> None:
    try:
        tree = parse(text, ["a", "b"])
    except ExpressionError as error:
        assert error.column >= 1
    else:
        evaluate(tree, {"a": 1.0, "b": 2.0})
        json.dumps(expressions.as_json(tree), allow_nan=False)
