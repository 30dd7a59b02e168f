"""Hostile sources and files: each is accepted by a rule or reported; nothing is lost, runs, or gets out."""

from __future__ import annotations

import json
import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from markdown_it import MarkdownIt
from mdit_py_plugins.front_matter import front_matter_plugin

from sphinx_writing.core import catalogue, dates, fields, tags
from sphinx_writing.core.frontmatter import Scan
from sphinx_writing.core.inline import Span, plain
from sphinx_writing.core.posts import Sources
from sphinx_writing.core.problems import Kind, hint
from sphinx_writing.core.records import FrontMatter, Page
from sphinx_writing.sphinx_ext.settings import Settings
from sphinx_writing.sphinx_ext.sources import reason_to_withhold, scan_bytes

from . import conftest, files, generate
from .conftest import AS_OF, Project, Site, docname
from .generate import COUNT, KINDS, Hostile

pytestmark = pytest.mark.xdist_group("hostile")  # one process builds the site that all tests look at
SETTINGS = Settings(dates.parse(AS_OF).instant, preview=False, extra_fields=frozenset(), units=frozenset())
TERMINAL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What a terminal would obey, or what would break one message into two."""


@dataclass(frozen=True)
class Case:
    """A hostile source, and what the scan makes of it."""

    number: int
    hostile: Hostile
    scan: Scan

    @property
    def docname(self) -> str:
        """Where it lies."""
        return docname(self.number)

    @property
    def state(self) -> str:
        """What the build is to make of it."""
        front = self.scan.front
        held_back = reason_to_withhold(front, SETTINGS)
        return held_back or ("series" if front.series_info else "post" if front.date else "page")


@pytest.fixture(scope="module")
def cases(hostile: list[Hostile]) -> list[Case]:
    """Every hostile source with its scan."""
    return [
        Case(number, one, scan_bytes(one.source, docname(number), SETTINGS, markdown=True))
        for number, one in enumerate(hostile)
    ]


def lines_of(source: bytes) -> int:
    """How many lines an editor shows."""
    return len(re.split(rb"\r\n|\r|\n", source))


def what_myst_reads(source: bytes) -> dict[Any, Any]:
    """The front matter as MyST's own parsers read it; empty where they read none."""
    text = source.decode(errors="replace").removeprefix("\ufeff")
    first = next(iter(MarkdownIt().use(front_matter_plugin).parse(text)), None)
    try:
        data = yaml.safe_load(first.content) if first is not None and first.type == "front_matter" else None
    except Exception:  # whatever it is, MyST does not get over it
        return {}
    return data if isinstance(data, dict) else {}


# --- The sources ----------------------------------------------------------------------------------------------


def test_the_sources_are_the_same_in_every_run_and_of_every_kind(hostile: list[Hostile]) -> None:
    assert hostile == generate.sources()
    assert len(hostile) == COUNT
    every = {
        f"{kind}: {name}" for kind, named in {**generate.VALUES, **generate.WHOLE}.items() for name in named
    }
    alone = {one.done[0].partition(" in ")[0] for one in hostile if len(one.done) == 1}
    assert alone >= {name.partition(" in ")[0] for name in every}
    together = Counter(kind for one in hostile if len(one.done) > 1 for kind in one.kinds)
    assert together.keys() == set(KINDS)
    assert min(together.values()) > 100
    assert {name.rpartition(" in ")[2] for one in hostile for name in one.done} >= set(generate.FIELDS)


def test_enough_is_accepted_and_enough_is_reported(cases: list[Case]) -> None:
    states = Counter(case.state for case in cases)
    assert states["unreadable"] > 700
    assert states["post"] > 700
    assert min(states["draft"], states["dated"], states["series"], states["page"]) >= 10
    assert sum(not case.scan.problems for case in cases if case.state == "post") > 400
    kinds = Counter(problem.kind for case in cases for problem in case.scan.problems)
    assert min(kinds[kind] for kind in (Kind.FRONT_MATTER, Kind.FIELD, Kind.VALUE, Kind.DATE)) > 50


def test_a_good_post_is_accepted() -> None:
    scan = scan_bytes(generate.good(7).source(), "post", SETTINGS, markdown=True)
    assert scan.problems == ()
    assert scan.front.tags == ("all", "tag7")


# --- The scan -------------------------------------------------------------------------------------------------


def test_every_problem_has_a_line_of_the_file_and_a_message_of_one_line(cases: list[Case]) -> None:
    wrong = [
        (case.hostile.name, problem)
        for case in cases
        for problem in case.scan.problems
        if not 1 <= problem.place.line <= lines_of(case.hostile.source)
        or problem.place.column < 0
        or TERMINAL.search(problem.message)
        or len(problem.message) > 1000
    ]
    assert wrong == []


def test_what_is_left_out_is_reported_and_says_so(cases: list[Case]) -> None:
    silent = [
        case.hostile.name
        for case in cases
        if case.state == "unreadable"
        and not any(p.message.endswith("; the page is left out until then") for p in case.scan.problems)
    ]
    assert silent == []


def test_no_post_is_lost(cases: list[Case]) -> None:
    lost = [
        case.hostile.name
        for case in cases
        if case.state in ("page", "series") and not case.scan.problems and not case.hostile.plain
        if not case.scan.front.series_info
    ]
    assert lost == []


def test_no_post_that_is_held_back_is_published(cases: list[Case]) -> None:
    held_back = [case for case in cases if case.hostile.hidden]
    assert len(held_back) > 100
    shown = [case.hostile.name for case in held_back if case.state not in ("draft", "dated", "unreadable")]
    assert shown == []


def test_what_is_accepted_is_what_yaml_reads(cases: list[Case]) -> None:
    accepted = [case for case in cases if not case.scan.problems]
    assert len(accepted) > 500
    for case in accepted:
        front, read = case.scan.front, what_myst_reads(case.hostile.source)
        name = case.hostile.name
        assert front.draft == read.get("draft", False), name
        assert (front.date is None) == ("date" not in read), name
        if front.date is not None:
            assert same_day(front.date, read["date"]), name
        assert front.tags == tuple(listed(read.get("tags", ()))), name
        assert front.authors == tuple(listed(read.get("authors", ()))), name
        assert plain(front.summary) == "" or "summary" in read, name


def same_day(stamp: dates.Stamp, read: object) -> bool:
    """Whether *read*, a date or a text to YAML, is the moment of *stamp*."""
    if isinstance(read, datetime):
        return read.replace(microsecond=0, tzinfo=read.tzinfo or stamp.instant.tzinfo) == stamp.instant
    return stamp.day == (read if isinstance(read, date) else date.fromisoformat(str(read).strip()[:10]))


def listed(read: object) -> Iterator[str]:
    """The texts in *read*, on one line each."""
    for one in read if isinstance(read, list | tuple) else [read]:
        yield re.sub(r"\s*[\n\x85\u2028\u2029]\s*", " ", str(one).strip())


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (f"tags: [{', '.join(f'tag{n}' for n in range(10_000))}]", []),
        (f"x.y: {'word ' * 10_000}", []),
        ("# a comment\n" * 100_000, []),
        (f"summary: {'word ' * 200_000}", ["found 999999; shorten it", "longer than 100000 characters"]),
        (f"? {'k' * 200_000}\n: one", ["unknown field", "longer than 100000 characters"]),
        ("".join(f"field{n}: one\n" for n in range(2000)), ["unknown field"] * 2000),
    ],
    ids=["tags", "text", "comments", "summary", "name", "fields"],
)
def test_a_source_of_a_megabyte_is_read_or_reported(body: str, said: list[str]) -> None:
    scan = scan_bytes(f"---\ndate: 2026-03-01\n{body}\n---\n".encode(), "post", SETTINGS, markdown=True)
    assert len(scan.problems) == len(said)
    assert all(part in problem.message for part, problem in zip(said, scan.problems, strict=True))
    assert max((len(problem.message) for problem in scan.problems), default=0) < 300


# --- The build ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Built:
    """Both sites, and the small one a second time with two jobs."""

    all: Site
    small: Site
    twin: Site


SHOWN = {"markup", "heading", "character", "hidden"}
"""The kinds that the small site, which has a richer theme, shows again."""


@pytest.fixture(scope="module")
def built(hostile: list[Hostile], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    """Build the sites, the large one beside the small ones."""
    large = Project(tmp_path_factory.mktemp("all"), "basic")
    large.write(conftest.files_of({f"{docname(n)}.md": one.source for n, one in enumerate(hostile)}))
    large.start("out")
    small = Project(tmp_path_factory.mktemp("small"), "furo")
    chosen = {n: one for n, one in enumerate(hostile) if one.kinds <= SHOWN and len(one.done) == 1}
    small.write(conftest.files_of({f"{docname(n)}.md": one.source for n, one in list(chosen.items())[::2]}))
    add_files(small.source)
    small.start("out")
    try:
        out = small.wait("out")
        small.start("twin", "-j", "2")
        yield Built(small=out, twin=small.wait("twin"), all=large.wait("out"))
    finally:
        large.stop()
        small.stop()


def add_files(source: Path) -> None:
    """The hostile files, and links that lead out of the source folder."""
    written: dict[str, bytes] = {f"files/{file.name}.md": file.content for file in files.CONTENTS}
    written |= {f"names/{name}.md": files.post(f"name{n:02}x") for n, name in enumerate(files.NAMES)}
    written |= {"case/Same.md": files.post("case01x"), "case/same.md": files.post("case02x")}
    written |= {"links/own.md": files.post("link00x")}
    for name, content in conftest.files_of(written).items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name not in ("index.md", "lists.md"):
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    root = source / "index.md"
    entries = "case/index\nfiles/index\nlinks/index\nnames/index\n"
    root.write_text(
        root.read_text(encoding="utf-8").replace("\nlists\n", f"\nlists\n{entries}"), encoding="utf-8"
    )
    outside = source.parent / "outside"
    outside.mkdir()
    for name in ("file", "folder"):
        (outside / f"{name}.md").write_bytes(files.post(f"link-{name}x"))
    (source / "links/file.md").symlink_to(outside / "file.md")
    (source / "links/folder").symlink_to(outside)
    (source / "links/nowhere.md").symlink_to(outside / "nowhere.md")


@pytest.fixture(params=["all", "small", "twin"])
def site(request: pytest.FixtureRequest, built: Built) -> Site:
    """Each of the sites."""
    found: Site = getattr(built, request.param)
    return found


def test_the_build_ends_well(site: Site) -> None:
    assert site.status == 0
    assert "Traceback" not in site.terminal
    assert "xtension error" not in site.terminal


def test_every_message_names_a_line_that_is_there(built: Built) -> None:
    assert len(built.all.said) > 1000
    for file, messages in built.all.said.items():
        lines = lines_of((built.all.source / file).read_bytes())
        placed = [said for said in messages if 1 <= said.line <= lines]
        assert placed, file
        assert [said for said in messages if "[writing." in said.text and said not in placed] == []
    assert not TERMINAL.search(built.all.terminal)


def test_every_problem_is_said(cases: list[Case], built: Built) -> None:
    for case in cases:
        said = {(s.line, s.column, s.text) for s in built.all.said.get(f"{case.docname}.md", [])}
        for problem in case.scan.problems:
            text = f"{problem.message} [writing.{problem.kind.subtype}]"
            assert (problem.place.line, problem.place.column, text) in said, case.hostile.name


def test_every_source_is_a_page_or_held_back(cases: list[Case], built: Built) -> None:
    for case in cases:
        page = built.all.pages.get(f"{case.docname}.html")
        if case.state in ("unreadable", "draft", "dated"):
            assert page is None, case.hostile.name
        else:
            assert page is not None, case.hostile.name
            assert case.hostile.word in page.text, case.hostile.name
        if case.state in ("unreadable", "page"):
            assert f"{case.docname}.md" in built.all.said, case.hostile.name


def test_every_post_is_in_the_index_its_series_its_year_and_its_tags(cases: list[Case], built: Built) -> None:
    index, linked = built.all.leads_to("index.html"), 0
    for case in cases:
        page, front = f"{case.docname}.html", case.scan.front
        if case.state == "series":
            continue  # no post, unless its key is taken, which is reported
        if case.state not in ("post", "page"):
            assert page not in index, case.hostile.name
            continue
        lists = [f"{posixpath.dirname(page)}/index.html"]
        lists += [f"archive/{front.date.day.year}/index.html"] if front.date else []  # its series lists it
        of_tags = {
            name for name in built.all.leads_to(page) if re.fullmatch(r"tags/.+/index\.html", name)
        }  # its card is nowhere on its own page, so these are its own
        assert len(of_tags) == len({tags.key(tag) for tag in front.tags}), case.hostile.name
        assert page in index, case.hostile.name
        for name in [*lists, *of_tags]:
            assert page in built.all.leads_to(name), (case.hostile.name, name)
            linked += 1
    assert linked > 2000


def test_nothing_that_is_held_back_is_anywhere_in_the_output(cases: list[Case], built: Built) -> None:
    words = {case.hostile.word for case in cases if case.state in ("unreadable", "draft", "dated")}
    words |= {case.hostile.word for case in cases if case.hostile.hidden}
    assert len(words) > 800
    for site in (built.all, built.small):
        assert site.files
        found = {word.decode() for data in site.files.values() for word in re.findall(rb"body\d{4}x", data)}
        assert len(found) > 50
        assert found & words == set()


def test_no_code_runs(built: Built) -> None:
    for site in (built.all, built.small):
        assert list(site.source.parent.rglob("hacked*")) == []
        assert list(Path.cwd().glob("hacked*")) == []
        assert [name for name, page in site.pages.items() if "134211" in page.text] == []  # {{ 7 * 19173 }}


def test_no_markup_of_an_author_is_live(built: Built) -> None:
    for site in (built.all, built.small):
        live = [(name, one) for name, page in site.pages.items() for one in page.live]
        assert len(live) > 50  # the scripts of the theme, at least
        assert [(name, one) for name, one in live if "payload" in one] == []


def test_facts_for_machines_are_json_that_no_page_can_take_for_markup(built: Built) -> None:
    facts = [one for page in built.all.pages.values() for one in page.facts]
    assert len(facts) > 500
    assert [one for one in facts if re.search("[<>&\u2028]", one) or not json.loads(one)["@graph"]] == []


def test_titles_in_the_search_index_are_text_and_the_script_that_shows_them_escapes_it(built: Built) -> None:
    for site in (built.all, built.small):
        index = site.files["searchindex.js"].decode().removeprefix("Search.setIndex(").removesuffix(")")
        titles = json.loads(index)["titles"]
        assert any("<script>alert(payload" in title for title in titles)
        assert not any("&lt;" in title and "payload" in title for title in titles)
        assert b"_escapeHTML(title)" in site.files["_static/searchtools.js"]


def test_every_feed_is_legal_and_nothing_in_it_runs(built: Built) -> None:
    atom = "{http://www.w3.org/2005/Atom}"
    for site in (built.all, built.small):
        feeds = {name: data for name, data in site.files.items() if posixpath.basename(name) == "feed.xml"}
        assert len(feeds) > 10
        texts = [item["content_html"] for item in json.loads(site.files["feed.json"])["items"]]
        for data in feeds.values():
            entries = ElementTree.fromstring(data).iter(f"{atom}entry")  # noqa: S314  # ours
            texts += [
                entry.findtext(f"{atom}{part}") or "" for entry in entries for part in ("summary", "content")
            ]
        assert [live for text in texts for live in conftest.Page(text).live] == []


def test_markup_is_shown_as_it_is_written_in_every_place(built: Built) -> None:
    script = re.compile(r"<script>alert\(payload\w+\)</script>")
    years = [name for name in built.all.pages if name.startswith("archive/") and name != "archive/index.html"]
    tagged = [name for name in built.all.pages if name.startswith("tags/")]
    for names in (["index.html"], ["lists.html"], ["tags/index.html"], ["s00/index.html"], years, tagged):
        assert any(script.search(built.all.pages[name].text) for name in names), names
    numbers = {n for page in built.all.pages.values() for n in re.findall(r"payload\d+", page.text)}
    assert len(numbers) > 80


def test_two_jobs_make_the_same_bytes(built: Built) -> None:
    assert built.small.files.keys() == built.twin.files.keys()
    assert [name for name, data in built.small.files.items() if data != built.twin.files[name]] == []
    assert sorted(built.small.terminal.splitlines()) == sorted(built.twin.terminal.splitlines())


@pytest.mark.parametrize("file", files.CONTENTS, ids=lambda file: file.name)
def test_a_hostile_file_is_a_page_or_reported(file: files.File, built: Built) -> None:
    said = built.small.said.get(f"files/{file.name}.md", [])
    if file.said:
        assert any(file.said in one.text and file.line == one.line for one in said)
    else:
        assert said == []
    left_out = any("left out" in one.text for one in said)
    assert (f"files/{file.name}.html" in built.small.files) == (not left_out)
    assert (f"files/{file.name}.html" in built.small.leads_to("index.html")) == file.listed


def test_nothing_of_a_hostile_file_that_is_left_out_is_anywhere(built: Built) -> None:
    texts = (
        data.lower().replace(b"\0", b"").replace(b"\xef\xbf\xbd", b"") for data in built.small.files.values()
    )
    assert not any(b"quagga" in text for text in texts)


@pytest.mark.parametrize("number", range(len(files.NAMES)), ids=files.NAMES)
def test_a_file_of_any_name_is_a_post(number: int, built: Built) -> None:
    listed = f"Title of name{number:02}x"
    for name in ("index.html", "archive/2026/index.html", "tags/all/index.html"):
        assert listed in built.small.pages[name].text
    in_series = listed in built.small.pages["names/index.html"].text
    assert in_series != any(
        "no toctree lists this post" in one.text
        for one in built.small.said.get(f"names/{files.NAMES[number]}.md", [])
    )


def test_names_that_differ_in_letter_case_only_are_reported(built: Built) -> None:
    (said,) = built.small.said["case/same.md"]
    assert 'this page and "case/Same" have the same address' in said.text


def test_links_out_of_the_source_folder_are_followed_and_dead_ones_reported(built: Built) -> None:
    assert {"links/file.html", "links/folder/file.html"} <= built.small.leads_to("index.html")
    assert "nowhere.md" in built.small.terminal


def test_the_reader_of_pages_sees_what_is_live() -> None:
    page = conftest.Page(
        "<script>alert(payload1)</script><IMG SRC=x OnError=alert(payload2)><a href=' java\nscript:payload3'>"
        "<svg onload=payload4 /><p title='<script>payload5</script>'>&lt;script&gt;payload6</p>"
        "<script type='application/ld+json'>payload7</script><script type='text/plain'>payload8</script>"
    )
    assert re.findall(r"payload\d", " ".join(page.live)) == [
        "payload1",
        "payload2",
        "payload3",
        "payload4",
        "payload8",
    ]
    assert page.facts == ["payload7"]
    assert page.text == "<script>payload6"


def test_front_matter_that_myst_cannot_read_on_the_root_page_does_not_end_the_build(tmp_path: Path) -> None:
    project = Project(tmp_path, "basic")
    project.write({"index.md": "---\nx.y: !!bool maybe\n---\n# Home\n"})
    project.start("out")
    site = project.wait("out")
    assert site.status == 0
    assert [said.line for said in site.said["index.md"]] == [2]


def test_a_long_first_paragraph_is_not_a_long_summary() -> None:
    front = FrontMatter(date=dates.parse("2026-03-01"))
    page = Page((Span("Title"),), first=(Span("word " * 100_000),))
    made = catalogue.build(Sources({"post": page}, {"post": front}, "post", SETTINGS.as_of))
    assert len(plain(made.cards["post"].summary)) <= fields.LONGEST


def test_a_byte_that_is_not_utf_8_is_named_with_its_line_between_carriage_returns() -> None:
    scan = scan_bytes(b"---\rdate: 2026-03-01\r---\r# Caf\xe9\r", "post", SETTINGS, markdown=True)
    assert [problem.place.line for problem in scan.problems] == [4]


def test_a_message_about_an_unknown_name_does_not_grow_with_the_site() -> None:
    assert len(hint("zebra", [f"infra/post-{n}" for n in range(1000)])) < 1000
