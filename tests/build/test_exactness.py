"""An incremental build gives the same bytes as a clean one, and several jobs the same as one."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from .conftest import Project

Make = Callable[[str], Project]
Edit = Callable[[Project], None]


def retitle(site: Project) -> None:
    site.replace("infra/two.md", "# Two", "# Deux & `code` <b>bold</b>")


def change_body(site: Project) -> None:
    site.replace("infra/two.md", "Second body.", "Second body, with more words than before.")


def change_summary(site: Project) -> None:
    site.replace("infra/two.md", "date:", "summary: A summary of its own.\ndate:")


def add_a_part(site: Project) -> None:
    site.write(
        "infra/four.md", "---\ndate: 2026-02-01\ntags: [fourth]\n---\n# Four\n\nSee {post}`infra/one`.\n"
    )
    site.replace("infra/index.md", "three\n", "three\nfour\n")


def delete_a_part(site: Project) -> None:
    (site.source / "infra/two.md").unlink()
    site.replace("infra/index.md", "two\n", "")
    site.replace("infra/one.md", ", and a look at {post}`infra/two` in this sentence", "")
    site.replace("infra/three.md", ", see {doc}`two`", "")
    site.replace("infra/three.md", "prerequisites: [infra/two]\n", "")
    site.replace("guide.md", "[](infra/two.md)", "nothing")


def hide_a_part(site: Project) -> None:
    site.replace("infra/three.md", "date:", "draft: true\ndate:")


def reorder(site: Project) -> None:
    site.replace("infra/index.md", "one\ntwo\nthree\n", "three\none\ntwo\n")


def retag(site: Project) -> None:
    site.replace("infra/two.md", "[shared, second]", "[shared, deuxième]")


def drop_the_link(site: Project) -> None:
    site.replace("infra/one.md", ", and a look at {post}`infra/two` in this sentence", "")


def rename_the_series(site: Project) -> None:
    site.replace("infra/index.md", "label: Infra", "label: Machines")


def add_an_unlisted_page(site: Project) -> None:
    site.write("lone.md", "---\norphan:\n---\n# Lone\n\nA page in no toctree.\n")


EDITS = [
    retitle, change_body, change_summary, add_a_part, delete_a_part, hide_a_part, reorder, retag,
    drop_the_link, rename_the_series, add_an_unlisted_page,
]  # fmt: skip


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_incremental_is_clean(project: Make, edit: Edit) -> None:
    site = project("retitle-the-middle-part")
    first = site.build(html_theme="furo").tree()
    edit(site)
    incremental = site.build(html_theme="furo")
    clean = site.build(to="clean", html_theme="furo")
    assert incremental.tree() == clean.tree() != first
    assert incremental.warnings == clean.warnings == []


@pytest.mark.parametrize("theme", ["alabaster", "pydata_sphinx_theme"])
def test_incremental_is_clean_in_other_themes(project: Make, theme: str) -> None:
    site = project("retitle-the-middle-part")
    site.build(html_theme=theme)
    retitle(site)
    incremental, clean = site.build(html_theme=theme).tree(), site.build(to="clean", html_theme=theme).tree()
    for tree in (incremental, clean):
        # The PyData theme appends to Sphinx's defaults, so a second build in one process has another
        # configuration; builds of their own processes agree.
        tree.pop(".buildinfo")
        tree.pop(".buildinfo.bak", None)
    assert incremental == clean


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_an_edit_taken_back_leaves_nothing(project: Make, edit: Edit) -> None:
    site = project("retitle-the-middle-part")
    first = site.build().tree()
    before = {path: path.read_bytes() for path in site.source.rglob("*.md")}
    edit(site)
    site.build()
    for path in site.source.rglob("*.md"):
        if path not in before:
            path.unlink()
    for path, content in before.items():
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
    assert site.build().tree() == first


def test_two_jobs_are_one_job(project: Make) -> None:
    site = project("nine-ten-eleven")
    one, two = site.build(to="one"), site.build(to="two", jobs=2)
    assert one.tree() == two.tree()
    assert one.warnings == two.warnings


def test_a_second_build_leaves_the_pages_alone(project: Make) -> None:
    site = project("retitle-the-middle-part")
    first = site.build(html_theme="furo")
    tree = first.tree()
    times = {path: path.stat().st_mtime_ns for path in first.out.glob("infra/*.html")}
    second = site.build(html_theme="furo")
    assert second.tree() == tree
    assert {path: path.stat().st_mtime_ns for path in second.out.glob("infra/*.html")} == times


@pytest.mark.parametrize("harm", ["truncate", "delete"])
def test_a_harmed_page_comes_back(project: Make, harm: str) -> None:
    site = project("retitle-the-middle-part")
    built = site.build()
    tree = built.tree()
    page = built.out / "infra/two.html"
    if harm == "truncate":
        page.write_bytes(page.read_bytes()[:100])
    else:
        page.unlink()
    assert site.build().tree() == tree


def test_a_body_edit_rewrites_its_own_page_only(project: Make) -> None:
    site = project("nine-ten-eleven")
    built = site.build()
    times = {path: path.stat().st_mtime_ns for path in built.out.rglob("*.html")}
    site.replace("mlc/mlc-7.md", "Some words to read.", "Other words to read.\n\nAnd a second paragraph.")
    site.replace("mlc/mlc-7.md", "date:", "summary: The same.\ndate:")
    site.build()
    site.replace("mlc/mlc-7.md", "And a second", "And another")
    times = {path: path.stat().st_mtime_ns for path in built.out.rglob("*.html")}
    site.build()
    changed = {p.relative_to(built.out).as_posix() for p, t in times.items() if p.stat().st_mtime_ns != t}
    posts = {name for name in changed if name.startswith(("mlc/mlc-", "cs336/0", "cs336/1"))}
    assert posts == {"mlc/mlc-7.html"}


def test_a_withdrawn_title_is_forgotten(project: Make) -> None:
    site = project("one-draft")
    site.replace("infra/two.md", "draft: true\n", "")
    assert site.build().files_with("ZEBRA")
    site.replace("infra/two.md", "date:", "draft: true\ndate:")
    assert site.build().files_with("ZEBRA") == []


TARGETS = """---
date: 2026-01-05
---
# Targets

(here)=
## A section

```{figure} dot.svg
:name: fig-here
:alt: A dot.

A caption.
```

```{math}
:label: eq-here
a = b
```

```{glossary}
word
  What it means.
```
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("## A section", "## Another section"),
        ("A caption.", "Another caption."),
        ("(here)=\n", "```{figure} dot.svg\n:alt: A dot.\n\nFirst.\n```\n\n(here)=\n"),
        (
            ":label: eq-here\na = b",
            "c = d\n```\n\n```{math}\n:label: eq-first\nc = d\n```\n\n```{math}\n:label: eq-here\na = b",
        ),
        ("## A section", "## A section\n\nNew words.\n\n## A third"),
    ],
)
def test_a_page_hears_of_what_it_refers_to(project: Make, old: str, new: str) -> None:
    site = project("figures-of-posts")
    site.write("targets.md", TARGETS)
    site.write(
        "uses.md",
        "---\norphan:\n---\n# Uses\n\n{ref}`here`, {numref}`fig-here`, {numref}`{name} <fig-here>`, {eq}`eq-here`, "
        "{term}`word`, [](#here), [a heading](targets.md#a-section).\n",
    )
    site.replace("index.md", "plain\n", "plain\ntargets\n")
    site.replace("conf.py", "numfig", "myst_heading_anchors = 3\nnumfig")
    site.build()
    site.replace("targets.md", old, new)
    assert site.build().tree() == site.build(to="clean").tree()


def test_a_visible_toctree_hears_of_headings_far_below(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.replace("index.md", ":hidden:\n", "")
    site.replace("infra/index.md", ":hidden:\n", "")
    site.build()
    site.replace("infra/two.md", "Second body.", "Second body.\n\n## A new heading\n\nText.")
    assert site.build().tree() == site.build(to="clean").tree()


def test_a_page_moved_into_a_folder_leaves_no_old_address(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.write("last.md", "# Last\n\nText.\n")
    site.replace("index.md", "guide\n", "guide\nlast\n")
    site.build()
    (site.source / "guide.md").rename(site.source / "moved.md")
    (site.source / "guide").mkdir()
    (site.source / "moved.md").rename(site.source / "guide/index.md")
    site.replace("guide/index.md", "infra/two.md", "../infra/two.md")
    site.replace("index.md", "guide\n", "guide/index\n")
    assert site.build().tree() == site.build(to="clean").tree()


def test_pictures_of_one_name_are_named_alike_in_every_build(project: Make) -> None:
    site = project("nine-ten-eleven")
    for i in range(1, 12):
        site.write(
            f"mlc/p{i}/plot.svg", f'<svg xmlns="http://www.w3.org/2000/svg" width="{i}" height="9"/>\n'
        )
        site.replace(f"mlc/mlc-{i}.md", "Some words", f"![A plot](p{i}/plot.svg) words")
    one, two = site.build(to="one"), site.build(to="two", jobs=2)
    assert one.tree() == two.tree()
    site.write("cs336/plot.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="9"/>\n')
    site.replace("cs336/01.md", "Some words", "![A plot](plot.svg) words")
    assert site.build(to="one").tree() == site.build(to="clean").tree()


def test_what_another_builder_read_reaches_this_output(project: Make) -> None:
    site = project("lab-values")
    site.build()
    site.replace("good/lab.json", "311.6", "312.7")
    site.replace("none/index.md", "# None", "# None at all")
    site.build("text")
    assert site.build().tree() == site.build(to="clean").tree()


def test_a_page_that_becomes_a_post_moves_what_stands_around(project: Make) -> None:
    site = project("figures-of-posts")
    site.write("uses.md", "---\norphan:\n---\n# Uses\n\n{numref}`fig-p` and [a page](guide.md).\n")
    site.write("guide.md", "# Guide\n\nText.\n")
    site.write("last.md", "# Last\n\nText.\n")
    site.replace("index.md", "plain\n", "guide\nplain\nlast\n")
    site.build(html_theme="furo")
    site.replace("plain.md", "# Plain", "---\ndate: 2026-03-01\n---\n# Plain")
    assert site.build(html_theme="furo").tree() == site.build(to="clean", html_theme="furo").tree()


@pytest.mark.parametrize("theme", ["writing", "furo", "alabaster"])
def test_the_first_post_and_the_last(project: Make, theme: str) -> None:
    site = project("site-without-posts")
    site.replace("conf.py", '"myst_parser", *os', '"sphinx_writing", *os')
    none = site.build(html_theme=theme).tree()
    site.write("post.md", "---\ndate: 2026-01-01\norphan:\n---\n# Post\n\nText.\n")
    assert site.build(html_theme=theme).tree() == site.build(to="clean", html_theme=theme).tree()
    (site.source / "post.md").unlink()
    assert site.build(html_theme=theme).tree() == none


def test_environments_without_a_label_have_the_same_ids_in_every_build(project: Make) -> None:
    site = project("retitle-the-middle-part")
    twice = "\\begin{align}\na &= b\n\\end{align}\n"
    site.write("maths.md", f"# Maths\n\n{twice}\n{twice}\n\\begin{{equation*}}\nc\n\\end{{equation*}}\n")
    site.replace("conf.py", "project", 'myst_enable_extensions = ["amsmath"]\nproject')
    site.replace("index.md", "guide\n", "guide\nmaths\n")
    one, two = site.build(to="one"), site.build(to="two", jobs=2)
    assert one.tree() == two.tree()
    assert one.warnings == two.warnings == []
    ids = re.findall(r'id="(equation-[^"]+)"', one.text("maths.html"))
    assert len(set(ids)) == 2
    assert all(f'href="#{name}"' in one.text("maths.html") for name in ids)
    site.replace("maths.md", "# Maths", "# Maths and more")
    assert site.build(to="one").tree() == site.build(to="clean").tree()


def test_a_new_draft_under_a_pattern_changes_nothing(project: Make) -> None:
    site = project("nine-ten-eleven")
    before = site.build().tree()
    site.write("mlc/mlc-12.md", "---\ndate: 2026-01-01\ndraft: true\n---\n# ZEBRA\n")
    built = site.build()
    assert built.tree() == before == site.build(to="clean").tree()
    assert "mlc-*" in built.text("_sources/mlc/index.md.txt")


def test_index_entries_stay_in_the_search_index(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.write(
        "words.md",
        "# Words\n\n```{glossary}\ngadget\n  A thing.\n```\n\n```{index} pair: loop; statement\n```\n",
    )
    site.replace("index.md", "guide\n", "guide\nwords\n")
    site.build()
    change_body(site)
    assert site.build().tree() == site.build(to="clean").tree()
    assert "gadget" in site.build().text("searchindex.js")


def test_a_link_to_a_page_that_is_renamed(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.build()
    (site.source / "infra/two.md").rename(site.source / "infra/deux.md")
    site.replace("infra/index.md", "two\n", "deux\n")
    assert site.build().tree() == site.build(to="clean").tree()


def test_a_changed_style_sheet_reaches_every_page(project: Make) -> None:
    def page(to: str) -> str:  # in a process of its own: Sphinx remembers checksums within one
        out = site.folder / to
        subprocess.run([sys.executable, "-m", "sphinx", "-qW", str(site.source), str(out)], check=True)
        return (out / "infra/two.html").read_text(encoding="utf-8")

    site = project("retitle-the-middle-part")
    site.write("_static/site.css", "a { color: red }\n")
    site.replace(
        "conf.py", "project", 'html_static_path = ["_static"]\nhtml_css_files = ["site.css"]\nproject'
    )
    first = page("kept")
    site.write("_static/site.css", "a { color: blue }\n")
    assert first != page("kept") == page("clean")


def test_a_document_with_the_name_of_a_page_of_sphinx_leaves_nothing(project: Make) -> None:
    site = project("retitle-the-middle-part")
    first = site.build().tree()
    site.write("search.md", "---\norphan: true\n---\n# Mine\n\n[](#search)\n")
    site.write("genindex.md", "---\norphan: true\n---\n# Mine, too\n")
    assert site.build().tree() == site.build(to="clean").tree()
    (site.source / "search.md").unlink()
    (site.source / "genindex.md").unlink()
    assert site.build().tree() == first
