"""Values of ``conf.py``: what is taken, and what is said of the rest."""

from __future__ import annotations

from datetime import date

import pytest

from sphinx_writing.core.options import OURS, SPHINX, faults, line_of, shown, unknown


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("writing_as_of", None),
        ("writing_feeds", None),
        ("writing_sitemap", None),
        ("writing_as_of", date(2026, 3, 14)),
        ("writing_preview", True),
        ("writing_preview", 1),
        ("writing_paths", ""),
        ("writing_edit_url", "https://example.org/{path}"),
        ("writing_icons", []),
        ("writing_sidebar_limit", 1),
        ("writing_extra_fields", {"mood"}),
        ("writing_diagram_cache", "drawn/here/"),
        *(
            ("html_baseurl", value)
            for value in (None, "", "/", "/x/", "https://x.y", "http://[::1]:80/a", "http://a:8/b/")
        ),
        ("html_static_path", ("_static",)),
        ("myst_enable_extensions", {"dollarmath"}),
        ("html_theme_options", {}),
        ("a_name_that_nobody_checks", None),
    ],
)
def test_what_is_taken(name: str, value: object) -> None:
    assert list(faults({name: value})) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(
            (name, value)
            for name in OURS
            for value in (None, 3.5, object(), {3: 4})
            if not (name in ("writing_as_of", "writing_feeds", "writing_sitemap") and value is None)
        ),
        *((name, value) for name in SPHINX for value in (None, 3) if (name, value) != ("html_baseurl", None)),
        ("writing_preview", "no"),
        ("writing_preview", 2),
        ("writing_paths", "a\0b"),
        ("writing_icons", "_static/icon.png"),
        ("writing_sidebar_limit", True),
        ("writing_sidebar_limit", "30"),
        ("writing_sidebar_limit", 0),
        ("writing_extra_fields", "mood"),
        ("writing_extra_fields", [3]),
        ("writing_extra_fields", [" "]),
        ("writing_diagram_cache", ""),
        ("writing_diagram_cache", "/drawn"),
        ("writing_diagram_cache", "../drawn"),
        *(
            ("html_baseurl", v)
            for v in ("x.y/z", "https://[bad", "https://x.y/a?b", "https://x.y/#c", "https://", "a b")
        ),
        ("exclude_patterns", "_build"),
        ("html_theme_options", "light_logo"),
    ],
)
def test_what_is_refused_is_named_with_what_was_expected(name: str, value: object) -> None:
    expected = {**OURS, **SPHINX}[name].expected
    assert list(faults({name: value})) == [f"{name} = {value!r} in conf.py: expected {expected}"]


def test_a_long_value_is_cut() -> None:
    assert len(shown(["x" * 1000])) == 101


def test_a_name_that_is_none_of_ours() -> None:
    known = ["writing_search", "writing_paths", "html_theme"]
    assert list(unknown(["writing_search", "html_them", "_writing_serch"], known)) == []
    assert list(unknown(["writing_serch", "writing_x"], known)) == [
        ("writing_serch", '"writing_serch" is no value that is read; did you mean "writing_search"?'),
        ("writing_x", '"writing_x" is no value that is read; take it out, or begin it in another way'),
    ]


def test_the_line_of_a_name() -> None:
    text = "project = 1\n# writing_x\nwriting_xy = 2\n  writing_x = 3\n"
    assert line_of("writing_x", text) == 4
    assert line_of("writing_y", text) == 1
