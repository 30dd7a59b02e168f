"""Whether MyST can make values of front matter: it reads the whole block, and would stop where it cannot.

Runs in the scan before reading, so that one page is left out and the build goes on.
"""

from __future__ import annotations

from typing import Any

from yaml import MarkedYAMLError
from yaml.constructor import SafeConstructor
from yaml.nodes import MappingNode, Node, ScalarNode

from sphinx_writing.core.fields import FieldError, found, place, tag_of
from sphinx_writing.core.inline import shown
from sphinx_writing.core.problems import Place

LARGEST = 100_000
"""Characters of a block with all its aliases written out: a few lines of aliases can stand for gigabytes."""
DEEPEST = 100
"""How deep values may lie in each other, by brackets or by aliases."""


def refused(root: MappingNode) -> tuple[Place, str] | None:
    """The first place below *root* that is no value to MyST, and why; None if there is none.

    What *root* holds is not as it was afterwards: the fields that it merges are in it.
    """
    size, depth = extent(root, {})
    if size > LARGEST:
        return place(root), f"with aliases written out it is longer than {LARGEST} characters; shorten it"
    if depth > DEEPEST:
        return place(root), f"its values lie more than {DEEPEST} deep in each other; write it flatter"
    try:
        Values().construct_document(root)
    except FieldError as error:
        return place(error.node), str(error)
    except MarkedYAMLError as error:
        mark = error.problem_mark or root.start_mark
        return Place(mark.line + 2, mark.column + 1), f"{shown(str(error.problem), 200)}; mend this value"
    return None


def extent(node: Node, known: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """The characters of *node* with aliases written out, and how deep it is; a circle has no end."""
    if id(node) not in known:
        known[id(node)] = (LARGEST + 1, 0)
        if isinstance(node, ScalarNode):
            inner = [(len(node.value), 0)]
        else:
            pairs = node.value if isinstance(node, MappingNode) else ((child,) for child in node.value)
            inner = [extent(child, known) for pair in pairs for child in pair]
        known[id(node)] = (1 + sum(s for s, _ in inner), 1 + max((d for _, d in inner), default=0))
    return known[id(node)]


class Values(SafeConstructor):
    """Makes values of YAML's own types, as MyST does, and says at which node it fails. No tag runs code."""

    def construct_object(self, node: Node, deep: bool = False) -> Any:
        """The value of *node*; :exc:`FieldError` where it has none."""
        try:
            value = super().construct_object(node, deep)
            if isinstance(value, int):
                str(value)  # MyST prints it; Python refuses numbers of thousands of digits
        except FieldError:
            raise
        except Exception:  # it fails in many ways on what no author would write
            message = f"{found(node)} is no value of the type {tag_of(node)}; quote it, or leave out the tag"
            raise FieldError(node, message) from None
        return value

    def construct_mapping(self, node: MappingNode, deep: bool = False) -> dict[Any, Any]:
        """The mapping that *node* is; MyST can print no other names than these."""
        for key, _ in node.value if isinstance(node, MappingNode) else ():
            if not isinstance(key, ScalarNode) or key.tag.endswith((":binary", ":timestamp")):
                raise FieldError(key, f"expected the name of a field, found {found(key)}")
        return super().construct_mapping(node, deep)
