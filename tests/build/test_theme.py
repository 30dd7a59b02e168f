"""The theme "writing": what it makes of furo's pages, and what it needs of furo."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

import furo  # type: ignore[import-untyped]
import pytest
from sphinx.errors import ConfigError

from .conftest import Built, Project

Make = Callable[[str], Project]

LOOKED_AT = {
    "base.html": "c6b65a3fc4089f83",
    "page.html": "ad8bad98317b2e09",
    "static/scripts/furo.js": "0df6012bf9183882",
}
"""furo's files that the theme extends or replaces, by the digest of what was looked at."""


@pytest.mark.parametrize("name", LOOKED_AT)
def test_furo_is_as_it_was_looked_at(name: str) -> None:
    """Where this fails, see what has changed in furo's file and whether ours must follow."""
    path = Path(furo.__file__).parent / "theme" / "furo" / name
    assert hashlib.sha256(path.read_bytes()).hexdigest()[:16] == LOOKED_AT[name]


def pages(built: Built) -> dict[str, str]:
    """Every page of an output by name."""
    return {
        p.relative_to(built.out).as_posix(): p.read_text(encoding="utf-8") for p in built.out.rglob("*.html")
    }


def test_no_page_has_style_or_script_in_it(project: Make) -> None:
    found = pages(project("pitfalls").build(html_theme="writing"))
    assert len(found) > 10
    for name, text in found.items():
        assert "<style" not in text, name
        assert re.findall(r'<script(?![^>]* src=|[^>]* type="application/ld\+json")[^>]*>', text) == [], name
        assert re.findall(r"<[^>]* on\w+=", text) == [], name


def test_every_page_has_the_frame(project: Make) -> None:
    for name, text in pages(project("pitfalls").build(html_theme="writing")).items():
        for part in (
            'class="writing-bar"',
            'id="writing_sidebar"',
            '<article role="main"',
            "writing-theme.css",
        ):
            assert text.count(part) == 1, (name, part)


def test_code_has_our_colours_in_light_and_dark(project: Make) -> None:
    site = project("retitle-the-middle-part")
    sheet = site.build(html_theme="writing").text("_static/pygments.css")
    light, _, dark = sheet.partition("prefers-color-scheme: dark")
    assert "#6b2c8a" in light.lower()
    assert "#cfa6ea" in dark.lower()
    own = site.build(to="own", html_theme="writing", pygments_style="vs", pygments_dark_style="monokai")
    assert "#6b2c8a" not in own.text("_static/pygments.css").lower()


def test_the_fonts_come_with_the_theme_and_only_with_it(project: Make) -> None:
    site = project("retitle-the-middle-part")
    fonts = "_static/fonts/stix-two-text-latin-wght-normal.woff2"
    ours, furos = site.build(html_theme="writing"), site.build(to="furos", html_theme="furo")
    assert (ours.out / fonts).is_file()
    assert fonts in ours.text("infra/two.html")
    assert not (furos.out / "_static" / "fonts").exists()


ANSWER = ":::{admonition} Short answer\n:class: short-answer\n\nYes.\n:::\n\n"


@pytest.mark.parametrize(
    ("opening", "before"), [(f"Why?\n\n{ANSWER}Then.\n", "<p>Then."), ("At once.\n", "<p>At once.")]
)
def test_contents_are_folded_below_the_opening(project: Make, opening: str, before: str) -> None:
    site = project("retitle-the-middle-part")
    site.write(
        "infra/two.md",
        f"---\ndate: 2026-03-01\n---\n# Two\n\n{opening}\n## On `x` & y\n\n### Deep\n\n## Last\n",
    )
    text = site.build(html_theme="writing", myst_enable_extensions=["colon_fence"]).text("infra/two.html")
    folded, _, rest = text.partition('<details class="writing-contents">')[2].partition("</details>")
    links = re.findall(r'<a href="(#[^"]*)">(.*?)</a>', folded)
    assert links == [
        ("#on-x-y", "On <code>x</code> &amp; y"),
        ("#deep", "Deep"),
        ("#last", "Last"),
    ]
    assert rest.strip().startswith(before)


def test_a_short_page_and_other_themes_have_no_folded_contents(project: Make) -> None:
    site = project("retitle-the-middle-part")
    assert "writing-contents" not in site.build(html_theme="writing").text("infra/two.html")
    site.write("infra/two.md", "---\ndate: 2026-03-01\n---\n# Two\n\n## A\n\n## B\n")
    for theme in ("furo", "alabaster"):
        assert "writing-contents" not in site.build(to=theme, html_theme=theme).text("infra/two.html")


def test_a_heading_may_have_any_words(project: Make) -> None:
    site = project("retitle-the-middle-part")
    path = site.source / "infra/two.md"
    path.write_text(
        path.read_text(encoding="utf-8")
        + "\n## Writing sidebar\n\n## Furo main content\n\n## Writing cited by\n",
        encoding="utf-8",
    )
    text = site.build(html_theme="writing").text("infra/two.html")
    ids = re.findall(r'\sid="([^"]*)"', text)
    assert {"writing-sidebar", "furo-main-content"} <= set(ids)
    assert len(ids) == len(set(ids))
    for name in re.findall(
        r'(?:popovertarget="|aria-labelledby="|class="writing-skip" href="#)([^"]+)', text
    ):
        assert name in ids


@pytest.mark.parametrize(
    ("logo", "why"),
    [("marc.svg", 'did you mean "mark.svg"?'), (7, "known: mark.svg"), ("_static/mark.svg", "mark.svg")],
)
def test_a_logo_that_is_not_there_is_named(project: Make, logo: object, why: str) -> None:
    site = project("order-is-not-date-order")
    site.write("_static/mark.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>\n')
    site.replace("conf.py", "project", 'html_static_path = ["_static"]\nproject')
    options = {"light_logo": "mark.svg", "dark_logo": logo}
    with pytest.raises(ConfigError) as raised:
        site.build(html_theme="writing", html_theme_options=options)
    assert str(raised.value).startswith(f"html_theme_options in conf.py: dark_logo = {logo!r} names no file")
    assert why in str(raised.value)
    built = site.build(html_theme="writing", html_theme_options={**options, "dark_logo": "mark.svg"})
    assert built.warnings == []
