"""Figures of a post count from 1."""

from __future__ import annotations

import re
from collections.abc import Callable

from sphinx_writing.sphinx_ext.numbering import alone

from .conftest import Project

Make = Callable[[str], Project]


def numbers(html: str) -> list[str]:
    """The numbers in captions and references, in order."""
    return re.findall(r"Fig\. (\d+)", html)


def test_figures_of_a_post_count_from_one(project: Make) -> None:
    built = project("figures-of-posts").build()
    assert built.warnings == []
    assert numbers(built.text("a.html")) == ["1", "1", "2", "2"]
    assert numbers(built.text("b.html")) == ["1", "1"]
    assert numbers(built.text("plain.html")) == ["4", "4"]


def test_a_figure_added_elsewhere_changes_no_number_of_a_post(project: Make) -> None:
    site = project("figures-of-posts")
    site.build()
    site.replace("a.md", "Text.", "Text.\n\n```{figure} dot.svg\n:alt: A dot.\n\nFirst of all.\n```\n")
    built = site.build()
    assert numbers(built.text("b.html")) == ["1", "1"]
    assert built.tree() == site.build(to="clean").tree()


def test_numbers_with_a_section_are_left_alone() -> None:
    assert alone({"figure": {"x": (2, 1), "y": (2, 2)}}) == {"figure": {"x": (2, 1), "y": (2, 2)}}
    assert alone({"table": {"late": (9,), "early": (7,)}}) == {"table": {"early": (1,), "late": (2,)}}
