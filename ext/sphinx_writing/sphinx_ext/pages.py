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
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from pathlib import Path

    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder
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
        listed = catalogue.cards_of(d for d in catalogue.posts if d in tag.docnames)
        found[cards.tag_page(tag.slug)] = (f"Tag: {tag.name}", "tag", {"tag": tag, "cards": listed})
    years = by_year(catalogue)
    for year, docnames in years.items():
        listed = catalogue.cards_of(docnames)
        found[cards.year_page(year)] = (
            str(year),
            "year",
            {"year": year, "years": tuple(years), "cards": listed},
        )
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
    if not makes_pages(app.builder):
        return
    taken = written_for_documents(app.builder, app.env)
    site = writing_domain(app.env).site
    for pagename, (title, template, shown) in generated(site.catalogue).items():
        if app.builder.get_output_path(pagename) not in taken:
            body = render(app.builder, template, pagename, **shown)
            yield pagename, {"title": escape(title), "body": body, "metatags": ""}, "page.html"


def report_taken_names(app: Sphinx, env: BuildEnvironment) -> None:
    """Report documents that stand where a page of ours would go; the document stays."""
    if not makes_pages(app.builder):
        return
    documents = written_for_documents(app.builder, env)
    for pagename in generated(writing_domain(env).site.catalogue):
        docname = documents.get(app.builder.get_output_path(pagename))
        if docname is not None:
            message = f"this document takes the address of the generated page {pagename}; move it"
            report(env, [Problem(Kind.ADDRESS, docname, Place(1), message)])


def written_for_documents(builder: StandaloneHTMLBuilder, env: BuildEnvironment) -> dict[Path, str]:
    """The file of each document in the output folder."""
    return {builder.get_output_path(docname): docname for docname in env.all_docs}
