"""What a page says of itself to machines: Open Graph for previews of links, JSON-LD for search engines.

All of it is made from one record, which is part of the page's view. Addresses come from the edge.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.dates import Stamp
from sphinx_writing.core.inline import Inline, cut, plain
from sphinx_writing.core.records import SocialPicture
from sphinx_writing.core.search_text import readable
from sphinx_writing.core.series import Series

DESCRIPTION_LENGTH = 200
"""Characters of a description; search engines cut at about 160, previews of links at about 200."""
CONTEXT = "https://schema.org"


@dataclass(frozen=True)
class Crumb:
    """A page by its name for readers."""

    name: str
    pagename: str


@dataclass(frozen=True)
class Facts:
    """What is said of a page. *kind* is ``home``, ``post``, ``series`` or ``page``.

    *crumbs* lead from the first page to this one. A post that is part of a series has its *part*, counted
    from 1, which is *numbered* where readers see the number; *total* is how many parts the series has.
    """

    kind: str
    title: str
    crumbs: tuple[Crumb, ...]
    description: str = ""
    published: Stamp | None = None
    updated: Stamp | None = None
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    category: str = ""
    series: Crumb | None = None
    part: int = 0
    total: int = 0
    numbered: bool = False
    key: int = -1
    """The number of the series, which gives it its colour."""
    picture: SocialPicture | None = None

    @property
    def line(self) -> str:
        """Where the page belongs, in a line: ``Infra, part 4 of 16``."""
        if self.kind == "series":
            return f"Series, {self.total} part{'' if self.total == 1 else 's'}"
        if self.series is None:
            return self.category
        return f"{self.series.name}, part {self.part} of {self.total}" if self.numbered else self.series.name

    @property
    def section(self) -> str:
        """What the page is filed under."""
        return self.category or (self.series.name if self.series else "")


def words(text: Inline) -> str:
    """*text* where no markup is shown; formulas as one would type them."""
    return plain(
        tuple(replace(span, text=readable(span.text)) if span.mark == "math" else span for span in text)
    )


def facts_of(catalogue: Catalogue, docname: str, root: str, picture: SocialPicture | None) -> Facts:
    """The facts of the document *docname*."""
    title = words(catalogue.titles.get(docname, ())) or docname
    home = Crumb(words(catalogue.titles.get(root, ())) or root, root)
    here = Crumb(title, docname)
    crumbs = (home,) if docname == root else (home, here)
    if docname in catalogue.posts:
        return _of_post(catalogue, docname, title, (home, here), picture)
    series = catalogue.series_at(docname)
    if series is None or docname == root:
        return Facts("home" if docname == root else "page", title, crumbs, picture=picture)
    return Facts(
        "series",
        title,
        crumbs,
        cut(words(series.info.description), DESCRIPTION_LENGTH),
        category=series.info.category,
        series=Crumb(series.info.label, docname),
        total=len(series.parts),
        key=series.index,
        picture=picture,
    )


def _of_post(
    catalogue: Catalogue, docname: str, title: str, crumbs: tuple[Crumb, Crumb], picture: SocialPicture | None
) -> Facts:
    post = catalogue.posts[docname]
    series = catalogue.series_named(post.series)
    names = {tag.key: tag.name for tag in catalogue.tags}
    return Facts(
        "post",
        title,
        crumbs if series is None else (crumbs[0], _page_of(series), crumbs[1]),
        cut(words(post.summary), DESCRIPTION_LENGTH),
        published=post.stamp,
        updated=post.updated,
        authors=post.authors,
        tags=tuple(names[key] for key in post.tags),
        category=series.info.category if series else "",
        series=_page_of(series) if series else None,
        part=post.part,
        total=len(series.parts) if series else 0,
        numbered=bool(series and series.info.numbered),
        key=series.index if series else -1,
        picture=picture,
    )


def _page_of(series: Series) -> Crumb:
    return Crumb(series.info.label, series.docname)


@dataclass(frozen=True)
class Image:
    """A picture that stands for a page where links to it are shown."""

    address: str
    alt: str
    width: int = 0
    height: int = 0


@dataclass(frozen=True)
class Around:
    """What a page's facts are printed with: names of the site, its language, and addresses."""

    site_name: str
    author: str
    language: str
    address_of: Callable[[str], str]
    image: Image | None = None


Tag = tuple[str, str, str]
"""A ``<meta>``: the attribute that names it, its name, its content."""


def tags(facts: Facts, around: Around) -> Iterator[Tag]:
    """The tags of Open Graph, and the one of Twitter that has no like there."""
    yield from (("property", name, content) for name, content in _open_graph(facts, around) if content)
    yield "name", "twitter:card", "summary_large_image" if around.image else "summary"


def _open_graph(facts: Facts, around: Around) -> Iterator[tuple[str, str]]:
    yield "og:title", facts.title
    yield "og:type", "article" if facts.kind == "post" else "website"
    yield "og:url", around.address_of(facts.crumbs[-1].pagename)
    yield "og:site_name", around.site_name
    yield "og:description", facts.description
    if image := around.image:
        yield "og:image", image.address
        yield "og:image:width", str(image.width or "")
        yield "og:image:height", str(image.height or "")
        yield "og:image:alt", image.alt
    if facts.kind == "post":
        yield "article:published_time", facts.published.iso if facts.published else ""
        yield "article:modified_time", facts.updated.iso if facts.updated else ""
        yield "article:section", facts.section
        yield from (("article:tag", tag) for tag in facts.tags)


def json_ld(facts: Facts, around: Around) -> str:
    """The JSON-LD of a page, as it may stand between script tags; empty for a page without any."""
    if facts.kind == "page":
        return ""
    graph = [one for one in (_main(facts, around), _breadcrumb(facts, around)) if one]
    text = json.dumps({"@context": CONTEXT, "@graph": graph}, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _main(facts: Facts, around: Around) -> dict[str, Any]:
    address = around.address_of(facts.crumbs[-1].pagename)
    if facts.kind == "post":
        return _filled(_article(facts, around, address))
    if facts.kind == "home":
        site = {"@type": "WebSite", "@id": f"{address}#website", "url": address, "name": around.site_name}
        return _filled({**site, "inLanguage": around.language, "author": _author(around.author)})
    page = {"@type": "CollectionPage", "@id": address, "url": address, "name": facts.title}
    about = {**_series(facts, around), "description": facts.description, "inLanguage": around.language}
    return _filled(
        {**page, "description": facts.description, "isPartOf": _site(facts, around), "about": about}
    )


def _article(facts: Facts, around: Around, address: str) -> dict[str, Any]:
    persons = [{"@type": "Person", "name": name} for name in facts.authors]
    image = around.image
    return {
        "@type": "TechArticle",
        "@id": address,
        "url": address,
        "mainEntityOfPage": address,
        "headline": facts.title,
        "description": facts.description,
        "datePublished": _date(facts.published),
        "dateModified": _date(facts.updated or facts.published),
        "author": persons or _author(around.author),
        "image": image.address if image else "",
        "keywords": list(facts.tags),
        "articleSection": facts.section,
        "inLanguage": around.language,
        "position": facts.part if facts.series else 0,
        "isPartOf": [_series(facts, around), _site(facts, around)] if facts.series else _site(facts, around),
    }


def _series(facts: Facts, around: Around) -> dict[str, Any]:
    assert facts.series is not None  # noqa: S101  # for the type checker: callers have looked
    address = around.address_of(facts.series.pagename)
    return {
        "@type": "CreativeWorkSeries",
        "@id": f"{address}#series",
        "name": facts.series.name,
        "url": address,
    }


def _site(facts: Facts, around: Around) -> dict[str, str]:
    address = around.address_of(facts.crumbs[0].pagename)
    return {"@type": "WebSite", "@id": f"{address}#website", "url": address, "name": around.site_name}


def _author(name: str) -> dict[str, str]:
    """Who stands for the site: mostly several, or a project."""
    return {"@type": "Organization", "name": name}


def _breadcrumb(facts: Facts, around: Around) -> dict[str, Any]:
    if len(facts.crumbs) < 2:
        return {}
    items = [
        {
            "@type": "ListItem",
            "position": number,
            "name": crumb.name,
            "item": around.address_of(crumb.pagename),
        }
        for number, crumb in enumerate(facts.crumbs, start=1)
    ]
    return {"@type": "BreadcrumbList", "itemListElement": items}


def _date(stamp: Stamp | None) -> str:
    if stamp is None:
        return ""
    return stamp.day.isoformat() if stamp.day_only else stamp.iso


def _filled(values: dict[str, Any]) -> dict[str, Any]:
    """*values* without what is empty, also inside."""
    found = ((name, _filled(value) if isinstance(value, dict) else value) for name, value in values.items())
    return {name: value for name, value in found if value}
