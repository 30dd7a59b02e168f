"""The sitemap of a build: whole addresses, nothing hidden, exact after every edit."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from sphinx.errors import ConfigError

from .conftest import Built, Project
from .test_exactness import EDITS, Edit

Make = Callable[[str], Project]
BASE = "https://example.org/a/b"


def listed(built: Built) -> dict[str, str]:
    """The addresses in the sitemap, after that of the site, each with its day."""
    found = re.findall(r"<loc>(.*?)</loc>(?:<lastmod>(.*?)</lastmod>)?", built.text("sitemap.xml"))
    assert all(address.startswith(f"{BASE}/") for address, _ in found)
    return {address.removeprefix(f"{BASE}/"): day for address, day in found}


@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_it_has_the_whole_address_of_every_page(project: Make, slash: str, builder: str) -> None:
    site = project("retitle-the-middle-part")
    site.replace("infra/two.md", "date:", "updated: 2026-02-01T10:00:00+09:00\nredirect_from: /old/\ndate:")
    site.write("hidden.md", "---\norphan:\nmyst: {html_meta: {robots: noindex}}\n---\n# Hidden\n")
    built = site.build(builder, html_baseurl=BASE + slash)
    assert built.warnings == []
    ends = "/" if builder == "dirhtml" else ".html"
    assert listed(built) == {
        "": "",
        f"guide{ends}": "",
        "infra/": "",
        f"infra/one{ends}": "2026-01-01",
        f"infra/two{ends}": "2026-02-01T10:00:00+09:00",
        f"infra/three{ends}": "2026-01-03",
        "archive/2026/": "",
        "tags/": "",
        "tags/shared/": "",
        "tags/second/": "",
    }
    assert built.text("robots.txt").endswith(f"\nSitemap: {BASE}/sitemap.xml\n")
    assert 'content="noindex"' in built.text(f"hidden{'/index' if builder == 'dirhtml' else ''}.html")


def test_where_there_is_none(project: Make) -> None:
    site = project("one-draft")
    configs: dict[str, dict[str, Any]] = {
        "no-address": {},
        "preview": {"html_baseurl": BASE, "writing_preview": True},
        "off": {"html_baseurl": BASE, "writing_sitemap": False},
    }
    for name, config in configs.items():
        built = site.build(to=name, **config)
        assert not (built.out / "sitemap.xml").exists()
        assert "Sitemap" not in built.text("robots.txt")
    assert "two" not in "".join(listed(site.build(html_baseurl=BASE)))
    with pytest.raises(ConfigError, match="expected html_baseurl"):
        site.build(writing_sitemap=True)


def test_a_sitemap_of_the_site_stays(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.write("_own/sitemap.xml", "<urlset/>\n")
    built = site.build(html_baseurl=BASE, html_extra_path=["_own"])
    assert built.text("sitemap.xml") == "<urlset/>\n"
    assert "sitemap.xml" in built.text("robots.txt")


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_incremental_is_clean(project: Make, edit: Edit) -> None:
    site = project("retitle-the-middle-part")
    site.build(html_baseurl=BASE)
    edit(site)
    assert site.build(html_baseurl=BASE).tree() == site.build(to="clean", html_baseurl=BASE).tree()


def test_a_page_that_is_hidden_from_robots(project: Make) -> None:
    site = project("retitle-the-middle-part")
    before = listed(site.build(html_baseurl=BASE))
    site.replace("infra/two.md", "date:", "myst: {html_meta: {robots: 'none, noarchive'}}\ndate:")
    after = site.build(html_baseurl=BASE)
    assert before.keys() - listed(after).keys() == {"infra/two.html"}
    (after.out / "sitemap.xml").write_text("<")
    assert listed(site.build(html_baseurl=BASE)) == listed(site.build(to="clean", html_baseurl=BASE))
