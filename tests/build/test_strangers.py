"""A site that is not ours: what it has stays as it is."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from .conftest import Project
from .test_cases import cards

Make = Callable[[str], Project]


@pytest.mark.parametrize("theme", ["furo", "alabaster"])
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_a_site_without_posts_stays_as_it_is(
    project: Make, theme: str, builder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = project("site-without-posts")
    without = site.build(builder, to="without", html_theme=theme)
    monkeypatch.setenv("TRIED", "sphinx_writing")
    with_it = site.build(builder, to="with", html_theme=theme)
    assert without.warnings == with_it.warnings == []
    ours = re.compile(r'\s*<link rel="stylesheet" type="text/css" href="[^"]*/writing[\w-]*\.css[^"]*" />')
    pages = [path.relative_to(without.out).as_posix() for path in without.out.rglob("*.html")]
    assert len(pages) >= 4
    for page in pages:
        assert ours.sub("", with_it.text(page)) == ours.sub("", without.text(page)), page


@pytest.mark.parametrize("renderer", ["sphinx.ext.imgmath", "sphinx.ext.mathjax"])
def test_another_math_renderer_stays_the_one(
    project: Make, renderer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIED", f"{renderer} sphinx_writing")
    site = project("site-without-posts")
    site.replace("index.md", "See {math}`x^2`.", "")
    assert site.build().warnings == []


def test_the_sidebar_can_stay_the_themes(project: Make) -> None:
    site = project("retitle-the-middle-part")
    ours = site.build(html_theme="furo").text("infra/two.html")
    theirs = site.build(html_theme="furo", writing_sidebar=False).text("infra/two.html")
    assert "writing-nav-number" in ours
    assert "writing-nav-number" not in theirs


def test_a_post_in_no_toctree_is_named_with_the_page_that_should_list_it(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.write("infra/new.md", "---\ndate: 2026-03-01\n---\n# New\n\nText.\n")
    site.write("lone.md", "---\ndate: 2026-03-01\norphan:\n---\n# Lone\n\nText.\n")
    built = site.build()
    assert [line for line in built.warnings if "[writing." in line] == [
        'infra/new.md:2:7: WARNING: no toctree lists this post; add "new" to the toctree in "infra/index" '
        "[writing.series]"
    ]
    assert "New" in cards(built.text("index.html"))


def test_a_fault_in_a_formula_is_reported_in_every_build(project: Make) -> None:
    site = project("awkward-first-paragraph")
    site.replace("b.md", "Some words", r"Some $\nosuchcommand$ words")
    first = site.build().warnings
    assert len(first) == 1
    assert first[0].startswith(r'b.md:6: WARNING: formula "\nosuchcommand" is not understood: ')
    assert site.build().warnings == first


def test_a_page_with_several_titles_has_its_footer_at_the_end(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.replace(
        "infra/two.md", "Second body.", "Second body.[^1]\n\n# Another title\n\nMore.\n\n[^1]: A note.\n"
    )
    page = site.build(suppress_warnings=["myst.header"]).text("infra/two.html")
    assert page.index("Another title") < page.index("A note.") < page.index('class="writing-foot"')


def test_an_update_before_the_date_is_reported(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.replace("infra/two.md", "date:", "updated: 2025-12-31\ndate:")
    assert site.build().warnings == [
        'infra/two.md:2:10: WARNING: "updated" (2025-12-31) is before "date" (2026-01-02); correct one of them '
        "[writing.date]"
    ]


def test_the_newer_post_is_told_to_change_its_tag(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.replace("infra/one.md", "tags: [shared]", "tags: [Other]")
    site.replace("infra/three.md", "tags: [shared]", "tags: [other]")
    assert site.build().warnings == [
        'infra/three.md:3:8: WARNING: one tag is spelled in several ways ("Other" in infra/one, "other" in '
        'infra/three); it is shown as "Other", so write that [writing.tag]'
    ]
