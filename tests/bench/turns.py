"""The order of all runs: flavour after flavour, then again, so that a machine that slows down slows all of them."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from . import corpus, flavours, output
from .figures import Figures, add, drop, growth, median
from .flavours import FLAVOURS, SPHINX, Flavour, command
from .measure import BuildFailed, Work, clean, cost


@dataclass
class Bench:
    """What is to be measured, and what has been."""

    work: Work
    sizes: dict[int, int]
    """The runs for each number of posts."""
    flavours: list[Flavour]
    figures: Figures = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    def chosen(self) -> list[Flavour]:
        """The flavours that can be measured."""
        return [flavour for flavour in self.flavours if flavour.name not in self.left_out]

    def has(self, name: str) -> bool:
        """Whether the flavour *name* is measured."""
        return name in {flavour.name for flavour in self.chosen()}

    def leave_out(self, name: str, reason: object) -> None:
        """Measure the flavour or the part *name* no more."""
        self.left_out[name] = str(reason)
        say(f"{name} is left out: {reason}")


def say(text: str) -> None:
    """Tell how far it is, apart from the result."""
    print(text, file=sys.stderr, flush=True)


def runs(bench: Bench) -> None:
    """The start-up, then every size."""
    start_up(bench)
    for posts in bench.sizes:
        all_runs(bench, posts)
    growths(bench)


def start_up(bench: Bench) -> None:
    """A project of one page for each flavour of Sphinx, in turn."""
    folder, out = bench.work.sources / "one-page", bench.work.out / "one-page"
    confs = {"ours": corpus.OURS_CONF, "mended": corpus.STOCK_CONF + corpus.MENDED}
    for _ in range(max(bench.sizes.values())):
        for name in filter(bench.has, confs):
            corpus.write_one_page(folder, confs[name])
            clean(out)
            add(bench.figures, f"{name}/1/cold", cost(bench.work, flavours.sphinx(folder, out)))
    say("start-up is measured")


def all_runs(bench: Bench, posts: int) -> None:
    """Every flavour at one size, as often as asked for."""
    forms = {flavour.form.name: flavour.form for flavour in bench.chosen()}
    sources = {name: flavours.write_source(bench.work, form, posts) for name, form in forms.items()}
    for run in range(bench.sizes[posts]):
        for flavour in bench.chosen():
            say(f"{posts} posts, run {run + 1}: {flavour.name}")
            try:
                one_turn(bench, flavour, posts, sources[flavour.form.name])
            except BuildFailed as failed:
                bench.leave_out(flavour.name, failed)
                drop(bench.figures, f"{flavour.name}/{posts}/")
            finally:
                sources[flavour.form.name].take_back()


def one_turn(bench: Bench, flavour: Flavour, posts: int, source: corpus.Source) -> None:
    """A cold build, one without a change, one after a body edit and one after a title edit."""
    out = bench.work.out / f"{flavour.form.name}-{posts}"
    place = f"{flavour.name}/{posts}"
    if posts <= (flavour.cold_up_to or posts):
        flavours.put_conf(flavour, source.folder)
        clean(out)
        phase(bench, flavour, f"{place}/cold", source, out)
        if f"{place}/output/files" not in bench.figures:
            add(bench.figures, f"{place}/output", output.sizes(out, flavour.form))
    else:
        prepare(bench, flavour, source, out)
    if phase(bench, flavour, f"{place}/no-op", source, out) and flavour.form is SPHINX:
        raise BuildFailed("a build without a change wrote post pages, so its figures mean nothing")
    source.edit_body()
    phase(bench, flavour, f"{place}/body", source, out)
    source.edit_title()
    phase(bench, flavour, f"{place}/title", source, out)


def phase(bench: Bench, flavour: Flavour, place: str, source: corpus.Source, out: Path) -> int:
    """Measure one build; how many post pages it wrote."""
    before = output.stamps(out, flavour.form)
    spent = cost(bench.work, command(bench.work, flavour, source.folder, out))
    after = output.stamps(out, flavour.form)
    written = sum(before.get(name) != stamp for name, stamp in after.items())
    add(bench.figures, place, spent | {"pages_written": written})
    return written


def prepare(bench: Bench, flavour: Flavour, source: corpus.Source, out: Path) -> None:
    """Bring *out* up to date with the sidebar mended, as stock takes half an hour, then put stock's conf.py back.

    No config value differs, so Sphinx has nothing to rebuild then; one_turn() checks that.
    """
    flavours.put_conf(FLAVOURS["mended"], source.folder)
    cost(bench.work, command(bench.work, flavour, source.folder, out))
    flavours.put_conf(flavour, source.folder)


def growths(bench: Bench) -> None:
    """How the cold build grows from the smallest to the largest size."""
    small, large = min(bench.sizes), max(bench.sizes)
    for name in ("ours", "mended"):
        costs = [median(bench.figures, f"{name}/{posts}/cold/cpu_s") for posts in (1, small, large)]
        start, one, other = (cost or 0.0 for cost in costs)
        grown = growth(one, other, start, large / small)
        if small != large and None not in costs and grown is not None:
            add(bench.figures, f"{name}/{large}/growth", {"tenfold": grown})
