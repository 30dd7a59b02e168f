"""The built site in a real browser: Debian's Chromium, driven by Playwright.

A test takes ``site`` (the address of the built documentation) and ``page`` (a page of that browser), or ``open_page``
for pages in other settings. A page that is faulty in the browser's eyes fails the test that has opened it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from ..site.conftest import build
from .server import serving
from .watch import Watch

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass(frozen=True)
class Setting:
    """How a reader looks at a page."""

    width: int = 1280
    dark: bool = False
    script: bool = True
    still: bool = False
    """Prefers reduced motion."""

    @property
    def height(self) -> int:
        return 844 if self.width < 600 else 900

    def __str__(self) -> str:
        return f"{self.width}-{'dark' if self.dark else 'light'}"


class OpenPage(Protocol):
    """``open_page(width=390, dark=True)``: a page in a browser that has seen nothing yet."""

    def __call__(
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
            build(out)
            done.touch()
    return out


@pytest.fixture(scope="session")
def site(built: Path) -> Iterator[str]:
    """The address of the site, ending with a slash: under a sub-path, with the policy in a header."""
    with serving(built) as address:
        yield address


@pytest.fixture(scope="session")
def browser(need: Callable[..., str]) -> Iterator[Browser]:
    """The browser, started once in each process."""
    path = need("chromium", "chromium", "chromium-browser", "google-chrome")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=path, args=ARGUMENTS)


@pytest.fixture
def open_page(browser: Browser, site: str) -> Iterator[OpenPage]:
    """Open pages, each with an empty cache of its own; the faults of all of them fail the test at its end."""
    watches: list[Watch] = []

    def open_one(*, width: int = 1280, dark: bool = False, script: bool = True, still: bool = False) -> Page:
        setting = Setting(width, dark, script, still)
        context = browser.new_context(
            base_url=site,
            viewport={"width": setting.width, "height": setting.height},
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
