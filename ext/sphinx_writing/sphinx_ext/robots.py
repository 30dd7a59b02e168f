"""``robots.txt``: a release may be read by all, a preview by none."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FILE = "robots.txt"


def text(app: Sphinx) -> str:
    """What it says."""
    return f"User-agent: *\nDisallow:{' /' if app.config.writing_preview else ''}\n"
