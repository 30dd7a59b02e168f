"""The text of a note in a browser: code that can be copied, boxes that scroll, notes beside it, anchors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from ..build.conftest import Project
from .conftest import OpenPage
from .server import serving

LONG = (
    "a_very_long_name = another_very_long_name + yet_another_very_long_name * and_one_more_very_long_name + 1"
)
PARAGRAPH = "Words of a paragraph that is long enough to fill several lines of the column of text. " * 4
NOTE = f"""\
---
date: 2026-01-02
---
# Note

{PARAGRAPH}[^one] {PARAGRAPH}[^two]

{PARAGRAPH}

[^one]: The first note, which has some words as well, so that it takes a few lines beside the text.
[^two]: The second.

## Code

```python
short = 1
```

```python
{LONG}
```

```console
$ python -m labs.infra.nccl \\
    --all
16 nodes: 311.6 µs

32 nodes: 500 µs
$ make html
```

```{{code-block}} python
:linenos:

first = 1
second = 2
```

```pycon
>>> def double(x):
...     return 2 * x
...
>>> double(2)
4
```

```{{code-block}} text
:class: output

what it printed
```

## Tables

| name | a | b | c | d | e | f |
|---|---|---|---|---|---|---|
| one | 1,000,000 | unbreakable | unbreakable | unbreakable | unbreakable | unbreakable |

| name | number |
|---|---|
| one | 1 |

(old-anchor)=
## Far down

{PARAGRAPH}

{"".join(f"## Section {n}{chr(10) * 2}{PARAGRAPH}{chr(10) * 2}" for n in range(12))}
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with the note above, in place of that of the documentation."""
    project = Project("elements", tmp_path_factory.mktemp("text"))
    project.write("note.md", NOTE)
    built = project.build_apart(html_theme="writing", html_permalinks_icon="#")
    assert built.warnings == []
    with serving(built.out) as address:
        yield address


@pytest.fixture
def note(page: Page) -> Page:
    page.goto("note.html")
    return page


def pasted(page: Page) -> str:
    """What the clipboard holds, as a reader would get it into a field."""
    page.evaluate("document.body.append(Object.assign(document.createElement('textarea'), {id: 'paste'}))")
    page.locator("#paste").focus()
    page.keyboard.press("Control+V")
    return page.locator("#paste").input_value()


COPIES = [
    ("Python code", "short = 1"),
    ("Python code (2)", LONG),
    ("Console code", "python -m labs.infra.nccl \\\n    --all\nmake html"),
    ("Python code (3)", "first = 1\nsecond = 2"),
    ("Python session code", "def double(x):\n    return 2 * x\n\ndouble(2)"),
]


@pytest.mark.parametrize("clipboard", [True, False])
@pytest.mark.parametrize(("name", "code"), COPIES)
def test_code_is_copied_as_one_would_type_it(page: Page, name: str, code: str, clipboard: bool) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    if not clipboard:  # as on pages that come from disk or over http
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto("note.html")
    button = page.get_by_role("button", name=f"Copy: {name}", exact=True)
    expect(button).to_have_text("Copy")
    button.focus()
    page.keyboard.press("Enter")
    done = page.get_by_role("button", name=f"Copied: {name}", exact=True)
    expect(done).to_have_text("Copied")
    expect(done).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    assert pasted(page) == code
    expect(button).to_have_text("Copy")


def test_each_box_has_one_button_and_output_none(note: Page) -> None:
    assert note.locator(".writing-code").count() == len(COPIES)
    assert note.locator(".writing-copy").count() == len(COPIES)
    assert note.locator(".writing-output").inner_text().strip() == "what it printed"


def test_nothing_of_it_is_there_without_script(open_page: OpenPage) -> None:
    page = open_page(script=False)
    page.goto("note.html")
    assert page.locator(".writing-copy").count() == 0
    assert page.locator(f'.writing-scroll[tabindex="0"]:has-text("{LONG}")').get_attribute("role") == "group"


FOCUSABLE = (
    "[...document.querySelectorAll('.writing-scroll[tabindex]')].map(e => e.getAttribute('aria-label'))"
)
SCROLLING = "[...document.querySelectorAll('.writing-scroll')].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.dataset.name)"


@pytest.mark.parametrize(
    ("width", "expected"), [(390, ["Python code (2)", "Table"]), (1280, ["Python code (2)"])]
)
def test_only_what_scrolls_can_be_focused(open_page: OpenPage, width: int, expected: list[str]) -> None:
    page = open_page(width=width)
    page.goto("note.html")
    page.wait_for_function(f"{SCROLLING}.join() === {FOCUSABLE}.join()")
    assert page.evaluate(FOCUSABLE) == expected
    assert page.evaluate("document.documentElement.scrollWidth === innerWidth")
    assert page.get_by_role("region", name="Table").count() == expected.count("Table")


def test_a_box_that_comes_to_scroll_can_be_focused(note: Page) -> None:
    note.wait_for_function(f"{SCROLLING}.join() === {FOCUSABLE}.join()")
    box = note.locator('.writing-scroll[data-name="Console code"]')
    assert box.get_attribute("tabindex") is None
    note.set_viewport_size({"width": 200, "height": 600})
    expect(box).to_have_attribute("tabindex", "0")
    expect(box).to_have_attribute("aria-label", "Console code")
    note.set_viewport_size({"width": 1280, "height": 600})
    expect(box).not_to_have_attribute("tabindex", "0")
    expect(box).not_to_have_attribute("role", "group")


def test_a_wide_table_keeps_its_first_column_in_sight(open_page: OpenPage) -> None:
    page = open_page(width=390)
    page.goto("note.html")
    table = page.get_by_role("region", name="Table", exact=True)
    expect(table.locator("table")).to_have_class("docutils align-default writing-sticky")
    before = table.locator("tbody td").first.bounding_box()
    table.evaluate("e => e.scrollLeft = 300")
    assert table.locator("tbody td").first.bounding_box() == before


@pytest.mark.parametrize("width", [390, 1280])
def test_code_stands_on_the_edge_of_the_prose(open_page: OpenPage, width: int) -> None:
    page = open_page(width=width)
    page.goto("note.html")
    edges = page.evaluate("""() => {
        const left = node => {
            const range = document.createRange();
            range.selectNodeContents(node);
            return range.getBoundingClientRect().left;
        };
        return [...document.querySelectorAll(
            "section > p, h2, .writing-code-head, .writing-code pre .n, table tr > :first-child p"
        )].filter(e => e.closest("pre") === null || e === e.closest("pre").querySelector("span:not(:empty)"))
          .map(e => Math.round(left(e) * 2) / 2);
    }""")
    assert len(edges) > 10
    assert set(edges) == {edges[0]}


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_notes_stand_beside_the_paragraph_or_below_it(open_page: OpenPage, width: int) -> None:
    page = open_page(width=width)
    page.goto("note.html")
    block = page.locator(".writing-noted")
    text, first, second = (
        block.locator(".writing-noted-text p").bounding_box(),
        block.locator(".writing-note").first.bounding_box(),
        block.locator(".writing-note").last.bounding_box(),
    )
    following = page.locator(".writing-noted + p").bounding_box()
    assert text and first and second and following
    assert second["y"] >= first["y"] + first["height"]
    assert following["y"] >= max(second["y"] + second["height"], text["y"] + text["height"])
    assert following["width"] == text["width"]
    if width == 1920:
        assert first["x"] >= text["x"] + text["width"] + 16
        assert abs(first["y"] - text["y"]) < 12
        assert 14 * 16 <= first["width"] <= 15 * 16
        contents = page.locator(".toc-tree").bounding_box()
        assert contents and contents["x"] > first["x"] + first["width"]
    else:
        assert first["y"] >= text["y"] + text["height"]
        assert first["x"] > text["x"]
    assert page.evaluate("document.documentElement.scrollWidth === innerWidth")


def test_marks_lead_to_their_notes_and_back(note: Page) -> None:
    note.locator(".writing-note-mark").first.click()
    assert note.url.endswith("#one")
    expect(note.locator("#one")).to_be_in_viewport()
    note.locator("#one a[role=doc-backlink]").click()
    expect(note.locator(".writing-note-mark").first).to_be_in_viewport()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("anchor", ["far-down", "old-anchor", "section-3"])
def test_an_anchor_lands_below_the_bar_and_is_marked(open_page: OpenPage, width: int, anchor: str) -> None:
    page = open_page(width=width)
    page.goto(f"note.html#{anchor}")
    heading = page.locator(f"h2:has(#{anchor}), h2#{anchor}")
    box = heading.bounding_box()
    bar = page.locator(".writing-bar").bounding_box()
    top = bar["y"] + bar["height"] if bar else 0
    assert box and top < box["y"] < top + 100
    marked = heading.evaluate("e => getComputedStyle(e, '::before').borderLeftWidth")
    assert marked == "3px"
    assert page.locator("h2").first.evaluate("e => getComputedStyle(e, '::before').content") == "none"


def test_the_contents_follow_the_reader(note: Page) -> None:
    note.locator('.toc-tree a[href="#section-3"]').click()
    expect(note.locator(".toc-tree .scroll-current > a")).to_have_text("Section 3")


def test_the_anchor_of_a_heading_is_seen_on_hover_and_on_focus(note: Page) -> None:
    anchor = note.locator("#section-3 > .headerlink")
    expect(anchor).to_have_css("opacity", "0")
    note.locator("#section-3").hover()
    expect(anchor).to_have_css("opacity", "1")
    note.mouse.move(0, 0)
    expect(anchor).to_have_css("opacity", "0")
    anchor.focus()
    note.keyboard.press("Shift+Tab")
    note.keyboard.press("Tab")
    expect(anchor).to_be_focused()
    expect(anchor).to_have_css("opacity", "1")
    expect(anchor).to_have_text("#")
