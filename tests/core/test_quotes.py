"""Values quoted from a lab."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core import quotes
from sphinx_writing.core.lab_files import Column, Quantity, Table
from sphinx_writing.core.quotes import Format, QuoteError

LAB = {
    "busbw": Quantity(387.25, "GB/s"),
    "share": Quantity(12.5, "%"),
    "ranks": Quantity(8),
    "algorithm": Quantity("ring"),
    "huge": Quantity(10**400, "B"),
}


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
        ("", 'no value ""; known: algorithm, busbw, huge, ranks, share'),
        ("busbw in GB", '"GB/s" cannot be shown in "GB"; use one of'),
        ("algorithm in GB", '"ring" is a text, so it has no "in GB"'),
        ("busbw:d", '"d" does not fit 387.25'),
        ("algorithm:.1f", "\".1f\" does not fit 'ring'"),
        ("ranks:c", '"c" is no format specification'),
        ("share:.1%", '".1%" makes a percentage of a value in %'),
        ("huge in KiB", "the value is too large to be shown in KiB"),
        ("huge:.1f in bit", "the value is too large to be shown in bit"),
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
        (-0.0, "0"),
        (5e-324, "4.941e-324"),
        (-1.7e308, "\u22121.700e+308"),
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


TABLE = Table(
    (Column("$n$"), Column("memory", "KiB"), Column("by")), ((1000, 2048.0, "*ring*"), (None, 1, "x"))
)


def test_the_formats_of_a_table_say_how_heads_and_cells_are_printed() -> None:
    wanted = quotes.formats(",.0f ; .1f in MiB ;", 3)
    assert wanted == (Format(",.0f"), Format(".1f", "MiB"), Format())
    assert list(quotes.heads(TABLE, wanted)) == ["$n$", "memory (MiB)", "by"]
    assert list(map(quotes.cell, TABLE.rows[0], TABLE.columns, wanted)) == ["1,000", "2.0", "*ring*"]
    assert list(map(quotes.cell, TABLE.rows[1], TABLE.columns, wanted)) == ["\u2013", "0.0", "x"]
    assert quotes.formats("", 2) == (Format(), Format())
    assert quotes.formats("in GB", 1) == (Format("", "GB"),)


@pytest.mark.parametrize("text", [";", ".1f", "a;b;c;d"])
def test_a_format_is_wanted_for_each_column(text: str) -> None:
    with pytest.raises(QuoteError, match=r"formats for 3 columns; write one for each"):
        quotes.formats(text, 3)


def test_a_zero_is_not_below_zero() -> None:
    assert quotes.shown(Quantity(-0.001, "s"), ".1f") == "0.0\u00a0s"
    assert quotes.shown(Quantity(-0.06, "s"), ".1f") == "\u22120.1\u00a0s"
