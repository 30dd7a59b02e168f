"""Four posts, two of them not yet to be seen; a base address with a sub-path and no final slash."""

extensions = ["sphinx_writing"]
html_theme = "furo"
html_baseurl = "https://example.org/sub"
html_math_renderer = "katex"
myst_enable_extensions = ["dollarmath"]
writing_as_of = "2026-06-01"
project = "Tiny"
copyright = "Us"
version = "1"
