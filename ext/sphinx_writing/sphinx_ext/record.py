"""The record of an output folder: what each page in it shows from elsewhere, and every file made there.

One file for each builder and output folder, kept with the doctrees. It says what lay in the folder when the
last build of it ended, so a file that was harmed since, or half written by a build that was killed, is known.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_writing.sphinx_ext.report import Said

if TYPE_CHECKING:
    from sphinx.builders import Builder

Print = list[int | str]
"""What tells whether a file is as it was: size, time of change in nanoseconds, digest of its bytes."""


@dataclass
class Record:
    """What is known of an output folder. Files are named relative to it, with ``/``.

    *digests* are those of the pages as last written, by page name. *key* stands for all that they were made
    from, and is empty where some page is not as it should be. *files* are those that builds made here,
    *expected* those that are there because a document or a source file is. *problems* is what the last build
    reported. *before* are the files that lay there before a build which did not end. *navigation* is a digest
    of what the theme's own navigation shows, where it has one. *texts* are those that search reads, by
    docname, *index* stands for what its index was made from. *site_files* has a digest of what each file of
    the whole site shows, *kept* are the texts that such files are made from, by kind and docname.
    """

    digests: dict[str, str] = field(default_factory=dict)
    key: str = ""
    frame: str = ""
    navigation: str = ""
    files: dict[str, Print] = field(default_factory=dict)
    expected: list[str] = field(default_factory=list)
    problems: list[Said] = field(default_factory=list)
    before: list[str] | None = None
    texts: dict[str, Print] = field(default_factory=dict)
    index: str = ""
    site_files: dict[str, str] = field(default_factory=dict)
    kept: dict[str, dict[str, Print]] = field(default_factory=dict)


def path_of(builder: Builder) -> Path:
    """Where the record of this builder and output folder is kept."""
    where = Path(os.path.relpath(builder.outdir, builder.doctreedir)).as_posix()  # both may be moved together
    folder = hashlib.sha256(where.encode()).hexdigest()[:16]
    return Path(builder.doctreedir) / "writing" / f"{builder.name}-{folder}.json"


def texts_of(builder: Builder) -> Path:
    """The folder for the texts of this output's pages that search reads."""
    return path_of(builder).with_suffix(".texts")


def load(builder: Builder) -> Record:
    """The record as last saved; an empty one where there is none that can be read."""
    try:
        return Record(**json.loads(path_of(builder).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return Record()


def save(builder: Builder, record: Record) -> None:
    """Save *record*, whole or not at all."""
    write_whole(path_of(builder), json.dumps(vars(record), sort_keys=True))


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is never seen half written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f"{path.name}.tmp")
    half.write_text(text, encoding="utf-8")
    half.replace(path)


def names_below(folder: Path, but: Path) -> set[str]:
    """The files below *folder*, relative to it, except those below *but*."""
    found: set[str] = set()
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if Path(place, name) != but]
        below = Path(place).relative_to(folder).as_posix()
        found.update(names if below == "." else (f"{below}/{name}" for name in names))
    return found


def print_of(path: Path, known: Print | None = None) -> Print | None:
    """The print of a file, taken over from *known* where its size and time are; None where there is none."""
    try:
        stat = path.stat()
        if known and known[:2] == [stat.st_size, stat.st_mtime_ns]:
            return known
        return [
            stat.st_size,
            stat.st_mtime_ns,
            hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest(),
        ]
    except OSError:
        return None


def is_untouched(path: Path, known: Print) -> bool:
    """Whether nothing has written the file at *path* since its print was taken."""
    try:
        stat = path.stat()
    except OSError:
        return False
    return known[:2] == [stat.st_size, stat.st_mtime_ns]


def is_as_it_was(path: Path, known: Print | None) -> bool:
    """Whether the file at *path* holds what it held when its print was taken."""
    now = print_of(path, known)
    return now is not None and known is not None and now[2] == known[2]
