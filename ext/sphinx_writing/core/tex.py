r"""TeX of formulas: the form in which KaTeX takes them, macros, and faults in words an author can act on.

Positions count characters of the formula as its author wrote it, from 0.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from sphinx_writing.core.inline import shown
from sphinx_writing.core.problems import nearest

NOT_IN_LATEX = frozenset(
    re.findall(
        r"\w+",
        """N R Z Alpha Beta Chi Complex Dagger Darr Epsilon Eta Harr Iota Kappa Larr Lrarr Mu Nu Omicron Rarr
        Reals Rho Tau Uarr Zeta alef alefsym argmax argmin bull clubs cnums dArr darr diamonds empty exist
        hArr harr hearts image infin isin lArr lang larr lrArr lrarr natnums plim plusmn rArr rang rarr real
        reals sdot sect spades sub sube supe thetasym uArr uarr weierp""",
    )
)
"""Commands of MediaWiki and statmath that KaTeX knows and LaTeX does not: unknown until they are macros."""

ENVIRONMENTS = re.findall(
    r"\w+",
    """Bmatrix CD Vmatrix align aligned alignat alignedat array bmatrix cases dcases drcases equation eqnarray
    flalign gather gathered matrix multline pmatrix rcases smallmatrix split subarray vmatrix""",
)
"""What can stand between begin and end."""

_STARRED = {
    "equation": "equation",
    "align": "align",
    "alignat": "alignat",
    "flalign": "align",
} | dict.fromkeys(("gather", "multline"), "gather")
"""Environments around a whole display, each with that of KaTeX: the numbers come from Sphinx."""
_ENVIRONMENT = re.compile(r"\\(begin|end)\{([a-zA-Z]+)\*?\}")
_LABEL = re.compile(r"\\label\{[^{}]*\}")
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_TOKEN = re.compile(r"\\(begin|end)\{([a-zA-Z]+\*?)\}|\\.|%[^\n]*|[{}]", re.DOTALL)
_COLUMNS_OR_ROWS = re.compile(r"\\\\|(?<!\\)&")


@dataclass(frozen=True)
class Prepared:
    """A formula as KaTeX takes it; *cuts* says where its pieces begin here and in the author's text."""

    text: str
    cuts: tuple[tuple[int, int], ...]
    length: int

    def place(self, position: int) -> int:
        """Where the character number *position* of the text stands in the author's."""
        begins, was = self.cuts[bisect_right(self.cuts, (position, self.length + 1)) - 1]
        return min(was + position - begins, self.length)


def prepared(source: str, *, display: bool, wrap: bool = True) -> Prepared:
    """*source* as KaTeX takes it; a display of several lines or columns is aligned, as Sphinx does for LaTeX.

    Blank lines part equations. *wrap* is off where an environment is the whole display.
    """
    if not display:
        return _edited(source, [])
    edits = [*_environments(source), *((m.start(), m.end(), "") for m in _LABEL.finditer(source))]
    if wrap:
        edits += _aligned(source)
    return _edited(source, sorted(edits))


def _environments(source: str) -> Iterator[tuple[int, int, str]]:
    for match in _ENVIRONMENT.finditer(source):
        if match[2] == "eqnarray":
            yield *match.span(), r"\begin{darray}{rcl}" if match[1] == "begin" else r"\end{darray}"
        elif match[2] in _STARRED:
            yield *match.span(), rf"\{match[1]}{{{_STARRED[match[2]]}*}}"


def _aligned(source: str) -> Iterator[tuple[int, int, str]]:
    """What makes one environment of several lines."""
    start = len(source) - len(source.lstrip())
    stop = len(source.rstrip())
    flat = top_level(source)
    gaps = [gap.span() for gap in _BLANK_LINES.finditer(flat, start, stop)]
    if gaps or _COLUMNS_OR_ROWS.search(flat):
        yield start, start, r"\begin{aligned}"
        yield from ((*gap, r" \\ ") for gap in gaps)
        yield stop, stop, r"\end{aligned}"


def _edited(source: str, edits: Iterable[tuple[int, int, str]]) -> Prepared:
    text, cuts, at = "", [], 0
    for start, stop, put in edits:
        cuts.append((len(text), at))
        text += source[at:start]
        cuts.append((len(text), start))
        text += put
        at = stop
    cuts.append((len(text), at))
    return Prepared(text + source[at:], tuple(cuts), len(source))


def top_level(source: str) -> str:
    """*source* with a dot for each character inside braces and environments, and in comments."""
    flat, waiting = source, list[int]()
    for token in _TOKEN.finditer(source):
        if token[0].startswith("%"):
            flat = _dotted(flat, *token.span())
        elif token[1] == "begin" or token[0] == "{":
            waiting.append(token.start())
        elif (token[1] == "end" or token[0] == "}") and waiting:
            start = waiting.pop()
            flat = flat if waiting else _dotted(flat, start, token.end())
    return _dotted(flat, waiting[0], len(flat)) if waiting else flat


def _dotted(text: str, start: int, stop: int) -> str:
    return text[:start] + "." * (stop - start) + text[stop:]


def unpaired(source: str) -> tuple[int, str] | None:
    """Where the first brace or environment without its partner stands, and what is wrong with it."""
    waiting: list[re.Match[str]] = []
    for token in _TOKEN.finditer(source):
        if token[1] == "begin" or token[0] == "{":
            waiting.append(token)
        elif token[1] == "end" or token[0] == "}":
            if not waiting or token[0] != _partner(waiting[-1]):
                inner = f'; "{waiting[-1][0]}" is open' if waiting else ""
                return token.start(), f'"{token[0]}" closes nothing that is open{inner}'
            waiting.pop()
    if waiting:
        return waiting[-1].start(), f'"{waiting[-1][0]}" is never closed'
    return None


def _partner(opening: re.Match[str]) -> str:
    return "}" if opening[0] == "{" else rf"\end{{{opening[2]}}}"


_STRICT = re.compile(
    r"LaTeX-incompatible input and strict mode is set to 'error': (?P<said>.*) \[(?P<code>\w+)\]"
)
_DEFINE = "; use another one, or define it in writing_math_macros"
_WORDS: tuple[tuple[str, str], ...] = (
    (
        r"Expected 'EOF', got '&'",
        '"&" stands outside columns; put the lines into an environment such as aligned',
    ),
    (r"Expected 'EOF', got '(?P<x>[_^])'", '"{x}" stands in text; close the text before it'),
    (r"Expected 'EOF', got '#'", r'"#" names an argument; write "\#" for the character'),
    (r"Expected 'EOF', got '\\right'", r'"\right" has no "\left" before it; add it'),
    (r"Expected '\\right', got .*", r'"\left" is never closed; add "\right" and a delimiter, or "\right."'),
    (r"Expected group after '(?P<x>.*)'", 'nothing follows "{x}"; write in braces what belongs to it'),
    (r"Expected group as argument to '(?P<x>.*)'", '"{x}" lacks an argument; write it in braces'),
    (
        r"Unexpected end of input in a macro argument.*",
        "an argument is missing at the end; write it in braces",
    ),
    (
        r"Double (?P<x>super|sub)script",
        "there are two {x}scripts at one symbol; put braces around what belongs together",
    ),
    (r"Can't use function '\$' in math mode", 'there is a "$" in it; write "\\$" for the character'),
    (r"Too many expansions.*", "a macro leads back to itself; define it by others"),
    (r"Maximum call stack size exceeded", "it is nested too deeply; make it simpler"),
    (
        r"untrusted (?P<x>.*)",
        '"{x}" would put links, pictures or markup into the page; write them outside of formulas',
    ),
)


def reason(message: str, position: int, source: str, names: Collection[str]) -> tuple[int, str]:
    r"""Where a fault of *source* is and what it is, in our words; *names* are the commands there are.

    *message* and *position*, -1 for unknown, are KaTeX's.
    """
    if command := re.fullmatch(r"Undefined control sequence: (\\.*)", message, re.DOTALL):
        return _unknown(command[1], position, source, names)
    if environment := re.fullmatch(r"No such environment: (.*)", message):
        match = nearest(environment[1], ENVIRONMENTS)
        what_to_do = f'; did you mean "{match}"?' if match else "; use one that KaTeX knows, such as aligned"
        return position, f'unknown environment "{environment[1]}"{what_to_do}'
    if (found := unpaired(source)) is not None:
        return found[0], f"{found[1]}; give it its partner, or take it away"
    if strict := _STRICT.fullmatch(message):
        return _not_latex(strict["code"], strict["said"], position, source)
    for pattern, words in _WORDS:
        if said := re.fullmatch(pattern, message, re.DOTALL):
            at = source.find(said["x"]) if message.startswith("untrusted") else position
            return at, words.replace("{x}", said.groupdict().get("x", ""))
    return position, f"{message.rstrip('.')}; use plainer LaTeX"


def _unknown(command: str, position: int, source: str, names: Collection[str]) -> tuple[int, str]:
    name = command.removeprefix("\\")
    at = position if position >= 0 else max(source.find(command), 0)
    if name in ("ref", "eqref"):
        return at, f'"{command}" knows no numbers here; refer to an equation outside of formulas, by {{eq}}'
    match = nearest(name, names, cutoff=0.75)
    return at, f'unknown command "{command}"' + (f'; did you mean "\\{match}"?' if match else _DEFINE)


def _not_latex(code: str, said: str, position: int, source: str) -> tuple[int, str]:
    """What LaTeX would not take."""
    if code == "unknownSymbol":
        char = source[position : position + 1]
        return (
            position,
            f'"{char}" has no sign in the fonts of formulas; use a command for it, or leave it out',
        )
    if code == "commentAtEnd":
        return source.rfind("%"), 'a comment hides the end of the formula; write "\\%" for the character'
    if code == "htmlExtension":
        commands = re.search(r"\\html[A-Z]\w*", source)
        name = commands[0] if commands else "\\html..."
        return max(source.find(name), 0), f'"{name}" would put markup into the page; leave it out'
    return position, f"LaTeX would not take it: {said}; use plainer LaTeX"


_AROUND = 28
"""How many characters a message quotes on either side of a fault."""


def around(source: str, position: int) -> str:
    """The part of *source* around *position*, on one line."""
    at = len(source) - len(source.lstrip()) if position < 0 else position
    start, stop = max(0, at - _AROUND), at + _AROUND
    if start <= 3:
        start = 0
    if stop >= len(source) - 3:
        stop = len(source)
    words = " ".join(source[start:stop].split())
    return shown(f"{'…' if start else ''}{words}{'…' if stop < len(source) else ''}", 2 * _AROUND + 10)


Macros = Mapping[str, str]
"""What each macro stands for, by its name without the backslash."""
_NAME = re.compile(r"[A-Za-z]+")
_ARGUMENT = re.compile(r"(?<!\\)#(.?)")


def macros(value: Mapping[object, object]) -> Macros:
    """The macros that a configuration gives; raises ``ValueError`` with what is wrong with one."""
    found: dict[str, str] = {}
    if not isinstance(value, Mapping):
        raise ValueError(f"it is {value!r}; give a mapping of names to TeX")
    for name, given in value.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise ValueError(f'{name!r} is no name of a macro; use letters only, as in "norm" for \\norm')
        text, count = given if isinstance(given, list | tuple) and len(given) == 2 else (given, 0)
        if not isinstance(text, str) or type(count) is not int:
            raise ValueError(f'"{name}" is {given!r}; give TeX, or TeX and the number of arguments')
        if (fault := unpaired(text)) is not None:
            raise ValueError(f'"{name}": {fault[1]}')
        named = {match[1] for match in _ARGUMENT.finditer(text)}
        wanted = {str(i) for i in range(1, count + 1)}
        if named != wanted or count > 9:
            uses = ", ".join(f"#{digit}" for digit in sorted(named)) or "no argument"
            raise ValueError(f'"{name}" has {count} arguments and uses {uses}; give the number that it uses')
        found[name] = text
    return dict(sorted(found.items()))


def definitions(known: Macros) -> str:
    """LaTeX that defines the macros, also where LaTeX or a package has one of that name."""
    lines = []
    for name, text in known.items():
        count = len({match[1] for match in _ARGUMENT.finditer(text)})
        arguments = f"[{count}]" if count else ""
        lines.append(f"\\providecommand{{\\{name}}}{{}}\\renewcommand{{\\{name}}}{arguments}{{{text}}}")
    return "\n".join(lines)
