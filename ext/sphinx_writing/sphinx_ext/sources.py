"""Before reading: which documents this build has, and which of them must be read again.

Sphinx goes by time stamps. Here a document is also read again if it or a file that was read for it holds
something else though it looks no newer, and if a build was killed before what it had read was saved.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_writing.core import frontmatter
from sphinx_writing.core.blocks import block_of, with_plain_lines
from sphinx_writing.core.posts import hidden
from sphinx_writing.core.problems import Kind, Place, Problem
from sphinx_writing.core.records import FrontMatter
from sphinx_writing.sphinx_ext.domain import Source, writing_domain
from sphinx_writing.sphinx_ext.record import write_whole
from sphinx_writing.sphinx_ext.settings import settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Set

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_writing.core.records import Link, Page
    from sphinx_writing.sphinx_ext.domain import Stamp, WritingDomain
    from sphinx_writing.sphinx_ext.settings import Settings

Scans = dict[str, Source]


def hide_unreadable_block(app: Sphinx, docname: str, source: list[str]) -> None:
    """Blank front matter of the root page that cannot be read: it is reported, and MyST would stop at it.

    Any other such page is left out; there is no site without this one.
    """
    if docname == app.config.root_doc and not writing_domain(app.env).scans[docname].scan.front.readable:
        text = with_plain_lines(source[0])
        block = block_of(text)
        if block is not None and block.closed:
            kept = block.rest.count("\n")
            source[0] = "\n" * (text.count("\n") - kept) + block.rest


def withhold(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Take unpublished documents out of the build; return those that must be read again.

    These are the documents whose toctrees name what came or went, those that have another text or were read
    with other files although nothing looks newer, and those that a killed build was reading.
    """
    domain = writing_domain(env)
    gone = set(removed)
    before, known = set(domain.withheld), {d: source.digest for d, source in domain.scans.items()}
    domain.data["scans"] = scans = scan_all(domain, env, settings_of(app.config))
    domain.data["withheld"] = withheld = withheld_now(scans, app.config.root_doc, settings_of(app.config))
    for docname in withheld:
        env.found_docs.discard(docname)
        added.discard(docname)
        changed.discard(docname)
        # Nothing that tells of it is kept: the environment may lie in the output folder.
        scans[docname] = Source(frontmatter.Scan(FrontMatter(), scans[docname].scan.problems))
        if docname in env.all_docs:
            removed.add(docname)
            gone.add(docname)
    came = before - withheld.keys()
    naming = {parent for parent, names in domain.dropped.items() if names.keys() & came}
    other = {d for d, source in scans.items() if known.get(d, "") not in ("", source.digest)}
    again = naming | other | unfinished(env) | read_otherwise(env, domain.pages, gone)
    return sorted(again.union(*(env.files_to_rebuild.get(docname, ()) for docname in gone)))


def read_otherwise(env: BuildEnvironment, pages: Mapping[str, Page], gone: Set[str]) -> set[str]:
    """The documents that would now be read otherwise though their text is the same; *gone* are no more."""
    folders = Folders(Path(env.srcdir))
    return {
        docname
        for docname, page in pages.items()
        if docname in env.found_docs
        and (
            any(names != folders.names_like(pattern) for pattern, names in page.patterns)
            or any(Path(env.srcdir, name).is_file() for name in page.awaited)
            or any(leads_elsewhere_now(env, docname, link, gone) for link in page.links)
            or holds_otherwise(env, folders, docname, page)
        )
    }


def withheld_now(scans: Scans, root: str, settings: Settings) -> dict[str, str]:
    """The documents that this build leaves out, and why; the pages in the folder of a post go with it."""
    reasons = {docname: reason_to_withhold(source.scan.front, settings) for docname, source in scans.items()}
    reasons[root] = ""  # there is no site without it; a mark on it is reported
    folders = {
        docname.removesuffix("index"): reason
        for docname, reason in reasons.items()
        if docname.endswith("/index")
        and reason in ("draft", "dated")
        and not scans[docname].scan.front.series_info
    }
    for docname in scans:
        above = next((reason for folder, reason in folders.items() if docname.startswith(folder)), "")
        reasons[docname] = reasons[docname] or above
    return {docname: reason for docname, reason in sorted(reasons.items()) if reason}


def scan_all(domain: WritingDomain, env: BuildEnvironment, settings: Settings) -> Scans:
    """The front matter of every source; a file is opened only where it looks otherwise than before."""
    fields = repr(sorted(settings.extra_fields))
    scans = {}
    for docname in sorted(env.found_docs):
        path = Path(env.doc2path(docname))
        known, now = domain.scans.get(docname), stamp(path)
        if known is None or (known.stamp, known.fields) != (now, fields):
            text = path.read_bytes()
            digest = hashlib.sha256(fields.encode() + text).hexdigest()
            if known is None or known.digest != digest:
                markdown = env.config.source_suffix.get(path.suffix) in ("markdown", "myst-nb")
                known = Source(scan_bytes(text, docname, settings, markdown=markdown), digest)
            known = replace(known, stamp=now, fields=fields)
        scans[docname] = known
    return scans


def scan_bytes(source: bytes, docname: str, settings: Settings, *, markdown: bool) -> frontmatter.Scan:
    """The front matter in *source*, which must be UTF-8."""
    try:
        text = source.decode()
    except UnicodeDecodeError as error:
        if not markdown:  # Sphinx has its own options for the encoding of other sources
            return frontmatter.Scan(FrontMatter())
        line = with_plain_lines(source[: error.start].decode()).count("\n") + 1
        message = f"this file is not UTF-8 (byte {source[error.start]:#04x}); save it as UTF-8"
        problem = Problem(Kind.FRONT_MATTER, docname, Place(line), message + frontmatter.LEFT_OUT)
        return frontmatter.Scan(FrontMatter(readable=False), (problem,))
    if not markdown:
        return frontmatter.scan_field_list(text, docname)
    return frontmatter.scan(text, docname, settings.extra_fields)


def reason_to_withhold(front: FrontMatter, settings: Settings) -> str:
    """Why this build leaves a page out: ``unreadable``, or in a release ``draft`` or ``dated``."""
    if not front.readable:
        return "unreadable"
    return "" if settings.preview else hidden(front, settings.as_of)


def holds_otherwise(env: BuildEnvironment, folders: Folders, docname: str, page: Page) -> bool:
    """Whether a file that was read for *docname* holds something else now."""
    touched = any(folders.stamp(name) != time for name, time in page.files)
    return touched and content_digest(env, docname) != page.content


def content_digest(env: BuildEnvironment, docname: str) -> str:
    """A digest of the text and of the files read for it, so that every output learns of a change.

    Another builder may have read the document since this output was written.
    """
    total = hashlib.sha256(writing_domain(env).scans[docname].digest.encode())
    for name in dependencies(env, docname):
        path = Path(env.srcdir, name)
        total.update(name.encode() + (hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b""))
    return total.hexdigest()


def dependencies(env: BuildEnvironment, docname: str) -> list[str]:
    """The files that were read for *docname*, relative to the source folder."""
    return sorted(map(str, env.dependencies.get(docname, ())))


def leads_elsewhere_now(env: BuildEnvironment, docname: str, link: Link, gone: Set[str]) -> bool:
    """Whether MyST would now take *link* for something else: it looks for files while it reads."""
    target = link.target.partition("#")[0]
    if link.kind == "doc":
        return target in gone
    if link.kind != "label" or "." not in target:
        return False
    try:
        return Path(env.relfn2path(target, docname)[1]).is_file()
    except (OSError, ValueError):
        return False


class Folders:
    """The source folder, with every file and folder in it looked at once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._stamps: dict[str, Stamp] = {}
        self._names: dict[Path, dict[str, list[str]]] = {}

    def stamp(self, name: str) -> Stamp:
        """The stamp of the file *name*."""
        if name not in self._stamps:
            self._stamps[name] = stamp(self._root / name)
        return self._stamps[name]

    def names_like(self, pattern: str) -> tuple[str, ...]:
        """The names of the files that *pattern* (``plots/a.*``) stands for."""
        path = self._root / pattern
        if path.parent not in self._names:
            self._names[path.parent] = by_stem(path.parent)
        return tuple(self._names[path.parent].get(path.name.removesuffix("*").removesuffix("."), ()))


def by_stem(folder: Path) -> dict[str, list[str]]:
    """The names in *folder* by what stands before their ending."""
    found: dict[str, list[str]] = {}
    for name in sorted(path.name for path in folder.iterdir()) if folder.is_dir() else ():
        found.setdefault(name.rpartition(".")[0], []).append(name)
    return found


def stamp(path: Path) -> Stamp:
    """What tells whether the file at *path* has been written since."""
    try:
        stat = path.stat()
    except OSError:
        return (-1, -1, -1)
    return (stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)


def reading(env: BuildEnvironment) -> Path:
    """The file that names the documents a build is reading, as long as what it read is not saved."""
    return Path(env.doctreedir, "writing", "reading.json")


def begin_reading(_app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Note what is going to be read, and what a killed build was reading."""
    if docnames:
        write_whole(reading(env), json.dumps(sorted({*docnames, *unfinished(env)})))


def end_reading(_app: Sphinx, env: BuildEnvironment) -> None:
    """The environment is saved: nothing is unfinished."""
    reading(env).unlink(missing_ok=True)


def unfinished(env: BuildEnvironment) -> set[str]:
    """The documents that a killed build was reading; their doctrees may be of another text than we know."""
    try:
        return set(json.loads(reading(env).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return set()
