"""``robots.txt``: a release may be read by all, a preview by none; it says where the sitemap is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_writing.sphinx_ext import sitemap

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FILE = "robots.txt"


def text(app: Sphinx) -> str:
    """What it says."""
    found = sitemap.address(app)
    where = f"Sitemap: {found}\n" if found else ""
    return f"User-agent: *\nDisallow:{' /' if app.config.writing_preview else ''}\n{where}"
