"""Formulas as KaTeX sets them, kept by content beside the doctrees; knows the engine, and nothing of Sphinx.

The engine is a process of its own (see ``katex_engine.py``), started for the first formula not known yet.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx_writing.core.tex import NOT_IN_LATEX, prepared, reason
from sphinx_writing.sphinx_ext import katex_engine as program

if TYPE_CHECKING:
    from sphinx_writing.core.tex import Macros

VENDORED = Path(__file__).parents[1] / "vendor" / "katex"
SCRIPT = VENDORED / "katex.min.js"
SHIPPED = VENDORED / "static"
"""What pages need: the style sheet and the fonts."""
SHEET = "katex/katex.min.css"
PACKAGE = "py_mini_racer"
REQUIREMENT = "mini-racer>=0.14.1,<0.15"


class Fault(ValueError):  # noqa: N818  # one of the formula
    """A formula that cannot be set: why, and where in its source."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(reason, position)
        self.reason = reason
        self.position = position


class Engine:
    """KaTeX in a process of its own."""

    def __init__(self) -> None:
        packages = Path(getattr(importlib.util.find_spec(PACKAGE), "origin", None) or "").parents[1]
        # -I and -S: no start-up files, no folder of the caller's; it needs one package
        self._process = subprocess.Popen(  # noqa: S603  # our own program
            [sys.executable, "-I", "-S", str(program.__file__), str(packages), str(SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        with suppress(OSError):  # one that cannot run is found when it is asked
            self._say(sorted(NOT_IN_LATEX))

    def set(self, tex: str, *, display: bool, macros: Macros) -> dict[str, Any]:
        """KaTeX's answer: ``html``, or ``fault`` and ``position``."""
        try:
            self._say([tex, display, {f"\\{name}": text for name, text in macros.items()}])
            answer = json.loads(self._process.stdout.readline()) if self._process.stdout else {}
        except (OSError, ValueError) as error:
            answer = {"failed": repr(error)}
        if "failed" in answer:
            stop()
            raise RuntimeError(f"the engine of KaTeX has ended: {answer['failed']}")
        return dict(answer)

    def _say(self, value: object) -> None:
        if self._process.stdin:
            print(json.dumps(value), file=self._process.stdin, flush=True)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


_engines: dict[int, Engine] = {}
"""The engine of each process. A forked one keeps that of its parent here, and leaves it alone."""


def engine() -> Engine:
    """The engine of this process, started now if there is none."""
    if os.getpid() not in _engines:
        _engines[os.getpid()] = Engine()
        atexit.register(stop)
    return _engines[os.getpid()]


def ask(tex: str, *, display: bool, macros: Macros) -> dict[str, Any]:
    """The engine's answer; one that has been ended from outside is started anew, once."""
    try:
        return engine().set(tex, display=display, macros=macros)
    except RuntimeError:
        return engine().set(tex, display=display, macros=macros)


def stop() -> None:
    """End the engine of this process, if there is one."""
    mine = _engines.pop(os.getpid(), None)
    if mine is not None:
        atexit.unregister(stop)
        mine.close()


def is_installed() -> bool:
    """Whether the package that the engine needs is there."""
    return importlib.util.find_spec(PACKAGE) is not None


@lru_cache(maxsize=1)
def identity() -> str:
    """What stands for all that makes a formula look as it does, but for its text and the macros."""
    parts = [SCRIPT.read_bytes(), program.RENDER.encode(), " ".join(sorted(NOT_IN_LATEX)).encode()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


@lru_cache(maxsize=1)
def commands() -> frozenset[str]:
    """The commands that KaTeX knows."""
    found = re.findall(r'"\\\\([A-Za-z]+)"', SCRIPT.read_text(encoding="utf-8"))
    return frozenset(found) - NOT_IN_LATEX


class Typesetter:
    """Sets formulas with *macros*; what has been set is kept below *folder*."""

    def __init__(self, folder: Path, macros: Macros) -> None:
        self._macros = macros
        look = hashlib.sha256(json.dumps([identity(), macros], sort_keys=True).encode()).hexdigest()[:16]
        self._folder = folder / look
        for other in folder.glob("*"):
            if other.name != look:
                shutil.rmtree(other, ignore_errors=True)

    def html(self, tex: str, *, display: bool = False, wrap: bool = True) -> str:
        """The formula *tex* as HTML with MathML in it; raises a fault. *wrap* is that of ``prepared``."""
        source = tex if display else tex.strip()
        form = prepared(source, display=display, wrap=wrap)
        answer = self._answer(form.text, display=display)
        if "html" in answer:
            return str(answer["html"])
        indent = 0 if display else len(tex) - len(tex.lstrip())
        position = int(answer["position"])
        at = form.place(position) if position >= 0 else -1
        place, why = reason(str(answer["fault"]), at, source, commands() | self._macros.keys())
        raise Fault(why, place + indent if place >= 0 else -1)

    def _answer(self, tex: str, *, display: bool) -> dict[str, Any]:
        """KaTeX's answer, as kept; else now, and kept."""
        name = hashlib.sha256(f"{display} {tex}".encode(errors="surrogatepass")).hexdigest()[:32]
        path = self._folder / name
        answer = kept(path)
        if answer is None:
            answer = ask(tex, display=display, macros=self._macros)
            if "passing" not in answer:
                keep(path, answer)
        return answer


def kept(path: Path) -> dict[str, Any] | None:
    """What is kept in the file at *path*, if its first line is the digest of the rest."""
    try:
        digest, _, text = path.read_bytes().partition(b"\n")
        found = json.loads(text) if digest == _digest(text) else None
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def keep(path: Path, answer: dict[str, Any]) -> None:
    """Keep *answer* in the file at *path*, which is never seen half written; others may write the same.

    Where something else stands in the way it is not kept, and set again in the next build.
    """
    text = json.dumps(answer).encode()
    half = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        half.write_bytes(_digest(text) + b"\n" + text)
        half.replace(path)


def _digest(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=16).hexdigest().encode()


_ANNOTATION = re.compile(r"<annotation\b[^>]*>[^<]*</annotation>")
_MATHML = re.compile(r"<math\b.*?</math>", re.DOTALL)
_PAINTED = '<span class="katex-html"'
_SPAN = re.compile(r"<(/?)span\b")


def mathml(html: str) -> str:
    """The MathML in a formula set by KaTeX, without its source."""
    found = _MATHML.search(html)
    return _ANNOTATION.sub("", found[0]) if found else ""


def spoken(html: str) -> str:
    """*html* with the MathML alone of each formula in it, so that its text says everything once."""
    while (start := html.find(_PAINTED)) >= 0:
        depth, stop = 0, len(html)
        for tag in _SPAN.finditer(html, start):
            depth += -1 if tag[1] else 1
            if not depth:
                stop = html.index(">", tag.end()) + 1
                break
        html = html[:start] + html[stop:]
    return _ANNOTATION.sub("", html)
