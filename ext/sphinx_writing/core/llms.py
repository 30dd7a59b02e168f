"""What machines read of a site: each note as Markdown under a head, ``llms.txt``, and all notes in one file.

``llms.txt`` has the form that llmstxt.org proposes: a title, a summary, and lists of links, each with a word
on where it leads.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sphinx_writing.core import markdown as md
from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.inline import Inline
from sphinx_writing.core.posts import Post

INDEX, FULL = "llms.txt", "llms-full.txt"
ENDING = ".md"
"""What stands behind the name of a page in that of its Markdown."""
HEAVIEST = 1_000_000
"""Bytes that all notes in one file may have."""
BETWEEN = "\n---\n\n"
"""What stands between two notes in it."""


@dataclass(frozen=True)
class Linked:
    """A note in a list: its title, the address of its Markdown, its summary."""

    title: Inline
    address: str
    summary: Inline = ()


@dataclass(frozen=True)
class Head:
    """What stands above the text of a note; *place* is its part in its series, *series* leads to that."""

    title: Inline
    summary: Inline
    address: str
    published: str = ""
    updated: str = ""
    series: Linked | None = None
    place: str = ""
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    before: tuple[Linked, ...] = ()
    parts: tuple[Linked, ...] = ()
    rights: str = ""


@dataclass(frozen=True)
class Section:
    """A list in ``llms.txt`` under its heading."""

    title: str
    notes: tuple[Linked, ...]


def documents(catalogue: Catalogue) -> tuple[str, ...]:
    """Every page that has a Markdown: each series with its parts, in site order, then the other posts."""
    found = [d for series in catalogue.series for d in (series.docname, *series.parts)]
    found += [post.docname for post in others(catalogue)]
    return tuple(dict.fromkeys(filter(catalogue.is_writing, found)))


def others(catalogue: Catalogue) -> list[Post]:
    """The posts of no series, newest first."""
    parts = {d for series in catalogue.series for d in series.parts}
    return [post for docname, post in catalogue.posts.items() if docname not in parts]


def words(text: Inline) -> str:
    """*text* as Markdown."""
    marks = {"em": "*", "strong": "**"}
    made = ""
    for i, span in enumerate(text):
        after = text[i + 1].text if i + 1 < len(text) else ""
        if span.mark == "code":
            made += md.code(span.text)
        elif span.mark == "math":
            made += md.formula(span.text)
        elif span.mark in marks:
            made += md.marked(md.escaped(span.text), marks[span.mark], made, after)
        else:
            made += md.escaped(span.text)
    return made.strip()


def link(note: Linked) -> str:
    """A link to a note."""
    return md.link(md.bracketed(words(note.title)), note.address)


def listed(note: Linked) -> str:
    """A line about a note."""
    summary = words(note.summary)
    return f"- {link(note)}{f': {summary}' if summary else ''}"


def head(note: Head) -> str:
    """The head of a note: its title, what it says in short, and where it belongs."""
    blocks = [md.heading(1, words(note.title))]
    if note.summary:
        blocks.append(md.quoted(md.paragraph(words(note.summary))))
    blocks.append("\n".join(f"- {name}: {text}" for name, text in _facts(note) if text))
    if note.parts:
        blocks.append("\n".join(["Parts:", "", *map(listed, note.parts)]))
    return "\n\n".join(blocks) + "\n"


def _facts(note: Head) -> Iterator[tuple[str, str]]:
    yield "Page", f"<{note.address}>"
    yield "Published", md.escaped(note.published)
    yield "Updated", md.escaped(note.updated)
    if note.series:
        yield "Series", f"{link(note.series)}{f', {note.place}' if note.place else ''}"
    yield "Authors", ", ".join(map(md.escaped, note.authors))
    yield "Tags", ", ".join(map(md.escaped, note.tags))
    yield "Read first", ", ".join(map(link, note.before))
    yield "Copyright", md.escaped(note.rights)


def whole(note: Head, body: str) -> str:
    """The Markdown of a note."""
    return head(note) + (f"\n{body.strip(chr(10))}\n" if body.strip() else "")


def index(title: str, summary: Inline, sections: Iterable[Section], full: str) -> str:
    """The text of ``llms.txt``; *full* is the address of all notes in one file, empty if that is too big."""
    blocks = [md.heading(1, md.escaped(title))]
    if summary:
        blocks.append(md.quoted(md.paragraph(words(summary))))
    blocks.append(
        f"Every note is there as Markdown. All of them in one file: {md.link(FULL, full)}"
        if full
        else f"Every note is there as Markdown. There is no {FULL}: it would be larger than 1 MB."
    )
    for section in sections:
        if section.notes:
            blocks += [md.heading(2, md.escaped(section.title)), "\n".join(map(listed, section.notes))]
    return "\n\n".join(blocks) + "\n"


def fitting(notes: Iterable[str]) -> str | None:
    """All notes in one file; None where that would be too big, and then not all of them are asked for."""
    found: list[str] = []
    size = -len(BETWEEN)
    for note in notes:
        size += len(BETWEEN) + len(note.encode("utf-8", "xmlcharrefreplace"))
        if size > HEAVIEST:
            return None
        found.append(note)
    return BETWEEN.join(found)


def file_of(page: str) -> str:
    """The Markdown of the page in the file *page*, beside it."""
    return posixpath.normpath(page) + ENDING
