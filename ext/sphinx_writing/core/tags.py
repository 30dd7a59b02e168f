"""Tags: which spellings are one tag, and the address of each."""

from __future__ import annotations

import re
import unicodedata

_SIGNS = {"+": "plus", "#": "sharp", "&": "and", "@": "at", "%": "percent"}


def key(spelling: str) -> str:
    """What makes two spellings one tag: letter case, blanks, ``_`` and ``-`` do not tell tags apart."""
    folded = unicodedata.normalize("NFKC", spelling).casefold()
    return re.sub(r"[\s_-]+", "-", folded).strip("-")


def slug(tag_key: str) -> str:
    """The last part of the tag's address: letters, digits and ``-``; ``c++`` is ``cplusplus``."""
    spelled = ""
    for char in tag_key:
        mark = unicodedata.category(char).startswith("M") and spelled[-1:] not in ("", "-")  # a vowel sign
        spelled += _SIGNS.get(char) or (char if char.isalnum() or mark else "-")
    return re.sub("-+", "-", spelled).strip("-") or "tag"
