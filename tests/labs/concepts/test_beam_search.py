"""Beam search against exhaustive enumeration, closed forms, published figures and the note that quotes it."""

from __future__ import annotations

import itertools
import math
import random
import re
from pathlib import Path

import numpy as np
import pytest

from labs.concepts import beam_search as lab

NOTE = Path(__file__).parents[3] / "docs/concepts/beam-search"


def every_sequence(tree: lab.Tree, end: int | None) -> dict[tuple[int, ...], float]:
    """All finished sequences and their log-probabilities, by plain enumeration (independent of the lab)."""
    vocabulary, depth = tree[0].shape[1], len(tree)
    found: dict[tuple[int, ...], float] = {}
    for word in itertools.product(range(vocabulary), repeat=depth):
        cut = word.index(end) + 1 if end in word else depth
        total, row = 0.0, 0
        for level, token in zip(tree, word[:cut], strict=False):
            total += float(level[row, token])
            row = row * vocabulary + token
        found[word[:cut]] = total
    return found


def normalised(score: float, length: int, alpha: float) -> float:
    return score * math.exp(-alpha * math.log(length))


@pytest.mark.parametrize(("seed", "vocabulary", "depth"), [(0, 4, 5), (7, 3, 4), (1001, 2, 7), (42, 5, 3)])
@pytest.mark.parametrize("end", [None, 0, 1])
@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0, -0.5])
def test_exhaustive_is_the_maximum(
    seed: int, vocabulary: int, depth: int, end: int | None, alpha: float
) -> None:
    tree = lab.random_tree(seed, vocabulary, depth)
    best = lab.exhaustive(tree, end, alpha)
    everything = every_sequence(tree, end)
    assert best.score == pytest.approx(everything[best.tokens])
    top = max(normalised(s, len(t), alpha) for t, s in everything.items())
    assert normalised(best.score, len(best.tokens), alpha) == pytest.approx(top)


def test_the_whole_distribution_sums_to_one() -> None:
    for end in (None, 2):
        assert sum(map(math.exp, every_sequence(lab.random_tree(5, 3, 5), end).values())) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(200, 230))
def test_width_one_is_greedy_and_full_width_is_exact(seed: int) -> None:
    tree = lab.random_tree(seed, 3, 5)
    greedy: tuple[int, ...] = ()
    for _ in range(5):
        greedy += (int(np.argmax(lab.next_log_probs(tree, greedy))),)
    assert lab.search(tree, 1).best.tokens == greedy
    assert lab.search(tree, 3**4).best == lab.exhaustive(tree)


@pytest.mark.parametrize("rule", lab.RULES)
@pytest.mark.parametrize("alpha", [0.0, 0.7, 1.0, -0.5])
def test_a_result_is_a_real_sequence_with_its_own_score_and_never_beats_the_optimum(
    rule: lab.Rule, alpha: float
) -> None:
    for seed in range(300, 320):
        tree = lab.random_tree(seed, 3, 5)
        everything = every_sequence(tree, 1)
        top = lab.ranking(lab.exhaustive(tree, 1, alpha), alpha)[0]
        for k in (1, 2, 3, 7):
            best = lab.search(tree, k, 1, alpha, rule).best
            assert best.score == pytest.approx(everything[best.tokens])
            assert lab.ranking(best, alpha)[0] >= top - 1e-9


def naive_beam(tree: lab.Tree, k: int, end: int, alpha: float) -> float:
    """The best normalised score of a beam that never stops early, written another way."""
    depth, vocabulary = len(tree), tree[0].shape[1]
    live: dict[tuple[int, ...], float] = {(): 0.0}
    done = -math.inf
    for step in range(1, depth + 1):
        grown: dict[tuple[int, ...], float] = {}
        for prefix, score in live.items():
            row = int("0" + "".join(map(str, prefix)), vocabulary)
            for token in range(vocabulary):
                grown[(*prefix, token)] = score + float(tree[step - 1][row, token])
        best_first = sorted(grown, key=lambda t: grown[t], reverse=True)
        for word in best_first[:k]:
            if word[-1] == end or step == depth:
                done = max(done, normalised(grown[word], step, alpha))
        live = {w: grown[w] for w in [w for w in best_first if w[-1] != end][:k]}
    return done


@pytest.mark.parametrize("alpha", [0.0, 0.4, 1.0, 2.0])
def test_the_bound_at_the_greatest_length_loses_nothing(alpha: float) -> None:
    for seed in range(400, 440):
        tree = lab.random_tree(seed, 4, 5)
        for k in (1, 2, 3):
            best = lab.search(tree, k, 0, alpha, "longest").best
            assert normalised(best.score, len(best.tokens), alpha) == pytest.approx(
                naive_beam(tree, k, 0, alpha)
            )


def test_the_other_rules_stop_earlier_and_may_lose() -> None:
    lost: dict[lab.Rule, int] = {"full": 0, "here": 0}
    for seed in range(500, 560):
        tree = lab.random_tree(seed, 4, 6)
        for k in (1, 2, 4):
            runs = {rule: lab.search(tree, k, 0, 1.0, rule) for rule in lab.RULES}
            assert runs["full"].rows <= runs["here"].rows <= runs["longest"].rows
            for rule in lost:
                lost[rule] += lab.ranking(runs[rule].best, 1.0) > lab.ranking(runs["longest"].best, 1.0)
    assert lost["full"] > lost["here"] > 0


def two_way(*ends: float) -> lab.Tree:
    """Two tokens; token 0, the end, has the probability ends[d] at every prefix of depth d."""
    return tuple(np.log(np.tile([p, 1 - p], (2**d, 1))) for d, p in enumerate(ends))


@pytest.mark.parametrize(
    ("end", "rule", "rows"),
    [
        # After one step: ln 0.65 = -0.431 against ln 0.35 = -1.050, or -0.350 at the greatest length of 3.
        (0.65, "here", 1),
        (0.65, "longest", 2),  # then ln 0.175 / 3 = -0.581
        # ln 0.70 = -0.357 against ln 0.30 = -1.204, -0.401 at length 3 (and -0.301 at 4, which cannot be).
        (0.70, "longest", 1),
    ],
)
def test_where_the_bound_stops_by_hand(end: float, rule: lab.Rule, rows: int) -> None:
    assert lab.search(two_way(end, 0.5, 0.5), 1, 0, 1.0, rule).rows == rows


def test_two_must_finish_and_the_worse_of_them_is_the_mark() -> None:
    # Finished: 0.6, then 0.4 * 0.4 = 0.16 with 0.24 alive, which beats 0.16; then 0.216 with 0.024 alive.
    tree = two_way(0.6, 0.4, 0.9, 0.5)
    assert [lab.search(tree, 2, 0, 0.0, rule).rows for rule in lab.RULES] == [2, 3, 3]


@pytest.mark.parametrize("alpha", [0.0, -1.0])
def test_without_a_reward_for_length_the_present_length_is_as_good(alpha: float) -> None:
    for seed in range(600, 630):
        tree = lab.random_tree(seed, 4, 5)
        assert lab.search(tree, 3, 0, alpha, "here") == lab.search(tree, 3, 0, alpha, "longest")


def test_ties_are_broken_by_the_order_of_tokens() -> None:
    flat = tuple(np.full((3**d, 3), math.log(1 / 3)) for d in range(4))
    assert [h.tokens for h in lab.expand(flat, [lab.Hypothesis(0.0)], 2)[0]] == [(0,), (1,)]
    assert lab.search(flat, 2).best.tokens == lab.exhaustive(flat).tokens == (0, 0, 0, 0)


@pytest.mark.parametrize(("k", "vocabulary", "depth"), [(1, 7, 4), (3, 2, 6), (9, 3, 5), (1000, 4, 5)])
def test_rows_counted_and_rows_predicted(k: int, vocabulary: int, depth: int) -> None:
    assert lab.search(lab.random_tree(1, vocabulary, depth), k).rows == lab.model_rows(k, vocabulary, depth)
    assert lab.model_rows(10**9, vocabulary, depth) == (vocabulary**depth - 1) // (vocabulary - 1)


def test_the_expected_hits_and_gaps() -> None:
    # Scratch computation made before this lab, with the draw of random_tree: shares and gaps to 3 digits.
    expected = {1: (65.8, 0.159), 2: (88.3, 0.028), 3: (95.0, 0.010), 4: (97.5, 0.004), 8: (100.0, 0.0)}
    for k, (hits, gap) in expected.items():
        assert lab.tally(k).hits == pytest.approx(hits, abs=0.05)
        assert lab.tally(k).gap == pytest.approx(gap, abs=0.0005)
    assert lab.inversions(1, 2) == [109]


def test_the_gap_and_the_hits_against_enumeration() -> None:
    for end, alpha, depth in ((None, 0.0, 4), (0, 1.0, 5)):
        gaps, lengths = [], []
        for seed in lab.SEEDS:
            tree = lab.random_tree(seed, depth=depth)
            scores = every_sequence(tree, end)
            best = lab.search(tree, 2, end, alpha).best
            top = max(normalised(s, len(t), alpha) for t, s in scores.items())
            gaps.append(top - normalised(best.score, len(best.tokens), alpha))
            lengths.append(len(best.tokens))
        tally = lab.tally(2, depth, end, alpha)
        assert tally.gap == pytest.approx(sum(gaps) / len(gaps))
        assert tally.length == pytest.approx(sum(lengths) / len(lengths))
        assert tally.hits == pytest.approx(100 * sum(g < 1e-9 for g in gaps) / len(gaps))


def test_length_scores() -> None:
    # Wu et al. 2016, eq. 14: lp(Y) = (5 + |Y|)^alpha / (5 + 1)^alpha; at |Y| = 1 it is 1 for every alpha.
    assert lab.length_score(-3.0, 1, 0.7, "gnmt") == pytest.approx(-3.0)
    assert lab.length_score(-3.0, 7, 0.5, "gnmt") == pytest.approx(-3.0 * 6**0.5 / 12**0.5)
    assert lab.length_score(-3.0, 9, 0.5) == pytest.approx(-1.0)
    assert lab.length_score(-3.0, 9, -0.5) == pytest.approx(-9.0)
    # vLLM 0.22.1, get_beam_search_score: 60 prompt tokens and 5 new ones of which the last is the end: 64.
    assert lab.length_score(-8.0, 5, 0.5, "prompt", prompt=60) == pytest.approx(-1.0)
    # Whisper cuts each sequence before its end token: seven tokens count as six.
    assert lab.without_end((-3.5, 7)) == (-3.5, 6)


@pytest.mark.parametrize("counted", ["length", "gnmt", "prompt"])
def test_the_ranking_flips_at_alpha(counted: lab.Counted) -> None:
    rng = random.Random(3)  # noqa: S311
    for _ in range(50):
        short = (-rng.uniform(0.5, 3), rng.randint(2, 9))
        long = (short[0] - rng.uniform(0.1, 3), short[1] + rng.randint(1, 20))
        alpha = lab.flip_alpha(short, long, counted, prompt=30)

        def wins(a: float, s: tuple[float, int] = short, t: tuple[float, int] = long) -> bool:
            return lab.length_score(*t, a, counted, 30) > lab.length_score(*s, a, counted, 30)

        assert wins(alpha * 1.001)
        assert not wins(alpha * 0.999)


def test_cache_and_shared_prefixes() -> None:
    # 2 (keys, values) x 80 layers x 8 heads x 128 x 2 bytes = 320 KiB, a size the note does not use.
    assert lab.cache_bytes_per_token(layers=80) == 320 * 1024
    assert lab.cache_mib(3, 80, 8) * 2**20 == (80 + 3 * 8) * 2 * 32 * 8 * 128 * 2
    # Four rows of 1,200 tokens, 128 KiB each, read once and written once.
    assert lab.values()["copy_traffic"].value == pytest.approx((4 + 4) * 1200 * 131_072 / 10**9)
    beams = [lab.Hypothesis(0.0, t) for t in ((1, 2, 3), (1, 2, 4), (1, 5, 3))]
    assert lab.shared_tokens(beams) == 6
    assert lab.agreed_tokens(beams) == 1
    assert lab.agreed_tokens(beams[:1]) == 3
    for k in (1, 3, 6):
        live = lab.search(lab.random_tree(77), k).steps[3]
        assert lab.agreed_tokens(live) <= 4 <= lab.shared_tokens(live) <= 4 * len(live)


def test_the_tree_in_the_note_is_the_example() -> None:
    diagram = re.findall(
        r"```\{mermaid\}\n(.*?)```", (NOTE / "index.md").read_text(encoding="utf-8"), re.DOTALL
    )
    nodes = dict(re.findall(r'\["([A-D]+)<br>(−[\d.]+)', diagram[0]))
    scores = {lab.name(t): s for t, s in prefixes(lab.random_tree(lab.EXAMPLE)).items()}
    assert nodes == {word: f"{scores[word]:.3f}".replace("-", "−") for word in nodes}
    steps = lab.search(lab.random_tree(lab.EXAMPLE), 2).steps[:-1]
    kept = {lab.name(h.tokens) for step in steps for h in step}
    pruned, answer = (re.search(rf"class ([\w,]+) {c}", diagram[0]) for c in ("pruned", "answer"))
    assert pruned
    assert answer
    ended = {"BCACD", "BCADA"}
    assert set(nodes) - set(pruned[1].split(",")) - ended == kept
    assert lab.name(lab.search(lab.random_tree(lab.EXAMPLE), 2).best.tokens) == answer[1]
    assert lab.name(lab.exhaustive(lab.random_tree(lab.EXAMPLE)).tokens) == "BBBDB"
    edges = re.findall(r"^\s+([A-Z]+)(?:\(\[.*?\]\))? (?:-->|-\.->) ([A-Z]+)", diagram[0], re.MULTILINE)
    assert all(("" if a == "R" else a) == b[:-1] for a, b in edges)
    assert len(edges) == len(nodes)


def prefixes(tree: lab.Tree) -> dict[tuple[int, ...], float]:
    """Every prefix of *tree* and its log-probability."""
    scores: dict[tuple[int, ...], float] = {}
    for depth in range(1, len(tree) + 1):
        scores |= every_sequence(tree[:depth], None)
    return scores


def test_what_the_prose_says_in_words() -> None:
    """Claims of the note that are words, or numbers typed into them."""
    text = (NOTE / "index.md").read_text(encoding="utf-8")
    assert f"tree {lab.EXAMPLE}" in text
    assert "−1.2 nats in 2 tokens against −2.0 in 8" in text
    assert (lab.SHORT, lab.LONG) == ((-1.2, 2), (-2.0, 8))
    gap = [lab.tally(k).gap for k in lab.WIDTHS]
    assert gap[0] - gap[1] > gap[1], "most of the loss goes with the second beam"
    example = lab.random_tree(lab.EXAMPLE)
    assert lab.search(example, 3).best == lab.search(example, 2).best != lab.search(example, 1).best
    assert lab.search(example, 1).best == lab.exhaustive(example)
    assert lab.tally(8, lab.STOP_DEPTH, lab.END).gap == pytest.approx(0, abs=1e-12)
    full = [lab.stopped(k, "full").hits for k in lab.WIDTHS]
    alt = f"falls from {full[0]:.0f} to {full[3]:.0f} percent at width {lab.WIDTHS[3]}"
    assert alt in text
    assert all(share < full[0] for share in full[1:]), "every beam wider than one does worse with that rule"
    for rule in ("here", "longest"):
        shares = [lab.stopped(k, rule).hits for k in lab.WIDTHS]
        assert shares == sorted(shares)
        assert shares[3] == 100
    assert [lab.stopped(k, "here").hits for k in lab.WIDTHS][2:] == [
        lab.stopped(k, "longest").hits for k in lab.WIDTHS
    ][2:], "from k = 3 on the two bounds find the same"
    longest, here, stop = (lab.stopped(2, rule).hits for rule in ("longest", "here", "full"))
    assert longest > here > stop, "the order of the lines named in the caption"
    unstopped = 1 + 3 + 4 * (lab.STOP_DEPTH - 2)
    assert {run.rows for run in lab.stopped(4, "longest").results} == {unstopped}, "nothing saved at k = 4"
    lengths = [lab.tally(k, lab.STOP_DEPTH, lab.END).length for k in lab.WIDTHS]
    assert lengths == sorted(lengths, reverse=True), "a wider beam, a shorter answer"
    assert lab.tally(4).hits < 100 == lab.tally(6).hits
