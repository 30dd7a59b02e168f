"""A tiny project."""

extensions = ["sphinx_writing"]
html_theme = "basic"
writing_as_of = "2026-11-30"
project = "Tiny"
copyright = "2026"
version = "1"
writing_map = True
writing_previews = True
