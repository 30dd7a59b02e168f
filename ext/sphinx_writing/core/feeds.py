"""Feeds: which there are, what each lists, and the ids that readers of them remember.

A feed shows front matter and titles, and the main one the text of its newest entries. Nothing in it comes
from a clock: an entry carries the dates of its front matter, and a feed the newest of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sphinx_writing.core.cards import tag_page
from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.dates import Stamp
from sphinx_writing.core.inline import Inline
from sphinx_writing.core.posts import Post
from sphinx_writing.core.problems import Kind, Place, Problem

ATOM, JSON = "application/atom+xml", "application/feed+json"
MAIN_ATOM, MAIN_JSON = "feed.xml", "feed.json"
_ENDING = re.compile(r"(?:/index)?(?:\.html?)?$")


@dataclass(frozen=True)
class Entry:
    """A post as feeds list it; *id* is what tells it apart for ever, within the site."""

    docname: str
    id: str
    title: Inline
    summary: Inline
    published: Stamp
    updated: Stamp
    tags: tuple[str, ...]
    authors: tuple[str, ...]


@dataclass(frozen=True)
class Feed:
    """A feed: its file, the page it belongs to, its id within the site, its name there, what it lists.

    The main one has no *label*, and *full* entries.
    """

    name: str
    page: str
    id: str
    label: str
    description: Inline
    entries: tuple[Entry, ...]
    media: str = ATOM
    full: bool = False

    @property
    def updated(self) -> Stamp:
        """The newest stamp in it."""
        return max((entry.updated for entry in self.entries), key=lambda s: (s.instant.timestamp(), s.iso))


@dataclass(frozen=True)
class FeedLink:
    """A feed as a page names it."""

    name: str
    label: str
    media: str

    @property
    def is_main(self) -> bool:
        """Whether it is one of the whole site."""
        return not self.label


def feeds_of(catalogue: Catalogue, root: str, newest: int) -> tuple[Feed, ...]:
    """Every feed of a site; the main one lists the *newest* posts. One without an entry is none."""
    entries = entries_of(catalogue)
    dated = [entries[docname] for docname in catalogue.posts if docname in entries]
    main = tuple(dated[:newest])
    found = [
        Feed(MAIN_ATOM, root, "/", "", (), main, full=True),
        Feed(MAIN_JSON, root, "/", "", (), main, JSON, full=True),
    ]
    for series in catalogue.series:
        parts = tuple(entries[docname] for docname in series.parts if docname in entries)
        name, info = beside(series.docname), series.info
        found.append(Feed(name, series.docname, f"/series/{info.key}", info.label, info.description, parts))
    for tag in catalogue.tags:
        tagged = {*tag.docnames}
        page = tag_page(tag.slug)
        listed = tuple(entry for entry in dated if entry.docname in tagged)
        found.append(Feed(beside(page), page, f"/tags/{tag.slug}", tag.name, (), listed))
    return tuple(feed for feed in found if feed.entries)


def beside(page: str) -> str:
    """The file of the feed of *page*, in its folder, or in the one of its name where it is no index."""
    return f"{page.removesuffix('/index')}/{MAIN_ATOM}"


def entries_of(catalogue: Catalogue) -> dict[str, Entry]:
    """The entry of every post that has a date; without one there is no stamp to give it."""
    names = {tag.key: tag.name for tag in catalogue.tags}
    ids = ids_of(catalogue.posts)
    return {
        docname: Entry(
            docname,
            ids[docname],
            post.title,
            post.summary,
            post.stamp,
            post.updated or post.stamp,
            tuple(names[key] for key in post.tags),
            post.authors,
        )
        for docname, post in catalogue.posts.items()
        if post.stamp
    }


def address(name: str) -> str:
    """The address that *name* means, however it is written: ``/infra/nccl/``, ``infra/nccl/index.html``."""
    return _ENDING.sub("", re.split("[#?]", name, maxsplit=1)[0].strip("/"))


def ids_of(posts: Mapping[str, Post]) -> dict[str, str]:
    """The id of each post: the address it had first.

    That is ``feed_id`` where it is given, else the first of ``redirect_from``, else its own; and always its
    own where another post has the one that it claims.
    """
    own = {docname: address(docname) for docname in posts}
    taken = {*own.values()}
    found: dict[str, str] = {}
    for docname, post in sorted(posts.items()):
        claimed = _claimed(post)
        is_free = claimed and (claimed == own[docname] or claimed not in taken)
        found[docname] = claimed if is_free else own[docname]
        taken.add(found[docname])
    return found


def _claimed(post: Post) -> str:
    return address(post.feed_id or next(iter(post.redirect_from), ""))


def problems(posts: Mapping[str, Post], places: Mapping[str, Place]) -> Iterator[Problem]:
    """Every ``feed_id`` that another post has; one that ``redirect_from`` repeats is reported as such."""
    ids = ids_of(posts)
    for docname, post in sorted(posts.items()):
        if post.feed_id and ids[docname] != address(post.feed_id):
            other = _owner(address(post.feed_id), docname, ids)
            message = (
                f'"feed_id": "{address(post.feed_id)}" is that of "{other}"; give the address that this note '
                "had first, and no other has"
            )
            yield Problem(Kind.ADDRESS, docname, places[docname], message)


def _owner(claimed: str, docname: str, ids: Mapping[str, str]) -> str:
    """The other post that has the id *claimed*, or the address."""
    others: Iterable[str] = (d for d in sorted(ids) if d != docname)
    return next((d for d in others if claimed in (ids[d], address(d))), "")
