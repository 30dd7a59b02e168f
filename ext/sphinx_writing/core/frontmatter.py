"""Front matter: read as YAML with positions, decoded field by field.

Fields are read from the parser's nodes, as text, so aliases cannot multiply and no tag can run code. What
does not fit is one :class:`Problem`, and the rest is still read. What MyST, which makes values of the same
block, would stop at is found as well: the page is left out before MyST sees it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

import yaml
from yaml.nodes import MappingNode, ScalarNode
from yaml.reader import ReaderError

from sphinx_writing.core import fields
from sphinx_writing.core.blocks import block_of, out_of_order, place_in
from sphinx_writing.core.fields import DECIDES, FOREIGN
from sphinx_writing.core.inline import shown
from sphinx_writing.core.problems import Kind, Place, Problem, hint, nearest
from sphinx_writing.core.records import FrontMatter
from sphinx_writing.core.values import refused

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


def scan(source: str, docname: str, extra_fields: frozenset[str] = frozenset()) -> Scan:
    """Read and check the front matter of *source*; *extra_fields* are allowed beside the known ones."""
    block = block_of(source)
    if stop := out_of_order(source, block):
        return _unreadable(docname, *stop)
    if block is None:
        return Scan(FrontMatter())
    try:
        root = yaml.compose(block.text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        where, reason = explain(error, block.text)
        return _unreadable(docname, where, f"front matter is {reason}")
    except _NOT_READ as error:
        # Python words this error by where in its own stack it happens
        why = "nested too deeply" if isinstance(error, RecursionError) else error
        return _unreadable(docname, Place(2), f"front matter cannot be read ({why})")
    if root is None:
        return Scan(FrontMatter())
    if not isinstance(root, MappingNode):
        return _unreadable(docname, Place(2, 1), 'front matter is not a list of fields; write "field: value"')
    return _unless_refused(_decode(root, docname, extra_fields), root, docname)


def scan_field_list(source: str, docname: str) -> Scan:
    """The draft mark in the field list that a reStructuredText page begins with; it has no front matter."""
    for number, line in enumerate(source.removeprefix("\ufeff").splitlines(), start=1):
        match = re.match(r":([^:]+):", line)
        if match is None and line.strip() and not line.startswith((" ", "..")):
            break
        if match is not None and match[1].casefold() == "draft":
            value = line[match.end() :].strip()
            if value in ("true", "false"):
                return Scan(FrontMatter(draft=value == "true"))
            message = f'"draft": expected true or false, found "{shown(value)}"'
            return _unreadable(docname, Place(number), message)
    return Scan(FrontMatter())


def _unreadable(docname: str, place: Place, message: str) -> Scan:
    problem = Problem(Kind.FRONT_MATTER, docname, place, message + LEFT_OUT)
    return Scan(FrontMatter(readable=False), (problem,))


def _place_of(error: yaml.YAMLError, text: str) -> Place:
    if isinstance(error, ReaderError):  # a character that YAML forbids
        return place_in("\n" + text, error.position + 1)
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return Place(mark.line + 2, mark.column + 1) if mark else Place(2)


def explain(error: yaml.YAMLError, text: str) -> tuple[Place, str]:
    """Where the YAML *text* breaks and why, with the quoted form where quoting a value would mend it."""
    where = _place_of(error, text)
    lines = [] if isinstance(error, ReaderError) else text.split("\n")  # quotes mend no character
    for number in (where.line, where.line - 1):
        line = lines[number - 2] if 2 <= number < len(lines) + 2 else ""
        match = re.match(r"\s*(?:- +)?([\w-]+):\s+(?=\S)", line)
        value = line[match.end() :].rstrip() if match else ""
        if match and len(value) <= fields.LONGEST and _needs_quotes(value):
            name = match[1]
            quoted = shown(json.dumps(value, ensure_ascii=False), 2 * fields.LONGEST)
            message = f'the value of "{shown(name)}" must be quoted; write {shown(name)}: {quoted}'
            return Place(number, match.end() + 1), f"not valid YAML: {message}"
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    return where, f"not valid YAML: {shown(reason, 200)}; mend this line, or quote its value"


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


def _unless_refused(scan: Scan, root: MappingNode, docname: str) -> Scan:
    """*scan*, or where MyST cannot read the block, the same with the page left out."""
    stop = refused(root)
    if stop is None:
        return scan
    where, why = stop
    problems = list(scan.problems)
    said = next((i for i, p in enumerate(problems) if p.place == where), None)
    if said is None:
        message = f"front matter cannot be read: {why}{LEFT_OUT}"
        problems.append(Problem(Kind.FRONT_MATTER, docname, where, message))
    else:
        message = problems[said].message.removesuffix(LEFT_OUT) + LEFT_OUT
        problems[said] = replace(problems[said], message=message)
    return Scan(replace(scan.front, readable=False), tuple(problems))


def _decode(root: MappingNode, docname: str, extra: frozenset[str]) -> Scan:
    values: dict[str, object] = {}
    places: dict[str, Place] = {}
    unknown: dict[str, Place] = {}
    problems: list[Problem] = []
    for key, node in root.value:
        if not isinstance(key, ScalarNode):
            continue  # MyST refuses it
        name = key.value
        if name in places:
            message = f'"{shown(name)}" is written twice (first on line {places[name].line}); remove one'
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
            message = f'unknown field "{shown(name)}"; {hint(meant or name, fields.DECODERS)}'
            yield Problem(Kind.FIELD, docname, where, message + (LEFT_OUT if meant in DECIDES else ""))


def slip_of(name: str) -> str | None:
    """The field of ours that *name* is a slip of or looks like, if it is one."""
    normal = unicodedata.normalize("NFKC", name).casefold()
    seen = "".join(char for char in normal if unicodedata.category(char) != "Cf")
    alike = (name for name in fields.DECODERS if _looks_like(seen, name))
    return next(alike, None) or nearest(seen, fields.DECODERS, cutoff=SLIP)


def _looks_like(seen: str, name: str) -> bool:
    """Whether *seen* is *name* with up to half its letters from another alphabet."""
    return (
        len(seen) == len(name)
        and 2 * sum(map(str.isascii, seen)) >= len(name)
        and all(a == b or not a.isascii() for a, b in zip(seen, name, strict=True))
    )
