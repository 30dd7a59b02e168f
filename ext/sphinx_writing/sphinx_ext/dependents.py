"""Once all is read: the catalogue is made, what is wrong is reported, pages that show old news are named."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.builders.html import StandaloneHTMLBuilder

from sphinx_writing.core import catalogue, lists
from sphinx_writing.core.graph import target_of
from sphinx_writing.core.posts import Sources
from sphinx_writing.core.problems import Kind, Place, Problem, hint
from sphinx_writing.core.series import parts_of
from sphinx_writing.core.views import Relations, Site
from sphinx_writing.sphinx_ext import record
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.render import templates_digest
from sphinx_writing.sphinx_ext.report import report, warn
from sphinx_writing.sphinx_ext.settings import settings_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment

    from sphinx_writing.sphinx_ext.domain import WritingDomain


def make_site(app: Sphinx, env: BuildEnvironment) -> None:
    """Make the catalogue and the view of every page, and report everything that is wrong."""
    domain = writing_domain(env)
    domain.builder = app.builder
    settings = settings_of(app.config)
    fronts = {docname: scan.front for docname, (_, scan) in domain.scans.items()}
    labels = {name: target[0] for name, target in env.domains.standard_domain.anonlabels.items()}
    sources = Sources(domain.pages, fronts, app.config.root_doc, settings.as_of, labels)
    made = catalogue.build(sources)
    domain.site = Site(made, domain.pages, app.config.root_doc, labels, relations(env))
    domain.views = {docname: domain.site.page(docname) for docname in sorted(domain.pages)}
    report(env, (problem for _, (_, scan) in sorted(domain.scans.items()) for problem in scan.problems))
    report(env, made.problems)
    for _, noted in sorted(domain.noted.items()):
        for one in noted:
            warn(one.kind, one.message, one.location)
    report(env, unlisted(domain, app.config.root_doc))
    for docname, page in sorted(domain.pages.items()):
        report(env, dead_links(domain, docname))
        for query in page.queries:
            report(env, lists.problems(made, docname, query))


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


def unlisted(domain: WritingDomain, root: str) -> Iterator[Problem]:
    """The posts that no toctree lists, each with the page that most likely should."""
    site = domain.site
    listed = {target for page in domain.pages.values() for target, _ in parts_of(page)}
    for docname in sorted(site.catalogue.posts.keys() - listed - {root}):
        front = domain.scans[docname][1].front
        if "orphan" not in front.places:
            near = [
                s.docname for s in site.catalogue.series if docname.startswith(folder_of(s.docname) + "/")
            ]
            parent = near[0] if near else root
            entry = docname.removeprefix(folder_of(parent) + "/") if folder_of(parent) else docname
            message = f'no toctree lists this post; add "{entry}" to the toctree in "{parent}"'
            yield Problem(Kind.SERIES, docname, front.place("date"), message)


def folder_of(docname: str) -> str:
    """The folder that *docname* is in."""
    return docname.rpartition("/")[0]


def dead_links(domain: WritingDomain, docname: str) -> Iterator[Problem]:
    """The ``{post}`` links of *docname* that lead nowhere."""
    posts = domain.site.catalogue.posts
    for link in domain.pages[docname].links:
        if link.kind == "post" and target_of(link, posts, {}) is None:
            reason = domain.withheld.get(link.target) or domain.withheld.get(f"{link.target}/index")
            names = (name.removesuffix("/index") for name in posts)
            remedy = f"it is withheld ({reason})" if reason else hint(link.target, names)
            yield Problem(
                Kind.POST, docname, Place(link.line), f'no published post "{link.target}"; {remedy}'
            )


def pages_to_rewrite(app: Sphinx, env: BuildEnvironment) -> Sequence[str]:
    """The pages that would now show something else than what was last written into this output."""
    domain = writing_domain(env)
    domain.record = last = record.load(app.builder)
    digests = current_digests(app, domain)
    stale = {
        docname
        for docname, digest in digests.items()
        if last.digests.get(docname) != digest or last.sizes.get(docname) != size_of(app.builder, docname)
    }
    if last.digests.keys() - digests.keys():
        stale.add(app.config.root_doc)  # so that there is a writing phase, in which indexes forget the page
    return sorted(stale)


def current_digests(app: Sphinx, domain: WritingDomain) -> dict[str, str]:
    """The digest of what each page shows from elsewhere, the templates included."""
    templates = templates_digest(app.config, Path(app.confdir))
    return {docname: f"{view.digest}{templates[:16]}" for docname, view in domain.views.items()}


def size_of(builder: Builder, docname: str) -> int:
    """The size of the written page in bytes; 0 for builders that do not write one file for each document."""
    if not isinstance(builder, StandaloneHTMLBuilder) or builder.name == "singlehtml":
        return 0
    path = builder.get_output_path(docname)
    return path.stat().st_size if path.is_file() else -1


def note_written(app: Sphinx, _doctree: nodes.document, docname: str) -> None:
    """Note that this run writes *docname*."""
    last = writing_domain(app.env).record
    if last is not None:
        last.written.add(docname)
