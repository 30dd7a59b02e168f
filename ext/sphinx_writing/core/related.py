"""Notes that a reader of one may want next: by the tags they share and the links between them."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from sphinx_writing.core.posts import Post
from sphinx_writing.core.tag_index import Tag

BROAD = 50
"""A tag on more posts than this tells nothing about any two of them."""


@dataclass(frozen=True)
class Near:
    """A post near another one, and the tags (by key) that both have."""

    docname: str
    tags: tuple[str, ...]


class Neighbourhood:
    """How near posts are to each other.

    Two posts are as near as the tags that both have are rare, log2(posts / posts with the tag) for each. A
    link or a prerequisite, either way, counts as much as a tag that no third post has.
    """

    def __init__(
        self, posts: Mapping[str, Post], tags: Iterable[Tag], links: Mapping[str, Iterable[str]]
    ) -> None:
        """*links* are the posts that each post is linked from."""
        self._posts = posts
        self._tags = {tag.key: tag for tag in tags if 1 < len(tag.docnames) <= BROAD}
        self._rank = {docname: i for i, docname in enumerate(posts)}
        self._links: dict[str, set[str]] = {docname: set() for docname in posts}
        asked = {docname: post.prerequisites for docname, post in posts.items()}
        for one, others in (*links.items(), *asked.items()):
            for other in others:
                self._links[one].add(other)
                self._links[other].add(one)

    def near(self, docname: str, but: Container[str], limit: int) -> tuple[Near, ...]:
        """The *limit* posts nearest to *docname*, nearest first, without *but*; of equals the newer first."""
        shared: dict[str, list[str]] = {name: [] for name in self._links[docname]}
        for key in self._posts[docname].tags:
            for name in self._tags[key].docnames if key in self._tags else ():
                shared.setdefault(name, []).append(key)
        found = [name for name in shared if name != docname and name not in but]
        nearness = {name: self._nearness(docname, name, shared[name]) for name in found}
        nearest = sorted(found, key=lambda name: (-nearness[name], self._rank[name]))
        return tuple(Near(name, tuple(shared[name])) for name in nearest[:limit])

    def _nearness(self, one: str, other: str, shared: Iterable[str]) -> float:
        total = len(self._posts)
        near = sum(math.log2(total / len(self._tags[key].docnames)) for key in shared)
        return near + (math.log2(total / 2) if other in self._links[one] else 0.0)
