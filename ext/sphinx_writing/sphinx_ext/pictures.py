"""Reading: the picture that the front matter of a document names for previews of links to it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util.images import get_image_size

from sphinx_writing.core.inline import shown
from sphinx_writing.core.problems import Kind
from sphinx_writing.core.records import SocialPicture
from sphinx_writing.sphinx_ext.domain import writing_domain

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment

FORMATS = (".gif", ".jpeg", ".jpg", ".png", ".webp")
"""What those who show links take; they show no SVG."""
_WEB = re.compile(r"https?://")


def read(env: BuildEnvironment) -> tuple[SocialPicture | None, tuple[str, ...]]:
    """The picture of the document that is read, and the file that was looked for where there is none."""
    source = writing_domain(env).scans.get(env.docname)
    written = source.scan.front.image if source else ""
    if source is None or not written:
        return None, ()
    if _WEB.match(written):
        return SocialPicture(written), ()
    name, full = env.relfn2path(written, env.docname)
    fault, path = "", Path(full)
    is_there = os.path.isfile(full)  # noqa: PTH113  # a Path raises where a name is too long
    size = get_image_size(full) if path.suffix.lower() in FORMATS and is_there else None
    if path.suffix.lower() not in FORMATS:
        fault = f"is no picture that previews of links can show; expected one of {', '.join(FORMATS)}"
    elif not is_there:
        fault = "is not there; expected a file beside the page, or /path from the source folder"
    elif size is None:
        fault = "cannot be read as a picture; save it anew"
    if is_there:
        env.note_dependency(name)
    if size and not fault:
        return SocialPicture("", name, *size), ()
    place = source.scan.front.place("image")
    location = f"{env.doc2path(env.docname)}:{place.line}:{place.column}"
    writing_domain(env).note(Kind.VALUE, f'"image": {shown(written)} {fault}', location)
    return None, () if is_there else (name,)
