"""Code as a reader takes it away: what "Copy" makes of sessions, and what search shows of markup in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from ..build.conftest import Project
from .server import serving

SESSIONS = {
    "joined lines": (
        "$ make \\\n>   html\nbuilt\n$ make \\\n    test\n",
        "make \\\n  html\nmake \\\n    test",
    ),
    "a loop": (
        '$ for i in 1 2; do\n>   if true; then echo "$i"; fi\n> done\n1\n> 2\n$ ls\n',
        'for i in 1 2; do\n  if true; then echo "$i"; fi\ndone\nls',
    ),
    "a document": ("$ cat <<'EOF'\n> one\n> EOF\none\n> two\n", "cat <<'EOF'\none\nEOF"),
    "a quote": ("$ echo 'one\n> two'\none\n", "echo 'one\ntwo'"),
    "a pipe": ("$ cat a |\n    sort\nout\n", "cat a |\n    sort"),
    "answers that look so": (
        "$ npm start\n> site@1.0 start\n> serve\n$ diff a b\n> x\n",
        "npm start\ndiff a b",
    ),
    "an environment": ("(venv) $ pip list\nfuro\n", "pip list"),
    "an answer of several lines": ("$ ls\na\n\nb\n$ cd a\n", "ls\ncd a"),
}
CODE = "x = '&lt;b&gt;' + '<b>&amp;' # plumbing &amp;lt; a &#60; AT&T\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with such code, in place of that of the documentation."""
    project = Project("elements", tmp_path_factory.mktemp("code"))
    blocks = "".join(
        f"```{{code-block}} console\n:caption: {name}\n:force:\n\n{text}```\n\n"
        for name, (text, _) in SESSIONS.items()
    )
    note = f"---\ndate: 2026-01-02\n---\n# Note\n\n{blocks}## Signs\n\n```text\n{CODE}```\n"
    project.write("note.md", note)
    built = project.build_apart(html_theme="writing", writing_search="pagefind")
    assert built.warnings == []
    with serving(built.out) as address:
        yield address


@pytest.mark.parametrize("name", SESSIONS)
def test_all_that_was_typed_is_copied_and_nothing_else(page: Page, name: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("note.html")
    page.get_by_role("button", name=f"Copy: {name}", exact=True).click()
    expect(page.get_by_role("button", name=f"Copied: {name}", exact=True)).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == SESSIONS[name][1]


def test_an_excerpt_shows_entities_and_markup_as_they_are_written(page: Page) -> None:
    page.goto("search.html?q=plumbing")
    expect(page.locator("mark")).to_have_text("plumbing")
    assert CODE.strip() in page.locator(".writing-hit-text").filter(has_text="plumbing").inner_text()


@pytest.mark.parametrize("asked", ["&lt;b&gt;", "&amp;", "AT&T", "&#60;"])
def test_entities_are_found(page: Page, asked: str) -> None:
    page.goto("note.html")
    page.keyboard.press("/")
    page.get_by_role("dialog").get_by_role("textbox").fill(asked)
    expect(page.locator("dialog .writing-search-status")).to_have_text("1 result.")
