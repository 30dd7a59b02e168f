"""The sitemap of a release, where the site's public address is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sphinx_writing.core import sitemap
from sphinx_writing.core.sitemap import FILE
from sphinx_writing.sphinx_ext.addresses import demand_public, is_public, site_address
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.frame import copied
from sphinx_writing.sphinx_ext.pages import generated
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

    from sphinx_writing.core.records import FrontMatter
    from sphinx_writing.core.views import Site

THEIRS = "sphinx_sitemap"
"""sphinx-sitemap makes the same file."""


def register(app: Sphinx) -> None:
    """Add the value, and check it when it has been read."""
    app.add_config_value("writing_sitemap", None, "html", types=(bool, type(None)))
    app.connect("config-inited", check)


def check(_app: Sphinx, config: Config) -> None:
    """Refuse a sitemap that would have no addresses."""
    demand_public(config, "writing_sitemap", "it needs")


def is_wanted(app: Sphinx) -> bool:
    """Whether this build makes one; a preview has none, and a site's own or another extension's stays."""
    config = app.config
    wanted = config.writing_sitemap or (config.writing_sitemap is None and THEIRS not in app.extensions)
    return bool(wanted and is_public(config) and not config.writing_preview and makes_pages(app.builder))


def address(app: Sphinx) -> str:
    """The public address of the sitemap; empty where the site has none."""
    has_one = is_wanted(app) or (is_public(app.config) and FILE in set(copied(app)))
    return f"{app.config.html_baseurl}{FILE}" if has_one and not app.config.writing_preview else ""


def files(app: Sphinx, site: Site) -> Iterator[tuple[str, str]]:
    """Its files by name, each with its text."""
    if not is_wanted(app):
        return
    scans = writing_domain(app.env).scans
    fronts: dict[str, FrontMatter] = {d: scans[d].scan.front for d in site.pages if d in scans}
    listed = sitemap.entries(site.pages, fronts, generated(site))
    addresses = ((site_address(app.builder, entry.pagename), entry.changed) for entry in listed)
    yield from sitemap.files_of(addresses, app.config.html_baseurl)
