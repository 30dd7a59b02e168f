"""Which pages must be written again, because they would show something else than this output has."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.builders.html import StandaloneHTMLBuilder

from sphinx_writing.sphinx_ext import record
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.render import templates_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment

    from sphinx_writing.sphinx_ext.domain import WritingDomain


def pages_to_rewrite(app: Sphinx, env: BuildEnvironment) -> Sequence[str]:
    """The pages that would now show something else than what was last written into this output."""
    domain = writing_domain(env)
    domain.record = last = record.load(app.builder)
    last.current = digests = current_digests(app, domain)
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
    shared = templates_digest(app.config, Path(app.confdir)) + static_digest(app)
    shared += "" if domain.site.catalogue.posts else " no posts"  # then the theme's own navigation stands
    return {docname: f"{view.digest}{shared}" for docname, view in domain.views.items()}


def static_digest(app: Sphinx) -> str:
    """A digest of the style sheets and scripts of the site, whose checksums every page carries."""
    total = hashlib.sha256()
    for folder in (Path(app.confdir, entry) for entry in app.config.html_static_path):
        found = [folder] if folder.is_file() else sorted(folder.rglob("*"))
        for path in found:
            if path.suffix in (".css", ".js"):
                total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()[:16]


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
