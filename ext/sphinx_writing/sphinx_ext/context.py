"""Page contexts: each page looks up its ready view; nothing is read, nothing is computed from other pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import escape

from sphinx_writing.core.inline import cut, plain
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.render import render
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from typing import Any

    from docutils import nodes
    from sphinx.application import Sphinx

    from sphinx_writing.core.views import PageView

NO_RELATIONS = ((), "", "")
DESCRIPTION_LENGTH = 200
"""Characters of a page description; search engines cut at about 160, social cards at about 200."""


def add_to_context(
    app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Give the theme our sidebar, the page's description and its public address."""
    if not makes_pages(app.builder):
        return
    site = writing_domain(app.env).site
    if not site.catalogue.posts:
        return  # a site without posts stays as its theme makes it
    view = writing_domain(app.env).view(pagename)
    if view.sidebar and app.config.writing_sidebar:
        context["toctree"] = lambda **_options: render(app.builder, "sidebar", pagename, sidebar=view.sidebar)
    _, before, after = site.relations.get(pagename, NO_RELATIONS)
    for name, neighbour in (("prev", before), ("next", after)):
        # Those of posts and series stand in the text, in the order of the series.
        if view.post or view.series or view.lists or site.is_writing(neighbour):
            context[name] = None
    if app.config.html_baseurl:
        context["pageurl"] = app.config.html_baseurl + public_path(app.builder.get_target_uri(pagename))
    text = description(view)
    if text and 'name="description"' not in context.get("metatags", ""):
        context["metatags"] = (
            context.get("metatags", "") + f'\n<meta name="description" content="{escape(text)}">'
        )


def public_path(uri: str) -> str:
    """The path of a page's public address: the folder for every ``index.html``."""
    folder, _, name = uri.rpartition("/")
    if name == "index.html":
        return f"{folder}/" if folder else ""
    return uri


def description(view: PageView) -> str:
    """The page's description in plain words, ended at a word."""
    if view.post:
        return cut(plain(view.post.card.summary), DESCRIPTION_LENGTH)
    return cut(plain(view.series.description), DESCRIPTION_LENGTH) if view.series else ""
