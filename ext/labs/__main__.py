"""``python -m labs [SERIES/SLUG ...]``: recompute ``lab.json`` and the plots of these labs, or of all."""

from __future__ import annotations

import sys
from pathlib import Path

from labs.kit import files

DOCS = Path(__file__).parents[2] / "docs"


def main(names: list[str]) -> int:
    """Write what each named lab computes into the folder of its note; 2 if a name is unknown."""
    known = files.names()
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"labs: no lab named {', '.join(unknown)}; known: {', '.join(known)}", file=sys.stderr)
        return 2
    for name in names or known:
        try:
            for path in files.write(name, DOCS / name):
                print(path.relative_to(DOCS.parent))
        except files.LabError as error:
            print(f"labs: {error}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
