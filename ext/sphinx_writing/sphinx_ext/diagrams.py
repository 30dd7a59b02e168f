"""The `mermaid` directive: a diagram drawn while reading and shown as an ordinary figure.

Serves the reading phase: the files exist before Sphinx collects images, so each builder picks the format
it can show. The options are those of sphinxcontrib-mermaid.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from sphinx_writing.core import mermaid
from sphinx_writing.core.problems import Kind
from sphinx_writing.sphinx_ext.directives import content_place
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.drawing import digest
from sphinx_writing.sphinx_ext.drawings import keep, left_over
from sphinx_writing.sphinx_ext.mermaid_engine import DiagramError, EngineMissing

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment
    from sphinx.util.typing import OptionSpec

    from sphinx_writing.sphinx_ext.report import Said

logger = logging.getLogger(__name__)
SOURCE = "writing_mermaid"
"""The attribute of a figure that has the text it is drawn from, for readers who cannot look at it."""


def _align(argument: str) -> str:
    return directives.choice(argument, ("left", "center", "right"))


@dataclass(frozen=True)
class Text:
    """Mermaid text: *before* is the number of the line before it in *file*, where it stands."""

    source: str
    file: str
    before: int

    def place(self, line: int) -> tuple[str, int]:
        """The location of its line *line*, as Sphinx writes it, and its number in the file."""
        return f"{self.file}:{self.before + line}", self.before + line


class Mermaid(SphinxDirective):
    """A figure drawn from mermaid text; where it cannot be drawn, the text itself."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[OptionSpec] = {
        "name": directives.unchanged,
        "alt": directives.unchanged,
        "caption": directives.unchanged,
        "align": _align,
        "class": directives.class_option,
        "title": directives.unchanged,
        "config": directives.unchanged,
        "zoom": directives.unchanged,  # every diagram can be opened by itself
    }

    def run(self) -> list[nodes.Node]:
        """The figure, or the source as a literal block after a warning."""
        try:
            text = self._text()
            source = self._with_header(text.source)
        except DiagramError as error:
            self._note(str(error))
            return []
        if not text.source.strip():
            self._note("is empty; write mermaid text into it, or remove it")
            return []
        if not self.options.get("alt"):
            self._note("has no :alt: text; say in one sentence what it shows")
        for setting in mermaid.fixed_settings(source):
            self._note(f'sets "{setting}", which the site sets for light, dark and print; take it out')
        return [self._shown(text, source)]

    def _shown(self, text: Text, source: str) -> nodes.Element:
        """The figure of *source*, or *text* as it is."""
        cache = self.config.writing_diagram_cache
        writing_domain(self.env).drawings.setdefault(self.env.docname, set()).add(digest(source))
        try:
            figure = self._figure(f"/{cache}/{keep(source, self.env.srcdir / cache)}.*")
            figure[SOURCE] = text.source
            return figure
        except EngineMissing:
            self._note('is not drawn: mermaidx is missing; pip install "mermaidx>=0.10,<0.11"')
        except DiagramError as error:
            self._note_fault(text, source, str(error))
        except OSError as error:
            self._note(f"is not drawn: its files cannot be kept in writing_diagram_cache: {error}")
        self.env.note_reread()  # the next build tries again: the engine or the folder may be there by then
        return self._block(text.source)

    def _text(self) -> Text:
        """The text of the block, or of the file that it names."""
        if not self.arguments:
            return Text("\n".join(self.content), *content_place(self))
        name = self.arguments[0]
        if self.content:
            raise DiagramError(f'names the file "{name}" and has text of its own; keep one of the two')
        relative, absolute = self.env.relfn2path(name)
        self.env.note_dependency(relative)
        try:
            if not Path(absolute).is_file():
                raise FileNotFoundError
            return Text(Path(absolute).read_text(encoding="utf-8-sig"), absolute, 0)
        except UnicodeDecodeError as error:
            raise DiagramError(f'file "{relative}" is not UTF-8 ({error.reason}); save it as UTF-8') from None
        except (OSError, ValueError):
            raise DiagramError(f'file "{relative}" cannot be read; is its path right?') from None

    def _with_header(self, source: str) -> str:
        """*source* with its title and settings before it, as mermaid reads them."""
        title, config = self.options.get("title", ""), self.options.get("config", "")
        if (title or config) and mermaid.has_front_matter(source):
            raise DiagramError("has a front matter of its own; write :title: and :config: there")
        try:
            settings: Any = json.loads(config) if config else {}
        except (ValueError, RecursionError) as error:
            raise DiagramError(f":config: is not JSON ({error}); write it as in {{...}}") from None
        if not isinstance(settings, dict):
            raise DiagramError(":config: is not a JSON object; write it as in {...}")
        return mermaid.with_header(source, title, settings)

    def _note(self, what: str, location: str = "") -> None:
        name = self.options.get("name")
        subject = f'diagram "{name}"' if name else "diagram"
        domain = writing_domain(self.env)
        domain.note(Kind.DIAGRAM, f"{subject} {what}", location or self.get_location())

    def _note_fault(self, text: Text, source: str, reason: str) -> None:
        """Report what mermaid says, at the line that it means."""
        line, short = mermaid.fault(source, reason)
        line -= source.count("\n") - text.source.count("\n")
        if line < 1:
            self._note(f"is not drawn: {short}")
            return
        location, number = text.place(line)
        self._note(f"is not drawn: {mermaid.renumbered(short, number)}", location)

    def _figure(self, uri: str) -> nodes.figure:
        """The image with its caption, which makes it a target of numref."""
        image = nodes.image(uri=uri, alt=self.options.get("alt", ""))
        figure = nodes.figure("", image, classes=["writing-diagram", *self.options.get("class", [])])
        if align := self.options.get("align"):
            figure["align"] = align
        self.set_source_info(image)
        self.set_source_info(figure)
        if caption := self.options.get("caption"):
            children, messages = self.parse_inline(caption)
            figure += nodes.caption(caption, "", *children, *messages)
        self.add_name(figure)
        return figure

    def _block(self, source: str) -> nodes.literal_block:
        block = nodes.literal_block(source, source, language="text")
        self.set_source_info(block)
        self.add_name(block)
        return block


def unused(env: BuildEnvironment) -> list[Said]:
    """A warning for each drawing that no diagram uses, if that can be known.

    A page that is left out is not read. If one may hold diagrams, the terminal says what was not judged.
    """
    domain, cache = writing_domain(env), env.config.writing_diagram_cache
    wanted = {name for names in domain.drawings.values() for name in names}
    found = left_over(env.srcdir / cache, wanted)
    if found and any(one.kind is Kind.DIAGRAM for noted in domain.noted.values() for one in noted):
        return []  # those of a diagram that is at fault may be among them
    if found and (doubtful := [d for d in domain.withheld if _may_hold_diagrams(Path(env.doc2path(d)))]):
        logger.info(
            "writing: %d drawings in %s are used by no page of this build; they may be those of %s",
            len(found),
            cache,
            ", ".join(doubtful),
        )
        return []
    return [list(_unused(names, env.srcdir / cache, cache)) for names in found]


def _unused(names: list[str], folder: Path, cache: str) -> Iterator[str]:
    """The warning about the files *names* in *folder*."""
    yield Kind.DRAWING.subtype
    yield f"no diagram uses this drawing; delete {', '.join(f'{cache}/{name}' for name in names)}"
    yield f"{folder / names[0]}:1"  # without a line Sphinx would take it for the name of a document


def _may_hold_diagrams(path: Path) -> bool:
    """Whether the document at *path* has the directive or takes in files that may."""
    try:
        text = path.read_bytes().lower()
    except OSError:
        return True
    return b"mermaid" in text or b"include" in text


def register(app: Sphinx) -> None:
    """Add the directive and the folder its drawings are kept in.

    The second value is not for authors: another engine or palette changes it, and documents are read anew.
    """
    app.add_config_value("writing_diagram_cache", "_diagrams", "env", types=frozenset({str}))
    app.add_config_value("writing_diagram_look", digest(""), "env", types=frozenset({str}))
    app.add_directive("mermaid", Mermaid)
