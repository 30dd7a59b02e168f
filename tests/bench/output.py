"""What a build has left behind: sizes of the site, its pages and their sidebars, and what differs."""

from __future__ import annotations

import hashlib
import re
import statistics
from pathlib import Path

from .flavours import Form


def files(out: Path) -> dict[str, Path]:
    """Every file of a built site by its path below *out*."""
    return {path.relative_to(out).as_posix(): path for path in sorted(out.rglob("*")) if path.is_file()}


def post_pages(out: Path, form: Form) -> dict[str, Path]:
    """The pages of posts by their path below *out*."""
    return {name: path for name, path in files(out).items() if form.page.fullmatch(name)}


def sizes(out: Path, form: Form) -> dict[str, float]:
    """The site in MiB, files and the search index, and the median post page and its sidebar."""
    every = {name: path.stat().st_size for name, path in files(out).items()}
    index = sum(size for name, size in every.items() if name.startswith(form.search_index))
    total = {"output_mib": sum(every.values()) / 2**20, "files": len(every), "search_index_kib": index / 1024}
    return total | page_sizes([path.read_bytes() for path in post_pages(out, form).values()], form)


def page_sizes(pages: list[bytes], form: Form) -> dict[str, float]:
    """Medians over *pages*: a page, its sidebar, and the sidebar's share of it in percent."""
    if not pages:
        return {}
    sidebars = [len(element(page.decode(), form.sidebar).encode()) for page in pages]
    shares = [100 * sidebar / len(page) for sidebar, page in zip(sidebars, pages, strict=True)]
    return {
        "page_kib": statistics.median(map(len, pages)) / 1024,
        "sidebar_kib": statistics.median(sidebars) / 1024,
        "sidebar_percent": statistics.median(shares),
    }


def element(html: str, opening: str) -> str:
    """The first element of *html* that starts with *opening*, up to its own end tag; empty if there is none."""
    start = html.find(opening)
    if start < 0:
        return ""
    tag = opening[1:].partition(" ")[0]
    depth = 0
    for found in re.compile(rf"<(/?){tag}\b[^>]*>").finditer(html, start):
        depth += -1 if found[1] else 1
        if depth == 0:
            return html[start : found.end()]
    return html[start:]


def weight(out: Path, form: Form, names: set[str]) -> float:
    """The median KiB of the post pages *names*."""
    return (
        statistics.median(path.stat().st_size for n, path in post_pages(out, form).items() if n in names)
        / 1024
    )


def stamps(out: Path, form: Form) -> dict[str, int]:
    """When each post page was last written."""
    return {name: path.stat().st_mtime_ns for name, path in post_pages(out, form).items()}


def differing(one: Path, other: Path) -> list[str]:
    """The files that are not the same bytes in both folders, or only in one."""
    first, second = digests(one), digests(other)
    return sorted(name for name in first | second if first.get(name) != second.get(name))


def digests(out: Path) -> dict[str, str]:
    """A digest of every file of a built site."""
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files(out).items()}
