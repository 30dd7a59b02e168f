"""Sphinx's own search index: forgets what only pages that are gone had said; kept where nothing changed.

Sphinx forgets the index entries of pages that it does not write, and keeps the words of pages that are gone
with an empty list of pages: a title that was withdrawn stays readable in ``searchindex.js``, and an
incremental build differs from a clean one. It offers no hook for this; the names used here are checked by a
test for each Sphinx that we support.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util.index_entries import split_index_msg

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder


class KeptIndex:
    """A format of the index that leaves the file as it is, for a build that writes no page.

    To take it apart and put it together again is a third of such a build.
    """

    def __init__(self, docnames: Iterable[str], version: Mapping[str, int]) -> None:
        self._names, self._version = sorted(docnames), version
        self._text = ""

    def load(self, stream: TextIO) -> dict[str, Any]:
        """An index that knows of every document and of no word; *stream* has the real one."""
        self._text = stream.read()
        unsaid = [""] * len(self._names)
        names = {"docnames": self._names, "filenames": unsaid, "titles": unsaid}
        return {"envversion": self._version, **names, "terms": {}, "titleterms": {}, "alltitles": {}}

    def dump(self, _data: object, stream: TextIO) -> None:
        """Write the real one as it was."""
        stream.write(self._text)


def keep_index(builder: Builder) -> None:
    """Leave the search index as it is in the build that begins."""
    if isinstance(builder, StandaloneHTMLBuilder) and builder.search and builder.indexer_dumps_unicode:
        builder.indexer_format = KeptIndex(builder.env.all_docs, builder.env.version)


def release_index(builder: Builder) -> None:
    """Let later builds with *builder*, in the same process, write the index again."""
    if isinstance(vars(builder).get("indexer_format"), KeptIndex):
        del builder.indexer_format  # type: ignore[attr-defined]  # the one of its class stands again


def forget_words(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Drop words without pages and entries of pages that are gone, once every page is in the index."""
    indexer = getattr(app.builder, "indexer", None)
    if indexer is not None and not isinstance(app.builder.indexer_format, KeptIndex):  # type: ignore[attr-defined]
        for words in (indexer._mapping, indexer._title_mapping):
            for word in [word for word, docnames in words.items() if not docnames & app.env.all_docs.keys()]:
                del words[word]
        entries = indexer._index_entries
        known = dict(entries)
        entries.clear()
        for docname in sorted(app.env.all_docs):
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
