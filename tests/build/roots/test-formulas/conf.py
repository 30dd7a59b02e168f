"""A series of one note whose formulas the tests write; another page quotes its equation."""

extensions = ["sphinx_writing"]
html_theme = "alabaster"
html_math_renderer = "katex"
myst_enable_extensions = ["dollarmath", "amsmath"]
writing_as_of = "2026-06-01"
writing_math_macros = {"R": r"\mathbb{R}", "norm": (r"\lVert #1 \rVert", 1)}
project = "Formulas"
copyright = "Us"
version = "1"
