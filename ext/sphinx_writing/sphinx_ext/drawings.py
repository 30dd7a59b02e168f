"""The folder of drawings in the source folder, committed with the text: each under the digest of its source.

Serves the reading phase, which fills it, and the one after it, which reports what nobody uses.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Container
from pathlib import Path

from sphinx_writing.sphinx_ext.drawing import digest, draw
from sphinx_writing.sphinx_ext.svg import outside

_ENDINGS = {".svg": "light", "-dark.svg": "dark", ".pdf": "pdf"}
_WHOLE = {".svg": (b"<svg", b"</svg>"), ".pdf": (b"%PDF-", b"%%EOF")}
"""How a drawing begins and ends."""
_OURS = re.compile(r"([0-9a-f]{16})(?:-dark\.svg|\.svg|\.pdf)|(\..+\.tmp)")


def keep(source: str, folder: Path) -> str:
    """The name of the drawing of *source*, drawn now unless its files are in *folder* and whole."""
    name = digest(source)
    files = {folder / f"{name}{ending}": part for ending, part in _ENDINGS.items()}
    missing = {path: part for path, part in files.items() if not _is_whole(path)}
    if missing:
        drawing = draw(source)
        for path, part in missing.items():
            content = getattr(drawing, part)
            _write(path, content if isinstance(content, bytes) else content.encode())
    return name


def left_over(folder: Path, wanted: Container[str]) -> list[list[str]]:
    """The files in *folder* of drawings that are not *wanted*, by drawing; others there are not ours."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        match = _OURS.fullmatch(path.name)
        if match and (match[1] or match[2]) not in wanted:
            found.setdefault(match[1] or match[2], []).append(path.name)
    return list(found.values())


def _is_whole(path: Path) -> bool:
    """Whether the drawing at *path* is there, was neither cut nor emptied, and runs and fetches nothing."""
    begin, end = _WHOLE[path.suffix]
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return False
    whole = content.startswith(begin) and content.rstrip().endswith(end)
    return whole and (path.suffix != ".svg" or outside(content.decode(errors="replace")) is None)


def _write(path: Path, content: bytes) -> None:
    """Write *content* in one step, unless another process has drawn the same meanwhile.

    A file written twice would look newer than the documents already read, which would then be read again.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if _is_whole(path):
        return
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", suffix=".tmp", delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o644)  # a temporary file is private, a drawing is shared
    Path(file.name).replace(path)
