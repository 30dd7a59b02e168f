"""Once all is read: the catalogue is made and what is wrong is said; then the view of every page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sphinx_writing.core import catalogue, lists
from sphinx_writing.core.posts import Sources
from sphinx_writing.core.problems import Problem
from sphinx_writing.core.views import Relations, Site
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.misplaced import copies_of_withheld, dead_links, root_marks, unlisted
from sphinx_writing.sphinx_ext.report import report, warn
from sphinx_writing.sphinx_ext.settings import settings_of
from sphinx_writing.sphinx_ext.targets import headings, name_pictures, targets
from sphinx_writing.sphinx_ext.transforms import prints_templates

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_writing.sphinx_ext.domain import WritingDomain


def make_catalogue(app: Sphinx, env: BuildEnvironment) -> None:
    """Make the catalogue, and report everything that is wrong, in every build."""
    domain = writing_domain(env)
    domain.builder = app.builder
    settings = settings_of(app.config)
    fronts = {docname: scan.front for docname, (_, scan) in domain.scans.items()}
    sources = Sources(domain.pages, fronts, app.config.root_doc, settings.as_of, labels(env))
    domain.site = Site(catalogue.build(sources), domain.pages, app.config.root_doc, sources.labels)
    name_pictures(env)
    report(env, problems(env, domain, app.config.root_doc))
    for _, noted in sorted(domain.noted.items()):
        for one in noted:
            warn(one.kind, one.message, one.location)


def labels(env: BuildEnvironment) -> dict[str, str]:
    """The document of each label."""
    return {name: target[0] for name, target in env.domains.standard_domain.anonlabels.items()}


def problems(env: BuildEnvironment, domain: WritingDomain, root: str) -> Iterator[Problem]:
    """What is wrong in front matter, in the catalogue and between documents."""
    for _, (_, scan) in sorted(domain.scans.items()):
        yield from scan.problems
    yield from domain.site.catalogue.problems
    yield from root_marks(domain, root)
    yield from unlisted(domain, root)
    yield from copies_of_withheld(env, domain)
    for docname, page in sorted(domain.pages.items()):
        yield from dead_links(domain, docname)
        for query in page.queries:
            yield from lists.problems(domain.site.catalogue, docname, query)


def make_views(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Make the view of every page, as Sphinx has now numbered sections and figures; names no page itself."""
    domain = writing_domain(env)
    made = domain.site
    around = relations(env) if prints_templates(app.builder) else {}
    domain.site = Site(
        made.catalogue,
        made.pages,
        made.root,
        made.labels,
        around,
        targets(env, made.catalogue.posts),
        headings(env),
    )
    domain.views = {docname: domain.site.page(docname) for docname in sorted(domain.pages)}
    return []


def relations(env: BuildEnvironment) -> dict[str, Relations]:
    """The documents above each one, before it and after it."""
    found = env.collect_relations()
    around: dict[str, Relations] = {}
    for docname, (parent, before, after) in found.items():
        above: list[str] = []
        while parent is not None and parent not in above:
            above.append(parent)
            parent = found[parent][0] if parent in found else None
        around[docname] = (tuple(above), before or "", after or "")
    return around
