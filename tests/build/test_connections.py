"""What leads from note to note: learning paths at a note's foot, related notes, the map."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup, Tag

from .conftest import Built, Project

Make = Callable[[str], Project]
Edit = Callable[[Project], None]


@pytest.fixture
def site(project: Make) -> Project:
    made = project("learning-paths")
    made.replace("conf.py", "writing_paths", "writing_map = True\nwriting_paths")
    made.replace("infra/three.md", "tags:", "prerequisites: [infra/one]\ntags:")
    return made


def part(built: Built, name: str, css: str) -> list[Tag]:
    return list(BeautifulSoup(built.text(name), "html.parser").select(css))


def texts(built: Built, name: str, css: str) -> list[str]:
    return [" ".join(found.get_text().split()) for found in part(built, name, css)]


def test_a_note_says_which_step_it_is_and_what_comes_next(site: Project) -> None:
    built = site.build()
    assert built.warnings == []
    assert texts(built, "infra/one.html", ".writing-steps p") == [
        "Step 2 of 3 of Why is decode slow?. Next: Three"
    ]
    assert texts(built, "infra/three.html", ".writing-steps p") == ["Step 3 of 3 of Why is decode slow?"]
    assert texts(built, "infra/five.html", ".writing-steps p") == []
    question, following = part(built, "infra/one.html", ".writing-steps a")
    assert (question["href"], following["href"]) == ("../index.html#writing_path_first", "three.html")
    assert [section["id"] for section in part(built, "index.html", ".writing-path")] == ["writing_path_first"]


def test_where_no_page_lists_the_paths_the_question_is_no_link(site: Project) -> None:
    site.replace("index.md", ":style: paths\n", ":style: sentence\n")
    built = site.build()
    assert texts(built, "infra/one.html", ".writing-steps p a") == ["Three"]


def test_a_second_list_of_paths_on_a_page_has_no_ids(site: Project) -> None:
    site.replace("index.md", "```{toctree}", "## Again\n\n```{writing}\n:style: paths\n```\n\n```{toctree}")
    found = part(site.build(), "index.html", ".writing-path")
    assert [section.get("id") for section in found] == ["writing_path_first", None]


def test_a_path_against_a_prerequisite_is_reported(site: Project) -> None:
    site.replace("infra/two/index.md", "---\n# ", "prerequisites: [infra/one]\n---\n# ")
    assert site.build().warnings == [
        'paths.yaml:5:11: WARNING: path "first": "infra/two" asks readers to read "infra/one" first, which comes '
        "later; swap them [writing.path]"
    ]


def test_related_notes_are_those_that_the_page_does_not_name(site: Project) -> None:
    built = site.build()
    related = "[aria-labelledby=writing_related] li > p > a:last-of-type"
    assert texts(built, "infra/one.html", related) == ["Three", "Five"]
    assert texts(built, "infra/three.html", related) == []  # Five is next, One is to be read first


def test_the_map_has_every_note_and_what_to_read_first(site: Project) -> None:
    built = site.build()
    assert texts(built, "map.html", ".writing-map-note") == ["One", "Two & code", "Three", "Five"]
    assert len(part(built, "map.html", ".writing-map > .writing-map-lines path")) == 1
    assert len(part(built, "map.html", ".writing-map li path")) == 2
    assert texts(built, "map.html", ".writing-map-list li")[2] == "Three Read first: One"
    assert "writing-map.css" in built.text("map.html")
    assert "writing-map.css" not in built.text("infra/one.html")
    assert built.files_with("ZEBRA") == []
    preview = site.build(to="preview", writing_preview=True)
    assert "ZEBRADraft" in texts(preview, "map.html", ".writing-map-list li")


def test_the_line_of_the_map_follows_that_of_all_posts(site: Project) -> None:
    site.write("writing.md", "# Writing\n\n```{writing}\n```\n")
    site.replace("index.md", "infra/index\n", "writing\ninfra/index\n")
    built = site.build(html_theme="furo")
    lines = texts(built, "map.html", ".sidebar-tree > ul > li > a")
    assert lines[:3] == ["Writing", "Map", "Infra 4"]
    assert part(built, "map.html", ".sidebar-tree [aria-current=page]")[0].get_text() == "Map"


def test_without_the_value_there_is_no_map_and_a_document_may_stand_there(site: Project) -> None:
    site.write("map.md", "---\norphan:\n---\n# Ours\n")
    (warning,) = site.build().warnings
    assert re.search(
        r"map\.md:1: WARNING: this document takes the address of the generated page map", warning
    )
    built = site.build(writing_map=False)
    assert built.warnings == []
    assert "Ours" in built.text("map.html")


def no_map(site: Project) -> None:
    site.replace("conf.py", "writing_map = True", "writing_map = False")


def other_tag(site: Project) -> None:
    site.replace("infra/five.md", "tags: [shared]", "tags: [alone]")


def other_first(site: Project) -> None:
    site.replace("infra/three.md", "prerequisites: [infra/one]", "prerequisites: [infra/two]")


def other_order(site: Project) -> None:
    site.replace("paths.yaml", "infra/two, /infra/one/", "infra/one, infra/two")


def list_moved(site: Project) -> None:
    site.replace("index.md", ":style: paths\n", ":style: sentence\n")
    site.replace("guide.md", "\n", "\n```{writing}\n:style: paths\n```\n")


def published(site: Project) -> None:
    site.replace("infra/four.md", "draft: true\n", "tags: [shared]\n")


@pytest.mark.parametrize(
    "edit", [no_map, other_tag, other_first, other_order, list_moved, published], ids=lambda e: e.__name__
)
def test_an_edit_gives_the_files_of_a_clean_build(site: Project, edit: Edit) -> None:
    site.build()
    edit(site)
    assert site.build().tree() == site.build(to="clean").tree()
