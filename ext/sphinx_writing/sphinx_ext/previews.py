"""Previews of posts, series and terms: a small file for each, and the links that show them.

A page that is opened from disk cannot fetch, but it can load a script, so each file is one that hands its
text over. Nothing is loaded before a reader points at a link. Off unless ``writing_previews`` asks for it, as
it adds a file for every post and a script to most pages.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from docutils import nodes

from sphinx_writing.core import previews
from sphinx_writing.core.previews import Preview, Shown
from sphinx_writing.sphinx_ext.boxes import OnWebPages
from sphinx_writing.sphinx_ext.domain import writing_domain
from sphinx_writing.sphinx_ext.render import render
from sphinx_writing.sphinx_ext.roles import uri
from sphinx_writing.sphinx_ext.targets import chosen
from sphinx_writing.sphinx_ext.transforms import makes_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder

    from sphinx_writing.core.records import Candidates, Picture
    from sphinx_writing.core.views import Site

FOLDER = "_previews"
SCRIPT, SHEET = "writing-previews.js", "writing-previews.css"
MARKED = "writing-previewed"
SHOWS = re.compile(rf'class="(?:[^"]* )?(?:{MARKED}|writing-term|std-term|footnote-reference)[ "]')
"""What the script looks for in a page."""


class MarkLinks(OnWebPages):
    """Marks the links of a page to what has a preview."""

    default_priority = 20  # once references are resolved

    def run(self, **kwargs: Any) -> None:
        """Mark them, as the view of the page says."""
        domain, docname = writing_domain(self.env), self.env.docname
        if not makes_pages(domain.builder):
            return
        wanted = {uri(domain.builder, docname, target) for target in domain.view(docname).previews}
        for link in self.document.findall(nodes.reference) if wanted else ():
            if link.get("refuri", "").partition("#")[0] in wanted:
                link["classes"].append(MARKED)


def files(app: Sphinx, site: Site) -> Iterator[tuple[str, Preview, Callable[[], str]]]:
    """The files of all previews, each with what it shows and what makes it."""
    if not site.previews:
        return
    shown = {
        place(app.builder, docname): preview.with_picture(picture(app.builder, site.pages[docname].picture))
        for docname, preview in previews.of_pages(site.catalogue).items()
    }
    glossary = site.glossary
    for anchor, preview in previews.of_terms(glossary, site.catalogue):
        shown[f"{place(app.builder, glossary.docname)}.{anchor}"] = preview
    for name, preview in shown.items():
        yield f"{name}.js", preview, partial(script, app.builder, preview)


def picture(builder: Builder, found: Picture | None) -> Shown | None:
    """The picture *found* as it lies in the output; None where it is not there."""
    if found is None or not (light := copied_picture(builder, found.light)):
        return None
    return Shown(light, copied_picture(builder, found.dark), found.width, found.height)


def copied_picture(builder: Builder, candidates: Candidates) -> str:
    """Where the one of *candidates* lies that pages show, as an address seen from the root."""
    path = chosen(builder, dict(candidates))
    images = builder.env.images
    return quote(posixpath.join(builder.imagedir, images[path][1])) if path in images else ""


def place(builder: Builder, docname: str) -> str:
    """Where the previews of *docname* lie: as its page does, so that the script finds them by the address."""
    address = unquote(builder.get_target_uri(docname))
    return f"{FOLDER}/{address}{'index.html' if address == '' or address.endswith('/') else ''}"


def script(builder: Builder, preview: Preview) -> str:
    """The script that hands *preview* over to the one that has loaded it."""
    html = render(builder, "preview", builder.config.root_doc, preview=preview).strip()
    # "<" is written so that no part of the text can end a script or begin a comment, wherever it is put.
    text = json.dumps(html).replace("<", "\\u003c")
    return f"document.currentScript.writingPreview = {text};\n"


def load(
    app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Load script and style sheet on a page that has something to show."""
    domain = writing_domain(app.env)
    if makes_pages(app.builder) and domain.site.previews and SHOWS.search(context.get("body", "")):
        app.add_js_file(SCRIPT, loading_method="defer")
        app.add_css_file(SHEET, priority=700)


def register(app: Sphinx) -> None:
    """Add the configuration value and the steps."""
    app.add_config_value("writing_previews", False, "html", types=(bool,))
    app.add_post_transform(MarkLinks)
    app.connect("html-page-context", load)
