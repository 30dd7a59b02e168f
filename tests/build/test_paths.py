"""Learning paths, the number of notes and entries in BibTeX: in pages, in other outputs, after any edit."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup

from .conftest import Built, Project

Make = Callable[[str], Project]
Edit = Callable[[Project], None]


def shown(built: Built) -> list[tuple[str, list[tuple[str, str]]]]:
    """The question of each path, and the text and address of its links."""
    page = BeautifulSoup(built.text("index.html"), "html.parser")
    return [
        (
            path.select_one("h3").get_text(),  # type: ignore[union-attr]
            [(link.get_text(), str(link["href"])) for link in path.select("li a")],
        )
        for path in page.select(".writing-path")
    ]


def test_paths_of_a_release(project: Make) -> None:
    built = project("learning-paths").build()
    assert built.warnings == []
    assert shown(built) == [
        (
            "Why is decode slow?",
            [
                ("Two & code", "infra/two/index.html"),
                ("One", "infra/one.html"),
                ("Three", "infra/three.html"),
            ],
        )
    ]
    assert "Why is <code>decode</code> slow?" in built.text("index.html")
    assert "Bytes, not arithmetic." in built.text("index.html")
    assert built.files_with("ZEBRA") == built.files_with("hidden?") == []
    assert "--writing-path-rows: 5" in built.text("index.html")


def test_paths_of_a_preview_have_the_draft_marked_and_what_is_too_long_folded(project: Make) -> None:
    built = project("learning-paths").build(writing_preview=True)
    first, second = shown(built)
    assert [text for text, _ in first[1]] == ["Two & code", "One", "ZEBRA", "Three"]
    assert second == ("What is hidden?", [("ZEBRA", "infra/four.html")])
    page = BeautifulSoup(built.text("index.html"), "html.parser")
    fold = page.select_one(".writing-path details")
    assert fold is not None
    assert [link.get_text() for link in fold.select("li")] == ["ZEBRADraft", "Three"]
    assert fold.select_one("summary").get_text() == "and 2 more"  # type: ignore[union-attr]
    assert fold.select_one("ol")["start"] == "3"  # type: ignore[index]


def test_the_number_of_notes_stands_in_the_sentence(project: Make) -> None:
    site = project("learning-paths")
    assert "There are 4 notes." in site.build().text("index.html")
    assert "There are 5 notes." in site.build(to="preview", writing_preview=True).text("index.html")
    assert "There are 4 notes." in site.build("text").text("index.txt")
    site.replace("index.md", "`count`", "`cuont`")
    (warning,) = (line for line in site.build().warnings if "cuont" in line)
    assert "write {writing}`count`" in warning


def test_other_outputs_have_the_paths_whole(project: Make) -> None:
    site = project("learning-paths")
    text = site.build("text").text("index.txt")
    assert re.search(r"Why is \"decode\" slow\?.*Bytes, not.*1\. Two.*2\. One\n\n3\. Three", text, re.DOTALL)
    tex = site.build("latex").text("tiny.tex")
    assert r"\begin{enumerate}" in tex
    assert "Three" in tex[tex.index("Bytes, not arithmetic.") :]
    assert "writing-path" not in site.build("epub").text("index.xhtml")


BAD = """\
- key: first
  question: Why?
  posts: [infra/won, guide, infra/one, /infra/one]
- key: first
  summary: [none]
  post: infra/one
"""


def test_what_is_wrong_is_said_in_every_build_with_its_place(project: Make) -> None:
    site = project("learning-paths")
    site.write("paths.yaml", BAD)
    lines = [
        'paths.yaml:3:11: WARNING: path "first": "infra/won" is no post; did you mean "infra/two"? [writing.path]',
        'paths.yaml:3:22: WARNING: path "first": "guide" is no post; known: infra/five, infra/one, infra/three, '
        "infra/two [writing.path]",
        'paths.yaml:3:40: WARNING: path "first": "/infra/one" is on it twice; remove one [writing.path]',
        'paths.yaml:4:3: WARNING: a path needs "posts"; add it [writing.path]',
        'paths.yaml:4:3: WARNING: a path needs "question"; add it [writing.path]',
        'paths.yaml:5:12: WARNING: "summary": expected text, found a list [writing.path]',
        'paths.yaml:6:3: WARNING: unknown field "post"; did you mean "posts"? [writing.path]',
    ]
    for built in (site.build(), site.build()):
        assert sorted(built.warnings) == lines
    assert shown(site.build()) == [("Why?", [("One", "infra/one.html")])]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "paths.yaml:1: WARNING: there is no such file; make it, or take writing_paths out of conf.py"),
        (
            b"- key: a\n- \xe9\n",
            "paths.yaml:2: WARNING: this file is not UTF-8 (byte 0xe9); save it as UTF-8",
        ),
        (
            b"\xef\xbb\xbf- [",
            "paths.yaml:1:4: WARNING: this file is not valid YAML: expected the node content",
        ),
    ],
)
def test_a_file_that_cannot_be_read(project: Make, content: bytes | None, message: str) -> None:
    site = project("learning-paths")
    path = site.source / "paths.yaml"
    path.unlink()
    if content:
        path.write_bytes(content)
    (warning,) = site.build().warnings
    assert warning.startswith(message)


def test_a_list_of_paths_without_a_file_is_reported_and_one_of_drafts_is_not(project: Make) -> None:
    site = project("learning-paths")
    site.replace("paths.yaml", "[infra/two, /infra/one/, infra/four, infra/three]", "infra/four")
    built = site.build()
    assert (built.warnings, shown(built)) == ([], [])
    drop_the_file(site)
    assert site.build().warnings == [
        "index.md:7: WARNING: this list of learning paths is empty; name their file in writing_paths in conf.py "
        "[writing.post]"
    ]


def write_paths(site: Project) -> None:
    site.replace("paths.yaml", "Why is", "How is")


def reorder(site: Project) -> None:
    site.replace("paths.yaml", "infra/two, /infra/one/", "infra/one, infra/two")


def publish(site: Project) -> None:
    site.replace("infra/four.md", "draft: true\n", "")


def hide(site: Project) -> None:
    site.replace("infra/one.md", "date:", "draft: true\ndate:")


def retitle(site: Project) -> None:
    site.replace("infra/one.md", "# One", "# Eins")


def rename(site: Project) -> None:
    (site.source / "infra/one.md").rename(site.source / "infra/eins.md")
    site.replace("infra/index.md", "one\n", "eins\n")
    site.replace("paths.yaml", "/infra/one/", "infra/eins")


def drop_the_file(site: Project) -> None:
    (site.source / "paths.yaml").unlink()
    site.replace("conf.py", 'writing_paths = "paths.yaml"', "")


def lose_the_file(site: Project) -> None:
    (site.source / "paths.yaml").unlink()


def move_the_file(site: Project) -> None:
    (site.source / "paths.yaml").rename(site.source / "ways.yaml")
    site.replace("conf.py", "paths.yaml", "ways.yaml")
    site.replace("ways.yaml", "infra/three", "infra/treee")


def misspell(site: Project) -> None:
    site.replace("paths.yaml", "infra/three", "infra/treee")


EDITS = [
    write_paths,
    reorder,
    publish,
    hide,
    retitle,
    rename,
    drop_the_file,
    lose_the_file,
    move_the_file,
    misspell,
]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
@pytest.mark.parametrize("builder", ["html", "text"])
def test_incremental_is_clean(project: Make, edit: Edit, builder: str) -> None:
    site = project("learning-paths")
    first = site.build(builder).tree()
    edit(site)
    incremental, clean = site.build(builder), site.build(builder, to="clean")
    assert incremental.warnings == clean.warnings
    assert incremental.tree() == clean.tree()
    assert clean.tree() != first or edit is misspell


def test_an_edit_of_the_file_writes_the_pages_that_show_it_and_no_other(project: Make) -> None:
    site = project("learning-paths")
    out = site.build().out
    times = {path: path.stat().st_mtime_ns for path in out.rglob("*.html")}
    write_paths(site)
    site.build()
    changed = {p.relative_to(out).as_posix() for p, time in times.items() if p.stat().st_mtime_ns != time}
    assert {name for name in changed if (site.source / name).with_suffix(".md").is_file()} == {
        "index.html",
        *(f"infra/{name}.html" for name in ("one", "two/index", "three")),  # their steps
        "infra/index.html",  # Sphinx writes what lists them, too
    }


def test_a_post_says_how_it_is_cited(project: Make) -> None:
    site = project("learning-paths")
    site.write("guide.md", "# Guide\n\n```{writing}\n:style: bibtex\n:sort: oldest\n:limit: 2\n```\n")
    site.replace("conf.py", "project", 'html_baseurl = "https://example.org/x"\nauthor = "Us"\nproject')
    built = site.build()
    assert built.warnings == []
    one, two = BeautifulSoup(built.text("guide.html"), "html.parser").select("pre")
    assert one.get_text().splitlines()[:2] == ["@misc{infra-one,", "  author = {{Us}},"]
    assert "  url = {https://example.org/x/infra/one.html}," in one.get_text()
    assert "  author = {Ada Lovelace and Alan Turing}," in two.get_text()
    assert "  url = {https://example.org/x/infra/two/}," in two.get_text()
    assert "  note = {Updated 1 February 2026}," in two.get_text()
    assert "https://example.org/x/infra/two/" in site.build("text").text("guide.txt")
    assert "https://example.org/x/infra/two/" in site.build("latex").text("tiny.tex")
    retitle(site)
    assert site.build().tree() == site.build(to="clean").tree()


def test_the_page_of_a_tag_names_its_neighbours(project: Make) -> None:
    site = project("learning-paths")
    page = BeautifulSoup(site.build().text("tags/other/index.html"), "html.parser")
    assert page.select_one("h1 code").get_text() == "other"  # type: ignore[union-attr]
    assert [link["href"] for link in page.select(".writing-ways a")] == ["../shared/index.html"]
    site.replace("infra/two/index.md", "tags: [shared, other]", "tags: [other]")
    assert site.build().tree() == site.build(to="clean").tree()


def test_a_post_says_when_it_was_updated_unless_that_is_its_day(project: Make) -> None:
    site = project("learning-paths")
    assert "updated <time" in site.build().text("infra/two/index.html")
    assert "2 January 2026 · updated 1 February 2026" in site.build("text").text("infra/two/index.txt")
    site.replace("infra/two/index.md", "updated: 2026-02-01", "updated: 2026-01-02T18:00Z")
    assert "updated <time" not in site.build().text("infra/two/index.html")
