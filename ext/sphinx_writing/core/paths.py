"""Learning paths: posts in the order that answers a question, from one file of the site.

The file is a list in YAML; each entry has a ``key``, a ``question``, a one-line ``summary`` and ``posts``. It
is read like front matter: what does not fit is one :class:`Fault` with its place, and the rest still counts.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from sphinx_writing.core import fields
from sphinx_writing.core.fields import FieldError, found
from sphinx_writing.core.frontmatter import explain
from sphinx_writing.core.inline import Inline, parse, shown
from sphinx_writing.core.posts import Post, find
from sphinx_writing.core.problems import Place, hint

REQUIRED = ("key", "question", "posts")


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong in the file, and where."""

    place: Place
    message: str


@dataclass(frozen=True)
class WrittenPath:
    """A path as its author wrote it, with *posts* as addresses; ``places`` says where each part stands."""

    key: str
    question: Inline
    summary: Inline = ()
    posts: tuple[str, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict)


@dataclass(frozen=True)
class LearningPath:
    """A path as readers have it: the docnames of its visible posts in order, and where each is written."""

    key: str
    question: Inline
    summary: Inline
    posts: tuple[str, ...]
    places: tuple[Place, ...]


Paths = tuple[tuple[WrittenPath, ...], tuple[Fault, ...]]
"""The paths in a file, and what is wrong there."""


def read(text: str) -> Paths:
    """The paths that *text* lists."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        where, why = explain(error, text)
        return (), (Fault(_in_file(where), f"this file is {why}"),)
    except (RecursionError, ValueError, OverflowError):
        return (), (Fault(Place(1), "this file cannot be read as YAML; write it flatter"),)
    if not isinstance(root, SequenceNode):
        what = "nothing" if root is None else found(root)
        message = f'expected a list of paths, found {what}; begin each with "- key: a-name"'
        return (), (Fault(Place(1), message),)
    taken: dict[str, Place] = {}
    written: list[WrittenPath] = []
    faults: list[Fault] = []
    for node in root.value:
        path = _path(node, faults)
        if path is None:
            continue
        at = path.places["key"]
        if path.key in taken:
            first = taken[path.key].line
            message = f'"key": "{path.key}" is the key of the path on line {first} already; choose another'
            faults.append(Fault(at, message))
            continue
        taken[path.key] = at
        written.append(path)
    return tuple(written), tuple(faults)


def _in_file(place: Place) -> Place:
    """*place* in a file that has no line above its YAML, as front matter has."""
    return Place(max(1, place.line - 1), place.column)


def _path(node: Node, faults: list[Fault]) -> WrittenPath | None:
    """The path that *node* describes; None where it lacks what every path has."""
    if not isinstance(node, MappingNode):
        message = f"expected a path with {', '.join(REQUIRED)}, found {found(node)}"
        faults.append(Fault(_in_file(fields.place(node)), message))
        return None
    places: dict[str, Place] = {}
    values = _values(node, places, faults)
    missing = [name for name in REQUIRED if name not in places]
    faults += [Fault(_in_file(fields.place(node)), f'a path needs "{name}"; add it') for name in missing]
    if not values.keys() >= set(REQUIRED):
        return None
    return WrittenPath(**values, places={name: _in_file(at) for name, at in places.items()})


def _values(node: MappingNode, places: dict[str, Place], faults: list[Fault]) -> dict[str, Any]:
    """The values of the fields of *node*, as far as they can be read; *places* gets where each stands."""
    values: dict[str, Any] = {}
    for key, value in node.value:
        name = key.value if isinstance(key, ScalarNode) else ""
        wrong: list[FieldError] = []
        if name not in _READERS:
            wrong.append(FieldError(key, f'unknown field "{shown(name)}"; {hint(name, _READERS)}'))
        elif name in places:
            wrong.append(FieldError(key, f'"{name}" is written twice; remove one'))
        else:
            places[name] = fields.place(value)
            try:
                values[name] = _READERS[name](value, places, wrong)
            except FieldError as error:
                wrong.append(error)
            wrong = [FieldError(error.node, f'"{name}": {error}') for error in wrong]
        faults += [Fault(_in_file(fields.place(error.node)), str(error)) for error in wrong]
    return values


def _posts(node: Node, places: dict[str, Place], errors: list[FieldError]) -> tuple[str, ...]:
    if isinstance(node, SequenceNode) and not node.value:
        raise FieldError(node, "found an empty list; list some posts, or remove the path")
    return fields.texts(node, "posts", places, errors)


_READERS: Mapping[str, Callable[[Node, dict[str, Place], list[FieldError]], Any]] = {
    "key": lambda node, _places, _errors: fields.series_key(node),
    "question": lambda node, _places, _errors: parse(fields.text(node)),
    "summary": lambda node, _places, _errors: parse(fields.text(node)),
    "posts": _posts,
}
"""Every field of a path, and how its value is read."""


def resolve(
    written: Iterable[WrittenPath], posts: Mapping[str, Post], withheld: Container[str]
) -> tuple[tuple[LearningPath, ...], tuple[Fault, ...]]:
    """The paths on *posts*, and what is wrong with them.

    A *withheld* post is left out without a word, as it is of lists, and so is a path that then has none.
    """
    paths: list[LearningPath] = []
    faults: list[Fault] = []
    for path in written:
        steps: dict[str, Place] = {}
        seen: set[str] = set()
        for i, name in enumerate(path.posts):
            at = path.places[f"posts[{i}]"]
            docname = find(name, posts)
            known = docname or find(name, withheld)
            if known is None:
                remedy = hint(name, (d.removesuffix("/index") for d in posts))
                faults.append(Fault(at, f'path "{path.key}": "{shown(name)}" is no post; {remedy}'))
            elif known in seen:
                message = f'path "{path.key}": "{shown(name)}" is on it twice; remove one'
                faults.append(Fault(at, message))
            elif docname is not None:
                steps[docname] = at
            seen |= {known} if known else set()
        if steps:
            faults += _too_early(path.key, steps, posts)
            places = tuple(steps.values())
            paths.append(LearningPath(path.key, path.question, path.summary, tuple(steps), places))
    return tuple(paths), tuple(faults)


def _too_early(key: str, steps: Mapping[str, Place], posts: Mapping[str, Post]) -> Iterator[Fault]:
    """The steps that stand before one that they ask readers to read first, also by way of other posts."""
    order = {docname: i for i, docname in enumerate(steps)}
    for docname, at in steps.items():
        late = [name for name in asked_first(docname, posts) if order.get(name, -1) > order[docname]]
        for name in late:
            one, other = (d.removesuffix("/index") for d in (docname, name))
            message = (
                f'path "{key}": "{one}" asks readers to read "{other}" first, which comes later; swap them'
            )
            yield Fault(at, message)


def asked_first(docname: str, posts: Mapping[str, Post]) -> tuple[str, ...]:
    """All that *docname* asks for: its prerequisites, theirs, and so on, nearest first."""
    found = dict.fromkeys(posts[docname].prerequisites)
    todo = list(found)
    for name in todo:
        more = [one for one in posts[name].prerequisites if one not in found]
        found |= dict.fromkeys(more)
        todo += more
    return tuple(found)
