"""Writing web pages: every table stands in a box that scrolls; columns of numbers are set to the right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from docutils import nodes

from sphinx_writing.core.boxes import is_numeric, table_may_scroll
from sphinx_writing.core.inline import plain
from sphinx_writing.sphinx_ext.boxes import NAME, OnWebPages, name_boxes, scrolling, writing_box
from sphinx_writing.sphinx_ext.inline_nodes import from_nodes
from sphinx_writing.sphinx_ext.labs import TABLE_CLASS

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.application import Sphinx

BOX, NUMERIC = "writing-table", "writing-numeric"
FUROS_BOX = "table-wrapper"
ALIGNED = {"text-left", "text-center", "text-right"}
"""How MyST marks columns whose side the author has chosen."""


class BoxTables(OnWebPages):
    """Puts each table into its box, instead of the one that furo gives it."""

    default_priority = 710  # furo's own step has 500

    def run(self, **kwargs: Any) -> None:
        """Box all tables of the document."""
        made = []
        for table in list(self.document.findall(nodes.table)):
            cells = [[*_entries(row)] for row in table.findall(nodes.row)]
            if _is_plain(table):
                _set_numbers_right(table)
            made.append(_put_into_box(table, table_may_scroll([map(_text, row) for row in cells])))
        name_boxes(made)


def _put_into_box(table: nodes.table, wide: bool) -> writing_box:
    name = _caption(table) or str(table.get(NAME, "Table"))
    made = scrolling(BOX, name=name, role="region", wide=wide)
    place: Element = table
    if isinstance(place.parent, nodes.container) and FUROS_BOX in place.parent["classes"]:
        place.parent.parent.replace(place.parent, table)
    if isinstance(table.parent, nodes.comment):  # as that of autosummary, which reaches for the table in it
        place = table.parent
    place.parent.replace(place, made)
    made += place
    return made


def _caption(table: nodes.table) -> str:
    """The caption of *table* in plain words, without the link to its lab."""
    title = table.next_node(nodes.title)
    if title is None:
        return ""
    words = title.deepcopy()
    for link in list(words.findall(lambda node: isinstance(node, nodes.inline) and "lab_only" in node)):
        words.remove(link)
    return plain(from_nodes(words)).strip()


def _is_plain(table: nodes.table) -> bool:
    """Whether the cells of *table* stand in a plain grid, and no lab says which of them are numbers."""
    spans = any("morecols" in entry or "morerows" in entry for entry in table.findall(nodes.entry))
    return TABLE_CLASS not in table["classes"] and not spans


def _set_numbers_right(table: nodes.table) -> None:
    """Mark the columns of *table* that hold numbers, where the author has not chosen a side."""
    every = [[*_entries(row)] for row in table.findall(nodes.row)]
    body = [[*_entries(row)] for row in table.findall(nodes.row) if isinstance(row.parent, nodes.tbody)]
    for column in map(list, zip(*body, strict=False)):
        if is_numeric([_text(entry) for entry in column]):
            number = column[0].parent.index(column[0])
            entries = [row[number] for row in every]
            if not any(ALIGNED & set(entry["classes"]) for entry in entries):
                for entry in entries:
                    entry["classes"].append(NUMERIC)


def _entries(row: Element) -> Iterator[nodes.entry]:
    return (child for child in row.children if isinstance(child, nodes.entry))


def _text(entry: nodes.entry) -> str:
    """The words of a cell; a formula, which is never broken, is one word."""
    text = entry.astext()
    return "".join(text.split()) if entry.next_node(nodes.math) else text


def register(app: Sphinx) -> None:
    """Add the step."""
    app.add_post_transform(BoxTables)
