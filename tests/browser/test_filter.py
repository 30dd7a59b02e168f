"""A list that can be filtered, in a browser: with a mouse, from the keyboard, by its address, without script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from ..build.conftest import Project
from .conftest import OpenPage
from .server import serving

ALL = ["Rings", "Trees and NCCL_ALGO", "Attention à la carte", "Mixture of experts", "Solo"]
RINGS, TREES, ATTENTION, EXPERTS, SOLO = ALL


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a tiny site whose home page has the list."""
    project = Project("filter", tmp_path_factory.mktemp("filter"))
    project.write("rows.md", "---\norphan:\n---\n# Rows\n\n```{writing}\n:filter:\n:style: list\n```\n")
    built = project.build(html_theme="writing")
    with serving(built.out) as address:
        yield address


@pytest.fixture
def home(page: Page, site: str) -> Page:
    """The page with the list, 1280 px wide."""
    page.goto(site)
    return page


def titles(page: Page) -> list[str]:
    return page.locator(".writing-card-title:visible").all_inner_texts()


def see(page: Page, *names: str) -> None:
    """Expect these posts and no others."""
    expect(page.locator(".writing-card-title:visible")).to_have_text(list(names))


def box(page: Page, name: str, value: str) -> Locator:
    return page.locator(f'.writing-filter input[name="{name}"][value="{value}"]')


def words(page: Page) -> Locator:
    return page.get_by_label("Title, summary or tag contains")


def counts(page: Page, name: str) -> dict[str, int]:
    """The number that stands beside each value of a facet."""
    rows = page.locator(f'.writing-filter-value:has(input[name="{name}"])').all_inner_texts()
    return {" ".join(parts[:-1]): int(parts[-1]) for parts in map(str.split, rows)}


def count(page: Page) -> Locator:
    return page.locator(".writing-filter-count")


def chips(page: Page) -> list[str]:
    return [text.strip() for text in page.locator(".writing-filter-chosen").all_inner_texts()]


def focused(page: Page) -> Any:
    return page.evaluate("document.activeElement.textContent || document.activeElement.value")


def test_at_first_all_is_shown(home: Page) -> None:
    see(home, *ALL)
    expect(home.locator("form.writing-filter")).to_be_visible()
    expect(home.locator(".writing-filter-plain")).to_be_hidden()
    expect(home.locator(".writing-filter-bar")).to_be_hidden()
    expect(home.get_by_role("status")).to_have_text("")


def test_boxes_of_one_facet_add_up_and_facets_narrow(home: Page) -> None:
    box(home, "series", "infra").check()
    see(home, RINGS, TREES)
    box(home, "series", "models").check()
    see(home, RINGS, TREES, ATTENTION, EXPERTS)
    box(home, "tag", "attention").check()
    see(home, ATTENTION, EXPERTS)
    box(home, "year", "2025").check()
    see(home, ATTENTION, EXPERTS)
    box(home, "category", "ai-infrastructure").check()
    see(home)


def test_counts_are_what_a_box_would_give_within_the_other_facets(home: Page) -> None:
    box(home, "series", "infra").check()
    assert counts(home, "series") == {"Infra": 2, "Models": 2, "Other notes": 1}
    assert counts(home, "year") == {"2026": 2, "2025": 0}
    assert counts(home, "tag")["nccl"] == 2
    assert counts(home, "tag")["attention"] == 0
    box(home, "tag", "collectives").check()
    assert counts(home, "series") == {"Infra": 1, "Models": 0, "Other notes": 0}
    assert counts(home, "tag")["nccl"] == 2
    words(home).fill("zzz")
    assert set(counts(home, "series").values()) == {0}


def test_a_value_that_would_give_nothing_stays_and_can_be_chosen(home: Page) -> None:
    box(home, "series", "infra").check()
    label = box(home, "year", "2025").locator("..")
    expect(label).to_have_class("writing-filter-value writing-filter-zero")
    expect(box(home, "year", "2025")).to_be_enabled()
    box(home, "year", "2025").check()
    see(home)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("data", [RINGS, TREES, EXPERTS]),
        ("DATA down", [TREES]),
        ("down data", [TREES]),
        ("a la carte", [ATTENTION]),
        ("À LA", [ATTENTION]),
        ("uber moglich", [SOLO]),
        ("nccl_algo", [TREES]),
        ("nccl-algo", []),
        ("top-k", [ATTENTION]),
        ("top_k", []),
        ("xpert", [EXPERTS]),
        ("collectives", [RINGS]),
        ("kv cache", [ATTENTION]),
        ("infra", [RINGS, TREES]),
        ("models", [ATTENTION, EXPERTS]),
        ("zebra", []),
        ("  ", ALL),
        (".*", []),
    ],
)
def test_words_are_looked_for_in_title_summary_tags_and_series(
    home: Page, typed: str, found: list[str]
) -> None:
    words(home).fill(typed)
    see(home, *found)


def test_the_result_is_counted_and_announced_once_the_typing_pauses(home: Page) -> None:
    words(home).press_sequentially("round")
    expect(count(home)).to_have_text("1 of 5 notes")
    assert home.get_by_role("status").inner_text() == ""
    expect(home.get_by_role("status")).to_have_text("1 of 5 notes")
    assert home.get_by_role("status").get_attribute("hidden") is None
    words(home).fill("")
    expect(home.get_by_role("status")).to_have_text("5 of 5 notes")


def test_what_is_chosen_can_be_taken_away_over_the_list(home: Page) -> None:
    words(home).fill("data")
    box(home, "series", "infra").check()
    box(home, "tag", "nccl").check()
    assert chips(home) == ["“data”", "Infra", "nccl"]
    expect(home.get_by_role("button", name="Remove the filter Infra")).to_be_visible()
    home.get_by_role("button", name="Remove the filter Infra").click()
    expect(box(home, "series", "infra")).not_to_be_checked()
    assert chips(home) == ["“data”", "nccl"]
    assert "nccl" in focused(home)
    home.get_by_role("button", name="Remove the filter nccl").click()
    assert "“data”" in focused(home)
    home.get_by_role("button", name="Remove the filter “data”").click()
    see(home, *ALL)
    expect(words(home)).to_be_focused()
    expect(home.locator(".writing-filter-bar")).to_be_hidden()


def test_all_can_be_cleared_at_once(home: Page) -> None:
    words(home).fill("data")
    box(home, "series", "infra").check()
    home.get_by_role("button", name="Clear all").click()
    see(home, *ALL)
    expect(words(home)).to_have_value("")
    expect(words(home)).to_be_focused()
    assert home.url.rpartition("/")[2] in ("", "index.html")


def test_an_empty_result_says_so_and_leads_back(home: Page) -> None:
    expect(home.get_by_text("No note matches.")).to_be_hidden()
    words(home).fill("nothing like it")
    expect(home.get_by_text("No note matches.")).to_be_visible()
    expect(count(home)).to_have_text("0 of 5 notes")
    home.get_by_role("button", name="Show all 5 again").click()
    see(home, *ALL)


def test_a_year_without_posts_goes_with_its_heading_and_the_featured_card_takes_part(home: Page) -> None:
    box(home, "year", "2025").check()
    expect(home.locator(".writing-group:visible")).to_have_text(["2025"])
    expect(home.locator(".writing-card-featured")).to_be_hidden()
    box(home, "year", "2025").uncheck()
    box(home, "tag", "collectives").check()
    expect(home.locator(".writing-group:visible")).to_have_count(0)
    expect(home.locator(".writing-card-featured")).to_be_visible()


def test_a_long_facet_is_folded_but_for_what_is_chosen(page: Page, site: str) -> None:
    page.goto(f"{site}?tag=moe")
    expect(page.locator('input[name="tag"]:visible')).to_have_count(13)
    expect(box(page, "tag", "moe")).to_be_visible()
    more = page.get_by_role("button", name="All 15 tags")
    expect(more).to_have_attribute("aria-expanded", "false")
    more.press("Enter")
    expect(more).to_have_attribute("aria-expanded", "true")
    expect(page.locator('input[name="tag"]:visible')).to_have_count(15)
    expect(page.locator(".writing-filter-rest input").first).to_be_focused()
    more.click()
    expect(page.locator('input[name="tag"]:visible')).to_have_count(13)


# Addresses


def test_a_view_has_an_address_of_its_own_that_shows_it_again(home: Page, open_page: OpenPage) -> None:
    box(home, "series", "infra").check()
    box(home, "series", "models").check()
    box(home, "tag", "nccl").check()
    words(home).fill("data rings")
    expect(home).to_have_url(re.compile(r"\?q="))
    address = home.url
    assert address.endswith("?q=data+rings&series=infra&series=models&tag=nccl")
    other = open_page()
    other.goto(address)
    see(other, RINGS)
    assert chips(other) == ["“data rings”", "Infra", "Models", "nccl"]
    expect(words(other)).to_have_value("data rings")


def test_back_and_forward_go_from_choice_to_choice(home: Page) -> None:
    box(home, "series", "infra").check()
    words(home).fill("round")
    box(home, "tag", "nccl").check()
    see(home, RINGS)
    home.go_back()
    expect(box(home, "tag", "nccl")).not_to_be_checked()
    expect(words(home)).to_have_value("round")
    home.go_back()
    see(home, *ALL)
    expect(words(home)).to_have_value("")
    home.go_forward()
    expect(box(home, "series", "infra")).to_be_checked()
    home.go_forward()
    see(home, RINGS)
    expect(box(home, "tag", "nccl")).to_be_checked()


def test_typing_makes_no_steps_of_the_history(home: Page) -> None:
    before = home.evaluate("history.length")
    words(home).press_sequentially("data")
    expect(home).to_have_url(re.compile(r"\?q=data$"))
    assert home.evaluate("history.length") == before


def test_back_from_a_note_returns_to_the_view(home: Page) -> None:
    box(home, "series", "infra").check()
    words(home).fill("round")
    home.get_by_role("link", name=RINGS).click()
    expect(home.locator("h1")).to_contain_text(RINGS)
    home.go_back()
    see(home, RINGS)
    expect(words(home)).to_have_value("round")


def test_what_an_address_names_that_is_not_there_is_passed_over(page: Page, site: str) -> None:
    address = f"{site}?series=gone&series=infra&tag=%3Cb%3E&month=3&year=#place"
    page.goto(address)
    see(page, RINGS, TREES)
    assert page.url == address
    box(page, "tag", "collectives").check()
    assert page.url.endswith("?month=3&series=infra&tag=collectives#place")


def test_an_address_writes_no_markup(page: Page, site: str) -> None:
    page.goto(f"{site}?q=%3Cimg%20src%3Dx%3E")
    see(page)
    assert chips(page) == ["“<img src=x>”"]


def test_a_page_from_disk_filters_as_well(browser: Browser, tmp_path: Path) -> None:
    built = Project("filter", tmp_path).build(html_theme="writing")
    page = browser.new_page()
    page.goto((built.out / "index.html").as_uri())
    box(page, "series", "infra").check()
    see(page, RINGS, TREES)
    page.close()


# Keyboard, narrow windows, no script


def test_all_of_it_works_from_the_keyboard(home: Page) -> None:
    words(home).focus()
    home.keyboard.type("data")
    see(home, RINGS, TREES, EXPERTS)
    home.keyboard.press("Tab")
    expect(home.get_by_role("button", name="Go to the notes")).to_be_focused()
    home.keyboard.press("Tab")
    expect(box(home, "series", "infra")).to_be_focused()
    home.keyboard.press("Space")
    see(home, RINGS, TREES)
    home.keyboard.press("Enter")
    assert focused(home) == RINGS
    home.keyboard.press("Shift+Tab")
    home.keyboard.press("Shift+Tab")
    expect(home.get_by_role("button", name="Clear all")).to_be_focused()
    home.keyboard.press("Shift+Tab")
    home.keyboard.press("Enter")
    see(home, RINGS, TREES, EXPERTS)


def test_every_control_shows_that_it_has_the_focus(home: Page) -> None:
    words(home).fill("data")
    words(home).focus()
    for _ in range(14):
        outline = home.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", focused(home)
        home.keyboard.press("Tab")


def test_the_way_on_from_an_empty_result_is_back(home: Page) -> None:
    words(home).fill("nothing like it")
    words(home).press("Enter")
    assert focused(home) == "Show all 5 again"


def test_on_a_narrow_window_the_form_is_folded_behind_one_line(open_page: OpenPage, site: str) -> None:
    page = open_page(width=390)
    page.goto(site)
    line = page.get_by_role("button", name="Filter by series, tag or year")
    expect(line).to_have_attribute("aria-expanded", "false")
    expect(words(page)).to_be_hidden()
    line.press("Enter")
    expect(line).to_have_attribute("aria-expanded", "true")
    box(page, "series", "models").check()
    page.get_by_role("button", name="Show 2 notes").click()
    expect(words(page)).to_be_hidden()
    assert focused(page) == ATTENTION
    page.get_by_role("button", name="Remove the filter Models").click()
    expect(line).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_on_a_wide_window_the_form_stands_beside_the_list(home: Page) -> None:
    form, card = (home.locator(name).first.bounding_box() for name in (".writing-filter", ".writing-card"))
    assert form is not None
    assert card is not None
    assert form["x"] > card["x"] + card["width"]
    assert abs(form["width"] - 14 * 16) < 1
    assert abs(form["y"] - card["y"]) < 24
    expect(home.locator(".writing-filter-toggle")).to_be_hidden()


def test_a_list_of_rows_is_filtered_as_well(page: Page, site: str) -> None:
    page.goto(f"{site}rows.html?tag=nccl&q=collectives")
    see(page, RINGS)
    expect(page.locator(".writing-group:visible")).to_have_text(["2026"])


def test_without_script_the_list_is_complete_and_there_are_links(open_page: OpenPage, site: str) -> None:
    page = open_page(script=False)
    page.goto(f"{site}?series=infra")
    see(page, *ALL)
    expect(page.locator("form.writing-filter")).to_be_hidden()
    page.get_by_text("Browse by series, tag or year").click()
    page.locator(".writing-filter-plain").get_by_role("link", name="Models").click()
    expect(page.locator("h1")).to_contain_text("Models")
