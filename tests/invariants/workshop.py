"""A folder in which a corpus is written, edited and built, and where incremental builds meet clean ones."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .corpus import Corpus
from .server import Result, Server
from .steps import Harm, Step

OLD = 1_600_000_000 * 10**9
"""A time before all others, in nanoseconds."""
TICK = 0.01
"""Seconds between a build and the next edit: within the same tick of the clock no author edits."""
PAGES = (".html", ".xhtml", ".tex", ".txt")
"""The endings of pages; copied sources and static files are none."""


class Source:
    """The source folder; knows when each file held which bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.times: dict[tuple[str, bytes], int] = {}

    def write(self, corpus: Corpus, stamp: str) -> None:
        """Make the folder hold *corpus*, touching only what differs; for *stamp* see ``Step``."""
        wanted = corpus.files()
        for path in files_below(self.folder):
            if path.relative_to(self.folder).as_posix() not in wanted:
                remove(path, self.folder)
        for name, content in wanted.items():
            path = self.folder / name
            if not path.is_file() or path.read_bytes() != content:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                self.date(path, name, content, stamp)

    def date(self, path: Path, name: str, content: bytes, stamp: str) -> None:
        """Give a file that was just written its time."""
        then = self.times.setdefault((name, content), path.stat().st_mtime_ns)
        if stamp != "now":
            when = then if stamp == "then" else OLD
            os.utime(path, ns=(when, when))
        self.times[name, content] = path.stat().st_mtime_ns


def files_below(folder: Path) -> list[Path]:
    """The files below *folder*, sorted; what Python and Sphinx keep for themselves is left out."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {".doctrees", "__pycache__"} & set(path.relative_to(folder).parts)
    ]


def remove(path: Path, top: Path) -> None:
    """Remove a file, and the folders that are empty then."""
    path.unlink()
    for folder in path.parents:
        if folder == top or any(folder.iterdir()):
            break
        folder.rmdir()


def tree(out: Path) -> dict[str, str]:
    """A digest of every file of an output folder, by path; of an EPUB one of each member.

    The members of an EPUB carry the times of the files they were made from; their names, their order
    and their bytes are compared.
    """
    found = {}
    for path in files_below(out):
        name = path.relative_to(out).as_posix()
        if path.suffix == ".epub":
            with zipfile.ZipFile(path) as archive:
                found[f"{name}: order"] = " ".join(archive.namelist())
                found |= {f"{name}: {member}": digest(archive.read(member)) for member in archive.namelist()}
        else:
            found[name] = digest(path.read_bytes())
    return found


def digest(content: bytes) -> str:
    """A digest of *content*."""
    return hashlib.sha256(content).hexdigest()


def differences(one: dict[str, str], other: dict[str, str]) -> list[str]:
    """What differs between two trees: ``+`` only in the first, ``-`` only in the other, ``*`` other bytes."""
    sign = {name: "+-*"[(name in one) + (name in other) * 2 - 1] for name in one.keys() | other.keys()}
    return [f"{sign[name]} {name}" for name in sorted(sign) if one.get(name) != other.get(name)]


def is_page(path: Path, out: Path) -> bool:
    """Whether a file of an output folder is a page."""
    return path.suffix in PAGES and not path.relative_to(out).parts[0].startswith("_")


def do_harm(out: Path, harm: Harm) -> None:
    """Do *harm* to a file of an output folder, if there is one."""
    found = [path for path in files_below(out) if is_page(path, out) == (harm.kind == "page")]
    if not found:
        return
    path = found[harm.which % len(found)]
    content = path.read_bytes()
    if harm.how == "delete":
        path.unlink()
    elif harm.how == "turn":
        path.write_bytes(content[::-1])
    else:
        path.write_bytes(content[: len(content) // 2] if harm.how == "cut" else b"")


@dataclass
class Workshop:
    """One run of a sequence in *folder*; *servers* take turns, as each has other hashes."""

    folder: Path
    servers: Sequence[Server]
    corpus: Corpus = field(default_factory=Corpus)
    history: list[Corpus] = field(default_factory=list)
    used: dict[str, Step] = field(default_factory=dict)
    cleaned: dict[str, dict[str, str]] = field(default_factory=dict)
    turn: int = 0
    formulas: Path | None = None
    """Formulas that clean builds have set: later ones take them over, so that not each starts the engine."""

    def __post_init__(self) -> None:
        self.source = Source(self.folder / "source")
        self.source.folder.mkdir()
        self.source.write(self.corpus, "now")

    def run(self, steps: Iterable[Step]) -> None:
        """Take the steps, then compare all that was built with clean builds."""
        for step in steps:
            self.edit(step)
            for harm in step.harm:
                do_harm(self.folder / "kept" / step.out, harm)
            self.build_with_kills(step)
            self.used[step.out] = step
        for step in self.used.values():
            self.compare(step)

    def edit(self, step: Step) -> None:
        """Make the edits of *step*."""
        time.sleep(TICK)
        before = self.corpus
        if step.back and self.history:
            self.corpus = self.history[-min(step.back, len(self.history))]
        for name, value in step.edits:
            self.corpus = self.corpus.change(name, value)
        self.history.append(before)
        self.cleaned.clear()
        self.source.write(self.corpus, step.stamp)

    def build_with_kills(self, step: Step) -> None:
        """Build as *step* says, killed as often as it says."""
        kept = self.folder / "kept"
        for kill in step.kill:
            saved = self.folder / "saved"
            kept.mkdir(exist_ok=True)
            shutil.copytree(kept, saved)
            usual = self.build(step, kept, counted=True)
            shutil.rmtree(kept)
            saved.rename(kept)
            if kill.how == "time":
                self.build(step, kept, seconds=max(kill.at * usual.seconds / 1000, 0.01))
            else:
                at = 1 + kill.at * usual.events // 1000
                self.build(step, kept, kill={"at": at, "how": kill.how})
        if step.finish or not step.kill:
            self.build(step, kept)

    def build(
        self,
        step: Step,
        into: Path,
        *,
        jobs: int = 0,
        counted: bool = False,
        kill: dict[str, object] | None = None,
        seconds: float = 0.0,
    ) -> Result:
        """One build into the folder *into*; it must succeed, or be killed if it is to be."""
        server = self.servers[self.turn % len(self.servers)]
        self.turn += 1
        if counted or kill:
            kill = {"at": 0, "how": "before", **(kill or {}), "folders": [f"{into}/"]}
        environment = self.corpus.config.environment()
        result = server.build(self.arguments(step, into, jobs), environment, kill=kill, seconds=seconds)
        ended = (0, -9) if seconds or (kill and not counted) else (0,)
        assert result.code in ended, f"{step.text()}\n{result.messages}"
        return result

    def arguments(self, step: Step, into: Path, jobs: int) -> list[str]:
        """The arguments of ``sphinx-build``."""
        out = into / step.out
        options = ["-q", "-b", step.builder, "-j", str(jobs or step.jobs)]
        options += ["-d", str(into / "doctrees")] if step.doctrees == "shared" else []
        options += [step.flag] if step.flag.startswith("-") else []
        named = [str(self.source.folder / "guide.md")] if step.flag == "file" else []
        return [*options, str(self.source.folder), str(out), *named]

    def compare(self, step: Step) -> None:
        """Build plainly into the folder that *step* built into: it must be as clean builds make it."""
        plain = Step(builder=step.builder, folder=step.folder, doctrees=step.doctrees)
        for name in ("incremental", "built again", "built once more"):
            self.build(plain, self.folder / "kept")
            found = differences(tree(self.folder / "kept" / step.out), self.clean(plain))
            assert not found, f"{step.out}: {name} (+) and clean (-) differ:\n" + "\n".join(found)

    def clean(self, step: Step) -> dict[str, str]:
        """What clean builds make now, with one job and with two."""
        if step.builder not in self.cleaned:
            one, two = (self.clean_with(step, jobs) for jobs in (1, 2))
            found = differences(two, one)
            assert not found, f"{step.out}: two jobs (+) and one (-) differ:\n" + "\n".join(found)
            self.cleaned[step.builder] = one
        return self.cleaned[step.builder]

    def clean_with(self, step: Step, jobs: int) -> dict[str, str]:
        """What a clean build makes with so many jobs."""
        into = self.folder / "clean"
        shutil.rmtree(into, ignore_errors=True)
        doctrees = into / "doctrees" if step.doctrees == "shared" else into / step.out / ".doctrees"
        known, formulas = doctrees / "writing" / "math", self.formulas or self.folder / "formulas"
        formulas.mkdir(exist_ok=True)
        shutil.copytree(formulas, known)
        self.build(step, into, jobs=jobs)
        shutil.copytree(known, formulas, dirs_exist_ok=True)
        return tree(into / step.out)
