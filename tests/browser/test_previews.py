"""Previews in the browser: when they come and go, and that they move nothing and ask nobody else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect

from .conftest import OpenPage
from .test_weight import SHIFTS

NOTE = "infra/nccl/index.html"
BOX = "#writing-preview"
TERM, POST = "article a.writing-term", "article .writing-prerequisites a.writing-previewed"
SOURCE = "article a.footnote-reference:not(.writing-note-mark)"
RESTED = 300


def first(page: Page, css: str) -> Locator:
    """The first link of a kind, in the middle of the window."""
    page.evaluate("css => document.querySelector(css).scrollIntoView({block: 'center'})", css)
    return page.locator(css).first


def by_key(page: Page, link: Locator) -> None:
    """Focus *link* as the keyboard does."""
    page.keyboard.press("Shift")
    link.focus()


def files(page: Page) -> list[str]:
    """The addresses of the previews that the page asks for from now on."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if "/_previews/" in request.url:
            asked.append(request.url)

    page.on("request", note)
    return asked


@pytest.mark.parametrize(
    ("css", "words"),
    [(TERM, "network interface controller"), (POST, "nccl-tests divide"), (SOURCE, "NCCL allreduce")],
)
@pytest.mark.parametrize("way", ["hover", "focus"])
def test_a_preview_comes_and_is_said(page: Page, css: str, words: str, way: str) -> None:
    asked = files(page)
    page.goto(NOTE, wait_until="networkidle")
    assert asked == []
    link = first(page, css)
    link.hover() if way == "hover" else by_key(page, link)
    expect(page.locator(BOX)).to_be_visible()
    expect(page.locator(BOX)).to_contain_text(words)
    assert link.get_attribute("aria-describedby") == "writing-preview"
    assert len(asked) == (0 if css == SOURCE else 1)
    page.mouse.move(5, 5)
    link.blur()
    expect(page.locator(BOX)).to_be_hidden()
    assert link.get_attribute("aria-describedby") is None
    link.hover()
    expect(page.locator(BOX)).to_be_visible()
    assert len(asked) <= 1


def test_a_pointer_that_passes_by_asks_nothing(page: Page) -> None:
    asked = files(page)
    page.goto(NOTE)
    first(page, TERM).hover()
    page.wait_for_timeout(RESTED // 3)
    page.mouse.move(5, 5)
    page.wait_for_timeout(RESTED)
    assert (asked, page.locator(BOX).count()) == ([], 0)


@pytest.mark.parametrize("dark", [False, True])
def test_a_picture_fits_the_theme(open_page: OpenPage, dark: bool) -> None:
    page = open_page(dark=dark)
    page.goto(NOTE)
    first(page, POST).hover()
    pictures = page.locator(f"{BOX} img:visible")
    expect(pictures).to_have_count(1)
    assert pictures.get_attribute("class") == ("only-dark" if dark else "only-light")
    page.wait_for_function(
        "css => document.querySelector(css).naturalWidth > 0",
        arg=f"{BOX} img:is({'.only-dark' if dark else '.only-light'})",
    )


@pytest.mark.parametrize("way", ["hover", "focus"])
def test_escape_sends_it_away_and_nothing_else(page: Page, way: str) -> None:
    page.goto(NOTE)
    link = first(page, TERM)
    link.hover() if way == "hover" else by_key(page, link)
    expect(page.locator(BOX)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(BOX)).to_be_hidden()
    page.wait_for_timeout(RESTED + 100)
    expect(page.locator(BOX)).to_be_hidden()
    if way == "focus":
        expect(link).to_be_focused()


def test_the_pointer_may_move_onto_it(page: Page) -> None:
    page.goto(NOTE)
    first(page, POST).hover()
    box = page.locator(BOX)
    expect(box).to_be_visible()
    box.hover()
    page.wait_for_timeout(2 * RESTED)
    expect(box).to_be_visible()
    page.mouse.move(5, 5)
    expect(box).to_be_hidden()


def test_from_link_to_link(page: Page) -> None:
    page.goto(NOTE)
    by_key(page, first(page, TERM))
    expect(page.locator(BOX)).to_contain_text("network interface")
    by_key(page, first(page, POST))
    expect(page.locator(BOX)).to_contain_text("nccl-tests divide")
    assert page.locator("[aria-describedby=writing-preview]").count() == 1


@pytest.mark.parametrize("width", [390, 1280])
def test_it_stays_within_the_window_and_nothing_moves(open_page: OpenPage, width: int) -> None:
    page = open_page(width=width)
    page.goto(NOTE, wait_until="networkidle")
    page.evaluate("document.fonts.ready.then(() => 0)")
    for css in (TERM, POST, SOURCE):
        for block in ("start", "center", "end"):
            page.evaluate(
                "([css, block]) => document.querySelector(css).scrollIntoView({block})", [css, block]
            )
            by_key(page, page.locator(css).first)
            expect(page.locator(BOX)).to_be_visible()
            box = page.locator(BOX).bounding_box()
            link = page.locator(css).first.bounding_box()
            assert box is not None
            assert link is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= page.evaluate("innerHeight")
            assert box["y"] >= link["y"] + link["height"] or box["y"] + box["height"] <= link["y"]
            page.keyboard.press("Escape")
            page.locator(css).first.blur()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shifts = page.evaluate(SHIFTS)
    assert sum(value for value, what in shifts if "writing-preview" in what) == 0


def test_fingers_get_none(browser: Browser, site: str) -> None:
    context = browser.new_context(base_url=site, has_touch=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(NOTE)
    asked = files(page)
    page.evaluate("addEventListener('click', event => event.preventDefault())")
    first(page, TERM).tap()
    page.wait_for_timeout(2 * RESTED)
    assert (asked, page.locator(BOX).count()) == ([], 0)
    context.close()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("css", [TERM, POST, SOURCE])
def test_axe_finds_nothing_with_one_open(
    open_page: OpenPage, audit: Callable[..., list[str]], css: str, dark: bool
) -> None:
    page = open_page(dark=dark)
    page.goto(NOTE)
    by_key(page, first(page, css))
    expect(page.locator(BOX)).to_be_visible()
    assert audit(page) == []


def test_a_page_opened_from_disk_has_them(browser: Browser, built: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto((built / NOTE).as_uri())
    first(page, POST).hover()
    expect(page.locator(BOX)).to_contain_text("nccl-tests divide")
    context.close()


def test_navigation_has_none(page: Page) -> None:
    page.goto(NOTE)
    assert page.locator(":is(nav, aside, .writing-card, .writing-row) a.writing-previewed").count() == 0
