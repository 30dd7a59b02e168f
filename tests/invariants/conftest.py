"""The build servers, and the settings of hypothesis for sequences."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from .server import Server
from .steps import Step, text_of
from .workshop import Workshop


def drawn(many: int) -> settings:
    """Settings for *many* sequences, the same in every run."""
    return settings(
        max_examples=many,
        derandomize=True,
        phases=[Phase.generate],
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


Check = Callable[[Sequence[Step]], None]


@pytest.fixture(scope="session")
def servers() -> Iterator[list[Server]]:
    """Two build servers with other hashes, so that no order of a set gets into the output."""
    with Server(1) as one, Server(2) as two:
        yield [one, two]


@pytest.fixture(scope="session")
def formulas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where formulas that clean builds have set are kept."""
    return tmp_path_factory.mktemp("formulas")


@pytest.fixture(scope="session")
def check(servers: list[Server], formulas: Path) -> Check:
    """Take steps in a new folder; where they fail, the message has them in full."""

    def run(steps: Sequence[Step]) -> None:
        folder = Path(tempfile.mkdtemp(prefix="invariants-"))
        try:
            Workshop(folder, servers, formulas=formulas).run(steps)
        except AssertionError as error:
            error.add_note(f"The steps, for REPLAY:\n{text_of(steps)}")
            raise
        finally:
            shutil.rmtree(folder)

    return run
