"""What the script of search reads, and text in the form in which its index finds words."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from sphinx_writing.core import catalogue, search
from sphinx_writing.core.dates import parse
from sphinx_writing.core.inline import Span
from sphinx_writing.core.posts import Sources
from sphinx_writing.core.records import Entry, FrontMatter, Page, Query, SeriesInfo, Toctree
from sphinx_writing.core.search_text import BREAK, broken, readable
from sphinx_writing.core.views import Site


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("dist.all_reduce(x, op=SUM)", "dist.|all_reduce(|x, op=|SUM)"),
        ("NCCL_ALGO and E4M3", "NCCL_ALGO and E4M3"),
        ("1.5 GiB, 2,048 or 12:30", "1.5 GiB, 2,048 or 12:30"),
        ("KV-cache, don't, C++ and C#.", "KV-cache, don't, C++ and C#."),
        ("2(n-1)/n", "2(|n-1)/|n"),
        ("<script>alert(1)</script>", "<script>|alert(|1)</|script>"),
        ("AT&T, &lt; and &#60;, f(&x) & y", "AT&|T, &|lt; and &|#60;, f(&|x) & y"),
        ("注意力 and カナ", "注|意|力 and カ|ナ"),
        ("", ""),
    ],
)
def test_words_that_stand_without_a_blank_are_broken_apart(text: str, shown: str) -> None:
    assert broken(text).replace(BREAK, "|") == shown
    assert broken(text).replace(BREAK, "") == text


def test_the_script_breaks_words_by_the_same_signs() -> None:
    script = Path(search.__file__).parents[1] / "static" / "writing-search.js"
    text = script.read_text(encoding="utf-8")
    assert r"/([\p{L}\p{N}_])([^\s\p{L}\p{N}_'’-]+)(?=([\p{L}\p{N}_]))/gu" in text
    assert r"/&(?=[\p{L}\p{N}_#])/gu" in text
    assert r"/([\u3040-\u30ff\u3400-\u9fff])(?=[\u3040-\u30ff\u3400-\u9fff])/g" in text


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"2\frac{n-1}{n}", "2(n-1)/n"),
        (r"\frac{2(n-1)}{n}", "2(n-1)/n"),
        (r"\mathrm{busbw} \le x_{\max}", "busbw ≤ x_ max"),
        (r"\operatorname{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)", "softmax ((QK^ top )/(√(d_k)) )"),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "a = b c = d"),
        (r"\{a, 5\%\}", "{a, 5%}"),
        (r"\label{eq-x} 2^{10}", "2^(10)"),
        ("{{{{", ""),
        ("", ""),
    ],
)
def test_a_formula_reads_as_one_would_type_it(tex: str, shown: str) -> None:
    assert readable(tex) == shown


def site() -> Site:
    parts = Toctree((Entry("one/index"), Entry("two")))
    pages = {
        "index": Page((Span("Home"),), toctrees=(Toctree((Entry("infra"), Entry("lone"))),)),
        "infra": Page((Span("Infra & more"),), toctrees=(parts,)),
        "one/index": Page((Span("One "), Span("x_1", "math"))),
        "two": Page((Span("Zwei"),)),
        "lone": Page((Span("</script>"),)),
    }
    fronts = {
        "infra": FrontMatter(series_info=SeriesInfo("infra", "Infra")),
        "one/index": FrontMatter(date=parse("2026-01-01"), tags=("b", "a")),
        "two": FrontMatter(date=parse("2026-01-02"), tags=("b",)),
        "lone": FrontMatter(date=parse("2025-01-02")),
    }
    as_of = parse("2026-06-01").instant
    return Site(catalogue.build(Sources(pages, fronts, "index", as_of)), pages, "index", {})


def listed(ids: dict[str, str], names: list[str] | None = None) -> dict[str, object]:
    made = site()
    text = search.data(made, names or sorted(made.pages), "a/{}".format, ids)
    found = re.fullmatch(r"window\.writingSearch = (.*);\n", text, re.DOTALL)
    assert found is not None
    loaded: dict[str, object] = json.loads(found[1])
    return loaded


def test_the_list_has_posts_newest_first_then_the_other_pages() -> None:
    assert listed({"two": "en_1"}) == {
        "index": True,
        "page": "a/search",
        "series": [["infra", "Infra", 0]],
        "tags": ["a", "b"],
        "pages": [
            ["Zwei", "a/two", 0, 2, [1], "en_1"],
            ["One x_1", "a/one/index", 0, 1, [0, 1], ""],
            ["</script>", "a/lone", -1, 0, [], ""],
            ["Home", "a/index", -1, 0, [], ""],
            ["Infra & more", "a/infra", 0, 0, [], ""],
        ],
    }


def test_without_script_there_are_lists_to_look_at() -> None:
    made = site()
    tags = ("tags/index", "the list of tags")
    assert search.ways(made) == (("index", "the first page"), tags)
    some = (Query(limit=3), Query(style="series"), Query(tag="a"))
    pages = {**made.pages, "index": replace(made.pages["index"], queries=some)}
    assert search.ways(replace(made, pages=pages))[0] == ("index", "the first page")
    pages["lone"] = replace(pages["lone"], queries=(Query(feature=True),))
    assert search.ways(replace(made, pages=pages)) == (("lone", "all notes"), tags)


def test_the_list_has_only_the_pages_asked_for_and_says_where_there_is_no_index() -> None:
    found = listed({}, ["two"])
    assert found["index"] is False
    assert found["pages"] == [["Zwei", "a/two", 0, 2, [1], ""]]
