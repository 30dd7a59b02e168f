"""Social cards: drawn, kept, exact, and right about what they cannot show."""

from __future__ import annotations

import builtins
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sphinx.errors import ConfigError

from sphinx_writing.core.social_card import MARGIN, Card
from sphinx_writing.sphinx_ext import card_painter
from sphinx_writing.sphinx_ext.card_painter import KEYS, PAPER, Painter

from .conftest import Built, Project
from .test_exactness import EDITS, Edit
from .test_metadata import png, tags

Make = Callable[[str], Project]
BASE = "https://example.org/a/b"
STATIC = Path(__file__).parents[2] / "docs" / "_static"
CSS = Path(card_painter.__file__).parents[1] / "static" / "writing.css"


def drawn(site: Project, builder: str = "html", **options: Any) -> Built:
    return site.build(builder, **{"html_baseurl": BASE, "writing_social_cards": True, **options})


@pytest.fixture(scope="module")
def painter() -> Painter:
    return Painter((STATIC / "mark-96.png").read_bytes())


def opened(tmp_path: Path, content: bytes) -> Image.Image:
    (tmp_path / "card.png").write_bytes(content)
    image = Image.open(tmp_path / "card.png")
    assert (image.size, image.mode) == ((1200, 630), "P")
    return image.convert("RGB")


@pytest.mark.parametrize(
    "title",
    [
        "Inodes",
        "Linking and loading: what happens between the compiler's last word and main's first instruction",
        "word " * 2000,
        "W" * 10_000,
        "FlashAttention → O(N²) ≤ α × β",
        '</script> & "quotes" {{ x }} $x_1$ `code` \u202e ]]>',
        "注意力 😀",
        "",
    ],
)
def test_every_title_makes_a_light_card(painter: Painter, tmp_path: Path, title: str) -> None:
    made = painter.draw(Card(title, "Infra, part 4 of 16", 2), "Tiny")
    assert len(made.png) < 40_000
    assert made == Painter((STATIC / "mark-96.png").read_bytes()).draw(
        Card(title, "Infra, part 4 of 16", 2), "Tiny"
    )
    image = opened(tmp_path, made.png)
    paper = tuple(bytes.fromhex(PAPER[1:]))
    edge = [image.getpixel((x, y)) for x in range(0, 1200, 7) for y in (0, MARGIN - 12, 629)]
    edge += [image.getpixel((x, y)) for x in (0, MARGIN - 12, 1200 - MARGIN + 12) for y in range(0, 630, 7)]
    assert {*edge} == {paper}, "nothing stands in the margins"
    assert image.getpixel((MARGIN + 2, MARGIN + 60)) == (0x1B, 0x1D, 0x22), "the mark is sharp"


def test_what_a_card_cannot_show(painter: Painter) -> None:
    assert painter.draw(Card("A 😀 B"), "Tiny")[1:] == ("😀", False)
    assert painter.draw(Card("注意力"), "Tiny")[1:] == ("注意力", True)
    assert painter.draw(Card("注意力"), "Tiny").png == painter.draw(Card("Tiny"), "").png
    assert painter.draw(Card("x ≤ y → z, Ωμέγα, naïve Žižek"), "Tiny").missing == ""


def test_kerning_is_used(painter: Painter) -> None:
    serif = painter.serif
    assert serif.length("To") < serif.length("T") + serif.length("o") - 0.05


def test_marks_of_any_size(tmp_path: Path) -> None:
    for name, size in (("large", (900, 300)), ("small", (16, 16)), ("wide", (4000, 40))):
        made = Painter(png(*size)).draw(Card("Title"), "")
        found = Painter(png(*size)).mark
        assert found is not None, name
        assert found.height <= 96, name
        assert found.width <= 1200 - 2 * MARGIN, name
        opened(tmp_path, made.png)


def test_the_keys_are_those_of_the_style_sheet() -> None:
    found = dict(
        re.findall(r"--writing-key-(\d+): (#\w{6});", CSS.read_text(encoding="utf-8").partition("@media")[0])
    )
    assert tuple(found[str(number)] for number in range(11)) == KEYS


def test_cards_stand_for_pages(project: Make) -> None:
    site = project("retitle-the-middle-part")
    (site.source / "infra/cover.png").write_bytes(png(40, 20))
    site.replace("infra/three.md", "date:", "image: cover.png\ndate:")
    built = drawn(site)
    assert built.warnings == []
    there = sorted(p.relative_to(built.out).as_posix() for p in built.out.rglob("_social*/**/*.png"))
    assert there == [f"_social/infra/{name}.png" for name in ("index", "one", "three", "two")]
    assert (built.out / "_social.png").is_file()
    found = tags(built.text("infra/two.html"))
    assert found["og:image"] == f"{BASE}/_social/infra/two.png"
    assert found["og:image:alt"] == "Infra, part 2 of 3: Two"
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
    assert tags(built.text("guide.html"))["og:image"] == f"{BASE}/_social.png"
    assert tags(built.text("infra/three.html"))["og:image:width"] == "40"
    assert tags(built.text("infra/index.html"))["og:image:alt"] == "Series, 3 parts: Infra"


def test_where_there_are_none(project: Make) -> None:
    site = project("one-draft")
    every: list[dict[str, Any]] = [{"writing_preview": True}, {"writing_social_cards": False}]
    for options in every:
        built = drawn(site, to="-".join(options), **options)
        assert not list(built.out.rglob("_social*"))
    assert not list(drawn(site, "epub").out.rglob("_social*"))
    built = drawn(site)
    assert not (built.out / "_social/infra/two.png").exists()
    assert built.files_with("zebra") == []


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_incremental_is_clean(project: Make, edit: Edit) -> None:
    site = project("retitle-the-middle-part")
    drawn(site)
    edit(site)
    incremental = drawn(site)
    assert incremental.tree() == drawn(site, to="clean").tree()
    kept = site.folder / "out/doctrees/writing/cards"
    assert len(list(kept.iterdir())) == len(list(incremental.out.rglob("_social*/**/*.png"))) + 1


def test_builders_and_jobs_share_and_agree(project: Make) -> None:
    site = project("nine-ten-eleven")
    one, two = drawn(site, to="one"), drawn(site, to="two", jobs=2)
    assert one.tree() == two.tree()
    html = {name: digest for name, digest in one.tree().items() if name.startswith("_social")}
    dirs = {
        name: digest for name, digest in drawn(site, "dirhtml").tree().items() if name.startswith("_social")
    }
    assert html == dirs


def test_what_is_harmed_comes_back(project: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    site = project("retitle-the-middle-part")
    built = drawn(site)
    tree = built.tree()
    card = built.out / "_social/infra/two.png"
    with monkeypatch.context() as patch:
        patch.setattr(Painter, "draw", None)  # what is kept is not drawn again
        card.write_bytes(b"")
        assert drawn(site).tree() == tree
        site.replace("conf.py", 'copyright = "2026"', 'copyright = "2027"')
        assert drawn(site).out.is_dir()
    for kept in (site.folder / "out/doctrees/writing/cards").iterdir():
        kept.write_bytes(kept.read_bytes()[:900])
    card.unlink()
    assert drawn(site).tree()["_social/infra/two.png"] == tree["_social/infra/two.png"]


def test_another_mark_makes_other_cards(project: Make) -> None:
    site = project("retitle-the-middle-part")
    (site.source / "mark.png").write_bytes(png(32, 32))
    first = drawn(site, writing_social_mark="mark.png").tree()
    (site.source / "mark.png").write_bytes(png(64, 32))
    second = drawn(site, writing_social_mark="mark.png").tree()
    assert {name for name in first if first[name] != second[name]} >= {"_social.png", "_social/infra/two.png"}
    assert second == drawn(site, to="clean", writing_social_mark="mark.png").tree()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"html_baseurl": ""}, "expected html_baseurl"),
        (
            {"writing_social_mark": "nowhere.png"},
            "writing_social_mark = 'nowhere.png' in conf.py: expected a PNG",
        ),
        ({"writing_social_mark": "index.md"}, "expected a PNG"),
        ({"writing_social_fonts": ["index.md"]}, "names 'index.md': expected a font file"),
    ],
)
def test_what_no_card_can_be_drawn_with(project: Make, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        drawn(project("retitle-the-middle-part"), **options)


def test_without_pillow_the_error_says_what_to_install(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "PIL":
            raise ImportError(name)
        return real(name, *args, **more)

    site = project("retitle-the-middle-part")
    monkeypatch.setattr(builtins, "__import__", without)
    assert site.build(html_baseurl=BASE).warnings == []
    with pytest.raises(ConfigError, match=r'needs Pillow: pip install "pillow>='):
        drawn(site)


def test_a_card_takes_milliseconds(painter: Painter) -> None:
    start = time.process_time()
    for number in range(20):
        painter.draw(
            Card(f"Bus bandwidth: algbw is your time, busbw a wire {number}", "Infra, part 3 of 16", 2), ""
        )
    assert (time.process_time() - start) / 20 < 0.15
