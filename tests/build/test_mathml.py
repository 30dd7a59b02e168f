"""The MathML renderer: pages without script, faults named with file and line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from sphinx_writing.sphinx_ext.mathml import convert

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sphinx.testing.util import SphinxTestApp

CONF = """
extensions = ["sphinx_writing"]
myst_enable_extensions = ["dollarmath", "amsmath"]
html_math_renderer = "mathml"
html_theme = "basic"
"""


ANSI = re.compile(r"\x1b\[[\d;]*m")


def build(make_app: Callable[..., SphinxTestApp], src: Path, text: str, conf: str = CONF) -> tuple[str, str]:
    """The page made from *text*, and the warnings."""
    src.mkdir(exist_ok=True)
    (src / "conf.py").write_text(conf)
    (src / "index.md").write_text(text)
    app = make_app("html", srcdir=src, freshenv=True)
    app.build()
    return (app.outdir / "index.html").read_text(), app.warning.getvalue()


def test_a_page_has_mathml_and_no_script(make_app: Callable[..., SphinxTestApp], tmp_path: Path) -> None:
    page, warnings = build(make_app, tmp_path / "src", "# T\n\nIn line $x^2 < y$.\n\n$$\na = b\n$$\n")
    assert "<msup><mi>x</mi><mn>2</mn></msup><mo>&lt;</mo>" in page
    assert '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mi>a</mi>' in page
    assert "MathJax" not in page
    assert "writing-math.css" in page
    assert warnings == ""


def test_a_numbered_equation_can_be_linked(make_app: Callable[..., SphinxTestApp], tmp_path: Path) -> None:
    text = "# T\n\n$$\na = b\n$$ (eq-one)\n\nSee {eq}`eq-one`.\n"
    page, warnings = build(make_app, tmp_path / "src", text)
    assert 'id="equation-eq-one"' in page
    assert re.search(r'<span class="eqno">\(1\)<a class="headerlink" href="#equation-eq-one"', page)
    assert 'href="#equation-eq-one">(1)</a>' in page
    assert warnings == ""


def test_amsmath_environments_are_aligned(make_app: Callable[..., SphinxTestApp], tmp_path: Path) -> None:
    text = "# T\n\n\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}\n"
    page, warnings = build(make_app, tmp_path / "src", text)
    assert page.count("<mtr>") == 2
    assert warnings == ""


def test_a_fault_is_a_warning_and_shows_the_source(
    make_app: Callable[..., SphinxTestApp], tmp_path: Path
) -> None:
    page, warnings = build(make_app, tmp_path / "src", "# T\n\nA\n\n$$\n\\frac{a}{ < b\n$$\n")
    assert "<code>" in page
    assert "\\frac{a}{ &lt; b" in page
    expected = 'index.md:5: WARNING: formula "\\frac{a}{ < b" is not understood: "{" is never closed; use plainer LaTeX [writing.math]'
    assert ANSI.sub("", warnings).strip() == f"{tmp_path}/src/{expected}"


def test_other_renderers_get_no_style(make_app: Callable[..., SphinxTestApp], tmp_path: Path) -> None:
    conf = CONF.replace('html_math_renderer = "mathml"', 'html_math_renderer = "mathjax"')
    page, warnings = build(make_app, tmp_path / "src", "# T\n", conf)
    assert "writing-math.css" not in page
    assert warnings == ""


ROWS = [
    (r"a = b", 0),
    (r"a &= b", 1),
    (r"a &= b \\ c &= d", 2),
    ("a = b\n\nc = d", 2),
    (r"\begin{aligned}a &= b \\ c &= d\end{aligned}", 2),
    (r"\begin{align*}a &= b \\ c &= d \nonumber\end{align*}", 2),
    ("\\begin{gather}a\\\\\n\nb\\label{x}\\end{gather}", 2),
    (r"f = \begin{cases}1 & a \\ 2 & b\end{cases}", 2),
    (r"\text{a \& b}", 0),
    (r"a \& b", 0),
]


@pytest.mark.parametrize(("source", "rows"), ROWS)
def test_lines_become_rows_once(source: str, rows: int) -> None:
    markup = convert(source, as_block=True)
    assert markup.count("<mtr>") == rows
    assert markup.count("<mtable") == (1 if rows else 0)
    ElementTree.fromstring(markup)  # noqa: S314 - our own output


FAULTS = [
    (r"\frac{a}{", '"{" is never closed'),
    (r"a}", '"}" closes nothing that is open'),
    (r"\begin{cases}a", r'"\begin{cases}" is never closed'),
    (r"\begin{cases}a\end{matrix}", r'"\end{matrix}" closes nothing that is open'),
    (r"\nosuch", r'Unknown LaTeX command "\nosuch".'),
    (r"x^", "Last node missing children. Source incomplete?"),
]


@pytest.mark.parametrize(("source", "reason"), FAULTS)
def test_a_fault_is_named(source: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        convert(source)


def test_escaped_braces_are_characters() -> None:
    assert "<mo>{</mo><mi>a</mi>" in convert(r"\{a")


def test_names_that_xhtml_lacks_are_characters() -> None:
    ElementTree.fromstring(convert(r"\operatorname{softmax}(x)"))  # noqa: S314 - our own output
