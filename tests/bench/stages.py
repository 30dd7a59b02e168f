"""Where the time of one Sphinx build goes: ``python -m tests.bench.stages SOURCE OUT RESULT``.

A process of its own. Sphinx's functions are wrapped in timers; each moment counts for the innermost of them, so
the stages add up to the whole.
"""

from __future__ import annotations

import functools
import json
import pickle
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sphinx import application, builders, environment, highlighting
from sphinx.builders import html
from sphinx.events import EventListener
from sphinx.transforms.post_transforms import SphinxPostTransform

START, REST = "start", "rest"

STAGES: list[tuple[Any, str, str]] = [
    (application.Sphinx, "_init_env", "unpickle the environment"),
    (environment.BuildEnvironment, "get_outdated_files", "find outdated"),
    (html.StandaloneHTMLBuilder, "get_outdated_docs", "find outdated"),
    (builders.Builder, "read", "read"),
    (environment.BuildEnvironment, "get_and_resolve_doctree", "resolve"),
    (builders.Builder, "write", "write"),
    (html.StandaloneHTMLBuilder, "handle_page", "render pages"),
    (highlighting.PygmentsBridge, "highlight_block", "highlight"),
    (html.StandaloneHTMLBuilder, "load_indexer", "load the search index"),
    (html.StandaloneHTMLBuilder, "index_page", "feed the search index"),
    (html.StandaloneHTMLBuilder, "dump_search_index", "dump the search index"),
    (html.StandaloneHTMLBuilder, "finish", "finish"),
]
"""A class, its method and the stage that its time counts for; a method that Sphinx no longer has is passed over."""


class Clock:
    """CPU seconds by stage: those of the innermost stage that is running."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.running = [START]
        self.since = 0.0  # CPU time counts from the start of the process, so imports are in the first stage

    def turn(self) -> None:
        """Count the time since the last turn for the running stage."""
        now = time.process_time()
        self.seconds[self.running[-1]] += now - self.since
        self.since = now

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """*function*, whose time counts for *stage*."""

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            self.turn()
            self.running.append(stage)
            try:
                result = function(*args, **kwargs)
                return list(result) if isinstance(result, Iterator) else result
            finally:
                self.turn()
                self.running.pop()

        return call


def time_sphinx(clock: Clock) -> None:
    """Put timers around Sphinx's own functions."""
    for owner, name, stage in STAGES:
        if hasattr(owner, name):
            setattr(owner, name, clock.timed(stage, getattr(owner, name)))
    dump = clock.timed("pickle the environment", pickle.dump)
    vars(builders)["pickle"] = Pickle(dump)


class Pickle:
    """The module pickle for Sphinx's builders, with a timer around the environment alone."""

    def __init__(self, dump: Callable[..., Any]) -> None:
        self.timed = dump

    def __getattr__(self, name: str) -> Any:
        return getattr(pickle, name)

    def dump(self, what: object, *args: Any) -> None:
        """Write *what*."""
        (self.timed if isinstance(what, environment.BuildEnvironment) else pickle.dump)(what, *args)


def time_ours(clock: Clock, app: application.Sphinx) -> None:
    """Put timers around the sidebar and around all of ours that Sphinx calls."""
    furo = sys.modules.get("furo")
    if furo and hasattr(furo, "_compute_navigation_tree"):
        vars(furo)["_compute_navigation_tree"] = clock.timed("sidebar", furo._compute_navigation_tree)
    for event, listeners in app.events.listeners.items():
        app.events.listeners[event] = [
            EventListener(each.id, ours(clock, each.handler), each.priority) for each in listeners
        ]
    for transform in app.registry.post_transforms:
        if label(transform) and issubclass(transform, SphinxPostTransform):
            setattr(transform, "run", clock.timed(label(transform), transform.run))  # noqa: B010  # for mypy
    for handlers in app.registry.translation_handlers.values():
        for node, (visit, depart) in handlers.items():
            handlers[node] = (ours(clock, visit), depart)


def ours(clock: Clock, function: Callable[..., Any]) -> Callable[..., Any]:
    """*function* with a timer if it is one of ours."""
    return clock.timed(label(function), function) if label(function) else function


def label(thing: Any) -> str:
    """The stage of a function or class of ours, such as ``ours: site.make_views``; empty for others."""
    module = getattr(thing, "__module__", None) or ""
    name = getattr(thing, "__qualname__", type(thing).__name__)
    return f"ours: {module.rpartition('.')[2]}.{name}" if module.startswith("sphinx_writing") else ""


def build(source: str, out: str) -> dict[str, float]:
    """CPU seconds by stage of an HTML build of *source*."""
    clock = Clock()
    time_sphinx(clock)
    app = application.Sphinx(source, source, out, f"{out}.kept", "html", status=None)
    time_ours(clock, app)
    clock.turn()
    clock.running[0] = REST
    app.build()
    clock.turn()
    return dict(clock.seconds)


if __name__ == "__main__":
    Path(sys.argv[3]).write_text(json.dumps(build(sys.argv[1], sys.argv[2])), encoding="utf-8")
