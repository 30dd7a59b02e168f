"""The lab of the NCCL note, against NCCL's log lines, its documentation, and simulations of its graphs."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from labs.infra import nccl
from labs.infra.nccl import GIB, MIB, NVLS_TREE, PROTOCOLS, RING, TREE, Cluster
from labs.kit import figures

DOCS = Path(__file__).parents[3] / "docs" / "infra" / "nccl"
NOTE = (DOCS / "index.md").read_text(encoding="utf-8")

# "NCCL INFO <size> Bytes -> Algo <a> proto <p> time <us>", all-reduces on 24 H100 in 3 nodes, NCCL 2.22.3:
# github.com/NVIDIA/nccl/issues/1453, second run.
# Algo 0 is Tree, 1 Ring, 5 NVLSTree; proto 0 LL, 1 LL128, 2 Simple.
LOG = [
    (128, TREE, "LL", 25.214764),
    (256, TREE, "LL", 25.229528),
    (512, TREE, "LL", 25.259054),
    (2048, TREE, "LL", 25.495272),
    (4096, TREE, "LL", 25.874907),
    (8192, TREE, "LL", 26.549810),
    (65536, TREE, "LL", 37.798233),
    (131072, TREE, "LL128", 51.603912),
    (524288, NVLS_TREE, "Simple", 59.553600),
    (1048576, NVLS_TREE, "Simple", 66.107201),
    (2097152, NVLS_TREE, "Simple", 79.214401),
    (536870912, RING, "Simple", 5679.147949),
    (1073741824, RING, "Simple", 11038.536133),
    (8589934592, RING, "Simple", 86069.968750),
]


@pytest.mark.parametrize(("nbytes", "algorithm", "protocol", "logged_us"), LOG)
def test_a_public_log_is_reproduced(nbytes: int, algorithm: str, protocol: str, logged_us: float) -> None:
    picked = nccl.best_2_22(nccl.LOGGED, nbytes)
    assert picked[:2] == (algorithm, protocol)
    assert picked[2] == pytest.approx(logged_us, rel=2e-7)  # NCCL computes in 32-bit floats


@pytest.mark.parametrize(
    ("nodes", "ring", "tree"),
    [
        (1, (15.0, 40.6, 56.0), (15.2, 31.5, 64.4)),
        (16, (311.6, 559.6, 1190.0), (55.2, 99.5, 176.4)),
    ],
)
def test_latencies_worked_by_hand(nodes: int, ring: tuple[float, ...], tree: tuple[float, ...]) -> None:
    c = Cluster(nodes)
    assert [nccl.latency_us(RING, p, c) for p in PROTOCOLS] == pytest.approx(ring)
    assert [nccl.latency_us(TREE, p, c) for p in PROTOCOLS] == pytest.approx(tree)


def test_latency_of_other_shapes_by_hand() -> None:
    # 5 nodes of 4: 38 steps, 8 of them between nodes; LL128: 14 + 30 x 1.9 + 8 x 4.0
    assert nccl.latency_us(RING, "LL128", Cluster(5, gpus=4)) == pytest.approx(103.0)
    # LL in the node costs at least the host's 1 us (Intel) or 2 us (AMD) once there is a network
    assert nccl.latency_us(RING, "LL", Cluster(5, gpus=4)) == pytest.approx(6.6 + 30 * 1.0 + 8 * 2.7)
    assert nccl.latency_us(RING, "LL", Cluster(5, gpus=4, cpu="AMD")) == pytest.approx(
        6.6 + 30 * 2.0 + 8 * 2.7
    )
    assert nccl.latency_us(RING, "Simple", Cluster(5, gpus=4, cpu="AMD")) == pytest.approx(
        8.4 + 30 * 6 + 8 * 14
    )
    # one GPU a node: every step crosses, at the tree's network latency
    assert nccl.latency_us(RING, "LL", Cluster(5, gpus=1)) == pytest.approx(6.6 + 8 * 5.0)
    # 5 nodes: log2 rounds down to 2; 14 + 2 (3 x 1.25 + 2 x 8.5)
    assert nccl.latency_us(TREE, "LL128", Cluster(5, gpus=4)) == pytest.approx(55.5)
    assert nccl.latency_us(NVLS_TREE, "Simple", Cluster(5, gpus=4)) == pytest.approx(25 + 4 * 20.9)


def test_old_nvls_tree_by_hand_and_when_it_wins() -> None:
    # five nodes, 6 channels of 40: 25 + 2 x 2 x 14, and 6 x 20 x 5/6 = 100 GB/s
    assert nccl.old_nvls_tree_us(Cluster(5, channels=6, channel_gbs=40.0), 10**6) == pytest.approx(81 + 10)
    # two nodes keep the whole channel
    assert nccl.old_nvls_tree_us(Cluster(2, channels=6, channel_gbs=40.0), 10**6) == pytest.approx(53 + 5)
    found = nccl.handovers(nccl.LOGGED, 8, 8 * GIB, pick=nccl.best_2_22)
    assert [pair for _, *pair in found] == [
        [TREE, "LL"],
        [TREE, "LL128"],
        [NVLS_TREE, "Simple"],
        [RING, "LL128"],
        [RING, "Simple"],
    ]  # no Tree Simple, whose price then is not ported
    # 53 + S / 80 GB/s meets 114 + S / 92.16 GB/s, between the 32 MiB and the 64 MiB of the first run
    size = found[3][0]
    assert size == pytest.approx(61e3 / (1 / 80 - 1 / 92.16), rel=1e-6)
    assert 32 * MIB < size < 64 * MIB


def crossings(nodes: int, gpus: int) -> list[int]:
    """Hops between nodes in n-1 hops around a ring that visits node by node, for a chunk from each rank."""
    n = nodes * gpus
    return [sum((start + k) // gpus != (start + k + 1) // gpus for k in range(n - 1)) for start in range(n)]


@pytest.mark.parametrize(("nodes", "gpus"), [(2, 8), (3, 8), (5, 4), (16, 8)])
def test_network_steps_are_those_of_the_luckiest_chunk(nodes: int, gpus: int) -> None:
    c = Cluster(nodes, gpus)
    assert nccl.network_steps(c) == 2 * min(crossings(nodes, gpus))
    assert nccl.network_steps(replace(c, before_2_23=True)) == 2 * max(crossings(nodes, gpus))


def test_one_node_has_no_network_steps() -> None:
    assert nccl.network_steps(Cluster(1)) == 0
    assert nccl.network_steps(Cluster(1, before_2_23=True)) == 0


def test_tree_depth_is_what_walking_down_from_the_root_gives() -> None:
    """Children by the recursive definition (halve the step), not by the bits of the parent."""

    def depth(root: int, step: int, nodes: int) -> int:
        if step == 0:
            return 0
        left = depth(root - step, step // 2, nodes)
        right, other = root + step, step
        while other and right >= nodes:
            right, other = root + other // 2, other // 2
        deeper = 1 + depth(right, other // 2, nodes) if other and right < nodes else 0
        return max(1 + left, deeper)

    for nodes in range(2, 70):
        top = 1
        while top < nodes:
            top *= 2
        assert nccl.tree_depth(nodes) == 1 + depth(top // 2, top // 4, nodes), nodes
        counted = nccl.log2_floor(nodes)
        assert counted == nccl.tree_depth(nodes) - (0 if nodes & (nodes - 1) == 0 else 1)


def test_ring_latency_is_linear_and_tree_latency_logarithmic() -> None:
    for protocol in PROTOCOLS:
        ring = [nccl.latency_us(RING, protocol, Cluster(n)) for n in range(2, 40)]
        steps = {round(b - a, 6) for a, b in itertools.pairwise(ring)}
        assert len(steps) == 1 and steps.pop() > 0
        tree = [nccl.latency_us(TREE, protocol, Cluster(2**k)) for k in range(10)]
        assert len({round(b - a, 6) for a, b in itertools.pairwise(tree)}) == 1


def test_bandwidths_by_hand() -> None:
    c = Cluster(4, gpus=4, channels=6, channel_gbs=40.0)  # bus 240; ring ratio 16/30
    assert nccl.bandwidth_gbs(RING, "Simple", c) == pytest.approx(128.0)
    assert nccl.bandwidth_gbs(RING, "LL128", c) == pytest.approx(min(240 * 0.92, 6 * 36.7) * 16 / 30)
    assert nccl.bandwidth_gbs(RING, "LL", c) == pytest.approx(20.4 * 16 / 30)
    assert nccl.bandwidth_gbs(RING, "LL", replace(c, cpu="AMD")) == pytest.approx(19.0 * 16 / 30)
    assert nccl.bandwidth_gbs(TREE, "Simple", c) == pytest.approx(216 * 0.85 / 2)  # cap: 36 a channel
    assert nccl.bandwidth_gbs(TREE, "Simple", replace(c, plain_tree=False)) == pytest.approx(108)
    assert nccl.bandwidth_gbs(TREE, "LL128", c) == pytest.approx(6 * 29 * 0.85 / 2)
    assert nccl.bandwidth_gbs(TREE, "LL", c) == pytest.approx(20.4 * 0.85 / 2)
    assert nccl.bandwidth_gbs(NVLS_TREE, "Simple", c) == pytest.approx(6 * 40 * 16 / 30)
    thin = Cluster(4, gpus=4, channels=1, channel_gbs=10.0)  # the LL ceiling is far away
    assert nccl.bandwidth_gbs(TREE, "LL", thin) == pytest.approx(9.2 / 3.8 * 0.85 / 2)
    # two nodes: the network counts double, so the switch limits: 40 x 0.85 x 5/6 x 2 = 56.7 a channel
    two = Cluster(2, gpus=4, channels=6, channel_gbs=40.0)
    assert nccl.bandwidth_gbs(NVLS_TREE, "Simple", two) == pytest.approx(6 * 40 * 0.85 * 5 / 6 * 2 * 8 / 14)
    one = Cluster(1, channels=16, channel_gbs=20.0)  # one node: caps of the GPU, LL128 tree at 7/9
    assert nccl.bandwidth_gbs(RING, "LL", one) == pytest.approx(141.0 * 8 / 14)
    assert nccl.bandwidth_gbs(TREE, "LL128", one) == pytest.approx(320 * 0.92 * 7 / 9 * 0.85 / 2)


def test_no_protocol_beats_the_bus_and_ll_pays_half() -> None:
    for nodes in (1, 2, 3, 16):
        c = Cluster(nodes)
        bus = c.channels * c.channel_gbs
        for algorithm, protocol in nccl.candidates(replace(c, nvls=True)):
            share = 2 * (c.ranks - 1) / c.ranks if algorithm == RING else 1
            assert nccl.bandwidth_gbs(algorithm, protocol, c) * share <= bus
    slow = Cluster(4, channels=1, channel_gbs=10.0)
    half = nccl.bandwidth_gbs(RING, "LL", slow) / nccl.bandwidth_gbs(RING, "Simple", slow)
    assert half == pytest.approx(0.5)


def test_ring_plateau_starts_at_64_bytes_a_rank_and_block() -> None:
    c = Cluster(3, gpus=4)
    edge = 64 * 16 * 12
    before = nccl.time_us(RING, "Simple", c, edge - 1)
    after = nccl.time_us(RING, "Simple", c, edge)
    assert after - before == pytest.approx(0.4 * nccl.latency_us(RING, "Simple", c), rel=1e-3)
    one = Cluster(1)
    assert nccl.time_us(RING, "Simple", one, GIB) == pytest.approx(
        nccl.latency_us(RING, "Simple", one) + GIB / nccl.bandwidth_gbs(RING, "Simple", one) / 1000
    )


def test_tree_correction_ends_at_512_mib_and_does_not_touch_the_ring() -> None:
    c = Cluster(16)
    for nbytes, left in (
        (512 * MIB, 1.0),
        (512 * MIB - 1, 0.9),
        (64 * MIB, 0.8),
        (32 * MIB, 0.7),
        (64, 0.9),
        (63, 1.0),
    ):
        slope = (nccl.time_us(TREE, "Simple", c, nbytes) - nccl.latency_us(TREE, "Simple", c)) / nbytes
        assert 1 / slope / 1000 == pytest.approx(left * nccl.bandwidth_gbs(TREE, "Simple", c))
    slope = (nccl.time_us(RING, "LL128", c, MIB) - nccl.latency_us(RING, "LL128", c)) / MIB
    assert 1 / slope / 1000 == pytest.approx(nccl.bandwidth_gbs(RING, "LL128", c))
    assert all(len(row) == 23 for row in nccl.TREE_CORRECTION.values())


@pytest.mark.parametrize(
    "c", [Cluster(1), Cluster(2), Cluster(7, gpus=4), Cluster(16), Cluster(24, nvls=True)]
)
def test_best_is_never_worse_than_any_candidate(c: Cluster) -> None:
    for k in range(3, 34):
        nbytes = 3 << (k - 2)
        time = nccl.best(c, nbytes)[2]
        assert all(time <= nccl.time_us(a, p, c, nbytes) for a, p in nccl.candidates(c))


def test_nvls_tree_competes_only_between_nodes_and_only_when_on() -> None:
    assert (NVLS_TREE, "Simple") in nccl.candidates(Cluster(2, nvls=True))
    assert (NVLS_TREE, "Simple") not in nccl.candidates(Cluster(1, nvls=True))
    assert (NVLS_TREE, "Simple") not in nccl.candidates(Cluster(2))


@pytest.mark.parametrize("c", [Cluster(2), Cluster(5, gpus=4), Cluster(16), Cluster(16, nvls=True)])
def test_handovers_are_where_the_pick_changes(c: Cluster) -> None:
    found = nccl.handovers(c, 64, 8 * GIB)
    assert found[0][0] == 64
    for (_, *before), (size, *after) in itertools.pairwise(found):
        assert list(nccl.best(c, size)[:2]) == after
        assert list(nccl.best(c, size - 1)[:2]) == before
    for k in range(6, 33):  # naive scan
        expected = [pair for size, *pair in found if size <= 2**k][-1]
        assert list(nccl.best(c, 2**k)[:2]) == expected


def test_there_is_no_single_threshold_in_the_note_s_example() -> None:
    algorithms = [algorithm for _, algorithm, _ in nccl.handovers(nccl.EXAMPLE, 8, 64 * GIB)]
    assert [a for a, b in zip(algorithms, [None, *algorithms], strict=False) if a != b] == [
        TREE,
        RING,
        TREE,
        RING,
    ]


@pytest.mark.parametrize(("nodes", "expected_mb"), [(2, 48.6), (4, 254.7), (16, 1983.0)])
def test_naive_crossover_solves_both_lines(nodes: int, expected_mb: float) -> None:
    c = Cluster(nodes)
    size = nccl.naive_crossover(c, 370.8)
    ring = nccl.latency_us(RING, "Simple", c) + size / (370.8 * c.ranks / (2 * (c.ranks - 1))) / 1000
    tree = nccl.latency_us(TREE, "Simple", c) + size / (370.8 * 0.46) / 1000
    assert ring == pytest.approx(tree)
    assert size / 1e6 == pytest.approx(expected_mb, rel=1e-3)


def test_bound_is_below_every_estimate_at_large_sizes() -> None:
    for nodes in (2, 4, 16, 64):
        c = Cluster(nodes, nvls=True)
        assert nccl.bound_us(c, 8 * GIB) <= nccl.best(c, 8 * GIB)[2]
    # three nodes, 24 GB: each sends 4/3 of it at 360 GB/s
    assert nccl.bound_us(Cluster(3), 24 * 10**9) == pytest.approx(24e3 * 4 / 3 / 0.36)


def test_widest_ring() -> None:
    assert nccl.widest_ring(370.8, 8) == 45.0
    assert nccl.widest_ring(370.8, 4) == 48.0  # fewer NICs: the table's maximum
    assert nccl.widest_ring(200.0, 8) == 24.0


# docs/userguide/source/env.rst @5067397c26, table under NCCL_IB_TIMEOUT
@pytest.mark.parametrize(
    ("exponent", "timeout", "total"),
    [
        (17, 0.5369, 3.8),
        (18, 1.1, 7.5),
        (19, 2.1, 15),
        (20, 4.3, 30),
        (22, 17.2, 120),
        (24, 68.7, 480),
        (25, 137.4, 960),
    ],
)
def test_ib_timeouts_are_those_of_the_user_guide(exponent: int, timeout: float, total: float) -> None:
    assert nccl.ib_timeout_s(exponent) == pytest.approx(timeout, rel=0.05)
    assert nccl.ib_error_s(exponent) == pytest.approx(total, rel=0.02)


def test_ib_timeout_doubles_and_has_no_value_outside_its_range() -> None:
    for exponent in range(1, 31):
        assert nccl.ib_timeout_s(exponent + 1) == 2 * nccl.ib_timeout_s(exponent)
    for exponent in (0, 32):
        with pytest.raises(ValueError, match="for ever"):
            nccl.ib_timeout_s(exponent)


def test_algorithm_lists_of_the_user_guide() -> None:
    """The examples in env.rst (NCCL_ALGO) and in the comment above parseList in tuning.cc."""
    text = "ring,collnetdirect;allreduce:tree,collnetdirect;broadcast:ring"
    enabled = nccl.parse_algo_list(text)
    assert set(enabled["AllReduce"]) == {"Tree", "CollNetDirect"}
    assert enabled["Broadcast"] == ("Ring",)
    assert set(enabled["Reduce"]) == set(enabled["AllGather"]) == {"Ring", "CollNetDirect"}
    enabled = nccl.parse_algo_list("allreduce:^tree")
    assert set(enabled["AllReduce"]) == set(nccl.ALGORITHMS) - {"Tree"}
    assert enabled["Broadcast"] == nccl.ALGORITHMS
    enabled = nccl.parse_algo_list("LL,Simple;allreduce:^LL", PROTOCOLS)
    assert (enabled["AllReduce"], enabled["Reduce"]) == (("LL128", "Simple"), ("LL", "Simple"))
    enabled = nccl.parse_algo_list("^LL128;allreduce:LL128", PROTOCOLS)
    assert (enabled["AllReduce"], enabled["Reduce"]) == (("LL128",), ("LL", "Simple"))
    assert nccl.parse_algo_list("") == dict.fromkeys(nccl.FUNCTIONS, nccl.ALGORITHMS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tree;ring", "must have a prefix"),
        ("allreduce:tree;ring", "must have a prefix"),
        (";tree", "must have a prefix"),
        ("tree,rnig", "unrecognised element"),
        ("allreduce:collnet", "unrecognised element"),
        ("all_reduce:tree", "unrecognised function"),
    ],
)
def test_algorithm_lists_that_nccl_refuses(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        nccl.parse_algo_list(text)


def test_the_log_lines_in_the_note_are_the_ones_tested() -> None:
    for nbytes, _, _, logged in LOG:
        if nbytes in nccl.LOGGED_BYTES.values():
            assert f"{logged:,.6f}".rstrip("0") in NOTE, nbytes
    for measured in nccl.MEASURED_US.values():
        assert f"{measured:,.2f}".rstrip("0").rstrip(".") in NOTE
    # the short answer rounds the log's figure
    largest = next(logged for nbytes, _, _, logged in LOG if nbytes == 512 * MIB)
    assert f"put the all-reduce at {largest:,.0f}\N{NO-BREAK SPACE}µs" in NOTE


def test_what_the_note_says_in_words() -> None:
    v = {name: value.value for name, value in nccl.values().items()}

    def number(name: str) -> float:
        value = v[name]
        assert not isinstance(value, str)
        return value

    picks = nccl.handovers(nccl.EXAMPLE, 8, 64 * GIB)
    assert [p[1:] for p in picks[3:6]] == [(RING, "LL128"), (TREE, "Simple"), (RING, "LL128")]
    # "at exactly 128 MiB it steps from 0.8 to 0.9", "the last byte makes the tree's estimate shorter"
    assert picks[4][0] == 128 * MIB
    assert nccl.TREE_CORRECTION["Simple"][20:22] == (0.8, 0.9)
    tree = [nccl.time_us(TREE, "Simple", nccl.EXAMPLE, 128 * MIB - k) for k in (1, 0)]
    assert tree[1] < tree[0]
    # "grows by half", "more than ten times earlier", "about 16 MiB"
    assert number("pick_again") / number("pick_ring") < 1.5
    assert number("naive") / number("pick_again") > 10
    assert 15 < number("pick_nvls") < 17
    # "wins everything from there up"
    with_nvls = nccl.handovers(replace(nccl.EXAMPLE, nvls=True), 8, 64 * GIB)
    assert with_nvls[-1][1] == NVLS_TREE
    assert sum(p[1] == NVLS_TREE for p in with_nvls) == 1
    # "with another speed, the ring may come back": a ring of 48 GB/s against the NVLS cap of 45.5
    faster = nccl.handovers(Cluster(16, channel_gbs=48.0, nvls=True), 8, 64 * GIB)
    assert faster[-1][1:] == (RING, "Simple")
    # "each a factor between 0.4 and 1"
    factors = [factor for row in nccl.TREE_CORRECTION.values() for factor in row]
    assert (min(factors), max(factors)) == (0.4, 1.0)


@pytest.mark.parametrize("stem", nccl.FIGURES)
def test_plots_are_drawn(stem: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert all(path.stat().st_size > 1000 for path in figures.render(nccl.FIGURES[stem], stem, tmp_path))
