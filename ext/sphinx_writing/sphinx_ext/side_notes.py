"""Writing web pages: footnotes stand with the block that refers to them, and sources in their list.

Reading marks the sources of sphinxcontrib-bibtex, which are footnotes as well. In other outputs all stay as
they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

from sphinx_writing.core.notes import numbers, placed
from sphinx_writing.sphinx_ext.boxes import OnWebPages, box
from sphinx_writing.sphinx_ext.render import writing_html
from sphinx_writing.sphinx_ext.transforms import ancestors

if TYPE_CHECKING:
    from docutils.nodes import Element, Node
    from sphinx.application import Sphinx

NOTED, TEXT, NOTE, MARK = "writing-noted", "writing-noted-text", "writing-note", "writing-note-mark"
SOURCES = "writing_sources"
MYSTS_LINE = "footnotes"
"""The class of the line that MyST draws over the footnotes it has collected."""

Whole = nodes.document | addnodes.start_of_file
"""What holds a document, also where several are assembled on one page."""


class MarkSources(SphinxTransform):
    """Marks lists that hold nothing but footnotes, as those of sources do, and what is in them."""

    default_priority = 210  # right after parsing; MyST collects footnotes after 620

    def apply(self, **kwargs: Any) -> None:
        """Number the lists, and note on each footnote which one it is from."""
        for number, found in enumerate(self.document.findall(nodes.container)):
            footnotes = [child for child in found.children if isinstance(child, nodes.footnote)]
            if footnotes and len(footnotes) == len(found):
                found[SOURCES] = f"{self.env.docname}:{number}"
                for footnote in footnotes:
                    footnote[SOURCES] = found[SOURCES]


class JoinMarks(SphinxTransform):
    """Takes out the space before the mark of a note or a source, which else may begin a line.

    A role needs that space behind a word, and docutils takes it out for its own notes alone.
    """

    default_priority = 211  # before sentences are taken to be quoted elsewhere

    def apply(self, **kwargs: Any) -> None:
        """Join every mark to what stands before it."""
        for mark in self.document.findall(nodes.footnote_reference):
            siblings = mark.parent.children
            at = siblings.index(mark)
            if at and isinstance(before := siblings[at - 1], nodes.Text):
                siblings[at - 1] = joined = nodes.Text(before.rstrip())
                joined.parent = mark.parent


class PlaceNotes(OnWebPages):
    """Moves each footnote to the block with the first reference to it."""

    default_priority = 690  # before code and tables, so that these are named in the order of the page

    def run(self, **kwargs: Any) -> None:
        """Place the notes of the document, or of each one that is assembled in it."""
        _return_sources(self.document)
        parts = list(self.document.findall(addnodes.start_of_file))
        for part in parts:
            for child in part.children:
                child.parent = part  # Sphinx has taken it over from its own document, and not told it
        for whole in (self.document, *parts):
            _place_notes(whole)
        for line in list(self.document.findall(nodes.transition)):
            if MYSTS_LINE in line["classes"] and not isinstance(_seen(_behind(line)), nodes.footnote):
                line.parent.remove(line)


def _return_sources(document: nodes.document) -> None:
    """Put sources back into their lists, from which MyST has taken them."""
    lists = {found[SOURCES]: found for found in document.findall(nodes.container) if SOURCES in found}
    for source in list(document.findall(nodes.footnote)):
        home = lists.get(source.get(SOURCES, ""))
        if home is not None and source.parent is not home:
            source.parent.remove(source)
            home += source


def _place_notes(whole: Element) -> None:
    """Number the notes of *whole* as they are met, and put each behind its block."""
    notes = {
        note["ids"][0]: note
        for note in whole.findall(nodes.footnote)
        if SOURCES not in note and _whole(note) is whole and note["ids"] and not _is_listed(note)
    }
    marks = [
        mark
        for mark in whole.findall(nodes.footnote_reference)
        if mark.get("refid") in notes and _whole(mark) is whole
    ]
    in_notes = {
        name: [m["refid"] for m in note.findall(nodes.footnote_reference) if m.get("refid") in notes]
        for name, note in notes.items()
    }
    in_text = [mark for mark in marks if not any(isinstance(e, nodes.footnote) for e in ancestors(mark))]
    blocks = placed([(mark["refid"], _block(mark)) for mark in in_text], in_notes)
    labels = numbers(blocks, {name: notes[name][0].astext() for name in blocks})
    for name in blocks:
        _mark(notes[name], labels[name], [mark for mark in marks if mark["refid"] == name])
    for block in dict.fromkeys(blocks.values()):
        _put_behind(block, [notes[name] for name in blocks if blocks[name] is block])


def _mark(note: nodes.footnote, label: str, marks: list[nodes.footnote_reference]) -> None:
    """Note on *note* and the *marks* that lead to it what they are, and set their label."""
    note["classes"].append(NOTE)
    for mark in marks:
        mark["classes"].append(MARK)
    if note[0].astext() != label:
        shown: list[Element] = [*list(note.findall(nodes.label))[:1], *marks]  # others may be in it
        for element in shown:
            element.children = []
            element += nodes.Text(label)


def _whole(node: Node) -> Element:
    return next(parent for parent in ancestors(node) if isinstance(parent, Whole))


def _block(mark: Element) -> Element:
    """The outermost block around *mark* in its section."""
    found = mark
    for parent in ancestors(mark):
        if isinstance(parent, nodes.section | Whole):
            break
        found = parent
    return found


def _is_listed(note: nodes.footnote) -> bool:
    """Whether the author has set a heading over *note* and other notes, and wants a list of them."""
    before = note.parent.children[: note.parent.index(note)]
    heading = _seen([node for node in reversed(before) if not isinstance(node, nodes.footnote)])
    if isinstance(heading, nodes.title):
        return all(isinstance(node, nodes.footnote | nodes.Invisible) for node in _behind(note))
    return isinstance(heading, nodes.rubric)


def _behind(node: Element) -> list[Node]:
    return node.parent.children[node.parent.index(node) + 1 :]


def _seen(siblings: list[Node]) -> Node | None:
    """The first of *siblings* that can be seen."""
    return next((node for node in siblings if not isinstance(node, nodes.Invisible)), None)


def _put_behind(block: Element, notes: list[nodes.footnote]) -> None:
    """One box around *block* and its *notes*; a heading stays where it is, before what belongs below it."""
    for note in notes:
        note.parent.remove(note)
    above = block.parent
    if isinstance(block, nodes.Titular):
        at = above.index(block) + 1
        while at < len(above) and isinstance(above[at], nodes.Titular | nodes.Invisible | writing_html):
            at += 1
        above.insert(at, box(*notes, css=[NOTED]))
        return
    above.replace(block, made := box(css=[NOTED]))
    made += [box(block, css=[TEXT]), *notes]


def register(app: Sphinx) -> None:
    """Add the steps."""
    app.add_transform(MarkSources)
    app.add_transform(JoinMarks)
    app.add_post_transform(PlaceNotes)
