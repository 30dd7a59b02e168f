"""Addresses on the web: those of pages, with that of the site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sphinx.errors import ConfigError

from sphinx_writing.sphinx_ext.roles import public_address

if TYPE_CHECKING:
    from sphinx.builders import Builder
    from sphinx.config import Config

_WEB = re.compile(r"https?://[^\s/]+")


def is_public(config: Config) -> bool:
    """Whether the site's public address is known; without it there is nothing that needs whole addresses."""
    return bool(_WEB.match(config.html_baseurl or ""))


def demand_public(config: Config, name: str, what: str) -> None:
    """Stop where the value *name* is true and *what* it asks for lacks the site's public address."""
    if getattr(config, name) and not is_public(config):
        raise ConfigError(
            f"{name} = True in conf.py: {what} the address of the site; expected html_baseurl "
            f'such as "https://example.org/notes", found {config.html_baseurl!r}'
        )


def site_address(builder: Builder, pagename: str) -> str:
    """The public address of a page."""
    return f"{builder.config.html_baseurl}{public_address(builder, pagename)}"
