"""The script that filters a list, on the pages that have one with a filter; while pages are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_writing.sphinx_ext.transforms import prints_templates

if TYPE_CHECKING:
    from typing import Any

    from docutils import nodes
    from sphinx.application import Sphinx

SCRIPT = "writing-filter.js"
FORM = '<form class="writing-filter"'
"""How the form begins in our template, and so in the pages that need the script."""


def load_script(
    app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Load the script on a page that holds the form."""
    if prints_templates(app.builder) and FORM in context.get("body", ""):
        app.add_js_file(SCRIPT, loading_method="defer")


def register(app: Sphinx) -> None:
    """Look at every page that is about to be written."""
    app.connect("html-page-context", load_script)
