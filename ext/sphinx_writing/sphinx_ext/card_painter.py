"""Draws social cards with Pillow, in the faces of the theme.

Glyphs are placed one by one, four times as large, and then reduced: Pillow's own layout knows no kerning but
with a library that only some machines have, so that they would not agree. It is kept beside the faces.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sphinx_writing.core import social_card
from sphinx_writing.core.social_card import HEIGHT, MARGIN, WIDTH, Card, Title

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

VENDORED = Path(__file__).parents[1] / "vendor"
FACES = VENDORED / "fonts" / "static" / "fonts"
KATEX = VENDORED / "katex" / "static" / "katex" / "fonts"
KERNING = VENDORED / "fonts" / "kerning.json"
SERIF = (
    "stix-two-text-latin-wght-normal",
    "stix-two-text-latin-ext-wght-normal",
    "stix-two-text-greek-wght-normal",
)
SANS = (
    "source-sans-3-latin-wght-normal",
    "source-sans-3-latin-ext-wght-normal",
    "source-sans-3-greek-wght-normal",
)
PAPER, INK, INK_2 = "#fdfcf9", "#1b1d22", "#474b54"
KEYS = (
    "#404a5a", "#854c30", "#1b8bc6", "#508358", "#5846b0", "#a76b9b", "#870b38", "#006f67", "#8a8f2c",
    "#7e5898", "#9f6308",
)  # fmt: skip
"""The squares of the series, as the style sheet has them."""
LINE_SIZE, KEY_SIZE, MARK_SIZE = 34, 20, 96
SCALE = 4
EM = 1000
"""The size at which glyphs are measured."""
SHADES = 24
"""Steps from paper to ink; with those of the mark no card has more than 128 colours."""
MARK_COLOURS = 48
NOWHERE = "\U0010ffff"
"""A character that no face has: what is drawn for it stands for all that are missing."""


Kerning = dict[str, dict[str, float]]
"""By one character and the next, how much farther that stands, in ems."""


class Drawn(NamedTuple):
    """A card as drawn: the file, the characters that it lacks, whether it shows another title for that."""

    png: bytes
    missing: str
    instead: bool


class Face:
    """One face in one weight."""

    def __init__(self, path: Path, weight: int, kerning: Kerning | None = None) -> None:
        self.path, self.weight = path, weight
        self.kerning: Kerning = kerning or {}
        self._sizes: dict[int, FreeTypeFont] = {}
        self._advances: dict[str, float] = {}

    def at(self, size: int) -> FreeTypeFont:
        """The face in *size*."""
        from PIL import ImageFont

        if size not in self._sizes:
            font = ImageFont.truetype(str(self.path), size, layout_engine=ImageFont.Layout.BASIC)
            with suppress(OSError):  # it has one weight
                font.set_variation_by_axes([self.weight])
            self._sizes[size] = font
        return self._sizes[size]

    def has(self, char: str) -> bool:
        """Whether it has a glyph for *char*."""
        return char == " " or self._shape(char) != self._nothing

    def advance(self, char: str) -> float:
        """How far *char* goes, in ems."""
        if char not in self._advances:
            self._advances[char] = self.at(EM).getlength(char) / EM
        return self._advances[char]

    def _shape(self, char: str) -> tuple[float, bytes]:
        return self.at(48).getlength(char), bytes(self.at(48).getmask(char))

    @cached_property
    def _nothing(self) -> tuple[float, bytes]:
        return self._shape(NOWHERE)


class Text:
    """Faces for a text, each for what those before it have not."""

    def __init__(self, faces: Iterable[Face]) -> None:
        self.faces = tuple(faces)
        self._of: dict[str, Face | None] = {}

    def face(self, char: str) -> Face | None:
        """The first face that has *char*."""
        if char not in self._of:
            self._of[char] = next((face for face in self.faces if face.has(char)), None)
        return self._of[char]

    def has(self, char: str) -> bool:
        """Whether some face has *char*."""
        return self.face(char) is not None

    def places(self, text: str) -> list[tuple[float, str, Face]]:
        """Where each character of *text* stands, in ems, with its face; at the end, where the text ends."""
        x, before, found = 0.0, "", []
        for char in text:
            face = self.face(char) or self.faces[0]
            x += face.kerning.get(before, {}).get(char, 0.0)
            found.append((x, char, face))
            x, before = x + face.advance(char), char
        return [*found, (x, "", self.faces[0])]

    def length(self, text: str) -> float:
        """How long *text* is, in ems."""
        return self.places(text)[-1][0]

    def mask(self, text: str, size: int) -> Image:
        """*text* as a mask whose left edge is its own, and whose base line is two *size*s from the top."""
        from PIL import Image, ImageDraw

        width = int(self.length(text) * size) + 2 * size
        large = Image.new("L", (width * SCALE, 3 * size * SCALE))
        draw = ImageDraw.Draw(large)
        for x, char, face in self.places(text)[:-1]:
            place = (round((x + 1) * size * SCALE), 2 * size * SCALE)
            draw.text(place, char, 255, face.at(size * SCALE), anchor="ls")
        return large.reduce(SCALE)


class Painter:
    """Draws cards with one mark, and *more* faces for what the theme's have not."""

    def __init__(self, mark: bytes = b"", more: Sequence[Path] = ()) -> None:
        kerning = _kerning()

        def text(names: Iterable[str], weight: int, signs: str) -> Text:
            files = [*(FACES / f"{name}.woff2" for name in names), KATEX / f"{signs}.woff2", *more]
            return Text(Face(file, weight, kerning.get(file.name)) for file in files)

        self.serif = text(SERIF, 600, "KaTeX_Main-Bold")
        self.sans = text(SANS, 400, "KaTeX_Main-Regular")
        self._mark = mark

    @cached_property
    def mark(self) -> Image | None:
        """The mark on paper, without what is empty around it."""
        from PIL import Image

        if not self._mark:
            return None
        found = Image.open(io.BytesIO(self._mark)).convert("RGBA")
        found = found.crop(found.getchannel("A").getbbox())
        (width, height), room = found.size, (WIDTH - 2 * MARGIN, MARK_SIZE)
        if times := min(room[0] // width, room[1] // height):
            found = found.resize((width * times, height * times), Image.Resampling.NEAREST)
        else:
            found.thumbnail(room, Image.Resampling.LANCZOS)
        paper = Image.new("RGBA", found.size, PAPER)
        paper.alpha_composite(found)
        return (
            paper.convert("RGB")
            .quantize(MARK_COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
            .convert("RGB")
        )

    def draw(self, card: Card, instead: str) -> Drawn:
        """The picture of *card*; where faces lack letters of its title *instead* stands there."""
        title = social_card.drawable(card.title, self.serif.has)
        line = social_card.drawable(card.line, self.sans.has)
        other = bool(title.letters or not title.text)
        shown = social_card.drawable(instead, self.serif.has).text if other else title.text
        card = Card(shown, "" if line.letters else line.text, card.key)
        image = self._painted(card, social_card.set_title(shown, self.serif.length))
        content = io.BytesIO()
        image.save(
            content, "PNG", compress_level=6
        )  # at 9 it takes ten times as long for a tenth of the size
        missing = dict.fromkeys("".join((*title[1:], *line[1:])))
        return Drawn(content.getvalue(), "".join(missing), other)

    def _painted(self, card: Card, title: Title) -> Image:
        from PIL import Image

        image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
        last = HEIGHT - MARGIN - 12
        first = round(last - (len(title.lines) - 1) * title.leading)
        for number, text in enumerate(title.lines):
            self._print(
                image, self.serif, text, title.size, (MARGIN, round(first + number * title.leading)), INK
            )
        if card.line:
            left, base = MARGIN, first - round(title.size * 0.7) - 44
            if card.key >= 0:
                box = (left, base - KEY_SIZE - 1, left + KEY_SIZE, base - 1)
                image.paste(KEYS[card.key % len(KEYS)], box)
                left += KEY_SIZE + 14
            self._print(image, self.sans, card.line, LINE_SIZE, (left, base), INK_2)
        if self.mark is not None:
            image.paste(self.mark, (MARGIN, MARGIN))
        return image.quantize(palette=self._palette(card), dither=Image.Dither.NONE)

    def _print(
        self, image: Image, text: Text, words: str, size: int, place: tuple[int, int], colour: str
    ) -> None:
        mask = text.mask(words, size)
        image.paste(colour, (place[0] - size, place[1] - 2 * size), mask)

    def _palette(self, card: Card) -> Image:
        """A picture with the colours that a card may have: those of the mark, and shades of both inks."""
        from PIL import Image

        colours = [*_shades(PAPER, INK, SHADES), *_shades(PAPER, INK_2, SHADES)]
        if card.line and card.key >= 0:
            colours.append(_rgb(KEYS[card.key % len(KEYS)]))
        if self.mark is not None:
            colours += sorted(
                colour for _, colour in self.mark.getcolors(1 << 16) or () if isinstance(colour, tuple)
            )
        flat = [value for colour in dict.fromkeys(colours) for value in colour]
        found = Image.new("P", (1, 1))
        found.putpalette(flat)
        return found


def edition() -> str:
    """What stands for the way in which cards are drawn: our own, the faces, Pillow's and its libraries'."""
    import PIL
    from PIL import features

    files = (Path(__file__), Path(social_card.__file__), VENDORED / "fonts" / "SHA256SUMS")
    parts = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    return " ".join(
        (*parts, PIL.__version__, str(features.version("freetype2")), str(features.version("zlib")))
    )


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


def _shades(light: str, dark: str, steps: int) -> list[tuple[int, ...]]:
    """The colours from *light* to *dark*."""
    pairs = list(zip(_rgb(light), _rgb(dark), strict=True))
    return [tuple(round(a + (b - a) * i / (steps - 1)) for a, b in pairs) for i in range(steps)]


def _kerning() -> dict[str, Kerning]:
    """That of each face that it is known of, by the name of its file."""
    read = json.loads(KERNING.read_text(encoding="utf-8"))
    return {
        name: {
            first: {char: int(value) / 1000 for value, chars in groups.items() for char in chars}
            for first, groups in pairs.items()
        }
        for name, pairs in read.items()
    }
