"""The fixtures see what they are there to see."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from .server import serving
from .watch import Watch

PAGES = {
    "an inline script": ("<script>1</script>", "policy: script-src-elem kInlineViolation"),
    "an inline style": ("<style>p { color: red }</style>", "policy: style-src-elem kInlineViolation"),
    "a handler": ('<body onload="1">', "policy: script-src-attr kInlineViolation"),
    "another host": (
        '<img src="http://localhost:9/x.png" alt="">',
        "asks another origin: http://localhost:9/",
    ),
    "an error": ('<script src="error.js"></script>', "script: nowhere"),
    "a message": ('<script src="message.js"></script>', "console: something is wrong"),
    "a missing file": ('<img src="missing.svg" alt="">', "404: "),
    "nothing wrong": ('<p style="color: red">An inline style attribute is allowed', ""),
}


@pytest.mark.parametrize("case", PAGES)
def test_a_fault_of_a_page_is_seen(case: str, tmp_path: Path, browser: Browser) -> None:
    text, expected = PAGES[case]
    (tmp_path / "index.html").write_text(f"<!doctype html><title>x</title>{text}")
    (tmp_path / "error.js").write_text("throw Error('nowhere')")
    (tmp_path / "message.js").write_text("console.error('something is wrong')")
    with serving(tmp_path) as site:
        page = browser.new_context().new_page()
        watch = Watch(page, site)
        page.goto(site)
        found = watch.close()
    assert all(fault.startswith(f"{site}: ") for fault in found)
    assert (f": {expected}" in "\n".join(found)) if expected else found == []


def test_nothing_is_served_beside_the_sub_path(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "index.html").write_text("<!doctype html><title>x</title>")
    (tmp_path / "404.html").write_text("<!doctype html><title>gone</title>")
    with serving(tmp_path) as site:
        page = browser.new_context().new_page()
        watch = Watch(page, site)
        statuses = [page.goto(site + name) for name in ("", "index.html", "missing.html", "../../index.html")]
        assert [answer.status for answer in statuses if answer] == [200, 200, 404, 404]
        assert page.title() == "gone"
        assert watch.close() == []
