"""Links at the foot of a page: where its text is edited, and where a fault in it is reported.

Their addresses are patterns in the configuration, checked as it is read and filled in for every page's view.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING
from urllib.parse import quote

from sphinx.errors import ConfigError

from sphinx_writing.core.inline import Inline, plain
from sphinx_writing.sphinx_ext.roles import public_address

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

    from sphinx_writing.core.views import FootLink

NAMES = ("path", "docname", "title", "url")
"""What a pattern may name: the source file, its page's name, its title, its public address."""
PATTERNS = {"writing_report_url": "Report an error", "writing_edit_url": "Edit this page"}
"""The values that hold a pattern, each with the text of its link, in the order they stand."""


def register(app: Sphinx) -> None:
    """Add the configuration values, and check them when they have been read."""
    app.add_config_value("writing_edit_url", "", "html", types=(str,))
    app.add_config_value("writing_report_url", "", "html", types=(str,))
    app.connect("config-inited", check)


def check(_app: Sphinx, config: Config) -> None:
    """Refuse patterns that cannot be filled in."""
    for value in PATTERNS:
        pattern = getattr(config, value)
        why = fault(pattern)
        if why:
            raise ConfigError(f"{value} = {pattern!r} in conf.py: {why}")


def fault(pattern: str) -> str:
    """Why *pattern* cannot be filled in; empty if it can."""
    try:
        fields = [(name, spec, how) for _, name, spec, how in Formatter().parse(pattern) if name is not None]
    except ValueError as error:
        return f"{error}; write {{{{ and }}}} for braces"
    for name, spec, how in fields:
        if name not in NAMES:
            return f"unknown name {{{name}}}; expected {', '.join(f'{{{known}}}' for known in NAMES)}"
        if spec or how:
            return f"{{{name}}} takes no format; write it as it is"
    return ""


def fill(pattern: str, *, path: str, docname: str, title: str, url: str) -> str:
    """*pattern* with its names filled in, percent-encoded; slashes stay in what are paths."""
    title, url = quote(title, safe=""), quote(url, safe="")
    return pattern.format(path=quote(path), docname=quote(docname), title=title, url=url)


def of_pages(app: Sphinx, titles: Mapping[str, Inline]) -> dict[str, tuple[FootLink, ...]]:
    """The links of every document but the root page; none where no pattern is set."""
    patterns = [(text, found) for value, text in PATTERNS.items() if (found := getattr(app.config, value))]
    if not patterns:
        return {}
    return {
        docname: tuple(_links(app, patterns, docname, plain(titles.get(docname, ()))))
        for docname in app.env.all_docs
        if docname != app.config.root_doc
    }


def _links(app: Sphinx, patterns: list[tuple[str, str]], docname: str, title: str) -> Iterator[FootLink]:
    path = Path(app.env.doc2path(docname, base=False)).as_posix()
    url = (app.config.html_baseurl or "/") + public_address(app.builder, docname)
    for text, pattern in patterns:
        yield text, fill(pattern, path=path, docname=docname, title=title, url=url)
