"""The mermaid directive: drawn once, kept by digest, never lost."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from sphinx_writing.sphinx_ext import diagrams, drawing
from sphinx_writing.sphinx_ext.drawing import DiagramError, Drawing, EngineMissing, digest, draw
from sphinx_writing.sphinx_ext.svg import for_image, outside

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.testing.util import SphinxTestApp

CONF = """
extensions = ["myst_parser"]
html_theme = "basic"
numfig = True
project = copyright = "T"
version = release = "1"

def setup(app):
    from sphinx_writing.sphinx_ext import diagrams, twins
    diagrams.register(app)
    twins.register(app)
"""
SOURCE = "flowchart LR\n  A --> B"
OPTIONS = ":name: flow\n:alt: A leads to B.\n:caption: A *short* flow.\n\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>\n'
ANSI = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture
def src(tmp_path: Path) -> Path:
    src = tmp_path / "src"
    (src / "post").mkdir(parents=True)
    (src / "conf.py").write_text(CONF)
    (src / "index.md").write_text("# T\n\n```{toctree}\npost/index\n```\n")
    return src


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that were drawn, by a stand-in for the engine."""
    calls: list[str] = []

    def stand_in(source: str) -> Drawing:
        calls.append(source)
        return Drawing(light=SVG, dark=SVG, pdf=b"%PDF-1.4\n")

    monkeypatch.setattr(diagrams, "draw", stand_in)
    return calls


def post(options: str = OPTIONS, source: str = SOURCE) -> str:
    return f"# P\n\nSee {{numref}}`flow`.\n\n```{{mermaid}}\n{options}{source}\n```\n"


def build(
    make_app: Callable[..., SphinxTestApp], src: Path, text: str | None, builder: str = "html"
) -> tuple[SphinxTestApp, str]:
    """The build of the post with *text*, or of the post as it is, and its warnings."""
    if text is not None:
        (src / "post" / "index.md").write_text(text)
    app = make_app(builder, srcdir=src)
    app.build()
    app.cleanup()
    return app, ANSI.sub("", app.warning.getvalue())


def test_a_diagram_is_a_numbered_figure_in_two_palettes(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str]
) -> None:
    app, warnings = build(make_app, src, post())
    page = (app.outdir / "post/index.html").read_text()
    name = digest(SOURCE)
    assert page.count('alt="A leads to B."') == 2
    assert f'src="../_images/{name}.svg"' in page
    assert f'src="../_images/{name}-dark.svg"' in page
    assert 'id="flow"' in page
    assert "A <em>short</em> flow." in page
    assert 'href="#flow"><span class="std std-numref">Fig. 1</span>' in page
    assert drawn == [SOURCE]
    assert warnings == ""


def test_latex_takes_the_pdf(make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str]) -> None:
    app, warnings = build(make_app, src, post(), "latex")
    files = {path.name for path in app.outdir.iterdir()}
    assert f"{digest(SOURCE)}.pdf" in files
    assert not any(name.endswith(".svg") for name in files)
    assert warnings == ""


def test_epub_takes_the_light_svg(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str]
) -> None:
    app, warnings = build(make_app, src, post(), "epub")
    names = [path.name for path in (app.outdir / "_images").iterdir()]
    assert names == [f"{digest(SOURCE)}.svg"]
    assert warnings == ""


def test_a_kept_drawing_is_not_drawn_again(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str]
) -> None:
    build(make_app, src, post())
    before = {path: path.stat().st_mtime_ns for path in (src / "_diagrams").iterdir()}
    build(make_app, src, post() + "\nMore.\n")
    assert drawn == [SOURCE]
    assert {path: path.stat().st_mtime_ns for path in (src / "_diagrams").iterdir()} == before
    assert len(before) == 3


def test_a_deleted_file_is_drawn_again(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str]
) -> None:
    build(make_app, src, post())
    (src / "_diagrams" / f"{digest(SOURCE)}.pdf").unlink()
    _, warnings = build(make_app, src, post())
    assert drawn == [SOURCE, SOURCE]
    assert warnings == ""


def test_what_another_process_drew_meanwhile_is_kept(
    make_app: Callable[..., SphinxTestApp], src: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = src / "_diagrams" / f"{digest(SOURCE)}.svg"

    def slow(source: str) -> Drawing:
        first.parent.mkdir()
        first.write_text(SVG)
        return Drawing(light="later", dark=SVG, pdf=b"%PDF-1.4\n")

    monkeypatch.setattr(diagrams, "draw", slow)
    _, warnings = build(make_app, src, post())
    assert first.read_text() == SVG
    assert len(list(first.parent.iterdir())) == 3
    assert warnings == ""


def test_a_diagram_needs_no_name_and_no_caption(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str]
) -> None:
    app, warnings = build(make_app, src, f"# P\n\n```{{mermaid}}\n:alt: A.\n\n{SOURCE}\n```\n")
    assert "<figcaption>" not in (app.outdir / "post/index.html").read_text()
    assert warnings == ""


WARNINGS = [
    (":name: flow\n:caption: C\n\n", 'diagram "flow" has no :alt: text; say in one sentence what it shows'),
    (":caption: C\n\n", "diagram has no :alt: text; say in one sentence what it shows"),
]


@pytest.mark.parametrize(("options", "message"), WARNINGS)
def test_a_missing_alt_is_named(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str], options: str, message: str
) -> None:
    _, warnings = build(make_app, src, f"# P\n\n```{{mermaid}}\n{options}{SOURCE}\n```\n")
    assert warnings == f"{src}/post/index.md:3: WARNING: {message} [writing.diagram]\n"
    assert drawn == [SOURCE]


def test_an_empty_diagram_is_named(make_app: Callable[..., SphinxTestApp], src: Path) -> None:
    _, warnings = build(make_app, src, "# P\n\n```{mermaid}\n:alt: A.\n```\n")
    assert warnings == (
        f"{src}/post/index.md:3: WARNING: diagram is empty; "
        "write mermaid text into it, or remove it [writing.diagram]\n"
    )


def failing(reason: Exception) -> Callable[[str], Drawing]:
    def fail(source: str) -> Drawing:
        raise reason

    return fail


REASONS = [
    (EngineMissing(), 'mermaidx is missing; pip install "mermaidx>=0.10,<0.11"'),
    (DiagramError("Parse error on line 2:\n" + "more\n" * 9), "Parse error on line 2:\nmore\nmore\nmore"),
    (
        PermissionError(13, "Permission denied", "_diagrams"),
        "its files cannot be kept in writing_diagram_cache: [Errno 13] Permission denied: '_diagrams'",
    ),
]


@pytest.mark.parametrize(("reason", "message"), REASONS)
def test_what_cannot_be_drawn_is_shown_as_text(
    make_app: Callable[..., SphinxTestApp],
    src: Path,
    monkeypatch: pytest.MonkeyPatch,
    reason: Exception,
    message: str,
) -> None:
    monkeypatch.setattr(diagrams, "draw", failing(reason))
    app, warnings = build(make_app, src, f"# P\n\n```{{mermaid}}\n:alt: A.\n\n{SOURCE}\n```\n")
    assert "A --&gt; B" in (app.outdir / "post/index.html").read_text()
    assert warnings == (
        f"{src}/post/index.md:3: WARNING: diagram is not drawn: {message} [writing.diagram]\n"
    )


def test_a_cache_that_is_no_folder_is_named(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str]
) -> None:
    (src / "_diagrams").write_text("a file")
    _, warnings = build(make_app, src, f"# P\n\n```{{mermaid}}\n:alt: A.\n\n{SOURCE}\n```\n")
    assert warnings.startswith(
        f"{src}/post/index.md:3: WARNING: diagram is not drawn: its files cannot be kept"
    )
    assert warnings.count("WARNING") == 1


def test_committed_drawings_need_no_engine(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build(make_app, src, post())
    monkeypatch.setattr(diagrams, "draw", failing(EngineMissing()))
    _, warnings = build(make_app, src, post() + "\nMore.\n")
    assert warnings == ""


def test_an_engine_installed_later_draws(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"# P\n\n```{{mermaid}}\n:alt: A.\n\n{SOURCE}\n```\n"
    with monkeypatch.context() as missing:
        missing.setattr(diagrams, "draw", failing(EngineMissing()))
        _, warnings = build(make_app, src, text)
    assert warnings.count("WARNING") == 1
    app, warnings = build(make_app, src, None)
    assert 'alt="A."' in (app.outdir / "post/index.html").read_text()
    assert warnings == ""


def test_another_engine_reads_the_documents_anew(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build(make_app, src, post())
    monkeypatch.setattr(drawing, "engine_version", lambda: "0.10.99")
    app, warnings = build(make_app, src, None)
    assert f"{digest(SOURCE)}.svg" in (app.outdir / "post/index.html").read_text()
    assert drawn == [SOURCE, SOURCE]
    assert warnings == ""


def test_without_the_engine_its_known_version_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest(SOURCE)
    assert drawing.engine_version() == drawing.KNOWN_VERSION
    monkeypatch.setattr(drawing, "ENGINE", "no_such_engine")
    assert drawing.engine_version() == drawing.KNOWN_VERSION
    with pytest.raises(EngineMissing):
        draw(SOURCE)
    assert digest(SOURCE) != before


def test_the_digest_follows_the_source() -> None:
    assert digest(SOURCE) == digest(SOURCE)
    assert digest(SOURCE) != digest(SOURCE + " ")
    assert re.fullmatch("[0-9a-f]{16}", digest(SOURCE))


DRAW = """
import hashlib, sys
from sphinx_writing.sphinx_ext.drawing import draw
d = draw(sys.argv[1])
print(hashlib.sha256(d.light.encode() + d.dark.encode() + d.pdf).hexdigest())
"""
GIT_GRAPH = "gitGraph\n  commit\n  branch b\n  commit\n"


def test_two_processes_draw_the_same_bytes() -> None:
    pytest.importorskip("mermaidx")
    command = [sys.executable, "-c", DRAW, GIT_GRAPH]
    path = {"PYTHONPATH": str(Path(drawing.__file__).parents[2])}
    zones = ("UTC", "Asia/Tokyo")
    seen = {
        subprocess.run(command, env=path | {"TZ": zone}, capture_output=True, check=True).stdout
        for zone in zones
    }
    assert len(seen) == 1


SELF_CONTAINED = [
    "sequenceDiagram\n  A->>B: ask\n  Note over A,B: seen",
    "gantt\n  dateFormat YYYY-MM-DD\n  section S\n  Read :a, 2026-01-01, 3d",
    "mindmap\n  root((KV))\n    paging\n    sharing",
]


@pytest.mark.parametrize("source", SELF_CONTAINED)
def test_a_drawing_stands_alone(source: str) -> None:
    pytest.importorskip("mermaidx")
    drawn = draw(source)
    for svg in (drawn.light, drawn.dark):
        root = ElementTree.fromstring(svg)  # noqa: S314 - our own output
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        assert float(root.get("width", "")) > 0 < float(root.get("height", ""))
        assert not re.search("foreignObject|<script|@import|todayLine", svg)
        assert outside(svg) is None
    assert "#1b1d22" in drawn.light
    assert "#dedcd6" in drawn.dark
    assert drawn.pdf.startswith(b"%PDF-")
    assert b"/CreationDate" not in drawn.pdf


def test_a_fault_is_reported_in_mermaid_s_words() -> None:
    pytest.importorskip("mermaidx")
    with pytest.raises(DiagramError, match="Parse error on line 2"):
        draw("flowchart LR\n  A --> [\n")


def test_a_drawing_that_would_fetch_something_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    fetching = '<svg viewBox="0 0 9 9"><image href="https://example.org/a.png"/></svg>'
    monkeypatch.setattr(drawing, "_render", lambda *_: [fetching, fetching])
    with pytest.raises(DiagramError, match=r"outside itself: <image href=.https://example\.org/a\.png"):
        draw(SOURCE)


def test_an_svg_without_view_box_keeps_its_root() -> None:
    assert for_image("<svg a='1'><g/></svg>") == "<svg a='1'><g/></svg>\n"
