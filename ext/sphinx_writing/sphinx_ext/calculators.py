"""The ``{calculator}`` directive, and the form that web pages put into what it leaves.

Reading makes a title, a table of the default and the presets, and a foot. Writing a web page adds the form,
which its script shows; other outputs have the rest as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from sphinx_writing.core import calculator_text, labs, regions
from sphinx_writing.core.calculators import Calculator, Input, Output
from sphinx_writing.core.lab_files import LabFileError
from sphinx_writing.core.problems import Kind
from sphinx_writing.core.records import UsedUnit
from sphinx_writing.core.regions import RegionError
from sphinx_writing.sphinx_ext import calculator_nodes
from sphinx_writing.sphinx_ext.boxes import NAME, box
from sphinx_writing.sphinx_ext.calculator_nodes import FOOT_CLASS, SAME_CLASS, TITLE_CLASS, writing_calculator
from sphinx_writing.sphinx_ext.directives import content_place
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.labs import LINK_CLASS, link, reader, report
from sphinx_writing.sphinx_ext.render import writing_html
from sphinx_writing.sphinx_ext.transforms import prints_templates

if TYPE_CHECKING:
    from docutils.nodes import Element, Node
    from sphinx.application import Sphinx

BOX, TABLE_BOX = "writing-calculator", "writing-calculator-table"


class CalculatorDirective(SphinxDirective):
    """A calculator, described in YAML; what is wrong in it is noted, and then there is none."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        "name": directives.unchanged,
        "class": directives.class_option,
    }

    def run(self) -> list[Node]:
        """The calculator."""
        found, faults = calculator_text.read("\n".join(self.content))
        for fault in faults:
            self._note(fault.message, fault.line)
        if found is None:
            return []
        made = writing_calculator("", classes=self.options.get("class", []))
        made["calculator"], made["docname"] = found, self.env.docname
        made["units"] = self._units(found)
        self.set_source_info(made)
        children, messages = self.parse_inline(self.arguments[0])
        made += [
            calculator_nodes.title(children),
            *calculator_nodes.cases(found),
            *self._foot(found),
            *messages,
        ]
        for node in made.children:
            self.set_source_info(node)
        self.add_name(made)
        made["place"] = made["ids"][0] if made["ids"] else self._free_place()
        return [made]

    def _note(self, message: str, line: int) -> None:
        """Note what is wrong at *line* of the content."""
        file, before = content_place(self)
        message = f'calculator "{self.arguments[0]}": {message}'
        writing_domain(self.env).note(Kind.CALCULATOR, message, f"{file}:{before + line}")

    def _units(self, found: Calculator) -> tuple[UsedUnit, ...]:
        """The units that it names; whether they are known is judged in every build."""
        file, before = content_place(self)
        named: list[tuple[str, Input | Output]] = [("input", one) for one in found.inputs]
        named += [("output", one) for one in found.outputs]
        return tuple(
            UsedUnit(one.unit, f'{kind} "{one.name}"', f"{file}:{before + one.line}")
            for kind, one in named
            if one.unit
        )

    def _free_place(self) -> str:
        """A name for addresses that no other calculator of the document has."""
        store = self.env.current_document
        taken: set[str] = store.setdefault("writing_calculators", set())  # type: ignore[assignment]
        name = stem = f"calculator--{nodes.make_id(self.arguments[0])}"  # no heading has an id like this
        number = 1
        while name in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name)
        return name

    def _foot(self, found: Calculator) -> Iterator[Node]:
        """The line below: the author's note, else the formulas; and the functions of the lab."""
        foot = nodes.paragraph("", "", classes=[FOOT_CLASS])
        if found.note:
            children, messages = self.parse_inline(found.note)
            foot += [*children, *messages]
        else:
            for i, output in enumerate(found.outputs):
                foot += [nodes.Text("; ")] if i else []
                text = f"{output.name} = {output.formula}"
                foot += nodes.literal(text, text)
            foot += nodes.Text(".")
        if functions := list(self._functions(found)):
            foot += nodes.Text(" The same as ")
            for i, node in enumerate(functions):
                foot += [nodes.Text(", "), node] if i else [node]
            foot += nodes.Text(" in the lab.")
        yield foot

    def _functions(self, found: Calculator) -> Iterator[Node]:
        """The functions of the lab that outputs equal, each leading to its lines."""
        lab = reader(self.env)
        for name, line in {one.lab: one.line for one in found.outputs if one.lab}.items():
            try:
                region = regions.find(lab.source(), name, python=lab.source_name.endswith(".py"))
            except LabFileError as error:
                report(self.env, error, self.get_location())
            except RegionError as error:
                self._note(f"{lab.source_name} {error}", line)
            else:
                literal = nodes.literal(name, name)
                yield link(lab.folder, labs.anchor(labs.LINE, str(region.first)), LINK_CLASS, literal)


class ShowCalculators(SphinxPostTransform):
    """Puts a form into each calculator of a web page, and takes the node of our own out of other outputs."""

    default_priority = 7  # after links to labs are made, before tables are put into boxes

    def run(self, **kwargs: Any) -> None:
        """Show all calculators of the document."""
        on_web = prints_templates(writing_domain(self.env).builder)
        for node in list(self.document.findall(writing_calculator)):
            node.replace_self([with_form(node)] if on_web else plain(node))


def with_form(node: writing_calculator) -> Element:
    """The box of a calculator in a web page."""
    place = node["place"]
    parts: dict[str, list[Any]] = {TITLE_CLASS: [], FOOT_CLASS: [], SAME_CLASS: []}
    for child in node.children:
        css = child["classes"] if isinstance(child, nodes.Element) else []
        parts[next((name for name in (TITLE_CLASS, FOOT_CLASS) if name in css), SAME_CLASS)].append(child)
    made = box(*parts[TITLE_CLASS], css=[BOX, *node["classes"]], ids=node["ids"] or [place])
    for title in parts[TITLE_CLASS]:
        title["ids"] = [f"{place}--title"]
        for table in node.findall(nodes.table):
            table[NAME] = title.astext()
    made += writing_html(
        template="calculator", docname=node["docname"], calculator=node["calculator"], place=place
    )
    made += box(*parts[SAME_CLASS], css=[TABLE_BOX])
    made += parts[FOOT_CLASS]
    return made


def plain(node: writing_calculator) -> list[Node]:
    """What other outputs have: a target, if it has a name, and ordinary nodes."""
    target = [nodes.target("", "", ids=node["ids"])] if node["ids"] else []
    return [*target, *node.children]


def register(app: Sphinx) -> None:
    """Add the directive and the step that shows what it leaves."""
    app.add_directive("calculator", CalculatorDirective)
    app.add_post_transform(ShowCalculators)
