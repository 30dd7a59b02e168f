"""What a site has around its notes: links to edit and report, icons, a page for no page, robots.txt."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from sphinx.errors import ConfigError

from sphinx_writing.sphinx_ext import foot_links
from sphinx_writing.sphinx_ext.not_found import from_root

from .conftest import Built, Project

Make = Callable[[str], Project]
REPORT = "https://example.org/new?title={title}&body={url}"
EDIT = "https://example.org/edit/{docname}/{path}"


def links(built: Built, name: str) -> dict[str, str]:
    page = BeautifulSoup(built.text(name), "html.parser")
    return {link.get_text(): str(link["href"]) for link in page.select(".writing-foot-links a")}


def test_links_at_the_foot(project: Make) -> None:
    site = project("learning-paths")
    config: dict[str, Any] = {
        "writing_edit_url": EDIT,
        "writing_report_url": REPORT,
        "html_baseurl": "https://example.com/a%20b",
    }
    built = site.build(**config)
    assert links(built, "infra/two/index.html") == {
        "Report an error": "https://example.org/new?title=Two%20%26%20code"
        "&body=https%3A%2F%2Fexample.com%2Fa%2520b%2Finfra%2Ftwo%2F",
        "Edit this page": "https://example.org/edit/infra/two/index/infra/two/index.md",
    }
    assert len(links(built, "infra/index.html")) == len(links(built, "guide.html")) == 2
    assert links(built, "index.html") == {}
    assert "Edit this page" not in site.build("text").text("infra/one.txt")
    site.replace("infra/two/index.md", "# Two", "# Deux")
    (site.source / "guide.md").rename(site.source / "manual.md")
    site.replace("index.md", "guide\n", "manual\n")
    assert site.build(**config).tree() == site.build(to="clean", **config).tree()


def test_without_a_pattern_there_is_no_link(project: Make) -> None:
    site = project("learning-paths")
    assert list(links(site.build(writing_edit_url=EDIT), "guide.html")) == ["Edit this page"]
    built = site.build()
    assert links(built, "guide.html") == links(built, "infra/one.html") == {}
    assert "writing-foot" not in built.text("guide.html")
    assert built.tree() == site.build(to="clean").tree()


@pytest.mark.parametrize("name", ["writing_edit_url", "writing_report_url"])
@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("/{pth}", "unknown name {pth}; expected {path}, {docname}, {title}, {url}"),
        ("/{}", "unknown name {}; expected {path}, {docname}, {title}, {url}"),
        ("/{path.x}", "unknown name {path.x}; expected {path}, {docname}, {title}, {url}"),
        ("/{path!r}", "{path} takes no format; write it as it is"),
        ("/{path:>9}", "{path} takes no format; write it as it is"),
        ("/{path", "write {{ and }} for braces"),
        ("/}", "write {{ and }} for braces"),
    ],
)
def test_a_pattern_that_cannot_be_filled_in(project: Make, name: str, pattern: str, why: str) -> None:
    with pytest.raises(ConfigError) as raised:
        project("learning-paths").build(**{name: pattern})  # type: ignore[arg-type]  # one of the configuration
    assert str(raised.value).startswith(f"{name} = {pattern!r} in conf.py: ")
    assert why in str(raised.value)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40), st.text(max_size=5))
def test_what_is_filled_in_comes_back_whole(title: str, other: str) -> None:
    filled = foot_links.fill(REPORT, path="a", docname="a", title=title, url="https://e.org/?a=1&b=#c")
    query = parse_qs(urlsplit(filled).query, keep_blank_values=True)
    assert query == {"title": [title], "body": ["https://e.org/?a=1&b=#c"]}


ICON = {"rel": "icon", "href": "_static/dot.svg", "sizes": "any"}


def test_icons(project: Make) -> None:
    site = project("learning-paths")
    site.write("_static/dot.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>\n')
    site.replace("conf.py", "project", f'html_static_path = ["_static"]\nwriting_icons = [{ICON}]\nproject')
    built = site.build()
    assert '\n<link rel="icon" href="_static/dot.svg" sizes="any">' in built.text("index.html")
    assert '<link rel="icon" href="../../_static/dot.svg" sizes="any">' in built.text("infra/two/index.html")
    assert '<link rel="icon" href="/_static/dot.svg" sizes="any">' in built.text("404.html")
    site.build("text")
    site.replace("conf.py", "'any'", "'16x16'")
    assert site.build().tree() == site.build(to="clean").tree()


@pytest.mark.parametrize(
    ("icon", "why"),
    [
        ("dot.svg", "is no icon; write one as"),
        ({"href": "_static/dot.svg"}, "is no icon; write one as"),
        (
            {"rel": "icon", "href": "_static/dit.svg"},
            'no file "_static/dit.svg" in html_static_path or html_extra_path; did you mean "_static/dot.svg"?',
        ),
    ],
)
def test_an_icon_that_is_none(project: Make, icon: object, why: str) -> None:
    site = project("learning-paths")
    site.write("_static/dot.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>\n')
    site.replace("conf.py", "project", f'html_static_path = ["_static"]\nwriting_icons = [{icon!r}]\nproject')
    with pytest.raises(ConfigError, match="writing_icons") as raised:
        site.build()
    assert why in str(raised.value)


def addresses(page: str) -> list[str]:
    return re.findall(r"""\s(?:href|src|action|data-content_root)=["']([^"']*)""", page)


@pytest.mark.parametrize("theme", ["writing", "furo", "alabaster", "pydata_sphinx_theme", "basic"])
@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_the_page_for_no_page_works_at_any_depth(project: Make, theme: str, builder: str) -> None:
    site = project("learning-paths")
    built = site.build_apart(builder, html_theme=theme, html_baseurl="https://example.org/en/latest")
    page = built.text("404.html")
    inside = [a for a in addresses(page) if a and not urlsplit(a).scheme and a[0] != "#"]
    assert len(inside) > 8
    for address in inside:
        assert address.startswith("/en/latest/"), address
        path = urlsplit(address).path.removeprefix("/en/latest/")
        at = built.out / path
        assert path == "" or at.is_file() or (at / "index.html").is_file(), address
    assert page.count('<meta name="robots" content="noindex">') == 1
    assert 'rel="canonical"' not in page
    assert "Infra" in page
    assert "404" not in built.text("searchindex.js")
    assert "ZEBRA" not in page
    assert not (built.out / "404").exists()


def test_the_page_for_no_page_starts_from_the_root_without_a_public_address(project: Make) -> None:
    built = project("learning-paths").build()
    page = BeautifulSoup(built.text("404.html"), "html.parser")
    assert page.select_one(".writing-find")["action"] == "/search.html"  # type: ignore[index]
    assert [a["href"] for a in page.select(".writing-series-list a")] == ["/infra/index.html"]
    assert "noindex" not in built.text("index.html")


def test_the_page_for_no_page_leads_to_the_page_of_all_notes(project: Make) -> None:
    site = project("learning-paths")
    assert "newest first" not in site.build().text("404.html")
    site.write("guide.md", "# All\n\n```{writing}\n```\n")
    built = site.build()
    assert '<a href="/guide.html">All 4, newest first</a>' in built.text("404.html")
    assert built.tree() == site.build(to="clean").tree()


@pytest.mark.parametrize("own", ["document", "extra", "additional"])
def test_a_site_that_has_its_own_page_keeps_it(project: Make, own: str) -> None:
    site = project("learning-paths")
    before = site.build().tree()
    conf = (site.source / "conf.py").read_text(encoding="utf-8")
    if own == "document":
        site.write("404.md", "---\norphan:\n---\n# OWN\n")
    elif own == "extra":
        site.write("extra/404.html", "OWN\n")
        site.replace("conf.py", "project", 'html_extra_path = ["extra"]\nproject')
    else:
        site.write("_templates/own.html", "OWN\n")
        site.replace(
            "conf.py",
            "project",
            'templates_path = ["_templates"]\nhtml_additional_pages = {"404": "own.html"}\nproject',
        )
    built = site.build_apart()
    assert "OWN" in built.text("404.html")
    assert built.warnings == []
    assert built.tree() == site.build_apart(to="clean").tree()
    site.write("conf.py", conf)
    (site.source / "404.md").unlink(missing_ok=True)
    assert site.build_apart().tree() == before


@pytest.mark.parametrize("harm", ["delete", "change"])
@pytest.mark.parametrize("name", ["404.html", "robots.txt"])
def test_what_was_harmed_comes_back(project: Make, name: str, harm: str) -> None:
    site = project("learning-paths")
    built = site.build()
    tree, path = built.tree(), built.out / name
    if harm == "delete":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-2] + b"!!")
    assert site.build().tree() == tree


def test_robots(project: Make) -> None:
    site = project("learning-paths")
    assert site.build().text("robots.txt") == "User-agent: *\nDisallow:\n"
    preview = site.build(writing_preview=True)
    assert preview.text("robots.txt") == "User-agent: *\nDisallow: /\n"
    assert site.build().tree() == site.build(to="clean").tree()
    site.write("extra/robots.txt", "OWN\n")
    site.replace("conf.py", "project", 'html_extra_path = ["extra"]\nproject')
    assert site.build().text("robots.txt") == "OWN\n"
    (site.source / "extra/robots.txt").unlink()
    assert site.build().text("robots.txt") == "User-agent: *\nDisallow:\n"


@pytest.mark.parametrize("builder", ["singlehtml", "epub", "text", "latex"])
def test_other_outputs_have_neither(project: Make, builder: str) -> None:
    tree = project("learning-paths").build(builder).tree()
    assert not {"robots.txt", "404.html"} & tree.keys()


def test_both_go_with_the_last_post(project: Make) -> None:
    site = project("learning-paths")
    before = set(site.build().tree())
    for name in ("one", "two/index", "three", "five"):
        site.replace(f"infra/{name}.md", "date:", "draft: true\ndate:")
    again = site.build()
    assert {"robots.txt", "404.html"} <= before - again.tree().keys()
    assert again.tree() == site.build(to="clean").tree()


@pytest.mark.parametrize(
    ("link", "absolute"),
    [
        ('<a href="a/b.html#c">', '<a href="/x/a/b.html#c">'),
        ("<a href='a.html?b=1&amp;c=2'>", "<a href='/x/a.html?b=1&amp;c=2'>"),
        ('<html data-content_root="./">', '<html data-content_root="/x/">'),
        ('<img alt="href=a" src="_static/a b.svg">', '<img alt="href=a" src="/x/_static/a b.svg">'),
        ('<a href="">', '<a href="">'),
        ('<a href="#c">', '<a href="#c">'),
        ('<a href="/y">', '<a href="/y">'),
        ('<a href="mailto:a@b.c">', '<a href="mailto:a@b.c">'),
        ('<a href="//host/a">', '<a href="//host/a">'),
    ],
)
def test_links_from_the_root(link: str, absolute: str) -> None:
    assert from_root(link, "/x/404.html") == absolute


def test_only_links_are_made_to_start_from_the_root() -> None:
    same = "<p title=\"a src='b'\">What href='c' and\n src=\"d\" do</p><a href=\"#e\" name='f'><img src=\"data:g\" alt=''>"
    assert from_root(same, "/sub/404.html") == same
    assert from_root("<a\nhref='x?a=1&amp;b'>", "/sub/404/") == "<a\nhref='/sub/404/x?a=1&amp;b'>"
    assert from_root('<html data-content_root="./"><form action="search.html">', "/sub/404.html") == (
        '<html data-content_root="/sub/"><form action="/sub/search.html">'
    )


@pytest.mark.parametrize("root", ["filter", "lists", "learning-paths", "labs"])
def test_a_single_page_has_no_link_to_pages_that_it_is_without(project: Make, root: str) -> None:
    site = project(root)
    site.write(
        "more.md",
        "---\ndate: 2026-01-03\ntags: [alone]\n---\n# More\n\n```{writing}\n:style: sentence\n```\n",
    )
    home = site.source.joinpath("index.md").read_text(encoding="utf-8")
    site.write("index.md", f"{home}\n```{{toctree}}\nmore\n```\n")
    built = site.build("singlehtml")
    body = BeautifulSoup(built.text("index.html"), "html.parser").select_one("div.body, article, main")
    assert body is not None
    links = [str(a["href"]) for a in body.select("a[href]")]
    inside = [link for link in links if not urlsplit(link).scheme and not link.startswith("#")]
    assert [link for link in inside if not (built.out / urlsplit(link).path).is_file()] == []
    assert "alone" in [tag.get_text() for tag in body.select("span.writing-tag")]
