"""What leads nowhere: posts that no toctree lists, links to no post, copies of what is withheld."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_writing.core.graph import target_of
from sphinx_writing.core.posts import find
from sphinx_writing.core.problems import Kind, Place, Problem, hint
from sphinx_writing.core.series import parts_of

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment

    from sphinx_writing.sphinx_ext.domain import WritingDomain


def unlisted(domain: WritingDomain, root: str) -> Iterator[Problem]:
    """The posts that no toctree lists, each with the page that most likely should."""
    site = domain.site
    listed = {target for page in domain.pages.values() for target, _ in parts_of(page)}
    for docname in sorted(site.catalogue.posts.keys() - listed - {root}):
        front = domain.scans[docname].scan.front
        if "orphan" not in front.places:
            near = [
                s.docname for s in site.catalogue.series if docname.startswith(folder_of(s.docname) + "/")
            ]
            parent = near[0] if near else root
            entry = docname.removeprefix(folder_of(parent) + "/") if folder_of(parent) else docname
            message = f'no toctree lists this post; add "{entry}" to the toctree in "{parent}"'
            yield Problem(Kind.SERIES, docname, front.place("date"), message)


def root_marks(domain: WritingDomain, root: str) -> Iterator[Problem]:
    """The marks on the root page that would hide it: it is always published."""
    if root in domain.scans and domain.scans[root].scan.front.draft:
        at = domain.scans[root].scan.front.place("draft")
        message = 'the root page is always published, so "draft" means nothing here; remove it'
        yield Problem(Kind.VALUE, root, at, message)


def folder_of(docname: str) -> str:
    """The folder that *docname* is in."""
    return docname.rpartition("/")[0]


def dead_links(domain: WritingDomain, docname: str) -> Iterator[Problem]:
    """The ``{post}`` links of *docname* that lead nowhere."""
    posts = domain.site.catalogue.posts
    for link in domain.pages[docname].links:
        if link.kind == "post" and target_of(link, posts, {}) is None:
            withheld = find(link.target, domain.withheld)
            names = (name.removesuffix("/index") for name in posts)
            remedy = f"it is withheld ({domain.withheld[withheld]})" if withheld else hint(link.target, names)
            yield Problem(
                Kind.POST, docname, Place(link.line), f'no published post "{link.target}"; {remedy}'
            )


def copies_of_withheld(env: BuildEnvironment, domain: WritingDomain) -> Iterator[Problem]:
    """The documents that include a withheld one or offer it for download."""
    files = {Path(env.doc2path(docname)): docname for docname in domain.withheld}
    for docname in sorted(domain.pages):
        used = {Path(env.srcdir, path) for path in env.dependencies.get(docname, ())}
        used |= {Path(env.srcdir, path) for path, (docnames, _) in env.dlfiles.items() if docname in docnames}
        for path in sorted(used & files.keys()):
            if files[path] not in domain.dropped.get(docname, {}):
                message = f'this page shows the text of "{files[path]}", which is withheld; take it out'
                yield Problem(Kind.POST, docname, Place(1), message)
