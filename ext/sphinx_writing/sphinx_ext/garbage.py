"""Rarer garbage collection while a build runs, and none when the process ends.

Python looks for garbage after every 700 new objects, and each document makes ten thousand that live on: a
fifth of a build went into looking. Documents are still collected, some at a time; what the environment holds
is left out. At its end Python looks through all objects once more, which takes a second where there are a
thousand pages.

Sphinx keeps every document that it has read in memory until it is written. Here most are read back from disk.
"""

from __future__ import annotations

import atexit
import gc
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

RARELY = (50_000, 5, 5)
_before: list[tuple[int, int, int]] = []
"""The thresholds of the process, while a build has others."""
IN_MEMORY = 30
"""How many documents are kept; one takes about 300 KiB, and 3 ms to be read back."""


def end_without() -> None:
    """Look for no garbage when the process ends, unless something would call that a leak."""
    if not any(name in sys.modules for name in _COUNT_THEIRS):
        gc.freeze()


_COUNT_THEIRS = ("mermaidx",)
"""Packages that print a warning when objects of theirs are left at the end."""


def load_without(_app: Sphinx, _config: Config) -> None:
    """Look for no garbage while the environment is loaded, unless the process has thresholds of its own."""
    atexit.unregister(end_without)
    atexit.register(end_without)
    if not _before and gc.isenabled() and 0 < gc.get_threshold()[0] < RARELY[0]:
        _before.append(gc.get_threshold())
        gc.disable()


def collect_rarely(_app: Sphinx) -> None:
    """Set aside what is loaded, and raise the thresholds."""
    if _before:
        gc.freeze()
        gc.set_threshold(*RARELY)
        gc.enable()


def collect_as_before(_app: Sphinx, _exception: Exception | None) -> None:
    """Give the process its own thresholds back, and to later collections what was set aside."""
    while _before:
        gc.set_threshold(*_before.pop())
        gc.unfreeze()


def keep_few(env: BuildEnvironment) -> None:
    """Let go of the documents that were read first; Sphinx has no option for it."""
    kept: dict[str, object] = getattr(env, "_write_doc_doctree_cache", {})
    while len(kept) > IN_MEMORY:
        del kept[next(iter(kept))]
