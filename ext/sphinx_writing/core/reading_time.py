"""How long a post takes to read."""

from __future__ import annotations

import math
import re

WORDS_A_MINUTE = 230
"""Brysbaert (2019) puts silent reading of English non-fiction at 238 words a minute."""
CHARACTERS_A_MINUTE = 400
"""Chinese, Japanese and Korean text is counted by character, as it has no blanks to count."""

# Iteration marks, CJK ideographs with extensions, kana, Hangul syllables, and the compatibility block.
_CJK = re.compile(
    "[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_WORD = re.compile(r"\w+(?:[-'’.]\w+)*")


def count(text: str) -> tuple[int, int]:
    """The number of words and of CJK characters in *text*."""
    rest, characters = _CJK.subn(" ", text)
    return len(_WORD.findall(rest)), characters


def minutes(words: int, characters: int) -> int:
    """Whole minutes to read so many words and CJK characters, at least one."""
    return max(1, math.ceil(words / WORDS_A_MINUTE + characters / CHARACTERS_A_MINUTE))
