"""The built site in a real browser: Debian's Chromium, driven by Playwright.

A test takes ``site`` (the address of the built documentation) and ``page`` (a page of that browser), or ``open_page``
for pages in other settings. A page that is faulty in the browser's eyes fails the test that has opened it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Collection, Iterator
from importlib import resources
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from ..site.conftest import build
from .browsers import NAMES, PACKAGE, launch
from .pages import KINDS, PARTS, every_page, page_of_kind
from .server import SUB_PATH, serving
from .watch import Watch

AUDIT = """async options => {
    const {violations} = await axe.run(options);
    const isFormula = target => document.querySelector(target.join(" "))?.querySelector("math");
    return violations.flatMap(({id, nodes}) => nodes
        .filter(({target}) => !(id === "empty-table-header" && isFormula(target)))
        .map(({target, failureSummary}) => `${id}: ${target.join(" ")}: ${failureSummary.replace(/\\s+/g, " ")}`));
}"""
"""Runs axe. It takes a heading that is one formula for empty, as it reads no MathML; screen readers do."""


class OpenPage(Protocol):
    """``open_page(width=390, dark=True)``: a page in a browser that has seen nothing yet."""

    def __call__(  # still: prefers reduced motion
        self, *, width: int = 1280, dark: bool = False, script: bool = True, still: bool = False
    ) -> Page: ...


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built once for all processes that test it. SITE names one that is built already."""
    if "SITE" in os.environ:
        return Path(os.environ["SITE"]).resolve()
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    out, done = shared / "browser" / "html", shared / "browser" / "done"
    out.parent.mkdir(exist_ok=True)
    with (shared / "browser" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # given back when the file is closed, also by a process that dies
        if not done.exists():
            build(out, "-D", f"html_baseurl=https://docs.example{SUB_PATH}")
            done.touch()
    return out


@pytest.fixture(params=range(PARTS), ids=lambda part: f"part {part + 1} of {PARTS}")
def some_pages(request: pytest.FixtureRequest, built: Path) -> list[str]:
    """The addresses of some pages; over all parameters, of every page."""
    return every_page(built)[request.param :: PARTS]


@pytest.fixture(params=KINDS)
def one_of_its_kind(request: pytest.FixtureRequest, built: Path) -> str:
    """The address of a page; over all parameters, one of each kind."""
    found = page_of_kind(built, request.param)
    return found or pytest.skip(f"the site has no {request.param} page")


@pytest.fixture(scope="session")
def site(built: Path) -> Iterator[str]:
    """The address of the site, ending with a slash: under a sub-path, with the policy in a header."""
    with serving(built) as address:
        yield address


@pytest.fixture(scope="session")
def browser(need: Callable[..., str]) -> Iterator[Browser]:
    """The browser, started once in each process."""
    path = need(NAMES[0], PACKAGE, *NAMES[1:])
    with sync_playwright() as playwright, launch(playwright, path) as started:
        yield started


@pytest.fixture(scope="session")
def audit() -> Callable[..., list[str]]:
    """``audit(page)``: what axe finds on a page, each fault with its place; ``off`` names rules left out."""
    axe = (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")

    def run(page: Page, off: Collection[str] = ()) -> list[str]:
        page.evaluate(axe)
        rules = {name: {"enabled": False} for name in off}
        return list(page.evaluate(AUDIT, {"resultTypes": ["violations"], "rules": rules}))

    return run


@pytest.fixture
def open_page(browser: Browser, site: str) -> Iterator[OpenPage]:
    """Open pages, each with an empty cache of its own; the faults of all of them fail the test at its end."""
    watches: list[Watch] = []

    def open_one(*, width: int = 1280, dark: bool = False, script: bool = True, still: bool = False) -> Page:
        context = browser.new_context(
            base_url=site,
            viewport={"width": width, "height": 844 if width < 600 else 900},
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
            reduced_motion="reduce" if still else "no-preference",
        )
        context.set_default_timeout(10_000)
        page = context.new_page()
        watches.append(Watch(page, site))
        return page

    yield open_one
    found = [fault for watch in watches for fault in watch.close()]
    assert not found, "\n".join(found)


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page 1280 px wide, light, with script."""
    return open_page()
