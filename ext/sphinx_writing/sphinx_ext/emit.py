"""The output folder: forgets what belongs to pages that are no longer made, and saves the record."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.builders.html import StandaloneHTMLBuilder

from sphinx_writing.sphinx_ext import record
from sphinx_writing.sphinx_ext.dependents import current_digests, size_of
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.pages import generated

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder


def begin(app: Sphinx, builder: Builder) -> None:
    """Before anything is written: forget what pages show, keep account of every file that may come to be."""
    last = writing_domain(app.env).record
    files = {*(last.files if last else ()), *files_made(app)}
    record.save(builder, record.Record(files=sorted(files)))


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Prune what is no longer made and save what this output now shows; nothing after a failed build."""
    domain = writing_domain(app.env)
    last = domain.record
    if exception is not None or last is None:
        return
    files = sorted(files_made(app))
    prune(Path(app.outdir), set(last.files) - set(files))
    digests = current_digests(app, domain)
    kept = {
        d: digests[d] if d in last.written else last.digests[d]
        for d in digests
        if d in last.written | last.digests.keys()
    }
    sizes = {d: size_of(app.builder, d) if d in last.written else last.sizes[d] for d in kept}
    record.save(app.builder, record.Record(kept, sizes, files))
    last.written.clear()


def files_made(app: Sphinx) -> Iterator[str]:
    """The files in the output folder that exist because a document or a page of ours does."""
    builder = app.builder
    if not isinstance(builder, StandaloneHTMLBuilder) or builder.name == "singlehtml":
        return
    domain = writing_domain(app.env)
    for docname in [*app.env.all_docs, *generated(domain.site.catalogue)]:
        yield builder.get_output_path(docname).relative_to(builder.outdir).as_posix()
    if app.config.html_copy_source:
        suffix = app.config.html_sourcelink_suffix
        for docname in app.env.all_docs:
            source = Path(app.env.doc2path(docname, base=False)).as_posix()
            yield posixpath.join("_sources", source if source.endswith(suffix) else source + suffix)
    for _docnames, image in app.env.images.values():
        yield posixpath.join(builder.imagedir, image)
    for _docnames, download in app.env.dlfiles.values():
        yield posixpath.join("_downloads", download)


def prune(outdir: Path, names: set[str]) -> None:
    """Remove the files *names* from *outdir*, and the folders that are empty then."""
    for name in sorted(names, reverse=True):
        path = outdir / name
        path.unlink(missing_ok=True)
        folder = path.parent
        while folder != outdir and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent


def say_what_is_withheld(app: Sphinx, exception: Exception | None) -> None:
    """One line on the terminal that says how many pages are left out of this build, and why."""
    from sphinx.util import logging

    withheld = list(writing_domain(app.env).withheld.values())
    if exception is None and withheld:
        kinds = (
            f"{withheld.count(kind)} {kind}" for kind in ("draft", "dated", "unreadable") if kind in withheld
        )
        day = app.config.writing_as_of[:10]
        logging.getLogger(__name__).info(
            "writing: %d withheld on %s (%s)", len(withheld), day, ", ".join(kinds)
        )
