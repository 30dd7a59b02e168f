"""The output folder of a build while it runs: what it held before, and whether anything must be written."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx_writing.sphinx_ext import record
from sphinx_writing.sphinx_ext.report import Said

if TYPE_CHECKING:
    from sphinx.builders import Builder

    from sphinx_writing.sphinx_ext.record import Print, Record


@dataclass
class Output:
    """An output folder, from the moment that everything is read.

    *last* is its record, *before* the files that were in it, *harmed* those that are not as the last build
    left them, *owners* the documents to be written for that. *key* and *frame* stand for what its pages are
    now made from, *digests* are those that they now have, *navigation* is one of what a navigation of the
    theme's own shows, *written* are the pages that this run writes, *problems* what it reports. *idle* says
    that all is as it should be, *spared* is what the builder does otherwise for that reason, *sidebar_asked*
    says that the theme shows our sidebar. *texts* and *index* are what search is now made from, *site_files*
    what files of the whole site are, *kept* the texts that these are made from.
    """

    folder: Path
    last: Record
    before: set[str]
    harmed: set[str]
    frame: str
    key: str
    owners: set[str] = field(default_factory=set)
    digests: dict[str, str] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    navigation: str = ""
    problems: list[Said] = field(default_factory=list)
    idle: bool = False
    spared: dict[str, Any] = field(default_factory=dict)
    sidebar_asked: bool = False
    texts: dict[str, Print] = field(default_factory=dict)
    index: str = ""
    site_files: dict[str, str] = field(default_factory=dict)
    kept: dict[str, dict[str, Print]] = field(default_factory=dict)

    def is_there(self, name: str) -> bool:
        """Whether the file *name* is in the folder, as the last build left it."""
        return name in self.last.files and name not in self.harmed

    def holds(self, pagename: str, name: str) -> bool:
        """Whether the page is there, as the file *name*, as it must be."""
        same = self.last.digests.get(pagename) == self.digests[pagename]
        return same and self.is_there(name)

    @property
    def kept_digests(self) -> dict[str, str]:
        """The digest of every page as it now lies in the folder; none of pages that are no longer made."""
        owed = self.owners - self.written  # a build of one named file leaves them to the next
        known = {
            **{name: digest for name, digest in self.last.digests.items() if name not in owed},
            **{name: self.digests[name] for name in self.written & self.digests.keys()},
        }
        return {name: digest for name, digest in known.items() if name in self.digests}

    @property
    def shown_navigation(self) -> str:
        """What the theme's own navigation shows on pages; nothing if it shows our sidebar instead."""
        if self.idle or not self.written:
            return self.last.navigation
        return "" if self.sidebar_asked else self.navigation

    @property
    def is_whole(self) -> bool:
        """Whether every page shows what it now must."""
        return self.kept_digests == self.digests


def look(builder: Builder, frame: str, key: str) -> Output:
    """The output folder of *builder* as it is now."""
    last, folder = record.load(builder), Path(builder.outdir)
    names = record.names_below(folder, Path(builder.doctreedir))
    harmed = {name for name, known in last.files.items() if not record.is_as_it_was(folder / name, known)}
    before = names if last.before is None else names & set(last.before)
    return Output(folder, last, before, harmed, frame, key)
