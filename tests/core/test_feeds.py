"""Feeds: which there are, their order, and ids that never change."""

from __future__ import annotations

from sphinx_writing.core.catalogue import Catalogue, build
from sphinx_writing.core.dates import parse
from sphinx_writing.core.feeds import Feed, address, beside, feeds_of, ids_of, problems
from sphinx_writing.core.inline import Span
from sphinx_writing.core.posts import Sources
from sphinx_writing.core.problems import Place
from sphinx_writing.core.views import Site

from .test_catalogue import AS_OF, Document, catalogue, front, page, post, series

DOCUMENTS: dict[str, Document] = {
    "infra/index": series("infra", "infra/b infra/a/index infra/c"),
    "infra/a/index": post("2026-01-05", tags=("One",)),
    "infra/b": post("2026-01-01", tags=("one", "C++")),
    "infra/c": post("2026-01-03", updated=parse("2026-02-01T09:00:00+09:00")),
}


def by_name(made: Catalogue, newest: int = 20) -> dict[str, Feed]:
    return {feed.name: feed for feed in feeds_of(made, "index", newest)}


def listed(feed: Feed) -> list[str]:
    return [entry.docname for entry in feed.entries]


def test_which_feeds_there_are_and_what_they_list() -> None:
    found = by_name(catalogue(DOCUMENTS))
    assert list(found) == [
        "feed.xml", "feed.json", "infra/feed.xml", "tags/cplusplus/feed.xml", "tags/one/feed.xml",
    ]  # fmt: skip
    newest = ["infra/a/index", "infra/c", "infra/b"]
    assert listed(found["feed.xml"]) == listed(found["feed.json"]) == newest
    assert listed(found["infra/feed.xml"]) == ["infra/b", "infra/a/index", "infra/c"]
    assert listed(found["tags/one/feed.xml"]) == ["infra/a/index", "infra/b"]
    assert [feed.full for feed in found.values()] == [True, True, False, False, False]
    assert listed(by_name(catalogue(DOCUMENTS), 1)["feed.xml"]) == ["infra/a/index"]


def test_stamps_are_those_of_front_matter() -> None:
    feed = by_name(catalogue(DOCUMENTS))["feed.xml"]
    assert [entry.updated.iso[:10] for entry in feed.entries] == ["2026-01-05", "2026-02-01", "2026-01-01"]
    assert feed.entries[1].published == parse("2026-01-03")
    assert feed.updated.iso == "2026-02-01T09:00:00+09:00"


def test_a_post_without_a_date_is_in_no_feed() -> None:
    documents = {"infra/index": series("infra", "infra/a"), "infra/a": post("")}
    assert by_name(catalogue(documents)) == {}


def test_without_posts_there_are_none() -> None:
    assert by_name(catalogue({"guide": (page(), front())})) == {}


def test_files_of_feeds() -> None:
    assert beside("infra/index") == "infra/feed.xml"
    assert beside("infra") == "infra/feed.xml"
    assert beside("index") == "index/feed.xml"  # a series on the root page leaves feed.xml to the site


def ids(**posts: Document) -> dict[str, str]:
    return ids_of(catalogue({name.replace("_", "/"): made for name, made in posts.items()}).posts)


def test_an_id_follows_neither_title_nor_order_nor_date() -> None:
    before = ids_of(catalogue(DOCUMENTS).posts)
    after = {**DOCUMENTS, "infra/index": series("infra", "infra/c infra/b infra/a/index")}
    after["infra/b"] = post("2026-05-01", heading="Renamed", tags=("new",))
    assert ids_of(catalogue(after).posts) == before
    assert before == {"infra/a/index": "infra/a", "infra/b": "infra/b", "infra/c": "infra/c"}


def test_a_note_that_moves_keeps_its_id_by_its_redirect() -> None:
    moved = post(redirect_from=("/old/a.html", "old/second/index"))
    assert ids(new=moved) == {"new": "old/a"}
    assert ids(new=post(feed_id="new", redirect_from=("alias",))) == {"new": "new"}
    assert ids(new=post(feed_id="/first/place/")) == {"new": "first/place"}


def test_no_two_notes_have_one_id() -> None:
    taken = ids(a=post(), b=post(redirect_from=("a",)), c=post(feed_id="x"), d=post(feed_id="x"))
    assert taken == {"a": "a", "b": "b", "c": "x", "d": "d"}


def test_a_claimed_id_is_reported() -> None:
    made = catalogue({"a": post(), "b": post(feed_id="a"), "c": post(feed_id="x"), "d": post(feed_id="x")})
    found = list(problems(made.posts, dict.fromkeys(made.posts, Place(3, 1))))
    assert [(p.docname, p.message) for p in found] == [
        (name, f'"feed_id": "{claimed}" is that of "{other}"; give the address that this note had first, and no other has')
        for name, claimed, other in (("b", "a", "a"), ("d", "x", "c"))
    ]  # fmt: skip


def test_addresses_are_one_however_they_are_written() -> None:
    for name in (
        "infra/nccl",
        "/infra/nccl/",
        "infra/nccl/index",
        "infra/nccl/index.html",
        "infra/nccl.html#x",
    ):
        assert address(name) == "infra/nccl"


def test_pages_name_their_feeds() -> None:
    made = catalogue(DOCUMENTS)
    site = Site(made, {}, "index", {}, newest_in_feed=20)
    assert [link.name for link in site.feed_links("infra/a/index")] == ["feed.xml", "feed.json"]
    assert [link.name for link in site.feed_links("infra/index")] == [
        "infra/feed.xml",
        "feed.xml",
        "feed.json",
    ]
    assert Site(made, {}, "index", {}).feed_links("infra/index") == ()


def test_a_title_is_what_the_catalogue_has() -> None:
    documents = {"index": (page("a"), front()), "a": post(heading="</script> & ]]>")}
    pages, fronts = {d: p for d, (p, _) in documents.items()}, {d: f for d, (_, f) in documents.items()}
    made = build(Sources(pages, fronts, "index", AS_OF))
    assert by_name(made)["feed.xml"].entries[0].title == (Span("</script> & ]]>"),)
