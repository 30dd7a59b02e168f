"""Imports point down only: ``core`` knows nothing of the edge, labs nothing of the extension.

Within each folder a module imports only from those above it in the list below, lowest first. A new module
is put where it belongs in its list.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

EXT = Path(__file__).parents[1] / "ext"

ORDER = {
    "core": [
        "boxes",
        "digests",
        "markdown",
        "mermaid",
        "notes",
        "problems",
        "options",
        "addresses",
        "dates",
        "inline",
        "bibtex",
        "tex",
        "search_text",
        "reading_time",
        "tags",
        "units",
        "lab_files",
        "quotes",
        "audit",
        "regions",
        "expressions",
        "calculators",
        "records",
        "glossary",
        "labs",
        "fields",
        "values",
        "calculator_text",
        "blocks",
        "frontmatter",
        "series",
        "posts",
        "paths",
        "graph",
        "tag_index",
        "related",
        "checks",
        "cards",
        "catalogue",
        "feeds",
        "redirects",
        "metadata",
        "social_card",
        "feed_html",
        "feed_files",
        "llms",
        "facets",
        "lists",
        "sidebar",
        "map",
        "previews",
        "views",
        "search",
        "sitemap",
    ],
    "sphinx_ext": [
        "garbage",
        "report",
        "frame",
        "settings",
        "icons",
        "paths",
        "record",
        "output",
        "mermaid_engine",
        "card_painter",
        "katex_engine",
        "katex",
        "svg",
        "palette",
        "search_index",
        "twins",
        "equations",
        "drawing",
        "drawings",
        "inline_nodes",
        "directives",
        "roles",
        "addresses",
        "foot_links",
        "plain_nodes",
        "domain",
        "labs",
        "calculator_nodes",
        "audit",
        "diagrams",
        "formulas",
        "pictures",
        "sources",
        "collect",
        "toctree",
        "numbering",
        "targets",
        "render",
        "transforms",
        "terms",
        "boxes",
        "calculators",
        "code_boxes",
        "table_boxes",
        "side_notes",
        "check_boxes",
        "headings",
        "highlighting",
        "theme",
        "not_found",
        "context",
        "feed_settings",
        "metadata",
        "assets",
        "misplaced",
        "markdown_settings",
        "site",
        "pages",
        "feed_entry",
        "markdown_body",
        "kept",
        "feeds",
        "previews",
        "sitemap",
        "robots",
        "redirects",
        "social_cards",
        "markdown",
        "site_files",
        "files",
        "search_text",
        "search",
        "zoom",
        "dependents",
        "emit",
    ],
}
BELOW = {"core": set[str](), "sphinx_ext": {"core"}}
"""The folders that each folder may import from, beside itself."""

OUTSIDE = {"markdown_it", "mdit_py_plugins", "yaml"}
"""All that the core uses beside the standard library."""
IMPURE = {
    "asyncio", "glob", "importlib", "io", "locale", "multiprocessing", "os", "pathlib", "platform", "random",
    "secrets", "shutil", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib",
    "uuid",
}  # fmt: skip
"""Modules of the standard library that reach for the disk, the clock, chance, the network or the machine."""
IMPURE_NAMES = {"__import__", "hash", "input", "open", "print", ".now", ".today", ".utcnow"}


def tree(path: Path) -> ast.Module:
    """The syntax tree of the module at *path*."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(module: ast.AST) -> Iterator[str]:
    """The dotted name of everything that *module* imports, also for type checking and inside functions."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def lookups(module: ast.AST) -> Iterator[str]:
    """The names that *module* looks up, those of attributes with a dot before them."""
    for node in ast.walk(module):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield f".{node.attr}"


def misplaced(folder: str, name: str, imported: str) -> str:
    """Why module *name* of *folder* must not import *imported*; empty if it may."""
    top, _, rest = imported.partition(".")
    if not top:
        return f"{imported!r} is relative; write the full name"
    if top != "sphinx_writing":
        return ""
    there, _, rest = rest.partition(".")
    other = rest.partition(".")[0]
    if there in BELOW[folder]:
        return ""
    if there != folder:
        return f"{folder} must not know {imported!r}"
    order = ORDER[folder]
    if other not in order[: order.index(name)]:
        return f"{name!r} stands before {other!r} in the order of {folder}, so it must not import it"
    return ""


def names(folder: str) -> list[str]:
    """The modules in *folder*."""
    return sorted(p.stem for p in (EXT / "sphinx_writing" / folder).glob("*.py") if p.stem != "__init__")


MODULES = [(folder, name) for folder in ORDER for name in names(folder)]
LABS = sorted(p.relative_to(EXT).as_posix() for p in EXT.glob("labs/**/*.py"))


@pytest.mark.parametrize("folder", ORDER)
def test_every_module_has_its_place_in_the_order(folder: str) -> None:
    here, listed = names(folder), ORDER[folder]
    new, gone = sorted(set(here) - set(listed)), sorted(set(listed) - set(here))
    assert not new, f"put these modules of {folder} where they belong in ORDER, lowest first: {new}"
    assert not gone, f"these modules of {folder} are no more; take them out of ORDER: {gone}"
    assert len(listed) == len(set(listed))


def test_there_are_no_folders_but_those_in_the_order() -> None:
    folders = {
        p.parent.relative_to(EXT / "sphinx_writing").as_posix() for p in EXT.glob("sphinx_writing/**/*.py")
    }
    assert folders == {".", *ORDER}


@pytest.mark.parametrize(("folder", "name"), [m for m in MODULES if m[1] in ORDER[m[0]]])
def test_imports_point_down(folder: str, name: str) -> None:
    module = tree(EXT / "sphinx_writing" / folder / f"{name}.py")
    assert [why for imported in imports(module) if (why := misplaced(folder, name, imported))] == []


@pytest.mark.parametrize("name", ["__init__", *names("core")])
def test_core_needs_no_sphinx_no_disk_and_no_clock(name: str) -> None:
    module = tree(EXT / "sphinx_writing" / "core" / f"{name}.py")
    tops = {imported.partition(".")[0] for imported in imports(module)} - {"sphinx_writing"}
    assert tops & IMPURE == set()
    assert tops - sys.stdlib_module_names - OUTSIDE == set()
    assert set(lookups(module)) & IMPURE_NAMES == set()


@pytest.mark.parametrize("path", LABS)
def test_labs_know_nothing_of_the_extension_or_of_sphinx(path: str) -> None:
    tops = {imported.partition(".")[0] for imported in imports(tree(EXT / path))}
    assert tops & {"sphinx_writing", "sphinx", "docutils", "myst_parser"} == set()


def test_the_extension_knows_nothing_of_the_labs() -> None:
    for path in EXT.glob("sphinx_writing/**/*.py"):
        assert "labs" not in {imported.partition(".")[0] for imported in imports(tree(path))}, path


@pytest.mark.parametrize(
    ("folder", "name", "line", "allowed"),
    [
        ("core", "tags", "from sphinx_writing.core import dates", True),
        ("core", "tags", "from sphinx_writing.core.dates import parse", True),
        ("core", "dates", "from sphinx_writing.core import tags", False),
        ("core", "dates", "import sphinx_writing.core.tags", False),
        ("core", "dates", "def f():\n    from sphinx_writing.core.views import Site", False),
        ("core", "views", "from sphinx_writing.sphinx_ext import domain", False),
        ("core", "views", "from sphinx_writing import __version__", False),
        ("core", "views", "from . import dates", False),
        ("core", "views", "import re", True),
        ("sphinx_ext", "report", "from sphinx_writing.core.views import Site", True),
        ("sphinx_ext", "report", "from sphinx_writing.sphinx_ext.emit import finish", False),
        ("sphinx_ext", "emit", "from sphinx_writing.sphinx_ext.report import warn", True),
        ("sphinx_ext", "emit", "from sphinx_writing import setup", False),
    ],
)
def test_an_import_that_points_up_is_seen(folder: str, name: str, line: str, allowed: bool) -> None:
    found = [misplaced(folder, name, imported) for imported in imports(ast.parse(line))]
    assert (found == [""]) is allowed


@pytest.mark.parametrize(
    "line",
    ["open('x')", "datetime.now()", "date.today()", "default_factory=datetime.utcnow", "sorted(x, key=hash)"],
)
def test_a_call_to_the_disk_the_clock_or_chance_is_seen(line: str) -> None:
    assert set(lookups(ast.parse(line))) & IMPURE_NAMES
