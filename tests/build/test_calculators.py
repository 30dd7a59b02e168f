"""Calculators in every output: a form in web pages, a table everywhere, and what is said of a wrong one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser

import pytest

from .conftest import Built, Project

Make = Callable[[str], Project]
NOTE, PLAIN, EVERY = "a-note/index.html", "plain.html", "every-operation.html"
SOURCE = "a-note/index.md"
FILES = ("writing-calculator.js", "writing-calculator.css")


class Ids(HTMLParser):
    """The ids in a page, and those that its parts name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.named: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.ids += [found["id"]] if "id" in found else []
        for name in ("for", "aria-labelledby", "aria-describedby"):
            self.named |= set(found.get(name, "").split())


def words(text: str) -> str:
    """The words of some HTML, one blank between them."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


def said(built: Built) -> list[str]:
    return [line for line in built.warnings if "[writing." in line]


@pytest.mark.parametrize("theme", ["basic", "furo", "alabaster", "pydata_sphinx_theme", "writing"])
def test_a_page_has_a_hidden_form_and_the_table(project: Make, theme: str) -> None:
    built = project("calculators").build(html_theme=theme)
    assert built.warnings == []
    page = built.text(NOTE)
    assert re.search(
        r'<div class="writing-calculator" id="calc-size">\s*<p class="writing-calculator-title"', page
    )
    assert re.findall(r"<form class=\"writing-calculator-form\"[^>]* hidden>", page)
    found = Ids(page)
    assert len(found.ids) == len(set(found.ids))
    assert {name for name in found.named if "calc" in name} <= set(found.ids)
    assert "calculator--a-share" in found.ids
    assert (
        "Default 32 BF16 1.221 1,280,000 large 80 BF16 3.052 3,200,000 small 16 FP8 0.3052 320,000"
        in words(page)
    )
    assert "In all rows: Tokens 20,000 tokens." in words(page)
    assert "By the note , in binary units. The same as size_of in the lab." in words(page)
    assert 'href="lab.html#line-4"' in page
    assert "share = 100 * part / all" in words(page)
    data = json.loads(unescape(re.findall(r'data-writing-calculator="([^"]*)"', page)[0]))
    assert data["choices"] == {"element": {"BF16": 2, "FP8": 1}}
    for name in (NOTE, PLAIN, EVERY):
        assert all(built.text(name).count(file) == 1 for file in FILES), name
    assert not any(file in built.text("index.html") for file in FILES)


def test_a_site_without_posts_has_calculators(project: Make) -> None:
    made = project("calculators")
    made.replace(SOURCE, "---\ndate: 2026-03-01\n---\n", "")
    built = made.build()
    assert built.warnings == []
    assert '<form class="writing-calculator-form"' in built.text(NOTE)
    assert all(file in built.text(NOTE) for file in FILES)


@pytest.mark.parametrize(
    "builder", ["text", "latex", "epub", "man", "texinfo", "xml", "gettext", "singlehtml"]
)
def test_other_outputs_have_the_table(project: Make, builder: str) -> None:
    built = project("calculators").build(builder)
    assert said(built) == []
    files = [path for path in built.out.rglob("*") if path.suffix in (".txt", ".tex", ".xhtml", ".html")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    if files:
        assert "3,200,000" in text
        assert ("<form" in text) == (builder == "singlehtml")
    assert builder == "singlehtml" or "Own values" not in text
    if builder == "text":
        row = re.compile(r"\| Default *\| 32 *\| BF16 *\| 1\.221 *\| 1,280,000 *\|")
        assert row.search(built.text("a-note/index.txt"))
    if builder == "latex":
        assert re.search(r"\\label\{\\detokenize\{a-note/index:calc-size\}\}", text)
    if builder == "epub":
        assert "writing-calculator.js" not in text


@pytest.mark.parametrize(
    ("old", "new", "warning"),
    [
        (
            "value: layers * element * tokens / 2**20",
            "value: layres * element * tokens / 2**20",
            'a-note/index.md:21: WARNING: calculator "How *large* is it?": output "size": value: '
            '"layres * element * tokens / 2**20" has an unknown name "layres"; did you mean "layers"? (character 1) '
            "[writing.calculator]",
        ),
        (
            "all: {label: All, range: [0, 100], default: 50}",
            "all: {label: All, range: [0, 100], default: 500}",
            'a-note/index.md:31: WARNING: calculator "A share": input "all": default: 500 is not in the range, 0 to 100 '
            "[writing.calculator]",
        ),
        (
            "unit: MiB",
            "unit: MBi",
            'a-note/index.md:21: WARNING: the unit "MBi" of output "size" is not known; did you mean "Mbit"? If not, add '
            '"MBi" to writing_units [writing.calculator]',
        ),
        (
            "lab: size_of",
            "lab: size_off",
            'a-note/index.md:21: WARNING: calculator "How *large* is it?": labs/a_note.py has no part "size_off"; '
            'did you mean "size_of"? [writing.calculator]',
        ),
    ],
)
def test_a_wrong_one_is_reported_with_file_and_line(project: Make, old: str, new: str, warning: str) -> None:
    made = project("calculators")
    made.replace(SOURCE, old, new)
    assert said(made.build_apart()) == [warning]
    assert said(made.build_apart()) == [warning]
    made.replace(SOURCE, new, old)
    assert made.build_apart().warnings == []


def test_a_wrong_one_in_restructuredtext(project: Make) -> None:
    made = project("calculators")
    made.replace("plain.rst", "part / 50", "part /")
    (warning,) = said(made.build())
    assert warning.startswith(
        'plain.rst:10: WARNING: calculator "A share": output "share": value: "part /" cannot be'
    )


def test_units_are_judged_without_reading(project: Make) -> None:
    made = project("calculators")
    assert made.build_apart().warnings == []
    (warning,) = said(made.build_apart(writing_units=[]))
    assert 'the unit "tokens" of input "tokens" is not known' in warning


def test_a_change_of_the_lab_is_seen(project: Make) -> None:
    made = project("calculators")
    made.build_apart()
    made.replace("labs/a_note.py", '"""The lab."""\n', '"""The lab."""\n\n# One more line.\n')
    again = made.build_apart()
    assert 'href="lab.html#line-6"' in again.text(NOTE)
    assert again.tree() == made.build_apart(to="clean").tree()


def test_hostile_texts_stay_texts(project: Make) -> None:
    made = project("calculators")
    hostile = """</script><b>&\\"'{{ x }}$"""
    made.replace(SOURCE, "large: {layers: 80}", f'"{hostile}": {{layers: 80}}')
    made.replace(SOURCE, "label: Element", f'label: "{hostile}"')
    made.replace(SOURCE, "{BF16: 2, FP8: 1}", f'{{BF16: 2, FP8: 1, "{hostile}": 3}}')
    built = made.build()
    assert built.warnings == []
    page = built.text(NOTE)
    assert "</script><b>" not in page
    assert hostile.replace('\\"', '"') in unescape(page)
    data = json.loads(unescape(re.findall(r'data-writing-calculator="([^"]*)"', page)[0]))
    assert list(data["choices"]["element"]) == ["BF16", "FP8", hostile.replace('\\"', '"')]


def test_two_of_one_title_have_different_names(project: Make) -> None:
    made = project("calculators")
    text = (made.source / "plain.rst").read_text(encoding="utf-8")
    made.write("plain.rst", text + "\n" + text[text.index(".. calculator") :])
    found = Ids(made.build().text(PLAIN))
    assert {"calculator--a-share", "calculator--a-share-2"} <= set(found.ids)
    assert len(found.ids) == len(set(found.ids))
