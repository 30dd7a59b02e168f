"""Parts of a source file, found by name."""

from __future__ import annotations

import pytest

from sphinx_writing.core import regions
from sphinx_writing.core.regions import RegionError

PYTHON = '''"""Doc."""
X: int = 3

@decorated(
    1
)
def f():
    # region inner
    return 1
    # endregion

class C:
    class D:
        def m(self):
            return 2
    y = 4
'''
C = """int a;
// region sum
int s(int a) {
  /* #region deep */
  return a;
  /* #endregion */
}
// endregion
"""


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("X", "X: int = 3", (2, 2)),
        ("f", "@decorated(\n    1\n)\ndef f():\n    return 1", (4, 9)),
        ("C.D.m", "def m(self):\n    return 2", (14, 15)),
        ("C.y", "y = 4", (16, 16)),
        ("inner", "return 1", (9, 9)),
    ],
)
def test_a_definition_or_a_region_of_python(name: str, text: str, lines: tuple[int, int]) -> None:
    found = regions.find(PYTHON, name, python=True)
    assert (found.text, (found.first, found.last)) == (text, lines)


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [("sum", "int s(int a) {\n  return a;\n}", (3, 7)), ("deep", "return a;", (5, 5))],
)
def test_a_region_of_another_language(name: str, text: str, lines: tuple[int, int]) -> None:
    found = regions.find(C, name, python=False)
    assert (found.text, (found.first, found.last)) == (text, lines)


def test_lines_are_counted_as_python_counts_them() -> None:
    source = "s = 'a\u2028b'\n\x0c\ndef f():\n    return 1\n"
    found = regions.find(source, "f", python=True)
    assert (found.text, found.first, found.last) == ("def f():\n    return 1", 3, 4)


@pytest.mark.parametrize(
    ("source", "name", "python", "message"),
    [
        (PYTHON, "g", True, 'has no part "g"; '),
        (PYTHON, "C.D.n", True, 'did you mean "C.D.m"?'),
        (C, "summ", False, 'has no part "summ"; did you mean "sum"?'),
        ("def f(:", "f", True, "is no Python that can be read"),
        ("# region a\n", "a", False, 'has a region "a" on line 1 that never ends'),
        ("\n# endregion\n", "a", False, "has an endregion on line 2 that ends nothing"),
        ("\x00", "a", True, "is no Python that can be read"),
        ("", "a", True, "there is none yet"),
        ("# region of memory\nx = 1\n", "of", True, 'has no part "of"'),
        ("# region a\n# endregion\n", "a", True, 'has nothing in "a"'),
        ("# region a\n1\n# endregion\n# region a\n2\n# endregion\n", "a", True, 'has "a" more than once'),
        ("# region f\ndef f(): pass\n# endregion\n", "f", True, 'has "f" more than once'),
        ("x = " + "-" * 100_000 + "1", "x", True, "is no Python that can be read"),
        ("x = 1" + "+1" * 60_000, "x", True, "is no Python that can be read"),
    ],
)
def test_what_is_not_there_is_said(source: str, name: str, python: bool, message: str) -> None:
    with pytest.raises(RegionError) as caught:
        regions.find(source, name, python=python)
    assert message in str(caught.value)
