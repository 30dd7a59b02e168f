"""The ``toctree`` directive, minus withheld documents, with globs in the order people count in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils.statemachine import StringList
from sphinx.directives.other import TocTree
from sphinx.util import docname_join, logging, url_re
from sphinx.util.matching import patfilter
from sphinx.util.nodes import explicit_title_re

from sphinx_writing.sphinx_ext.domain import writing_domain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx import addnodes

logger = logging.getLogger(__name__)


class WritingTocTree(TocTree):
    """Sphinx's toctree on the entries that this build has.

    An entry that is dropped is noted with the document, so that it is read again when it is published.
    Documents with patterns are read again by Sphinx itself when there are more documents.
    """

    def parse_content(self, toctree: addnodes.toctree) -> None:
        """Drop withheld entries and put documents in place of patterns, then do as Sphinx does."""
        domain = writing_domain(self.env)
        content = StringList()
        listed: set[str] = set()
        for source, offset, entry in self.content.xitems():
            if toctree["glob"] and self._is_pattern(entry):
                matching = self._matching(entry, self.env.found_docs - listed - {self.env.docname})
                names = [f"/{docname}" for docname in matching]
                if not matching and not self._matching(entry, domain.withheld):
                    message = "toctree glob pattern %r didn't match any documents"
                    logger.warning(message, entry, location=toctree, type="toc", subtype="empty_glob")
                listed.update(matching)
            else:
                docname = self._docname(entry)
                hidden = docname in domain.withheld
                names = [] if hidden else [entry]
                listed.add(docname)
                if hidden:
                    self._note_hidden(entry, docname)
            for name in names:
                content.append(name, source, offset)
        # No pattern is left: a name with a bracket in it must not be taken for one.
        glob, toctree["glob"] = toctree["glob"], False
        self.content = content
        super().parse_content(toctree)
        toctree["glob"] = glob

    def _note_hidden(self, entry: str, docname: str) -> None:
        writing_domain(self.env).dropped.setdefault(self.env.docname, {})[docname] = entry
        self.env.note_dependency(self.env.doc2path(docname))

    def _is_pattern(self, entry: str) -> bool:
        return (
            bool(re.search(r"[*?\[]", entry))
            and not explicit_title_re.match(entry)
            and not url_re.match(entry)
        )

    def _matching(self, pattern: str, docnames: Iterable[str]) -> list[str]:
        """The *docnames* that *pattern* names, with 2 before 10."""
        absolute = docname_join(self.env.docname, pattern)
        return sorted(patfilter(docnames, absolute), key=natural)

    def _docname(self, entry: str) -> str:
        explicit = explicit_title_re.match(entry)
        target: str = explicit.group(2) if explicit else entry
        for suffix in self.config.source_suffix:
            target = target.removesuffix(suffix)
        return docname_join(self.env.docname, target)


def natural(name: str) -> tuple[tuple[int, int | str], ...]:
    """A sort key that puts 2 before 10."""
    pieces = re.split(r"(\d+)", name)
    return tuple((0, int(piece)) if piece.isdecimal() else (1, piece) for piece in pieces if piece)
