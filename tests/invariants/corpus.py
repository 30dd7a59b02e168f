"""A small site as a value: an edit makes another value, and a value is written out as files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from hypothesis import strategies as st

DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="9"/>\n'
TITLES = ("Plain", "With `code` & <b>marks</b>", "A *bold* claim", "注意力", "Formula $x_1$")
TAGS = ("alpha", "Beta", "C++", "C#", "näh")
SERIES = ("one", "two")


@dataclass(frozen=True)
class Note:
    """A post of the corpus."""

    series: str = "one"
    folder: bool = False
    title: int = 0
    body: int = 0
    summary: bool = False
    tags: tuple[str, ...] = ("alpha",)
    day: int = 1
    draft: bool = False
    first: str = ""
    link: str = ""
    figure: int = 0


@dataclass(frozen=True)
class Corpus:
    """The whole site: its notes by slug, in reading order, and all else that can change."""

    notes: Mapping[str, Note] = field(
        default_factory=lambda: {s: Note(day=i) for i, s in enumerate("abcd", 1)}
    )
    heading: int = 0
    lab: int = 1
    static: int = 1
    template: bool = False
    config: int = 0

    def address(self, slug: str) -> str:
        """The docname of the note *slug*."""
        note = self.notes[slug]
        return f"{note.series}/{slug}/index" if note.folder else f"{note.series}/{slug}"

    def files(self) -> dict[str, str]:
        """The source files."""
        made = {
            "conf.py": self._conf(),
            "index.md": self._index(),
            "guide.md": self._guide(),
            "_static/x.css": f"/* {self.static} */\n",
        }
        for key in SERIES:
            made[f"{key}/index.md"] = self._series(key)
        for slug, note in self.notes.items():
            path = self.address(slug)
            made[f"{path}.md"] = self._note(slug, note)
            if note.figure:
                made[f"{path.rpartition('/')[0]}/{slug}-dot.svg"] = DOT.format(size=note.figure)
            made[f"{path.rpartition('/')[0]}/lab.json"] = f'{{"x": {{"value": {self.lab}, "unit": "GB"}}}}\n'
        if self.template:
            made["_templates/writing/post-above.html"] = "<p>Ours: {{ view.post.card.title|plain }}</p>\n"
        return made

    def _conf(self) -> str:
        return (
            'extensions = ["sphinx_writing"]\nhtml_theme = "basic"\nproject = "Corpus"\ncopyright = "2026"\n'
            'version = "1"\nwriting_as_of = "2026-01-05"\ntemplates_path = ["_templates"]\nnumfig = True\n'
            'html_static_path = ["_static"]\nhtml_css_files = ["x.css"]\nsuppress_warnings = ["toc.not_included"]\n'
            'myst_enable_extensions = ["dollarmath"]\nhtml_math_renderer = "mathml"\n'
            f'html_title = "Title {self.config}"\n'
        )

    def _index(self) -> str:
        return (
            "# Home\n\n```{writing}\n:style: sentence\n```\n\n```{writing}\n:feature:\n:group: series\n```\n\n"
            "```{toctree}\n:maxdepth: 3\n\none/index\ntwo/index\nguide\n```\n"
        )

    def _guide(self) -> str:
        first = next(iter(self.notes), "")
        see = f"See {{doc}}`{self.address(first)}`." if first and not self._hidden(first) else "Nothing."
        return f"# Guide\n\n(place)=\n## Heading {self.heading}\n\n{see}\n"

    def _hidden(self, slug: str) -> bool:
        return self.notes[slug].draft or self.notes[slug].day > 5

    def _series(self, key: str) -> str:
        entries = "\n".join(
            self.address(slug).removeprefix(f"{key}/")
            for slug, note in self.notes.items()
            if note.series == key
        )
        return f"---\nseries: {{key: {key}, label: {key.title()}}}\n---\n# {key.title()}\n\n```{{toctree}}\n{entries}\n```\n"

    def _note(self, slug: str, note: Note) -> str:
        lines = [f"date: 2026-01-{note.day:02}", f"tags: [{', '.join(repr(t) for t in note.tags)}]"]
        lines += ["draft: true"] if note.draft else []
        lines += [f"summary: Summary of {slug}."] if note.summary else []
        if note.first in self.notes and note.first != slug and not self._hidden(note.first):
            lines.append(f"prerequisites: [{self.address(note.first).removesuffix('/index')}]")
        body = [f"Body {note.body} of {slug} with {{lab}}`x` and {{ref}}`place`."]
        if note.link in self.notes and note.link != slug and not self._hidden(note.link):
            body.append(
                f"It leads to {{post}}`{self.address(note.link).removesuffix('/index')}` in a sentence."
            )
        if note.figure:
            body.append(f"```{{figure}} {slug}-dot.svg\n:alt: A dot.\n:name: fig-{slug}\n\nA caption.\n```")
        text = "\n\n".join(body)
        return "---\n" + "\n".join(lines) + f"\n---\n# {TITLES[note.title]} {slug}\n\n{text}\n"

    def write(self, folder: Path) -> None:
        """Make *folder* hold exactly these files, touching only what differs."""
        wanted = self.files()
        for path in [p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts]:
            if path.relative_to(folder).as_posix() not in wanted:
                path.unlink()
        for name, text in wanted.items():
            path = folder / name
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")


Edit = Callable[[Corpus], Corpus]


def change(slug: str, **fields: object) -> Edit:
    """Change *fields* of a note, if it is there."""

    def edit(corpus: Corpus) -> Corpus:
        note = corpus.notes.get(slug)
        if note is None:
            return corpus
        return replace(corpus, notes={**corpus.notes, slug: replace(note, **fields)})  # type: ignore[arg-type]

    edit.__name__ = f"{slug}:{fields}"
    return edit


def delete(slug: str) -> Edit:
    """Delete a note."""

    def edit(corpus: Corpus) -> Corpus:
        return replace(corpus, notes={s: n for s, n in corpus.notes.items() if s != slug})

    edit.__name__ = f"delete {slug}"
    return edit


def restore(slug: str) -> Edit:
    """Add a note, or bring it back as it was at first, at the end."""

    def edit(corpus: Corpus) -> Corpus:
        return replace(corpus, notes={**corpus.notes, slug: corpus.notes.get(slug, Note(day=2))})

    edit.__name__ = f"restore {slug}"
    return edit


def to_front(slug: str) -> Edit:
    """Move a note to the front of the reading order."""

    def edit(corpus: Corpus) -> Corpus:
        if slug not in corpus.notes:
            return corpus
        rest = {s: n for s, n in corpus.notes.items() if s != slug}
        return replace(corpus, notes={slug: corpus.notes[slug], **rest})

    edit.__name__ = f"{slug} to the front"
    return edit


def around(**fields: object) -> Edit:
    """Change something that is no note."""

    def edit(corpus: Corpus) -> Corpus:
        return replace(corpus, **fields)  # type: ignore[arg-type]

    edit.__name__ = f"{fields}"
    return edit


slugs = st.sampled_from("abcdef")


def one_of(name: str, values: st.SearchStrategy[object]) -> st.SearchStrategy[Edit]:
    """The edits that set the field *name* of a note."""
    return st.builds(lambda slug, value: change(slug, **{name: value}), slugs, values)


edits: st.SearchStrategy[Edit] = st.one_of(
    one_of("body", st.integers(0, 3)),
    one_of("title", st.integers(0, len(TITLES) - 1)),
    one_of("summary", st.booleans()),
    one_of("tags", st.lists(st.sampled_from(TAGS), unique=True, max_size=3).map(tuple)),
    one_of("day", st.sampled_from([1, 3, 5, 6, 9])),
    one_of("draft", st.booleans()),
    one_of("series", st.sampled_from(SERIES)),
    one_of("folder", st.booleans()),
    one_of("first", slugs),
    one_of("link", slugs),
    one_of("figure", st.sampled_from([0, 4, 8])),
    st.builds(delete, slugs),
    st.builds(restore, slugs),
    st.builds(to_front, slugs),
    st.builds(lambda n: around(heading=n), st.integers(0, 3)),
    st.builds(lambda n: around(lab=n), st.integers(1, 3)),
    st.builds(lambda n: around(static=n), st.integers(1, 3)),
    st.builds(lambda n: around(template=n), st.booleans()),
    st.builds(lambda n: around(config=n), st.integers(0, 1)),
)
"""One edit, drawn by hypothesis."""
