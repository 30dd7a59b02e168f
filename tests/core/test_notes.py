from sphinx_writing.core.notes import numbers, placed


def test_a_note_goes_with_the_first_block_that_refers_to_it() -> None:
    notes: dict[str, list[str]] = {"a": [], "b": []}
    assert placed([("b", 1), ("a", 2), ("b", 3)], notes) == {"b": 1, "a": 2}


def test_a_note_that_only_a_note_refers_to_comes_right_after_it() -> None:
    notes = {"a": ["c", "d"], "b": [], "c": ["a"], "d": []}
    assert list(placed([("a", 1), ("b", 2)], notes).items()) == [("a", 1), ("c", 1), ("d", 1), ("b", 2)]


def test_what_nothing_leads_to_is_left_out() -> None:
    assert placed([("unknown", 1)], {"a": ["b"], "b": ["a"]}) == {}


def test_numbers_rise_and_are_those_that_were_there() -> None:
    labels = {"a": "7", "b": "10", "c": "3", "star": "*"}
    assert numbers(["b", "star", "a", "c"], labels) == {"b": "3", "star": "*", "a": "7", "c": "10"}
