"""Feeds are valid by RFC 4287's schema, by what its text demands beside that, and to a reader's own parser."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import feedparser
import pytest
from lxml import etree

from ..bench import corpus, gen_corpus
from .conftest import Built, Project
from .test_feeds import BODY, with_feeds

Make = Callable[[str], Project]
ATOM = "{http://www.w3.org/2005/Atom}"
SCHEMA = etree.RelaxNG(etree.parse(Path(__file__).parents[1] / "schemas/atom.rng"))
POSTS = int(os.environ.get("FEED_POSTS", "100"))
"""1,000 where all is tested, which takes a minute."""
HOSTILE = "</script> ]]> & \"q\" 'q' {{ x }} {% x %} $1 and $x_1$"
STRICT = etree.XMLParser(resolve_entities=False, recover=False, huge_tree=True)


def faults(path: Path) -> Iterator[str]:
    """What is wrong with the Atom feed at *path*."""
    document = etree.parse(path, STRICT)
    if not SCHEMA.validate(document):
        yield str(SCHEMA.error_log)
    feed = document.getroot()
    places = [feed, *feed.findall(f"{ATOM}entry")]
    ids = [place.findtext(f"{ATOM}id") for place in places]
    if len({*ids}) < len(ids):
        yield "two ids are one"
    for place in places:
        links = [
            (link.get("rel"), link.get("type"), link.get("hreflang")) for link in place.findall(f"{ATOM}link")
        ]
        if len({*links}) < len(links) or ("alternate", "text/html", None) not in links:
            yield f"links {links}"
        stamps = [place.findtext(f"{ATOM}{name}") for name in ("published", "updated")]
        if stamps[0] and not stamps[0][:10] <= (stamps[1] or "")[:10]:
            yield f"stamps {stamps}"
    if feed.find(f"{ATOM}author/{ATOM}name") is None:
        yield "no author"
    parsed = feedparser.parse(path.read_bytes())
    if parsed.bozo or parsed.version != "atom10" or len(parsed.entries) != len(places) - 1:
        yield f"feedparser: {parsed.get('bozo_exception')}"


def check(built: Built) -> int:
    """The number of feeds in an output, all of which are valid."""
    found = sorted(built.out.rglob("feed.xml"))
    assert {path: wrong for path in found if (wrong := [*faults(path)])} == {}
    made = json.loads(built.text("feed.json"))
    assert made["version"] == "https://jsonfeed.org/version/1.1"
    assert all(
        {"id", "url", "title", "content_html", "date_published"} <= item.keys() for item in made["items"]
    )
    return len(found)


def test_feeds_are_valid(project: Make) -> None:
    site = with_feeds(project("elements"))
    site.write("note.md", BODY.replace("date:", "authors: [Ada, Grace]\ntags: [a, b]\ndate:"))
    site.write(
        "two.md", "---\ndate: 2026-01-01T09:30:00+09:00\nupdated: 2026-02-01\norphan:\n---\n# Zwei & `drei`\n"
    )
    assert check(site.build(language="de")) == 3


def test_what_is_not_valid_is_seen(project: Make) -> None:
    built = with_feeds(project("elements")).build()
    path = built.out / "feed.xml"
    text = built.text("feed.xml")
    for old, new in (
        ("<updated>", "<updated>x"),
        ("<id>", "<id>x</id><id>"),
        ("</entry>", "<x/></entry>"),
        ("&", "& "),
    ):
        if old in text:
            path.write_text(text.replace(old, new, 1))
            with pytest.raises((AssertionError, etree.XMLSyntaxError)):
                assert [*faults(path)] == []


def test_every_feed_of_many_posts(tmp_path: Path) -> None:
    made, site = corpus.posts(POSTS), Project.__new__(Project)
    site.source, site.folder = tmp_path / "source", tmp_path
    for number, post in enumerate(made):
        whole = number < 40  # the others are in the feeds by their front matter alone
        post.blocks = [(kind, text) for kind, text in post.blocks if whole and kind != "mermaid"] or [
            ("p", HOSTILE)
        ]
        text = corpus.page(post, made).replace("\n# ", f"\n# \\{HOSTILE} " if not number % 10 else "\n# ", 1)
        gen_corpus.write(site.source / corpus.address(post), text)
    for number in range(corpus.series_of(POSTS)):
        slugs = [post.slug for post in made if post.series == number]
        gen_corpus.write(site.source / f"s{number:03d}/index.md", corpus.series_page(number, slugs))
    corpus.write_front(site.source, corpus.series_of(POSTS))
    built = site.build(html_theme="basic", html_baseurl="https://example.org/a/b", suppress_warnings=["*"])
    assert check(built) > corpus.series_of(POSTS)
    assert len(feedparser.parse((built.out / "feed.xml").read_bytes()).entries) == 20
