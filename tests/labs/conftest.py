"""The real tools that labs are held against."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

import pytest


@pytest.fixture(scope="session")
def need() -> Callable[[str, str], str]:
    """``need(tool, package)``: where *tool* is. Without it the test is skipped, and fails in CI."""

    def find(tool: str, package: str) -> str:
        found = shutil.which(tool, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
        if found is None:
            (pytest.fail if "CI" in os.environ else pytest.skip)(f"needs {tool}: apt install {package}")
        return found

    return find
