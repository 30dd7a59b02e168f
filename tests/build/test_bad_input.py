"""Bad input: one message each, with file, line, column, value, expectation and remedy; the rest goes on."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sphinx.errors import ConfigError

from .conftest import Project
from .test_cases import cards

Make = Callable[[str], Project]
GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "extension.md"


def test_front_matter_at_fault(project: Make) -> None:
    built = project("front-matter-at-fault").build()
    assert built.warnings == [
        'a.md:3:1: WARNING: unknown field "tagz"; did you mean "tags"? [writing.field]',
        "b.md:2:7: WARNING: \"date\": '2026-02-30' is no date: day is out of range for month; expected a day "
        "such as 2026-03-01 or an instant such as 2026-03-01T09:30:00+09:00; the page is left out until then [writing.date]",
        'c.md:3:8: WARNING: "tags": expected text, found a number (1); quote it: "1" [writing.value]',
        'c.md:4:10: WARNING: "summary": expected text, found a number (7); quote it: "7" [writing.value]',
        'c.md:5:7: WARNING: "part": expected a whole number from 1, found text (two) [writing.value]',
        "c.md:6:10: WARNING: \"updated\": 'yesterday' is no date: expected a day such as 2026-03-01 or an instant "
        "such as 2026-03-01T09:30:00+09:00 [writing.date]",
        'd.md:3:1: WARNING: "date" is written twice (first on line 2); remove one; the page is left out until then [writing.field]',
        'e.md:3:8: WARNING: "draft": expected true or false, found text (perhaps); '
        "the page is left out until then [writing.value]",
    ]
    assert built.files_with("ZEBRA") == []
    assert cards(built.text("index.html")) == ["A", "C"]


def test_series_at_fault(project: Make) -> None:
    built = project("series-at-fault").build()
    assert built.warnings == [
        'empty/index.md:3:3: WARNING: series "empty" has no published posts; list some in a toctree here, '
        'or add "draft: true" [writing.series]',
        'one/a.md:3:9: WARNING: "series" says "two", but series "one" lists this page; the toctree counts '
        "[writing.part]",
        'one/b.md:1: WARNING: series "one" lists this page, but it has no "date"; add one, or "draft: true" '
        "[writing.date]",
        'twin/c.md:3:8: WARNING: "title" says "Sea", the heading says "C"; the heading counts, so remove "title" '
        "[writing.part]",
        'twin/index.md:3:3: WARNING: series key "one" is taken by "one/index"; choose another [writing.series]',
        'two/index.md:3:3: WARNING: series "two" has no published posts; list some in a toctree here, '
        'or add "draft: true" [writing.series]',
        'two/index.md:11: WARNING: "one/a" is listed by series "one" already; list it in one series only '
        "[writing.series]",
    ]
    assert cards(built.text("one/index.html")) == ["A", "B"]
    assert cards(built.text("index.html")) == ["A", "C", "B"]


def test_messages_come_back_in_every_build(project: Make) -> None:
    site = project("series-at-fault")
    first = site.build().warnings
    assert site.build().warnings == first


def test_lab_values_at_fault(project: Make) -> None:
    built = project("lab-values").build()
    assert built.warnings == [
        'bad/index.md:6: WARNING: lab.json has no value "tme"; did you mean "time"? [writing.lab]',
        'bad/index.md:6: WARNING: ".1q" is no format specification; use one such as ".1f" [writing.lab]',
        "none/index.md:6: WARNING: there is no lab.json beside this page; write one with its lab [writing.lab]",
    ]
    values = "311.6\u00a0µs, 65.83%, 1,234,567, 0.01235\u00a0GB/s, ring."
    assert values in re.sub(r"</?(?:span|a)[^>]*>", "", built.text("good/index.html"))
    assert "tme</span></code>" in built.text("bad/index.html")


@pytest.mark.parametrize("broken", ["{", '{"time": {"value": NaN, "unit": ""}}', '{"time": 3}', "[]"])
def test_a_broken_lab_file(project: Make, broken: str) -> None:
    site = project("lab-values")
    site.write("good/lab.json", broken)
    warnings = [line for line in site.build().warnings if line.startswith("good/")]
    assert len(warnings) == 1
    assert "recompute it [writing.lab]" in warnings[0]


def test_a_changed_lab_value_reaches_its_page(project: Make) -> None:
    site = project("lab-values")
    site.build()
    site.replace("good/lab.json", "311.6", "312.7")
    assert "312.7" in site.build().text("good/index.html")


def test_lists_at_fault(project: Make) -> None:
    built = project("lists-at-fault").build()
    assert built.warnings == [
        "index.md:10: WARNING: 'writing': Invalid option value for 'style': carousel: \"carousel\" unknown; "
        'choose from "cards", "list", "series", "sentence", "paths", or "bibtex" [myst.directive_option]',
        'index.md:13: WARNING: no published post "A"; did you mean "a"? [writing.post]',
        'index.md:13: WARNING: no published post "nowhere"; known: a [writing.post]',
        'index.md:3: WARNING: no published post has series "infra", so this list is empty; there is none yet '
        "[writing.post]",
        'index.md:3: WARNING: no published post has tag "kv", so this list is empty; known: kv-cache [writing.post]',
        'index.md:3: WARNING: no published post has year "1999", so this list is empty; known: 2026 [writing.post]',
    ]
    assert "No posts yet." in built.text("index.html")
    link = re.search(
        r'href="a.html"[^>]*><span class="([^"]*)">the note</span></a>', built.text("index.html")
    )
    assert link
    assert "writing-post" in link[1]


def test_a_link_to_a_draft_is_one_warning(project: Make) -> None:
    site = project("one-draft")
    site.replace("infra/one.md", "Some words", "{post}`infra/two` has words")
    built = site.build()
    assert built.warnings == [
        'infra/one.md:7: WARNING: no published post "infra/two"; it is withheld (draft) [writing.post]'
    ]
    assert built.files_with("ZEBRA") == []


def test_a_document_takes_the_name_of_a_generated_page(project: Make) -> None:
    built = project("names-taken").build()
    assert built.warnings == [
        "tags/index.md:1: WARNING: this document takes the address of the generated page tags/index; move it "
        "[writing.address]"
    ]
    assert '<h1 id="my-tags">My tags' in built.text("tags/index.html")


def test_a_file_that_is_not_utf_8(project: Make) -> None:
    site = project("order-is-not-date-order")
    (site.source / "outside.md").write_bytes(b"---\ndate: 2026-01-01\n---\n# Caf\xe9\n")
    assert site.build().warnings[0] == (
        "outside.md:4: WARNING: this file is not UTF-8 (byte 0xe9); save it as UTF-8; "
        "the page is left out until then [writing.front-matter]"
    )


def test_a_post_without_a_title(project: Make) -> None:
    site = project("order-is-not-date-order")
    site.write("outside.md", "---\ndate: 2026-02-15\n---\n\nNo heading here.\n")
    built = site.build()
    assert (
        'outside.md:1: WARNING: this post has no title; begin its text with a heading such as "# Title" '
        "[writing.value]"
    ) in built.warnings
    assert "outside" in cards(built.text("index.html"))


def test_the_root_page_is_never_withheld(project: Make) -> None:
    site = project("order-is-not-date-order")
    site.replace("index.md", "# Home", "---\ndraft: perhaps\n---\n# Home")
    built = site.build()
    assert any("index.md:2:8" in line and "[writing.value]" in line for line in built.warnings)
    assert '<h1 id="home">Home' in built.text("index.html")


@pytest.mark.parametrize("value", ["soon", "2026-13-01"])
def test_a_clock_that_cannot_be_read(project: Make, value: str) -> None:
    with pytest.raises(ConfigError, match="writing_as_of"):
        project("order-is-not-date-order").build(writing_as_of=value)


def test_the_clock_of_the_environment(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    site = project("order-is-not-date-order")
    site.replace("conf.py", 'writing_as_of = "2026-11-30"\n', "")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1770681600")  # 2026-02-10
    assert cards(site.build().text("index.html")) == ["Three", "One"]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(ConfigError, match="SOURCE_DATE_EPOCH"):
        site.build()


def test_markup_in_titles_and_fields_is_escaped(project: Make) -> None:
    site = project("order-is-not-date-order")
    script = "<script>alert(1)</script>"
    site.write(
        "outside.md",
        f"---\ndate: 2026-02-15\nsummary: 'A {script}'\ntags: ['{script}']\n---\n# Out `{script}` & about\n\nText.\n",
    )
    built = site.build()
    assert built.warnings == []
    assert [name for name in built.files_with(script) if name.endswith(".html")] == []
    assert "&lt;script&gt;" in built.text("index.html")


def test_the_exit_status_says_so_and_everything_is_still_checked(project: Make) -> None:
    site = project("front-matter-at-fault")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", str(site.source), str(site.folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("WARNING") == done.stderr.count("[writing.") == 8


OPTIONS = re.findall(r"^\| `(writing_\w+)` \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)


WRONG = [
    (name, value)
    for name in OPTIONS
    for value in ("None", "3.5", "object()", "[object()]")
    if not (
        name in ("writing_as_of", "writing_feeds", "writing_sitemap") and value == "None"
    )  # their default
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_every_value_of_the_guide_refuses_what_it_cannot_use(project: Make, name: str, value: str) -> None:
    site = project("order-is-not-date-order")
    site.replace("conf.py", "project", f"{name} = {value}\nproject")
    with pytest.raises(ConfigError, match=rf"{name}\b.* in conf.py: "):
        site.build()


def test_a_misspelt_value_is_reported_in_every_build(project: Make) -> None:
    site = project("order-is-not-date-order")
    site.replace("conf.py", "project", 'writing_serch = "pagefind"\nproject')
    said = '"writing_serch" is no value that is read; did you mean "writing_search"? [writing.config]'
    line = site.source.joinpath("conf.py").read_text(encoding="utf-8").splitlines()
    at = next(i for i, text in enumerate(line, 1) if text.startswith("writing_serch"))
    assert site.build().warnings == [f"conf.py:{at}: WARNING: {said}"]
    assert site.build().warnings == [f"conf.py:{at}: WARNING: {said}"]
    assert site.build(suppress_warnings=["writing.config"]).warnings == []
