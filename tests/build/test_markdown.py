"""Markdown of built sites: that nothing is lost in it, that it is exact, and what makes it anew."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from sphinx.errors import ConfigError

from sphinx_writing.core import llms

from .conftest import Built, Project
from .test_exactness import EDITS, change_body, change_summary

Make = Callable[[str], Project]
Edit = Callable[[Project], None]
BASE = "https://example.org/a/b/"


def with_markdown(site: Project, base: str = BASE) -> Project:
    """*site* with a public address, and Markdown."""
    site.replace("conf.py", "project", f"html_baseurl = {base!r}\nwriting_markdown = True\nproject")
    return site


@pytest.fixture
def site(project: Make) -> Project:
    """Three notes of one series."""
    return with_markdown(project("retitle-the-middle-part"))


@pytest.fixture
def note(project: Make) -> Project:
    """One note, whose text the tests write."""
    return with_markdown(project("elements"))


def files(built: Built) -> dict[str, bytes]:
    """All Markdown of an output, and what lists it."""
    paths = [*built.out.rglob("*.html.md"), *built.out.glob("llms*.txt")]
    return {path.relative_to(built.out).as_posix(): path.read_bytes() for path in sorted(paths)}


def tokens(text: str) -> Iterator[Token]:
    """All tokens of Markdown, with those in its sentences."""
    parser = MarkdownIt("commonmark").enable("table").use(footnote_plugin)
    for token in parser.use(dollarmath_plugin, double_inline=True).parse(text):
        yield token
        for child in token.children or ():
            yield child
            yield from child.children or ()  # the description of a picture


def words(text: str) -> str:
    """What a reader of Markdown shows, each run of blanks as one."""
    shown = {"text", "code_inline", "fence", "math_inline", "math_block", "math_block_label"}
    found = [
        token.content
        if token.type in shown
        else " " * (token.block or "break" in token.type or token.content == "<br>")
        for token in tokens(text)
        if token.type != "inline"
    ]
    return " ".join("".join(found).split())


def written(site: Project, edit: Callable[[], object]) -> set[str]:
    """The Markdown that a build after *edit* writes; it is that of a clean build."""
    built = site.build()
    before = {name: (built.out / name).stat().st_mtime_ns for name in files(built)}
    edit()
    built = site.build()
    clean = site.build(to="clean", fresh=True)
    jobs = site.build(to="jobs", fresh=True, jobs=2)
    assert built.tree() == clean.tree() == jobs.tree()
    return {name for name in files(built) if (built.out / name).stat().st_mtime_ns != before.get(name)}


def test_each_note_and_series_page_has_it(site: Project) -> None:
    built = site.build()
    assert built.warnings == []
    assert list(files(built)) == [
        "infra/index.html.md", "infra/one.html.md", "infra/three.html.md", "infra/two.html.md",
        "llms-full.txt", "llms.txt",
    ]  # fmt: skip
    line = '<link rel="alternate" type="text/markdown" href="two.html.md">'
    assert line in built.text("infra/two.html")
    assert "text/markdown" not in built.text("guide.html")
    text = built.text("infra/two.html.md")
    assert text.startswith(f"# Two\n\n> Second body.\n\n- Page: <{BASE}infra/two.html>\n- Published: 20")
    assert f"- Series: [Infra]({BASE}infra/index.html.md), part 2 of 3\n" in text
    assert f"- Read first: [Two]({BASE}infra/two.html.md)\n" in built.text("infra/three.html.md")
    full = built.text("llms-full.txt")
    parts = [built.text(f"infra/{name}.html.md") for name in ("index", "one", "two", "three")]
    assert full == llms.BETWEEN.join(parts)


def test_llms_txt_lists_them(site: Project) -> None:
    site.write("lone.md", "---\ndate: 2026-01-02\n---\n# A [lone] *note*\n\nIts summary.\n")
    site.replace("index.md", "guide", "guide\nlone")
    lines = [line for line in site.build().text("llms.txt").splitlines() if line]
    assert lines[0].startswith("# ")
    assert lines[1].endswith(f"[llms-full.txt]({BASE}llms-full.txt)")
    assert [line for line in lines if line.startswith("## ")] == ["## Infra", "## Optional"]
    assert [line.partition("](")[2].partition(")")[0] for line in lines if line.startswith("- ")] == [
        f"{BASE}{name}.html.md" for name in ("infra/index", "infra/one", "infra/two", "infra/three", "lone")
    ]
    assert lines[-1] == rf"- [A \[lone\] *note*]({BASE}lone.html.md): Its summary."


@pytest.mark.parametrize("base", [BASE, BASE.rstrip("/")])
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_every_address_is_whole_and_leads_to_a_file(note: Project, builder: str, base: str) -> None:
    note.write("dot.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>\n')
    note.write("dot-dark.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="9"/>\n')
    note.write("data.csv", "a,b\n")
    note.write("other/index.md", "---\ndate: 2026-01-03\n---\n# Other\n\n(there)=\n## There\n\nText.\n")
    note.write("plain.md", "---\norphan:\n---\n# Plain\n\nText.\n")
    note.replace("index.md", "note", "note\nother/index")
    note.write(
        "note.md",
        "---\ndate: 2026-01-02\n---\n# Note\n\n[](other/index.md) {ref}`there` [up](plain.md) [here](#part)\n"
        "{download}`data.csv` <https://example.com/x?a=1&b=2> [mail](mailto:a@example.org)\n\n"
        "```{figure} dot.svg\n:alt: A dot.\n:width: 40px\n\nCaption.\n```\n\n![A dot](dot.svg)\n\n"
        "(part)=\n## Part\n\nText.\n",
    )
    built = note.build(builder, html_baseurl=base)
    assert built.warnings == []
    folders = builder == "dirhtml"
    own, other = "note/index.html.md" if folders else "note.html.md", "other/index.html.md"
    plain, page = BASE + ("plain/" if folders else "plain.html"), BASE + ("note/" if folders else "note.html")
    text = built.text(own)
    found = [str(token.attrs.get("href") or token.attrs.get("src")) for token in tokens(text) if token.attrs]
    found = [address for address in found if address != "None" and not address.startswith("text-align")]
    assert "dark" not in text
    assert {f"{BASE}{other}", f"{BASE}{other}#there", plain, f"{page}#part", page} <= set(found)
    assert {a for a in found if not a.startswith(BASE)} == {
        "https://example.com/x?a=1&b=2", "mailto:a@example.org",
    }  # fmt: skip
    for name in files(built):
        assert "/a/b//" not in built.text(name)
        found += re.findall(r"\]\((https://example.org/[^)]+)\)", built.text(name))
    for address in {a for a in found if a.startswith(BASE)}:
        path = unquote(urlsplit(address).path.removeprefix("/a/b/"))
        assert (built.out / (path + "index.html" * (not path or path.endswith("/")))).is_file(), address


BODY = r"""---
date: 2026-01-02
---
# Note

Stars * and *em* and **strong `c|d`**, a_b_c, _x, \[x\](y), \[x\]: y, \<b\>, &amp;amp; \$5 ~~no~~ `a`` b`.[^b] $x_1 < |y|$.[^a]
Broken\
line. 1\. one

\# no heading

\- no item

1986\. A year.

[^a]: The first *note*.
[^b]: The other,

    in two paragraphs.

```{code-block} python
:linenos:
:caption: Some `code`
if a < b:
    print("```")
```

```{math}
:label: eq
a &= b \\
  &= c
```

By {eq}`eq` it follows. H~2~O

| n | m \| k | $\|x\|$ |
|---|:-:|---|
| 1 | `a\|b` | $\\|y\\|$ |
| 2 | *d* |  |

```{list-table} A caption
:header-rows: 1
* - Head
  - Other
* - - one
    - two
  - first

    second
```

:::{note}
Mind this.

- item

  more
:::

```{admonition} A *title*
Own.
```

- [x] done
- [ ] open

1. one
   - nested
     - deeper
2. two

10) ten

- a

* b

Term
: Meaning one.

  Meaning two.

Other `term`
: - listed

> Quote
>
> > inner

<details><summary>Fold me</summary>

Folded words.

</details>

```{figure} dot.svg
:alt: Alt [words] * here

Figure caption.

Legend words.
```

```{epigraph}
Words.

-- Author
```

```{eval-rst}
| a line
| block
```

```{py:function} f(a, b=1)
Five.
```

```{glossary}
gloss
  Glossed.
```

{kbd}`Ctrl` {abbr}`LLM (language model)` {sub}`low` {sup}`high`

```{rubric} A rubric
```

---

## Heading `h` \#

### Deeper

```text

  four
```

```{topic} Topic title
Topic words.
```

```{versionadded} 9.9
New words.
```
"""


def test_nothing_of_a_note_is_lost(note: Project) -> None:
    note.write("dot.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>\n')
    note.write("note.md", BODY)
    built = note.build(suppress_warnings=["myst.header"])
    assert built.warnings == []
    text = built.text("note.html.md")
    shown = words(text)
    for part in (
        "Stars * and em and strong c|d, a_b_c, _x, [x](y), [x]: y, <b>, &amp; $5 ~~no~~ a`` b.",
        "Broken line. 1. one", "# no heading", "- no item", "1986. A year.",
        "The first note.", "The other, in two paragraphs.", 'if a < b: print("```")',
        r"\begin{aligned} a &= b \\ &= c \end{aligned} \tag{1}", "By (1) it follows.",
        "n m | k", "1 a|b", "Table 1: A caption", "Head Other - one - two first second",
        "Note Mind this. item more", "A title Own.", "one nested deeper two", "ten", "a b",
        "Term: Meaning one. Meaning two.", "Other term listed", "Quote inner", "Fold me Folded words.",
        "Alt [words] * here", "Fig. 1: Figure caption. Legend words.", "Words. — Author", "a line block",
        "f(a, b=1) Five.", "gloss: Glossed.", "Ctrl LLM (language model) low high", "A rubric", "Heading h #", "Deeper", "Deeper four",
        "Topic title Topic words.", "New words.",
    ):  # fmt: skip
        assert part in shown, (part, text)
    found = list(tokens(text))
    assert [t.tag for t in found if t.type == "heading_open"] == ["h1", "h2", "h3"]
    assert [t.info for t in found if t.type == "fence"] == ["python", ""]
    assert sum(t.type == "table_open" for t in found) == 2
    assert sum(t.type == "footnote_ref" for t in found) == 2
    assert sum(t.type == "math_inline" for t in found) == 4
    assert sum(t.type == "blockquote_open" for t in found) == 8
    assert sum(t.type == "ordered_list_open" for t in found) == 2
    assert "- [x] done\n- [ ] open" in text
    assert "\x02" not in text


def test_a_diagram_is_its_source(note: Project) -> None:
    note.write(
        "note.md",
        "---\ndate: 2026-01-02\n---\n# Note\n\n```{mermaid}\n:alt: A leads to B.\n:caption: Two *boxes*.\n"
        "flowchart LR\n  A --> B\n```\n",
    )
    text = note.build().text("note.html.md")
    assert re.search(
        rf"!\[A leads to B\.\]\({BASE}_images/\w+\.svg\)\n\n```mermaid\nflowchart LR\n  A --> B\n```\n\n"
        r"\*\*Fig\. 1\*\*: Two \*boxes\*\.\n", text,
    )  # fmt: skip


@pytest.mark.parametrize("theme", ["furo", "alabaster", "pydata_sphinx_theme", "writing"])
def test_nodes_of_other_extensions_keep_their_words(note: Project, theme: str) -> None:
    note.replace("conf.py", '"sphinx_writing"', '"sphinx_writing", "sphinx_design", "sphinx.ext.graphviz"')
    note.write(
        "note.md",
        "---\ndate: 2026-01-02\n---\n# Note\n\n::::{tab-set}\n:::{tab-item} First tab\nOne.\n:::\n"
        ":::{tab-item} Second tab\nTwo.\n:::\n::::\n\n:::{dropdown} Folded\nThree.\n:::\n\n"
        "::::{card} A card\n:link: https://example.org/x\n\nFour.\n+++\nFoot\n::::\n\n```{contents}\n```\n\n## Heading\n\n"
        "<video src='x.mp4'>No video</video>\n\n<script>var hidden</script>\n\n{octicon}`star` {bdg}`badge`\n",
    )
    built = note.build(html_theme=theme, suppress_warnings=["design.card_legacy"])
    assert built.warnings == []
    text = built.text("note.html.md")
    shown = words(text)
    for part in (
        "First tab One.",
        "Second tab Two.",
        "Folded Three.",
        "A card Four.",
        "Foot",
        "No video",
        "badge",
    ):
        assert part in shown, text
    assert "**First tab**" in text
    assert "https://example.org/x" in text
    assert shown.count("Heading") == 1
    assert "hidden" not in text
    assert "<svg" not in text


def test_hostile_words_on_every_surface(note: Project) -> None:
    said = "</script> ]]> & \"quotes\" 'single' {{ x }} {% y %} 🧪 [a](b) ![c](d) \\* _e_ \u202e \x07 | #"
    quoted = said.replace("'", "''").replace("\x07", "")
    note.write(
        "note.md",
        f"---\ndate: 2026-01-02\ntags: ['{quoted}']\nauthors: ['{quoted}']\nsummary: 'In short `{{{{` $x$'\n---\n"
        f"# Title `</script>` & \\[a\\](b) $x$ {'long ' * 2000}\n\n```text\n{said}\n```\n",
    )
    built = note.build()
    text = built.text("note.html.md")
    assert "\x07" not in text
    found = [
        token for token in tokens(text) if token.type in ("link_open", "image", "html_inline", "html_block")
    ]
    assert [str(token.attrs.get("href")) for token in found] == [f"{BASE}note.html"]
    assert " ".join(quoted.replace("''", "'").split()) in words(text)
    assert "Title </script> & [a](b) x long" in words(text)
    assert "Title </script> & [a](b) x long" in words(built.text("llms.txt"))


def test_a_draft_is_in_none_of_it(project: Make) -> None:
    site = with_markdown(project("one-draft"))
    for builder in ("html", "dirhtml"):
        built = site.build(builder, to=builder)
        assert files(built)
        assert all(b"zebra" not in content.lower() for content in files(built).values())
        assert not [name for name in files(built) if name.startswith("infra/two")]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_an_edit_leaves_what_a_clean_build_has(site: Project, edit: Edit) -> None:
    written(site, lambda: edit(site))


def test_an_edit_writes_what_it_changes(site: Project) -> None:
    site.replace("infra/two.md", "date:", "summary: A first summary.\ndate:")
    assert written(site, lambda: change_body(site)) == {"infra/two.html.md", "llms-full.txt"}
    changed = written(site, lambda: site.replace("infra/two.md", "A first", "Another"))
    assert changed == {"infra/two.html.md", "infra/index.html.md", "llms-full.txt", "llms.txt"}


def test_a_link_follows_what_becomes_a_note(site: Project) -> None:
    site.write("lone.md", "---\norphan:\n---\n# Lone\n\nText.\n")
    site.replace("infra/two.md", "Second body.", "Second body. [](../lone.md)")
    assert f"[Lone]({BASE}lone.html)" in site.build().text("infra/two.html.md")
    changed = written(site, lambda: site.replace("lone.md", "orphan:", "date: 2026-01-02\norphan:"))
    assert changed == {"lone.html.md", "infra/two.html.md", "llms-full.txt", "llms.txt"}
    assert f"[Lone]({BASE}lone.html.md)" in site.build().text("infra/two.html.md")


@pytest.mark.parametrize("name", ["infra/two.html.md", "llms.txt", "llms-full.txt"])
@pytest.mark.parametrize("harm", [Path.unlink, lambda path: path.write_text("cut")], ids=["lost", "cut"])
def test_a_harmed_file_comes_back(site: Project, name: str, harm: Callable[[Path], object]) -> None:
    before = site.build()
    tree = before.tree()
    harm(before.out / name)
    assert site.build().tree() == tree


def test_too_much_for_one_file_is_left_out(site: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(site.build().text("llms-full.txt").encode())
    monkeypatch.setattr(llms, "HEAVIEST", size)
    assert "llms-full.txt" in files(site.build(to="fits"))
    monkeypatch.setattr(llms, "HEAVIEST", size - 1)
    built = site.build(to="more")
    assert "llms-full.txt" not in files(built)
    assert "There is no llms-full.txt: it would be larger than 1 MB." in built.text("llms.txt")


@pytest.mark.parametrize("values", [{"writing_markdown": False}, {"writing_preview": True}], ids=str)
def test_there_is_none_unless_it_is_asked_for(site: Project, values: dict[str, Any]) -> None:
    assert files(site.build())
    built = site.build(**values)
    assert files(built) == {}
    assert "text/markdown" not in built.text("infra/two.html")


@pytest.mark.parametrize("builder", ["singlehtml", "epub", "text"])
def test_other_outputs_have_none(site: Project, builder: str) -> None:
    assert files(site.build(builder)) == {}


@pytest.mark.parametrize("base", ["", "/docs/"])
def test_it_needs_the_address_of_the_site(site: Project, base: str) -> None:
    with pytest.raises(ConfigError, match="expected html_baseurl such as"):
        site.build(html_baseurl=base)


def test_a_file_of_the_site_stays(site: Project) -> None:
    site.write("extra/llms.txt", "Mine.\n")
    site.replace("conf.py", "project", 'html_extra_path = ["extra"]\nproject')
    built = site.build()
    assert built.text("llms.txt") == "Mine.\n"
    assert "infra/two.html.md" in files(built)


def test_a_site_without_posts_has_none(project: Make) -> None:
    assert files(with_markdown(project("site-without-posts")).build()) == {}


def test_change_of_a_summary_reaches_all_lists(site: Project) -> None:
    change_summary(site)
    built = site.build()
    assert all(b"A summary of its own." in files(built)[n] for n in ("llms.txt", "infra/index.html.md"))
