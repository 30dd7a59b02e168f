"""Figures, tables and listings of a post count from 1; Sphinx counts on through all documents.

Done as the first page is about to be written: what Sphinx compares from build to build is then saved
already, and stays its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_writing.sphinx_ext.domain import writing_domain

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment

Numbers = dict[str, dict[str, tuple[int, ...]]]
"""The numbers of one document: by kind, then by id. More than one place means that sections are numbered."""


def number_posts_alone(env: BuildEnvironment) -> None:
    """Number the figures of each post by themselves, once in a build."""
    domain = writing_domain(env)
    if not domain.numbered and env.toc_fignumbers:
        posts = domain.site.catalogue.posts
        numbers = env.toc_fignumbers
        env.toc_fignumbers = {d: alone(found) if d in posts else found for d, found in numbers.items()}
    domain.numbered = True


def alone(numbers: Numbers) -> Numbers:
    """*numbers* from 1 on in each kind, unless they carry the number of a section."""
    return {
        kind: {name: (i,) if len(at) == 1 else at for i, (name, at) in enumerate(by_place(found), start=1)}
        for kind, found in numbers.items()
    }


def by_place(found: dict[str, tuple[int, ...]]) -> list[tuple[str, tuple[int, ...]]]:
    """The ids of one kind in the order of their numbers."""
    return sorted(found.items(), key=lambda item: item[1])
