"""The index of tags: one entry for each tag, however its posts spell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sphinx_writing.core import tags
from sphinx_writing.core.problems import Kind, Place, Problem
from sphinx_writing.core.records import FrontMatter


@dataclass(frozen=True)
class Tag:
    """One tag: what tells it apart, its name as shown, the last part of its address, its posts."""

    key: str
    name: str
    slug: str
    docnames: tuple[str, ...]


def neighbours(tags: Sequence[Tag], limit: int) -> dict[str, tuple[Tag, ...]]:
    """For each tag, by key, the *limit* tags that share most posts with it; of equals the first by name."""
    keys: dict[str, list[str]] = {}
    for tag in tags:
        for docname in tag.docnames:
            keys.setdefault(docname, []).append(tag.key)
    by_key = {tag.key: tag for tag in tags}
    found: dict[str, tuple[Tag, ...]] = {}
    for tag in tags:
        shared = Counter(key for docname in tag.docnames for key in keys[docname] if key != tag.key)
        most = sorted(shared, key=lambda key: (-shared[key], by_key[key].name.casefold(), key))
        found[tag.key] = tuple(by_key[key] for key in most[:limit])
    return found


Use = tuple[str, str, Place]
"""A post that uses a tag, the spelling it uses, and where it stands."""


def tags_of(fronts: Mapping[str, FrontMatter]) -> tuple[tuple[Tag, ...], list[Problem]]:
    """The tags of these posts by name, and the spellings and addresses that fall together.

    A tag is shown as most of its posts spell it; where two spellings are equally common, as the oldest
    post does, so that the message names the newer one. Of two tags with one address the later by key gets
    a number behind its own.
    """
    uses: dict[str, list[Use]] = {}
    for docname, front in sorted(fronts.items(), key=_oldest_first):
        for i, spelling in enumerate(front.tags):
            uses.setdefault(tags.key(spelling), []).append((docname, spelling, front.place(f"tags[{i}]")))
    found: list[Tag] = []
    problems: list[Problem] = []
    taken: dict[str, str] = {}
    for key, used in sorted(uses.items()):
        name = shown_name(used)
        problems += _spellings(name, used)
        slug = tags.slug(key)
        free = tags.free(slug, taken)
        taken[free] = name
        if free != slug:
            docname, _, place = used[0]
            message = (
                f'the tags "{taken[slug]}" and "{name}" have one address; '
                f'"{name}" gets "{free}" instead, so rename one of them'
            )
            problems.append(Problem(Kind.TAG, docname, place, message))
        found.append(Tag(key, name, free, tuple(sorted({d for d, _, _ in used}))))
    return tuple(sorted(found, key=lambda t: (t.name.casefold(), t.name))), problems


def _oldest_first(item: tuple[str, FrontMatter]) -> tuple[float, str]:
    docname, front = item
    return (front.date.instant.timestamp() if front.date else float("inf"), docname)


def shown_name(used: list[Use]) -> str:
    """The most common spelling; the earliest of equally common ones."""
    count = Counter(spelling for _, spelling, _ in used)
    return max(count, key=lambda spelling: count[spelling])  # max keeps the first of equals


def _spellings(name: str, used: list[Use]) -> list[Problem]:
    others = [use for use in used if use[1] != name]
    if not others:
        return []
    docname, _, place = others[0]
    where = ", ".join(f'"{spelling}" in {d}' for d, spelling, _ in used)
    message = f'one tag is spelled in several ways ({where}); it is shown as "{name}", so write that'
    return [Problem(Kind.TAG, docname, place, message)]
