"""Building the tiny projects under ``roots/``."""

from __future__ import annotations

import hashlib
import re
import shutil
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from sphinx.testing.util import SphinxTestApp

ROOTS = Path(__file__).parent / "roots"
_COLOUR = re.compile(r"\x1b\[[\d;]*m")


@dataclass(frozen=True)
class Built:
    """A finished build: its output folder, its warnings line by line with paths relative to the source."""

    source: Path
    out: Path
    warnings: list[str]

    def text(self, name: str) -> str:
        """The text of an output file."""
        return (self.out / name).read_text(encoding="utf-8")

    def tree(self) -> dict[str, str]:
        """A digest of every file of the output folder, by path."""
        return {
            path.relative_to(self.out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.out.rglob("*"))
            if path.is_file()
        }

    def files_with(self, word: str) -> list[str]:
        """The output files whose bytes or name hold *word*, in any letter case."""
        return [
            path.relative_to(self.out).as_posix()
            for path in sorted(self.out.rglob("*"))
            if path.is_file()
            and (word.lower().encode() in path.read_bytes().lower() or word.lower() in path.name.lower())
        ]


class Project:
    """A copy of a tiny project that can be edited and built again."""

    def __init__(self, name: str, folder: Path) -> None:
        self.source = folder / "source"
        shutil.copytree(ROOTS / f"test-{name}", self.source)
        self.folder = folder

    def write(self, name: str, text: str) -> None:
        """Write a source file."""
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def replace(self, name: str, old: str, new: str) -> None:
        """Replace *old*, which must be there, by *new* in a source file."""
        path = self.source / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def build_apart(self, builder: str = "html", to: str = "out", **options: Any) -> Built:
        """Build in a process of its own, as authors do: Sphinx remembers checksums of files within one."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads beside a fork; there are none
            with ProcessPoolExecutor(1, mp_context=get_context("fork")) as process:
                return process.submit(self.build, builder, to, **options).result()

    def build(
        self,
        builder: str = "html",
        to: str = "out",
        *,
        jobs: int = 1,
        fresh: bool = False,
        **config: object,
    ) -> Built:
        """Build into the folder *to*, which holds its own doctrees; *fresh* empties it first."""
        folder = self.folder / to
        if fresh:
            shutil.rmtree(folder, ignore_errors=True)
        app = SphinxTestApp(
            buildername=builder,
            srcdir=self.source,
            builddir=folder,
            confoverrides=config,
            freshenv=False,
            parallel=jobs,
        )
        try:
            app.build()
            prefix = f"{self.source}/"
            lines = _COLOUR.sub("", app.warning.getvalue()).replace(prefix, "").splitlines()
            return Built(self.source, Path(app.outdir), [line for line in lines if line.strip()])
        finally:
            app.cleanup()


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Callable[[str], Project]]:
    """Make a project from the root of that name."""
    yield lambda name: Project(name, tmp_path)
