"""``make shots``: pictures of ten pages in four settings, and one sheet that shows them side by side."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from .browsers import launch
from .pages import page_of_kind
from .server import serving

SHOWN = ("home", "writing", "note", "short note", "series", "tag", "lab", "about", "guide", "search")
SETTINGS = ((390, False), (390, True), (1280, False), (1280, True))
SEARCHED = "?q=all-reduce"
TALLEST = 16000
"""Pixels: what is below in a long note is left out, as browsers draw no higher pictures."""

SHEET = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Shots</title>
<style>
body {{ font: 15px/1.4 sans-serif; margin: 2rem }} a {{ color: inherit }}
div {{ display: flex; gap: 1rem; align-items: start; flex-wrap: wrap }}
figure {{ margin: 0 }} img {{ height: 24rem; width: auto; max-width: 40rem; object-fit: cover; object-position: top; border: 1px solid #999 }}
</style>
<h1>Shots</h1>
{rows}
</html>
"""


def shoot(built: Path, out: Path, browser: Browser, site: str) -> Iterator[tuple[str, list[str]]]:
    """Each kind of page that is there, with the names of its pictures."""
    for kind in SHOWN:
        address = page_of_kind(built, kind)
        if address is None:
            print(f"{kind}: the site has no such page yet")
            continue
        names = []
        for width, dark in SETTINGS:
            names.append(f"{kind.replace(' ', '-')}-{width}-{'dark' if dark else 'light'}.png")
            page = browser.new_page(
                viewport={"width": width, "height": 844 if width < 600 else 900},
                color_scheme="dark" if dark else "light",
                reduced_motion="reduce",
            )
            page.goto(site + address + (SEARCHED if kind == "search" else ""), wait_until="networkidle")
            page.evaluate("document.querySelectorAll('img').forEach(img => img.loading = 'eager')")
            page.evaluate("Promise.allSettled([...document.images].map(img => img.decode())).then(() => 0)")
            height = min(page.evaluate("document.documentElement.scrollHeight"), TALLEST)
            clip = {"x": 0, "y": 0, "width": width, "height": height}
            page.screenshot(path=out / names[-1], full_page=True, clip=clip)  # type: ignore[arg-type]
            page.close()
        yield kind, names


def sheet(shots: list[tuple[str, list[str]]]) -> str:
    """A page that shows all pictures, a row for each kind of page."""
    rows = []
    for kind, names in shots:
        figures = "".join(
            f'<figure><a href="{name}"><img src="{name}" alt="{kind}, {name}"></a><figcaption>{name}</figcaption></figure>'
            for name in map(escape, names)
        )
        rows.append(f"<h2>{escape(kind)}</h2>\n<div>{figures}</div>")
    return SHEET.format(rows="\n".join(rows))


def main(built: Path, out: Path) -> None:
    """Write the pictures of the site in *built*, and the sheet, into *out*."""
    out.mkdir(parents=True, exist_ok=True)
    with serving(built) as site, sync_playwright() as playwright, launch(playwright) as browser:
        shots = list(shoot(built, out, browser, site))
    (out / "index.html").write_text(sheet(shots), encoding="utf-8")
    print(f"{sum(len(names) for _, names in shots)} pictures: {out / 'index.html'}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
