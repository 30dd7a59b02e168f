"""The two styles of highlighted code, for light and dark panels: six roles, no bold, no italics.

Every colour has a contrast of at least 5.6 on its panel; what has no role is in the ink of the text.
"""

from __future__ import annotations

from pygments.style import Style
from pygments.token import (
    Comment,
    Error,
    Generic,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    String,
    Token,
    _TokenType,
)


def _styles(
    ink: str, comment: str, keyword: str, string: str, number: str, function: str, kind: str
) -> dict[_TokenType, str]:
    """The colour of each kind of token, by its role."""
    return {
        Token: ink,
        Error: ink,
        Comment: comment,
        Comment.Preproc: keyword,
        Keyword: keyword,
        Keyword.Constant: number,
        Keyword.Type: kind,
        Operator.Word: keyword,
        Literal: number,
        String: string,
        String.Escape: number,
        Number: number,
        Name.Attribute: function,
        Name.Builtin: function,
        Name.Class: kind,
        Name.Constant: number,
        Name.Decorator: kind,
        Name.Exception: kind,
        Name.Function: function,
        Name.Tag: keyword,
        Generic.Deleted: number,
        Generic.Inserted: string,
        Generic.Heading: function,
        Generic.Subheading: function,
        Generic.Output: comment,
        Generic.Prompt: comment,
    }


class Light(Style):
    """On a light panel."""

    background_color = "#f6f4ee"
    highlight_color = "#fff1c9"
    line_number_color = "#62666f"
    styles = _styles("#1b1d22", "#646056", "#6b2c8a", "#1f6340", "#9c3a10", "#1a4f8f", "#7a4b00")


class Dark(Style):
    """On a dark panel."""

    background_color = "#1e2024"
    highlight_color = "#322b14"
    line_number_color = "#969aa2"
    styles = _styles("#dedcd6", "#9a978d", "#cfa6ea", "#97d0a8", "#eaa67c", "#8fbcf0", "#e0c281")
