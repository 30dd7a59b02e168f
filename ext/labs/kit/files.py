"""Which labs there are, and the files each one writes beside its note."""

from __future__ import annotations

import contextlib
import importlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, cast

from labs.kit import figures, machine, values

ROOT = Path(__file__).parents[1]


class LabError(Exception):
    """A lab that cannot be run; the message says what to do."""


class Lab(Protocol):
    """What a lab module offers.

    It may also have ``tables()``, which gives a ``Table`` by name, and ``measure()``, which times something
    on the machine it runs on and gives a ``Value`` by name; ``RUNS`` then says how often it did, and
    ``versions()`` gives the versions of the tools it used.
    """

    FIGURES: Mapping[str, figures.Draw]
    """Its plots, by file stem."""

    def values(self) -> Mapping[str, values.Value]:
        """The figures the note quotes, by name."""
        ...

    def main(self) -> None:
        """Print what the note shows: the same text every time."""
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


def computed(name: str) -> dict[str, values.Entry]:
    """The values and tables of the lab *name*, computed now."""
    lab = load(name)
    for wanted in ("values", "main", "FIGURES"):
        if not hasattr(lab, wanted):
            raise LabError(f"the lab {name} has no {wanted}; every lab has values(), main() and FIGURES")
    entries: dict[str, values.Entry] = dict(lab.values())
    for table, entry in getattr(lab, "tables", dict)().items():
        if table in entries:
            raise LabError(f'the lab {name} has both a value and a table "{table}"; rename one')
        entries[table] = entry
    return entries


def text_of(name: str, entries: Mapping[str, values.Entry]) -> str:
    """The text of the ``lab.json`` that holds *entries* of the lab *name*."""
    try:
        return values.dump(entries)
    except ValueError as error:
        raise LabError(f"the lab {name} computes what cannot be kept: {error}; mend the lab") from None


def printed(name: str) -> str:
    """What the lab *name* prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        load(name).main()
    return out.getvalue()


def write(name: str, folder: Path) -> list[Path]:
    """Run the lab *name* and write ``lab.json``, ``lab.txt`` and its plots into *folder*.

    Files that hold the same values stay: the last digits of a sum differ between machines. Returns those
    written.
    """
    if not folder.is_dir():
        raise LabError(
            f"the lab {name} has no note: make docs/{name}/index.md, or name the lab after its note "
            "(underscores for hyphens), or remove it"
        )
    entries, path = computed(name), folder / "lab.json"
    written = []
    if not path.is_file() or values.drift(entries, values.load(path.read_text(encoding="utf-8"))):
        path.write_text(text_of(name, entries), encoding="utf-8")
        written.append(path)
    output, text = folder / "lab.txt", printed(name)
    if not output.is_file() or output.read_text(encoding="utf-8") != text:
        output.write_text(text, encoding="utf-8")
        written.append(output)
    for stem, draw in load(name).FIGURES.items():
        written += figures.render(draw, stem, folder)
    return written


def measure(name: str, folder: Path) -> Path:
    """Measure what the lab *name* measures on this machine, and write ``measured.json`` into *folder*."""
    lab = load(name)
    if not hasattr(lab, "measure"):
        raise LabError(f"the lab {name} has no measure(), so it measures nothing")
    path = folder / "measured.json"
    command = f"python -m labs --measure {name}"
    versions: Mapping[str, str] = getattr(lab, "versions", dict)()
    text = machine.dump(lab.measure(), command, getattr(lab, "RUNS", 1), versions)
    path.write_text(text, encoding="utf-8")
    return path
