"""What a page weighs before its pictures, and that nothing on it jumps while fonts and pictures arrive."""

from __future__ import annotations

import gzip
from collections import defaultdict
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, Route

from .conftest import OpenPage
from .pages import every_page

WORDS, FORMULAS, PLOTS, DIAGRAMS = 3000, 40, 2, 2
KB = 1000
PAGE, SCRIPTS_AND_STYLES, PRELOADED = 150 * KB, 60 * KB, 60 * KB
NO_SHIFT = 0.01
"""Words that move within their line add up to less; one more line that pushes the text down is three times as much."""

COUNT = """() => {
    const many = selector => document.querySelectorAll(`article ${selector}`).length;
    return {
        words: document.querySelector("article").innerText.split(/\\s+/).length, formulas: many(".katex-html"),
        plots: many("figure img.only-light"), diagrams: many(".writing-diagram, .mermaid, [class*=diagram] img.only-light"),
    };
}"""

SHIFTS = """() => new Promise(resolve => {
    const found = [], name = node => node?.nodeType === 1
        ? `<${node.tagName.toLowerCase()} class="${node.className}">` : (node?.data || "").trim().slice(0, 30);
    const take = entries => entries.forEach(entry => found.push(
        [entry.value, [...new Set(entry.sources.map(source => name(source.node)))].slice(0, 3).join(", ")]));
    const observer = new PerformanceObserver(list => take(list.getEntries()));
    observer.observe({type: "layout-shift", buffered: true});
    setTimeout(() => { take(observer.takeRecords()); resolve(found); }, 100);
})"""

FIRST_PAINT = """() => new Promise(resolve => new PerformanceObserver(list =>
    list.getEntriesByName("first-contentful-paint").length && resolve(0)).observe({type: "paint", buffered: true}))"""

PRELOADS = "[...document.querySelectorAll('link[rel=preload][as=font]')].map(link => link.href)"


class Scale:
    """Weighs what a page asks for: text as a host compresses it, fonts as they are."""

    def __init__(self, page: Page) -> None:
        self.bytes: dict[str, int] = {}
        self.kinds: dict[str, str] = {}
        page.on("response", self._weigh)

    def _weigh(self, response: Response) -> None:
        kind = response.request.resource_type
        if kind != "image" and not response.headers.get("content-type", "").startswith("image/"):
            body = response.body()
            self.bytes[response.url] = len(body if kind == "font" else gzip.compress(body, 6))
            self.kinds[response.url] = kind

    def by_kind(self) -> dict[str, int]:
        """The bytes of each kind."""
        found: defaultdict[str, int] = defaultdict(int)
        for url, size in self.bytes.items():
            found[self.kinds[url]] += size
        return found


@pytest.fixture
def full_note(built: Path, page: Page) -> str:
    """The address of the lightest note that holds at least what the promise names."""
    enough = {}
    for name in every_page(built):
        if (
            name.count("/") == 2
            and not name.startswith(("tags/", "archive/"))
            and name.endswith("/index.html")
        ):
            page.goto(name)
            has = page.evaluate(COUNT)
            if has["words"] >= WORDS and has["formulas"] >= FORMULAS and has["plots"] >= PLOTS:
                enough[name] = len(gzip.compress((built / name).read_bytes(), 6))
    assert enough, "no note is as full as that"
    return min(enough, key=lambda name: enough[name])


def test_a_full_note_is_light(full_note: str, open_page: OpenPage) -> None:
    page = open_page()
    scale = Scale(page)
    page.goto(full_note, wait_until="networkidle")
    preloaded = sum(scale.bytes[url] for url in page.evaluate(PRELOADS))
    kinds = scale.by_kind()
    code = kinds["script"] + kinds["stylesheet"]
    figures = f"{full_note}: {dict(kinds)}, of the fonts preloaded: {preloaded}"
    print(figures)
    assert preloaded <= PRELOADED, figures
    assert code < SCRIPTS_AND_STYLES, figures
    assert kinds["document"] + code + preloaded < PAGE, figures
    assert kinds.keys() <= {"document", "script", "stylesheet", "font", "fetch"}


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_jumps(width: int, one_of_its_kind: str, open_page: OpenPage) -> None:
    held: list[Route] = []
    painted = False

    def hold(route: Route) -> None:
        route.continue_() if painted else held.append(route)

    page = open_page(width=width)
    page.route("**/*.woff2", hold)
    page.goto(one_of_its_kind, wait_until="commit")
    page.evaluate(FIRST_PAINT)
    page.wait_for_timeout(200)  # what stands for the fonts is seen
    painted = True
    for route in held:
        route.continue_()
    page.wait_for_load_state("load")
    page.evaluate("document.fonts.ready.then(() => 0)")
    bottom = page.evaluate("document.documentElement.scrollHeight")
    for top in range(0, bottom, 800):  # pictures that are loaded late
        page.evaluate("top => scrollTo(0, top)", top)
    page.evaluate("scrollTo(0, 0)")
    shifts = page.evaluate(SHIFTS)
    listed = "\n".join(f"{value:.4f}: {what}" for value, what in shifts)
    assert sum(value for value, _ in shifts) < NO_SHIFT, listed


def test_a_jump_is_seen(page: Page) -> None:
    page.goto("")
    page.evaluate("""() => {
        const box = document.createElement("div");
        box.style.height = "200px";
        document.querySelector("article").prepend(box);
    }""")
    assert sum(value for value, _ in page.evaluate(SHIFTS)) > NO_SHIFT
