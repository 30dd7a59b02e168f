"""The glossary: which of its terms the prose of a page may hold, and where in a text they stand.

A page is written again when a term comes to it or leaves it, and its text is not read again for that: reading
keeps the distinct words of its prose. A term may stand there if all its words do; whether it does, the text
says when it is written.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from sphinx_writing.core.inline import shown
from sphinx_writing.core.problems import Kind, Problem, hint
from sphinx_writing.core.records import FrontMatter, Page

ALL = "all"
"""What a post says that links no terms."""
_WORD = re.compile(r"\w+")
_JOINS = r"[-\u2010\u2011./\\@:=#+~]"
"""Signs that make one word, name or address of what stands on both sides of them."""


@dataclass(frozen=True)
class Term:
    """An entry of the glossary as a page links to it: its names, each with its id on the page *docname*."""

    docname: str
    names: tuple[tuple[str, str], ...]


Words = list[tuple[bytes, ...]]


def vocabulary(texts: Iterable[str]) -> bytes:
    """The distinct words of *texts*, in little space."""
    found = {word for text in texts for word in _WORD.findall(text.casefold())}
    return zlib.compress("\n".join(sorted(found)).encode(errors="surrogatepass"))


class Glossary:
    """The terms of the page *docname*; what they mean is not needed to link to them."""

    def __init__(self, docname: str = "", page: Page | None = None) -> None:
        self.docname = docname
        self.entries = page.terms if page else ()
        self._terms = [Term(docname, entry.names) for entry in self.entries]

    @cached_property
    def _names(self) -> dict[bytes, list[tuple[int, Words]]]:
        """The names by each form of their first word: the number of the term and the other words."""
        found: dict[bytes, list[tuple[int, Words]]] = {}
        for i, term in enumerate(self._terms):
            for first, *others in filter(None, (_words(name) for name, _ in term.names)):
                for form in first:
                    found.setdefault(form, []).append((i, others))
        return found

    @cached_property
    def _known(self) -> set[bytes]:
        """Every form of a word that a name has."""
        others = (word for names in self._names.values() for _, words in names for word in words)
        return {*self._names, *(form for word in others for form in word)}

    def possible(self, page: Page) -> tuple[Term, ...]:
        """The terms whose words all occur in the prose of *page*, in order of their names."""
        if not self._terms or not page.vocabulary:
            return ()
        there = self._known.intersection(zlib.decompress(page.vocabulary).split(b"\n"))
        found = {
            i
            for word in there
            for i, others in self._names.get(word, ())
            if all(not there.isdisjoint(forms) for forms in others)
        }
        return tuple(sorted((self._terms[i] for i in found), key=lambda term: term.names))


def _words(name: str) -> Words:
    """The words of *name*, each as the forms that may stand for it."""
    words = [word.encode(errors="surrogatepass") for word in _WORD.findall(name.casefold())]
    return [(word, *([word + b"s"] if i == len(words) else [])) for i, word in enumerate(words, 1)]


def places(text: str, terms: Sequence[Term]) -> Iterator[tuple[int, int, Term, str]]:
    """Where *terms* stand in *text* as whole words, the longest at each: start, end, term and its id."""
    known = tuple((name, i, anchor) for i, term in enumerate(terms) for name, anchor in term.names)
    pattern, order = _pattern(known)
    for found in pattern.finditer(text) if order else ():
        _, i, anchor = order[(found.lastindex or 1) - 1]
        yield found.start(), found.end(), terms[i], anchor


Known = tuple[str, int, str]


@lru_cache(maxsize=4)
def _pattern(known: tuple[Known, ...]) -> tuple[re.Pattern[str], list[Known]]:
    """What finds the names, each in a group of its own, and the names in the order of the groups."""
    order = sorted((one for one in known if _WORD.search(one[0])), key=lambda one: (-len(one[0]), one))
    names = "|".join(f"({_spelt(name)})" for name, _, _ in order)
    return re.compile(rf"(?<!\w)(?<!\w{_JOINS})(?:{names})(?!\w)(?!{_JOINS}\w)"), order


def _spelt(name: str) -> str:
    """A pattern of *name*: its first letter in either case unless it is one of an acronym, and a plural."""
    words = name.split()
    head, first = words[0], words[0][0]
    written = [re.escape(word) for word in words]
    upper, lower = first.upper(), first.lower()
    if upper != lower and len(head) > 1 and head[1:] == head[1:].lower() and len(upper + lower) == 2:
        written[0] = f"[{upper}{lower}]{re.escape(head[1:])}"
    return r"\s+".join(written) + ("s?" if name[-1].isalnum() else "")


def is_taken(term: Term, named: Container[str]) -> bool:
    """Whether one of the names *named*, in small letters, is one of *term*."""
    return any(name.lower() in named for name, _ in term.names)


def problems(docname: str, front: FrontMatter, glossary: Glossary) -> Iterator[Problem]:
    """One problem for each name in ``unlinked_terms`` that *glossary* does not have."""
    known = {name for entry in glossary.entries for name, _ in entry.names}
    small = {ALL, *(name.lower() for name in known)}
    for i, name in enumerate(front.unlinked_terms if known else ()):
        if name.lower() not in small:
            message = f'the glossary has no term "{shown(name)}"; {hint(name, known)}'
            yield Problem(Kind.GLOSSARY, docname, front.place(f"unlinked_terms[{i}]"), message)
