"""The checks on every Python that has a lock: ``make setup``, then ``.venv/bin/python -m nox``.

An interpreter that is not installed is a skipped line here and an error in CI.
"""

import os
from pathlib import Path

import nox

PYTHONS = [f"3.{lock.stem.removeprefix('py3')}" for lock in sorted(Path(".locks").glob("py3*.txt"))]
MANY = {"SEQUENCES": "500", "KILLS": "100", "BOXES": "60", "SETTINGS": "4", "FEED_POSTS": "1000"}
NO_BROWSER = ["--ignore", "tests/browser"]  # what it sees is the same on each Python
SIDE_BY_SIDE = ["--numprocesses", "auto", "--dist", "loadgroup"]
COVERAGE = ["--cov", "--cov-branch", "--cov-fail-under=95"]

nox.options.sessions = ["check", "tests"]
nox.options.download_python = "never"
nox.options.error_on_missing_interpreters = "CI" in os.environ


def install(session: nox.Session) -> None:
    """Install the lock of the session's Python, then this project."""
    tag = session.run("python", "-c", "import sys; print('py%d%d' % sys.version_info[:2])", silent=True)
    lock = f".locks/{str(tag).strip()}.txt"
    session.install("--require-hashes", "--no-deps", "--requirement", lock)
    session.install("--no-deps", "--no-build-isolation", "--editable", ".")


@nox.session
def check(session: nox.Session) -> None:
    """Lint, formatting and types."""
    install(session)
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("mypy")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """All tests but those in the browser; arguments after ``--`` go to pytest."""
    install(session)
    session.run("pytest", *SIDE_BY_SIDE, *NO_BROWSER, *session.posargs)


@nox.session(python=PYTHONS)
def full(session: nox.Session) -> None:
    """What takes too long for each change: many edits and kills, the browser; all else on each Python."""
    install(session)
    first = session.python == PYTHONS[0]
    scratch = Path(session.create_tmp()).resolve()
    many = MANY if first else {}
    more = {
        "COVERAGE_FILE": f"{scratch}/coverage",
        **{name: os.environ.get(name, many[name]) for name in many},
    }
    session.run("pytest", *SIDE_BY_SIDE, *NO_BROWSER, *COVERAGE, *session.posargs, env=more)
    if first:
        session.run("python", "-m", "tests.browser.tools")
        session.run("pytest", *SIDE_BY_SIDE, "tests/browser", env=more)
    session.run("sphinx-build", "-nWE", "-b", "html", "-d", f"{scratch}/doctrees", "docs", f"{scratch}/html")
