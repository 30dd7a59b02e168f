"""What holds for every page of the site: links lead somewhere, nothing is asked of another host."""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from .conftest import Element, Site, build

pytestmark = pytest.mark.xdist_group("site")  # one process builds it
FETCHED = {"audio", "embed", "iframe", "img", "input", "link", "object", "script", "source", "track", "video"}
NAMED_ONLY = {"canonical", "license", "author", "next", "prev", "search", "index"}
"""Relations of ``<link>`` that a browser does not fetch."""


def fetched(element: Element) -> list[str]:
    """The addresses that a browser fetches by itself for *element*."""
    if element.tag not in FETCHED or element.attributes.get("rel") in NAMED_ONLY:
        return []
    found = [
        element.attributes[name] for name in ("src", "href", "data", "poster") if name in element.attributes
    ]
    return found + [
        part.split()[0] for part in element.attributes.get("srcset", "").split(",") if part.strip()
    ]


def test_no_page_asks_another_host_for_anything(site: Site) -> None:
    outside = [
        (page, address)
        for page, elements in site.pages.items()
        for element in elements
        for address in fetched(element)
        if urlsplit(address).netloc
    ]
    assert outside == []
    assert sum(len(fetched(e)) for elements in site.pages.values() for e in elements) > 50


def test_no_style_or_picture_asks_another_host_for_anything(site: Site) -> None:
    files = [path for suffix in ("css", "svg") for path in site.out.rglob(f"*.{suffix}")]
    assert len(files) > 10
    for path in files:
        text = path.read_text(encoding="utf-8")
        addresses = re.findall(
            r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)|(?:xlink:)?href=\"([^\"]+)", text
        )
        for address in ("".join(found) for found in addresses):
            assert not urlsplit(address).netloc, f"{path.name}: {address}"


def test_every_link_inside_leads_somewhere(site: Site) -> None:
    ids = {
        page: {e.attributes["id"] for e in elements if "id" in e.attributes}
        for page, elements in site.pages.items()
    }
    broken = []
    links = 0
    for page, elements in site.pages.items():
        for element in elements:
            for address in filter(None, (element.attributes.get(name) for name in ("href", "src"))):
                parts = urlsplit(address)
                if parts.scheme or parts.netloc or element.attributes.get("rel") == "canonical":
                    continue
                links += 1
                target = page
                if parts.path:
                    where = posixpath.join("/en/latest", posixpath.dirname(page), unquote(parts.path))
                    target = posixpath.relpath(where, "/en/latest")
                missing_file = not (site.out / target).is_file()
                missing_id = (
                    parts.fragment
                    and target in ids
                    and unquote(parts.fragment) not in ids[target] | {"svg-eye"}
                )
                if missing_file or (missing_id and element.tag == "a"):
                    broken.append((page, address))
    assert broken == []
    assert links > 200


def test_every_address_we_publish_exists(site: Site) -> None:
    for page, elements in site.pages.items():
        canonical = [e.attributes["href"] for e in elements if e.attributes.get("rel") == "canonical"]
        if page == "404.html":
            assert canonical == []
            continue
        assert len(canonical) == 1, page
        path = urlsplit(canonical[0]).path.removeprefix("/en/latest/")
        assert (
            site.out / (path + "index.html" if path in ("",) or path.endswith("/") else path)
            == site.out / page
        )


def test_no_id_is_used_twice(site: Site) -> None:
    for page, elements in site.pages.items():
        ids = [e.attributes["id"] for e in elements if "id" in e.attributes]
        assert len(ids) == len(set(ids)), page


def test_every_drawing_is_committed(site: Site) -> None:
    assert site.new == set(), "these were drawn just now: git add docs/_diagrams"


def test_every_picture_has_a_text(site: Site) -> None:
    for page, elements in site.pages.items():
        for element in elements:
            if element.tag == "img":
                alt, src = element.attributes.get("alt"), element.attributes.get("src", "")
                if src.endswith(("_static/mark.svg", "_static/mark-dark.svg")):
                    continue  # beside the name that it stands for
                assert alt and alt != src, f"{page}: {src} has no :alt:"  # Sphinx puts the path in its place


def test_no_path_of_the_machine_gets_out(site: Site) -> None:
    home = os.fsencode(Path.home())
    source = os.fsencode(Path(__file__).parents[2])
    for path in site.out.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert source not in content, path
            assert len(home) < 6 or home not in content, path


def test_the_writing_page_counts_and_names(site: Site) -> None:
    page = site.text("writing/index.html")
    notes = len(re.findall(r'class="writing-card-title"', page))
    sentence = re.search(r'class="writing-count">(.*?)</p>', page)
    assert sentence
    assert sentence[1].startswith(f"{notes} technical notes across ")
    assert "AI infrastructure" in sentence[1]
    assert "key concepts" in sentence[1]


def test_several_jobs_and_a_second_build_give_the_same_bytes(site: Site, tmp_path: Path) -> None:
    def tree(out: Path) -> dict[str, str]:
        return {
            p.relative_to(out).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
            for p in out.rglob("*")
            if p.is_file()
        }

    assert build(tmp_path / "html", "-j", "2") == ""
    first = tree(tmp_path / "html")
    assert first == tree(site.out)
    times = {
        p: p.stat().st_mtime_ns for p in (tmp_path / "html").glob("*/*/index.html") if "tags" not in p.parts
    }
    assert build(tmp_path / "html", "-j", "2") == ""
    assert tree(tmp_path / "html") == first
    notes = [p for p in times if "tags" not in p.parts and "archive" not in p.parts]
    assert len(notes) >= 2
    assert all(p.stat().st_mtime_ns == times[p] for p in notes)
