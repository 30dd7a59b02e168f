"""The files of an output that are there because a document, a page of ours or a source file is.

What else a build writes, such as the search index, is written anew by every build that writes anything.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util.i18n import docname_to_domain

from sphinx_writing.core.search import DATA
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.frame import copied
from sphinx_writing.sphinx_ext.pages import generated, of_sphinx, page_file
from sphinx_writing.sphinx_ext.site_files import site_files
from sphinx_writing.sphinx_ext.targets import chosen
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PER_DOCUMENT = {"text", "xml", "pseudoxml"}
"""Builders other than the HTML ones that write a file for each document."""


def expected(app: Sphinx) -> Iterator[str]:
    """Every such file, relative to the output folder."""
    yield from (name for name, _docname in of_documents(app))
    builder, config = app.builder, app.config
    if builder.name == "latex":
        yield from (name for name, _docname in pictures(app))
        yield from (entry[1] for entry in config.latex_documents if entry[0] in app.env.all_docs)
    elif builder.name == "texinfo":
        for target in (entry[1] for entry in config.texinfo_documents if entry[0] in app.env.all_docs):
            yield f"{target}.texi"
            yield from (f"{target}-figures/{name}" for name, _docname in pictures(app))
    elif builder.name == "man":
        yield from (f"{entry[1]}.{entry[4]}" for entry in config.man_pages if entry[0] in app.env.all_docs)
    elif isinstance(builder, StandaloneHTMLBuilder):
        if builder.name != "singlehtml":
            for pagename in generated(writing_domain(app.env).site):
                yield page_file(app, pagename)
        for index_name, *_ in getattr(builder, "domain_indices", ()):
            yield page_file(app, index_name)
        yield from (posixpath.join("_downloads", name) for _docnames, name in app.env.dlfiles.values())
        if config.writing_search and makes_pages(builder):
            yield DATA
        yield from (page_file(app, name) for name in of_sphinx(app))
        yield from copied(app)
        yield from (file.name for file in site_files(app))


def of_documents(app: Sphinx) -> Iterator[tuple[str, str]]:
    """The files that are written with a document, each with its docname; a picture with all that show it."""
    builder, env = app.builder, app.env
    if builder.name in PER_DOCUMENT:
        ending = builder.out_suffix  # type: ignore[attr-defined]  # these builders have it, their base class not
        yield from ((f"{docname}{ending}", docname) for docname in env.all_docs)
    elif builder.name == "gettext":
        compact = app.config.gettext_compact
        yield from ((f"{docname_to_domain(docname, compact)}.pot", docname) for docname in env.all_docs)
    elif isinstance(builder, StandaloneHTMLBuilder):
        for docname in env.all_docs if builder.name != "singlehtml" else ():
            yield page_file(app, docname), docname
            if app.config.html_copy_source:
                yield source_copy(app, docname), docname
        yield from ((posixpath.join(builder.imagedir, name), docname) for name, docname in pictures(app))


def pictures(app: Sphinx) -> Iterator[tuple[str, str]]:
    """The name of every picture in this output, each with a document that shows it."""
    for docname, page in writing_domain(app.env).pages.items():
        for candidates in page.images:
            path = chosen(app.builder, dict(candidates))
            if path in app.env.images:
                yield app.env.images[path][1], docname


def source_copy(app: Sphinx, docname: str) -> str:
    """The path of the copied source of *docname* in the output folder."""
    suffix = app.config.html_sourcelink_suffix
    source = Path(app.env.doc2path(docname, base=False)).as_posix()
    return posixpath.join("_sources", source if source.endswith(suffix) else source + suffix)
