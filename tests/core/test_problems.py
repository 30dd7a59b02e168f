"""The table of problems, and the hint at the end of a message."""

from __future__ import annotations

import re

import pytest

from sphinx_writing.core.problems import Kind, Place, hint, nearest


@pytest.mark.parametrize("kind", list(Kind), ids=lambda k: k.subtype)
def test_every_kind_has_a_subtype_and_one_sentence(kind: Kind) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", kind.subtype)
    assert re.fullmatch(r"[A-Z][^\n]+\.", kind.meaning)


def test_no_two_kinds_share_a_subtype_or_a_meaning() -> None:
    assert len({k.subtype for k in Kind}) == len({k.meaning for k in Kind}) == len(Kind)


@pytest.mark.parametrize(
    ("word", "expected"),
    [("colectives", "collectives"), ("COLLECTIVE", "collectives"), ("nccl", "NCCL"), ("zebra", None)],
)
def test_nearest_is_the_known_word_that_was_meant(word: str, expected: str | None) -> None:
    assert nearest(word, ["collectives", "NCCL", "rdma"]) == expected


def test_nearest_can_be_stricter() -> None:
    assert nearest("taggy", ["tags"], cutoff=0.5) == "tags"
    assert nearest("taggy", ["tags"], cutoff=0.9) is None


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        (["tags", "title"], 'did you mean "tags"?'),
        (["zeta", "alpha", "alpha"], "known: alpha, zeta"),
        ([], "there is none yet"),
    ],
)
def test_a_hint_names_the_nearest_or_all_there_are(known: list[str], expected: str) -> None:
    assert hint("tagz", known) == expected


def test_places_are_ordered_by_line_then_column() -> None:
    places = [Place(2, 1), Place(1, 9), Place(), Place(2)]
    assert sorted(places) == [Place(0, 0), Place(1, 9), Place(2, 0), Place(2, 1)]
