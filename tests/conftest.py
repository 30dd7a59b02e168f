"""What every test may use."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

import pytest

pytest_plugins = ("sphinx.testing.fixtures",)


@pytest.fixture(scope="session")
def need() -> Callable[..., str]:
    """``need(tool, package, *names)``: where *tool* is, also by other names.

    Without it the test is skipped, and fails in CI.
    """

    def find(tool: str, package: str, *names: str) -> str:
        path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
        found = next(filter(None, (shutil.which(name, path=path) for name in (tool, *names))), None)
        if found is None:
            (pytest.fail if "CI" in os.environ else pytest.skip)(f"needs {tool}: apt install {package}")
        return found

    return find
