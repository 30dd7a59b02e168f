"""The text of a post as a feed carries it, made from the document that its page is made from.

The writing phase: the copy of a document is relieved of what is there for the page, printed as the page is,
and then rewritten for readers that know neither the page's style sheets nor its address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from docutils import nodes

from sphinx_writing.core.feed_html import readable
from sphinx_writing.sphinx_ext.addresses import site_address
from sphinx_writing.sphinx_ext.labs import MEASURED_CLASS, VALUE_CLASS
from sphinx_writing.sphinx_ext.render import writing_html
from sphinx_writing.sphinx_ext.side_notes import MYSTS_LINE, NOTE
from sphinx_writing.sphinx_ext.twins import DARK_CLASS

if TYPE_CHECKING:
    from docutils.nodes import Element, Node
    from sphinx.application import Sphinx
    from sphinx.builders import Builder

_AROUND = (
    "contents",
    "page-foot",
    "post-above",
    "post-foot",
    "post-head",
    "series-above",
    "series-foot",
    "series-head",
)
"""Templates of what stands around the text on its page."""
_UNSAFE = {"javascript", "vbscript", "data", "file"}
"""Schemes of links that no reader follows."""


def entry(app: Sphinx, docname: str, doctree: nodes.document) -> str:
    """The text of the document as a feed carries it."""
    copy = doctree.deepcopy()
    prepare(copy)
    writer = app.builder.create_translator(copy, app.builder)
    copy.walkabout(writer)
    html = "".join(getattr(writer, "body", ()))
    return readable(html, whole_address(app.builder, docname), site_address(app.builder, docname))


def whole_address(builder: Builder, docname: str) -> Callable[[str], str]:
    """What gives the whole address of every link that the page of *docname* has."""
    base = str(builder.config.html_baseurl)
    return partial(absolute, base=base, page=base + builder.get_target_uri(docname))


def absolute(link: str, *, base: str, page: str) -> str:
    """The whole address of a *link* on *page*; nothing where no reader could follow it.

    A page of the site at *base* that stands for its folder has the address of the folder.
    """
    try:
        address = urljoin(page, "".join(link.split()))
        scheme, path = urlsplit(address).scheme.lower(), urlsplit(address).path
    except ValueError:
        return ""
    if scheme in _UNSAFE and not address.lower().startswith("data:image/"):
        return ""
    if address.startswith(base) and not address.startswith(f"{base}_") and path.endswith("/index.html"):
        before, _, behind = address.partition("/index.html")
        return f"{before}/{behind}"
    return address


def prepare(document: nodes.document) -> None:
    """Take out of *document* what is there for its page, and bring its notes to the end."""
    _drop(document, _is_for_the_page)
    title = _title(document)
    if title is not None:
        title.parent.remove(title)
    for inline in list(document.findall(nodes.inline)):
        if {VALUE_CLASS, MEASURED_CLASS} & {*inline["classes"]}:  # a link to its lab for every number
            for link in list(inline.findall(nodes.reference)):
                link.replace_self(link.children)
    for named in document.findall(nodes.Element):
        # Sphinx puts its title into it as it prints it, each time.
        if isinstance(named, nodes.Admonition) and not isinstance(named, nodes.admonition):
            named.children = [child for child in named.children if not isinstance(child, nodes.title)]
    for code in document.findall(nodes.literal_block):
        code["linenos"] = False
    _bring_notes_to_the_end(document)


def _drop(document: nodes.document, unwanted: Callable[[Element], bool]) -> None:
    for node in list(document.findall(nodes.Element)):
        if node.parent is not None and unwanted(node):
            node.parent.remove(node)
    for link in list(document.findall(nodes.reference)):
        if not link.children:  # Sphinx prints no such link around a picture
            link.parent.remove(link)


def _is_for_the_page(node: Element) -> bool:
    """Whether *node* is a frame of the page, a dark picture, a header of code or a list of the headings."""
    if isinstance(node, writing_html):
        return node["template"] in _AROUND
    if isinstance(node, nodes.image | nodes.reference):
        return DARK_CLASS in node["classes"]
    if isinstance(node, nodes.transition):
        return MYSTS_LINE in node["classes"]
    return (bool(node.get("label")) and not node.children) or "contents" in node["classes"]


def _title(document: nodes.document) -> nodes.title | None:
    """The title of the whole document, which the entry has already."""
    section = document.next_node(nodes.section)
    if section is None or section.parent is not document:
        return None
    return section.next_node(nodes.title) if isinstance(section[0], nodes.title) else None


def _bring_notes_to_the_end(document: nodes.document) -> None:
    """Print each note's number in its text, and the notes of the text behind all else."""
    notes = []
    found = (
        node for node in document.findall(nodes.Element) if isinstance(node, nodes.footnote | nodes.citation)
    )
    for note in list(found):
        lines = list(_numbered(note))
        if NOTE in note["classes"]:
            note.parent.remove(note)
            notes += lines
        else:
            note.replace_self(lines)
    if notes:
        document += [nodes.transition(), *notes]


def _numbered(note: Element) -> Iterator[Node]:
    """What stands in *note*, its number before the first words."""
    label = note.next_node(nodes.label)
    body = [child for child in note.children if child is not label]
    mark = nodes.Text(f"[{label.astext()}] " if label is not None else "")
    if body and isinstance(body[0], nodes.paragraph):
        body[0].insert(0, mark)
    else:
        body.insert(0, nodes.paragraph("", "", mark))
    yield from body
