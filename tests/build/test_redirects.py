"""Redirects: the pages at old addresses, whose place they may not take, and that they are kept exact."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from .conftest import Project

Make = Callable[[str], Project]


def moved(site: Project, *addresses: str, name: str = "infra/two.md") -> None:
    """Give a page old addresses."""
    site.replace(name, "date:", f"redirect_from: [{', '.join(map(repr, addresses))}]\ndate:")


@pytest.mark.parametrize(
    ("builder", "target"), [("html", "../../infra/two.html"), ("dirhtml", "../../infra/two/")]
)
def test_a_redirect_names_its_page(project: Make, builder: str, target: str) -> None:
    site = project("retitle-the-middle-part")
    moved(site, "/old/two/")
    built = site.build(builder, html_baseurl="https://example.org/x")
    assert built.warnings == []
    page = built.text("old/two/index.html")
    assert f'data-target="{target}"' in page
    assert f'content="0; url={target}"' in page
    assert f'<a href="{target}">Two</a>' in page
    assert f'<link rel="canonical" href="https://example.org/x/{target[6:]}">' in page
    assert '<meta name="robots" content="noindex">' in page
    assert 'src="../../_static/writing-redirect.js"' in page
    assert (built.out / "_static/writing-redirect.js").is_file()


def test_what_leads_to_the_first_page(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.replace("index.md", "# Home", "---\nredirect_from: [/old.html, /home/]\n---\n# Home")
    built = site.build("dirhtml")
    assert 'data-target="./"' in built.text("old.html")
    assert 'data-target="../"' in built.text("home/index.html")
    assert "canonical" not in built.text("old.html")


def test_hostile_titles(project: Make) -> None:
    site = project("retitle-the-middle-part")
    moved(site, "/old/")
    site.replace("infra/two.md", "# Two", '# `</title><script>` & "quotes" {{ x }} $y$')
    page = site.build().text("old/index.html")
    assert "<title>&lt;/title&gt;&lt;script&gt; &amp;" in page
    assert page.count("<script") == 1


def test_each_that_cannot_be_is_reported_with_its_place(project: Make) -> None:
    site = project("retitle-the-middle-part")
    moved(
        site,
        "/infra/two.html",
        "/guide.html",
        "/Guide.html",
        "/tags/",
        "/search.html",
        "/robots.txt/",
        "/a/../b",
    )
    moved(site, "/infra/two.html", "/fine/", name="infra/three.md")
    site.write("_own/own/index.html", "Ours.\n")
    moved(site, "/own/", "/fine", name="infra/one.md")
    built = site.build(html_extra_path=["_own"])
    assert [re.sub(r"^(\S+?:\d+):\d+: WARNING: ", r"\1 ", line) for line in built.warnings] == [
        'infra/two.md:2 "redirect_from": "/a/../b" is no old address: expected an address within the site such as '
        '/old/path/ or old/path.html; ".." leads elsewhere [writing.value]',
        'infra/one.md:2 "redirect_from": "/own/" is a file of html_extra_path, own/index.html; take it out [writing.address]',
        'infra/three.md:2 "redirect_from": "/infra/two.html" is the address of "infra/two"; take it out [writing.address]',
        'infra/three.md:2 "redirect_from": "/fine/" is an old address of "infra/one"; take it out [writing.address]',
        'infra/two.md:2 "redirect_from": "/infra/two.html" is this page\'s own address and would lead to itself; take it out [writing.address]',
        'infra/two.md:2 "redirect_from": "/guide.html" is the address of "guide"; take it out [writing.address]',
        'infra/two.md:2 "redirect_from": "/Guide.html" differs in letter case only from the address of "guide"; take it out [writing.address]',
        'infra/two.md:2 "redirect_from": "/tags/" is the address of the generated page tags/index; take it out [writing.address]',
        'infra/two.md:2 "redirect_from": "/search.html" is the address of the generated page search; take it out [writing.address]',
        'infra/two.md:2 "redirect_from": "/robots.txt/" would lie in "robots.txt", which is a file; take it out [writing.address]',
    ]  # fmt: skip
    assert "Ours." in built.text("own/index.html")
    assert 'data-target="../infra/one.html"' in built.text("fine/index.html")
    assert "Second body" in built.text("infra/two.html")
    again = site.build(html_extra_path=["_own"])
    assert again.warnings == built.warnings


def test_a_draft_has_no_redirect_and_keeps_its_place(project: Make) -> None:
    site = project("one-draft")
    moved(site, "/zebra/old/")
    built = site.build()
    assert built.warnings == []
    assert built.files_with("zebra") == []
    assert not (built.out / "zebra").exists()
    assert (site.build(to="preview", writing_preview=True).out / "zebra/old/index.html").is_file()
    moved(site, "/infra/two.html", name="infra/one.md")
    assert 'is the address of "infra/two", which is withheld' in site.build().warnings[0]


def add(site: Project) -> None:
    moved(site, "/more/", name="infra/three.md")


def change(site: Project) -> None:
    site.replace("infra/two.md", "/old/two/", "/older/two/")


def retitle(site: Project) -> None:
    site.replace("infra/two.md", "# Two", "# Deux & `code`")


def hide(site: Project) -> None:
    site.replace("infra/two.md", "date:", "draft: true\ndate:")


def rename(site: Project) -> None:
    (site.source / "infra/two.md").rename(site.source / "infra/deux.md")
    site.replace("infra/deux.md", "/old/two/", "/infra/two.html")
    site.replace("infra/index.md", "two\n", "deux\n")


def come_to_stand_there(site: Project) -> None:
    site.write("old/two/index.md", "---\norphan:\n---\n# Here\n")


@pytest.mark.parametrize("edit", [add, change, retitle, hide, rename, come_to_stand_there])
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_incremental_is_clean(project: Make, edit: Callable[[Project], None], builder: str) -> None:
    site = project("retitle-the-middle-part")
    moved(site, "/old/two/", "/two.html")
    first = site.build(builder).tree()
    sources = {path: path.read_bytes() for path in site.source.rglob("*.md")}
    edit(site)
    incremental, clean = site.build(builder), site.build(builder, to="clean")
    assert incremental.tree() == clean.tree() != first
    assert incremental.warnings == clean.warnings
    for path in site.source.rglob("*.md"):
        if path not in sources:
            path.unlink()
    for path, content in sources.items():
        path.write_bytes(content)
    assert site.build(builder).tree() == first


@pytest.mark.parametrize("harm", ["cut", "delete"])
def test_a_harmed_redirect_comes_back(project: Make, harm: str) -> None:
    site = project("retitle-the-middle-part")
    moved(site, "/old/two/")
    built = site.build()
    tree, page = built.tree(), built.out / "old/two/index.html"
    page.write_bytes(b"<") if harm == "cut" else page.unlink()
    assert site.build().tree() == tree


def test_redirects_are_in_no_index(project: Make) -> None:
    site = project("retitle-the-middle-part")
    moved(site, "/zebra/two/")
    built = site.build(html_baseurl="https://example.org/x/", writing_feeds=False)
    assert (built.out / "zebra/two/index.html").is_file()
    assert built.files_with("zebra") == ["_sources/infra/two.md.txt"]


def test_a_page_that_is_no_post_is_led_to_as_well(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.replace("guide.md", "# ", "---\nredirect_from: /handbook/\n---\n# ")
    built = site.build()
    assert built.warnings == []
    assert 'data-target="../guide.html"' in built.text("handbook/index.html")
