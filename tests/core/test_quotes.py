"""Values quoted from a lab."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core import quotes
from sphinx_writing.core.quotes import Quantity, QuoteError

LAB = {
    "busbw": Quantity(387.25, "GB/s"),
    "share": Quantity(12.5, "%"),
    "ranks": Quantity(8),
    "algorithm": Quantity("ring"),
}


def test_a_lab_file_gives_its_quantities() -> None:
    text = '{"busbw": {"value": 387.25, "unit": "GB/s"}, "ranks": {"value": 8}, "by": {"value": "ring"}}'
    assert quotes.load(text) == {"busbw": LAB["busbw"], "ranks": LAB["ranks"], "by": LAB["algorithm"]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not valid"),
        ('{"a": {"value": NaN}}', "NaN is no number"),
        ('{"a": {"value": -Infinity}}', "-Infinity is no number"),
        ('{"a": {"value": 1e999}}', '"a"'),
        ("[1]", "not a mapping"),
        ('{"a": 1}', '"a" in lab.json needs'),
        ('{"a": {}}', '"a" in lab.json needs'),
        ('{"a": {"value": true}}', '"a" in lab.json needs'),
        ('{"a": {"value": null}}', '"a" in lab.json needs'),
        ('{"a": {"value": 1, "unit": 2}}', '"a" in lab.json needs'),
    ],
)
def test_what_is_no_lab_file_is_refused_and_says_what_to_do(text: str, message: str) -> None:
    with pytest.raises(QuoteError, match=message) as caught:
        quotes.load(text)
    assert "recompute it" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("busbw", "387.2\u00a0GB/s"),
        (" busbw : .1f ", "387.2\u00a0GB/s"),
        ("busbw:.0f", "387\u00a0GB/s"),
        ("share", "12.5%"),
        ("share:.2f", "12.50%"),
        ("ranks", "8"),
        ("ranks:03d", "008"),
        ("busbw in Gbit/s", "3098\u00a0Gbit/s"),
        ("busbw:.1f in Gbit/s", "3098.0\u00a0Gbit/s"),
        ("busbw : .1f  in  GiB/s ", "360.7\u00a0GiB/s"),
        ("algorithm", "ring"),
        ("algorithm:>6", "  ring"),
    ],
)
def test_a_quote_is_the_value_with_its_unit(text: str, shown: str) -> None:
    assert quotes.quote(text, LAB) == shown


def test_a_text_that_begins_with_a_hyphen_keeps_it() -> None:
    assert quotes.shown(Quantity("-O3")) == "-O3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("busbv", 'no value "busbv"; did you mean "busbw"?'),
        ("", 'no value ""; known: algorithm, busbw, ranks, share'),
        ("busbw in GB", '"GB/s" cannot be shown in "GB"; use one of'),
        ("algorithm in GB", '"ring" is a text, so it has no "in GB"'),
        ("busbw:d", '"d" does not fit 387.25'),
        ("algorithm:.1f", "\".1f\" does not fit 'ring'"),
    ],
)
def test_a_quote_that_cannot_be_printed_says_why(text: str, message: str) -> None:
    with pytest.raises(QuoteError) as caught:
        quotes.quote(text, LAB)
    assert message in str(caught.value)


@pytest.mark.parametrize("spec", ["", "c", ".1f"])
def test_a_number_too_large_to_print_is_refused(spec: str) -> None:
    with pytest.raises(QuoteError):
        quotes.shown(Quantity(10**400), spec)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (1, "1"),
        (-8.0, "\u22128"),
        (9999, "9999"),
        (10_000, "10,000"),
        (-12_345, "\u221212,345"),
        (1_048_576, "1,048,576"),
        (12_345.6, "12,346"),
        (9999.6, "10,000"),
        (-9999.7, "\u221210,000"),
        (999.96, "1000"),
        (1.0, "1"),
        (3.14159, "3.142"),
        (0.5, "0.5"),
        (0.99996, "1"),
        (0.0123449, "0.01234"),
        (1234.5, "1234"),
        (100, "100"),
        (1e-12, "0.000000000001"),
    ],
)
def test_a_number_has_four_digits_and_large_ones_are_set_apart(value: float, shown: str) -> None:
    assert quotes.shown(Quantity(value)) == shown


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_four_digits_are_as_near_as_four_digits_get(value: float) -> None:
    back = float(quotes.shown(Quantity(value)).replace(",", "").replace("\u2212", "-"))
    assert math.isclose(back, value, rel_tol=5.0001e-4, abs_tol=1e-320)


@given(st.integers(-(10**300), 10**300))
def test_a_whole_number_is_printed_without_a_point(value: int) -> None:
    assert "." not in quotes.shown(Quantity(value))


@given(
    st.dictionaries(
        st.text(),
        st.tuples(st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False), st.text()),
    )
)
def test_what_json_can_hold_comes_back(entries: dict[str, tuple[float | str, str]]) -> None:
    text = json.dumps({name: {"value": value, "unit": unit} for name, (value, unit) in entries.items()})
    assert quotes.load(text) == {name: Quantity(*entry) for name, entry in entries.items()}
