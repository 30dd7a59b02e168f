"""The output folder: forgets what belongs to pages that are no longer made, and saves the record."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.util import logging

from sphinx_writing.sphinx_ext import kept, record, site_files
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.files import expected, source_copy
from sphinx_writing.sphinx_ext.pages import page_file
from sphinx_writing.sphinx_ext.record import names_below
from sphinx_writing.sphinx_ext.search_index import keep_index, leave_index
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder

    from sphinx_writing.sphinx_ext.output import Output

logger = logging.getLogger(__name__)


BUILD_INFO_LINES = 4


def forget_broken_build_info(app: Sphinx) -> None:
    """Remove a ``.buildinfo`` that a killed build has left half written: Sphinx cannot read it and stops."""
    path = Path(app.outdir, ".buildinfo")
    if path.is_file() and len(path.read_bytes().splitlines()) < BUILD_INFO_LINES:
        path.unlink()


def begin(app: Sphinx, builder: Builder) -> None:
    """Before anything is written: remove what is no longer made, and note what lies in the folder.

    Before and not only after, because an EPUB packs whatever lies there.
    """
    out = writing_domain(app.env).output
    if out is None:
        return
    if out.idle:
        out.spared = keep_index(builder, out.written)
        return
    files, last = set(expected(app)), out.last
    gone = no_longer_made(app, out, files)
    prune(out.folder, gone)
    out.before -= gone
    last.files = {name: known for name, known in last.files.items() if name not in gone}
    last.expected = sorted(files.union(last.expected) - gone)
    last.before = sorted(out.before)
    record.save(builder, last)


def no_longer_made(app: Sphinx, out: Output, files: set[str]) -> set[str]:
    """The files that earlier builds made and this one does not; *files* are those expected in it.

    In another frame, such as another theme, what was made for the whole site goes too, unless something has
    written it since; this build makes it anew. A build killed in another frame may have left static files.
    """
    last = out.last
    gone = set(last.expected) | set(of_withheld(app))
    if last.frame and last.frame != out.frame:
        gone |= {name for name, known in last.files.items() if record.is_untouched(out.folder / name, known)}
    if last.before is not None:
        names = names_below(out.folder, Path(app.doctreedir))
        gone |= {name for name in names - out.before if name.startswith("_static/")}
    return gone - files


def of_withheld(app: Sphinx) -> Iterator[str]:
    """The files that pages would have which this build leaves out: they go also if no record knows them."""
    if makes_pages(app.builder):
        for docname in writing_domain(app.env).withheld:
            yield page_file(app, docname)
            yield source_copy(app, docname)


def leave_search_index(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Where nothing is written, leave the search index as it is."""
    out = writing_domain(app.env).output
    if out is not None and out.spared:
        leave_index(app.builder)
    yield from ()


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Save what this output now shows and holds, and drop what was kept of pages that are gone."""
    domain = writing_domain(app.env)
    out, domain.output = domain.output, None
    for name, value in (out.spared if out else {}).items():
        setattr(app.builder, name, value)  # for later builds in the same process
    if exception is not None or out is None or (out.idle and not out.written):
        return
    for docname in {*out.last.digests, *domain.withheld} - app.env.all_docs.keys():
        Path(app.doctreedir, f"{docname}.doctree").unlink(missing_ok=True)
    files = set(expected(app))
    prune(out.folder, {*(set(out.last.expected) - files), ".buildinfo.bak"})
    kept.settle(app, out)
    site_files.write(app, out)
    record.save(app.builder, new_record(app, out, files))


def new_record(app: Sphinx, out: Output, files: set[str]) -> record.Record:
    """The record of the output folder as it is now; *files* are those expected in it."""
    names = names_below(out.folder, Path(app.doctreedir))
    made = names & {*(names - out.before), *out.last.files, *files}
    prints = {name: record.print_of(out.folder / name, out.last.files.get(name)) for name in sorted(made)}
    digests = out.last.digests if out.idle else out.kept_digests
    return record.Record(
        digests=digests,
        key=out.key if out.idle or out.is_whole else "",
        frame=out.frame,
        navigation=out.shown_navigation,
        files={name: known for name, known in prints.items() if known is not None},
        expected=sorted(files),
        problems=out.last.problems if out.idle else out.problems,
        texts=out.last.texts if out.idle else out.texts,
        index=out.last.index if out.idle else out.index,
        site_files=out.last.site_files if out.idle else out.site_files,
        kept=out.kept,
    )


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
    out = writing_domain(app.env).output
    if exception is not None or out is None or not app.config.html_copy_source:
        return
    if out.idle and not out.written:
        return
    for docname, dropped in writing_domain(app.env).dropped.items():
        path = Path(app.outdir) / source_copy(app, docname)
        if path.is_file():
            lines = path.read_bytes().decode(errors="surrogateescape").splitlines(keepends=True)
            kept = list(without_entries(lines, set(dropped.values())))
            if kept != lines:
                path.write_bytes("".join(kept).encode(errors="surrogateescape"))


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
