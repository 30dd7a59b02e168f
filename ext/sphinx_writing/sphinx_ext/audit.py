"""The builder ``audit``: lists the numbers in the prose that come from no lab and stand by no citation.

It writes ``audit.txt``, one line for each number: file, line, number, sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.builders.dummy import DummyBuilder
from sphinx.util import logging
from sphinx.util.nodes import get_node_line

from sphinx_writing.core import audit
from sphinx_writing.core.audit import Found, Run
from sphinx_writing.sphinx_ext.calculator_nodes import CASES_CLASS
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.labs import MACHINE_CLASS, MEASURED_CLASS, TABLE_CLASS, VALUE_CLASS
from sphinx_writing.sphinx_ext.settings import settings_of

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.application import Sphinx

logger = logging.getLogger(__name__)

_UNREAD = (
    nodes.literal,
    nodes.literal_block,
    nodes.math,
    nodes.math_block,
    nodes.comment,
    nodes.raw,
    nodes.footnote,
)
_CITATIONS = (nodes.footnote_reference, nodes.citation_reference)


class AuditBuilder(DummyBuilder):
    """Reads the documents and lists numbers."""

    name = "audit"
    epilog = "The list is in %(outdir)s/audit.txt."

    def finish(self) -> None:
        """Write the list, of all posts and the pages in their folders."""
        posts = writing_domain(self.env).site.catalogue.posts
        folders = tuple(name.removesuffix("index") for name in posts if name.endswith("/index"))
        audited = [name for name in self.env.found_docs if name in posts or name.startswith(folders)]
        lines = [line for docname in sorted(audited) for line in self.lines(docname)]
        Path(self.outdir, "audit.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        logger.info("%d numbers with a unit come from no lab and stand by no citation", len(lines))

    def lines(self, docname: str) -> Iterator[str]:
        """The lines of the list for one document."""
        path = self.env.doc2path(docname, base=False)
        more = settings_of(self.config).units
        for block in blocks(self.env.get_doctree(docname)):
            for found in audit.unsourced(runs(block), more):
                yield f"{path}:{get_node_line(block) or 1}: {found.number}: {shown(found)}"


def shown(found: Found) -> str:
    """The sentence around the number, cut to what fits on a line."""
    start = found.sentence.find(found.number)
    begin, end = max(0, start - 40), start + len(found.number) + 40
    before, after = "…" if begin else "", "…" if end < len(found.sentence) else ""
    return f"{before}{found.sentence[begin:end]}{after}"


def blocks(element: Element) -> Iterator[nodes.TextElement]:
    """The paragraphs, titles and cells of *element*; not those of a table or figure whose caption cites."""
    for child in element.children:
        if not isinstance(child, nodes.Element) or isinstance(child, _UNREAD) or vouched_for(child):
            continue
        if isinstance(child, nodes.TextElement):
            yield child
        else:
            yield from blocks(child)


def vouched_for(element: Element) -> bool:
    """Whether *element* comes from a lab, or has a caption with a citation, which stands for all in it."""
    if {TABLE_CLASS, MACHINE_CLASS, CASES_CLASS} & set(element.get("classes", ())):
        return True
    captions = [c for c in element.children if isinstance(c, nodes.title | nodes.caption)]
    is_float = isinstance(element, nodes.table | nodes.figure)
    return is_float and any(next(iter(caption.findall(cites)), None) is not None for caption in captions)


def cites(node: nodes.Node) -> bool:
    """Whether *node* is a reference to a source."""
    return isinstance(node, _CITATIONS)


def runs(element: Element) -> Iterator[Run]:
    """The words of a paragraph with their origin; code and formulas are left out."""
    for child in element.children:
        if isinstance(child, nodes.Text):
            yield Run(str(child))
        elif cites(child):
            yield Run("", "citation")
        elif isinstance(child, nodes.Element) and {VALUE_CLASS, MEASURED_CLASS} & set(
            child.get("classes", ())
        ):
            yield Run("", "lab")
        elif isinstance(child, nodes.Element) and not isinstance(child, _UNREAD):
            yield from runs(child)


def register(app: Sphinx) -> None:
    """Add the builder."""
    app.add_builder(AuditBuilder)
