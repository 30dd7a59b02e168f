"""HTML as feed readers can show it: whole without style sheets, scripts, ids or the page around it.

Readers keep a list of elements and attributes and drop the rest, each another one. What is dropped here was
made for the page; what a class says is said by an element instead, so that nothing depends on theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from html.parser import HTMLParser

_NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_EMPTY = re.compile(r"<(div|p|blockquote|strong)>\s*</\1>\s*")
_CELL = re.compile(r"(<t[dh]\b[^>]*>)\s*<p>((?:(?!</?p>|</t[dh]>).)*)</p>\s*(?=</t[dh]>)", re.DOTALL)
"""A cell with one paragraph, the space of which would be that of a whole line."""
_BLANK_LINES = re.compile(r"(<pre\b.*?</pre>)|\n(?:[ \t]*\n)+", re.DOTALL)

_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_DROPPED = {
    "annotation", "annotation-xml", "area", "base", "button", "col", "colgroup", "form", "head", "link",
    "map", "meta", "param", "script", "select", "source", "style", "template", "textarea", "title", "track",
}  # fmt: skip
"""Elements of which nothing is shown; the source of a formula would stand beside it in some readers."""
_DROPPED_CLASSES = {"headerlink", "linenos", "linenodiv", "sd-tab-hidden"}
_ELSEWHERE = {"audio", "canvas", "embed", "iframe", "object", "svg", "video"}
"""What no reader shows; a link leads to where it can be seen."""
_PLAIN = (
    "b", "bdi", "bdo", "blockquote", "br", "caption", "cite", "code", "dd", "del", "div", "dl", "dt", "em",
    "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "ins", "kbd", "mark", "p", "pre",
    "q", "rb", "rp", "rt", "ruby", "s", "samp", "small", "strong", "sub", "summary", "sup", "table", "tbody",
    "tfoot", "thead", "tr", "u", "ul", "var", "wbr",
)  # fmt: skip
_KEPT: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_PLAIN, ()),
    "a": ("href",),
    "abbr": ("title",),
    "details": ("open",),
    "dfn": ("title",),
    "img": ("src", "alt", "width", "height"),
    "li": ("value",),
    "ol": ("start", "type", "reversed"),
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan", "scope"),
    "time": ("datetime",),
}
"""Elements that stay, each with what it may say beside its language."""
_LANGUAGE = ("lang", "dir")
_ADDRESSES = {"href", "src"}
_OF_FORMULAS = {
    "accent", "accentunder", "columnalign", "columnlines", "columnspacing", "columnspan", "depth", "display",
    "displaystyle", "fence", "frame", "height", "largeop", "linethickness", "lspace", "mathbackground",
    "mathcolor", "mathsize", "mathvariant", "maxsize", "minsize", "movablelimits", "notation", "rowalign",
    "rowlines", "rowspacing", "rowspan", "rspace", "scriptlevel", "separator", "stretchy", "symmetric",
    "voffset", "width", "xmlns",
}  # fmt: skip
_MATHML = re.compile(r"m[a-z]+|none")
"""An element of MathML that says something; `semantics` holds only what is dropped otherwise."""
_TITLES = {
    "admonition-title", "code-block-caption", "rubric", "sd-card-title", "sd-tab-label", "sidebar-title",
    "topic-title",
}  # fmt: skip
"""Classes of what stands over something and is no heading."""
_NUMBER, _EQUATION = "caption-number", "eqno"
_ASIDE = {"writing-numeric": "right", "text-right": "right", "text-center": "center"}
"""Classes of cells, each with the side that they are set to."""
_SET_APART = {"admonition", "sidebar", "topic"}
_PIXELS = re.compile(r"(?:^|;)\s*(width|height)\s*:\s*(\d+)(?:\.\d+)?(?:px)?\s*(?=;|$)")

Attributes = list[tuple[str, str | None]]
TICKED, NOT_TICKED = "\N{BALLOT BOX WITH CHECK} ", "\N{BALLOT BOX} "


def readable(html: str, address: Callable[[str], str], elsewhere: str) -> str:
    """*html* as a feed may carry it, each element closed.

    *address* gives the whole address that a link means, or nothing where it is to be no link. What cannot be
    shown becomes a link to the page *elsewhere*.
    """
    reader = _Reader(address, elsewhere)
    reader.feed(html)
    reader.close()
    text = reader.finished()
    while (shorter := _EMPTY.sub("", text)) != text:
        text = shorter
    text = _CELL.sub(r"\1\2", text)
    return _BLANK_LINES.sub(lambda found: found[1] or "\n", text).strip()


def without_illegal(text: str) -> str:
    """*text* without the characters that no XML may hold; line ends are those of Unix."""
    return _NOT_IN_XML.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


class _Reader(HTMLParser):
    """Takes a page apart. Each open element is a name, what closes it, and whether it is dropped.

    The number of an equation, which stands before it, comes behind it.
    """

    def __init__(self, address: Callable[[str], str], elsewhere: str) -> None:
        super().__init__(convert_charrefs=True)
        self._address = address
        self._elsewhere = elsewhere
        self._made: list[str] = []
        self._open: list[tuple[str, str, bool]] = []
        self._dropping = 0
        self._numbers: list[tuple[int, int]] = []
        """Where a number of an equation begins: how many elements are open, how much has been made."""

    def finished(self) -> str:
        """What has been made, all elements closed."""
        while self._open:
            self._close()
        return "".join(self._made)

    def handle_data(self, data: str) -> None:
        if not self._dropping:
            self._made.append(escape(without_illegal(data), quote=False))

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        said = dict(reversed(attrs))  # of two with one name the first counts
        if tag == "span" and _EQUATION in (said.get("class") or "").split():
            self._numbers.append((len(self._open), len(self._made)))
        begin, end, dropped = self._shown(tag, said)
        if not self._dropping:
            self._made.append(begin)
        if tag not in _VOID:
            self._open.append((tag, end, dropped))
            self._dropping += dropped
        elif not self._dropping:
            self._made.append(end)

    def handle_endtag(self, tag: str) -> None:
        if any(name == tag for name, _end, _dropped in self._open):
            while self._close() != tag:
                pass

    def _close(self) -> str:
        tag, end, dropped = self._open.pop()
        self._dropping -= dropped
        if not self._dropping:
            self._made.append(end)
        if self._open and self._numbers and self._numbers[-1][0] == len(self._open):
            self._put_behind(self._numbers.pop()[1])
        return tag

    def _put_behind(self, begin: int) -> None:
        """Take what was made since *begin* to the end of the element that is open now."""
        number = "".join(self._made[begin:])
        del self._made[begin:]
        tag, end, dropped = self._open[-1]
        self._open[-1] = (tag, f" {number}{end}", dropped)

    def _shown(self, tag: str, said: Mapping[str, str | None]) -> tuple[str, str, bool]:
        """How an element begins and ends, and whether nothing of it is shown."""
        classes = {*(said.get("class") or "").split()}
        if tag in _ELSEWHERE and said.get("aria-hidden") != "true":
            target = self._address(said.get("src") or said.get("data") or "") or self._elsewhere
            return f'<a href="{escape(target)}">', "[shown on the page]</a>", True
        if tag == "input" and said.get("type") == "checkbox" and "hidden" not in said:
            return (TICKED if "checked" in said else NOT_TICKED), "", False
        if tag in _DROPPED or tag == "input" or _is_hidden(said) or classes & _DROPPED_CLASSES:
            return "", "", True
        if any(name == "math" for name, _end, _dropped in self._open) or tag == "math":
            return self._of_formula(tag, said)
        if _NUMBER in classes:
            return "<strong>", "</strong>", False
        if classes & _TITLES:
            return "<p><strong>", "</strong></p>", False
        if tag in ("div", "aside") and classes & _SET_APART:
            return "<blockquote>", "</blockquote>", False
        if tag == "div" and any(name.startswith("highlight") for name in classes):
            return "", "", False
        return self._kept("code" if tag == "tt" else tag, said)

    def _of_formula(self, tag: str, said: Mapping[str, str | None]) -> tuple[str, str, bool]:
        if not _MATHML.fullmatch(tag):
            return "", "", False
        kept = {name: value for name, value in said.items() if name in _OF_FORMULAS}
        return f"<{tag}{_written(kept)}>", f"</{tag}>", False

    def _kept(self, tag: str, said: Mapping[str, str | None]) -> tuple[str, str, bool]:
        """An element that stays if it is one of those that do; else what is in it."""
        if tag not in _KEPT:
            return "", "", False
        names = (*_KEPT[tag], *_LANGUAGE)
        kept = {name: value for name, value in said.items() if name in names}
        if tag == "table":
            kept["cellpadding"] = "4"  # without a border columns would run together
        if tag in ("td", "th"):
            sides = [side for name, side in _ASIDE.items() if name in (said.get("class") or "").split()]
            if sides:
                kept["align"] = sides[0]  # an old attribute, and the one that readers leave
        if tag == "img":
            kept = {**dict(_PIXELS.findall(said.get("style") or "")), **kept, "alt": said.get("alt") or ""}
        for name in _ADDRESSES & kept.keys():
            kept[name] = self._address(kept[name] or "")
        if (tag == "a" and not kept.get("href")) or said.get("role") == "doc-backlink":
            return "", "", False
        if tag == "img" and not kept.get("src"):
            return escape(kept["alt"] or "", quote=False), "", False
        return f"<{tag}{_written(kept)}>", "" if tag in _VOID else f"</{tag}>", False


def _is_hidden(said: Mapping[str, str | None]) -> bool:
    """Whether an element is hidden from all, or only there to be looked at."""
    return "hidden" in said or said.get("aria-hidden") == "true"


def _written(attributes: Mapping[str, str | None]) -> str:
    return "".join(f' {name}="{escape(without_illegal(text or ""))}"' for name, text in attributes.items())
