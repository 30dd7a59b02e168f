"""TeX of formulas: what KaTeX gets, where its faults are in the author's text, and macros."""

from __future__ import annotations

import re

import pytest

from sphinx_writing.core import tex

FORMS = [
    (r"a = b", r"a = b"),
    (r"a &= b", r"\begin{aligned}a &= b\end{aligned}"),
    ("\na &= b \\\\\nc &= d\n", "\n\\begin{aligned}a &= b \\\\\nc &= d\\end{aligned}\n"),
    ("a = b\n\nc = d", r"\begin{aligned}a = b \\ c = d\end{aligned}"),
    (
        "\\begin{cases}1 & a \\\\\n\n2 & b\\end{cases}",
        "\\begin{cases}1 & a \\\\\n\n2 & b\\end{cases}",
    ),
    (r"\begin{align}a &= b\label{x}\end{align}", r"\begin{align*}a &= b\end{align*}"),
    (r"\begin{equation}a\end{equation}", r"\begin{equation*}a\end{equation*}"),
    (r"\begin{flalign*}a &= b\end{flalign*}", r"\begin{align*}a &= b\end{align*}"),
    (r"\begin{alignat}{2}a &= b\end{alignat}", r"\begin{alignat*}{2}a &= b\end{alignat*}"),
    (r"\begin{multline}a \\ b\end{multline}", r"\begin{gather*}a \\ b\end{gather*}"),
    (r"\begin{eqnarray}a &=& b\end{eqnarray}", r"\begin{darray}{rcl}a &=& b\end{darray}"),
    (r"\text{a \& b}", r"\text{a \& b}"),
    (r"a \& b \% {c & d}", r"a \& b \% {c & d}"),
    ("a % & b\n+ c", "a % & b\n+ c"),
]


@pytest.mark.parametrize(("source", "text"), FORMS)
def test_a_display_is_aligned_once(source: str, text: str) -> None:
    assert tex.prepared(source, display=True).text == text


def test_inline_and_whole_environments_stay_as_they_are() -> None:
    assert tex.prepared(r"a & \label{x}", display=False).text == r"a & \label{x}"
    assert tex.prepared("a &= b", display=True, wrap=False).text == "a &= b"


@pytest.mark.parametrize("source", [source for source, _ in FORMS])
def test_every_place_leads_back(source: str) -> None:
    form = tex.prepared(source, display=True)
    for word in re.finditer(r"[abcd12]\b", source):
        found = [m.start() for m in re.finditer(re.escape(word[0]), form.text)]
        assert word.start() in {form.place(at) for at in found}
    assert 0 <= form.place(0) <= form.place(len(form.text)) <= len(source)


UNPAIRED = [
    (r"\frac{a}{", 8, '"{" is never closed'),
    (r"a}", 1, '"}" closes nothing that is open'),
    (r"\begin{cases}a", 0, r'"\begin{cases}" is never closed'),
    (r"{\begin{cases}a}", 15, r'"}" closes nothing that is open; "\begin{cases}" is open'),
    (r"\end{matrix}", 0, r'"\end{matrix}" closes nothing that is open'),
]


@pytest.mark.parametrize(("source", "place", "words"), UNPAIRED)
def test_what_has_no_partner_is_found(source: str, place: int, words: str) -> None:
    assert tex.unpaired(source) == (place, words)


@pytest.mark.parametrize("source", [r"\{a", "a % {\n", r"{\begin{cases}a\end{cases}}", ""])
def test_what_has_a_partner_or_needs_none_is_not(source: str) -> None:
    assert tex.unpaired(source) is None


REASONS = [
    (
        r"Undefined control sequence: \alhpa",
        1,
        r"x\alhpa",
        (1, r'unknown command "\alhpa"; did you mean "\alpha"?'),
    ),
    (
        r"Undefined control sequence: \qqqq",
        0,
        r"\qqqq",
        (0, r'unknown command "\qqqq"; use another one, or define it in writing_math_macros'),
    ),
    (
        r"Undefined control sequence: \eqref",
        0,
        r"\eqref{a}",
        (0, r'"\eqref" knows no numbers here; refer to an equation outside of formulas, by {eq}'),
    ),
    ("No such environment: alinged", 6, "", (6, 'unknown environment "alinged"; did you mean "aligned"?')),
    (
        "No such environment: xy",
        6,
        "",
        (6, 'unknown environment "xy"; use one that KaTeX knows, such as aligned'),
    ),
    (
        "Expected 'EOF', got '}'",
        1,
        "a}",
        (1, '"}" closes nothing that is open; give it its partner, or take it away'),
    ),
    ("Expected group after '^'", 1, "x^", (1, 'nothing follows "^"; write in braces what belongs to it')),
    (
        "Double superscript",
        3,
        "x^2^3",
        (3, "there are two superscripts at one symbol; put braces around what belongs together"),
    ),
    (
        r"untrusted \href",
        -1,
        r"a\href{b}{c}",
        (1, r'"\href" would put links, pictures or markup into the page; write them outside of formulas'),
    ),
    ("Invalid size: '1'", 5, "", (5, "Invalid size: '1'; use plainer LaTeX")),
]


@pytest.mark.parametrize(("message", "position", "source", "said"), REASONS)
def test_a_fault_is_said_in_our_words(
    message: str, position: int, source: str, said: tuple[int, str]
) -> None:
    assert tex.reason(message, position, source, {"alpha", "beta"}) == said


STRICT = "LaTeX-incompatible input and strict mode is set to 'error': "


@pytest.mark.parametrize(
    ("message", "source", "said"),
    [
        ("Unrecognized [unknownSymbol]", "😀", (0, '"😀" has no sign in the fonts of formulas')),
        ("% comment [commentAtEnd]", "a % b", (2, "a comment hides the end of the formula")),
        ("HTML [htmlExtension]", r"a\htmlId{a}{b}", (1, r'"\htmlId" would put markup into the page')),
        (
            "in math mode [mathVsTextUnits]",
            "a",
            (0, "LaTeX would not take it: in math mode; use plainer LaTeX"),
        ),
    ],
)
def test_what_latex_would_not_take_is_said(message: str, source: str, said: tuple[int, str]) -> None:
    found = tex.reason(STRICT + message, 0, source, ())
    assert found[0] == said[0]
    assert found[1].startswith(said[1])


def test_a_long_formula_is_quoted_around_its_fault() -> None:
    source = "a + " * 30 + r"\nosuch" + " + b" * 30
    quoted = tex.around(source, source.index("\\"))
    assert quoted.startswith("…")
    assert quoted.endswith("…")
    assert r"\nosuch" in quoted
    assert len(quoted) < 70
    assert tex.around("\n a\n b\n", 4) == "a b"
    assert tex.around("x" * 200, -1) == "x" * 28 + "…"


def test_macros_become_latex() -> None:
    found = tex.macros({"norm": (r"\lVert #1 \rVert", 1), "R": r"\mathbb{R}"})
    assert found == {"R": r"\mathbb{R}", "norm": r"\lVert #1 \rVert"}
    assert tex.definitions(found) == (
        "\\providecommand{\\R}{}\\renewcommand{\\R}{\\mathbb{R}}\n"
        "\\providecommand{\\norm}{}\\renewcommand{\\norm}[1]{\\lVert #1 \\rVert}"
    )
    assert tex.definitions({}) == ""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"\\R": "x"}, r"'\\R' is no name of a macro; use letters only, as in \"norm\" for \norm"),
        ({1: "x"}, "1 is no name of a macro"),
        ({"a": 1}, '"a" is 1; give TeX, or TeX and the number of arguments'),
        ({"a": ("x", "1")}, "\"a\" is ('x', '1'); give TeX"),
        ({"a": "{"}, '"a": "{" is never closed'),
        ({"a": "#1"}, '"a" has 0 arguments and uses #1; give the number that it uses'),
        ({"a": ("#1", 2)}, '"a" has 2 arguments and uses #1; give the number that it uses'),
        ({"a": ("x", True)}, "give TeX, or TeX and the number of arguments"),
    ],
)
def test_a_macro_that_makes_no_sense_is_refused(value: dict[object, object], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said.replace('\\"', '"'))):
        tex.macros(value)
