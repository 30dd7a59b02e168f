"""Numbers in prose that nothing vouches for."""

from __future__ import annotations

import pytest

from sphinx_writing.core.audit import Found, Run, unsourced

LAB, CITATION = Run("311.6 µs", "lab"), Run("", "citation")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It takes 45 GB/s.", ["45 GB/s"]),
        ("It takes 1,234.5\u00a0MiB and 12%.", ["1,234.5 MiB", "12%"]),
        ("A chunk of \u22123.2 GB, ~5 µs.", ["\u22123.2 GB", "~5 µs"]),
        ("After 100 tokens/s in 3 tokens.", ["100 tokens/s", "3 tokens"]),
        ("Version 2.30 of 7 parts, 8 Bands, 4 mins, 5 GBs.", []),
        ("An H100 of 2024, see fig-12 s and 3.5.1 s.", []),
        ("", []),
    ],
)
def test_a_number_with_a_unit_is_found(text: str, numbers: list[str]) -> None:
    assert [found.number for found in unsourced([Run(text)], {"tokens"})] == numbers


def test_what_a_lab_computed_is_left_out_and_a_citation_stands_for_its_sentence_only() -> None:
    runs = [Run("First "), LAB, Run(" and 5 s. Cited is 7 s "), CITATION, Run(", see? Then 9 s. The end")]
    assert list(unsourced(runs, ())) == [Found("5 s", "First … and 5 s."), Found("9 s", "Then 9 s.")]
