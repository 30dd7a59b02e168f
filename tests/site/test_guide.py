"""The guide says what the code does."""

from __future__ import annotations

import re

from sphinx_writing.core import expressions, fields, lists
from sphinx_writing.core.problems import Kind
from sphinx_writing.sphinx_ext.diagrams import Mermaid
from sphinx_writing.sphinx_ext.directives import WritingList

from .calculators import calculators_in
from .conftest import ROOT

GUIDE = ROOT / "docs" / "guide"


def test_the_table_of_warnings_is_the_enum() -> None:
    text = (GUIDE / "extension.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `writing\.([\w-]+)` \| (.*) \|$", text, re.MULTILINE)
    assert rows == [(kind.subtype, kind.meaning) for kind in Kind]


def test_every_field_of_ours_is_explained() -> None:
    text = (GUIDE / "index.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", text, re.MULTILINE)
    assert {name for cell in cells for name in re.findall(r"`(\w+)`", cell)} == set(fields.DECODERS)


def test_every_option_and_value_of_a_list_is_explained() -> None:
    text = (GUIDE / "extension.md").read_text(encoding="utf-8")
    table = text[text.index("| Option |") : text.index("Newest first")]
    words = set(re.findall(r"`(\w+)`", table))
    assert words == {*WritingList.option_spec, *lists.SORTS, *lists.GROUPS, *lists.STYLES}


def test_every_option_of_a_diagram_is_explained() -> None:
    text = (GUIDE / "extension.md").read_text(encoding="utf-8")
    table = text[text.index("| Argument or option |") : text.index("Not taken over are")]
    cells = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", table, re.MULTILINE)
    assert {name for cell in cells for name in re.findall(r"`(\w+)`", cell)} == set(Mermaid.option_spec)


def test_examples_of_calculators_are_calculators_and_all_functions_are_named() -> None:
    for name in ("index.md", "extension.md"):
        assert len(list(calculators_in(GUIDE / name))) == 1
    text = (GUIDE / "extension.md").read_text(encoding="utf-8")
    named = text[text.index("An expression has the names") : text.index("They mean what")]
    assert set(re.findall(r"`(\w+)`", named)) == set(expressions.FUNCTIONS)


def test_every_configuration_value_is_explained() -> None:
    text = (GUIDE / "extension.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `(writing_\w+)` \|", text, re.MULTILINE))
    source = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "ext/sphinx_writing").rglob("*.py"))
    defined = set(re.findall(r'add_config_value\(\s*"(writing_\w+)"', source))
    assert explained == defined - {
        "writing_diagram_look",
        "writing_search_engine",
        "writing_social_edition",
        "writing_fingerprint",
    }  # set by the extension itself
