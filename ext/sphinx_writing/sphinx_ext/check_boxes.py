"""Writing web pages: the boxes of a list of tasks say to those who do not see them whether a task is done."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils import nodes

from sphinx_writing.sphinx_ext.boxes import OnWebPages

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_MYSTS_BOX = re.compile(r'<input class="task-list-item-checkbox"( checked="checked")?([^>]*)>')


class NameBoxes(OnWebPages):
    """Gives each box a name."""

    default_priority = 730

    def run(self, **kwargs: Any) -> None:
        """Print what MyST prints, with a name in it."""
        for raw in list(self.document.findall(nodes.raw)):
            found = _MYSTS_BOX.fullmatch(raw.astext())
            if found and "aria-label" not in found[2]:
                name = "Done" if found[1] else "To do"
                html = f'{raw.astext().removesuffix(">")} aria-label="{name}">'
                raw.children = []
                raw += nodes.Text(html)


def register(app: Sphinx) -> None:
    """Add the step."""
    app.add_post_transform(NameBoxes)
