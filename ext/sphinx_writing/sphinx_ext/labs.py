"""Reading what a page shows of the lab beside it: values, tables, parts of its source, measurements.

The files are ``lab.json``, ``measured.json`` and the source that ``writing_lab_source`` points to. They are
read once for each document, and noted as its dependencies.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.errors import ConfigError
from sphinx.util.docutils import SphinxDirective, SphinxRole

from sphinx_writing.core import lab_files, labs, quotes, regions
from sphinx_writing.core.lab_files import LabFile, LabFileError, Measured
from sphinx_writing.core.problems import Kind, hint
from sphinx_writing.core.records import Lab
from sphinx_writing.sphinx_ext.domain import writing_domain

if TYPE_CHECKING:
    from docutils.nodes import Node, system_message
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

_Loaded = TypeVar("_Loaded")
PAGE_WIDTH = 70
"""Characters of a table that fit side by side on a printed page."""

VALUE_CLASS, MEASURED_CLASS, LINK_CLASS = "writing-value", "writing-measured", "writing-lab-link"
TABLE_CLASS, MACHINE_CLASS = "writing-lab-table", "writing-measured-on"


def link(folder: str, anchor: str, css: str, *children: Node, text: str = "") -> nodes.inline:
    """What will lead to *anchor* on the page of the lab in *folder*, in outputs that have such pages."""
    made = nodes.inline(text, text, *children, classes=[css])
    made["lab_folder"], made["lab_anchor"] = folder, anchor
    return made


class FileMissing(LabFileError):  # noqa: N818  # a note may come before its lab
    """A file of a lab is not there."""


@dataclass
class Reader:
    """The lab beside one document, read when it is asked for, and what was taken from it."""

    env: BuildEnvironment
    folder: str
    quoted: set[str] = field(default_factory=set)
    measured: set[str] = field(default_factory=set)
    names_machine: bool = False
    _read: dict[str, Any] = field(default_factory=dict)

    @property
    def was_asked(self) -> bool:
        """Whether a role or a directive has asked for something."""
        return bool(self._read)

    def file(self) -> LabFile:
        """The ``lab.json``; :exc:`LabFileError` where there is none that can be read."""
        return self._load(lab_files.LAB, lab_files.load, "write one with its lab")

    def measurements(self) -> Measured:
        """The ``measured.json``; :exc:`LabFileError` where there is none that can be read."""
        return self._load(lab_files.MEASURED, lab_files.load_measured, "write one from what was measured")

    def source(self) -> str:
        """The text of the program; :exc:`LabFileError` where there is none that can be read."""
        remedy = "write it, or say in writing_lab_source where labs are"
        return self._load(self.source_name, str, remedy)

    @property
    def source_name(self) -> str:
        """The file of the program, relative to the source folder."""
        pattern: str = self.env.config.writing_lab_source
        return posixpath.normpath(pattern.format(**labs.places(self.folder)))

    def _load(self, name: str, parse: Callable[[str], _Loaded], remedy: str) -> _Loaded:
        if name not in self._read:
            self._read[name] = self._tried(name, parse, remedy)
        found: _Loaded | LabFileError = self._read[name]
        if isinstance(found, LabFileError):
            raise found
        return found

    def _tried(self, name: str, parse: Callable[[str], _Loaded], remedy: str) -> _Loaded | LabFileError:
        path = self.path(name)
        if not is_file(path):
            return FileMissing(f"there is no {name} beside this page; {remedy}")
        self.env.note_dependency(path)
        try:
            return parse(path.read_text(encoding="utf-8" if name.endswith(".json") else "utf-8-sig"))
        except UnicodeDecodeError as error:
            return LabFileError(f"{name} is not UTF-8 ({error.reason}); save it as UTF-8, or recompute it")
        except LabFileError as error:
            return error

    def path(self, name: str) -> Path:
        """The file *name* of the lab."""
        below = name if name == self.source_name else posixpath.join(self.folder, name)
        return Path(os.path.normpath(self.env.srcdir / below))


def is_file(path: Path) -> bool:
    """Whether *path* is a file; no name is too long to ask."""
    try:
        return path.is_file()
    except OSError:
        return False


def reader(env: BuildEnvironment) -> Reader:
    """The lab beside the document that is being read."""
    store = env.current_document
    if "writing_lab" not in store:
        store["writing_lab"] = Reader(env, posixpath.dirname(env.docname))
    found: Reader = store["writing_lab"]
    return found


def read_lab(env: BuildEnvironment) -> Lab | None:
    """What the document that was read takes from a lab; its source can be downloaded.

    The index of a folder has the lab there, though it quotes nothing.
    """
    found = reader(env)
    if not found.was_asked and not (is_index(env) and any(is_file(found.path(n)) for n in lab_files.NAMES)):
        return None
    file, measurements = _or_none(found, found.file), _or_none(found, found.measurements)
    source = _or_none(found, found.source)
    if source is not None:
        env.dlfiles.add_file(env.docname, found.source_name)
    return Lab(
        folder=found.folder,
        quoted=tuple(sorted(found.quoted)),
        measured=tuple(sorted(found.measured)),
        names_machine=found.names_machine,
        file=file,
        measurements=measurements,
        source=found.source_name if source is not None else "",
        digest=hashlib.sha256(source.encode()).hexdigest() if source is not None else "",
    )


def is_index(env: BuildEnvironment) -> bool:
    """Whether the document that was read stands for its folder."""
    return posixpath.basename(env.docname) == "index"


def _or_none(found: Reader, load: Callable[[], _Loaded]) -> _Loaded | None:
    """What *load* gives; a file that is there and cannot be read is reported."""
    try:
        return load()
    except FileMissing:
        return None
    except LabFileError as error:
        report(found.env, error, f"{found.env.doc2path(found.env.docname)}:1")
        return None


def awaited(env: BuildEnvironment, lab: Lab | None) -> Iterator[str]:
    """The files that are not there and would be read, relative to the source folder."""
    found = reader(env)
    if lab is not None or is_index(env):
        for name in (*lab_files.NAMES, found.source_name) if lab is not None else lab_files.NAMES:
            if not is_file(found.path(name)):
                yield os.path.relpath(found.path(name), env.srcdir)


def report(env: BuildEnvironment, error: Exception, location: str) -> None:
    """Note *error*; a fault of a whole file once for each document, not for each value."""
    domain = writing_domain(env)
    note = domain.note_once if isinstance(error, LabFileError) else domain.note
    note(Kind.LAB, str(error), location)


class LabRole(SphinxRole):
    """``{lab}`name``` or ``{lab}`name:.1f in MiB```: a value of the ``lab.json`` beside the document."""

    css = VALUE_CLASS
    anchor = labs.VALUE

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The value with its unit; what cannot be quoted is reported and shown as it was typed."""
        lab, name = reader(self.env), quotes.split(self.text)[0]
        try:
            text = self.quoted(lab, name)
        except (LabFileError, quotes.QuoteError) as error:
            report(self.env, error, self.get_location())
            return [nodes.literal(self.text, self.text)], []
        return [link(lab.folder, labs.anchor(self.anchor, name), self.css, text=text)], []

    def quoted(self, lab: Reader, name: str) -> str:
        """The value *name* as it is shown, noted as quoted."""
        lab.quoted.add(name)
        return quotes.quote(self.text, lab.file().values)


class MeasuredRole(LabRole):
    """``{measured}`name``: a value of the ``measured.json`` beside the document."""

    css = MEASURED_CLASS
    anchor = labs.MEASURED

    def quoted(self, lab: Reader, name: str) -> str:
        """The value *name* as it is shown, noted as quoted."""
        lab.measured.add(name)
        return quotes.quote(self.text, lab.measurements().values, lab_files.MEASURED)


class LabDirective(SphinxDirective):
    """What the directives of a lab share: a problem is noted, and the build goes on."""

    def run(self) -> list[Node]:
        """What :meth:`made` gives, or nothing and a problem that every build reports."""
        try:
            return self.made(reader(self.env))
        except (LabFileError, quotes.QuoteError, regions.RegionError) as error:
            report(self.env, error, self.get_location())
            return []

    def made(self, lab: Reader) -> list[Node]:
        """What stands in place of the directive."""
        raise NotImplementedError


class MeasuredDirective(LabDirective):
    """The line that says on which machine, when and how the values of ``measured.json`` were taken."""

    def made(self, lab: Reader) -> list[Node]:
        """A paragraph."""
        found = lab.measurements()
        lab.names_machine = True
        line = nodes.paragraph("", "", classes=[MACHINE_CLASS])
        line += link(lab.folder, labs.anchor(labs.MEASURED), LINK_CLASS, text="Measured")
        versions = "".join(f", {name} {version}" for name, version in sorted(found.versions.items()))
        times = f", {found.runs} runs" if found.runs and found.runs > 1 else ""
        line += nodes.Text(f" on {found.machine}{versions}, {found.day.shown}{times}, by ")
        line += nodes.literal(found.command, found.command)
        line += nodes.Text(".")
        self.set_source_info(line)
        return [line]


class LabTable(LabDirective):
    """A table that the lab computed; one format for each column."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        "name": directives.unchanged,
        "caption": directives.unchanged,
        "format": directives.unchanged,
        "class": directives.class_option,
    }

    def made(self, lab: Reader) -> list[Node]:
        """The table, its numbers to the right."""
        name, tables = self.arguments[0], lab.file().tables
        lab.quoted.add(name)
        if name not in tables:
            raise quotes.QuoteError(f'lab.json has no table "{name}"; {hint(name, tables)}')
        found = tables[name]
        wanted = quotes.formats(self.options.get("format", ""), len(found.columns))
        rows = [list(map(quotes.cell, row, found.columns, wanted)) for row in found.rows]
        classes = ["colwidths-auto", TABLE_CLASS, *self.options.get("class", [])]
        table = nodes.table("", classes=classes)
        self.set_source_info(table)
        if caption := self.options.get("caption"):
            children, messages = self.parse_inline(caption)
            to_lab = link(lab.folder, labs.anchor(labs.VALUE, name), LINK_CLASS, text="(lab)")
            to_lab["lab_only"] = True
            table += nodes.title(caption, "", *children, nodes.Text(" "), to_lab, *messages)
        group = nodes.tgroup(cols=len(found.columns))
        group += [nodes.colspec(colwidth=1) for _ in found.columns]
        group += nodes.thead("", self._row(list(quotes.heads(found, wanted)), found.numeric))
        group += nodes.tbody("", *(self._row(row, found.numeric) for row in rows))
        table += group
        self.add_name(table)
        return [*column_spec(rows, found.numeric), table]

    def _row(self, cells: list[str], numeric: list[bool]) -> nodes.row:
        row = nodes.row()
        for text, right in zip(cells, numeric, strict=True):
            children, messages = self.parse_inline(text)
            entry = nodes.entry("", classes=["writing-numeric"] if right else [])
            entry += nodes.paragraph(text, "", *children, *messages)
            row += entry
        return row


def column_spec(rows: list[list[str]], numeric: list[bool]) -> list[Node]:
    """The columns for LaTeX, numbers to the right; nothing where a line would be too long for a page."""
    widest = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    spec = "".join("r" if right else "l" for right in numeric)
    return [addnodes.tabular_col_spec(spec=spec)] if sum(widest) <= PAGE_WIDTH else []


class LabSource(LabDirective):
    """A part of the lab's source, named by a definition in it or by the region it stands in."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        "name": directives.unchanged,
        "caption": directives.unchanged,
        "language": directives.unchanged,
    }

    def made(self, lab: Reader) -> list[Node]:
        """The code under a caption that leads to the whole source."""
        name, source = self.arguments[0], lab.source()
        python = lab.source_name.endswith(".py")
        try:
            region = regions.find(source, name, python=python)
        except regions.RegionError as error:
            raise regions.RegionError(f"{lab.source_name} {error}") from None
        code = nodes.literal_block(region.text, region.text)
        code["language"] = self.options.get("language") or labs.language(lab.source_name)
        self.set_source_info(code)
        caption = self.options.get("caption") or f"`{shown_path(lab.source_name)}`, `{name}`"
        children, messages = self.parse_inline(caption)
        anchor = labs.anchor(labs.LINE, str(region.first))
        title = nodes.caption(caption, "", link(lab.folder, anchor, LINK_CLASS, *children), *messages)
        wrapper = nodes.container("", title, code, literal_block=True, classes=["literal-block-wrapper"])
        self.set_source_info(wrapper)
        self.add_name(wrapper)
        return [wrapper]


def shown_path(name: str) -> str:
    """The path of a source as readers know it: from the project's folder, not from that of the documents."""
    while name.startswith("../"):
        name = name[3:]
    return name


def check_settings(_app: Sphinx, config: Config) -> None:
    """Stop at a setting that cannot be used; the message says what it has to be."""
    for name in ("writing_lab_source", "writing_lab_command"):
        pattern = config[name]
        try:
            pattern.format(**labs.places("a-folder"))
        except (AttributeError, LookupError, ValueError):
            raise ConfigError(
                f"{name} = {pattern!r} in conf.py: give a text with no braces "
                "but in {folder}, {module} and {dotted}"
            ) from None
    units = config.writing_units
    if not isinstance(units, list | tuple | set | frozenset) or not all(
        isinstance(unit, str) and unit.strip() for unit in units
    ):
        raise ConfigError(f'writing_units = {units!r} in conf.py: give a list of texts such as ["tokens"]')


def register(app: Sphinx) -> None:
    """Add the roles, the directives and the configuration values of labs."""
    app.add_config_value("writing_lab_source", "{folder}/lab.py", "env", types=frozenset({str}))
    app.add_config_value("writing_lab_command", "", "html", types=frozenset({str}))
    app.add_config_value("writing_units", [], "", types=frozenset({list, tuple, set, frozenset}))
    app.connect("config-inited", check_settings)
    app.add_role("lab", LabRole())
    app.add_role("measured", MeasuredRole())
    app.add_directive("measured", MeasuredDirective)
    app.add_directive("lab-table", LabTable)
    app.add_directive("lab-source", LabSource)
