"""How documents lead to each other: reading order, backlinks, circles of prerequisites."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from sphinx_writing.core.inline import Inline, resolve
from sphinx_writing.core.posts import find
from sphinx_writing.core.problems import Kind, Problem
from sphinx_writing.core.records import FrontMatter, Link, Page
from sphinx_writing.core.series import parts_of


@dataclass(frozen=True)
class Backlink:
    """A post that links here, and the sentence in which it does."""

    docname: str
    sentence: Inline


def reading_order(pages: Mapping[str, Page], root: str) -> tuple[str, ...]:
    """All documents: those the toctrees reach from *root*, in order, then the others by name."""
    order: dict[str, None] = {}
    stack = [root] if root in pages else []
    while stack:
        docname = stack.pop()
        if docname not in order:
            order[docname] = None
            stack += [d for d, _ in reversed(parts_of(pages[docname])) if d in pages]
    return tuple(order | dict.fromkeys(sorted(pages)))


def target_of(link: Link, pages: Container[str], labels: Mapping[str, str]) -> str | None:
    """The document that *link* leads to, if it is a visible one."""
    if link.kind == "label":
        return labels.get(link.target)
    if link.kind == "post":
        return find(link.target, pages)
    return link.target if link.target in pages else None


def backlinks(
    pages: Mapping[str, Page],
    posts: Container[str],
    order: Sequence[str],
    labels: Mapping[str, str],
    titles: Mapping[str, Inline],
) -> dict[str, tuple[Backlink, ...]]:
    """For each post the posts that link to it, in reading order, each once with its first sentence."""
    found: dict[str, dict[str, Backlink]] = {}
    for source in order:
        for link in pages[source].links if source in posts else ():
            target = target_of(link, pages, labels)
            if target is not None and target != source and target in posts:
                sentence = resolve(link.sentence, titles)
                found.setdefault(target, {}).setdefault(source, Backlink(source, sentence))
    return {target: tuple(by_source.values()) for target, by_source in found.items()}


def cycles(edges: Mapping[str, Sequence[str]], fronts: Mapping[str, FrontMatter]) -> Iterator[Problem]:
    """One problem for each circle of prerequisites, on the page of the circle that comes first by name."""
    remaining = {docname: list(edges[docname]) for docname in sorted(edges)}
    while circle := _circle(remaining):
        i = circle.index(min(circle))
        ring = [*circle[i:], *circle[: i + 1]]
        names = " -> ".join(d.removesuffix("/index") for d in ring)
        place = fronts[ring[0]].place("prerequisites")
        message = f"prerequisites form a circle ({names}); remove one of them"
        yield Problem(Kind.PREREQUISITE, ring[0], place, message)
        remaining[ring[0]].remove(ring[1])


def _circle(edges: Mapping[str, Sequence[str]]) -> list[str]:
    """Some circle in *edges*, each document once and followed by one it leads to; empty if there is none."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(reversed(error.args[1][1:]))
    return []
