"""The mark of Silicon to Tokens, and every file it comes in: ``make mark`` writes them to ``_static/``.

A slab, the silicon; above it three squares, the tokens, the last an outline: the one that is being predicted.
All edges lie on a grid of 16 units, so it is sharp at 16 px and its multiples. A box on another of its colour
is a hole (``evenodd`` in SVG).
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

GRID = 16
SLAB = [(1, 7, 14, 8)]
TOKENS = [(1, 1, 4, 4), (6, 1, 4, 4), (11, 1, 4, 4), (12, 2, 2, 2)]
"""Left, top, width and height of each box, in units."""
INK, COPPER, PAPER = "#1b1d22", "#9c4410", "#fdfcf9"
INK_DARK, COPPER_DARK = "#dedcd6", "#e5a06c"


def svg(ink: str, copper: str, style: str = "") -> str:
    """The mark as SVG."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {GRID} {GRID}" width="32" height="32" '
        f'shape-rendering="crispEdges">{style}\n'
        f'<path class="s" fill="{ink}" d="{outline(SLAB)}"/>\n'
        f'<path class="t" fill="{copper}" fill-rule="evenodd" d="{outline(TOKENS)}"/>\n</svg>\n'
    )


def outline(boxes: list[tuple[int, int, int, int]]) -> str:
    """The path around each of *boxes*."""
    return "".join(f"M{x} {y}h{width}v{height}h-{width}z" for x, y, width, height in boxes)


def adaptive() -> str:
    """The mark as an icon, which is dark or light as the browser is."""
    dark = f".s{{fill:{INK_DARK}}}.t{{fill:{COPPER_DARK}}}"
    return svg(INK, COPPER, f"<style>@media (prefers-color-scheme:dark){{{dark}}}</style>")


def png(scale: int, margin: int = 0, ground: str = "") -> bytes:
    """The mark as PNG with *scale* pixels to a unit, and *margin* pixels of *ground* around it."""
    size = GRID * scale + 2 * margin
    lines = (
        b"\0" + b"".join(pixel((x - margin) // scale, (y - margin) // scale, ground) for x in range(size))
        for y in range(size)
    )
    header = struct.pack(
        ">2I5B", size, size, 8, 6, 0, 0, 0
    )  # eight bits each of red, green, blue and opacity
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(lines), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, data) for name, data in chunks)


def pixel(x: int, y: int, ground: str) -> bytes:
    """The colour of the unit at *x*, *y*; without a *ground* what is empty is transparent."""
    for boxes, colour in ((SLAB, INK), (TOKENS, COPPER)):
        if sum(left <= x < left + w and top <= y < top + h for left, top, w, h in boxes) % 2:
            return bytes.fromhex(colour[1:]) + b"\xff"
    return bytes.fromhex(ground[1:]) + b"\xff" if ground else bytes(4)


def chunk(name: bytes, data: bytes) -> bytes:
    """A chunk of a PNG file: its length, name and data, and their checksum."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def files() -> dict[str, bytes]:
    """Every file by name."""
    return {
        "mark.svg": svg(INK, COPPER).encode(),
        "mark-dark.svg": svg(INK_DARK, COPPER_DARK).encode(),
        "favicon.svg": adaptive().encode(),
        "favicon-32.png": png(2),
        "mark-96.png": png(6),
        "icon-180.png": png(10, margin=10, ground=PAPER),
    }


if __name__ == "__main__":
    folder = Path(__file__).parent / "_static"
    for name, content in files().items():
        (folder / name).write_bytes(content)
