"""What holds for every page: it is whole, quiet, open to everyone, and reads fully without script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from .conftest import OpenPage
from .pages import KINDS, SETTINGS, WIDTHS, is_listing, page_of_kind

ALL_SETTINGS = [(390, False), (390, True), (1280, False), (1280, True)]
Audit = Callable[..., list[str]]

FIND_TEXTS = """() => {
    document.querySelectorAll("details").forEach(details => details.open = true);
    const controls = "script, style, template, noscript, button, input, label, select, form, dialog, " +
        "[role=button], [role=dialog], [role=search], [role=status], [aria-live], [class*=writing-filter], annotation, .headerlink";
    const text = node => node.data.replace(/\\s+/g, " ").trim();
    const shown = node => node.parentElement.checkVisibility({visibilityProperty: true, opacityProperty: true});
    const found = {shown: [], hidden: []};
    const walker = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (text(node) && !node.parentElement.closest(controls))
            found[shown(node) ? "shown" : "hidden"].push(text(node));
    }
    const everything = document.body.innerText.replace(/\\s+/g, " ");
    found.hidden = found.hidden.filter(words => !everything.includes(words));
    return found;
}"""
"""The texts of the article, without controls and the marks of headings; hidden ones only where they are shown nowhere else."""

FIND_PICTURES = """async () => {
    const shown = [...document.querySelectorAll("article img")].filter(img => img.checkVisibility());
    shown.forEach(img => img.loading = "eager");
    await Promise.allSettled(shown.map(img => img.decode()));
    return shown.map(img => `${img.getAttribute("src")} ${img.naturalWidth > 0 ? "drawn" : "missing"}`);
}"""

COUNT_FORMULAS = """() => [...document.querySelectorAll("article .katex-html")].filter(
    formula => formula.checkVisibility() && formula.getClientRects().length).length"""

OUTSIDE = """() => {
    const found = new Set();
    const walker = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
    const scrolls = element => element && element !== document.body &&
        (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const range = document.createRange();
    while (walker.nextNode()) {
        const node = walker.currentNode, parent = node.parentElement;
        range.selectNodeContents(node);
        const right = Math.max(0, ...[...range.getClientRects()].map(rect => rect.right));
        const unseen = parent.closest(".katex-mathml") || parent.getBoundingClientRect().width <= 1; // for screen readers
        if (right > innerWidth + 1 && parent.checkVisibility() && !unseen && !scrolls(parent))
            found.add(node.data.trim().slice(0, 40));
    }
    return [...found];
}"""
"""Texts that run out of the window where nothing scrolls."""


@pytest.mark.parametrize("kind", KINDS)
def test_there_is_a_page_of_each_kind(kind: str, built: Path) -> None:
    assert page_of_kind(built, kind), f"none of {KINDS[kind]}"


def test_no_page_breaks_the_policy_or_asks_another_origin(some_pages: list[str], page: Page) -> None:
    for name in some_pages:
        page.goto(name)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")  # pictures that are loaded late
        page.wait_for_load_state("load")


@pytest.mark.parametrize(("width", "dark"), SETTINGS)
def test_axe_finds_nothing_on_any_page(
    width: int, dark: bool, some_pages: list[str], open_page: OpenPage, audit: Audit
) -> None:
    page = open_page(width=width, dark=dark)
    found = []
    for name in some_pages:
        page.goto(name)
        quick = is_listing(name) and len(SETTINGS) == 1  # up to a quarter of a minute a page
        found += [f"{name}: {fault}" for fault in audit(page, off={"color-contrast"} if quick else ())]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("width", "dark"), ALL_SETTINGS)
def test_axe_finds_nothing_in_any_setting(
    width: int, dark: bool, one_of_its_kind: str, open_page: OpenPage, audit: Audit
) -> None:
    page = open_page(width=width, dark=dark)
    page.goto(one_of_its_kind)
    found = audit(page)
    assert not found, "\n".join(found)


def test_every_page_reads_fully_without_script(some_pages: list[str], open_page: OpenPage) -> None:
    with_script, without = open_page(), open_page(script=False)
    found = []
    for name in some_pages:
        with_script.goto(name)
        without.goto(name)
        texts, plain = with_script.evaluate(FIND_TEXTS), without.evaluate(FIND_TEXTS)
        known = set(plain["shown"])
        found += [f"{name}: only script shows {text!r}" for text in texts["shown"] if text not in known]
        found += [f"{name}: hidden without script: {text!r}" for text in plain["hidden"]]
        if without.evaluate(COUNT_FORMULAS) != with_script.evaluate(COUNT_FORMULAS):
            found.append(f"{name}: formulas are missing without script")
        pictures = without.evaluate(FIND_PICTURES)
        found += [f"{name}: {picture}" for picture in pictures if picture.endswith(" missing")]
        if pictures != with_script.evaluate(FIND_PICTURES):
            found.append(f"{name}: other pictures without script")
    assert not found, "\n".join(found)


def test_no_page_scrolls_sideways_on_a_phone(some_pages: list[str], open_page: OpenPage) -> None:
    page = open_page(width=390)
    found = []
    for name in some_pages:
        page.goto(name)
        width = page.evaluate("document.documentElement.scrollWidth")
        found += [f"{name}: {width} px wide"] if width != 390 else []
        found += [f"{name}: cut off: {text!r}" for text in page.evaluate(OUTSIDE)]
    assert not found, "\n".join(found)


def test_no_kind_of_page_scrolls_sideways_at_any_width(one_of_its_kind: str, page: Page) -> None:
    page.goto(one_of_its_kind)
    widths = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        widths[width] = page.evaluate("document.documentElement.scrollWidth")
        assert page.evaluate(OUTSIDE) == [], f"cut off at {width} px"
    assert widths == {width: width for width in WIDTHS}
