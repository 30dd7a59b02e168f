"""What stands around a post, and lists of posts, as ordinary nodes for PDF, EPUB and text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from docutils import nodes

from sphinx_writing.core import bibtex
from sphinx_writing.core.inline import Inline, Span
from sphinx_writing.sphinx_ext.inline_nodes import to_nodes
from sphinx_writing.sphinx_ext.roles import public_address, uri

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.builders import Builder

    from sphinx_writing.core.bibtex import Reference
    from sphinx_writing.core.cards import Card
    from sphinx_writing.core.lists import Listing, PathLine
    from sphinx_writing.core.views import PageView, PostView, SeriesView


def link(builder: Builder, docname: str, target: str, text: Inline) -> list[Node]:
    """*text* as a link to *target*; as text alone where this output does not hold that page."""
    address = uri(builder, docname, target)
    if address is None:
        return to_nodes(text)
    return [nodes.reference("", "", *to_nodes(text), refuri=address, internal=True)]


def byline(view: PageView, builder: Builder, docname: str) -> list[Node]:
    """The lines below the title of a post or series page."""
    if view.post:
        return list(_post_lines(view.post, builder, docname))
    return list(_series_lines(view.series, builder, docname)) if view.series else []


def _post_lines(post: PostView, builder: Builder, docname: str) -> Iterator[Node]:
    card = post.card
    if card.summary:
        yield nodes.paragraph("", "", nodes.emphasis("", "", *to_nodes(card.summary)))
    dates = [card.stamp.shown if card.stamp else "", f"updated {post.updated.shown}" if post.updated else ""]
    facts = [_place(card, post.total), *dates, f"{card.minutes} min"]
    line = nodes.paragraph("", " · ".join(filter(None, facts)))
    if post.prerequisites:
        line += nodes.Text(" · Read first: ")
        line += _joined([link(builder, docname, c.docname, c.title) for c in post.prerequisites])
    yield line


def _place(card: Card, total: int) -> str:
    if card.series is None:
        return ""
    return f"{card.series.label}, part {card.part} of {total}" if card.part else card.series.label


def _series_lines(series: SeriesView, builder: Builder, docname: str) -> Iterator[Node]:
    if series.description:
        yield nodes.paragraph("", "", *to_nodes(series.description))
    yield _list(series.parts, builder, docname)


def listing(found: Listing, builder: Builder, docname: str) -> list[Node]:
    """What a ``{writing}`` directive lists."""
    if found.query.style == "sentence":
        return [nodes.paragraph("", found.sentence)]
    if found.query.style == "series":
        items = [
            nodes.list_item(
                "", nodes.paragraph("", "", *link(builder, docname, s.ref.docname, (Span(s.ref.label),)))
            )
            for s in found.series
        ]
        return [nodes.bullet_list("", *items)]
    if found.query.style == "bibtex":
        return [_entry(reference, builder) for reference in found.references]
    if found.query.style == "paths":
        return [node for line in found.paths for node in _path(line, builder, docname)]
    made: list[Node] = [_list((found.featured,), builder, docname)] if found.featured else []
    for group in found.groups:
        if group.heading:
            made.append(nodes.rubric("", group.heading))
        made.append(_list(group.cards, builder, docname))
    return made


def _entry(reference: Reference, builder: Builder) -> nodes.literal_block:
    """How a post is cited, by the address it has on the web."""
    config, docname = builder.config, reference.docname
    address = config.html_baseurl and config.html_baseurl + public_address(builder, docname)
    text = bibtex.entry(reference, site=config.project, author=config.author, address=address)
    return nodes.literal_block(text, text, language="bibtex")


def _path(line: PathLine, builder: Builder, docname: str) -> Iterator[Node]:
    yield nodes.rubric("", "", *to_nodes(line.question))
    if line.summary:
        yield nodes.paragraph("", "", *to_nodes(line.summary))
    steps = (link(builder, docname, step.docname, step.title) for step in (*line.steps, *line.more))
    items = [nodes.list_item("", nodes.paragraph("", "", *step)) for step in steps]
    yield nodes.enumerated_list("", *items, enumtype="arabic", prefix="", suffix=".")


def _list(cards: tuple[Card, ...], builder: Builder, docname: str) -> nodes.bullet_list:
    made = nodes.bullet_list()
    for card in cards:
        heading = nodes.paragraph("", "", *link(builder, docname, card.docname, card.title))
        heading += nodes.Text(f" · {card.stamp.shown}" if card.stamp else "")
        item = nodes.list_item("", heading)
        if card.summary:
            item += nodes.paragraph("", "", *to_nodes(card.summary))
        made += item
    return made


def _joined(links: list[list[Node]]) -> list[Node]:
    made: list[Node] = []
    for i, part in enumerate(links):
        made += [nodes.Text(", "), *part] if i else part
    return made
