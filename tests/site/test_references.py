"""The bibliography: every entry is well formed, stands once and in order, and is cited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

import pytest
from pybtex.database import Entry, parse_string

from .conftest import ROOT

KEY = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
REQUIRED: Mapping[str, Set[str]] = {
    "article": {"title", "year", "journal"},
    "book": {"title", "year", "publisher"},
    "inproceedings": {"title", "year", "booktitle"},
    "misc": {"title", "year"},
    "online": {"title", "year", "url"},
    "phdthesis": {"title", "year", "school"},
    "techreport": {"title", "year", "institution"},
}
WAYS = {"doi", "eprint", "url", "isbn"}


def keys(text: str) -> list[tuple[int, str]]:
    """The key of each entry in the text of a bibliography, with its line."""
    return [
        (text.count("\n", 0, match.start()) + 1, match[1].strip())
        for match in re.finditer(r"^\s*@(?!comment|string|preamble)\w+\s*\{([^,]*),", text, re.MULTILINE)
    ]


def faults(text: str, cited: Set[str]) -> Iterator[str]:
    """What is wrong in a bibliography of which *cited* are used, each with its line."""
    found, before = keys(text), ""
    first: dict[str, int] = {}
    for line, key in found:
        if key.casefold() in first:
            yield f"{line}: {key} stands already on line {first[key.casefold()]}; remove one"
            return
        first[key.casefold()] = line
    entries = parse_string(text, "bibtex").entries
    for line, key in found:
        if not KEY.fullmatch(key):
            yield f"{line}: the key {key!r} is not of small letters, digits and single hyphens"
        if key < before:
            yield f"{line}: {key} comes before {before}; keep the entries in order"
        if key not in cited:
            yield f"{line}: {key} is cited nowhere; cite it, or remove it"
        yield from (f"{line}: {key} {fault}" for fault in entry_faults(entries[key]))
        before = key


def entry_faults(entry: Entry) -> Iterator[str]:
    """What is wrong in one entry."""
    if entry.type not in REQUIRED:
        yield f"is of type {entry.type}; use one of {', '.join(REQUIRED)}"
        return
    for field in sorted(REQUIRED[entry.type] - entry.fields.keys()):
        yield f"has no {field}"
    if not entry.persons.get("author") and not {"organization", "key"} & entry.fields.keys():
        yield "has no author and no organization"
    if not WAYS & entry.fields.keys():
        yield f"has none of {', '.join(sorted(WAYS))}, so nobody can find it"
    if not re.fullmatch(r"(19|20)\d\d", entry.fields.get("year", "2000")):
        yield f"has the year {entry.fields['year']}"


def cited(docs: Path) -> set[str]:
    """Every key that the pages under *docs* cite."""
    text = "\n".join(p.read_text(encoding="utf-8") for p in docs.rglob("*.md") if "_build" not in p.parts)
    lists = re.findall(r"\{(?:foot)?cite(?::\w+)?\}`([^`]*)`", text)
    return {key.strip() for keys in lists for key in keys.split(",")}


def test_the_bibliography_is_in_order() -> None:
    path = ROOT / "docs" / "references.bib"
    found = list(faults(path.read_text(encoding="utf-8"), cited(ROOT / "docs")))
    assert not found, "\n" + "\n".join(f"docs/references.bib:{fault}" for fault in found)


GOOD = "@misc{a-1,\n author={A, B}, title={T}, year={2020}, url={u}\n}\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (GOOD, ""),
        (GOOD + GOOD, "4: a-1 stands already on line 1"),
        (GOOD.replace("a-1", "A_1"), "1: the key 'A_1' is not"),
        (GOOD.replace("a-1", "b") + GOOD, "4: a-1 comes before b"),
        (GOOD + GOOD.replace("a-1", "b"), "4: b is cited nowhere"),
        (GOOD.replace("title={T}, ", ""), "1: a-1 has no title"),
        (GOOD.replace("author={A, B}, ", ""), "1: a-1 has no author"),
        (GOOD.replace(", url={u}", ""), "1: a-1 has none of doi, eprint, isbn, url"),
        (GOOD.replace("2020", "n.d."), "1: a-1 has the year n.d."),
        (GOOD.replace("@misc", "@manual"), "1: a-1 is of type manual"),
        (GOOD.replace("@misc", "@article"), "1: a-1 has no journal"),
    ],
)
def test_a_fault_in_a_bibliography_is_found(text: str, fault: str) -> None:
    found = list(faults(text, {"a-1", "A_1"}))
    assert any(line.startswith(fault) for line in found) if fault else found == []
