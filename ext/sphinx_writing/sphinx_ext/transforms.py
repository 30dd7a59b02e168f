"""Late in the build: placeholders are filled, and every post and series page gets what stands around it.

HTML pages get nodes that print a template; other outputs get ordinary paragraphs and lists, so that a PDF
or an EPUB says the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard
from urllib.parse import quote

from docutils import nodes
from sphinx import addnodes
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_writing.core.labs import page_of
from sphinx_writing.core.lists import COUNT
from sphinx_writing.sphinx_ext import plain_nodes
from sphinx_writing.sphinx_ext.directives import writing_list
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.numbering import number_posts_alone
from sphinx_writing.sphinx_ext.render import writing_html

if TYPE_CHECKING:
    from typing import Any

    from docutils.nodes import Element, Node
    from sphinx.builders import Builder

    from sphinx_writing.core.lists import Listing
    from sphinx_writing.core.views import PageView


def prints_templates(builder: Builder) -> bool:
    """Whether *builder* makes web pages, which print our templates."""
    return builder.format == "html" and builder.name != "epub"


def makes_pages(builder: Builder) -> TypeGuard[StandaloneHTMLBuilder]:
    """Whether *builder* writes a page for each document, as ours are written."""
    return (
        isinstance(builder, StandaloneHTMLBuilder)
        and prints_templates(builder)
        and builder.name != "singlehtml"
    )


class FillPlaceholders(SphinxPostTransform):
    """Puts the catalogue's views into a document; before references are resolved."""

    default_priority = 5

    def run(self, **kwargs: Any) -> None:
        """Fill the document, and all those that are assembled in it for a PDF or a single page."""
        domain = writing_domain(self.env)
        number_posts_alone(self.env)
        parts = [(part, part["docname"]) for part in self.document.findall(addnodes.start_of_file)]
        for part, docname in [(self.document, self.env.docname), *parts]:
            surround(part, docname, domain.view(docname), domain.builder)
        for placeholder in list(self.document.findall(writing_list)):
            docname = placeholder["docname"]
            listing = domain.view(docname).lists[placeholder["index"]]
            placeholder.replace_self(filled(placeholder, docname, listing, domain.builder))


LINKS = (nodes.reference, addnodes.pending_xref)


class LinkLabs(SphinxPostTransform):
    """Leads from values, tables and parts of a lab to its page, in outputs that have one."""

    default_priority = 6  # in a caption that a list of figures has copied it would be too late

    def run(self, **kwargs: Any) -> None:
        """Put a reference around each link's text; elsewhere drop those that are nothing but a link."""
        builder = writing_domain(self.env).builder
        for node in [node for node in self.document.findall(nodes.inline) if "lab_anchor" in node]:
            if makes_pages(builder):
                if not any(isinstance(other, LINKS) for other in (*ancestors(node), *node.findall())):
                    page = builder.get_relative_uri(self.env.docname, page_of(node["lab_folder"]))
                    uri = f"{page}#{quote(node['lab_anchor'])}"
                    link = nodes.reference("", "", *node.children, internal=True, refuri=uri)
                    node.children = []
                    node += link
            elif "lab_only" in node:
                node.parent.remove(node)


class TakeIdsFromWrappers(SphinxPostTransform):
    """Leaves an id on the element it names alone: furo's box around a table repeats the table's."""

    default_priority = 900  # furo's own transform has 500

    def run(self, **kwargs: Any) -> None:
        """Take from each container the ids that an element in it has."""
        for box in self.document.findall(nodes.container):
            inner = {
                name for child in box.children if isinstance(child, nodes.Element) for name in child["ids"]
            }
            box["ids"] = [name for name in box["ids"] if name not in inner]


def filled(placeholder: writing_list, docname: str, listing: Listing, builder: Builder) -> list[Node]:
    """What stands in place of *placeholder*."""
    if listing.query.style == COUNT:
        return [nodes.Text(str(listing.total))]
    if not prints_templates(builder) or listing.query.style == "bibtex":
        return plain_nodes.listing(listing, builder, docname)
    level = min(5, 1 + sum(isinstance(parent, nodes.section) for parent in ancestors(placeholder)))
    return [writing_html(template="list", docname=docname, listing=listing, level=level)]


def surround(part: Element, docname: str, view: PageView, builder: Builder) -> None:
    """Put what belongs around the text of a post or series page into *part*, which holds it."""
    if view.post is None and view.series is None:
        if view.links and makes_pages(builder):
            part.append(writing_html(template="page-foot", docname=docname))
        return
    found = part.next_node(nodes.section)
    section = part if found is None else found  # a document without a title has no section
    title = section.first_child_matching_class(nodes.title)
    below = 0 if title is None else title + 1
    if not prints_templates(builder):
        section[below:below] = plain_nodes.byline(view, builder, docname)
        return
    kind = "post" if view.post else "series"
    section.insert(below, writing_html(template=f"{kind}-head", docname=docname))
    part.append(writing_html(template=f"{kind}-foot", docname=docname))  # after notes and second headings
    part.insert(0, writing_html(template=f"{kind}-above", docname=docname))


def ancestors(node: Node) -> list[Element]:
    """The elements around *node*, innermost first."""
    found = []
    while (parent := node.parent) is not None:
        found.append(parent)
        node = parent
    return found
