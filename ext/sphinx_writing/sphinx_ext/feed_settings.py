"""The settings of feeds: whether there are some, what they are called, how their ids begin.

They need the site's public address, ``html_baseurl``; without it, and in a preview, there are none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from sphinx.errors import ConfigError

from sphinx_writing.sphinx_ext.addresses import demand_public, is_public
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

YEAR = 2026
"""The year in ids, which says whose the name of the host was: no site of this extension is older."""
_NOBODY = "Author name not set"
"""What Sphinx has where a project names no author."""
_AUTHORITY = re.compile(r"[\w.@-]+,\d{4}(?:-\d{2}(?:-\d{2})?)?", re.ASCII)
EXPECTED_ID = 'a host or an e-mail address and a year in which it was yours, such as "example.org,2026"'


def register(app: Sphinx) -> None:
    """Add the values, and check them when they have been read."""
    app.add_config_value("writing_feeds", None, "html", types=(bool, type(None)))
    app.add_config_value("writing_feed_entries", 20, "html", types=(int,))
    app.add_config_value("writing_feed_id", "", "html", types=(str,))
    app.connect("config-inited", check)


def check(_app: Sphinx, config: Config) -> None:
    """Refuse what no feed can be made with."""
    name = config.writing_feed_id
    if name and not _AUTHORITY.fullmatch(name):
        raise ConfigError(f"writing_feed_id = {name!r} in conf.py: expected {EXPECTED_ID}")
    demand_public(config, "writing_feeds", "feeds need")


def newest(app: Sphinx) -> int:
    """How many posts the main feed lists; 0 where this build makes no feeds."""
    config = app.config
    wanted = config.writing_feeds if config.writing_feeds is not None else True
    possible = makes_pages(app.builder) and is_public(config)
    return int(config.writing_feed_entries) if wanted and possible and not config.writing_preview else 0


def id_prefix(config: Config) -> str:
    """How every id of the site begins: a ``tag:`` URI (RFC 4151), which holds no path and no title."""
    if config.writing_feed_id:
        return f"tag:{config.writing_feed_id}:"
    host = urlsplit(config.html_baseurl).hostname or ""
    try:
        host = host.encode("idna").decode()
    except UnicodeError:
        host = quote(host)
    return f"tag:{host},{YEAR}:"


def title(config: Config, label: str) -> str:
    """What a feed is called: as the site is, with the name of a series or tag."""
    return f"{config.project}: {label}" if label else str(config.project)


def author(config: Config) -> str:
    """Who has written what names no author."""
    return str(config.project if config.author in ("", _NOBODY) else config.author)
