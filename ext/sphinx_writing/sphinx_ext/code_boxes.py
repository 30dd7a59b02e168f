"""Writing web pages: every block of code stands in a box with a header.

The header is the caption if there is one, else the name of the language. A block of the class ``output`` that
follows code stands in the same box, unless it has a caption of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from sphinx_writing.core.boxes import is_path, label, may_scroll
from sphinx_writing.core.inline import plain
from sphinx_writing.sphinx_ext.boxes import OnWebPages, box, name_boxes, scrolling, writing_box
from sphinx_writing.sphinx_ext.inline_nodes import from_nodes

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.application import Sphinx

BOX, HEAD, PATH, OUTPUT = "writing-code", "writing-code-head", "writing-code-path", "writing-output"
OUTPUT_CLASS = "output"
"""What authors write on the block that shows what the code before it prints."""

Code = nodes.literal_block | nodes.doctest_block


class BoxCode(OnWebPages):
    """Puts each block of code into its box."""

    default_priority = 700  # after languages are known and references are resolved

    def run(self, **kwargs: Any) -> None:
        """Box all code of the document, in its order: output looks for the box before it."""
        found: list[Code] = [node for node in self.document.findall() if isinstance(node, Code)]
        name_boxes([_put_into_box(code) for code in found])


def _put_into_box(code: Code) -> writing_box:
    """The scrolling part of the box in which *code* now stands."""
    around = code.parent
    if isinstance(around, nodes.container) and "literal_block" in around:
        return _captioned(code, around)
    if OUTPUT_CLASS in code["classes"]:
        return _output(code)
    language = _language(code)
    scroll = _scrolling(code, f"{language} code" if language else "Code")
    head = box(css=[HEAD], label=language)
    scroll.parent.replace(scroll, made := box(css=[BOX]))
    made += [head, scroll]
    return scroll


def _captioned(code: Code, around: nodes.container) -> writing_box:
    """Sphinx's own box around a block with a caption becomes ours."""
    caption = around.next_node(nodes.caption)
    said = plain(from_nodes(caption)) if caption else ""
    around["classes"] += [BOX, *([PATH] if is_path(said) else [])]
    return _scrolling(code, said or "Code")


def _output(code: Code) -> writing_box:
    """What a program prints: below the code before it, else in a box without a header."""
    before = _box_before(code)
    scroll = _scrolling(code, "Output", OUTPUT)
    if before is None:
        scroll.parent.replace(scroll, before := box(css=[BOX]))
    else:
        scroll.parent.remove(scroll)
    before += scroll
    return scroll


def _scrolling(code: Code, name: str, *css: str) -> writing_box:
    """A scrolling box in the place of *code*, around it."""
    made = scrolling(*css, name=name, role="group", wide=may_scroll(code.astext()))
    code.parent.replace(code, made)
    made += code
    return made


def _box_before(code: Code) -> Element | None:
    """The box of the code that *code* follows, with nothing between them that can be seen."""
    before = reversed(code.parent.children[: code.parent.index(code)])
    found = next((node for node in before if not isinstance(node, nodes.Invisible)), None)
    return found if isinstance(found, nodes.Element) and BOX in found["classes"] else None


def _language(code: Code) -> str:
    """The name of the language of *code*, as its box shows it; empty if it is none."""
    language = str(code.get("language", "")) if code.rawsource == code.astext() else ""
    if isinstance(code, nodes.doctest_block):
        language = "pycon"
    try:
        return label(language, get_lexer_by_name(language).name)
    except ClassNotFound:
        return label(language, "")


def register(app: Sphinx) -> None:
    """Add the step."""
    app.add_post_transform(BoxCode)
