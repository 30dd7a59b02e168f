"""The drawing engine: mermaid in QuickJS, in processes of its own that can be stopped.

Serves the reading phase through `drawing.py`. Run as a program, this file is such a process; it then imports
nothing of ours. A crash or a layout without end is thus a fault of one diagram, and nothing of the engine is
left in the build.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

Look = Mapping[str, Any]
"""The configuration that mermaid is given for one theme."""


class EngineMissing(Exception):  # noqa: N818 - a state of the machine, not a fault of the diagram
    """The drawing engine is not installed."""


class DiagramError(ValueError):
    """The source cannot be drawn; the text says why."""


class Engine(Protocol):
    """What draws: the same SVG each time for the same *name*, *version*, source and look."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def version(self) -> str:
        """The installed release, else the one that committed drawings are expected from."""

    def render(self, source: str, looks: Sequence[Look]) -> list[str]:
        """The SVG of *source* in each of *looks*."""


@dataclass(frozen=True)
class Mermaidx:
    """The engine that is used; *known* is the release that committed drawings were made by."""

    name: str = "mermaidx"
    known: str = "0.10.1"
    seconds: float = 600
    """How long a drawing may take: a chain of sixty boxes takes half a minute, more on a busy machine."""

    @property
    def version(self) -> str:
        """The installed release, else the known one."""
        try:
            return importlib.metadata.version(self.name)
        except importlib.metadata.PackageNotFoundError:
            return self.known

    def render(self, source: str, looks: Sequence[Look]) -> list[str]:
        """The SVG of *source* in each of *looks*, drawn at the same time."""
        if importlib.util.find_spec(self.name) is None:
            raise EngineMissing
        with ThreadPoolExecutor(len(looks)) as threads:
            return list(threads.map(partial(self._render, source), looks))

    def _render(self, source: str, look: Look) -> str:
        command = [sys.executable, "-P", __file__]
        asked = json.dumps([source, look]).encode()
        environment = {**os.environ, "TZ": "UTC"}  # days of a Gantt chart are as long everywhere
        try:
            done = subprocess.run(  # noqa: S603 - our own file, by our own Python
                command, input=asked, capture_output=True, timeout=self.seconds, env=environment, check=False
            )
        except subprocess.TimeoutExpired:
            raise DiagramError(f"it takes longer than {self.seconds:g} s; draw it in parts") from None
        if done.returncode:
            raise DiagramError(f"{self.name} ended with {done.returncode}; draw it in parts")
        kind, text = json.loads(done.stdout)
        if kind == "fault":
            raise DiagramError(text)
        return str(text)


_SEEDED_RANDOM = "{ let s = 1; Math.random = () => (s = (s * 16807) % 2147483647) / 2147483647; }"


def main() -> None:
    """Draw what standard input asks for; the answer is the SVG or the fault."""
    source, look = json.load(sys.stdin.buffer)
    engine = _seeded(importlib.import_module("mermaidx.engine").Engine())
    try:
        engine.start()
        answer = "svg", engine.render_svg(source, "base", look, None)
    except Exception as error:  # mermaid's own and, on odd input, those of the JavaScript under it
        answer = "fault", str(error)
    sys.stdout.write(json.dumps(answer))
    sys.stdout.flush()
    os._exit(0)  # the engine would make ready for another drawing first


def _seeded(engine: Any) -> Any:
    """*engine* taking chance from a fixed seed: Git graphs ask for it, and no setting reaches it."""
    build = engine._build_context

    def build_seeded() -> Any:
        context = build()
        context.eval(_SEEDED_RANDOM)
        return context

    engine._build_context = build_seeded
    return engine


if __name__ == "__main__":
    main()
