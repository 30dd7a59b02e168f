"""Every address inside leads to a file, and to a place in it, wherever the site is put."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from .conftest import Element, Site

pytestmark = pytest.mark.xdist_group("site")  # one process builds it
ADDRESSES = ("href", "src", "action", "poster", "data", "xlink:href")
NAMES_IDS = (
    "for",
    "aria-labelledby",
    "aria-describedby",
    "aria-controls",
    "aria-owns",
    "popovertarget",
    "list",
    "form",
)
WRITTEN_BY_SCRIPT = {"svg-eye"}
PLACES = ["/", "/a/b/", "/en/latest/", "/renamed/"]
"""Paths under which a host may serve the site's folder."""
NOT_FOUND = "404.html"
"""Shown at any address, so that its links name the public path."""
CSS_ADDRESS = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""")


def addresses(element: Element) -> Iterator[str]:
    """What an element links to or shows."""
    if element.attributes.get("rel") in {"canonical", "alternate"}:
        return
    yield from filter(None, (element.attributes.get(name) for name in ADDRESSES))
    yield from (part.split()[0] for part in element.attributes.get("srcset", "").split(",") if part.strip())


def target(place: str, page: str, address: str) -> tuple[str, str] | None:
    """The file that *address* on *page* means, with the id in it; None for another host."""
    if urlsplit(address).scheme or address.startswith("//"):
        return None
    found = urlsplit(urljoin(f"https://docs.example{place}{page}", address))
    path = unquote(found.path)
    inside = path.removeprefix(place) if path.startswith(place) else f"outside of the site: {path}"
    return inside + "index.html" * (inside.endswith("/") or not inside), unquote(found.fragment)


@pytest.fixture(scope="module")
def ids(site: Site) -> dict[str, set[str]]:
    """The ids of each page."""
    return {
        page: {e.attributes["id"] for e in elements if "id" in e.attributes} | WRITTEN_BY_SCRIPT
        for page, elements in site.pages.items()
    }


@pytest.mark.parametrize("place", PLACES)
def test_every_link_leads_somewhere_wherever_the_site_is(
    place: str, site: Site, ids: dict[str, set[str]]
) -> None:
    files = {path.relative_to(site.out).as_posix() for path in site.out.rglob("*") if path.is_file()}
    broken, links = [], 0
    for page, elements in site.pages.items():
        for element in elements:
            for address in addresses(element):
                found = target(place, page, address)
                if found is None or (page == NOT_FOUND and address.startswith("/")):
                    continue
                links += 1
                name, fragment = found
                if name not in files or (fragment and name in ids and fragment not in ids[name]):
                    broken.append(f"{page}: <{element.tag}> {address}")
    assert not broken, "\n".join(broken)
    assert links > 1000


def test_every_id_that_is_named_is_there(site: Site, ids: dict[str, set[str]]) -> None:
    missing = [
        f"{page}: <{element.tag}> {name} {wanted}"
        for page, elements in site.pages.items()
        for element in elements
        for name in NAMES_IDS
        for wanted in element.attributes.get(name, "").split()
        if wanted not in ids[page]
    ]
    assert not missing, "\n".join(missing)


def test_every_file_that_a_style_sheet_names_is_there(site: Site) -> None:
    missing = []
    for sheet in site.out.rglob("*.css"):
        for found in CSS_ADDRESS.findall(sheet.read_text(encoding="utf-8")):
            address = "".join(found).split("?")[0].split("#")[0]
            if (
                not address.startswith("data:")
                and address
                and not (sheet.parent / unquote(address)).is_file()
            ):
                missing.append(f"{sheet.relative_to(site.out)}: {address}")
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize(
    ("page", "address", "expected"),
    [
        ("infra/nccl/index.html", "../index.html#parts", ("infra/index.html", "parts")),
        ("index.html", "", ("index.html", "")),
        ("infra/index.html", "../", ("index.html", "")),
        ("infra/index.html", "#x%20y", ("infra/index.html", "x y")),
        ("index.html", "../x.html", ("outside of the site: /a/x.html", "")),
        ("index.html", "/x.html", ("outside of the site: /x.html", "")),
        ("index.html", "https://docs.example/", None),
        ("index.html", "//docs.example/", None),
        ("index.html", "mailto:a@docs.example", None),
    ],
)
def test_addresses_are_followed(page: str, address: str, expected: tuple[str, str] | None) -> None:
    assert target("/a/b/", page, address) == expected
