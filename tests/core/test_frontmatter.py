"""H2: front matter found, read with positions, and checked to the end in one run."""

from __future__ import annotations

import pytest
from docutils.languages.en import bibliographic_fields
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.front_matter import front_matter_plugin

from sphinx_writing.core import fields
from sphinx_writing.core.frontmatter import FOREIGN, Block, Scan, block_of, scan
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
image: plot.png
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


def test_a_block_that_is_never_closed_leaves_the_page_out() -> None:
    found = scan("---\ndraft: true\n\n# Title\n", "post")
    assert not found.front.readable
    assert [(p.kind, p.place) for p in found.problems] == [(Kind.FRONT_MATTER, Place(1, 1))]
    assert 'end it with a line "---"' in found.problems[0].message


def test_aliases_are_not_multiplied() -> None:
    levels = "".join(f"x.{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 9)}]\n" for i in range(1, 30))
    assert problems(f"x.0: &l0 [lol]\n{levels}{POST}") == []


def test_an_alias_to_itself_is_reported() -> None:
    assert "expected text, found a list" in problem("tags: &a [*a]\n").message


def test_an_alias_gives_the_value_it_stands_for() -> None:
    assert front("tags: &t [a, b]\nauthors: *t\n").authors == ("a", "b")


def test_a_tag_runs_nothing() -> None:
    found = problem("title: !!python/object/apply:os.system ['false']\n")
    assert "expected text, found a list" in found.message


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
