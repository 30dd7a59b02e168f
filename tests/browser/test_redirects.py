"""Redirects in a browser: with script and without, under a sub-path and from disk, within the policy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from ..build.conftest import Project
from .server import serving
from .watch import Watch

OLD = "old/two/"


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small site with a page that has moved."""
    site = Project("retitle-the-middle-part", tmp_path_factory.mktemp("moved"))
    site.replace("infra/two.md", "date:", f"redirect_from: [/{OLD}]\ndate:")
    site.replace("infra/two.md", "Second body.", "Second body.\n\n## A part\n\nText.")
    return site.build(html_theme="writing").out


def visited(browser: Browser, address: str, to: str, script: bool) -> Page:
    """A page that has gone to *address* and arrived at one whose address holds *to*."""
    context = browser.new_context(java_script_enabled=script)
    context.set_default_timeout(10_000)
    page = context.new_page()
    page.goto(address, wait_until="commit")
    page.wait_for_url(lambda url: to in url)
    page.wait_for_load_state()
    return page


@pytest.fixture
def address(moved: Path) -> Iterator[str]:
    with serving(moved) as found:
        yield found


@pytest.mark.parametrize("old", ["old/two/", "old/two"])
def test_with_script_what_stands_behind_the_address_is_kept(browser: Browser, address: str, old: str) -> None:
    page = visited(browser, f"{address}{old}?q=1&r=a+b#a-part", "infra/two.html", True)
    assert page.url == f"{address}infra/two.html?q=1&r=a+b#a-part"
    assert page.locator(":target").count() == 1
    page.go_back()  # the old address is not in the way
    assert page.url == "about:blank"
    page.context.close()


def test_without_script_it_leads_to_the_page(browser: Browser, address: str) -> None:
    page = visited(browser, f"{address}{OLD}#a-part", "infra/two.html", False)
    assert page.get_by_role("heading", level=1).inner_text().startswith("Two")
    page.context.close()


@pytest.mark.parametrize("script", [True, False])
def test_it_works_from_disk(browser: Browser, moved: Path, script: bool) -> None:
    old, new = (moved / OLD / "index.html").as_uri(), (moved / "infra/two.html").as_uri()
    page = visited(browser, f"{old}#a-part", "infra/two.html", script)
    assert page.url in ([f"{new}#a-part"] if script else [new, f"{new}#a-part"])  # browsers differ without
    page.context.close()


def test_the_policy_lets_it_pass(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    watch = Watch(page, address)
    page.goto(f"{address}{OLD}", wait_until="commit")
    page.wait_for_url("**/infra/two.html")
    assert watch.close() == []
