"""What is known of mermaid text without drawing it: the line of a fault, what it must leave to the site."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

LONGEST = 50_000
"""In place of a longer text mermaid draws a picture that says so."""
FIXED = (
    "theme", "themeVariables", "themeCSS", "fontFamily", "altFontFamily", "fontSize", "darkMode",
    "htmlLabels", "securityLevel", "secure", "deterministicIds", "deterministicIDSeed", "handDrawnSeed",
    "startOnLoad", "maxTextSize", "maxEdges", "suppressErrorRendering", "dompurifyConfig",
)  # fmt: skip
"""Settings that a diagram cannot have of its own: it is drawn for light and dark, for print, and safely."""

_FRONT = re.compile(r"([^\S\n\r]*)-{3}\s*[\n\r](.*?)[\n\r]\1-{3}\s*[\n\r]+", re.DOTALL)
_INIT = re.compile(r"%%\{\s*(?:(\w+)\s*:|(\w+))\s*(?:(\w+)|((?:(?!\}%%).|\r?\n)*))?\s*(?:\}%%)?")
_COMMENT = re.compile(r"^\s*%%(?!\{)[^\n]+\n?", re.MULTILINE)
_AFTER_BRACE = re.compile(r"(?<=\})\s*(?=\n)")
_LINE = re.compile(r"\bon line (\d+)")
_YAML_LINE = re.compile(r"\((\d+):\d+\)")
_SETTING = re.compile(rf"[\"']?\b({'|'.join(FIXED)})\b[\"']?\s*:")
_REASON_LINES = 3
_REASON_LENGTH = 300


def with_header(source: str, title: str, config: Mapping[str, Any]) -> str:
    """*source* with a front matter of mermaid's own that says *title* and *config*, if there is any."""
    header = {**({"title": title} if title else {}), **({"config": dict(config)} if config else {})}
    if not header:
        return source
    return f"---\n{yaml.safe_dump(header, allow_unicode=True, sort_keys=True)}---\n{source}"


def has_front_matter(source: str) -> bool:
    """Whether *source* begins with a front matter of mermaid's own."""
    return _FRONT.match(source) is not None


def length(source: str) -> int:
    """How many characters mermaid counts: those without front matter, settings and comments."""
    return len(_seen(source)[0])


def fixed_settings(source: str) -> list[str]:
    """The settings in *source* that are the site's to make; mermaid is told to skip them."""
    front = _FRONT.match(source)
    spans = [front[2]] if front else []
    spans += [found[0] for found in _INIT.finditer(source)]
    return sorted({found[1] for span in spans for found in _SETTING.finditer(span)})


def fault(source: str, reason: str) -> tuple[int, str]:
    """Where in *source* mermaid found what it says in *reason*, and that in short; 0 is no known line.

    Lines are counted from 1; the short form has the line as ``{line}``.
    """
    reason = re.sub(r"^(?:Error: )+", "", reason.strip())
    line, short = 0, reason
    if found := _LINE.search(reason):
        lines = _seen(source)[1]
        line = lines[min(int(found[1]), len(lines)) - 1]
    elif reason.startswith("YAMLException") and (found := _YAML_LINE.search(reason)):
        line = int(found[1]) + 1
    lines_of_it = short.splitlines()
    caret = next((i for i, text in enumerate(lines_of_it) if re.fullmatch(r"-*\^", text)), _REASON_LINES - 1)
    return line, "\n".join(lines_of_it[: caret + 1])[:_REASON_LENGTH]


def renumbered(reason: str, line: int) -> str:
    """*reason* with *line* as the line that it names."""
    return _LINE.sub(f"on line {line}", reason, count=1)


def _seen(source: str) -> tuple[str, list[int]]:
    """What mermaid's parsers see of *source*, and the line that each of their lines begins on.

    They get neither front matter nor settings nor comments, and no space at the beginning.
    """
    text = re.sub(r"\r\n?", "\n", source)
    numbers = [1 + count for count, row in enumerate(text.split("\n")) for _ in range(len(row) + 1)]
    if front := _FRONT.match(text):
        text, numbers = text[front.end() :], numbers[front.end() :]
    text, numbers = _without(_INIT, text, numbers)
    text, numbers = _without(_COMMENT, text, numbers)
    start = len(text) - len(text.lstrip())
    text, numbers = text[start:], numbers[start:]
    if re.match(r"(?:flowchart|graph)\b", text):
        text, numbers = _without(_AFTER_BRACE, text, numbers)
    starts = [0, *(at + 1 for at, char in enumerate(text) if char == "\n")]
    return text, [numbers[min(at, len(numbers) - 1)] if numbers else 1 for at in starts]


def _without(pattern: re.Pattern[str], text: str, numbers: list[int]) -> tuple[str, list[int]]:
    """*text* and *numbers* without what *pattern* matches."""
    kept_text, kept_numbers, end = "", list[int](), 0
    for found in pattern.finditer(text):
        kept_text += text[end : found.start()]
        kept_numbers += numbers[end : found.start()]
        end = found.end()
    return kept_text + text[end:], kept_numbers + numbers[end:]
