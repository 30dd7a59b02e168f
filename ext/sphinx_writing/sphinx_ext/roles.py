"""Roles: ``{post}`` links to a post by its address and shows its title; ``{lab}`` quotes a value."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from docutils import nodes
from sphinx.errors import NoUri
from sphinx.roles import XRefRole
from sphinx.util.docutils import SphinxRole
from sphinx.util.nodes import make_refnode

from sphinx_writing.core import quotes
from sphinx_writing.core.problems import Kind
from sphinx_writing.sphinx_ext.inline_nodes import to_nodes
from sphinx_writing.sphinx_ext.report import warn

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


class LabRole(SphinxRole):
    """``{lab}`name``` or ``{lab}`name:.1f```: a value of the ``lab.json`` beside the document."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The value with its unit; what cannot be quoted is reported and shown as it was typed."""
        try:
            text = quotes.quote(self.text, self._quantities())
        except quotes.QuoteError as error:
            warn(Kind.LAB, str(error), self.get_location())
            return [nodes.literal(self.text, self.text)], []
        return [nodes.inline(self.rawtext, text, classes=["writing-value"])], []

    def _quantities(self) -> dict[str, quotes.Quantity]:
        """The values of the lab, read once for each document."""
        store = self.env.current_document
        if "writing_lab" not in store:
            path = Path(self.env.doc2path(self.env.docname)).with_name("lab.json")
            self.env.note_dependency(path)
            if not path.is_file():
                raise quotes.QuoteError(f"there is no {path.name} beside this page; write one with its lab")
            store["writing_lab"] = quotes.load(path.read_text(encoding="utf-8"))
        return cast("dict[str, quotes.Quantity]", store["writing_lab"])


def uri(builder: Builder, fromdocname: str, target: str) -> str | None:
    """The address of page *target* as *fromdocname* links to it; None where this output has no such page."""
    try:
        return builder.get_relative_uri(fromdocname, target) or "#"
    except NoUri:
        return None
