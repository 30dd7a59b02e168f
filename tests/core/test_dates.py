"""H4: kinds of date, one order, full stamps for machines."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core import dates
from sphinx_writing.core.dates import Stamp

ZONES = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda m: timezone(timedelta(minutes=m)))
INSTANTS = st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=ZONES).map(
    lambda instant: instant.replace(microsecond=0)
)


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2026-03-01", "2026-03-01T00:00:00+00:00"),
        ("2026-03-01 09:30:00", "2026-03-01T09:30:00+00:00"),
        ("2026-03-01T09:30:00+09:00", "2026-03-01T09:30:00+09:00"),
        (" 2026-03-01 ", "2026-03-01T00:00:00+00:00"),
        ("2026-03-01 09:30", "2026-03-01T09:30:00+00:00"),
        ("2026-03-01t09:30:15.25z", "2026-03-01T09:30:15+00:00"),
        ("2026-03-01  09:30 +09", "2026-03-01T09:30:00+09:00"),
        ("2026-03-01T09:30-0330", "2026-03-01T09:30:00-03:30"),
        ("2024-02-29", "2024-02-29T00:00:00+00:00"),
    ],
)
def test_every_accepted_form_has_a_full_zoned_stamp(written: str, iso: str) -> None:
    assert dates.parse(written).iso == iso


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("2026-13-01", "month"),
        ("2026-02-29", "day"),
        ("2026-02-30T10:00:00Z", "day"),
        ("0000-01-01", "year"),
        ("2026-03-01T24:00", "hour"),
        ("2026-03-01T09:60", "minute"),
        ("2026-03-01T09:30:60", "second"),
        ("2026-03-01T09:30+24:00", "24"),
        ("2026-03-01T09:30+09:75", "minute of the zone"),
        ("20260301", "expected a day such as 2026-03-01"),
        ("2026-3-1", "expected a day"),
        ("32 May 2024", "expected a day"),
        ("yes", "expected a day"),
        ("", "expected a day"),
        ("2026-03-01T", "expected a day"),
        ("2026-03-01 +09:00", "expected a day"),
        ("２０２６-03-01", "expected a day"),
        ("2026-03-01\n2026-03-02", "expected a day"),
    ],
)
def test_what_is_no_date_is_refused_with_the_reason(written: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason.replace("+", r"\+")):
        dates.parse(written)


@pytest.mark.parametrize("written", ["0001-01-01T00:00+01:00", "9999-12-31T23:59-01:00"])
def test_an_instant_that_no_utc_clock_can_show_is_refused(written: str) -> None:
    with pytest.raises(OverflowError):
        dates.parse(written)


@pytest.mark.parametrize(
    ("written", "day_only"), [("2026-03-01", True), ("2026-03-01 00:00", False), ("2026-03-01T00:00Z", False)]
)
def test_only_a_bare_day_has_no_time(written: str, day_only: bool) -> None:
    assert dates.parse(written).day_only is day_only


def test_readers_see_the_day_the_author_meant_and_no_time() -> None:
    stamp = dates.parse("2026-03-01T00:30:00+09:00")
    assert stamp.instant.astimezone(UTC).date() == date(2026, 2, 28)
    assert stamp.day == date(2026, 3, 1)
    assert stamp.shown == "1 March 2026"


@pytest.mark.parametrize(("month", "name"), [(1, "January"), (6, "June"), (12, "December")])
def test_months_are_named_in_english_whatever_the_locale(month: int, name: str) -> None:
    assert dates.parse(f"2026-{month:02}-09").shown == f"9 {name} 2026"


def test_a_day_counts_as_its_first_moment_in_utc() -> None:
    written = [
        "2026-03-01T09:00:00+09:30",
        "2026-03-01",
        "2026-03-01T09:30:00+09:00",
        "2026-03-01 00:31",
        "2026-03-01T00:00-01:00",
    ]
    assert [s.iso for s in sorted(map(dates.parse, reversed(written)))] == [
        dates.parse(text).iso for text in written
    ]


@given(INSTANTS)
def test_an_instant_comes_back_from_its_stamp(instant: datetime) -> None:
    stamp = dates.parse(instant.isoformat())
    assert (stamp.instant, stamp.instant.utcoffset()) == (instant, instant.utcoffset())
    assert datetime.fromisoformat(stamp.iso) == instant
    assert stamp.iso == dates.parse(stamp.iso).iso
    assert not stamp.day_only


@given(st.dates())
def test_a_day_comes_back_from_its_stamp(day: date) -> None:
    assert dates.parse(day.isoformat()).day == day


@given(INSTANTS, INSTANTS)
def test_stamps_are_ordered_as_their_instants(a: datetime, b: datetime) -> None:
    first, second = dates.parse(a.isoformat()), dates.parse(b.isoformat())
    assert (first < second) is (a < b)


@given(st.text() | st.from_regex(dates._FORM, fullmatch=True))
def test_parsing_gives_a_stamp_or_says_what_is_wrong(text: str) -> None:
    try:
        stamp = dates.parse(text)
    except (ValueError, OverflowError) as error:
        assert str(error)
    else:
        assert isinstance(stamp, Stamp)
        assert stamp.instant.utcoffset() is not None
