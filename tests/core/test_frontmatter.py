"""H2: front matter found, read with positions, and checked to the end in one run."""

from __future__ import annotations

import pytest
from docutils.languages.en import bibliographic_fields
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.front_matter import front_matter_plugin

from sphinx_writing.core import fields
from sphinx_writing.core.blocks import Block, block_of
from sphinx_writing.core.fields import FOREIGN
from sphinx_writing.core.frontmatter import Scan, scan, scan_field_list
from sphinx_writing.core.inline import Span
from sphinx_writing.core.problems import Kind, Place, Problem
from sphinx_writing.core.records import FrontMatter

POST = "date: 2026-03-01\n"


def front(body: str) -> FrontMatter:
    """The front matter of a page with this block, in which nothing is wrong."""
    found = scan(f"---\n{body}---\n# Title\n", "post")
    assert found.problems == ()
    return found.front


def problems(body: str, *extra: str) -> list[Problem]:
    """What is wrong with a page that has this block."""
    return list(scan(f"---\n{body}---\n# Title\n", "post", frozenset(extra)).problems)


def problem(body: str) -> Problem:
    """The one thing wrong with a page that has this block."""
    (found,) = problems(body)
    assert found.docname == "post"
    return found


@pytest.mark.parametrize(
    ("source", "block"),
    [
        ("", None),
        ("# Title\n", None),
        ("text\n---\na: 1\n---\n", None),
        ("--\na: 1\n--\n", None),
        ("---\n\nA paragraph under a line.\n", None),
        ("---\nNote that this: is prose\n", None),
        ("---\n---\n", Block("")),
        ("---\na: 1\n---\n", Block("a: 1")),
        ("--- \na: 1\n---\t\nb: 2\n---\n", Block("a: 1")),
        ("---\na: 1\n...\n", Block("a: 1")),
        ("---\na: 1\n ---\n---\n", Block("a: 1")),
        ("----\na: 1\n---\nb: 2\n-----\n", Block("a: 1\n---\nb: 2")),
        ("--- # the front matter\na: 1\n---\n", Block("a: 1")),
        ("---\na: 1\n# Title\n", Block("a: 1\n# Title\n", closed=False)),
        ("---\nkey:", Block("key:", closed=False)),
    ],
)
def test_the_block_is_what_myst_takes_for_front_matter(source: str, block: Block | None) -> None:
    assert block_of(source) == block


FENCES = st.sampled_from(["---", "----", "--", " ---", "    ---", "--- ", "--- x", "...", "a: 1", "", "# b"])


@given(FENCES, st.lists(FENCES, max_size=6))
def test_the_block_agrees_with_the_parser_that_myst_uses(first: str, rest: list[str]) -> None:
    source = "\n".join([first, *rest, "end", ""])
    tokens = MarkdownIt().use(front_matter_plugin).parse(source)
    block = block_of(source)
    if tokens[0].type == "front_matter":
        assert block == Block(tokens[0].content)
    else:
        assert block is None or not block.closed


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_a_byte_order_mark_change_nothing(newline: str, mark: str) -> None:
    lines = ["---", "date: 2026-03-01", "tags:", "  - a", "tagz: b", "---", "# Title", ""]
    found = scan(mark + newline.join(lines), "post")
    assert found == scan("\n".join(lines), "post")
    assert found.front.tags == ("a",)
    assert [p.place for p in found.problems] == [Place(5, 1)]


@pytest.mark.parametrize("source", ["", "# Title\n", "---\n---\n", "---\n# only a comment\n---\n"])
def test_a_page_without_fields_has_empty_front_matter(source: str) -> None:
    found = scan(source, "page")
    assert found == Scan(FrontMatter())
    assert found.front.place("date") == Place(1)


def test_every_field_of_ours_is_read() -> None:
    body = """\
date: 2026-03-01
updated: 2026-03-02T10:00+09:00
summary: How *NCCL* picks `ring`.
tags: [KV Cache, "C++"]
prerequisites: infra/bus
draft: yes
authors: [Ada, Grace]
redirect_from: [old/nccl]
feed_id: first/nccl
image: plot.png
unlinked_terms: [cluster]
title: NCCL
series: infra
part: 4
"""
    read = front(body)
    assert read.date is not None
    assert read.date.iso == "2026-03-01T00:00:00+00:00"
    assert read.updated is not None
    assert read.updated.iso == "2026-03-02T10:00:00+09:00"
    assert read.summary == (
        Span("How "),
        Span("NCCL", "em"),
        Span(" picks "),
        Span("ring", "code"),
        Span("."),
    )
    assert (read.tags, read.prerequisites) == (("KV Cache", "C++"), ("infra/bus",))
    assert (read.draft, read.readable) == (True, True)
    assert (read.authors, read.redirect_from, read.image) == (("Ada", "Grace"), ("old/nccl",), "plot.png")
    assert read.feed_id == "first/nccl"
    assert read.unlinked_terms == ("cluster",)
    assert (read.title, read.series, read.part, read.series_info) == ("NCCL", "infra", 4, None)
    assert set(body.split()) >= {f"{name}:" for name in fields.DECODERS}


def test_every_value_has_its_place() -> None:
    read = front("date: 2026-03-01\ntags:\n  - one\n  -   two\nauthors: Ada\n")
    assert read.place("date") == Place(2, 7)
    assert [read.place(f"tags[{i}]") for i in range(2)] == [Place(4, 5), Place(5, 7)]
    assert read.place("authors[0]") == Place(6, 10)
    assert read.place("summary") == Place(1)


@pytest.mark.parametrize(
    ("title", "quoted"),
    [
        ("[Infra-16] vLLM KV Connector: x", '"[Infra-16] vLLM KV Connector: x"'),
        ("Foo: bar", '"Foo: bar"'),
        ("`code` first", '"`code` first"'),
        ("*all* you need", '"*all* you need"'),
        ("{x} y", '"{x} y"'),
        ("@home", '"@home"'),
        ("| pipe", '"| pipe"'),
        ("[unclosed", '"[unclosed"'),
        ("注意: 力", '"注意: 力"'),
        (r"a\b: c", r'"a\\b: c"'),
        ('say "no": never', r'"say \"no\": never"'),
        ('"KV" cache: a tour', r'"\"KV\" cache: a tour"'),
        ("'KV' cache", "\"'KV' cache\""),
    ],
)
def test_a_title_that_is_not_yaml_is_named_with_its_quoted_form(title: str, quoted: str) -> None:
    found = problem(f"title: {title}\n{POST}tags: [a]\n")
    assert (found.kind, found.place) == (Kind.FRONT_MATTER, Place(2, 8))
    assert f'the value of "title" must be quoted; write title: {quoted};' in found.message
    assert front(f"title: {quoted}\n").title == title


@pytest.mark.parametrize("title", ['"never closed', "'never closed"])
def test_a_quote_that_is_never_closed_is_not_told_to_be_quoted(title: str) -> None:
    found = problem(f"{POST}title: {title}\n")
    assert found.kind is Kind.FRONT_MATTER
    assert "must be quoted" not in found.message


def test_a_value_that_is_not_yaml_is_named_where_the_parser_stops_a_line_later() -> None:
    found = problem(f"{POST}title: [Infra-16] NCCL\ntags: [a]\n")
    assert found.place == Place(3, 8)
    assert '"title" must be quoted' in found.message


def test_a_bracket_that_is_never_closed_is_named_where_it_opens() -> None:
    found = problem(f"{POST}tags: [a\nsummary: one\nauthors: two\nimage: three\n")
    assert found.place.line == 3
    assert "tags" in found.message


def test_a_value_inside_a_mapping_is_named_with_its_quoted_form() -> None:
    found = problem("series:\n  key: infra\n  description: Parts: one and two\n")
    assert found.place == Place(4, 16)
    assert 'write description: "Parts: one and two"' in found.message


@pytest.mark.parametrize(
    ("body", "place", "part"),
    [
        ("date: 2026-03-01\n\ttags: a\n", Place(3, 1), "mend this line"),
        ("summary: one\n  two: three\n", Place(3, 6), "mapping values are not allowed here"),
        ("- a\n- b\n", Place(2, 1), 'write "field: value"'),
        ("only text\n", Place(2, 1), 'write "field: value"'),
        ("tags:\n  - a\x07b\n", Place(3, 6), "special characters are not allowed"),
        ('title: "\\U00110000"\n', Place(2), "cannot be read"),
        ('title: "\\UFFFFFFFF"\n', Place(2), "cannot be read"),
        ("a: 'x\ntitle: [\"\\U00110000\"\n' b: c\n", Place(4, 3), "not valid YAML"),
        ("a: " + "[" * 2000 + "\n", Place(2), "cannot be read"),
        ("a: " + "[" * 2000 + "]" * 2000 + "\n", Place(2), "cannot be read"),
        ("a: *nowhere\n", Place(2, 4), "nowhere"),
    ],
    ids=["tab", "mapping", "list", "text", "bell", "chr", "int", "nested chr", "open", "deep", "alias"],
)
def test_a_block_that_cannot_be_read_leaves_the_page_out(body: str, place: Place, part: str) -> None:
    found = scan(f"---\n{body}---\n", "post")
    assert found.front == FrontMatter(readable=False)
    (only,) = found.problems
    assert (only.kind, only.docname, only.place) == (Kind.FRONT_MATTER, "post", place)
    assert part in only.message
    assert only.message.endswith("; the page is left out until then")


@pytest.mark.parametrize("separator", ["\x85", "\u2028", "\u2029"])
def test_the_end_of_a_line_that_no_editor_shows_leaves_the_page_out(separator: str) -> None:
    found = problem(f'{POST}summary: "a{separator}b"\ntags: 5\n')
    assert (found.kind, found.place) == (Kind.FRONT_MATTER, Place(3, 12))
    assert f"{ord(separator):#06x}" in found.message


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_a_file_with_nul_characters_is_not_read_as_text(encoding: str) -> None:
    found = scan("---\ndraft: true\n---\n".encode(encoding).decode(), "post")
    assert not found.front.readable
    assert "save it as UTF-8" in found.problems[0].message
    assert found.problems[0].place.line == 1


def test_a_nul_character_is_named_with_its_place() -> None:
    found = scan(f"---\r\n{POST}---\r\n# Title\r\n\r\nab\0c", "post")
    assert found.problems[0].place == Place(6, 3)


@pytest.mark.parametrize("control", ["\x1b", "\x7f", "\x9b"])
def test_a_character_that_yaml_forbids_is_not_told_to_be_quoted(control: str) -> None:
    found = problem(f"{POST}title: a{control}b\n")
    assert found.place == Place(3, 9)
    assert "special characters are not allowed" in found.message


@pytest.mark.parametrize(
    "body",
    [
        'draft: "\\e[31mred\\nno"\n',
        'date: "\\e[31mred\\nno"\n',
        f'{POST}"zeb\\e[31mra\\nno": 1\n',
        f'{POST}part: "\\ud800"\n',
        f"{POST}title: \u202ea: b\n",
        f"{POST}series: {{key: a, 'b\u2067': c}}\n",
        f"{POST}? {'k' * 5000}\n: 1\n",
        f"draft: {'9' * 5000}\n",
        f"{POST}title: {'9' * 900}\n",
        f"{POST}x.y: *{'a' * 5000}\n",
    ],
)
def test_a_message_is_short_and_of_one_line_that_no_terminal_obeys(body: str) -> None:
    message = problem(body).message
    assert message.isprintable()
    assert len(message) < 450


def test_a_value_with_many_blanks_is_explained_as_fast_as_one_without() -> None:
    found = problem(f"{POST}title: a{' ' * 200_000}b: c\n")
    assert found.kind is Kind.FRONT_MATTER


def test_a_draft_mark_with_many_blanks_is_read_as_fast_as_one_without() -> None:
    assert len(scan_field_list(f":draft: a{' ' * 200_000}b\n", "post").problems[0].message) < 200


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("\u2060---\ndraft: true\n---\n", 1),
        ("\n\u200f---\ndraft: true\n---\n", 2),
        ("\x1b---\ndraft: true\n---\n", 1),
        ("--\ndate: 2026-03-01\n--\n", 1),
        ("\u2013\u2013\u2013\ndate: 2026-03-01\n\u2013\u2013\u2013\n", 1),
        ("<!-- x -->\n---\nx.y: 1\nd\u200bate: 2026-03-01\ntags: [a]\n---\n", 2),
        ("date: 2026-03-01\ndraft: true\n---\n# Title\n", 1),
        ("\n\ntitle: x\nog:image: x\n# a comment\ntags:\n- a\n\ndraft: true\n---\n", 3),
        ("---\ndate: 2026-03-01\n---\n---\ndraft: true\n---\n", 4),
        ("---\ndate: 2026-03-01\n---\n\n+++\ndraft = true\n+++\n", 5),
        ("---\ndate: 2026-03-01\n...\ndraft: true\n---\n", 4),
        ("---\ndate: 2026-03-01\nsummary: |\n  a\n  ---\n  b\ndraft: true\n---\n", 6),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_fields_that_stand_where_none_are_read_leave_the_page_out(
    source: str, line: int, newline: str
) -> None:
    found = scan(source.replace("\n", newline), "post")
    assert not found.front.readable
    assert [(p.kind, p.place.line) for p in found.problems] == [(Kind.FRONT_MATTER, line)]


@pytest.mark.parametrize(
    "source",
    [
        "# Notes\n\nDate: 2026-03-01\n\n---\n\nText.\n",
        "Date: 2026-03-01\n\nText.\n\n---\n",
        "Note: a heading\n---\n",
        "Summary: a heading\n---\n",
        "--\n\nText.\n",
        "- date: 1\n- draft: 2\n---\n",
        "---\ndate: 2026-03-01\n---\n---\n\nStatus: a line of text.\n",
        "---\ndate: 2026-03-01\n---\n# Title\n\ndraft: true\n---\n",
        "---\ndate: 2026-03-01\n---\nText.\ndraft: true\n---\n",
    ],
)
def test_lines_of_text_that_look_like_fields_are_text(source: str) -> None:
    assert scan(source, "page").problems == ()


def test_a_block_that_is_never_closed_leaves_the_page_out() -> None:
    found = scan("---\ndraft: true\n\n# Title\n", "post")
    assert not found.front.readable
    assert [(p.kind, p.place) for p in found.problems] == [(Kind.FRONT_MATTER, Place(1, 1))]
    assert 'end it with a line "---"' in found.problems[0].message


def aliases(levels: int, times: int) -> str:
    """Lists of lists of lists, each *times* times the one before it."""
    lines = (f"x.{i}: &l{i} [{', '.join([f'*l{i - 1}'] * times)}]\n" for i in range(1, levels))
    return "".join(["x.0: &l0 [lol]\n", *lines])


@pytest.mark.parametrize(
    ("body", "part"),
    [
        (aliases(30, 9), "longer than 100000 characters"),
        (aliases(30, 9) + "tags: *l29\n", "longer than 100000 characters"),
        (aliases(30, 9) + "myst: {title_to_header: *l29}\n", "longer than 100000 characters"),
        ("tags: &a [*a]\n", "longer than 100000 characters"),
        ("x.y: &a {b: *a}\n", "longer than 100000 characters"),
        (f"summary: {'word ' * 20_000}\n", "longer than 100000 characters"),
        (aliases(150, 1), "more than 100 deep"),
        (f"x.y: {'[' * 120}{']' * 120}\n", "more than 100 deep"),
    ],
    ids=["bomb", "tags", "configuration", "circle", "mapping", "summary", "chain", "brackets"],
)
def test_what_is_too_much_with_its_aliases_written_out_leaves_the_page_out(body: str, part: str) -> None:
    found = scan(f"---\n{POST}{body}---\n", "post")
    assert not found.front.readable
    assert (found.problems[-1].kind, found.problems[-1].place) == (Kind.FRONT_MATTER, Place(2, 1))
    assert part in found.problems[-1].message


def test_aliases_that_stay_small_are_written_out() -> None:
    assert problems(POST + aliases(4, 9) + "authors: *l0\n") == []


def test_an_alias_gives_the_value_it_stands_for() -> None:
    assert front("tags: &t [a, b]\nauthors: *t\n").authors == ("a", "b")


def test_a_tag_runs_nothing() -> None:
    found = problem("title: !!python/object/apply:os.system ['false']\n")
    assert "expected text, found a list; the page is left out until then" in found.message


@pytest.mark.parametrize(
    ("line", "column", "part"),
    [
        ("x.y: !!timestamp soon", 6, "a date (soon) is no value of the type !!timestamp"),
        ("x.y: !!bool maybe", 6, "yes or no (maybe) is no value of the type !!bool"),
        ("x.y: [one, !!int '']", 12, "empty text is no value of the type !!int"),
        ("x.y: !!float ''", 6, "empty text is no value of the type !!float"),
        ("x.y: 2026-02-30", 6, "a date (2026-02-30) is no value of the type !!timestamp"),
        (f"x.y: 0x{'f' * 5000}", 6, "is no value of the type !!int"),
        (f"x.y: 1{':59' * 400}.5", 6, "is no value of the type !!float"),
        ("x.y: !!binary a", 6, "is no value of the type !!binary"),
        ("x.y: !!python/name:os.system", 6, "is no value of the type !!python/name:os.system"),
        ("x.y: !!set [a]", 6, "expected a mapping node, but found sequence"),
        ("x.y: {<<: a}", 11, "expected a mapping or list of mappings for merging"),
        ("x.y: {[a]: b}", 7, "expected the name of a field, found a list"),
        ("x.y: {2026-01-01: b}", 7, "expected the name of a field, found a date (2026-01-01)"),
        ("? [a, b]\n: c", 3, "expected the name of a field, found a list"),
    ],
)
def test_a_value_that_myst_would_stop_at_leaves_the_page_out(line: str, column: int, part: str) -> None:
    found = scan(f"---\n{POST}{line}\n---\n", "post")
    assert not found.front.readable
    (only,) = found.problems
    assert (only.kind, only.place) == (Kind.FRONT_MATTER, Place(3, column))
    assert part in only.message
    assert only.message.endswith("; the page is left out until then")


def test_a_field_of_ours_that_myst_would_stop_at_is_reported_once_and_leaves_the_page_out() -> None:
    found = problem(f"{POST}updated: 2026-02-30\n")
    assert (found.kind, found.place) == (Kind.DATE, Place(3, 10))
    assert found.message.endswith("; the page is left out until then")


@pytest.mark.parametrize("merged", ["<<: {draft: true}\n", "base.x: &b {date: 2026-03-01}\n<<: *b\n"])
def test_a_merge_is_reported_on_every_page_since_it_is_not_read(merged: str) -> None:
    assert [p.kind for p in problems(merged)] == [Kind.FIELD]


@pytest.mark.parametrize("name", ["date", "tags", "other", '"date"'])
def test_a_field_written_twice_is_reported_and_the_first_counts(name: str) -> None:
    found = scan(f"---\n{name}: 2026-03-01\ntitle: x\n{name}: 2026-03-02\n---\n", "post")
    twice = [p for p in found.problems if "written twice" in p.message]
    assert [(p.kind, p.place) for p in twice] == [(Kind.FIELD, Place(4, 1))]
    assert "first on line 2" in twice[0].message
    assert found.front.date is None or found.front.date.day.day == 1


@pytest.mark.parametrize("name", sorted(FOREIGN) + sorted(bibliographic_fields))
def test_fields_of_sphinx_and_myst_pass(name: str) -> None:
    value = {"date": "2026-03-01"}.get(name, "x")
    assert problems(f"{POST if name != 'date' else ''}{name}: {value}\n") == []


@pytest.mark.parametrize("name", ["og:image", "html_theme.sidebar", "og:description"])
def test_fields_with_a_dot_or_a_colon_pass(name: str) -> None:
    assert problems(f"{POST}{name}: x\n") == []


@pytest.mark.parametrize(
    ("name", "message"),
    [("tagz", 'did you mean "tags"?'), ("Sumary", 'did you mean "summary"?'), ("zebra", "known: ")],
)
def test_an_unknown_field_of_a_post_is_reported_with_the_nearest(name: str, message: str) -> None:
    found = problem(f"{POST}{name}: x\n")
    assert (found.kind, found.place) == (Kind.FIELD, Place(3, 1))
    assert f'unknown field "{name}"; {message}' in found.message


def test_an_unknown_field_of_a_series_page_is_reported() -> None:
    assert problem("series: {key: infra}\nzebra: 1\n").kind is Kind.FIELD


@pytest.mark.parametrize(("name", "count"), [("tagz", 0), ("dates", 1), ("zebra", 0), ("subtitle", 0)])
def test_of_other_pages_only_what_may_have_made_it_a_post_is_reported(name: str, count: int) -> None:
    assert len(problems(f"{name}: x\n")) == count


@pytest.mark.parametrize(
    "name",
    [
        "date\u200b",
        "d\u200ba\u200bt\u200be",
        "\u202edate",
        "\uff44\uff41\uff54\uff45",
        "d\u0430t\u0435",
        '"date "',
    ],
)
def test_a_field_that_only_looks_like_a_date_leaves_the_page_out(name: str) -> None:
    found = scan(f"---\n{name}: 2026-03-01\n---\n", "post")
    assert not found.front.readable
    assert 'did you mean "date"?; the page is left out until then' in found.problems[0].message


@pytest.mark.parametrize("name", ["\u0434\u0430\u0442\u0430", "\u65e5\u671f", "na\u00efve"])
def test_a_field_in_another_script_is_no_slip(name: str) -> None:
    assert problems(f"{name}: 2026-03-01\n") == []


@pytest.mark.parametrize("name", ["Draft", "darft", "drafts", "draf"])
@pytest.mark.parametrize("rest", ["", POST])
def test_a_page_whose_draft_mark_is_misspelt_is_left_out(name: str, rest: str) -> None:
    found = scan(f"---\n{rest}{name}: true\n---\n", "post")
    assert not found.front.readable
    (wrong,) = found.problems
    assert wrong.message.endswith('did you mean "draft"?; the page is left out until then')


def test_extra_fields_pass() -> None:
    assert problems(f"{POST}zebra: 1\n", "zebra") == []


@pytest.mark.parametrize(
    "line",
    [
        "date: 20260301",
        "date: 2026-13-45",
        "date: yes",
        "date:",
        "date: [2026-03-01]",
        "draft: maybe",
        "draft:",
        'draft: "true"',
        "draft: !!bool maybe",
    ],
)
def test_a_date_or_draft_that_means_nothing_leaves_the_page_out(line: str) -> None:
    found = scan(f"---\ntitle: x\n{line}\n---\n", "post")
    assert not found.front.readable
    assert found.front.title == "x"
    (only,) = found.problems
    assert only.place.line == 3
    assert only.message.startswith(f'"{line.partition(":")[0]}": ')
    assert only.message.endswith("; the page is left out until then")


def test_another_field_that_means_nothing_does_not_leave_the_page_out() -> None:
    found = scan("---\ndate: 2026-03-01\nupdated: 7\ntags: [a]\n---\n", "post")
    assert found.front.readable
    assert (found.front.updated, found.front.tags) == (None, ("a",))
    assert [(p.kind, p.place) for p in found.problems] == [(Kind.DATE, Place(3, 10))]


def test_all_that_is_wrong_is_reported_in_one_run() -> None:
    found = problems("date: 2026-13-01\npart: x\ntags: 5\nzebra: 1\n")
    assert [(p.kind, p.place.line) for p in found] == [
        (Kind.DATE, 2),
        (Kind.VALUE, 3),
        (Kind.VALUE, 4),
        (Kind.FIELD, 5),
    ]


@pytest.mark.parametrize("name", ["tags", "authors", "prerequisites", "redirect_from"])
def test_every_wrong_entry_of_a_list_is_reported_and_the_others_count(name: str) -> None:
    found = scan(f"---\n{POST}{name}: [1, ok, [x]]\n---\n", "post")
    column = len(name)
    assert [p.place for p in found.problems] == [Place(3, column + 4), Place(3, column + 11)]
    assert getattr(found.front, name) == ("ok",)
    assert found.front.place(f"{name}[0]") == Place(3, column + 7)


def test_every_wrong_field_of_a_series_is_reported_and_the_others_count() -> None:
    found = scan("---\nseries:\n  key: infra\n  lable: Infra\n  status: done\n---\n", "infra/index")
    assert [(p.kind, p.place) for p in found.problems] == [
        (Kind.FIELD, Place(4, 3)),
        (Kind.VALUE, Place(5, 11)),
    ]
    assert found.front.series_info is not None
    assert found.front.series_info.key == "infra"


LINES = st.lists(
    st.sampled_from(
        [
            "---",
            "...",
            "date: 2026-03-01",
            "draft: true",
            "tags: [a",
            "- a",
            "  b: c",
            "<<: *x",
            "x: &x [*x]",
            "a: |",
        ]
    )
    | st.from_regex(r"[a-z]{1,3}: ?.{0,6}", fullmatch=True)
).map("\n".join)


@given(st.text() | LINES)
def test_scanning_never_fails_and_an_unreadable_page_always_has_a_problem(text: str) -> None:
    for source in (text, f"---\n{text}\n---\n"):
        found = scan(source, "post")
        assert found.front.readable or found.problems
        assert all(p.place.line >= 1 for p in found.problems)


@given(st.lists(st.tuples(st.sampled_from(["date", "tags", "draft", "zebra", "a.b"]), st.integers(1, 9))))
def test_no_field_is_accepted_twice(pairs: list[tuple[str, int]]) -> None:
    found = scan("---\n" + "".join(f"{name}: {value}\n" for name, value in pairs) + "---\n", "post")
    names = [name for name, _ in pairs]
    assert sum("written twice" in p.message for p in found.problems) == len(names) - len(set(names))
