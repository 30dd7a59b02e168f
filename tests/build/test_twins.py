"""Dark twins: two images in HTML, one everywhere else, and a twin that comes later."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sphinx_writing.sphinx_ext.twins import dark_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.testing.util import SphinxTestApp

CONF = """
extensions = ["myst_parser"]
html_theme = "basic"
project = copyright = "T"
version = release = "1"

def setup(app):
    from sphinx_writing.sphinx_ext import twins
    twins.register(app)
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>\n'


@pytest.fixture
def src(tmp_path: Path) -> Path:
    """A project with one pair and one single image."""
    src = tmp_path / "src"
    (src / "post").mkdir(parents=True)
    (src / "conf.py").write_text(CONF)
    for name in ("plot.svg", "plot-dark.svg", "single.svg"):
        (src / "post" / name).write_text(SVG)
    (src / "index.md").write_text("# T\n\n```{toctree}\npost/index\n```\n")
    return src


def build(
    make_app: Callable[..., SphinxTestApp], src: Path, text: str | None, builder: str = "html"
) -> SphinxTestApp:
    """A build of the post with *text*, or of the post as it is, that warned of nothing."""
    if text is not None:
        (src / "post" / "index.md").write_text(text)
    app = make_app(builder, srcdir=src)
    app.build()
    app.cleanup()
    assert app.warning.getvalue() == ""
    return app


def images(app: SphinxTestApp, page: str = "post/index.html") -> list[str]:
    return re.findall(r"<img [^>]*>", (app.outdir / page).read_text())


PLAIN = "# P\n\n![A line](plot.svg) and ![One](single.svg)\n"


def test_html_has_both(make_app: Callable[..., SphinxTestApp], src: Path) -> None:
    app = build(make_app, src, PLAIN)
    light, dark, single = images(app)
    assert 'class="only-light"' in light
    assert 'src="../_images/plot.svg"' in light
    assert 'class="only-dark"' in dark
    assert 'src="../_images/plot-dark.svg"' in dark
    assert light.count('alt="A line"') == dark.count('alt="A line"') == 1
    assert "only-" not in single
    assert (app.outdir / "_images" / "plot-dark.svg").is_file()
    assert "writing-twins.css" in (app.outdir / "post/index.html").read_text()


def test_figures_keep_one_caption_and_one_target(make_app: Callable[..., SphinxTestApp], src: Path) -> None:
    text = "# P\n\n```{figure} plot.svg\n:name: fig\n:alt: A line\n\nWhat to see.\n```\n"
    page = (build(make_app, src, text).outdir / "post/index.html").read_text()
    assert page.count('id="fig"') == 1
    assert page.count("<figcaption>") == 1
    assert len(re.findall("<img [^>]*only-", page)) == 2


def test_a_wildcard_takes_the_dark_file_a_browser_shows(
    make_app: Callable[..., SphinxTestApp], src: Path
) -> None:
    app = build(make_app, src, "# P\n\n![A line](plot.*)\n")
    assert ["only-light" in images(app)[0], "plot-dark.svg" in images(app)[1]] == [True, True]


@pytest.mark.parametrize("builder", ["epub", "text", "latex"])
def test_other_builders_have_the_light_one(
    make_app: Callable[..., SphinxTestApp], src: Path, builder: str
) -> None:
    app = build(make_app, src, PLAIN.replace("plot.svg", "plot.png"), builder)
    assert not list(app.outdir.rglob("plot-dark.*"))


@pytest.fixture(autouse=True)
def raster(src: Path) -> None:
    """The same pair as PNG, which LaTeX can show."""
    for name in ("plot.png", "plot-dark.png"):
        (src / "post" / name).write_bytes(b"\x89PNG\r\n\x1a\n")


def test_remote_and_marked_images_are_left_alone(make_app: Callable[..., SphinxTestApp], src: Path) -> None:
    text = (
        "# P\n\n![a](https://example.org/plot.svg)\n\n![b](data:image/gif;base64,R0lGODlhAQABAAAAACw=)\n\n"
        "```{image} plot.svg\n:class: only-light\n:alt: c\n```\n\n"
        "```{image} plot-dark.svg\n:class: only-dark\n:alt: c\n```\n"
    )
    assert len(images(build(make_app, src, text))) == 4


def test_a_twin_that_comes_later_is_shown(make_app: Callable[..., SphinxTestApp], src: Path) -> None:
    assert len(images(build(make_app, src, PLAIN))) == 3
    (src / "post" / "single-dark.svg").write_text(SVG)
    app = build(make_app, src, None)
    assert len(images(app)) == 4
    again = build(make_app, src, None)
    assert "0 added, 0 changed, 0 removed" in again.status.getvalue()


def test_a_twin_that_goes_is_dropped(make_app: Callable[..., SphinxTestApp], src: Path) -> None:
    build(make_app, src, PLAIN)
    (src / "post" / "plot-dark.svg").unlink()
    assert len(images(build(make_app, src, None))) == 2


def test_dark_file_prefers_vectors_and_skips_print(tmp_path: Path) -> None:
    for name in ("a-dark.png", "a-dark.svg", "b-dark.pdf"):
        (tmp_path / name).touch()
    assert dark_file(tmp_path / "a.*") == tmp_path / "a-dark.svg"
    assert dark_file(tmp_path / "b.*") is None
    assert dark_file(tmp_path / "a.png") == tmp_path / "a-dark.png"


def test_the_style_sheet_hides_one_of_each_pair() -> None:
    import sphinx_writing

    (root,) = sphinx_writing.__path__
    css = (Path(root) / "static" / "writing-twins.css").read_text()
    assert ".only-dark {\n  display: none;" in css
    assert css.count("{") == css.count("}")
