"""Draws one diagram; the only module that knows which engine does it.

Serves the reading phase through `diagrams.py`. The engine is asked when something has to be drawn, so that a
site whose drawings are all committed builds without it.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import re
from dataclasses import dataclass

from sphinx_writing.core import mermaid
from sphinx_writing.sphinx_ext.mermaid_engine import DiagramError, Engine, EngineMissing, Mermaidx
from sphinx_writing.sphinx_ext.palette import DARK, FONT, LIGHT, settings
from sphinx_writing.sphinx_ext.svg import for_image, outside, size

ENGINE: Engine = Mermaidx()
"""Another engine is another object here."""

_SHAPE = 2  # of what this module does to the engine's output; a change here redraws every diagram
_PDF_TOOLS = "mermaidx"
_PDF_FONT = "DejaVu Sans"  # shipped with these tools, so the PDF is the same on every machine
_PDF_SCALE = 3.0  # 96 px an inch, so 288 dots an inch in print
_PDF_PIXELS = 24e6  # a larger drawing has fewer dots an inch
_PRINT_PAPER = "#ffffff"


@dataclass(frozen=True)
class Drawing:
    """A diagram as SVG for light and dark screens and as PDF for print."""

    light: str
    dark: str
    pdf: bytes


def digest(source: str) -> str:
    """The name of the drawing of *source*: it changes with the text, the palettes and the engine."""
    looks = [settings(LIGHT), settings(DARK)]
    parts = [_SHAPE, ENGINE.name, ENGINE.version, _PDF_FONT, _PDF_SCALE, looks, source]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def draw(source: str) -> Drawing:
    """The drawing of *source*: the same bytes every time."""
    if (length := mermaid.length(source)) > mermaid.LONGEST:
        raise DiagramError(f"it has {length:,} characters, mermaid takes {mermaid.LONGEST:,}; split it")
    try:
        light, dark = ENGINE.render(_without_today(source), [settings(LIGHT), settings(DARK)])
        for svg in (light, dark):
            if found := outside(svg):
                raise DiagramError(found)
        return Drawing(light=for_image(light), dark=for_image(dark), pdf=_pdf(for_image(light)))
    except ImportError as error:
        raise EngineMissing from error


def _without_today(source: str) -> str:
    """*source* without the line that a Gantt chart draws at the present day."""
    is_gantt = re.search(r"^\s*gantt\b", source, re.MULTILINE)
    return f"{source}\ntodayMarker off\n" if is_gantt and "todayMarker" not in source else source


def _pdf(svg: str) -> bytes:
    """One page with the pixels of *svg* on white, at its natural size and without a date."""
    raster, png, pdf = (
        importlib.import_module(f"{_PDF_TOOLS}.{m}") for m in ("raster", "png_decode", "pdf_writer")
    )
    printed = re.sub(rf"font-family:\s*{FONT}", f"font-family:{_PDF_FONT}", svg)
    printed = printed.replace(LIGHT.paper, _PRINT_PAPER)
    width, height = size(svg)
    scale = min(_PDF_SCALE, (_PDF_PIXELS / max(1.0, width * height)) ** 0.5)
    bitmap = raster.render_bitmap(printed, scale=scale, background=_PRINT_PAPER)
    bitmap.convert_to_rgba()
    rgb = _rgb(bitmap.tobytes())
    pixels = png.DecodedPNG(bitmap.width, bitmap.height, has_alpha=False, rgb=rgb, alpha=b"")
    return bytes(pdf.png_to_pdf(pixels, scale=1 / scale))


def _rgb(rgba: bytes) -> bytes:
    """The opaque pixels of *rgba* without their alpha."""
    rgb = bytearray(len(rgba) // 4 * 3)
    for channel in range(3):
        rgb[channel::3] = rgba[channel::4]
    return bytes(rgb)
