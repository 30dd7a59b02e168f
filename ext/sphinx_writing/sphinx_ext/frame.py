"""The frame of an output: what its pages have from elsewhere than documents.

Configuration, templates, style sheets and the versions of what prints them. Sphinx compares most of these by
the time stamps of files, and does not look again after a build that was killed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import docutils
import sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.config import Config

PACKAGE = Path(__file__).parents[1]
NOT_SHOWN = {"writing_as_of"}
"""Values that no page shows as such; what follows from them is in the views."""


def frame_digest(app: Sphinx) -> str:
    """A digest of all that every page of this output shows or is printed by."""
    parts = [
        config_digest(app.config),
        " ".join(sorted(app.tags)),
        digest_of(templates(app)),
        digest_of(sheets(app)),
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def config_digest(config: Config) -> str:
    """A digest of the values that pages are made with."""
    values = {v.name: v.value for v in config.filter({"env", "html"}) if v.name not in NOT_SHOWN}
    return hashlib.sha256(stable(values).encode()).hexdigest()


def stable(value: object) -> str:
    """*value* as a text that is the same in every process."""
    if isinstance(value, Mapping):
        return f"{{{','.join(sorted(f'{stable(k)}:{stable(v)}' for k, v in value.items()))}}}"
    if isinstance(value, Set):
        return f"{{{','.join(sorted(map(stable, value)))}}}"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(stable, value))}]"
    if value is None or isinstance(value, str | bytes | int | float):
        return repr(value)
    if isinstance(value, Path):
        return repr(str(value))
    if is_dataclass(value) and not isinstance(value, type):
        return stable({field.name: getattr(value, field.name) for field in fields(value)})
    named = value if hasattr(value, "__qualname__") else type(value)
    return f"{getattr(named, '__module__', '')}.{getattr(named, '__qualname__', '')}"


def fingerprint(app: Sphinx) -> str:
    """The versions of all that reads documents; another one is a reason to read them all again."""
    versions = [f"{name} {extension.version}" for name, extension in sorted(app.extensions.items())]
    versions += [f"sphinx {sphinx.__version__}", f"docutils {docutils.__version__}"]
    ours = (file for file in files_below(PACKAGE) if file[0].endswith((".py", ".js")))
    code = [*ours, *code_of_the_site(app)]
    return hashlib.sha256("\n".join([*versions, digest_of(code)]).encode()).hexdigest()[:16]


def code_of_the_site(app: Sphinx) -> Iterator[Named]:
    """The site's own code: extensions that lie with its configuration, and that if it is one itself."""
    for name, extension in app.extensions.items():
        path = Path(getattr(extension.module, "__file__", None) or "")
        if path.is_relative_to(app.confdir):
            yield name, path
    if app.config.setup is not None:
        yield "conf.py", Path(app.confdir, "conf.py")


Named = tuple[str, Path]
"""A file, and its name relative to the folder that it was found in."""


def templates(app: Sphinx) -> Iterator[Named]:
    """All that pages of this output may be made from: templates of ours and of the site, and the theme."""
    for path in app.config.templates_path:
        yield from files_below(Path(app.confdir, path))
    if isinstance(app.builder, StandaloneHTMLBuilder) and getattr(app.builder, "theme", None):
        for folder in app.builder.theme.get_theme_dirs():
            yield from files_below(Path(folder))
    yield from files_below(PACKAGE / "templates")


def sheets(app: Sphinx) -> Iterator[Named]:
    """The style sheets and scripts of the site and ours, whose checksums pages carry."""
    for name, path in copies(Path(app.confdir), app.config.html_static_path):
        if name.endswith((".css", ".js", ".mjs")):
            yield name, path


_FILLED_IN = (".jinja", "_t")
"""Endings of static files that Sphinx fills in and copies without them."""


def copies(confdir: Path, entries: list[str]) -> Iterator[Named]:
    """The files in the folders and files *entries*, by the name that Sphinx copies them to."""
    for entry in (confdir / entry for entry in entries):
        for name, path in [(entry.name, entry)] if entry.is_file() else files_below(entry):
            yield next((name.removesuffix(end) for end in _FILLED_IN if name.endswith(end)), name), path


def copied(app: Sphinx) -> Iterator[str]:
    """The files of an output that are copied from the site's static and extra folders."""
    confdir, config = Path(app.confdir), app.config
    yield from (f"_static/{name}" for name, _path in copies(confdir, config.html_static_path))
    yield from (name for name, _path in copies(confdir, config.html_extra_path))


def files_below(folder: Path) -> Iterator[Named]:
    """The files below *folder*, also through links, as Sphinx copies them."""
    for place, folders, names in os.walk(folder, followlinks=True):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        below = Path(place).relative_to(folder)
        yield from ((below.joinpath(name).as_posix(), Path(place, name)) for name in sorted(names))


def digest_of(files: Iterable[Named]) -> str:
    """A digest of the names and contents of files."""
    total = hashlib.sha256()
    for name, path in files:
        if path.is_file():
            total.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
