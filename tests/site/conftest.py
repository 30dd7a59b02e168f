"""The site itself, built once for all tests of it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Element:
    """A start tag."""

    tag: str
    attributes: dict[str, str]


class Parser(HTMLParser):
    """Collects the start tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))


@dataclass(frozen=True)
class Site:
    """The built site: its folder, the elements of each page, the drawings that were not there before."""

    out: Path
    pages: dict[str, list[Element]]
    new: set[str]

    def text(self, name: str) -> str:
        return (self.out / name).read_text(encoding="utf-8")


def build(out: Path, *options: str) -> str:
    """Build the site into *out* as ``make html`` does; return what it printed as warnings."""
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-nq",
        "-b",
        "html",
        "-d",
        str(out.parent / f"{out.name}-doctrees"),
    ]
    done = subprocess.run(
        [*command, *options, str(ROOT / "docs"), str(out)], capture_output=True, text=True, check=True
    )
    return done.stderr


def drawings() -> set[str]:
    """The files in the folder of drawings."""
    return {path.name for path in (ROOT / "docs" / "_diagrams").iterdir()}


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site, built without a warning."""
    out = tmp_path_factory.mktemp("site") / "html"
    before = drawings()
    assert build(out) == ""
    pages = {}
    for path in sorted(out.rglob("*.html")):
        parser = Parser()
        parser.feed(path.read_text(encoding="utf-8"))
        pages[path.relative_to(out).as_posix()] = parser.elements
    return Site(out, pages, drawings() - before)
