"""Problems become warnings with file, line and column, of type ``writing.<kind>``.

What is found while a document is read is kept with it, so that it is said in every build until it is mended.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sphinx.util import logging

from sphinx_writing.core.problems import Kind, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.environment import BuildEnvironment

logger = logging.getLogger(__name__)


def report(env: BuildEnvironment, problems: Iterable[Problem]) -> None:
    """One warning for each of *problems*."""
    for problem in problems:
        location = str(env.doc2path(problem.docname))
        for number in (problem.place.line, problem.place.column):
            location += f":{number}" if number else ""
        warn(problem.kind, problem.message, location)


@dataclass(frozen=True)
class Noted:
    """A problem found in reading a document; *location* is file and line, as Sphinx writes them."""

    kind: Kind
    message: str
    location: str


def warn(kind: Kind, message: str, location: str) -> None:
    """One warning of *kind* at *location*."""
    logger.warning("%s", message, type="writing", subtype=kind.subtype, location=location)
