"""What is known of each document: its front matter, and what reading it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sphinx_writing.core.dates import Stamp
from sphinx_writing.core.inline import Inline
from sphinx_writing.core.lab_files import LabFile, Measured
from sphinx_writing.core.problems import Place


@dataclass(frozen=True)
class SeriesInfo:
    """The ``series`` mapping in the front matter of a series page."""

    key: str
    label: str
    category: str = ""
    numbered: bool = True
    description: Inline = ()
    status: str = "ongoing"


@dataclass(frozen=True)
class FrontMatter:
    """The front matter of one document, decoded; ``places`` says where each field stands."""

    date: Stamp | None = None
    updated: Stamp | None = None
    summary: Inline = ()
    tags: tuple[str, ...] = ()
    prerequisites: tuple[str, ...] = ()
    draft: bool = False
    authors: tuple[str, ...] = ()
    redirect_from: tuple[str, ...] = ()
    feed_id: str = ""
    image: str = ""
    unlinked_terms: tuple[str, ...] = ()
    title: str = ""
    series: str = ""
    part: int | None = None
    series_info: SeriesInfo | None = None
    readable: bool = True
    """False where the block is not YAML, or its date or draft means nothing: the page is then left out."""
    places: Mapping[str, Place] = field(default_factory=dict)

    def place(self, name: str) -> Place:
        """Where field *name* stands (``tags[1]`` is the second tag), or its page's first line."""
        return self.places.get(name, Place(1))


@dataclass(frozen=True)
class Link:
    """A reference to another document, and the sentence it stands in.

    *kind* says how *target* names it: a docname, a post as authors write it, or a label.
    """

    kind: str
    target: str
    sentence: Inline
    line: int = 0


@dataclass(frozen=True)
class Entry:
    """One line of a toctree: a document or an outside address, with its title if one is written.

    *generated* marks a page that Sphinx makes itself, such as the general index.
    """

    target: str
    title: str = ""
    outside: bool = False
    generated: bool = False


@dataclass(frozen=True)
class Toctree:
    """A toctree as read: its caption and its entries in order."""

    entries: tuple[Entry, ...]
    caption: str = ""
    line: int = 0
    hidden: bool = True
    options: str = ""
    """What else decides how it is shown."""


@dataclass(frozen=True)
class Query:
    """The options of one ``{writing}`` directive; empty fields do not filter."""

    series: str = ""
    category: str = ""
    tag: str = ""
    year: int | None = None
    limit: int | None = None
    sort: str = "newest"
    group: str = "none"
    style: str = "cards"
    feature: bool = False
    faceted: bool = False
    line: int = 0

    @property
    def filters(self) -> bool:
        """Whether it asks for some of the posts only."""
        return bool(self.series or self.category or self.tag or self.year)


@dataclass(frozen=True)
class Lab:
    """What a document takes from the lab beside it: the names it quotes, and the files as they were read.

    *source* is the program, relative to the source folder, and *digest* that of its text; both are empty
    where there is none.
    """

    folder: str
    quoted: tuple[str, ...] = ()
    measured: tuple[str, ...] = ()
    names_machine: bool = False
    file: LabFile | None = None
    measurements: Measured | None = None
    source: str = ""
    digest: str = ""


@dataclass(frozen=True)
class UsedUnit:
    """A unit in a document: *of* is what has it, *location* file and line as Sphinx writes them."""

    unit: str
    of: str
    location: str


@dataclass(frozen=True)
class Definition:
    """An entry of a glossary: its names, each with its id on the page, and the start of what it means."""

    names: tuple[tuple[str, str], ...]
    meaning: Inline


Candidates = tuple[tuple[str, str], ...]
"""The files that a picture may be, each with its media type (``*`` is any)."""


@dataclass(frozen=True)
class Picture:
    """The first picture of a document that tells something when it is shown small, for light and dark."""

    light: Candidates
    dark: Candidates
    width: int
    height: int


@dataclass(frozen=True)
class SocialPicture:
    """What ``image`` in the front matter names: an address on the web, or a *file* of the source folder."""

    address: str = ""
    file: str = ""
    width: int = 0
    height: int = 0


@dataclass(frozen=True)
class Page:
    """What reading one document found."""

    title: Inline
    first: Inline = ()
    words: int = 0
    characters: int = 0
    links: tuple[Link, ...] = ()
    toctrees: tuple[Toctree, ...] = ()
    queries: tuple[Query, ...] = ()
    references: tuple[str, ...] = ()
    """All that the document refers to, by the names that ``Site.targets`` knows."""
    images: tuple[Candidates, ...] = ()
    """The pictures it shows."""
    patterns: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The pictures named without an ending (``plot.*``), each with the files that were there."""
    awaited: tuple[str, ...] = ()
    """Files that were not there and would be read, relative to the source folder."""
    headings: str = ""
    """A digest of the headings, as a visible toctree shows them."""
    formulas_in_titles: bool = False
    """Whether one of them, or the title, has a formula."""
    content: str = ""
    """A digest of the text and of every file that was read for it."""
    files: tuple[tuple[str, tuple[int, int, int]], ...] = ()
    """Those files, each with its size and times in nanoseconds; -1 where there was none."""
    lab: Lab | None = None
    """What it takes from the lab beside it."""
    units: tuple[UsedUnit, ...] = ()
    """The units that its calculators name."""
    vocabulary: bytes = b""
    """The distinct words of its prose, packed."""
    picture: Picture | None = None
    terms: tuple[Definition, ...] = ()
    """The entries of the glossaries on it."""
    noindex: bool = False
    """Whether it asks robots not to list it."""
    social_picture: SocialPicture | None = None
    """The picture that its front matter names."""
