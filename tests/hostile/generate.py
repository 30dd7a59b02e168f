"""Two thousand hostile sources: each is a good post with named things done to it, the same in every run.

First every mutation is tried alone, so that what fails is small; then two or three at once. The name of a
source says what was done: ``date: week``, or ``fence: tilted + encoding: crlf``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

COUNT = 2000
FIELDS_TRIED = 4
"""In how many fields each odd value is tried alone, beside those where its kind matters most."""
TRIED_TOO = {
    "type": ("date", "draft", "series"),
    "date": ("date", "updated"),
    "character": ("summary", "tags"),
    "markup": ("summary", "tags", "title"),
}


@dataclass(frozen=True)
class Note:
    """A post in pieces, so that each mutation can spoil one of them; *fields* are as the author writes them."""

    number: int
    fields: Mapping[str, str]
    heading: str
    before: str = ""
    opening: str = "---"
    extra: str = ""
    closing: str = "---\n"
    newline: str = "\n"
    encode: Callable[[str], bytes] = str.encode

    @property
    def word(self) -> str:
        """The word that only this post has: in its title, its summary and its text."""
        return f"body{self.number:04}x"

    def block(self) -> str:
        """The lines of the front matter."""
        lines = (
            f"{name}:{value}" if value[:1] in ("", "\n") else f"{name}: {value}"
            for name, value in self.fields.items()
        )
        return "".join(f"{line}\n" for line in lines) + self.extra

    def text(self) -> str:
        """The source, with what stands for its number filled in."""
        front = f"{self.before}{self.opening}\n{self.block()}{self.closing}"
        text = f"{front}# {self.heading}\n\nThe text of {self.word}.\n"
        return text.replace("NNNN", f"{self.number:04}").replace("\n", self.newline)

    def source(self) -> bytes:
        """The source as it lies on the disk."""
        return self.encode(self.text())


Mutation = Callable[[Note], Note]


@dataclass(frozen=True)
class Hostile:
    """One source and what was done to it."""

    name: str
    word: str
    done: tuple[str, ...]
    source: bytes

    @property
    def plain(self) -> bool:
        """Whether it is rightly no post: nothing that is left says that it should be one."""
        return not PLAIN.isdisjoint(self.done)

    @property
    def hidden(self) -> bool:
        """Whether it says in its front matter that it must not be published."""
        return "hidden" in self.kinds and NO_FRONT_MATTER.isdisjoint(self.done)

    @property
    def kinds(self) -> set[str]:
        """The kinds of mutation it has seen."""
        return {name.split(": ")[0] for name in self.done}


def good(number: int) -> Note:
    """A post in which nothing is wrong."""
    word = f"body{number:04}x"
    fields = {
        "date": f"2026-0{1 + number % 9}-1{number % 7}",
        "summary": f"A summary of {word}, with `code`.",
        "tags": f"[all, tag{number % 8}]",
    }
    return Note(number, fields, f"Title of {word}")


# --- Values ---------------------------------------------------------------------------------------------------

LONG = "word " * 1000
ENTRIES = ", ".join(f"entry{i}" for i in range(300))

TYPES = {
    "nothing": "",
    "tilde": "~",
    "null": "null",
    "empty": '""',
    "blank": '"  "',
    "number": "7",
    "negative": "-1",
    "zero": "0",
    "float": "1.5e3",
    "infinity": ".inf",
    "no number": ".nan",
    "octal": "0o17",
    "old octal": "017",
    "hexadecimal": "0x1F",
    "bits": "0b11",
    "no bits": "0b_",
    "underscores": "1_000",
    "base sixty": "190:20:30",
    "true": "true",
    "yes": "yes",
    "On": "On",
    "NO": "NO",
    "y": "y",
    "quoted true": '"true"',
    "list": "[one, two]",
    "empty list": "[]",
    "list of lists": "[[one], [two, [three]]]",
    "list of types": "[1, yes, 2026-01-01, 1.5, .nan, ~, '', one]",
    "block list": "\n  - one\n  - two",
    "list without indent": "\n- one\n- two",
    "mapping": "{one: two}",
    "block mapping": "\n  one: two\n  three: {four: [five]}",
    "set": "\n  ? one\n  ? two",
    "comma": "one, two",
    "slash": "one/two",
    "comment": "# nothing else",
    "text and comment": "one # no more",
    "single quotes": "'it''s one'",
    "double quotes": '"one \\"two\\""',
    "literal": "|\n  one\n  two",
    "folded": ">-\n  one\n  two\n\n  three",
    "literal with a fence": "|\n  one\n  ---\n  two",
    "series mapping": "{key: kNNNN, label: One}",
    "series mapping of types": "{key: [a], label: 7, numbered: maybe, status: done, description: ~, lable: x}",
}
BROKEN = {
    "open quote": '"one',
    "open bracket": "[one, two",
    "open brace": "{one: two",
    "close bracket": "one]",
    "bracket first": "[one] two",
    "colon": "one: two",
    "at": "@one",
    "backtick": "`one` two",
    "percent": "%one",
    "star": "*one* two",
    "ampersand": "& one",
    "bang": "! one",
    "question": "? one",
    "dash": "- one",
    "pipe": "| one",
    "many blanks": "one" + " " * 4000 + "two: three",
    "bad escape": '"\\q"',
    "hanging line": "one\n  two: three",
}
DATES = {
    "day": "2026-02-03",
    "quoted day": '"2026-02-03"',
    "day and comment": "2026-02-03 # a comment",
    "tagged day": '!!timestamp "2026-02-03"',
    "text day": "!!str 2026-02-03",
    "instant": "2026-02-03T04:05:06Z",
    "zoned": "2026-02-03T04:05:06+05:45",
    "blank for T": "2026-02-03 04:05:06",
    "fraction": "2026-02-03T04:05:06.789Z",
    "far zone": "2026-02-03T04:05:06+99:99",
    "zone of a day": "2026-02-03T04:05:06+24:00",
    "impossible day": "2026-02-30",
    "month 13": "2026-13-01",
    "day 0": "2026-02-00",
    "hour 24": "2026-02-03T24:00:00Z",
    "leap second": "2016-12-31T23:59:60Z",
    "year 0": "0000-02-03",
    "first moment": "0001-01-01",
    "before the first moment": "0001-01-01T00:00:00+14:00",
    "last moment": "9999-12-31T23:59:59-14:00",
    "year 1": "0001-02-03",
    "year 9999": "9999-02-03",
    "year 12026": "12026-02-03",
    "year of five digits": '"99999-01-01"',
    "future": "2027-01-01",
    "future instant": "2026-11-30T00:00:01Z",
    "week": "2026-W10-7",
    "day of the year": "2026-060",
    "short": "2026-3-1",
    "compact": "20260301",
    "slashes": "2026/02/03",
    "backwards": "03.02.2026",
    "in words": "3 February 2026",
    "tomorrow": "tomorrow",
    "only a time": "12:30",
    "other digits": "\u0662\u0660\u0662\u0666-\u0660\u0662-\u0660\u0663",
    "wide digits": "\uff12\uff10\uff12\uff16-02-03",
    "other hyphens": "2026\u201102\u201103",
    "two": "[2026-02-03, 2026-02-04]",
    "days as tags": "[2026-02-03, 2026-02-30]",
}
CHARACTERS = {
    "escaped nul": '"one\\0two"',
    "escaped bell": '"one\\atwo"',
    "escaped colour": '"one\\e[31mtwo\\e]0;three\\a"',
    "escaped line ends": '"one\\ntwo\\r\\nthree\\ttab"',
    "escaped separators": '"one\\Ntwo\\Lthree\\Pfour"',
    "escaped surrogate": '"one\\ud800two"',
    "escaped pair": '"one\\ud83d\\ude00two"',
    "no character": '"\\U00110000"',
    "noncharacter": '"one\\uffffgap"',
    "separator": '"one\u2028two"',
    "paragraph separator": "one\u2029two",
    "next line": "one\u0085two",
    "right to left": "one \u202eowt\u202c two",
    "isolate never closed": "one \u2067owt",
    "zero width": "o\u200bn\u200de\u2060",
    "only zero width": "\u200b\u200d",
    "soft hyphen": "one\u00adtwo",
    "no-break": "one\u00a0two\u3000three",
    "byte order mark": "\ufeffone",
    "decomposed": "nai\u0308ve cafe\u0301",
    "emoji": "\U0001f469\u200d\U0001f52c and \U0001f1ee\U0001f1f3",
    "astral": "\U0001d518\U0001d52b\U0001d526",
    "Hebrew": "\u05e9\u05dc\u05d5\u05dd one",
    "Chinese": "\u6ce8\u610f: \u529b",
    "stacked marks": "Z" + "\u0301" * 300,
    "private use": "one \ue000 two",
    "tab": "one\ttwo",
    "escape": "one\x1btwo",
    "delete": "one\x7ftwo",
    "control": "one\x9btwo",
}
MARKUP = {
    "script": "'<script>alert(payloadNNNN)</script>'",
    "script in code": "'`<script>alert(payloadNNNN)</script>`'",
    "image": "'<img src=x onerror=alert(payloadNNNN)>'",
    "closing title": "'</title></textarea><svg onload=alert(payloadNNNN)>'",
    "attribute": "'\" onmouseover=\"alert(payloadNNNN)'",
    "attribute, single": "\"' onmouseover='alert(payloadNNNN)\"",
    "address": "'[one](javascript:alert(payloadNNNN))'",
    "only an address": "'javascript:alert(payloadNNNN)'",
    "autolink": "'<javascript:alert(payloadNNNN)>'",
    "picture": "'![x](javascript:alert(payloadNNNN))'",
    "entities": "'&lt;script&gt;alert(payloadNNNN)&lt;/script&gt; &#60;script&#62; &amp;lt;'",
    "comment": "'<!-- --><script>alert(payloadNNNN)</script>'",
    "cdata": "'<![CDATA[<script>alert(payloadNNNN)</script>]]>'",
    "json": "'\"});alert(payloadNNNN);//</script><script>'",
    "template": "'{{ 7 * 19173 }} {% set x = 7 * 19173 %}{{ x }} ${7 * 19173}'",
    "format": "'%s %(x)s {0} {x} %d'",
    "substitution": "'{{ body }} {sub-ref}`today` |today|'",
    "role": "'{ref}`genindex` {download}`conf.py` {raw}`<script>alert(payloadNNNN)</script>`'",
    "directive": '"```{include} conf.py\\n```"',
    "path": "'../../../../etc/passwd'",
    "address of a host": "'https://example.org/?q=\"><script>alert(payloadNNNN)</script>'",
    "formula": "'$x<script>alert(payloadNNNN)</script>$ and $\\\\href{javascript:alert(payloadNNNN)}{x}$'",
    "open marks": "'**one `two $three [four](five'",
    "many marks": "'" + "*_`$[" * 150 + "'",
    "backslashes": "'\\\\<script>alert(payloadNNNN)\\\\</script>\\\\'",
}
TAGS = {
    "apply": "!!python/object/apply:os.system ['touch hacked-NNNN']",
    "apply, long form": "!<tag:yaml.org,2002:python/object/apply:os.mkdir> ['hacked-NNNN']",
    "new": "!!python/object/new:os.mkdir ['hacked-NNNN']",
    "object": "!!python/object:pathlib.Path {name: one}",
    "name": "!!python/name:os.system",
    "module": "!!python/module:antigravity",
    "tuple": "!!python/tuple [one]",
    "local": "!one two",
    "no tag": "! two",
    "text": "!!str 7",
    "binary": "!!binary aGVsbG8=",
    "no binary": "!!binary a",
    "no timestamp": "!!timestamp soon",
    "no truth": "!!bool maybe",
    "odd truth": "!!bool TrUe",
    "no whole number": "!!int ''",
    "word as number": "!!int one",
    "no float": "!!float ''",
    "null text": "!!null one",
    "set": "!!set {one, two}",
    "no set": "!!set [one]",
    "ordered": "!!omap [one: two]",
    "not ordered": "!!omap {one: two}",
    "pairs": "!!pairs [one: two, one: three]",
    "text of a list": "!!str [one]",
    "list of a mapping": "!!seq {one: two}",
    "mapping of a list": "!!map [one]",
    "merge": "!!merge one",
    "undeclared": "!e!one two",
}
SIZES = {
    "long": LONG,
    "too long by one": "w" * 1001,
    "as long as may be": "w" * 1000,
    "digits": "9" * 5000,
    "hexadecimal digits": "0x" + "f" * 5000,
    "base sixty": "1" + ":59" * 400 + ".5",
    "entries": f"[{ENTRIES}]",
    "one tag often": f"[{', '.join(['all'] * 300)}]",
    "deep": "[" * 60 + "]" * 60,
    "deeper": "[" * 150 + "]" * 150,
    "deepest": "[" * 500 + "]" * 500,
    "open and deep": "[" * 500,
    "deep mapping": "{a: " * 200 + "b" + "}" * 200,
    "deep dashes": "\n  " + "- " * 2000 + "one",
}
VALUES = {
    "type": TYPES,
    "broken": BROKEN,
    "date": DATES,
    "character": CHARACTERS,
    "markup": MARKUP,
    "tag": TAGS,
    "size": SIZES,
}
FIELDS = (
    "date", "updated", "summary", "tags", "prerequisites", "draft", "authors", "redirect_from", "image", "title",
    "series", "part", "keywords", "orphan", "tocdepth", "myst", "x.y", "zebra",
)  # fmt: skip


def set_field(name: str, value: str) -> Mutation:
    """Write *value* into the field *name*."""
    return lambda note: replace(note, fields={**note.fields, name: value})


def odd_values() -> Iterator[tuple[str, str, str, Mutation]]:
    """Every odd value in every field: kind, name of the value, name of the field, mutation."""
    for kind, values in VALUES.items():
        for name, value in values.items():
            for field in FIELDS:
                yield kind, name, field, set_field(field, value)


# --- Names of fields, aliases, lines, encodings, headings ------------------------------------------------------


def add(lines: str) -> Mutation:
    """Add *lines* to the end of the block."""
    return lambda note: replace(note, extra=note.extra + lines + "\n")


def rename(old: str, new: str) -> Mutation:
    """Write the name of a field in another way."""
    return lambda note: replace(
        note, fields={new if name == old else name: value for name, value in note.fields.items()}
    )


def bomb(levels: int, top: str, form: str = "[{}]", by: int = 9) -> Mutation:
    """Aliases of aliases of aliases, each *by* times, so that a few lines stand for more than a memory holds."""
    lines = ["x.0: &a0 [one]" if form == "[{}]" else "x.0: &a0 {one: two}"]
    for level in range(1, levels):
        inner = ", ".join([f"*a{level - 1}"] * by)
        lines.append(f"x.{level}: &a{level} {form.format(inner)}")
    return add("\n".join([*lines, top.replace("TOP", f"*a{levels - 1}")]))


def chain(levels: int) -> Mutation:
    """Each line holds the one before it, so that the last is deep without a deep bracket."""
    lines = (f"x.{level}: &a{level} [*a{level - 1}]" for level in range(1, levels))
    return add("\n".join(["x.0: &a0 one", *lines]))


NAMES: Mapping[str, Mutation] = {
    "twice": add("summary: another"),
    "date twice": add("date: 2026-05-05"),
    "draft twice": add("draft: false\ndraft: true"),
    "unknown twice": add("x.y: 1\nx.y: 2"),
    "small slip": rename("tags", "tagz"),
    "slip of date": rename("date", "dates"),
    "slip of draft": add("drafft: true"),
    "capitals": rename("date", "DATE"),
    "capital": rename("summary", "Summary"),
    "blank behind": rename("date", '"date "'),
    "blank before the colon": rename("date", "date "),
    "no blank behind the colon": lambda note: replace(note, fields={**note.fields, "date:2026-01-01": ""}),
    "no colon": add("draft true"),
    "equals": add("draft = true"),
    "quoted": rename("date", '"date"'),
    "question": rename("tags", "? tags\n"),
    "tagged": rename("date", "!!str date"),
    "python": rename("date", "!!python/name:os.system date"),
    "binary": rename("date", "!!binary ZGF0ZQ=="),
    "anchored": rename("date", "&name date"),
    "alias": add("x.y: &name zebra\n*name : one"),
    "wide": rename("date", "\uff44\uff41\uff54\uff45"),
    "zero width": rename("date", "da\u200bte"),
    "much zero width": rename("date", "d\u200ba\u200bt\u200be"),
    "foreign letters": rename("date", "d\u0430t\u0435"),
    "right to left": rename("date", "\u202edate"),
    "nul": add('"zeb\\0ra": one'),
    "colour": add('"zeb\\e[31mra": one'),
    "line end": add('"zeb\\nra: WARNING": one'),
    "surrogate": add('"\\ud800": one'),
    "script": add("'<script>alert(payloadNNNN)</script>': one"),
    "empty": add('"": one'),
    "null": add("~: one"),
    "number": add("7: one"),
    "truth": add("yes: one"),
    "day": add("2026-01-01: one"),
    "list": add("? [one, two]\n: three"),
    "mapping": add("? {one: two}\n: three"),
    "long": add(f"? {'k' * 5000}\n: one"),
    "value": add("=: one"),
    "merge": add("<<: {draft: true}"),
    "merge of an alias": add("x.y: &base {date: 2027-01-01}\n<<: *base"),
    "merge of text": add("<<: one"),
    "merge below": add("x.y: {<<: {one: two}}"),
    "merge of text below": add("x.y: {<<: one}"),
    "list below": add("x.y: {[one]: two}"),
    "day below": add("x.y: {2026-01-01: one}"),
    "dotted": add("og:image: one\nhtml_theme.sidebar: two"),
    "meta": add("myst: {html_meta: {description: '\"><script>alert(payloadNNNN)</script>'}}"),
    "meta of types": add("myst: {html_meta: {one: [two], 3: 4}}"),
    "configuration": add("myst: {enable_extensions: [none], title_to_header: 7, url_schemes: {a: 5}}"),
    "configuration that is none": add("myst: [one]"),
    "no date": lambda note: replace(
        note, fields={name: value for name, value in note.fields.items() if name != "date"}
    ),
    "another name for the date": rename("date", "when"),
}
ALIASES: Mapping[str, Mutation] = {
    "used twice": add("authors: &a [one, two]\nx.y: *a"),
    "draft by alias": add("x.y: &a true\ndraft: *a"),
    "date by alias": lambda note: replace(
        note, fields={**note.fields, "date": "*a"}, opening=f"{note.opening}\nx.y: &a 2026-02-03"
    ),
    "anchor twice": add("x.y: [&a one, &a two, *a]"),
    "to nothing": add("x.y: *nothing"),
    "to itself": add("x.y: &a [*a]"),
    "tags to themselves": lambda note: replace(note, fields={**note.fields, "tags": "&a [all, *a]"}),
    "mapping to itself": add("x.y: &a {one: *a}"),
    "configuration to itself": add("myst: &a {title_to_header: *a}"),
    "bomb": bomb(30, "x.y: TOP"),
    "small bomb": bomb(4, "x.y: TOP"),
    "bomb of tags": bomb(30, "authors: TOP"),
    "bomb as configuration": bomb(30, "myst: {title_to_header: TOP}"),
    "bomb as meta": bomb(30, "html_meta: {one: TOP}"),
    "bomb as substitution": bomb(30, "myst: {substitutions: {one: TOP}}"),
    "bomb of mappings": bomb(30, "x.y: TOP", "{{one: {}}}", by=1),
    "bomb of merges": bomb(30, "x.y: TOP", "{{<<: [{}]}}", by=2),
    "chain": chain(90),
    "long chain": chain(400),
    "many anchors": add(f"x.y: [{', '.join(f'&a{i} one' for i in range(500))}]"),
    "bad name": add("x.y: &\u0430 one"),
}


def lines(change: Callable[[str], str]) -> Mutation:
    """Change every line of the block."""
    return lambda note: replace(
        note, fields={}, extra="".join(f"{change(line)}\n" for line in note.block().splitlines())
    )


def fences(opening: str, closing: str = "---\n", before: str = "") -> Mutation:
    """Other lines around the block."""
    return lambda note: replace(note, opening=opening, closing=closing, before=before)


def whole(block: str) -> Mutation:
    """Another block in place of the whole one."""
    return lambda note: replace(note, fields={}, extra=block)


FENCES: Mapping[str, Mutation] = {
    "blanks behind": fences("---  ", "---\t\n"),
    "text behind": fences("--- # front matter"),
    "longer": fences("-----", "-----\n"),
    "longer end": fences("---", "------\n"),
    "tilted": fences("---", "   ---\n"),
    "too tilted": fences("---", "    ---\n"),
    "dots": fences("---", "...\n"),
    "shorter end": fences("----"),
    "never closed": fences("---", ""),
    "never closed, text behind": fences("---", "--- and text\n"),
    "closed by a heading": fences("---", "===\n"),
    "never opened": lambda note: replace(note, opening="", before=note.before.rstrip("\n")),
    "first line missing": lambda note: replace(note, opening=next(iter(note.block().splitlines()), "")),
    "two hyphens": fences("--", "--\n"),
    "dashes": fences("\u2013\u2013\u2013", "\u2013\u2013\u2013\n"),
    "one dash": fences("\u2014", "\u2014\n"),
    "plus": fences("+++", "+++\n"),
    "blank line before": fences("---", before="\n"),
    "blanks before": fences("---", before="  "),
    "comment before": fences("---", before="<!-- a comment -->\n\n"),
    "line comment before": fences("---", before="% a comment\n"),
    "directive before": fences("---", before="%YAML 1.1\n"),
    "directive": fences("---\n%YAML 1.1\n%TAG ! tag:yaml.org,2002:python/"),
    "mark before": fences("---", before="\u200f"),
    "joiner before": fences("---", before="\u2060"),
    "two byte order marks": fences("---", before="\ufeff\ufeff"),
    "escape before": fences("---", before="\x1b"),
    "text before": fences("---", before="Some text.\n\n"),
    "empty block": whole(""),
    "only a comment": whole("# date: 2026-01-01\n"),
    "only blank lines": whole("\n\n\n"),
    "list": lines(lambda line: f"- {line}"),
    "indented": lines(lambda line: f"  {line}"),
    "first indented": lambda note: replace(note, opening=f"{note.opening}\n  x.y: one"),
    "tabs": lines(lambda line: f"\t{line}"),
    "tab behind the colon": lines(lambda line: line.replace(": ", ":\t", 1)),
    "blanks at the end": lines(lambda line: f"{line}   "),
    "blank lines": lines(lambda line: f"\n{line}\n"),
    "comments": lines(lambda line: f"# a comment\n{line}"),
    "flow": whole("{date: 2026-02-03, tags: [all], summary: 'A summary of bodyNNNNx'}\n"),
    "open flow": whole("{date: 2026-02-03, draft: true\n"),
    "json": whole('{"date": "2026-02-03",\n "tags": ["all"],\n "draft": true}\n'),
    "toml": whole('date = "2026-02-03"\ndraft = true\n'),
    "text": whole("only text\n"),
    "number": whole("7\n"),
    "null": whole("~\n"),
    "bomb of the block": whole("&a [*a, *a]\n"),
    "code": whole("!!python/object/apply:os.system ['touch hacked-NNNN']\n"),
    "nested": whole("post:\n  date: 2026-02-03\n"),
    "second block": fences("---", "---\n---\ndraft: true\n---\n"),
    "second block later": fences("---", "---\n\n<!-- more -->\n\n---\ndate: 2027-01-01\n---\n"),
    "fields behind the dots": fences("---", "...\ndraft: true\n---\n"),
    "fields behind a fence in a text": fences("---", "  ---\n  text\ndraft: true\n---\n"),
    "long comment": add("# " + "comment " * 2000),
    "many fields": add("\n".join(f"field{i}: one" for i in range(300))),
    "many lines": add("\n" * 1000),
}


def encoded(name: str, mark: bytes = b"") -> Mutation:
    """Save the file in another encoding; what that has no sign for becomes a question mark."""
    return lambda note: replace(note, encode=lambda text: mark + text.encode(name, "replace"))


def with_bytes(old: str, new: bytes) -> Mutation:
    """Put *new* in place of the first *old* in the file."""
    return lambda note: replace(note, encode=lambda text: text.encode().replace(old.encode(), new, 1))


ENCODINGS: Mapping[str, Mutation] = {
    "mark": encoded("utf-8", b"\xef\xbb\xbf"),
    "crlf": lambda note: replace(note, newline="\r\n"),
    "cr": lambda note: replace(note, newline="\r"),
    "mixed ends": with_bytes("\ntags", b"\r\ntags"),
    "no final line end": lambda note: replace(note, encode=lambda text: text.rstrip().encode()),
    "blanks at the end": lambda note: replace(note, encode=lambda text: text.encode() + b" \n" * 50),
    "latin-1": with_bytes("summary", b"\xe9t\xe9"),
    "latin-1 in the text": with_bytes("The text", b"L'\xe9t\xe9"),
    "cp1252": with_bytes("A summary", b"\x93A summary\x94"),
    "utf-16": encoded("utf-16"),
    "utf-16-le": encoded("utf-16-le"),
    "utf-16-be": encoded("utf-16-be"),
    "utf-16-be with mark": encoded("utf-16-be", b"\xfe\xff"),
    "utf-32": encoded("utf-32"),
    "utf-32-be": encoded("utf-32-be"),
    "utf-7": encoded("utf-7"),
    "ebcdic": encoded("cp500"),
    "nul in a value": with_bytes("A summary", b"A\0summary"),
    "nul first": with_bytes("---", b"\0---"),
    "nul in the text": with_bytes("The text", b"The\0text"),
    "surrogate": with_bytes("A summary", b"\xed\xa0\x80"),
    "overlong": with_bytes("A summary", b"\xc0\xafone"),
    "cut short": lambda note: replace(note, encode=lambda text: text.encode() + b"\xe2\x82"),
    "beyond": with_bytes("A summary", b"\xf4\x90\x80\x80"),
    "form feed": with_bytes("\ntags", b"\n\x0ctags"),
    "vertical tab": with_bytes("A summary", b"A\x0bsummary"),
    "file separator": with_bytes("A summary", b"A\x1csummary"),
    "next line": with_bytes("A summary", b"A\xc2\x85summary"),
    "no-break blank behind the colon": with_bytes("tags: ", b"tags:\xc2\xa0"),
    "no-break indent": with_bytes("tags", b"\xc2\xa0tags"),
}


def heading(text: str) -> Mutation:
    """Another first heading; the word stays in it."""
    return lambda note: replace(note, heading=text.replace("WORD", note.word))


HEADINGS: Mapping[str, Mutation] = {
    "script": heading("WORD \\<script>alert(payloadNNNN)\\</script>"),
    "script in code": heading("WORD `<script>alert(payloadNNNN)</script>`"),
    "image": heading("WORD \\<img src=x onerror=alert(payloadNNNN)>"),
    "image in code": heading("WORD `<img src=x onerror=alert(payloadNNNN)>`"),
    "entities": heading("WORD &lt;script&gt;alert(payloadNNNN)&lt;/script&gt;"),
    "attribute": heading('WORD " onmouseover="alert(payloadNNNN)" \' onfocus=\'alert(payloadNNNN)'),
    "address": heading("WORD [one](javascript:alert(payloadNNNN))"),
    "closing title": heading("WORD \\</title>\\<svg onload=alert(payloadNNNN)>"),
    "json": heading('WORD "});alert(payloadNNNN);// \\</script>\\<script>'),
    "template": heading("WORD {{ 7 * 19173 }} {% raw %}"),
    "right to left": heading("WORD \u202eowt"),
    "zero width": heading("WORD\u200b"),
    "long": heading("WORD " + "title " * 500),
    "marks": heading("WORD *one* **two** `three` $four$ [five](six)"),
    "two": heading("WORD\n\n# Another heading of WORD"),
    "formula": heading(
        "WORD $\\href{javascript:alert(payloadNNNN)}{x}$ $<script>alert(payloadNNNN)</script>$"
    ),
}


def series(**values: str) -> Mutation:
    """Make the page one of a series, which has its own key unless *values* say another."""
    inner = "".join(f"\n  {name}: {value}" for name, value in {"key": "kNNNN", **values}.items())
    return set_field("series", inner)


SERIES: Mapping[str, Mutation] = {
    "plain": series(label="One", category="Two", numbered="no", description="Three.", status="complete"),
    "label": series(label=MARKUP["script"]),
    "category": series(label="One", category=MARKUP["image"]),
    "description": series(description=MARKUP["closing title"]),
    "script as key": series(key=MARKUP["script"]),
    "path as key": series(key="../../one"),
    "key of another": series(key="s00"),
    "number as key": series(key="7"),
    "no key": set_field("series", "{label: One}"),
    "empty": set_field("series", "{}"),
    "types": series(label="[one]", category="7", numbered="maybe", description="~", status="done"),
    "unknown": series(lable="One"),
    "twice": series(label="One", **{"label ": "Two"}),
    "long": series(label="w" * 1001, description=LONG),
    "python": series(label="!!python/object/apply:os.system ['touch hacked-NNNN']"),
    "list as name": series(**{"? [one]\n  ": "two"}),
    "draft": lambda note: add("draft: true")(series(label="One")(note)),
}
HIDDEN: Mapping[str, Mutation] = {
    "draft": add("draft: true"),
    "draft, in capitals": add("draft: TRUE"),
    "draft by another word": add("draft: on"),
    "next year": set_field("date", "2027-02-03"),
    "tomorrow": set_field("date", "'2026-12-01T00:00:00+00:00'"),
}
"""What keeps a post out of a release; it is done last, so that nothing else can take it back."""

WHOLE: Mapping[str, Mapping[str, Mutation]] = {
    "name": NAMES,
    "alias": ALIASES,
    "fence": FENCES,
    "encoding": ENCODINGS,
    "heading": HEADINGS,
    "series": SERIES,
    "hidden": HIDDEN,
}
KINDS = (*VALUES, *WHOLE)
NO_FRONT_MATTER = {"fence: text before", "fence: one dash"}
"""After these the page has no front matter, and nothing that looks like it."""
PLAIN = NO_FRONT_MATTER | {
    "name: no date",
    "name: another name for the date",
    "fence: empty block",
    "fence: only a comment",
    "fence: only blank lines",
    "fence: nested",
}
"""After these there is no date where one is read."""


def hostile(number: int, mutations: Mapping[str, Mutation]) -> Hostile:
    """The good post of this *number* after these mutations."""
    note = good(number)
    for name in sorted(mutations, key=lambda name: name.startswith("hidden")):
        note = mutations[name](note)
    return Hostile(" + ".join(mutations), note.word, tuple(mutations), note.source())


def chosen(chance: random.Random) -> Iterator[dict[str, Mutation]]:
    """The mutations of each source: all alone, then two or three of different kinds."""
    values: dict[str, dict[str, Mutation]] = {}
    for kind, name, field, mutate in odd_values():
        values.setdefault(f"{kind}: {name}", {})[f"{kind}: {name} in {field}"] = mutate
    for in_fields in values.values():
        kind = next(iter(in_fields)).split(": ")[0]
        fields = {*chance.sample(FIELDS, FIELDS_TRIED), *TRIED_TOO.get(kind, ())}
        yield from ({name: mutate} for name, mutate in in_fields.items() if name.split(" in ")[-1] in fields)
    for kind, mutations in WHOLE.items():
        for name, mutate in mutations.items():
            yield {f"{kind}: {name}": mutate}
    while True:
        picked: dict[str, Mutation] = {}
        for kind in chance.sample(KINDS, chance.choice([2, 2, 3])):
            if kind in WHOLE:
                name = chance.choice(sorted(WHOLE[kind]))
                picked[f"{kind}: {name}"] = WHOLE[kind][name]
            else:
                in_fields = values[f"{kind}: {chance.choice(sorted(VALUES[kind]))}"]
                name = chance.choice(sorted(in_fields))
                picked[name] = in_fields[name]
        yield picked


def sources(count: int = COUNT) -> list[Hostile]:
    """The hostile sources, by number."""
    every = chosen(random.Random(20260301))  # noqa: S311  # not for secrets: the same sources in every run
    return [hostile(number, next(every)) for number in range(count)]
