"""Two sites of hostile sources, each built once by the real program, and what its pages hold."""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

import sphinx_writing

from .generate import Hostile, sources

OURS = {"PYTHONPATH": str(Path(sphinx_writing.__file__).parents[1])}
"""So that the program runs the code that is tested here, wherever it is installed."""
AS_OF = "2026-11-30"
PER_SERIES = 50
SCRIPT = "<script>alert(payload{})</script>"
CONF = f"""\
extensions = ["sphinx_writing"]
html_theme = "THEME"
writing_as_of = "{AS_OF}"
project = "Hostile"
copyright = "2026"
version = "1"
myst_enable_extensions = ["dollarmath"]
html_math_renderer = "katex"
html_baseurl = "https://example.org/"
"""
LISTS = (":style: sentence", ":style: series", ":style: list\n:group: category", ":group: year\n:sort: title")
_MESSAGE = re.compile(
    r"(?P<file>.+?\.\w+)(?::(?P<line>\d+))?(?::(?P<column>\d+))?: (?:WARNING|ERROR): (?P<said>.*)"
)
ADDRESSES = {
    "action",
    "background",
    "cite",
    "data",
    "formaction",
    "href",
    "poster",
    "src",
    "srcdoc",
    "xlink:href",
}
"""Attributes whose value a browser follows."""


class Page(HTMLParser):
    """What a page does and where it leads: *live* is all in it that a browser would run, *facts* is JSON-LD."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.live: list[str] = []
        self.facts: list[str] = []
        self.seen: list[str] = []
        self._inside = ""
        self.feed(html)
        self.close()

    @property
    def text(self) -> str:
        """The text that a reader sees."""
        return "".join(self.seen)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note links, handlers, and addresses that are scripts."""
        self._inside = "facts" if ("type", "application/ld+json") in attrs else tag
        if ("http-equiv", "refresh") in attrs:
            self.live.append(f"{tag} {attrs}")
        for name, value in attrs:
            address = re.sub(r"[\x00-\x20]", "", value or "").lower()
            scripted = name in ADDRESSES and address.startswith(("javascript:", "vbscript:", "data:text"))
            if name.startswith("on") or scripted:
                self.live.append(f"{tag} {name}={value}")
            if tag == "a" and name == "href" and value:
                self.links.append(value)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """As a start tag: HTML does not know the difference."""
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """Scripts have ended."""
        self._inside = ""

    def handle_data(self, data: str) -> None:
        """Note text, and the text of scripts."""
        if self._inside == "script":
            self.live.append(data)
        elif self._inside == "facts":
            self.facts.append(data)
        elif self._inside != "style":
            self.seen.append(data)


@dataclass(frozen=True)
class Said:
    """A message on the terminal about a place in a file; line 0 where it has none."""

    file: str
    line: int
    column: int
    text: str


@dataclass(frozen=True)
class Site:
    """A built site."""

    source: Path
    out: Path
    status: int
    terminal: str

    @cached_property
    def said(self) -> dict[str, list[Said]]:
        """All messages by file, relative to the source folder; docutils has some of several lines."""
        found: dict[str, list[Said]] = {}
        for line in self.terminal.replace(f"{self.source}/", "").splitlines():
            if match := _MESSAGE.fullmatch(line):
                said = Said(match["file"], int(match["line"] or 0), int(match["column"] or 0), match["said"])
                found.setdefault(said.file, []).append(said)
        return found

    @cached_property
    def files(self) -> dict[str, bytes]:
        """Every file of the output, by name."""
        return {
            path.relative_to(self.out).as_posix(): path.read_bytes()
            for path in sorted(self.out.rglob("*"))
            if path.is_file()
        }

    @cached_property
    def pages(self) -> dict[str, Page]:
        """Every page of the output, by the name of its file."""
        return {name: Page(data.decode()) for name, data in self.files.items() if name.endswith(".html")}

    def leads_to(self, name: str) -> set[str]:
        """The files that the page *name* links to."""
        folder = posixpath.dirname(name)
        targets = (link.partition("#")[0] for link in self.pages[name].links)
        return {posixpath.normpath(posixpath.join(folder, unquote(target))) for target in targets}


@dataclass
class Project:
    """The sources of a site, and the builds of it that are running."""

    folder: Path
    theme: str
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def source(self) -> Path:
        """The source folder."""
        return self.folder / "source"

    def write(self, files: Mapping[str, bytes | str]) -> None:
        """Write source files, and the configuration."""
        for name, content in {"conf.py": CONF.replace("THEME", self.theme), **files}.items():
            path = self.source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def start(self, to: str, *options: str) -> None:
        """Start a build into the folder *to*."""
        folders = ["-d", str(self.folder / f"{to}-doctrees"), str(self.source), str(self.folder / to)]
        command = [sys.executable, "-m", "sphinx", "-q", "-N", *options, *folders]
        with (self.folder / f"{to}.txt").open("wb") as terminal:  # a pipe would fill up, and the build wait
            self.running[to] = subprocess.Popen(
                command, cwd=self.folder, env=os.environ | OURS, stdout=terminal, stderr=terminal
            )

    def wait(self, to: str) -> Site:
        """The site in the folder *to*, when it is built."""
        status = self.running[to].wait(timeout=600)  # a hang ends here
        terminal = (self.folder / f"{to}.txt").read_text(encoding="utf-8")
        return Site(self.source, self.folder / to, status, terminal)

    def stop(self) -> None:
        """Stop what is still running."""
        for process in self.running.values():
            process.kill()
            process.wait()


def docname(number: int) -> str:
    """Where the hostile source of this *number* lies."""
    return f"s{number // PER_SERIES:02}/n{number:04}"


def series_page(key: str) -> str:
    """A series page with markup in everything that it shows elsewhere."""
    script = SCRIPT.format(key)
    return (
        f"---\nseries:\n  key: {key}\n  label: 'Label {script}'\n  category: 'Category {key[-1]} {script}'\n"
        f"  description: 'About {script} and `{script}`'\n---\n# Series `{script}`\n\n"
        f"```{{toctree}}\n:glob:\n:hidden:\n:caption: Caption {script}\n\n*\n```\n"
    )


def root_page(entries: Iterable[str]) -> str:
    """The root page: the index of all posts, and a toctree of *entries*."""
    caption = f"Caption {SCRIPT.format('root')}"
    listed = "\n".join(entries)
    return f"# Home\n\n```{{writing}}\n```\n\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {caption}\n\n{listed}\n```\n"


def lists_page() -> str:
    """Lists of every other style."""
    return "# Lists\n\n" + "".join(f"```{{writing}}\n{options}\n```\n\n" for options in LISTS)


def files_of(hostile: Mapping[str, bytes]) -> dict[str, bytes | str]:
    """A whole site around the *hostile* files: each folder is a series."""
    folders = sorted({posixpath.dirname(name) for name in hostile})
    return {
        "index.md": root_page(["lists", *(f"{folder}/index" for folder in folders)]),
        "lists.md": lists_page(),
        **{f"{folder}/index.md": series_page(folder) for folder in folders},
        **hostile,
    }


@pytest.fixture(scope="session")
def hostile() -> list[Hostile]:
    """The hostile sources, by number."""
    return sources()
