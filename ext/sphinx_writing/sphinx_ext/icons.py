"""Icons beside the one that Sphinx knows: a ``<link>`` for each in the head of every page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from markupsafe import Markup
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.errors import ConfigError

from sphinx_writing.core.problems import hint
from sphinx_writing.sphinx_ext.frame import copied

if TYPE_CHECKING:
    from typing import Any

    from docutils import nodes
    from sphinx.application import Sphinx

REQUIRED = ("rel", "href")


def register(app: Sphinx) -> None:
    """Add the configuration value, what checks it, and what prints it."""
    app.add_config_value("writing_icons", [], "html", types=(list, tuple))
    app.connect("builder-inited", check, priority=900)  # our own static files are known by then
    app.connect("html-page-context", add_links)


def check(app: Sphinx) -> None:
    """Refuse an icon without ``rel`` or ``href``, and one whose file is not there."""
    icons = app.config.writing_icons
    if not icons or not isinstance(app.builder, StandaloneHTMLBuilder):
        return
    files = set(copied(app))
    for icon in icons:
        if not isinstance(icon, Mapping) or not all(isinstance(icon.get(name), str) for name in REQUIRED):
            example = '{"rel": "icon", "href": "_static/icon.png", "sizes": "32x32"}'
            raise ConfigError(f"writing_icons in conf.py: {icon!r} is no icon; write one as {example}")
        if icon["href"] not in files:
            pictures = (name for name in files if name.endswith((".svg", ".png", ".ico")))
            raise ConfigError(
                f'writing_icons in conf.py: no file "{icon["href"]}" in html_static_path or html_extra_path; '
                + hint(icon["href"], pictures)
            )


def add_links(
    app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Put the links of the icons among the page's meta tags."""
    for icon in app.config.writing_icons:
        attributes = {**icon, "href": context["pathto"](icon["href"], resource=True)}
        text = " ".join(f'{name}="{Markup.escape(value)}"' for name, value in attributes.items())
        context["metatags"] = f"{context.get('metatags', '')}\n<link {text}>"
