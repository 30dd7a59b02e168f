"""The locks pin all that pyproject.toml asks for, and ``make help`` lists every target."""

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCKS = sorted(ROOT.glob(".locks/*.txt"))
PIN = re.compile(r"([a-z0-9-]+)==(\S+)((?: --hash=sha256:[0-9a-f]{64})+)")
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def group(name: str) -> Iterator[str]:
    """The requirements in a dependency group and in the groups it includes."""
    for entry in PROJECT["dependency-groups"][name]:
        if isinstance(entry, str):
            yield entry
        else:
            yield from group(entry["include-group"])


def direct() -> list[Requirement]:
    """All that pyproject.toml asks for by name."""
    project = PROJECT["project"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    lines = [*project["dependencies"], *extras, *group("dev"), *PROJECT["build-system"]["requires"]]
    return [Requirement(line) for line in lines]


def pins(lock: Path) -> dict[str, str]:
    """The version of each package in *lock*, where every line must be a name, a version and hashes."""
    lines = re.sub(r" \\\n\s*", " ", lock.read_text(encoding="utf-8")).splitlines()
    matches = [(line, PIN.fullmatch(line)) for line in lines]
    assert [line for line, match in matches if match is None] == []
    return {match[1]: match[2] for _, match in matches if match}


def test_there_is_a_lock_for_each_python_we_name() -> None:
    named = re.findall(r"Python :: 3\.(\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert [lock.stem for lock in LOCKS] == [f"py3{minor}" for minor in named]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_lock_satisfies_every_direct_dependency(lock: Path) -> None:
    pinned = pins(lock)
    wrong = [
        str(requirement)
        for requirement in direct()
        if not requirement.specifier.contains(pinned.get(canonicalize_name(requirement.name), "0"))
    ]
    assert wrong == []
    assert int(pinned["sphinx"].partition(".")[0]) < 10


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_lock_names_no_address_and_no_path(lock: Path) -> None:
    assert not re.search(r"//|file:|^[-#@]", lock.read_text(encoding="utf-8"), re.MULTILINE)


def test_locks_pin_the_same_packages() -> None:
    assert len({frozenset(pins(lock)) for lock in LOCKS}) == 1


def test_help_lists_every_target() -> None:
    make = shutil.which("make")
    assert make, "make is missing"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    command = [make, "--no-print-directory", "help"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    names = [re.fullmatch(r"make (\S+) +\S.*", line) for line in shown]
    listed = [match[1] for match in names if match]
    assert listed == re.findall(r"^([a-z-]+):.* ## ", makefile, re.MULTILINE)
    assert re.findall(r"^\.PHONY: (help .*)$", makefile, re.MULTILINE) == [" ".join(listed)]
