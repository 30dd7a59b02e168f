"""Addresses on the web: those of pages, with that of the site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sphinx_writing.sphinx_ext.roles import public_address

if TYPE_CHECKING:
    from sphinx.builders import Builder
    from sphinx.config import Config

_WEB = re.compile(r"https?://[^\s/]+")


def is_public(config: Config) -> bool:
    """Whether the site's public address is known; without it there is nothing that needs whole addresses."""
    return bool(_WEB.match(config.html_baseurl or ""))


def site_address(builder: Builder, pagename: str) -> str:
    """The public address of a page."""
    return f"{builder.config.html_baseurl}{public_address(builder, pagename)}"
