"""Formulas set by KaTeX: right in every place and output, or reported with file and line."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from xml.etree import ElementTree

import pytest
from sphinx.errors import ConfigError

from sphinx_writing.sphinx_ext import katex

from .conftest import Built, Project

Make = Callable[[str], Project]
HEAD = "---\nsummary: Takes $s_1$ steps.\ndate: 2026-01-02\n---\n"
PAGE = f"""{HEAD}# Why $t_1$

In line $x^2 < y$ and $\\R$.

## Heading $h_1$

$$
a &= b \\\\
c &= d
$$ (eq-one)

\\begin{{align}}
e &= f \\\\
g &= h \\nonumber
\\end{{align}}
"""


@pytest.fixture
def site(project: Make) -> Project:
    """A series of one post, and a page that quotes its equation."""
    site = project("formulas")
    site.write("notes/one.md", PAGE)
    return site


def said(built: Built) -> list[str]:
    """The warnings without their type."""
    assert all(line.endswith(" [writing.math]") for line in built.warnings), built.warnings
    return [line.removesuffix(" [writing.math]") for line in built.warnings]


def body(site: Project, text: str, **options: object) -> Built:
    """The site with *text* in its post, from line 7 on."""
    site.write("notes/one.md", f"{HEAD}# One\n\n{text}\n")
    return site.build(**options)  # type: ignore[arg-type]


def test_formulas_are_right_in_every_place(site: Project) -> None:
    built = site.build(html_theme="furo")
    assert built.warnings == []
    page = built.text("notes/one.html")
    assert '<annotation encoding="application/x-tex">x^2 &lt; y</annotation>' in page
    assert '<span class="katex-html" aria-hidden="true">' in page
    assert r'<annotation encoding="application/x-tex">\R</annotation>' in page  # a macro of the site
    assert '<span class="mord mathbb">R</span>' in page
    for where in ("<h1 id=[^>]*>Why ", "<h2 id=[^>]*>Heading "):
        assert re.search(rf'{where}<span class="math[^>]*><span class="katex">', page), where
    assert "<title>Why t1 - Formulas documentation</title>" in page
    assert '<meta name="description" content="Takes s_1 steps.">' in page
    assert re.search(r'<li><a class="reference internal" href="#heading-h-1">Heading <span class="math', page)
    listed = built.text("index.html")
    assert re.search(r"writing-card-title.*?Why .*?katex.*?</", listed, re.DOTALL)
    assert re.search(r"writing-card-summary.*?Takes .*?katex.*?</p>", listed, re.DOTALL)
    assert re.search(r"sidebar-tree.*?Why .*?katex", built.text("notes/index.html"), re.DOTALL)
    assert "MathJax" not in page


def test_equations_are_numbered_and_linked_across_pages(site: Project) -> None:
    built = site.build()
    page, other = built.text("notes/one.html"), built.text("other.html")
    number = r'<span class="eqno">\(1\)<a class="headerlink" href="#equation-eq-one"'
    assert re.search(rf'<div class="math writing-math[^>]*id="equation-eq-one">\s*{number}', page)
    assert 'href="notes/one.html#equation-eq-one">(1)</a>' in other
    assert page.count("<mtr>") == 4
    assert "katex-version" not in page
    assert page.count('class="eqno"') == 2


def test_style_and_fonts_are_there_where_a_formula_is(project: Make) -> None:
    site = project("formulas")
    site.write("notes/one.md", f"{HEAD.replace('$s_1$', 'many')}# One\n\n$x$\n\n$$\na\n$$ (eq-one)\n")
    built = site.build()
    with_it = {
        p.relative_to(built.out).as_posix()
        for p in built.out.rglob("*.html")
        if "katex.min.css" in p.read_text()
    }
    assert with_it == {"notes/one.html"}
    sheet = built.text("_static/katex/katex.min.css")
    for font in re.findall(r"url\(([^)]*)\)", sheet):
        assert (built.out / "_static" / "katex" / font).is_file()
    site.replace("notes/one.md", "# One", "# One $x$")
    everywhere = site.build()
    assert all("katex.min.css" in p.read_text() for p in everywhere.out.rglob("*.html"))
    assert everywhere.tree() == site.build(to="clean").tree()
    assert not (site.build(html_math_renderer="mathjax").out / "_static" / "katex").exists()


FAULTS = [
    ("$a \\nosuch b$", 0, r'formula "a \nosuch b"', r'unknown command "\nosuch"'),
    ("Two\nlines and $\\alhpa$.", 1, r'formula "\alhpa"', r'did you mean "\alpha"?'),
    ("$\\norn{x}$", 0, r'formula "\norn{x}"', r'did you mean "\norm"?'),
    ("$\\frac{a}{b$", 0, r'formula "\frac{a}{b"', '"{" is never closed'),
    ("$a}$", 0, 'formula "a}"', '"}" closes nothing that is open'),
    ("$$\na\n\\nosuch\n$$", 2, r'formula "a \nosuch"', r'unknown command "\nosuch"'),
    ("$$\na &= b \\\\\nc &= {d\n$$", 2, r'formula "a &= b \\ c &= {d"', '"{" is never closed'),
    ("```{math}\n:label: x\n\na\n\\nosuch\n```", 4, r'formula "a \nosuch"', r'unknown command "\nosuch"'),
    (
        "\\begin{align}\na \\\\\n\\nosuch\n\\end{align}",
        2,
        r'\\ \nosuch \end{align}"',
        r'unknown command "\nosuch"',
    ),
    ("$\\begin{cases}a$", 0, r'formula "\begin{cases}a"', r'"\begin{cases}" is never closed'),
    ("$\\begin{alinged}a\\end{alinged}$", 0, "formula", 'did you mean "aligned"?'),
    ("$\\href{x}{y}$", 0, "formula", r'"\href" would put links'),
    ("$\\includegraphics{x}$", 0, "formula", r'"\includegraphics" would put links'),
    ("$\\htmlId{x}{y}$", 0, "formula", r'"\htmlId" would put markup'),
    ("$\\argmax x$", 0, "formula", "define it in writing_math_macros"),
    ("$x^$", 0, "formula", 'nothing follows "^"'),
    ("$\\text{😀}$", 0, "formula", '"😀" has no sign'),
    ("## Heading $\\nosuch$", 0, "formula", r'unknown command "\nosuch"'),
    ("$\\def\\a{\\a}\\a$", 0, "formula", "a macro leads back to itself"),
    ("${{{" + "{" * 3000 + "}" * 3000 + "}}}$", 0, "formula", "it is nested too deeply"),
]


def test_each_fault_is_named_with_its_line_in_every_build(site: Project) -> None:
    site.write("other.md", "# Other\n")
    lines = f"{HEAD}# One\n".splitlines()
    expected = {}
    for text, below, formula, why in FAULTS:
        lines.append("")
        expected[len(lines) + 1 + below] = (formula, why)
        lines += text.splitlines()
    site.write("notes/one.md", "\n".join(lines))
    built = site.build()
    found = {}
    for line in said(built):
        place, _, words = line.partition(": WARNING: ")
        name, _, at = place.partition(":")
        assert name == "notes/one.md"
        assert int(at) not in found
        found[int(at)] = words
    assert found.keys() == expected.keys()
    for number, (formula, why) in expected.items():
        assert formula in found[number]
        assert why in found[number]
    assert built.text("notes/one.html").count("<code>") >= len(FAULTS)
    assert said(site.build()) == said(built)


def test_a_fault_in_front_matter_is_named(site: Project) -> None:
    site.replace("notes/one.md", "$s_1$", "$\\nosuch$")
    expected = (
        'notes/one.md:2:10: WARNING: formula "\\nosuch" is not understood: unknown command "\\nosuch"; '
        "use another one, or define it in writing_math_macros"
    )
    assert said(site.build()) == [expected]
    assert said(site.build()) == [expected]
    assert "<code>\\nosuch</code>" in site.build().text("index.html")


def test_what_latex_takes_is_fine(site: Project) -> None:
    site.write("other.md", "# Other\n")
    text = (
        "$\\text{注意 é}$ $é$ $a \\\\ b$ $α ≤ β$ $\\{a\\}$\n\n$$\na % why\n+ b \\tag{x}\n$$\n\n"
        "\\begin{multline}\na \\\\ b\n\\end{multline}\n\n\\begin{eqnarray}\na &=& b\n\\end{eqnarray}\n\n"
        "\\begin{gather}\na\n\\end{gather}\n\n\\begin{equation}\\begin{split}\na &= b\\end{split}\\end{equation}\n"
    )
    assert body(site, text).warnings == []


def test_three_hundred_formulas_on_a_page(site: Project) -> None:
    site.write("other.md", "# Other\n")
    text = "\n\n".join(f"$\\frac{{a_{{{i}}}}}{{b}}$ and $$\nx_{{{i}}}\n$$" for i in range(150))
    built = body(site, text)
    assert built.warnings == []
    assert built.text("notes/one.html").count('<span class="katex">') >= 300


def count_engines(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that grows by one with each engine that is started in this process."""
    started: list[int] = []
    start = katex.Engine.__init__

    def counted(self: katex.Engine) -> None:
        started.append(1)
        start(self)

    monkeypatch.setattr(katex.Engine, "__init__", counted)
    return started


def test_known_formulas_start_no_engine(site: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    started = count_engines(monkeypatch)
    site.build()
    assert len(started) == 1
    assert katex._engines == {}
    site.replace("notes/one.md", "In line", "Also $x^2 < y$")
    again = site.build()
    site.build("epub", to="out")
    assert len(started) == 1
    site.replace("notes/one.md", "Also", "New $z$")
    site.build()
    assert len(started) == 2
    assert again.warnings == []


@pytest.mark.parametrize("harm", [b"", b"{}", b"half"])
def test_a_harmed_cache_is_made_anew(site: Project, harm: bytes) -> None:
    clean = site.build().tree()
    kept = [path for path in (site.folder / "out").rglob("writing/math/*/*") if path.is_file()]
    assert len(kept) > 5
    for path in kept:
        path.write_bytes(path.read_bytes()[: len(path.read_bytes()) // 2] if harm == b"half" else harm)
    site.replace("notes/one.md", "In line", "In  line")
    assert site.build().warnings == []
    site.replace("notes/one.md", "In  line", "In line")
    assert site.build().tree() == clean


@pytest.mark.parametrize("builder", ["html", "dirhtml", "singlehtml", "latex"])
def test_two_jobs_and_another_build_give_the_same_bytes(site: Project, builder: str) -> None:
    for i in range(12):
        site.write(f"page{i}.md", f"---\norphan: true\n---\n# Page {i}\n\n$\\frac{{a_{{{i}}}}}{{b}}$\n")
    one = site.build(builder, to="one")
    two = site.build_apart(builder, to="two", jobs=2)
    assert one.warnings == two.warnings == []
    assert one.tree() == two.tree()


def other_process(folder: Path) -> str:
    """A formula set in a forked process whose parent has an engine."""
    return katex.Typesetter(folder, {}).html("b")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("tex", "operator"), [(r"a \bmod b", "mod"), (r"a \mathbin{\mathrm{xor}} b", "xor")])
def test_an_operator_of_several_letters_is_one_in_mathml(tmp_path: Path, tex: str, operator: str) -> None:
    found = re.findall(r"<mo\b[^>]*>(.*?)</mo>", katex.mathml(katex.Typesetter(tmp_path, {}).html(tex)))
    assert found == [operator]


def test_a_forked_process_has_an_engine_of_its_own(tmp_path: Path) -> None:
    katex.Typesetter(tmp_path / "a", {}).html("a")
    mine = katex.engine()
    with get_context("fork").Pool(1) as pool:
        assert "katex" in pool.apply_async(other_process, (tmp_path / "b",)).get(timeout=60)
    assert katex.engine() is mine
    assert "katex" in katex.Typesetter(tmp_path / "c", {}).html("c")
    katex.stop()
    katex.stop()
    assert mine._process.poll() is not None


def test_an_engine_that_is_ended_from_outside_is_started_anew(tmp_path: Path) -> None:
    katex.engine()._process.kill()
    katex.engine()._process.wait()
    assert "katex" in katex.Typesetter(tmp_path, {}).html("a")


def test_an_engine_that_cannot_run_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    katex.stop()
    monkeypatch.setattr(sys, "executable", "/bin/true")
    with pytest.raises(RuntimeError, match="engine of KaTeX has ended"):
        katex.Typesetter(tmp_path, {}).html("a")
    assert katex._engines == {}


def test_what_stands_in_the_way_of_the_cache_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "math").write_text("a file")
    assert "katex" in katex.Typesetter(tmp_path / "math", {}).html("a")


def test_an_engine_whose_build_is_gone_ends(tmp_path: Path) -> None:
    engine = katex.Engine()
    assert engine._process.stdin and engine._process.stdout
    for _ in range(50):
        engine._say(["x^2", True, {}])
    engine._process.stdout.close()
    engine._process.stdin.close()
    assert engine._process.wait(timeout=30) == 0


def test_a_process_that_leaves_its_engine_open_ends(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from sphinx_writing.sphinx_ext import katex; "
        f"print(len(katex.Typesetter(Path({str(tmp_path)!r}), {{}}).html('a')))"
    )
    for _ in range(2):  # left open in the process itself, it hung every other time
        shutil.rmtree(tmp_path)
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": str(Path(katex.__file__).parents[2])},
            timeout=60,
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert int(done.stdout) > 100


def test_an_epub_has_mathml_only(site: Project) -> None:
    built = site.build("epub", copyright="Us", version="1", epub_show_urls="no")
    assert said(built) == []
    with zipfile.ZipFile(next(built.out.glob("*.epub"))) as epub:
        pages = {n: epub.read(n) for n in epub.namelist() if n.endswith(".xhtml")}
        assert not [name for name in epub.namelist() if "katex" in name.lower()]
    for content in pages.values():
        ElementTree.fromstring(content)  # noqa: S314  # our own output
        assert b"katex" not in content
        assert b"<annotation" not in content
    page = pages["notes/one.xhtml"].decode()
    assert '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">' in page
    assert re.search(r'\(1\).*<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">', page)


def test_latex_has_the_macros_after_those_of_the_site(site: Project) -> None:
    built = site.build("latex", latex_elements={"preamble": "\\newcommand{\\R}{x}"})
    text = next(built.out.glob("*.tex")).read_text()
    own, ours = text.index("\\newcommand{\\R}{x}"), text.index("\\renewcommand{\\R}{\\mathbb{R}}")
    assert own < ours < text.index("\\begin{document}")
    assert "\\renewcommand{\\norm}[1]{\\lVert #1 \\rVert}" in text
    assert "\\(x^2 < y\\)" in text


def test_other_macros_write_all_pages_again(site: Project) -> None:
    site.build()
    changed = {"R": "\\mathbf{R}", "norm": ("|#1|", 1)}
    again = site.build(writing_math_macros=changed)
    assert again.tree() == site.build(to="clean", writing_math_macros=changed).tree()
    assert 'class="mord mathbf">R<' in again.text("notes/one.html")


def test_another_katex_writes_all_pages_again(site: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    before = site.build()
    text = before.text("notes/one.html")
    monkeypatch.setattr("sphinx_writing.sphinx_ext.settings.fingerprint", lambda _app: "another")
    monkeypatch.setattr(katex, "identity", lambda: "another")
    started = count_engines(monkeypatch)
    assert site.build().text("notes/one.html") == text
    assert len(started) == 1


def test_a_macro_at_fault_stops_the_build(site: Project) -> None:
    with pytest.raises(ConfigError, match=r'writing_math_macros in conf.py: "a" has 0 arguments and uses #1'):
        site.build(writing_math_macros={"a": "#1"})


def test_without_the_engines_package_the_error_says_what_to_install(
    site: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(katex, "PACKAGE", "no_such_package")
    with pytest.raises(ConfigError, match=r'pip install "mini-racer>=0.14.1,<0.15"'):
        site.build()
    built = site.build(html_math_renderer="mathjax")
    assert built.warnings == []
    assert '<span class="math notranslate nohighlight">\\(s_1\\)</span>' in built.text("index.html")


def test_text_keeps_the_source(site: Project) -> None:
    built = site.build("text")
    assert built.warnings == []
    assert "x^2 < y" in built.text("notes/one.txt")
