"""What stands in the text of web pages: headings, code, tables, lists of tasks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from bs4 import BeautifulSoup, Tag

from .conftest import Built, Project

Make = Callable[[str], Project]
THEMES = ["writing", "furo", "alabaster", "pydata_sphinx_theme"]
HEAD = "---\ndate: 2026-01-02\n---\n"


@pytest.fixture
def site(project: Make) -> Project:
    return project("elements")


def page(site: Project, text: str, **options: object) -> Tag:
    """The article of the note with *text* below its title."""
    built = built_with(site, text, **options)
    assert built.warnings == []
    return article(built)


def built_with(site: Project, text: str, **options: object) -> Built:
    site.write("note.md", f"{HEAD}# Note\n\n{text}\n")
    return site.build(**options)  # type: ignore[arg-type]


def article(built: Built, name: str = "note.html") -> Tag:
    found = soup(built.text(name)).select('[role="main"], main')
    assert found
    return found[-1]


def soup(text: str) -> BeautifulSoup:
    return BeautifulSoup(text, "html.parser")


def classes(root: Tag, name: str) -> list[Tag]:
    return list(root.select(f".{name}"))


def child(element: Tag) -> Tag:
    """The first element in *element*."""
    return next(found for found in element.children if isinstance(found, Tag))


def head(box: Tag) -> str:
    """What the header of a box says."""
    return child(box).text


def assert_anchors_hold(root: Tag) -> None:
    """Every id stands once, and every link within the page leads to one."""
    ids = Counter(str(element["id"]) for element in root.select("[id]"))
    assert [name for name, times in ids.items() if times > 1] == []
    links = (str(link["href"]) for link in root.select('[href^="#"]'))
    wanted = {href[1:] for href in links if href != "#"}
    assert wanted - ids.keys() == set()


# Headings

HEADINGS = """\
(first)=
(second)=
## A heading with `code`

Text.

(third)=
### Below

See {ref}`first`, [](#second), {ref}`third`, [](#below).
"""


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("builder", ["html", "dirhtml", "singlehtml"])
def test_a_heading_has_the_ids_of_its_section(site: Project, theme: str, builder: str) -> None:
    built = built_with(site, HEADINGS, html_theme=theme, builder=builder, myst_heading_anchors=3)
    assert built.warnings == []
    name = {"html": "note.html", "dirhtml": "note/index.html", "singlehtml": "index.html"}[builder]
    root = article(built, name)
    assert root.select("section[id]") == []
    heading = next(h for h in root.select("h2, h3") if "A heading" in h.text)
    ids = [heading["id"], *(span["id"] for span in heading.select("span[id]"))]
    assert {"first", "second", "a-heading-with-code"} <= set(ids)
    assert str(heading.select("a.headerlink")[0]["href"]).endswith(f"#{ids[0]}")
    if builder != "singlehtml":  # where each document has anchors of its own
        assert_anchors_hold(soup(built.text(name)))


def test_other_outputs_keep_their_ids(site: Project) -> None:
    built = built_with(site, HEADINGS, builder="epub", version="1", myst_heading_anchors=3)
    assert '<section id="second">' in built.text("note.xhtml")
    assert "writing-" not in re.sub(r"<link[^>]*>", "", built.text("note.xhtml")).replace("writing-above", "")


def test_numbers_of_sections_stay(site: Project) -> None:
    site.replace("index.md", "```{toctree}", "```{toctree}\n:numbered:")
    root = page(site, HEADINGS, myst_heading_anchors=3)
    assert [h.text.rstrip("¶") for h in root.select("h2, h3")][:2] == [
        "1.1. A heading with code",
        "1.1.1. Below",
    ]


# Code

CODE = """\
```python
x = 1
```

```console
$ ls
```

```{code-block} text
:class: output

a
```

```
plain
```

```{code-block} c
:caption: src/main.c
:name: main
:emphasize-lines: 1
:linenos:

int main(void) { return 0; } /* a line that is longer than any telephone is wide */
```

```{code-block} text
:class: output

alone
```

See {numref}`main`.
"""


@pytest.mark.parametrize("theme", THEMES)
def test_each_block_of_code_has_a_box_with_a_header(site: Project, theme: str) -> None:
    root = page(site, CODE, html_theme=theme)
    boxes = classes(root, "writing-code")
    assert [head(box).rstrip("¶#") for box in boxes] == [
        "Python",
        "Console",
        "",
        "Listing 1 src/main.c",
    ]
    assert [len(classes(box, "writing-scroll")) for box in boxes] == [1, 2, 1, 2]
    assert [len(classes(box, "writing-output")) for box in boxes] == [0, 1, 0, 1]
    assert len(root.select('div[class*="highlight-"]')) == len(classes(root, "writing-scroll")) == 6
    assert boxes[3]["id"] == "main"
    assert "writing-code-path" in boxes[3]["class"]
    assert root.select('a[href="#main"]')[-1].text == "Listing 1"
    assert root.select("button, script") == []


def test_only_what_may_scroll_can_be_focused(site: Project) -> None:
    root = page(site, CODE)
    found = [
        (box.get("data-name"), box.get("tabindex"), box.get("aria-label"))
        for box in classes(root, "writing-scroll")
    ]
    assert found == [
        ("Python code", None, None),
        ("Console code", None, None),
        ("Output", None, None),
        ("Code", None, None),
        ("src/main.c", "0", "src/main.c"),
        ("Output (2)", None, None),
    ]
    assert {box.get("role") for box in classes(root, "writing-scroll")} == {None, "group"}


@pytest.mark.parametrize(
    ("between", "joined"), [("", True), ("(target)=\n", True), ("% a comment\n", True), ("Words.\n", False)]
)
def test_output_joins_the_code_right_before_it(site: Project, between: str, joined: bool) -> None:
    root = page(site, f"```python\nx\n```\n\n{between}\n```{{code-block}} text\n:class: output\n\ny\n```\n")
    assert len(classes(root, "writing-code")) == (1 if joined else 2)


def test_output_with_a_caption_keeps_it(site: Project) -> None:
    text = "```python\nx\n```\n\n```{code-block} text\n:class: output\n:caption: What it says\n\ny\n```\n"
    root = page(site, text)
    assert len(classes(root, "writing-code")) == len(classes(root, "writing-scroll")) == 2
    assert classes(root, "caption-text")[0].text == "What it says"


def test_the_language_is_in_no_search_index(site: Project) -> None:
    built = built_with(site, "```ocaml\nx\n```\n")
    assert "OCaml" in built.text("note.html")
    assert "ocaml" not in built.text("searchindex.js").lower()


def test_code_in_restructuredtext_has_its_box(site: Project) -> None:
    (site.source / "note.md").unlink()
    text = (
        ":date: 2026-01-02\n\nNote\n====\n\n::\n\n   literal\n\n>>> 1\n1\n\n.. parsed-literal::\n\n   a *b*\n"
    )
    site.write("note.rst", text)
    site.write("post.md", f"{HEAD}# Post\n")
    site.replace("index.md", "note", "note\npost")
    root = article(site.build())
    assert [head(box) for box in classes(root, "writing-code")] == ["", "Python session", ""]
    assert "a *b*" not in root.text


def test_the_script_is_linked_where_there_is_something_to_do(site: Project) -> None:
    built = built_with(site, "```python\nx\n```\n")
    linked = {
        path.name
        for path in built.out.glob("*.html")
        if "writing-code.js" in path.read_text(encoding="utf-8")
    }
    assert linked == {"note.html"}
    assert (built.out / "_static" / "writing-code.js").is_file()


# Tables

TABLES = """\
| name | number | chosen | formula |
|---|---|:--|---|
| a | 1,024 | 1 | $x + y$ |
| b | – | 2 | $z$ |

```{list-table} Of many words
:name: listed

* - word
  - 12 %
```

```{csv-table}
a,b
```

:::{note}
| in a note |
|---|
| x |
:::
"""


@pytest.mark.parametrize("theme", THEMES)
def test_each_table_has_one_box(site: Project, theme: str) -> None:
    root = page(site, TABLES, html_theme=theme)
    tables = root.select("table")
    assert len(tables) == len(classes(root, "writing-table")) == 4
    assert classes(root, "table-wrapper") == []
    assert [box.get("data-name") for box in classes(root, "writing-table")] == [
        "Table",
        "Of many words",
        "Table (2)",
        "Table (3)",
    ]
    assert {box.get("data-role") for box in classes(root, "writing-table")} == {"region"}
    assert [element.name for element in root.select("#listed")] == ["table"]


def test_columns_of_numbers_are_set_right_unless_the_author_has_chosen(site: Project) -> None:
    first, listed, *_ = page(site, TABLES).select("table")
    assert [cell.text.strip() for cell in classes(first, "writing-numeric")] == [
        "number",
        "1,024",
        "–",
    ]
    assert [cell.text.strip() for cell in classes(listed, "writing-numeric")] == ["12 %"]


def test_a_wide_table_can_be_focused_without_script(site: Project) -> None:
    row = " | ".join(["unbreakable"] * 6)
    root = page(site, f"| {row} |\n|{'---|' * 6}\n| {row} |\n\n| a |\n|---|\n| b |\n")
    wide, narrow = classes(root, "writing-table")
    assert (wide.get("tabindex"), wide.get("role"), wide.get("aria-label")) == ("0", "region", "Table")
    assert (narrow.get("tabindex"), narrow.get("role"), narrow.get("aria-label")) == (None, None, None)


def test_the_table_of_autosummary_is_not_pulled_apart(site: Project) -> None:
    site.write(
        "conf.py",
        (site.source / "conf.py")
        .read_text()
        .replace('["sphinx_writing"]', '["sphinx_writing", "sphinx.ext.autosummary"]'),
    )
    root = page(
        site,
        "```{eval-rst}\n.. autosummary::\n   :nosignatures:\n\n   os.path.join\n```\n",
        html_theme="furo",
    )
    (box,) = classes(root, "writing-table")
    assert len(box.select("table")) == 1


# Lists of tasks


def test_the_box_of_a_task_says_whether_it_is_done(site: Project) -> None:
    root = page(site, "- [ ] one\n- [x] two\n")
    assert [box["aria-label"] for box in root.select("input")] == ["To do", "Done"]


# All of it


def everything() -> Iterator[str]:
    yield from (HEADINGS, CODE, TABLES)


def test_a_page_is_the_same_from_one_job_and_from_several(site: Project) -> None:
    for number in range(8):
        site.write(
            f"more-{number}.md",
            f"---\norphan:\n---\n# More\n\n{CODE}\n{TABLES}\n".replace("main", f"m{number}").replace(
                "listed", f"l{number}"
            ),
        )
    text = "\n".join(everything())
    one = built_with(site, text, myst_heading_anchors=3)
    several = built_with(site, text, myst_heading_anchors=3, to="several", jobs=2)
    assert one.tree() == several.tree()


def test_a_site_without_posts_is_left_alone_until_it_has_one(site: Project) -> None:
    site.write("note.md", f"# Note\n\n{CODE}\n{TABLES}\n{HEADINGS}")
    before = site.build(myst_heading_anchors=3)
    assert "writing-code" not in before.text("note.html")
    site.write("post.md", f"{HEAD}# Post\n")
    site.replace("index.md", "note", "note\npost")
    after = site.build(myst_heading_anchors=3)
    assert "writing-code" in after.text("note.html")
    assert after.tree() == site.build(to="clean", myst_heading_anchors=3).tree()
