"""Feeds: their files, made once all pages are written, and the links that lead to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from markupsafe import escape
from sphinx.util import logging

from sphinx_writing.core import feed_files, feeds, inline
from sphinx_writing.core.feed_html import readable
from sphinx_writing.core.feeds import ATOM
from sphinx_writing.core.metadata import words
from sphinx_writing.core.problems import Kind, Place, Problem
from sphinx_writing.sphinx_ext import kept
from sphinx_writing.sphinx_ext.addresses import site_address
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.feed_entry import whole_address
from sphinx_writing.sphinx_ext.feed_settings import author, id_prefix, title
from sphinx_writing.sphinx_ext.frame import copied
from sphinx_writing.sphinx_ext.pages import written_for_documents
from sphinx_writing.sphinx_ext.render import math_of
from sphinx_writing.sphinx_ext.report import Noted, located, say
from sphinx_writing.sphinx_ext.roles import file_uri
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_writing.core.feed_files import Channel, Item
    from sphinx_writing.core.feeds import Entry, Feed, FeedLink
    from sphinx_writing.core.views import Site

logger = logging.getLogger(__name__)

FeedFile = tuple[str, tuple[object, ...], Callable[[], str]]
"""The name of a file, what it shows, and what makes it."""


def files(app: Sphinx, site: Site) -> Iterator[FeedFile]:
    """Every feed of the site, as a file."""
    documents = written_for_documents(app) if site.feeds else {}
    for feed in site.feeds:
        if feed.name not in documents:
            full = feed.entries if feed.full else ()
            texts = tuple(kept.digest_of(app, kept.FEED, entry.docname) for entry in full)
            yield feed.name, (feed, texts), partial(content, app, feed)


def content(app: Sphinx, feed: Feed) -> str:
    """The file of *feed*; the terminal says what does not fit into it."""
    printer = feed_files.atom if feed.media == ATOM else feed_files.json_feed
    text, texts, entries = feed_files.fitting(channel(app, feed), printer)
    if texts or entries:
        left = [f"the texts of its {texts} oldest entries, which have summaries"] if texts else []
        left += [f"its last {entries} entries"] if entries else []
        logger.info("writing: %s would be heavier than 1 MB; it leaves out %s", feed.name, " and ".join(left))
    return text


def channel(app: Sphinx, feed: Feed) -> Channel:
    """*feed*, ready to print."""
    config = app.config
    prefix = id_prefix(config)
    return feed_files.Channel(
        id=prefix + quote(feed.id),
        address=config.html_baseurl + quote(feed.name),
        page=site_address(app.builder, feed.page),
        title=title(config, feed.label),
        subtitle=words(feed.description),
        language=(config.language or "en").replace("_", "-"),
        author=author(config),
        updated=feed.updated.iso,
        items=tuple(item(app, entry, prefix, full=feed.full) for entry in feed.entries),
    )


def item(app: Sphinx, entry: Entry, prefix: str, *, full: bool) -> Item:
    """An entry, ready to print."""
    builder, docname = app.builder, entry.docname
    summary = inline.html(entry.summary, math_of(builder))
    page = site_address(builder, docname)
    return feed_files.Item(
        id=prefix + quote(entry.id),
        address=page,
        title=words(entry.title) or docname,
        summary=readable(summary, whole_address(builder, docname), page),
        words=words(entry.summary),
        content=(kept.text_of(app, kept.FEED, docname) or "") if full else "",
        published=entry.published.iso,
        updated=entry.updated.iso,
        tags=entry.tags,
        authors=entry.authors,
    )


def link(
    app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Name the feeds of a page in its head, where readers of feeds look for them."""
    if not makes_pages(app.builder):
        return
    found: tuple[FeedLink, ...] = writing_domain(app.env).view(pagename).feeds
    lines = (
        f'\n<link rel="alternate" type="{feed.media}" title="{escape(title(app.config, feed.label))}" '
        f'href="{escape(file_uri(app.builder, pagename, feed.name))}">'
        for feed in found
    )
    context["metatags"] = context.get("metatags", "") + "".join(lines)


def report(app: Sphinx, env: BuildEnvironment) -> None:
    """Report ids and files of feeds that something else has; that stays."""
    domain = writing_domain(env)
    if domain.output is None or domain.output.idle:
        return
    found = [located(env, problem) for problem in problems(app, domain.site)]
    found += [noted.as_said for noted in own_files(app, domain.site)]
    say(found)
    domain.output.problems += found


def problems(app: Sphinx, site: Site) -> Iterator[Problem]:
    """Ids that two posts claim, and documents that stand where a feed would."""
    scans, documents = writing_domain(app.env).scans, written_for_documents(app) if site.feeds else {}
    places = {d: scans[d].scan.front.place("feed_id") for d in site.catalogue.posts if d in scans}
    yield from feeds.problems(site.catalogue.posts, places)
    for feed in site.feeds:
        if feed.name in documents:
            message = f"this document takes the address of the feed {feed.name}, which is not made; move it"
            yield Problem(Kind.ADDRESS, documents[feed.name], Place(1), message)


def own_files(app: Sphinx, site: Site) -> Iterator[Noted]:
    """Files of the site's own that stand where a feed would."""
    own = {*copied(app)} if site.feeds else set()
    for feed in site.feeds:
        if feed.name in own:
            message = (
                f"html_extra_path has the file {feed.name}, so this feed is not made; "
                "rename the file, or switch feeds off by writing_feeds = False"
            )
            yield Noted(Kind.ADDRESS, message, f"{app.confdir / 'conf.py'}:1")
