"""Previews: what a link shows of a post, a series or a term before one follows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sphinx_writing.core.cards import SeriesRef, series_ref
from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.glossary import Glossary
from sphinx_writing.core.inline import Inline, Span, resolve


@dataclass(frozen=True)
class Shown:
    """A picture as it lies in the output, with its size; *dark* may be empty."""

    light: str
    dark: str
    width: int
    height: int


@dataclass(frozen=True)
class Preview:
    """A title and a few sentences; a term has no series. *part* is 0 where there is no number."""

    title: Inline
    text: Inline
    series: SeriesRef | None = None
    part: int = 0
    hidden: str = ""
    picture: Shown | None = None

    def with_picture(self, picture: Shown | None) -> Preview:
        """The same with *picture*."""
        return replace(self, picture=picture) if picture else self


def of_pages(catalogue: Catalogue) -> dict[str, Preview]:
    """The preview of every post and series page."""
    found = {
        series.docname: Preview(
            catalogue.titles.get(series.docname, ()), series.info.description, series_ref(series)
        )
        for series in catalogue.series
    }
    for docname, card in catalogue.cards.items():
        found[docname] = Preview(card.title, card.summary, card.series, card.part, card.hidden)
    return found


def of_terms(glossary: Glossary, catalogue: Catalogue) -> Iterator[tuple[str, Preview]]:
    """The preview of every name of every term, each with its id on the page."""
    for entry in glossary.entries:
        meaning = resolve(entry.meaning, catalogue.titles)
        for name, anchor in entry.names:
            yield anchor, Preview((Span(name),), meaning)
