"""Runs one build as a process of its own and says what it cost."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .corpus import PICTURES

ROOT = Path(__file__).parents[2]


class BuildFailed(RuntimeError):  # noqa: N818  # a sentence for the reader, not an error of this program
    """A build or an installation ended with an error; the text says which and where its output is."""


@dataclass(frozen=True)
class Work:
    """The folder that everything is written into."""

    folder: Path

    @property
    def sources(self) -> Path:
        """Where the posts are written to."""
        return self.folder / "sources"

    @property
    def out(self) -> Path:
        """Where sites are built to."""
        return self.folder / "out"

    @property
    def extras(self) -> Path:
        """Packages for Sphinx that the project's own Python lacks."""
        return self.folder / "extras"

    @property
    def tools(self) -> Path:
        """The venv of the other generators."""
        return self.folder / "tools"

    @property
    def themes(self) -> Path:
        """Hugo's themes."""
        return self.folder / "themes"

    @property
    def pictures(self) -> Path:
        """A project that has every diagram; its drawings are kept from one run of the benchmark to the next."""
        return self.folder / "pictures"

    @property
    def log(self) -> Path:
        """What builds and installations print."""
        return self.folder / "bench.log"

    def copy_pictures(self, folder: Path) -> None:
        """Put the drawings that there are into the source *folder*."""
        if (self.pictures / PICTURES).is_dir():
            shutil.copytree(self.pictures / PICTURES, folder / PICTURES, dirs_exist_ok=True)

    def environment(self) -> dict[str, str]:
        """The environment of a build: this checkout's extension first, no chance, compiled modules kept."""
        paths = [str(ROOT / "ext"), str(self.extras), os.environ.get("PYTHONPATH", "")]
        kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        paths = [path for path in paths if path]
        return kept | {
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONHASHSEED": "0",
            "NO_MKDOCS_2_WARNING": "1",
        }


def cost(work: Work, command: list[str]) -> dict[str, float]:
    """What *command* took: CPU seconds with all children, wall seconds, memory of the largest process."""
    with work.log.open("ab") as log:
        log.write(f"\n$ {' '.join(command)}\n".encode())
        log.flush()
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=ROOT, env=work.environment())
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise BuildFailed(f"{' '.join(command)} ended with {process.returncode}; see {work.log}")
    return {"cpu_s": used.ru_utime + used.ru_stime, "wall_s": wall, "peak_mib": used.ru_maxrss / 1024}


def clean(out: Path) -> None:
    """Remove a built site and what its generator kept for the next build."""
    shutil.rmtree(out, ignore_errors=True)
    shutil.rmtree(f"{out}.kept", ignore_errors=True)
