"""The bytes of a feed: Atom (RFC 4287) and JSON Feed 1.1, of one record.

No feed weighs more than a megabyte as servers compress it. One that would has the oldest of its texts taken
out, which leaves their summaries; and where that is not enough, the last of its entries.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from xml.etree import ElementTree as ET

from sphinx_writing.core.feed_html import without_illegal

HEAVIEST = 1_000_000
"""Bytes of a feed, compressed."""
_USUAL = 6
"""How hard servers compress."""
GENERATOR = "sphinx-writing"


@dataclass(frozen=True)
class Item:
    """An entry, ready to print: *summary* is HTML, *words* the same as plain text, *content* may be empty."""

    id: str
    address: str
    title: str
    summary: str
    words: str
    content: str
    published: str
    updated: str
    tags: tuple[str, ...]
    authors: tuple[str, ...]


@dataclass(frozen=True)
class Channel:
    """A feed, ready to print: *address* is its own, *page* that of the page it belongs to."""

    id: str
    address: str
    page: str
    title: str
    subtitle: str
    language: str
    author: str
    updated: str
    items: tuple[Item, ...]


Printer = Callable[[Channel], str]


def atom(channel: Channel) -> str:
    """The feed as Atom."""
    feed = ET.Element("feed", {"xmlns": "http://www.w3.org/2005/Atom", "xml:lang": channel.language})
    _add(feed, "id", channel.id)
    _add(feed, "title", channel.title)
    if channel.subtitle:
        _add(feed, "subtitle", channel.subtitle)
    _add(feed, "updated", channel.updated)
    _add_author(feed, channel.author)
    _add(feed, "link", rel="self", type="application/atom+xml", href=channel.address)
    _add(feed, "link", rel="alternate", type="text/html", href=channel.page)
    _add(feed, "generator", GENERATOR)
    for item in channel.items:
        _add_entry(feed, item)
    ET.indent(feed, "")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(feed, encoding="unicode")}\n'


def _add_entry(feed: ET.Element, item: Item) -> None:
    entry = ET.SubElement(feed, "entry")
    _add(entry, "id", item.id)
    _add(entry, "title", item.title)
    _add(entry, "published", item.published)
    _add(entry, "updated", item.updated)
    for name in item.authors:
        _add_author(entry, name)
    for tag in item.tags:
        _add(entry, "category", term=tag)
    _add(entry, "link", rel="alternate", type="text/html", href=item.address)
    if item.summary:
        _add(entry, "summary", item.summary, type="html")
    if item.content:
        _add(entry, "content", item.content, type="html")


def _add_author(element: ET.Element, name: str) -> None:
    _add(ET.SubElement(element, "author"), "name", name)


def _add(element: ET.Element, tag: str, text: str = "", **attributes: str) -> None:
    legal = {name: without_illegal(value) for name, value in attributes.items()}
    made = ET.SubElement(element, tag, legal)
    made.text = without_illegal(text) or None


def json_feed(channel: Channel) -> str:
    """The feed as JSON Feed 1.1."""
    found = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": channel.title,
        "home_page_url": channel.page,
        "feed_url": channel.address,
        "description": channel.subtitle,
        "language": channel.language,
        "authors": [{"name": channel.author}],
        "items": [_json_item(item) for item in channel.items],
    }
    return json.dumps(_legal(found), ensure_ascii=False, indent=1) + "\n"


def _json_item(item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "url": item.address,
        "title": item.title,
        "summary": item.words,
        "content_html": item.content or item.summary or "<p></p>",  # the format demands one
        "date_published": item.published,
        "date_modified": item.updated,
        "authors": [{"name": name} for name in item.authors],
        "tags": list(item.tags),
    }


def _legal(value: Any) -> Any:
    """*value* without what is empty, and without characters that the Atom feed has not."""
    if isinstance(value, dict):
        return {name: _legal(one) for name, one in value.items() if one}
    if isinstance(value, list):
        return [_legal(one) for one in value]
    return without_illegal(value)


def fitting(channel: Channel, printer: Printer) -> tuple[str, int, int]:
    """The feed, how many of its texts are left out for its weight, and how many of its entries."""
    whole = printer(channel)
    if is_light(whole):
        return whole, 0, 0
    texts, total = sum(bool(item.content) for item in channel.items), len(channel.items)
    kept = _most(texts, lambda n: printer(_with_texts(channel, n)))
    lean = _with_texts(channel, kept)
    listed = total if kept else _most(total, lambda n: printer(replace(lean, items=lean.items[:n])))
    return printer(replace(lean, items=lean.items[:listed])), texts - kept, total - listed


def _with_texts(channel: Channel, number: int) -> Channel:
    """*channel* with no more than the first *number* of its texts."""
    items, left = [], number
    for item in channel.items:
        items.append(item if left > 0 else replace(item, content=""))
        left -= bool(item.content)
    return replace(channel, items=tuple(items))


def _most(total: int, printed: Callable[[int], str]) -> int:
    """The largest number up to *total* with which what is *printed* is light enough; 0 if none is."""
    if is_light(printed(total)):
        return total
    low, high = 0, total  # light enough, too heavy
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_light(printed(middle)) else (low, middle)
    return low


def is_light(text: str) -> bool:
    """Whether the file weighs no more than a feed may, compressed."""
    content = text.encode()
    return len(content) <= HEAVIEST or len(zlib.compress(content, _USUAL)) <= HEAVIEST
