"""The file of learning paths: looked at in every build, before the catalogue is made."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_writing.core import paths
from sphinx_writing.core.paths import Fault, WrittenPath
from sphinx_writing.core.problems import Kind, Place
from sphinx_writing.sphinx_ext.report import Noted

if TYPE_CHECKING:
    from sphinx.application import Sphinx


@dataclass(frozen=True)
class PathsFile:
    """The file of learning paths as it is now; *name* is empty where a site has none."""

    name: str = ""
    digest: str = ""
    written: tuple[WrittenPath, ...] = ()
    faults: tuple[Fault, ...] = ()


def read(app: Sphinx) -> PathsFile:
    """What ``writing_paths`` names."""
    name = app.config.writing_paths
    if not name:
        return PathsFile()
    try:
        content = Path(app.srcdir, name).read_bytes()
        text = content.decode("utf-8-sig")
    except OSError:
        message = "there is no such file; make it, or take writing_paths out of conf.py"
        return PathsFile(name, faults=(Fault(Place(1), message),))
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        message = f"this file is not UTF-8 (byte {content[error.start]:#04x}); save it as UTF-8"
        return PathsFile(name, hashlib.sha256(content).hexdigest(), faults=(Fault(Place(line), message),))
    return PathsFile(name, hashlib.sha256(content).hexdigest(), *paths.read(text))


def said(app: Sphinx, file: PathsFile, more: Iterable[Fault]) -> Iterator[Noted]:
    """What is wrong in *file*, with what is wrong only beside the posts there are."""
    for fault in sorted((*file.faults, *more), key=lambda fault: fault.place):
        numbers = filter(None, (fault.place.line, fault.place.column))
        yield Noted(Kind.PATH, fault.message, ":".join(map(str, (Path(app.srcdir, file.name), *numbers))))
