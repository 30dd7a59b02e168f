"""Reading: numbered LaTeX environments without a label get one from their text.

MyST's is random, so that no two builds would agree on the ids of a page.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms import SphinxTransform

if TYPE_CHECKING:
    from collections.abc import Container

_RANDOM = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class NameEquations(SphinxTransform):
    """Gives each such environment a label that other builds give it as well."""

    default_priority = 200  # right after parsing, before anything is referred to

    def apply(self, **kwargs: Any) -> None:
        """Rename the labels in the document, its targets, and the numbers that Sphinx keeps by label."""
        equations = self.env.domains.math_domain.equations
        targets = {name: target for target in self.document.findall(nodes.target) for name in target["ids"]}
        for node in self.document.findall(nodes.math_block):
            old = node.get("label") or ""
            if "amsmath" in node["classes"] and _RANDOM.fullmatch(old):
                label = label_of(node.astext(), self.env.current_document.docname, equations)
                equations[label] = equations.pop(old)
                node["label"] = label
                self._rename(targets[nodes.make_id(f"equation-{old}")], nodes.make_id(f"equation-{label}"))

    def _rename(self, target: nodes.target, name: str) -> None:
        for old in target["ids"]:
            self.document.ids.pop(old, None)
        target["ids"] = [name]
        self.document.ids[name] = target


def label_of(tex: str, docname: str, taken: Container[str]) -> str:
    """A label for the environment *tex* of a document; of equal ones the later get a number."""
    label = free = f"{docname}:{hashlib.sha256(tex.encode()).hexdigest()[:8]}"
    number = 2
    while free in taken:
        free, number = f"{label}-{number}", number + 1
    return free
