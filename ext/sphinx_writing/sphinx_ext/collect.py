"""Reading: which documents this build has, and what each of them holds.

``withhold`` runs before documents are read, ``note_page`` after each one, in whichever process read it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes
from sphinx.util import docname_join, url_re
from sphinx.util.nodes import get_node_line

from sphinx_writing.core import frontmatter, reading_time
from sphinx_writing.core.inline import Inline, sentence_around, tidy
from sphinx_writing.core.posts import hidden
from sphinx_writing.core.problems import Kind, Place, Problem
from sphinx_writing.core.records import Entry, FrontMatter, Link, Page, Toctree
from sphinx_writing.sphinx_ext.directives import writing_list
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.inline_nodes import from_nodes, runs
from sphinx_writing.sphinx_ext.record import write_whole
from sphinx_writing.sphinx_ext.settings import settings_of

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_writing.sphinx_ext.domain import WritingDomain
    from sphinx_writing.sphinx_ext.settings import Settings

_UNREAD = (
    nodes.literal_block,
    nodes.math,
    nodes.math_block,
    nodes.comment,
    nodes.raw,
    nodes.substitution_definition,
)
SENTENCES = 20
"""How many links of one paragraph are quoted with their sentence."""
_LABEL_ROLES = ("ref", "numref", "eq", "myst")


def withhold(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Take unpublished documents out of the build; return those that must be read again.

    These are the documents whose toctrees name what came or went, those that have another text or were read
    with other files although nothing looks newer, and those that a killed build was reading.
    """
    domain = writing_domain(env)
    gone = set(removed)
    before, known = set(domain.withheld), {d: digest for d, (digest, _) in domain.scans.items()}
    domain.data["scans"] = scans = scan_all(domain, env, settings_of(app.config))
    domain.data["withheld"] = withheld = withheld_now(scans, app.config.root_doc, settings_of(app.config))
    for docname in withheld:
        env.found_docs.discard(docname)
        added.discard(docname)
        changed.discard(docname)
        # Nothing that tells of it is kept: the environment may lie in the output folder.
        scans[docname] = ("", frontmatter.Scan(FrontMatter(), scans[docname][1].problems))
        if docname in env.all_docs:
            removed.add(docname)
            gone.add(docname)
    came = before - withheld.keys()
    naming = {parent for parent, names in domain.dropped.items() if names.keys() & came}
    linking = {
        d for d, page in domain.pages.items() if any(k.kind == "doc" and k.target in gone for k in page.links)
    }  # MyST decides while reading whether such a link is one to a document
    other = {d for d, (digest, _) in scans.items() if d in known and known[d] not in ("", digest)}
    other |= {d for d, page in domain.pages.items() if read_otherwise(env, d, page)}
    other |= {
        d for d, page in domain.pages.items() if any(leads_somewhere_now(env, d, k) for k in page.links)
    }
    other |= unfinished(env)
    return sorted(
        (naming | linking | other).union(*(env.files_to_rebuild.get(docname, ()) for docname in gone))
    )


def read_otherwise(env: BuildEnvironment, docname: str, page: Page) -> bool:
    """Whether a file that was read for *docname* holds something else now, or pictures came or went."""
    if any(names != names_like(env, pattern) for pattern, names in page.patterns):
        return True
    touched = any((size, time) != stamp(env, name) for name, size, time in page.files)
    return touched and content_digest(env, docname) != page.content


def leads_somewhere_now(env: BuildEnvironment, docname: str, link: Link) -> bool:
    """Whether *link*, which MyST took for a label, names a file that is there by now."""
    target = link.target.partition("#")[0]
    if link.kind != "label" or "." not in target:
        return False
    try:
        return Path(env.relfn2path(target, docname)[1]).is_file()
    except (OSError, ValueError):
        return False


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


Scans = dict[str, tuple[str, frontmatter.Scan]]


def withheld_now(scans: Scans, root: str, settings: Settings) -> dict[str, str]:
    """The documents that this build leaves out, and why; the pages in the folder of a post go with it."""
    reasons = {docname: reason_to_withhold(scan.front, settings) for docname, (_, scan) in scans.items()}
    reasons[root] = ""  # there is no site without it; a mark on it is reported
    folders = {
        docname.removesuffix("index"): reason
        for docname, reason in reasons.items()
        if docname.endswith("/index")
        and reason in ("draft", "dated")
        and not scans[docname][1].front.series_info
    }
    for docname in scans:
        above = next((reason for folder, reason in folders.items() if docname.startswith(folder)), "")
        reasons[docname] = reasons[docname] or above
    return {docname: reason for docname, reason in sorted(reasons.items()) if reason}


def scan_all(domain: WritingDomain, env: BuildEnvironment, settings: Settings) -> Scans:
    """The front matter of every source; scanned only where the text is not as it was."""
    salt = repr(sorted(settings.extra_fields))
    scans = {}
    for docname in sorted(env.found_docs):
        path = Path(env.doc2path(docname))
        source = path.read_bytes()
        digest = hashlib.sha256(salt.encode() + source).hexdigest()
        known, scan = domain.scans.get(docname, ("", None))
        markdown = env.config.source_suffix.get(path.suffix) in ("markdown", "myst-nb")
        if scan is None or known != digest:
            scan = scan_bytes(source, docname, settings, markdown=markdown)
        scans[docname] = (digest, scan)
    return scans


def scan_bytes(source: bytes, docname: str, settings: Settings, *, markdown: bool) -> frontmatter.Scan:
    """The front matter in *source*, which must be UTF-8."""
    try:
        text = source.decode()
    except UnicodeDecodeError as error:
        if not markdown:  # Sphinx has its own options for the encoding of other sources
            return frontmatter.Scan(FrontMatter())
        line = source.count(b"\n", 0, error.start) + 1
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


def note_page(app: Sphinx, doctree: nodes.document) -> None:
    """Note what was read in the current document."""
    docname = app.env.docname
    section = doctree.next_node(nodes.section)
    heading = section.next_node(nodes.title) if section is not None else None
    placeholders = list(doctree.findall(writing_list))
    for index, node in enumerate(placeholders):
        node["docname"], node["index"] = docname, index
    texts = [reading_time.count(text) for text in prose(doctree)]
    writing_domain(app.env).pages[docname] = Page(
        title=from_nodes(heading) if heading is not None else (),
        first=first_paragraph(doctree),
        words=sum(words for words, _ in texts),
        characters=sum(characters for _, characters in texts),
        links=tuple(links(doctree)),
        toctrees=tuple(toctrees(app.env, docname, doctree)),
        queries=tuple(node["query"] for node in placeholders),
        references=tuple(sorted(references(doctree))),
        images=tuple(sorted(images(doctree))),
        patterns=tuple((uri, names_like(app.env, uri)) for uri in sorted(patterns(doctree))),
        headings=headings_digest(app.env, docname),
        content=content_digest(app.env, docname),
        files=tuple((name, *stamp(app.env, name)) for name in dependencies(app.env, docname)),
    )


def headings_digest(env: BuildEnvironment, docname: str) -> str:
    """A digest of the table of contents of *docname*, without its numbers."""
    return hashlib.sha256(env.tocs[docname].pformat().encode()).hexdigest() if docname in env.tocs else ""


def patterns(doctree: nodes.document) -> set[str]:
    """The pictures that are named without an ending."""
    return {node["uri"] for node in doctree.findall(nodes.image) if node["uri"].endswith("*")}


def names_like(env: BuildEnvironment, pattern: str) -> tuple[str, ...]:
    """The names of the files that *pattern* stands for."""
    path = Path(env.srcdir, pattern)
    return tuple(sorted(found.name for found in path.parent.glob(path.name)))


def dependencies(env: BuildEnvironment, docname: str) -> list[str]:
    """The files that were read for *docname*, relative to the source folder."""
    return sorted(map(str, env.dependencies.get(docname, ())))


def stamp(env: BuildEnvironment, name: str) -> tuple[int, int]:
    """The size of a file and the time of its change; -1 where there is none."""
    try:
        stat = Path(env.srcdir, name).stat()
    except OSError:
        return (-1, -1)
    return (stat.st_size, stat.st_mtime_ns)


def references(doctree: nodes.document) -> set[str]:
    """The names that the document refers to, as ``targets`` may know them."""
    found: set[str] = set()
    for xref in doctree.findall(addnodes.pending_xref):
        target = str(xref.get("reftarget", ""))
        found |= {target, target.lower()}
        if xref.get("reftargetid"):
            found.add(f"{target}#{xref['reftargetid']}")
    return found


def images(doctree: nodes.document) -> set[str]:
    """The source paths of the pictures that the document shows."""
    found: set[str] = set()
    for node in doctree.findall(nodes.image):
        found.update(map(str, node.get("candidates", {}).values()))
    return found


def content_digest(env: BuildEnvironment, docname: str) -> str:
    """A digest of the text and of the files read for it, so that every output learns of a change.

    Another builder may have read the document since this output was written.
    """
    total = hashlib.sha256(writing_domain(env).scans.get(docname, ("",))[0].encode())
    for name in dependencies(env, docname):
        path = Path(env.srcdir, name)
        total.update(name.encode() + (hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b""))
    return total.hexdigest()


def prose(element: Element) -> Iterator[str]:
    """The text that is read word by word: no code blocks, no formulas, no comments."""
    for child in element.children:
        if isinstance(child, nodes.Element) and not isinstance(child, _UNREAD):
            if isinstance(child, nodes.TextElement):
                yield " ".join(span.text for _, span in runs(child) if span.mark != "math")
            else:
                yield from prose(child)


def first_paragraph(doctree: nodes.document) -> Inline:
    """The first paragraph of running text: not in a box, a list or a note, and not without words."""
    for section in (doctree, *doctree.findall(nodes.section)):
        for child in section.children:
            if isinstance(child, nodes.paragraph) and (spans := from_nodes(child)):
                return spans
    return ()


def links(doctree: nodes.document) -> Iterator[Link]:
    """The references to other documents, each with the sentence it stands in."""
    for paragraph in doctree.findall(nodes.TextElement):
        found = list(runs(paragraph))
        spans = tuple(span for _, span in found)
        first = {
            id(node): (node, i)
            for i, (node, _) in reversed(list(enumerate(found)))
            if isinstance(node, addnodes.pending_xref) and node.parent is paragraph
        }
        for count, (xref, i) in enumerate(sorted(first.values(), key=lambda item: item[1])):
            # A paragraph of so many links is a list: each is its own sentence.
            sentence = sentence_around(spans, i) if count < SENTENCES else tidy([spans[i]])
            link = link_of(xref, sentence)
            if link is not None:
                yield link


def link_of(xref: addnodes.pending_xref, sentence: Inline) -> Link | None:
    """The link that *xref* is, if it is one between documents."""
    kind, target = xref.get("reftype", ""), xref["reftarget"]
    line = get_node_line(xref) or 0
    if xref.get("refdomain") == "writing":
        return Link("post", target.strip("/"), sentence, line)
    if xref.get("refdomain") == "doc":
        return Link("doc", target, sentence, line)
    if kind == "doc":
        return Link("doc", docname_join(xref["refdoc"], target), sentence, line)
    return Link("label", target.lower(), sentence, line) if kind in _LABEL_ROLES else None


def toctrees(env: BuildEnvironment, docname: str, doctree: nodes.document) -> Iterator[Toctree]:
    """The toctrees of the document; one that lists itself is a line of the sidebar on the root page only."""
    generated = env.domains.standard_domain.initial_data["labels"]
    for node in doctree.findall(addnodes.toctree):
        entries = []
        for title, target in node["entries"]:
            if url_re.match(target):
                entries.append(Entry(target, title or "", outside=True))
            elif target in generated and target not in env.found_docs:
                entries.append(Entry(target, title or str(generated[target][2]), generated=True))
            elif target == "self" and docname == env.config.root_doc:
                entries.append(Entry(docname, title or ""))
            elif target not in ("self", docname):
                entries.append(Entry(target, title or ""))
        yield Toctree(tuple(entries), node.get("caption") or "", node.line or 0, bool(node.get("hidden")))
