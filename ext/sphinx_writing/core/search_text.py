"""Text in a form in which search finds its words.

The full-text index is made by a program that splits text at white space. It finds the parts of a word that is
joined by ``_``, but of ``dist.all_reduce(x)`` it makes one word, which nobody asks for. So there is a break
behind every sign that stands between two words; the script takes it out again of what it shows, and puts a
blank in its place into what is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable

BREAK = "\u2060 "
"""A mark that is not seen and a blank: where the text itself has none."""
_NAMED = re.compile(r"&(?=[\w#])")
"""What begins a name, as in ``&lt;``: a break there lets the script tell it from signs that were escaped."""
_JOINED = re.compile(r"(\w)([^\s\w'’\-]+)(?=(\w))")
_IDEOGRAPHS = re.compile(r"([\u3040-\u30ff\u3400-\u9fff])(?=[\u3040-\u30ff\u3400-\u9fff])")


def broken(text: str) -> str:
    """*text* with a break where one word ends and the next begins without a blank; ``1.5`` stays whole."""

    def behind(match: re.Match[str]) -> str:
        number = match[1].isdigit() and match[3].isdigit() and match[2] in ".,:"
        return match[0] if number else match[0] + BREAK

    return _IDEOGRAPHS.sub(rf"\1{BREAK}", _JOINED.sub(behind, _NAMED.sub(f"&{BREAK}", text)))


_SILENT = re.compile(
    r"\\(?:left|right|[bB]igg?[lr]?|displaystyle|textstyle|limits|nonumber|q?quad)(?![A-Za-z])"
)
_SIGNS = dict(
    re.findall(
        r"(\w+):(\S)",
        """times:× cdot:· div:÷ le:≤ leq:≤ ge:≥ geq:≥ ne:≠ neq:≠ approx:≈ sim:~ to:→ rightarrow:→ leftarrow:←
        in:∈ sum:∑ prod:∏ infty:∞ pm:± sqrt:√ ldots:… dots:… cdots:… partial:∂ nabla:∇ lceil:⌈ rceil:⌉
        lfloor:⌊ rfloor:⌋ mid:| lVert:‖ rVert:‖ alpha:α beta:β gamma:γ delta:δ epsilon:ε varepsilon:ε zeta:ζ
        eta:η theta:θ kappa:κ lambda:λ mu:μ nu:ν xi:ξ pi:π rho:ρ sigma:σ tau:τ phi:φ varphi:φ chi:χ psi:ψ
        omega:ω Gamma:Γ Delta:Δ Theta:Θ Lambda:Λ Sigma:Σ Phi:Φ Psi:Ψ Omega:Ω""",
    )
)
"""What commands show; of others the name is left."""
_ONE = re.compile(r"[\w.]*(?:\([^()]*\))?")


def _fraction(match: re.Match[str]) -> str:
    over, under = (part.strip() for part in match.groups())
    return "/".join(part if _ONE.fullmatch(part) else f"({part})" for part in (over, under))


_TURNS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"\\(?:label|tag|begin|end)\{[^{}]*\}"), " "),
    (
        re.compile(
            r"\\(?:math|text|operatorname|bar|hat|tilde|vec|bold|mbox|underbrace|overline)\w*\*?\{([^{}]*)\}"
        ),
        r"\1",
    ),
    (re.compile(r"\^\{([^{}]{2,})\}"), r"^(\1)"),
    (re.compile(r"([_^])\{([^{}]*)\}"), r"\1\2"),
    (re.compile(r"\\sqrt\{([^{}]*)\}"), r"√(\1)"),
    (re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), _fraction),
)
"""What is done to the innermost braces, again and again."""
_DEPTH = 20


def readable(tex: str) -> str:
    r"""A formula as one would type it into a search box: ``2(n-1)/n`` for ``2\frac{n-1}{n}``."""
    text = re.sub(_SILENT, " ", tex.replace(r"\{", "⦃").replace(r"\}", "⦄"))
    for _ in range(_DEPTH):
        before = text
        for pattern, shown in _TURNS:
            text = pattern.sub(shown, text)
        if text == before:
            break
    text = re.sub(r"\\([A-Za-z]+)", lambda m: f" {_SIGNS.get(m[1], m[1])} ", text)
    text = re.sub(r"\\\\|\\[,;:! ]|(?<!\\)[{}&~]", " ", text).replace("\\", "")
    return " ".join(text.replace("⦃", "{").replace("⦄", "}").split())
