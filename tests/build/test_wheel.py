"""The bare wheel in a stranger's project: nothing but Sphinx, MyST and PyYAML beside it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from .conftest import ROOTS

REPOSITORY = Path(__file__).parents[2]
WITHOUT_EXTRAS = (
    "import sys; sys.modules |= dict.fromkeys(['labs', 'matplotlib', 'mermaidx', 'numpy', 'py_mini_racer', 'sphinxcontrib.bibtex']); "
    "from sphinx.cmd.build import main; raise SystemExit(main(sys.argv[1:]))"
)
"""Runs sphinx-build where none of the modules named can be imported."""


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the tracked files it is made of."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, source)
    shutil.copytree(REPOSITORY / "ext", source / "ext", ignore=shutil.ignore_patterns("__pycache__"))
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(folder),
        str(source),
    ]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_extension_only(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        "sphinx_writing",
        f"{'-'.join(wheel.name.split('-')[:2])}.dist-info",
    }
    assert "sphinx_writing/py.typed" in names
    assert "sphinx_writing/templates/writing/macros.html" in names
    assert "sphinx_writing/static/writing.css" in names
    assert not [name for name in names if "__pycache__" in name]
    vendored = REPOSITORY / "ext" / "sphinx_writing" / "vendor"
    third_party = {
        path.relative_to(vendored.parents[1]).as_posix() for path in vendored.rglob("*") if path.is_file()
    }
    assert {
        "sphinx_writing/vendor/katex/katex.min.js",
        "sphinx_writing/vendor/katex/static/katex/LICENSE",
    } <= third_party
    assert third_party <= set(names)


def test_the_wheel_requires_three_packages(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    metadata = archive.read(next(n for n in archive.namelist() if n.endswith("/METADATA"))).decode()
    required = [line.split(": ")[1] for line in metadata.splitlines() if line.startswith("Requires-Dist: ")]
    bare = sorted(line.split(">")[0].split("<")[0] for line in required if "extra ==" not in line)
    assert bare == ["myst-parser", "pyyaml", "sphinx"]


@pytest.mark.parametrize("theme", ["writing", "furo", "alabaster", "pydata_sphinx_theme"])
def test_a_strangers_site(wheel: Path, tmp_path: Path, theme: str) -> None:
    packages = tmp_path / "packages"
    zipfile.ZipFile(wheel).extractall(packages)
    source = tmp_path / "source"
    shutil.copytree(ROOTS / "test-retitle-the-middle-part", source)
    options = ["-nWq", "-D", f"html_theme={theme}", str(source), str(tmp_path / "out")]
    subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS, *options],
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(packages)},
    )
    for page, words in {
        "infra/two.html": ["part 2 of 3", "Cited by", "All 3 parts of Infra"],
        "infra/index.html": ["3 parts, ongoing", "About infra."],
        "tags/shared/index.html": ["Three", "One", "writing-tag-name"],
        "index.html": ["writing-card-title"],
    }.items():
        text = (tmp_path / "out" / page).read_text(encoding="utf-8")
        for word in words:
            assert word in text, (page, word)
