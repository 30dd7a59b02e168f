"""What collectives ask of each link, from schedules carried out step by step; algbw and busbw.

A schedule is a list of steps, a step a list of moves that happen at once. Each schedule runs on real arrays,
so that its result can be checked, and the same moves are counted on the links of a topology. Times come out
of the counts; no bus factor is written down here. Sizes are bytes, rates GB/s (10^9 B/s), times seconds.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from labs.kit import Column, Draw, Palette, Table, Value
from labs.kit.values import Cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

GB, MB, US = 1e9, 1e6, 1e-6
MIB, GIB = 2**20, 2**30

# The running example: nodes of 8 H100 and 8 NICs of 400 Gb/s, no rails; all rates are those of one direction.
GPUS = 8
NVLINK = 450.0
NIC = 400 / 8
NVLINKS, LINK_IN_NCCL = 18, 20.6  # NVIDIA/nccl @5067397, src/graph/topo.h: SM90_NVLINK_BW
PCIE = 12.0  # same file: PCI_BW, a Gen3 x16 slot
LINK_IN_NCCL_B200 = 40.1  # SM100_NVLINK_BW, same file
NVLS_EFFICIENCY = {"H100": 0.85, "B300": 0.74}  # src/graph/tuning.cc: nvlsEfficiency, Hopper and Blackwell
CHANNEL_SPEEDS = (60.0, 50.0, 40.0, 30.0, 24.0, 20.0, 15.0, 12.0, 11.0, 6.0, 3.0)  # search.cc, sm90, one node


class Move(NamedTuple):
    """Chunks read from all of *sources*, summed on the way, and written (or added) to all of *targets*.

    One source and one target make a send. More of either need a switch that adds or copies.
    """

    sources: tuple[int, ...]
    targets: tuple[int, ...]
    chunks: tuple[int, ...]
    add: bool = False


Steps = list[list[Move]]


@dataclass(frozen=True)
class Collective:
    """A schedule for *ranks* buffers of *chunks* chunks each; *share* is one chunk as a part of S."""

    ranks: int
    chunks: int
    share: Fraction
    steps: Steps


def run(c: Collective, buffers: NDArray[Any]) -> NDArray[Any]:
    """What the schedule leaves in *buffers* (one row a rank, one column a chunk)."""
    now = buffers.copy()
    for step in c.steps:
        before = now.copy()  # the moves of a step happen at once
        for sources, targets, chunks, add in step:
            columns = list(chunks)
            carried = before[np.ix_(sources, columns)].sum(axis=0)
            for target in targets:
                now[target, columns] = now[target, columns] + carried if add else carried
    return now


# --- schedules


def send(source: int, target: int, chunks: Iterable[int], add: bool = False) -> Move:
    """A move between two ranks."""
    return Move((source,), (target,), tuple(chunks), add)


def ring_reduce_scatter(order: Sequence[int], blocks: Sequence[Sequence[int]]) -> Steps:
    """Around the ring in n-1 steps; place p of *order* ends with the sum of block p+1."""
    n = len(order)
    return [
        [send(order[p], order[(p + 1) % n], blocks[(p - k) % n], add=True) for p in range(n)]
        for k in range(n - 1)
    ]


def ring_all_gather(order: Sequence[int], blocks: Sequence[Sequence[int]]) -> Steps:
    """Around the ring in n-1 steps; place p of *order* begins with block p+1."""
    n = len(order)
    return [
        [send(order[p], order[(p + 1) % n], blocks[(p + 1 - k) % n]) for p in range(n)] for k in range(n - 1)
    ]


def side_by_side(schedules: Iterable[Steps]) -> Steps:
    """Schedules that run at the same time."""
    return [list(itertools.chain.from_iterable(step)) for step in zip(*schedules, strict=True)]


def blocks_of(count: int, size: int, start: int = 0) -> list[tuple[int, ...]]:
    """*count* blocks of *size* chunks each."""
    return [tuple(range(start + b * size, start + (b + 1) * size)) for b in range(count)]


def ring(n: int) -> Collective:
    """Ring all-reduce: reduce-scatter, then all-gather."""
    order, blocks = range(n), blocks_of(n, 1)
    return Collective(
        n, n, Fraction(1, n), ring_reduce_scatter(order, blocks) + ring_all_gather(order, blocks)
    )


def reduce_scatter(n: int) -> Collective:
    """The first half of the ring."""
    return Collective(n, n, Fraction(1, n), ring_reduce_scatter(range(n), blocks_of(n, 1)))


def all_gather(n: int) -> Collective:
    """The second half of the ring; rank p contributes block p+1."""
    return Collective(n, n, Fraction(1, n), ring_all_gather(range(n), blocks_of(n, 1)))


def chain_broadcast(n: int) -> Collective:
    """From rank 0 down a chain, in n pieces that follow each other."""
    steps = [[send(r, r + 1, [k - r]) for r in range(n - 1) if 0 <= k - r < n] for k in range(2 * n - 2)]
    return Collective(n, n, Fraction(1, n), steps)


def chain_reduce(n: int) -> Collective:
    """Up the same chain, adding: the broadcast backwards."""
    steps = [
        [send(move.targets[0], move.sources[0], move.chunks, add=True) for move in step]
        for step in reversed(chain_broadcast(n).steps)
    ]
    return Collective(n, n, Fraction(1, n), steps)


def all_to_all(n: int) -> Collective:
    """Each rank sends each other one its part: chunk a*n+b is what a has for b, S is what a rank holds."""
    steps = [[send(a, (a + k) % n, [a * n + (a + k) % n]) for a in range(n)] for k in range(1, n)]
    return Collective(n, n * n, Fraction(1, n), steps)


def gather(n: int) -> Collective:
    """Block r from each rank r to rank 0."""
    return Collective(n, n, Fraction(1, n), [[send(r, 0, [r])] for r in range(1, n)])


def scatter(n: int) -> Collective:
    """Block r from rank 0 to each rank r."""
    return Collective(n, n, Fraction(1, n), [[send(0, r, [r])] for r in range(1, n)])


def send_receive(n: int) -> Collective:
    """Every rank sends its buffer to the next, as sendrecv_perf does."""
    return Collective(n, 1, Fraction(1), [[send(r, (r + 1) % n, [0]) for r in range(n)]])


def direct(n: int) -> Collective:
    """Two steps: block j of everybody straight to rank j, its sum straight back to everybody."""
    pairs = list(itertools.permutations(range(n), 2))
    return Collective(
        n,
        n,
        Fraction(1, n),
        [[send(a, b, [b], add=True) for a, b in pairs], [send(a, b, [a]) for a, b in pairs]],
    )


def halving_doubling(n: int) -> Collective:
    """Rabenseifner: halve the buffer and the distance down to one block, then double both again; n = 2^k."""
    down: Steps = []
    distance = n // 2
    while distance:
        step = []
        for r in range(n):
            other = r ^ distance
            low = other // distance * distance
            step.append(send(r, other, range(low, low + distance), add=True))
        down.append(step)
        distance //= 2
    up = [[send(m.targets[0], m.sources[0], m.chunks) for m in step] for step in reversed(down)]
    return Collective(n, n, Fraction(1, n), down + up)


def recursive_doubling(n: int) -> Collective:
    """Swap whole buffers with partners 1, 2, 4, ... away; n = 2^k."""
    distances = [2**k for k in range(n.bit_length() - 1)]
    return Collective(
        n, 1, Fraction(1), [[send(r, r ^ d, [0], add=True) for r in range(n)] for d in distances]
    )


def parents(n: int) -> dict[int, int]:
    """A binary tree in which each odd rank is a leaf; rank 0 is the root."""
    tree = {}
    for r in range(1, n):
        low = r & -r
        up = (r ^ low) | (low << 1)
        tree[r] = up if up < n else r ^ low
    return tree


def tree_steps(tree: Mapping[int, int], chunks: Sequence[int]) -> Steps:
    """Sums up the tree and the result down again, level by level."""

    def depth(r: int) -> int:
        return 0 if r not in tree else 1 + depth(tree[r])

    levels: dict[int, list[int]] = {}
    for r in tree:
        levels.setdefault(depth(r), []).append(r)
    up = [[send(r, tree[r], chunks, add=True) for r in levels[d]] for d in sorted(levels, reverse=True)]
    return up + [[send(tree[r], r, chunks) for r in levels[d]] for d in sorted(levels)]


def one_tree(n: int) -> Collective:
    """One binary tree for everything."""
    return Collective(n, 1, Fraction(1), tree_steps(parents(n), [0]))


def two_trees(n: int) -> Collective:
    """Two trees with half of the data each; the leaves of one are inside the other (n even)."""
    first = parents(n)
    second = {(r + 1) % n: (up + 1) % n for r, up in first.items()}
    return Collective(n, 2, Fraction(1, 2), side_by_side([tree_steps(first, [0]), tree_steps(second, [1])]))


def nvls(n: int) -> Collective:
    """Rank j loads the sum of block j through a switch that adds, then stores it through one that copies."""
    everybody = tuple(range(n))
    return Collective(
        n,
        n,
        Fraction(1, n),
        [[Move(everybody, (j,), (j,)) for j in everybody], [Move((j,), everybody, (j,)) for j in everybody]],
    )


def push(n: int) -> Collective:
    """Everybody sends the whole buffer once and gets the sum back once: an adding switch with memory."""
    everybody = tuple(range(n))
    return Collective(n, 1, Fraction(1), [[Move(everybody, everybody, (0,))]])


def rank_order(nodes: Sequence[int], gpus: int, exit_gpu: int) -> list[int]:
    """A ring through *nodes* that leaves each node from GPU *exit_gpu*."""
    return [node * gpus + (exit_gpu + 1 + k) % gpus for node in nodes for k in range(gpus)]


def rings(nodes: Sequence[int], gpus: int) -> Collective:
    """One flat ring for each NIC, each with its part of the data, leaving every node by another NIC."""
    n = len(nodes) * gpus
    schedules = []
    for c in range(gpus):
        order, blocks = rank_order(nodes, gpus, c), blocks_of(n, 1, start=c * n)
        schedules.append(ring_reduce_scatter(order, blocks) + ring_all_gather(order, blocks))
    return Collective(n, gpus * n, Fraction(1, gpus * n), side_by_side(schedules))


def gather_rings(nodes: int, gpus: int) -> Collective:
    """The second half of *rings*: an all-gather on one flat ring for each NIC."""
    n = nodes * gpus
    whole = rings(range(nodes), gpus)
    return Collective(n, whole.chunks, whole.share, whole.steps[n - 1 :])


def hierarchical(nodes: int, gpus: int) -> Collective:
    """Reduce-scatter inside each node, all-reduce between GPUs of one number, all-gather inside."""
    blocks = blocks_of(gpus, nodes)
    inside = [range(m * gpus, (m + 1) * gpus) for m in range(nodes)]
    between: list[Steps] = []
    for p in range(gpus):
        order = range(p, nodes * gpus, gpus)
        parts = [(chunk,) for chunk in blocks[(p + 1) % gpus]]
        between.append(ring_reduce_scatter(order, parts) + ring_all_gather(order, parts))
    steps = side_by_side(ring_reduce_scatter(order, blocks) for order in inside)
    steps += side_by_side(between)
    steps += side_by_side(ring_all_gather(order, blocks) for order in inside)
    return Collective(nodes * gpus, gpus * nodes, Fraction(1, gpus * nodes), steps)


# --- topologies


@dataclass(frozen=True)
class Topology:
    """Links with a rate in GB/s for one direction, and the links that data from rank a to rank b occupies."""

    rate: Mapping[str, float]
    route: Callable[[int, int], tuple[str, ...]]


def switch(n: int, port: float, slow: Mapping[int, float] | None = None) -> Topology:
    """All ranks on one switch that never blocks; *slow* ranks have another port."""
    ports = {r: (slow or {}).get(r, port) for r in range(n)}
    rate = {f"{way} {r}": gbs for r, gbs in ports.items() for way in ("out", "in")}
    return Topology(rate, lambda a, b: (f"out {a}", f"in {b}"))


def pcie(n: int, port: float) -> Topology:
    """Two PCIe switches with half of the ranks each, joined by a link like any other."""
    half = n // 2
    rate = {f"{way} {r}": port for r in range(n) for way in ("out", "in")}
    rate |= {f"up {side}": port for side in (0, 1)}

    def route(a: int, b: int) -> tuple[str, ...]:
        between = () if a // half == b // half else (f"up {a // half}",)
        return (f"out {a}", *between, f"in {b}")

    return Topology(rate, route)


def cluster(
    nodes: int,
    gpus: int = GPUS,
    nvlink: float = NVLINK,
    nic: float = NIC,
    leaf: int | None = None,
    oversubscription: float = 1.0,
) -> Topology:
    """Nodes with an NVSwitch and a NIC for each GPU; *leaf* nodes on one leaf switch, spines above."""
    leaf = leaf or nodes
    kinds = {"nvlink out": nvlink, "nvlink in": nvlink, "nic out": nic, "nic in": nic}
    rate = {f"{kind} {r}": gbs for kind, gbs in kinds.items() for r in range(nodes * gpus)}
    uplinks = leaf * gpus * nic / oversubscription
    rate |= {f"{way} {x}": uplinks for x in range(nodes // leaf) for way in ("leaf up", "leaf down")}

    def route(a: int, b: int) -> tuple[str, ...]:
        if a // gpus == b // gpus:
            return (f"nvlink out {a}", f"nvlink in {b}")
        x, y = a // gpus // leaf, b // gpus // leaf
        spine = () if x == y else (f"leaf up {x}", f"leaf down {y}")
        return (f"nic out {a}", *spine, f"nic in {b}")

    return Topology(rate, route)


# --- what a schedule costs on a topology


Loads = dict[str, Fraction]
"""What each link carries, in units of S."""


def load(steps: Steps, share: Fraction, topology: Topology) -> Loads:
    """Book every move, once, on each link between its ranks."""
    moved: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for move in itertools.chain.from_iterable(steps):
        moved[move.sources, move.targets] += len(move.chunks)
    carried: Counter[str] = Counter()
    for (sources, targets), chunks in moved.items():
        pairs = itertools.product(sources, targets)
        for link in {k for a, b in pairs for k in topology.route(a, b)}:
            carried[link] += chunks
    return {link: chunks * share for link, chunks in carried.items()}


def busiest(carried: Mapping[str, Fraction], topology: Topology) -> tuple[str, float]:
    """The link that takes longest, and its seconds for each GB of S."""
    return max(((k, float(part) / topology.rate[k]) for k, part in carried.items()), key=lambda x: x[1])


def stepwise_s(c: Collective, topology: Topology, size: float, alpha: float = 0.0) -> float:
    """Time if each step starts when the last has ended: *alpha* and the busiest link of every step."""
    return sum(alpha + size / GB * busiest(load([step], c.share, topology), topology)[1] for step in c.steps)


def limit_s(c: Collective, topology: Topology, size: float) -> float:
    """Time if steps overlap without end: what the busiest link has to carry in all."""
    return size / GB * busiest(load(c.steps, c.share, topology), topology)[1]


def busiest_port(c: Collective) -> Fraction:
    """What the busiest of equal ports on one switch carries in one direction, in units of S."""
    return max(load(c.steps, c.share, switch(c.ranks, 1.0)).values())


def sends_per_element(c: Collective) -> Fraction:
    """Writes into ranks for each element of S, over the whole schedule."""
    moves = itertools.chain.from_iterable(c.steps)
    return sum((len(m.targets) * len(m.chunks) * c.share for m in moves), Fraction())


# --- algbw and busbw


BEST: dict[str, Callable[[int], Collective]] = {
    "all-reduce": ring,
    "reduce-scatter": reduce_scatter,
    "all-gather": all_gather,
    "all-to-all": all_to_all,
    "gather": gather,
    "scatter": scatter,
    "broadcast": chain_broadcast,
    "reduce": chain_reduce,
    "send/recv": send_receive,
}
"""For each collective a schedule of sends that asks least of the busiest port."""


@cache
def bus_factor(op: str, n: int) -> Fraction:
    """What turns algbw into busbw: the load of the busiest of n equal ports, in units of S."""
    return busiest_port(BEST[op](n))


def algbw(size: float, seconds: float) -> float:
    """S / t in GB/s."""
    return size / seconds / GB


def busbw(op: str, n: int, size: float, seconds: float) -> float:
    """The rate of n equal ports that would need this time, had the ranks nothing but sends."""
    return busbw_of(op, n, algbw(size, seconds))


def busbw_of(op: str, n: int, algbw: float) -> float:
    """The busbw of an algbw, both in GB/s."""
    return algbw * float(bus_factor(op, n))


COUNT_IS_ALL = ("all-reduce", "broadcast", "reduce", "send/recv")


def size_of(op: str, n: int, count: int, element: int) -> int:
    """S in bytes for the *count* in a call of NCCL: the whole array, n times a part."""
    return count * element * (1 if op in COUNT_IS_ALL else n)


def half_size(n: int, alpha: float, rate: float) -> float:
    """Bytes at which a ring all-reduce step takes as long to start as to carry its chunk."""
    return n * alpha * rate * GB


def bisection_s(nodes: int, gpus: int, size: float, nic: float, oversubscription: float = 1.0) -> float:
    """All-to-all bound: half of every buffer of one half of the ranks crosses to the other half."""
    crossing = nodes * gpus / 2 * size / 2
    return crossing / (nodes / 2 * gpus * nic / oversubscription * GB)


# --- what others measured


class Report(NamedTuple):
    """A published all-reduce with NVLS: GPUs, and algbw and busbw in GB/s as far as they are given."""

    machine: str
    gpus: int
    algbw: float
    source: str


NVLS_REPORTS = (
    Report("H100", 5, 258.0, "nccl-issue-1455"),
    Report("H100", 6, 265.0, "nccl-issue-1455"),
    Report("H100", 7, 270.0, "nccl-issue-1455"),
    Report("H100", 8, 273.0, "nccl-issue-1455"),
    Report("H100", 8, 275.0, "nccl-issue-2140"),
    Report("B300", 8, 483.0, "nccl-issue-2140"),
)


def on_the_wire(report: Report) -> float:
    """What each port carries in one direction if the schedule was *nvls*, in GB/s."""
    return nvls_port(report.gpus, report.algbw)


def nvls_port(n: int, algbw: float) -> float:
    """What each port carries in one direction in an all-reduce with *nvls*, in GB/s."""
    return algbw * float(busiest_port(nvls(n)))


def planned(machine: str) -> float:
    """NCCL's figure for all links of a GPU times its NVLS efficiency, in GB/s.

    The planner itself applies that factor to channels (``nvls_expected``).
    """
    link = LINK_IN_NCCL if machine == "H100" else LINK_IN_NCCL_B200
    return NVLINKS * link * NVLS_EFFICIENCY[machine]


def nvls_channel(gpus: int = GPUS) -> float:
    """The fastest of NCCL's speeds at which a channel for each of *gpus* H100 fits their links, in GB/s.

    ``ncclTopoSearchTryNvls`` takes channel g twice from the links of GPU g and once from all others.
    """
    booked = float(gpus * busiest_port(nvls(gpus)))
    return next(speed for speed in CHANNEL_SPEEDS if booked * speed <= NVLINKS * LINK_IN_NCCL)


def nvls_expected() -> float:
    """The algbw that ``ncclTopoTuneModel`` gives an all-reduce with NVLS on eight H100, in GB/s.

    The source also takes the minimum with a network rate, raised by its search to the top speed.
    """
    channel = nvls_channel() * NVLS_EFFICIENCY["H100"] * (GPUS - 1) / GPUS * 2
    bus = GPUS * min(channel, CHANNEL_SPEEDS[0])
    return bus * GPUS / (2 * (GPUS - 1))


SLOW_FABRIC: tuple[tuple[str, str, float, Callable[[], Collective]], ...] = (
    ("all-reduce, 1 GiB", "all-reduce", 216.5, lambda: hierarchical(2, GPUS)),
    ("all-reduce, 8 GiB", "all-reduce", 231.0, lambda: hierarchical(2, GPUS)),
    ("all-gather, 256 MiB", "all-gather", 101.0, lambda: gather_rings(2, GPUS)),
    ("all-to-all, 256 MiB", "all-to-all", 25.0, lambda: all_to_all(2 * GPUS)),
)
"""NVIDIA/nccl issue 2409: busbw on 2 nodes of 8 H100, and the schedule that is assumed to be behind it."""


def nic_share(c: Collective, nodes: int, gpus: int = GPUS) -> Fraction:
    """What the busiest NIC carries in one direction, in units of S."""
    carried = load(c.steps, c.share, cluster(nodes, gpus))
    return max(part for link, part in carried.items() if link.startswith("nic"))


def nic_rate(op: str, reported: float, c: Collective, nodes: int, gpus: int = GPUS) -> float:
    """The rate of a NIC behind a reported busbw, in GB/s."""
    return reported / float(bus_factor(op, nodes * gpus)) * float(nic_share(c, nodes, gpus))


# --- the note


ALGORITHMS: tuple[tuple[str, Callable[[int], Collective]], ...] = (
    ("ring", ring),
    ("straight to the owner and back", direct),
    ("halving and doubling", halving_doubling),
    ("two trees", two_trees),
    ("one tree", one_tree),
    ("recursive doubling", recursive_doubling),
    ("switch adds (NVLS)", nvls),
    ("switch adds, pushed", push),
)

SWEEP = [2**k for k in range(3, 34)]
"""Sizes of ``-b 8 -e 8G -f 2``."""


def ring_busbw(n: int, size: float, alpha: float, rate: float = NVLINK) -> float:
    """The busbw of a ring all-reduce with a start-up time for each step, in GB/s."""
    return busbw("all-reduce", n, size, stepwise_s(ring(n), switch(n, rate), size, alpha))


@cache
def across(nodes: int) -> tuple[float, float]:
    """The busbw of the hierarchical all-reduce on *nodes*: phases one after the other, and overlapped."""
    c, topology = hierarchical(nodes, GPUS), cluster(nodes)
    times = stepwise_s(c, topology, GB), limit_s(c, topology, GB)
    one, overlapped = (busbw("all-reduce", c.ranks, GB, t) for t in times)
    return one, overlapped


@cache
def flat(nodes: int, apart: bool = False) -> Loads:
    """Loads of flat rings on *nodes* in two leaves, by node number or with each hop to the other leaf."""
    half = nodes // 2
    order = [k // 2 + (k % 2) * half for k in range(nodes)] if apart else list(range(nodes))
    c = rings(order, GPUS)
    return load(c.steps, c.share, cluster(nodes, leaf=half))


def flat_busbw(nodes: int, apart: bool, oversubscription: float) -> float:
    """The busbw of those rings, in GB/s."""
    topology = cluster(nodes, leaf=nodes // 2, oversubscription=oversubscription)
    seconds = busiest(flat(nodes, apart), topology)[1]
    return busbw("all-reduce", nodes * GPUS, GB, seconds)


A2A_SIZE = 256 * MIB
A2A_NODES = 16


def a2a_s(leaf: int, oversubscription: float) -> tuple[float, float]:
    """All-to-all on 16 nodes: seconds that the NICs and that the leaves' uplinks need."""
    topology = cluster(A2A_NODES, leaf=leaf, oversubscription=oversubscription)
    carried = a2a_load(leaf)
    kinds = [{k: v for k, v in carried.items() if k.startswith(kind)} for kind in ("nic", "leaf")]
    nic, uplink = (A2A_SIZE / GB * busiest(links, topology)[1] for links in kinds)
    return nic, uplink


@cache
def a2a_load(leaf: int) -> Loads:
    """What an all-to-all puts on the links of 16 nodes with *leaf* nodes to a leaf switch."""
    c = all_to_all(A2A_NODES * GPUS)
    return load(c.steps, c.share, cluster(A2A_NODES, leaf=leaf))


def ring_over(c: Collective) -> float:
    """How much longer a ring keeps the busiest port than *c* does: busbw over the rate of the port."""
    return float(bus_factor("all-reduce", c.ranks) / busiest_port(c))


def nic_bound(nodes: int) -> float:
    """The busbw at which NICs are full if each node sums up before it sends, in GB/s."""
    return float(bus_factor("all-reduce", nodes * GPUS) / nic_share(hierarchical(nodes, GPUS), nodes)) * NIC


def tree_bound(nodes: int) -> float:
    """The same with two trees between the nodes."""
    return float(bus_factor("all-reduce", nodes * GPUS) / busiest_port(two_trees(nodes))) * GPUS * NIC


def values() -> dict[str, Value]:
    """The figures the note quotes."""
    return one_node() | switch_adds() | several_nodes() | fabric() | small_and_slow() | questions()


def one_node() -> dict[str, Value]:
    """Data sheet, NCCL's plan, and the ring."""
    seconds = stepwise_s(ring(8), switch(8, NVLINK), GB)
    planned_links = NVLINKS * LINK_IN_NCCL
    return {
        "line": Value(NVLINK, "GB/s"),
        "planned": Value(planned_links, "GB/s"),
        "planned_algbw": Value(planned_links / float(bus_factor("all-reduce", 8)), "GB/s"),
        "ring_ms": Value(seconds * 1e3, "ms"),
        "ring_algbw": Value(algbw(GB, seconds), "GB/s"),
        "ring_busbw": Value(busbw("all-reduce", 8, GB, seconds), "GB/s"),
        "algbw_128": Value(NVLINK / float(bus_factor("all-reduce", 128)), "GB/s"),
        "factor_8": Value(float(bus_factor("all-reduce", 8))),
        "factor_128": Value(float(bus_factor("all-reduce", 128))),
        "sends_8": Value(float(sends_per_element(ring(8)))),
        "steps_8": Value(len(ring(8).steps)),
        "tree_busbw": Value(ring_over(one_tree(8)) * NVLINK, "GB/s"),
    }


def switch_adds() -> dict[str, Value]:
    """What NVLS could reach, and what ports carry in the reports."""
    c, planned_links = nvls(8), NVLINKS * LINK_IN_NCCL
    wires = [on_the_wire(r) for r in NVLS_REPORTS if r.source == "nccl-issue-1455"]
    carried = on_the_wire(NVLS_REPORTS[4])
    half = Collective(c.ranks, c.chunks, c.share, c.steps[:1])
    fewer = {f"nvls_on_{n}": Value(carried * ring_over(nvls(n)), "GB/s") for n in (2, 3, 4)}
    return fewer | {
        "nvls_busbw": Value(ring_over(c) * NVLINK, "GB/s"),
        "nvls_planned": Value(ring_over(c) * planned_links, "GB/s"),
        "gather_8": Value(float(bus_factor("all-gather", 8))),
        "nvls_half": Value(float(busiest_port(half))),
        "push_busbw": Value(ring_over(push(8)) * NVLINK, "GB/s"),
        "wire_low": Value(min(wires), "GB/s"),
        "wire_high": Value(max(wires), "GB/s"),
        "wire_h100": Value(carried, "GB/s"),
        "nvls_channel": Value(nvls_channel(), "GB/s"),
        "nvls_booked": Value(nvls_channel() * float(GPUS * busiest_port(c)), "GB/s"),
        "nvls_expected": Value(nvls_expected(), "GB/s"),
        "wire_unused": Value(100 * (1 - carried / planned_links), "%"),
    }


def several_nodes() -> dict[str, Value]:
    """Hierarchies, trees and flat rings against the NICs."""
    out = {
        "nics": Value(GPUS * NIC, "GB/s"),
        "nic_mib": Value(NIC * GB / MIB, "MiB/s"),
        "ring_over_nodes": Value(float(bus_factor("all-reduce", 2 * GPUS))),
        "flat_16": Value(flat_busbw(16, False, 1.0), "GB/s"),
        "slow_ring": Value(nic_rate("all-reduce", SLOW_FABRIC[0][2], rings(range(2), GPUS), 2), "GB/s"),
    }
    out |= {f"nic_bound_{nodes}": Value(nic_bound(nodes), "GB/s") for nodes in (2, 4, 16)}
    out |= {f"tree_bound_{nodes}": Value(tree_bound(nodes), "GB/s") for nodes in (4, 16)}
    out |= {f"phases_{nodes}": Value(across(nodes)[0], "GB/s") for nodes in (2, 16)}
    return out


def fabric() -> dict[str, Value]:
    """All-to-all and flat rings on leaves and spines, and on PCIe switches."""
    nic, uplink = a2a_s(8, 1.0)
    p = pcie(8, PCIE)
    return {
        "a2a_nic": Value(nic * 1e3, "ms"),
        "a2a_binds": Value(nic / uplink),
        "a2a_binds_2": Value(a2a_s(2, 1.0)[0] / a2a_s(2, 1.0)[1]),
        "a2a_bisection": Value(bisection_s(A2A_NODES, GPUS, A2A_SIZE, NIC) * 1e3, "ms"),
        "ring_binds": Value(ring_binds()),
        "flat_4to1": Value(flat_busbw(16, False, 4.0), "GB/s"),
        "apart_4to1": Value(flat_busbw(16, True, 4.0), "GB/s"),
        "pcie_ring": Value(busbw("all-reduce", 8, GB, limit_s(ring(8), p, GB)), "GB/s"),
        "pcie_a2a": Value(busbw("all-to-all", 8, GB, limit_s(all_to_all(8), p, GB)), "GB/s"),
    }


def small_and_slow() -> dict[str, Value]:
    """Start-up times, a sweep's average, and one slow port."""
    one_slow = switch(8, NVLINK, {3: NVLINK / 10})
    return {
        "half_5us": Value(half_size(8, 5 * US, NVLINK) / MB, "MB"),
        "half_128": Value(half_size(128, 5 * US, NVLINK) / MB, "MB"),
        "alpha_1gb": Value(ring_busbw(8, GB, 5 * US), "GB/s"),
        "alpha_8mb": Value(ring_busbw(8, 8 * MB, 5 * US), "GB/s"),
        "sweep_average": Value(sum(ring_busbw(8, s, 5 * US) for s in SWEEP) / len(SWEEP), "GB/s"),
        "sweep_peak": Value(ring_busbw(8, SWEEP[-1], 5 * US), "GB/s"),
        "slow_port": Value(busbw("all-reduce", 8, GB, stepwise_s(ring(8), one_slow, GB)), "GB/s"),
    }


def ring_binds() -> float:
    """The oversubscription from which the uplinks of 8-node leaves slow well-ordered rings on 16 nodes."""
    carried, topology = flat(16), cluster(16, leaf=8)
    kinds = [{k: v for k, v in carried.items() if k.startswith(kind)} for kind in ("nic", "leaf")]
    nic, uplink = (busiest(links, topology)[1] for links in kinds)
    return nic / uplink


def questions() -> dict[str, Value]:
    """Answers to the note's questions, on sizes it does not use."""
    n, nodes = 4, 3
    size = size_of("all-gather", 16, 64 * 10**6, 2)
    c = hierarchical(nodes, n)
    share = float(nic_share(c, nodes, n))
    return {
        "q_size": Value(size / GB, "GB"),
        "q_algbw": Value(algbw(size, 6.4e-3), "GB/s"),
        "q_busbw": Value(busbw("all-gather", 16, size, 6.4e-3), "GB/s"),
        "q_nodes": Value(float(bus_factor("all-reduce", nodes * n)) / share * 25.0, "GB/s"),
        "q_nics": Value(n * 25.0, "GB/s"),
        "q_wire": Value(on_the_wire(Report("H100", 6, 440 / float(bus_factor("all-reduce", 6)), "")), "GB/s"),
        "q_a2a": Value(nic_rate("all-to-all", 40.0, all_to_all(32), 4), "GB/s"),
    }


FORMULAS = {
    "all-reduce": "$2(n-1)/n$",
    "reduce-scatter": "$(n-1)/n$",
    "all-gather": "$(n-1)/n$",
    "all-to-all": "$(n-1)/n$",
    "gather": "$(n-1)/n$",
    "scatter": "$(n-1)/n$",
    "broadcast": "1",
    "reduce": "1",
    "send/recv": "1",
}
"""What nccl-tests prints busbw with; only shown beside the counted factors, and tested against them."""


def tables() -> dict[str, Table]:
    """The tables of the note."""
    factors: tuple[tuple[Cell, ...], ...] = tuple(
        (
            op,
            "count" if op in COUNT_IS_ALL else "$n$ × count",
            *(float(bus_factor(op, n)) for n in (8, 128)),
            FORMULAS[op],
        )
        for op in BEST
    )
    algorithms: list[tuple[Cell, ...]] = []
    for name, build in ALGORITHMS:
        c, port = build(8), switch(8, NVLINK)
        reached = busbw("all-reduce", 8, GB, limit_s(c, port, GB))
        algorithms.append((name, len(c.steps), float(sends_per_element(c)), float(busiest_port(c)), reached))
    reports: tuple[tuple[Cell, ...], ...] = tuple(
        (
            f"{r.gpus} {r.machine}",
            r.algbw,
            r.algbw * float(bus_factor("all-reduce", r.gpus)),
            on_the_wire(r),
            planned(r.machine),
        )
        for r in NVLS_REPORTS
    )
    slow: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name,
            reported,
            float(bus_factor(op, 16)),
            float(nic_share(schedule(), 2)),
            nic_rate(op, reported, schedule(), 2),
        )
        for name, op, reported, schedule in SLOW_FABRIC
    )
    leaves: tuple[tuple[Cell, ...], ...] = tuple(
        (leaf, over, *(1e3 * t for t in a2a_s(leaf, over)), a2a_busbw(leaf, over))
        for leaf in (8, 2)
        for over in (1.0, 2.0, 4.0)
    )
    return {
        "factors": Table(
            (
                Column("collective"),
                Column("$S$"),
                Column("8 ranks"),
                Column("128"),
                Column("nccl-tests"),
            ),
            factors,
        ),
        "algorithms": Table(
            (
                Column("all-reduce"),
                Column("steps"),
                Column("sends per element"),
                Column("busiest port, $S$"),
                Column("busbw", "GB/s"),
            ),
            tuple(algorithms),
        ),
        "nvls": Table(
            (
                Column("reported on"),
                Column("algbw", "GB/s"),
                Column("busbw", "GB/s"),
                Column("on each port", "GB/s"),
                Column("links × factor", "GB/s"),
            ),
            reports,
        ),
        "slow": Table(
            (
                Column("test"),
                Column("busbw reported", "GB/s"),
                Column("bus factor"),
                Column("busiest NIC, $S$"),
                Column("one NIC", "GB/s"),
            ),
            slow,
        ),
        "fabric": Table(
            (
                Column("nodes"),
                Column("$o$"),
                Column("NICs", "ms"),
                Column("uplinks", "ms"),
                Column("busbw", "GB/s"),
            ),
            leaves,
        ),
    }


def a2a_busbw(leaf: int, oversubscription: float) -> float:
    """The busbw of the all-to-all on 16 nodes, in GB/s."""
    return busbw("all-to-all", A2A_NODES * GPUS, A2A_SIZE, max(a2a_s(leaf, oversubscription)))


def main() -> None:
    """Print what the note shows."""
    print("factor that turns algbw into busbw, counted on n ports")
    print(f"{'':16s}{'n = 2':>8s}{'8':>8s}{'128':>10s}")
    for op in BEST:
        cells = [str(bus_factor(op, n)) for n in (2, 8, 128)]
        print(f"{op:16s}{cells[0]:>8s}{cells[1]:>8s}{cells[2]:>10s}")
    print("\n1 GB all-reduce, 8 ranks on a switch, 450 GB/s each way: algbw, busbw (GB/s)")
    for name, build in ALGORITHMS:
        t = limit_s(build(8), switch(8, NVLINK), GB)
        print(f"{name:32s}{algbw(GB, t):8.1f}{busbw('all-reduce', 8, GB, t):8.1f}")
    print("\nbusbw (GB/s) on nodes of 8, each with 8 NICs of 50 GB/s")
    print(f"{'nodes':8s}{'flat rings':>12s}{'in phases':>12s}{'overlapped':>12s}")
    for nodes in (2, 4, 16):
        one, both = across(nodes)
        print(f"{nodes:<8d}{flat_busbw(nodes, False, 1.0):12.1f}{one:12.1f}{both:12.1f}")


Dash = str | tuple[float, tuple[float, ...]]
DASHES: tuple[Dash, ...] = ("-", (0, (5, 2)), (0, (1, 1.6)))


def draw_size(ax: Axes, palette: Palette) -> None:
    """The busbw of the ring against the size, for three start-up times."""
    sizes = [2 ** (k / 4) for k in range(4 * 16, 4 * 33 + 1)]
    for us, dash, colour in zip((1, 5, 20), DASHES, palette.lines, strict=False):
        ax.plot(sizes, [ring_busbw(8, s, us * US) for s in sizes], color=colour, linestyle=dash)
        half = half_size(8, us * US, NVLINK)
        ax.plot([half], [ring_busbw(8, half, us * US)], color=colour, marker="o")
        ax.text(half * 0.8, NVLINK / 2, f"{us} µs", ha="right", va="bottom")
    ax.set(xscale="log", xlim=(2**16, 2**33), ylim=(0, 470))
    ax.set_xticks([2**16, 2**20, 2**24, 2**28, 2**32])
    ax.set_xticklabels(["64 KiB", "1 MiB", "16 MiB", "256 MiB", "4 GiB"])
    ax.minorticks_off()
    ax.set(xlabel="size of the all-reduce", ylabel="busbw (GB/s)")


def draw_nodes(ax: Axes, palette: Palette) -> None:
    """The busbw against the number of nodes: flat rings, and the hierarchy in phases and overlapped."""
    nodes = list(range(2, 17))
    lines = (
        ([flat_busbw(k, False, 1.0) for k in (2, 4, 8, 16)], [2, 4, 8, 16]),
        ([across(k)[1] for k in nodes], nodes),
        ([across(k)[0] for k in nodes], nodes),
    )
    for (rates, at), dash, colour in zip(lines, DASHES, palette.lines, strict=False):
        ax.plot(at, rates, color=colour, linestyle=dash, marker="o", markersize=4)
    ax.set(xlim=(1.5, 16.5), ylim=(0, 520), xlabel="nodes of 8 GPUs and 8 NICs", ylabel="busbw (GB/s)")
    ax.set_xticks([2, 4, 6, 8, 10, 12, 14, 16])
    ax.text(8.2, 456, "hierarchy, overlapped", va="bottom")
    ax.text(16.4, 388, "flat rings = NICs of a node", va="top", ha="right")
    ax.text(9, across(9)[0] - 14, "hierarchy, one phase after the other", va="top", ha="center")


FIGURES: dict[str, Draw] = {"bus-size": draw_size, "bus-nodes": draw_nodes}

if __name__ == "__main__":
    main()
