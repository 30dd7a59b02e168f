"""Plots of a lab: drawn once for each palette, with the same bytes every time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.typing import RcKeyType

PX = 1 / 96
"""Inches in one CSS pixel."""


@dataclass(frozen=True)
class Palette:
    """The colours of one rendering. Lines take ``lines`` in order and differ by dash or marker first."""

    ink: str
    muted: str
    rule: str
    lines: tuple[str, str, str, str]


LIGHT = Palette("#1b1d22", "#62666f", "#e2dfd6", ("#1a4f8f", "#9c4410", "#1b1d22", "#8a8d94"))
DARK = Palette("#dedcd6", "#969aa2", "#303338", ("#8fbcf0", "#e5a06c", "#dedcd6", "#747983"))

RENDERINGS = {"{stem}.svg": LIGHT, "{stem}-dark.svg": DARK, "{stem}.pdf": LIGHT}

Draw = Callable[["Axes", Palette], None]
"""Draws one plot on empty axes. Labels lines directly; needs no legend, title or colour of its own."""


def render(draw: Draw, stem: str, folder: Path, size_px: tuple[int, int] = (560, 340)) -> list[Path]:
    """Write *draw* to *folder* as SVG (light and dark) and PDF (print); return the paths."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    paths = []
    for pattern, palette in RENDERINGS.items():
        path = folder / pattern.format(stem=stem)
        with plt.rc_context(style(palette, stem)):
            fig, ax = plt.subplots(figsize=(size_px[0] * PX, size_px[1] * PX), layout="constrained")
            draw(ax, palette)
            date = "CreationDate" if path.suffix == ".pdf" else "Date"
            drawn = BytesIO()
            fig.savefig(drawn, format=path.suffix[1:], transparent=True, metadata={date: None})
            plt.close(fig)
        half = path.with_name(f".{path.name}.tmp")  # a build beside us must not copy half a picture
        half.write_bytes(drawn.getvalue())
        half.replace(path)
        paths.append(path)
    return paths


def style(palette: Palette, salt: str) -> dict[RcKeyType, Any]:
    """The matplotlib settings of one rendering: no frame, hairline grid, text as paths, fixed ids."""
    return {
        "svg.hashsalt": salt,
        "svg.fonttype": "path",
        "font.family": "DejaVu Sans",
        "font.size": 11.25,  # 15 px where 560 px wide, and 10 px on a phone
        "text.color": palette.ink,
        "axes.labelcolor": palette.ink,
        "axes.edgecolor": palette.muted,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": palette.rule,
        "grid.linewidth": 0.8,
        "xtick.color": palette.muted,
        "ytick.color": palette.muted,
        "xtick.labelcolor": palette.ink,
        "ytick.labelcolor": palette.ink,
        "lines.linewidth": 1.8,
        "lines.markersize": 5,
    }
