"""The home page, About, and what else leads a reader in or back."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup, Tag
from pybtex.database import parse_string

from .conftest import ROOT, Site

pytestmark = pytest.mark.xdist_group("site")  # one process builds it


def soup(site: Site, name: str) -> BeautifulSoup:
    return BeautifulSoup(site.text(name), "html.parser")


def texts(parent: BeautifulSoup | Tag, selector: str) -> list[str]:
    return [" ".join(found.get_text().split()) for found in parent.select(selector)]


def notes() -> int:
    """How many notes there are in the source folder."""
    return len(list(ROOT.glob("docs/*/*/lab.json")))


def test_the_home_page_says_what_this_is_and_leads_on(site: Site) -> None:
    page = soup(site, "index.html")
    assert texts(page, "article h1")[0].startswith("Silicon to Tokens")
    lede = texts(page, "article h1 + p")[0]
    assert f"In {notes()} long notes" in lede
    assert len(re.findall(r"[.!?](?= |$)", lede)) == 2
    assert [text.rstrip("#¶") for text in texts(page, "article h2")] == [
        "Start with a question",
        "Latest",
        "All series",
    ]
    assert len(page.select(".writing-path")) == 3
    assert all(text.endswith("?") for text in texts(page, ".writing-path-question"))
    assert len(page.select(".writing-card")) == min(6, notes())
    series = {path.parents[1] for path in ROOT.glob("docs/*/*/lab.json")}
    assert len(page.select(".writing-series-list > li")) == len(series)


def test_the_wide_page_has_its_list_of_contents_off(site: Site) -> None:
    assert "writing-wide" in site.text("index.html")
    assert "toc-scroll" not in site.text("index.html")


def test_a_path_has_at_most_ten_notes(site: Site) -> None:
    for path in soup(site, "index.html").select(".writing-path"):
        assert 1 <= len(path.select("li a")) <= 10


def test_about_cites_a_note_as_it_is(site: Site) -> None:
    (code,) = soup(site, "about.html").select("pre")
    (entry,) = parse_string(code.get_text(), "bibtex").entries.values()
    address = entry.fields["url"].partition("/en/latest/")[2]
    title = " ".join(entry.fields["title"].strip("{}").split())
    assert texts(soup(site, f"{address}index.html"), "article h1")[0].startswith(title)
    assert str(entry.persons["author"][0]) == "{The Silicon to Tokens authors}"  # one name


def test_every_note_says_where_it_is_edited_and_faults_are_reported(site: Site) -> None:
    for path in sorted(ROOT.glob("docs/*/*/lab.json")):
        note = path.parent.relative_to(ROOT / "docs").as_posix()
        links = {
            a.get_text(): str(a["href"])
            for a in soup(site, f"{note}/index.html").select(".writing-foot-links a")
        }
        assert links["Edit this page"].endswith(f"/edit/main/docs/{note}/index.md")
        assert (path.parent / "index.md").is_file()
        assert f"/{note}/" in unquote(links["Report an error"])


def test_robots_may_read_all(site: Site) -> None:
    start, _, sitemap = site.text("robots.txt").partition("Sitemap: ")
    assert start == "User-agent: *\nDisallow:\n"
    assert sitemap.strip().endswith("/sitemap.xml")
    assert site.text("sitemap.xml").count("<url>") > 20


def test_the_page_for_no_page_is_not_to_be_found(site: Site) -> None:
    page = site.text("404.html")
    assert '<meta name="robots" content="noindex">' in page
    assert 'action="/en/latest/search.html"' in page
    assert 'href="/en/latest/writing/index.html">All' in page
