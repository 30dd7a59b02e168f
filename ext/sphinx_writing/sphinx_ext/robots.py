"""``robots.txt``: a release may be read by all, a preview by none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.frame import copied
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FILE = "robots.txt"


def is_wanted(app: Sphinx) -> bool:
    """Whether the file is ours to make: there are posts, and the site brings none of its own."""
    if not makes_pages(app.builder) or FILE in copied(app):
        return False
    return bool(writing_domain(app.env).site.catalogue.posts)


def text(app: Sphinx) -> str:
    """What it says."""
    return f"User-agent: *\nDisallow:{' /' if app.config.writing_preview else ''}\n"
