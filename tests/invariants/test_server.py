"""A build in a forked child is one in a process of its own; and the harness does what it says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .corpus import Corpus
from .server import Server
from .steps import Harm, Kill, Step, read, text_of
from .workshop import Workshop, tree

RICH = Corpus().change("a.figure", 4).change("b.include", 5).change("c.folder", True).change("c.child", True)


@pytest.mark.parametrize("builder", ["html", "dirhtml", "latex", "epub", "text"])
def test_a_forked_build_is_a_real_one(tmp_path: Path, servers: list[Server], builder: str) -> None:
    shop = Workshop(tmp_path, servers, RICH)
    step = Step(builder=builder)
    for name in ("forked", "real"):
        (tmp_path / name).mkdir()
    shop.build(step, tmp_path / "forked")
    command = [sys.executable, "-m", "sphinx", *shop.arguments(step, tmp_path / "real", 1)]
    subprocess.run(command, env={**os.environ, **RICH.config.environment()}, check=True, capture_output=True)
    real = tree(tmp_path / "real" / step.out)
    assert tree(tmp_path / "forked" / step.out) == real
    assert len(real) > 5


def test_a_build_is_killed_at_every_kind_of_event(tmp_path: Path, servers: list[Server]) -> None:
    shop = Workshop(tmp_path, servers)
    step = Step()
    events = shop.build(step, tmp_path / "whole", counted=True).events
    assert events > 40
    for how in ("before", "empty", "half"):
        into = tmp_path / how
        result = shop.build(step, into, kill={"at": events // 2, "how": how})
        assert result.code == -9
        assert len(tree(into / step.out)) < len(tree(tmp_path / "whole" / step.out))


def test_steps_are_read_as_printed() -> None:
    steps = [
        Step((("a.tags", ("C#", "näh")), ("config.theme", "furo")), builder="epub", flag="-E"),
        Step(back=1, stamp="then", harm=(Harm("cut", "page", 3),), kill=(Kill(250, "half"),)),
    ]
    assert text_of(read(f"The steps:\n{text_of(steps)}\n")) == text_of(steps)
