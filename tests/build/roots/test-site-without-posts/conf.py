"""A site that has no posts."""

import os

extensions = ["myst_parser", *os.environ.get("TRIED", "").split()]
project = "Tiny"
copyright = "2026"
