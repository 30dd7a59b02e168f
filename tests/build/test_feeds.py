"""Feeds of built sites: what they carry, that they are exact, and what makes them anew."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

import pytest
from sphinx.errors import ConfigError

from .conftest import Built, Project
from .test_exactness import EDITS

Make = Callable[[str], Project]
Edit = Callable[[Project], None]
BASE = "https://example.org/a/b/"
ATOM = "{http://www.w3.org/2005/Atom}"


def with_feeds(site: Project, base: str = BASE, **values: object) -> Project:
    """*site* with a public address and these values."""
    lines = "".join(f"{name} = {value!r}\n" for name, value in values.items())
    site.replace("conf.py", "project", f"html_baseurl = {base!r}\n{lines}project")
    return site


@pytest.fixture
def site(project: Make) -> Project:
    """Three notes of one series."""
    return with_feeds(project("retitle-the-middle-part"))


@pytest.fixture
def note(project: Make) -> Project:
    """One note, whose text the tests write."""
    return with_feeds(project("elements"))


def feeds(built: Built) -> dict[str, bytes]:
    """Every feed of an output, by its name."""
    return {
        path.relative_to(built.out).as_posix(): path.read_bytes()
        for path in sorted(built.out.rglob("feed.*"))
    }


def entries(built: Built, name: str = "feed.xml") -> list[ET.Element]:
    return ET.fromstring((built.out / name).read_bytes()).findall(f"{ATOM}entry")  # noqa: S314  # ours


def content(built: Built, number: int = 0) -> str:
    """The text of an entry, the same in both formats."""
    found = entries(built)[number].findtext(f"{ATOM}content") or ""
    assert json.loads(built.text("feed.json"))["items"][number]["content_html"] == found
    return found


def written(site: Project, edit: Callable[[], object]) -> list[str]:
    """The feeds that a build after *edit* writes."""
    built = site.build()
    before = {name: (built.out / name).stat().st_mtime_ns for name in feeds(built)}
    edit()
    built = site.build()
    clean = site.build(to="clean", fresh=True)
    assert built.tree() == clean.tree()
    return [name for name in feeds(built) if (built.out / name).stat().st_mtime_ns != before.get(name)]


def test_there_is_one_of_the_site_of_each_series_and_of_each_tag(site: Project) -> None:
    built = site.build()
    assert built.warnings == []
    assert list(feeds(built)) == [
        "feed.json", "feed.xml", "infra/feed.xml", "tags/second/feed.xml", "tags/shared/feed.xml",
    ]  # fmt: skip
    titles = {
        name: [e.findtext(f"{ATOM}title") for e in entries(built, name)]
        for name in feeds(built)
        if name != "feed.json"
    }
    assert titles == {
        "feed.xml": ["Three", "Two", "One"],
        "infra/feed.xml": ["One", "Two", "Three"],
        "tags/second/feed.xml": ["Two"],
        "tags/shared/feed.xml": ["Three", "Two", "One"],
    }  # fmt: skip
    assert [e.find(f"{ATOM}content") is not None for e in entries(built, "infra/feed.xml")] == [False] * 3


@pytest.mark.parametrize("base", [BASE, BASE.rstrip("/")])
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_every_address_is_whole_and_leads_to_a_file(note: Project, builder: str, base: str) -> None:
    note.write("dot.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>\n')
    note.write("dot-dark.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="9"/>\n')
    note.write("data.csv", "a,b\n")
    note.write("other/index.md", "---\norphan:\n---\n# Other\n\n(there)=\n## There\n\nText.\n")
    note.write(
        "note.md",
        "---\ndate: 2026-01-02\ntags: [ä b]\n---\n# Note\n\n[](other/index.md) {ref}`there` [up](index.md) [here](#part)\n"
        "{download}`data.csv` <https://example.com/x?a=1&b=2> [mail](mailto:a@example.org)\n\n"
        "```{figure} dot.svg\n:alt: A dot.\n:width: 40px\n\nCaption.[^n]\n```\n\n![A dot](dot.svg)\n\n[^n]: A note.\n\n"
        "(part)=\n## Part\n\nText.\n",
    )
    built = note.build(builder, html_baseurl=base)
    assert built.warnings == []
    text = content(built)
    found = addresses(text)
    assert "dark" not in text
    assert {a for a in found if not a.startswith(BASE)} == {
        "https://example.com/x?a=1&b=2",
        "mailto:a%40example.org",
    }
    page = BASE + ("note/" if builder == "dirhtml" else "note.html")
    assert {f"{BASE}other/", f"{BASE}other/#there", BASE, f"{page}#part"} <= set(found)
    for name in feeds(built):
        said = built.text(name)
        assert "/a/b//" not in said
        if name.endswith(".xml"):
            root = ET.fromstring(said)  # noqa: S314  # ours
            found += [link.get("href") or "" for link in root.iter(f"{ATOM}link")]
    for address in {a for a in found if a.startswith(BASE)}:
        path = unquote(urlsplit(address).path.removeprefix("/a/b/"))
        assert (built.out / (path + "index.html" * (not path or path.endswith("/")))).is_file(), address


class Links(HTMLParser):
    """Collects addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("href", "src")]


def addresses(html: str) -> list[str]:
    """What *html* links to or shows."""
    reader = Links()
    reader.feed(html)
    return reader.found


BODY = """---
date: 2026-01-02
---
# Note

A sentence.[^b] Another with $x_1$.[^a]

[^a]: The first *note*.
[^b]: The other,

    in two paragraphs.

```{code-block} python
:linenos:
:caption: Some code
if a < b:
    print("&")
```

```{math}
:label: eq
a = b
```

| n | m |
|---|---|
| 1 | 2 |

:::{note}
Mind this.
:::

- [x] done
- [ ] open
"""


def test_a_text_reads_without_its_page(note: Project) -> None:
    note.replace("conf.py", "project", 'html_math_renderer = "katex"\nproject')
    note.write("note.md", BODY)
    built = note.build()
    assert built.warnings == []
    text = content(built)
    for gone in (
        "class=",
        "id=",
        "style=",
        "tabindex",
        "aria-",
        "headerlink",
        "<script",
        "<span",
        "<h1",
        "katex",
    ):
        assert gone not in text
    assert '<pre>if a &lt; b:\n    print("&amp;")\n</pre>' in text
    assert text.count("<math") == 2
    assert text.count("(1)") == 1
    assert '<td align="right">1</td>' in text
    note_box = text.partition("<blockquote>")[2].partition("</blockquote>")[0]
    assert note_box.split("\n") == ["", "<p><strong>Note</strong></p>", "<p>Mind this.</p>", ""]
    assert "☑" in text
    assert "☐" in text
    assert text.endswith(
        "<hr>\n<p>[1] The other,</p>\n<p>in two paragraphs.</p>\n<p>[2] The first <em>note</em>.</p>"
    )


@pytest.mark.parametrize("renderer", ["katex", "mathjax"])
@pytest.mark.parametrize("theme", ["furo", "alabaster", "pydata_sphinx_theme", "writing"])
def test_nodes_of_other_extensions_do_no_harm(note: Project, theme: str, renderer: str) -> None:
    note.replace("conf.py", '"sphinx_writing"', '"sphinx_writing", "sphinx_design", "sphinx.ext.graphviz"')
    note.write(
        "note.md",
        "---\ndate: 2026-01-02\n---\n# Note\n\n$a$\n\n::::{tab-set}\n:::{tab-item} First tab\nOne.\n:::\n"
        ":::{tab-item} Second tab\nTwo.\n:::\n::::\n\n:::{dropdown} Folded\nThree.\n:::\n\n"
        "::::{card} A card\n:link: https://example.org/x\n\nFour.\n::::\n\n```{contents}\n```\n\n## Heading\n\n"
        "```{py:function} f(a, b=1)\nFive.\n```\n\n<video src='x.mp4'></video>\n\n```{epigraph}\nSix.\n```\n\n"
        "```{glossary}\nterm\n  Seven.\n```\n\n{octicon}`star` {kbd}`Ctrl`\n",
    )
    built = note.build(html_theme=theme, html_math_renderer=renderer)
    assert built.warnings == []
    text = content(built)
    for words in ("First tab", "Two.", "Folded", "Three.", "A card", "Four.", "Five.", "Six.", "Seven."):
        assert words in text
    assert f'<a href="{BASE}x.mp4">[shown on the page]</a>' in text
    assert "<svg" not in text
    assert text.count("Heading") == 1  # no list of headings


def test_hostile_words_on_every_surface(note: Project) -> None:
    words = "</script> ]]> & \"quotes\" 'single' {{ x }} {% y %} 🧪"
    quoted = words.replace("'", "''")
    note.write(
        "note.md",
        f"---\ndate: 2026-01-02\ntags: ['{quoted}']\nauthors: ['{quoted}']\nsummary: '{quoted} `$` $x$'\n---\n"
        f"# \\{words} $x$ \\$ `a&b`\n\n{words}\n\n```text\n{words}\n```\n",
    )
    note.replace("conf.py", "project", f"project = author = {words!r}\nhtml_title")
    note.replace("conf.py", "html_title", 'html_math_renderer = "katex"\nhtml_title')
    built = note.build()
    shown = "</script> ]]> & \"quotes\" 'single' {{ x }} {% y %} 🧪"
    curly = "</script> ]]> & “quotes” ‘single’ {{ x }} {% y %} 🧪"
    for name in feeds(built):
        if name.endswith(".xml"):
            for one in entries(built, name):
                title = one.findtext(f"{ATOM}title") or ""
                assert (
                    title.replace("“", '"').replace("”", '"').replace("‘", "'").replace("’", "'")
                    == f"{shown} x $ a&b"
                )
                assert one.find(f"{ATOM}category").get("term") == shown  # type: ignore[union-attr]
                assert one.findtext(f"{ATOM}author/{ATOM}name") == shown
                assert "&lt;/script&gt; ]]&gt; &amp;" in (one.findtext(f"{ATOM}summary") or "")
    assert json.loads(built.text("feed.json"))["title"] == shown
    assert "<script" not in content(built).lower()
    assert curly.split(" ")[0] not in content(built)
    page = built.text("note.html")
    assert 'title="&lt;/script&gt; ]]&gt; &amp; &#34;quotes&#34; &#39;single&#39; {{ x }} {% y %} 🧪"' in page


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_incremental_is_clean(site: Project, edit: Edit) -> None:
    first = site.build(html_theme="furo").tree()
    edit(site)
    incremental = site.build(html_theme="furo")
    assert incremental.tree() == site.build(to="clean", jobs=2, html_theme="furo").tree() != first
    assert incremental.warnings == []


@pytest.mark.parametrize("name", ["feed.xml", "feed.json", "infra/feed.xml", "tags/second/feed.xml"])
@pytest.mark.parametrize("harm", [lambda p: p.unlink(), lambda p: p.write_text("cut")], ids=["lost", "cut"])
def test_a_harmed_feed_comes_back(site: Project, name: str, harm: Callable[[Path], Any]) -> None:
    tree = site.build().tree()
    harm(site.build().out / name)
    assert site.build().tree() == tree


def test_a_body_edit_writes_the_feeds_that_carry_the_text(site: Project) -> None:
    site.replace("infra/two.md", "date:", "summary: One of its own.\ndate:")
    edit = lambda: site.replace("infra/two.md", "Second body.", "Another body.")  # noqa: E731
    assert written(site, edit) == ["feed.json", "feed.xml"]


def test_a_body_edit_of_an_older_note_writes_no_feed(project: Make) -> None:
    site = with_feeds(project("retitle-the-middle-part"), writing_feed_entries=1)
    site.replace("infra/two.md", "date:", "summary: One of its own.\ndate:")
    assert written(site, lambda: site.replace("infra/two.md", "Second body.", "Another body.")) == []
    assert len(entries(site.build())) == 1
    assert len(entries(site.build(), "infra/feed.xml")) == 3


def test_a_first_paragraph_that_stands_for_a_summary_is_in_the_feeds_that_show_it(site: Project) -> None:
    edit = lambda: site.replace("infra/two.md", "Second body.", "Another body.")  # noqa: E731
    assert written(site, edit) == [
        "feed.json", "feed.xml", "infra/feed.xml", "tags/second/feed.xml", "tags/shared/feed.xml",
    ]  # fmt: skip


def test_a_new_title_reaches_the_feeds_that_name_it(site: Project) -> None:
    edit = lambda: site.replace("infra/two.md", "# Two", "# Deux")  # noqa: E731
    assert "tags/second/feed.xml" in written(site, edit)


def test_a_note_that_comes_in_because_another_goes_brings_its_text(project: Make) -> None:
    site = with_feeds(project("retitle-the-middle-part"), writing_feed_entries=1)
    edit = lambda: site.replace("infra/three.md", "date:", "draft: true\ndate:")  # noqa: E731
    assert written(site, edit) == ["feed.json", "feed.xml", "infra/feed.xml", "tags/shared/feed.xml"]
    assert "Second body." in content(site.build())


def test_a_build_of_one_file_leaves_the_rest_to_the_next(site: Project) -> None:
    site.build()
    site.replace("infra/two.md", "Second body.", "Another body.")
    site.replace("infra/three.md", "Third,", "Last,")
    command = [sys.executable, "-m", "sphinx", "-q", "-d", str(site.folder / "out/doctrees")]
    files = [str(site.source), str(site.folder / "out/html"), str(site.source / "infra/two.md")]
    subprocess.run([*command, *files], check=True)
    assert site.build().tree() == site.build(to="clean").tree()


def test_a_withdrawn_note_is_in_no_feed_and_in_no_kept_text(site: Project) -> None:
    site.replace("infra/two.md", "Second body.", "ZEBRA body.")
    assert b"ZEBRA" in b"".join(feeds(site.build()).values())
    site.replace("infra/two.md", "date:", "draft: true\ndate:")
    built = site.build()
    found = [path for path in built.out.parent.rglob("*") if path.is_file() and b"ZEBRA" in path.read_bytes()]
    assert found == []
    assert "tags/second/feed.xml" not in feeds(built)


def test_a_preview_has_none(site: Project) -> None:
    built = site.build(writing_preview=True)
    assert feeds(built) == {}
    assert "application/atom+xml" not in built.text("infra/index.html")


@pytest.mark.parametrize(
    "values",
    [{"html_baseurl": ""}, {"writing_feeds": False}, {"html_baseurl": "/docs/"}],
    ids=lambda values: next(iter(values)),
)
def test_where_they_are_not_wanted_or_have_no_address_there_are_none(site: Project, values: Any) -> None:
    built = site.build(**values)
    assert feeds(built) == {}
    assert "application/atom+xml" not in built.text("index.html")
    assert list(built.out.parent.rglob("*.kept")) == []


@pytest.mark.parametrize("builder", ["singlehtml", "epub", "text", "latex"])
def test_other_outputs_have_none(site: Project, builder: str) -> None:
    assert feeds(site.build(builder)) == {}


def test_a_site_without_posts_has_none(project: Make) -> None:
    built = with_feeds(project("site-without-posts")).build()
    assert feeds(built) == {}
    assert "atom+xml" not in built.text("index.html")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"writing_feeds": True, "html_baseurl": ""}, "expected html_baseurl such as"),
        ({"writing_feeds": True, "html_baseurl": "/x"}, "found '/x/'"),
        ({"writing_feed_entries": 0}, "expected a whole number of notes"),
        ({"writing_feed_id": "example.org"}, 'such as "example.org,2026"'),
    ],
)
def test_values_that_cannot_be_used_stop_the_build(site: Project, values: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        site.build(**values)


def test_pages_name_the_feeds_they_have(site: Project) -> None:
    site.replace("index.md", "# ", "```{writing}\n:style: sentence\n```\n\n# ")
    built = site.build()
    own = '<link rel="alternate" type="application/atom+xml" title="Tiny: {}" href="feed.xml">'
    main = '<link rel="alternate" type="application/atom+xml" title="Tiny" href="../feed.xml">'
    assert own.format("Infra") in built.text("infra/index.html")
    assert own.format("second") in built.text("tags/second/index.html")
    for name in ("infra/index.html", "infra/two.html", "tags/index.html"):
        assert main in built.text(name)
    assert '<a href="feed.xml" type="application/atom+xml">Feed</a>' in built.text("infra/index.html")
    assert '<a href="feed.xml" type="application/atom+xml">Feed of this tag</a>' in built.text(
        "tags/second/index.html"
    )
    assert '<a href="feed.xml" type="application/atom+xml">Feed</a>' in built.text("index.html")


def test_ids_outlive_what_they_name(site: Project) -> None:
    def ids() -> dict[str | None, str | None]:
        return {e.findtext(f"{ATOM}title"): e.findtext(f"{ATOM}id") for e in entries(site.build())}

    before = ids()
    assert before["Two"] == "tag:example.org,2026:infra/two"
    site.replace("conf.py", BASE, "http://example.org:8000/other/path")
    site.replace("infra/two.md", "2026-01-02", "2026-02-02")
    site.replace("infra/index.md", "one\ntwo\n", "two\none\n")
    assert ids() == before
    (site.source / "infra/two.md").rename(site.source / "infra/moved.md")
    site.replace("infra/index.md", "two\n", "moved\n")
    site.replace("infra/moved.md", "date:", "feed_id: infra/two\ndate:")
    for name in ("infra/one.md", "infra/three.md", "guide.md"):
        site.write(
            name,
            (site.source / name).read_text().replace("infra/two", "infra/moved").replace("`two`", "`moved`"),
        )
    assert ids() == before
    site.replace("conf.py", "project", 'writing_feed_id = "me@example.com,2020-05"\nproject')
    assert ids()["Two"] == "tag:me@example.com,2020-05:infra/two"


def test_a_file_of_the_site_in_its_place_stays_and_is_reported(site: Project) -> None:
    site.write("_own/feed.xml", "<mine/>\n")
    site.replace("conf.py", "project", 'html_extra_path = ["_own"]\nproject')
    built = site.build()
    assert built.text("feed.xml") == "<mine/>\n"
    assert "feed.json" in feeds(built)
    assert built.warnings == [
        "conf.py:1: WARNING: html_extra_path has the file feed.xml, so this feed is not made; rename the file, or "
        "switch feeds off by writing_feeds = False [writing.address]"
    ]


def test_a_claimed_id_is_reported(site: Project) -> None:
    site.replace("infra/two.md", "date:", "feed_id: infra/one\ndate:")
    assert site.build().warnings == [
        'infra/two.md:2:10: WARNING: "feed_id": "infra/one" is that of "infra/one"; give the address that this note had '
        "first, and no other has [writing.address]"
    ]


def test_texts_too_heavy_for_a_feed_become_summaries(
    site: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    import random

    for seed, name in enumerate(("one", "two", "three")):
        words = random.Random(seed).randbytes(400_000).hex()  # noqa: S311  # for bytes, not for secrets
        lines = "\n".join(words[i : i + 100] for i in range(0, len(words), 100))
        path = site.source / f"infra/{name}.md"
        path.write_text(f"{path.read_text()}\n{lines}\n")
    built = site.build()
    assert [e.find(f"{ATOM}content") is not None for e in entries(built)] == [True, True, False]
    assert built.tree() == site.build(to="clean").tree()
