"""Sphinx configuration of Silicon to Tokens."""

import os

project = "Silicon to Tokens"
author = "The Silicon to Tokens authors"
copyright = "2026, the Silicon to Tokens authors; text CC BY 4.0, code MIT"  # noqa: A001  # Sphinx's name
language = "en"

extensions = ["sphinx_writing", "sphinx_design", "sphinxcontrib.bibtex"]
exclude_patterns = ["_build"]
nitpicky = True

# Reading
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
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
html_math_renderer = "katex"
html_use_index = False
html_show_sourcelink = True
