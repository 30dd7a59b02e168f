"""Reading: what each document holds, noted after it is read, in whichever process read it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes
from sphinx.util import docname_join, url_re
from sphinx.util.images import get_image_size
from sphinx.util.nodes import get_node_line

from sphinx_writing.core import reading_time
from sphinx_writing.core.glossary import vocabulary
from sphinx_writing.core.inline import Inline, sentence_around, tidy
from sphinx_writing.core.records import Candidates, Definition, Entry, Link, Page, Picture, Toctree
from sphinx_writing.sphinx_ext import labs, pictures
from sphinx_writing.sphinx_ext.calculator_nodes import writing_calculator
from sphinx_writing.sphinx_ext.directives import writing_list
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.garbage import keep_few
from sphinx_writing.sphinx_ext.inline_nodes import from_nodes, runs
from sphinx_writing.sphinx_ext.sources import Folders, content_digest, dependencies
from sphinx_writing.sphinx_ext.twins import DARK_CLASS, WEB_ENDINGS

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

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


def note_page(app: Sphinx, doctree: nodes.document) -> None:
    """Note what was read in the current document."""
    keep_few(app.env)
    docname = app.env.docname
    section = doctree.next_node(nodes.section)
    heading = section.next_node(nodes.title) if section is not None else None
    placeholders = list(doctree.findall(writing_list))
    for index, node in enumerate(placeholders):
        node["docname"], node["index"] = docname, index
    read = list(prose(doctree))
    texts = [reading_time.count(text) for text in read]
    folders = Folders(Path(app.srcdir))
    lab = labs.read_lab(app.env)  # before the files it depends on are listed
    named, not_there = pictures.read(app.env)
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
        patterns=tuple((uri, folders.names_like(uri)) for uri in sorted(patterns(doctree))),
        awaited=(*labs.awaited(app.env, lab), *not_there),
        headings=headings_digest(app.env, docname),
        formulas_in_titles=any(title.next_node(nodes.math) for title in doctree.findall(nodes.title)),
        content=content_digest(app.env, docname),
        files=tuple((name, folders.stamp(name)) for name in dependencies(app.env, docname)),
        lab=lab,
        units=tuple(unit for node in doctree.findall(writing_calculator) for unit in node["units"]),
        vocabulary=vocabulary(read),
        picture=first_picture(app.env, doctree),
        terms=tuple(definitions(doctree)),
        social_picture=named,
        noindex=asks_not_to_be_listed(doctree),
    )


def headings_digest(env: BuildEnvironment, docname: str) -> str:
    """A digest of the table of contents of *docname*, without its numbers."""
    return hashlib.sha256(env.tocs[docname].pformat().encode()).hexdigest() if docname in env.tocs else ""


def asks_not_to_be_listed(doctree: nodes.document) -> bool:
    """Whether the document tells robots, by ``html_meta``, not to list its page."""
    said = (node.get("content", "") for node in doctree.findall(nodes.meta) if node.get("name") == "robots")
    return any({"noindex", "none"} & {*text.lower().replace(",", " ").split()} for text in said)


def patterns(doctree: nodes.document) -> set[str]:
    """The pictures that are named without an ending."""
    return {node["uri"] for node in doctree.findall(nodes.image) if node["uri"].endswith("*")}


def references(doctree: nodes.document) -> set[str]:
    """The names that the document refers to, as ``targets`` may know them."""
    found: set[str] = set()
    for xref in doctree.findall(addnodes.pending_xref):
        target = str(xref.get("reftarget", ""))
        found |= {target, target.lower()}
        if xref.get("reftargetid"):
            found.add(f"{target}#{xref['reftargetid']}")
    return found


def images(doctree: nodes.document) -> set[Candidates]:
    """The pictures that the document shows, each as the files that it may be."""
    return {candidates(node) for node in doctree.findall(nodes.image) if "candidates" in node}


def candidates(image: nodes.image) -> Candidates:
    """The files that *image* may be."""
    found: dict[str, str] = image.get("candidates", {})
    return tuple(sorted((kind, str(path)) for kind, path in found.items()))


BROAD = 4 / 3
"""Width to height of pictures that stay legible where they are small: plots, but few charts of boxes."""


def first_picture(env: BuildEnvironment, doctree: nodes.document) -> Picture | None:
    """The first broad picture in a figure, with the one for dark themes."""
    for figure in doctree.findall(nodes.figure):
        light, *others = figure.findall(nodes.image)
        for path in sorted(map(str, light.get("candidates", {}).values())):
            size = get_image_size(env.srcdir / path) if path.endswith(WEB_ENDINGS) else None
            if size and size[0] >= BROAD * size[1] > 0:
                dark = next((candidates(one) for one in others if DARK_CLASS in one["classes"]), ())
                return Picture(candidates(light), dark, *size)
    return None


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


def definitions(doctree: nodes.document) -> Iterator[Definition]:
    """The entries of the glossaries of the document."""
    for glossary in doctree.findall(addnodes.glossary):
        for item in glossary.findall(nodes.definition_list_item):
            terms = [child for child in item.children if isinstance(child, nodes.term)]
            first = item.next_node(nodes.paragraph)
            names = tuple((term.astext().strip(), term["ids"][0]) for term in terms if term["ids"])
            yield Definition(names, from_nodes(first) if first is not None else ())


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
        options = repr([node.get(name) for name in ("maxdepth", "titlesonly", "numbered", "includehidden")])
        caption, hidden = node.get("caption") or "", bool(node.get("hidden"))
        yield Toctree(tuple(entries), caption, node.line or 0, hidden, options)
