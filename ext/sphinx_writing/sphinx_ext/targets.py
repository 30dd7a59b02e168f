"""What references lead to, across all domains, in the form in which a page would show it.

Sphinx writes a page again when its own text or numbers change, not when those of a target do. From what
stands here the digest of a page learns of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_writing.sphinx_ext.numbering import alone

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Set

    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment

    from sphinx_writing.core.records import Page
    from sphinx_writing.sphinx_ext.numbering import Numbers


def targets(env: BuildEnvironment, posts: Container[str], wanted: Set[str]) -> dict[str, str]:
    """What each of the *wanted* names leads to: a document, a place in it, a text, a number.

    The figures of *posts* have the numbers that they will be written with.
    """
    figures = figure_numbers(env, posts)
    found: dict[str, str] = {}
    for domain in env.domains.sorted():
        objects = sorted((o for o in domain.get_objects() if o[0] in wanted), key=repr)
        for name, shown, kind, docname, anchor, _priority in objects:
            found[name] = f"{found.get(name, '')}|{domain.name}:{kind} {docname}#{anchor} {shown}"
    standard = env.domains.standard_domain
    for label in sorted(standard.anonlabels.keys() & wanted):
        docname, anchor = standard.anonlabels[label]
        text = standard.labels.get(label, ("", "", ""))[2]
        numbers = [kinds[anchor] for kinds in figures.get(docname, {}).values() if anchor in kinds]
        section = env.toc_secnumbers.get(docname, {}).get(f"#{anchor}", "")
        found[label] = f"{found.get(label, '')}|{docname}#{anchor} {text} {numbers} {section}"
    equations = env.domains.math_domain.equations
    for label in sorted(equations.keys() & wanted):
        docname, number = equations[label]
        found[label] = f"{found.get(label, '')}|{docname} ({number})"
    for docname, metadata in sorted(env.metadata.items()):
        for slug, place in sorted(metadata.get("myst_slugs", {}).items()):
            found[f"{docname}#{slug}"] = repr(place)
    return found | {str(path): name for path, (_docnames, name) in env.images.items()}


def figure_numbers(env: BuildEnvironment, posts: Container[str]) -> dict[str, Numbers]:
    """The numbers of figures, by document, as they will be written."""
    return {d: alone(found) if d in posts else found for d, found in env.toc_fignumbers.items()}


def numbers(env: BuildEnvironment, posts: Container[str]) -> dict[str, tuple[str, str]]:
    """The number of the title, and those of sections and figures, of each document that has some."""
    figures = figure_numbers(env, posts)
    titles = {d: title.get("secnumber", ()) for d, title in env.titles.items()}
    found = {d: (titles[d], (env.toc_secnumbers.get(d), figures.get(d))) for d in titles}
    return {d: (repr(title), repr(rest)) for d, (title, rest) in found.items() if title or any(rest)}


def headings(env: BuildEnvironment, pages: Mapping[str, Page]) -> dict[str, str]:
    """What a visible toctree shows of each document: its headings and their numbers."""
    return {d: f"{page.headings} {env.toc_secnumbers.get(d, '')}" for d, page in pages.items()}


def name_pictures(env: BuildEnvironment) -> None:
    """Name the copied pictures by their sorted paths, not by the order in which documents were read."""
    named = type(env.images)()
    for path in sorted(env.images):
        for docname in sorted(env.images[path][0]):
            named.add_file(docname, path)
    env.images = named


def chosen(builder: Builder, candidates: Mapping[str, str]) -> str:
    """The one of *candidates*, by media type, that *builder* takes."""
    return next(
        (candidates[kind] for kind in ("*", *builder.supported_image_types) if kind in candidates), ""
    )
