"""The pages of the built site: all of them, and one of each kind."""

from __future__ import annotations

import os
from pathlib import Path

KINDS = {
    "home": ("index.html",),
    "writing": ("writing/index.html",),
    "note": ("llm-algorithms/flash-attention/index.html",),
    "short note": ("concepts/beam-search/index.html",),
    "series": ("infra/index.html",),
    "tag": ("tags/inference/index.html",),
    "tags": ("tags/index.html",),
    "map": ("map/index.html", "map.html"),
    "archive": ("archive/2026/index.html",),
    "lab": ("infra/nccl/lab.html",),
    "guide": ("guide/extension.html",),
    "about": ("about/index.html", "about.html"),
    "glossary": ("glossary/index.html", "glossary.html"),
    "search": ("search/index.html", "search.html"),
    "missing": ("404.html",),
}
"""Where the page of each kind may be."""

REDIRECT = "writing-redirect.js"
"""The script of a page that leads to another."""
PARTS = 4
"""Tests of every page come in so many parts, which processes share among them."""

SETTINGS = [(1280, False), (390, True), (390, False), (1280, True)][: int(os.environ.get("SETTINGS", "1"))]
"""Width and darkness in which every page is looked at: SETTINGS=4 for all, as ``nox -s full`` does."""

WIDTHS = (390, 768, 1024, 1280, 1640, 1920)
"""Just inside each state of the frame."""


def every_page(built: Path) -> list[str]:
    """The addresses of all pages, in order, relative to the site; redirects are left as soon as they are seen."""
    found = (path for path in built.rglob("*.html") if REDIRECT not in path.read_text(encoding="utf-8"))
    return sorted(path.relative_to(built).as_posix() for path in found)


def page_of_kind(built: Path, kind: str) -> str | None:
    """The address of the page of a kind, if the site has one."""
    return next((name for name in KINDS[kind] if (built / name).is_file()), None)


def is_listing(name: str) -> bool:
    """Whether a page is a lab's listing: thousands of coloured words in a few colours, all from one sheet."""
    return name.endswith("/lab.html")
