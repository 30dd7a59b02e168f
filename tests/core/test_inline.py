"""Short marked-up text: parsed, folded, printed, cut."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sphinx_writing.core import inline
from sphinx_writing.core.inline import Inline, Mark, Span

MARKS: list[Mark] = ["", "code", "em", "strong", "math", "title"]
SPANS = st.builds(Span, st.text("ab .!?\n。<", max_size=12), st.sampled_from(MARKS))


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("", ()),
        ("  plain \n text ", (Span("plain text"),)),
        ("one\n\ntwo", (Span("one two"),)),
        ("a\\\nb", (Span("a b"),)),
        ("run `nccl-tests  -b 8`", (Span("run "), Span("nccl-tests -b 8", "code"))),
        ("$x^2$ grows", (Span("x^2", "math"), Span(" grows"))),
        ("*a* b", (Span("a", "em"), Span(" b"))),
        ("**a *b* c**", (Span("a ", "strong"), Span("b", "em"), Span(" c", "strong"))),
        ("see [the *log*](https://x.y/z)", (Span("see the "), Span("log", "em"))),
        ("![a plot](p.svg) here", (Span("a plot here"),)),
        ("<b>x</b> &amp; y", (Span("<b>x</b> & y"),)),
        ("`a``b`", (Span("a``b", "code"),)),
    ],
)
def test_a_paragraph_of_markdown_becomes_spans(text: str, spans: Inline) -> None:
    assert inline.parse(text) == spans


@given(st.text())
def test_parsing_never_fails_and_its_result_is_tidy(text: str) -> None:
    spans = inline.parse(text)
    assert all(span.text for span in spans)
    assert spans == inline.tidy(list(spans))


def test_tidy_joins_neighbours_and_folds_white_space() -> None:
    spans = [
        Span(" a"),
        Span("\n"),
        Span(" b"),
        Span("x  y", "math"),
        Span("", "code"),
        Span(" c "),
        Span(" "),
    ]
    assert inline.tidy(spans) == (Span("a b"), Span("x  y", "math"), Span(" c"))


def test_tidy_keeps_neighbouring_code_apart() -> None:
    spans = (Span("a", "code"), Span("b", "code"))
    assert inline.tidy(list(spans)) == spans


@given(st.lists(SPANS))
def test_tidying_twice_changes_nothing(spans: list[Span]) -> None:
    once = inline.tidy(spans)
    assert inline.tidy(list(once)) == once


@given(st.lists(SPANS))
def test_tidying_loses_only_white_space(spans: list[Span]) -> None:
    before, after = inline.plain(tuple(spans)), inline.plain(inline.tidy(spans))
    assert (
        before.split() == after.split() or before.replace(" ", "").split() == after.replace(" ", "").split()
    )
    assert "".join(before.split()) == "".join(after.split())


def test_plain_text_keeps_code_and_tex_readable() -> None:
    assert inline.plain(inline.parse("Set `N` to $2^k$, *now*")) == "Set N to 2^k, now"


@pytest.mark.parametrize(
    ("spans", "html"),
    [
        ((Span("<script>&"),), "&lt;script&gt;&amp;"),
        ((Span("a<b", "code"), Span(" c")), "<code>a&lt;b</code> c"),
        ((Span("a", "em"), Span("b", "strong")), "<em>a</em><strong>b</strong>"),
        ((Span("x<y", "math"),), "x&lt;y"),
        ((Span("infra/nccl", "title"),), "infra/nccl"),
    ],
)
def test_html_is_escaped(spans: Inline, html: str) -> None:
    assert inline.html(spans) == html


def test_html_asks_for_markup_of_math_only() -> None:
    spans = (Span("x", "math"), Span("y", "code"))
    assert inline.html(spans, math=lambda tex: f"<math>{tex}</math>") == "<math>x</math><code>y</code>"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("infra/nccl", (Span("see NCCL "), Span("fast", "em"))),
        ("infra/bus", (Span("see Bus"),)),
        ("infra/gone", (Span("see …"),)),
    ],
)
def test_a_waiting_title_becomes_the_title_of_its_document(name: str, expected: Inline) -> None:
    titles: dict[str, Inline] = {
        "infra/nccl/index": (Span("NCCL "), Span("fast", "em")),
        "infra/bus": (Span("Bus"),),
    }
    assert inline.resolve((Span("see "), Span(name, "title")), titles) == expected


@pytest.mark.parametrize(
    ("text", "limit", "cut"),
    [
        ("short", 5, "short"),
        ("alpha beta gamma", 12, "alpha beta…"),
        ("alpha beta, gamma", 13, "alpha beta…"),
        ("alphabetagamma", 8, "alphabe…"),
        ("a betagammadelta", 8, "a betag…"),
        ("注意力机制与位置编码", 6, "注意力机制…"),
        ("ab", 1, "…"),
    ],
)
def test_cut_text_ends_at_a_word_where_there_is_one(text: str, limit: int, cut: str) -> None:
    assert inline.cut(text, limit) == cut


@given(st.text("abc ,;:é"), st.integers(1, 30))
def test_cut_text_is_a_beginning_within_the_limit(text: str, limit: int) -> None:
    cut = inline.cut(text, limit)
    assert len(cut) <= limit
    if len(text) <= limit:
        assert cut == text
    else:
        assert cut.endswith("…")
        assert text.startswith(cut[:-1])


@given(st.lists(st.text("abc", min_size=1, max_size=6), min_size=1).map(" ".join), st.integers(16, 40))
def test_cut_text_ends_at_a_word(text: str, limit: int) -> None:
    assume(len(text) > limit)
    assert text.removeprefix(inline.cut(text, limit).removesuffix("…"))[0] == " "


LINK = Span("infra/nccl", "title")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([], [], [LINK]),
        ([Span("One. See ")], [Span(" now. Two.")], [Span("See "), LINK, Span(" now.")]),
        ([Span("One! Two? See ")], [Span("! Then.")], [Span("See "), LINK, Span("!")]),
        (
            [Span("Version 3.5 of ")],
            [Span(" is v2.0 here.")],
            [Span("Version 3.5 of "), LINK, Span(" is v2.0 here.")],
        ),
        ([Span("前。")], [Span("。")], [LINK, Span("。")]),
        ([Span("前。见")], [Span("。后。")], [Span("见"), LINK, Span("。")]),
        (
            [Span("One. With "), Span("a. b", "code"), Span(" see ")],
            [Span(" and "), Span("c. d", "math"), Span(" end. Two.")],
            [
                Span("With "),
                Span("a. b", "code"),
                Span(" see "),
                LINK,
                Span(" and "),
                Span("c. d", "math"),
                Span(" end."),
            ],
        ),
        (
            [Span("One. "), Span("two", "em"), Span(" ")],
            [Span(".")],
            [Span("two", "em"), Span(" "), LINK, Span(".")],
        ),
    ],
)
def test_the_sentence_around_a_span_ends_at_full_stops_outside_code(
    before: list[Span], after: list[Span], expected: list[Span]
) -> None:
    assert inline.sentence_around((*before, LINK, *after), len(before)) == tuple(expected)


def test_a_sentence_ends_at_the_end_of_a_source_line() -> None:
    """Docutils keeps the line break of the source as a text of its own."""
    spans = (Span("First."), Span("\n"), Span("See "), LINK, Span("."), Span("\n"), Span("Third."))
    assert inline.sentence_around(spans, 3) == (Span("See "), LINK, Span("."))


@given(st.lists(SPANS), st.lists(SPANS))
def test_the_sentence_around_a_span_holds_it_and_comes_from_the_text(
    before: list[Span], after: list[Span]
) -> None:
    sentence = inline.sentence_around((*before, LINK, *after), len(before))
    assert LINK in sentence
    squeezed = "".join(inline.plain((*before, LINK, *after)).split())
    assert "".join(inline.plain(sentence).split()) in squeezed


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("caf\u00e9 \u529b", "caf\u00e9 \u529b"),
        ("a\nb\x1b[0m", r"a\nb\x1b[0m"),
        ("a\u202eb\u00a0", r"a\u202eb\xa0"),
        ("\ud800", r"\ud800"),
    ],
)
def test_a_quoted_value_is_one_line_that_no_terminal_obeys(text: str, shown: str) -> None:
    assert inline.shown(text) == shown


@given(st.text())
def test_a_quoted_value_can_always_be_printed(text: str) -> None:
    assert inline.shown(text).isprintable()


@pytest.mark.parametrize(
    ("spans", "limit", "expected"),
    [
        ((Span("one two three"),), 13, "one two three"),
        ((Span("one two three"),), 9, "one two…"),
        ((Span("one "), Span("two three", "em")), 9, "one two…"),
        ((Span("one "), Span("two()", "code"), Span(" three")), 9, "one two()…"),
        ((Span("one "), Span("a_long_name()", "code")), 9, "one …"),
        ((), 9, ""),
    ],
)
def test_an_opening_ends_at_a_word_and_cuts_no_code(spans: Inline, limit: int, expected: str) -> None:
    assert inline.plain(inline.opening(spans, limit)) == expected
