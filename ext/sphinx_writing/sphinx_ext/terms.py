"""Writing: the first place in a post where a term of the glossary stands is linked to it.

In web pages and EPUB only. In a PDF links are coloured or boxed and a reader does not follow them back and
forth, and a PDF of one series has no glossary to lead to; there the author's own ``{term}`` links stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from sphinx_writing.core.glossary import Term, is_taken, places
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.roles import uri
from sphinx_writing.sphinx_ext.transforms import ancestors, makes_pages

if TYPE_CHECKING:
    from docutils.nodes import Element, Node
    from sphinx.builders import Builder

LINK = "writing-term"

NO_PROSE = (
    addnodes.glossary,
    nodes.Titular,
    nodes.caption,
    nodes.citation,
    nodes.figure,
    nodes.footnote,
    nodes.legend,
    nodes.thead,
    nodes.topic,
)
CARD = "sd-card"
"""A card of sphinx-design may be one link as a whole."""


class LinkTerms(SphinxPostTransform):
    """Links terms, each once; before our own lists and lines come into the document."""

    default_priority = 4

    def is_supported(self) -> bool:
        """Whether the builder makes pages that readers go back and forth between."""
        builder = writing_domain(self.env).builder
        return makes_pages(builder) or builder.name == "epub"

    def run(self, **kwargs: Any) -> None:
        """Link the terms of the view that the author has not linked."""
        domain, docname = writing_domain(self.env), self.env.docname
        terms = domain.view(docname).terms
        if terms:
            linked = named(self.document)
            Linking(domain.builder, docname, [t for t in terms if is_taken(t, linked)]).link(
                self.document, terms
            )


def named(document: nodes.document) -> set[str]:
    """The terms that the author has linked, in small letters."""
    return {
        str(xref["reftarget"]).lower()
        for xref in document.findall(addnodes.pending_xref)
        if xref.get("refdomain") == "std" and xref.get("reftype") == "term"
    }


class Linking:
    """The links of one document: *done* are the terms that need none any more."""

    def __init__(self, builder: Builder, docname: str, done: Sequence[Term]) -> None:
        self._builder = builder
        self._docname = docname
        self._done = set(done)

    def link(self, document: nodes.document, terms: Sequence[Term]) -> None:
        """Link *terms* where they stand first."""
        for paragraph in list(document.findall(nodes.paragraph)):
            if len(self._done) == len(terms):
                return
            if is_prose(paragraph):
                self._link_in(paragraph, terms)

    def _link_in(self, element: Element, terms: Sequence[Term]) -> None:
        """Link in the text of *element*; MyST makes a node of its own of every end of a line."""
        children: list[Node] = []
        for is_text, run in groupby(element.children, lambda child: isinstance(child, nodes.Text)):
            if is_text:
                children += self._linked(list(run), terms)
                continue
            for child in run:
                if isinstance(child, nodes.emphasis | nodes.strong):
                    self._link_in(child, terms)
                children.append(child)
        element.children = []
        element.extend(children)

    def _linked(self, texts: list[Node], terms: Sequence[Term]) -> list[Node]:
        text = "".join(one.astext() for one in texts)
        made: list[Node] = []
        at = 0
        for start, end, term, anchor in places(text, terms):
            address = uri(self._builder, self._docname, term.docname)
            if term in self._done or address is None:
                continue
            self._done.add(term)
            words = text[start:end]
            link = nodes.reference(words, words, internal=True, refuri=f"{address}#{anchor}", classes=[LINK])
            made += [nodes.Text(text[at:start]), link] if start > at else [link]
            at = end
        if not made:
            return texts
        return [*made, nodes.Text(text[at:])] if at < len(text) else made


def is_prose(paragraph: nodes.paragraph) -> bool:
    """Whether *paragraph* is running text in which terms are linked."""
    return not any(
        isinstance(element, NO_PROSE) or CARD in element["classes"]
        for element in (paragraph, *ancestors(paragraph))
        if isinstance(element, nodes.Element)
    )
