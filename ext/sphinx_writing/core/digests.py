"""Digests of views: two values have one digest only if a page shows the same for both.

Pages share most of what they show, such as cards and lines of the sidebar. Each part is walked once.
"""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass


class Digests:
    """The digests of frozen dataclasses and of tuples of them, each part remembered as long as this lives."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, str]] = {}  # the part itself too, so that its id stays its own
        self._fields: dict[type, tuple[str, ...]] = {}

    def of(self, value: object) -> str:
        """The digest of *value*."""
        return hashlib.sha256(self._text(value).encode()).hexdigest()

    def _text(self, value: object) -> str:
        kind = type(value)
        if kind is str:
            return repr(value)
        if kind is tuple:
            return f"({','.join(map(self._text, value))})"  # type: ignore[call-overload]  # a tuple
        known = self._known.get(id(value))
        if known is not None:
            return known[1]
        names = self._fields_of(kind)
        if not names:
            return repr(value)
        text = self.of((kind.__name__, *(getattr(value, name) for name in names)))
        self._known[id(value)] = (value, text)
        return text

    def _fields_of(self, kind: type) -> tuple[str, ...]:
        """The fields of a dataclass; none of any other type."""
        if kind not in self._fields:
            self._fields[kind] = tuple(f.name for f in fields(kind)) if is_dataclass(kind) else ()
        return self._fields[kind]
