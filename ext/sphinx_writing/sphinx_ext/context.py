"""Page contexts: each page looks up its ready view; nothing is read, nothing is computed from other pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import escape

from sphinx_writing.core.cards import NOT_FOUND
from sphinx_writing.core.inline import cut, plain
from sphinx_writing.sphinx_ext import theme
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.render import render
from sphinx_writing.sphinx_ext.roles import public_address
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from typing import Any

    from docutils import nodes
    from sphinx.application import Sphinx

    from sphinx_writing.core.views import PageView

NO_RELATIONS = ((), "", "")
FURO = "furo"
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
        replace_sidebar(app, pagename, context, view)
    _, before, after = site.relations.get(pagename, NO_RELATIONS)
    for name, neighbour in (("prev", before), ("next", after)):
        # Those of posts and series stand in the text, in the order of the series.
        if view.post or view.series or view.lists or site.catalogue.is_writing(neighbour):
            context[name] = None
    if site.not_found and pagename == NOT_FOUND:
        context["pageurl"] = None  # it has no address of its own
    elif app.config.html_baseurl:
        context["pageurl"] = app.config.html_baseurl + public_address(app.builder, pagename)
    text = description(view)
    if text and 'name="description"' not in context.get("metatags", ""):
        context["metatags"] = (
            context.get("metatags", "") + f'\n<meta name="description" content="{escape(text)}">'
        )


FURO_TREE = "furo_navigation_tree"


def replace_sidebar(app: Sphinx, pagename: str, context: dict[str, Any], view: PageView) -> None:
    """Put our sidebar in place of the whole toctree that the theme asks for.

    Furo would parse it for every page, to add what folds a branch; it gets nothing, and what it would have
    made of ours comes later.
    """
    out = writing_domain(app.env).output

    def toctree(**_options: Any) -> str:
        if out is not None:
            out.sidebar_asked = True
        if FURO in app.extensions and FURO_TREE not in context:
            return ""
        return render(app.builder, "sidebar", pagename, sidebar=view.sidebar, folds=False)

    context["toctree"] = toctree


def fold_sidebar(
    app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Give furo the tree that it would have made of our sidebar; after furo's own handler."""
    if context.get(FURO_TREE) == "" and app.config.writing_sidebar and makes_pages(app.builder):
        sidebar = writing_domain(app.env).view(pagename).sidebar
        folds = not theme.is_ours(app.builder)  # ours shows what is open and nothing else
        context[FURO_TREE] = render(app.builder, "sidebar", pagename, sidebar=sidebar, folds=folds)


def description(view: PageView) -> str:
    """The page's description in plain words, ended at a word."""
    if view.post:
        return cut(plain(view.post.card.summary), DESCRIPTION_LENGTH)
    return cut(plain(view.series.description), DESCRIPTION_LENGTH) if view.series else ""
