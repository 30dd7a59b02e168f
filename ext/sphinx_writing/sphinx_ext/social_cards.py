"""Social cards: a picture of each post and series for where links to them are shown, and one of the site.

They are drawn once all pages are written, and kept beside the doctrees under a digest of all that they are
made from, as one takes longer to draw than its page to write.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.errors import ConfigError
from sphinx.util import logging

from sphinx_writing.core.inline import shown
from sphinx_writing.core.metadata import facts_of
from sphinx_writing.core.social_card import Card
from sphinx_writing.sphinx_ext import card_painter
from sphinx_writing.sphinx_ext.addresses import demand_public
from sphinx_writing.sphinx_ext.card_painter import Face, Painter
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.metadata import SITE_CARD, card_file, has_cards, has_own_card, site_name

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

    from sphinx_writing.core.views import Site

INSTALL = 'pip install "pillow>=12,<14"'
_DIGEST = 64
"""Characters of a digest, which stands before each kept card: one that was cut is drawn again."""

logger = logging.getLogger(__name__)


def register(app: Sphinx) -> None:
    """Add the values, and check them when they have been read."""
    app.add_config_value("writing_social_cards", False, "html", types=(bool,))
    app.add_config_value("writing_social_mark", "", "html", types=(str,))
    app.add_config_value("writing_social_fonts", [], "html", types=(list, tuple))
    app.add_config_value("writing_social_edition", "", "html", types=(str,))
    app.connect("config-inited", check)


def check(app: Sphinx, config: Config) -> None:
    """Refuse what no card can be drawn with."""
    if not config.writing_social_cards:
        return
    asked = "writing_social_cards = True in conf.py"
    demand_public(config, "writing_social_cards", "pictures of links need")
    try:
        Face(card_painter.FACES / f"{card_painter.SERIF[0]}.woff2", 600).at(48)
    except ImportError:
        raise ConfigError(f"{asked} needs Pillow: {INSTALL}") from None
    except OSError as error:
        raise ConfigError(
            f"{asked}: this Pillow cannot read WOFF2 fonts ({error}); take one from PyPI: {INSTALL}"
        ) from None
    check_files(app, config)
    contents = (path.read_bytes() for path in (mark_file(app), *fonts(app)) if path)
    parts = (card_painter.edition(), *(hashlib.sha256(content).hexdigest() for content in contents))
    config.writing_social_edition = hashlib.sha256(" ".join(parts).encode()).hexdigest()


def check_files(app: Sphinx, config: Config) -> None:
    """Refuse a mark or a font that cannot be read."""
    from PIL import Image

    try:
        if (mark := mark_file(app)) and Image.open(mark).convert("RGBA").getchannel("A").getbbox() is None:
            raise OSError("it is empty")
    except OSError as error:
        asked = f"writing_social_mark = {config.writing_social_mark!r} in conf.py"
        raise ConfigError(f"{asked}: expected a PNG, relative to conf.py ({error})") from None
    for name in config.writing_social_fonts:
        try:
            Face(Path(app.confdir, name), 600).at(48)
        except (OSError, TypeError) as error:
            asked = f"writing_social_fonts in conf.py names {name!r}"
            raise ConfigError(f"{asked}: expected a font file, relative to conf.py ({error})") from None


def mark_file(app: Sphinx) -> Path | None:
    """The file of the mark: the one that is named, else the logo if it is a PNG."""
    name = app.config.writing_social_mark
    logo = str(app.config.html_logo or "")
    if not name and logo.lower().endswith(".png") and "://" not in logo:
        name = logo
    return Path(app.confdir, name) if name else None


def fonts(app: Sphinx) -> list[Path]:
    """The site's own fonts, for what the vendored ones have not."""
    return [Path(app.confdir, name) for name in app.config.writing_social_fonts]


CardFile = tuple[str, tuple[object, ...], Callable[[], bytes]]
"""The name of a card, what it is drawn from, and what draws it."""


def files(app: Sphinx, site: Site) -> Iterator[CardFile]:
    """Every card of this build, as a file."""
    if not has_cards(app):
        return
    mark, name = mark_file(app), site_name(app.config)
    painter = cache(
        lambda: Painter(mark.read_bytes() if mark else b"", fonts(app))
    )  # for the first to be drawn
    shared = (name, app.config.writing_social_edition)
    for file, card in cards(site, name):
        parts = (card, *shared)
        yield file, parts, partial(kept, app, file, card, parts, painter)


def cards(site: Site, name: str) -> Iterator[tuple[str, Card]]:
    """Every card by its file; *name* is the site's."""
    yield SITE_CARD, Card(name)
    for docname, page in site.pages.items():
        facts = facts_of(site.catalogue, docname, site.root, page.social_picture)
        if page.social_picture is None and has_own_card(facts):
            yield card_file(facts), Card(facts.title, facts.line, facts.key)


def kept(
    app: Sphinx, file: str, card: Card, parts: tuple[object, ...], painter: Callable[[], Painter]
) -> bytes:
    """The card as it is kept, drawn where it is not."""
    path = folder(app) / key(parts)
    try:
        known = path.read_bytes()
    except OSError:
        known = b""
    if known and known[:_DIGEST] == hashlib.sha256(known[_DIGEST:]).hexdigest().encode():
        return known[_DIGEST:]
    drawn = painter().draw(card, site_name(app.config))
    say_what_is_missing(file, drawn)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(hashlib.sha256(drawn.png).hexdigest().encode() + drawn.png)
    return drawn.png


def say_what_is_missing(file: str, drawn: card_painter.Drawn) -> None:
    """One line on the terminal for a card that lacks characters of its title."""
    if drawn.missing:
        what = "shows the name of the site, as no face has" if drawn.instead else "leaves out"
        remedy = "a font in writing_social_fonts may have them"
        logger.info('writing: the card %s %s "%s"; %s', file, what, shown(drawn.missing), remedy)


def key(parts: tuple[object, ...]) -> str:
    """The name under which a card is kept."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def folder(app: Sphinx) -> Path:
    """Where cards are kept."""
    return Path(app.doctreedir, "writing", "cards")


def forget_unused(app: Sphinx, exception: Exception | None) -> None:
    """Remove kept cards that this build has no use for."""
    domain = writing_domain(app.env)
    out: Any = domain.output
    if exception is not None or out is None or out.idle or not folder(app).is_dir() or not has_cards(app):
        return
    used = {key(parts) for _file, parts, _make in files(app, domain.site)}
    for path in folder(app).iterdir():
        if path.name not in used:
            path.unlink()
