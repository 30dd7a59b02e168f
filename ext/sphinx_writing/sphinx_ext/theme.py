"""The theme ``writing``: furo with a frame, type and colours of its own, and no style or script in its pages.

It is a child theme, so what it does not say is furo's. Here is what a theme cannot say by itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment.adapters.toctree import TocTree
from sphinx.errors import ConfigError
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_writing.core.inline import Inline
from sphinx_writing.core.problems import hint
from sphinx_writing.sphinx_ext import highlighting, katex
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.frame import copied
from sphinx_writing.sphinx_ext.inline_nodes import from_nodes
from sphinx_writing.sphinx_ext.render import writing_html

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.application import Sphinx
    from sphinx.builders import Builder

NAME = "writing"
FOLDER = Path(__file__).parents[1] / "theme" / NAME
FONTS = Path(__file__).parents[1] / "vendor" / "fonts"
SHORT_ANSWER = "short-answer"
FUROS_DARK_STYLE = "native"

Heading = tuple[str, Inline, tuple["Heading", ...]]
"""A heading: its address in the page, its text, and those below it."""


def is_ours(builder: Builder) -> bool:
    """Whether pages are made with this theme, or one that inherits it."""
    theme = builder.theme if isinstance(builder, StandaloneHTMLBuilder) else None
    return theme is not None and str(FOLDER) in map(str, theme.get_theme_dirs())


def complete(app: Sphinx) -> None:
    """Ship the fonts, and let furo highlight code for its dark pages as for its light ones."""
    if not is_ours(app.builder):
        return
    for folder in (FONTS / "static", katex.SHIPPED):  # arrows and relations are those of the formulas
        if str(folder) not in app.config.html_static_path:
            app.config.html_static_path = [*app.config.html_static_path, str(folder)]
    if app.config.pygments_dark_style == FUROS_DARK_STYLE:
        app.config.pygments_dark_style = f"{highlighting.__name__}.{highlighting.Dark.__name__}"


class FoldContents(SphinxPostTransform):
    """Puts a folded list of headings under the short answer, for windows without room beside the text."""

    default_priority = 6  # after what stands around a post

    def run(self, **kwargs: Any) -> None:
        """Insert the list where the page has at least two headings."""
        builder = writing_domain(self.env).builder
        section = self.document.next_node(nodes.section)
        if section is None or not is_ours(builder) or "hide-toc" in self.env.metadata[self.env.docname]:
            return
        toc = TocTree(self.env).get_toc_for(self.env.docname, builder)
        found = headings(toc) if isinstance(toc, nodes.Element) else ()
        below = found[0][2] if found else ()
        if len(below) > 1:
            place = writing_html(template="contents", docname=self.env.docname, headings=below)
            section.insert(_after_opening(section), place)


def headings(toc: Element) -> tuple[Heading, ...]:
    """The headings in a list of contents as Sphinx makes it."""
    lists = [toc] if isinstance(toc, nodes.bullet_list) else toc.children
    items = (item for found in lists if isinstance(found, nodes.bullet_list) for item in found.children)
    return tuple(made for item in items if isinstance(item, nodes.Element) for made in _of_item(item))


def _of_item(item: Element) -> list[Heading]:
    link = item.next_node(nodes.reference)
    if link is None:
        return []
    return [(link.get("anchorname", ""), from_nodes(link), headings(item))]


def _after_opening(section: Element) -> int:
    """Where the opening of a page ends: after the short answer, else after what stands below the title."""
    for place, child in enumerate(section.children):
        if isinstance(child, nodes.admonition) and SHORT_ANSWER in child["classes"]:
            return place + 1
    opening = (nodes.Titular, nodes.Invisible, writing_html)
    return next((i for i, child in enumerate(section.children) if not isinstance(child, opening)), 0)


LOGOS = ("light_logo", "dark_logo")


def check_logos(app: Sphinx) -> None:
    """Refuse a logo whose file is not there: pages would show a broken picture, and nothing would say so."""
    options = app.config.html_theme_options
    logos = {name: options[name] for name in LOGOS if options.get(name)} if is_ours(app.builder) else {}
    if not logos:
        return
    files = {name.removeprefix("_static/") for name in copied(app) if name.startswith("_static/")}
    for name, logo in logos.items():
        if logo not in files:
            pictures = (file for file in files if file.endswith((".svg", ".png", ".webp", ".jpg")))
            raise ConfigError(
                f"html_theme_options in conf.py: {name} = {logo!r} names no file in html_static_path; "
                + hint(str(logo), pictures)
            )


def register(app: Sphinx) -> None:
    """Add the theme."""
    app.add_html_theme(NAME, str(FOLDER))
    app.connect("builder-inited", check_logos, priority=300)  # before our own static files are added
    app.connect("builder-inited", complete, priority=400)  # before furo looks at the styles
    app.add_post_transform(FoldContents)
