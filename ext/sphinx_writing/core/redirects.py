"""Redirects: from each address that a page had before to the page, and what stands in their way.

A redirect leads to a page and never to another redirect: its place may be nobody else's. So there are no
chains and no loops, and where one was written it is reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sphinx_writing.core.addresses import file_of, folded
from sphinx_writing.core.inline import shown
from sphinx_writing.core.problems import Kind, Place, Problem
from sphinx_writing.core.records import FrontMatter

REMEDY = "take it out"


@dataclass(frozen=True)
class Redirect:
    """A page at the address *file* that leads to the page of *docname*."""

    file: str
    docname: str


@dataclass(frozen=True)
class Taken:
    """A file that something has: as messages name it, with its document if it is the page of one."""

    file: str
    name: str
    docname: str = ""
    old: bool = False
    """Whether it is a redirect to the document."""


@dataclass(frozen=True)
class Claim:
    """An address that a document says it had, with its place in the front matter."""

    docname: str
    written: str
    file: str
    place: Place


def claims(fronts: Mapping[str, FrontMatter]) -> Iterator[Claim]:
    """Every address that the front matter of a document says it had."""
    for docname, front in sorted(fronts.items()):
        for number, written in enumerate(front.redirect_from):
            yield Claim(docname, written, file_of(written), front.place(f"redirect_from[{number}]"))


def resolve(
    fronts: Mapping[str, FrontMatter], taken: Iterable[Taken]
) -> tuple[tuple[Redirect, ...], tuple[Problem, ...]]:
    """The redirects of a site whose other files are *taken*, and what is wrong with those that are not made.

    *fronts* has the front matter of every published document.
    """
    places = Places(taken)
    found: list[Redirect] = []
    problems: list[Problem] = []
    for claim in claims(fronts):
        if fault := places.fault(claim):
            message = f'"redirect_from": {fault}'
            problems.append(Problem(Kind.ADDRESS, claim.docname, claim.place, message))
        else:
            name = f'an old address of "{claim.docname}"'
            places.take(Taken(claim.file, name, claim.docname, old=True))
            found.append(Redirect(claim.file, claim.docname))
    return tuple(found), tuple(problems)


class Places:
    """Who has which file, as file systems see it that do not tell letter case apart."""

    def __init__(self, taken: Iterable[Taken]) -> None:
        self._files: dict[str, Taken] = {}
        self._folders: dict[str, Taken] = {}
        for one in taken:
            self.take(one)

    def take(self, one: Taken) -> None:
        """Note that *one* has its file, and needs the folders around it."""
        key = folded(one.file)
        self._files.setdefault(key, one)
        for folder in _folders(key):
            self._folders.setdefault(folder, one)

    def fault(self, claim: Claim) -> str:
        """Why there can be no redirect at the address of *claim*; empty if there can."""
        key, quoted = folded(claim.file), f'"{shown(claim.written)}"'
        if other := self._files.get(key):
            if other.old and other.docname == claim.docname:
                return f"{quoted} is the address of another entry; {REMEDY}"
            if other.file != claim.file:
                return f"{quoted} differs in letter case only from {other.name}; {REMEDY}"
            if other.docname == claim.docname:
                return f"{quoted} is this page's own address and would lead to itself; {REMEDY}"
            return f"{quoted} is {other.name}; {REMEDY}"
        if other := self._folders.get(key):
            return f'{quoted} would be a file where "{other.file}" needs a folder; {REMEDY}'
        above = next((self._files[folder] for folder in _folders(key) if folder in self._files), None)
        return f'{quoted} would lie in "{above.file}", which is a file; {REMEDY}' if above else ""


def _folders(file: str) -> Iterator[str]:
    """The folders around *file*, outermost last."""
    while "/" in file:
        file = file.rpartition("/")[0]
        yield file
