"""What references lead to, across all domains, in the form in which a page would show it.

Sphinx writes a page again when its own text or numbers change, not when those of a target do. From what
stands here the digest of a page learns of it.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sphinx_writing.sphinx_ext.numbering import alone

if TYPE_CHECKING:
    from collections.abc import Container

    from sphinx.environment import BuildEnvironment


def targets(env: BuildEnvironment, posts: Container[str]) -> dict[str, str]:
    """What each name that can be referred to leads to: a document, a place in it, a text, a number.

    The figures of *posts* have the numbers that they will be written with.
    """
    figures = {d: alone(found) if d in posts else found for d, found in env.toc_fignumbers.items()}
    found: dict[str, str] = {}
    for domain in env.domains.sorted():
        for name, shown, kind, docname, anchor, _priority in sorted(domain.get_objects(), key=repr):
            found[name] = f"{found.get(name, '')}|{domain.name}:{kind} {docname}#{anchor} {shown}"
    standard = env.domains.standard_domain
    for label, (docname, anchor) in sorted(standard.anonlabels.items()):
        text = standard.labels.get(label, ("", "", ""))[2]
        numbers = [kinds[anchor] for kinds in figures.get(docname, {}).values() if anchor in kinds]
        section = env.toc_secnumbers.get(docname, {}).get(f"#{anchor}", "")
        found[label] = f"{found.get(label, '')}|{docname}#{anchor} {text} {numbers} {section}"
    for label, (docname, number) in sorted(env.domains.math_domain.equations.items()):
        found[label] = f"{found.get(label, '')}|{docname} ({number})"
    for docname, metadata in sorted(env.metadata.items()):
        for slug, place in sorted(metadata.get("myst_slugs", {}).items()):
            found[f"{docname}#{slug}"] = repr(place)
    return found | {str(path): name for path, (_docnames, name) in env.images.items()}


def headings(env: BuildEnvironment) -> dict[str, str]:
    """A digest of the headings of each document."""
    return {d: hashlib.sha256(toc.pformat().encode()).hexdigest() for d, toc in sorted(env.tocs.items())}


def name_pictures(env: BuildEnvironment) -> None:
    """Name the copied pictures by their sorted paths, not by the order in which documents were read."""
    named = type(env.images)()
    for path in sorted(env.images):
        for docname in sorted(env.images[path][0]):
            named.add_file(docname, path)
    env.images = named
