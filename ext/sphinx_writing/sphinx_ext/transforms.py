"""Late in the build: placeholders are filled, and every post and series page gets what stands around it.

HTML pages get nodes that print a template; other outputs get ordinary paragraphs and lists, so that a PDF
or an EPUB says the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_writing.sphinx_ext import plain_nodes
from sphinx_writing.sphinx_ext.directives import writing_list
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.render import writing_html

if TYPE_CHECKING:
    from typing import Any

    from docutils.nodes import Element, Node
    from sphinx.builders import Builder

    from sphinx_writing.core.views import PageView


def prints_templates(builder: Builder) -> bool:
    """Whether *builder* makes web pages, which print our templates."""
    return builder.format == "html" and builder.name != "epub"


class FillPlaceholders(SphinxPostTransform):
    """Puts the catalogue's views into a document; before references are resolved."""

    default_priority = 5

    def run(self, **kwargs: Any) -> None:
        """Fill the current document."""
        docname = self.env.docname
        domain = writing_domain(self.env)
        view, builder = domain.view(docname), domain.builder
        web = prints_templates(builder)
        for placeholder, listing in zip(list(self.document.findall(writing_list)), view.lists, strict=True):
            level = 1 + sum(isinstance(parent, nodes.section) for parent in ancestors(placeholder))
            if web:
                filled: list[Node] = [
                    writing_html(template="list", docname=docname, listing=listing, level=level)
                ]
            else:
                filled = plain_nodes.listing(listing, builder, docname)
            placeholder.replace_self(filled)
        if view.post is None and view.series is None:
            return
        if web:
            self._surround(view, docname)
        else:
            self._insert_below_title(plain_nodes.byline(view, builder, docname))

    def _surround(self, view: PageView, docname: str) -> None:
        kind = "post" if view.post else "series"
        self.document.insert(0, writing_html(template=f"{kind}-above", docname=docname))
        self._insert_below_title([writing_html(template=f"{kind}-head", docname=docname)])
        self._section().append(writing_html(template=f"{kind}-foot", docname=docname))

    def _section(self) -> Element:
        """The section that holds the whole text; the document itself where there is no title."""
        section = self.document.next_node(nodes.section)
        return section if section is not None else self.document

    def _insert_below_title(self, below: list[Node]) -> None:
        section = self._section()
        title = section.first_child_matching_class(nodes.title)
        at = 0 if title is None else title + 1
        section.children[at:at] = []
        for offset, node in enumerate(below):
            section.insert(at + offset, node)


def ancestors(node: Node) -> list[Element]:
    """The elements around *node*, innermost first."""
    found = []
    while (parent := node.parent) is not None:
        found.append(parent)
        node = parent
    return found
