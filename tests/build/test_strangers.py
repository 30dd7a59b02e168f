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
    assert "writing-number" in ours
    assert "writing-number" not in theirs


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
        "infra/two.md", "Second body.", "Second body.\n\n# Another title\n\nMore.[^1]\n\n[^1]: A note.\n"
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


def test_a_glob_takes_names_with_brackets_and_says_when_it_finds_nothing(project: Make) -> None:
    site = project("nine-ten-eleven")
    site.replace("mlc/index.md", "mlc-*\n", "mlc-*\nodd*\nnone*\n")
    site.write("mlc/odd [1].md", "---\ndate: 2026-01-02\n---\n# Odd\n\nText.\n")
    site.replace("mlc/mlc-4.md", "part: 3\n", "")
    built = site.build()
    assert [line.split("WARNING: ")[1] for line in built.warnings] == [
        "toctree glob pattern 'none*' didn't match any documents [toc.empty_glob]"
    ]
    assert cards(built.text("mlc/index.html"))[-1] == "Odd"


def test_documents_that_would_be_overwritten_stay(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.write("tags.md", "---\norphan:\n---\n# My tags\n")
    built = site.build("dirhtml")
    assert built.warnings == [
        "tags.md:1: WARNING: this document takes the address of the generated page tags/index; move it "
        "[writing.address]"
    ]
    assert "My tags" in built.text("tags/index.html")


@pytest.mark.parametrize(("builder", "address"), [("html", "infra/two.html"), ("dirhtml", "infra/two/")])
def test_the_public_address_is_the_builders(project: Make, builder: str, address: str) -> None:
    built = project("retitle-the-middle-part").build(builder, html_baseurl="https://example.org")
    page = built.text("infra/two.html" if builder == "html" else "infra/two/index.html")
    assert f'<link rel="canonical" href="https://example.org/{address}"' in page


def test_a_very_long_tag_has_an_address(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.replace("infra/two.md", "tags: [shared, second]", f"tags: [{'long' * 75}, {'é' * 130}]")
    built = site.build()
    assert built.warnings == []
    assert len(list(built.out.glob("tags/*/index.html"))) == 3


def test_many_links_in_one_sentence(project: Make) -> None:
    site = project("retitle-the-middle-part")
    links = ", ".join(["{post}`infra/three`"] * 1000)
    site.replace("infra/two.md", "Second body.", f"{links}.")
    assert site.build().text("infra/three.html").count("writing-sentence") == 1


@pytest.mark.parametrize("content", [b'{"a": {"value": 1, "unit": "\xe9"}}', b"[" * 100_000])
def test_a_lab_file_that_cannot_be_read(project: Make, content: bytes) -> None:
    site = project("lab-values")
    (site.source / "good/lab.json").write_bytes(content)
    warnings = [line for line in site.build().warnings if line.startswith("good/")]
    assert len(warnings) == 1
    assert "recompute it [writing.lab]" in warnings[0]


def test_a_draft_mark_on_the_root_page_is_reported(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.replace("index.md", "# Home", "---\ndraft: true\n---\n# Home")
    assert site.build().warnings == [
        'index.md:2:8: WARNING: the root page is always published, so "draft" means nothing here; remove it '
        "[writing.value]"
    ]
