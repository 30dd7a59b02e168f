"""The output folder: forgets what belongs to pages that are no longer made, and saves the record."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util import logging
from sphinx.util.i18n import docname_to_domain

from sphinx_writing.sphinx_ext import record
from sphinx_writing.sphinx_ext.dependents import size_of
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.pages import generated

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder

logger = logging.getLogger(__name__)


def begin(app: Sphinx, builder: Builder) -> None:
    """Before anything is written: remove what is no longer made, and forget what pages show.

    Before and not only after, because an EPUB packs whatever lies in the folder.
    """
    last = writing_domain(app.env).record
    files = set(files_made(app))
    if last is not None:
        prune(Path(app.outdir), set(last.files) - files)
    record.save(builder, record.Record(files=sorted(files)))


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Save what this output now shows, and drop what was kept of pages that are gone."""
    domain = writing_domain(app.env)
    last = domain.record
    if exception is not None or last is None:
        return
    files = sorted(files_made(app))
    for docname in {*last.digests, *domain.withheld} - app.env.all_docs.keys():
        Path(app.doctreedir, f"{docname}.doctree").unlink(missing_ok=True)
    digests = last.current
    kept = {
        d: digests[d] if d in last.written else last.digests[d]
        for d in digests
        if d in last.written | last.digests.keys()
    }
    sizes = {d: size_of(app.builder, d) if d in last.written else last.sizes[d] for d in kept}
    record.save(app.builder, record.Record(kept, sizes, files))
    last.written.clear()


PER_DOCUMENT = {"text", "xml", "pseudoxml"}
"""Builders other than the HTML ones that write a file for each document."""


def files_made(app: Sphinx) -> Iterator[str]:
    """The files in the output folder that exist because a document or a page of ours does."""
    builder, env = app.builder, app.env
    images = [name for _docnames, name in env.images.values()]
    if builder.name in PER_DOCUMENT:
        yield from (f"{docname}{builder.out_suffix}" for docname in env.all_docs)  # type: ignore[attr-defined]
    elif builder.name == "gettext":
        compact = app.config.gettext_compact
        yield from (f"{docname_to_domain(docname, compact)}.pot" for docname in env.all_docs)
    elif builder.name == "latex":
        yield from images
        yield from (entry[1] for entry in app.config.latex_documents if entry[0] in env.all_docs)
    elif builder.name == "texinfo":
        for target in (entry[1] for entry in app.config.texinfo_documents if entry[0] in env.all_docs):
            yield f"{target}.texi"
            yield from (f"{target}-figures/{name}" for name in images)
    elif builder.name == "man":
        yield from (f"{entry[1]}.{entry[4]}" for entry in app.config.man_pages if entry[0] in env.all_docs)
    elif isinstance(builder, StandaloneHTMLBuilder):
        if builder.name != "singlehtml":
            for pagename in [*env.all_docs, *generated(writing_domain(env).site.catalogue)]:
                yield builder.get_output_path(pagename).relative_to(builder.outdir).as_posix()
            if app.config.html_copy_source:
                yield from (source_copy(app, docname) for docname in env.all_docs)
        yield from (posixpath.join(builder.imagedir, name) for name in images)
        yield from (posixpath.join("_downloads", name) for _docnames, name in env.dlfiles.values())


def source_copy(app: Sphinx, docname: str) -> str:
    """The path of the copied source of *docname* in the output folder."""
    suffix = app.config.html_sourcelink_suffix
    source = Path(app.env.doc2path(docname, base=False)).as_posix()
    return posixpath.join("_sources", source if source.endswith(suffix) else source + suffix)


def prune(outdir: Path, names: set[str]) -> None:
    """Remove the files *names* from *outdir*, and the folders that are empty then."""
    for name in sorted(names, reverse=True):
        path = outdir / name
        path.unlink(missing_ok=True)
        folder = path.parent
        while folder != outdir and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent


def hide_dropped_lines(app: Sphinx, exception: Exception | None) -> None:
    """Take out of the copied sources the toctree lines that name withheld pages."""
    if exception is not None or not app.config.html_copy_source:
        return
    for docname, dropped in writing_domain(app.env).dropped.items():
        path = Path(app.outdir) / source_copy(app, docname)
        if path.is_file():
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            kept = list(without_entries(lines, set(dropped.values())))
            if kept != lines:
                path.write_text("".join(kept), encoding="utf-8")


_TOCTREE = re.compile(r"\s*(?:[`:~]{3,}\{toctree\}|\.\. toctree::)")
_END = re.compile(r"\s*[`:~]{3,}\s*$")


def without_entries(lines: Iterable[str], entries: Container[str]) -> Iterator[str]:
    """*lines* without those in toctrees that are *entries*; the same words elsewhere stay."""
    inside = fenced = False
    for line in lines:
        if _TOCTREE.match(line):
            inside, fenced = True, ".. toctree" not in line
        elif _END.match(line) or (not fenced and line[:1].strip()):
            inside = False
        if not (inside and line.strip() in entries):
            yield line


def say_what_is_withheld(app: Sphinx, exception: Exception | None) -> None:
    """One line on the terminal that says which pages are left out of this build, and why."""
    withheld = writing_domain(app.env).withheld
    if exception is None and withheld:
        day = app.config.writing_as_of[:10]
        names = ", ".join(
            f"{d.removesuffix('/index')} ({reason})" for d, reason in list(withheld.items())[:10]
        )
        more = f" and {len(withheld) - 10} more" if len(withheld) > 10 else ""
        logger.info("writing: not in this build as of %s: %s%s", day, names, more)
