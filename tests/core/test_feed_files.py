"""The bytes of feeds: legal XML and JSON whatever they hold, and never too heavy."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core import feed_files
from sphinx_writing.core.feed_files import Channel, Item, atom, fitting, is_light, json_feed
from sphinx_writing.core.feed_html import without_illegal

ITEM = Item(
    id="tag:example.org,2026:a",
    address="https://example.org/a/",
    title="A title",
    summary="A <em>summary</em>.",
    words="A summary.",
    content="<p>Text.</p>",
    published="2026-01-01T00:00:00+00:00",
    updated="2026-01-02T00:00:00+00:00",
    tags=("one", "C++"),
    authors=("Ada",),
)
CHANNEL = Channel(
    id="tag:example.org,2026:/",
    address="https://example.org/feed.xml",
    page="https://example.org/",
    title="Site",
    subtitle="",
    language="en",
    author="Us",
    updated="2026-01-02T00:00:00+00:00",
    items=(ITEM,),
)


def test_atom() -> None:
    assert (
        atom(CHANNEL)
        == """\
<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>tag:example.org,2026:/</id>
<title>Site</title>
<updated>2026-01-02T00:00:00+00:00</updated>
<author>
<name>Us</name>
</author>
<link rel="self" type="application/atom+xml" href="https://example.org/feed.xml" />
<link rel="alternate" type="text/html" href="https://example.org/" />
<generator>sphinx-writing</generator>
<entry>
<id>tag:example.org,2026:a</id>
<title>A title</title>
<published>2026-01-01T00:00:00+00:00</published>
<updated>2026-01-02T00:00:00+00:00</updated>
<author>
<name>Ada</name>
</author>
<category term="one" />
<category term="C++" />
<link rel="alternate" type="text/html" href="https://example.org/a/" />
<summary type="html">A &lt;em&gt;summary&lt;/em&gt;.</summary>
<content type="html">&lt;p&gt;Text.&lt;/p&gt;</content>
</entry>
</feed>
"""
    )


def test_json() -> None:
    assert json.loads(json_feed(CHANNEL)) == {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Site",
        "home_page_url": "https://example.org/",
        "feed_url": "https://example.org/feed.xml",
        "language": "en",
        "authors": [{"name": "Us"}],
        "items": [
            {
                "id": "tag:example.org,2026:a",
                "url": "https://example.org/a/",
                "title": "A title",
                "summary": "A summary.",
                "content_html": "<p>Text.</p>",
                "date_published": "2026-01-01T00:00:00+00:00",
                "date_modified": "2026-01-02T00:00:00+00:00",
                "authors": [{"name": "Ada"}],
                "tags": ["one", "C++"],
            }
        ],
    }


HOSTILE = ["</script>", "]]>", "&", "&amp;", '"', "'", "{{ x }}", "$x$", "\x00\x0b\x1b", "\ufffe", "\ud800", "\u202e",
           "🧪", "\r\n\t", "<!--", "x" * 10_000]  # fmt: skip


@given(st.lists(st.sampled_from(HOSTILE) | st.text()).map("".join))
def test_any_text_comes_out_as_it_went_in_but_for_what_xml_cannot_hold(text: str) -> None:
    item = replace(ITEM, title=text, summary=text, words=text, content=text, tags=(text,), authors=(text,))
    channel = replace(CHANNEL, title=text, subtitle=text, author=text, items=(item,))
    legal = without_illegal(text)
    entry = ET.fromstring(atom(channel)).find("{*}entry")  # noqa: S314  # ours
    assert entry is not None
    assert (entry.findtext("{*}title") or "") == legal
    assert (entry.findtext("{*}content") or "") == legal
    assert [c.get("term") for c in entry.findall("{*}category")] == [legal]
    made = json.loads(json_feed(channel).encode())["items"][0]
    assert made.get("title", "") == legal


def noise(size: int, seed: int) -> str:
    """Text that does not compress well."""
    return random.Random(seed).randbytes(size // 2).hex()  # noqa: S311  # for bytes, not for secrets


@pytest.mark.parametrize("printer", [atom, json_feed])
def test_texts_of_the_oldest_become_summaries_until_the_feed_is_light(printer: feed_files.Printer) -> None:
    items = tuple(replace(ITEM, id=f"{i}", content=noise(400_000, i)) for i in range(20))
    text, texts, entries = fitting(replace(CHANNEL, items=items), printer)
    assert is_light(text)
    assert (texts, entries) == (16, 0)  # of 200 kB each, four fit
    assert [item.content in text for item in items] == [True] * 4 + [False] * 16
    assert all(f'"{i}"' in text or f"<id>{i}</id>" in text for i in range(20))


def test_entries_are_left_out_where_summaries_are_too_heavy() -> None:
    items = tuple(replace(ITEM, id=f"{i}", content="", summary=noise(100_000, i)) for i in range(40))
    text, texts, entries = fitting(replace(CHANNEL, items=items), atom)
    assert is_light(text)
    assert texts == 0
    assert 15 < entries < 25
    assert "<id>0</id>" in text
    assert "<id>39</id>" not in text


def test_a_light_feed_stays_as_it_is() -> None:
    assert fitting(CHANNEL, atom) == (atom(CHANNEL), 0, 0)
