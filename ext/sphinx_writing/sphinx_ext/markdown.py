"""Each note as Markdown beside its page, ``llms.txt`` and ``llms-full.txt``, and the links that lead to them.

The text of a note is kept as its page is written. Its head, and where its links lead, is added here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from markupsafe import escape
from sphinx.util import logging

from sphinx_writing.core import llms
from sphinx_writing.core.digests import Digests
from sphinx_writing.core.inline import Inline, Span, opening, resolve
from sphinx_writing.core.llms import Head, Linked, Section
from sphinx_writing.sphinx_ext import kept
from sphinx_writing.sphinx_ext.addresses import site_address
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.feed_settings import author
from sphinx_writing.sphinx_ext.markdown_body import with_links
from sphinx_writing.sphinx_ext.markdown_settings import has_markdown, is_wanted
from sphinx_writing.sphinx_ext.pages import page_file, written_for_documents
from sphinx_writing.sphinx_ext.roles import file_uri

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

    from sphinx_writing.core.posts import Post
    from sphinx_writing.core.series import Series
    from sphinx_writing.core.views import Site

logger = logging.getLogger(__name__)

SUMMARY = 200
"""Characters of the home page's first paragraph that stand for a summary of the site."""

File = tuple[str, tuple[object, ...], Callable[[], str]]
"""The name of a file, what it shows, and what makes it."""


def files(app: Sphinx, site: Site) -> Iterator[File]:
    """Every Markdown file, ``llms.txt``, and all in one where that is not too big."""
    if not is_wanted(app):
        return
    notes = Notes(app, site)
    links = Digests().of(tuple(sorted(notes.twins.items())))
    shown = tuple((notes.head(d), kept.digest_of(app, kept.MARKDOWN, d), links) for d in notes.documents)
    taken = written_for_documents(app)
    for docname, what in zip(notes.documents, shown, strict=True):
        if (name := notes.file(docname)) not in taken:
            yield name, what, partial(notes.text, docname)
    full = llms.fitting(map(notes.text, notes.documents))
    if full is not None and llms.FULL not in taken:
        yield llms.FULL, shown, lambda: full
    if llms.INDEX not in taken:
        sections, summary = tuple(notes.sections()), notes.summary()
        yield llms.INDEX, (sections, summary, full is None), partial(notes.index, full is not None)


@dataclass(frozen=True)
class Notes:
    """The notes of a site as Markdown."""

    app: Sphinx
    site: Site

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """All that there are, in the order of ``llms-full.txt``."""
        return llms.documents(self.site.catalogue)

    @cached_property
    def twins(self) -> dict[str, str]:
        """The address of each Markdown file, by that of its page."""
        return {site_address(self.app.builder, d): self.address(d) for d in self.documents}

    def file(self, docname: str) -> str:
        """The Markdown file of a page."""
        return llms.file_of(page_file(self.app, docname))

    def address(self, docname: str) -> str:
        """Its address."""
        return f"{self.app.config.html_baseurl}{quote(self.file(docname))}"

    def text(self, docname: str) -> str:
        """The Markdown of a note."""
        body = with_links(kept.text_of(self.app, kept.MARKDOWN, docname) or "", self.twins)
        return llms.whole(self.head(docname), body)

    def head(self, docname: str) -> Head:
        """What stands above the text of a note."""
        catalogue = self.site.catalogue
        if post := catalogue.posts.get(docname):
            return self._head_of_post(post)
        series = catalogue.series_at(docname)
        return Head(
            catalogue.titles.get(docname, ()),
            series.info.description if series else (),
            site_address(self.app.builder, docname),
            parts=tuple(self._linked(d) for d in series.parts) if series else (),
            rights=self._rights,
        )

    def _head_of_post(self, post: Post) -> Head:
        series = self.site.catalogue.series_named(post.series)
        return Head(
            post.title,
            post.summary,
            site_address(self.app.builder, post.docname),
            published=post.stamp.day.isoformat() if post.stamp else "",
            updated=post.updated.day.isoformat() if post.updated else "",
            series=self._of_series(series) if series else None,
            place=f"part {post.part} of {len(series.parts)}" if series and series.info.numbered else "",
            authors=post.authors or (author(self.app.config),),
            tags=tuple(tag.name for tag in self.site.catalogue.cards[post.docname].tags),
            before=tuple(map(self._linked, post.prerequisites)),
            rights=self._rights,
        )

    @property
    def _rights(self) -> str:
        found = self.app.config.copyright
        return found if isinstance(found, str) else ", ".join(found)

    def _linked(self, docname: str) -> Linked:
        """A post in a list."""
        catalogue = self.site.catalogue
        summary = catalogue.posts[docname].summary if docname in catalogue.posts else ()
        return Linked(catalogue.titles.get(docname, ()), self.address(docname), summary)

    def _of_series(self, series: Series) -> Linked:
        return Linked((Span(series.info.label),), self.address(series.docname))

    def sections(self) -> Iterator[Section]:
        """The lists of ``llms.txt``."""
        catalogue = self.site.catalogue
        for series in catalogue.series:
            page = self._linked(series.docname)
            first = Linked(page.title, page.address, series.info.description)
            yield Section(series.info.label, (first, *(self._linked(d) for d in series.parts)))
        yield Section("Optional", tuple(self._linked(post.docname) for post in llms.others(catalogue)))

    def summary(self) -> Inline:
        """What the site is, in the words of its home page."""
        root, catalogue = self.site.root, self.site.catalogue
        source, page = writing_domain(self.app.env).scans.get(root), self.site.pages.get(root)
        said = source.scan.front.summary if source else ()
        return resolve(said or opening(page.first if page else (), SUMMARY), catalogue.titles)

    def index(self, has_full: bool) -> str:
        """The text of ``llms.txt``; the terminal says what is left out."""
        config = self.app.config
        if not has_full:
            logger.info("writing: %s would be larger than 1 MB; it is left out", llms.FULL)
        full = f"{config.html_baseurl}{llms.FULL}" if has_full else ""
        return llms.index(str(config.project), self.summary(), self.sections(), full)


def link(
    app: Sphinx, pagename: str, _template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Name the Markdown of a page in its head, where programs look for it."""
    if doctree is not None and has_markdown(app, pagename):
        address = escape(file_uri(app.builder, pagename, llms.file_of(page_file(app, pagename))))
        line = f'\n<link rel="alternate" type="text/markdown" href="{address}">'
        context["metatags"] = context.get("metatags", "") + line
