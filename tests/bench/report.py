"""What was measured as tables for the terminal, and two results beside each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .figures import Figures, median
from .goals import LARGE, SMALL, Verdict

PHASES = ("cold", "no-op", "body", "title")
OUTPUT = {
    "output_mib": "MiB",
    "files": "files",
    "page_kib": "post page KiB",
    "sidebar_kib": "sidebar KiB",
    "sidebar_percent": "share %",
    "search_index_kib": "search index KiB",
}
WRITTEN = {"body": "pages after body edit", "title": "after title edit"}
SMALLEST_STAGE = 0.005
"""Stages below this share of every build are added up in one line."""

Table = list[list[str]]


def number(value: float | None) -> str:
    """A figure with three digits that matter; a dash where it was not measured."""
    if value is None:
        return "-"
    if value == int(value):
        return f"{value:,.0f}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def with_unit(value: float | None, unit: str) -> str:
    """A figure with four digits, as goals are set to the hundredth, and its unit."""
    return "-" if value is None else f"{value:.4g} {unit}".rstrip()


def lay_out(table: Table, text: tuple[int, ...] = (0,)) -> str:
    """Columns of equal width: those numbered in *text* to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = enumerate(zip(row, widths, strict=True))
        lines.append("  ".join(c.ljust(w) if i in text else c.rjust(w) for i, (c, w) in cells).rstrip())
    return "\n".join(lines)


def full(result: dict[str, Any]) -> str:
    """All tables of a result, the goals last."""
    figures: Figures = result["figures"]
    sizes, names = result["options"]["sizes"], result["options"]["flavours"]
    parts = [heading(result)]
    for posts in sizes:
        parts.append(f"{posts:,} posts: CPU s / wall s / peak MiB\n{lay_out(phases(figures, names, posts))}")
        parts.append(f"{posts:,} posts: output\n{lay_out(outputs(figures, names, posts))}")
    parts += by_stage(figures)
    parts.append(lay_out(single(figures)))
    return "\n\n".join(part for part in parts if part)


def heading(result: dict[str, Any]) -> str:
    """What was measured, where, and what is left out."""
    machine, commit = result["machine"], result["commit"]
    changed = " with changes that are not committed" if commit["changed"] else ""
    lines = [
        f"Commit {commit['id'][:10]}{changed}; Python {machine['python']}",
        f"{machine['cpus']} x {machine['cpu']}; load {machine['load_at_start']:.1f} at the start",
        *(f"left out: {name}: {reason}" for name, reason in result["left_out"].items()),
    ]
    return "\n".join(lines)


def phases(figures: Figures, names: list[str], posts: int) -> Table:
    """A line for each flavour with what each of its builds cost."""
    rows = [["", *PHASES]]
    for name in names:
        cells = [costs(figures, f"{name}/{posts}/{phase}") for phase in PHASES]
        if any(cell != "-" for cell in cells):
            rows.append([name, *cells])
    return rows


def costs(figures: Figures, place: str) -> str:
    """CPU, wall and memory of one kind of build."""
    found = [median(figures, f"{place}/{figure}") for figure in ("cpu_s", "wall_s", "peak_mib")]
    return "-" if None in found else " / ".join(map(number, found))


def outputs(figures: Figures, names: list[str], posts: int) -> Table:
    """A line for each flavour with the size of its site, and how many post pages an edit has it write."""
    rows = [["", *OUTPUT.values(), *WRITTEN.values()]]
    for name in names:
        found = [median(figures, f"{name}/{posts}/output/{figure}") for figure in OUTPUT]
        found += [median(figures, f"{name}/{posts}/{phase}/pages_written") for phase in WRITTEN]
        if any(value is not None for value in found):
            rows.append([name, *map(number, found)])
    return rows


def by_stage(figures: Figures) -> Iterator[str]:
    """For each size, a table of CPU seconds by stage."""
    for posts in sorted({int(name.split("/")[1]) for name in figures if "/stages/" in name}):
        found = {name: stages_of(figures, f"{name}/{posts}/stages/") for name in ("ours", "mended")}
        found = {name: stages for name, stages in found.items() if stages}
        if found:
            yield f"{posts:,} posts: CPU s of a cold build by stage\n{lay_out(stage_table(found))}"


def stages_of(figures: Figures, place: str) -> dict[str, float]:
    """The seconds of each stage at *place*."""
    return {
        name.removeprefix(place): values[-1] for name, values in figures.items() if name.startswith(place)
    }


def stage_table(found: dict[str, dict[str, float]]) -> Table:
    """A line for each stage that matters, the dearest first; the small ones added up, then the whole."""
    totals = {name: sum(stages.values()) for name, stages in found.items()}
    every = sorted({stage for stages in found.values() for stage in stages})
    large = [s for s in every if any(v.get(s, 0) > SMALLEST_STAGE * totals[n] for n, v in found.items())]
    large.sort(key=lambda stage: -max(stages.get(stage, 0) for stages in found.values()))
    rows = [["", *found]]
    rows += [[stage, *(number(stages.get(stage)) for stages in found.values())] for stage in large]
    small = (totals[n] - sum(v.get(stage, 0) for stage in large) for n, v in found.items())
    own = (sum(s for stage, s in v.items() if stage.startswith("ours: ")) for v in found.values())
    sums = {"smaller ones": small, "all": totals.values(), "of these, ours": own}
    return [*rows, *([title, *map(number, values)] for title, values in sums.items())]


def single(figures: Figures) -> Table:
    """What is measured once or worked out: start-up, diagrams, growth, page weight, files that differ."""
    kinds = {
        "/1/cold/cpu_s": "start-up, CPU s",
        "/pictures/cpu_s": "cold build that draws every diagram, CPU s",
        "/growth/tenfold": "growth for ten times the posts",
        "/weight/page_ratio": "page of the same post, large site to small",
        "/exact/body_files": "files that differ from a clean build after a body edit",
        "/exact/title_files": "files that differ from a clean build after a title edit",
    }
    rows = [
        [f"{name.partition('/')[0]}: {text}", number(median(figures, name))]
        for ending, text in kinds.items()
        for name in figures
        if name.endswith(ending)
    ]
    return rows or [["nothing was measured once"]]


def goals(verdicts: list[Verdict], small: int, large: int) -> str:
    """The goals with what was measured beside them."""
    rows = [["goal", "against", "measured", "at most", "later", "verdict"]]
    for verdict in verdicts:
        goal = verdict.goal
        values = [with_unit(value, goal.unit) for value in (verdict.value, goal.at_most)]
        rows.append([goal.title, goal.against, *values, with_unit(goal.later, goal.unit), verdict.words()])
    text = f"Goals\n{lay_out(rows, (0, 1, 5))}"
    if (small, large) != (SMALL, LARGE):
        text += f"\nThe goals are for {LARGE:,} posts against {SMALL}; this is {large:,} against {small:,}."
    return text


def compared(old: dict[str, Any], new: dict[str, Any]) -> str:
    """Each figure that both results have, with the ratio of the new to the old."""
    lines = [f"{result['commit']['id'][:10]}  {result['made']}" for result in (old, new)]
    lines += differences(old, new)
    rows = [["figure", "old", "new", "new / old"]]
    for name in sorted(set(old["figures"]) & set(new["figures"])):
        before, after = median(old["figures"], name), median(new["figures"], name)
        if before is not None and after is not None:
            rows.append([name, number(before), number(after), f"{after / before:.3f}" if before else "-"])
    missing = len(set(old["figures"]) ^ set(new["figures"]))
    return "\n".join(
        [*lines, "", lay_out(rows), *([f"{missing} figures are in only one"] if missing else [])]
    )


def differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """What else than the commit is not the same, so that a ratio may come from it."""
    pairs = {key: (old["machine"][key], new["machine"][key]) for key in ("cpu", "cpus", "python")}
    for name in sorted(set(old["versions"]) | set(new["versions"])):
        pairs[name] = (old["versions"].get(name, "none"), new["versions"].get(name, "none"))
    return [f"not the same {name}: {one}, {other}" for name, (one, other) in pairs.items() if one != other]
