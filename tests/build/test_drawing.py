"""Drawing: what the engine makes of each kind of diagram and of what it should not be given."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from sphinx_writing.sphinx_ext import drawing
from sphinx_writing.sphinx_ext.drawing import digest, draw
from sphinx_writing.sphinx_ext.mermaid_engine import DiagramError, Mermaidx
from sphinx_writing.sphinx_ext.palette import DARK, LIGHT, Palette, settings
from sphinx_writing.sphinx_ext.svg import for_image, outside

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

pytest.importorskip("mermaidx")
BOXES = int(os.environ.get("BOXES", "20"))

KINDS = {
    "flowchart": 'flowchart TB\n  A([start]) -->|yes| B{"two<br>lines"}\n  subgraph S [Part]\n    B -.-> C\n  end',
    "sequence": "sequenceDiagram\n  A->>+B: ask\n  Note over A,B: seen\n  loop each\n    B-->>-A: tell\n  end",
    "state": "stateDiagram-v2\n  [*] --> A\n  A --> B : go\n  note right of A : waits",
    "class": "classDiagram\n  class A {\n    +int size\n  }\n  A <|-- B : extends",
    "gantt": "gantt\n  dateFormat YYYY-MM-DD\n  section S\n  Read :done, a, 2026-01-01, 3d\n  Act :crit, after a, 2d",
    "block": "block-beta\n  columns 2\n  a b\n  block:g\n    c\n  end\n  a --> c",
    "timeline": "timeline\n  section S\n  2017 : A\n  2019 : B : C",
    "quadrant": "quadrantChart\n  x-axis Low --> High\n  quadrant-1 do\n  A: [0.3, 0.6]",
    "git": "gitGraph\n  commit\n  branch b\n  commit type: HIGHLIGHT\n",
}
NOT_SEEN = {
    "#000", "#000000", "#666", "#999", "#edf2ae", "#eaeaea", "#e0e0e0", "#efefef", "black", "red", "navy",
    "currentcolor", "lightgrey", "none", "revert", "transparent", "url(#my-svg-gradient)", "rgb(0,0,0, 0.5)",
    "rgba(0, 0, 0, 0.5)",
}  # fmt: skip
"""Colours in rules and attributes of mermaid's that nothing in these diagrams takes; seen by looking."""
_COLOUR = re.compile(r'(?:fill|stroke|color)(?::\s*|=")([^;}"!]+)')


def as_hex(colour: str) -> str:
    """*colour* as the palettes write it; the half transparent ones without that."""
    numbers = re.fullmatch(r"rgba?\((\d+), (\d+), (\d+)(?:, [\d.]+)?\)", colour)
    return "#" + "".join(f"{int(n):02x}" for n in numbers.groups()) if numbers else colour


def colours(palette: Palette) -> set[str]:
    own = (palette.paper, palette.panel, palette.ink, palette.muted, palette.line, palette.here)
    return {*own, *palette.fills}


@pytest.mark.parametrize("kind", KINDS)
def test_a_drawing_stands_alone_in_the_colours_of_its_theme(kind: str) -> None:
    made = draw(KINDS[kind])
    for svg, palette in ((made.light, LIGHT), (made.dark, DARK)):
        root = ElementTree.fromstring(svg)  # noqa: S314 - our own output
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        assert float(root.get("width", "")) > 0 < float(root.get("height", ""))
        assert not re.search("foreignObject|<script|@import|todayLine", svg)
        assert outside(svg) is None
        found = {colour.strip().lower() for colour in _COLOUR.findall(svg)} - NOT_SEEN
        assert {as_hex(colour) for colour in found} - colours(palette) == set()
        assert palette.ink in svg
    assert made.pdf.startswith(b"%PDF-")
    assert b"/CreationDate" not in made.pdf


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG 2."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_ink_is_readable_on_every_ground_and_lines_are_seen(palette: Palette) -> None:
    grounds = (palette.paper, palette.panel, *palette.fills)
    assert min(contrast(palette.ink, ground) for ground in grounds) > 7
    assert min(contrast(palette.line, ground) for ground in grounds) > 3
    assert contrast(palette.here, palette.paper) > 3
    variables = settings(palette)["themeVariables"]
    texts = [name for name in variables if re.search(r"Text(Color|Fill)$|^classText$|Label\d+$", name)]
    assert len(texts) > 20
    assert {variables[name] for name in texts} == {palette.ink}


DRAW = """
import hashlib, sys
from sphinx_writing.sphinx_ext.drawing import draw
d = draw(sys.argv[1])
print(hashlib.sha256(d.light.encode() + d.dark.encode() + d.pdf).hexdigest())
"""


def test_two_processes_draw_the_same_bytes() -> None:
    command = [sys.executable, "-c", DRAW, KINDS["git"]]
    path = {"PYTHONPATH": str(Path(drawing.__file__).parents[2])}
    seen = {
        subprocess.run(command, env=path | {"TZ": zone}, capture_output=True, check=True).stdout
        for zone in ("UTC", "America/Sao_Paulo")
    }
    assert len(seen) == 1


def texts(svg: str) -> str:
    """The words of a drawing, without blanks: mermaid sets each on its own."""
    root = ElementTree.fromstring(svg)  # noqa: S314 - our own output
    return re.sub(r"\s", "", "|".join("".join(e.itertext()) for e in root.iter() if e.tag.endswith("}text")))


HOSTILE = [
    ("flowchart TB\n  A[注意力] --> B[🚀]\n  B --> C[שלום]\n  C --> D[مرحبا]", ["注意力", "🚀", "שלום", "مرحبا"]),
    ('flowchart TB\n  A["<b>bold</b><br/>two"] --> B["<script>alert(1)</script>x"]', ["bold", "two", "x"]),
    ('flowchart TB\n  A["<img src=x onerror=alert(1)>y"] --> B["<a href=\'javascript:alert(1)\'>l</a>"]', ["y", "l"]),
    ('flowchart TB\n  A --> B\n  click A href "javascript:alert(1)"\n  click B call go()', ["A", "B"]),
    ('flowchart TB\n  A --> B\n  click A "https://example.org/" "tip"', ["A", "B"]),
    (
        "%%{init: {'securityLevel': 'loose', 'htmlLabels': true, 'theme': 'forest', 'fontFamily': 'Papyrus', "
        "'themeCSS': '@import url(https://example.org/a.css)', 'flowchart': {'htmlLabels': true}}}%%\n"
        "flowchart TB\n  A[<b>x</b>] --> B",
        ["x"],
    ),
    ("flowchart TB\n  A[fa:fa-car car] --> B@{ icon: \"fa:user\", label: \"User\" }", ["car", "User"]),
    ("---\nconfig:\n  layout: elk\n  look: handDrawn\n  htmlLabels: true\n---\nflowchart TB\n  A --> B", ["A"]),
    ("flowchart TB\n  subgraph S [An outer part]\n    subgraph T [An inner part]\n      A\n    end\n  end", ["Aninner"]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "words"), HOSTILE)
def test_what_is_odd_is_drawn_and_harmless(source: str, words: list[str]) -> None:
    (svg,) = Mermaidx().render(source, [settings(LIGHT)])
    assert outside(svg) is None
    assert [word for word in words if word not in texts(svg)] == []
    assert not re.search(r"alert|javascript:|onerror|Papyrus|foreignObject|@import", svg)


REFUSED = [
    ("flowchart LR\n  A --> [\n", "Parse error on line 2"),
    ("flowchrt LR\n  A --> B", "No diagram type detected"),
    ("%% only a comment", "No diagram type detected"),
    ('flowchart LR\n  A@{ img: "https://example.org/a.png", label: "x" }', "Image is not defined"),
    ('flowchart LR\n  A["bell \x07"] --> B', "no valid SVG .* control characters"),
    ("flowchart LR\n" + "  A --> B\n" * 20_000, r"it has 200,013 characters, mermaid takes 50,000; split it"),
    (
        "stateDiagram-v2\n  style A fill:url(https://example.org/x)\n  A --> B",
        r"outside itself: <rect style=.fill:url",
    ),
]


@pytest.mark.parametrize(("source", "reason"), REFUSED)
def test_what_cannot_be_drawn_is_an_error(source: str, reason: str) -> None:
    with pytest.raises(DiagramError, match=reason):
        draw(source)


def test_many_boxes_are_drawn() -> None:
    boxes = "\n".join(f"  N{i}[box {i}]" for i in range(BOXES))  # sixty as a chain take half a minute
    (svg,) = Mermaidx().render(f"flowchart TB\n{boxes}", [settings(LIGHT)])
    assert len(re.findall(r'class="node ', svg)) == BOXES


def test_a_drawing_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "ENGINE", Mermaidx(seconds=0.1))
    with pytest.raises(DiagramError, match=r"it takes longer than 0\.1 s; draw it in parts"):
        draw(KINDS["class"])


def test_a_crash_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    crashing = tmp_path / "crash"
    crashing.write_text("#!/bin/sh\nkill -9 $$\n")
    crashing.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(crashing))
    with pytest.raises(DiagramError, match="mermaidx ended with -9"):
        draw(KINDS["git"])


@dataclass(frozen=True)
class Boxes:
    """Another engine: every source is a box."""

    name: str = "boxes"
    version: str = "1"
    inside: str = ""

    def render(self, source: str, looks: Sequence[Mapping[str, object]]) -> list[str]:
        box = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="{}" height="9"/>{}</svg>'
        return [box.format(len(source), self.inside) for _ in looks]


def test_another_engine_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest("A")
    monkeypatch.setattr(drawing, "ENGINE", Boxes())
    assert digest("A") != before
    drawn = draw("A")
    assert drawn.light == drawn.dark
    assert 'width="40.00" height="20.00"' in drawn.light
    assert drawn.pdf.startswith(b"%PDF-")


OUTSIDE = [
    '<image href="https://example.org/a.png"/>',
    '<use href="other.svg#x"/>',
    "<script>go()</script>",
    "<foreignObject/>",
    '<rect onclick="go()"/>',
    '<a href="javascript:go()"/>',
    "<style>@import 'x.css';</style>",
    "<style>rect { fill: url( https://example.org/x) }</style>",
    '<rect fill="url(https://example.org/x)"/>',
    '<rect style="background: URL(//example.org/x)"/>',
]


@pytest.mark.parametrize("inside", OUTSIDE)
def test_a_drawing_that_would_fetch_or_run_something_is_refused(
    monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    monkeypatch.setattr(drawing, "ENGINE", Boxes(inside=inside))
    with pytest.raises(DiagramError, match="it asks for something outside itself: "):
        draw("A")


@pytest.mark.parametrize("inside", ["<b>", "&nbsp;", "\x07"])
def test_a_drawing_that_is_no_xml_is_refused(monkeypatch: pytest.MonkeyPatch, inside: str) -> None:
    monkeypatch.setattr(drawing, "ENGINE", Boxes(inside=inside))
    with pytest.raises(DiagramError, match="its drawing is no valid SVG"):
        draw("A")


def test_a_declaration_is_refused() -> None:
    assert "declaration" in str(outside('<!DOCTYPE svg [<!ENTITY a "b">]><svg/>'))


def test_an_svg_without_view_box_keeps_its_root() -> None:
    assert for_image("<svg a='1'><g/></svg>") == "<svg a='1'><g/></svg>\n"
