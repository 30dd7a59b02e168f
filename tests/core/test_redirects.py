"""Old addresses: the file that answers each, and what stands in the way of a redirect."""

from __future__ import annotations

import pytest

from sphinx_writing.core.addresses import file_of
from sphinx_writing.core.problems import Place
from sphinx_writing.core.records import FrontMatter
from sphinx_writing.core.redirects import Taken, resolve


@pytest.mark.parametrize(
    ("written", "file"),
    [
        ("/a/b/", "a/b/index.html"),
        ("/a/b", "a/b/index.html"),
        ("a/b", "a/b/index.html"),
        ("/a/b.html", "a/b.html"),
        ("/a/b.htm", "a/b.htm"),
        ("/a/index.html", "a/index.html"),
        ("/", "index.html"),
        ("/v1.5", "v1.5/index.html"),
        ("/old.php", "old.php/index.html"),
        ("/posts/2024/03/caf%C3%A9", "posts/2024/03/café/index.html"),
        ("/注意/", "注意/index.html"),
        ("/.html", ""),
    ],
)
def test_the_file_that_answers_an_address(written: str, file: str) -> None:
    if file:
        assert file_of(written) == file
    else:
        with pytest.raises(ValueError, match="begin with a dot"):
            file_of(written)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("https://example.org/a/", "without the site in it"),
        ("//example.org/a/", "without the site in it"),
        ("C:/a", "without the site in it"),
        ("javascript:alert(1)", "without the site in it"),
        ("/../a/", '".." leads elsewhere'),
        ("/a/%2e%2e/b/", '".." leads elsewhere'),
        ("/a/./b/", '"." leads elsewhere'),
        ("/a%2F..%2F..%2Fb", '".." leads elsewhere'),
        ("/a%00b/", "the character 0x0000"),
        ("/a\x07b/", "the character 0x0007"),
        ("/a%0Ab/", "the character 0x000a"),
        ("/a\u202eb/", "the character 0x202e"),
        ("/a%FFb/", "the character|found"),
        ("/a%zz/", 'found "%"'),
        ("\\a\\b", "found"),
        ("/a/?p=7", 'found "\\?"'),
        ("/a/#part", 'found "#"'),
        ("/a|b/", "found"),
        ("/a//b/", "two slashes"),
        ("//", "without the site in it"),
        ("/_static/x/", "belong to hosts and builds"),
        ("/.git/x/", "belong to hosts and builds"),
        ("/a/.b/", "belong to hosts and builds"),
        ("/a./b/", "ends with a dot"),
        ("/a /b/", "blank"),
        ("/con/", "device"),
        ("/a/NUL.html", "device"),
        ("/com1.txt/", "device"),
        (f"/{'a' * 256}/", "255 bytes"),
        (f"/{'é' * 128}/", "255 bytes"),
        ("/" + "abcdefgh/" * 100, "800 bytes"),
    ],
)
def test_what_no_file_answers_is_refused(written: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        file_of(written)


def front(*addresses: str) -> FrontMatter:
    places = {f"redirect_from[{i}]": Place(3, 10 * i + 1) for i in range(len(addresses))}
    return FrontMatter(redirect_from=addresses, places=places)


PAGES = (
    Taken("a/index.html", 'the address of "a/index"', "a/index"),
    Taken("b.html", 'the address of "b"', "b"),
    Taken("feed.xml", "the file feed.xml"),
)


def test_redirects_lead_from_every_old_address() -> None:
    found, problems = resolve({"b": front("/old/"), "a/index": front("/x.html", "/y")}, PAGES)
    assert problems == ()
    assert [(r.file, r.docname) for r in found] == [
        ("x.html", "a/index"),
        ("y/index.html", "a/index"),
        ("old/index.html", "b"),
    ]


@pytest.mark.parametrize(
    ("fronts", "message"),
    [
        ({"b": front("/b.html")}, '"/b.html" is this page\'s own address and would lead to itself'),
        ({"b": front("/a/")}, '"/a/" is the address of "a/index"'),
        ({"b": front("/A/")}, '"/A/" differs in letter case only from the address of "a/index"'),
        ({"b": front("/B.html")}, '"/B.html" differs in letter case only from the address of "b"'),
        ({"b": front("/o/", "/o")}, '"/o" is the address of another entry'),
        ({"a/index": front("/o/"), "b": front("/o")}, '"/o" is an old address of "a/index"'),
        ({"a/index": front("/o/"), "b": front("/O")}, '"/O" differs in letter case only from an old address of "a/index"'),
        ({"b": front("/feed.xml")}, '"/feed.xml" would lie in "feed.xml", which is a file'),
        ({"b": front("/b.html/c/")}, '"/b.html/c/" would lie in "b.html", which is a file'),
        ({"a/index": front("/x.html/y/"), "b": front("/x.html")}, '"/x.html" would be a file where "x.html/y/index.html" needs a folder'),
    ],
)  # fmt: skip
def test_a_redirect_that_cannot_be_is_one_problem(fronts: dict[str, FrontMatter], message: str) -> None:
    found, problems = resolve(fronts, PAGES)
    assert [problem.message for problem in problems] == [f'"redirect_from": {message}; take it out']
    assert problems[0].docname == "b"
    assert problems[0].place == fronts["b"].place(f"redirect_from[{len(fronts['b'].redirect_from) - 1}]")
    assert len(found) == sum(len(one.redirect_from) for one in fronts.values()) - 1


def test_two_pages_that_have_changed_places_are_reported_both() -> None:
    _, problems = resolve({"a/index": front("/b.html"), "b": front("/a/")}, PAGES)
    assert [problem.docname for problem in problems] == ["a/index", "b"]
