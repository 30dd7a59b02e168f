"""The page that a host shows for an address that leads nowhere.

It is shown at any depth, so that its links start from the root of the host. They are made to in the finished
page, as each theme has links of its own.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from sphinx_writing.core import lists
from sphinx_writing.core.cards import NOT_FOUND
from sphinx_writing.sphinx_ext.frame import copied

if TYPE_CHECKING:
    from typing import Any

    from sphinx.application import Sphinx
    from sphinx.builders.html import StandaloneHTMLBuilder

    from sphinx_writing.core.views import Site

FILE = f"{NOT_FOUND}.html"
"""What hosts look for, in the root folder, whatever the builder and its endings."""
THEIRS = "notfound.extension"
"""sphinx-notfound-page makes the same page."""
_TAG = re.compile(r"""<[a-zA-Z](?:"[^"]*"|'[^']*'|[^"'>])*>""")
_ATTRIBUTE = re.compile(r"""(\s([\w-]+)=)(["'])(.*?)\3""", re.DOTALL)
_ADDRESSES = {"href", "src", "action", "data-content_root"}
_SETTLED = re.compile(r"$|[#/]|[a-zA-Z][\w+.-]*:")
"""How an address begins that is the same wherever it is seen from."""


def is_wanted(app: Sphinx) -> bool:
    """Whether the page is ours to make: the site has none of its own."""
    own = NOT_FOUND in app.config.html_additional_pages or NOT_FOUND in app.env.found_docs
    return not own and THEIRS not in app.extensions and FILE not in copied(app)


def shown(site: Site) -> dict[str, Any]:
    """What the page offers."""
    return {
        "all_posts": site.navigation.all_posts,
        "total": len(site.catalogue.posts),
        "series": lists.all_series(site.catalogue),
    }


def write(builder: StandaloneHTMLBuilder, title: str, body: str) -> None:
    """Write the page around *body*."""
    context = {"title": title, "body": body, "metatags": '\n<meta name="robots" content="noindex">'}
    path = Path(builder.outdir, FILE)
    builder.handle_page(NOT_FOUND, context, "page.html", outfilename=path)
    root = urlsplit(builder.config.html_baseurl).path or "/"
    encoding = builder.config.html_output_encoding
    text = path.read_text(encoding=encoding)
    text = from_root(text, root + builder.get_target_uri(NOT_FOUND))
    path.write_text(text, encoding=encoding, errors="xmlcharrefreplace")


def from_root(page: str, address: str) -> str:
    """*page* with every link in it, as seen from *address*, written from the root of the host."""

    def absolute(found: re.Match[str]) -> str:
        before, name, mark, link = found.groups()
        if name not in _ADDRESSES or _SETTLED.match(link):
            return found[0]
        return f"{before}{mark}{html.escape(urljoin(address, html.unescape(link)))}{mark}"

    return _TAG.sub(lambda tag: _ATTRIBUTE.sub(absolute, tag[0]), page)
