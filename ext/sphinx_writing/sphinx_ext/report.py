"""Problems become warnings with file, line and column, of type ``writing.<kind>``.

What is found while a document is read is kept with it, so that it is said in every build until it is mended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sphinx.util import logging

from sphinx_writing.core.problems import Kind, Problem

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment

logger = logging.getLogger(__name__)

Said = Sequence[str]
"""A warning: the subtype of its kind, its message, file and line as Sphinx writes them."""


def located(env: BuildEnvironment, problem: Problem) -> Said:
    """The warning that says *problem*."""
    location = str(env.doc2path(problem.docname))
    for number in (problem.place.line, problem.place.column):
        location += f":{number}" if number else ""
    return [problem.kind.subtype, problem.message, location]


@dataclass(frozen=True)
class Noted:
    """A problem found in reading a document; *location* is file and line, as Sphinx writes them."""

    kind: Kind
    message: str
    location: str

    @property
    def as_said(self) -> Said:
        """The warning that says it."""
        return [self.kind.subtype, self.message, self.location]


def say(warnings: Iterable[Said]) -> None:
    """One warning on the terminal for each of *warnings*."""
    for subtype, message, location in warnings:
        logger.warning("%s", message, type="writing", subtype=subtype, location=location)
