"""The calculators of the notes: the browser agrees with Python, and without script their tables are there."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from ..site.calculators import DOCS, Found, cases, find
from .calculators import COUNT, disagreements
from .conftest import OpenPage

FOUND = find(DOCS)


@pytest.mark.parametrize("found", FOUND, ids=str)
def test_the_browser_agrees_with_python(found: Found, page: Page) -> None:
    page.goto(found.page)
    assert disagreements(page, found.number, found.made, cases(found.made, COUNT, str(found))) == []


@pytest.mark.parametrize("found", FOUND, ids=str)
def test_without_script_the_cases_are_there(found: Found, open_page: OpenPage) -> None:
    page = open_page(width=390, script=False)
    page.goto(found.page)
    box = page.locator(".writing-calculator").nth(found.number)
    expect(box.locator("tbody tr")).to_have_count(len(found.made.cases))
    expect(box.locator("tbody tr").first).to_be_visible()
    expect(box.locator("form")).to_be_hidden()
    expect(box.get_by_role("button")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 768, 1280, 1920])
def test_its_text_is_on_the_edge_of_the_prose(width: int, open_page: OpenPage) -> None:
    page = open_page(width=width)
    page.goto(FOUND[0].page)
    edges = page.evaluate("""() => {
        const box = document.querySelector(".writing-calculator"), range = document.createRange();
        const left = node => (range.selectNodeContents(node), range.getBoundingClientRect().left);
        const parts = ["strong", "label", ".writing-calculator-foot"].map(css => left(box.querySelector(css)));
        return [left(box.previousElementSibling.querySelector("p") ?? box.previousElementSibling), ...parts];
    }""")
    assert max(edges) - min(edges) < 2.5, edges  # letters begin a little off their boxes
    assert page.evaluate("document.documentElement.scrollWidth") == width
