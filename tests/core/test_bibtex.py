"""Entries in BibTeX: read back by a program that knows BibTeX, they say what the post says."""

from __future__ import annotations

import pytest
from pybtex.database import parse_string

from sphinx_writing.core import bibtex
from sphinx_writing.core.dates import parse
from sphinx_writing.core.inline import Span
from sphinx_writing.core.inline import parse as inline

POST = bibtex.Reference("infra/nccl/index", inline("NCCL: 5 % & `a_b`"), (), parse("2026-03-14"), None)


def entry(reference: bibtex.Reference = POST, address: str = "https://example.org/infra/nccl/") -> str:
    return bibtex.entry(reference, site="Tiny & Co", author="The authors of it", address=address)


def test_an_entry() -> None:
    assert entry() == (
        "@misc{infra-nccl,\n"
        "  author = {{The authors of it}},\n"
        "  title = {{NCCL: 5 \\% \\& a\\_b}},\n"
        "  year = {2026},\n"
        "  month = mar,\n"
        "  howpublished = {Tiny \\& Co},\n"
        "  url = {https://example.org/infra/nccl/},\n"
        "}"
    )


def test_it_is_bibtex() -> None:
    long = bibtex.Reference(
        "a", inline("word " * 40), ("Ada Lovelace", "Alan Turing"), parse("2026-12-01"), parse("2027-01-02")
    )
    text = entry(long)
    assert max(map(len, text.splitlines())) <= bibtex.WIDTH
    read = parse_string(text, "bibtex").entries["a"]
    assert [person.last_names for person in read.persons["author"]] == [["Lovelace"], ["Turing"]]
    assert " ".join(read.fields["title"].strip("{}").split()) == " ".join(["word"] * 40)
    assert (read.fields["month"], read.fields["note"]) == ("December", "Updated 2 January 2027")


@pytest.mark.parametrize(
    ("reference", "address", "gone"),
    [
        (bibtex.Reference("a", (Span("T"),), (), None, None), "", ["year", "month", "url", "note"]),
        (POST, "", ["url", "note"]),
    ],
)
def test_what_is_not_known_is_left_out(reference: bibtex.Reference, address: str, gone: list[str]) -> None:
    text = entry(reference, address)
    assert not any(f"  {name} =" in text for name in gone)
    assert parse_string(text, "bibtex").entries


def test_a_formula_stays_one() -> None:
    assert bibtex.tex_of(inline("about $x_1$ and x_1")) == r"about $x_1$ and x\_1"
