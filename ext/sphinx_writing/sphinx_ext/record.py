"""The record of an output folder: what each page in it showed from elsewhere, and the files we know of.

One file for each builder and output folder, kept with the doctrees. Before pages are written it is emptied
of digests, and only a finished build fills them in again: after a killed one the next writes every page.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.builders import Builder


@dataclass
class Record:
    """*digests* and *sizes* by docname as last written; *files* relative to the output folder.

    *written* are the documents that this run writes, *current* the digests that they now have.
    """

    digests: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    written: set[str] = field(default_factory=set)
    current: dict[str, str] = field(default_factory=dict)


def path_of(builder: Builder) -> Path:
    """Where the record of this builder and output folder is kept."""
    folder = hashlib.sha256(str(builder.outdir).encode()).hexdigest()[:16]
    return Path(builder.doctreedir) / "writing" / f"{builder.name}-{folder}.json"


def load(builder: Builder) -> Record:
    """The record as last saved; an empty one where there is none that can be read."""
    try:
        saved = json.loads(path_of(builder).read_text(encoding="utf-8"))
        return Record(saved["digests"], saved["sizes"], saved["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return Record()


def save(builder: Builder, record: Record) -> None:
    """Save *record*, whole or not at all."""
    path = path_of(builder)
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".tmp")
    saved = {"digests": record.digests, "sizes": record.sizes, "files": record.files}
    half.write_text(json.dumps(saved, sort_keys=True, indent=0), encoding="utf-8")
    half.replace(path)
