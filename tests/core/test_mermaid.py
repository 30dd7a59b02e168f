"""Mermaid text: the line that a fault is on, and what the text must leave to the site."""

from __future__ import annotations

import pytest

from sphinx_writing.core.mermaid import (
    fault,
    fixed_settings,
    has_front_matter,
    length,
    renumbered,
    with_header,
)

REASON = "Error: Parse error on line {}:\n...A --> [\n-------^\nExpecting 'AMP', 'COLON', got 'SQS'"

LINES = [
    ("flowchart LR\n  A --> [\n", 2, 2),
    ("\n\n\nflowchart LR\n  A --> [\n", 2, 5),
    ("%% a\n\n%% b\nflowchart LR\n\n%% x\n  A --> B\n%% c\n  A --> [\n", 3, 9),
    ("---\ntitle: X\n---\n\n\nflowchart LR\n  A --> [\n", 2, 7),
    ("%%{init: {'look': 'x'}}%%\nflowchart LR\n  A --> [\n", 2, 3),
    ("flowchart LR\n%%{init: {\n'look': 'x'}}%%\n  A --> [\n", 3, 4),
    ("flowchart LR\n  A{x}  \n\n\n  B{y} --> C\n  B --> [\n", 4, 6),
    ("classDiagram\nclass A {\n  x\n}\n\n\n  A -=> B\n", 7, 7),
    ("flowchart LR\r\n%% c\r\n  A --> [\r\n", 2, 3),
    ("flowchart LR", 9, 1),
]
"""Sources, the line that mermaid 11.16 names, and the one that the fault is on."""


@pytest.mark.parametrize(("source", "named", "line"), LINES)
def test_the_line_of_a_fault_is_the_one_in_the_source(source: str, named: int, line: int) -> None:
    found, short = fault(source, REASON.format(named))
    assert found == line
    assert renumbered(short, line) == f"Parse error on line {line}:\n...A --> [\n-------^"


def test_a_fault_without_a_line_is_known_by_its_words() -> None:
    assert fault("x", "Error: There can be only one root") == (0, "There can be only one root")
    assert fault("x", "UnknownDiagramError: No type for: a\nb\nc\nd") == (
        0,
        "UnknownDiagramError: No type for: a\nb\nc",
    )


def test_a_fault_in_the_front_matter_has_its_line() -> None:
    line, short = fault("---\ntitle: [X\n---\npie\n", "YAMLException: unexpected end (1:7)\n\n 1 | title")
    assert line == 2
    assert short.startswith("YAMLException: unexpected end")


def test_a_reason_without_end_is_cut() -> None:
    assert len(fault("x", "word " * 10_000)[1]) == 300


def test_settings_of_the_site_are_found_where_mermaid_reads_settings() -> None:
    front = (
        "---\nconfig:\n  theme: forest\n  flowchart:\n    htmlLabels: true\n---\nflowchart LR\n  theme: x\n"
    )
    assert fixed_settings(front) == ["htmlLabels", "theme"]
    assert fixed_settings("%%{init: {'securityLevel': 'loose', \"fontFamily\": \"x\"}}%%\npie") == [
        "fontFamily",
        "securityLevel",
    ]
    assert fixed_settings("flowchart LR\n  A[theme: dark] --> B") == []
    assert fixed_settings("---\nconfig:\n  look: handDrawn\n---\npie") == []


def test_a_header_is_written_as_mermaid_reads_it() -> None:
    assert with_header("pie", "", {}) == "pie"
    assert with_header("pie", "A: b", {"pie": {"textPosition": 0.5}}) == (
        "---\nconfig:\n  pie:\n    textPosition: 0.5\ntitle: 'A: b'\n---\npie"
    )
    assert has_front_matter(with_header("pie", "注", {}))
    assert not has_front_matter("pie\n---\n")


def test_what_mermaid_does_not_count_is_not_counted() -> None:
    assert length("---\ntitle: X\n---\n%% c\n  pie") == len("pie")
