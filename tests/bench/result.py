"""The result as a file: figures, commit, versions and machine."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from . import install
from .measure import ROOT, Work

SCHEMA = 1
"""Raised when a figure changes its meaning or its name."""


class Unreadable(ValueError):  # noqa: N818  # a sentence for the reader
    """A file is no result of this schema."""


def commit() -> dict[str, Any]:
    """The commit that is checked out, and whether files differ from it."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        return {"id": "unknown", "changed": False}
    ask = [git, "-C", str(ROOT)]
    head = subprocess.run([*ask, "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout
    status = subprocess.run(
        [*ask, "status", "--porcelain"], capture_output=True, text=True, check=False
    ).stdout
    return {"id": head.strip() or "unknown", "changed": bool(status.strip())}


def machine() -> dict[str, Any]:
    """What the builds run on."""
    return {
        "cpu": cpu_model(),
        "cpus": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load_at_start": os.getloadavg()[0],
    }


def cpu_model() -> str:
    """The name of the processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.is_file() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def versions(work: Work) -> dict[str, str]:
    """Every package that a build could use; those of the other generators have their names before them."""
    here = install.versions([*map(Path, filter(None, sys.path)), work.extras])
    return here | {f"tools/{name}": version for name, version in install.tool_versions(work).items()}


def now() -> str:
    """The time in UTC, fit for the name of a file."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H%M%SZ")


def write(folder: Path, result: dict[str, Any]) -> Path:
    """Write *result* into *folder* under its commit and time; the file."""
    changed = "-changed" if result["commit"]["changed"] else ""
    folder.mkdir(exist_ok=True)
    path = folder / f"{result['commit']['id'][:10]}{changed}-{result['made']}.json"
    path.write_text(json.dumps({"schema": SCHEMA, **result}, indent=1) + "\n", encoding="utf-8")
    return path


def read(path: Path) -> dict[str, Any]:
    """The result in a file."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path} cannot be read: {error}") from None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise Unreadable(f"{path} is no result of schema {SCHEMA}")
    return found
