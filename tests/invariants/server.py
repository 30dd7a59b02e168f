"""A process that has imported Sphinx and forks one child for each build, so that a build costs no imports.

It never builds itself: Sphinx keeps checksums of files, loaded themes and more in memory. A child starts from the
same memory as every other, as a fresh ``python -m sphinx`` does. Requests and answers are lines of JSON.
"""

from __future__ import annotations

import gc
import json
import mmap
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import IO, Any

PRELOADED = (
    "sphinx.cmd.build",
    "sphinx.builders.dirhtml",
    "sphinx.builders.epub3",
    "sphinx.builders.latex",
    "sphinx.builders.text",
    "sphinx.search.en",
    "alabaster",
    "furo",
    "myst_parser.parsers.sphinx_",
    "myst_parser.sphinx_ext.main",
    "sphinx_writing",
)
WRITING = os.O_WRONLY | os.O_RDWR


@dataclass
class Kill:
    """Ends a build by SIGKILL as it comes to its event number *at* below one of *folders*.

    An event is a file opened for writing, renamed, linked or removed. *how* is ``before`` the event;
    ``empty``: the file has just been opened and holds nothing; ``half``: half of it has been written.
    """

    at: int
    how: str
    folders: list[str]

    def __post_init__(self) -> None:
        self.seen = mmap.mmap(-1, 8)  # shared with the processes of a build with several jobs
        self.torn: str | None = None
        self.busy = False

    @property
    def count(self) -> int:
        """The events so far."""
        return int.from_bytes(self.seen[:8], "little")

    def hook(self, event: str, args: tuple[Any, ...]) -> None:
        """The audit hook."""
        if self.busy or not event.startswith(("open", "os.")):
            return
        path = changed(event, args)
        if path is None or not path.startswith(tuple(self.folders)):
            return
        if self.torn is not None:
            self.tear(self.torn, 2)
        self.seen[:8] = (self.count + 1).to_bytes(8, "little")
        if self.count == self.at:
            self.come_to(event, path)

    def come_to(self, event: str, path: str) -> None:
        """End the process at the event, or note the file that is to be torn at the next one."""
        if event != "open" or self.how == "before":
            die()
        if self.how == "empty":
            self.tear(path, 0)
        self.torn = path

    def tear(self, path: str, divisor: int) -> None:
        """Cut the file off and end the process."""
        self.busy = True
        with suppress(OSError):
            os.truncate(path, Path(path).stat().st_size // divisor) if divisor else Path(path).write_bytes(
                b""
            )
        die()

    def at_end(self) -> None:
        """The build is over: the last file may be the one to be torn."""
        if self.torn is not None:
            self.tear(self.torn, 2)


def changed(event: str, args: tuple[Any, ...]) -> str | None:
    """The file that *event* is about to change, if it changes one."""
    if event == "open":
        path, _mode, flags = args
        return str(path) if isinstance(path, str | Path) and flags & WRITING else None
    if event in ("os.rename", "os.link", "os.symlink"):
        return os.fsdecode(args[1])
    return os.fsdecode(args[0]) if event in ("os.remove", "os.rmdir") else None


def die() -> None:
    """End this process and all others of the build, as a power cut would."""
    os.killpg(0, signal.SIGKILL)


def child(request: dict[str, Any], kill: Kill | None, output: int) -> None:
    """Build as ``python -m sphinx`` does, then end."""
    os.setpgid(0, 0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.environ.update(request["environment"])
    if kill is not None:
        sys.addaudithook(kill.hook)
    code = 70
    try:
        code = import_module("sphinx.cmd.build").main(request["arguments"])
        if kill is not None:
            kill.at_end()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Run one build in a child and say how it ended, after every process of it is gone."""
    kill = Kill(**request["kill"]) if request["kill"] else None
    messages, output = os.pipe()
    start = time.monotonic()
    pid = os.fork()
    if not pid:
        os.close(messages)
        child(request, kill, output)
    with suppress(OSError):  # the child may have done it, or be gone
        os.setpgid(pid, pid)
    os.close(output)
    text = read_all(messages, pid, start + request["seconds"] if request["seconds"] else None)
    _, status = os.waitpid(pid, 0)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "messages": text,
        "events": kill.count if kill else 0,
        "seconds": time.monotonic() - start,
    }


def read_all(messages: int, group: int, deadline: float | None) -> str:
    """All that a build prints until no process of it is left; *group* is killed at the *deadline*."""
    found = b""
    with os.fdopen(messages, "rb", buffering=0) as stream:
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not select.select([stream], [], [], left)[0]:
                os.killpg(group, signal.SIGKILL)
                deadline = None
            elif piece := stream.read(65536):
                found += piece
            else:
                return found.decode(errors="replace")


def serve() -> None:
    """Answer requests until there are no more."""
    for name in PRELOADED:
        import_module(name)
    for name in import_module("sphinx.application").builtin_extensions:
        import_module(name)
    gc.freeze()
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


@dataclass(frozen=True)
class Result:
    """How a build ended: its exit code (negative for a signal), what it printed, file events, seconds."""

    code: int
    messages: str
    events: int
    seconds: float


class Server:
    """The server as its user sees it; *seed* is that of Python's hashes, which a fresh process draws."""

    def __init__(self, seed: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        )

    def build(
        self,
        arguments: list[str],
        environment: dict[str, str],
        *,
        kill: dict[str, Any] | None = None,
        seconds: float = 0.0,
    ) -> Result:
        """Build with the *arguments* of ``sphinx-build``; end it by *kill*, or after so many *seconds*."""
        request = {"arguments": arguments, "environment": environment, "kill": kill, "seconds": seconds}
        to, back = self._pipes()
        print(json.dumps(request), file=to, flush=True)
        return Result(**json.loads(back.readline()))

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        assert self.process.stdin and self.process.stdout
        return self.process.stdin, self.process.stdout

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pipe in self._pipes():
            pipe.close()
        self.process.wait()


if __name__ == "__main__":
    serve()
