"""Nothing hidden gets out: not by another builder, another folder, another form of front matter."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Project

Make = Callable[[str], Project]
WORD = b"ZEBRA"


def holding(folder: Path) -> list[str]:
    """The files below *folder*, those in archives and doctrees included, that hold the word."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            if zipfile.is_zipfile(path):
                archive = zipfile.ZipFile(path)
                content = b"".join(archive.read(name) for name in archive.namelist())
            if WORD.lower() in content.lower():
                found.append(path.relative_to(folder).as_posix())
    return found


@pytest.mark.parametrize(
    "builder", ["html", "dirhtml", "singlehtml", "epub", "latex", "text", "xml", "pseudoxml"]
)
def test_a_withdrawn_post_is_gone_from_every_output(project: Make, builder: str) -> None:
    site = project("one-draft")
    site.replace("infra/two.md", "draft: true\n", "")
    site.write(
        "infra/zebra.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!-- ZEBRA --></svg>'
    )
    (site.source / "infra/zebra.pdf").write_bytes(b"%PDF-1.4 ZEBRA")
    site.replace("infra/two.md", "Body ZEBRA.", "Body ZEBRA. ![A picture](zebra.*) {download}`zebra.pdf`")
    assert holding(site.build(builder).out.parent)
    site.replace("infra/two.md", "date:", "draft: true\ndate:")
    built = site.build(builder)
    assert built.warnings == []
    assert holding(built.out.parent) == []


@pytest.mark.parametrize("date", ["draft: true\ndate: 2026-01-01", "date: 2999-01-01"])
def test_the_pages_below_a_withheld_post_go_with_it(project: Make, date: str) -> None:
    site = project("subpath-without-slash")
    site.write("infra/one/index.md", f"---\n{date}\n---\n# One\n\n```{{toctree}}\nsub\n```\n")
    site.write("infra/one/sub.md", "# Sub\n\nZEBRA\n")
    built = site.build()
    assert built.warnings == []
    assert holding(built.out.parent) == []
    assert "ZEBRA" in site.build(to="preview", writing_preview=True).text("infra/one/sub.html")


@pytest.mark.parametrize(
    "source",
    [
        "\n---\ndraft: true\n---\n",
        " ---\ndraft: true\n---\n",
        "<!-- a comment -->\n---\ndraft: true\n---\n",
        "% a comment\n---\ndraft: true\n---\n",
        "\ufeff\ufeff---\ndraft: true\n---\n",
        "\u200b---\ndraft: true\n---\n",
        "---\n\ndraft: true\n",
        "---\n# a comment\ndraft: true\n",
        "+++\ndraft = true\n+++\n",
        "---\ndraft: false\ndraft: true\n---\n",
        "---\ndate: 2020-01-01\ndate: 2999-01-01\n---\n",
        "---\nDRAFT: true\n---\n",
        "---\ndr\u0430ft: true\n---\n",
        "---\nDate: 2999-01-01\n---\n",
    ],
)
def test_front_matter_in_odd_places_and_forms_publishes_nothing(project: Make, source: str) -> None:
    site = project("retitle-the-middle-part")
    site.write("odd.md", f"{source}# Odd\n\nZEBRA\n")
    built = site.build()
    assert len([line for line in built.warnings if line.startswith("odd.md:") and "[writing." in line]) >= 1
    assert holding(built.out) == []


def test_a_page_that_begins_with_a_line_is_no_front_matter(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.write("odd.md", "---\norphan:\n---\n\n---\n\nWords: not a field.\n\n# Odd\n")
    site.write("plain.rst", ":orphan:\n\nPlain\n=====\n\n:draft: is text here\n")
    built = site.build()
    assert [line for line in built.warnings if "[writing." in line] == []
    assert (built.out / "odd.html").is_file()
    assert (built.out / "plain.html").is_file()


def test_the_draft_mark_of_a_restructuredtext_page(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.write("one.rst", ":orphan:\n:draft: true\n\nOne\n===\n\nZEBRA\n")
    site.write("two.rst", ".. a comment\n\n:draft: maybe\n\nTwo\n===\n\nZEBRA\n")
    built = site.build()
    assert built.warnings == [
        'two.rst:3: WARNING: "draft": expected true or false, found "maybe"; the page is left out until then '
        "[writing.front-matter]"
    ]
    assert holding(built.out) == []


@pytest.mark.parametrize(
    "how", ["```{include} two.md\n```", "{download}`two.md`", "```{literalinclude} two.md\n```"]
)
def test_a_copy_of_a_withheld_page_is_reported(project: Make, how: str) -> None:
    site = project("one-draft")
    site.replace("infra/one.md", "Some words to read.", how)
    warnings = [line for line in site.build().warnings if "[writing.post]" in line]
    assert warnings == [
        'infra/one.md:1: WARNING: this page shows the text of "infra/two", which is withheld; take it out '
        "[writing.post]"
    ]


def test_a_text_taken_back_from_an_older_file_is_read(project: Make) -> None:
    import os

    site = project("retitle-the-middle-part")
    path = site.source / "infra/two.md"
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace("Second body.", "ZEBRA"), encoding="utf-8")
    assert holding(site.build().out)
    path.write_text(before, encoding="utf-8")
    os.utime(path, (1, 1))
    assert holding(site.build().out) == []


@pytest.mark.parametrize("builder", ["latex", "texinfo", "man", "gettext"])
def test_a_document_that_begins_with_a_withdrawn_page_is_gone(project: Make, builder: str) -> None:
    site = project("one-draft")
    site.replace("infra/two.md", "draft: true\n", "")
    site.replace(
        "conf.py",
        "project",
        'latex_documents = [("infra/two", "y.tex", "Y", "Us", "manual")]\n'
        'texinfo_documents = [("infra/two", "y", "Y", "Us", "Y", "Y", "Misc")]\n'
        'man_pages = [("infra/two", "y", "Y", "Us", 1)]\ngettext_compact = False\nproject',
    )
    assert holding(site.build(builder).out)
    site.replace("infra/two.md", "date:", "draft: true\ndate:")
    assert holding(site.build(builder, suppress_warnings=["*"]).out) == []


def test_not_even_the_address_of_a_withheld_post_is_printed(project: Make) -> None:
    site = project("one-draft")
    (site.source / "infra/two.md").rename(site.source / "infra/zebra.md")
    site.replace("infra/index.md", "two\n", "zebra\n")
    site.replace("infra/one.md", "Some words to read.", "First comes {post}`infra/zebra` here.")
    built = site.build()
    assert holding(built.out) == ["_sources/infra/one.md.txt"]
    assert "First comes … here." in built.text("index.html")
    site.replace("infra/one.md", "{post}`infra/zebra`", "{post}`what comes <infra/zebra>`")
    assert "First comes what comes here." in site.build().text("index.html")


def test_words_that_look_like_an_entry_stay_in_the_source(project: Make) -> None:
    site = project("one-draft")
    site.replace("infra/index.md", "```{toctree}", "We show\ntwo\nthings.\n\n```{toctree}")
    source = site.build().text("_sources/infra/index.md.txt")
    assert source.count("two") == 1
    assert "We show\ntwo\nthings." in source
