"""Tags: which spellings are one tag, and the address of each."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Container

LONGEST = 80
"""Bytes of an address; file systems end at 255 for a name."""
_SIGNS = {"+": "plus", "#": "sharp", "&": "and", "@": "at", "%": "percent"}


def key(spelling: str) -> str:
    """What makes two spellings one tag: letter case, blanks, ``_`` and ``-`` do not tell tags apart.

    Nor do characters that are not seen, such as a zero-width space.
    """
    folded = unicodedata.normalize("NFKC", spelling).casefold()
    folded = "".join(char for char in folded if unicodedata.category(char) != "Cf")
    return re.sub(r"[\s_-]+", "-", folded).strip("-")


def slug(tag_key: str) -> str:
    """The last part of the tag's address: letters, digits and ``-``; ``c++`` is ``cplusplus``."""
    spelled = ""
    for char in tag_key:
        mark = unicodedata.category(char).startswith("M") and spelled[-1:] not in ("", "-")  # a vowel sign
        spelled += _SIGNS.get(char) or (char if char.isalnum() or mark else "-")
    whole = re.sub("-+", "-", spelled).strip("-") or "tag"
    if len(whole.encode()) <= LONGEST:
        return whole
    kept = whole.encode()[:LONGEST].decode(errors="ignore").rstrip("-")
    return f"{kept}-{hashlib.sha256(tag_key.encode()).hexdigest()[:8]}"


def free(slug: str, taken: Container[str]) -> str:
    """*slug*, with a number behind it where it is taken."""
    made, number = slug, 2
    while made in taken:
        made, number = f"{slug}-{number}", number + 1
    return made
