"""The benchmark measures what it says: its corpus, what it finds in pages, its goals and its comparison."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sphinx_writing.sphinx_ext.drawing import digest

from . import __main__ as command_line
from . import corpus, figures, flavours, goals, install, output, report, result, stages
from .flavours import FLAVOURS, MKDOCS, OURS
from .measure import ROOT, BuildFailed, Work, cost

POSTS = 14
PAGE = (
    '<body><div class="sidebar-tree"><ul><li>a<div class="x"></div></li></ul></div>'
    "<article><div>text</div></article></body>"
)


@pytest.fixture
def work(tmp_path: Path) -> Work:
    """A work folder."""
    (tmp_path / "sources").mkdir()
    return Work(tmp_path)


def put_drawings(folder: Path) -> None:
    """Small pictures in place of the diagrams, of which each takes seconds to draw."""
    (folder / corpus.PICTURES).mkdir()
    sources = {str(x) for post in corpus.posts(POSTS) for kind, x in post.blocks if kind == "mermaid"}
    for name in map(digest, sources):
        dot = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'
        for ending, content in {".svg": dot, "-dark.svg": dot, ".pdf": "%PDF-1.4\n%%EOF\n"}.items():
            (folder / corpus.PICTURES / f"{name}{ending}").write_text(content, encoding="utf-8")


def made_result(**changed: Any) -> dict[str, Any]:
    """A small result."""
    values = {"ours/100/cold/cpu_s": [2.0, 4.0, 3.0], "mended/100/cold/cpu_s": [2.0, 2.0, 2.0]}
    return {
        "made": "2026-01-01T000000Z",
        "commit": {"id": "0123456789abcdef", "changed": False},
        "machine": {"cpu": "some", "cpus": 2, "python": "3.11.7", "load_at_start": 0.1},
        "versions": {"Sphinx": "9.0.4"},
        "options": {"sizes": [100], "flavours": ["ours", "mended"]},
        "left_out": {},
        "figures": values,
    } | changed


def test_the_corpus_is_the_same_in_every_process(tmp_path: Path) -> None:
    digests = []
    for seed in ("1", "2"):
        code = f"from tests.bench import corpus; corpus.write_ours(corpus.Path({str(tmp_path / seed)!r}), 30)"
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={"PYTHONHASHSEED": seed}, check=True)
        digests.append(output.digests(tmp_path / seed))
    assert digests[0] == digests[1]
    assert len(digests[0]) == 30 + 3 + 3


def test_a_larger_corpus_has_the_same_first_posts_in_as_many_series() -> None:
    small, large = corpus.posts(30), corpus.posts(60, corpus.series_of(30))
    assert {post.series for post in large} == {0, 1, 2}
    assert [corpus.page(p, small) for p in small[:24]] == [corpus.page(p, large) for p in large[:24]]


@pytest.mark.parametrize("form", ["sphinx", "mkdocs", "hugo"])
def test_edits_change_one_line_and_are_taken_back(form: str, work: Work) -> None:
    source = corpus.write_plain(form, work.sources / form, POSTS, work.themes)
    for edit, word in ((source.edit_body, "Edited."), (source.edit_title, "Renamed")):
        edit()
        text = source.edited.read_text(encoding="utf-8")
        changed = set(text.splitlines()) - set(source.text.splitlines())
        assert [word in line for line in changed] == [True]
    source.take_back()
    assert source.edited.read_text(encoding="utf-8") == source.text


def test_ours_builds_without_warnings_and_its_post_pages_are_found(work: Work) -> None:
    source = corpus.write_ours(work.sources / "ours", POSTS)
    put_drawings(source.folder)
    spent = cost(work, flavours.sphinx(source.folder, work.out, "-W", "--keep-going"))
    assert [line for line in work.log.read_text().splitlines() if line and not line.startswith("$ ")] == []
    assert min(spent.values()) > 0
    assert len(output.post_pages(work.out, OURS)) == POSTS
    sizes = output.sizes(work.out, OURS)
    assert 0 < sizes["sidebar_kib"] < sizes["page_kib"]
    assert sizes["search_index_kib"] > 0
    assert output.differing(work.out, work.out) == []


def test_a_build_that_fails_says_so(work: Work) -> None:
    with pytest.raises(BuildFailed, match=r"ended with 1; see .*log"):
        cost(work, [sys.executable, "-c", "raise SystemExit(1)"])


def test_time_by_stage_adds_up(work: Work) -> None:
    corpus.write_one_page(work.sources, corpus.OURS_CONF)
    seconds = work.folder / "seconds.json"
    inner = [sys.executable, "-m", "tests.bench.stages", str(work.sources), str(work.out), str(seconds)]
    spent = cost(work, inner)
    found = json.loads(seconds.read_text(encoding="utf-8"))
    assert {"start", "read", "resolve", "sidebar", "render pages", "pickle the environment"} <= set(found)
    assert any(stage.startswith("ours: ") for stage in found)
    assert 0.5 * spent["cpu_s"] < sum(found.values()) <= spent["cpu_s"]


def test_sphinx_and_furo_have_what_is_timed_and_mended() -> None:
    assert [name for owner, name, _ in stages.STAGES if not hasattr(owner, name)] == []
    furo = importlib.import_module("furo")
    assert callable(furo._compute_navigation_tree)
    assert callable(furo.get_navigation_tree.__wrapped__)


def test_the_sidebar_is_measured_to_its_own_end() -> None:
    found = output.element(PAGE, OURS.sidebar)
    assert found.startswith('<div class="sidebar-tree">')
    assert found.endswith('<div class="x"></div></li></ul></div>')
    sizes = output.page_sizes([PAGE.encode()], OURS)
    assert sizes["sidebar_kib"] * 1024 == len(found)
    assert sizes["sidebar_percent"] == pytest.approx(100 * len(found) / len(PAGE))
    assert output.element(PAGE, MKDOCS.sidebar) == ""


def test_files_that_differ_or_are_in_one_folder_only_are_found(tmp_path: Path) -> None:
    for name, text in {"a/x": "1", "b/x": "1", "a/y": "1", "b/y": "2", "b/z": "1"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert output.differing(tmp_path / "a", tmp_path / "b") == ["y", "z"]


def test_ratios_are_taken_run_by_run() -> None:
    found = made_result()["figures"]
    assert figures.ratio(found, "ours/100/cold/cpu_s", "mended/100/cold/cpu_s") == 1.5
    assert figures.ratio(found, "ours/100/cold/cpu_s", "stock/100/cold/cpu_s") is None


def test_growth_is_for_ten_times_the_posts() -> None:
    assert figures.growth(11, 101, 1, 10) == 10
    assert figures.growth(11, 51, 1, 5) == 10
    assert figures.growth(1, 51, 1, 5) is None


@pytest.mark.parametrize(
    ("value", "words"),
    [(1.2, "not met"), (1.0, "met"), (0.9, "met, the later one too"), (None, "not measured")],
)
def test_a_goal_is_met_or_not(value: float | None, words: str) -> None:
    assert goals.Verdict(goals.GOALS[0], value).words() == words


def test_goals_are_judged_and_printed() -> None:
    found = made_result()["figures"] | {"ours/100/cold/peak_mib": [401.0], "ours/24/exact/body_files": [0.0]}
    verdicts = goals.judge(found, 100)
    words = [verdict.words() for verdict in verdicts if verdict.value is not None]
    assert words == ["not met", "not met", "met"]
    text = report.goals(verdicts, 100, 100)
    assert "cold build" in text
    assert "401 MiB" in text
    assert "The goals are for 1,000 posts against 100; this is 100 against 100." in text


def test_all_tables_are_printed_with_what_is_left_out() -> None:
    more = {
        "ours/100/stages/read": [2.0],
        "ours/100/stages/ours: site.make_views": [0.1],
        "ours/1/cold/cpu_s": [1.0],
    }
    made = made_result(left_out={"hugo": "give --papermod"}, figures=made_result()["figures"] | more)
    text = report.full(made)
    for expected in ("left out: hugo: give --papermod", "100 posts: CPU s", "of these, ours", "start-up"):
        assert expected in text


def test_comparison_prints_ratios_and_what_else_changed() -> None:
    new = made_result(figures={"ours/100/cold/cpu_s": [1.5]}, versions={"Sphinx": "9.0.5"})
    text = report.compared(made_result(), new)
    assert re.search(r"^ours/100/cold/cpu_s +3 +1\.50 +0\.500$", text, re.MULTILINE)
    assert "not the same Sphinx: 9.0.4, 9.0.5" in text
    assert "1 figures are in only one" in text


def test_a_result_is_read_as_written(tmp_path: Path) -> None:
    path = result.write(tmp_path, made_result())
    assert path.name == "0123456789-2026-01-01T000000Z.json"
    assert result.read(path) == made_result() | {"schema": result.SCHEMA}
    path.write_text('{"schema": 0}', encoding="utf-8")
    with pytest.raises(result.Unreadable, match="no result of schema"):
        result.read(path)


def test_what_a_flavour_lacks_leaves_it_out_alone(work: Work, tmp_path: Path) -> None:
    asked = [FLAVOURS["ours"], FLAVOURS["hugo"]]
    assert install.prepare(work, asked, None) == {"hugo": "give --papermod, a folder with the theme PaperMod"}
    assert install.prepare(work, asked, tmp_path)["hugo"].endswith("it has no theme.toml")


def test_a_folder_that_others_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(BuildFailed, match="not empty, and no work folder"):
        command_line.emptied(Work(tmp_path))
    assert (tmp_path / "out").is_dir()
    work = Work(tmp_path / "new")
    assert command_line.emptied(command_line.emptied(work)).out.is_dir()


def test_runs_and_names_are_read_from_the_command_line() -> None:
    parse = command_line.arguments().parse_args
    assert command_line.sizes_of(parse([])) == {100: 3, 1000: 1}
    assert command_line.sizes_of(parse(["--sizes", "40,20", "--runs", "2"])) == {20: 2, 40: 2}
    assert parse(["--flavours", "stock,ours"]).flavours == ["ours", "stock"]
    assert command_line.sizes_of(parse(["--sizes", "40,20", "--runs", "2,3"])) == {20: 3, 40: 2}
    with pytest.raises(BuildFailed, match="2 numbers for 1 sizes"):
        command_line.sizes_of(parse(["--sizes", "20", "--runs", "2,3"]))
    with pytest.raises(SystemExit):
        parse(["--flavours", "jekyll"])
