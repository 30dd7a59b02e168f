"""The role ``{lab}``: a value quoted from the ``lab.json`` beside the document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from docutils import nodes
from sphinx.util.docutils import SphinxRole

from sphinx_writing.core import quotes
from sphinx_writing.core.problems import Kind
from sphinx_writing.sphinx_ext.domain import writing_domain

if TYPE_CHECKING:
    from docutils.nodes import Node, system_message


class LabRole(SphinxRole):
    """``{lab}`name``` or ``{lab}`name:.1f```: a value of the ``lab.json`` beside the document."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The value with its unit; what cannot be quoted is reported and shown as it was typed."""
        try:
            text = quotes.quote(self.text, self._quantities())
        except quotes.QuoteError as error:
            writing_domain(self.env).note(Kind.LAB, str(error), self.get_location())
            return [nodes.literal(self.text, self.text)], []
        return [nodes.inline(self.rawtext, text, classes=["writing-value"])], []

    def _quantities(self) -> dict[str, quotes.Quantity]:
        """The values of the lab, read once for each document."""
        store = self.env.current_document
        if "writing_lab" not in store:
            path = Path(self.env.doc2path(self.env.docname)).with_name("lab.json")
            self.env.note_dependency(path)
            if not path.is_file():
                raise quotes.QuoteError(f"there is no {path.name} beside this page; write one with its lab")
            try:
                text = path.read_text(encoding="utf-8")
            except UnicodeDecodeError as error:
                raise quotes.QuoteError(f"{path.name} is not UTF-8 ({error.reason}); recompute it") from None
            store["writing_lab"] = quotes.load(text)
        return cast("dict[str, quotes.Quantity]", store["writing_lab"])
