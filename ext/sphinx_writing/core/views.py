"""Views: what each page shows from elsewhere, ready to print.

A page is printed from its own doctree and its :class:`PageView`, nothing else. That makes the digest
of the view the one thing to compare when deciding whether a page must be written again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sphinx_writing.core import labs, lists, sidebar
from sphinx_writing.core import map as map_
from sphinx_writing.core.cards import Card, SeriesRef, TagRef, series_ref
from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.dates import Stamp
from sphinx_writing.core.feeds import Feed, FeedLink, feeds_of
from sphinx_writing.core.glossary import ALL, Glossary, Term, is_taken
from sphinx_writing.core.graph import target_of
from sphinx_writing.core.inline import Inline, plain
from sphinx_writing.core.metadata import Facts, facts_of
from sphinx_writing.core.paths import LearningPath
from sphinx_writing.core.posts import Post
from sphinx_writing.core.records import Page
from sphinx_writing.core.series import Series, neighbours, parts_of

Relations = tuple[tuple[str, ...], str, str]
"""The documents above one in the toctrees, the one before it and the one after it, as Sphinx has them."""


NO_NUMBERS = ("", "")


@dataclass(frozen=True)
class Citation:
    """A post that links here, with the sentence in which it does."""

    card: Card
    sentence: Inline


@dataclass(frozen=True)
class Step:
    """Where a post stands on a learning path: number *number* of *total*, and what comes *next*.

    *page* lists the paths, if any page does, this one at *anchor*.
    """

    question: Inline
    number: int
    total: int
    next: Card | None
    page: str
    anchor: str


@dataclass(frozen=True)
class Related:
    """A post near this one, and the tags that both have."""

    card: Card
    tags: tuple[TagRef, ...]


@dataclass(frozen=True)
class PostView:
    """What stands around a post: its card, the whole series, what to read first, who links here, and more."""

    card: Card
    updated: Stamp | None
    total: int
    parts: tuple[Card, ...]
    previous: Card | None
    next: Card | None
    prerequisites: tuple[Card, ...]
    cited_by: tuple[Citation, ...]
    steps: tuple[Step, ...] = ()
    related: tuple[Related, ...] = ()


@dataclass(frozen=True)
class SeriesView:
    """A series page: the series, its parts in order, and the time they take together."""

    ref: SeriesRef
    description: Inline
    category: str
    status: str
    numbered: bool
    parts: tuple[Card, ...]
    minutes: int


FootLink = tuple[str, str]
"""A link at the foot of a page: its text and its address."""


@dataclass(frozen=True)
class PageView:
    """Everything that one page shows from elsewhere."""

    sidebar: sidebar.Sidebar
    post: PostView | None = None
    series: SeriesView | None = None
    lists: tuple[lists.Listing, ...] = ()
    references: tuple[str, ...] = ()
    around: tuple[tuple[str, Inline, bool, str], ...] = ()
    numbers: tuple[str, str] = NO_NUMBERS
    content: str = ""
    lab: str = ""
    """The name of the page of its lab."""
    links: tuple[FootLink, ...] = ()
    feeds: tuple[FeedLink, ...] = ()
    """The feeds that it names: its own first, then those of the whole site."""
    terms: tuple[Term, ...] = ()
    """The terms of the glossary that may stand in the text, and are linked where they do."""
    previews: tuple[str, ...] = ()
    """The documents that the text leads to and that links show a preview of."""
    facts: Facts | None = None
    """What it says of itself to machines; nothing where the site has no public address."""

    @property
    def own_feed(self) -> FeedLink | None:
        """The feed that belongs to this page and to no other."""
        return next((feed for feed in self.feeds if not feed.is_main), None)

    @property
    def main_feed(self) -> FeedLink | None:
        """The feed of the whole site, in the format that most readers take."""
        return next((feed for feed in self.feeds if feed.is_main), None)


@dataclass(frozen=True)
class Site:
    """A catalogue with what is needed to view any page of it."""

    catalogue: Catalogue
    pages: Mapping[str, Page]
    root: str
    labels: Mapping[str, str]
    relations: Mapping[str, Relations] = field(default_factory=dict)
    targets: Mapping[str, str] = field(default_factory=dict)
    """What every name that can be referred to leads to and shows, and the name of every picture as copied."""
    contents: Mapping[str, str] = field(default_factory=dict)
    """What a visible toctree shows of each document."""
    numbers: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The number of the title, and those of sections and figures, of each document that has some."""

    sidebar_limit: int = sidebar.NO_LIMIT
    withheld: tuple[str, ...] = ()
    """The documents that are left out."""
    search: bool = False
    """Whether there is a search page of ours."""
    foot_links: Mapping[str, tuple[FootLink, ...]] = field(default_factory=dict)
    """What stands at the foot of each page: where its text is edited, where a fault in it is reported."""
    not_found: bool = False
    """Whether there is a page of ours for addresses that lead nowhere."""
    map: bool = False
    """Whether there is a map."""
    newest_in_feed: int = 0
    """How many posts the main feed lists; 0 where there are no feeds."""
    glossary: Glossary = field(default_factory=Glossary)
    previews: bool = False
    """Whether links show what they lead to."""
    has_facts: bool = False
    """Whether pages say to machines what they are."""

    @cached_property
    def navigation(self) -> sidebar.Navigation:
        """What the sidebars are made from."""
        return sidebar.Navigation(
            self.catalogue, self.pages, self.root, self.sidebar_limit, map_.PAGE if self.map else ""
        )

    @cached_property
    def feeds(self) -> tuple[Feed, ...]:
        """All feeds."""
        return feeds_of(self.catalogue, self.root, self.newest_in_feed) if self.newest_in_feed else ()

    @cached_property
    def _feed_links(self) -> dict[str, tuple[FeedLink, ...]]:
        """The feeds of single pages, and under no name those of the whole site."""
        found: dict[str, tuple[FeedLink, ...]] = {}
        for feed in self.feeds:
            page = feed.page if feed.label else ""
            found[page] = (*found.get(page, ()), FeedLink(feed.name, feed.label, feed.media))
        return found

    def feed_links(self, pagename: str) -> tuple[FeedLink, ...]:
        """The feeds that a page names: its own first, then those of the whole site."""
        return (*self._feed_links.get(pagename, ()), *self._feed_links.get("", ()))

    @cached_property
    def titles_have_formulas(self) -> bool:
        """Whether a heading of any page has one, which navigation may then show on all."""
        return any(page.formulas_in_titles for page in self.pages.values())

    def references(self, page: Page) -> Iterator[str]:
        """What the references and pictures of *page* show."""
        for link in page.links:
            target = target_of(link, self.pages, self.labels)
            yield f"{target} {plain(self.catalogue.titles.get(target, ()))}" if target else ""
        names = (name for candidates in page.images for _, name in candidates)
        yield from (self.targets.get(name, "") for name in (*page.references, *names))

    def headings_below(self, docname: str) -> Iterator[str]:
        """The headings that visible toctrees of *docname* may show, however deep."""
        visible = [t for t in self.pages[docname].toctrees if not t.hidden]
        found = dict.fromkeys(e.target for t in visible for e in t.entries if e.target in self.pages)
        todo = list(found)
        for name in todo:
            yield f"{name} {self.contents.get(name, '')}"
            below = [d for d, _ in parts_of(self.pages[name]) if d in self.pages and d not in found]
            found |= dict.fromkeys(below)
            todo += below

    def around(self, docname: str) -> tuple[str, ...]:
        """The documents whose titles Sphinx and the theme may show around *docname*."""
        above, before, after = self.relations.get(docname, ((), "", ""))
        return (*above, before, after)

    def beside(self, docname: str) -> tuple[str, Inline, bool, str]:
        """What Sphinx and the theme may show of *docname* on the pages around it."""
        title, number = self.catalogue.titles.get(docname, ()), self.numbers.get(docname, NO_NUMBERS)[0]
        return (docname, title, self.catalogue.is_writing(docname), number)

    def page(self, docname: str) -> PageView:
        """The view of *docname*; of a generated page, one that only has the sidebar."""
        page = self.pages.get(docname)
        bar = self.navigation.beside(docname)
        if page is None:
            return PageView(bar, feeds=self.feed_links(docname))
        series = self.catalogue.series_at(docname)
        return PageView(
            sidebar=bar,
            post=post_view(self.catalogue, docname, self.navigation.paths)
            if docname in self.catalogue.posts
            else None,
            series=series_view(self.catalogue, series) if series else None,
            lists=tuple(lists.anchored(lists.listing(self.catalogue, query) for query in page.queries)),
            references=(*self.references(page), *self.headings_below(docname)),
            around=tuple(map(self.beside, self.around(docname))),
            numbers=self.numbers.get(docname, NO_NUMBERS),
            content=page.content,
            lab=labs.page_of(page.lab.folder) if page.lab else "",
            links=self.foot_links.get(docname, ()),
            feeds=self.feed_links(docname),
            terms=self.terms(docname, page),
            previews=tuple(sorted(self.previewed(docname, page))),
            facts=facts_of(self.catalogue, docname, self.root, page.social_picture)
            if self.has_facts
            else None,
        )

    def facts(self, docname: str, page: Page) -> Facts | None:
        """What the page says of itself to machines, if pages do."""
        return facts_of(self.catalogue, docname, self.root, page.social_picture) if self.has_facts else None

    def previewed(self, docname: str, page: Page) -> set[str]:
        """The posts and series pages that the text of *docname* leads to, if there are previews."""
        links = page.links if self.previews else ()
        targets = {target_of(link, self.pages, self.labels) for link in links}
        return {target for target in targets if target and self.catalogue.is_writing(target)} - {docname}

    def terms(self, docname: str, page: Page) -> tuple[Term, ...]:
        """The terms that may be linked in the text of *docname*: those of a post that it does not decline."""
        post = self.catalogue.posts.get(docname)
        if post is None or docname == self.glossary.docname or ALL in post.unlinked_terms:
            return ()
        unlinked = {name.lower() for name in post.unlinked_terms}
        return tuple(term for term in self.glossary.possible(page) if not is_taken(term, unlinked))


RELATED = 4
"""How many posts near it a post names."""


def post_view(catalogue: Catalogue, docname: str, paths_page: str = "") -> PostView:
    """The view of the post *docname*; *paths_page* is the page that lists the learning paths."""
    post = catalogue.posts[docname]
    series = catalogue.series_named(post.series)
    parts = catalogue.cards_of(series.parts if series else ())
    before, after = neighbours(series, docname) if series else (None, None)

    def one(name: str | None) -> Card | None:
        return next(iter(catalogue.cards_of([name] if name else [])), None)

    return PostView(
        card=catalogue.cards_of([docname])[0],
        updated=_updated(post),
        total=len(parts),
        parts=parts,
        previous=one(before),
        next=one(after),
        prerequisites=catalogue.cards_of(post.prerequisites),
        cited_by=tuple(
            Citation(catalogue.cards_of([link.docname])[0], link.sentence)
            for link in catalogue.backlinks.get(docname, ())
        ),
        steps=tuple(
            _step(catalogue, path, docname, paths_page) for path in catalogue.paths_of.get(docname, ())
        ),
        related=tuple(_related(catalogue, post, (before, after))),
    )


def _step(catalogue: Catalogue, path: LearningPath, docname: str, page: str) -> Step:
    number = path.posts.index(docname) + 1
    following = next(iter(catalogue.cards_of(path.posts[number : number + 1])), None)
    return Step(path.question, number, len(path.posts), following, page, lists.anchor(path.key))


def _related(catalogue: Catalogue, post: Post, beside: Iterable[str | None]) -> Iterator[Related]:
    """The posts near *post* that its page does not name already."""
    citing = (link.docname for link in catalogue.backlinks.get(post.docname, ()))
    named = {*filter(None, beside), *post.prerequisites, *citing}
    for near in catalogue.neighbourhood.near(post.docname, named, RELATED):
        card = catalogue.cards[near.docname]
        names = dict(zip(catalogue.posts[near.docname].tags, card.tags, strict=True))
        yield Related(card, tuple(names[key] for key in near.tags))


def _updated(post: Post) -> Stamp | None:
    """When the text was last changed, unless that was on the day it is dated."""
    if post.updated is None or (post.stamp and post.stamp.day == post.updated.day):
        return None
    return post.updated


def series_view(catalogue: Catalogue, series: Series) -> SeriesView:
    """The view of the page of *series*."""
    parts = catalogue.cards_of(series.parts)
    info = series.info
    return SeriesView(
        ref=series_ref(series),
        description=info.description,
        category=info.category,
        status=info.status,
        numbered=info.numbered,
        parts=parts,
        minutes=sum(card.minutes for card in parts),
    )
