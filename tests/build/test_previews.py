"""Previews: a file for each target that changes with it alone, and links that say they have one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup

from .conftest import Built, Project

Make = Callable[[str], Project]
Edit = Callable[[Project], None]


@pytest.fixture
def site(project: Make) -> Project:
    made = project("glossary")
    made.replace("conf.py", "writing_glossary", "writing_previews = True\nwriting_glossary")
    made.replace("infra/three.md", "An inode", "See [](one.md) and {doc}`index`, {ref}`genindex`. An inode")
    made.replace("infra/three.md", "date:", "summary: Three things.\ndate:")
    return made


def shown(built: Built, name: str) -> str:
    """The HTML that the file of a preview hands over."""
    text = built.text(f"_previews/{name}.js")
    found = re.fullmatch(r"document\.currentScript\.writingPreview = (\".*\");\n", text)
    assert found, text
    assert text.isascii()
    assert "<" not in text
    return str(json.loads(found[1]))


def files(built: Built) -> list[str]:
    return sorted(
        p.relative_to(built.out).as_posix() for p in built.out.rglob("_previews/**/*") if p.is_file()
    )


def marked(built: Built, name: str) -> list[str]:
    page = BeautifulSoup(built.text(name), "html.parser")
    return [str(link["href"]) for link in page.select("a.writing-previewed")]


def test_every_post_series_and_term_has_a_file(site: Project) -> None:
    built = site.build()
    assert built.warnings == []
    pages = ["index", "one", "three", "two"]
    terms = ["FAT", "KV-cache", "all-reduce", "cache", "inode", "key-value-cache", "two-words"]
    assert files(built) == [
        *(f"_previews/infra/{name}.html.js" for name in pages),
        *(f"_previews/terms.html.term-{name}.js" for name in terms),
    ]
    assert shown(built, "infra/one.html").splitlines() == [
        '<p class="writing-preview-badge"><span class="writing-key writing-key-0"></span>Infra '
        '<span class="writing-part">1</span></p>',
        '<p class="writing-preview-title">One inode</p>',
        "<p>A summary with an inode.</p>",
    ]
    assert "Of an inode." in shown(built, "infra/index.html")
    assert shown(built, "terms.html.term-KV-cache").splitlines() == [
        '<p class="writing-preview-title">KV cache</p>',
        "<p>Keys and values that are kept. See Two.</p>",
    ]


def test_links_to_what_has_one_are_marked_and_load_the_script(site: Project) -> None:
    built = site.build()
    assert marked(built, "infra/three.html")[:2] == ["one.html", "index.html"]
    assert marked(built, "terms.html") == ["infra/two.html"]
    for name in ("infra/three.html", "terms.html"):
        assert re.search(r'<script defer="defer" src="\S*_static/writing-previews\.js', built.text(name))
        assert "_static/writing-previews.css" in built.text(name)
    assert "writing-previews" not in built.text("genindex.html")


def test_without_the_value_there_is_nothing_of_it(site: Project) -> None:
    built = site.build(writing_previews=False)
    assert files(built) == []
    assert "writing-previews" not in built.text("infra/three.html")
    assert marked(built, "infra/three.html") == []


def test_addresses_without_html(site: Project) -> None:
    built = site.build("dirhtml")
    assert "_previews/infra/one/index.html.js" in files(built)
    assert "_previews/terms/index.html.term-FAT.js" in files(built)
    assert marked(built, "infra/three/index.html")[:2] == ["../one/", "../"]
    assert files(site.build("epub")) == files(site.build("singlehtml")) == []


def test_formulas_are_mathml(site: Project) -> None:
    assert "<code>n</code>" in shown(site.build(), "terms.html.term-FAT")
    site.replace("infra/two.md", "date:", "summary: Of $n^2$.\ndate:")
    site.replace("conf.py", "project", 'html_math_renderer = "katex"\nproject')
    text = shown(site.build(), "infra/two.html")
    assert "<math" in text
    assert "katex" not in text


HOSTILE = "</script><!-- ]]> & \" ' \u2028 {{ 1 }} \U0001f600 <b>x</b>"


def test_hostile_titles_are_text(site: Project) -> None:
    summary = HOSTILE.replace("\u2028", "").replace("'", "''")
    site.replace("infra/two.md", "date:", f"summary: '{summary}'\ndate:")
    site.replace("infra/two.md", "# Two", f"# {HOSTILE.replace('<b>x</b>', '')} `</script>`")
    built = site.build()
    page = BeautifulSoup(shown(built, "infra/two.html"), "html.parser")
    assert [tag.name for tag in page.find_all(True)] == ["p", "span", "span", "p", "code", "p"]
    assert page.find_all("p")[2].get_text() == HOSTILE.replace("\u2028", "").replace("  ", " ")


def test_nothing_of_a_draft_is_in_a_preview(site: Project) -> None:
    site.replace("infra/two.md", "date:", "summary: A ZEBRA.\ndate:")
    site.replace("infra/two.md", "# Two", "# ZEBRA")
    site.write("drafts.md", "---\ndraft: true\n---\n# ZEBRA\n\n```{glossary}\nzebra\n  A ZEBRA.\n```\n")
    built = site.build()
    assert any(name.startswith("_previews") for name in built.files_with("ZEBRA"))
    site.replace("infra/two.md", "date:", "draft: true\ndate:")
    built = site.build()
    assert built.files_with("ZEBRA") == []
    assert "_previews/infra/two.html.js" not in files(built)
    assert shown(built, "terms.html.term-KV-cache").endswith("<p>Keys and values that are kept. See ….</p>")
    preview = site.build(to="preview", writing_preview=True)
    assert '<span class="writing-hidden">Draft</span>' in shown(preview, "infra/two.html")


SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}"/>'


def test_the_first_broad_picture_is_shown_for_light_and_dark(site: Project) -> None:
    site.write("infra/tall.svg", SVG.format(40, 40))
    site.write("infra/bröad.svg", SVG.format(40, 20))
    site.replace(
        "infra/two.md", "A caching", "```{figure} tall.svg\n```\n\n```{figure} bröad.svg\n```\n\nA caching"
    )
    built = site.build()
    image = '<img src="_images/br%C3%B6ad.svg" alt="" width="40" height="20" loading="lazy">'
    assert shown(built, "infra/two.html").splitlines()[-1] == image
    site.write("infra/bröad-dark.svg", SVG.format(40, 20))
    built = site.build()
    assert 'class="only-dark" src="_images/br%C3%B6ad-dark.svg"' in shown(built, "infra/two.html")
    assert built.tree() == site.build(to="clean").tree()
    site.write("infra/bröad.svg", SVG.format(20, 20))
    built = site.build()
    assert "<img" not in shown(built, "infra/two.html")
    assert built.tree() == site.build(to="clean").tree()


def retitled(site: Project) -> None:
    site.replace("infra/one.md", "# One inode", "# Eins")


def summed_up(site: Project) -> None:
    site.replace("infra/one.md", "A summary", "Another summary")


def body(site: Project) -> None:
    site.replace("infra/one.md", "inode.c", "more")


def reordered(site: Project) -> None:
    site.replace("infra/index.md", "one\ntwo", "two\none")


def defined(site: Project) -> None:
    site.replace("terms.md", "kept near", "kept nearer")


def deleted(site: Project) -> None:
    (site.source / "infra/one.md").unlink()
    site.replace("infra/index.md", "one\n", "")
    site.replace("infra/three.md", "[](one.md) and ", "")


def no_post(site: Project) -> None:
    site.write("infra/four.md", "---\norphan:\n---\n# Four\n\n[](/plain.md)\n")
    site.write("plain.md", "---\norphan:\n---\n# Plain\n")
    site.build()
    site.replace("plain.md", "orphan:", "orphan:\ndate: 2026-02-02")


def off(site: Project) -> None:
    site.replace("conf.py", "writing_previews = True", "writing_previews = False")


CHANGED = {
    retitled: {"infra/one.html"},
    summed_up: {"infra/one.html"},
    body: set(),
    reordered: {"infra/one.html", "infra/two.html"},
    defined: {"terms.html.term-cache"},
}


@pytest.mark.parametrize("edit", [*CHANGED, deleted, no_post, off], ids=lambda e: e.__name__)
def test_an_edit_gives_the_files_of_a_clean_build(site: Project, edit: Edit) -> None:
    built = site.build()
    times = {name: (built.out / name).stat().st_mtime_ns for name in files(built)}
    edit(site)
    built = site.build()
    assert built.tree() == site.build(to="clean").tree()
    if edit in CHANGED:
        changed = {name for name, time in times.items() if (built.out / name).stat().st_mtime_ns != time}
        assert changed == {f"_previews/{name}.js" for name in CHANGED[edit]}


def test_a_harmed_file_comes_back(site: Project) -> None:
    built = site.build()
    name = "_previews/infra/one.html.js"
    whole = built.text(name)
    (built.out / name).write_text("no")
    assert site.build().text(name) == whole
