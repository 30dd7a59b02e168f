"""Formulas set at build by KaTeX, where `html_math_renderer = "katex"`.

Reading: each formula is set once, and what is wrong with it is noted with its line. Writing: HTML pages get
KaTeX's markup with MathML in it, an EPUB the MathML alone; LaTeX has the source, with the same macros.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.errors import ConfigError
from sphinx.jinja2glue import BuiltinTemplateLoader
from sphinx.locale import _
from sphinx.util.math import get_node_equation_number
from sphinx.util.nodes import get_node_line, get_node_source

from sphinx_writing.core import tex
from sphinx_writing.core.problems import Kind, Problem
from sphinx_writing.sphinx_ext import katex
from sphinx_writing.sphinx_ext.domain import writing_domain

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment
    from sphinx.writers.html5 import HTML5Translator

    from sphinx_writing.core.inline import Inline
    from sphinx_writing.core.tex import Macros

RENDERER = "katex"
Formula = nodes.math | nodes.math_block


def visit_inline(writer: HTML5Translator, node: nodes.math) -> None:
    """Write a formula that stands in a sentence."""
    writer.body.append(writer.starttag(node, "span", "", CLASS="math notranslate nohighlight"))
    writer.body.append(f"{_markup(writer.builder, node)}</span>")
    raise nodes.SkipNode


def visit_block(writer: HTML5Translator, node: nodes.math_block) -> None:
    """Write a displayed formula, with its number and the link to it."""
    writer.body.append(writer.starttag(node, "div", "", CLASS="math writing-math notranslate nohighlight"))
    if node["number"]:
        writer.body.append(f'<span class="eqno">({get_node_equation_number(writer, node)})')
        writer.add_permalink_ref(node, _("Link to this equation"))
        writer.body.append("</span>")
    writer.body.append(f"{_markup(writer.builder, node)}</div>\n")
    raise nodes.SkipNode


def _markup(builder: Builder, node: Formula) -> str:
    """The formula of *node* as this output shows it, or its source where that is at fault."""
    try:
        html = _set(builder.env, node)
    except katex.Fault:  # reported when it was read
        return f"<code>{escape(node.astext())}</code>"
    return katex.mathml(html) if builder.name == "epub" else html


def _set(env: BuildEnvironment, node: Formula) -> str:
    display = isinstance(node, nodes.math_block)
    whole = bool(node.get("no-wrap", node.get("nowrap", False)))
    return typesetter(env).html(node.astext(), display=display, wrap=not whole)


def typesetter(env: BuildEnvironment) -> katex.Typesetter:
    """What sets the formulas of this build."""
    domain = writing_domain(env)
    if domain.typesetter is None:
        folder = Path(env.doctreedir, "writing", "math")
        domain.typesetter = katex.Typesetter(folder, macros(env.config))
    return domain.typesetter


def in_line(env: BuildEnvironment, source: str) -> str:
    """A formula of a title or summary as HTML."""
    try:
        return typesetter(env).html(source)
    except katex.Fault:  # reported where it is written
        return f"<code>{escape(source)}</code>"


def in_mathml(env: BuildEnvironment, source: str) -> str:
    """A formula as MathML, which needs no style sheet; as its source where we do not set formulas."""
    html = in_line(env, source) if is_ours(env.config) else ""
    return katex.mathml(html) or f"<code>{escape(source)}</code>"


def note_faults(app: Sphinx, doctree: nodes.document) -> None:
    """Note the formulas that cannot be set, so that every build says so."""
    found: list[Formula] = [*doctree.findall(nodes.math), *doctree.findall(nodes.math_block)]
    for node in found:
        try:
            _set(app.env, node)
        except katex.Fault as fault:
            file = get_node_source(node) or app.env.doc2path(app.env.docname)
            line = line_of(Path(file), get_node_line(node) or 0, node.astext(), fault.position)
            writing_domain(app.env).note(Kind.MATH, message(node.astext(), fault), f"{file}:{line}")


def message(source: str, fault: katex.Fault) -> str:
    """What is said of a formula at fault."""
    return f'formula "{tex.around(source, fault.position)}" is not understood: {fault.reason}'


def line_of(file: Path, first: int, source: str, position: int) -> int:
    """The line of the character number *position* of a formula in a block that begins in line *first*."""
    lines = source.splitlines() or [""]
    begin = next((i for i, line in enumerate(lines) if line.strip()), 0)
    at = max(source[: max(position, 0)].count("\n"), begin)
    try:
        below = file.read_text(encoding="utf-8").splitlines()[max(first - 1, 0) :]
    except (OSError, ValueError):
        return first
    wanted = [line.strip() for line in lines[begin:]]

    def stands_at(i: int) -> bool:
        return all(part in line for part, line in zip(wanted, below[i:], strict=False))

    found = next(filter(stands_at, range(len(below))), None)
    return first if found is None else max(first, 1) + found + at - begin


def problems(env: BuildEnvironment) -> Iterator[Problem]:
    """What is wrong with formulas in front matter."""
    if not is_ours(env.config):
        return
    for docname, source in sorted(writing_domain(env).scans.items()):
        front = source.scan.front
        series = front.series_info.description if front.series_info else ()
        for field, shown in (("summary", front.summary), ("series", series)):
            for said in faults(env, shown):
                yield Problem(Kind.MATH, docname, front.place(field), said)


def faults(env: BuildEnvironment, shown: Inline) -> Iterator[str]:
    """What is wrong with each formula of a short text."""
    for span in shown:
        if span.mark == "math":
            try:
                typesetter(env).html(span.text)
            except katex.Fault as fault:
                yield message(span.text, fault)


def is_ours(config: Config) -> bool:
    """Whether this site's formulas are set here."""
    return bool(config.html_math_renderer == RENDERER)


def macros(config: Config) -> Macros:
    """The macros of the configuration."""
    try:
        return tex.macros(config.writing_math_macros)
    except ValueError as error:
        raise ConfigError(f"writing_math_macros in conf.py: {error}") from None


def define_for_latex(_app: Sphinx, config: Config) -> None:
    """Give LaTeX the macros, after what the site has in its preamble."""
    if lines := tex.definitions(macros(config)):
        preamble = config.latex_elements.get("preamble", "")
        config.latex_elements = {**config.latex_elements, "preamble": f"{preamble}\n{lines}\n"}


def add_renderer(app: Sphinx, config: Config) -> None:
    """Add the renderer where the configuration names it.

    Only there: a second renderer beside the one of an extension makes Sphinx demand a choice.
    """
    if not is_ours(config):
        return
    if not katex.is_installed():
        raise ConfigError(
            'html_math_renderer = "katex" needs mini-racer, which is not installed: '
            f'pip install "{katex.REQUIREMENT}"'
        )
    app.add_html_math_renderer(RENDERER, (visit_inline, None), (visit_block, None))
    app.connect("doctree-read", note_faults)
    app.connect("builder-inited", prepare_pages)
    app.connect("html-page-context", link_sheet, priority=700)  # after our sidebar is made
    app.connect("build-finished", stop)


def prepare_pages(app: Sphinx) -> None:
    """Ship style sheet and fonts with web pages, and let templates say a formula once."""
    if not isinstance(app.builder, StandaloneHTMLBuilder) or app.builder.name == "epub":
        return
    app.config.html_static_path = [*app.config.html_static_path, str(katex.SHIPPED)]
    if isinstance(app.builder.templates, BuiltinTemplateLoader):
        filters = app.builder.templates.environment.filters
        plain = filters["striptags"]
        filters["striptags"] = lambda text: plain(katex.spoken(str(text)))


def link_sheet(
    app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Link the style sheet from a page that shows a formula; from all where titles have some."""
    shown = (text for text in context.values() if isinstance(text, str))
    if app.builder.name != "epub" and (
        writing_domain(app.env).site.titles_have_formulas or any('class="katex"' in text for text in shown)
    ):
        app.add_css_file(katex.SHEET)


def stop(_app: Sphinx, _exception: Exception | None) -> None:
    """End the engine."""
    katex.stop()


def register(app: Sphinx) -> None:
    """Add the renderer and the macros to a site that asks for them."""
    app.add_config_value("writing_math_macros", {}, "env", types=frozenset({dict}))
    app.connect("config-inited", define_for_latex)
    app.connect("config-inited", add_renderer)
