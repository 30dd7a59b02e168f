"""Fail when a test was skipped that ``tests/hardware.toml`` does not list: ``skips.py REPORT.xml ...``."""

import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

LISTED = Path("tests/hardware.toml")


def skipped(report: Path) -> list[tuple[str, str]]:
    """The dotted name and the reason of each skipped test in a JUnit report; expected failures are none."""
    found = []
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - pytest has just written it
        skip = case.find("skipped")
        if skip is not None and skip.get("type") != "pytest.xfail":
            name = ".".join(filter(None, [case.get("classname"), case.get("name", "").partition("[")[0]]))
            found.append((name, skip.text or ""))
    return found


def main(reports: list[str]) -> int:
    """Print the list and what breaks it; 1 if anything does, also a report that was not written."""
    listed = tomllib.loads(LISTED.read_text(encoding="utf-8"))["skip"]
    allowed = {entry["test"].replace(".py::", ".").replace("::", ".").replace("/", ".") for entry in listed}
    print(f"{LISTED} lists {len(listed)} tests that may be skipped")
    for entry in listed:
        print(f"  {entry['test']}: {entry['needs']}")
    bad = [f"{report}: no report" for report in reports if not Path(report).exists()]
    for report in filter(Path.exists, map(Path, reports)):
        bad += [f"skipped: {name}: {reason}" for name, reason in skipped(report) if name not in allowed]
    print("\n".join(bad) or "no other test was skipped")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
