"""The mermaid directive: drawn once, kept by digest, never lost."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sphinx_writing.sphinx_ext import drawing, drawings
from sphinx_writing.sphinx_ext.drawing import Drawing, digest
from sphinx_writing.sphinx_ext.mermaid_engine import DiagramError, EngineMissing, Mermaidx

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.testing.util import SphinxTestApp

CONF = """
extensions = ["sphinx_writing"]
html_theme = "basic"
numfig = True
project = copyright = "T"
version = release = "1"
"""
SOURCE = "flowchart LR\n  A --> B"
OPTIONS = ":name: flow\n:alt: A leads to B.\n:caption: A *short* flow.\n\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>\n'
PDF = b"%PDF-1.4\n%%EOF\n"
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
        return Drawing(light=SVG, dark=SVG, pdf=PDF)

    monkeypatch.setattr(drawings, "draw", stand_in)
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
        return Drawing(light="later", dark=SVG, pdf=PDF)

    monkeypatch.setattr(drawings, "draw", slow)
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
    (DiagramError("Too many edges\n" + "more\n" * 9), "Too many edges\nmore\nmore"),
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
    monkeypatch.setattr(drawings, "draw", failing(reason))
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
    monkeypatch.setattr(drawings, "draw", failing(EngineMissing()))
    _, warnings = build(make_app, src, post() + "\nMore.\n")
    assert warnings == ""


def test_an_engine_installed_later_draws(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"# P\n\n```{{mermaid}}\n:alt: A.\n\n{SOURCE}\n```\n"
    with monkeypatch.context() as missing:
        missing.setattr(drawings, "draw", failing(EngineMissing()))
        _, warnings = build(make_app, src, text)
    assert warnings.count("WARNING") == 1
    app, warnings = build(make_app, src, None)
    assert 'alt="A."' in (app.outdir / "post/index.html").read_text()
    assert warnings == ""


def test_another_engine_reads_the_documents_anew(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    build(make_app, src, post())
    monkeypatch.setattr(drawing, "ENGINE", Mermaidx(name="another", known="1"))
    app, warnings = build(make_app, src, None)
    assert f"{digest(SOURCE)}.svg" in (app.outdir / "post/index.html").read_text()
    assert drawn == [SOURCE, SOURCE]
    assert warnings.count("WARNING") == warnings.count("no diagram uses this drawing") == 1  # the first one's


def test_without_the_engine_its_known_version_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest(SOURCE)
    assert drawing.ENGINE.version == Mermaidx().known
    missing = Mermaidx(name="no_such_engine")
    assert missing.version == Mermaidx().known
    with pytest.raises(EngineMissing):
        missing.render(SOURCE, [{}])
    monkeypatch.setattr(drawing, "ENGINE", missing)
    assert digest(SOURCE) != before


def test_the_digest_follows_the_source() -> None:
    assert digest(SOURCE) == digest(SOURCE)
    assert digest(SOURCE) != digest(SOURCE + " ")
    assert re.fullmatch("[0-9a-f]{16}", digest(SOURCE))


def one(app: SphinxTestApp, name: str = "post/index.html") -> str:
    return (app.outdir / name).read_text()


def test_options_of_sphinxcontrib_mermaid_are_known(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str]
) -> None:
    options = ':alt: A.\n:align: left\n:class: wide\n:zoom:\n:title: T: x\n:config: {"look": "neo"}\n\n'
    app, warnings = build(make_app, src, f"# P\n\n```{{mermaid}}\n{options}{SOURCE}\n```\n")
    assert 'class="writing-diagram wide align-left"' in one(app)
    assert drawn == [f"---\nconfig:\n  look: neo\ntitle: 'T: x'\n---\n{SOURCE}"]
    assert warnings == ""


FAULTS = [
    (":alt: A.\n:config: {x\n\npie", ":config: is not JSON (Expecting"),
    (":alt: A.\n:config: [1]\n\npie", ":config: is not a JSON object"),
    (":alt: A.\n:title: T\n\n---\ntitle: U\n---\npie", "has a front matter of its own; write :title: and"),
    (":alt: A.\n\n \n\n", "is empty; write mermaid text into it, or remove it"),
]


@pytest.mark.parametrize(("block", "message"), FAULTS)
def test_what_the_directive_cannot_read_is_named(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str], block: str, message: str
) -> None:
    _, warnings = build(make_app, src, f"# P\n\n````{{mermaid}}\n{block}\n````\n")
    assert warnings.startswith(f"{src}/post/index.md:3: WARNING: diagram {message}")
    assert warnings.count("WARNING") == 1
    assert drawn == []


def test_settings_of_the_site_are_named(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str]
) -> None:
    source = '%%{init: {"theme": "forest"}}%%\n' + SOURCE
    _, warnings = build(make_app, src, f"# P\n\n```{{mermaid}}\n:alt: A.\n\n{source}\n```\n")
    assert warnings == (
        f'{src}/post/index.md:3: WARNING: diagram sets "theme", which the site sets for light, dark and print; '
        "take it out [writing.diagram]\n"
    )
    assert drawn == [source]


def test_a_diagram_may_lie_in_a_file_of_its_own(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str]
) -> None:
    (src / "post" / "a flow.mmd").write_text(SOURCE)
    text = "# P\n\n```{mermaid} a flow.mmd\n:alt: A.\n```\n"
    build(make_app, src, text)
    (src / "post" / "a flow.mmd").write_text(SOURCE + " --> C")
    app, warnings = build(make_app, src, None)
    assert drawn == [SOURCE, SOURCE + " --> C"]
    assert digest(drawn[1]) in one(app)
    assert "no diagram uses this drawing" in warnings


NAMED_FILES = [
    ("```{mermaid} none.mmd\n:alt: A.\n```", 'file "post/none.mmd" cannot be read; is its path right?'),
    ("```{mermaid} bad.mmd\n:alt: A.\n```", 'file "post/bad.mmd" is not UTF-8 (invalid start byte)'),
    (
        "```{mermaid} bad.mmd\n:alt: A.\n\npie\n```",
        'names the file "bad.mmd" and has text of its own; keep one',
    ),
]


@pytest.mark.parametrize(("block", "message"), NAMED_FILES)
def test_a_file_that_is_none_is_named(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str], block: str, message: str
) -> None:
    (src / "post" / "bad.mmd").write_bytes(b"\xff")
    _, warnings = build(make_app, src, f"# P\n\n{block}\n")
    assert warnings.startswith(f"{src}/post/index.md:3: WARNING: diagram {message}")
    assert warnings.count("WARNING") == 1


REASON = "Error: Parse error on line 2:\n...A --> [\n-------^\nExpecting 'AMP', got 'SQS'"
BROKEN = "flowchart LR\n  A --> ["
PLACES = [
    ("index.md", f"# P\n\n```{{mermaid}}\n:alt: A.\n\n{BROKEN}\n```\n", "index.md", 7),
    ("index.md", f"# P\n\n```{{mermaid}}\n---\nalt: A.\ntitle: T\n---\n\n%% c\n{BROKEN}\n```\n", "index.md", 11),
    ("index.md", f"# P\n\n- A\n\n  ```{{note}}\n  :class: x\n\n  ~~~{{mermaid}}\n  :alt: A.\n  {BROKEN.replace(chr(10), chr(10) + '  ')}\n  ~~~\n  ```\n", "index.md", 11),
    ("index.md", "# P\n\n```{mermaid} a.mmd\n:alt: A.\n```\n", "a.mmd", 3),
    ("index.rst", "P\n=\n\n.. note::\n\n   .. mermaid::\n      :alt: A.\n\n      flowchart LR\n        A --> [\n", "index.rst", 10),
]  # fmt: skip


@pytest.mark.parametrize(("page", "text", "file", "line"), PLACES)
def test_a_fault_is_reported_at_its_line_in_every_build(
    make_app: Callable[..., SphinxTestApp],
    src: Path,
    monkeypatch: pytest.MonkeyPatch,
    page: str,
    text: str,
    file: str,
    line: int,
) -> None:
    monkeypatch.setattr(drawings, "draw", failing(DiagramError(REASON)))
    (src / "post" / "a.mmd").write_text(f"\n{BROKEN}\n")
    (src / "post" / page).write_text(text)
    expected = (
        f"{src}/post/{file}:{line}: WARNING: diagram is not drawn: Parse error on line {line}:\n"
        "...A --> [\n-------^ [writing.diagram]\n"
    )
    assert build(make_app, src, None)[1] == expected
    assert build(make_app, src, None)[1] == expected


@pytest.mark.parametrize("harm", [b"", b"<svg", b"version https://git-lfs"])
@pytest.mark.parametrize("ending", [".svg", "-dark.svg", ".pdf"])
def test_a_drawing_that_was_harmed_is_drawn_again(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str], harm: bytes, ending: str
) -> None:
    build(make_app, src, post())
    path = src / "_diagrams" / f"{digest(SOURCE)}{ending}"
    whole = path.read_bytes()
    path.write_bytes(harm)
    _, warnings = build(make_app, src, None)
    assert path.read_bytes() == whole
    assert warnings == ""


UNUSED = "no diagram uses this drawing; delete _diagrams/{0}-dark.svg, _diagrams/{0}.pdf, _diagrams/{0}.svg"


def test_what_no_diagram_uses_is_named_in_every_build(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str]
) -> None:
    folder = src / "_diagrams"
    build(make_app, src, post())
    for name in ("README", "0123.svg", ".keep"):
        (folder / name).touch()
    assert build(make_app, src, None)[1] == ""
    old = (
        f"{folder}/{digest(SOURCE)}-dark.svg:1: WARNING: {UNUSED.format(digest(SOURCE))} [writing.drawing]\n"
    )
    assert build(make_app, src, post(source="flowchart LR\n  C"))[1] == old
    assert build(make_app, src, None)[1] == old
    for path in folder.glob(f"{digest(SOURCE)}*"):
        path.unlink()
    assert build(make_app, src, None)[1] == ""
    (folder / ".x1.tmp").touch()
    assert "delete _diagrams/.x1.tmp" in build(make_app, src, None)[1]


def test_drawings_of_pages_that_are_left_out_are_not_judged(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str]
) -> None:
    (src / "draft.md").write_text("---\norphan:\ndate: 2026-01-01\ndraft: true\n---\n" + post())
    (src / "_diagrams").mkdir()
    (src / "_diagrams" / f"{digest(SOURCE)}.svg").write_text(SVG)
    app, warnings = build(make_app, src, "# P\n")
    assert warnings == ""
    assert "1 drawings in _diagrams are used by no page of this build; they may be those of draft" in (
        app.status.getvalue()
    )
    (src / "draft.md").write_text("---\norphan:\ndate: 2026-01-01\ndraft: true\n---\n# Words\n")
    assert "no diagram uses this drawing" in build(make_app, src, None)[1]


LINKS = re.compile(
    r'<a class="([^"]*)" href="([^"]*)" title="[^"]+"><img alt="A leads to B."[^>]* src="([^"]*)"'
)


@pytest.mark.parametrize(
    ("builder", "page", "to"),
    [
        ("html", "post/index.html", "../_images/"),
        ("dirhtml", "post/index.html", "../_images/"),
        ("singlehtml", "index.html", "_images/"),
    ],
)
def test_each_picture_is_a_link_to_its_file(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str], builder: str, page: str, to: str
) -> None:
    app, warnings = build(make_app, src, post(), builder)
    found = LINKS.findall(one(app, page))
    assert [("only-light" in names, href) for names, href, _ in found] == [
        (True, f"{to}{digest(SOURCE)}.svg"),
        (False, f"{to}{digest(SOURCE)}-dark.svg"),
    ]
    for _, href, source in found:
        assert href == source
        assert (app.outdir / page).parent.joinpath(href).is_file()
    assert warnings == ""


@pytest.mark.parametrize(
    ("builder", "page"), [("epub", "post/index.xhtml"), ("latex", "t.tex"), ("text", "post/index.txt")]
)
def test_other_outputs_have_no_such_link(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str], builder: str, page: str
) -> None:
    app, _ = build(make_app, src, post(), builder)
    assert "writing-zoom" not in one(app, page)
    assert "Open the picture" not in one(app, page)


def test_figures_are_linked_and_linked_ones_stay(
    make_app: Callable[..., SphinxTestApp], src: Path, drawn: list[str]
) -> None:
    for name in ("a#b.svg", "a#b-dark.svg", "c.svg"):
        (src / "post" / name).write_text(SVG)
    options = ("", ":target: https://example.org/\n", ":class: no-scaled-link\n", ":width: 5px\n")
    figures = "\n".join(f"```{{figure}} a#b.svg\n:alt: F\n{o}\nC\n```\n" for o in options)
    text = f"# P\n\n{figures}\n![In a line](c.svg)\n\n```{{figure}} https://example.org/r.svg\n:alt: R\n```\n"
    app, _ = build(make_app, src, text)
    hrefs = re.findall(r'<a class="[^"]*image-reference" href="([^"]*)"', one(app))
    own = ["../_images/a%23b.svg", "../_images/a%23b-dark.svg"]
    assert hrefs[:4] == [*own, "https://example.org/", "https://example.org/"]
    assert hrefs[4:] == own
    assert one(app).count("writing-zoom") == 4
    (src / "conf.py").write_text(CONF + "html_scaled_image_link = False\n")
    app, _ = build(make_app, src, None)
    assert "writing-zoom" not in one(app)
