"""Parts of a source file, found by name: a Python definition, or what stands between two comments.

The comments are those that editors fold: ``# region name`` and ``# endregion``, or ``//`` and ``/* */`` in C.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from sphinx_writing.core.problems import hint

_REGION = re.compile(
    r"^\s*(?:#|//|/\*|--|;|%)\s*(?:#?region[ \t]+(?P<name>[\w.-]+)|#?(?P<end>endregion))\s*(?:\*/\s*)?$"
)


class RegionError(ValueError):
    """A part that is not there; the message says which are."""


@dataclass(frozen=True)
class Region:
    """A part of a file: its text without common indentation, and its first and last line, from 1."""

    text: str
    first: int
    last: int


def find(source: str, name: str, *, python: bool) -> Region:
    """The part *name* of *source*; :exc:`RegionError` where there is none."""
    named = list(_comments(source))
    found = dict(_definitions(source)) if python else {}
    if (name in found) + sum(other == name for other, _ in named) > 1:
        raise RegionError(f'has "{name}" more than once; give the region another name')
    found |= named
    if name not in found:
        raise RegionError(f'has no part "{name}"; {hint(name, found)}')
    first, last = found[name]
    lines = source.split("\n")[first - 1 : last]
    kept = [line for line in lines if not _REGION.match(line)]
    if not any(line.strip() for line in kept):
        raise RegionError(f'has nothing in "{name}"; put the lines between its comments')
    return Region(textwrap.dedent("\n".join(kept)).strip("\n"), first, last)


def _comments(source: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Each region between comments: its name, the lines inside. Regions may lie in one another."""
    opened: list[tuple[str, int]] = []
    for number, line in enumerate(source.split("\n"), start=1):
        match = _REGION.match(line)
        if match and match["name"]:
            opened.append((match["name"], number))
        elif match and not opened:
            raise RegionError(f"has an endregion on line {number} that ends nothing")
        elif match:
            name, start = opened.pop()
            yield name, (start + 1, number - 1)
    if opened:
        raise RegionError(f'has a region "{opened[-1][0]}" on line {opened[-1][1]} that never ends')


def _definitions(source: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Each function, class and named value, its methods as ``Class.method``, with its lines."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise RegionError(f"is no Python that can be read: {error}") from None
    todo: list[tuple[str, ast.stmt]] = [("", node) for node in tree.body]
    for prefix, node in todo:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            yield prefix + node.name, (first, node.end_lineno or first)
            if isinstance(node, ast.ClassDef):
                todo += [(f"{prefix}{node.name}.", child) for child in node.body]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    yield prefix + target.id, (node.lineno, node.end_lineno or node.lineno)
