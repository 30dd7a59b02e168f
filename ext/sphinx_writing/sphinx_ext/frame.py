"""The frame of an output: what its pages have from elsewhere than documents.

Configuration, templates, style sheets and the versions of what prints them. Sphinx compares most of these by
the time stamps of files, and does not look again after a build that was killed.
"""

from __future__ import annotations

import hashlib
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
    parts = [config_digest(app.config), digest_of(templates(app)), digest_of(sheets(app))]
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
    return hashlib.sha256("\n".join([*versions, digest_of(PACKAGE.rglob("*.py"))]).encode()).hexdigest()[:16]


def templates(app: Sphinx) -> Iterator[Path]:
    """All templates that pages of this output may be made from: ours, the theme's and the site's."""
    folders = [Path(app.confdir, path) for path in app.config.templates_path]
    if isinstance(app.builder, StandaloneHTMLBuilder) and getattr(app.builder, "theme", None):
        folders += [Path(folder) for folder in app.builder.theme.get_theme_dirs()]
    for folder in [*folders, PACKAGE / "templates"]:
        yield from (path for path in folder.rglob("*") if "static" not in path.relative_to(folder).parts)


def sheets(app: Sphinx) -> Iterator[Path]:
    """The style sheets and scripts of the site and ours, whose checksums every page carries."""
    for folder in (Path(app.confdir, entry) for entry in app.config.html_static_path):
        found = [folder] if folder.is_file() else folder.rglob("*")
        yield from (path for path in found if path.suffix in (".css", ".js"))


def digest_of(paths: Iterable[Path]) -> str:
    """A digest of the names and contents of files."""
    total = hashlib.sha256()
    for path in sorted(set(paths)):
        if path.is_file():
            total.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
