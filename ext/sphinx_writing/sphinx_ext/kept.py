"""Texts of documents that files of the whole site are made from: full-text feeds and the like.

Such a text comes from the resolved document, which is there only while its page is written, in whichever
process writes that. So it is kept beside the doctrees, and the record knows it. One that is lost or has never
been kept, since the document was not asked for it, has its page written again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_writing.sphinx_ext import feed_entry, markdown_body, markdown_settings
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.record import is_as_it_was, names_below, path_of, print_of
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from typing import Any

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.builders import Builder

    from sphinx_writing.sphinx_ext.output import Output
    from sphinx_writing.sphinx_ext.record import Print


@dataclass(frozen=True)
class Kind:
    """A kind of kept text: its name, whether a document has one in this build, and how it is made.

    *make* gets the document as its page shows it and must leave it as it is.
    """

    name: str
    wanted: Callable[[Sphinx, str], bool]
    make: Callable[[Sphinx, str, nodes.document], str]


def is_in_main_feed(app: Sphinx, docname: str) -> bool:
    """Whether the main feed carries the text of *docname*."""
    full = (feed.entries for feed in writing_domain(app.env).site.feeds if feed.full)
    return any(entry.docname == docname for entry in next(full, ()))


FEED, MARKDOWN = "feed", "markdown"
KINDS: tuple[Kind, ...] = (
    Kind(FEED, is_in_main_feed, feed_entry.entry),
    Kind(MARKDOWN, markdown_settings.has_markdown, markdown_body.body),
)
"""All there are; their names are folders."""


def keep(
    app: Sphinx, pagename: str, _template: str, _context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Keep what is wanted of a document whose page is about to be written."""
    if doctree is None or not makes_pages(app.builder):
        return
    for kind in KINDS:
        if kind.wanted(app, pagename):
            path = file_of(app.builder, kind.name, pagename)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(kind.make(app, pagename, doctree), encoding="utf-8", errors="xmlcharrefreplace")


def text_of(app: Sphinx, kind: str, docname: str) -> str | None:
    """What is kept of *docname*; None where its page has not been written since it was first wanted."""
    try:
        return file_of(app.builder, kind, docname).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def digest_of(app: Sphinx, kind: str, docname: str) -> str:
    """The digest of what is kept of *docname*; empty where there is nothing."""
    out = writing_domain(app.env).output
    known = out.last.kept.get(kind, {}).get(docname) if out else None
    found = print_of(file_of(app.builder, kind, docname), known)
    return str(found[2]) if found else ""


def lost(app: Sphinx, out: Output) -> set[str]:
    """The documents of which a wanted text is not there as the last build left it."""
    return {
        docname
        for kind in KINDS
        for docname in documents(app, kind)
        if not is_as_it_was(file_of(app.builder, kind.name, docname), known_of(out, kind, docname))
    }


def settle(app: Sphinx, out: Output) -> None:
    """Once all pages are written: note what is kept, and remove what is no longer wanted."""
    files: set[Path] = set()
    for kind in KINDS:
        found = out.kept[kind.name] = {}
        for docname in documents(app, kind):
            path, known = file_of(app.builder, kind.name, docname), known_of(out, kind, docname)
            files.add(path)
            now = print_of(path, known)
            if now and (docname in out.written or is_as_it_was(path, known)):
                found[docname] = now
    folder = folder_of(app.builder)
    for path in {folder / name for name in names_below(folder, but=folder)} - files:
        path.unlink()


def documents(app: Sphinx, kind: Kind) -> list[str]:
    """The documents of which this build keeps a text of *kind*."""
    made = app.env.all_docs if makes_pages(app.builder) else ()
    return [docname for docname in sorted(made) if kind.wanted(app, docname)]


def known_of(out: Output, kind: Kind, docname: str) -> Print | None:
    """The print of a text as the last build left it."""
    return out.last.kept.get(kind.name, {}).get(docname)


def folder_of(builder: Builder) -> Path:
    """Where this output's kept texts lie."""
    return path_of(builder).with_suffix(".kept")


def file_of(builder: Builder, kind: str, docname: str) -> Path:
    """The file of a kept text."""
    return folder_of(builder) / kind / f"{docname}.kept"
