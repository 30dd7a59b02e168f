"""The writing directive: filters, orders, groups and styles, in pages and in the other outputs."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup
from furo.navigation import get_navigation_tree  # type: ignore[import-untyped]

from .conftest import Project
from .test_cases import cards

Make = Callable[[str], Project]


def lists(html: str) -> list[str]:
    """The parts of a page that one directive each made."""
    return re.split(
        r'<(?:div class="writing-list|ul class="writing-series-list|p class="writing-count")', html
    )[1:]


def headings(html: str) -> list[str]:
    return re.findall(r'class="writing-group">(.*?)<', html)


def test_lists(project: Make) -> None:
    built = project("lists").build()
    assert built.warnings == []
    limited, other, shared, year, series, grouped, sentence = lists(built.text("index.html"))
    assert cards(limited) == ["One"]
    assert cards(other) == ["Three"]
    assert headings(other) == ["B"]
    assert cards(shared) == ["Two", "Solo", "One"]
    assert "writing-card-featured" in shared
    assert cards(year) == ["Solo", "Two"]
    assert headings(year) == ["2025"]
    assert re.findall(r'href="([^"]+)"', series)[:2] == ["a/index.html", "b/index.html"]
    assert headings(grouped) == ["Things", "Other", "Other notes"]
    assert cards(grouped) == ["One", "Two", "Three", "Solo"]
    assert "4 technical notes across things and other." in sentence
    assert '<h2 class="writing-card-title">' in limited
    assert '<h4 class="writing-card-title">' in grouped


def test_lists_in_other_outputs(project: Make) -> None:
    site = project("lists")
    text = site.build("text").text("index.txt")
    assert "4 technical notes across things and other." in text
    assert "One · 1 January 2026" in text
    tex = site.build("latex").text("tiny.tex")
    assert "Read first" not in tex
    assert "part 1 of 2" in tex
    assert "About a." in tex
    epub = site.build("epub")
    assert "One</a> · 1 January 2026" in epub.text("index.xhtml")
    assert "writing-card" not in epub.text("index.xhtml")


def test_series_page_of_a_series_without_numbers(project: Make) -> None:
    built = project("lists").build()
    assert "1 note, ongoing" in built.text("b/index.html")
    assert "writing-row-number" not in built.text("b/index.html")
    assert "part " not in re.sub(r"<[^>]+>", "", built.text("b/three.html"))


def test_furniture_of_a_post(project: Make) -> None:
    built = project("retitle-the-middle-part").build()
    three, two = built.text("infra/three.html"), built.text("infra/two.html")
    assert re.search(r'Read first:\s*<a href="two.html">Two</a>', three)
    assert "All 3 parts of Infra" in three
    assert 'aria-current="page"><a href="#">Three</a>' in three
    assert '<p class="writing-sentence">Words, and a look at Two in this sentence.</p>' in two
    assert '<p class="writing-sentence">Third, see Two.</p>' in two
    assert "Guide" not in re.findall(r'writing-cited-by".*?</section>', two, re.DOTALL)[0]
    assert 'href="../tags/second/index.html" rel="tag"' in two


def test_a_template_of_the_site_replaces_ours(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.replace("conf.py", "extensions", 'templates_path = ["_templates"]\nextensions')
    site.build()
    site.write("_templates/writing/post-above.html", "<p>OURS</p>\n")
    built = site.build()
    assert "<p>OURS</p>" in built.text("infra/one.html")
    assert built.tree() == site.build(to="clean").tree()


def plain_and_folding(site: Project, page: str) -> tuple[str, str]:
    """The sidebar of a page as other themes get it, and as furo shows it."""
    site.replace(
        "conf.py",
        "project",
        'def setup(app):\n    app.connect("html-page-context", keep, priority=700)\n\nproject',
    )
    site.replace("conf.py", "def setup", KEEPS_THE_PLAIN_TREE + "\n\ndef setup")
    built = site.build(html_theme="furo")
    shown = BeautifulSoup(built.text(page), "html.parser").find(class_="sidebar-tree")
    assert shown is not None
    return built.text(f"{page}.plain"), shown.decode_contents()


KEEPS_THE_PLAIN_TREE = """
def keep(app, pagename, template, context, doctree):
    path = app.outdir / f"{pagename}.html.plain"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(context["toctree"](), encoding="utf-8")
"""


def normal(html: str) -> str:
    """*html* without blank texts, and without the words that tell what a box is for: ours leave out the count."""
    soup = BeautifulSoup(html, "html.parser")
    for text in soup.find_all(string=True):
        if not text.strip():
            text.extract()
    for box in soup.find_all("input"):
        box.attrs = {name: value for name, value in sorted(box.attrs.items()) if name != "aria-label"}
    return soup.decode()


@pytest.mark.parametrize("page", ["infra/two.html", "infra/index.html", "guide.html", "infra/deep.html"])
def test_the_tree_folds_as_furo_would_make_it(project: Make, page: str) -> None:
    site = project("retitle-the-middle-part")
    site.write("infra/deep.md", "# Deep\n")
    site.replace("infra/three.md", "Third,", "```{toctree}\ndeep\n```\n\nThird,")
    plain, folding = plain_and_folding(site, page)
    assert "toctree-checkbox" in folding or page == "guide.html"
    assert normal(folding) == normal(get_navigation_tree(plain))


def test_sidebar_opens_one_branch(project: Make) -> None:
    site = project("nine-ten-eleven")
    site.write("mlc/deep.md", "---\norphan:\n---\n# Deep\n")
    site.replace("index.md", "cs336/index\n", "Labelled <cs336/index>\nhttps://example.org\ngenindex\nself\n")
    built = site.build(html_theme="furo")
    page = built.text("mlc/mlc-10.html")
    sidebar = page[page.index('class="sidebar-tree"') : page.index("</aside>")]
    links = re.findall(r'href="([^"#]+)"', sidebar)
    assert links[:2] == ["index.html", "mlc-1.html"]
    assert links[11:] == ["../cs336/index.html", "https://example.org", "../genindex.html", "../index.html"]
    assert "Labelled" in sidebar
    assert len(re.findall("aria-current", sidebar)) == 1
