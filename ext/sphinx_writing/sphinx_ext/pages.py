"""Pages that we make: the map, one for each tag, year and lab, the index of tags, one for no page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from markupsafe import escape
from sphinx.builders.html import StandaloneHTMLBuilder

from sphinx_writing.core import cards, labs, tag_index
from sphinx_writing.core import map as map_
from sphinx_writing.core.digests import Digests
from sphinx_writing.core.inline import plain
from sphinx_writing.core.problems import Kind, Place, Problem
from sphinx_writing.core.search import PAGE, ways
from sphinx_writing.sphinx_ext import not_found
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.render import render
from sphinx_writing.sphinx_ext.report import located, say
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_writing.core.catalogue import Catalogue
    from sphinx_writing.core.views import Site


NEIGHBOURS = 6
"""How many other tags the page of a tag names."""

Generated = dict[str, tuple[str, str, dict[str, Any]]]
"""Pages by name, each with its title, template and what the template shows."""


def generated(site: Site) -> Generated:
    """Every page we make."""
    made = of_labs(site), of_catalogue(site.catalogue), of_map(site), of_search(site), of_nowhere(site)
    return {name: page for pages in made for name, page in pages.items()}


def of_map(site: Site) -> Generated:
    """The map of all posts."""
    if not site.map or not site.catalogue.posts:
        return {}
    return {map_.PAGE: ("Map", "map", {"map": map_.drawn(site.catalogue)})}


def of_search(site: Site) -> Generated:
    """The page for searching, where search is ours; without script it leads to the lists there are."""
    return {PAGE: ("Search", "search", {"ways": ways(site)})} if site.search else {}


def of_nowhere(site: Site) -> Generated:
    """The page for addresses that lead nowhere."""
    if not site.not_found:
        return {}
    return {cards.NOT_FOUND: ("There is no page here", "not-found", not_found.shown(site))}


def of_labs(site: Site) -> Generated:
    """The page of each lab."""
    return {
        name: (f"The lab of {plain(page.title)}", "lab", {"page": page})
        for name, page in labs.lab_pages(site.pages, site.catalogue.titles, site.withheld).items()
    }


def of_catalogue(catalogue: Catalogue) -> Generated:
    """The pages that list posts by tag and by year."""
    if not catalogue.posts:
        return {}
    found: Generated = {}
    tags = [(cards.TagRef(t.name, cards.tag_page(t.slug)), len(t.docnames)) for t in catalogue.tags]
    if tags:
        found[cards.TAG_INDEX] = ("Tags", "tags", {"tags": tags})
    beside = tag_index.neighbours(catalogue.tags, NEIGHBOURS)
    for tag in catalogue.tags:
        tagged = set(tag.docnames)
        listed = catalogue.cards_of(d for d in catalogue.posts if d in tagged)
        near = tuple(cards.TagRef(t.name, cards.tag_page(t.slug)) for t in beside[tag.key])
        shown = {"tag": tag, "cards": listed, "neighbours": near}
        found[cards.tag_page(tag.slug)] = (f"Tag: {tag.name}", "tag", shown)
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
    """Every page we make that this output has not as it must be, for Sphinx to put into the theme's page."""
    domain = writing_domain(app.env)
    out = domain.output
    if not makes_pages(app.builder) or out is None or out.idle:
        return
    digests = Digests()
    taken = written_for_documents(app)
    for pagename, (title, template, shown) in generated(domain.site).items():
        file = page_file(app, pagename)
        if file in taken:
            continue
        page = domain.view(pagename)
        view = (title, template, *shown.values(), page, domain.site.titles_have_formulas)
        out.digests[pagename] = (
            f"{digests.of(view)} {out.frame[:16]} {out.last.navigation and out.navigation}"
        )
        if out.holds(pagename, file):
            continue
        out.written.add(pagename)
        body = render(app.builder, template, pagename, view=page, **shown)
        if pagename == cards.NOT_FOUND:
            not_found.write(app.builder, title, body)
            continue
        yield pagename, {"title": escape(title), "body": body, "metatags": ""}, "page.html"


def report_taken_names(app: Sphinx, env: BuildEnvironment) -> None:
    """Report documents that stand where a page of ours would go; the document stays."""
    domain = writing_domain(env)
    if not makes_pages(app.builder) or domain.output is None or domain.output.idle:
        return
    found = [located(env, problem) for problem in taken_names(app, domain.site)]
    say(found)
    domain.output.problems += found


def taken_names(app: Sphinx, site: Site) -> Iterator[Problem]:
    """Pages of ours whose place a document has, or another page of ours."""
    documents = written_for_documents(app)
    ours: dict[str, str] = {}
    for pagename, (_title, _template, shown) in generated(site).items():
        file = page_file(app, pagename)
        if file in documents:
            message = f"this document takes the address of the generated page {pagename}; move it"
            yield Problem(Kind.ADDRESS, documents[file], Place(1), message)
        elif file in ours:
            message = (
                f"the page of its lab and the generated page {pagename} have one address; rename its folder"
            )
            yield Problem(Kind.ADDRESS, ours[file], Place(1), message)
        if "page" in shown:
            ours[file] = shown["page"].docname


def written_for_documents(app: Sphinx) -> dict[str, str]:
    """The document of each page in the output folder that is one."""
    return {page_file(app, docname): docname for docname in app.env.all_docs}


def of_sphinx(app: Sphinx) -> Iterator[str]:
    """The pages that Sphinx makes beside documents, but for the indexes of domains."""
    builder = app.builder
    if isinstance(builder, StandaloneHTMLBuilder):
        special = {"search": builder.search, "genindex": builder.get_builder_config("use_index", "html")}
        yield from (name for name, wanted in special.items() if wanted)
    yield from app.config.html_additional_pages


def page_file(app: Sphinx, pagename: str) -> str:
    """The file of a page, relative to the output folder."""
    builder = app.builder
    names = writing_domain(app.env).page_files
    if pagename == cards.NOT_FOUND and pagename not in app.env.all_docs:
        return not_found.FILE
    if pagename not in names and isinstance(builder, StandaloneHTMLBuilder):
        names[pagename] = builder.get_output_path(pagename).relative_to(builder.outdir).as_posix()
    return names[pagename]
