"""A note with a lab, a page beside it, and a post without one."""

extensions = ["sphinx_writing"]
html_theme = "basic"
writing_as_of = "2026-11-30"
writing_lab_source = "labs/{module}.py"
writing_lab_command = "python -m labs.{dotted}"
project = "Tiny"
copyright = "2026"
version = "1"
numfig = True
