"""The keyboard alone: it reaches everything, and the reader always sees where it is; motion can be switched off."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenPage

STEPS = 600
"""More stops than any page has."""

LOOK_OF_FOCUS = """async () => {
    const names = ["outlineStyle", "outlineWidth", "outlineColor", "boxShadow", "borderTopColor", "borderBottomColor",
        "borderTopWidth", "borderBottomWidth", "backgroundColor", "color", "textDecorationLine", "textDecorationColor",
        "textDecorationThickness"];
    const look = element => {
        const above = [element.parentElement, element.parentElement?.parentElement];
        const near = [...own(element), ...above, element.closest("form")].filter(Boolean);
        return near.flatMap(e => [null, "::before", "::after"].map(part => {
            const style = getComputedStyle(e, part);
            const drawn = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
            return names.map(name => name.startsWith("outline") && !drawn ? "" : style[name]).join();
        })).join("|");
    };
    const name = element => {
        const words = (element.getAttribute("aria-label") || element.textContent || element.value || "").trim();
        return `<${element.tagName.toLowerCase()} class="${element.className}"> ${words.replace(/\\s+/g, " ").slice(0, 40)}`;
    };
    const own = element => [element, ...(element.labels || []), ...element.querySelectorAll("img, svg")];
    const rectInside = element => own(element).flatMap(e => [...e.getClientRects()])
        .map(r => ({left: Math.max(r.left, 0), right: Math.min(r.right, innerWidth),
                    top: Math.max(r.top, 0), bottom: Math.min(r.bottom, innerHeight)}))
        .find(r => r.right - r.left > 1 && r.bottom - r.top > 1);
    const covered = element => {
        const r = rectInside(element);
        if (!r) return "is outside of the window";
        const top = document.elementFromPoint((r.left + r.right) / 2, (r.top + r.bottom) / 2);
        return own(element).some(e => e.contains(top) || top?.contains(e)) ? "" : `is covered by ${top && name(top)}`;
    };
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))); // it has scrolled
    const last = window.lastFocus, faults = [];
    if (last && last.element.isConnected && look(last.element) === last.look)
        faults.push(`focus cannot be seen on ${name(last.element)}`);
    const element = document.activeElement;
    window.lastFocus = null;
    if (!element || element === document.body) return {done: false, faults}; // then Tab begins again at the top
    if ((window.seenFocus ??= new Set()).has(element)) return {done: true, faults};
    window.seenFocus.add(element);
    const cover = covered(element);
    if (cover) faults.push(`${name(element)} ${cover}`);
    window.lastFocus = {element, look: look(element)};
    return {done: false, faults};
}"""
"""What is wrong with the element focused now, and with the look of the one before, which has just lost the focus."""

MOTION = """limit => {
    const seconds = text => Math.max(0, ...text.split(",").map(t => parseFloat(t) * (t.trim().endsWith("ms") ? .001 : 1)));
    const found = new Set();
    for (const element of document.querySelectorAll("*"))
        for (const part of [null, "::before", "::after"]) {
            const style = getComputedStyle(element, part);
            const name = `${element.tagName.toLowerCase()}.${element.className?.baseVal ?? element.className}${part ?? ""}`;
            if (style.transitionProperty !== "none" && seconds(style.transitionDuration) > limit)
                found.add(`${name} changes ${style.transitionProperty} in ${style.transitionDuration}`);
            if (style.animationName !== "none" && seconds(style.animationDuration) > limit)
                found.add(`${name} plays ${style.animationName} for ${style.animationDuration}`);
            if (style.scrollBehavior === "smooth") found.add(`${name} scrolls smoothly`);
        }
    return [...found];
}"""


def tab_to(page: Page, selector: str, most: int = STEPS) -> None:
    """Press Tab until an element that the selector names, and that can be seen, has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(
            "s => document.activeElement.matches(s) && document.activeElement.checkVisibility()", selector
        ):
            return
    pytest.fail(f"Tab never comes to {selector}")


@pytest.mark.parametrize("width", [390, 1280])
def test_focus_is_always_visible(width: int, one_of_its_kind: str, open_page: OpenPage) -> None:
    page = open_page(width=width, still=True)
    page.goto(one_of_its_kind)
    page.evaluate("document.querySelectorAll('img').forEach(img => img.loading = 'eager')")
    page.evaluate("Promise.allSettled([...document.images].map(img => img.decode())).then(() => 0)")
    faults: list[str] = []
    stops = 0
    for stops in range(STEPS):  # noqa: B007 - the number of stops is of interest
        page.keyboard.press("Tab")
        seen = page.evaluate(LOOK_OF_FOCUS)
        faults += seen["faults"]
        if seen["done"]:
            break
    assert stops > 5
    assert not faults, "\n".join(dict.fromkeys(faults))


def test_the_first_stop_skips_to_the_text(one_of_its_kind: str, page: Page) -> None:
    page.goto(one_of_its_kind)
    if page.evaluate("document.activeElement.closest('#writing_text') !== null"):
        return  # the field of an empty search: it is in the text already
    tab_to(page, ".writing-skip", most=1)
    page.keyboard.press("Enter")
    target = page.evaluate("location.hash.slice(1)")
    assert target
    assert page.evaluate("id => document.getElementById(id).querySelector('h1') !== null", target)


def test_results_are_read_from_the_top(page: Page) -> None:
    page.goto("search.html?q=cache")
    page.locator(".writing-hit-page").first.wait_for()
    tab_to(page, ".writing-skip", most=1)
    page.goto("search.html")  # nothing is asked yet
    expect(page.locator("article").get_by_role("textbox")).to_be_focused()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("script", [True, False])
def test_a_series_and_a_note_are_reached(width: int, script: bool, open_page: OpenPage) -> None:
    page = open_page(width=width, script=script)
    page.goto("")
    if width == 390:
        tab_to(page, ".writing-bar button[popovertarget]")
        page.keyboard.press("Enter")
    tab_to(page, ".writing-sidebar a[href$='infra/index.html']")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/infra/index.html$"))
    tab_to(page, "article a[href$='nccl/index.html']")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/infra/nccl/index.html$"))


def test_the_drawer_closes_and_gives_the_focus_back(open_page: OpenPage) -> None:
    page = open_page(width=390)
    page.goto("")
    menu = ".writing-bar button[popovertarget]"
    tab_to(page, menu)
    page.keyboard.press("Enter")
    expect(page.locator(".writing-sidebar")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator(".writing-sidebar")).to_be_hidden()
    expect(page.locator(menu)).to_be_focused()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_theme_is_switched(width: int, open_page: OpenPage) -> None:
    page = open_page(width=width)
    page.goto("infra/nccl/index.html")
    paper = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(paper)
    tab_to(page, "[class*=theme-toggle]")
    for _ in range(3):  # automatic, light, dark: one of them is the other paper
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)  # colours change in 120 ms
        if page.evaluate(paper) != before:
            break
    after = page.evaluate(paper)
    assert after != before
    page.reload()
    page.wait_for_timeout(300)
    assert page.evaluate(paper) == after, "the choice is forgotten"


@pytest.mark.parametrize("width", [390, 1280])
def test_search_finds_and_opens_a_note(width: int, open_page: OpenPage) -> None:
    page = open_page(width=width)
    page.goto("")
    if width == 390:  # a link in the bar opens the dialog
        tab_to(page, ".writing-bar [data-writing-search]")
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
        page.keyboard.type("communicator")
    else:  # a field in the sidebar leads to the page
        tab_to(page, ".writing-sidebar [data-writing-search] input")
        page.keyboard.type("communicator")
        page.keyboard.press("Enter")
    result = ":is(dialog, article) a[href*='infra/nccl/']"
    page.wait_for_selector(result)
    tab_to(page, result)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/infra/nccl/"))


@pytest.mark.parametrize("width", [390, 1280])
def test_the_list_of_notes_is_filtered(width: int, open_page: OpenPage) -> None:
    page = open_page(width=width)
    page.goto("writing/index.html")
    cards = page.locator(".writing-card:visible")
    everything = cards.count()
    if width == 390:
        tab_to(page, ".writing-filter-toggle")
        page.keyboard.press("Enter")
    tab_to(page, ".writing-filter input[type=checkbox]")
    page.keyboard.press("Space")
    expect(cards).not_to_have_count(everything)
    assert cards.count() > 0
    page.keyboard.press("Space")
    expect(cards).to_have_count(everything)


def test_nothing_moves_where_motion_is_not_wanted(one_of_its_kind: str, open_page: OpenPage) -> None:
    page = open_page(still=True)
    page.goto(one_of_its_kind)
    assert page.evaluate(MOTION, 0.01) == []


def test_colours_and_the_drawer_move_and_nothing_else(one_of_its_kind: str, page: Page) -> None:
    page.goto(one_of_its_kind)
    assert page.evaluate(MOTION, 0.2) == []
