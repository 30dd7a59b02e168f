"""Recompute ``lab.json``, ``lab.txt`` and the plots of the named labs, or of all.

With ``--measure``, measure on this machine and write ``measured.json``; nothing else does.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path

from labs.kit import files

DOCS = Path(__file__).parents[2] / "docs"


def main(arguments: list[str]) -> int:
    """Write what each named lab computes or measures into the folder of its note; 2 if one cannot be run."""
    parser = argparse.ArgumentParser(prog="labs", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="SERIES/SLUG")
    parser.add_argument("--measure", action="store_true", help="measure on this machine instead of computing")
    options, known = parser.parse_args(arguments), files.names()
    for name in options.names:
        if name not in known:
            near = difflib.get_close_matches(name.replace("_", "-"), known, n=1, cutoff=0.4)
            hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"
            print(f"labs: no lab named {name}; {hint}", file=sys.stderr)
            return 2
    if options.measure and not options.names:
        print("labs: say which labs to measure; all at once would disturb each other", file=sys.stderr)
        return 2
    try:
        for name in options.names or known:
            written = (
                [files.measure(name, DOCS / name)] if options.measure else files.write(name, DOCS / name)
            )
            for path in written:
                print(path.relative_to(DOCS.parent))
    except files.LabError as error:
        print(f"labs: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
