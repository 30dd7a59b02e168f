"""What pages of a release say of themselves to machines, in their heads, and the pictures that they name.

All of it has whole addresses, so that there is none where the site's is not known, and none in a preview.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from markupsafe import escape

from sphinx_writing.core import metadata
from sphinx_writing.core.metadata import Around, Facts, Image
from sphinx_writing.core.social_card import HEIGHT, WIDTH
from sphinx_writing.sphinx_ext.addresses import is_public, site_address
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.feed_settings import author
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.config import Config

    from sphinx_writing.core.records import SocialPicture
    from sphinx_writing.core.views import Site

THEIRS = "sphinxext.opengraph"
"""sphinxext-opengraph writes the same tags."""
FOLDER = "_social"
"""Where pictures for previews of links lie in the output."""
SITE_CARD = f"{FOLDER}.png"
"""The card of the site, for pages that have none of their own."""


def is_wanted(app: Sphinx) -> bool:
    """Whether pages have metadata."""
    return is_public(app.config) and not app.config.writing_preview


def has_pictures(app: Sphinx) -> bool:
    """Whether they have tags for previews of links, with pictures."""
    return is_wanted(app) and THEIRS not in app.extensions


def add_to_context(
    app: Sphinx, pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Put a page's metadata into its head."""
    if not makes_pages(app.builder) or not writing_domain(app.env).site.catalogue.posts:
        return
    facts = writing_domain(app.env).view(pagename).facts
    if facts is None:
        return
    printed = around(app, facts)
    head = context.get("metatags", "")
    if THEIRS not in app.extensions:
        for attribute, name, content in metadata.tags(facts, printed):
            if f'{attribute}="{name}"' not in head or name == "article:tag":
                head += f'\n<meta {attribute}="{name}" content="{escape(content)}">'
    if data := metadata.json_ld(facts, printed):
        head += f'\n<script type="application/ld+json">{data}</script>'
    context["metatags"] = head


def around(app: Sphinx, facts: Facts) -> Around:
    """What *facts* are printed with."""
    return Around(
        site_name=site_name(app.config),
        author=author(app.config),
        language=(app.config.language or "en").replace("_", "-"),
        address_of=partial(site_address, app.builder),
        image=image(app, facts) if has_pictures(app) else None,
    )


def site_name(config: Config) -> str:
    """What the site is called where links to it are shown."""
    return str(config.project)


def image(app: Sphinx, facts: Facts) -> Image | None:
    """The picture that stands for a page."""
    picture = facts.picture
    if picture is None:
        return card(app.config, facts) if has_cards(app) else None
    address = picture.address or whole(app.config, file_of(facts.crumbs[-1].pagename, picture))
    return Image(address, facts.title, picture.width, picture.height)


def has_cards(app: Sphinx) -> bool:
    """Whether cards are drawn for pages without pictures."""
    return bool(app.config.writing_social_cards) and has_pictures(app)


def has_own_card(facts: Facts) -> bool:
    """Whether a page has a card of its own, and not that of the site."""
    return facts.kind in ("post", "series")


def card(config: Config, facts: Facts) -> Image:
    """The card that stands for a page."""
    own = has_own_card(facts)
    alt = ": ".join(filter(None, (facts.line, facts.title))) if own else site_name(config)
    return Image(whole(config, card_file(facts) if own else SITE_CARD), alt, WIDTH, HEIGHT)


def card_file(facts: Facts) -> str:
    """The output file of a page's own card."""
    return f"{FOLDER}/{facts.crumbs[-1].pagename}.png"


def whole(config: Config, name: str) -> str:
    """The whole address of an output file."""
    return f"{config.html_baseurl}{quote(name)}"


def file_of(docname: str, picture: SocialPicture) -> str:
    """The output file of the picture that the front matter of a document names."""
    return f"{FOLDER}/{docname}{PurePosixPath(picture.file).suffix.lower()}"


def files(app: Sphinx, site: Site) -> Iterator[tuple[str, tuple[object, ...], Callable[[], bytes]]]:
    """The pictures that pages name, as files: name, what is shown, what makes it."""
    if not has_pictures(app):
        return
    for docname, page in site.pages.items():
        if page.social_picture and page.social_picture.file:
            path = Path(app.srcdir, page.social_picture.file)
            yield file_of(docname, page.social_picture), (page.social_picture, page.content), path.read_bytes
