"""Between docutils nodes and the core's spans."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes
from sphinx.util import docname_join

from sphinx_writing.core.inline import Inline, Mark, Span, tidy

if TYPE_CHECKING:
    from docutils.nodes import Element, Node

_MARKS: dict[type[Node], Mark] = {
    nodes.literal: "code",
    nodes.math: "math",
    nodes.emphasis: "em",
    nodes.title_reference: "em",
    nodes.strong: "strong",
}
_UNSEEN = (
    nodes.footnote_reference,
    nodes.citation_reference,
    nodes.comment,
    nodes.image,
    nodes.problematic,
    nodes.raw,
    nodes.substitution_reference,
    nodes.system_message,
    nodes.target,
    addnodes.index,
)


def from_nodes(element: Element) -> Inline:
    """The spans of *element*: links keep their text, footnote marks and pictures are left out."""
    return tidy([span for _node, span in runs(element)])


def runs(element: Element, mark: Mark = "") -> Iterator[tuple[Node, Span]]:
    """The spans of *element*, each with the node it comes from."""
    for child in element.children:
        if isinstance(child, nodes.Text):
            yield element, Span(str(child), mark)
        elif isinstance(child, addnodes.pending_xref) and (title := waiting_title(child)):
            yield child, title
        elif isinstance(child, nodes.math):
            yield child, Span(child.astext(), "math")
        elif isinstance(child, nodes.Element) and not isinstance(child, _UNSEEN):
            for node, span in runs(child, _MARKS.get(type(child), mark)):
                yield (child if isinstance(child, addnodes.pending_xref) else node), span


def waiting_title(xref: addnodes.pending_xref) -> Span | None:
    """The span for a reference that will show the title of a document, where it names one itself."""
    if xref.get("refexplicit"):
        return None
    domain, kind, target = xref.get("refdomain"), xref.get("reftype"), xref["reftarget"]
    if (domain, kind) in (("writing", "post"), ("std", "doc"), ("doc", "myst")):
        absolute = domain == "doc" or kind == "post"  # MyST and we name documents from the root
        return Span(target.strip("/") if absolute else docname_join(xref["refdoc"], target), "title")
    return None


def to_nodes(inline: Inline) -> list[Node]:
    """Docutils nodes for *inline*."""
    return [_node(span) for span in inline]


def _node(span: Span) -> Node:
    if span.mark == "math":
        return nodes.math(span.text, span.text)
    kinds: dict[str, type[nodes.TextElement]] = {
        "code": nodes.literal,
        "em": nodes.emphasis,
        "strong": nodes.strong,
    }
    kind = kinds.get(span.mark)
    return kind(span.text, span.text) if kind else nodes.Text(span.text)
