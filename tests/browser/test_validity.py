"""The markup of every page, and every style sheet and picture, is valid in the eyes of the Nu HTML checker."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from .tools import KEPT, SHA256, vnu

TOLERATED = {
    # The checker is behind: browsers have had container queries since 2023, and SVG's "vector-effect" before.
    "css": re.compile(
        r"CSS: (“(container(-type|-name)?|vector-effect)”: Property|Unrecognized at-rule “@container”)"
    ),
    # Mermaid's sequence diagrams name the ends of a participant so; the drawings are committed.
    "svg": re.compile(r"Attribute “name” not allowed on element “(line|rect)” at this point\.$"),
}
Check = Callable[[Path, str], list[str]]


@pytest.fixture(scope="session")
def check(need: Callable[..., str]) -> Check:
    """``check(folder, "html")``: the errors in all files of a kind, with file and line."""
    java, jar = need("java", "default-jre-headless"), vnu()
    if not jar.exists():
        (pytest.fail if "CI" in os.environ else pytest.skip)(f"needs {jar}: make browser-tools")

    def run(folder: Path, kind: str) -> list[str]:
        files = sorted(str(path) for path in folder.rglob(f"*.{kind}"))
        return errors([java, "-jar", str(jar), *options(kind), *files], folder) if files else []

    return run


def options(kind: str) -> Sequence[str]:
    """The options to check files of a kind; errors go to the standard output as JSON."""
    common = ("--stdout", "--format", "json", "--errors-only", "--exit-zero-always")
    return common if kind == "html" else (*common, f"--{kind}")


def errors(command: Sequence[str], folder: Path) -> list[str]:
    """What the checker reports."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    messages = json.loads(done.stdout)["messages"]
    return [
        f"{m.get('url', '').removeprefix(f'file:{folder}/')}:{m.get('lastLine', '')}: {m['message']}"
        for m in messages
    ]


@pytest.mark.parametrize("kind", ["html", "css", "svg"])
def test_everything_is_valid(kind: str, built: Path, check: Check) -> None:
    assert list(built.rglob(f"*.{kind}"))
    found = [error for error in check(built, kind) if kind == "html" or not TOLERATED[kind].search(error)]
    assert not found, "\n".join(found)


def test_an_error_is_seen(tmp_path: Path, check: Check) -> None:
    (tmp_path / "page.html").write_text(
        '<!doctype html>\n<html lang="en">\n<title>x</title>\n<p><p id="a b"></p></i>'
    )
    (tmp_path / "sheet.css").write_text("p { colour: red }")
    assert any(line.startswith("page.html:4: ") for line in check(tmp_path, "html"))
    assert check(tmp_path, "css")


@pytest.mark.skipif("VNU_JAR" in os.environ or not KEPT.exists(), reason="none was fetched")
def test_the_checker_is_the_one_that_was_chosen() -> None:
    assert hashlib.sha256(KEPT.read_bytes()).hexdigest() == SHA256
