"""How a post is cited: an entry in BibTeX, made from what the post says of itself."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from sphinx_writing.core.dates import Stamp
from sphinx_writing.core.inline import Inline

WIDTH = 76
"""Columns of an entry; as many fit without scrolling."""
_SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True)
class Reference:
    """What is needed to cite a post."""

    docname: str
    title: Inline
    authors: tuple[str, ...]
    stamp: Stamp | None
    updated: Stamp | None


def entry(reference: Reference, *, site: str, author: str, address: str) -> str:
    """The entry of *reference*, a post of *site*; where it names no authors, *author* stands for them."""
    key = re.sub(r"[^A-Za-z0-9]+", "-", reference.docname.removesuffix("/index")).strip("-") or "post"
    lines = (f"{name} = {value}," for name, value in _fields(reference, site, author, address))
    return "\n".join([f"@misc{{{key},", *map(_wrapped, lines), "}"])


def _wrapped(line: str) -> str:
    """*line* broken at blanks, which are the same as a line end to BibTeX."""
    return textwrap.fill(
        line,
        WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _fields(reference: Reference, site: str, author: str, address: str) -> Iterator[tuple[str, str]]:
    names = " and ".join(map(tex, reference.authors))
    if names or author:
        yield "author", f"{{{names}}}" if names else f"{{{{{tex(author)}}}}}"  # in braces it is one name
    yield "title", f"{{{{{tex_of(reference.title)}}}}}"
    if reference.stamp:
        yield "year", f"{{{reference.stamp.day.year}}}"
        yield "month", _MONTHS[reference.stamp.day.month - 1]
    yield "howpublished", f"{{{tex(site)}}}"
    if address:
        yield "url", f"{{{address}}}"
    if reference.updated:
        yield "note", f"{{Updated {reference.updated.shown}}}"


def tex_of(text: Inline) -> str:
    """*text* as TeX; formulas are TeX already."""
    return "".join(f"${span.text}$" if span.mark == "math" else tex(span.text) for span in text)


def tex(text: str) -> str:
    """*text* with what TeX would obey written so that it is printed."""
    return re.sub(r"[\\~^&%$#_{}]", lambda found: _SPECIAL.get(found[0], f"\\{found[0]}"), text)
