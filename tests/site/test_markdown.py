"""The Markdown of the site's notes: each heading, value and cell of a page is in it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from .conftest import Site

pytestmark = pytest.mark.xdist_group("site")  # one process builds it
WANTED = {"h1", "h2", "h3", "h4", "td", "th", "figcaption"}
VOID = {"img", "br", "input", "hr", "meta", "link", "wbr", "col"}


class Texts(HTMLParser):
    """Collects the words of headings, cells and values of labs; not those of formulas and of links to them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[tuple[str, bool, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        classes = {*(dict(attrs).get("class") or "").split()}
        wanted = tag in WANTED or bool({"writing-value", "writing-measured"} & classes)
        unseen = bool(
            {"math", "headerlink", "writing-lab-link", "footnote-reference", "caption-number"} & classes
        )
        if wanted:
            self.found.append("")
        self._open.append((tag, wanted, unseen))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if any(wanted for _, wanted, _ in self._open) and not any(unseen for _, _, unseen in self._open):
            self.found[-1] += data
        elif any(unseen for _, _, unseen in self._open) and self.found:
            self.found[-1] += "\n"


def plain(text: str) -> str:
    """*text* without what may be markup, and without blanks."""
    return re.sub(r"[\s\\`*_\[\]|~]|<br>", "", text)


NOTES = [
    "systems/linking-and-loading", "systems/fat", "systems/inodes-ext4", "llm-systems/kv-cache-cost",
    "infra/bus-bandwidth", "infra/nccl", "llm-algorithms/flash-attention", "concepts/beam-search",
]  # fmt: skip


@pytest.mark.parametrize("name", NOTES)
def test_every_heading_value_and_cell_is_there(site: Site, name: str) -> None:
    article = site.text(f"{name}/index.html").partition("<article")[2].partition("</article>")[0]
    reader = Texts()
    reader.feed(
        re.sub(r'<(section|nav|aside|footer)[^>]*class="writing-[^>]*>.*?</\1>', "", article, flags=re.S)
    )
    text = plain(site.text(f"{name}/index.html.md"))
    parts = [part for found in reader.found for part in found.split("\n") if plain(part)]
    assert len(parts) > 20
    assert [part for part in parts if plain(part) not in text] == []


def test_each_note_has_its_markdown_and_all_are_listed(site: Site) -> None:
    found = {path.parent.relative_to(site.out).as_posix() for path in site.out.rglob("*.html.md")}
    assert {*NOTES} <= found
    listed = {*re.findall(r"/latest/([^)]+)/index\.html\.md\)", site.text("llms.txt"))}
    assert listed == found
    full = site.text("llms-full.txt")
    assert all(site.text(f"{name}/index.html.md") in full for name in found)
