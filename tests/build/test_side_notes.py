"""Footnotes beside the block that refers to them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bs4 import Tag

from .conftest import Project
from .test_elements import THEMES, article, assert_anchors_hold, built_with, child, classes, page, soup

Make = Callable[[str], Project]


@pytest.fixture
def site(project: Make) -> Project:
    return project("elements")


def behind(element: Tag) -> Tag:
    """The element after *element*."""
    found = element.find_next_sibling()
    assert isinstance(found, Tag)
    return found


def blocks(root: Tag) -> list[tuple[str, list[str]]]:
    """Each block with notes: its first element and text, and the text of its notes."""
    found = []
    for box in classes(root, "writing-noted"):
        first = classes(box, "writing-noted-text")
        said = " ".join(first[0].text.split()) if first else ""
        notes = [" ".join(note.text.split()) for note in classes(box, "writing-note")]
        found.append((f"{child(first[0]).name}: {said}" if first else "", notes))
    return found


@pytest.mark.parametrize("theme", THEMES)
def test_a_paragraph_and_its_notes_are_one_block(site: Project, theme: str) -> None:
    text = "One[^b] and two[^a].\n\nMore, again[^b].\n\n[^a]: First.\n\n    Goes on.\n\n    ```python\n    x\n    ```\n[^b]: Second.\n"
    root = page(site, text, html_theme=theme)
    assert blocks(root) == [("p: One[1] and two[2].", ["[1] (1,2) Second.", "[2] First. Goes on. Python x"])]
    assert root.select("hr") == []
    assert [note["role"] for note in classes(root, "writing-note")] == ["doc-footnote"] * 2
    assert_anchors_hold(root)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("- one\n  - two[^a]\n", "ul"),
        ("| a |\n|---|\n| b[^a] |\n", "div"),
        (":::{note}\nwords[^a]\n:::\n", "div"),
        ("> quote[^a]\n", "blockquote"),
        ("Term\n: words[^a]\n", "dl"),
        ("```{list-table} Caption[^a]\n* - x\n```\n", "div"),
        ("```{figure} dot.png\n:alt: A dot\n\nCaption[^a]\n```\n", "figure"),
        ("```{code-block} python\n:caption: Caption[^a]\n\nx\n```\n", "div"),
    ],
)
def test_a_note_stands_behind_the_outermost_block(site: Project, text: str, tag: str) -> None:
    (site.source / "dot.png").write_bytes(b"")
    root = page(site, f"Before.\n\n## Section\n\n{text}\nAfter.\n\n[^a]: The note.\n")
    (box,) = classes(root, "writing-noted")
    assert box.parent is not None
    assert box.parent.name == "section"
    assert child(child(box)).name == tag
    assert behind(box).text.strip() == "After."
    assert [note.text.split()[-2:] for note in classes(box, "writing-note")] == [["The", "note."]]
    assert_anchors_hold(root)


def test_a_note_of_a_heading_stands_below_what_belongs_to_it(site: Project) -> None:
    root = page(site, "Text.\n\n## Heading[^a]\n\nWords.\n\n[^a]: Its note.\n")
    (box,) = classes(root, "writing-noted")
    assert behind(root.select("h2")[0]) is box
    assert behind(box).text == "Words."
    site.write(
        "note.md",
        "---\ndate: 2026-01-02\nsummary: In short.\n---\n# Title[^a]\n\nWords.\n\n[^a]: Its note.\n",
    )
    shown = site.build().text("note.html")
    assert shown.index("In short.</p>") < shown.index("Its note.") < shown.index("<p>Words.")


def test_notes_of_notes_are_never_lost_and_numbers_rise(site: Project) -> None:
    text = "One[^a].\n\nTwo[^c].\n\n[^a]: Leads on[^b].\n[^b]: Nested.\n[^c]: Last.\n"
    root = page(site, text)
    assert blocks(root) == [
        ("p: One[1].", ["[1] Leads on[2].", "[2] Nested."]),
        ("p: Two[3].", ["[3] Last."]),
    ]
    assert_anchors_hold(root)


def test_numbers_that_an_author_has_given_rise_as_well(site: Project) -> None:
    root = page(site, "One[^3].\n\nTwo[^1] and one[^3].\n\n[^1]: Of two.\n[^3]: Of one.\n")
    assert blocks(root) == [
        ("p: One[1].", ["[1] (1,2) Of one."]),
        ("p: Two[3] and one[1].", ["[3] Of two."]),
    ]


def test_a_note_to_which_nothing_leads_stays_at_the_end(site: Project) -> None:
    built = built_with(site, "One[^a].\n\n[^a]: Used.\n[^b]: Not used.\n")
    assert [line for line in built.warnings if "is not referenced" not in line] == []
    shown = built.text("note.html")
    assert shown.index("Used.") < shown.index('<hr class="footnotes') < shown.index("Not used.")


def test_notes_between_two_sections_stay_in_theirs(site: Project) -> None:
    root = page(site, "## One\n\nWords[^a].\n\n## Two\n\nWords[^b].\n\n[^a]: A.\n[^b]: B.\n")
    sections = root.select("section:has(> h2)")
    assert [len(section.select(".writing-noted")) for section in sections] == [1, 1]


def test_notes_under_a_heading_of_their_own_stay_a_list(site: Project) -> None:
    (site.source / "note.md").unlink()
    site.write("post.md", "---\ndate: 2026-01-02\n---\n# Post\n")
    site.replace("index.md", "note", "note\npost")
    site.write(
        "note.rst",
        "Note\n====\n\nWords [#a]_.\n\nMore [#b]_.\n\n.. [#b] Beside.\n\nEnd.\n\n.. rubric:: Notes\n\n.. [#a] Listed.\n",
    )
    shown = site.build().text("note.html")
    assert shown.index("Beside.") < shown.index("End.") < shown.index("Listed.")
    assert shown.count("writing-note ") + shown.count('writing-note"') == 1


@pytest.mark.parametrize("builder", ["latex", "epub", "text"])
def test_other_outputs_have_ordinary_footnotes(site: Project, builder: str) -> None:
    built = built_with(
        site,
        "One[^b], two[^a].\n\nLast words.\n\n[^a]: First.\n[^b]: Second.\n",
        builder=builder,
        version="1",
    )
    assert built.warnings == []
    name = {"latex": "elements.tex", "epub": "note.xhtml", "text": "note.txt"}[builder]
    shown = built.text(name)
    assert "writing-noted" not in shown
    if builder != "latex":
        assert shown.index("Last words.") < shown.index("Second.") < shown.index("First.")
    else:
        assert r"\begin{footnote}[1]" in shown


def test_sources_stay_in_their_list_without_a_line_above(site: Project) -> None:
    site.write(
        "conf.py",
        (site.source / "conf.py")
        .read_text()
        .replace('["sphinx_writing"]', '["sphinx_writing", "sphinxcontrib.bibtex"]')
        + 'bibtex_bibfiles = ["a.bib"]\n',
    )
    site.write("a.bib", "@misc{one, author={A. One}, title={The source}, year={2020}}\n")
    text = "Cited {footcite:p}`one` and noted[^a].\n\n## Sources\n\n```{footbibliography}\n```\n\n[^a]: The note.\n"
    root = page(site, text)
    assert blocks(root) == [("p: Cited[1] and noted[2].", ["[2] The note."])]
    assert root.select("hr") == []
    (sources,) = root.select("section:has(> h2)")
    assert "The source" in sources.text
    assert_anchors_hold(root)


def test_several_documents_on_one_page_keep_their_notes(site: Project) -> None:
    site.write("note.md", "---\ndate: 2026-01-02\n---\n# Note\n\nWords[^a].\n\n[^a]: Of the note.\n")
    site.write("other.md", "# Other\n\nOther words[^a].\n\n[^a]: Of the other.\n")
    site.replace("index.md", "note", "note\nother")
    site.replace("index.md", "# Home", "# Home\n\nHome[^h].\n\n[^h]: Of home.")
    root = soup(site.build("singlehtml").text("index.html"))
    assert [notes for _, notes in blocks(root)] == [
        ["[1] Of home."],
        ["[1] Of the note."],
        ["[1] Of the other."],
    ]


def test_a_note_that_is_written_inside_another_keeps_its_own_number(site: Project) -> None:
    site.write(
        "rst.rst",
        ":orphan:\n\nTitle\n=====\n\nText [#in]_ [#out]_\n\n.. [#out] outer\n\n   .. [#in] inner\n",
    )
    assert blocks(article(site.build(), "rst.html")) == [("p: Text[1][2]", ["[1] inner", "[2] outer"])]
