"""What a link shows of a post, a series or a term."""

from __future__ import annotations

from sphinx_writing.core.catalogue import Catalogue
from sphinx_writing.core.glossary import Glossary
from sphinx_writing.core.inline import NOT_YET, Span
from sphinx_writing.core.posts import Post
from sphinx_writing.core.previews import Preview, of_pages, of_terms
from sphinx_writing.core.records import Definition, Page, SeriesInfo
from sphinx_writing.core.series import Series


def test_posts_and_series_have_one_each() -> None:
    post = Post("a/b", (Span("B"),), (Span("Sum"),), None, None, (), 1, "a", 3, "draft", ())
    series = Series("a/index", SeriesInfo("a", "A", description=(Span("Of a."),)), ("a/b",), 0)
    found = of_pages(Catalogue({"a/b": post}, (series,), titles={"a/index": (Span("All of A"),)}))
    assert found["a/b"].series == found["a/index"].series
    assert found["a/b"] == Preview((Span("B"),), (Span("Sum"),), found["a/b"].series, 3, "draft")
    assert found["a/index"] == Preview((Span("All of A"),), (Span("Of a."),), found["a/b"].series)


def test_a_term_has_one_for_each_name_and_tells_nothing_of_what_is_withheld() -> None:
    meaning = (Span("See "), Span("a/b", "title"), Span(" and "), Span("a/c", "title"))
    entry = Definition((("KV cache", "term-KV-cache"), ("cache", "term-cache")), meaning)
    catalogue = Catalogue(titles={"a/b": (Span("B"),)})
    found = dict(of_terms(Glossary("terms", Page((), terms=(entry,))), catalogue))
    assert found == {
        "term-KV-cache": Preview((Span("KV cache"),), (Span(f"See B and {NOT_YET}"),)),
        "term-cache": Preview((Span("cache"),), (Span(f"See B and {NOT_YET}"),)),
    }
