"""Draws one diagram; the only module that knows the drawing engine.

Serves the reading phase through `diagrams.py`. The engine (mermaid in QuickJS: no browser, no network) is
imported when something has to be drawn, so that a site whose drawings are all committed builds without it.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import json
import re
from dataclasses import dataclass
from typing import Any

from sphinx_writing.sphinx_ext.palette import DARK, FONT, LIGHT, Palette, settings
from sphinx_writing.sphinx_ext.svg import for_image, outside

ENGINE = "mermaidx"
KNOWN_VERSION = "0.10.1"
"""The release that committed drawings are looked up for where the engine is not installed."""

_SHAPE = 1  # of what this module does to the engine's output; a change here redraws every diagram
_PDF_FONT = "DejaVu Sans"  # shipped with the engine, so the PDF is the same on every machine
_PDF_SCALE = 3  # 96 px an inch, so 288 dots an inch in print
_PRINT_PAPER = "#ffffff"
_SEEDED_RANDOM = "{ let s = 1; Math.random = () => (s = (s * 16807) % 2147483647) / 2147483647; }"


class EngineMissing(Exception):  # noqa: N818 - a state of the machine, not a fault of the diagram
    """The drawing engine is not installed."""


class DiagramError(ValueError):
    """The source cannot be drawn; the text says why."""


@dataclass(frozen=True)
class Drawing:
    """A diagram as SVG for light and dark screens and as PDF for print."""

    light: str
    dark: str
    pdf: bytes


def digest(source: str) -> str:
    """The name of the drawing of *source*: it changes with the text, the palettes and the engine."""
    looks = [settings(LIGHT), settings(DARK)]
    parts = [_SHAPE, ENGINE, engine_version(), _PDF_FONT, _PDF_SCALE, looks, source]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def engine_version() -> str:
    """Version of the installed engine, else the one that committed drawings are expected from."""
    try:
        return importlib.metadata.version(ENGINE)
    except importlib.metadata.PackageNotFoundError:
        return KNOWN_VERSION


def draw(source: str) -> Drawing:
    """The drawing of *source*: the same bytes every time.

    Each drawing has an engine of its own, closed at once: a shared one holds a thread, which would not
    survive the fork of a parallel build.
    """
    try:
        light, dark = _render(_without_today(source), LIGHT, DARK)
    except ImportError as error:
        raise EngineMissing from error
    if foreign := outside(light):
        raise DiagramError(f"it asks for something outside itself: {foreign}")
    return Drawing(light=for_image(light), dark=for_image(dark), pdf=_pdf(light))


def _render(source: str, *palettes: Palette) -> list[str]:
    """The engine's SVG of *source* in each of *palettes*."""
    module = importlib.import_module(f"{ENGINE}.engine")
    engine = _seeded(module.Engine())
    engine.start()
    try:
        return [engine.render_svg(source, "base", settings(palette), None) for palette in palettes]
    except Exception as error:  # mermaid's own and, on odd input, those of the JavaScript under it
        raise DiagramError(str(error)) from error
    finally:
        engine.close()


def _seeded(engine: Any) -> Any:
    """*engine* taking chance from a fixed seed: Git graphs ask for it, and no setting reaches it."""
    build = engine._build_context

    def build_seeded() -> Any:
        context = build()
        context.eval(_SEEDED_RANDOM)
        return context

    engine._build_context = build_seeded
    return engine


def _without_today(source: str) -> str:
    """*source* without the line that a Gantt chart draws at the present day."""
    is_gantt = re.search(r"^\s*gantt\b", source, re.MULTILINE)
    return f"{source}\ntodayMarker off\n" if is_gantt and "todayMarker" not in source else source


def _pdf(svg: str) -> bytes:
    """One page with the pixels of *svg* on white, at its natural size and without a date."""
    raster, png, pdf = (
        importlib.import_module(f"{ENGINE}.{m}") for m in ("raster", "png_decode", "pdf_writer")
    )
    printed = re.sub(rf"font-family:\s*{FONT}", f"font-family:{_PDF_FONT}", svg)
    printed = printed.replace(LIGHT.paper, _PRINT_PAPER)
    bitmap = raster.render_bitmap(printed, scale=_PDF_SCALE, background=_PRINT_PAPER)
    bitmap.convert_to_rgba()
    rgb = _rgb(bitmap.tobytes())
    pixels = png.DecodedPNG(bitmap.width, bitmap.height, has_alpha=False, rgb=rgb, alpha=b"")
    return bytes(pdf.png_to_pdf(pixels, scale=1 / _PDF_SCALE))


def _rgb(rgba: bytes) -> bytes:
    """The opaque pixels of *rgba* without their alpha."""
    rgb = bytearray(len(rgba) // 4 * 3)
    for channel in range(3):
        rgb[channel::3] = rgba[channel::4]
    return bytes(rgb)
