"""Redirects: a page at each address that a document had before, which leads to where it is now.

With script they keep what stands behind ``#`` and ``?``; without, they lead to the page alone. All addresses
in them are relative, so that they work wherever the site is put, also on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from sphinx.util.osutil import relative_uri

from sphinx_writing.core import redirects
from sphinx_writing.core import sitemap as core_sitemap
from sphinx_writing.core.inline import plain
from sphinx_writing.core.redirects import Redirect, Taken
from sphinx_writing.sphinx_ext import robots
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.frame import copied
from sphinx_writing.sphinx_ext.pages import generated, of_sphinx, page_file
from sphinx_writing.sphinx_ext.render import render
from sphinx_writing.sphinx_ext.report import located, say
from sphinx_writing.sphinx_ext.roles import public_address
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_writing.core.problems import Problem
    from sphinx_writing.core.records import FrontMatter
    from sphinx_writing.core.views import Site

SCRIPT = "_static/writing-redirect.js"


def files(app: Sphinx, site: Site) -> Iterator[tuple[str, tuple[object, ...], Callable[[], str]]]:
    """Every redirect, as a file: its name, what it shows, and what makes it."""
    for redirect in resolved(app, site)[0]:
        title = plain(site.catalogue.titles[redirect.docname])
        yield redirect.file, (redirect, title), partial(content, app, redirect, title)


def content(app: Sphinx, redirect: Redirect, title: str) -> str:
    """The page of *redirect*; it shows the *title* of what it leads to."""
    builder, base, here = app.builder, app.config.html_baseurl, quote(redirect.file)
    return render(
        builder,
        "redirect",
        redirect.docname,
        title=title,
        language=(app.config.language or "en").replace("_", "-"),
        target=relative_uri(here, builder.get_target_uri(redirect.docname)) or "./",
        script=relative_uri(here, SCRIPT),
        canonical=base + public_address(builder, redirect.docname) if base else "",
    )


def resolved(app: Sphinx, site: Site) -> tuple[tuple[Redirect, ...], tuple[Problem, ...]]:
    """The redirects of this build, and what is wrong with those that it does not make."""
    scans = writing_domain(app.env).scans
    fronts: dict[str, FrontMatter] = {d: scans[d].scan.front for d in site.pages if d in scans}
    if not site.catalogue.posts or not any(front.redirect_from for front in fronts.values()):
        return (), ()
    return redirects.resolve(fronts, taken(app, site))


def taken(app: Sphinx, site: Site) -> Iterator[Taken]:
    """Every file at the top of the site or in the folder of a page that something else has."""
    for docname in site.pages:
        yield Taken(page_file(app, docname), f'the address of "{docname}"', docname)
    for docname in site.withheld:
        yield Taken(page_file(app, docname), f'the address of "{docname}", which is withheld')
    for pagename in generated(site):
        yield Taken(page_file(app, pagename), f"the address of the generated page {pagename}")
    indices = (f"{d.name}-{index.name}" for d in app.env.domains.sorted() for index in d.indices)
    for pagename in (*of_sphinx(app), *indices):
        yield Taken(page_file(app, pagename), f"the address of the generated page {pagename}")
    for name in copied(app):
        yield Taken(name, f"a file of html_extra_path, {name}")
    for name in (robots.FILE, core_sitemap.FILE, *(feed.name for feed in site.feeds)):
        yield Taken(name, f"the file {name}")


def report(app: Sphinx, env: BuildEnvironment) -> None:
    """Report old addresses at which no redirect can be."""
    domain = writing_domain(env)
    if not makes_pages(app.builder) or domain.output is None or domain.output.idle:
        return
    found = [located(env, problem) for problem in resolved(app, domain.site)[1]]
    say(found)
    domain.output.problems += found
