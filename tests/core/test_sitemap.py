"""The sitemap: which pages it lists, what it says of each, and how it is split."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from sphinx_writing.core import sitemap
from sphinx_writing.core.dates import parse
from sphinx_writing.core.records import FrontMatter, Page
from sphinx_writing.core.sitemap import Entry

SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def locations(text: str) -> list[str | None]:
    root = ElementTree.fromstring(text.encode())  # noqa: S314  # our own
    return [loc.text for loc in root.iter(f"{SPACE}loc")]


def test_it_lists_what_robots_may_list() -> None:
    pages = {"b": Page(()), "a": Page(()), "secret": Page((), noindex=True)}
    day, instant = parse("2026-03-01"), parse("2026-03-02T10:00+09:00")
    fronts = {"a": FrontMatter(date=day, updated=instant), "b": FrontMatter(date=day)}
    found = list(sitemap.entries(pages, fronts, ["tags/index", "404", "search", "map"]))
    assert found == [Entry("a", instant), Entry("b", day), Entry("map"), Entry("tags/index")]
    assert [sitemap.written(e.changed) for e in found if e.changed] == [
        "2026-03-02T10:00:00+09:00",
        "2026-03-01",
    ]


def test_hostile_addresses_are_xml() -> None:
    address = "https://example.org/?a=1&b=<x>\"']]>"
    ((name, text),) = sitemap.files_of([(address, None)], "https://example.org/")
    assert name == "sitemap.xml"
    assert locations(text) == [address]


def test_too_many_addresses_make_an_index() -> None:
    addresses = [(f"https://example.org/{i}/", None) for i in range(sitemap.MOST + 1)]
    assert len(list(sitemap.files_of(addresses[:-1], ""))) == 1
    files = dict(sitemap.files_of(addresses, "https://example.org/"))
    assert list(files) == ["sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"]
    assert locations(files["sitemap.xml"]) == [
        "https://example.org/sitemap-1.xml",
        "https://example.org/sitemap-2.xml",
    ]
    counts = [files[name].count("<url>") for name in ("sitemap-1.xml", "sitemap-2.xml")]
    assert counts == [sitemap.MOST, 1]


def test_no_file_is_too_heavy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "HEAVIEST", 1000)
    files = dict(sitemap.files_of([(f"https://example.org/{i}/é", None) for i in range(50)], ""))
    assert len(files) > 3
    assert all(len(text.encode()) <= 1000 for name, text in files.items() if name != "sitemap.xml")
    assert sum(text.count("<url>") for text in files.values()) == 50
