"""Files of the whole site that are no pages: feeds, a sitemap, redirects, pictures, what robots may do.

Each is made from what it shows, as pages are, and is written where this output does not hold it as it must
be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_writing.core.digests import Digests
from sphinx_writing.sphinx_ext import (
    feeds,
    markdown,
    metadata,
    previews,
    redirects,
    robots,
    sitemap,
    social_cards,
)
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.frame import copied
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from sphinx_writing.core.views import Site
    from sphinx_writing.sphinx_ext.output import Output


@dataclass(frozen=True)
class SiteFile:
    """A file in the output folder: *shown* is all that *make* makes it from, beside the configuration."""

    name: str
    shown: tuple[object, ...]
    make: Callable[[], str | bytes]


def all_files(app: Sphinx, site: Site) -> Iterator[SiteFile]:
    """Every one that a release or preview with posts may have, in any order."""
    robots_text = robots.text(app)
    yield SiteFile(robots.FILE, (robots_text,), lambda: robots_text)
    yield from (SiteFile(*file) for file in feeds.files(app, site))
    for name, preview, make in previews.files(app, site):
        yield SiteFile(name, (preview,), make)
    yield from (SiteFile(name, (text,), partial(str, text)) for name, text in sitemap.files(app, site))
    yield from (SiteFile(*file) for file in metadata.files(app, site))
    yield from (SiteFile(*file) for file in social_cards.files(app, site))
    yield from (SiteFile(*file) for file in redirects.files(app, site))
    yield from (SiteFile(*file) for file in markdown.files(app, site))


def site_files(app: Sphinx) -> Iterator[SiteFile]:
    """Those of this build: none without posts, and none that the site brings itself."""
    if not makes_pages(app.builder):
        return
    site = writing_domain(app.env).site
    if site.catalogue.posts:
        own = set(copied(app))
        yield from (file for file in all_files(app, site) if file.name not in own)


def write(app: Sphinx, out: Output) -> None:
    """Write those that *out* does not hold as they must be, and note what each was made from."""
    digests = Digests()
    for file in site_files(app):
        digest = f"{digests.of(file.shown)} {out.frame[:16]}"
        if out.last.site_files.get(file.name) != digest or not out.is_there(file.name):
            content = file.make()
            write_changed(out.folder / file.name, content.encode() if isinstance(content, str) else content)
        out.site_files[file.name] = digest


def write_changed(path: Path, content: bytes) -> None:
    """Make the file at *path* hold *content*; one that does is left as it is."""
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
