"""Values of front matter fields: what fits, and what is said of what does not."""

from __future__ import annotations

import pytest
import yaml
from yaml.nodes import MappingNode, Node

from sphinx_writing.core import fields
from sphinx_writing.core.fields import FieldError
from sphinx_writing.core.frontmatter import scan
from sphinx_writing.core.inline import Span
from sphinx_writing.core.problems import Kind, Place
from sphinx_writing.core.records import FrontMatter, SeriesInfo


def node(value: str) -> Node:
    """The YAML node of *value*."""
    root = yaml.compose(f"x: {value}", Loader=yaml.SafeLoader)
    assert isinstance(root, MappingNode)
    found = root.value[0][1]
    assert isinstance(found, Node)
    return found


def front(body: str) -> FrontMatter:
    """The front matter of a page that has this block."""
    return scan(f"---\n{body}---\n", "infra/index").front


def errors(body: str) -> list[tuple[Kind, str]]:
    """The kind and message of each problem of a page that has this block."""
    return [(p.kind, p.message) for p in scan(f"---\n{body}---\n", "infra/index").problems]


@pytest.mark.parametrize(
    ("value", "read"), [("a b", "a b"), ("'  7 '", "7"), ('"yes"', "yes"), ("2026-3-1", "2026-3-1")]
)
def test_text_is_read_without_blanks_around_it(value: str, read: str) -> None:
    assert fields.text(node(value)) == read


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("7", 'expected text, found a number (7); quote it: "7"'),
        ("1.5", 'expected text, found a number (1.5); quote it: "1.5"'),
        ("yes", 'expected text, found yes or no (yes); quote it: "yes"'),
        ("2026-03-01", 'expected text, found a date (2026-03-01); quote it: "2026-03-01"'),
        ("", "expected text, found empty"),
        ('""', "expected text, found empty"),
        ("'  '", "expected text, found empty"),
        ("[a]", "expected text, found a list"),
        ("{a: b}", "expected text, found a mapping"),
    ],
)
def test_what_is_no_text_says_what_was_found(value: str, message: str) -> None:
    with pytest.raises(FieldError) as caught:
        fields.text(node(value))
    assert str(caught.value).startswith(message)
    assert caught.value.kind is Kind.VALUE


@pytest.mark.parametrize("value", [r'"\u200b"', "\u200b\u2060", "\u00ad"])
def test_what_cannot_be_seen_is_no_text(value: str) -> None:
    with pytest.raises(FieldError, match="expected text"):
        fields.text(node(value))


def test_a_text_is_one_line() -> None:
    assert fields.text(node(r'"one \n two\r\nthree\L four\tfive"')) == "one two three four\tfive"


def test_a_text_has_a_length_that_a_list_of_posts_can_show() -> None:
    assert len(fields.text(node("w" * 1000))) == 1000
    with pytest.raises(FieldError, match="expected at most 1000 characters, found 1001; shorten it"):
        fields.text(node("w" * 1001))


@pytest.mark.parametrize("value", ["!!binary aGk=", "!local one", "!!python/name:os one"])
def test_a_tagged_value_is_named_with_its_tag(value: str) -> None:
    with pytest.raises(FieldError) as caught:
        fields.text(node(value))
    assert f"found a value tagged {value.split()[0]}" in str(caught.value)


@pytest.mark.parametrize(
    "value", [r'"\ud83d"', r'"a\0b"', r'"\x07"', r'"\uffff"', "a\u202eb", "\u2067a", r'"\u202a"']
)
def test_what_no_page_can_hold_is_no_text(value: str) -> None:
    with pytest.raises(FieldError, match="expected text"):
        fields.text(node(value))


def test_a_long_value_is_cut_in_the_message() -> None:
    with pytest.raises(FieldError) as caught:
        fields.number(node("word " * 60))
    assert len(str(caught.value)) < 130
    assert "…" in str(caught.value)


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("true", True),
        ("True", True),
        ("yes", True),
        ("on", True),
        ("false", False),
        ("NO", False),
        ("off", False),
    ],
)
def test_yaml_truth_is_read(value: str, read: bool) -> None:
    assert fields.boolean(node(value)) is read


@pytest.mark.parametrize("value", ["1", "'true'", "", "[true]", "y", "!!bool ture"])
def test_what_is_neither_true_nor_false_is_refused(value: str) -> None:
    with pytest.raises(FieldError, match="expected true or false, found "):
        fields.boolean(node(value))


@pytest.mark.parametrize(("value", "read"), [("1", 1), ("16", 16), ("999999", 999_999)])
def test_a_part_is_a_whole_number(value: str, read: int) -> None:
    assert fields.number(node(value)) == read


@pytest.mark.parametrize(
    "value", ["0", "-1", "010", "1.5", "'3'", "0x1f", "1_000", "1000000", "three", "", "[1]"]
)
def test_what_is_no_part_is_refused(value: str) -> None:
    with pytest.raises(FieldError, match="expected a whole number from 1, found "):
        fields.number(node(value))


def test_a_list_without_brackets_is_refused() -> None:
    found = scan("---\ndate: 2026-03-01\ntags: one, two\n---\n", "post")
    assert [p.message for p in found.problems] == [
        '"tags": expected a list, found text with a comma; write tags: [one, two]'
    ]


def test_a_list_is_read_with_the_place_of_each_entry() -> None:
    read = front('tags: [a, "b, c"]\n')
    assert read.tags == ("a", "b, c")
    assert [read.places[f"tags[{i}]"] for i in range(2)] == [Place(2, 8), Place(2, 11)]


@pytest.mark.parametrize(
    ("value", "read"), [("[]", ()), ("one", ("one",)), ("'one, two'", ("one, two",)), ("[Café]", ("Café",))]
)
def test_a_list_may_be_empty_or_one_text(value: str, read: tuple[str, ...]) -> None:
    assert front(f"tags: {value}\n").tags == read


@pytest.mark.parametrize(
    "value", ["2026-03-01", "2026-03-01 09:30:00", "2026-03-01T09:30:00+09:00", '"2026-03-01"']
)
def test_four_kinds_of_date_are_accepted(value: str) -> None:
    assert fields.stamp(node(value)).day.isoformat() == "2026-03-01"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("20260301", "expected a day such as 2026-03-01 or an instant .*, found a number .20260301."),
        ("2026-13-45", "'2026-13-45' is no date: month must be in 1..12"),
        ("2026-02-30", "'2026-02-30' is no date: day is out of range"),
        ("32 May 2024", "'32 May 2024' is no date: expected a day"),
        ("0001-01-01T00:00+01:00", "is no date: "),
        ("yes", "found yes or no"),
        ("", "found empty"),
        ("[2026-03-01]", "found a list"),
    ],
)
def test_a_fifth_kind_of_date_is_refused(value: str, message: str) -> None:
    with pytest.raises(FieldError, match=message) as caught:
        fields.stamp(node(value))
    assert caught.value.kind is Kind.DATE


def test_a_series_is_a_key_in_a_post_and_a_mapping_on_its_page() -> None:
    in_a_post, on_its_page = front("series: infra\n"), front("series: {key: infra}\n")
    assert (in_a_post.series, in_a_post.series_info) == ("infra", None)
    assert (on_its_page.series, on_its_page.series_info) == ("", SeriesInfo("infra", "infra"))


def test_a_series_page_names_all_there_is_to_say() -> None:
    value = (
        "{key: llm-101, label: LLM, category: ML, numbered: no, description: From *zero*, status: complete}"
    )
    assert front(f"series: {value}\n").series_info == SeriesInfo(
        key="llm-101",
        label="LLM",
        category="ML",
        numbered=False,
        description=(Span("From "), Span("zero", "em")),
        status="complete",
    )


@pytest.mark.parametrize(
    ("value", "kind", "message"),
    [
        ("{label: Infra}", Kind.VALUE, 'a series needs a "key"'),
        ("{key: Infra}", Kind.VALUE, '"Infra" is no key'),
        ("{key: in--fra}", Kind.VALUE, '"in--fra" is no key'),
        ("{key: in/fra}", Kind.VALUE, '"in/fra" is no key'),
        ("{key: 7}", Kind.VALUE, "expected text, found a number"),
        ("{key: infra, status: done}", Kind.VALUE, 'unknown status "done"; expected ongoing or complete'),
        ("{key: infra, numbered: 1}", Kind.VALUE, "expected true or false"),
        ("{key: infra, lable: x}", Kind.FIELD, 'unknown field "lable"; did you mean "label"?'),
        ("{key: infra, [a]: x}", Kind.FIELD, 'unknown field ""'),
        ("{key: infra, key: llm}", Kind.FIELD, '"key" is written twice'),
    ],
)
def test_a_series_that_does_not_fit_is_reported(value: str, kind: Kind, message: str) -> None:
    (found,) = errors(f"x.y: z\nseries: {value}\n")
    assert found[0] is kind
    assert message in found[1]
