"""Sphinx configuration of Silicon to Tokens."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docutils.nodes import document
    from sphinx.application import Sphinx

project = "Silicon to Tokens"
author = "The Silicon to Tokens authors"
copyright = "2026, the Silicon to Tokens authors; text CC BY 4.0, code MIT"  # noqa: A001  # Sphinx's name
language = "en"

extensions = ["sphinx_writing", "sphinx_design", "sphinxcontrib.bibtex"]
exclude_patterns = ["_build"]
nitpicky = True

# Where the sources are: Read the Docs says what it has cloned.
repository = os.environ.get(
    "READTHEDOCS_GIT_CLONE_URL", "https://github.com/silicon-to-tokens/silicon-to-tokens"
).removesuffix(".git")
writing_edit_url = f"{repository}/edit/main/docs/{{path}}"
writing_report_url = f"{repository}/issues/new?title={{title}}&body=On%20{{url}}:%0A%0A"

# Reading
writing_paths = "paths.yaml"
writing_map = True
writing_glossary = "glossary"
writing_previews = True
writing_markdown = True
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
bibtex_bibfiles = ["references.bib"]
numfig = True

# Labs
writing_lab_source = "../ext/labs/{module}.py"
writing_lab_command = ".venv/bin/python -m labs.{dotted}"
writing_units = ["tokens", "nats"]

# HTML: the public address is Read the Docs' own where it builds, else this one.
html_theme = "writing"
html_title = project
html_baseurl = os.environ.get(
    "READTHEDOCS_CANONICAL_URL", "https://silicon-to-tokens.readthedocs.io/en/latest/"
)
html_static_path = ["_static"]
html_theme_options = {"light_logo": "mark.svg", "dark_logo": "mark-dark.svg"}
html_favicon = "_static/favicon.svg"
writing_icons = [
    {"rel": "icon", "href": "_static/favicon-32.png", "type": "image/png", "sizes": "32x32"},
    {"rel": "apple-touch-icon", "href": "_static/icon-180.png", "sizes": "180x180"},
]
writing_social_cards = True
writing_social_mark = "_static/mark-96.png"
html_math_renderer = "katex"
html_permalinks_icon = "#"
html_use_index = False
writing_search = "pagefind"
html_show_sourcelink = True


def leave_out_tabs(
    _app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _doctree: document | None
) -> None:
    """Do not load sphinx-design's script for tabs, 3 kB, on a page that has none."""
    if "sd-tab-set" not in context.get("body", ""):
        scripts = context.get("script_files", [])
        context["script_files"] = [s for s in scripts if "design-tabs.js" not in str(s.filename)]


def setup(app: Sphinx) -> None:
    """Look at every page that is about to be written."""
    app.connect("html-page-context", leave_out_tabs)
