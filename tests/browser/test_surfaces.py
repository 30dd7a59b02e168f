"""Other surfaces than a screen with script and our colours: paper, a browser without script, forced colours."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenPage
from .test_type import NOTE

SEARCH = "search.html?q=cache"

SIZES = """names => Object.fromEntries(names.map(name => [name,
    parseFloat(getComputedStyle(document.querySelector(name)).fontSize) * 0.75]))"""
"""The size of the first element of each selector, in points."""

ADDRESSES = """selector => [...document.querySelectorAll(selector)].filter(a =>
    getComputedStyle(a, "::after").content.includes("http")).map(a => a.href)"""
"""The links whose address is printed behind them."""


def test_on_paper_all_text_has_its_size(page: Page) -> None:
    page.goto(NOTE)
    page.emulate_media(media="print")
    names = ["section > p:not([class])", ".short-answer p:last-child", "h1", "h2", "table td", "figcaption"]
    sizes = page.evaluate(SIZES, [f"article {name}" for name in names])
    prose, short, title, heading, table, caption = (round(size, 1) for size in sizes.values())
    assert (prose, short, title) == (10.5, 10.5, 22)
    assert 14 < heading < 17
    assert 8 < table == caption < 9


def test_on_paper_an_address_stands_behind_the_words_that_lead_to_it(page: Page) -> None:
    page.goto("about.html")
    page.emulate_media(media="print")
    assert page.evaluate(ADDRESSES, "article section p a.external")
    page.goto(NOTE)
    assert page.locator("aside.footnote a.external").count()
    assert page.evaluate(ADDRESSES, "aside.footnote a") == []  # it is what is read there


def test_results_of_a_search_can_be_printed(page: Page) -> None:
    page.goto(SEARCH)
    page.locator(".writing-hit-page").first.wait_for()
    page.emulate_media(media="print")
    assert page.evaluate(ADDRESSES, "article a") == []  # these links cover their result
    expect(page.locator(".writing-search-form")).to_be_hidden()
    assert page.locator(".writing-search-page").evaluate("e => getComputedStyle(e).minHeight") in (
        "0px",
        "auto",
    )


@pytest.mark.parametrize("selector", [".writing-card", ".writing-row", ".writing-path"])
def test_no_entry_is_split_between_two_sheets(selector: str, page: Page) -> None:
    page.goto({".writing-row": "infra/index.html"}.get(selector, "index.html"))
    page.emulate_media(media="print")
    assert page.locator(selector).first.evaluate("e => getComputedStyle(e).breakInside") == "avoid"


@pytest.mark.parametrize("width", [390, 1280])
def test_what_needs_script_is_not_there_without_it(width: int, open_page: OpenPage) -> None:
    page = open_page(width=width, script=False)
    page.goto(NOTE)
    expect(page.locator(".writing-theme-switch:visible")).to_have_count(0)
    expect(page.locator(".writing-copy:visible")).to_have_count(0)


def test_nothing_in_the_bar_is_cut_where_letters_are_large(open_page: OpenPage) -> None:
    page = open_page(width=390)
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    for name in ("index.html", NOTE, SEARCH):
        page.goto(name)
        assert page.evaluate("document.documentElement.scrollWidth") == 390, name
        bar, brand = (page.locator(s).bounding_box() for s in (".writing-bar", ".writing-bar .writing-brand"))
        assert bar
        assert brand
        assert bar["y"] <= brand["y"]
        assert brand["y"] + brand["height"] <= bar["y"] + bar["height"]


def test_keys_keep_their_colour_where_colours_are_forced(page: Page) -> None:
    page.goto("")
    colours = "[...document.querySelectorAll('.sidebar-tree .writing-key')].map(e => getComputedStyle(e).backgroundColor)"
    before = page.evaluate(colours)
    page.emulate_media(forced_colors="active")
    assert page.evaluate(colours) == before
    assert len(set(before)) == len(before)
