"""Beam search on trees small enough to search exactly, so that every loss of the beam can be measured.

The model is a toy: at each prefix its logits are independent normal numbers. Four tokens, written A to D;
where a test of length is wanted, A is the end of the sequence.

    python -m labs.concepts.beam_search
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from labs.kit import Column, Draw, Palette, Table, Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Tree = Sequence[NDArray[np.float64]]
"""Log-probabilities by depth: level d has the shape (V^d, V), row i for the i-th prefix in token order."""

Rule = Literal["full", "here", "longest"]
"""When to stop with k finished hypotheses: at once; if the best live score, divided by its present length to
the power alpha, cannot beat the worst of them; the same with the greatest length there can be."""

Counted = Literal["length", "gnmt", "prompt"]
"""What a length penalty counts: new tokens; (5 + new tokens) / 6; prompt and new tokens, the end left out."""

RULES: tuple[Rule, ...] = ("full", "here", "longest")
WIDTHS = (1, 2, 3, 4, 6, 8)
SEEDS = range(120)
END = 0


@dataclass(frozen=True)
class Hypothesis:
    """A prefix or a finished sequence, and the sum of its log-probabilities in nats."""

    score: float
    tokens: tuple[int, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What a search returns: its best hypothesis, rows evaluated, the live beams after each step."""

    best: Hypothesis
    rows: int
    steps: tuple[tuple[Hypothesis, ...], ...]


@lru_cache(maxsize=512)
def random_tree(seed: int, vocabulary: int = 4, depth: int = 5, spread: float = 2.0) -> Tree:
    """A random model: at every prefix, log-softmax of independent logits N(0, spread^2)."""
    rng = np.random.default_rng(seed)
    levels = []
    for d in range(depth):
        logits = rng.normal(0.0, spread, (vocabulary**d, vocabulary))
        levels.append(logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)))
    return tuple(levels)


def next_log_probs(tree: Tree, prefix: tuple[int, ...]) -> list[float]:
    """One call of the model: the log-probability of each token after *prefix*."""
    vocabulary = tree[0].shape[1]
    row = 0
    for token in prefix:
        row = row * vocabulary + token
    return [float(x) for x in tree[len(prefix)][row]]


def ranking(hypothesis: Hypothesis, alpha: float = 0.0) -> tuple[float, tuple[int, ...]]:
    """The key to sort by: best normalised score first, equal scores in order of tokens."""
    return -length_score(hypothesis.score, len(hypothesis.tokens), alpha), hypothesis.tokens


def expand(
    tree: Tree, live: Sequence[Hypothesis], k: int, end: int | None = None
) -> tuple[list[Hypothesis], list[Hypothesis]]:
    """One step: the k best that go on; those among the k best of all that end."""
    last = len(live[0].tokens) + 1 == len(tree)
    grown = [
        Hypothesis(parent.score + log_prob, (*parent.tokens, token))
        for parent in live
        for token, log_prob in enumerate(next_log_probs(tree, parent.tokens))
    ]
    grown.sort(key=ranking)
    ended = [h for h in grown[:k] if last or h.tokens[-1] == end]
    going = [h for h in grown if not last and h.tokens[-1] != end]
    return going[:k], ended


def search(tree: Tree, k: int, end: int | None = None, alpha: float = 0.0, rule: Rule = "longest") -> Outcome:
    """Beam search of width *k*; finished hypotheses are set apart, the k best by score / L^alpha kept."""
    live, rows = [Hypothesis(0.0)], 0
    done: list[Hypothesis] = []
    steps: list[tuple[Hypothesis, ...]] = []
    while live and not settled(live, done, k, alpha, rule, len(tree)):
        rows += len(live)
        live, ended = expand(tree, live, k, end)
        done = sorted(done + ended, key=lambda h: ranking(h, alpha))[:k]
        steps.append(tuple(live))
    return Outcome(done[0], rows, tuple(steps))


def settled(
    live: Sequence[Hypothesis], done: Sequence[Hypothesis], k: int, alpha: float, rule: Rule, longest: int
) -> bool:
    """Whether *rule* ends the search. Only "longest" is sound for every alpha."""
    if len(done) < k:
        return False
    if rule == "full":
        return True
    length = longest if rule == "longest" and alpha > 0 else len(live[0].tokens)
    return length_score(live[0].score, length, alpha) <= -ranking(done[-1], alpha)[0]


def exhaustive(tree: Tree, end: int | None = None, alpha: float = 0.0) -> Hypothesis:
    """The best sequence of all, by looking at every one."""
    best: list[Hypothesis] = []
    scores = np.zeros(1)
    vocabulary = tree[0].shape[1]
    for depth, level in enumerate(tree, start=1):
        table = scores[:, None] + level
        last = list(range(vocabulary)) if depth == len(tree) else [] if end is None else [end]
        if last:
            row, column = divmod(int(table[:, last].argmax()), len(last))
            tokens = (*digits(row, vocabulary, depth - 1), last[column])
            best.append(Hypothesis(float(table[row, last[column]]), tokens))
        if end is not None:
            table[:, end] = -np.inf
        scores = table.ravel()
    return min(best, key=lambda h: ranking(h, alpha))


def digits(number: int, base: int, count: int) -> tuple[int, ...]:
    """The prefix of *count* tokens that is row *number* of its level."""
    return tuple(number // base**i % base for i in reversed(range(count)))


def model_rows(k: int, vocabulary: int, depth: int) -> int:
    """Prefixes evaluated for *depth* tokens: k at each step, or all where there are fewer."""
    return sum(min(k, vocabulary**d) for d in range(depth))


def counted_length(length: int, counted: Counted, prompt: int = 0) -> float:
    """What a hypothesis of *length* new tokens, its end among them, is divided by at alpha = 1."""
    if counted == "gnmt":
        return (5 + length) / 6
    return prompt + length - 1 if counted == "prompt" else length


def length_score(
    score: float, length: int, alpha: float, counted: Counted = "length", prompt: int = 0
) -> float:
    """The score that finished hypotheses are ranked by."""
    return score / math.pow(counted_length(length, counted, prompt), alpha)


def flip_alpha(short: tuple[float, int], long: tuple[float, int], counted: Counted, prompt: int = 0) -> float:
    """The alpha above which the longer of two (score, length) hypotheses wins."""
    ratio = counted_length(long[1], counted, prompt) / counted_length(short[1], counted, prompt)
    return math.log(long[0] / short[0]) / math.log(ratio)


def without_end(hypothesis: tuple[float, int]) -> tuple[float, int]:
    """The same (score, length) with the end token left out of the count."""
    return hypothesis[0], hypothesis[1] - 1


def cache_bytes_per_token(layers: int = 32, heads: int = 8, width: int = 128, size: int = 2) -> int:
    """Bytes of keys and values for one token."""
    return 2 * layers * heads * width * size


def cache_mib(k: int, shared: int, own: int) -> float:
    """MiB of cache for *k* beams with *shared* tokens stored once and *own* tokens each."""
    return (shared + k * own) * cache_bytes_per_token() / 2**20


def shared_tokens(beams: Sequence[Hypothesis]) -> int:
    """Tokens to store if equal prefixes are stored once: the nodes of the beams' tree."""
    return len({b.tokens[:n] for b in beams for n in range(1, len(b.tokens) + 1)})


def agreed_tokens(beams: Sequence[Hypothesis]) -> int:
    """How many leading tokens all beams have in common, which is what may be shown to a reader."""
    columns = zip(*(b.tokens for b in beams), strict=False)
    return next((i for i, c in enumerate(columns) if len(set(c)) > 1), min(len(b.tokens) for b in beams))


def mean(numbers: Sequence[float]) -> float:
    """The arithmetic mean."""
    return sum(numbers) / len(numbers)


@dataclass(frozen=True)
class Tally:
    """Searches of one kind over all trees, against the exact answers."""

    hits: float
    gap: float
    length: float
    rows: float
    results: tuple[Outcome, ...]


@lru_cache(maxsize=64)
def optimum(depth: int, end: int | None, alpha: float) -> tuple[Hypothesis, ...]:
    """The exact answers for all trees."""
    return tuple(exhaustive(random_tree(s, depth=depth), end, alpha) for s in SEEDS)


@lru_cache(maxsize=64)
def tally(
    k: int, depth: int = 5, end: int | None = None, alpha: float = 0.0, rule: Rule = "longest"
) -> Tally:
    """Search every tree with the same settings: share of optima found (%), mean gap, length and rows."""
    results = tuple(search(random_tree(s, depth=depth), k, end, alpha, rule) for s in SEEDS)
    gaps = [
        ranking(r.best, alpha)[0] - ranking(o, alpha)[0]
        for r, o in zip(results, optimum(depth, end, alpha), strict=True)
    ]
    return Tally(
        100 * mean([gap < 1e-9 for gap in gaps]),
        mean(gaps),
        mean([len(r.best.tokens) for r in results]),
        mean([r.rows for r in results]),
        results,
    )


def inversions(narrow: int, wide: int) -> list[int]:
    """The trees on which the wider beam returns the less probable sequence."""
    pairs = zip(SEEDS, tally(narrow).results, tally(wide).results, strict=True)
    return [seed for seed, a, b in pairs if b.best.score < a.best.score - 1e-9]


def name(tokens: tuple[int, ...]) -> str:
    """Tokens as letters."""
    return "".join(chr(ord("A") + token) for token in tokens)


EXAMPLE = 109
SHORT, LONG = (-1.2, 2), (-2.0, 8)
PROMPT, NEW = 1000, 200
STOP_DEPTH, STOP_ALPHA = 6, 1.0


def stopped(k: int, rule: Rule) -> Tally:
    """The trees one level deeper, with A as the end, ranked by the mean log-probability of a token."""
    return tally(k, STOP_DEPTH, END, STOP_ALPHA, rule)


def values() -> dict[str, Value]:
    """The figures the note quotes."""
    example = random_tree(EXAMPLE)
    greedy, narrow = (search(example, k).best for k in (1, 2))
    before_last = [outcome.steps[-2] for outcome in tally(4).results]
    figures = {
        "trees": Value(len(SEEDS)),
        "sequences": Value(4**5),
        "digits": Value(20 * math.log10(32_000)),
        "rows_2": Value(model_rows(2, 4, 5)),
        "rows_all": Value(model_rows(4**4, 4, 5)),
        "inverted": Value(len(inversions(1, 2))),
        "example_greedy": Value(greedy.score, "nats"),
        "example_k2": Value(narrow.score, "nats"),
        "example_recovers": Value(next(k for k in WIDTHS[1:] if search(example, k).best == greedy)),
        "alpha_length": Value(flip_alpha(SHORT, LONG, "length")),
        "alpha_gnmt": Value(flip_alpha(SHORT, LONG, "gnmt")),
        "length_all": Value(mean([len(h.tokens) for h in optimum(STOP_DEPTH, END, 0.0)]), "tokens"),
        "cache_token": Value(cache_bytes_per_token() / 2**10, "KiB"),
        "prompt": Value(PROMPT, "tokens"),
        "new": Value(NEW, "tokens"),
        "cache_one": Value(cache_mib(1, PROMPT, NEW), "MiB"),
        "cache_copies": Value(cache_mib(4, 0, PROMPT + NEW), "MiB"),
        "cache_shared": Value(cache_mib(4, PROMPT, NEW), "MiB"),
        "copy_traffic": Value(2 * cache_mib(4, 0, PROMPT + NEW) * 2**20 / 1e9, "GB"),
        "stored": Value(mean([shared_tokens(live) for live in before_last])),
        "held": Value(mean([sum(len(h.tokens) for h in live) for live in before_last])),
        "agreed": Value(mean([agreed_tokens(live) for live in before_last])),
        "ask_rows": Value(model_rows(3, 50, 10)),
        "ask_alpha_length": Value(flip_alpha((-3.0, 5), (-4.0, 9), "length")),
        "ask_alpha_gnmt": Value(flip_alpha((-3.0, 5), (-4.0, 9), "gnmt")),
        "ask_copies": Value(cache_mib(6, 0, 4100), "MiB"),
        "ask_shared": Value(cache_mib(6, 4000, 100), "MiB"),
    }
    figures |= {f"hits_{k}": Value(tally(k).hits, "%") for k in (1, 2, 6)}
    figures |= {f"gap_{k}": Value(tally(k).gap, "nats") for k in (1, 2)}
    figures |= {f"length_{k}": Value(tally(k, STOP_DEPTH, END).length, "tokens") for k in (1, 2, 8)}
    figures |= {f"full_{k}": Value(stopped(k, "full").hits, "%") for k in (1, 4)}
    figures |= {f"rows_{rule}": Value(stopped(4, rule).rows) for rule in RULES}
    return figures


def tables() -> dict[str, Table]:
    """The tables the note shows."""
    columns = (Column("library"), Column("length counted"), Column("default"), Column("flips at"))
    whisper = flip_alpha(without_end(SHORT), without_end(LONG), "gnmt")
    vllm = flip_alpha(SHORT, LONG, "prompt", prompt=100)
    rows = (
        ("transformers 5.24.0", "new tokens, end included", "1.0", flip_alpha(SHORT, LONG, "length")),
        (
            "openai-whisper 20250625",
            "new tokens without the end, as $(5+L)/6$; plain $L$ if unset",
            "unset",
            whisper,
        ),
        ("vLLM 0.22.1", "prompt and new tokens, without the end", "1.0", vllm),
    )
    return {"flips": Table(columns, rows)}


def draw_gap(ax: Axes, palette: Palette) -> None:
    """Mean gap to the exact answer against the beam width, each point with the share of optima found."""
    ax.plot(WIDTHS, [tally(k).gap for k in WIDTHS], "o-", color=palette.lines[0])
    for k in WIDTHS:
        text = f"best found\nin {tally(k).hits:.1f}%" if k == 1 else f"{tally(k).hits:.1f}%"
        ax.annotate(
            text,
            (k, tally(k).gap),
            xytext=(9, 0) if k == 1 else (2, 8),
            textcoords="offset points",
            va="center" if k == 1 else "bottom",
            ha="left",
        )
    ax.set_xticks(WIDTHS)
    ax.set_xlim(0.7, 8.9)
    ax.set_ylim(-0.006, 0.175)
    ax.set_yticks((0, 0.05, 0.1, 0.15))
    ax.set_xlabel("beam width k")
    ax.set_ylabel("mean gap to the best sequence (nats)")


def draw_stopping(ax: Axes, palette: Palette) -> None:
    """Share of optima found against the beam width, for three rules of stopping."""
    rules: tuple[tuple[Rule, str, str, str, int], ...] = (
        ("longest", "o-", "bound at the greatest length", "bottom", 7),
        ("here", "s--", "bound at the present length", "top", -10),
        ("full", "^:", "stop at k finished", "top", -9),
    )
    for (rule, marks, label, va, dy), colour in zip(rules, palette.lines, strict=False):
        shares = [stopped(k, rule).hits for k in WIDTHS]
        ax.plot(WIDTHS, shares, marks, color=colour)
        ax.annotate(
            label, (4, shares[WIDTHS.index(4)]), xytext=(0, dy), textcoords="offset points", va=va, ha="left"
        )
    ax.set_xticks(WIDTHS)
    ax.set_xlim(0.7, 8.3)
    ax.set_ylim(51, 107)
    ax.set_yticks((60, 70, 80, 90, 100))
    ax.set_xlabel("beam width k")
    ax.set_ylabel("best sequence found (% of trees)")


FIGURES: dict[str, Draw] = {"beam-search-gap": draw_gap, "beam-search-stopping": draw_stopping}


def main() -> None:
    """Print what the note shows."""
    print(f"{len(SEEDS)} random trees, 4 tokens, 5 steps: {4**5} sequences each")
    print("  k  rows  best found  mean gap")
    for k in WIDTHS:
        print(f"{k:3}  {model_rows(k, 4, 5):4}  {tally(k).hits:9.1f}%  {tally(k).gap:8.3f}")
    print(f"\ntree {EXAMPLE}: a wider beam, a worse answer")
    for k in WIDTHS[:4]:
        best = search(random_tree(EXAMPLE), k).best
        print(f"  k={k}  {name(best.tokens)}  {best.score:.3f}")
    print(f"\none level deeper, A ends, score / L^{STOP_ALPHA:.0f}: best found (%), by rule")
    print("  k  full  here  longest")
    for k in WIDTHS:
        full, here, longest = (stopped(k, rule).hits for rule in RULES)
        print(f"{k:3}  {full:4.1f}  {here:4.1f}  {longest:7.1f}")


if __name__ == "__main__":
    main()
