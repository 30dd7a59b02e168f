"""The fields of the front matter, and how each value is read from its YAML node."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from sphinx_writing.core import dates, inline
from sphinx_writing.core.problems import Kind, Place, hint
from sphinx_writing.core.records import SeriesInfo

_TAG = "tag:yaml.org,2002:"
_KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_TYPES = {"int": "a number", "float": "a number", "bool": "yes or no", "null": "empty", "timestamp": "a date"}
STATUSES = ("ongoing", "complete")

Places = dict[str, Place]
Decoder = Callable[[Node, Places, "list[FieldError]"], dict[str, Any]]
"""Reads a value; notes the places of its parts, and what is wrong with one part while the others count."""
_NOT_IN_A_PAGE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


class FieldError(ValueError):
    """A value that does not fit its field; *node* is where, *kind* what sort of problem."""

    def __init__(self, node: Node, message: str, kind: Kind = Kind.VALUE) -> None:
        super().__init__(message)
        self.node = node
        self.kind = kind


def place(node: Node) -> Place:
    """Where *node* stands in the document, whose first line is the opening ``---``."""
    return Place(node.start_mark.line + 2, node.start_mark.column + 1)


def found(node: Node) -> str:
    """How *node* is described in a message: its type, and its text where it has one."""
    if isinstance(node, ScalarNode):
        kind = _TYPES.get(node.tag.removeprefix(_TAG), "text")
        if kind == "empty" or not node.value.strip():
            return "empty" if kind == "empty" else f"empty {kind}"
        return f"{kind} ({inline.cut(node.value, 60)})"
    return "a list" if isinstance(node, SequenceNode) else "a mapping"


def text(node: Node) -> str:
    """A text; a bare number, date or yes/no must be quoted to be one."""
    if isinstance(node, ScalarNode):
        if bad := _NOT_IN_A_PAGE.search(node.value):
            raise FieldError(node, f"expected text, found the character {ord(bad[0]):#06x}; remove it")
        if node.tag == _TAG + "str" and node.value.strip():
            return str(node.value).strip()
        if node.tag != _TAG + "str" and node.tag.removeprefix(_TAG) in _TYPES and node.value:
            raise FieldError(node, f'expected text, found {found(node)}; quote it: "{node.value}"')
    raise FieldError(node, f"expected text, found {found(node)}")


def boolean(node: Node) -> bool:
    """True or false."""
    if isinstance(node, ScalarNode) and node.tag == _TAG + "bool":
        if node.value.lower() in ("true", "yes", "on"):
            return True
        if node.value.lower() in ("false", "no", "off"):
            return False
    raise FieldError(node, f"expected true or false, found {found(node)}")


def number(node: Node) -> int:
    """A whole number, one or more."""
    if (
        isinstance(node, ScalarNode)
        and node.tag == _TAG + "int"
        and re.fullmatch(r"[1-9]\d{0,5}", node.value)
    ):
        return int(node.value)
    raise FieldError(node, f"expected a whole number from 1, found {found(node)}")


def texts(node: Node, name: str, places: Places, errors: list[FieldError]) -> tuple[str, ...]:
    """A list of texts, or one text; the place of each is noted as ``name[i]``."""
    found: list[str] = []
    if isinstance(node, ScalarNode) and "," in node.value and not node.style:
        raise FieldError(node, f"expected a list, found text with a comma; write {name}: [{node.value}]")
    for child in node.value if isinstance(node, SequenceNode) else [node]:
        try:
            found.append(text(child))
            places[f"{name}[{len(found) - 1}]"] = place(child)
        except FieldError as error:
            errors.append(error)
    return tuple(found)


def stamp(node: Node) -> dates.Stamp:
    """A day or an instant, bare or quoted; a number is refused."""
    if isinstance(node, ScalarNode) and node.tag in (_TAG + "str", _TAG + "timestamp"):
        try:
            return dates.parse(node.value)
        except (ValueError, OverflowError) as error:
            reason = f"{node.value!r} is no date: {error}"
            expected = "" if dates.EXPECTED in reason else f"; expected {dates.EXPECTED}"
            raise FieldError(node, reason + expected, Kind.DATE) from None
    raise FieldError(node, f"expected {dates.EXPECTED}, found {found(node)}", Kind.DATE)


def series(node: Node, _places: Places, errors: list[FieldError]) -> dict[str, Any]:
    """A mapping that makes the page a series page, or, in a post, the key that is checked."""
    if isinstance(node, MappingNode):
        info = series_info(node, errors)
        return {"series_info": info} if info else {}
    return {"series": text(node)}


def series_info(node: MappingNode, errors: list[FieldError]) -> SeriesInfo | None:
    """The description of a series; None where it has no key that can be used."""
    readers: Mapping[str, Callable[[Node], Any]] = {
        "key": _key,
        "label": text,
        "category": text,
        "numbered": boolean,
        "description": lambda n: inline.parse(text(n)),
        "status": _status,
    }
    values: dict[str, Any] = {}
    seen: set[str] = set()
    for key, value in node.value:
        name = key.value if isinstance(key, ScalarNode) else ""
        try:
            if name not in readers:
                raise FieldError(key, f'unknown field "{name}"; {hint(name, readers)}', Kind.FIELD)
            if name in seen:
                raise FieldError(key, f'"{name}" is written twice; remove one', Kind.FIELD)
            seen.add(name)
            values[name] = readers[name](value)
        except FieldError as error:
            errors.append(error)
    if "key" not in values:
        if "key" in seen:
            return None
        raise FieldError(node, 'a series needs a "key", such as "key: infra"')
    values.setdefault("label", values["key"])
    return SeriesInfo(**values)


def _key(node: Node) -> str:
    key = text(node)
    if not _KEY.fullmatch(key):
        raise FieldError(node, f'"{key}" is no key: use lower-case letters, digits and single hyphens')
    return key


def _status(node: Node) -> str:
    status = text(node)
    if status not in STATUSES:
        raise FieldError(node, f'unknown status "{status}"; expected {" or ".join(STATUSES)}')
    return status


def _single(name: str, read: Callable[[Node], Any]) -> Decoder:
    return lambda node, _places, _errors: {name: read(node)}


def _many(name: str) -> Decoder:
    return lambda node, places, errors: {name: texts(node, name, places, errors)}


DECODERS: Mapping[str, Decoder] = {
    "date": _single("date", stamp),
    "updated": _single("updated", stamp),
    "summary": _single("summary", lambda node: inline.parse(text(node))),
    "tags": _many("tags"),
    "prerequisites": _many("prerequisites"),
    "draft": _single("draft", boolean),
    "authors": _many("authors"),
    "redirect_from": _many("redirect_from"),
    "image": _single("image", text),
    "title": _single("title", text),
    "series": series,
    "part": _single("part", number),
}
"""Every field of ours: the name an author writes, and what its value means."""
