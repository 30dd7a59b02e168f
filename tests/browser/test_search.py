"""Searching in a browser: the dialog, its keys, the page, symbols, and what is left without index or script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

NOTE = "infra/nccl/index.html"
TITLE = "Bus bandwidth: algbw is your time, busbw a wire you may not have"


def asked(page: Page, text: str) -> Page:
    """Open the dialog and ask for *text*; the answer is there."""
    page.keyboard.press("/")
    page.get_by_role("dialog").get_by_role("textbox").fill(text)
    expect(page.locator("dialog .writing-search-status")).to_have_text(re.compile(r"result|Nothing"))
    return page


def titles(page: Page) -> list[str]:
    return page.locator(".writing-hit-title").all_inner_texts()


@pytest.fixture
def note(page: Page) -> Page:
    """A note that has been opened."""
    page.goto(NOTE)
    return page


def test_keys_and_links_open_the_dialog_and_focus_returns(note: Page) -> None:
    dialog = note.get_by_role("dialog", name="Search")
    field = dialog.get_by_role("textbox")
    link = note.locator("article a:not(.headerlink)").first
    for key in ("/", "Control+k", "Meta+k"):
        link.focus()
        note.keyboard.press(key)
        expect(field).to_be_focused()
        note.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        expect(link).to_be_focused()
    note.locator("[data-writing-search]").locator("visible=true").first.click()
    expect(field).to_be_focused()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


@pytest.mark.parametrize("key", ["Control+/", "Alt+/", "k", "Control+Shift+k"])
def test_other_keys_do_not_open_it(note: Page, key: str) -> None:
    note.keyboard.press(key)
    expect(note.locator("dialog")).to_have_count(0)


def test_a_slash_that_is_typed_into_a_field_stays_there(note: Page) -> None:
    note.evaluate("document.querySelector('article').append(document.createElement('textarea'))")
    note.locator("article textarea").press("/")
    assert note.locator("article textarea").input_value() == "/"
    expect(note.locator("dialog")).to_have_count(0)


def test_a_question_of_nothing_but_signs_is_no_beginning_of_a_title(note: Page) -> None:
    asked(note, "\u0301")
    assert titles(note) == []


def test_the_page_behind_does_not_move(note: Page) -> None:
    note.evaluate("scrollTo(0, 500)")
    left = "document.querySelector('h1').getBoundingClientRect().left"
    before = note.evaluate(left)
    asked(note, "bandwidth")
    note.mouse.move(5, 5)
    note.mouse.wheel(0, 300)
    note.wait_for_timeout(100)
    assert note.evaluate("scrollY") == 500
    assert note.evaluate(left) == before


def test_results_have_badge_title_headings_and_marked_words(note: Page) -> None:
    asked(note, "bus bandwidth")
    first = note.locator(".writing-hit-page").first
    expect(first.locator(".writing-hit-badge")).to_have_text("Infra 1")
    expect(first.locator(".writing-key-2")).to_have_count(1)
    expect(first.locator(".writing-hit-title")).to_have_text(TITLE)
    assert 1 <= first.locator(".writing-hit-part").count() <= 3
    assert "bandwidth" in first.locator("mark").first.inner_text().lower()
    assert "\u2060" not in note.locator("dialog").inner_text()
    count = note.locator(".writing-hit-page").count()
    expect(note.locator("dialog").get_by_role("status")).to_have_text(re.compile(rf"^{count} results?\.$"))


def test_arrows_move_enter_opens_and_letters_go_back_to_the_field(note: Page) -> None:
    asked(note, "bus bandwidth")
    links = note.locator("dialog ol a")
    current = note.locator(".writing-hit-current")
    expect(current).to_contain_text(TITLE)
    note.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()
    expect(current).to_contain_text(links.nth(1).inner_text())
    assert current.evaluate("e => getComputedStyle(e).borderLeftColor") == "rgb(156, 68, 16)"
    note.keyboard.press("ArrowUp")
    note.keyboard.press("ArrowUp")
    field = note.get_by_role("dialog").get_by_role("textbox")
    expect(field).to_be_focused()
    note.keyboard.press("ArrowDown")
    note.keyboard.type("s")
    expect(field).to_have_value("bus bandwidths")
    expect(note.get_by_role("dialog").get_by_role("status")).to_have_text(re.compile("result"))
    note.keyboard.press("Enter")
    note.wait_for_url("**/infra/bus-bandwidth/index.html")


def test_enter_waits_for_the_answer_to_what_was_typed_last(note: Page) -> None:
    note.keyboard.press("/")
    note.keyboard.type("what one token costs")
    note.keyboard.press("Enter")
    note.wait_for_url("**/llm-systems/kv-cache-cost/index.html")


def test_a_heading_leads_to_its_place(note: Page) -> None:
    asked(note, "counting sends")
    note.locator("dialog").get_by_role("link", name="Counting sends").click()
    note.wait_for_url("**/infra/bus-bandwidth/index.html#counting-sends")
    assert note.evaluate("document.querySelector(':target') !== null")


def test_a_heading_of_this_page_closes_the_dialog(page: Page) -> None:
    page.goto("infra/bus-bandwidth/index.html")
    asked(page, "counting sends")
    page.locator("dialog").get_by_role("link", name="Counting sends").click()
    expect(page.locator("dialog")).to_be_hidden()


@pytest.mark.parametrize(
    "text", [TITLE, TITLE.upper(), "Bus bandwidth: algbw is", "fat on disk", "  FAT   on disk: every "]
)
def test_the_exact_title_and_its_beginning_come_first(note: Page, text: str) -> None:
    asked(note, text)
    beginning = " ".join(text.split()).casefold()[:10]
    assert titles(note)[0].casefold().startswith(beginning)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("all_reduce", "all_reduce"),
        ("reduce", "reduce"),
        ("NCCL_ALGO", "NCCL_ALGO"),
        ("nccl algo", "NCCL_ALGO"),
        ("busbw", "busbw"),
        ("E4M3", "E4M3"),
        ("kv cache", "KV cache"),
        ("2(n-1)/n", "n-1"),
        ("labs.infra.bus_bandwidth", "bus_bandwidth"),
        ("bus_bandwidth", "bus_bandwidth"),
    ],
)
def test_symbols_and_their_parts_are_found(note: Page, text: str, word: str) -> None:
    asked(note, text)
    marks = note.locator("mark").all_inner_texts()
    assert any(word.casefold() in mark.casefold() for mark in marks), marks


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '"',
        "'\"<&>",
        "///",
        "注意力",
        "\\frac{",
        "a",
        "🙂",
        "%00",
        "x" * 5000,
        "__proto__",
    ],
)
def test_odd_input_is_answered_and_is_text(note: Page, text: str) -> None:
    asked(note, text)
    assert note.locator("dialog script, dialog img").count() == 0


def test_an_older_answer_never_stands_in_place_of_a_newer(note: Page) -> None:
    held: list[Route] = []
    holding = [True]
    asked(note, "fat on disk")
    note.route("**/fragment/*", lambda route: held.append(route) if holding[0] else route.continue_())
    field = note.get_by_role("dialog").get_by_role("textbox")
    field.fill("attention")
    note.wait_for_timeout(500)
    assert held
    holding[0] = False
    field.fill("fat on disk")
    expect(note.locator(".writing-hit-title").first).to_have_text(re.compile("^FAT on disk"))
    for route in held:
        route.continue_()
    note.wait_for_timeout(300)
    assert titles(note)[0].startswith("FAT on disk")


def test_series_narrow_the_results(note: Page) -> None:
    asked(note, "memory")
    status = note.get_by_role("dialog").get_by_role("status")
    boxes = note.get_by_role("group", name="Only these series").get_by_role("checkbox")
    assert boxes.count() > 1
    total = int(status.inner_text().split()[0])
    boxes.first.check()
    expect(status).to_have_text(re.compile(rf"^\d+ of {total} results\.$"))
    labels = set(note.locator(".writing-hit-badge").all_inner_texts())
    assert len({label.split(" ")[0] for label in labels}) == 1
    expect(boxes.first).to_be_focused()
    boxes.first.uncheck()
    expect(status).to_have_text(f"{total} results.")


def test_nothing_is_asked_for_before_the_dialog_opens(page: Page) -> None:
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url))
    page.goto(NOTE)
    page.wait_for_load_state("networkidle")
    assert not [url for url in seen if "_pagefind" in url or "search-data" in url]


def test_the_page_keeps_its_state_in_the_address(page: Page) -> None:
    page.goto("search.html?q=memory&series=infra")
    expect(page.locator(".writing-search-status")).to_have_text(re.compile(r"of \d+ results"))
    assert {text.split(" ")[0] for text in page.locator(".writing-hit-badge").all_inner_texts()} == {"Infra"}
    page.get_by_role("checkbox", name=re.compile("Infra")).uncheck()
    expect(page).to_have_url(re.compile(r"search\.html\?q=memory$"))
    page.locator("article").get_by_role("textbox").fill("fat on disk")
    expect(page).to_have_url(re.compile(r"\?q=fat\+on\+disk$"))
    page.keyboard.press("Control+k")
    expect(page.locator("dialog")).to_have_count(0)


def test_more_results_are_shown_when_they_are_asked_for(page: Page) -> None:
    page.goto("search.html?q=the")
    more = page.get_by_role("button", name="More results")
    expect(more).to_be_visible()
    shown = page.locator(".writing-hit-page").count()
    more.click()
    expect(page.locator(".writing-hit-page")).not_to_have_count(shown)


def without_index(page: Page) -> None:
    """Serve the list as a preview has it."""

    def answer(route: Route) -> None:
        body = re.sub(r'"en_\w+"', '""', route.fetch().text()).replace('"index": true', '"index": false')
        route.fulfill(body=body, content_type="text/javascript")

    page.route("**/writing-search-data.js", answer)


@pytest.mark.parametrize("text", ["beam search", "collectives", "what one"])
def test_without_an_index_titles_and_tags_are_searched(note: Page, text: str) -> None:
    without_index(note)
    asked(note, text)
    assert note.locator(".writing-hit-page").count() >= 1
    expect(note.get_by_role("dialog").get_by_role("status")).to_contain_text(
        "Titles and tags only: full text comes with a full build."
    )


def test_a_page_opened_from_disk_can_be_searched(browser: Browser, built: Path) -> None:
    page = browser.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto((built / NOTE).as_uri())
    asked(page, "bus bandwidth")
    assert titles(page) == [TITLE]
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text("full text needs a web server")
    page.keyboard.press("Enter")
    page.wait_for_url("file:///**/infra/bus-bandwidth/index.html")
    assert faults == []
    page.close()


def test_without_script_the_page_says_where_to_look(open_page: Callable[..., Page]) -> None:
    page = open_page(script=False)
    page.goto("search.html")
    assert page.locator("noscript p").inner_text().startswith("Searching needs JavaScript.")
    page.get_by_role("link", name="all notes").click()
    page.wait_for_url("**/writing/index.html")
    page.goto("search.html")
    page.get_by_role("link", name="the list of tags").click()
    page.wait_for_url("**/tags/index.html")


@pytest.fixture(params=[(1280, False), (1280, True), (390, False), (390, True)], ids=str)
def screen(request: pytest.FixtureRequest, open_page: Callable[..., Page]) -> Iterator[Page]:
    """A page wide and narrow, light and dark."""
    width, dark = request.param
    yield open_page(width=width, dark=dark)


def test_axe_finds_nothing(screen: Page, audit: Callable[..., list[str]]) -> None:
    screen.goto(NOTE)
    asked(screen, "memory")
    assert audit(screen) == []
    box = screen.get_by_role("dialog").bounding_box()
    size = screen.viewport_size
    assert box is not None and size is not None
    assert box["width"] == (size["width"] if size["width"] < 600 else 640)
    screen.goto("search.html?q=memory")
    expect(screen.locator(".writing-hit-page").first).to_be_visible()
    assert audit(screen) == []
    assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth")
