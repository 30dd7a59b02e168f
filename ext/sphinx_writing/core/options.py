"""What values in ``conf.py`` may be, and what is said of one that is something else.

Sphinx warns of a wrong type and goes on, into code that cannot use the value. A build stops here instead, so
that ``writing_preview = "no"`` publishes no drafts. What is more than a matter of type is checked where it is
used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from sphinx_writing.core.problems import nearest


@dataclass(frozen=True)
class Shape:
    """What a value has to be: in words, with an example, and the test for it."""

    expected: str
    fits: Callable[[object], bool]


def is_text(value: object) -> bool:
    """Whether *value* is a text that can name something; it may be empty."""
    return isinstance(value, str) and "\0" not in value


def is_flag(value: object) -> bool:
    """Whether *value* is true or false; 1 and 0 are as well."""
    return isinstance(value, int) and value in (0, 1)


def is_count(value: object) -> bool:
    """Whether *value* is a whole number of things, at least one."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def is_listing(value: object) -> bool:
    """Whether *value* is several things in a row, and no text, which is letters in a row."""
    return isinstance(value, list | tuple)


def are_names(value: object) -> bool:
    """Whether *value* is several texts, none of them blank."""
    if not isinstance(value, list | tuple | set | frozenset):
        return False
    return all(isinstance(name, str) and bool(name.strip()) for name in value)


def is_folder_below(value: object) -> bool:
    """Whether *value* is the path of a folder below another."""
    return isinstance(value, str) and is_text(value) and not {"", "..", "."} & {*value.rstrip("/").split("/")}


_ADDRESS = re.compile(
    r"|(?:[a-z][a-z0-9+.-]*://(?:[^\s/?#\[\]]+|\[[\da-f:.]+\](?::\d+)?))?(?:/[^\s?#]*)?", re.I
)


def is_address(value: object) -> bool:
    """Whether *value* is the address or the path of a folder on the web, or nothing."""
    return value is None or (isinstance(value, str) and bool(_ADDRESS.fullmatch(value)))


def is_several(value: object) -> bool:
    """Whether *value* may hold several entries; it is Sphinx's, which takes more kinds than ours do."""
    return value is not None and not isinstance(value, str | bytes | int | float)


_PATTERN = 'a text such as "https://example.org/{path}", or "" for no link'
_FLAG = Shape("True or False, without quotes", is_flag)
_LIST = Shape('a list of texts such as ["one", "two"], also where there is only one', is_several)
_DICT = Shape('a dictionary such as {"name": "value"}', lambda v: isinstance(v, Mapping))


OURS = {
    "writing_as_of": Shape(
        'a day or an instant such as "2026-03-14"', lambda v: v is None or isinstance(v, str | date)
    ),
    "writing_preview": _FLAG,
    "writing_paths": Shape('the path of a file such as "paths.yaml", or "" for none', is_text),
    "writing_edit_url": Shape(_PATTERN, is_text),
    "writing_report_url": Shape(_PATTERN, is_text),
    "writing_icons": Shape(
        'a list such as [{"rel": "apple-touch-icon", "href": "_static/icon.png"}], or [] for none', is_listing
    ),
    "writing_map": _FLAG,
    "writing_glossary": Shape('the name of a document such as "glossary", or "" for none', is_text),
    "writing_previews": _FLAG,
    "writing_markdown": _FLAG,
    "writing_sidebar": _FLAG,
    "writing_sidebar_limit": Shape("a whole number of lines such as 30, at least 1", is_count),
    "writing_extra_fields": Shape('a list of names such as ["mood"], or [] for none', are_names),
    "writing_feeds": Shape(
        "True, False, or None for feeds where html_baseurl is an address of the web",
        lambda v: v is None or is_flag(v),
    ),
    "writing_feed_entries": Shape("a whole number of notes such as 20, at least 1", is_count),
    "writing_feed_id": Shape('a text such as "example.org,2026", or "" for the host of the site', is_text),
    "writing_sitemap": Shape(
        "True, False, or None for one where html_baseurl is set", lambda v: v is None or is_flag(v)
    ),
    "writing_social_cards": _FLAG,
    "writing_social_mark": Shape('the path of a PNG such as "_static/mark.png", or "" for none', is_text),
    "writing_social_fonts": Shape('a list of files such as ["fonts/more.ttf"], or [] for none', are_names),
    "writing_diagram_cache": Shape(
        'the path of a folder below the source folder such as "_diagrams"', is_folder_below
    ),
}
"""Values of this extension; those of labs, formulas and search say more where they are read."""

SPHINX = {
    "html_baseurl": Shape('an address such as "https://example.org/notes/", or "" for none', is_address),
    **dict.fromkeys(
        (
            "exclude_patterns",
            "html_css_files",
            "html_extra_path",
            "html_js_files",
            "html_static_path",
            "myst_enable_extensions",
            "suppress_warnings",
            "templates_path",
        ),
        _LIST,
    ),
    **dict.fromkeys(
        ("html_additional_pages", "html_context", "html_sidebars", "html_theme_options", "latex_elements"),
        _DICT,
    ),
}
"""Values of Sphinx and MyST that are often written as one text, whose letters would be taken for entries."""

PREFIX = "writing_"
"""How the names of our values begin."""
LONGEST = 100
"""Characters of a value that a message shows."""


def faults(values: Mapping[str, object]) -> Iterator[str]:
    """What is wrong with each of *values* that has another shape than it must have."""
    for name, shape in {**OURS, **SPHINX}.items():
        if name in values and not shape.fits(values[name]):
            yield f"{name} = {shown(values[name])} in conf.py: expected {shape.expected}"


def shown(value: object) -> str:
    """*value* as one would write it, cut where it is long."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def unknown(written: Iterable[str], known: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The names in ``conf.py`` that begin like ours and are none of the *known* ones, with what is said."""
    ours = {name.removeprefix(PREFIX) for name in known if name.startswith(PREFIX)}
    for name in sorted({name.removeprefix(PREFIX) for name in written if name.startswith(PREFIX)} - ours):
        meant = nearest(name, ours)
        advice = f'did you mean "{PREFIX}{meant}"?' if meant else "take it out, or begin it in another way"
        yield PREFIX + name, f'"{PREFIX}{name}" is no value that is read; {advice}'


def line_of(name: str, text: str) -> int:
    """The line of *text*, that of ``conf.py``, which gives *name* its value; 1 if none begins with it."""
    lines = text.splitlines()
    return next((i for i, line in enumerate(lines, 1) if re.match(rf"\s*{re.escape(name)}\b", line)), 1)
