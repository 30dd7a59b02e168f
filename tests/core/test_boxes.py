import pytest

from sphinx_writing.core.boxes import (
    columns,
    is_numeric,
    is_path,
    label,
    may_scroll,
    table_may_scroll,
    unique,
)


@pytest.mark.parametrize(
    ("language", "lexer", "shown"),
    [
        ("python", "Python", "Python"),
        ("c", "C", "C"),
        ("console", "Bash Session", "Console"),
        ("shell-session", "Bash Session", "Shell session"),
        ("pycon", "Python console session", "Python session"),
        ("text", "Text only", ""),
        ("plain", "Text only", ""),
        ("none", "", ""),
        ("default", "", ""),
        ("", "", ""),
        ("no-such-language", "", ""),
        ("Bash", "Bash", "Shell"),
    ],
)
def test_the_language_is_named_as_its_readers_do(language: str, lexer: str, shown: str) -> None:
    assert label(language, lexer) == shown


@pytest.mark.parametrize(
    ("caption", "path"),
    [
        ("ext/labs/infra/nccl.py", True),
        ("conf.py", True),
        ("~/.config/app", True),
        ("What it does", False),
        ("Done.", False),
        ("Makefile", False),
        ("", False),
    ],
)
def test_a_caption_that_is_a_path_is_known(caption: str, path: bool) -> None:
    assert is_path(caption) is path


def test_only_code_that_fits_everywhere_never_scrolls() -> None:
    assert not may_scroll("x = 1\n" * 100)
    assert may_scroll("x = 1\n" + "y" * 33)
    assert may_scroll("\t\t\t\tx = 1")
    assert columns("设备") == 4


def test_a_table_may_scroll_where_its_words_cannot_be_broken() -> None:
    assert not table_may_scroll([["a", "many short words that can be broken"]])
    assert table_may_scroll([["word" * 3] * 3])
    assert not table_may_scroll([])


def test_names_are_told_apart() -> None:
    assert unique(["Table", "A", "Table", "Table (2)", "Table"]) == [
        "Table",
        "A",
        "Table (3)",
        "Table (2)",
        "Table (4)",
    ]


@pytest.mark.parametrize(
    ("cells", "numeric"),
    [
        (["1", "2,048", "−3.5", "1e9"], True),
        (["12 %", "–", ""], True),
        (["≈ 3", "2×"], True),
        (["10", "1\u202f024"], True),
        (["2.27.3"], False),
        (["2026-01-02"], False),
        (["12 GB/s"], False),
        (["1", "one"], False),
        (["", "–"], False),
        ([], False),
    ],
)
def test_columns_of_numbers_are_known(cells: list[str], numeric: bool) -> None:
    assert is_numeric(cells) is numeric
