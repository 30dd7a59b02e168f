"""The output folder holds what a clean build would put there, whatever was done to it and to the source."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sphinx.errors import ExtensionError

from .conftest import Project

Make = Callable[[str], Project]
Step = Callable[[Project], None]
DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="9"/>\n'


def age(path: Path, seconds: int = 1000) -> None:
    """Make a file look older than it is."""
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))


def differences(site: Project, **config: Any) -> set[str]:
    """The files that another build into the same folder leaves other than one into an empty folder does."""
    incremental, clean = site.build_apart(**config), site.build_apart(to="clean", fresh=True, **config)
    assert incremental.warnings == clean.warnings
    kept, made = incremental.tree(), clean.tree()
    return {name for name in kept.keys() | made.keys() if kept.get(name) != made.get(name)}


def shows(site: Project, text: str) -> None:
    """Put *text* at the end of a note."""
    path = site.source / "infra/two.md"
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{text}\n", encoding="utf-8")


@pytest.fixture
def site(project: Make) -> Project:
    """A series of three posts and a guide, with a picture, an included file, a download and a style sheet."""
    made = project("retitle-the-middle-part")
    made.write("infra/dot.svg", DOT.format(4))
    made.write("infra/code.py", "print(1)\n")
    made.write("infra/data.csv", "a,b\n")
    made.write("_static/site.css", "a { color: red }\n")
    made.write("_static/old.txt", "Text.\n")
    made.write("extra/robots.txt", "User-agent: *\n")
    shows(made, "![A dot](dot.svg)\n\n```{literalinclude} code.py\n```\n\n{download}`data.csv`")
    more = 'html_static_path = ["_static"]\nhtml_css_files = ["site.css"]\nhtml_extra_path = ["extra"]\n'
    made.replace("conf.py", "project", f"{more}project")
    return made


@pytest.mark.parametrize(
    ("name", "content"),
    [("infra/dot.svg", DOT.format(8)), ("infra/code.py", "print(2)\n"), ("infra/data.csv", "c,d\n")],
)
def test_a_file_replaced_by_an_older_one_is_read_again(site: Project, name: str, content: str) -> None:
    site.build()
    site.write(name, content)
    age(site.source / name)
    assert differences(site) == set()


@pytest.mark.parametrize(
    ("name", "old", "new"), [("infra/one.md", "# One", "# Eno"), ("infra/code.py", "1", "2")]
)
def test_an_edit_that_leaves_size_and_time_as_they_were_is_seen(
    site: Project, name: str, old: str, new: str
) -> None:
    os.utime(site.source / name, (1, 1))  # as tools do that give every file the same time
    site.build()
    site.replace(name, old, new)
    os.utime(site.source / name, (1, 1))
    assert differences(site) == set()


def test_lab_values_from_an_older_file_are_read_again(project: Make) -> None:
    site = project("lab-values")
    site.build()
    site.replace("good/lab.json", "311.6", "312.7")
    age(site.source / "good/lab.json")
    assert differences(site) == set()
    assert "312.7" in site.build().text("good/index.html")


def test_a_document_taken_back_to_an_older_copy_is_read_again(site: Project) -> None:
    path = site.source / "infra/one.md"
    text, stat = path.read_text(encoding="utf-8"), path.stat()
    first = site.build().tree()
    site.replace("infra/one.md", "# One", "# Eins")
    site.build()
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert site.build().tree() == first


@pytest.mark.parametrize(
    ("link", "name", "content"),
    [
        ("[a page](new.md)", "infra/new.md", "---\norphan:\n---\n# New\n"),
        ("[a file](new.txt)", "infra/new.txt", "Text.\n"),
        ("[a file](/files/new.txt)", "files/new.txt", "Text.\n"),
    ],
)
def test_a_link_leads_to_what_appears_later(site: Project, link: str, name: str, content: str) -> None:
    site.replace("conf.py", "project", 'suppress_warnings = ["myst"]\nproject')
    shows(site, link)
    site.build()
    site.write(name, content)
    assert differences(site) == set()


def test_a_picture_named_without_ending_takes_the_better_one_that_appears(site: Project) -> None:
    png = bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc0000003010100"
        "18dd8db00000000049454e44ae426082"
    )
    (site.source / "infra/shot.png").write_bytes(png)
    shows(site, "![A shot](shot.*)")
    site.build()
    site.write("infra/shot.svg", DOT.format(7))
    assert differences(site) == set()
    assert "_images/shot.svg" in site.build().text("infra/two.html")
    (site.source / "infra/shot.svg").unlink()
    assert differences(site) == set()


def test_numbers_that_are_switched_off_are_gone(site: Project) -> None:
    site.replace("index.md", ":hidden:\n", ":hidden:\n:numbered:\n")
    numbered = site.build().text("infra/two.html")
    assert 'class="section-number"' in numbered
    site.replace("index.md", ":numbered:\n", "")
    assert differences(site) == set()
    assert 'class="section-number"' not in site.build().text("infra/two.html")


HARMED = {
    "infra/two.html": "change", "_images/dot.svg": "delete", "_sources/infra/two.md.txt": "truncate",
    "searchindex.js": "truncate", "objects.inv": "truncate", "tags/index.html": "delete",
    "tags/shared/index.html": "change", "archive/2026/index.html": "truncate", "_static/site.css": "change",
    "robots.txt": "delete", "search.html": "truncate", "genindex.html": "change", ".buildinfo": "truncate",
}  # fmt: skip
HARMS: dict[str, Callable[[Path], object]] = {
    "delete": Path.unlink,
    "truncate": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "change": lambda path: path.write_bytes(path.read_bytes()[:-2] + b"!!"),
}


@pytest.mark.parametrize(("name", "harm"), HARMED.items())
def test_a_harmed_file_comes_back(site: Project, name: str, harm: str) -> None:
    built = site.build_apart()
    tree = built.tree()
    HARMS[harm](built.out / name)
    again = site.build_apart()
    assert (again.tree(), again.warnings) == (tree, [])


@pytest.mark.parametrize("harm", HARMS)
def test_every_file_harmed_at_once_comes_back(site: Project, harm: str) -> None:
    built = site.build_apart()
    tree = built.tree()
    for name in tree:
        HARMS[harm](built.out / name)
    again = site.build_apart()
    assert again.tree() == tree


@pytest.mark.parametrize("name", ["_static/old.txt", "_static/site.css", "extra/robots.txt"])
def test_a_static_file_that_is_deleted_is_gone(site: Project, name: str) -> None:
    site.replace("conf.py", 'html_css_files = ["site.css"]', "")
    site.build()
    (site.source / name).unlink()
    assert differences(site) == set()


def test_a_static_file_that_came_and_went_is_gone(site: Project) -> None:
    first = site.build().tree()
    site.write("_static/new.txt", "New.\n")
    assert "_static/new.txt" in site.build().tree()
    (site.source / "_static/new.txt").unlink()
    assert site.build().tree() == first


def test_one_configuration_after_another_leaves_nothing(site: Project) -> None:
    site.build_apart(html_theme="alabaster")
    site.build_apart(html_theme="alabaster", html_title="Other")
    assert differences(site, html_theme="furo", html_title="Other") == set()
    assert differences(site, html_theme="furo", language="de") == set()
    assert differences(site, html_theme="furo", html_file_suffix=".xhtml") == set()


def test_harm_after_another_configuration_is_seen(site: Project) -> None:
    site.build_apart()
    tree = site.build_apart(html_title="Other").tree()
    for name in ("searchindex.js", "search.html", "genindex.html"):
        HARMS["truncate"](site.folder / "out/html" / name)
    assert site.build_apart(html_title="Other").tree() == tree


FAILS = """
def setup(app):
    def fail(app, doctree, docname):
        import pathlib
        if pathlib.Path(app.srcdir, "fail").exists():
            raise RuntimeError("asked to")
    app.connect("doctree-resolved", fail)
"""


def test_what_others_put_there_after_a_build_that_failed_stays(site: Project) -> None:
    path = site.source / "conf.py"
    path.write_text(path.read_text(encoding="utf-8") + FAILS, encoding="utf-8")
    out = site.build().out
    site.write("fail", "")
    site.replace("infra/two.md", "# Two", "# Deux")
    with pytest.raises(ExtensionError):
        site.build()
    (site.source / "fail").unlink()
    (out / "CNAME").write_text("example.org\n", encoding="utf-8")
    (out / "v2").mkdir()
    (out / "v2/index.html").write_text("2\n", encoding="utf-8")
    kept = site.build().tree()
    assert {"CNAME", "v2/index.html"} <= kept.keys()
    clean = site.build(to="clean").tree()
    assert {name: kept[name] for name in kept.keys() - {"CNAME", "v2/index.html"}} == clean


@pytest.mark.parametrize("lost", ["moved", "without doctrees"])
def test_a_post_withdrawn_without_a_record_is_gone(site: Project, lost: str) -> None:
    site.build()
    if lost == "moved":
        site.folder.rename(site.folder.with_name("elsewhere"))
        site.folder = site.folder.with_name("elsewhere")
        site.source = site.folder / "source"
    else:
        shutil.rmtree(site.folder / "out/doctrees")
    site.replace("infra/three.md", "# Three", "# ZEBRA")
    site.replace("infra/three.md", "date:", "draft: true\ndate:")
    tree = site.build().tree()
    assert not {"infra/three.html", "_sources/infra/three.md.txt"} & tree.keys()


def test_what_an_extension_writes_anew_stays_through_another_configuration(site: Project) -> None:
    site.replace("conf.py", '"sphinx_writing"', '"sphinx_writing", "sphinx.ext.githubpages"')
    site.build(html_baseurl="https://x.y")
    built = site.build(html_baseurl="https://x.y", html_title="Other")
    assert {".nojekyll", "CNAME"} <= built.tree().keys()


def test_a_template_folder_that_is_renamed_is_noticed(site: Project) -> None:
    site.replace("conf.py", "project", 'templates_path = ["_templates"]\nproject')
    site.write("_templates/writing/post-above.html", "<p>Ours</p>\n")
    site.write("_templates/static/more.html", "One\n")
    pages: dict[str, Any] = {"html_additional_pages": {"more": "static/more.html"}}
    site.build(**pages)
    site.write("_templates/static/more.html", "Two\n")
    assert differences(site, **pages) == set()
    (site.source / "_templates/writing").rename(site.source / "_templates/writing.off")
    assert differences(site, **pages) == set()
    assert "<p>Ours</p>" not in site.build(**pages).text("infra/two.html")


@pytest.mark.parametrize("name", ["site.css.jinja", "site.css_t", "linked/site.css"])
def test_a_changed_sheet_reaches_every_page_however_it_is_made(site: Project, name: str) -> None:
    shown = name.removesuffix(".jinja").removesuffix("_t")
    (site.source / "_static/site.css").unlink()
    (site.folder / "elsewhere").mkdir()
    (site.source / "_static/linked").symlink_to(site.folder / "elsewhere")
    site.write(f"_static/{name}", "a { color: red }\n")
    config: dict[str, Any] = {"html_css_files": [shown]}
    site.build_apart(**config)
    site.write(f"_static/{name}", "a { color: blue }\n")
    assert differences(site, **config) == set()


def test_the_number_of_a_page_above_is_shown_anew(site: Project) -> None:
    site.replace("index.md", ":hidden:\n", ":hidden:\n:numbered: 1\n")
    site.build(html_theme="alabaster")
    site.replace("index.md", ":numbered: 1\n", "")
    assert differences(site, html_theme="alabaster") == set()


@pytest.mark.parametrize(
    ("old", "new"), [(":hidden:\n", ":hidden:\n:numbered:\n"), (":hidden:\n", ":hidden:\n:titlesonly:\n")]
)
def test_a_theme_with_a_navigation_of_its_own_hears_of_options(site: Project, old: str, new: str) -> None:
    config: dict[str, Any] = {"html_theme": "alabaster", "writing_sidebar": False}
    shows(site, "## A heading")
    site.build(**config)
    site.replace("index.md", old, new)
    assert differences(site, **config) == set()


def test_pages_of_others_are_the_same_in_a_build_without_a_change(site: Project) -> None:
    site.write("mymod.py", '"""A module."""\ndef f():\n    """It."""\n')
    site.write("api.md", "# API\n\n```{eval-rst}\n.. automodule:: mymod\n   :members:\n```\n")
    site.replace("index.md", "guide\n", "guide\napi\n")
    path = site.source / "conf.py"
    text = path.read_text(encoding="utf-8").replace(
        '"sphinx_writing"', '"sphinx_writing", "sphinx.ext.autodoc", "sphinx.ext.viewcode"'
    )
    path.write_text(f"import sys\nsys.path.insert(0, {str(site.source)!r})\n{text}", encoding="utf-8")
    pages: dict[str, Any] = {"html_theme": "alabaster", "html_additional_pages": {"more": "page.html"}}
    first = site.build_apart(**pages).tree()
    assert "_modules/mymod.html" in first
    assert site.build_apart(**pages).tree() == first


def test_sources_in_another_encoding_may_list_a_draft(site: Project) -> None:
    text = "Old\n===\n\ncaf\xe9\n\n.. toctree::\n\n   draft\n"
    (site.source / "old.rst").write_bytes(text.encode("latin-1"))
    site.write("draft.md", "---\ndate: 2026-01-01\ndraft: true\n---\n# ZEBRA\n")
    site.replace("index.md", "guide\n", "guide\nold\n")
    built = site.build(source_encoding="latin-1")
    assert b"caf\xe9" in (built.out / "_sources/old.rst.txt").read_bytes()
    assert b"draft" not in (built.out / "_sources/old.rst.txt").read_bytes()


def test_a_file_that_somebody_else_put_there_stays(site: Project) -> None:
    out = site.build().out
    (out / "CNAME").write_text("example.org\n", encoding="utf-8")
    (out / "pagefind").mkdir()
    (out / "pagefind/index.js").write_text("1\n", encoding="utf-8")
    for theme in ("basic", "alabaster", "furo", "writing"):
        site.build(html_theme=theme)
        assert (out / "CNAME").is_file()
        assert (out / "pagefind/index.js").is_file()


CONFIGS: list[dict[str, Any]] = [
    {"html_theme": "furo"},
    {"html_use_index": False},
    {"html_copy_source": False},
    {"html_file_suffix": ".htm"},
    {"html_use_opensearch": "https://x.y", "html_baseurl": "https://x.y"},
    {"html_additional_pages": {"more": "page.html"}},
    {"language": "de"},
    {"project": "Another"},
    {"writing_as_of": "2026-01-05"},
    {"writing_preview": True},
    {"html_static_path": []},
]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: next(iter(config)))
def test_another_configuration_and_back(site: Project, config: dict[str, Any]) -> None:
    first = site.build_apart().tree()
    assert differences(site, **config) == set()
    assert site.build_apart().tree() == first


def test_a_theme_with_a_navigation_of_its_own_hears_of_every_title(site: Project) -> None:
    config: dict[str, Any] = {"html_theme": "furo", "writing_sidebar": False}
    site.write("infra/deep.md", "# Deep\n\nText.\n")
    shows(site, "```{toctree}\n:hidden:\n\ndeep\n```")
    site.build(**config)
    site.replace("infra/deep.md", "# Deep", "# Deeper")
    assert differences(site, **config) == set()
    out = site.build(**config).out
    assert "Deeper" in (out / "guide.html").read_text(encoding="utf-8")
    for page in out.rglob("*.html"):
        os.utime(page, (0, 0))  # then Sphinx writes them all again, though nothing has changed
    site.build(**config)
    site.replace("infra/deep.md", "# Deeper", "# Deepest")
    assert differences(site, **config) == set()


def test_a_build_without_a_change_writes_no_file(site: Project) -> None:
    def times() -> dict[str, int]:
        return {p.relative_to(out).as_posix(): p.stat().st_mtime_ns for p in out.rglob("*") if p.is_file()}

    out = site.build(html_theme="furo").out
    site.build(html_theme="furo")
    before = times()
    site.build(html_theme="furo")
    rewritten = {name for name, time in times().items() if before[name] != time}
    sphinxs_own = {".buildinfo", "objects.inv", "search.html"}
    assert {name for name in rewritten - sphinxs_own if not name.startswith("_static/")} == set()


def test_one_file_named_leaves_the_others_to_the_next_build(site: Project) -> None:
    def build(*names: str) -> None:
        command = [sys.executable, "-m", "sphinx", "-q", str(site.source), str(site.folder / "out"), *names]
        subprocess.run(command, check=True)

    build()
    site.replace("infra/two.md", "# Two", "# Deux")
    build(str(site.source / "infra/one.md"))
    build()
    kept = {p.relative_to(site.folder / "out"): p.read_bytes() for p in pages(site.folder / "out")}
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", str(site.source), str(site.folder / "new")], check=True
    )
    assert kept == {p.relative_to(site.folder / "new"): p.read_bytes() for p in pages(site.folder / "new")}


@pytest.mark.parametrize(
    "name", ["_sources/infra/two.md.txt", "infra/two.html", "searchindex.js", "_images/dot.svg"]
)
def test_harm_is_not_forgotten_over_a_build_of_one_file(site: Project, name: str) -> None:
    def build(*names: str) -> dict[str, bytes]:
        out = site.folder / "out"
        command = [sys.executable, "-m", "sphinx", "-q", "-d", str(site.folder / "trees"), str(site.source)]
        subprocess.run([*command, str(out), *names], check=True)
        return {p.relative_to(out).as_posix(): p.read_bytes() for p in pages(out)}

    first = build()
    (site.folder / "out" / name).unlink()
    build(str(site.source / "guide.md"))
    assert build() == first


def test_one_file_named_in_the_first_build_of_a_folder(site: Project) -> None:
    def build(into: str, *names: str) -> dict[str, bytes]:
        command = [sys.executable, "-m", "sphinx", "-q", "-d", str(site.folder / f"{into}-trees")]
        out = site.folder / into
        subprocess.run([*command, str(site.source), str(out), *names], check=True)
        return {p.relative_to(out).as_posix(): p.read_bytes() for p in pages(out)}

    shows(site, "```{index} pair: loop; statement\n```")
    build("out", str(site.source / "infra/one.md"))
    assert build("out") == build("new")


def pages(out: Path) -> list[Path]:
    """The files of an output folder, without the doctrees in it."""
    return [p for p in out.rglob("*") if p.is_file() and ".doctrees" not in p.parts]


ENDS_WHILE_READING = """
def setup(app):
    def end(app, doctree):
        import os
        if app.env.docname == "infra/three" and os.environ.get("END"):
            os._exit(9)
    app.connect("doctree-read", end)
"""


def test_what_a_killed_build_had_read_is_read_again(site: Project) -> None:
    def build(**environ: str) -> int:
        command = [sys.executable, "-m", "sphinx", "-q", str(site.source), str(site.folder / "out")]
        return subprocess.run(command, env={**os.environ, **environ}, check=False).returncode

    path = site.source / "conf.py"
    path.write_text(path.read_text(encoding="utf-8") + ENDS_WHILE_READING, encoding="utf-8")
    assert build() == 0
    first = {p: p.read_bytes() for p in pages(site.folder / "out")}
    texts = {
        site.source / name: (site.source / name).read_text(encoding="utf-8")
        for name in ("infra/one.md", "infra/three.md")
    }
    stats = {path: path.stat() for path in texts}
    for path, text in texts.items():
        path.write_text(text + "\nMore words.\n", encoding="utf-8")
    assert build(END="1") == 9
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(stats[path].st_atime_ns, stats[path].st_mtime_ns))
    site.replace("guide.md", "# Guide", "# Guide!")
    site.replace("infra/index.md", "label: Infra", "label: Infra!")
    assert build() == 0
    site.replace("guide.md", "# Guide!", "# Guide")
    site.replace("infra/index.md", "label: Infra!", "label: Infra")
    assert build() == 0
    assert {p: p.read_bytes() for p in pages(site.folder / "out")} == first


@pytest.mark.parametrize("option", ["-a", "-E"])
def test_all_pages_at_once_are_the_same(site: Project, option: str) -> None:
    def build(*options: str) -> dict[Path, bytes]:
        command = [sys.executable, "-m", "sphinx", "-q", *options, str(site.source), str(site.folder / "out")]
        subprocess.run(command, check=True)
        return {p: p.read_bytes() for p in pages(site.folder / "out")}

    site.write("infra/four.md", "---\ndate: 2026-02-01\ndraft: true\n---\n# ZEBRA\n")
    site.replace("infra/index.md", "three\n", "three\nfour\n")
    first = build()
    assert build(option) == first
    assert build() == first
