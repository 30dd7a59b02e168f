"""What the script of search reads: a list of all pages, with the titles, tags and series of the posts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping

from sphinx_writing.core import cards
from sphinx_writing.core.inline import plain
from sphinx_writing.core.views import Site


def ways(site: Site) -> tuple[tuple[str, str], ...]:
    """Where to look without script: pages, each with what it is."""
    queries = ((name, query) for name, page in sorted(site.pages.items()) for query in page.queries)
    whole = (n for n, q in queries if q.style in ("cards", "list") and not q.limit and not q.filters)
    listing = next(whole, "")
    first = (listing, "all notes") if listing else (site.root, "the first page")
    return (first, (cards.TAG_INDEX, "the list of tags")) if site.catalogue.tags else (first,)


PAGE = "search"
"""The page for searching."""
DATA = "writing-search-data.js"
"""The file that holds the list, in the output folder."""


def data(site: Site, docnames: Iterable[str], address: Callable[[str], str], ids: Mapping[str, str]) -> str:
    """The list of the pages *docnames* as a script: posts newest first, then the others by name.

    *ids* are the names under which the index has them; where they are empty there is no index.
    """
    catalogue = site.catalogue
    series = {s.key: (number, s) for number, s in enumerate(catalogue.series)}
    tags = {tag.key: number for number, tag in enumerate(catalogue.tags)}
    wanted = set(docnames)
    order = [*(d for d in catalogue.posts if d in wanted), *sorted(wanted - catalogue.posts.keys())]

    def line(docname: str) -> list[object]:
        post, here = catalogue.posts.get(docname), catalogue.series_at(docname)
        number, owner = series.get(post.series if post else here.key if here else "", (-1, None))
        part = post.part if post and owner and owner.info.numbered else 0
        mine = sorted(tags[key] for key in post.tags) if post else []
        return [plain(catalogue.titles[docname]), address(docname), number, part, mine, ids.get(docname, "")]

    return "".join(
        _script(
            [[s.key, s.info.label, s.index] for s in catalogue.series],
            [tag.name for tag in catalogue.tags],
            [line(docname) for docname in order],
            bool(ids),
            address(PAGE),
        )
    )


def _script(series: object, tags: object, pages: Iterable[object], index: bool, page: str) -> Iterator[str]:
    """The lines of the script; one for each page, so that a change can be read."""
    yield f'window.writingSearch = {{"index": {_json(index)}, "page": {_json(page)},\n'
    yield f'"series": {_json(series)},\n"tags": {_json(tags)},\n"pages": [\n'
    yield ",\n".join(map(_json, pages))
    yield "\n]};\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
