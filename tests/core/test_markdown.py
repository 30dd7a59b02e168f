"""Text as Markdown means itself, and blocks are what they are called."""

from __future__ import annotations

import random

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

from sphinx_writing.core import llms
from sphinx_writing.core import markdown as md
from sphinx_writing.core.inline import Span

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(footnote_plugin)


def shown(text: str) -> str:
    """What a reader shows of Markdown that is one paragraph; else what it takes it for."""
    tokens = PARSER.parse(text)
    kinds = [token.type for token in tokens]
    if kinds != ["paragraph_open", "inline", "paragraph_close"]:
        return f"{kinds}"
    children = tokens[1].children or []
    assert {child.type for child in children} <= {"text", "softbreak"}, (text, children)
    return "".join(child.content for child in children)


@pytest.mark.parametrize(
    "text",
    [
        "# heading", "####### seven", "- item", "+ item", "* item", "1. item", "1) item", "1986. A year",
        "> quote", "---", "***", "___", "===", "~~~", "```", "[x] done", "[ ] open", "[a](b)", "[a][b]", "[a]: b",
        "[^1]: note", "text[^1]", "^[inline]", "![a](b)", "*em* **strong** _em_ __strong__", "a*b*c", "a_b_c",
        "<b>", "<https://example.org>", "<!-- c -->", "&amp; &#38; &copy; & &&", "\\", "\\*", "a\\", "`code`",
        "``", "~~gone~~", "~a~", "$5 and $6", "| a | b |", "a | b", "5 * 3 * 2", "f(x) = x", "C:\\dir\\*.txt",
        "\\[x\\]", "* * *", "- - -", "+", "#", "1.", ": term", "</script>", "?", "a [b", "b] c", "]", "[", "!",
        "中文*强调*文", "_a_中", "🧪 \u202e",
    ],
)  # fmt: skip
def test_text_means_itself(text: str) -> None:
    assert shown(md.paragraph(md.escaped(text))) == text


def test_any_text_means_itself() -> None:
    """A fixed walk through texts made of what Markdown knows."""
    chance = random.Random(1)  # noqa: S311  # no secret
    parts = [*"*_`[]()<>!#+-=~|\\&;:^$.1aB ", "  ", "&lt;", "](", "[^", "**", "中", "é", "x]: y", "1. ", "- "]
    for _ in range(20_000):
        text = " ".join("".join(chance.choice(parts) for _ in range(chance.randint(1, 9))).split())
        if text:
            assert shown(md.paragraph(md.escaped(text))) == text, text


@pytest.mark.parametrize("text", ["a", "`", "``a`", " a ", " ", "a`", "`a", "a  b", "\\", "a|b"])
def test_code_means_itself(text: str) -> None:
    children = PARSER.parse(f"x{md.code(text)}x")[1].children or []
    assert [c.content for c in children if c.type == "code_inline"] == [
        " ".join(text.split(" ")).replace("  ", " ")
    ]


@pytest.mark.parametrize("text", ["a", "```\n", "````", "  a\n\n\tb", "~~~", "<b>"])
def test_a_block_of_code_means_itself(text: str) -> None:
    (block,) = PARSER.parse(md.fence(text, "py th`on"))
    assert block.type == "fence"
    assert block.content.strip("\n") == text.strip("\n")
    assert block.info == "python"


@pytest.mark.parametrize(
    ("before", "text", "after", "expected"),
    [
        ("", "a", "", "*a*"),
        ("x", "a", "y", "*a*"),
        (" ", " a ", " ", " *a* "),
        ("x", "(a)", "y", "(a)"),
        ("", "", "", ""),
        ("*", "a", "", "a"),
        ("", "“a”", "。", "*“a”*"),
    ],
)
def test_a_mark_stands_where_a_reader_sees_it(before: str, text: str, after: str, expected: str) -> None:
    assert md.marked(text, "*", before, after) == expected


def test_a_table_has_a_cell_for_each() -> None:
    made = md.table(["a|b", "c"], [["`x|y`", "1<br>2"], ["", f"l{md.BREAK}m"]], ["", "right"])
    tokens = PARSER.parse(made)
    assert [t.content for t in tokens if t.type == "inline"] == ["a|b", "c", "`x|y`", "1<br>2", "", "l<br>m"]


@pytest.mark.parametrize(
    ("tex", "expected"),
    [("|x|", r"\vert x\vert "), (r"\|x\|", r"\Vert x\Vert "), (r"\begin{array}{c|c}", r"\begin{array}{c|c}")],
)
def test_bars_of_a_formula_in_a_cell(tex: str, expected: str) -> None:
    assert md.in_cell(tex) == expected


def test_formulas() -> None:
    assert md.formula(" a\n b ") == "$a b$"
    assert md.formula(r"\text{5 $x$}") == r"$`\text{5 $x$}`$"
    assert md.formula("") == ""
    assert md.displayed("a\n\nb", "", whole=False) == "$$\na\nb\n$$"
    assert md.displayed("a", "2", whole=False) == "$$\na\n\\tag{2}\n$$"
    assert (
        md.displayed("\\begin{align}a\\end{align}", "2", whole=True)
        == "$$\n\\begin{align}a\\end{align}\n$$ (2)"
    )


def test_llms_txt() -> None:
    note = llms.Linked(
        (Span("A "), Span("[b]", "code"), Span(" and "), Span("c", "em")), "https://e.org/a b(1).md"
    )
    text = llms.index(
        "Site & <b>", (Span("What it is."),), [llms.Section("S", (note,)), llms.Section("N", ())], ""
    )
    assert text == (
        "# Site & \\<b>\n\n> What it is.\n\n"
        "Every note is there as Markdown. There is no llms-full.txt: it would be larger than 1 MB.\n\n"
        "## S\n\n- [A `\\[b\\]` and *c*](https://e.org/a%20b%281%29.md)\n"
    )


def test_all_in_one_file_as_long_as_they_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    size = 6 + len(llms.BETWEEN)
    monkeypatch.setattr(llms, "HEAVIEST", size)
    assert llms.fitting(["é\n", "é\n"]) == f"é\n{llms.BETWEEN}é\n"
    monkeypatch.setattr(llms, "HEAVIEST", size - 1)
    assert llms.fitting(["é\n", "é\n"]) is None
    assert llms.fitting([]) == ""
