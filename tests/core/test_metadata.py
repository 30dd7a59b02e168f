"""What pages say of themselves to machines."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from sphinx_writing.core import metadata
from sphinx_writing.core.catalogue import Catalogue, build
from sphinx_writing.core.dates import parse
from sphinx_writing.core.inline import Span
from sphinx_writing.core.metadata import Around, Crumb, Facts, Image, facts_of
from sphinx_writing.core.posts import Sources
from sphinx_writing.core.records import Entry, FrontMatter, Page, SeriesInfo, Toctree

HOSTILE = "</script><script>alert(1)</script> ]]> & \"q\" 'a' {{ x }} $x$ \u202e 😀 <!--"
AROUND = Around(
    "Site & Co", "The authors", "en", lambda name: f"https://example.org/{name.removesuffix('index')}"
)


def site(*, numbered: bool = True, status: str = "ongoing") -> Catalogue:
    """A site with a series of two parts and a post outside it."""
    day = parse("2026-03-01")
    listed = Toctree((Entry("infra/a"), Entry("infra/b")))
    pages = {
        "index": Page(
            (Span("Home"),), toctrees=(Toctree((Entry("infra/index"), Entry("lone"), Entry("about"))),)
        ),
        "infra/index": Page((Span("Infra and more"),), toctrees=(listed,)),
        "infra/a": Page((Span("A of "), Span(r"\alpha", "math"))),
        "infra/b": Page((Span(HOSTILE),)),
        "lone": Page((Span("Lone"),)),
        "about": Page((Span("About"),)),
    }
    info = SeriesInfo("infra", "Infra", "Machines", numbered, (Span("About infra."),), status)
    fronts = {
        "infra/index": FrontMatter(series_info=info),
        "infra/a": FrontMatter(date=day, tags=("nccl",), authors=("Ada", "Grace")),
        "infra/b": FrontMatter(date=day, updated=parse("2026-03-02T10:00+09:00"), summary=(Span(HOSTILE),)),
        "lone": FrontMatter(date=day),
    }
    return build(Sources(pages, fronts, "index", parse("2026-04-01").instant))


def facts(docname: str, **options: Any) -> Facts:
    return facts_of(site(**options), docname, "index", None)


def data(found: Facts, around: Around = AROUND) -> dict[str, dict[str, Any]]:
    """The JSON-LD of a page, by type."""
    text = metadata.json_ld(found, around)
    assert not set(text) & set("<>&\u2028")
    graph = json.loads(text)["@graph"] if text else []
    return {one["@type"]: one for one in graph}


def test_a_post_in_a_series() -> None:
    found = facts("infra/a")
    assert found.line == "Infra, part 1 of 2"
    assert facts("infra/a", numbered=False).line == "Infra"
    made = data(found)
    assert made["TechArticle"] == {
        "@type": "TechArticle",
        "@id": "https://example.org/infra/a",
        "url": "https://example.org/infra/a",
        "mainEntityOfPage": "https://example.org/infra/a",
        "headline": "A of α",
        "datePublished": "2026-03-01",
        "dateModified": "2026-03-01",
        "author": [{"@type": "Person", "name": "Ada"}, {"@type": "Person", "name": "Grace"}],
        "keywords": ["nccl"],
        "articleSection": "Machines",
        "inLanguage": "en",
        "position": 1,
        "isPartOf": [
            {
                "@type": "CreativeWorkSeries",
                "@id": "https://example.org/infra/#series",
                "name": "Infra",
                "url": "https://example.org/infra/",
            },
            {
                "@type": "WebSite",
                "@id": "https://example.org/#website",
                "url": "https://example.org/",
                "name": "Site & Co",
            },
        ],
    }
    crumbs = [(i["position"], i["name"], i["item"]) for i in made["BreadcrumbList"]["itemListElement"]]
    assert crumbs == [
        (1, "Home", "https://example.org/"),
        (2, "Infra", "https://example.org/infra/"),
        (3, "A of α", "https://example.org/infra/a"),
    ]


def test_a_post_outside_series_and_other_pages() -> None:
    lone = data(facts("lone"))
    assert lone["TechArticle"]["author"] == {"@type": "Organization", "name": "The authors"}
    assert lone["TechArticle"]["isPartOf"]["@type"] == "WebSite"
    assert [i["name"] for i in lone["BreadcrumbList"]["itemListElement"]] == ["Home", "Lone"]
    series = data(facts("infra/index"))
    assert series["CollectionPage"]["about"]["@id"] == "https://example.org/infra/#series"
    assert series["CollectionPage"]["description"] == "About infra."
    assert facts("infra/index").line == "Series, 2 parts"
    assert data(facts("index")).keys() == {"WebSite"}
    assert data(facts("about")) == {}


def test_hostile_texts_are_data() -> None:
    made = data(facts("infra/b"))["TechArticle"]
    assert made["headline"] == HOSTILE
    assert made["description"] == HOSTILE
    assert (made["datePublished"], made["dateModified"]) == ("2026-03-01", "2026-03-02T10:00:00+09:00")
    assert data(Facts("home", "Home", (Crumb("\u2028", "index"),)), replace(AROUND, site_name="a\u2028b"))


def test_tags_of_a_post() -> None:
    image = Image("https://example.org/x.png", "Infra: A", 1200, 630)
    around = Around("Site", "The authors", "en", AROUND.address_of, image)
    assert [tag[1:] for tag in metadata.tags(facts("infra/a"), around)] == [
        ("og:title", "A of α"),
        ("og:type", "article"),
        ("og:url", "https://example.org/infra/a"),
        ("og:site_name", "Site"),
        ("og:image", "https://example.org/x.png"),
        ("og:image:width", "1200"),
        ("og:image:height", "630"),
        ("og:image:alt", "Infra: A"),
        ("article:published_time", "2026-03-01T00:00:00+00:00"),
        ("article:section", "Machines"),
        ("article:tag", "nccl"),
        ("twitter:card", "summary_large_image"),
    ]


def test_tags_of_other_pages() -> None:
    found = [tag[1:] for tag in metadata.tags(facts("about"), AROUND)]
    assert ("og:type", "website") in found
    assert ("twitter:card", "summary") in found
    assert not any(name.startswith(("og:image", "article:")) for name, _ in found)


@pytest.mark.parametrize(("total", "line"), [(1, "Series, 1 part"), (16, "Series, 16 parts")])
def test_the_line_of_a_series(total: int, line: str) -> None:
    assert Facts("series", "Infra", (), series=Crumb("Infra", "infra"), total=total).line == line
