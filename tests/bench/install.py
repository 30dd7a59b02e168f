"""Gets what is measured but not in the project's own Python: into the work folder, by pip, at fixed versions."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from .flavours import HUGO, HUGO_SITE, MATERIAL, MERMAID, MKDOCS, SPHINX, Flavour
from .measure import BuildFailed, Work

PIP = ["-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input"]


def prepare(work: Work, flavours: Iterable[Flavour], papermod: Path | None) -> dict[str, str]:
    """Install what *flavours* need; the flavours that cannot be measured, with the reason."""
    left_out: dict[str, str] = {}
    forms = {flavour.form.name for flavour in flavours}
    steps = {
        SPHINX.name: lambda: extra(work, "sphinxcontrib.mermaid", MERMAID),
        MKDOCS.name: lambda: tool(work, MATERIAL),
        HUGO_SITE.name: lambda: with_theme(work, papermod),
    }
    for name in [name for name in steps if name in forms]:
        try:
            steps[name]()
        except BuildFailed as failed:
            left_out |= {flavour.name: str(failed) for flavour in flavours if flavour.form.name == name}
    return left_out


def extra(work: Work, module: str, requirement: str) -> None:
    """Make *module* importable for Sphinx, unless the project's own Python has it."""
    name = requirement.partition("==")[0]
    if has(module) or name in versions([work.extras]):
        return
    pip(work, [sys.executable], "--no-deps", "--target", str(work.extras), requirement)


def has(module: str) -> bool:
    """Whether this Python can import *module*."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def tool(work: Work, requirements: tuple[str, ...]) -> None:
    """Install *requirements* into the venv of the other generators."""
    there = {f"{name}=={version}" for name, version in tool_versions(work).items()}
    if not there.issuperset(requirements):
        run(work, [sys.executable, "-m", "venv", str(work.tools)], "a venv cannot be made")
        pip(work, [str(work.tools / "bin/python")], *requirements)


def with_theme(work: Work, papermod: Path | None) -> None:
    """Install Hugo and copy the theme PaperMod to where Hugo looks."""
    if papermod is None:
        raise BuildFailed("give --papermod, a folder with the theme PaperMod")
    if not (papermod / "theme.toml").is_file():
        raise BuildFailed(f"{papermod} is no Hugo theme: it has no theme.toml")
    tool(work, HUGO)
    copy = work.themes / "PaperMod"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(papermod, copy, ignore=shutil.ignore_patterns(".git"))


def pip(work: Work, python: list[str], *arguments: str) -> None:
    """Install by pip, as it is set up on this machine."""
    names = " ".join(argument for argument in arguments if "==" in argument)
    run(work, [*python, *PIP, "install", "--retries", "1", *arguments], f"pip cannot install {names}")


def run(work: Work, command: list[str], trouble: str) -> None:
    """Run *command*, or say *trouble*."""
    with work.log.open("ab") as log:
        if subprocess.run(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, check=False).returncode:
            raise BuildFailed(f"{trouble}; see {work.log}")


def tool_versions(work: Work) -> dict[str, str]:
    """The packages in the venv of the other generators."""
    return versions(work.tools.glob("lib/python3*/site-packages"))


def versions(folders: Iterable[Path]) -> dict[str, str]:
    """The packages that are installed in *folders*."""
    found = importlib.metadata.distributions(path=[str(folder) for folder in folders])
    return dict(sorted((distribution.name, distribution.version) for distribution in found))
