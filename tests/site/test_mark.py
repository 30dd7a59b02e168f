"""The mark: every file of it is what ``docs/mark.py`` draws, and its edges are sharp."""

from __future__ import annotations

import importlib.util
import struct
import zlib
from types import ModuleType
from xml.etree import ElementTree

import pytest

from .conftest import ROOT, Site

STATIC = ROOT / "docs" / "_static"
pytestmark = pytest.mark.xdist_group("site")  # one process builds it


def load() -> ModuleType:
    """The program that draws the mark."""
    spec = importlib.util.spec_from_file_location("mark", ROOT / "docs" / "mark.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MARK = load()
FILES: dict[str, bytes] = MARK.files()


def pixels(png: bytes) -> list[list[str]]:
    """The colour of every pixel, by line; packing may differ between builds of zlib."""
    size = struct.unpack(">I", png[16:20])[0]
    assert png[8:29] == struct.pack(">I4s2I5B", 13, b"IHDR", size, size, 8, 6, 0, 0, 0)
    length = struct.unpack(">I", png[33:37])[0]
    lines = zlib.decompress(png[41 : 41 + length])
    width = 4 * size + 1
    rows = [lines[i + 1 : i + width] for i in range(0, len(lines), width)]
    return [[row[i : i + 4].hex() for i in range(0, len(row), 4)] for row in rows]


@pytest.mark.parametrize("name", FILES)
def test_the_files_are_what_the_program_draws(name: str) -> None:
    """Where this fails: make mark."""
    kept = (STATIC / name).read_bytes()
    if name.endswith(".png"):
        assert pixels(kept) == pixels(FILES[name])
    else:
        assert kept == FILES[name]


@pytest.mark.parametrize(
    ("name", "scale", "margin", "size"), [("favicon-32.png", 2, 0, 32), ("icon-180.png", 10, 10, 180)]
)
def test_the_icons_are_the_drawing_unit_by_unit(name: str, scale: int, margin: int, size: int) -> None:
    rows = pixels(FILES[name])
    assert (len(rows), {len(row) for row in rows}) == (size, {size})
    drawing = [
        "................",
        ".tttt.tttt.tttt.",
        ".tttt.tttt.t..t.",
        ".tttt.tttt.t..t.",
        ".tttt.tttt.tttt.",
        "................",
        "................",
        *[".ssssssssssssss."] * 8,
        "................",
    ]
    empty = "fdfcf9ff" if margin else "00000000"
    colour = {"t": "9c4410ff", "s": "1b1d22ff", ".": empty}
    for y, row in enumerate(rows):
        for x, found in enumerate(row):
            i, j = (y - margin) // scale, (x - margin) // scale
            inside = 0 <= i < 16 and 0 <= j < 16
            assert found == colour[drawing[i][j] if inside else "."], (x, y)


def test_the_mark_has_a_light_and_a_dark_form() -> None:
    for name in ("mark.svg", "mark-dark.svg", "favicon.svg"):
        assert ElementTree.fromstring(FILES[name]).get("viewBox") == "0 0 16 16"  # noqa: S314  # our own
    assert b"prefers-color-scheme" in FILES["favicon.svg"]
    assert b"<style" not in FILES["mark.svg"]
    assert (
        FILES["mark.svg"].replace(b"#1b1d22", b"#dedcd6").replace(b"#9c4410", b"#e5a06c")
        == FILES["mark-dark.svg"]
    )


def test_every_page_names_the_icons(site: Site) -> None:
    for page, elements in site.pages.items():
        found = [
            (e.attributes["rel"], e.attributes["href"].rpartition("/")[2])
            for e in elements
            if e.tag == "link" and "icon" in e.attributes.get("rel", "")
        ]
        assert sorted(name for _, name in found) == ["favicon-32.png", "favicon.svg", "icon-180.png"], page
