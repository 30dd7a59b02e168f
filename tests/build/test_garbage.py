"""A build collects garbage rarely, and gives the process its own settings back."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable

import pytest
from sphinx.errors import ConfigError

from .conftest import Project

Make = Callable[[str], Project]


@pytest.mark.parametrize("threshold", [(700, 10, 10), (900_000, 10, 10)])
def test_the_process_has_its_settings_back(project: Make, threshold: tuple[int, int, int]) -> None:
    usual, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.set_threshold(*threshold)
    try:
        project("retitle-the-middle-part").build()
        assert gc.get_threshold() == threshold
    finally:
        gc.set_threshold(*usual)
    assert gc.isenabled()
    assert gc.get_freeze_count() == frozen


def test_it_has_them_back_after_a_configuration_that_is_refused(project: Make) -> None:
    site = project("retitle-the-middle-part")
    with pytest.raises(ConfigError, match="writing_as_of"):
        site.build(writing_as_of="soon")
    assert gc.isenabled()


def test_a_process_that_has_drawn_ends_in_silence(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.replace("guide.md", "# Guide\n", "# Guide\n\n```{mermaid}\n:alt: A.\nflowchart LR\n  a --> b\n```\n")
    command = [sys.executable, "-m", "sphinx", "-q", str(site.source), str(site.folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


COUNTS = """
from sphinx_writing.sphinx_ext import garbage
garbage.IN_MEMORY = 3
def setup(app):
    def count(app, env):
        (app.srcdir / "count").write_text(str(len(env._write_doc_doctree_cache)))
    app.connect("env-updated", count)
"""


def test_few_documents_are_kept_in_memory(project: Make) -> None:
    site = project("nine-ten-eleven")
    path = site.source / "conf.py"
    path.write_text(f"{path.read_text(encoding='utf-8')}{COUNTS}", encoding="utf-8")
    few = site.build_apart(to="few").tree()
    assert int((site.source / "count").read_text(encoding="utf-8")) == 4  # and the one that was read last
    path.write_text(path.read_text(encoding="utf-8").replace(" = 3", " = 99"), encoding="utf-8")
    assert site.build_apart(to="all").tree() == few
    assert int((site.source / "count").read_text(encoding="utf-8")) > 20
