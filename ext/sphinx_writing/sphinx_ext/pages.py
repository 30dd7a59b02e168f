"""Pages that we make: one for each tag, the index of tags, one for each year."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from markupsafe import escape

from sphinx_writing.core import cards
from sphinx_writing.core.problems import Kind, Place, Problem
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.render import render
from sphinx_writing.sphinx_ext.report import report
from sphinx_writing.sphinx_ext.transforms import prints_templates

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_writing.core.catalogue import Catalogue


def generated(catalogue: Catalogue) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """The name of every page we make, with its title, template and what the template shows."""
    if not catalogue.posts:
        return {}
    found: dict[str, tuple[str, str, dict[str, Any]]] = {}
    tags = [(cards.TagRef(t.name, cards.tag_page(t.slug)), len(t.docnames)) for t in catalogue.tags]
    if tags:
        found[cards.TAG_INDEX] = ("Tags", "tags", {"tags": tags})
    for tag in catalogue.tags:
        listed = cards.cards_of(catalogue, (d for d in catalogue.posts if d in tag.docnames))
        found[cards.tag_page(tag.slug)] = (f"Tag: {tag.name}", "tag", {"tag": tag, "cards": listed})
    for year, docnames in by_year(catalogue).items():
        listed = cards.cards_of(catalogue, docnames)
        years = tuple(by_year(catalogue))
        found[cards.year_page(year)] = (str(year), "year", {"year": year, "years": years, "cards": listed})
    return found


def by_year(catalogue: Catalogue) -> dict[int, list[str]]:
    """The posts of each year, newest first."""
    years: dict[int, list[str]] = {}
    for docname, post in catalogue.posts.items():
        if post.stamp:
            years.setdefault(post.stamp.day.year, []).append(docname)
    return years


def collect(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Every page we make, for Sphinx to put into the theme's own page."""
    if not prints_templates(app.builder) or app.builder.name == "singlehtml":
        return
    site = writing_domain(app.env).site
    for pagename, (title, template, shown) in generated(site.catalogue).items():
        if pagename not in site.pages:
            body = render(app.builder, template, pagename, **shown)
            yield pagename, {"title": escape(title), "body": body, "metatags": ""}, "page.html"


def report_taken_names(_app: Sphinx, env: BuildEnvironment) -> None:
    """Report documents that stand where a page of ours would go; the document stays."""
    site = writing_domain(env).site
    for pagename in generated(site.catalogue):
        if pagename in site.pages:
            message = f"this document takes the address of the generated page {pagename}; move it"
            report(env, [Problem(Kind.ADDRESS, pagename, Place(1), message)])
