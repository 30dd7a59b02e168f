"""Scripts and style sheets that only some pages need, or none: each is loaded where it is of use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_writing.sphinx_ext import theme
from sphinx_writing.sphinx_ext.transforms import prints_templates

if TYPE_CHECKING:
    from typing import Any

    from docutils import nodes
    from sphinx.application import Sphinx

ASSETS = {
    '<form class="writing-filter"': ("writing-filter.js",),
    '<form class="writing-calculator-form"': ("writing-calculator.css", "writing-calculator.js"),
    '<div class="writing-map"': ("writing-map.css",),
}
"""How something begins in our templates, and so in the pages that need the files."""

UNUSED = {"_static/doctools.js", "_static/sphinx_highlight.js"}
"""What marks the words that Sphinx's own search was asked for, and turns pages by keys in some themes."""


def load(
    app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Load what the page that is about to be written needs."""
    if not prints_templates(app.builder):
        return
    if app.config.writing_search and theme.is_ours(app.builder):
        scripts = context["script_files"]  # Sphinx gives each page the whole list again
        scripts[:] = [script for script in scripts if str(script.filename) not in UNUSED]
    body = str(context.get("body") or "")
    for file in (file for mark, files in ASSETS.items() if mark in body for file in files):
        if file.endswith(".css"):
            app.add_css_file(file, priority=710)  # after our own for all pages
        else:
            app.add_js_file(file, loading_method="defer")


def register(app: Sphinx) -> None:
    """Look at every page that is about to be written."""
    app.connect("html-page-context", load)
