"""A small site as a value: an edit makes another value, and a value is written out as files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from hypothesis import strategies as st

from sphinx_writing.sphinx_ext.drawing import digest

TITLES = ("Plain", "With `code` & <b>marks</b>", "A *bold* claim", "注意力", "Formula $x_1$")
BODIES = (
    "A first body.",
    "A second body, which has some more words than the first.",
    "A third body.\n\n## A heading\n\nBelow it.\n\n### One below that\n\nAnd more.",
    "A fourth body.\n\n```{index} pair: loop; {slug}\n```\n\n```{math}\n:label: eq-{slug}\na = b\n```",
    "A fifth body, with a note.[^n]\n\n[^n]: The note.\n\n```python\nprint('{slug}')\n```",
    "A first bode.",  # as long as the first
    "A formula $\\frac{a}{b}$, a macro $\\m{x}$.\n\n$$\nc &= d \\\\\ne &= f\n$$ (eq-{slug})",
    "A fault.\n\n$$\na\n\\nosuch\n$$",
)
TAGS = ("alpha", "Beta", "C++", "C#", "näh")
TERMS = (
    "",
    "body\n  What has words. See {post}`one/a`.\n\n",
    "second body\nbody\n  It is $x$.\n\nfifth\n  A number.\n\n",
)
"""Terms of the glossary beside the one that stands in no note."""
DIAGRAMS = ("", "flowchart LR\n  A --> B", "flowchart LR\n  A --> C")
"""None, and two whose drawings are there: to draw takes longer than to build."""
REDIRECTS = ("", "redirect_from: [/old/{slug}/]", "redirect_from: [/Old/{slug}, /same.html, /one/a.html]")
"""None, one of its own, and several whose places others may have."""
SERIES = ("one", "two")
SLUGS = "abcdef"
PUBLISHED = 5
"""The last day that is published at first."""


@dataclass(frozen=True)
class Note:
    """A post of the corpus; ``there`` says whether it is written, so that it can come back as it was.

    ``first``, ``link`` and ``see`` name other notes: to read first, by ``{post}``, by ``[](x.md)``.
    ``figure``, ``dark``, ``download`` and ``include`` are what the files beside it hold; 0 is no such file
    and no mention of it, and with ``files`` False they are mentioned and missing. ``diagram`` is the one it has,
    ``redirect`` the addresses that it had.
    """

    there: bool = True
    series: str = "one"
    folder: bool = False
    renamed: bool = False
    child: bool = False
    place: int = 0
    title: int = 0
    body: int = 0
    summary: bool = False
    tags: tuple[str, ...] = ("alpha",)
    day: int = 1
    draft: bool = False
    first: str = ""
    link: str = ""
    see: str = ""
    figure: int = 0
    dark: int = 0
    download: int = 0
    include: int = 0
    lab: int = 0
    diagram: int = 0
    unlinked: bool = False
    redirect: int = 0
    files: bool = True


@dataclass(frozen=True)
class Config:
    """What ``conf.py`` says. The moment ``as_of`` stands there, or with ``epoch`` in the environment."""

    title: int = 0
    copyright: int = 0
    theme: str = "basic"
    options: bool = False
    as_of: int = PUBLISHED
    epoch: bool = False
    preview: bool = False
    numfig: bool = True
    macro: int = 0
    sourcelink: bool = True
    copy_source: bool = True
    edit: int = 0
    index: bool = True
    search: str = "pagefind"
    baseurl: bool = False
    cards: bool = False
    map: bool = True
    feed: int = 20
    glossary: bool = True
    previews: bool = True

    def text(self) -> str:
        """The text of ``conf.py``."""
        lines = [
            'extensions = ["sphinx_writing"]',
            'project, version, language = "Corpus", "1", "en"',
            f'copyright = "The authors {self.copyright}"',
            f'html_title = "Title {self.title}"',
            f'html_theme = "{self.theme}"',
            f"html_theme_options = {self.theme_options()!r}",
            f"writing_preview = {self.preview}",
            f"numfig = {self.numfig}",
            f"html_show_sourcelink = {self.sourcelink}",
            f"html_copy_source = {self.copy_source}",
            f"html_use_index = {self.index}",
            f'writing_search = "{self.search}"',
            f"writing_feed_entries = {self.feed}",
            f'html_baseurl = "{"https://example.org/x" if self.baseurl else ""}"',
            f"writing_map = {self.map}",
            f'writing_glossary = "{"guide" if self.glossary else ""}"',
            f"writing_previews = {self.previews}",
            f"writing_social_cards = {self.cards and self.baseurl}",
            f"writing_markdown = {self.baseurl}",
            'templates_path, html_static_path, html_css_files = ["_templates"], ["_static"], ["x.css"]',
            'html_extra_path = ["_own"]',
            'myst_enable_extensions = ["dollarmath"]',
            'html_math_renderer = "katex"',
            'writing_paths = "paths.yaml"',
            f'writing_edit_url = "{f"https://example.org/{self.edit}/{{path}}" if self.edit else ""}"',
            f'writing_math_macros = {{"m": ("{self.macro} #1", 1)}}',
        ]
        if not self.epoch:
            lines.append(f'writing_as_of = "2026-01-{self.as_of:02}"')
        return "\n".join(lines) + "\n"

    def theme_options(self) -> dict[str, str]:
        """An option that the theme has."""
        names = {
            "basic": "nosidebar",
            "alabaster": "description",
            "furo": "announcement",
            "writing": "announcement",
        }
        return {names[self.theme]: "true"} if self.options else {}

    def environment(self) -> dict[str, str]:
        """The environment of a build: noon of the day, as Sphinx dates the PDF and the EPUB by it too."""
        return {"SOURCE_DATE_EPOCH": str(1767268800 + 86400 * (self.as_of - 1))}


@dataclass(frozen=True)
class Corpus:
    """The whole site: its notes by slug, and all else that can change; 0 is a file that is not there."""

    notes: Mapping[str, Note] = field(
        default_factory=lambda: MappingProxyType(
            {s: Note(there=i <= 4, day=min(i, 4), place=i, link="ab"[i % 2]) for i, s in enumerate(SLUGS, 1)}
        )
    )
    config: Config = Config()
    heading: int = 0
    lab: int = 1
    source: int = 1
    measured: int = 0
    css: int = 1
    extra: int = 0
    template: int = 0
    layout: int = 0
    numbered: bool = False
    hidden: bool = False
    glob: bool = False
    paths: int = 1
    robots: int = 0
    terms: int = 0

    def change(self, name: str, value: object) -> Corpus:
        """The corpus with another value at *name*: a field, or ``config.title``, or ``a.body`` of a note."""
        owner, _, inner = name.rpartition(".")
        new: Any = tuple(value) if isinstance(value, list) else value
        if owner == "config":
            return replace(self, config=replace(self.config, **{inner: new}))
        if owner:
            return replace(self, notes={**self.notes, owner: replace(self.notes[owner], **{inner: new})})
        return replace(self, **{inner: new})

    def files(self) -> dict[str, bytes]:
        """The source files."""
        return {name: text.encode() for name, text in self._files()}

    def _files(self) -> Iterator[tuple[str, str]]:
        yield "conf.py", self.config.text()
        yield "index.md", self._index()
        yield "guide.md", self._guide()
        for key in SERIES:
            yield f"{key}/index.md", self._series(key)
        for slug in self._present():
            yield from self._beside(slug)
            yield f"{self._address(slug)}.md", self._note(slug)
        for source in DIAGRAMS[1:]:
            yield from drawing_of(source)
        if self.css:
            yield "_static/x.css", f"/* {self.css} */\n"
        if self.extra:
            yield "_static/more/extra.txt", f"Extra {self.extra}.\n"
        if self.paths:
            posts = [self._post(slug) for slug in "abcdef"[: self.paths + 1]]
            yield "paths.yaml", f"- key: x\n  question: Why {self.paths}?\n  posts: [{', '.join(posts)}]\n"
        if self.robots:
            yield "_own/robots.txt", f"# Ours {self.robots}\n"
        if self.template:
            yield (
                "_templates/writing/post-above.html",
                f"<p>Ours {self.template}: {{{{ view.post.card.title|plain }}}}</p>\n",
            )
        if self.layout:
            yield (
                "_templates/page.html",
                f'{{% extends "!page.html" %}}\n{{% block htmltitle %}}<title>Ours {self.layout}</title>{{% endblock %}}\n',
            )

    def _present(self) -> list[str]:
        """The notes that are there, in reading order."""
        return sorted(
            (s for s, note in self.notes.items() if note.there), key=lambda s: (self.notes[s].place, s)
        )

    def _address(self, slug: str) -> str:
        """The docname of the note *slug*."""
        note = self.notes[slug]
        name = f"{slug}-new" if note.renamed else slug
        return f"{note.series}/{name}/index" if note.folder else f"{note.series}/{name}"

    def _index(self) -> str:
        return (
            "# Home\n\n```{writing}\n:style: sentence\n```\n\n```{writing}\n:feature:\n:filter:\n:group: series\n```\n\n"
            "```{writing}\n:style: paths\n:limit: 1\n```\n\nOf {writing}`count`.\n\n"
            f"```{{toctree}}\n:maxdepth: 3\n{':numbered:' if self.numbered else ''}\n\none/index\ntwo/index\nguide\n```\n"
        )

    def _guide(self) -> str:
        to = "".join(f"\n- {{doc}}`/{self._address(s)}` and {{post}}`{self._post(s)}`" for s in "ab")
        return (
            f"# Guide\n\n(place)=\n## Heading {self.heading}\n\nSee:\n{to}\n\n"
            f"```{{glossary}}\n{TERMS[self.terms]}gadget\n  A thing.\n```\n"
        )

    def _series(self, key: str) -> str:
        mine = [
            self._address(s).removeprefix(f"{key}/") for s in self._present() if self.notes[s].series == key
        ]
        options = (":glob:\n" if self.glob else "") + (":hidden:\n" if self.hidden else "")
        entries = "*\n*/index" if self.glob else "\n".join(mine)
        return (
            f"---\nseries: {{key: {key}, label: {key.title()}}}\n---\n# {key.title()}\n\n"
            f"```{{toctree}}\n{options}\n{entries}\n```\n"
        )

    def _post(self, slug: str) -> str:
        return self._address(slug).removesuffix("/index")

    def _path(self, slug: str, name: str) -> str:
        """The path of a file beside a note."""
        return f"{self._address(slug).rpartition('/')[0]}/{slug}-{name}"

    def _beside(self, slug: str) -> Iterator[tuple[str, str]]:
        """The files beside a note, and the page in its folder."""
        note = self.notes[slug]
        svg = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="9"/>\n'
        yield (
            f"{self._address(slug).rpartition('/')[0]}/lab.json",
            (
                f'{{"x": {{"value": {self.lab}, "unit": "GB"}},\n'
                f'"t": {{"columns": [{{"head": "n"}}], "rows": [[{self.lab}], ["{self.heading}"]]}}}}\n'
            ),
        )
        if self.source:
            folder = self._address(slug).rpartition("/")[0]
            yield f"{folder}/lab.py", f"{'# more' * (self.source - 1)}\ndef f():\n    return {self.source}\n"
        if self.measured:
            yield (
                f"{self._address(slug).rpartition('/')[0]}/measured.json",
                f'{{"machine": "M{self.measured}", "date": "2026-01-01", "command": "run", '
                f'"values": {{"w": {{"value": {self.measured}, "unit": "s"}}}}}}\n',
            )
        if note.folder and note.child:
            yield f"{self._post(slug)}/child.md", f"---\norphan:\n---\n# A child of {slug}\n\nText.\n"
        if not note.files:
            return
        if note.figure:
            yield self._path(slug, "dot.svg"), svg.format(note.figure)
            yield self._path(slug, "dot.png"), f"PNG {note.figure}"
        if note.figure and note.dark:
            yield self._path(slug, "dot-dark.svg"), svg.format(note.dark + 10)
        if note.download:
            yield self._path(slug, "data.csv"), f"a,{note.download}\n"
        if note.include:
            yield self._path(slug, "code.py"), f"print({note.include})\n"

    def _note(self, slug: str) -> str:
        note = self.notes[slug]
        lines = [f"date: 2026-01-{note.day:02}", f"tags: [{', '.join(repr(t) for t in note.tags)}]"]
        lines += ["draft: true"] if note.draft else []
        lines += ["unlinked_terms: all"] if note.unlinked else []
        lines += [f"summary: Summary of {slug}."] if note.summary else []
        lines += [f"prerequisites: [{self._post(note.first)}]"] if note.first not in ("", slug) else []
        lines += REDIRECTS[note.redirect].replace("{slug}", slug).splitlines()
        text = "\n\n".join(self._body(slug, note))
        return "---\n" + "\n".join(lines) + f"\n---\n# {TITLES[note.title]} {slug}\n\n{text}\n"

    def _body(self, slug: str, note: Note) -> Iterator[str]:
        yield BODIES[note.body].replace("{slug}", slug)
        yield "It has {lab}`x`, {ref}`place`, {numref}`fig-a` and {eq}`eq-b`."
        if note.link not in ("", slug):
            yield f"It leads to {{post}}`{self._post(note.link)}` in a sentence."
        if note.see not in ("", slug):
            yield f"See [](/{self._address(note.see)}.md) and [the end](/{self._address(note.see)}.md#a-heading)."
        if note.figure:
            yield f"```{{figure}} {slug}-dot.svg\n:alt: A dot.\n:name: fig-{slug}\n\nA caption.\n```"
            yield f"![Another]({slug}-dot.png)"
        if note.download:
            yield f"{{download}}`{slug}-data.csv`"
        if note.include:
            yield f"```{{literalinclude}} {slug}-code.py\n```"
        if note.lab:
            yield f"```{{lab-table}} t\n:name: tab-{slug}\n```\n\n```{{lab-source}} f\n```"
            yield (
                f"```{{calculator}} c\n:name: calc-{slug}\n\ninputs:\n  a: {{label: A, range: [0, 9], default: {note.lab}}}\n"
                "outputs:\n  b: {label: B, unit: GB, value: 2 * a, lab: f}\n```"
            )
        if note.lab == 4:
            yield "It took {measured}`w`.\n\n```{measured}\n```"
        if note.diagram:
            yield f"```{{mermaid}}\n:alt: A flow.\n:caption: Of {slug}.\n\n{DIAGRAMS[note.diagram]}\n```"


def drawing_of(source: str) -> Iterator[tuple[str, str]]:
    """What lies in the folder of drawings for *source*."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><desc>{digest(source)}</desc></svg>\n'
    )
    yield f"_diagrams/{digest(source)}.svg", svg
    yield f"_diagrams/{digest(source)}-dark.svg", svg
    yield f"_diagrams/{digest(source)}.pdf", f"%PDF-1.4\n% {digest(source)}\n%%EOF\n"


Edit = tuple[str, object]
"""The name of a field, as :meth:`Corpus.change` takes it, and its new value."""


_flags: st.SearchStrategy[Any] = st.booleans()
_slugs: st.SearchStrategy[Any] = st.sampled_from(["", *"abcde"])
_content: st.SearchStrategy[Any] = st.sampled_from([0, 4, 5])
_version: st.SearchStrategy[Any] = st.sampled_from([0, 1, 2])

_NOTE: dict[str, st.SearchStrategy[Any]] = {
    "there": _flags,
    "series": st.sampled_from(SERIES),
    "folder": _flags,
    "renamed": _flags,
    "child": _flags,
    "place": st.integers(0, 7),
    "title": st.integers(0, len(TITLES) - 1),
    "body": st.integers(0, len(BODIES) - 1),
    "summary": _flags,
    "tags": st.lists(st.sampled_from(TAGS), unique=True, max_size=3).map(tuple),
    "day": st.sampled_from([1, 3, 5, 6, 9]),
    "draft": _flags,
    "first": _slugs,
    "link": _slugs,
    "see": _slugs,
    "figure": _content,
    "dark": _content,
    "download": _content,
    "include": _content,
    "lab": _content,
    "diagram": _version,
    "unlinked": _flags,
    "redirect": _version,
    "files": _flags,
}
_SITE: dict[str, st.SearchStrategy[Any]] = {
    "heading": _version,
    "lab": st.sampled_from([1, 2, 3]),
    "source": _version,
    "measured": _version,
    "css": _version,
    "extra": _version,
    "template": _version,
    "layout": _version,
    "numbered": _flags,
    "hidden": _flags,
    "glob": _flags,
    "paths": _version,
    "robots": _version,
    "terms": _version,
}
_CONFIG: dict[str, st.SearchStrategy[Any]] = {
    "title": _version,
    "copyright": _version,
    "theme": st.sampled_from(["basic", "alabaster", "furo", "writing"]),
    "options": _flags,
    "as_of": st.sampled_from([2, 5, 7]),
    "epoch": _flags,
    "preview": _flags,
    "numfig": _flags,
    "macro": _version,
    "sourcelink": _flags,
    "copy_source": _flags,
    "edit": _version,
    "index": _flags,
    "search": st.sampled_from(["", "pagefind"]),
    "baseurl": _flags,
    "cards": _flags,
    "map": _flags,
    "feed": st.sampled_from([1, 3, 20]),
    "glossary": _flags,
    "previews": _flags,
}


def _one_of(fields: dict[str, st.SearchStrategy[Any]], owners: Sequence[str]) -> st.SearchStrategy[Edit]:
    """An edit of one of *fields* of one of *owners*."""
    names = st.sampled_from(sorted(fields))
    return st.tuples(st.sampled_from(owners), names).flatmap(
        lambda drawn: st.tuples(st.just(".".join(filter(None, drawn))), fields[drawn[1]])
    )


_KINDS = [_one_of(_NOTE, "aaabbcdef")] * 8 + [_one_of(_SITE, [""])] * 4 + [_one_of(_CONFIG, ["config"])]

edits: st.SearchStrategy[Edit] = st.integers(0, len(_KINDS) - 1).flatmap(_KINDS.__getitem__)
"""One edit, drawn by hypothesis; few of the configuration, as these have every page read or written again."""
