"""Texts of documents that are kept for files of the whole site follow their documents exactly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from docutils import nodes
from sphinx.application import Sphinx

from sphinx_writing.sphinx_ext import kept
from sphinx_writing.sphinx_ext.domain import writing_domain

from .conftest import Project

Make = Callable[[str], Project]


def newest(app: Sphinx, docname: str) -> bool:
    """Whether *docname* is one of the two newest posts."""
    return docname in list(writing_domain(app.env).site.catalogue.posts)[:2]


def words(_app: Sphinx, docname: str, doctree: nodes.document) -> str:
    """The words of a document."""
    return f"{docname}: {doctree.astext()}"


@pytest.fixture(autouse=True)
def kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """One kind of text, of the two newest posts."""
    monkeypatch.setattr(kept, "KINDS", (kept.Kind("words", newest, words),))


def texts(folder: Path) -> dict[str, bytes]:
    """All that is kept beside the doctrees of the build in *folder*, by its name below the folder of its kind."""
    found = [path for path in folder.rglob("*.kept") if path.is_file()]
    return {f"{path.parent.name}/{path.name}": path.read_bytes() for path in found}


def check(site: Project) -> dict[str, bytes]:
    """What an incremental build keeps, which is what a clean one does, and a clean one with two jobs."""
    site.build()
    site.build(to="clean", fresh=True)
    site.build(to="jobs", fresh=True, jobs=2)
    found = texts(site.folder / "out")
    assert found == texts(site.folder / "clean") == texts(site.folder / "jobs")
    return found


def test_a_text_follows_its_document(project: Make) -> None:
    site = project("retitle-the-middle-part")
    assert check(site).keys() == {"infra/three.kept", "infra/two.kept"}
    site.replace("infra/two.md", "Second body.", "Another body.")
    assert b"Another body." in check(site)["infra/two.kept"]


def test_a_document_that_comes_to_be_wanted_is_written_again(project: Make) -> None:
    site = project("retitle-the-middle-part")
    check(site)
    site.replace("infra/three.md", "date:", "draft: true\ndate:")
    assert check(site).keys() == {"infra/one.kept", "infra/two.kept"}
    site.replace("infra/three.md", "draft: true\n", "")
    assert check(site).keys() == {"infra/three.kept", "infra/two.kept"}


@pytest.mark.parametrize("harm", [lambda p: p.unlink(), lambda p: p.write_text("cut")], ids=["lost", "cut"])
def test_a_harmed_text_comes_back(project: Make, harm: Callable[[Path], object]) -> None:
    site = project("retitle-the-middle-part")
    before = check(site)
    harm(next((site.folder / "out").rglob("two.kept")))
    site.replace("guide.md", "# ", "# A ")  # without a change there is nothing to do
    assert check(site) == before


def test_a_kind_that_goes_leaves_nothing(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    site = project("retitle-the-middle-part")
    check(site)
    monkeypatch.setattr(kept, "KINDS", ())
    site.replace("guide.md", "# ", "# A ")
    assert check(site) == {}


def test_other_outputs_keep_nothing(project: Make) -> None:
    site = project("retitle-the-middle-part")
    for builder in ("epub", "text", "singlehtml"):
        site.build(builder)
    assert texts(site.folder) == {}
