"""Sphinx's own search index: forgets what only pages that are gone had said; kept where nothing changed.

Sphinx forgets the index entries of pages that it does not write, and keeps the words of pages that are gone
with an empty list of pages: a title that was withdrawn stays readable in ``searchindex.js``, and an
incremental build differs from a clean one. It offers no hook for this; the names used here are checked by a
test for each Sphinx that we support.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util.index_entries import split_index_msg

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder


class Unread:
    """A format of the index that does not read it, for a build that writes no page.

    To take it apart and put it together again is half of such a build.
    """

    def __init__(self, version: Mapping[str, int]) -> None:
        self._version = version

    def load(self, _stream: TextIO) -> dict[str, Any]:
        """An index without documents."""
        lists: dict[str, list[str]] = {name: [] for name in ("docnames", "filenames", "titles")}
        words: dict[str, dict[str, int]] = {name: {} for name in ("terms", "titleterms", "alltitles")}
        return {"envversion": self._version, **lists, **words}


class UntilPagesAreDue:
    """Whether a general index is made: yes, as far as pages may link to it; then, only if one is written."""

    def __init__(self, builder: StandaloneHTMLBuilder, written: Collection[str]) -> None:
        self._builder, self._written = builder, written

    def __bool__(self) -> bool:
        return not hasattr(self._builder, "globalcontext") or bool(self._written)


def keep_index(builder: Builder, written: Collection[str]) -> dict[str, Any]:
    """Do not read the search index, nor make an index page unless some are *written*; what was set."""
    if not isinstance(builder, StandaloneHTMLBuilder):
        return {}
    before = {"use_index": builder.use_index, "indexer_format": builder.indexer_format}
    builder.indexer_format = Unread(builder.env.version)
    if builder.use_index:
        vars(builder).pop("globalcontext", None)  # what all pages share; made when writing is prepared
        builder.use_index = UntilPagesAreDue(builder, written)  # type: ignore[assignment]  # only its truth is asked
    return before


def leave_index(builder: Builder) -> None:
    """Do not write the search index."""
    if isinstance(builder, StandaloneHTMLBuilder):
        builder.indexer = None


def forget_words(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Drop words without pages and entries of pages that are gone, once every page is in the index."""
    indexer = getattr(app.builder, "indexer", None)
    if indexer is not None:
        for words in (indexer._mapping, indexer._title_mapping):
            for word in [word for word, docnames in words.items() if not docnames & app.env.all_docs.keys()]:
                del words[word]
        entries = indexer._index_entries
        known = dict(entries)
        entries.clear()
        for docname in sorted(app.env.all_docs.keys() & indexer._titles.keys()):
            entries[docname] = known[docname] if docname in known else sorted(index_entries(app, docname))
    yield from ()


def index_entries(app: Sphinx, docname: str) -> set[tuple[str, str, str]]:
    """The index entries of a page that is not written, as Sphinx takes them from one that is."""
    found: set[tuple[str, str, str]] = set()
    for kind, value, target, main, _key in app.env.domains.index_domain.entries.get(docname, ()):
        with suppress(ValueError):
            words = split_index_msg(kind, value)
            found |= {(word, target or "", main) for word in words}
    return found
