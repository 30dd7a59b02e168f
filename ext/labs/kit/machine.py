"""What was measured here: the machine in words, and the file that says what it gave."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from labs.kit.values import Value, rounded


def describe() -> str:
    """The machine this runs on: cores that may be used, processor, memory, kernel."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = f"{platform.system()} {platform.release().partition('-')[0]}"
    return f"{cores} cores of {processor()}, {memory:.0f} GiB, {system}"


def processor() -> str:
    """The name of the processor, else its architecture."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def dump(measured: Mapping[str, Value], command: str, runs: int, versions: Mapping[str, str]) -> str:
    """The text of a ``measured.json`` with what *command* measured on this machine today.

    *versions* are those of the tools that it used, beside Python and numpy.
    """
    return (
        json.dumps(
            {
                "machine": describe(),
                "date": datetime.now(UTC).date().isoformat(),
                "command": command,
                "runs": runs,
                "versions": {"Python": platform.python_version(), "numpy": version("numpy"), **versions},
                "values": {
                    name: {"value": rounded(value.value), "unit": value.unit}
                    for name, value in sorted(measured.items())
                },
            },
            indent=2,
            ensure_ascii=False,
        )
        + "\n"
    )
