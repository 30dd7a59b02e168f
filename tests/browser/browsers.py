"""The Chromium of the machine."""

from __future__ import annotations

import shutil
import sys

from playwright.sync_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
PACKAGE = "chromium"
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def launch(playwright: Playwright, path: str | None = None) -> Browser:
    """Start the browser at *path*, else the first that is found; without one the program ends."""
    path = path or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        sys.exit(f"needs {NAMES[0]}: apt install {PACKAGE}")
    return playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
