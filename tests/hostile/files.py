"""Hostile files: what is odd about each is its bytes or its name, not its front matter."""

from __future__ import annotations

from dataclasses import dataclass

DRAFT = "---\ndraft: true\n---\n# Title\n\nQUAGGA\n"


def post(word: str, more: str = "") -> bytes:
    """A post in which nothing is wrong."""
    return (
        f"---\ndate: 2026-03-01\ntags: [all]\n---\n# Title of {word}\n\nThe text of {word}.\n{more}".encode()
    )


@dataclass(frozen=True)
class File:
    """A file, and what is to be said about it: a piece of the message and its line; empty for nothing.

    *listed* says whether it is a post in the lists.
    """

    name: str
    content: bytes
    said: str = ""
    line: int = 0
    listed: bool = False


NOT_UTF_8 = "this file is not UTF-8"
NO_DATE = 'lists this page, but it has no "date"'
HAS_NUL = "this file holds the character 0x00"
NOT_FIRST = "the first on line 1 of the file"
CONTENTS = (
    File("empty", b"", NO_DATE, 1, listed=True),
    File("only-blanks", b" \n\n\t\n", NO_DATE, 1, listed=True),
    File("only-front", b"---\ndate: 2026-03-01\n---\n", "this post has no title", 1, listed=True),
    File("only-front-no-end", b"---\ndate: 2026-03-01\n---", "this post has no title", 1, listed=True),
    File("only-a-fence", b"---", NO_DATE, 1, listed=True),
    File("no-final-line-end", post("file01x").rstrip(), listed=True),
    File("large", post("file02x", "\n```text\n" + "words and more words\n" * 250_000 + "```\n"), listed=True),
    File("cr", post("file03x").replace(b"\n", b"\r"), listed=True),
    File("crlf", post("file04x").replace(b"\n", b"\r\n"), listed=True),
    File("mark", b"\xef\xbb\xbf" + post("file05x"), listed=True),
    File("invalid", post("QUAGGA") + b"caf\xe9\n", NOT_UTF_8, 8),
    File("invalid-draft", DRAFT.encode().replace(b"Title", b"T\xeftle"), NOT_UTF_8, 4),
    File("utf-16-le", DRAFT.encode("utf-16"), NOT_UTF_8, 1),
    File("utf-16-be", b"\xfe\xff" + DRAFT.encode("utf-16-be"), NOT_UTF_8, 1),
    File("utf-16-without-mark", DRAFT.encode("utf-16-le"), HAS_NUL, 1),
    File("utf-32-without-mark", DRAFT.encode("utf-32-be"), HAS_NUL, 1),
    File("nul", DRAFT.encode().replace(b"QUAGGA", b"QUAGGA\0"), HAS_NUL, 6),
    File("nul-in-front", DRAFT.encode().replace(b"draft", b"dr\0aft"), HAS_NUL, 2),
    File("unclosed", DRAFT.replace("\n---\n", "\n", 1).encode(), "is never closed", 1),
    File("unopened", DRAFT.encode().removeprefix(b"---\n"), NOT_FIRST, 1),
    File("blank-line-first", b"\n" + DRAFT.encode(), NOT_FIRST, 2),
    File("blank-lines-first-cr", b"\r\r" + DRAFT.encode().replace(b"\n", b"\r"), NOT_FIRST, 3),
    File("second-block", b"---\ndate: 2026-03-01\n---\n" + DRAFT.encode(), "here are more fields", 4),
)
NAMES = (
    "with space", " space first", "space last ", "na\u00efve", "\u6ce8\u610f", "\u05e9\u05dc\u05d5\u05dd",
    "\U0001f600", "a#b", "a?b", "a%20b", "a&b", "a;b", 'a"b', "a'b", "a:b", "a\\b", "a*b", "[x]", "{x}", "$x", "~x",
    "a,b", "a=b", "a+b", "a@b", "a|b", "-x", "a..", "x" * 200, "self", "genindex", "search", "\u200bx", "\u202ex",
    "<img src=x onerror=alert(payload77)>", "'onfocus='alert(payload79)",
)  # fmt: skip
"""Names of files that are posts like any other."""
