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
        if isinstance(value, tuple):
            return f"({','.join(map(self._text, value))})"
        if not is_dataclass(value):
            return repr(value)
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = (value, self.of(self._parts(value)))
        return known[1]

    def _parts(self, value: object) -> tuple[object, ...]:
        kind = type(value)
        if kind not in self._fields:
            self._fields[kind] = tuple(f.name for f in fields(kind))  # type: ignore[arg-type]
        return (kind.__name__, *(getattr(value, name) for name in self._fields[kind]))
