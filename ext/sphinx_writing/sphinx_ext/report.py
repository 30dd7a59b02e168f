"""Problems become warnings with file, line and column, of type ``writing.<kind>``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx.util import logging

from sphinx_writing.core.problems import Kind, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docutils.nodes import Node
    from sphinx.environment import BuildEnvironment

logger = logging.getLogger(__name__)


def report(env: BuildEnvironment, problems: Iterable[Problem]) -> None:
    """One warning for each of *problems*."""
    for problem in problems:
        location = str(env.doc2path(problem.docname))
        for number in (problem.place.line, problem.place.column):
            location += f":{number}" if number else ""
        warn(problem.kind, problem.message, location)


def warn(kind: Kind, message: str, location: str | Node | tuple[str, int]) -> None:
    """One warning of *kind* at *location*."""
    logger.warning("%s", message, type="writing", subtype=kind.subtype, location=location)
