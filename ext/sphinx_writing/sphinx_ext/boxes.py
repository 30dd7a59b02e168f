"""Writing web pages: the box, an element of our own, and what all steps share that put something into one.

A page carries the script that makes buttons in boxes only where it has boxes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_writing.core.boxes import unique
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.transforms import prints_templates

if TYPE_CHECKING:
    from docutils.nodes import Element, Node
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

SCRIPT = "writing-code.js"
SCROLLS = "writing-scroll"
NAME = "writing_name"
"""The attribute of a table without a caption that says what its box is called."""


class writing_box(nodes.General, nodes.Element):  # noqa: N801  # docutils names its nodes in small letters
    """A ``div`` with the attributes in ``html``; ``label`` is a text in it that no search finds."""


def visit_box(self: HTML5Translator, node: Element) -> None:
    """Open the box, with its label."""
    self.body.append(self.starttag(node, "div", "", **node.get("html", {})))
    self.body.append(self.encode(node.get("label", "")))


def depart_box(self: HTML5Translator, _node: Element) -> None:
    """Close the box."""
    self.body.append("</div>\n")


def box(*children: Node, css: Iterable[str], **attributes: Any) -> writing_box:
    """A box around *children* with the classes *css*."""
    return writing_box("", *children, classes=list(css), **attributes)


def scrolling(*css: str, name: str, role: str, wide: bool) -> writing_box:
    """A box that scrolls what does not fit into it.

    Where it may scroll (*wide*) it can be focused and has its *name*; the script knows better, once it
    has measured.
    """
    html = {"data-role": role, "data-name": name} | ({"tabindex": "0"} if wide else {})
    return box(css=(SCROLLS, *css), html=html)


def name_boxes(boxes: Iterable[writing_box]) -> None:
    """Give each of *boxes*, all of a page, a name of its own."""
    listed = list(boxes)
    for one, name in zip(listed, unique(str(one["html"]["data-name"]) for one in listed), strict=True):
        one["html"]["data-name"] = name
        if "tabindex" in one["html"]:
            one["html"] |= {"role": one["html"]["data-role"], "aria-label": name}


class OnWebPages(SphinxPostTransform):
    """A step for the web pages of a site with posts; another site stays as its theme makes it."""

    def is_supported(self) -> bool:
        """Whether the builder makes such pages."""
        domain = writing_domain(self.env)
        return prints_templates(domain.builder) and bool(domain.site.catalogue.posts)


def link_script(
    app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Link the script from a page that has something for it to do."""
    body = context.get("body")
    if isinstance(body, str) and app.builder.name != "epub" and (SCROLLS in body or "writing-math" in body):
        app.add_js_file(SCRIPT, loading_method="defer")


def register(app: Sphinx) -> None:
    """Add the box and its script."""
    app.add_node(writing_box, html=(visit_box, depart_box))
    app.connect("html-page-context", link_script)
