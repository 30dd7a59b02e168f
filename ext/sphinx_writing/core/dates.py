"""Dates of posts: a day, or an instant with its zone.

One rule orders them all: a day counts as its first moment in UTC, and a time without a zone is in UTC.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

EXPECTED = "a day such as 2026-03-01 or an instant such as 2026-03-01T09:30:00+09:00"

_FORM = re.compile(
    r"(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})"
    r"(?:[Tt ]+(?P<H>\d{2}):(?P<M>\d{2})(?::(?P<S>\d{2})(?:\.\d+)?)?"
    r" ?(?P<zone>[Zz]|[+-]\d{2}(?::?\d{2})?)?)?",
    re.ASCII,
)


@dataclass(frozen=True, order=True)
class Stamp:
    """A moment: the first one of a day in UTC where only a day was given.

    *instant* is aware and keeps the zone it was written in, so ``day`` is the day the author meant.
    """

    instant: datetime
    day_only: bool = False

    @property
    def day(self) -> date:
        """The calendar day as written."""
        return self.instant.date()

    @property
    def iso(self) -> str:
        """The full, zoned, machine-readable form."""
        return self.instant.isoformat()

    @property
    def shown(self) -> str:
        """The day for readers, as in ``1 March 2026``."""
        return f"{self.day.day} {MONTHS[self.day.month - 1]} {self.day.year}"


MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def parse(text: str) -> Stamp:
    """The stamp written as *text*; :exc:`ValueError` says what is wrong with it."""
    match = _FORM.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"expected {EXPECTED}")
    part = {name: int(value) for name, value in match.groupdict().items() if value and name != "zone"}
    instant = datetime(
        part["y"], part["m"], part["d"], part.get("H", 0), part.get("M", 0), part.get("S", 0),
        tzinfo=_zone(match["zone"]),
    )  # fmt: skip
    instant.astimezone(UTC)  # overflows for the first and last day that a datetime can hold
    return Stamp(instant, day_only="H" not in part)


def _zone(text: str | None) -> tzinfo:
    if text is None or text in "Zz":
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    hours, minutes = int(digits[:2]), int(digits[2:])
    if minutes > 59:
        raise ValueError("minute of the zone must be in 0..59")
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(-offset if text[0] == "-" else offset)
