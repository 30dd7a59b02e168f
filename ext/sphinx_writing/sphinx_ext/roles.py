"""The role ``{post}``: a link to a post by its address, which shows its title."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from docutils import nodes
from sphinx.errors import NoUri
from sphinx.roles import XRefRole
from sphinx.util.nodes import make_refnode
from sphinx.util.osutil import relative_uri

from sphinx_writing.sphinx_ext.inline_nodes import to_nodes

if TYPE_CHECKING:
    from docutils.nodes import Element, Node, system_message
    from sphinx.builders import Builder

    from sphinx_writing.core.inline import Inline


class PostRole(XRefRole):
    """``{post}`infra/nccl``` and ``{post}`how NCCL works <infra/nccl>```, with or without ``writing:``."""

    def __init__(self) -> None:
        super().__init__(innernodeclass=nodes.inline)

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The role's nodes; without its domain's name it is the same role."""
        self.name = "writing:post"
        return super().run()


def post_reference(
    builder: Builder, fromdocname: str, docname: str, title: Inline | None, contnode: Element
) -> nodes.reference:
    """A reference to the post *docname* that shows *title*, or *contnode* where the text is explicit."""
    if title is not None:
        contnode = nodes.inline("", "", *to_nodes(title), classes=contnode["classes"])
    return make_refnode(builder, fromdocname, docname, "", contnode)


def uri(builder: Builder, fromdocname: str, target: str) -> str | None:
    """The address of page *target* as *fromdocname* links to it; None where this output has no such page."""
    try:
        return builder.get_relative_uri(fromdocname, target) or "#"
    except NoUri:
        return None


def file_uri(builder: Builder, fromdocname: str, name: str) -> str:
    """The address of the output file *name* as *fromdocname* links to it."""
    return relative_uri(builder.get_target_uri(fromdocname), quote(name))


def public_address(builder: Builder, docname: str) -> str:
    """The address of a page on the web, after that of the site: the folder for every ``index.html``."""
    web = builder.format == "html" and builder.name not in ("epub", "singlehtml")
    address = builder.get_target_uri(docname) if web else f"{docname}.html"
    folder, _, name = address.rpartition("/")
    if name == "index.html":
        return f"{folder}/" if folder else ""
    return address
