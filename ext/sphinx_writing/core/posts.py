"""A post as every surface shows it, what it is made from, and the one rule of publishing."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sphinx_writing.core.dates import Stamp
from sphinx_writing.core.inline import Inline
from sphinx_writing.core.records import FrontMatter, Page


def hidden(front: FrontMatter, as_of: datetime) -> str:
    """Why a release at *as_of* must not show the page: ``draft``, ``dated``, or empty if it may.

    This is the one rule of publishing; every surface asks it.
    """
    if front.draft:
        return "draft"
    return "dated" if front.date is not None and front.date.instant > as_of else ""


@dataclass(frozen=True)
class Post:
    """One post as every surface shows it; *part* counts from 1 and is 0 outside a series."""

    docname: str
    title: Inline
    summary: Inline
    stamp: Stamp | None
    updated: Stamp | None
    tags: tuple[str, ...]
    minutes: int
    series: str
    part: int
    hidden: str
    prerequisites: tuple[str, ...]
    authors: tuple[str, ...] = ()
    redirect_from: tuple[str, ...] = ()
    feed_id: str = ""


def find(name: str, posts: Container[str]) -> str | None:
    """The entry of *posts* for *name*: itself, or the ``index`` page of the folder *name*."""
    stem = name.strip("/")
    return next((d for d in (stem, f"{stem}/index") if d in posts), None)


@dataclass(frozen=True)
class Sources:
    """What the catalogue is made from: the visible documents, and the moment it is made for."""

    pages: Mapping[str, Page]
    fronts: Mapping[str, FrontMatter]
    root: str
    as_of: datetime
    labels: Mapping[str, str] = field(default_factory=dict)
    """The docname that each cross-reference label stands in."""
    withheld: Mapping[str, str] = field(default_factory=dict)
    """The documents that this build leaves out, and why."""

    def front(self, docname: str) -> FrontMatter:
        """The front matter of *docname*, empty where it has none."""
        return self.fronts.get(docname) or FrontMatter()
