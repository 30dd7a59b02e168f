"""Front matter: found in the source, read as YAML with positions, decoded field by field.

Nothing here builds Python objects from YAML: the parser's nodes are read as text, so aliases cannot
multiply and no tag can run code. What does not fit is one :class:`Problem`, and the rest is still read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml
from yaml.nodes import MappingNode, ScalarNode
from yaml.reader import ReaderError

from sphinx_writing.core import fields
from sphinx_writing.core.problems import Kind, Place, Problem, hint, nearest
from sphinx_writing.core.records import FrontMatter

# fmt: off
FOREIGN = frozenset([
    "abstract", "address", "author", "contact", "copyright", "dedication", "description", "file_format",
    "hide-navigation", "hide-toc", "html_meta", "jupytext", "kernelspec", "keywords", "language", "myst",
    "mystnb", "no-search", "nocomments", "nosearch", "organization", "orphan", "revision", "sd_hide_title",
    "status", "substitutions", "tocdepth", "version",
])
# fmt: on
"""Fields that MyST, Sphinx and themes read; any field with a dot or a colon in its name passes too."""
SLIP = 0.75
"""How alike an unknown field must be to one of ours to be taken for a slip of it."""
LEFT_OUT = "; the page is left out until then"
_NOT_READ = (RecursionError, ValueError, OverflowError)
"""What the YAML parser raises beside its own errors: nesting too deep, an escape that is no character."""


@dataclass(frozen=True)
class Scan:
    """The front matter of a document and everything that is wrong with it."""

    front: FrontMatter
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Block:
    """The text between the two ``---`` lines; ``closed`` is False where the second is missing."""

    text: str
    closed: bool = True


def block_of(source: str) -> Block | None:
    """The front matter block of *source*, or None if it has none."""
    lines = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    opening = re.match("-{3,}", lines[0])  # as MyST's parser: more hyphens and text behind them are allowed
    if opening is None:
        return None
    closing = re.compile(rf" {{0,3}}-{{{len(opening[0])},}}\s*|\.\.\.\s*")
    for number, line in enumerate(lines[1:], start=1):
        if closing.fullmatch(line):
            return Block("\n".join(lines[1:number]))
    opens_a_field = len(lines) > 1 and re.match(r"[\w-]+:(\s|$)", lines[1])
    return Block("\n".join(lines[1:]), closed=False) if opens_a_field else None


def scan(source: str, docname: str, extra_fields: frozenset[str] = frozenset()) -> Scan:
    """Read and check the front matter of *source*; *extra_fields* are allowed beside the known ones."""
    block = block_of(source)
    if block is None:
        return Scan(FrontMatter())
    if not block.closed:
        message = 'front matter opens here and is never closed; end it with a line "---"'
        return _unreadable(docname, Place(1, 1), message)
    try:
        root = yaml.compose(block.text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        return _unreadable(docname, *explain(error, block.text))
    except _NOT_READ as error:
        return _unreadable(docname, Place(2), f"front matter cannot be read ({error or 'nested too deeply'})")
    if root is None:
        return Scan(FrontMatter())
    if not isinstance(root, MappingNode):
        return _unreadable(docname, Place(2, 1), 'front matter is not a list of fields; write "field: value"')
    return _decode(root, docname, extra_fields)


def _unreadable(docname: str, place: Place, message: str) -> Scan:
    problem = Problem(Kind.FRONT_MATTER, docname, place, message + LEFT_OUT)
    return Scan(FrontMatter(readable=False), (problem,))


def _place_of(error: yaml.YAMLError, text: str) -> Place:
    if isinstance(error, ReaderError):  # a character that YAML forbids
        before = text[: error.position]
        return Place(before.count("\n") + 2, len(before) - before.rfind("\n"))
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return Place(mark.line + 2, mark.column + 1) if mark else Place(2)


def explain(error: yaml.YAMLError, text: str) -> tuple[Place, str]:
    """Where the YAML *text* breaks and why, with the quoted form where quoting a value would mend it."""
    where = _place_of(error, text)
    lines = text.split("\n")
    for number in (where.line, where.line - 1):
        line = lines[number - 2] if 2 <= number < len(lines) + 2 else ""
        match = re.fullmatch(r"\s*([\w-]+):\s+(\S.*?)\s*", line)
        if match and _needs_quotes(match[2]):
            name, value = match.groups()
            quoted = json.dumps(value, ensure_ascii=False)
            message = f'the value of "{name}" must be quoted; write {name}: {quoted}'
            return Place(number, match.start(2) + 1), f"front matter is not valid YAML: {message}"
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    return where, f"front matter is not valid YAML: {reason}; mend this line, or quote its value"


def _needs_quotes(value: str) -> bool:
    if value[0] in "'\"" and value.count(value[0]) == 1:
        return False  # it is the closing quote that is missing
    try:
        node = yaml.compose(f"a: {value}", Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return True
    except _NOT_READ:
        return False
    return not isinstance(node, MappingNode) or len(node.value) != 1


def _decode(root: MappingNode, docname: str, extra: frozenset[str]) -> Scan:
    values: dict[str, object] = {}
    places: dict[str, Place] = {}
    unknown: dict[str, Place] = {}
    problems: list[Problem] = []
    for key, node in root.value:
        name = key.value if isinstance(key, ScalarNode) else ""
        if name in places:
            message = f'"{name}" is written twice (first on line {places[name].line}); remove one'
            problems.append(Problem(Kind.FIELD, docname, fields.place(key), message))
            continue
        places[name] = fields.place(node)
        if name in fields.DECODERS:
            errors: list[fields.FieldError] = []
            try:
                values |= fields.DECODERS[name](node, places, errors)
            except fields.FieldError as wrong:
                errors.append(wrong)
            for error in errors:
                decides = name in ("date", "draft")  # whether the page is published: in doubt it is not
                values |= {"readable": False} if decides else {}
                message = f'"{name}": {error}' + (LEFT_OUT if decides else "")
                problems.append(Problem(error.kind, docname, fields.place(error.node), message))
        elif name == "<<":
            values["readable"] = False  # what it merges may be a draft or a date
            message = 'fields merged by "<<" are not read; write them out' + LEFT_OUT
            problems.append(Problem(Kind.FIELD, docname, fields.place(key), message))
        elif name not in FOREIGN | extra and not re.search(r"[.:]", name):
            unknown[name] = fields.place(key)
    if any(nearest(name, fields.DECODERS, cutoff=SLIP) == "draft" for name in unknown):
        values["readable"] = False
    front = FrontMatter(**values, places=places)  # type: ignore[arg-type]  # DECODERS pairs names and types
    return Scan(front, (*problems, *_unknown_fields(unknown, front, docname)))


def _unknown_fields(unknown: dict[str, Place], front: FrontMatter, docname: str) -> Iterator[Problem]:
    """Every unknown field of a post or series page; on others what looks like a field that makes it one."""
    ours = not front.places.keys().isdisjoint(("date", "draft")) or front.series_info is not None
    for name, where in unknown.items():
        meant = nearest(name, fields.DECODERS, cutoff=SLIP)
        if ours or meant in ("date", "draft", "series"):
            message = f'unknown field "{name}"; {hint(name, fields.DECODERS)}'
            yield Problem(Kind.FIELD, docname, where, message + (LEFT_OUT if meant == "draft" else ""))
