"""Addresses that pages had before, as authors write them, and the files that stand there now.

A static host answers ``/old/note/`` and ``/old/note`` with the index of a folder, ``/old/note.html`` with a
file. What no host, or no file system that a site may be built on, would answer is refused.
"""

from __future__ import annotations

import re
import unicodedata

EXPECTED = "an address within the site such as /old/path/ or old/path.html"
INDEX = "index.html"
LONGEST_NAME = 255
"""Bytes of one name that file systems take."""
LONGEST = 800
"""Bytes of a whole path: enough is left for the folder that the site lies in."""
_OUTSIDE = re.compile(r"[a-z][a-z\d+.-]*:|//", re.IGNORECASE)
_ESCAPED = re.compile(r"(?:%[\da-f]{2})+", re.IGNORECASE)
_PAGE = re.compile(r"[^/]\.html?$", re.IGNORECASE)
_REFUSED = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"|?*#%\\\u202a-\u202e\u2066-\u2069\ufffd]')
"""What ends a path in an address, or is in no file name on some system."""
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)", re.IGNORECASE)


def file_of(written: str) -> str:
    """The file, relative to the site's folder, that answers the address *written*.

    :exc:`ValueError` says what is wrong with one that no file answers.
    """
    if _OUTSIDE.match(written):
        raise ValueError(f"expected {EXPECTED}, without the site in it")
    path = _ESCAPED.sub(_decoded, written).removeprefix("/")
    if bad := _REFUSED.search(path):
        named = f"the character {ord(bad[0]):#06x}" if not bad[0].isprintable() else f'"{bad[0]}"'
        raise ValueError(f"expected {EXPECTED}, found {named}; take it out")
    file = path if _PAGE.search(path) else f"{path.removesuffix('/')}/{INDEX}".removeprefix("/")
    names = file.split("/")
    for number, name in enumerate(names):
        if fault := _fault(name, first=number == 0):
            raise ValueError(f"expected {EXPECTED}; {fault}")
    if len(file.encode(errors="replace")) > LONGEST:
        raise ValueError(f"expected at most {LONGEST} bytes; shorten it")
    return file


def _decoded(escaped: re.Match[str]) -> str:
    """The characters that percent signs stand for; a mark that is refused where they stand for none."""
    return bytes.fromhex(escaped[0].replace("%", "")).decode(errors="replace")


def _fault(name: str, *, first: bool) -> str:
    """Why no file or folder of a site may have this *name*; empty if it may."""
    if not name:
        return "two slashes stand side by side"
    if name in (".", ".."):
        return f'"{name}" leads elsewhere'
    if name.startswith(".") or (first and name.startswith("_")):
        return "names that begin with a dot, or with _ at the top of the site, belong to hosts and builds"
    if name != name.strip() or name.endswith("."):
        return "no name begins or ends with a blank, or ends with a dot"
    if _DEVICE.match(name):
        return f'"{name}" is the name of a device on some systems'
    if len(name.encode(errors="replace")) > LONGEST_NAME:
        return f"a name of more than {LONGEST_NAME} bytes is none; shorten it"
    return ""


def folded(file: str) -> str:
    """*file* as a file system sees it that tells neither letter case nor forms of one character apart."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", file).casefold())
