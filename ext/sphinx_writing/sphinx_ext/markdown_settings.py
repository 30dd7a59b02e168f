"""The setting of Markdown beside each note, and which pages have it.

It is off unless a site asks for it: it publishes a second copy of every text, made for machines, and whether
these shall be served so is for the author to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_writing.sphinx_ext.addresses import demand_public
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config


def register(app: Sphinx) -> None:
    """Add the value, and check it when it has been read."""
    app.add_config_value("writing_markdown", False, "html", types=(bool,))
    app.connect("config-inited", check)


def check(_app: Sphinx, config: Config) -> None:
    """Refuse to promise what cannot be made: a copy that has left the site needs whole addresses."""
    demand_public(config, "writing_markdown", "Markdown needs")


def is_wanted(app: Sphinx) -> bool:
    """Whether this build makes Markdown."""
    config = app.config
    return bool(config.writing_markdown) and makes_pages(app.builder) and not config.writing_preview


def has_markdown(app: Sphinx, docname: str) -> bool:
    """Whether the page of *docname* has Markdown beside it: those of posts and series have."""
    return is_wanted(app) and writing_domain(app.env).site.catalogue.is_writing(docname)
