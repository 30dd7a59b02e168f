"""The handed cases: each small input with the outcome that is right for its whole kind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from sphinx_writing.sphinx_ext import katex

from .conftest import Built, Project

Make = Callable[[str], Project]


def cards(html: str) -> list[str]:
    """The titles on a page's cards and rows, in order."""
    found = re.findall(r'class="writing-card-title"><a href="[^"]*">(.*?)</a>', html)
    return [re.sub(r"<[^>]+>", "", title) for title in found]


def neighbours(html: str) -> list[str]:
    """The titles of the previous and the next part, in order."""
    return re.findall(r'class="writing-neighbour-title">(.*?)</span>', html)


class Text(HTMLParser):
    """The text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def text_of(html: str) -> str:
    parser = Text()
    parser.feed(html)
    return " ".join("".join(parser.parts).split())


def test_order_is_not_date_order(project: Make) -> None:
    built = project("order-is-not-date-order").build()
    assert built.warnings == []
    assert cards(built.text("index.html")) == ["Four", "Two", "Outside", "Three", "One"]
    for i, name in enumerate(["one", "two", "three", "four"], start=1):
        assert f"part {i} of 4" in built.text(f"infra/{name}.html")
    assert neighbours(built.text("infra/one.html")) == ["Two"]
    assert neighbours(built.text("infra/two.html")) == ["One", "Three"]
    assert neighbours(built.text("infra/four.html")) == ["Three"]
    outside = built.text("outside.html")
    assert neighbours(outside) == []
    assert "writing-series" not in outside
    assert "part " not in text_of(outside)


def test_title_that_is_not_yaml(project: Make) -> None:
    built = project("title-that-is-not-yaml").build()
    assert built.warnings == [
        'infra/broken.md:3:10: WARNING: front matter is not valid YAML: the value of "summary" must be quoted; '
        'write summary: "one: two"; the page is left out until then [writing.front-matter]',
        'infra/connector.md:2:8: WARNING: front matter is not valid YAML: the value of "title" must be quoted; '
        'write title: "[Infra-16] vLLM KV Connector: interfaces"; the page is left out until then '
        "[writing.front-matter]",
    ]
    assert built.files_with("ZEBRA") == []
    assert cards(built.text("index.html")) == ["Good"]
    assert "part 1 of 1" in built.text("infra/good.html")


def test_tags_that_fall_together(project: Make) -> None:
    built = project("tags-that-fall-together").build()
    assert built.warnings == [
        'b.md:3:8: WARNING: one tag is spelled in several ways ("KV Cache" in a, "kv-cache" in b, "KV  cache" in c); '
        'it is shown as "KV Cache", so write that [writing.tag]',
        'f.md:3:8: WARNING: the tags "x y" and "x/y" have one address; "x/y" gets "x-y-2" instead, '
        "so rename one of them [writing.tag]",
    ]
    assert cards(built.text("tags/kv-cache/index.html")) == ["A", "B", "C"]
    assert cards(built.text("tags/cplusplus/index.html")) == ["A"]
    assert cards(built.text("tags/csharp/index.html")) == ["B"]
    assert cards(built.text("tags/café/index.html")) == ["D"]
    assert cards(built.text("tags/a-b/index.html")) == ["D"]
    assert cards(built.text("tags/x-y/index.html")) == ["E"]
    assert cards(built.text("tags/x-y-2/index.html")) == ["F"]
    links = re.findall(r'<li><a href="([^"]+)">', built.text("tags/index.html"))
    assert len(links) == len(set(links)) == 7


def test_kinds_of_date(project: Make) -> None:
    built = project("kinds-of-date").build()
    assert built.warnings == [
        'e.md:2:7: WARNING: "date": expected a day such as 2026-03-01 or an instant such as '
        "2026-03-01T09:30:00+09:00, found a number (20260301); the page is left out until then [writing.date]",
    ]
    index = built.text("index.html")
    assert cards(index) == ["B", "C", "A", "D"]
    stamps = re.findall(r'<time datetime="([^"]+)">([^<]+)</time>', index)
    assert [stamp for stamp, _ in stamps] == [
        "2026-03-01T09:30:00+00:00",
        "2026-03-01T09:30:00+09:00",
        "2026-03-01T00:00:00+00:00",
        "2026-03-01T00:00:00+00:00",
    ]
    assert {shown for _, shown in stamps} == {"1 March 2026"}


@pytest.mark.parametrize("builder", ["html", "dirhtml", "singlehtml", "epub", "latex", "text"])
def test_one_draft_in_a_release(project: Make, builder: str) -> None:
    built = project("one-draft").build(builder)
    assert built.warnings == []
    assert built.files_with("ZEBRA") == []
    if builder == "html":
        assert "part 2 of 2" in built.text("infra/three.html")
        assert neighbours(built.text("infra/three.html")) == ["One"]
        assert "2 technical notes" in built.text("index.html")
        assert not (built.out / "tags/only-zebra").exists()


def test_one_draft_in_the_preview(project: Make) -> None:
    built = project("one-draft").build(writing_preview=True)
    assert built.warnings == []
    assert cards(built.text("index.html")) == ["Three", "Two ZEBRA", "One"]
    assert "part 3 of 3" in built.text("infra/three.html")
    assert built.text("index.html").count('<span class="writing-hidden">Draft</span>') == 1
    assert '<span class="writing-hidden">Draft</span>' in built.text("infra/two.html")


def test_a_post_dated_later_appears_on_its_day(project: Make) -> None:
    site = project("one-draft")
    before = site.build(writing_as_of="2026-01-02")
    assert cards(before.text("index.html")) == ["One"]
    told = [*before.files_with("three"), *before.files_with("two")]
    assert [
        name for name in told if not name.startswith("_static/writing")
    ] == []  # the words occur in comments
    after = site.build(writing_as_of="2026-01-03")
    assert cards(after.text("index.html")) == ["Three", "One"]
    assert after.tree() == site.build(to="clean", writing_as_of="2026-01-03").tree()
    back = site.build(writing_as_of="2026-01-02")
    assert back.tree() == site.build(to="clean", fresh=True, writing_as_of="2026-01-02").tree()


def test_subpath_without_slash(project: Make) -> None:
    site = project("subpath-without-slash")
    bare = site.build(to="bare", html_baseurl="https://example.org/a/b")
    slash = site.build(to="slash", html_baseurl="https://example.org/a/b/")
    assert bare.warnings == slash.warnings == []
    assert bare.tree() == slash.tree()
    seen = {}
    for path in sorted(bare.out.rglob("*.html")):
        for address in re.findall(r'<link rel="canonical" href="([^"]+)"', path.read_text(encoding="utf-8")):
            assert address.startswith("https://example.org/a/b/")
            name = address.removeprefix("https://example.org/a/b/")
            target = bare.out / (name + "index.html" if name == "" or name.endswith("/") else name)
            assert target == path
            seen[path] = address
    pages = set(bare.out.rglob("*.html")) - {bare.out / "404.html"}  # it has no address of its own
    assert len(seen) == len(pages) > 5


def test_awkward_first_paragraph(project: Make) -> None:
    built = project("awkward-first-paragraph").build()
    assert built.warnings == []
    summary = re.findall(r'<p class="writing-card-summary">(.*?)</p>', built.text("index.html"))[1]
    assert text_of(re.sub(r"<math.*?</math>", "FORMULA", katex.spoken(summary))) == (
        "It takes FORMULA steps in all_reduce() and much more, as Other FORMULA note and the list say; "
        "bold & more."
    )
    assert "<code>all_reduce()</code>" in summary
    assert "<em>much</em>" in summary
    assert "<math" in summary
    assert "footnote" not in summary
    assert "[^1]" not in summary
    assert "not the summary" not in summary
    description = re.search(r'<meta name="description" content="([^"]*)">', built.text("a.html"))
    assert description
    assert description[1].startswith(
        "It takes O(n^2) steps in all_reduce() and much more, as Other x_1 note and the list"
    )
    assert "<" not in description[1]


def test_nine_ten_eleven(project: Make) -> None:
    built = project("nine-ten-eleven").build()
    assert built.warnings == [
        'mlc/mlc-4.md:3:7: WARNING: "part" says 3, but series "mlc" lists it as part 4; the toctree counts '
        "[writing.part]",
    ]
    assert cards(built.text("mlc/index.html")) == [f"MLC {i}" for i in range(1, 12)]
    assert cards(built.text("cs336/index.html")) == [f"CS {i}" for i in range(1, 12)]
    numbers = re.findall(r'class="writing-row-number">(\d+)<', built.text("mlc/index.html"))
    assert numbers == [str(i) for i in range(1, 12)]
    assert "part 10 of 11" in built.text("mlc/mlc-10.html")
    assert neighbours(built.text("mlc/mlc-10.html")) == ["MLC 9", "MLC 11"]


def test_two_posts_one_address(project: Make) -> None:
    built = project("two-posts-one-address").build()
    assert built.warnings == [
        'w/index.md:1: WARNING: this page and "w" have the same address "/w/"; rename one of them [writing.address]'
    ]
    links = re.findall(r'class="writing-card-title"><a href="([^"]*)">(.*?)</a>', built.text("index.html"))
    assert {title: href for href, title in links}["位置编码"] == "z/position.html"
    assert len({href for href, _ in links}) == len(links) == 6
    for href, title in links:
        assert re.search(rf'<h1 id="[^"]*">{title}<', built.text(href))


def test_five_posts_of_one_day(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    site = project("five-posts-of-one-day")
    expected = ["B two", "B one", "A two", "A one", "Solo"]
    for zone in ("UTC", "Asia/Tokyo", "America/Los_Angeles"):
        monkeypatch.setenv("TZ", zone)
        built = site.build(to=zone.replace("/", "-"))
        assert built.warnings == []
        assert cards(built.text("index.html")) == expected
        assert cards(built.text("archive/2026/index.html")) == expected


def test_prerequisites_in_a_circle(project: Make) -> None:
    built = project("prerequisites-in-a-circle").build()
    assert built.warnings == [
        "a.md:3:16: WARNING: prerequisites form a circle (a -> b -> c -> a); remove one of them "
        "[writing.prerequisite]",
        'c.md:3:20: WARNING: prerequisite "infra/nothing" is no published post; known: a, b [writing.prerequisite]',
    ]


def test_search_index_has_no_post_objects(project: Make) -> None:
    built: Built = project("order-is-not-date-order").build()
    index = built.text("searchindex.js")
    data = json.loads(index[index.index("(") + 1 : index.rindex(")")])
    assert data["objects"] == {}
