"""Makes the engine's SVG fit for an image element: a size of its own, ids used once, nothing from outside.

Serves the reading phase through `drawing.py`.
"""

from __future__ import annotations

import re

_ROOT = re.compile(r"<svg [^>]*>")
_SIZE = re.compile(r' (?:width|height)="[^"]*"')
_VIEW_BOX = re.compile(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"')
_ID = re.compile(r' id="([^"]*)"')
_OUTSIDE = re.compile(r'@import|<script|<image[^>]*href="(?!data:)|url\((?!["\']?#)', re.IGNORECASE)


def for_image(svg: str) -> str:
    """*svg* as a file that an image element can show by itself."""
    return _with_size(_with_unique_ids(svg)) + "\n"


def outside(svg: str) -> str | None:
    """The start of the first thing in *svg* that would be fetched or run, if any."""
    found = _OUTSIDE.search(svg)
    return svg[found.start() : found.end() + 60] if found else None


def _with_size(svg: str) -> str:
    """*svg* as wide and high as its view box, whatever the engine wrote."""

    def sized(root: re.Match[str]) -> str:
        box = _VIEW_BOX.search(root[0])
        if box is None:
            return root[0]
        size = f'<svg width="{float(box[1]):.2f}" height="{float(box[2]):.2f}"'
        return _SIZE.sub("", root[0]).replace("<svg", size, 1)

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
