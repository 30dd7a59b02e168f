"""A series of one note whose text the tests write, and a page that is none."""

extensions = ["sphinx_writing"]
html_theme = "alabaster"
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "tasklist"]
writing_as_of = "2026-06-01"
project = "Elements"
copyright = "Us"
version = "1"
numfig = True
