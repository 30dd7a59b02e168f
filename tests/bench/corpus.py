"""The sources that are built: one set of posts, written as a site of ours and for each of the others."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from . import gen_corpus

SEED = 7
PER_SERIES = 12

OURS_CONF = """project = "Bench"
author = "Bench"
extensions = ["sphinx_writing", "sphinx_design"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 3
html_theme = "furo"
html_baseurl = "https://bench.invalid/"
exclude_patterns = ["_build"]
writing_as_of = "2026-06-01"
"""
STOCK_CONF = gen_corpus.SPHINX_CONF
PICTURES = "_diagrams"
"""Where the extension keeps drawn diagrams, below the source folder."""

MENDED = """
# The whole sidebar is resolved once, on the first page; on the others only addresses are rewritten, as text.
import furo, posixpath, re
_memo = {}
def _nav(context):
    if "toctree" not in context:
        return ""
    me = context["pagename"] + ".html"
    if not _memo:
        html = context["toctree"](collapse=False, titles_only=True, maxdepth=-1, includehidden=True)
        plain = lambda m: 'class="%s"' % " ".join(c for c in m[1].split() if c != "current")
        base = posixpath.dirname(me)
        full = lambda m: 'href="@@%s"' % posixpath.normpath(posixpath.join(base, m[1]) if m[1] != "#" else me)
        html = re.sub(r'href="([^"]*)"', full, re.sub(r'class="([^"]*)"', plain, html))
        _memo["html"] = furo.get_navigation_tree.__wrapped__(html)
    html = _memo["html"].replace('href="@@%s"' % me, 'aria-current="page" href="@@%s"' % me)
    return html.replace('"@@', '"' + "../" * me.count("/"))
furo._compute_navigation_tree = _nav
"""
"""What is appended to the conf.py of stock Sphinx with furo for the flavour `mended`; no config value differs."""


@dataclass(frozen=True)
class Source:
    """A source folder that has been written, and the post in it that gets edited."""

    folder: Path
    edited: Path
    text: str

    def edit_body(self) -> None:
        """Change one paragraph of the post as it was written."""
        self.edited.write_text(with_body_edited(self.text), encoding="utf-8")

    def edit_title(self) -> None:
        """Change the title of the post as it was written."""
        self.edited.write_text(with_title_edited(self.text), encoding="utf-8")

    def take_back(self) -> None:
        """Put the post back as it was written."""
        self.edited.write_text(self.text, encoding="utf-8")


def with_body_edited(text: str) -> str:
    """A post with a word added to one of its paragraphs."""
    return text.replace("\n\n## Reading the code", " Edited.\n\n## Reading the code", 1)


def with_title_edited(text: str) -> str:
    """A post with a word added to its title, which is a heading or a field."""
    return re.sub(r'^(# .*|title: ".*)(\(\d{4}\))', r"\1Renamed \2", text, count=1, flags=re.MULTILINE)


def source(folder: Path, edited: Path) -> Source:
    """The source in *folder*, of which *edited* is the post to edit."""
    return Source(folder, edited, edited.read_text(encoding="utf-8"))


def posts(count: int, series: int | None = None) -> list[gen_corpus.Post]:
    """The first *count* posts, 12 to a series; of *series* series the last takes all the rest."""
    made = [gen_corpus.Post(SEED, i, PER_SERIES) for i in range(count)]
    for post in made:
        post.series = post.series if series is None else min(post.series, series - 1)
    return made


def series_of(count: int) -> int:
    """How many series *count* posts make."""
    return -(-count // PER_SERIES)


def write_plain(form: str, folder: Path, count: int, themes: Path) -> Source:
    """The posts as a site of stock Sphinx, MkDocs or Hugo, which is how the generator writes them."""
    made = gen_corpus.make(form, count, folder, SEED, PER_SERIES, str(themes))
    return source(folder, folder / made["edit"])


def write_ours(folder: Path, count: int, series: int | None = None) -> Source:
    """The posts as a site of ours: front matter, series pages and a Writing index."""
    shutil.rmtree(folder, ignore_errors=True)
    made = posts(count, series)
    for post in made:
        gen_corpus.write(folder / address(post), page(post, made))
    for number in sorted({post.series for post in made}):
        mine = [post.slug for post in made if post.series == number]
        gen_corpus.write(folder / f"s{number:03d}/index.md", series_page(number, mine))
    write_front(folder, max(post.series for post in made) + 1)
    return source(folder, folder / address(made[count // 2]))


def write_front(folder: Path, series: int) -> None:
    """The configuration, the root page and the Writing index of a site of ours."""
    entries = "".join(f"s{number:03d}/index\n" for number in range(series))
    toctree = f"```{{toctree}}\n:caption: Series\n:maxdepth: 1\n\nwriting\n{entries}```\n"
    gen_corpus.write(folder / "conf.py", OURS_CONF)
    gen_corpus.write(folder / "index.md", f"# Bench\n\nA corpus.\n\n{toctree}")
    gen_corpus.write(folder / "writing.md", "# Writing\n\n```{writing}\n:feature:\n:filter:\n```\n")


def write_one_page(folder: Path, conf: str) -> None:
    """A project of one page, whose build is all start-up."""
    shutil.rmtree(folder, ignore_errors=True)
    gen_corpus.write(folder / "conf.py", conf)
    gen_corpus.write(folder / "index.md", "# Bench\n\nA page.\n")


def write_pictures(folder: Path, count: int) -> None:
    """A page of ours with each diagram that *count* posts have; drawings that are there stay."""
    found = {str(x) for post in posts(count) for kind, x in post.blocks if kind == "mermaid"}
    fences = "\n".join(with_alt(f"```{{mermaid}}\n{diagram}\n```\n") for diagram in sorted(found))
    gen_corpus.write(folder / "conf.py", OURS_CONF)
    gen_corpus.write(folder / "index.md", f"# Pictures\n\n{fences}")


def address(post: gen_corpus.Post) -> str:
    """The file of *post* below the source folder."""
    return f"s{post.series:03d}/{post.slug}.md"


def page(post: gen_corpus.Post, all_posts: list[gen_corpus.Post]) -> str:
    """*post* as a page of ours."""

    def href(index: int) -> str:
        target = all_posts[min(index, len(all_posts) - 1)]
        return f"{target.slug}.md" if target.series == post.series else f"../{address(target)}"

    summary = gen_corpus.q(post.description.replace("`", "").replace("*", ""))
    front = f"---\ndate: {post.date}\ntags: [{', '.join(post.tags)}]\nsummary: {summary}\n---\n"
    return f"{front}\n# {post.title}\n\n{with_alt(gen_corpus.body(post, 'sphinx', href))}"


def with_alt(text: str) -> str:
    """*text* with an alternative text for each diagram, without which the extension warns."""
    return text.replace("```{mermaid}\n", "```{mermaid}\n:alt: Six boxes joined by labelled arrows.\n\n")


def series_page(number: int, slugs: list[str]) -> str:
    """The page of a series, which lists its posts."""
    label = gen_corpus.series_name(number)
    category = gen_corpus.SERIES_NAMES[number % len(gen_corpus.SERIES_NAMES)]
    fields = f"  key: s{number:03d}\n  label: {label}\n  category: {category}\n"
    front = f"---\nseries:\n{fields}  description: The parts of {label}.\n---\n"
    entries = "".join(f"{slug}\n" for slug in slugs)
    return f"{front}# {label}\n\nThe parts of this series.\n\n```{{toctree}}\n:maxdepth: 1\n\n{entries}```\n"
