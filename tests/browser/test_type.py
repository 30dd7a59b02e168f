"""The page as set: measure, sizes, one left edge, colours that can be told from the paper."""

from __future__ import annotations

from statistics import mean

import pytest
from playwright.sync_api import Page

from .conftest import OpenPage

NOTE = "llm-systems/kv-cache-cost/index.html"
MEASURE = {390: (40, 48), 1280: (64, 76), 1920: (64, 76)}

FIND_LINES = """() => {
    const prose = [...document.querySelectorAll("article section > p:not([class])")].filter(p => !p.closest(
        "table, figure, aside, li, dl, details, .admonition"));
    const range = document.createRange();
    return prose.filter(p => !p.querySelector(".katex, code, br") && p.checkVisibility()).flatMap(p => {
        const lines = new Map(), walker = document.createTreeWalker(p, NodeFilter.SHOW_TEXT);
        const height = parseFloat(getComputedStyle(p).lineHeight), top = p.getBoundingClientRect().top;
        while (walker.nextNode())
            for (let i = 0; i < walker.currentNode.length; i++) {
                range.setStart(walker.currentNode, i);
                range.setEnd(walker.currentNode, i + 1);
                const rect = range.getClientRects()[0];
                if (!rect) continue;
                const line = Math.floor(((rect.top + rect.bottom) / 2 - top) / height);
                lines.set(line, (lines.get(line) || 0) + 1);
            }
        return [...lines.values()].slice(0, -1);
    });
}"""
"""How many characters each full line of prose has, where it is text alone."""

FIND_SMALL = """floor => {
    const found = {};
    const note = (element, words) => {
        const size = parseFloat(getComputedStyle(element).fontSize);
        if (size < floor && element.checkVisibility())
            found[`${size} px: ${element.tagName.toLowerCase()}.${element.className}`] ??= words.trim().slice(0, 40);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode, parent = node.parentElement;
        if (node.data.trim() && !parent.closest(".katex, svg, script, style, template, noscript"))
            note(parent, node.data);
    }
    document.querySelectorAll("input, select, textarea").forEach(field => note(field, field.placeholder || ""));
    return found;
}"""
"""Visible texts set smaller than *floor* pixels; scripts within formulas apart."""

FIND_LABELS = """async width => {
    const found = {};
    for (const img of document.querySelectorAll("article img[src$='.svg']")) {
        if (!img.checkVisibility()) continue;
        const svg = new DOMParser().parseFromString(
            (await (await fetch(img.src)).text()).replace(/<style[^]*?<\\/style>/g, ""), "image/svg+xml").documentElement;
        const unit = img.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        const sizes = [...svg.querySelectorAll("g[transform*=scale]")]
            .filter(g => g.querySelector("use") && !g.parentElement.closest("g[transform*=scale]"))
            .map(g => 100 * parseFloat(g.getAttribute("transform").match(/scale\\(([\\d.]+)/)[1]) * unit);
        if (sizes.length) found[img.getAttribute("src")] = Math.min(...sizes);
    }
    return found;
}"""
"""The size of the smallest label of each plot; matplotlib draws glyphs of 100 units, scaled."""

FIND_EDGES = """() => {
    const range = document.createRange();
    const left = (element, skip) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const node = walker.currentNode, at = node.data.search(/\\S/);
            if (at < 0 || !node.parentElement.checkVisibility() || (skip && node.parentElement.closest(skip))) continue;
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            return range.getClientRects()[0].left;
        }
    };
    const first = {
        title: "h1", summary: ".writing-summary", prose: "section > p:not([class])", heading: "section > section > :is(h2, h3)",
        code: "section div.highlight pre", table: "section table.docutils:not(figure table) :is(th, td)",
        "table caption": "section table caption", caption: "section figcaption",
    };
    const found = {};
    for (const [name, selector] of Object.entries(first)) {
        const element = [...document.querySelectorAll("article")].flatMap(a => [...a.querySelectorAll(selector)])
            .find(e => e.checkVisibility() && !e.closest(".admonition, details, aside, li, blockquote"));
        if (element) found[name] = left(element, ".linenos, .gp, .go");
    }
    return found;
}"""
"""Where the text of the first title, summary, and so on, begins."""

RESOLVE = """names => {
    const probe = document.body.appendChild(document.createElement("i"));
    const found = {};
    for (const name of names) {
        probe.style.color = "";
        probe.style.color = `var(--writing-${name}, transparent)`;
        found[name] = getComputedStyle(probe).color.match(/[\\d.]+/g).map(Number);
    }
    probe.remove();
    return found;
}"""
"""The tokens as red, green and blue; a fourth number 0 where there is none of that name."""

CONTRAST = {
    "ink": (16.4, 15.3, 13.1, 11.9),
    "ink-2": (8.5, 8.0, 8.8, 8.0),
    "ink-3": (5.6, 5.2, 6.4, 5.8),
    "link": (8.0, 7.5, 9.1, 8.3),
    "visited": (7.3, 6.9, 8.4, 7.7),
    "here": (6.3, 5.9, 8.2, 7.4),
    "edge": (3.2, 3.0, 4.1, 3.7),
    **{f"key-{number}": (3.2, 3.2, 3.2, 3.2) for number in range(11)},
}
"""The contrast on paper and on panel, light, then dark."""
ON_MARK = (15.0, 10.3)
"""The contrast of ink on a marked line, light and dark."""
ROUNDED = 0.11
"""The figures above are rounded."""


def luminance(colour: list[float]) -> float:
    """The relative luminance of a colour, as WCAG 2 defines it."""
    parts = [part / 255 for part in colour[:3]]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: list[float], other: list[float]) -> float:
    """The contrast of two colours, to one decimal."""
    dark, light = sorted([luminance(one), luminance(other)])
    return round((light + 0.05) / (dark + 0.05), 1)


def test_contrast_is_computed_as_wcag_says() -> None:
    assert contrast([0, 0, 0], [255, 255, 255]) == 21
    assert contrast([119, 119, 119], [255, 255, 255]) == 4.5


@pytest.mark.parametrize("dark", [False, True])
def test_every_pair_of_tokens_has_its_contrast(dark: bool, open_page: OpenPage) -> None:
    page = open_page(dark=dark)
    page.goto(NOTE)
    tokens = page.evaluate(RESOLVE, [*CONTRAST, "paper", "panel", "raised", "rule", "mark"])
    assert [name for name, colour in tokens.items() if len(colour) == 4] == [], "there are no such tokens"
    low = []
    for name, floors in CONTRAST.items():
        for ground, floor in zip(("paper", "panel"), floors[2:] if dark else floors[:2], strict=True):
            found = contrast(tokens[name], tokens[ground])
            low += [f"{name} on {ground}: {found}, not {floor}"] if found < floor - ROUNDED else []
    found = contrast(tokens["ink"], tokens["mark"])
    low += [f"ink on mark: {found}, not {ON_MARK[dark]}"] if found < ON_MARK[dark] - ROUNDED else []
    assert low == []


@pytest.mark.parametrize("dark", [False, True])
def test_the_page_wears_its_tokens(dark: bool, open_page: OpenPage) -> None:
    page = open_page(dark=dark)
    page.goto(NOTE)
    tokens = page.evaluate(RESOLVE, ["ink", "paper"])
    worn = "([selector, name]) => getComputedStyle(document.querySelector(selector))[name].match(/[\\d.]+/g).map(Number)"
    assert page.evaluate(worn, ["body", "backgroundColor"]) == tokens["paper"]
    assert page.evaluate(worn, ["article section > p:not([class])", "color"]) == tokens["ink"]


@pytest.mark.parametrize("width", MEASURE)
def test_a_line_of_prose_is_easy_to_follow(width: int, open_page: OpenPage) -> None:
    page = open_page(width=width)
    page.goto(NOTE)
    page.evaluate("document.fonts.ready.then(() => 0)")
    lines = page.evaluate(FIND_LINES)
    assert len(lines) >= 10
    low, high = MEASURE[width]
    assert low <= mean(lines) <= high, f"{mean(lines):.1f} characters a line, over {len(lines)} lines"


@pytest.mark.parametrize("width", [390, 1280])
def test_no_text_is_too_small(width: int, one_of_its_kind: str, open_page: OpenPage) -> None:
    page = open_page(width=width)
    page.goto(one_of_its_kind)
    found = [f"{what}: {words!r}" for what, words in page.evaluate(FIND_SMALL, 13).items()]
    assert not found, "\n".join(found)


def test_labels_of_plots_can_be_read_on_a_phone(some_pages: list[str], open_page: OpenPage) -> None:
    page = open_page(width=390)
    small: dict[str, float] = {}
    for name in some_pages:
        page.goto(name)
        small |= {src: px for src, px in page.evaluate(FIND_LABELS).items() if px < 10}
    assert small == {}


@pytest.mark.parametrize("width", [390, 768, 1280, 1920])
def test_there_is_one_left_edge(width: int, open_page: OpenPage) -> None:
    page = open_page(width=width)
    page.goto(NOTE)
    page.evaluate("document.fonts.ready.then(() => 0)")
    edges = page.evaluate(FIND_EDGES)
    assert {"title", "summary", "prose", "code", "table", "table caption", "caption"} <= edges.keys()
    assert {name: round(edge - edges["prose"], 1) for name, edge in edges.items()} == dict.fromkeys(
        edges, 0.0
    )


@pytest.mark.parametrize("width", [390, 1280])
def test_the_dialog_has_one_left_edge(width: int, open_page: OpenPage) -> None:
    page = open_page(width=width)
    page.goto(NOTE)
    page.keyboard.press("/")
    page.keyboard.type("cache")
    page.locator("dialog .writing-hit-page").first.wait_for()
    lefts = page.evaluate(
        """["input", ".writing-search-status", ".writing-search-keys kbd", ".writing-hit-main > *"].map(selector =>
        document.querySelector(`dialog ${selector}`)).filter(e => e.checkVisibility()).map(e =>
            e.getBoundingClientRect().left + (e.matches("p") ? parseFloat(getComputedStyle(e).paddingLeft) : 0))"""
    )
    assert len(lefts) >= 3
    assert len(set(lefts)) == 1, lefts


def test_what_is_current_is_marked_at_one_edge(page: Page) -> None:
    edges = set()
    for name in ("writing/index.html", "infra/index.html", "infra/nccl/index.html"):
        page.goto(name)
        edges.add(page.locator(".sidebar-tree [aria-current]").bounding_box()["x"])  # type: ignore[index]
    assert len(edges) == 1


def test_a_column_of_numbers_in_front_stands_at_the_left_edge(page: Page) -> None:
    page.goto("systems/fat/index.html")
    found = page.evaluate(
        """() => [...document.querySelectorAll("th.writing-numeric:first-child")].map(head => {
        const range = document.createRange();
        range.selectNodeContents(head);
        return range.getBoundingClientRect().left - head.closest("table").getBoundingClientRect().left; })"""
    )
    assert found
    assert all(abs(left) < 1 for left in found), found


def test_measures_are_taken_rightly(page: Page) -> None:
    page.goto(NOTE)
    page.evaluate(
        """() => { const article = document.querySelector("article");
        article.innerHTML = `<section><p style="font: 10px/20px monospace; width: 60ch">${"123456789 ".repeat(60)}</p>
            <p style="font-size: 9px">small</p></section>`; }"""
    )
    assert set(page.evaluate(FIND_LINES)) == {60}
    assert list(page.evaluate(FIND_SMALL, 13).values()) == ["123456789 " * 4, "small"]
