"""Words that fit into no column, in titles and tags: no page is wider than the window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ..build.conftest import Project
from .conftest import OpenPage
from .server import serving

WORD = "x" * 120
"""Longer than any column; addresses of tags are cut before that."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with such words, in place of that of the documentation."""
    project = Project("learning-paths", tmp_path_factory.mktemp("words"))
    project.replace("infra/one.md", "# One", f"# {WORD}")
    project.replace("infra/one.md", "[shared]", f"[shared, {WORD}]")
    project.replace("paths.yaml", "Bytes", WORD)
    built = project.build_apart(html_theme="writing")
    assert built.warnings == []
    with serving(built.out) as address:
        yield address


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["index", "infra/index", "infra/one", "infra/two/index", "tags/index"])
def test_no_page_is_wider_than_the_window(open_page: OpenPage, width: int, name: str) -> None:
    page = open_page(width=width)
    page.goto(f"{name}.html")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
