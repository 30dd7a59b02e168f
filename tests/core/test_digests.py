"""Digests: equal for equal values, whatever they share, and other ones for other values."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from sphinx_writing.core.digests import Digests


@dataclass(frozen=True)
class Leaf:
    """A part."""

    text: str
    number: int = 0


@dataclass(frozen=True)
class Branch:
    """What has parts."""

    leaves: tuple[Leaf, ...]
    first: Leaf | None = None
    names: tuple[str, ...] = ()


leaves = st.builds(Leaf, st.text(max_size=3), st.integers(0, 2))
branches = st.builds(
    Branch,
    st.lists(leaves, max_size=3).map(tuple),
    st.none() | leaves,
    st.lists(st.text(max_size=2)).map(tuple),
)


@given(branches, branches)
def test_two_values_have_one_digest_only_if_they_are_equal(one: Branch, two: Branch) -> None:
    digests = Digests()
    assert (digests.of(one) == digests.of(two)) is (one == two)
    assert Digests().of(one) == digests.of(one)


def test_what_is_shared_and_what_is_copied_have_one_digest() -> None:
    leaf = Leaf("a")
    assert Digests().of(Branch((leaf, leaf), leaf)) == Digests().of(Branch((Leaf("a"), leaf), replace(leaf)))


def test_values_of_two_kinds_with_the_same_fields_differ() -> None:
    @dataclass(frozen=True)
    class Other:
        text: str
        number: int = 0

    assert Digests().of(Leaf("a")) != Digests().of(Other("a"))


def test_a_digest_does_not_outlive_what_it_was_made_from() -> None:
    digests = Digests()
    assert len({digests.of(Leaf(str(i))) for i in range(1000)}) == 1000
