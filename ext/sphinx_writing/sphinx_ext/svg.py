"""Makes the engine's SVG fit for an image element: a size of its own, ids used once, nothing from outside.

Serves the reading phase through `drawing.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

_ROOT = re.compile(r"<svg [^>]*>")
_SIZE = re.compile(r' (?:width|height)="[^"]*"')
_VIEW_BOX = re.compile(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"')
_ID = re.compile(r' id="([^"]*)"')
_FETCHING = re.compile(r'@import|url\(\s*(?!["\']?#)|javascript:', re.IGNORECASE)
_ALIEN = {"script", "foreignobject", "iframe", "object", "embed", "audio", "video"}
"""Elements that an image must not have, or that many readers of SVG do not show."""
_LINK = re.compile(r"https?://|mailto:|[#/.]", re.IGNORECASE)


def for_image(svg: str) -> str:
    """*svg* as a file that an image element can show by itself."""
    return _with_size(_with_unique_ids(svg)) + "\n"


def outside(svg: str) -> str | None:
    """What is wrong with *svg*: that it is no XML, or the first thing in it that would be fetched or run."""
    if "<!" in svg:
        return "its drawing holds a declaration (<!...) that an image must not have"
    try:
        found = next(_foreign(ElementTree.fromstring(svg)), None)  # noqa: S314 - without declarations
    except ElementTree.ParseError as error:
        return f"its drawing is no valid SVG ({error}); look for control characters in its labels"
    return f"it asks for something outside itself: {found[:90]}" if found else None


def _foreign(root: ElementTree.Element) -> Iterator[str]:
    """Everything below *root* that would be fetched or run."""
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        if tag.lower() in _ALIEN:
            yield f"<{tag}>"
        if tag == "style" and (found := _FETCHING.search(element.text or "")):
            yield (element.text or "")[found.start() :]
        for key, value in element.attrib.items():
            name = key.rpartition("}")[2].lower()
            allowed = _LINK.match(value) if tag == "a" else value.startswith(("#", "data:image/"))
            if name.startswith("on") or _FETCHING.search(value) or (name == "href" and not allowed):
                yield f'<{tag} {name}="{value}">'


def size(svg: str) -> tuple[float, float]:
    """Width and height of the view box of *svg*; nothing where there is none."""
    box = _VIEW_BOX.search(svg)
    return (float(box[1]), float(box[2])) if box else (0.0, 0.0)


def _with_size(svg: str) -> str:
    """*svg* as wide and high as its view box, whatever the engine wrote."""

    def sized(root: re.Match[str]) -> str:
        width, height = size(root[0])
        if not (width and height):
            return root[0]
        return _SIZE.sub("", root[0]).replace("<svg", f'<svg width="{width:.2f}" height="{height:.2f}"', 1)

    return _ROOT.sub(sized, svg, count=1)


def _with_unique_ids(svg: str) -> str:
    """*svg* with each id where it first stands; a reference means the first anyway."""
    seen: set[str] = set()

    def first_only(match: re.Match[str]) -> str:
        if match[1] in seen:
            return ""
        seen.add(match[1])
        return match[0]

    return _ID.sub(first_only, svg)
