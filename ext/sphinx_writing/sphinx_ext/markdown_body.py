"""The text of a document as Markdown, made from the document that its page is made from.

The writing phase. Nothing is lost: of a node that is not known here, what is in it is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import quote

from docutils import nodes
from sphinx import addnodes
from sphinx.locale import admonitionlabels
from sphinx.util.math import get_node_equation_number

from sphinx_writing.core import markdown as md
from sphinx_writing.sphinx_ext.addresses import site_address
from sphinx_writing.sphinx_ext.diagrams import SOURCE
from sphinx_writing.sphinx_ext.feed_entry import whole_address
from sphinx_writing.sphinx_ext.labs import MEASURED_CLASS, VALUE_CLASS
from sphinx_writing.sphinx_ext.plain_nodes import listing
from sphinx_writing.sphinx_ext.render import writing_html
from sphinx_writing.sphinx_ext.side_notes import MYSTS_LINE, NOTE
from sphinx_writing.sphinx_ext.twins import DARK_CLASS

if TYPE_CHECKING:
    from docutils.nodes import Element, Node
    from sphinx.application import Sphinx

    from sphinx_writing.core.lists import Listing

_UNREAD = (
    addnodes.index,
    addnodes.tabular_col_spec,
    addnodes.toctree,
    nodes.colspec,
    nodes.comment,
    nodes.label,
    nodes.meta,
    nodes.substitution_definition,
    nodes.system_message,
)
_ON_LINES = (nodes.Text, nodes.Inline, nodes.image, nodes.raw)
"""What stands in a sentence; a picture or markup may also stand alone."""
_ALONE = (nodes.raw, addnodes.desc_signature)
"""What of that is a block where it stands among blocks."""
_BOLD = {"dropdown_title", "sd_tab_label"}
"""Nodes of sphinx-design that stand over something."""
_BOLD_CLASSES = {"sd-card-title", "sd-card-header"}
_BEFORE_LIST = re.compile(r"\n\n(?=(?:[-*]|1[.)]) \S)")
_NO_LANGUAGE = {"", "default", "none", "text"}
_SIDES = {
    "writing-numeric": "right",
    "text-right": "right",
    "text-center": "center",
    "text-left": "left",
}
_TAGS = re.compile(r"<(script|style|template|svg)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>", re.DOTALL | re.IGNORECASE)
_BREAK = re.compile(r"\s*<br\s*/?>\s*", re.IGNORECASE)
_BOX = re.compile(r'<input class="task-list-item-checkbox"( checked="checked")?[^>]*>')
_KEPT_TAGS = re.compile(r"\s*</?(?:sub|sup)>\s*", re.IGNORECASE)

Piece = tuple[str, str]
"""A part of a sentence, and the mark around it."""


def body(app: Sphinx, docname: str, doctree: nodes.document) -> str:
    """The text of the document as Markdown, without its title.

    The address of a page of the site stands between two characters that say so; :func:`with_links` knows to
    which Markdown it leads.
    """
    return Writer(app, docname, doctree).document()


def with_links(text: str, twins: dict[str, str]) -> str:
    """*text* with links to the files *twins*, by the addresses of their pages; others lead to the page."""

    def target(found: re.Match[str]) -> str:
        page, mark, place = found[1].partition("#")
        return twins.get(page, page) + mark + place

    return re.sub(f"{md.LINK}([^{md.LINK_END}]*){md.LINK_END}", target, text)


class Writer:
    """Writes one document."""

    def __init__(self, app: Sphinx, docname: str, doctree: nodes.document) -> None:
        self._app, self._docname, self._document = app, docname, doctree
        self._whole = whole_address(app.builder, docname)
        self._printer = app.builder.create_translator(doctree, app.builder)
        self._sections: dict[str, tuple[int, ...]] = app.env.toc_secnumbers.get(docname, {})
        self._figures: dict[str, dict[str, tuple[int, ...]]] = app.env.toc_fignumbers.get(docname, {})
        self._places: dict[str, Element] = {
            name: element for element in doctree.findall(nodes.Element) for name in element["ids"]
        }
        self._labels = dict(self._named_notes())
        self._notes: list[str] = []
        self._title: nodes.title | None = title_of(doctree)
        self._in_cell = False

    def document(self) -> str:
        """All of it, the notes of the text at the end."""
        text = self._blocks(self._document, 0)
        return md.finished("\n\n".join(filter(None, [text, *self._notes])))

    def _named_notes(self) -> Iterator[tuple[str, str]]:
        """The name of each note and source, by their ids; of equal labels the later get a number."""
        taken: set[str] = set()
        for found in self._document.findall(nodes.Element):
            if isinstance(found, nodes.footnote | nodes.citation):
                shown = found.next_node(nodes.label)
                name = stem = md.label(shown.astext() if shown else "")
                number = 1
                while name in taken:
                    number += 1
                    name = f"{stem}-{number}"
                taken.add(name)
                yield from ((one, name) for one in found["ids"])

    # Blocks

    def _blocks(self, element: Element, level: int) -> str:
        """What is in *element*; runs of text between blocks are paragraphs."""
        made: list[str] = []
        line: list[Node] = []
        for child in [*element.children, None]:
            if isinstance(child, _ON_LINES) and not isinstance(child, _ALONE) and not _holds_blocks(child):
                line.append(child)
                continue
            if line:
                made.append(md.paragraph(self._inline(line)))
                line = []
            if isinstance(child, nodes.Element):
                made.append(self._block(child, level, made))
        return "\n\n".join(filter(None, made))

    def _block(self, node: Element, level: int, before: list[str]) -> str:
        """*node* as blocks; nothing of what is there for the page alone."""
        if isinstance(node, _UNREAD) or DARK_CLASS in node["classes"] or "contents" in node["classes"]:
            return ""
        for kind, write in _WRITERS:
            if isinstance(node, kind):
                return write(self, node, level)
        if isinstance(node, nodes.bullet_list | nodes.enumerated_list):
            return self._list(node, level, next((text for text in reversed(before) if text), ""))
        if type(node).__name__ in _BOLD or _BOLD_CLASSES & {*node["classes"]}:
            return self._bold(node, level)
        if isinstance(source := node.get("code"), str) and not node.children:  # as graphviz has it
            return md.fence(source, type(node).__name__)
        if isinstance(node, nodes.TextElement | nodes.Inline) and not _holds_blocks(node):
            return md.paragraph(self._inline([node] if isinstance(node, nodes.Inline) else node.children))
        return self._blocks(node, level)

    def _section(self, node: Element, level: int) -> str:
        return self._blocks(node, level + 1)

    def _heading(self, node: Element, level: int) -> str:
        if node is self._title:
            return ""
        if not isinstance(node.parent, nodes.section):
            return self._bold(node, level)
        names = [f"#{name}" for name in node.parent["ids"]]
        number = next((self._sections[name] for name in names if name in self._sections), ())
        text = self._inline(node.children)
        return md.heading(level, f"{'.'.join(map(str, number))}. {text}" if number else text)

    def _bold(self, node: Element, _level: int) -> str:
        return md.paragraph(md.marked(self._inline(node.children), "**", "", ""))

    def _paragraph(self, node: Element, _level: int) -> str:
        return md.paragraph(self._inline(node.children))

    def _code(self, node: Element, _level: int) -> str:
        language = "pycon" if isinstance(node, nodes.doctest_block) else str(node.get("language", ""))
        return md.fence(node.astext(), "" if language in _NO_LANGUAGE else language)

    def _captioned(self, node: Element, _level: int) -> str:
        """The path, or whatever stands over code, with its number."""
        text = f"{self._number(node.parent)}{self._inline(node.children)}"
        return md.paragraph(text)

    def _math(self, node: Element, _level: int) -> str:
        number = get_node_equation_number(self._printer, node) if node["number"] else ""  # type: ignore[arg-type]
        whole = bool(node.get("no-wrap", node.get("nowrap", False)))
        return md.displayed(node.astext(), str(number), whole=whole)

    def _figure(self, node: Element, level: int) -> str:
        """The picture, its caption, the source of a diagram, and a legend."""
        parts = [md.fence(node[SOURCE], "mermaid")] if SOURCE in node else []
        inside = [
            self._block(child, level, []) for child in node.children if isinstance(child, nodes.Element)
        ]
        return "\n\n".join(filter(None, [*inside[:1], *parts, *inside[1:]]))

    def _line_block(self, node: Element, _level: int) -> str:
        lines = (self._inline(line.children) for line in node.findall(nodes.line))
        return md.paragraph(md.BREAK.join(filter(None, lines)))

    def _admonition(self, node: Element, level: int) -> str:
        titles = [child for child in node.children if isinstance(child, nodes.title)]
        label = admonitionlabels.get(node.tagname, "")
        title = self._inline(titles[0].children) if titles else md.escaped(str(label))
        rest = nodes.container("", *(c.deepcopy() for c in node.children if not isinstance(c, nodes.title)))
        return md.quoted(f"{md.marked(title, '**', '', '')}\n\n{self._blocks(rest, level)}".strip("\n"))

    def _quotation(self, node: Element, level: int) -> str:
        return md.quoted(self._blocks(node, level))

    def _attribution(self, node: Element, _level: int) -> str:
        return md.paragraph(f"— {self._inline(node.children)}")

    def _note(self, node: Element, level: int) -> str:
        """A note of the text goes to the end; one that the author has listed stays in its place."""
        name = next((self._labels[one] for one in node["ids"] if one in self._labels), "")
        text = md.note(name or "note", self._blocks(node, level))
        if NOTE in node["classes"]:
            self._notes.append(text)
            return ""
        return text

    def _line(self, node: Element, _level: int) -> str:
        return "" if MYSTS_LINE in node["classes"] else "---"

    def _raw(self, node: Element, _level: int) -> str:
        return md.paragraph(self._raw_words(node))

    def _signature(self, node: Element, _level: int) -> str:
        return md.code(node.astext().replace("\n", " "))

    def _template(self, node: Element, level: int) -> str:
        """A list of posts; all else that we print is there for the page, or stands beside it."""
        found: Listing | None = node.get("listing")
        if found is None:
            return ""
        made = listing(found, self._app.builder, self._docname)
        return self._blocks(nodes.container("", *made), level)

    # Lists

    def _list(self, node: Element, level: int, before: str) -> str:
        """A list, with another mark than that of a list right before it, which it would else belong to."""
        items = [child for child in node.children if isinstance(child, nodes.list_item)]
        if isinstance(node, nodes.enumerated_list):
            end = ")" if re.match(r"\d+\.\s", before) else "."
            first = int(node.get("start", 1))
            markers = [f"{i}{end}" for i, _item in enumerate(items, first)]
        else:
            markers = ["*" if before.startswith("- ") else "-"] * len(items)
        return self._items([(m, self._item(i, level)) for m, i in zip(markers, items, strict=True)])

    def _item(self, node: Element, level: int) -> str:
        """An item; a list stands close to the paragraph before it, where readers still take it for one."""
        text = self._blocks(node, level)
        first, *rest = node.children or [node]
        if isinstance(first, nodes.paragraph) and all(isinstance(c, nodes.Sequential) for c in rest):
            return _BEFORE_LIST.sub("\n", text, count=1)
        return text

    def _items(self, items: Iterable[tuple[str, str]]) -> str:
        """Items of a list; close together if each is one paragraph."""
        found = list(items)
        close = not any("\n\n" in text for _marker, text in found)
        return ("\n" if close else "\n\n").join(md.item(marker, text) for marker, text in found)

    def _definitions(self, node: Element, level: int) -> str:
        return self._items(("-", self._definition(item, level)) for item in node.children)  # type: ignore[arg-type]

    def _definition(self, entry: Element, level: int) -> str:
        """A term and what it means, as most readers know neither."""
        terms = [
            c for c in entry.children if isinstance(c, nodes.term | nodes.field_name | nodes.option_group)
        ]
        rest = [
            c.deepcopy() for c in entry.children if c not in terms and not isinstance(c, nodes.classifier)
        ]
        kinds = [self._inline(c.children) for c in entry.children if isinstance(c, nodes.classifier)]
        names = [md.marked(self._term(term).strip(), "**", "", "") for term in terms]
        head = ", ".join(filter(None, names)) + "".join(f" ({kind})" for kind in kinds)
        text = self._blocks(nodes.container("", *rest), level)
        starts_with_words = rest and isinstance(rest[0], nodes.Element) and _is_paragraph_first(rest[0])
        return f"{head}: {text}" if starts_with_words and text else f"{head}\n\n{text}".strip("\n")

    def _term(self, term: Element) -> str:
        if isinstance(term, nodes.option_group):
            return md.code(", ".join(option.astext() for option in term.children))
        return self._inline(term.children)

    # Tables

    def _table(self, node: Element, level: int) -> str:
        """The caption, then the table."""
        titles = [child for child in node.children if isinstance(child, nodes.title)]
        captions = [md.paragraph(f"{self._number(node)}{self._inline(t.children)}") for t in titles]
        return "\n\n".join([*captions, *self._grids(node, level)])

    def _grids(self, node: Element, level: int) -> Iterator[str]:
        for group in node.children:
            if isinstance(group, nodes.tgroup):
                heads = [
                    row for part in group.children if isinstance(part, nodes.thead) for row in part.children
                ]
                rows = [
                    row for part in group.children if isinstance(part, nodes.tbody) for row in part.children
                ]
                yield self._grid(self._filled([*heads, *rows], level), len(heads), _sides([*heads, *rows]))

    def _grid(self, rows: list[list[str]], heads: int, sides: list[str]) -> str:
        width = max(map(len, rows), default=0)
        if not width:
            return ""
        rows = [row + [""] * (width - len(row)) for row in rows]
        head = rows[0] if heads else [""] * width
        return md.table(head, rows[1 if heads else 0 :], (sides + [""] * width)[:width])

    def _filled(self, rows: list[Node], level: int) -> list[list[str]]:
        """The cells of all rows; what spans several is in the first of them."""
        below: dict[tuple[int, int], str] = {}
        made: list[list[str]] = []
        for y, row in enumerate(rows):
            cells: list[str] = []
            for entry in row.children:
                if not isinstance(entry, nodes.entry):
                    continue
                while (y, len(cells)) in below:
                    cells.append("")
                x, wide, high = len(cells), 1 + entry.get("morecols", 0), 1 + entry.get("morerows", 0)
                below |= {(y + j, x + i): "" for j in range(1, high) for i in range(wide)}
                cells += [self._cell(entry, level), *[""] * (wide - 1)]
            made.append(cells)
        return made

    def _cell(self, entry: Element, level: int) -> str:
        """A cell on one line: a list or a block of code in it loses its form, and none of its words."""
        outer, self._in_cell = self._in_cell, True
        texts = []
        for child in entry.children:
            if isinstance(child, nodes.literal_block | nodes.doctest_block):
                texts += [md.code(line) for line in child.astext().split("\n")]
            elif isinstance(child, nodes.TextElement):
                texts.append(self._inline(child.children))
            elif isinstance(child, nodes.Element):
                texts += self._block(child, level, []).split("\n")
        self._in_cell = outer
        return "<br>".join(text.strip() for text in texts if text.strip())

    # Sentences

    def _inline(self, children: Iterable[Node]) -> str:
        """A sentence."""
        pieces = [piece for child in children for piece in self._pieces(child)]
        made = ""
        for i, (text, mark) in enumerate(pieces):
            after = pieces[i + 1][0] if i + 1 < len(pieces) else ""
            made += md.marked(text, mark, made, after) if mark else text
        return made

    def _pieces(self, node: Node) -> Iterator[Piece]:
        if isinstance(node, nodes.Text):
            yield md.escaped(str(node)), ""
        elif (
            not isinstance(node, nodes.Element) or isinstance(node, _UNREAD) or DARK_CLASS in node["classes"]
        ):
            return
        elif isinstance(node, nodes.strong | nodes.emphasis | nodes.title_reference):
            yield self._inline(node.children), "**" if isinstance(node, nodes.strong) else "*"
        elif write := next((write for kind, write in _INLINE if isinstance(node, kind)), None):
            yield write(self, node), ""
        elif isinstance(node, nodes.Body) and not isinstance(node, nodes.TextElement):
            yield self._block(node, 0, []), ""
        else:
            for child in node.children:
                yield from self._pieces(child)

    def _literal(self, node: Element) -> str:
        return md.code(node.astext())

    def _formula(self, node: Element) -> str:
        tex = node.astext()
        return md.formula(md.in_cell(tex) if self._in_cell else tex)

    def _abbreviation(self, node: Element) -> str:
        meaning = md.escaped(str(node.get("explanation", "")))
        return self._inline(node.children) + (f" ({meaning})" if meaning else "")

    def _raised(self, node: Element) -> str:
        """What Markdown has no mark for; its readers know that of HTML."""
        name = "sub" if isinstance(node, nodes.subscript) else "sup"
        return f"<{name}>{self._inline(node.children)}</{name}>"

    def _raw_words(self, node: Element) -> str:
        """The words in markup of the author's own, and the few marks of it that Markdown has no other for."""
        text = node.astext()
        if "html" not in node.get("format", "").split():
            return ""
        if box := _BOX.fullmatch(text.strip()):
            return md.TICKED if box[1] else md.NOT_TICKED
        if _BREAK.fullmatch(text):
            return md.BREAK
        if _KEPT_TAGS.fullmatch(text):
            return text.strip()
        return md.escaped(unescape(_TAGS.sub(" ", text))) if _TAGS.sub("", text).strip() else ""

    def _image(self, node: Element) -> str:
        builder, uri = self._app.builder, str(node["uri"])
        if uri in builder.images:
            address = f"{builder.config.html_baseurl}{builder.imagedir}/{quote(builder.images[uri])}"
        else:
            address = self._whole(uri)  # printed before, when it was given its address from the page
        return md.picture(str(node.get("alt", "")), "" if address.startswith("data:") else address)

    def _note_mark(self, node: Element) -> str:
        name = self._labels.get(node.get("refid", ""))
        return md.mark_of(name) if name else md.escaped(f"[{node.astext()}]")

    def _download(self, node: Element) -> str:
        text, name = md.bracketed(self._inline(node.children)), node.get("filename")
        base = self._app.config.html_baseurl
        return md.link(
            text, f"{base}_downloads/{quote(name)}" if name else self._whole(node.get("refuri", ""))
        )

    def _reference(self, node: Element) -> str:
        """A link; none to what the reader has, or to the lab from each of its values."""
        text = self._inline(node.children)
        uri = str(node.get("refuri") or (f"#{node['refid']}" if node.get("refid") else ""))
        place = self._places.get(uri[1:]) if uri.startswith("#") else None
        if isinstance(place, nodes.citation) and uri[1:] in self._labels:
            return md.mark_of(self._labels[uri[1:]])
        has_picture = node.next_node(nodes.image) is not None
        if has_picture and "writing-zoom" in node["classes"]:
            return text
        if uri.startswith("#") and not isinstance(place, nodes.section | nodes.title):
            return text
        if {VALUE_CLASS, MEASURED_CLASS} & {*node.parent["classes"]} or not uri:
            return text
        address = self._address(uri, node)
        if address == node.astext() and re.match("https?://", address):
            return md.shown_address(address)
        return md.link(text if has_picture else md.bracketed(text), address)

    def _address(self, uri: str, node: Element) -> str:
        """The whole address of a link; that of a page of the site as :func:`with_links` expects it."""
        address = self._whole(uri)
        if uri.startswith("#"):
            address = f"{site_address(self._app.builder, self._docname)}{uri}"
        return f"{md.LINK}{address}{md.LINK_END}" if address and node.get("internal") else address

    def _number(self, node: Element) -> str:
        """The number of a figure, table or block of code before its caption."""
        kind = self._app.env.domains.standard_domain.get_enumerable_node_type(node)
        numbers = self._figures.get(kind or "", {})
        number = next((numbers[name] for name in node["ids"] if name in numbers), None)
        if not number or kind is None:
            return ""
        shown = self._app.config.numfig_format.get(kind, "%s") % ".".join(map(str, number))
        return f"**{md.escaped(shown)}**: "


def title_of(document: nodes.document) -> nodes.title | None:
    """The title of the whole document, which stands above its text."""
    section = next((c for c in document.children if isinstance(c, nodes.section)), None)
    first = section.next_node(nodes.title) if section else None
    return first if first is not None and first.parent is section else None


def _holds_blocks(node: Node) -> bool:
    """Whether there is a block in *node*, which may be one of those that stand in sentences."""
    return isinstance(node, nodes.Element) and any(
        isinstance(child, nodes.Body) and not isinstance(child, nodes.Inline)
        for child in node.findall()
        if child is not node
    )


def _is_paragraph_first(node: Element) -> bool:
    """Whether *node* begins with a paragraph."""
    if isinstance(node, nodes.paragraph):
        return True
    first = node.children[0] if node.children else None
    holds = isinstance(node, nodes.definition | nodes.field_body | nodes.description | nodes.container)
    return holds and isinstance(first, nodes.Element) and _is_paragraph_first(first)


def _sides(rows: list[Node]) -> list[str]:
    """The side that each column is set to: what its last cell says."""
    found: list[str] = []
    for row in rows:
        for i, entry in enumerate(c for c in row.children if isinstance(c, nodes.entry)):
            side = next((_SIDES[name] for name in entry["classes"] if name in _SIDES), "")
            found[i : i + 1] = [side]
    return found


_BlockWriter = Callable[[Writer, "Element", int], str]
_WRITERS: tuple[tuple[type | tuple[type, ...], _BlockWriter], ...] = (
    (writing_html, Writer._template),
    (addnodes.desc, Writer._blocks),
    (nodes.section, Writer._section),
    (nodes.title, Writer._heading),
    (nodes.rubric, Writer._bold),
    (nodes.paragraph, Writer._paragraph),
    ((nodes.literal_block, nodes.doctest_block), Writer._code),
    (nodes.caption, Writer._captioned),
    (nodes.math_block, Writer._math),
    (nodes.figure, Writer._figure),
    (nodes.line_block, Writer._line_block),
    ((nodes.Admonition, nodes.topic, nodes.sidebar), Writer._admonition),
    (nodes.block_quote, Writer._quotation),
    (nodes.attribution, Writer._attribution),
    ((nodes.footnote, nodes.citation), Writer._note),
    (nodes.transition, Writer._line),
    (nodes.raw, Writer._raw),
    (addnodes.desc_signature, Writer._signature),
    ((nodes.definition_list, nodes.field_list, nodes.option_list, nodes.docinfo), Writer._definitions),
    (nodes.table, Writer._table),
)
"""What writes each kind of block; lists ask what stands before them."""
_INLINE: tuple[tuple[type | tuple[type, ...], Callable[[Writer, Element], str]], ...] = (
    (nodes.literal, Writer._literal),
    (nodes.math, Writer._formula),
    (nodes.raw, Writer._raw_words),
    (nodes.image, Writer._image),
    (nodes.abbreviation, Writer._abbreviation),
    ((nodes.subscript, nodes.superscript), Writer._raised),
    ((nodes.footnote_reference, nodes.citation_reference), Writer._note_mark),
    (addnodes.download_reference, Writer._download),
    (nodes.reference, Writer._reference),
)
"""What writes each kind of node in a sentence."""
