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
DECIDES = ("date", "draft")
"""The fields that decide whether a page is published: where one is in doubt, the page is not."""
SLIP = 0.8
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
    return Block("\n".join(lines[1:]), closed=False) if opens_a_field(lines[1:]) else None


def opens_a_field(lines: list[str]) -> bool:
    """Whether the first of *lines* that says something begins a field."""
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    return re.match(r"[\w-]+:(\s|$)", first) is not None


_BEFORE = re.compile(r"\A(?:[\s\ufeff\u200b\x0c]|<!--.*?-->|%[^\n]*\n)*", re.DOTALL)
"""What authors have put in front of front matter: nothing that is seen, and comments."""


def displaced(source: str) -> int:
    """The line of front matter that is not on the first line, or is TOML; 0 if there is none."""
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    before = _BEFORE.match(text)
    start = before.end() if before else 0
    fence, *rest = text[start:].split("\n")
    if not re.fullmatch(r"(-{3,}|\+{3})\s*", fence):
        return 0
    name = next((re.match(r"\s*(\w[\w-]*)\s*[:=]", line) for line in rest if line.strip()), None)
    ours = name is not None and name[1].casefold() in {*fields.DECODERS, *FOREIGN}
    return text.count("\n", 0, start) + 1 if ours else 0


def scan(source: str, docname: str, extra_fields: frozenset[str] = frozenset()) -> Scan:
    """Read and check the front matter of *source*; *extra_fields* are allowed beside the known ones."""
    block = block_of(source)
    if block is None:
        line = displaced(source)
        if not line:
            return Scan(FrontMatter())
        message = 'front matter must be YAML between two lines "---", the first on line 1 of the file'
        return _unreadable(docname, Place(line, 1), message)
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


def scan_field_list(source: str, docname: str) -> Scan:
    """The draft mark in the field list that a reStructuredText page begins with; it has no front matter."""
    for number, line in enumerate(source.removeprefix("\ufeff").splitlines(), start=1):
        field = re.match(r":([^:]+):\s*(.*?)\s*$", line)
        if field is None and line.strip() and not line.startswith((" ", "..")):
            break
        if field is not None and field[1].casefold() == "draft":
            if field[2] in ("true", "false"):
                return Scan(FrontMatter(draft=field[2] == "true"))
            message = f'"draft": expected true or false, found "{field[2]}"'
            return _unreadable(docname, Place(number), message)
    return Scan(FrontMatter())


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
            if name in DECIDES:
                values["readable"] = False
                message += LEFT_OUT
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
                values |= {"readable": False} if name in DECIDES else {}
                message = f'"{name}": {error}' + (LEFT_OUT if name in DECIDES else "")
                problems.append(Problem(error.kind, docname, fields.place(error.node), message))
        elif name == "<<":
            values["readable"] = False  # what it merges may be a draft or a date
            message = 'fields merged by "<<" are not read; write them out' + LEFT_OUT
            problems.append(Problem(Kind.FIELD, docname, fields.place(key), message))
        elif name not in FOREIGN | extra and not re.search(r"[.:]", name):
            unknown[name] = fields.place(key)
    if any(slip_of(name) in DECIDES for name in unknown):
        values["readable"] = False
    front = FrontMatter(**values, places=places)  # type: ignore[arg-type]  # DECODERS pairs names and types
    return Scan(front, (*problems, *_unknown_fields(unknown, front, docname)))


def _unknown_fields(unknown: dict[str, Place], front: FrontMatter, docname: str) -> Iterator[Problem]:
    """Every unknown field of a post or series page; on others what looks like a field that makes it one."""
    ours = not front.places.keys().isdisjoint(("date", "draft")) or front.series_info is not None
    for name, where in unknown.items():
        meant = slip_of(name)
        if ours or meant in (*DECIDES, "series"):
            message = f'unknown field "{name}"; {hint(name, fields.DECODERS)}'
            yield Problem(Kind.FIELD, docname, where, message + (LEFT_OUT if meant in DECIDES else ""))


def slip_of(name: str) -> str | None:
    """The field of ours that *name* is a slip of, if it is one."""
    return nearest(name, fields.DECODERS, cutoff=SLIP)
