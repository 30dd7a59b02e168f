"""The lab of the bus-bandwidth note, against nccl-tests, published logs, closed forms and simulations of its own."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from labs.infra import bus_bandwidth as bus
from labs.infra.bus_bandwidth import GB, MIB, Collective, Topology
from labs.kit import Table, Value

DOCS = Path(__file__).parents[3] / "docs" / "infra" / "bus-bandwidth"
NOTE = (DOCS / "index.md").read_text(encoding="utf-8")

ALL_REDUCES = (bus.ring, bus.direct, bus.one_tree, bus.nvls, bus.push)
POWERS = (bus.halving_doubling, bus.recursive_doubling)


def random_buffers(c: Collective, seed: int = 7) -> np.ndarray:
    return np.random.default_rng(seed).integers(-1000, 1000, size=(c.ranks, c.chunks))


def check_all_reduce(c: Collective) -> None:
    buffers = random_buffers(c)
    assert (bus.run(c, buffers) == buffers.sum(axis=0)).all()


@pytest.mark.parametrize("n", [2, 3, 5, 8, 12])
@pytest.mark.parametrize("build", ALL_REDUCES)
def test_all_reduces_add_up(build: object, n: int) -> None:
    check_all_reduce(build(n))  # type: ignore[operator]


@pytest.mark.parametrize("n", [2, 4, 8, 16])
def test_all_reduces_of_some_sizes_add_up(n: int) -> None:
    for build in POWERS:
        check_all_reduce(build(n))
    check_all_reduce(bus.two_trees(n))
    check_all_reduce(bus.two_trees(n + 2))


@pytest.mark.parametrize(("nodes", "gpus"), [(1, 4), (2, 2), (3, 4), (5, 3)])
def test_all_reduces_across_nodes_add_up(nodes: int, gpus: int) -> None:
    check_all_reduce(bus.hierarchical(nodes, gpus))
    check_all_reduce(bus.rings(list(reversed(range(nodes))), gpus))


def test_other_collectives_deliver() -> None:
    n = 5
    c = bus.reduce_scatter(n)
    buffers = random_buffers(c)
    after = bus.run(c, buffers)
    assert [after[p, (p + 1) % n] for p in range(n)] == [buffers[:, (p + 1) % n].sum() for p in range(n)]
    c = bus.all_gather(n)
    buffers = random_buffers(c)
    own = [buffers[(b - 1) % n, b] for b in range(n)]
    assert (bus.run(c, buffers) == own).all()
    c = bus.chain_broadcast(n)
    buffers = random_buffers(c)
    assert (bus.run(c, buffers) == buffers[0]).all()
    c = bus.chain_reduce(n)
    buffers = random_buffers(c)
    assert (bus.run(c, buffers)[0] == buffers.sum(axis=0)).all()
    c = bus.all_to_all(n)
    buffers = random_buffers(c)
    after = bus.run(c, buffers)
    for a, b in itertools.permutations(range(n), 2):
        assert after[b, a * n + b] == buffers[a, a * n + b]
    c = bus.gather(n)
    buffers = random_buffers(c)
    assert (bus.run(c, buffers)[0] == buffers.diagonal()).all()
    c = bus.scatter(n)
    buffers = random_buffers(c)
    assert (bus.run(c, buffers).diagonal() == buffers[0]).all()
    c = bus.send_receive(n)
    buffers = random_buffers(c)
    assert (bus.run(c, buffers) == np.roll(buffers, 1, axis=0)).all()


def test_gather_rings_gather() -> None:
    nodes, gpus = 3, 2
    c, n = bus.gather_rings(nodes, gpus), nodes * gpus
    assert len(c.steps) == n - 1
    whole = bus.rings(range(nodes), gpus)
    buffers = random_buffers(whole)
    first = Collective(n, whole.chunks, whole.share, whole.steps[: n - 1])
    assert (bus.run(c, bus.run(first, buffers)) == buffers.sum(axis=0)).all()


# nccl-tests @a0b82b2260, the GetBw of each test in src/*.cu
NCCL_TESTS = {
    "all-reduce": lambda n: Fraction(2 * (n - 1), n),
    "reduce-scatter": lambda n: Fraction(n - 1, n),
    "all-gather": lambda n: Fraction(n - 1, n),
    "all-to-all": lambda n: Fraction(n - 1, n),
    "gather": lambda n: Fraction(n - 1, n),
    "scatter": lambda n: Fraction(n - 1, n),
    "broadcast": lambda n: Fraction(1),
    "reduce": lambda n: Fraction(1),
    "send/recv": lambda n: Fraction(1),
}


@pytest.mark.parametrize("op", bus.BEST)
def test_counted_factors_are_those_of_nccl_tests(op: str) -> None:
    for n in (2, 3, 4, 7, 8, 13, 24, 48):
        assert bus.bus_factor(op, n) == NCCL_TESTS[op](n)
    shown = {"$2(n-1)/n$": Fraction(24, 13), "$(n-1)/n$": Fraction(12, 13), "1": Fraction(1)}
    assert shown[bus.FORMULAS[op]] == bus.bus_factor(op, 13)


def test_factor_grows_with_n_towards_its_limit() -> None:
    for op, limit in (("all-reduce", 2), ("all-gather", 1), ("all-to-all", 1)):
        factors = [bus.bus_factor(op, n) for n in range(2, 30)]
        assert factors == sorted(set(factors)) and factors[-1] < limit
        assert limit - factors[-1] <= Fraction(limit, 29)


# Lines printed by nccl-tests: operation, ranks, bytes, microseconds, algbw, busbw.
PRINTED = [
    ("all-reduce", 24, 33554432, 2180.1, 15.39, 29.50),  # NVIDIA/nccl issue 1453
    ("all-reduce", 16, 134217728, 1108.0, 121.14, 227.14),  # NVIDIA/nccl issue 1244
    ("all-reduce", 16, 17179869184, 727698, 23.61, 44.27),  # NVIDIA/nccl-tests issue 319
    ("all-reduce", 72, 8589934592, 20299, 423.16, 834.57),  # coreweave/nccl-tests pull request 43
    ("reduce-scatter", 8, 1048576, 84.46, 12.42, 10.86),  # NVIDIA/nccl-tests issue 128
]


@pytest.mark.parametrize(("op", "n", "size", "us", "algbw", "busbw"), PRINTED)
def test_columns_of_published_logs(op: str, n: int, size: int, us: float, algbw: float, busbw: float) -> None:
    assert bus.algbw(size, us * 1e-6) == pytest.approx(algbw, rel=1e-4, abs=0.006)
    assert bus.busbw(op, n, size, us * 1e-6) == pytest.approx(busbw, rel=1e-4, abs=0.006)


def test_size_is_the_whole_array() -> None:
    # the count column of those logs: per rank where the array is divided (issue 128), else the array
    assert bus.size_of("reduce-scatter", 8, 32768, 4) == 1048576
    assert bus.size_of("all-reduce", 24, 8388608, 4) == 33554432
    # src/*.cu @a0b82b2260: "count * typesize * nranks" in five tests, "count * typesize" in four
    times_n = {op for op in bus.BEST if bus.size_of(op, 3, 10, 2) == 60}
    assert times_n == {"reduce-scatter", "all-gather", "all-to-all", "gather", "scatter"}
    assert {bus.size_of(op, 3, 10, 2) for op in bus.BEST} == {20, 60}


def fewest_sends(n: int) -> int:
    """Breadth-first search over all ways to send and add one element, ranks keeping all they ever had."""
    full = (1 << n) - 1
    start = tuple(frozenset({1 << r}) for r in range(n))
    seen, front, sends = {start}, [start], 0
    while True:
        if any(all(full in held for held in state) for state in front):
            return sends
        sends += 1
        following = set()
        for state in front:
            for a, b in itertools.permutations(range(n), 2):
                for part in state[a]:
                    fresh = {part} | {part | mine for mine in state[b] if not part & mine}
                    if fresh <= state[b]:
                        continue
                    after = list(state)
                    after[b] = state[b] | fresh
                    following.add(tuple(after))
        front = [state for state in following if state not in seen]
        seen |= following


@pytest.mark.parametrize("n", [2, 3])
def test_no_schedule_of_sends_needs_fewer(n: int) -> None:
    assert fewest_sends(n) == 2 * (n - 1) == bus.sends_per_element(bus.ring(n))


def test_sends_of_each_algorithm() -> None:
    for n in (2, 4, 8, 16):
        minimal = (bus.ring, bus.direct, bus.halving_doubling, bus.one_tree, bus.two_trees)
        assert {bus.sends_per_element(build(n)) for build in minimal} == {2 * (n - 1)}
        assert bus.sends_per_element(bus.recursive_doubling(n)) == n * (n.bit_length() - 1)
        assert bus.sends_per_element(bus.nvls(n)) == 1 + n
        assert bus.sends_per_element(bus.push(n)) == n
    copied = Collective(5, 2, Fraction(1, 2), [[bus.Move((0,), (1, 2, 4), (0, 1))]])
    assert bus.sends_per_element(copied) == 3
    assert bus.busiest_port(copied) == 1


def test_busiest_port_by_hand() -> None:
    for n in (4, 8, 32):
        optimum = Fraction(2 * (n - 1), n)
        assert bus.busiest_port(bus.ring(n)) == bus.busiest_port(bus.halving_doubling(n)) == optimum
        assert bus.busiest_port(bus.direct(n)) == optimum
        assert bus.busiest_port(bus.two_trees(n)) == 2  # inside one tree: 3 halves, leaf of the other: 1 half
        assert bus.busiest_port(bus.one_tree(n)) == 3
        assert bus.busiest_port(bus.recursive_doubling(n)) == n.bit_length() - 1
        assert bus.busiest_port(bus.push(n)) == 1


def test_nvls_ports_are_as_its_authors_say() -> None:
    # NVIDIA/nccl issue 1083: reduce-scatter sends S and receives S/N, all-gather the other way round
    for n in (2, 5, 8):
        c, port = bus.nvls(n), bus.switch(n, 1.0)
        load, store = (bus.load([step], c.share, port) for step in c.steps)
        for r in range(n):
            assert [load[f"out {r}"], load[f"in {r}"]] == [Fraction(1), Fraction(1, n)]
            assert [store[f"out {r}"], store[f"in {r}"]] == [Fraction(1, n), Fraction(1)]
        assert bus.busiest_port(c) == Fraction(n + 1, n)


def test_two_trees_have_other_insides() -> None:
    for n in (4, 6, 8, 10, 64):
        c = bus.two_trees(n)
        inside = [
            {m.targets[0] for m in itertools.chain.from_iterable(c.steps) if m.add and m.chunks == (half,)}
            for half in (0, 1)
        ]
        assert not inside[0] & inside[1]
        assert set(bus.parents(n)) == set(range(1, n))


def event_ring_s(rates: list[float], size: float, alpha: float) -> float:
    """A ring all-reduce without barriers: a rank sends when its last send is out and the data has come."""
    n = len(rates)
    done = [0.0] * n
    for _ in range(2 * (n - 1)):
        done = [max(done[r], done[(r - 1) % n]) + alpha + size / n / rates[r] / GB for r in range(n)]
    return max(done)


@pytest.mark.parametrize("alpha", [0.0, 3e-6])
@pytest.mark.parametrize("n", [2, 3, 8, 11])
def test_ring_is_as_slow_as_its_slowest_link(n: int, alpha: float) -> None:
    ports = {r: 100.0 + 37.0 * (r * 5 % n) for r in range(n)}
    topology = bus.switch(n, 999.0, ports)
    links = [min(ports[r], ports[(r + 1) % n]) for r in range(n)]
    seconds = bus.stepwise_s(bus.ring(n), topology, 3 * GB, alpha)
    assert seconds == pytest.approx(event_ring_s(links, 3 * GB, alpha))
    assert seconds == pytest.approx(2 * (n - 1) * (alpha + 3 / n / min(links)))
    if not alpha:
        assert bus.busbw("all-reduce", n, 3 * GB, seconds) == pytest.approx(min(links))
        assert bus.limit_s(bus.ring(n), topology, 3 * GB) == pytest.approx(seconds)


def test_halves_of_the_ring_add_up() -> None:
    port = bus.switch(6, 200.0)
    times = [bus.stepwise_s(build(6), port, GB, 2e-6) for build in (bus.reduce_scatter, bus.all_gather)]
    assert sum(times) == pytest.approx(bus.stepwise_s(bus.ring(6), port, GB, 2e-6))


def test_half_size_is_half_the_rate() -> None:
    for n, alpha, rate in ((8, 5e-6, 450.0), (24, 1e-5, 48.0)):
        size = bus.half_size(n, alpha, rate)
        assert bus.ring_busbw(n, size, alpha, rate) == pytest.approx(rate / 2)
        assert size == pytest.approx(n * alpha * rate * 1e9)


@pytest.mark.parametrize(("nodes", "gpus"), [(2, 4), (3, 8), (6, 2)])
def test_hierarchy_against_its_closed_form(nodes: int, gpus: int) -> None:
    c, topology = bus.hierarchical(nodes, gpus), bus.cluster(nodes, gpus, nvlink=300.0, nic=20.0)
    inside = 2 * (gpus - 1) / gpus / 300.0
    outside = 2 * (nodes - 1) / nodes / gpus / 20.0
    assert bus.stepwise_s(c, topology, GB) == pytest.approx(inside + outside)
    assert bus.limit_s(c, topology, GB) == pytest.approx(max(inside, outside))
    assert bus.nic_share(c, nodes, gpus) == Fraction(2 * (nodes - 1), nodes * gpus)


@pytest.mark.parametrize(("nodes", "gpus"), [(2, 4), (4, 3)])
def test_flat_rings_show_the_nics(nodes: int, gpus: int) -> None:
    n, c = nodes * gpus, bus.rings(range(nodes), gpus)
    topology = bus.cluster(nodes, gpus, nvlink=1e6, nic=20.0)
    carried = bus.load(c.steps, c.share, topology)
    nics = {part for link, part in carried.items() if link.startswith("nic")}
    assert nics == {Fraction(2 * (n - 1), n * gpus)}
    assert bus.busbw("all-reduce", n, GB, bus.limit_s(c, topology, GB)) == pytest.approx(gpus * 20.0)
    gather = bus.gather_rings(nodes, gpus)
    assert bus.nic_share(gather, nodes, gpus) == Fraction(n - 1, n * gpus)


@pytest.mark.parametrize(("nodes", "gpus", "leaf"), [(4, 2, 2), (6, 4, 3), (6, 2, 1)])
def test_all_to_all_on_a_fat_tree(nodes: int, gpus: int, leaf: int) -> None:
    n, c = nodes * gpus, bus.all_to_all(nodes * gpus)
    topology = bus.cluster(nodes, gpus, nic=25.0, leaf=leaf, oversubscription=3.0)
    carried = bus.load(c.steps, c.share, topology)
    assert carried["nic out 0"] == carried[f"nic in {n - 1}"] == Fraction(n - gpus, n)
    assert carried["nvlink out 1"] == Fraction(gpus - 1, n)
    ranks = leaf * gpus
    assert carried["leaf up 0"] == carried["leaf down 1"] == ranks * Fraction(n - ranks, n)
    assert topology.rate["leaf up 0"] == pytest.approx(ranks * 25.0 / 3)
    assert bus.busiest(carried, topology)[0].startswith("leaf")


def test_two_leaves_are_a_bisection() -> None:
    for nodes, over in ((4, 1.0), (6, 2.5)):
        c = bus.all_to_all(nodes * 8)
        topology = bus.cluster(nodes, leaf=nodes // 2, oversubscription=over)
        carried = bus.load(c.steps, c.share, topology)
        uplinks = {k: v for k, v in carried.items() if k.startswith("leaf")}
        seconds = 0.5 * bus.busiest(uplinks, topology)[1]
        assert bus.bisection_s(nodes, 8, 0.5 * GB, bus.NIC, over) == pytest.approx(seconds)
    # 128 GPUs, 256 MiB, NICs of 50 GB/s: 64 ranks send 128 MiB each over 64 x 50 GB/s
    assert bus.bisection_s(16, 8, 256 * MIB, 50.0) == pytest.approx(128 * MIB / 50e9)


def test_rings_in_order_cross_a_leaf_once() -> None:
    for nodes in (4, 8):
        good, bad = bus.flat(nodes), bus.flat(nodes, apart=True)
        n = nodes * 8
        assert good["leaf up 0"] == Fraction(2 * (n - 1), n)
        assert bad["leaf up 0"] == nodes // 2 * good["leaf up 0"]
        assert bus.flat_busbw(nodes, False, float(nodes // 2)) == pytest.approx(400.0)
        assert bus.flat_busbw(nodes, False, 2.0 * (nodes // 2)) == pytest.approx(200.0)
        assert bus.flat_busbw(nodes, True, 5.0) == pytest.approx(80.0)
    assert bus.ring_binds() == pytest.approx(8.0)


def test_pcie_switches_share_one_link() -> None:
    for n in (4, 8):
        topology: Topology = bus.pcie(n, 50.0)
        ring, spread = bus.ring(n), bus.all_to_all(n)
        assert bus.load(ring.steps, ring.share, topology)["up 0"] == Fraction(2 * (n - 1), n)
        assert bus.load(spread.steps, spread.share, topology)["up 1"] == Fraction(n, 4)
        inward = bus.gather(n)  # to rank 0, so only what the other switch has goes up
        carried = bus.load(inward.steps, inward.share, topology)
        assert (carried["up 1"], carried.get("up 0")) == (Fraction(1, 2), None)


def test_rates_behind_reports() -> None:
    # the reporter's own arithmetic for 8 GPUs, NVIDIA/nccl issue 2140: 275 x (1 + 1/8) = 309, 483 -> 543
    assert bus.on_the_wire(bus.NVLS_REPORTS[4]) == pytest.approx(309, abs=0.5)
    assert bus.on_the_wire(bus.NVLS_REPORTS[5]) == pytest.approx(543, abs=0.5)
    # and the busbw reported beside those algbw: 420, 440, 460, 480 (issue 1455, rounded), 480 and 845
    for report, stated in zip(bus.NVLS_REPORTS, (420, 440, 460, 480, 480, 845), strict=True):
        assert report.algbw * float(bus.bus_factor("all-reduce", report.gpus)) == pytest.approx(
            stated, rel=0.02
        )
    assert bus.planned("H100") == pytest.approx(370.8 * 0.85)
    assert bus.planned("B300") == pytest.approx(721.8 * 0.74)


def booked(gpus: int, speed: float) -> bool:
    """Whether one channel for each GPU fits, as ``ncclTopoSearchTryNvls`` in NVIDIA/nccl @5067397 takes them."""
    left = [18 * 20.6] * gpus
    for g in range(gpus):
        for d in range(gpus):
            left[d] = round(left[d] - speed * (2 if d == g else 1), 3)
    return min(left) >= 0


def test_channels_of_nvls_fit_as_in_the_search() -> None:
    for gpus in (4, 5, 6, 7, 8):
        speed = bus.nvls_channel(gpus)
        assert booked(gpus, speed)
        assert not any(booked(gpus, faster) for faster in bus.CHANNEL_SPEEDS if faster > speed)
    # "eight channels fit": 9 x 40 of 370.8; algbw 8 x 40 x 0.85, near the 273 and 275 reported
    assert number("nvls_channel") == pytest.approx(40)
    assert number("nvls_booked") == pytest.approx(360)
    assert number("nvls_expected") == pytest.approx(8 * 40 * 0.85)
    assert all(r.algbw == pytest.approx(272, rel=0.012) for r in bus.NVLS_REPORTS[3:5])


def test_values_of_switch_and_sweep_by_hand() -> None:
    assert number("wire_h100") == pytest.approx(275 * 9 / 8)
    assert number("wire_unused") == pytest.approx(100 * (1 - 309.375 / 370.8))
    assert number("slow_port") == pytest.approx(45)
    assert number("pcie_ring") == pytest.approx(12)
    assert number("pcie_a2a") == pytest.approx(12 * 7 / 16)
    # nccl-tests -b 8 -e 8G -f 2: 31 sizes, busbw = B S / (S + n alpha B)
    sizes = [8 * 2**k for k in range(31)]
    assert sizes[-1] == 8 * 2**30
    rates = [450 * s / (s + 8 * 5e-6 * 450e9) for s in sizes]
    assert number("sweep_average") == pytest.approx(sum(rates) / 31)
    assert number("sweep_peak") == pytest.approx(rates[-1])


def test_rate_of_a_nic_by_hand() -> None:
    # 16 ranks: algbw 216.5 / 1.875, each node sends all of it through 8 NICs
    c = bus.hierarchical(2, 8)
    assert bus.nic_rate("all-reduce", 216.5, c, 2) == pytest.approx(216.5 / 1.875 / 8)
    # all-to-all on 3 nodes of 4: 8 of 12 parts leave the node, through the rank's own NIC
    assert bus.nic_rate("all-to-all", 33.0, bus.all_to_all(12), 3, 4) == pytest.approx(
        33 / (11 / 12) * 8 / 12
    )
    assert bus.nic_rate("all-gather", 101.0, bus.gather_rings(2, 8), 2) == pytest.approx(101 / 8)


# --- the note


def test_the_note_quotes_every_value_and_table_and_no_other() -> None:
    quoted = set(re.findall(r"\{lab\}`([a-z0-9_]+)", NOTE))
    assert quoted == values().keys()
    assert set(re.findall(r"\{lab-table\} (\w+)", NOTE)) == bus.tables().keys()


@cache
def values() -> dict[str, Value]:
    return bus.values()


def number(name: str) -> float:
    value = values()[name]
    assert isinstance(value, Value) and not isinstance(value.value, str)
    return value.value


@cache
def tables() -> dict[str, Table]:
    return bus.tables()


def cell(table: str, row: int, column: int) -> float:
    found = tables()[table].rows[row][column]
    assert isinstance(found, float)
    return found


def test_what_the_note_says_in_words() -> None:
    said = " ".join(NOTE.split())
    assert "multiplies it by a count of sends" in said
    # short answer, opening question: 275, 480, 900
    assert 2 * bus.NVLINK == 900 and round(cell("nvls", 4, 2), -1) == 480
    # the run whose 8 was forgotten
    assert f"the same run reads {bus.busbw('all-gather', 8, GB, 0.019):.1f}" in said
    # reports, as the text and the lab have them
    five, six, seven, eight = (f"{r.algbw:.0f}" for r in bus.NVLS_REPORTS[:4])
    assert f"{five} on five, {six}, {seven}, {eight} on eight" in said
    first, _, gathered, spread = (f"{reported:g}" for _, _, reported, _ in bus.SLOW_FABRIC)
    assert f"shows {first} where 470 was hoped for, all-gather {gathered}, all-to-all {spread}," in said
    # "and 211 is what a report has with NVLS off": NCCL's plan, rounded
    assert abs(number("planned_algbw") - 211) < 1
    # two trees: "to $1/n$ less busbw than the ring"; "three steps", "six steps"
    assert cell("algorithms", 3, 4) == pytest.approx(number("ring_busbw") * 7 / 8)
    assert [row[1] for row in bus.tables()["algorithms"].rows] == [14, 2, 6, 6, 6, 3, 2, 1]
    # "a busbw above the port" in the last two lines only
    above = [cell("algorithms", r, 4) > bus.NVLINK + 1e-6 for r in range(8)]
    assert above == [False] * 6 + [True] * 2
    # "comes close on both generations"
    for r in range(6):
        assert cell("nvls", r, 3) == pytest.approx(cell("nvls", r, 4), rel=0.03)
    # "which the report has as 365 to 370" on four GPUs; far from it on three and two
    assert 365 < number("nvls_on_4") < 372
    assert number("nvls_on_2") < number("nvls_on_3") < 310
    # "held down by NVLink up to four nodes and by the NICs from five on"
    for nodes in range(2, 17):
        c = bus.hierarchical(nodes, 8)
        link = bus.busiest(bus.load(c.steps, c.share, bus.cluster(nodes)), bus.cluster(nodes))[0]
        assert link.startswith("nvlink" if nodes <= 4 else "nic"), nodes
    # alternative texts of the two plots
    overlapped = {nodes: bus.across(nodes)[1] for nodes in range(2, 17)}
    assert (round(overlapped[2]), round(overlapped[4], -1), round(overlapped[16])) == (482, 500, 423)
    assert max(overlapped, key=lambda nodes: overlapped[nodes]) == 4
    assert [round(bus.across(nodes)[0]) for nodes in (2, 16)] == [293, 231]
    assert [bus.half_size(8, us * bus.US, bus.NVLINK) / 1e6 for us in (1, 5, 20)] == pytest.approx(
        [3.6, 18, 72]
    )
    # "a NIC moves 12.6 to 15.4", "twice as much as in every other test"
    rates = [cell("slow", r, 4) for r in range(4)]
    assert (f"{min(rates):.1f}", f"{max(rates):.1f}") == ("12.6", "15.4")
    assert number("slow_ring") / max(rates[2:]) > 1.9
    # "above the NIC's 50", "120 of 128 parts", "seven of a rank's 127 partners"
    assert cell("fabric", 0, 4) > bus.NIC
    assert bus.a2a_load(8)["nic out 0"] * 128 == 120
    # "a factor of four"
    assert number("flat_4to1") / number("apart_4to1") == pytest.approx(4)
    # "most of the fall is over at eight ranks": from 2 ranks on
    algbws = [bus.NVLINK / float(bus.bus_factor("all-reduce", n)) for n in (2, 8, 128)]
    assert (algbws[0] - algbws[1]) / (algbws[0] - algbws[2]) > 0.8
    # trees between nodes: S on two, 2S on more
    assert [bus.busiest_port(bus.two_trees(nodes)) for nodes in (2, 4, 6, 16)] == [1, 2, 2, 2]
    assert bus.tree_bound(4) == pytest.approx(400 * (2 * 31 / 32) / 2)
    assert bus.tree_bound(2) == bus.nic_bound(2) == pytest.approx(400 * (2 * 15 / 16))
    assert number("tree_bound_16") < number("nics") < number("nic_bound_16")


def test_numbers_in_the_diagram() -> None:
    diagram = NOTE.split("```{mermaid}")[1].split("```")[0]
    cluster = bus.cluster(16, leaf=8)
    assert f"{cluster.rate['leaf up 0']:,.0f} ÷ o" in diagram
    assert f"8 × {cluster.rate['nic out 0']:.0f} = {number('nics'):.0f}" in diagram
    assert f"port<br>{cluster.rate['nvlink in 3']:.0f}" in diagram


def test_answers_by_hand() -> None:
    assert number("q_size") == pytest.approx(16 * 64e6 * 2 / 1e9)
    assert number("q_algbw") == pytest.approx(2.048 / 6.4e-3)
    assert number("q_busbw") == pytest.approx(320 * 15 / 16)
    assert number("q_wire") == pytest.approx(440 * 7 / 10)
    # 12 ranks, 3 nodes: 22/12 against 4/3, times 100
    assert number("q_nodes") == pytest.approx(100 * (22 / 12) / (4 / 3))
    assert number("q_a2a") == pytest.approx(40 * 24 / 31)
