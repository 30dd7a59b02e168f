"""Search by Pagefind: what is in the index, that it is exact, and that it is made only when it must be."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sphinx.errors import ConfigError

from sphinx_writing.sphinx_ext import search

from .conftest import Built, Project
from .test_exactness import EDITS

Make = Callable[[str], Project]
Edit = Callable[[Project], None]


@pytest.fixture
def site(project: Make) -> Project:
    made = project("retitle-the-middle-part")
    made.replace("conf.py", "project", 'writing_search = "pagefind"\nproject')
    return made


def listed(built: Built) -> dict[str, Any]:
    text = built.text("writing-search-data.js")
    found: dict[str, Any] = json.loads(text.removeprefix("window.writingSearch = ").removesuffix(";\n"))
    return found


def fragments(built: Built) -> dict[str, dict[str, Any]]:
    """What the index holds of each page, by its address."""
    found = {}
    for path in (built.out / "_pagefind/fragment").iterdir():
        record = json.loads(gzip.decompress(path.read_bytes()).removeprefix(b"pagefind_dcd"))
        found[record["url"].removeprefix("/")] = record
    return found


def words(built: Built) -> str:
    """All that search files hold, unpacked."""
    packed = [gzip.decompress(p.read_bytes()) for p in (built.out / "_pagefind").rglob("*.pf_*")]
    return b"".join([*packed, *(p.read_bytes() for p in built.out.glob("writing-search-data.js"))]).decode(
        errors="replace"
    )


def test_every_published_page_is_in_the_index_and_no_other(site: Project) -> None:
    built = site.build()
    assert built.warnings == []
    assert set(fragments(built)) == {
        f"{name}.html" for name in ("index", "guide", "infra/index", "infra/one", "infra/two", "infra/three")
    }
    pages = listed(built)["pages"]
    by_name = {path.stem for path in (built.out / "_pagefind/fragment").iterdir()}
    assert {page[-1] for page in pages} == by_name
    assert {page[1] for page in pages} == set(fragments(built))
    assert not (built.out / "searchindex.js").exists()


def test_text_is_in_it_and_what_stands_around_the_text_is_not(site: Project) -> None:
    site.replace("conf.py", "project", 'myst_enable_extensions = ["dollarmath"]\nproject')
    path = site.source / "infra/two.md"
    more = (
        "\n## A heading\n\nCall `dist.all_reduce(x)` with $\\frac{a}{b}$.[^n]\n\n```python\ncode_of = 1\n```\n\n"
        "| A | B |\n|---|---|\n| c | d |\n\n```{toctree}\n```\n\n% a comment\n\n[^n]: The note.\n"
    )
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    record = fragments(site.build())["infra/two.html"]
    text = record["content"].replace("\u2060 ", "")
    assert "Call dist.all_reduce(x) with a/b." in text
    assert "code_of = 1" in text
    assert "c d" in text
    assert "The note." in text
    assert "comment" not in text
    assert "min" not in text.split()
    assert [a["id"] for a in record["anchors"] if a["element"] == "h2"] == ["a-heading"]


def test_a_page_that_says_nosearch_is_not_in_it(site: Project) -> None:
    site.write("secret.md", "---\norphan: true\nnosearch: true\n---\n# Apart\n\nZEBRA\n")
    built = site.build()
    assert "secret.html" not in fragments(built)
    assert "Apart" not in words(built)


@pytest.mark.parametrize("fields", ["draft: true\ndate: 2026-01-02", "date: 2999-01-01"])
def test_nothing_hidden_is_in_any_search_file(site: Project, fields: str) -> None:
    site.replace("infra/two.md", "# Two", "# Two ZEBRA")
    assert "ZEBRA" in words(site.build())
    site.replace("infra/two.md", "date: 2026-01-02", fields)
    for name in ("one.md", "three.md", "../guide.md"):
        path = site.source / "infra" / name
        text = path.read_text(encoding="utf-8")
        path.write_text(text.split("---\n", 2)[-1] if "guide" in name else text, encoding="utf-8")
    built = site.build(suppress_warnings=["writing", "ref", "myst"])
    assert "zebra" not in words(built).lower()
    texts = Path(built.out.parent).rglob("*.texts/**/*.html")
    assert not any("zebra" in path.read_text(encoding="utf-8").lower() for path in texts)


def test_a_killed_build_leaves_no_index_with_what_is_withdrawn(
    site: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.replace("infra/two.md", "# Two", "# Two ZEBRA")
    site.build()
    site.replace("infra/two.md", "date:", "draft: true\ndate:")

    def stop(*_args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(search, "make_index", stop)
    with pytest.raises(KeyboardInterrupt):
        site.build(suppress_warnings=["writing", "ref", "myst"])
    assert not (site.folder / "out/html/_pagefind").exists()
    monkeypatch.undo()
    again = site.build(suppress_warnings=["writing", "ref", "myst"])
    assert again.tree() == site.build(to="clean", suppress_warnings=["writing", "ref", "myst"]).tree()


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_an_edit_gives_the_files_of_a_clean_build(site: Project, edit: Edit) -> None:
    site.build()
    edit(site)
    incremental = site.build(jobs=2)
    assert incremental.tree() == site.build(to="clean").tree()
    assert any(name.startswith("_pagefind/") for name in incremental.tree())


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_the_same_bytes_again_and_with_two_jobs(site: Project, builder: str) -> None:
    one, two = site.build(builder, to="one"), site.build(builder, to="two", jobs=2)
    assert one.tree() == two.tree()
    first = {page[1] for page in listed(one)["pages"]}
    assert ("infra/two/" if builder == "dirhtml" else "infra/two.html") in first
    assert all(page[-1] for page in listed(one)["pages"])


def test_pages_with_another_ending_are_in_it(site: Project) -> None:
    built = site.build(html_file_suffix=".htm")
    assert {page[1][-4:] for page in listed(built)["pages"]} == {".htm"}
    assert all(page[-1] for page in listed(built)["pages"])


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that were run to make an index."""
    seen: list[str] = []
    real = search.run

    def counted(*args: Any) -> None:
        seen.append("run")
        real(*args)

    monkeypatch.setattr(search, "run", counted)
    return seen


def test_the_index_is_made_only_when_a_text_has_changed(site: Project, runs: list[str]) -> None:
    site.build()
    site.build()
    site.replace("infra/two.md", "tags: [shared, second]", "tags: [shared, other]")
    before = listed(site.build())
    assert runs == ["run"]
    assert "other" in before["tags"]
    site.replace("infra/two.md", "Second body.", "Another body.")
    site.build()
    assert runs == ["run"] * 2


@pytest.mark.parametrize("harm", ["delete", "cut", "folder", "texts", "data"])
def test_what_was_harmed_comes_back(site: Project, harm: str) -> None:
    built = site.build()
    before = built.tree()
    fragment = next((built.out / "_pagefind/fragment").iterdir())
    if harm == "delete":
        fragment.unlink()
    elif harm == "cut":
        fragment.write_bytes(fragment.read_bytes()[:20])
    elif harm == "folder":
        shutil.rmtree(built.out / "_pagefind")
    elif harm == "texts":
        for path in (site.folder / "out").rglob("*.texts"):
            shutil.rmtree(path)
        fragment.unlink()
    else:
        (built.out / "writing-search-data.js").write_text("", encoding="utf-8")
    assert site.build().tree() == before


def test_what_a_killed_run_left_is_no_hindrance(site: Project) -> None:
    built = site.build()
    (built.out / "_pagefind.half").mkdir()
    (built.out / "_pagefind.half/x").write_text("x", encoding="utf-8")
    site.replace("infra/two.md", "Second body.", "Another body.")
    assert site.build().tree() == site.build(to="clean").tree()


def test_what_a_killed_run_left_goes_where_no_text_has_changed(site: Project) -> None:
    before = site.build().tree()
    half = site.folder / "out/html/_pagefind.half"
    half.mkdir()
    (half / "x").write_text("Another body.", encoding="utf-8")
    site.replace("index.md", "#", "#  ")
    assert site.build().tree().keys() == before.keys()


def test_an_index_of_a_first_build_that_was_killed_goes_with_the_search(
    site: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(search, "data", stop)
        site.build()
    assert (site.folder / "out/html/_pagefind").is_dir()
    site.replace("infra/two.md", "date:", "draft: true\ndate:")
    off = site.build(writing_search="")
    assert off.tree() == site.build(to="clean", writing_search="").tree()
    assert not list((site.folder / "out").rglob("*.texts"))


@pytest.mark.parametrize(
    ("builder", "suffix", "address"), [("dirhtml", ".html", "search/"), ("html", ".htm", "search.htm")]
)
def test_the_list_says_where_the_page_for_searching_is(
    site: Project, builder: str, suffix: str, address: str
) -> None:
    built = site.build(builder, html_file_suffix=suffix)
    assert listed(built)["page"] == address
    assert (built.out / address.replace("/", "/index.html")).is_file()


def test_the_names_in_a_signature_are_words_of_their_own(site: Project) -> None:
    site.write(
        "api.rst",
        ":orphan:\n\nAPI\n===\n\n.. py:function:: net.connect(host: str, timeout=3, *, retry=False) -> Link\n\n   Text.\n",
    )
    text = fragments(site.build())["api.html"]["content"].replace("\u2060 ", "")
    assert "net.connect(host: str, timeout=3, *, retry=False) -> Link" in text


def test_a_preview_has_the_list_and_no_index(site: Project) -> None:
    built = site.build(writing_preview=True)
    assert listed(built)["index"] is False
    assert not (built.out / "_pagefind").exists()
    released = site.build()
    assert released.tree() == site.build(to="clean").tree()
    assert site.build(writing_preview=True).tree() == site.build(to="p", writing_preview=True).tree()


def test_switched_off_nothing_of_it_stays(site: Project) -> None:
    site.build()
    off = site.build(writing_search="")
    clean = site.build(to="clean", writing_search="")
    assert {n for n in off.tree() if "search" in n} == {n for n in clean.tree() if "search" in n}
    assert "searchindex.js" in off.tree()
    assert "writing-search-data.js" not in off.tree()
    assert "_pagefind/pagefind.js" not in off.tree()


def test_a_build_of_one_named_file_leaves_the_index_to_the_next(site: Project) -> None:
    site.build()
    site.replace("infra/two.md", "Second body.", "Another body.")
    site.replace("infra/one.md", "Another sentence.", "Other words.")
    out = site.folder / "out"
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", "-d", str(out / "doctrees")]
    subprocess.run(
        [*command, str(site.source), str(out / "html"), str(site.source / "infra/two.md")], check=True
    )
    assert site.build().tree() == site.build(to="clean").tree()


@pytest.mark.parametrize("theme", ["furo", "alabaster", "pydata_sphinx_theme"])
def test_the_page_stands_in_every_theme(site: Project, theme: str) -> None:
    built = site.build(html_theme=theme, html_use_opensearch="https://example.org")
    page = built.text("search.html")
    assert 'class="writing-page writing-search-page"' in page
    assert "searchtools.js" not in page
    assert '<a href="tags/index.html">the list of tags</a>' in page
    assert "writing-search.js" in built.text("infra/two.html")
    assert 'action="../search.html"' in built.text("infra/two.html") or theme == "alabaster"
    assert 'rel="search"' in built.text("infra/two.html") or theme == "alabaster"
    assert "https://example.org/search.html?q=" in built.text("_static/opensearch.xml")


def test_the_script_is_loaded_only_where_it_is_asked_for(site: Project) -> None:
    assert "writing-search.js" not in site.build(writing_search="").text("infra/two.html")


@pytest.mark.parametrize("value", ["lunr", "Pagefind"])
def test_another_value_is_refused(site: Project, value: str) -> None:
    with pytest.raises(
        ConfigError, match=rf"writing_search = '{value}' in conf.py: expected \"pagefind\", or"
    ):
        site.build(writing_search=value)


def test_where_pagefind_is_missing_the_message_says_how_to_get_it(
    site: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pagefind.service", None)
    with pytest.raises(ConfigError, match=r'needs Pagefind: pip install "pagefind\[bin\]>=1.5,<1.6"'):
        site.build()


def test_a_site_without_posts_can_be_searched(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    site = project("site-without-posts")
    site.replace("conf.py", "project", 'writing_search = "pagefind"\nproject')
    monkeypatch.setenv("TRIED", "sphinx_writing")
    built = site.build()
    assert built.warnings == []
    assert "the first page" in built.text("search.html")
    assert listed(built)["index"] is True


def test_odd_names_have_their_place_in_the_index(site: Project) -> None:
    site.write("näh [1] & %.md", "---\norphan: true\n---\n# Odd\n\nWords.\n")
    pages = {page[0]: page for page in listed(site.build())["pages"]}
    assert pages["Odd"][-1]
