"""Faults measured in the tools that authors use today, in the order of that table: none of them is ours.

Where a test walks the whole output, a surface that comes later is held to the same.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from sphinx_writing.sphinx_ext import drawings
from sphinx_writing.sphinx_ext.drawing import Drawing

from .conftest import Built, Project
from .test_cases import cards, neighbours, text_of

Make = Callable[[str], Project]
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>\n'
DATES = "expected a day such as 2026-03-01 or an instant such as 2026-03-01T09:30:00+09:00"


def post(title: str, *fields: str, text: str = "Some words to read.") -> str:
    """The source of a post; dated unless *fields* say when."""
    dated = any(field.startswith("date:") for field in fields)
    return "\n".join(
        ["---", *fields, *([] if dated else ["date: 2026-01-01"]), "---", f"# {title}", "", text, ""]
    )


def add_posts(site: Project, count: int, text: str = "One line.") -> list[str]:
    """Add so many posts of one day to the series; return their names."""
    names = [f"p{i}" for i in range(count)]
    for name in names:
        site.write(f"infra/{name}.md", post(name.upper(), "tags: [shared]", text=text.replace("NAME", name)))
    site.replace("infra/index.md", "zebra-later\n", "zebra-later\n" + "".join(f"{name}\n" for name in names))
    return names


def contents(built: Built) -> Iterator[tuple[str, bytes]]:
    """Every file of the output with what it holds; an inventory is unpacked."""
    for name in built.tree():
        content = (built.out / name).read_bytes()
        yield name, zlib.decompress(content.split(b"\n", 4)[4]) if name.endswith(".inv") else content


def saying(built: Built, word: str) -> list[str]:
    """The files of the output that say *word*, in their name or in what they hold, in any letter case."""
    wanted = word.lower().encode()
    return [name for name, content in contents(built) if wanted in name.lower().encode() + content.lower()]


def pages(built: Built) -> dict[str, str]:
    """Every HTML file of the output."""
    return {name: built.text(name) for name in built.tree() if name.endswith(".html")}


def documents(built: Built) -> list[str]:
    """The documents that this output shows."""
    names = (path.relative_to(built.source).with_suffix("").as_posix() for path in built.source.rglob("*.md"))
    return sorted(name for name in names if (built.out / f"{name}.html").is_file())


def tag_pages(built: Built) -> dict[str, list[str]]:
    """The titles on the page of each tag, by the last part of its address."""
    found = sorted(built.out.glob("tags/*/index.html"))
    return {path.parent.name: cards(path.read_text(encoding="utf-8")) for path in found}


def tag_index(built: Built) -> dict[str, str]:
    """Where the index of tags leads, by the name it shows."""
    entries = re.findall(r'<li><a href="([^"]+)">(.*?)</a>', built.text("tags/index.html"))
    return {html.unescape(name): unquote(address) for address, name in entries}


Element = tuple[str, dict[str, str]]


class Elements(HTMLParser):
    """The elements of a page, each with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[Element] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


FURO = (
    '<header class="mobile-header">',
    '<aside class="sidebar-drawer">',
    '<div class="sidebar-tree">',
    '<article role="main" id="furo-main-content">',
    '<aside class="toc-drawer no-toc">',
    "</html>",
)


def sidebar(page: str) -> str:
    """The part of a page that lists the pages of the site."""
    return page[page.index('<div class="sidebar-tree">') : page.index("</aside>")]


NOT_FOUND = "404.html"


def test_pages_we_make_are_whole_on_furo(project: Make) -> None:
    """M1: with ablog each of them is furo's error page of under 500 bytes."""
    built = project("pitfalls").build()
    assert built.warnings == []
    made = pages(built).keys() - {f"{name}.html" for name in documents(built)}
    assert {"archive/2026/index.html", "tags/index.html", "tags/café/index.html"} < made
    for name in made:
        page = built.text(name)
        assert [page.count(part) for part in FURO] == [1] * len(FURO), name
        assert "Infra" in sidebar(page), name
        sheets = [
            a["href"].removeprefix("/sub/") for tag, a in Elements(page).found if a.get("rel") == "stylesheet"
        ]
        assert any("furo.css" in sheet for sheet in sheets)
        assert all((built.out / name).parent.joinpath(urlsplit(s).path).is_file() for s in sheets), name
    assert cards(built.text("archive/2026/index.html")) == ["Okapi", "First"]


def test_a_tag_beyond_ascii_keeps_its_letters(project: Make) -> None:
    r"""M2: ablog shows `Caf\u00e9`, on a page `cafu00e9`."""
    site = project("pitfalls")
    site.write("infra/b.md", post("Okapi", "tags:", "- shared", "- Café"))
    site.replace("infra/index.md", "zebra-later\n", "zebra-later\nc\n")
    site.write("infra/c.md", post("Third", r'tags: ["Caf\u00e9"]'))
    built = site.build()
    assert built.warnings == []
    assert tag_pages(built) == {"café": ["Third", "Okapi", "First"], "shared": ["Okapi", "First"]}
    assert tag_index(built) == {"Café": "café/index.html", "shared": "shared/index.html"}
    assert [name for name, page in pages(built).items() if "u00e9" in name + page] == []
    links = re.findall(r'class="writing-tag" href="([^"]+)" rel="tag">Café<', built.text("infra/c.html"))
    assert [(built.out / "infra" / unquote(link)).resolve().is_file() for link in links] == [True]


def test_tags_that_differ_in_a_sign_have_a_page_each(project: Make) -> None:
    """M3: with ablog both have the page `c`, and the later one wins."""
    site = project("pitfalls")
    site.write("infra/a.md", post("First", 'tags: ["C++", C]'))
    site.write("infra/b.md", post("Okapi", 'tags: ["C#"]'))
    built = site.build()
    assert built.warnings == []
    assert tag_pages(built) == {"c": ["First"], "cplusplus": ["First"], "csharp": ["Okapi"]}
    assert tag_index(built) == {
        "C": "c/index.html",
        "C#": "csharp/index.html",
        "C++": "cplusplus/index.html",
    }


def test_two_spellings_of_a_tag_lose_no_post(project: Make) -> None:
    """M4: with ablog the first post vanishes from the page."""
    site = project("pitfalls")
    site.write("infra/a.md", post("First", "tags: [KV Cache]"))
    site.write("infra/b.md", post("Okapi", "tags: [kv-cache]"))
    built = site.build()
    assert built.warnings == [
        'infra/b.md:2:8: WARNING: one tag is spelled in several ways ("KV Cache" in infra/a, "kv-cache" in infra/b); '
        'it is shown as "KV Cache", so write that [writing.tag]'
    ]
    assert tag_pages(built) == {"kv-cache": ["Okapi", "First"]}
    assert tag_index(built) == {"KV Cache": "kv-cache/index.html"}


def test_a_tag_with_a_comma_stays_one_tag(project: Make) -> None:
    """M5: ablog makes two tags of it."""
    site = project("pitfalls")
    site.write("infra/a.md", post("First", 'tags: ["a, b"]'))
    site.write("infra/b.md", post("Okapi", "tags: c, d"))
    built = site.build()
    assert built.warnings == [
        'infra/b.md:2:7: WARNING: "tags": expected a list, found text with a comma; write tags: [c, d] [writing.value]'
    ]
    assert tag_pages(built) == {"a-b": ["First"]}
    assert tag_index(built) == {"a, b": "a-b/index.html"}


def test_a_misspelt_field_is_named_with_the_right_one(project: Make) -> None:
    """M6: ablog says nothing."""
    site = project("pitfalls")
    site.write("infra/a.md", post("First", "tagz: [x]", "sumary: S"))
    built = site.build()
    assert built.warnings == [
        'infra/a.md:2:1: WARNING: unknown field "tagz"; did you mean "tags"? [writing.field]',
        'infra/a.md:3:1: WARNING: unknown field "sumary"; did you mean "summary"? [writing.field]',
    ]
    assert tag_pages(built) == {"only-b": ["Okapi"], "shared": ["Okapi"]}


def test_no_date_stops_the_build(project: Make) -> None:
    """M7: with ablog any of these dates ends the build, one of them without naming the post."""
    site = project("pitfalls")
    add_posts(site, 1)
    site.write("infra/a.md", post("First", "date: 2026-01-01T09:30:00+09:00"))
    site.write("infra/b.md", post("Okapi", "date: 32 May 2024"))
    site.write("infra/p0.md", post("P0", "date: yes"))
    built = site.build()
    assert built.warnings == [
        f"infra/b.md:2:7: WARNING: \"date\": '32 May 2024' is no date: {DATES}; "
        "the page is left out until then [writing.date]",
        f'infra/p0.md:2:7: WARNING: "date": {DATES}, found yes or no (yes); '
        "the page is left out until then [writing.date]",
    ]
    assert cards(built.text("index.html")) == ["First"]
    assert '<time datetime="2026-01-01T09:30:00+09:00">1 January 2026</time>' in built.text("index.html")
    assert saying(built, "okapi") == []


def test_front_matter_that_does_not_parse_is_no_post_without_front_matter(project: Make) -> None:
    """M8: MyST drops the whole block, and the post leaves every list."""
    site = project("pitfalls")
    add_posts(site, 1)
    site.write("infra/a.md", post("Gnu", "date: 2024-13-45"))
    site.write("infra/b.md", post("Okapi", "title: [Infra-16] vLLM KV Connector: …", "tags: [only-b]"))
    built = site.build()
    assert built.warnings == [
        f"infra/a.md:2:7: WARNING: \"date\": '2024-13-45' is no date: month must be in 1..12; {DATES}; "
        "the page is left out until then [writing.date]",
        'infra/b.md:2:8: WARNING: front matter is not valid YAML: the value of "title" must be quoted; write '
        'title: "[Infra-16] vLLM KV Connector: …"; the page is left out until then [writing.front-matter]',
    ]
    assert documents(built) == ["index", "infra/index", "infra/p0"]
    assert saying(built, "gnu") == saying(built, "okapi") == saying(built, "only-b") == []
    assert "part 1 of 1" in built.text("infra/p0.html")


def test_drafts_and_later_posts_are_in_no_file(project: Make) -> None:
    """M9: ablog builds both, and lists them on a public page."""
    site = project("pitfalls")
    assert saying(site.build(), "zebra") == []
    shown = set(saying(site.build(to="preview", writing_preview=True), "zebra"))
    assert {"index.html", "objects.inv", "searchindex.js", "_sources/infra/zebra-later.md.txt"} < shown


def test_titles_are_escaped_once_wherever_they_stand(project: Make) -> None:
    """M10: ablog prints them unescaped in its lists."""
    site = project("pitfalls")
    site.replace("infra/a.md", "# First", r"# A \<b>bold\</b> & more")
    site.replace("infra/b.md", "# Okapi", "# Okapi <b>too</b>")  # HTML, which MyST prints in the text itself
    site.replace("infra/a.md", "tags: [shared, Café]", 'tags: [shared, "<b> & co"]\nsummary: A <b> & so on.')
    site.replace("infra/index.md", "label: Infra", 'label: "<b> & Infra"')
    built = site.build()
    assert built.warnings == []
    said = {name: text_of(page) for name, page in pages(built).items()}
    title = "A <b>bold</b> & more"
    telling = {name for name, text in said.items() if title in text}
    tagged = "tags/b-and-co/index.html"
    assert {"index.html", "archive/2026/index.html", "tags/shared/index.html", tagged} < telling
    assert {"infra/a.html", "infra/b.html", "infra/index.html"} < telling
    assert neighbours(built.text("infra/b.html")) == [html.escape(title)]
    assert "Tag: <b> & co" in said[tagged]
    assert "<b> & Infra" in said["infra/b.html"]
    bold = [name for name, page in pages(built).items() if "b" in {tag for tag, _ in Elements(page).found}]
    assert bold == ["infra/b.html"]
    assert cards(built.text("index.html")) == ["Okapi too", html.escape(title)]
    assert [name for name, text in said.items() if re.search("&(amp|lt|gt);", text)] == []


def test_a_new_title_reaches_every_page_that_names_the_post(project: Make) -> None:
    """M11: with ablog the neighbours and lists keep the old title."""
    site = project("pitfalls")
    assert "infra/a.html" in saying(site.build(), "okapi")
    site.replace("infra/b.md", "# Okapi", "# Quagga")
    built = site.build()
    assert neighbours(built.text("infra/a.html")) == ["Quagga"]
    assert saying(built, "okapi") == []
    assert built.tree() == site.build(to="clean").tree()


def test_a_second_build_changes_no_byte_and_loses_no_page(project: Make) -> None:
    """M12: ablog's feeds show the clock, and sphinx-sitemap loses every page not written again."""
    site = project("pitfalls")
    first = site.build().tree()
    built = site.build()
    assert built.tree() == first
    listed = ["index", "infra/a", "infra/b", "infra/index"]
    assert documents(built) == listed
    search = built.text("searchindex.js")
    assert json.loads(search[search.index("(") + 1 : search.rindex(")")])["docnames"] == listed
    inventory = dict(contents(built))["objects.inv"].decode()
    assert re.findall(r"^(\S+) std:doc ", inventory, re.MULTILINE) == listed
    assert re.findall(r"^(\S+) writing:post ", inventory, re.MULTILINE) == ["infra/a", "infra/b"]
    assert cards(built.text("index.html")) == ["Okapi", "First"]
    assert tag_pages(built) == {"café": ["First"], "only-b": ["Okapi"], "shared": ["Okapi", "First"]}
    for today in {date.today(), datetime.now(UTC).date()}:
        for form in ("%Y-%m-%d", "%d %b %Y", "%b %d, %Y", f"{today.day} %B %Y"):
            assert saying(built, today.strftime(form)) == []


def test_a_page_once_left_out_stays_out(project: Make) -> None:
    """M13: sphinx-llms-txt lists it again when it is not written again."""
    site = project("pitfalls")
    site.replace("infra/a.md", "{post}`infra/b`", "another")
    assert saying(site.build(), "okapi")
    site.replace("infra/b.md", "date:", "draft: true\ndate:")
    assert saying(site.build(), "okapi") == []
    site.replace("infra/a.md", "another", "one more")
    built = site.build()
    assert saying(built, "okapi") == saying(built, "zebra") == []
    assert built.tree() == site.build().tree() == site.build(to="clean").tree()


def drawn(source: str) -> Drawing:
    """A stand-in for the engine; what it draws depends on the source."""
    svg = SVG.replace("/>", f"><desc>{html.escape(source)}</desc></svg>")
    return Drawing(light=svg, dark=svg, pdf=b"%PDF-1.4\n")


def test_two_jobs_make_every_side_file_under_the_same_name(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M14: sphinx-tippy makes none of them, without a message, and names them by chance."""
    monkeypatch.setattr(drawings, "draw", drawn)
    site = project("pitfalls")
    text = "![A dot](NAME/dot.svg)\n\n```{mermaid}\n:alt: NAME leads on.\n\nflowchart LR\n  NAME --> B\n```"
    names = add_posts(site, 6, text)
    for name in names:
        site.write(f"infra/{name}/dot.svg", SVG)
    two, again, one = site.build(to="two", jobs=2), site.build(to="again", jobs=2), site.build(to="one")
    assert two.warnings == again.warnings == one.warnings == []
    assert list(two.tree()) == list(again.tree()) == list(one.tree())
    assert len([name for name in two.tree() if name.startswith("_images/")]) == 3 * len(names)
    for name in names:
        site.replace(f"infra/{name}.md", "--> B", "--> C")
    later = site.build(to="two", jobs=2)
    assert list(later.tree()) == list(site.build(to="clean").tree()) != list(one.tree())


def test_two_jobs_keep_the_order_of_one(project: Make) -> None:
    """M15: the order of pages in sphinx-llms-txt differs from one build to the next."""
    site = project("pitfalls")
    names = add_posts(site, 12)
    slow = "A line.\n\n" * 500  # so that the job that starts first ends last
    site.write("infra/p0.md", post("P0", "tags: [shared]", text=slow))
    one, two, again = site.build(to="one"), site.build(to="two", jobs=2), site.build(to="again", jobs=2)
    assert one.warnings == two.warnings == again.warnings == []
    assert one.tree() == two.tree() == again.tree()
    newest_first = ["Okapi", *(name.upper() for name in reversed(names)), "First"]
    assert cards(two.text("index.html")) == cards(two.text("tags/shared/index.html")) == newest_first


def test_addresses_keep_the_path_of_the_site(project: Make) -> None:
    """M16: sphinx-sitemap loses the slash and adds a language, ablog's feed loses the path."""
    site = project("pitfalls")
    built = site.build(language="en")
    assert built.warnings == []
    found = []
    for name, content in contents(built):
        text = html.unescape(content.decode(errors="ignore"))
        root = "/(?!sub/)" if name == NOT_FOUND else "/"  # its links start from the root of the host
        assert re.findall(rf"""(?:href|src|srcset)=["']{root}""", text) == [], name
        for address in re.findall(r"""https?:/*example\.org[^\s"'<>()\\]*""", text):
            assert address.startswith("https://example.org/sub/"), name
            path = unquote(urlsplit(address).path.removeprefix("/sub/"))
            target = path + "index.html" if path == "" or path.endswith("/") else path
            assert target in built.tree(), f"{name}: {address}"
            found.append((name, target))
    assert {(name, name) for name in pages(built).keys() - {NOT_FOUND}} <= set(found)


def test_a_redirect_from_a_living_page_leaves_it(project: Make) -> None:
    """M17: sphinx-reredirects replaces the page."""
    site = project("pitfalls")
    before = pages(site.build())
    site.replace(
        "infra/b.md", "date:", "redirect_from: [infra/a, /infra/a.html, tags/shared/, /, /infra]\ndate:"
    )
    after = pages(site.build())
    assert {name: after.get(name) for name in before} == before
    assert pages(site.build(to="clean")) == after


LOADING = re.compile(
    r"""(?:\burl\(\s*["']?|(?:@import|\bimport\(?|\bfrom|\bfetch\(|\bnew\s+(?:Shared)?Worker\(|\bimportScripts\("""
    r"""|\.(?:src|href)\s*=)\s*["'])([^"'()\s]+)"""
)
"""What a style sheet or a script fetches by an address that is written out."""
LINKS = {"canonical", "next", "prev", "index", "search", "license", "author", "alternate"}
"""Relations of ``<link>`` that no browser fetches."""


def fetched(page: str) -> Iterator[str]:
    """The addresses that a browser fetches for *page*, or for a drawing."""
    for tag, attributes in Elements(page).found:
        followed = tag in ("a", "area") or (tag == "link" and attributes.get("rel") in LINKS)
        for name in ("src", "data", "poster", *([] if followed else ["href", "xlink:href"])):
            if name in attributes:
                yield attributes[name]
        for name in ("srcset", "imagesrcset"):
            yield from (part.split()[0] for part in attributes.get(name, "").split(",") if part.strip())
    yield from LOADING.findall(html.unescape(page))


EVERY_WAY = """
<link rel="stylesheet" href="//x.org/1"><link rel="preload" as="image" imagesrcset="//x.org/2 2x"><img src="//x.org/3"
srcset="a.png, //x.org/4 2x"><video poster="//x.org/5"></video><object data="//x.org/6"></object><image href="//x.org/7"/>
<style>@import "//x.org/8"; p { background: url(//x.org/9) }</style><p style="background: url('//x.org/10')">
<script type="module">import "//x.org/11"; import a from "//x.org/12"; import("//x.org/13"); fetch("//x.org/14");
new Worker("//x.org/15"); s.src = "//x.org/16"</script><a href="//y.org"></a><link rel="canonical" href="//y.org">
"""


def test_a_page_with_formula_and_diagram_asks_no_other_host(project: Make) -> None:
    """M18: furo's page asks a CDN for MathJax, and sphinxcontrib-mermaid one for its script."""
    pytest.importorskip("mermaidx")
    hosts = [address for address in fetched(EVERY_WAY) if urlsplit(address).netloc]
    assert sorted(hosts) == sorted(f"//x.org/{i}" for i in range(1, 17))
    site = project("pitfalls")
    diagram = "```{mermaid}\n:alt: A leads to B.\n\nflowchart LR\n  A --> B\n```"
    site.replace("infra/a.md", "After", f"$$\\sum_i x_i$$\n\n{diagram}\n\nAfter")
    built = site.build()
    assert built.warnings == []
    asked = {
        name: list(fetched(content.decode()))
        for name, content in contents(built)
        if name.endswith((".html", ".css", ".js", ".svg"))
    }
    assert [address for found in asked.values() for address in found if urlsplit(address).netloc] == []
    assert '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">' in built.text("infra/a.html")
    drawings = {Path(address).name for address in asked["infra/a.html"] if "_images/" in address}
    assert drawings == {path.name for path in (built.out / "_images").iterdir()}
    assert len(drawings) == 2


def add_series(site: Project, count: int, posts: range) -> None:
    """Add *posts* to each of so many series of their own."""
    for key in (f"s{i}" for i in range(count)):
        for i in posts:
            site.write(f"{key}/p{i}.md", post(f"Part {i}", text="One line."))
        entries = "".join(f"p{i}\n" for i in range(posts.stop))
        site.write(
            f"{key}/index.md", f"---\nseries: {{key: {key}}}\n---\n# {key}\n\n```{{toctree}}\n{entries}```\n"
        )


def test_no_page_grows_with_the_posts_of_other_series(project: Make) -> None:
    """M19: furo's sidebar lists the whole site on each page."""
    site = project("pitfalls")
    others = "".join(f"s{i}/index\n" for i in range(11))
    site.replace("index.md", "infra/index\n", f"infra/index\n{others}")
    sidebars, sizes = [], []
    for start, stop in ((0, 2), (2, 4), (4, 8)):
        add_series(site, 11, range(start, stop))
        built = site.build(to=f"{stop}")
        assert built.warnings == []
        assert len(cards(built.text("index.html"))) == 2 + 11 * stop
        page = built.text("infra/a.html")
        sidebars.append(sidebar(page))
        sizes.append(len(page))
    assert re.findall(r'href="([^"#]+)"', sidebars[-1]) == [
        "index.html",
        "b.html",
        *(f"../s{i}/index.html" for i in range(11)),
    ]
    assert len({len(lines) for lines in sidebars}) == 1
    assert len(set(sizes)) == 1


def test_a_deleted_post_leaves_nothing_behind(project: Make) -> None:
    """M20: Sphinx leaves the page, and ablog that of its tag."""
    site = project("pitfalls")
    site.write("infra/okapi.svg", SVG)
    site.replace("infra/b.md", "Some words", "![A dot](okapi.svg) Some words")
    gone = {"infra/b.html", "_sources/infra/b.md.txt", "_images/okapi.svg", "tags/only-b/index.html"}
    assert gone < set(site.build().tree())
    (site.source / "infra/b.md").unlink()
    (site.source / "infra/okapi.svg").unlink()
    site.replace("infra/index.md", "b\n", "")
    site.replace("infra/a.md", "{post}`infra/b`", "nothing")
    built = site.build()
    assert built.warnings == []
    assert gone & set(built.tree()) == set()
    assert saying(built, "okapi") == saying(built, "only-b") == []
    assert not (built.out / "tags/only-b").exists()
    assert built.tree() == site.build(to="clean").tree()


@pytest.mark.parametrize("theme", ["writing", "furo", "alabaster"])
def test_lists_keep_their_posts_in_a_build_without_change(project: Make, theme: str) -> None:
    """M21: the fault of ablog#316. Each build has a process of its own, with nothing left of the last."""
    site = project("pitfalls")
    out = site.folder / "out"

    def lists() -> dict[str, list[str]]:
        command = [
            sys.executable,
            "-m",
            "sphinx",
            "-qW",
            "-D",
            f"html_theme={theme}",
            str(site.source),
            str(out),
        ]
        subprocess.run(command, check=True)
        shown = pages(Built(site.source, out, []))
        return {name: cards(page) for name, page in shown.items() if cards(page)}

    both = ["Okapi", "First"]
    first = lists()
    assert first == {
        "index.html": both,
        "infra/index.html": both[::-1],
        "archive/2026/index.html": both,
        "tags/shared/index.html": both,
        "tags/café/index.html": both[1:],
        "tags/only-b/index.html": both[:1],
    }
    assert lists() == first
    site.replace("index.md", "# Home", "# Home\n\nThe posts are not read, this page is.")
    assert lists() == first
