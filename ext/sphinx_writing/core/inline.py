"""Short marked-up text: titles, summaries and sentences, as spans that every surface can print."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

Mark = Literal["", "code", "em", "strong", "math", "title"]


@dataclass(frozen=True)
class Span:
    """A run of text under one mark; nested marks keep the inner one.

    ``title`` stands for the title of the document named by *text*, known only when all are read.
    """

    text: str
    mark: Mark = ""


Inline = tuple[Span, ...]
NOT_YET = "…"
"""What stands in place of a title that is not to be known."""

_ELEMENTS = {"code": "code", "em": "em", "strong": "strong"}
_MARKS: Mapping[str, Mark] = {"em_open": "em", "strong_open": "strong"}
_BLANKS = re.compile(r"[^\S\u00a0]+")
"""White space that may be folded: a no-break space joins a number and its unit."""
_SENTENCE_END = re.compile(r"[.!?](?=\s)|[。！？]")


def parse(text: str) -> Inline:
    """The spans of one paragraph of Markdown with dollar math; links keep their text."""
    parser = MarkdownIt("commonmark", {"html": False}).use(dollarmath_plugin)
    spans: list[Span] = []
    marks: list[Mark] = [""]
    for block in parser.parseInline(text.strip()):
        for token in block.children or ():
            if token.type in _MARKS:
                marks.append(_MARKS[token.type])
            elif token.type in ("em_close", "strong_close"):
                marks.pop()
            else:
                spans += _span_of(token, marks[-1])
    return tidy(spans)


def _span_of(token: Token, mark: Mark) -> list[Span]:
    if token.type == "code_inline":
        return [Span(token.content, "code")]
    if token.type in ("math_inline", "math_inline_double"):
        return [Span(token.content, "math")]
    if token.type in ("softbreak", "hardbreak"):
        return [Span(" ", mark)]
    return [Span(token.content, mark)] if token.content else []


def tidy(spans: Iterable[Span]) -> Inline:
    """*spans* joined where neighbours share a mark, white space folded, ends trimmed."""
    joined: list[Span] = []
    for (mark, _), run in groupby(enumerate(s for s in spans if s.text), key=lambda item: _run_key(*item)):
        text = "".join(span.text for _, span in run)
        joined.append(Span(text if mark in ("math", "title") else _BLANKS.sub(" ", text), mark))
    if joined and not joined[0].mark:
        joined[0] = replace(joined[0], text=joined[0].text.lstrip())
    if joined and not joined[-1].mark:
        joined[-1] = replace(joined[-1], text=joined[-1].text.rstrip())
    return tuple(span for span in joined if span.text)


def _run_key(index: int, span: Span) -> tuple[Mark, int]:
    """Equal for neighbours that are one run: code, formulas and titles stand alone."""
    return (span.mark, -1 if span.mark in ("", "em", "strong") else index)


def plain(inline: Inline) -> str:
    """The words of *inline*; code as it is typed, math as its TeX source."""
    return "".join(span.text for span in inline)


def html(inline: Inline, math: Callable[[str], str] = escape) -> str:
    """*inline* as escaped HTML; *math* turns TeX into markup."""
    return "".join(_html(span, math) for span in inline)


def _html(span: Span, math: Callable[[str], str]) -> str:
    if span.mark == "math":
        return math(span.text)
    text = escape(span.text)
    element = _ELEMENTS.get(span.mark)
    return f"<{element}>{text}</{element}>" if element else text


def resolve(inline: Inline, titles: Mapping[str, Inline]) -> Inline:
    """*inline* with every ``title`` span replaced by the title it stands for.

    What has no title here may be withheld, so that its name is not printed either.
    """
    spans: list[Span] = []
    for span in inline:
        if span.mark == "title":
            spans += titles.get(span.text) or titles.get(f"{span.text}/index") or (Span(NOT_YET),)
        else:
            spans.append(span)
    return tidy(spans)


def cut(text: str, limit: int) -> str:
    """*text* in at most *limit* characters, ended at a word with an ellipsis if anything is left out."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ")
    return (head[:space] if space > limit // 2 else head).rstrip(" ,;:") + "…"


def opening(inline: Inline, limit: int) -> Inline:
    """The first *limit* characters of *inline*, ended at a word with an ellipsis if anything is left out."""
    kept: list[Span] = []
    for span in inline:
        if len(span.text) > limit:
            whole = span.mark in ("code", "math", "title")  # half a formula is none
            return tidy([*kept, Span(" …") if whole else replace(span, text=cut(span.text, max(limit, 2)))])
        kept.append(span)
        limit -= len(span.text)
    return tuple(kept)


def shown(text: str, limit: int = 60) -> str:
    """*text* as a message quotes it: short, on one line, with nothing in it that a terminal would obey."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in cut(text, limit))


def sentence_around(inline: Inline, index: int) -> Inline:
    """The sentence of *inline* that holds the span at *index*."""
    text = "".join("x" * len(s.text) if s.mark in ("code", "math", "title") else s.text for s in inline)
    ends = [match.end() for match in _SENTENCE_END.finditer(text + " ")]
    start = sum(len(span.text) for span in inline[:index])
    stop = start + len(inline[index].text)
    begin = max((end for end in ends if end <= start), default=0)
    finish = min((end for end in ends if end >= stop and end > start), default=len(text))
    spans: list[Span] = []
    at = 0
    for span in inline:
        spans.append(replace(span, text=span.text[max(0, begin - at) : max(0, finish - at)]))
        at += len(span.text)
    return tidy(spans)
