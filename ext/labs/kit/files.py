"""Which labs there are, and the files each one writes beside its note."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, cast

from labs.kit import figures, values

ROOT = Path(__file__).parents[1]


class LabError(Exception):
    """A lab that cannot be run; the message says what to do."""


class Lab(Protocol):
    """What a lab module offers: its values, and its plots by file stem."""

    FIGURES: Mapping[str, figures.Draw]

    def values(self) -> Mapping[str, values.Value]:
        """The figures the note quotes, by name."""
        ...


def names() -> list[str]:
    """All labs as ``series/slug``, sorted."""
    modules = (p.relative_to(ROOT) for p in ROOT.glob("*/*.py"))
    return sorted(
        f"{path.parent.name}/{path.stem}".replace("_", "-")
        for path in modules
        if path.parent.name != "kit" and path.stem != "__init__"
    )


def load(name: str) -> Lab:
    """The module of the lab *name* (``infra/nccl`` is ``labs.infra.nccl``, hyphens are underscores)."""
    stem = ROOT / f"{name}.py"
    if "-" in name and stem.is_file():
        raise LabError(f"{stem.name} cannot be imported; name it {stem.name.replace('-', '_')}")
    module = importlib.import_module("labs." + name.replace("-", "_").replace("/", "."))
    return cast(Lab, module)


def write(name: str, folder: Path) -> list[Path]:
    """Compute the lab *name* and write ``lab.json`` and its plots into *folder*."""
    lab = load(name)
    if not folder.is_dir():
        raise LabError(f"the lab {name} has no note: make docs/{name}/index.md, or remove the lab")
    path = folder / "lab.json"
    path.write_text(values.dump(lab.values()), encoding="utf-8")
    paths = [path]
    for stem, draw in lab.FIGURES.items():
        paths += figures.render(draw, stem, folder)
    return paths
