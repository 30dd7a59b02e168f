"""Metadata in the heads of pages: valid, whole addresses, nothing hidden, exact after every edit."""

from __future__ import annotations

import html
import json
import re
import struct
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from .conftest import Project
from .test_exactness import EDITS, Edit

Make = Callable[[str], Project]
BASE = "https://example.org/a/b"
HOSTILE = '</script><script>alert(1)</script> ]]> & "q" {{ x }} 😀'


def png(width: int, height: int) -> bytes:
    """A picture in one colour."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        )

    header = struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0)
    lines = zlib.compress(bytes(width + 1) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


def tags(page: str) -> dict[str, str]:
    """The tags of Open Graph and Twitter on a page; each there once."""
    found = re.findall(r'<meta (?:property|name)="((?:og|article|twitter):[\w:]+)" content="(.*?)">', page)
    assert len({name for name, _ in found if name != "article:tag"}) == len(
        [n for n, _ in found if n != "article:tag"]
    )
    return {name: html.unescape(content) for name, content in found}


def data(page: str) -> dict[str, Any]:
    """The JSON-LD of a page, by type."""
    found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    assert len(found) <= 1
    return {one["@type"]: one for text in found for one in json.loads(text)["@graph"]}


@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize(("builder", "two"), [("html", "infra/two.html"), ("dirhtml", "infra/two/")])
def test_every_address_is_whole(project: Make, slash: str, builder: str, two: str) -> None:
    site = project("retitle-the-middle-part")
    built = site.build(builder, html_baseurl=BASE + slash)
    page = built.text("infra/two.html" if builder == "html" else "infra/two/index.html")
    assert tags(page)["og:url"] == f"{BASE}/{two}"
    assert page.count(f'<link rel="canonical" href="{BASE}/{two}"') == 1
    made = data(page)
    assert made["TechArticle"]["url"] == f"{BASE}/{two}"
    crumbs = [item["item"] for item in made["BreadcrumbList"]["itemListElement"]]
    assert crumbs == [f"{BASE}/", f"{BASE}/infra/", f"{BASE}/{two}"]
    assert made["TechArticle"]["position"] == 2
    assert data(built.text("index.html")).keys() == {"WebSite"}
    assert data(built.text("infra/index.html")).keys() == {"CollectionPage", "BreadcrumbList"}
    guide = built.text("guide.html" if builder == "html" else "guide/index.html")
    assert data(guide) == {}
    assert tags(guide)["og:type"] == "website"
    assert tags(built.text("tags/shared/index.html")) == {}


def test_hostile_titles(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.replace("infra/two.md", "# Two", f"# `{HOSTILE}`")
    site.replace("infra/two.md", "date:", f"summary: '`{HOSTILE}`'\ntags2:\ndate:".replace("tags2:\n", ""))
    page = site.build(html_baseurl=BASE).text("infra/two.html")
    assert tags(page)["og:title"] == tags(page)["og:description"] == HOSTILE
    assert data(page)["TechArticle"]["headline"] == HOSTILE
    assert "<script>alert" not in page


@pytest.mark.parametrize("theme", ["writing", "furo", "alabaster", "pydata_sphinx_theme"])
def test_every_theme_has_it(project: Make, theme: str) -> None:
    site = project("retitle-the-middle-part")
    page = site.build(html_baseurl=BASE, html_theme=theme).text("infra/two.html")
    assert tags(page)["og:title"] == "Two"
    assert data(page)["TechArticle"]["headline"] == "Two"
    assert page.count('rel="canonical"') == 1
    assert page.index("og:title") < page.index("</head>")


def test_where_there_is_none(project: Make) -> None:
    site = project("one-draft")
    for name, config in [("no", {}), ("preview", {"html_baseurl": BASE, "writing_preview": True})]:
        page = site.build(to=name, **config).text("infra/one.html")  # type: ignore[arg-type]
        assert (tags(page), data(page)) == ({}, {})


def test_what_a_page_says_by_itself_is_not_said_again(project: Make) -> None:
    site = project("retitle-the-middle-part")
    site.replace("infra/two.md", "date:", "myst: {html_meta: {'property=og:title': Mine}}\ndate:")
    page = site.build(html_baseurl=BASE).text("infra/two.html")
    assert page.count("og:title") == 1
    assert "Mine" in page


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_incremental_is_clean(project: Make, edit: Edit) -> None:
    site = project("retitle-the-middle-part")
    site.build(html_baseurl=BASE)
    edit(site)
    assert site.build(html_baseurl=BASE).tree() == site.build(to="clean", html_baseurl=BASE).tree()


def pictured(site: Project, name: str) -> None:
    """Give a page a picture."""
    site.replace("infra/two.md", "date:", f"image: {name}\ndate:")


def test_the_picture_of_a_page(project: Make) -> None:
    site = project("retitle-the-middle-part")
    pictured(site, "cover.png")
    missing = site.build(html_baseurl=BASE)
    assert missing.warnings == [
        'infra/two.md:2:8: WARNING: "image": cover.png is not there; expected a file beside the page, or /path from '
        "the source folder [writing.value]"
    ]
    assert "og:image" not in tags(missing.text("infra/two.html"))
    (site.source / "infra/cover.png").write_bytes(png(40, 20))
    built = site.build(html_baseurl=BASE)
    assert built.warnings == []
    found = tags(built.text("infra/two.html"))
    assert found["og:image"] == f"{BASE}/_social/infra/two.png"
    assert (found["og:image:width"], found["og:image:height"]) == ("40", "20")
    assert (found["og:image:alt"], found["twitter:card"]) == ("Two", "summary_large_image")
    assert data(built.text("infra/two.html"))["TechArticle"]["image"] == found["og:image"]
    assert (built.out / "_social/infra/two.png").read_bytes() == png(40, 20)
    for content in (png(60, 20), png(60, 30)):
        (site.source / "infra/cover.png").write_bytes(content)
        tree = site.build(html_baseurl=BASE).tree()
        assert tree == site.build(to="clean", html_baseurl=BASE, fresh=True).tree()
    (built.out / "_social/infra/two.png").write_bytes(b"")
    assert site.build(html_baseurl=BASE).tree() == tree
    site.replace("infra/two.md", "image: cover.png\n", "")
    assert not (site.build(html_baseurl=BASE).out / "_social").exists()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("cover.svg", "is no picture that previews of links can show; expected one of .gif"),
        ("broken.png", "cannot be read as a picture"),
        ("https://example.net/x.png", ""),
        ("/root.png", ""),
    ],
)
def test_other_pictures(project: Make, name: str, why: str) -> None:
    site = project("retitle-the-middle-part")
    site.write("infra/broken.png", "no picture")
    site.write("infra/cover.svg", "<svg/>")
    (site.source / "root.png").write_bytes(png(4, 4))
    pictured(site, name)
    built = site.build(html_baseurl=BASE)
    assert len(built.warnings) == bool(why)
    assert all(why in line for line in built.warnings)
    image = tags(built.text("infra/two.html")).get("og:image", "")
    assert image == ("" if why else name if ":" in name else f"{BASE}/_social/infra/two.png")


def test_a_draft_gives_nothing_away(project: Make) -> None:
    site = project("one-draft")
    (site.source / "infra/zebra.png").write_bytes(png(4, 4))
    site.replace("infra/two.md", "date:", "image: zebra.png\ndate:")
    built = site.build(html_baseurl=BASE)
    assert built.files_with("zebra") == []
    assert not (built.out / "_social").exists()
    assert data(built.text("infra/one.html"))["TechArticle"]["isPartOf"]
