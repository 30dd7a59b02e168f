"""A list that can be filtered: what stands in the page for readers without script, and for the script."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup, Tag

from .conftest import Built, Project
from .test_cases import cards

Make = Callable[[str], Project]
SCRIPT = "writing-filter.js"
TITLES = ["Rings", "Trees and NCCL_ALGO", "Attention à la carte", "Mixture of experts", "Solo"]


def page(built: Built, name: str = "index.html") -> BeautifulSoup:
    return BeautifulSoup(built.text(name), "html.parser")


def one(soup: BeautifulSoup | Tag, selector: str) -> Tag:
    found = soup.select_one(selector)
    assert found is not None
    return found


def values(soup: BeautifulSoup) -> dict[str, dict[str, int]]:
    """The values of each facet with their counts, in order."""
    found: dict[str, dict[str, int]] = {}
    for label in soup.select(".writing-filter-value"):
        box, name = one(label, "input"), one(label, ".writing-filter-name").get_text()
        found.setdefault(str(box["name"]), {})[name] = int(one(label, ".writing-filter-number").get_text())
    return found


def named(soup: BeautifulSoup) -> dict[str, list[str]]:
    """Each post with the values that it carries."""
    boxes = [f"{box['name']}={box['value']}" for box in soup.select(".writing-filter-value input")]
    return {
        one(card, ".writing-card-title").get_text(): [
            boxes[int(number)] for number in str(card["data-writing-filter"]).split()
        ]
        for card in soup.select("[data-writing-filter]")
    }


def test_the_complete_list_stands_in_the_page_grouped(project: Make) -> None:
    built = project("filter").build()
    assert built.warnings == []
    soup = page(built)
    assert cards(built.text("index.html")) == TITLES
    assert one(soup, ".writing-card-featured h2").get_text() == "Rings"
    assert [h.get_text() for h in soup.select("h2.writing-group")] == ["2026", "2025"]
    assert [h.name for h in soup.select(".writing-filter-group .writing-card-title")] == ["h3"] * 4
    assert not [card for card in soup.select(".writing-card") if card.has_attr("hidden")]


def test_without_script_there_are_links_and_no_form(project: Make) -> None:
    soup = page(project("filter").build())
    assert one(soup, "form.writing-filter").has_attr("hidden")
    plain = one(soup, "details.writing-filter-plain")
    links = [str(link["href"]) for link in plain.select("a")]
    assert links[:4] == [
        "infra/index.html",
        "models/index.html",
        "archive/2026/index.html",
        "archive/2025/index.html",
    ]
    assert links[4:6] == ["tags/attention/index.html", "tags/nccl/index.html"]
    assert links[-1] == "tags/index.html"
    assert len(links) == 4 + 12 + 1


def test_the_form_has_native_boxes_in_fieldsets_with_legends(project: Make) -> None:
    soup = page(project("filter").build())
    form = one(soup, "form.writing-filter")
    assert form["aria-label"] == "Filter the notes"
    legends = [one(fieldset, "legend").get_text() for fieldset in form.select("fieldset")]
    assert legends == ["Series", "Category", "Year", "Tag"]
    assert all(label.select_one("input[type=checkbox]") for label in form.select(".writing-filter-value"))
    assert one(form, "label input[type=search]")["name"] == "q"
    assert len(form.select(".writing-filter-rest")) == 3
    assert one(form, ".writing-filter-more").get_text() == "All 15 tags"
    assert one(form, ".writing-filter-toggle").get_text() == "Filter by series, tag or year"


def test_facets_count_what_is_published(project: Make) -> None:
    site = project("filter")
    found = values(page(site.build()))
    assert found["series"] == {"Infra": 2, "Models": 2, "Other notes": 1}
    assert found["category"] == {"AI infrastructure": 2, "Models": 2, "Other notes": 1}
    assert found["year"] == {"2026": 2, "2025": 3}
    assert list(found["tag"].items())[:4] == [
        ("attention", 2),
        ("nccl", 2),
        ("collectives", 1),
        ("kind-a", 1),
    ]
    assert "zebra" not in found["tag"]
    preview = values(page(site.build(to="preview", writing_preview=True)))
    assert preview["series"]["Infra"] == 3
    assert preview["tag"]["zebra"] == 1


def test_posts_carry_their_values(project: Make) -> None:
    found = named(page(project("filter").build()))
    assert list(found) == TITLES
    assert found["Rings"] == [
        "series=infra",
        "category=ai-infrastructure",
        "year=2026",
        "tag=nccl",
        "tag=collectives",
    ]
    assert found["Solo"] == ["series=other", "category=other", "year=2025"]


def retag(site: Project) -> None:
    site.replace("infra/trees.md", "[nccl]", "[nccl, moe, new]")


def rename_the_category(site: Project) -> None:
    site.replace("infra/index.md", "AI infrastructure", "Machines")


def publish(site: Project) -> None:
    site.replace("infra/zebra.md", "draft: true\n", "")


def redate(site: Project) -> None:
    site.replace("models/attention.md", "2025-05-01", "2024-05-01")


@pytest.mark.parametrize(
    "edit", [retag, rename_the_category, publish, redate], ids=lambda edit: edit.__name__
)
def test_an_edit_changes_the_counts_as_a_clean_build_does(
    project: Make, edit: Callable[[Project], None]
) -> None:
    site = project("filter")
    first = site.build()
    before = values(page(first))
    edit(site)
    again = site.build()
    assert values(page(again)) != before
    assert again.tree() == site.build(to="clean").tree()


def test_only_pages_with_a_filter_load_the_script(project: Make) -> None:
    built = project("filter").build()
    assert re.search(rf'<script defer="defer" src="_static/{SCRIPT}\?v=\w+">', built.text("index.html"))
    for name in ("plain.html", "solo.html", "infra/index.html", "tags/nccl/index.html", "genindex.html"):
        assert SCRIPT not in built.text(name), name
    assert "data-writing-filter" not in built.text("plain.html")


@pytest.mark.parametrize("builder", ["dirhtml", "singlehtml"])
def test_other_web_pages_filter_as_well(project: Make, builder: str) -> None:
    built = project("filter").build(builder)
    assert SCRIPT in built.text("index.html")
    assert values(page(built))["tag"]["nccl"] == 2


@pytest.mark.parametrize(
    ("builder", "file"), [("text", "index.txt"), ("latex", "tiny.tex"), ("epub", "index.xhtml")]
)
def test_other_outputs_have_the_plain_list(project: Make, builder: str, file: str) -> None:
    text = project("filter").build(builder).text(file)
    assert text.index("Rings") < text.index("Trees") < text.index("Solo")
    assert "Filter" not in text
    assert "writing-filter" not in text


def test_a_list_of_rows_filters_too(project: Make) -> None:
    site = project("filter")
    site.replace("index.md", ":feature:\n", ":style: list\n:group: series\n")
    soup = page(site.build())
    assert list(named(soup)) == TITLES
    assert [row.name for row in soup.select("[data-writing-filter]")] == ["li"] * 5
    assert [h.get_text() for h in soup.select(".writing-group")] == ["Infra", "Models", "Other notes"]


def test_a_list_of_some_posts_counts_those_and_leaves_out_what_it_fixes(project: Make) -> None:
    site = project("filter")
    site.replace("index.md", ":feature:\n", ":series: infra\n")
    soup = page(site.build())
    assert values(soup) == {"year": {"2026": 2}, "tag": {"nccl": 2, "collectives": 1}}
    assert one(soup, ".writing-filter-toggle").get_text() == "Filter by tag or year"


def test_an_empty_list_has_no_filter(project: Make) -> None:
    site = project("filter")
    site.replace("index.md", ":feature:\n", ":series: gone\n")
    built = site.build()
    assert "writing-filter" not in built.text("index.html").replace(SCRIPT, "")
    assert SCRIPT not in built.text("index.html")
    assert "No posts yet." in built.text("index.html")


def test_two_lists_on_a_page_share_no_id(project: Make) -> None:
    site = project("filter")
    site.replace("index.md", "```{toctree}", "```{writing}\n:filter:\n```\n\n```{toctree}")
    soup = page(site.build())
    assert len(soup.select("form.writing-filter")) == 2
    ids = [element["id"] for element in soup.select("[id]")]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("style", ["series", "sentence"])
def test_what_shows_no_posts_cannot_be_filtered(project: Make, style: str) -> None:
    site = project("filter")
    site.replace("index.md", ":feature:\n", f":style: {style}\n")
    warnings = site.build().warnings
    assert warnings == [
        f'index.md:6: ERROR: a list of style "{style}" shows no posts; remove "filter" [docutils]'
    ]
