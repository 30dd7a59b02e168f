"""Values, tables, measurements and parts of its source that a note shows of its lab, and the lab's page."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

import pytest
from sphinx.errors import ConfigError

from .conftest import Built, Project

Make = Callable[[str], Project]
LAB, NOTE = "a-note/lab.html", "a-note/index.html"


class Links(HTMLParser):
    """The ids of a page and the addresses it links to; a link within a link is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.hrefs: list[str] = []
        self._inside = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"] or ""] if "id" in found else []
        if tag == "a":
            assert not self._inside, "a link within a link"
            self._inside += 1
            self.hrefs.append(found.get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        self._inside -= tag == "a"


def words(text: str) -> str:
    """The words of some HTML, one blank between them."""
    return " ".join(re.sub(r"<[^>]*>", "", text).split())


def lines_of(built: Built, name: str, anchors: list[str]) -> list[str]:
    """The lines of a source that *anchors* of its page lead to."""
    lines = (built.source / name).read_text(encoding="utf-8").splitlines()
    found = sorted(int(anchor.removeprefix("line-")) for anchor in anchors if anchor.startswith("line-"))
    return [lines[number - 1] for number in found]


def lab_warnings(built: Built) -> list[str]:
    return [line for line in built.warnings if "[writing.lab]" in line]


def test_a_note_and_its_lab(project: Make) -> None:
    built = project("labs").build()
    assert built.warnings == []
    note, lab = Links(built.text(NOTE)), Links(built.text(LAB))
    to_lab = [href.removeprefix("lab.html#") for href in note.hrefs if href.startswith("lab.html#")]
    assert {name for name in to_lab if not name.startswith("line-")} == {
        "measured",
        "measured-wall",
        "value-sizes",
        "value-time",
    }
    assert lines_of(built, "labs/a_note.py", to_lab) == [
        "@staticmethod",
        "    def method(self) -> None:",
        "        if self:",
    ]
    assert set(to_lab) <= set(lab.ids)
    assert len(lab.ids) == len(set(lab.ids))
    assert "lab.html#value-share" in Links(built.text("a-note/more.html")).hrefs
    assert "https://example.org" in note.hrefs


def test_what_the_note_shows(project: Make) -> None:
    text = project("labs").build().text(NOTE)
    shown = words(text)
    assert "It takes 311.6 µs, in 2 KiB, and 1.23 s here." in shown.replace("\u00a0", " ")
    assert (
        "Measured on 2 cores of a server, numpy 2.4, 30 November 2026, 5 runs, by python -m labs.a_note --time."
        in shown
    )
    assert "Table 1 What each" in shown
    assert "memory (MiB)" in shown
    assert re.search(r"<em>b</em>.*1,000.*1\.0.*2,000.*\u2013", text, re.DOTALL)
    assert text.count("writing-numeric") == 6
    assert "See Table 1 and Listing 1." in shown
    assert "labs/a_note.py, power" in shown
    assert "region" not in shown
    assert '<span class="k">if</span>' in text


def test_what_the_lab_page_shows(project: Make) -> None:
    built = project("labs").build()
    text = built.text(LAB)
    assert "A note The lab of this note Source Download Run it: python -m labs.a_note" in words(text)
    assert "share 12.5 % size 2048 B time 311.6 µs" in words(text.replace("</td>", " </td>"))
    assert "sizes kind \\(n\\) memory (KiB) a b 1000 1024.0 c 2000" in words(re.sub("</t[hd]>", " ", text))
    assert "&lt;markup&gt;" in text
    download = next(href for href in Links(text).hrefs if "_downloads" in href)
    copied = (built.out / "a-note" / download).resolve()
    assert copied.read_bytes() == (built.source / "labs/a_note.py").read_bytes()
    assert f'href="../{LAB.removesuffix(".html")}' not in text


@pytest.mark.parametrize("builder", ["epub", "latex", "text", "singlehtml", "dirhtml"])
def test_other_outputs_have_the_values(project: Make, builder: str) -> None:
    built = project("labs").build(builder)
    assert [line for line in built.warnings if "version" not in line] == []
    files = [path for path in built.out.rglob("*") if path.suffix in (".xhtml", ".tex", ".txt", ".html")]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    assert "311.6" in text
    assert ("(lab)" in text) == (builder == "dirhtml")
    assert (built.out / "a-note/lab/index.html").is_file() == (builder == "dirhtml")


def to_folder(site: Project, name: str) -> None:
    path = site.source / name
    path.unlink()
    path.mkdir()


EDITS: dict[str, Callable[[Project], None]] = {
    "a value": lambda p: p.replace("a-note/lab.json", "311.6", "312.7"),
    "a cell": lambda p: p.replace("a-note/lab.json", "1000", "1001"),
    "a measured value": lambda p: p.replace("a-note/measured.json", "1.234", "2.345"),
    "the machine": lambda p: p.replace("a-note/measured.json", "2 cores", "4 cores"),
    "the source": lambda p: p.replace("labs/a_note.py", "base**2", "base**3"),
    "a line before": lambda p: p.replace("labs/a_note.py", "\n\n\n@static", "\n\n\nX = 1\n\n\n@static"),
    "the title": lambda p: p.replace("a-note/index.md", "# A note", "# Another note"),
    "no source": lambda p: (p.source / "labs/a_note.py").unlink(),
    "no values": lambda p: (p.source / "a-note/lab.json").unlink(),
    "no measurements": lambda p: (p.source / "a-note/measured.json").unlink(),
    "a folder in place of values": lambda p: to_folder(p, "a-note/lab.json"),
    "a folder in place of the source": lambda p: to_folder(p, "labs/a_note.py"),
    "a draft": lambda p: p.replace("a-note/index.md", "date:", "draft: true\ndate:"),
}


@pytest.mark.parametrize("edit", EDITS, ids=str)
def test_an_edit_reaches_every_page_and_can_be_taken_back(project: Make, edit: str) -> None:
    site = project("labs")
    first = site.build().tree()
    kept = {path: path.read_bytes() for path in site.source.rglob("*") if path.is_file()}
    EDITS[edit](site)
    changed = site.build()
    assert changed.tree() == site.build(to="clean").tree()
    assert changed.tree() != first
    for path, content in kept.items():
        if path.is_dir():
            path.rmdir()
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)
            os.utime(path, (1, 1))
    assert site.build().tree() == first


def test_a_changed_command_and_two_jobs(project: Make) -> None:
    site = project("labs")
    one = site.build()
    assert one.tree() == site.build(to="two", jobs=2).tree()
    assert "make lab a-note" in site.build(writing_lab_command="make lab {folder}").text(LAB)


def test_a_draft_takes_its_lab_along(project: Make) -> None:
    site = project("labs")
    site.build()
    site.replace("a-note/index.md", "date:", "draft: true\ndate:")
    built = site.build()
    assert built.files_with("311.6") == []
    assert built.files_with("a_note") == []


def test_a_value_that_nobody_quotes_is_reported(project: Make) -> None:
    site = project("labs")
    site.replace("a-note/more.md", "It is {lab}`share`.", "It is.")
    site.replace(
        "a-note/index.md",
        "```{lab-table} sizes\n:name: tab-sizes\n:caption: What each $n$ needs.\n:format: ; ,.0f ; .1f in MiB\n```\n",
        "",
    )
    site.replace("a-note/index.md", "{numref}`tab-sizes` and ", "")
    site.replace("a-note/index.md", "{measured}`wall:.2f`", "1.23 s")
    assert site.build().warnings == [
        'a-note/lab.json:2: WARNING: the value "share" is quoted in no page beside it; use it, or let the lab drop it [writing.lab]',
        'a-note/lab.json:4: WARNING: the table "sizes" is shown in no page beside it; use it, or let the lab drop it [writing.lab]',
        'a-note/measured.json:8: WARNING: the value "wall" is quoted in no page beside it; use it, or let the lab drop it [writing.lab]',
    ]
    assert len(site.build().warnings) == 3


def test_measured_values_without_their_machine_are_reported(project: Make) -> None:
    site = project("labs")
    site.replace("a-note/index.md", "```{measured}\n```\n", "")
    assert site.build().warnings == [
        "a-note/measured.json:1: WARNING: its values are quoted, but no page beside it names the machine; "
        "add a {measured} directive [writing.lab]"
    ]


def test_a_unit_that_nobody_knows_is_reported(project: Make) -> None:
    site = project("labs")
    site.replace("a-note/lab.json", '"µs"', '"us"')
    site.replace("a-note/lab.json", '"KiB"', '"Kib/token"')
    site.replace("a-note/index.md", " ; .1f in MiB", " ; .1f")
    assert site.build(writing_units=["token"]).warnings == [
        'a-note/lab.json:8: WARNING: the unit "us" of "time" is not known; did you mean "µs"? '
        'If not, add "us" to writing_units [writing.lab]',
        'a-note/lab.json:4: WARNING: the unit "Kib/token" of "sizes" is not known; did you mean "KiB"? '
        'If not, add "Kib" to writing_units [writing.lab]',
    ]
    assert site.build(writing_units=["token", "us", "Kib"]).warnings == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("lab-table} sizes", "lab-table} size", 'lab.json has no table "size"; did you mean "sizes"?'),
        (
            ":format: ; ,.0f ; .1f in MiB",
            ":format: .1f",
            "1 formats for 3 columns; write one for each, with ; between",
        ),
        (".1f in MiB", ".1f in GB/s", '"KiB" cannot be shown in "GB/s"; use one of'),
        (".1f in MiB", ".1q", '".1q" is no format specification'),
        (".1f in MiB", "x", '"x" does not fit 1024.0'),
        ("lab-source} power", "lab-source} powr", 'labs/a_note.py has no part "powr"; did you mean "power"?'),
        ("{measured}`wall:.2f`", "{measured}`wal`", 'measured.json has no value "wal"; did you mean "wall"?'),
    ],
)
def test_what_is_not_there_is_reported(project: Make, old: str, new: str, message: str) -> None:
    site = project("labs")
    site.replace("a-note/index.md", old, new)
    found = lab_warnings(site.build())
    assert any(line.startswith("a-note/index.md:") and message in line for line in found), found


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"machine": ""}, 'measured.json needs a "machine", a text'),
        ({"date": "yesterday"}, "the \"date\" 'yesterday' in measured.json: expected a day such as"),
        ({"command": None}, 'measured.json needs a "command", a text'),
        ({"values": []}, 'measured.json needs "values", a mapping'),
        ({"values": {"wall": {"value": float("nan")}}}, "NaN is no number"),
        ({"runs": 0}, '"runs" in measured.json is 0'),
        ({"versions": {"numpy": 2}}, '"versions" in measured.json is a mapping of names to texts'),
        ({"machin": "x"}, '"machin" in measured.json is not known; did you mean "machine"?'),
    ],
)
def test_measurements_at_fault(project: Make, change: dict[str, object], message: str) -> None:
    site = project("labs")
    path = site.source / "a-note/measured.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    found = lab_warnings(site.build())
    assert any(message in line for line in found), found


def test_a_missing_lab_is_seen_when_it_comes(project: Make) -> None:
    site = project("labs")
    kept = (site.source / "labs/a_note.py").read_bytes()
    (site.source / "labs/a_note.py").unlink()
    built = site.build()
    assert len(built.warnings) == 2  # of the file, and the reference to what it would have
    assert "there is no labs/a_note.py beside this page" in built.warnings[0]
    assert "_downloads" not in built.text(LAB)
    (site.source / "labs/a_note.py").write_bytes(kept)
    assert site.build().warnings == []


def test_the_audit_lists_what_nothing_vouches_for(project: Make) -> None:
    site = project("labs")
    site.replace(
        "a-note/more.md",
        "It is {lab}`share`.",
        "It is {lab}`share` of 5 GB. A source says 7 GB [^1].\n\n[^1]: Of 9 GB.\n\n`3 GB` and $4$ GB.\n\n"
        "```{list-table} A head of 6 GB [^1]\n* - 8 GB\n```\n\n```{list-table} A head\n* - 11 GB\n```\n\n## A title of 12 GB",
    )
    built = site.build("audit")
    assert built.text("audit.txt").splitlines() == [
        "a-note/more.md:3: 5 GB: It is … of 5 GB.",
        "a-note/more.md:14: 11 GB: 11 GB",
        "a-note/more.md:17: 12 GB: A title of 12 GB",
    ]
    assert site.build("audit").tree() == built.tree()


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"writing_lab_source": "{x}/lab.py"}, "writing_lab_source = '{x}/lab.py' in conf.py"),
        ({"writing_lab_source": "{0}"}, "writing_lab_source = '{0}' in conf.py"),
        ({"writing_lab_source": 5}, "writing_lab_source = 5 in conf.py"),
        ({"writing_lab_command": "{"}, "writing_lab_command = '{' in conf.py"),
        ({"writing_units": [1]}, "writing_units = [1] in conf.py"),
        ({"writing_units": [""]}, "writing_units = [''] in conf.py"),
        ({"writing_units": 5}, "writing_units = 5 in conf.py"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(project: Make, config: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        project("labs").build(**config)


def test_a_source_without_an_ending_is_seen_when_it_comes(project: Make) -> None:
    site = project("labs")
    site.build(writing_lab_source="{folder}/Labfile")
    site.write("a-note/Labfile", "# region power\n1\n# endregion\n# region inner\n2\n# endregion\n")
    site.replace("a-note/index.md", "```{lab-source} C.method\n```\n", "")
    built = site.build(writing_lab_source="{folder}/Labfile")
    assert built.warnings == []
    assert built.tree() == site.build(to="clean", writing_lab_source="{folder}/Labfile").tree()


def test_lines_are_numbered_from_the_first_though_it_is_blank(project: Make) -> None:
    site = project("labs")
    site.write("a-note/lab.sh", "\n\n\n# region power\nls\n# endregion\n# region inner\nps\n# endregion\n")
    site.replace("a-note/index.md", "```{lab-source} C.method\n```\n", "")
    built = site.build(writing_lab_source="{folder}/lab.sh")
    assert re.search(r'id="line-5"><span class="linenos">5</span><?[^\n]*ls', built.text(LAB))


def test_a_draft_beside_a_post_keeps_what_only_it_quotes(project: Make) -> None:
    site = project("labs")
    site.write("a-note/other.md", "---\ndate: 2026-01-05\n---\n# Other\n\nIt is {lab}`share`.\n")
    site.replace("a-note/index.md", "more\n", "other\n")
    (site.source / "a-note/more.md").unlink()
    assert site.build().warnings == []
    site.replace("a-note/other.md", "date:", "draft: true\ndate:")
    built = site.build()
    assert built.warnings == []
    assert built.files_with("12.5") == []
    assert built.files_with("share") == []
    assert built.tree() == site.build(to="clean").tree()


def test_no_link_lies_within_another(project: Make) -> None:
    site = project("labs")
    site.replace(
        "a-note/more.md",
        "It is {lab}`share`.",
        "[x {lab}`share`](index.md) {lab}`share`\n\n```{lab-source} power\n:caption: A [b](index.md) c\n```",
    )
    text = site.build().text("a-note/more.html")
    assert Links(text).hrefs.count("lab.html#value-share") == 1


@pytest.mark.parametrize("caption", ["[x]: http://a", "1. First", "***", "- a"])
def test_a_caption_is_a_line_of_text(project: Make, caption: str) -> None:
    site = project("labs")
    site.replace("a-note/index.md", ":name: code-power", f":name: code-power\n:caption: '{caption}'")
    built = site.build()
    assert built.warnings == []
    assert re.search(
        r'<div class="code-block-caption">(?!.*<(?:li|hr)).*class="writing-lab-link"', built.text(NOTE)
    )


def test_two_names_have_two_places(project: Make) -> None:
    site = project("labs")
    site.replace(
        "a-note/lab.json",
        '"time":',
        '"a_b": {"value": 1}, "a b": {"value": 2}, "a%20b": {"value": 3},\n  "time":',
    )
    site.replace("a-note/more.md", "It is", "{lab}`a b` {lab}`a_b` {lab}`a%20b`")
    built = site.build()
    assert built.warnings == []
    ids = Links(built.text(LAB)).ids
    assert len(ids) == len(set(ids))
    targets = [
        unquote(href.partition("#")[2])
        for href in Links(built.text("a-note/more.html")).hrefs
        if "lab.html" in href
    ]
    assert set(targets) <= set(ids)
    assert len(set(targets)) == 4


def test_a_lab_whose_page_has_the_address_of_another_is_reported(project: Make) -> None:
    site = project("labs")
    site.write("tags/x.md", "---\ndate: 2026-01-03\ntags: [lab]\norphan:\n---\n# X\n\n{lab}`v`\n")
    site.write("tags/lab.json", '{"v": {"value": 1}}\n')
    warnings = site.build("dirhtml").warnings
    assert any("the page of its lab and the generated page tags/lab" in line for line in warnings), warnings


def test_a_lab_that_its_note_does_not_mention_is_reported(project: Make) -> None:
    site = project("labs")
    site.write("silent/index.md", "---\ndate: 2026-01-09\norphan:\n---\n# Silent\n\nWords.\n")
    site.build()
    site.write("silent/lab.json", '{\n  "v": {"value": 1}\n}\n')
    site.write("silent/measured.json", "garbage")
    built = site.build()
    assert [line for line in built.warnings if "silent" in line and "toctree" not in line] == [
        "silent/index.md:1: WARNING: measured.json is not valid: Expecting value: line 1 column 1 (char 0); "
        "measure again, or mend it [writing.lab]",
        'silent/lab.json:2: WARNING: the value "v" is quoted in no page beside it; use it, or let the lab drop it '
        "[writing.lab]",
    ]
    assert built.tree() == site.build(to="clean").tree()
