"""The `mermaid` directive: a diagram drawn while reading and shown as an ordinary figure.

Serves the reading phase: the files exist before Sphinx collects images, so each builder picks the format
it can show. Drawings are kept in the source folder under the digest of what they show, to be committed with
the text.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from sphinx_writing.sphinx_ext.drawing import DiagramError, EngineMissing, digest, draw

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import OptionSpec

logger = logging.getLogger(__name__)

_ENDINGS = {".svg": "light", "-dark.svg": "dark", ".pdf": "pdf"}
_REASON_LINES = 4


class Mermaid(SphinxDirective):
    """A figure drawn from mermaid text; where it cannot be drawn, the text itself."""

    has_content = True
    option_spec: ClassVar[OptionSpec] = {
        "name": directives.unchanged,
        "alt": directives.unchanged,
        "caption": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """The figure, or the source as a literal block after a warning."""
        source = "\n".join(self.content)
        if not source.strip():
            self._warn("is empty; write mermaid text into it, or remove it")
            return []
        if not self.options.get("alt"):
            self._warn("has no :alt: text; say in one sentence what it shows")
        try:
            uri = _drawn(source, self.env.srcdir, self.config.writing_diagram_cache)
        except EngineMissing:
            self._warn('is not drawn: mermaidx is missing; pip install "mermaidx>=0.10,<0.11"')
        except DiagramError as error:
            self._warn(f"is not drawn: {_first_lines(str(error))}")
        except OSError as error:
            self._warn(f"is not drawn: its files cannot be kept in writing_diagram_cache: {error}")
        else:
            return [self._figure(uri)]
        self.env.note_reread()  # the next build tries again: the engine or the folder may be there by then
        return [self._text(source)]

    def _warn(self, what: str) -> None:
        name = self.options.get("name")
        subject = f'diagram "{name}"' if name else "diagram"
        logger.warning(
            "%s %s", subject, what, location=self.get_location(), type="writing", subtype="diagram"
        )

    def _figure(self, uri: str) -> nodes.figure:
        """The image with its caption, which makes it a target of numref."""
        image = nodes.image(uri=uri, alt=self.options.get("alt", ""))
        figure = nodes.figure("", image, classes=["writing-diagram"])
        self.set_source_info(image)
        self.set_source_info(figure)
        if caption := self.options.get("caption"):
            children, messages = self.parse_inline(caption)
            figure += nodes.caption(caption, "", *children, *messages)
        self.add_name(figure)
        return figure

    def _text(self, source: str) -> nodes.literal_block:
        block = nodes.literal_block(source, source, language="text")
        self.set_source_info(block)
        self.add_name(block)
        return block


def _drawn(source: str, srcdir: Path, cache: str) -> str:
    """The image address of *source*, drawn now unless all its files are there."""
    name = digest(source)
    files = {srcdir / cache / f"{name}{ending}": part for ending, part in _ENDINGS.items()}
    if not all(path.is_file() for path in files):
        drawing = draw(source)
        for path, part in files.items():
            content = getattr(drawing, part)
            _keep(path, content if isinstance(content, bytes) else content.encode())
    return f"/{cache}/{name}.*"


def _keep(path: Path, content: bytes) -> None:
    """Write *content* in one step, unless another process has drawn the same meanwhile.

    A file written twice would look newer than the documents already read, which would then be read again.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file():
        return
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", suffix=".tmp", delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o644)  # a temporary file is private, a drawing is shared
    Path(file.name).replace(path)


def _first_lines(reason: str) -> str:
    """The first lines of *reason*: mermaid appends the whole grammar to some of its messages."""
    return "\n".join(reason.strip().splitlines()[:_REASON_LINES])


def register(app: Sphinx) -> None:
    """Add the directive and the folder its drawings are kept in.

    The second value is not for authors: another engine or palette changes it, and documents are read anew.
    """
    app.add_config_value("writing_diagram_cache", "_diagrams", "env", types=frozenset({str}))
    app.add_config_value("writing_diagram_look", digest(""), "env", types=frozenset({str}))
    app.add_directive("mermaid", Mermaid)
