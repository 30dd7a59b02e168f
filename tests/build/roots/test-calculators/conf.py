"""A note with two calculators, one tied to its lab, and a page in reStructuredText with another."""

extensions = ["sphinx_writing"]
html_theme = "basic"
writing_as_of = "2026-11-30"
writing_lab_source = "labs/{module}.py"
writing_units = ["tokens"]
project = "Tiny"
copyright = "2026"
version = "1"
numfig = True
myst_enable_extensions = ["dollarmath"]
