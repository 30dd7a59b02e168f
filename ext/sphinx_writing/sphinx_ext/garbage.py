"""Rarer garbage collection while a build runs, and none when the process ends.

Python looks for garbage after every 700 new objects, and each document makes ten thousand that live on: a
fifth of a build went into looking. Documents are still collected, some at a time.

At its end Python looks through all objects once more, which takes a second where there are a thousand pages.

Sphinx keeps every document that it has read in memory until it is written. Here most are read back from disk.
"""

from __future__ import annotations

import atexit
import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

RARELY = (50_000, 5, 5)
_before: list[tuple[int, int, int]] = []
"""The thresholds of the process, while a build has others."""


IN_MEMORY = 30
"""How many documents are kept; one takes about 300 KiB, and 3 ms to be read back."""


def keep_few(env: BuildEnvironment) -> None:
    """Let go of the documents that were read first; Sphinx has no option for it."""
    kept: dict[str, object] = getattr(env, "_write_doc_doctree_cache", {})
    while len(kept) > IN_MEMORY:
        del kept[next(iter(kept))]


def collect_rarely() -> None:
    """Raise the thresholds, unless the process has chosen higher ones; look at nothing when it ends."""
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)
    if not _before and 0 < gc.get_threshold()[0] < RARELY[0]:
        _before.append(gc.get_threshold())
        gc.set_threshold(*RARELY)


def collect_as_before(_app: Sphinx, _exception: Exception | None) -> None:
    """Give the process its own thresholds back."""
    while _before:
        gc.set_threshold(*_before.pop())
