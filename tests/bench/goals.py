"""The goals of this project for its speed and size, and whether what was measured meets them."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from .figures import Figures, median, ratio

SMALL, LARGE = 100, 1000
"""The numbers of posts that the goals are for."""


@dataclass(frozen=True)
class Goal:
    """A figure of ours that must be at most so much, by itself or as a ratio to another flavour's."""

    title: str
    place: str
    """The figure without the flavour; ``*`` stands for the largest number of posts."""
    at_most: float
    later: float | None = None
    against: str = ""
    unit: str = ""


GOALS = (
    Goal("cold build", "*/cold/cpu_s", 1.15, 0.9, against="mended"),
    Goal("cold build", "*/cold/cpu_s", 0.6, 0.5, against="material"),
    Goal("cold build", "*/cold/cpu_s", 1.6, 1.0, against="hugo"),
    Goal("growth for ten times the posts", "*/growth/tenfold", 10.5, unit="x"),
    Goal("no-op build", "*/no-op/cpu_s", 0.25, against="stock"),
    Goal("body edit", "*/body/cpu_s", 0.25, against="stock"),
    Goal("page of the same post, large site to small", "*/weight/page_ratio", 1.02, unit="x"),
    Goal("sidebar's share of a post page", "*/output/sidebar_percent", 5, unit="%"),
    Goal("total output", "*/output/output_mib", 1.3, against="mended"),
    Goal("peak memory", "*/cold/peak_mib", 400, unit="MiB"),
    Goal("files that differ after a body edit", "24/exact/body_files", 0),
    Goal("files that differ after a title edit", "24/exact/title_files", 0),
)


@dataclass(frozen=True)
class Verdict:
    """A goal and what was measured for it, if anything."""

    goal: Goal
    value: float | None

    def plain(self) -> dict[str, str | float | None]:
        """The goal, the value and whether it is met, as they are kept."""
        return asdict(self.goal) | {"value": self.value, "verdict": self.words()}

    def words(self) -> str:
        """Whether the goal is met, and the later one."""
        if self.value is None:
            return "not measured"
        if self.value > self.goal.at_most:
            return "not met"
        if self.goal.later is None:
            return "met"
        return "met" if self.value > self.goal.later else "met, the later one too"


def judge(figures: Figures, posts: int) -> list[Verdict]:
    """Every goal with what *figures* say at *posts* posts."""
    return [Verdict(goal, value_of(goal, figures, posts)) for goal in GOALS]


def value_of(goal: Goal, figures: Figures, posts: int) -> float | None:
    """The figure that *goal* is about, or its ratio."""
    place = goal.place.replace("*", str(posts))
    if goal.against:
        return ratio(figures, f"ours/{place}", f"{goal.against}/{place}")
    return median(figures, f"ours/{place}")
