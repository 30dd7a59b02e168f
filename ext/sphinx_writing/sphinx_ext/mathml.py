"""An HTML math renderer that writes MathML: no script, no fonts, the same bytes every time.

Serves the writing phase of HTML builders with `html_math_renderer = "mathml"`.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.locale import _
from sphinx.util.math import get_node_equation_number
from sphinx.util.nodes import get_node_line, get_node_source

from sphinx_writing.core.problems import Kind
from sphinx_writing.sphinx_ext.domain import writing_domain

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.writers.html5 import HTML5Translator

_TOKEN = re.compile(r"\\(begin|end)\{([a-zA-Z]+\*?)\}|\\.|[{}]", re.DOTALL)
_OUTER = re.compile(r"\\(begin|end)\{(equation|align|gather|multline|eqnarray|split)\*?\}")
_NO_EFFECT = re.compile(r"\\(?:nonumber|notag)(?![a-zA-Z])|\\label\{[^{}]*\}")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_COLUMNS_OR_ROWS = re.compile(r"\\\\|(?<!\\)&")
_BETWEEN_TAGS = re.compile(r">\s*\n\s*<")


def visit_inline(writer: HTML5Translator, node: nodes.math) -> None:
    """Write a formula that stands in a sentence."""
    writer.body.append(writer.starttag(node, "span", "", CLASS="math notranslate nohighlight"))
    writer.body.append(_mathml(node, as_block=False) + "</span>")
    raise nodes.SkipNode


def visit_block(writer: HTML5Translator, node: nodes.math_block) -> None:
    """Write a displayed formula, with its number and the link to it."""
    writer.body.append(writer.starttag(node, "div", "", CLASS="math notranslate nohighlight"))
    if node["number"]:
        writer.body.append(f'<span class="eqno">({get_node_equation_number(writer, node)})')
        writer.add_permalink_ref(node, _("Link to this equation"))
        writer.body.append("</span>")
    writer.body.append(_mathml(node, as_block=True) + "</div>\n")
    raise nodes.SkipNode


def _mathml(node: nodes.math | nodes.math_block, *, as_block: bool) -> str:
    """The formula of *node* as MathML, or its source where it is not understood."""
    source = node.astext()
    try:
        return convert(source, as_block=as_block)
    except Exception:  # reported when it was read
        return f"<code>{escape(source)}</code>"


def note_faults(app: Sphinx, doctree: nodes.document) -> None:
    """Note the formulas that cannot be converted, so that every build says so."""
    for node in [*doctree.findall(nodes.math), *doctree.findall(nodes.math_block)]:
        try:
            convert(node.astext(), as_block=isinstance(node, nodes.math_block))
        except Exception as error:  # the converter fails in many ways
            shown = " ".join(node.astext().split())
            reason = str(error).rstrip(".")
            message = f'formula "{shown}" is not understood: {reason}; use plainer LaTeX'
            location = (
                f"{get_node_source(node) or app.env.doc2path(app.env.docname)}:{get_node_line(node) or 0}"
            )
            writing_domain(app.env).note(Kind.MATH, message, location)


def convert(source: str, *, as_block: bool = False) -> str:
    """*source* as a MathML element on one line; raises what names the fault."""
    top_level(source)
    markup = tex2mathml(aligned(source) if as_block else source.strip(), as_block=as_block)
    return _BETWEEN_TAGS.sub("><", markup).replace(
        "&ApplyFunction;", "\u2061"
    )  # XHTML does not know the name


def top_level(source: str) -> str:
    """*source* with a dot for each character inside braces and environments.

    Raises for a brace or an environment without its partner: the converter lets some of them pass.
    """
    shown = source
    waiting: list[re.Match[str]] = []
    for token in filter(_opens_or_closes, _TOKEN.finditer(source)):
        if token[1] == "begin" or token[0] == "{":
            waiting.append(token)
            continue
        if not waiting or token[0] != _partner(waiting[-1]):
            raise ValueError(f'"{token[0]}" closes nothing that is open')
        start = waiting.pop().start()
        if not waiting:
            shown = shown[:start] + "." * (token.end() - start) + shown[token.end() :]
    if waiting:
        raise ValueError(f'"{waiting[-1][0]}" is never closed')
    return shown


def _opens_or_closes(token: re.Match[str]) -> bool:
    return token[0] in "{}" or token[1] is not None


def _partner(opening: re.Match[str]) -> str:
    return "}" if opening[0] == "{" else rf"\end{{{opening[2]}}}"


def aligned(source: str) -> str:
    """*source* with one environment around several lines.

    Blank lines part equations, as Sphinx has it for LaTeX; an environment for a whole display becomes
    `aligned`, which the converter knows.
    """
    inner = _NO_EFFECT.sub("", _OUTER.sub(r"\\\1{aligned}", source))
    shown = top_level(inner)
    cuts = [0, *(place for gap in _BLANK_LINE.finditer(shown) for place in gap.span()), len(inner)]
    lines = [inner[start:stop].strip() for start, stop in zip(cuts[::2], cuts[1::2], strict=True)]
    joined = r" \\ ".join(filter(None, lines))
    if _COLUMNS_OR_ROWS.search(top_level(joined)):
        return rf"\begin{{aligned}}{joined}\end{{aligned}}"
    return joined


def add_style(app: Sphinx) -> None:
    """Add the style sheet of aligned equations to builders that use this renderer."""
    if getattr(app.builder, "math_renderer_name", None) == "mathml":
        app.add_css_file("writing-math.css")


def register(app: Sphinx) -> None:
    """Add the renderer `mathml` to a site that asks for it.

    Only there: a second renderer beside the one of an extension makes Sphinx demand a choice.
    """
    app.connect("config-inited", add_renderer)


def add_renderer(app: Sphinx, config: Config) -> None:
    """Add the renderer where the configuration names it."""
    if config.html_math_renderer == "mathml":
        app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
        app.connect("doctree-read", note_faults)
        app.connect("builder-inited", add_style)
