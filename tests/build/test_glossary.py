"""Terms of the glossary: linked once a note, in its prose, and exactly where they stand now."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup

from .conftest import Built, Project

Make = Callable[[str], Project]
Edit = Callable[[Project], None]


@pytest.fixture
def site(project: Make) -> Project:
    return project("glossary")


def linked(built: Built, name: str) -> list[tuple[str, str]]:
    """The words that are linked on a page, each with where to."""
    found = BeautifulSoup(built.text(name), "html.parser").select("a.writing-term")
    return [(" ".join(link.get_text().split()), str(link["href"])) for link in found]


def test_the_first_place_in_prose_is_linked(site: Project) -> None:
    built = site.build()
    assert built.warnings == []
    assert linked(built, "infra/one.html") == [
        ("Inodes", "../terms.html#term-inode"),
        ("KV caches", "../terms.html#term-KV-cache"),
        ("cache", "../terms.html#term-cache"),
        ("Two words", "../terms.html#term-two-words"),
        ("FATs", "../terms.html#term-FAT"),
        ("All-reduce", "../terms.html#term-all-reduce"),
    ]
    assert linked(built, "infra/three.html") == [("cache", "../terms.html#term-cache")]


def test_none_is_linked_that_the_author_has_linked(site: Project) -> None:
    assert linked(site.build(), "infra/two.html") == []
    site.replace("infra/two.md", "{term}`the record <inode>`", "{term}`KV cache <key-value cache>`")
    site.replace("infra/two.md", "is linked", "has a KV cache")
    assert [words for words, _ in linked(site.build(), "infra/two.html")] == ["inode"]


def test_only_posts_have_links(site: Project) -> None:
    built = site.build()
    for name in ("index.html", "terms.html", "infra/index.html"):
        assert linked(built, name) == []
    site.replace("terms.md", "# Terms", "---\ndate: 2026-01-09\n---\n# Terms")
    assert linked(site.build(), "terms.html") == []


def test_without_the_value_there_are_none(site: Project) -> None:
    built = site.build(writing_glossary="")
    assert built.warnings == []
    assert [name for name in built.files_with("writing-term") if not name.startswith("_static/")] == []


def test_a_page_may_decline_all(site: Project) -> None:
    site.replace("infra/three.md", "[Inode]", "all")
    built = site.build()
    assert (built.warnings, linked(built, "infra/three.html")) == ([], [])


def test_epub_has_the_links_and_the_others_have_the_words(site: Project) -> None:
    built = site.build("epub")
    book = next(built.out.glob("*.epub"))
    page = zipfile.ZipFile(book).read("infra/three.xhtml").decode()
    assert 'href="../terms.xhtml#term-cache"' in page
    for builder, name in (("singlehtml", "index.html"), ("latex", "tiny.tex"), ("text", "infra/three.txt")):
        assert "writing-term" not in site.build(builder).text(name)


def test_what_is_wrong_is_said(site: Project) -> None:
    site.replace("infra/three.md", "[Inode]", "[inodd]")
    (said,) = site.build().warnings
    assert said == (
        'infra/three.md:3:18: WARNING: the glossary has no term "inodd"; did you mean "inode"? [writing.glossary]'
    )
    site.replace("infra/three.md", "[inodd]", "[]")
    assert site.build(writing_glossary="term").warnings == [
        'conf.py:6: WARNING: writing_glossary names "term", which is no document; did you mean "terms"? [writing.glossary]'
    ]
    assert site.build(writing_glossary="index").warnings == [
        'conf.py:6: WARNING: writing_glossary names "index", which has no terms; write them in a "glossary" directive '
        "[writing.glossary]"
    ]


def test_a_glossary_that_waits_links_nothing_and_is_no_fault(site: Project) -> None:
    site.build()
    site.replace("terms.md", "# Terms", "---\ndraft: true\n---\n# Terms")
    site.replace("infra/two.md", "{term}`the record <inode>`", "ZEBRA")
    built = site.build()
    assert built.warnings == []
    assert [name for name in built.files_with("writing-term") if not name.startswith("_static/")] == []
    assert built.files_with("term-cache") == []
    assert linked(site.build(to="preview", writing_preview=True), "infra/three.html") != []


def new_term(site: Project) -> None:
    site.replace("terms.md", "inode\n  The", "text\n  What is read.\n\ninode\n  The")


def term_gone(site: Project) -> None:
    site.replace("terms.md", "cache\n  What is kept near.\n\n", "")


def synonym(site: Project) -> None:
    site.replace("terms.md", "cache\n  What", "cache\nfile\n  What")


def other_definition(site: Project) -> None:
    site.replace("terms.md", "kept near", "kept nearer")


def moved(site: Project) -> None:
    site.replace("terms.md", "FAT\n  An array of $n$ numbers.\n\n", "")
    site.replace("terms.md", "KV cache\nkey", "FAT\n  An array of $n$ numbers.\n\nKV cache\nkey")


def renamed(site: Project) -> None:
    (site.source / "terms.md").rename(site.source / "words.md")
    site.replace("index.md", "terms", "words")
    site.replace("conf.py", '"terms"', '"words"')


def withdrawn(site: Project) -> None:
    site.replace("terms.md", "# Terms", "---\ndraft: true\n---\n# Terms")


def word_gone(site: Project) -> None:
    site.replace("infra/three.md", "a cache", "no more")


def declined(site: Project) -> None:
    site.replace("infra/three.md", "[Inode]", "[cache]")


EDITS = [new_term, term_gone, synonym, other_definition, moved, renamed, withdrawn, word_gone, declined]


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
@pytest.mark.parametrize("edit", EDITS, ids=lambda e: e.__name__)
def test_an_edit_gives_the_files_of_a_clean_build(site: Project, edit: Edit, builder: str) -> None:
    site.build(builder)
    edit(site)
    assert site.build(builder).tree() == site.build(builder, to="clean").tree()


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (new_term, {"infra/two.html"}),
        (term_gone, {"infra/one.html", "infra/three.html"}),
        (synonym, {"infra/one.html", "infra/three.html"}),
        (other_definition, set()),
        (moved, set()),
    ],
    ids=lambda e: getattr(e, "__name__", ""),
)
def test_an_edit_of_the_glossary_rewrites_the_pages_that_have_the_term(
    site: Project, edit: Edit, expected: set[str]
) -> None:
    built = site.build()
    posts = [built.out / f"infra/{name}.html" for name in ("one", "two", "three")]
    times = {path: path.stat().st_mtime_ns for path in posts}
    edit(site)
    site.build()
    changed = {p.relative_to(built.out).as_posix() for p, t in times.items() if p.stat().st_mtime_ns != t}
    assert changed == expected


def test_several_jobs_make_the_same_pages(site: Project) -> None:
    assert site.build(to="one").tree() == site.build(to="two", jobs=2).tree()


def test_the_text_of_a_page_stays_word_for_word(site: Project) -> None:
    with_links = site.build().text("infra/one.html")
    without = site.build(to="without", writing_glossary="").text("infra/one.html")
    assert re.sub(r'<a class="writing-term[^>]*>(.*?)</a>', r"\1", with_links, flags=re.DOTALL) == without
