"""The ``{writing}`` directive and role: they leave a placeholder that is filled once every post is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective, SphinxRole

from sphinx_writing.core import lists
from sphinx_writing.core.records import Query

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from docutils.nodes import Node, system_message


class writing_list(nodes.General, nodes.Element):  # noqa: N801  # docutils names its nodes in small letters
    """The place of a list; ``query`` says what it lists. Once read, ``index`` is its place in ``docname``."""


class writing_count(nodes.Inline, writing_list):  # noqa: N801  # docutils names its nodes in small letters
    """The place of a number within a sentence."""


def content_place(directive: SphinxDirective) -> tuple[str, int]:
    """The file that the content of *directive* stands in, and the number of the line before it."""
    file, line = directive.get_source_info()
    if not directive.content:
        return file, line
    if directive.state.__class__.__module__.startswith("myst_parser"):  # counts from the directive
        return file, line + directive.content_offset
    return directive.content.source(0) or file, directive.content.offset(0) or 0


def choice(*values: str) -> Callable[[str], str]:
    """An option that takes one of *values*."""
    return lambda argument: directives.choice(argument, values)


class WritingList(SphinxDirective):
    """A list of posts, chosen and ordered by its options."""

    has_content = False
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        "series": directives.unchanged_required,
        "category": directives.unchanged_required,
        "tag": directives.unchanged_required,
        "year": directives.positive_int,
        "limit": directives.positive_int,
        "sort": choice(*lists.SORTS),
        "group": choice(*lists.GROUPS),
        "style": choice(*lists.STYLES),
        "feature": directives.flag,
        "filter": directives.flag,
    }

    def run(self) -> list[Node]:
        """The placeholder."""
        options = {**self.options, "feature": "feature" in self.options}
        if faceted := "filter" in self.options:
            del options["filter"]
            options.setdefault("group", lists.usual_group(options.get("sort", "newest")))
            if options.get("style", "cards") not in lists.WITH_POSTS:
                raise self.error(f'a list of style "{options["style"]}" shows no posts; remove "filter"')
        node = writing_list(query=Query(**options, faceted=faceted, line=self.lineno))
        self.set_source_info(node)
        return [node]


class WritingRole(SphinxRole):
    """``{writing}`count```: how many posts there are, as a number."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The placeholder."""
        if self.text != lists.COUNT:
            message = f'unknown {{writing}} role "{self.text}"; write {{writing}}`{lists.COUNT}`'
            return [], [self.inliner.reporter.error(message, line=self.lineno)]
        node = writing_count(query=Query(style=lists.COUNT, line=self.lineno))
        self.set_source_info(node)
        return [node], []
