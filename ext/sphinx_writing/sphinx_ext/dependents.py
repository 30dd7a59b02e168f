"""Which pages must be written again, because they would show something else than this output has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_writing.core.digests import Digests
from sphinx_writing.sphinx_ext import kept, search
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.files import of_documents
from sphinx_writing.sphinx_ext.pages import generated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_writing.core.views import Site

SEARCH_INDEX = "searchindex.js"


def pages_to_rewrite(app: Sphinx, env: BuildEnvironment) -> Sequence[str]:
    """The pages that would now show something else than what was last written into this output."""
    domain = writing_domain(env)
    out = domain.output
    if out is None or out.idle:
        return []
    digests = Digests()
    # Without posts the theme's own navigation stands; pages hear of the first post.
    shared = f"{out.frame[:16]}{'' if domain.site.catalogue.posts else ' no posts'}"
    shared += " formulas" if domain.site.titles_have_formulas else ""
    out.digests = {docname: f"{digests.of(view)} {shared}" for docname, view in domain.views.items()}
    out.navigation = navigation(domain.site, digests)
    if SEARCH_INDEX in out.harmed or out.last.navigation not in ("", out.navigation):
        out.owners = set(env.all_docs)
    elif out.harmed:
        out.owners = {docname for name, docname in of_documents(app) if name in out.harmed}
    out.owners |= search.lost_texts(app, out) | kept.lost(app, out)
    stale = {docname for docname, digest in out.digests.items() if out.last.digests.get(docname) != digest}
    stale |= out.owners
    if out.last.digests.keys() - env.all_docs.keys() - generated(domain.site).keys():
        stale.add(app.config.root_doc)  # so that there is a writing phase, in which indexes forget the page
    return sorted(stale)


def navigation(site: Site, digests: Digests) -> str:
    """A digest of all titles, headings and toctrees, which a theme's own navigation may show anywhere."""
    shown = ((*site.beside(d), site.contents.get(d, ""), p.toctrees) for d, p in sorted(site.pages.items()))
    return digests.of(tuple(shown))


def note_written(app: Sphinx, _doctree: nodes.document, docname: str) -> None:
    """Note that this run writes *docname*."""
    out = writing_domain(app.env).output
    if out is not None:
        out.written.add(docname)
