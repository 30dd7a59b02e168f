"""Writing web pages: the ids of a section stand on its heading, where search by heading looks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes

from sphinx_writing.sphinx_ext.boxes import OnWebPages

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator


class headed_section(nodes.section):  # noqa: N801  # docutils names its nodes in small letters
    """A section whose heading has its ids.

    It keeps them as well: from it Sphinx takes the permalink and the number of the heading.
    """


class MoveIds(OnWebPages):
    """Gives each heading the ids of its section."""

    default_priority = 950  # no other step has to know

    def run(self, **kwargs: Any) -> None:
        """Replace all sections that have a heading and an id."""
        for section in list(self.document.findall(nodes.section)):
            heading = next((child for child in section.children if isinstance(child, nodes.title)), None)
            if section["ids"] and heading is not None:
                heading["ids"] = list(dict.fromkeys([*section["ids"], *heading["ids"]]))
                _replace(section)


def _replace(section: nodes.section) -> None:
    """Put a section in place of *section* that differs in how it is printed, and in nothing else."""
    made = headed_section(section.rawsource, *section.children, **section.attributes)
    made.tagname, made.source, made.line = section.tagname, section.source, section.line
    section.parent[section.parent.index(section)] = made


def visit_headed_section(self: HTML5Translator, node: nodes.section) -> None:
    """Open the section as the theme would, but without its ids."""
    ids, node["ids"] = node["ids"], []
    self.visit_section(node)
    node["ids"] = ids


def depart_headed_section(self: HTML5Translator, node: nodes.section) -> None:
    """Close the section."""
    self.depart_section(node)


def register(app: Sphinx) -> None:
    """Add the step."""
    app.add_node(headed_section, html=(visit_headed_section, depart_headed_section))
    app.add_post_transform(MoveIds)
