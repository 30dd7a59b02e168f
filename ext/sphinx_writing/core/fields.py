"""The fields of the front matter, and how each value is read from its YAML node."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from sphinx_writing.core import dates, inline
from sphinx_writing.core.addresses import file_of
from sphinx_writing.core.problems import Kind, Place, hint
from sphinx_writing.core.records import SeriesInfo

_TAG = "tag:yaml.org,2002:"
_KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_TYPES = {
    "str": "text", "int": "a number", "float": "a number", "bool": "yes or no", "null": "empty",
    "timestamp": "a date",
}  # fmt: skip
STATUSES = ("ongoing", "complete")
LONGEST = 1000
"""Characters of a text; a summary is one or two sentences, and every list of posts shows it whole."""

Places = dict[str, Place]
Decoder = Callable[[Node, Places, "list[FieldError]"], dict[str, Any]]
"""Reads a value; notes the places of its parts, and what is wrong with one part while the others count."""
_NOT_IN_A_PAGE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff"
    "\u202a-\u202e\u2066-\u2069]"  # these turn the order of what stands behind them on the page
)
_LINE_ENDS = re.compile(r"\s*[\n\x85\u2028\u2029]\s*")


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
        kind = _TYPES.get(node.tag.removeprefix(_TAG)) or f"a value tagged {tag_of(node)}"
        if kind == "empty" or not node.value.strip():
            return "empty" if kind == "empty" else "empty text"
        return f"{kind} ({inline.shown(node.value)})"
    return "a list" if isinstance(node, SequenceNode) else "a mapping"


def tag_of(node: Node) -> str:
    """The YAML tag of *node* as authors write it."""
    return inline.shown(node.tag.replace(_TAG, "!!", 1))


def text(node: Node) -> str:
    """A text of one line; a bare number, date or yes/no must be quoted to be one."""
    if isinstance(node, ScalarNode):
        if len(node.value) > LONGEST:
            message = f"expected at most {LONGEST} characters, found {len(node.value)}; shorten it"
            raise FieldError(node, message)
        if bad := _NOT_IN_A_PAGE.search(node.value):
            raise FieldError(node, f"expected text, found the character {ord(bad[0]):#06x}; remove it")
        if node.tag == _TAG + "str" and _is_seen(node.value):
            return _LINE_ENDS.sub(" ", node.value.strip())
        if node.tag != _TAG + "str" and node.tag.removeprefix(_TAG) in _TYPES and node.value:
            quoted = f'"{inline.shown(node.value)}"'
            raise FieldError(node, f"expected text, found {found(node)}; quote it: {quoted}")
    raise FieldError(node, f"expected text, found {found(node)}")


def _is_seen(text: str) -> bool:
    """Whether anything of *text* can be seen: blanks and zero-width characters cannot."""
    return any(unicodedata.category(char)[0] not in "CZ" for char in text)


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


def texts(
    node: Node, name: str, places: Places, errors: list[FieldError], read: Callable[[Node], str] = text
) -> tuple[str, ...]:
    """A list of texts, or one text, each by *read*; the place of each is noted as ``name[i]``."""
    found: list[str] = []
    if isinstance(node, ScalarNode) and "," in node.value and not node.style:
        entries = inline.shown(node.value, 200)
        raise FieldError(node, f"expected a list, found text with a comma; write {name}: [{entries}]")
    for child in node.value if isinstance(node, SequenceNode) else [node]:
        try:
            found.append(read(child))
            places[f"{name}[{len(found) - 1}]"] = place(child)
        except FieldError as error:
            errors.append(error)
    return tuple(found)


def address(node: Node) -> str:
    """An address that a page had before."""
    written = text(node)
    try:
        file_of(written)
    except ValueError as error:
        raise FieldError(node, f'"{inline.shown(written)}" is no old address: {error}') from None
    return written


def stamp(node: Node) -> dates.Stamp:
    """A day or an instant, bare or quoted; a number is refused."""
    if isinstance(node, ScalarNode) and node.tag in (_TAG + "str", _TAG + "timestamp"):
        try:
            return dates.parse(node.value)
        except (ValueError, OverflowError) as error:
            reason = f"'{inline.shown(node.value)}' is no date: {error}"
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
        "key": series_key,
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
                message = f'unknown field "{inline.shown(name)}"; {hint(name, readers)}'
                raise FieldError(key, message, Kind.FIELD)
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


def series_key(node: Node) -> str:
    """A short name that stands in addresses and options."""
    key = text(node)
    if not _KEY.fullmatch(key):
        expected = "lower-case letters, digits and single hyphens"
        raise FieldError(node, f'"{inline.shown(key)}" is no key: use {expected}')
    return key


def _status(node: Node) -> str:
    status = text(node)
    if status not in STATUSES:
        raise FieldError(node, f'unknown status "{inline.shown(status)}"; expected {" or ".join(STATUSES)}')
    return status


def _single(name: str, read: Callable[[Node], Any]) -> Decoder:
    return lambda node, _places, _errors: {name: read(node)}


def _many(name: str, read: Callable[[Node], str] = text) -> Decoder:
    return lambda node, places, errors: {name: texts(node, name, places, errors, read)}


DECODERS: Mapping[str, Decoder] = {
    "date": _single("date", stamp),
    "updated": _single("updated", stamp),
    "summary": _single("summary", lambda node: inline.parse(text(node))),
    "tags": _many("tags"),
    "prerequisites": _many("prerequisites"),
    "draft": _single("draft", boolean),
    "authors": _many("authors"),
    "redirect_from": _many("redirect_from", address),
    "feed_id": _single("feed_id", text),
    "image": _single("image", text),
    "unlinked_terms": _many("unlinked_terms"),
    "title": _single("title", text),
    "series": series,
    "part": _single("part", number),
}
"""Every field of ours: the name an author writes, and what its value means."""
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
