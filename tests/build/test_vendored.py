"""What others have made and we ship: whole, as its checksums say, of the version that the guide names."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from sphinx_writing.core.tex import NOT_IN_LATEX
from sphinx_writing.sphinx_ext import katex, theme

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "inside.md"


@pytest.mark.parametrize("folder", [katex.VENDORED, theme.FONTS], ids=lambda folder: folder.name)
def test_every_file_is_as_its_checksum_says(folder: Path) -> None:
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    there = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
    assert there.keys() - {"SHA256SUMS"} == listed.keys()
    for name, digest in listed.items():
        assert hashlib.sha256(there[name].read_bytes()).hexdigest() == digest, name


def test_the_guide_names_the_packages_of_the_fonts() -> None:
    lines = (theme.FONTS / "VERSION").read_text().splitlines()
    guide = GUIDE.read_text(encoding="utf-8")
    for package, integrity in zip(lines[::2], lines[1::2], strict=True):
        assert f"`{package}`" in guide
        assert integrity in guide


def test_the_guide_names_version_and_integrity() -> None:
    package, integrity = (katex.VENDORED / "VERSION").read_text().splitlines()
    version = package.removeprefix("katex ")
    assert f'version:"{version}"' in katex.SCRIPT.read_text(encoding="utf-8")
    guide = GUIDE.read_text(encoding="utf-8")
    assert f"KaTeX {version}" in guide
    assert integrity in guide


def test_the_sheet_asks_for_the_fonts_that_are_there() -> None:
    folder = katex.SHIPPED / "katex"
    asked = re.findall(r"url\(([^)]*)\)", (folder / "katex.min.css").read_text())
    assert sorted(asked) == sorted(f"fonts/{path.name}" for path in (folder / "fonts").iterdir())
    assert all(name.endswith(".woff2") for name in asked)


def test_the_theme_asks_for_the_fonts_that_are_there() -> None:
    asked = set(re.findall(r'url\("([^"]*)"\)', (theme.FOLDER / "static" / "writing-theme.css").read_text()))
    there = {path.relative_to(theme.FONTS / "static").as_posix() for path in theme.FONTS.rglob("*.woff2")}
    assert asked == there | {"katex/fonts/KaTeX_Main-Regular.woff2"}
    assert (katex.SHIPPED / "katex/fonts/KaTeX_Main-Regular.woff2").is_file()


def test_what_latex_lacks_is_known_to_katex_and_not_proposed() -> None:
    known = set(re.findall(r'"\\\\([A-Za-z]+)"', katex.SCRIPT.read_text(encoding="utf-8")))
    assert known >= NOT_IN_LATEX
    assert {"alpha", "frac", "mathbb", "lVert"} <= katex.commands()
    assert not katex.commands() & NOT_IN_LATEX
