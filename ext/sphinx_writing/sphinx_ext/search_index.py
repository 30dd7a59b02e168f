"""Sphinx's own search index: forgets what only pages that are gone had said.

Sphinx empties the list of pages of such a word but keeps the word, so a title that was withdrawn stays
readable in ``searchindex.js``, and an incremental build differs from a clean one. It offers no hook for
this; the names used here are checked by a test for each Sphinx that we support.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def forget_words(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Drop words without pages and entries of pages that are gone, once every page is in the index."""
    indexer = getattr(app.builder, "indexer", None)
    if indexer is not None:
        for words in (indexer._mapping, indexer._title_mapping):
            for word in [word for word, docnames in words.items() if not docnames & app.env.all_docs.keys()]:
                del words[word]
        entries = indexer._index_entries
        kept = {docname: entries[docname] for docname in sorted(entries) if docname in app.env.all_docs}
        entries.clear()
        entries.update(kept)
    yield from ()
