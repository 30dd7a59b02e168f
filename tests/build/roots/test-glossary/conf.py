"""A tiny project."""

extensions = ["sphinx_writing"]
html_theme = "basic"
writing_as_of = "2026-11-30"
writing_glossary = "terms"
myst_enable_extensions = ["attrs_inline", "dollarmath"]
project = "Tiny"
copyright = "2026"
version = "1"
