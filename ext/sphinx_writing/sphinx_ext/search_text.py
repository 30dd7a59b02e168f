"""The text of each page as the full-text index is to read it: headings with their ids, and what is below.

Made from the document and not from its page, so that no navigation, line number or formula that is there
twice gets in. It is written when the page is, in whichever process writes that, and kept beside the doctrees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes

from sphinx_writing.core.inline import plain
from sphinx_writing.core.search_text import broken, readable
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.inline_nodes import runs
from sphinx_writing.sphinx_ext.pages import page_file
from sphinx_writing.sphinx_ext.record import texts_of
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from typing import Any

    from docutils.nodes import Element
    from sphinx.application import Sphinx

_LEFT_BLANK = re.compile(r"\s+([.,;:])(?=\s|$)")
"""What stands before a mark of punctuation where the mark of a footnote was."""
_UNREAD = (
    addnodes.toctree,
    nodes.Invisible,
    nodes.comment,
    nodes.image,
    nodes.raw,
    nodes.system_message,
)
_LISTS = {"contents", "toctree-wrapper"}
"""Classes of what lists headings that stand elsewhere."""
_DEEPEST = 6
_LOW = '<p data-pagefind-weight="0.2">'
"""The paragraph of a source: to be found, but behind what the page itself says."""


def keep_text(
    app: Sphinx, pagename: str, _template: str, _context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Keep the text of a document whose page is about to be written."""
    if doctree is None or not is_wanted(app) or "nosearch" in app.env.metadata.get(pagename, {}):
        return
    path = texts_of(app.builder) / text_file(app, pagename)
    path.parent.mkdir(parents=True, exist_ok=True)
    title = plain(writing_domain(app.env).site.catalogue.titles.get(pagename, ()))
    path.write_text(html(doctree, title or pagename, app.config.language or "en"), encoding="utf-8")


def text_file(app: Sphinx, docname: str) -> str:
    """The file of a document's text; Pagefind reads those with this ending, and takes its address from it."""
    name = page_file(app, docname)
    return name if name.endswith(".html") else f"{name}.html"


def is_wanted(app: Sphinx) -> bool:
    """Whether this build makes a full-text index: it costs more than all else that a preview does."""
    return bool(app.config.writing_search) and makes_pages(app.builder) and not app.config.writing_preview


def html(doctree: nodes.document, title: str, language: str) -> str:
    """The document as a page of headings and paragraphs; *title* stands on top if no heading does."""
    blocks = list(below(doctree, 0))
    if not any(block.startswith("<h1") for block in blocks):
        blocks.insert(0, f"<h1>{escape(broken(title))}</h1>")
    head = f'<!DOCTYPE html>\n<html lang="{escape(language)}"><head><meta charset="utf-8"></head><body>\n'
    return head + "\n".join(blocks) + "\n</body></html>\n"


def below(element: Element, level: int) -> Iterator[str]:
    """The headings and paragraphs of *element*; rows of a table are one each."""
    for child in element.children:
        if not isinstance(child, nodes.Element) or isinstance(child, _UNREAD):
            continue
        if isinstance(child, nodes.section):
            yield from below(child, min(level + 1, _DEEPEST))
        elif isinstance(child, nodes.title) and isinstance(element, nodes.section):
            mark = f' id="{escape(element["ids"][0])}"' if level > 1 and element["ids"] else ""
            yield f"<h{level}{mark}>{text_of(child)}</h{level}>"
        elif isinstance(child, nodes.row):
            cells = (text_of(one) for one in child.findall(nodes.TextElement) if not _is_inside(one))
            yield f"<p>{' '.join(cells)}</p>"
        elif isinstance(child, addnodes.desc_signature):  # brackets and commas are not among its texts
            yield f"<p>{escape(broken(' '.join(child.astext().split())))}</p>"
        elif isinstance(child, nodes.math_block):
            yield f"<p>{escape(broken(readable(child.astext())))}</p>"
        elif isinstance(child, nodes.footnote | nodes.citation):
            yield from (block.replace("<p>", _LOW) for block in below(child, level))
        elif isinstance(child, nodes.TextElement) and not isinstance(child, nodes.label):
            if text := text_of(child):
                yield f"<p>{text}</p>"
        elif not _LISTS & {*child["classes"]}:
            yield from below(child, level)


def text_of(element: Element) -> str:
    """The words of *element*, escaped, with breaks between those that stand without a blank."""
    spans = (span for _node, span in runs(element))
    text = "".join(readable(span.text) if span.mark == "math" else span.text for span in spans)
    if not isinstance(element, nodes.literal_block):
        text = _LEFT_BLANK.sub(r"\1", text)
    return escape(broken(" ".join(text.split())))


def _is_inside(element: Element) -> bool:
    """Whether *element* is a part of a text."""
    return isinstance(element.parent, nodes.TextElement)
