"""What a calculator is in a document: its title, the table of its cases, its foot, in a node of their own.

All but that node are ordinary, so that every builder has them; web pages put a form among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from docutils import nodes

from sphinx_writing.core.calculators import Calculator, table
from sphinx_writing.core.inline import plain
from sphinx_writing.sphinx_ext.inline_nodes import to_nodes
from sphinx_writing.sphinx_ext.labs import column_spec

if TYPE_CHECKING:
    from docutils.nodes import Node

    from sphinx_writing.core.calculators import Cell
    from sphinx_writing.core.inline import Inline

TITLE_CLASS, CASES_CLASS, SAME_CLASS, FOOT_CLASS = (
    "writing-calculator-title",
    "writing-calculator-cases",
    "writing-calculator-same",
    "writing-calculator-foot",
)


class writing_calculator(nodes.General, nodes.Element):  # noqa: N801  # docutils names its nodes in small letters
    """A calculator of ``docname``; ``calculator`` is its record, ``place`` its name in addresses.

    ``units`` are those that it names.
    """


def title(children: Iterable[Node]) -> nodes.paragraph:
    """The title; no heading, as a calculator is part of the argument."""
    return nodes.paragraph("", "", nodes.strong("", "", *children), classes=[TITLE_CLASS])


def cases(calculator: Calculator) -> Iterator[Node]:
    """The table of the default and the presets, and below it what is the same in all of them."""
    made = table(calculator)
    numeric = [cell.numeric for cell in made.rows[0]]
    group = nodes.tgroup(cols=len(made.heads))
    texts = [list(map(plain, made.heads)), *([cell.text for cell in row] for row in made.rows)]
    group += [nodes.colspec(colwidth=max(map(len, column))) for column in zip(*texts, strict=True)]
    heads = (_entry(to_nodes(head), right) for head, right in zip(made.heads, numeric, strict=True))
    group += nodes.thead("", nodes.row("", *heads))
    group += nodes.tbody("", *(nodes.row("", *map(_cell, row)) for row in made.rows))
    yield from column_spec(texts[1:], numeric)  # heads are broken into lines
    yield nodes.table("", group, classes=["colwidths-auto", CASES_CLASS])
    if made.same:
        yield nodes.paragraph("", "", *_same(made.same), classes=[SAME_CLASS])


def _cell(cell: Cell) -> nodes.entry:
    return _entry([nodes.Text(cell.text)], cell.numeric)


def _entry(children: list[Node], numeric: bool) -> nodes.entry:
    return nodes.entry("", nodes.paragraph("", "", *children), classes=["writing-numeric"] if numeric else [])


def _same(values: Iterable[tuple[Inline, str]]) -> Iterator[Node]:
    """One sentence of the inputs that no case changes."""
    yield nodes.Text("In all rows: ")
    for i, (label, value) in enumerate(values):
        yield from [nodes.Text("; ")] if i else []
        yield from to_nodes(label)
        yield nodes.Text(f" {value}")
    yield nodes.Text(".")
