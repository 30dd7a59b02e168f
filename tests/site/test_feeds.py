"""The feeds of the site: every address in them leads to a file, and to a place in it."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

import pytest

from .conftest import Parser, Site

pytestmark = pytest.mark.xdist_group("site")  # one process builds it
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def feed(site: Site) -> dict[str, Any]:
    """The main feed."""
    found: dict[str, Any] = json.loads((site.out / "feed.json").read_text(encoding="utf-8"))
    return found


def addresses(html: str) -> list[str]:
    """What *html* links to or shows."""
    parser = Parser()
    parser.feed(html)
    return [value for e in parser.elements for name, value in e.attributes.items() if name in ("href", "src")]


def test_every_address_leads_to_a_place_that_is_there(site: Site, feed: dict[str, Any]) -> None:
    base = feed["home_page_url"]
    found = {address for item in feed["items"] for address in [item["url"], *addresses(item["content_html"])]}
    for path in site.out.rglob("feed.xml"):
        found |= {link.get("href") or "" for link in ET.parse(path).iter(f"{ATOM}link")}  # noqa: S314  # ours
    assert {address for address in found if not urlsplit(address).scheme} == set()
    mine = {address for address in found if address.startswith(base)}
    assert len(mine) > 100
    for address in mine:
        name, _, place = address.removeprefix(base).partition("#")
        name = unquote(name)
        name += "index.html" * (not name or name.endswith("/"))
        assert (site.out / name).is_file(), address
        ids = {e.attributes.get("id") for e in site.pages.get(name, [])}
        assert not place or unquote(place) in ids, address


def test_texts_hold_what_readers_show_and_no_more(feed: dict[str, Any]) -> None:
    seen: set[str] = set()

    class Names(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            seen.update([tag, *(f"{name}=" for name, _ in attrs)])

    for item in feed["items"]:
        Names().feed(item["content_html"])
    assert {"math", "mfrac", "pre", "figure", "img", "table", "details", "blockquote"} <= seen
    assert (
        seen & {"script", "style", "span", "svg", "button", "class=", "id=", "style=", "annotation", "h1"}
        == set()
    )
