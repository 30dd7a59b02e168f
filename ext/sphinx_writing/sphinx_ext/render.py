"""Printing views: one Jinja environment that escapes everything, and the node that holds a template's place.

A site replaces a template by putting its own ``writing/<name>.html`` into its ``templates_path``.
"""

from __future__ import annotations

import posixpath
import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from docutils import nodes
from jinja2 import ChoiceLoader, Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.jinja2glue import BuiltinTemplateLoader
from sphinx.util.osutil import relative_uri

from sphinx_writing.core import cards, inline, labs
from sphinx_writing.sphinx_ext import formulas
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.labs import shown_path
from sphinx_writing.sphinx_ext.roles import file_uri, uri

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from docutils.nodes import Element
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.config import Config
    from sphinx.util.docutils import SphinxTranslator
    from sphinx.writers.html5 import HTML5Translator

TEMPLATES = Path(__file__).parents[1] / "templates"


class writing_html(nodes.General, nodes.Element):  # noqa: N801  # docutils names its nodes in small letters
    """The place of a template in a page; ``template`` is its name."""


def visit_html(self: HTML5Translator, node: Element) -> None:
    """Print the template in place of *node*."""
    docname = node["docname"]
    view = writing_domain(self.builder.env).view(docname)
    extra = {name: node[name] for name in ("listing", "level", "headings") if name in node}
    self.body.append(render(self.builder, node["template"], docname, view=view, **extra))
    raise nodes.SkipNode


def skip(_self: SphinxTranslator, _node: Element) -> None:
    """Print nothing: other outputs have ordinary nodes instead."""
    raise nodes.SkipNode


def loader(config: Config, confdir: Path) -> ChoiceLoader:
    """Where templates come from: the site's own first."""
    own = [str(confdir / path) for path in config.templates_path]
    return ChoiceLoader([FileSystemLoader(own), FileSystemLoader(str(TEMPLATES))])


def compiled(doctreedir: Path, config: Config, whose: str) -> FileSystemBytecodeCache:
    """Where compiled templates are kept, with the doctrees; another version of anything has another place."""
    folder = doctreedir / "writing" / "templates" / f"{whose}-{config.writing_fingerprint}"
    for other in folder.parent.glob(f"{whose}-*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    return FileSystemBytecodeCache(str(folder))


def keep_compiled(app: Sphinx) -> None:
    """Keep the theme's templates compiled from build to build: compiling them takes longer than a page."""
    templates = app.builder.templates if isinstance(app.builder, StandaloneHTMLBuilder) else None
    if isinstance(templates, BuiltinTemplateLoader):
        templates.environment.bytecode_cache = compiled(Path(app.doctreedir), app.config, "theme")


def environment(builder: Builder) -> Environment:
    """The Jinja environment of this build."""
    made = Environment(
        loader=loader(builder.config, Path(builder.confdir)),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        bytecode_cache=compiled(Path(builder.doctreedir), builder.config, "ours"),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["inline"] = partial(markup, math=math_of(builder))
    made.filters["markdown"] = lambda text: markup(inline.parse(text), math=math_of(builder))
    made.filters["plain"] = inline.plain
    made.filters["shown_path"] = shown_path
    made.globals |= {"year_page": cards.year_page, "tag_index": cards.TAG_INDEX, "anchor": labs.anchor}
    made.globals |= {"code": partial(highlighted, builder), "command": partial(command, builder.config)}
    return made


def highlighted(builder: Builder, name: str) -> Markup:
    """The file *name* of the source folder with numbered lines, each with an id of its own."""
    text = (builder.srcdir / name).read_text(encoding="utf-8-sig")
    highlighter = cast("StandaloneHTMLBuilder", builder).highlighter
    made = highlighter.highlight_block(
        text,
        labs.language(name),
        opts={"stripnl": False},
        location=name,
        linenos="inline",
        linespans=labs.LINE,
    )
    return Markup(made)  # noqa: S704  # Pygments escapes


def download(builder: Builder, pagename: str, name: str) -> str:
    """The address of the copy of the source file *name*, as *pagename* links to it."""
    copied = posixpath.join("_downloads", builder.env.dlfiles[Path(name)][1])
    return relative_uri(builder.get_target_uri(pagename), quote(copied))


def command(config: Config, folder: str) -> str:
    """What runs the lab in *folder*, as ``writing_lab_command`` says."""
    return str(config.writing_lab_command).format(**labs.places(folder))


def render(builder: Builder, template: str, pagename: str, **context: Any) -> str:
    """The text of ``writing/<template>.html`` as *pagename* shows it."""
    jinja = writing_domain(builder.env).templates
    if jinja is None:
        jinja = writing_domain(builder.env).templates = environment(builder)
    links = {
        "url": partial(uri, builder, pagename),
        "file": partial(file_uri, builder, pagename),
        "download": partial(download, builder, pagename),
    }
    return jinja.get_template(f"writing/{template}.html").render(links, pagename=pagename, **context)


def markup(text: inline.Inline, math: Callable[[str], str]) -> Markup:
    """*text* as HTML."""
    return Markup(inline.html(text, math))  # noqa: S704  # inline.html escapes


def math_of(builder: Builder) -> Callable[[str], str]:
    """How formulas in titles and summaries are printed: as the site prints those in its text."""
    return partial(formulas.in_line, builder.env) if formulas.is_ours(builder.config) else _for_script


def _for_script(tex: str) -> str:
    """The markup that MathJax and KaTeX scripts look for, as Sphinx writes it."""
    return f'<span class="math notranslate nohighlight">\\({escape(tex)}\\)</span>'
