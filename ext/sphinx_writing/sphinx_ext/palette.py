"""The two palettes of a drawing and what they are called in mermaid's configuration.

Serves the reading phase through `drawing.py`. Everything here is part of a drawing's digest: a changed colour
redraws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sphinx_writing.core.mermaid import FIXED

FONT = "sans-serif"
FONT_PX = 15


@dataclass(frozen=True)
class Palette:
    """Colours of one theme; ink is readable on each of the *fills*, which tell areas apart."""

    dark: bool
    paper: str
    panel: str
    ink: str
    muted: str
    line: str
    here: str
    fills: tuple[str, ...]


LIGHT = Palette(
    dark=False,
    paper="#fdfcf9",
    panel="#f6f4ee",
    ink="#1b1d22",
    muted="#474b54",
    line="#62666f",
    here="#9c4410",
    fills=("#e2dfd6", "#cfe0f5", "#fff1c9", "#f6f4ee"),
)
DARK = Palette(
    dark=True,
    paper="#16171a",
    panel="#1e2024",
    ink="#dedcd6",
    muted="#b4b6bb",
    line="#969aa2",
    here="#e5a06c",
    fills=("#303338", "#274567", "#322b14", "#1e2024"),
)


def settings(palette: Palette) -> dict[str, Any]:
    """Mermaid's configuration for *palette*: plain SVG text, fixed seeds, close spacing."""
    return {
        "theme": "base",
        "themeVariables": _variables(palette),
        "themeCSS": _css(palette),
        "fontFamily": FONT,
        "fontSize": FONT_PX,
        "securityLevel": "strict",
        "secure": sorted(FIXED),
        "deterministicIds": True,
        "deterministicIDSeed": "writing",
        "handDrawnSeed": 1,
        "htmlLabels": False,  # HTML labels sit in a foreignObject, which many readers of SVG do not show
        "flowchart": {
            "htmlLabels": False,
            "nodeSpacing": 36,
            "rankSpacing": 40,
            "padding": 12,
            "subGraphTitleMargin": {"top": 4, "bottom": 8},
        },
        "sequence": {
            "mirrorActors": False,
            "width": 120,
            "height": 40,
            "actorMargin": 36,
            "messageMargin": 30,
            "actorFontSize": FONT_PX,
            "messageFontSize": FONT_PX,
            "noteFontSize": FONT_PX,
        },
        "gantt": {
            "fontSize": 14,
            "sectionFontSize": 14,
            "barHeight": 26,
            "barGap": 6,
            "leftPadding": 110,
            "useWidth": 640,
        },
        "journey": {"textPlacement": "tspan"},
        "timeline": {"textPlacement": "tspan", "leftMargin": 40},
    }


def _variables(palette: Palette) -> dict[str, Any]:
    """Theme variables: every colour that mermaid would otherwise derive by turning the hue."""
    return {
        "fontFamily": FONT,
        "fontSize": f"{FONT_PX}px",
        "darkMode": palette.dark,
        "background": palette.paper,
        **_by_role(palette),
        **_numbered("pie", 1, 12, palette.fills),
        **_numbered("git", 0, 7, palette.fills),
        **_numbered("cScale", 0, 11, palette.fills),
        **_numbered("fillType", 0, 7, palette.fills),
        **_numbered("cScaleLabel", 0, 11, (palette.ink,)),
        **_numbered("cScaleInv", 0, 11, (palette.line,)),
        **_numbered("cScalePeer", 0, 11, (palette.line,)),
        **_numbered("gitBranchLabel", 0, 7, (palette.ink,)),
        **_numbered("gitInv", 0, 7, (palette.panel,)),
        **_numbered("venn", 1, 8, palette.fills),
        "clusterBkg": "transparent",
        "pieOpacity": "1",
        "radar": {"axisColor": palette.line, "graticuleColor": palette.line, "graticuleOpacity": 0.1},
        "xyChart": _chart(palette),
        "packet": _packet(palette),
    }


def _chart(palette: Palette) -> dict[str, str]:
    """Variables of an XY chart, which has its own set."""
    axes = {
        f"{axis}Axis{part}Color": colour
        for axis in "xy"
        for part, colour in {
            "Label": palette.ink,
            "Title": palette.ink,
            "Tick": palette.line,
            "Line": palette.line,
        }.items()
    }
    series = (palette.line, palette.here, palette.ink, palette.muted)
    return {
        "backgroundColor": "transparent",
        "titleColor": palette.ink,
        "dataLabelColor": palette.ink,
        "plotColorPalette": ",".join(series),
        **axes,
    }


def _packet(palette: Palette) -> dict[str, str]:
    """Variables of a packet diagram, which has its own set."""
    names = ("startByteColor", "endByteColor", "labelColor", "titleColor")
    return {
        **dict.fromkeys(names, palette.ink),
        "blockStrokeColor": palette.line,
        "blockFillColor": palette.panel,
        "byteFontSize": "13px",
        "labelFontSize": f"{FONT_PX}px",
    }


def _numbered(name: str, first: int, last: int, colours: tuple[str, ...]) -> dict[str, str]:
    """The variables *name*first to *name*last, with *colours* in turn."""
    return {f"{name}{n}": colours[(n - first) % len(colours)] for n in range(first, last + 1)}


def _by_role(palette: Palette) -> dict[str, str]:
    """Theme variables by the colour they take."""
    roles = {
        palette.ink: (
            "primaryTextColor secondaryTextColor tertiaryTextColor textColor titleColor noteTextColor "
            "signalTextColor actorTextColor loopTextColor labelTextColor labelBoxTextColor classText "
            "labelColor stateLabelColor taskTextColor taskTextDarkColor taskTextLightColor "
            "taskTextOutsideColor taskTextClickableColor sectionTextColor pieTitleTextColor "
            "pieSectionTextColor pieLegendTextColor commitLabelColor tagLabelColor quadrantPointTextFill "
            "quadrant1TextFill quadrant2TextFill quadrant3TextFill quadrant4TextFill quadrantTitleFill "
            "quadrantXAxisTextFill quadrantYAxisTextFill nodeTextColor errorTextColor "
            "requirementTextColor relationLabelColor scaleLabelColor altBackgroundText"
        ),
        palette.line: (
            "primaryBorderColor secondaryBorderColor tertiaryBorderColor lineColor nodeBorder "
            "noteBorderColor actorBorder actorLineColor labelBoxBorderColor activationBorderColor "
            "relationColor arrowheadColor defaultLinkColor transitionColor specialStateColor "
            "innerEndBackground border1 border2 pieStrokeColor pieOuterStrokeColor taskBorderColor "
            "activeTaskBorderColor doneTaskBorderColor quadrantPointFill quadrantInternalBorderStrokeFill "
            "quadrantExternalBorderStrokeFill requirementBorderColor clusterBorder tagLabelBorder"
        ),
        palette.muted: "signalColor",
        palette.panel: (
            "primaryColor tertiaryColor mainBkg actorBkg labelBoxBkgColor taskBkgColor "
            "labelBackgroundColor requirementBackground quadrant1Fill quadrant3Fill commitLabelBackground "
            "tagLabelBackground errorBkgColor rowOdd"
        ),
        palette.paper: (
            "edgeLabelBackground sequenceNumberColor compositeBackground compositeTitleBackground "
            "quadrant2Fill quadrant4Fill relationLabelBackground altBackground rowEven "
            "sectionBkgColor sectionBkgColor2 altSectionBkgColor"
        ),
        palette.fills[0]: "secondaryColor activationBkgColor doneTaskBkgColor gridColor excludeBkgColor",
        palette.fills[1]: "activeTaskBkgColor",
        palette.fills[2]: "noteBkgColor critBkgColor",
        palette.here: "critBorderColor todayLineColor",
    }
    return {name: colour for colour, names in roles.items() for name in names.split()}


def _css(palette: Palette) -> str:
    """Rules for what no variable reaches."""
    rules = (
        f".edgeLabel rect, .edgeLabel .background {{ opacity: 1; fill: {palette.paper}; }}",
        f".marker circle {{ fill: {palette.paper}; }}",
        ".actor-line { stroke-width: 1px; }",
        # Blocks around blocks and columns of a board would be half black, as their ground is "transparent".
        f".node .cluster, .sections rect {{ fill: {palette.panel} !important; }}",
        f".node .cluster, .sections rect {{ stroke: {palette.line} !important; }}",
        f".grid .tick line {{ stroke: {palette.fills[0]}; }}",  # else black: an attribute says currentColor
        ".grid .tick text { font-size: 12px; }",
        ".eventWrapper { filter: none !important; }",  # else events are brighter than the ink allows
        f".mindmap-node rect, .mindmap-node circle, .mindmap-node path, .mindmap-node polygon,"
        f" .commit, .commit-highlight-outer {{ stroke: {palette.line}; stroke-width: 1px; }}",
        f"[class*=section-edge-] {{ stroke: {palette.line} !important; }}",
        f".commit-highlight-inner {{ fill: {palette.here} !important; }}",
    )
    return " ".join(rules)
