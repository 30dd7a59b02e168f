"""NCCL's own estimate of an all-reduce: which algorithm and protocol it picks, and at what predicted time.

A port of the ring, tree and NVLS-tree branches of ``ncclTopoTuneModel`` and ``ncclTopoGetAlgoTime`` in
NVIDIA/nccl @5067397c26 (2.30.7), ``src/graph/tuning.cc``, for Hopper GPUs joined by NVLink. The constants are
NCCL's; nothing here was measured on a GPU. Times are in microseconds, bandwidths in GB/s (10^9 B/s).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from labs.kit import Column, Draw, Palette, Table, Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KIB, MIB, GIB = 2**10, 2**20, 2**30

TREE, RING, NVLS_TREE = "Tree", "Ring", "NVLSTree"
PROTOCOLS = ("LL", "LL128", "Simple")

# All constants below: tuning.cc, ncclTunerConstantsDefaults, in the order LL, LL128, Simple.
BASE_US = {TREE: (6.8, 14.0, 8.4), RING: (6.6, 14.0, 8.4), NVLS_TREE: (0.0, 0.0, 0.0)}
NVLINK_US = {TREE: (0.6, 1.25, 4.0), RING: (0.6, 1.9, 3.4), NVLS_TREE: (0.0, 0.0, 25.0)}
NETWORK_US = {TREE: (5.0, 8.5, 14.0), RING: (2.7, 4.0, 14.0), NVLS_TREE: (0.0, 0.0, 20.9)}

# Caps in GB/s for 1 node, 2 nodes, more. LL: the whole ring or tree; the others: one channel of a Hopper GPU.
LL_MAX = {"Hopper": (141.0, 45.0, 35.0), "Intel": (39.0, 39.0, 20.4), "AMD": (87.7, 22.5, 19.0)}
CHANNEL_RING_LL128 = (36.7, 36.7, 36.7)
CHANNEL_TREE_LL128 = (36.7, 36.7, 29.0)
CHANNEL_TREE = (38.7, 41.4, 36.0)
CHANNEL_NVLS_TREE = (0.0, 57.7, 45.5)
NVLS_EFFICIENCY = 0.85

TREE_CORRECTION = {
    protocol: tuple(float(factor) for factor in row.split())
    for protocol, row in {
        "LL": "1 1 1 1 .9 .8 .7 .7 .7 .7 .6 .5 .4 .4 .5 .6 .7 .8 .9 1 1 1 1",
        "LL128": "1 1 1 1 1 .9 .8 .8 .8 .7 .6 .6 .6 .6 .6 .6 .8 .9 .9 .9 .9 1 1",
        "Simple": ".9 .9 .9 .9 .9 .9 .9 .8 .7 .6 .6 .5 .5 .5 .5 .6 .7 .8 .7 .7 .8 .9 .9",
    }.items()
}
"""What is left of the tree's bandwidth for 64 B, 128 B, ... 256 MiB, the size rounded down to these."""

NVLINKS, NVLINK_GBS = 18, 20.6
"""Links of one H100, and what topo.h counts for each (SM90_NVLINK_BW)."""

CHANNEL_SPEEDS = (48.0, 45.0, 42.0, 40.0, 30.0, 24.0, 22.0, 20.0, 17.5, 15.0, 12.0, 6.0, 3.0)
"""Bandwidths of a channel between Hopper nodes as the graph search tries them (search.cc), down to 3."""


@dataclass(frozen=True)
class Cluster:
    """A job as the tuner sees it: *nodes* of *gpus* each, and the *channels* that the graph search found."""

    nodes: int
    gpus: int = 8
    channels: int = 8
    channel_gbs: float = 45.0
    cpu: str = "Intel"
    plain_tree: bool = True
    nvls: bool = False
    before_2_23: bool = False

    @property
    def ranks(self) -> int:
        """All GPUs of the job."""
        return self.nodes * self.gpus

    @property
    def blocks(self) -> int:
        """Channels after init has doubled them (ncclTopoPostset): the "coll channels" of the log."""
        return 2 * self.channels

    @property
    def column(self) -> int:
        """The column of a table of caps: one node, two nodes, more."""
        return min(self.nodes, 3) - 1


def log2_floor(n: int) -> int:
    """Whole part of the binary logarithm, as NCCL's ``log2i``."""
    return n.bit_length() - 1


def latency_us(algorithm: str, protocol: str, c: Cluster) -> float:
    """Time of an empty all-reduce: a base, and a term for each kind of hop."""
    p = PROTOCOLS.index(protocol)
    base, intra = BASE_US[algorithm][p], NVLINK_US[algorithm][p]
    inter = NETWORK_US[TREE if c.gpus == 1 else algorithm][p]
    levels = log2_floor(c.nodes)
    if algorithm == NVLS_TREE:
        return base + intra + 2 * levels * inter
    if algorithm == TREE:
        return base + 2 * ((c.gpus - 1) * intra + levels * inter)
    if c.nodes > 1:  # then no hop is cheaper than posting to the NIC
        post = 2.0 if c.cpu == "AMD" else 1.0
        intra = max(intra, 3 * post if protocol == "Simple" else post)
    steps, crossings = 2 * (c.ranks - 1), network_steps(c)
    return base + (steps - crossings) * intra + crossings * inter


def network_steps(c: Cluster) -> int:
    """Steps of the ring that NCCL counts as crossing the network: 2N until 2.22, 2(N-1) from 2.23 on."""
    if c.nodes == 1:
        return 0
    return 2 * c.nodes if c.before_2_23 else 2 * (c.nodes - 1)


def bandwidth_gbs(algorithm: str, protocol: str, c: Cluster) -> float:
    """Bytes of the buffer per second once the pipeline is full, in GB/s: the algorithm bandwidth."""
    bus = c.channels * c.channel_gbs
    ring_ratio = c.ranks / (2 * (c.ranks - 1))
    ll_max = LL_MAX["Hopper" if c.nodes == 1 else c.cpu][c.column]
    if algorithm == RING:
        if protocol == "LL":
            bus = min(ll_max, bus * 0.5)
        elif protocol == "LL128":
            bus = min(bus * 0.92, c.channels * CHANNEL_RING_LL128[c.column])
        return bus * ring_ratio
    if algorithm == NVLS_TREE:
        intra = c.channel_gbs * NVLS_EFFICIENCY * (c.channels - 1) / c.channels * 2
        inter = c.channel_gbs * (2 if c.nodes == 2 else 1)
        return c.channels * min(intra, inter, CHANNEL_NVLS_TREE[c.column]) * ring_ratio
    bus = min(bus * 0.92, c.channels * CHANNEL_TREE[c.column])
    if protocol == "LL":
        bus = min(bus / 3.8, ll_max)
    elif protocol == "LL128":
        bus = min(bus * (7 / 9 if c.nodes == 1 else 120 / 128), c.channels * CHANNEL_TREE_LL128[c.column])
    return bus * (0.85 if c.plain_tree else 1.0) * 0.5


def time_us(algorithm: str, protocol: str, c: Cluster, nbytes: int) -> float:
    """Latency + bytes / bandwidth, then NCCL's two corrections."""
    latency = latency_us(algorithm, protocol, c)
    bandwidth = bandwidth_gbs(algorithm, protocol, c)
    octave = log2_floor(nbytes >> 6) if nbytes >= 64 else -1
    if algorithm == TREE and 0 <= octave < 23:
        bandwidth *= TREE_CORRECTION[protocol][octave]
    plateau = c.nodes > 1 and nbytes // (c.blocks * c.ranks) >= 64
    if (algorithm, protocol) == (RING, "Simple") and plateau:
        latency *= 1.4
    return latency + nbytes / (1000 * bandwidth)


def tree_depth(nodes: int) -> int:
    """Levels below the root in the first of the two trees that NCCL lays over the nodes (ncclGetBtree)."""

    def parent(node: int) -> int:
        bit = node & -node
        up = (node ^ bit) | (bit << 1)
        return up if up < nodes else node ^ bit

    def level(node: int) -> int:
        return 0 if node == 0 else 1 + level(parent(node))

    return max(level(node) for node in range(nodes))


def candidates(c: Cluster) -> list[tuple[str, str]]:
    """What competes for an all-reduce, in the order in which NCCL looks (the first of equals wins)."""
    pairs = [(a, p) for a in (TREE, RING) for p in PROTOCOLS]
    return pairs + ([(NVLS_TREE, "Simple")] if c.nvls and c.nodes > 1 else [])


def best(c: Cluster, nbytes: int) -> tuple[str, str, float]:
    """The pair with the smallest estimate, and that estimate."""
    pair = min(candidates(c), key=lambda ap: time_us(ap[0], ap[1], c, nbytes))
    return pair[0], pair[1], time_us(pair[0], pair[1], c, nbytes)


def old_nvls_tree_us(c: Cluster, nbytes: int) -> float:
    """The NVLS tree's estimate as of 2.22 to 2.27: 14 µs a level, half a channel beyond two nodes."""
    latency = NVLINK_US[NVLS_TREE][2] + 2 * log2_floor(c.nodes) * 14.0
    channel = c.channel_gbs / (1 if c.nodes <= 2 else 2)
    return latency + nbytes / (1000 * c.channels * channel * 5 / 6)


def best_2_22(c: Cluster, nbytes: int) -> tuple[str, str, float]:
    """The pick of NCCL 2.22 with NVLS on.

    A hop of Tree Simple cost 28 µs then. That is not ported: even at today's price it never wins on this job.
    """
    return min(
        best(c, nbytes),
        (NVLS_TREE, "Simple", old_nvls_tree_us(c, nbytes)),
        key=lambda pick: pick[2],
    )


Pick = Callable[[Cluster, int], tuple[str, str, float]]


def handovers(
    c: Cluster, lowest: int, highest: int, per_octave: int = 32, pick: Pick = best
) -> list[tuple[int, str, str]]:
    """``(bytes, algorithm, protocol)``: the first pick, and each size from which another pair is picked.

    Sizes are scanned, *per_octave* to a doubling, and bisected to the byte where the pick differs; a pair
    that wins on less than one step of the scan is missed.
    """
    octaves = range(log2_floor(lowest) * per_octave, log2_floor(highest) * per_octave + 1)
    sizes = [s for s in sorted({round(2 ** (k / per_octave)) for k in octaves}) if lowest <= s <= highest]
    found = [(sizes[0], *pick(c, sizes[0])[:2])]
    for low, high in itertools.pairwise(sizes):
        pair = pick(c, high)[:2]
        if pair == found[-1][1:]:
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if pick(c, middle)[:2] == pair else (middle, high)
        found.append((high, *pair))
    return found


def naive_crossover(c: Cluster, bus_gbs: float) -> float:
    """Bytes at which ring and tree, both Simple, would meet on latency + bytes / bandwidth alone."""
    ring, tree = bus_gbs * c.ranks / (2 * (c.ranks - 1)), bus_gbs * 0.92 * 0.5
    return 1000 * (latency_us(RING, "Simple", c) - latency_us(TREE, "Simple", c)) / (1 / tree - 1 / ring)


def widest_ring(link_gbs: float, nics: int) -> float:
    """The fastest speed in the search's table at which one ring per NIC fits through a GPU's links."""
    return next(s for s in CHANNEL_SPEEDS if s * nics <= link_gbs)


def bound_us(c: Cluster, nbytes: int) -> float:
    """What the NICs alone need: a node sends 2(N-1)/N of the buffer, unless a switch adds up for it."""
    return 2 * (c.nodes - 1) / c.nodes * nbytes / (1000 * c.channels * c.channel_gbs)


FUNCTIONS = ("Broadcast", "Reduce", "AllGather", "ReduceScatter", "AllReduce")
ALGORITHMS = ("Tree", "Ring", "CollNetDirect", "CollNetChain", "NVLS", "NVLSTree", "PAT")


def parse_algo_list(text: str, elements: Sequence[str] = ALGORITHMS) -> dict[str, tuple[str, ...]]:
    """What ``NCCL_ALGO=text`` leaves enabled, by function; ``ValueError`` where NCCL refuses it."""
    enabled = {function: tuple(elements) for function in FUNCTIONS}
    position = 0
    for entry in text.split(";"):
        start, position = position, position + len(entry) + 1
        if not entry:
            continue
        prefix, *rest = [part for part in entry.split(":") if part] or [""]
        if not rest:
            if start != 0:
                raise ValueError(f"all entries except the first must have a prefix: {text!r}")
            functions, names = list(FUNCTIONS), prefix
        else:
            functions, names = [f for f in FUNCTIONS if f.lower() == prefix.lower()], rest[0]
            if not functions:
                raise ValueError(f"unrecognised function {prefix!r} in {text!r}")
        listed = [n.lower() for n in names.removeprefix("^").split(",") if n]
        known = {e.lower() for e in elements}
        for name in listed:
            if name not in known:
                raise ValueError(f"unrecognised element {name!r} in {text!r}")
        keep = not names.startswith("^")
        for function in functions:
            enabled[function] = tuple(e for e in elements if (e.lower() in listed) == keep)
    return enabled


IB_TIMEOUTS = {14: "before 2.14", 18: "2.14 to 2.22", 20: "since 2.23", 22: "none"}
"""Exponents of ``NCCL_IB_TIMEOUT``, and the versions that have them by default (``env.rst``)."""


def ib_timeout_s(exponent: int) -> float:
    """Seconds the NIC waits for an acknowledgement before it sends again (``NCCL_IB_TIMEOUT``, 1 to 31)."""
    if not 1 <= exponent <= 31:
        raise ValueError("0 and anything above 31 mean: for ever")
    return 4.096e-6 * float(2**exponent)


def ib_error_s(exponent: int, retries: int = 7) -> float:
    """Seconds until NCCL is told: the time-out, times ``NCCL_IB_RETRY_CNT``."""
    return ib_timeout_s(exponent) * retries


EXAMPLE = Cluster(nodes=16)
"""The note's job: 16 nodes of 8 H100 and 8 NICs, one ring a NIC at 45 GB/s."""

LOGGED = Cluster(nodes=3, channels=8, channel_gbs=24.0, before_2_23=True)
"""The job in NVIDIA/nccl issue 1453 (2.22.3): 3 nodes of 8 H100, 16 coll channels in its log."""

LOGGED_BYTES = {
    "256b": 256,
    "4k": 4 * KIB,
    "64k": 64 * KIB,
    "128k": 128 * KIB,
    "1m": MIB,
    "512m": 512 * MIB,
}

MEASURED_US = {"256b": 62.05, "64k": 345.6, "1m": 2291.8, "512m": 189_960.0}
"""What all_reduce_perf printed in that issue (256 B out of place, the others in place)."""


def size_name(nbytes: float) -> str:
    """``300 KiB``: three significant digits in binary units."""
    for unit, factor in (("GiB", GIB), ("MiB", MIB), ("KiB", KIB)):
        if nbytes >= factor:
            return f"{nbytes / factor:.3g} {unit}"
    return f"{nbytes:.0f} B"


def values() -> dict[str, Value]:
    """The figures the note quotes."""
    out: dict[str, Value] = {}
    steps, crossings = 2 * (EXAMPLE.ranks - 1), network_steps(EXAMPLE)
    out |= {
        "steps": Value(steps),
        "crossings": Value(crossings),
        "inside": Value(steps - crossings),
        "levels": Value(log2_floor(EXAMPLE.nodes)),
        "link": Value(NVLINKS * NVLINK_GBS, "GB/s"),
        "eight_at_top": Value(8 * CHANNEL_SPEEDS[0], "GB/s"),
        "eight_at_fit": Value(8 * widest_ring(NVLINKS * NVLINK_GBS, 8), "GB/s"),
    }
    for algorithm in (RING, TREE):
        one, many = (latency_us(algorithm, "LL", Cluster(n)) for n in (1, 128))
        out[f"grows_{algorithm}".lower()] = Value(many / one)
    for name, nbytes in LOGGED_BYTES.items():
        out[f"log_{name}"] = Value(best_2_22(LOGGED, nbytes)[2], "µs")
    for name, measured in MEASURED_US.items():
        out[f"slower_{name}"] = Value(measured / best_2_22(LOGGED, LOGGED_BYTES[name])[2])
    since_2_23 = best(replace(LOGGED, before_2_23=False), 512 * MIB)[2]
    out["log_newer"] = Value(best(LOGGED, 512 * MIB)[2] - since_2_23, "µs")
    picks_2_22 = handovers(LOGGED, 8, GIB, pick=best_2_22)
    out["log_ring"] = Value(next(n for n, algorithm, _ in picks_2_22 if algorithm == RING) / MIB, "MiB")

    picks = handovers(EXAMPLE, 8, 64 * GIB)
    out["pick_tree_ll128"] = Value(picks[1][0] / KIB, "KiB")
    names = ("simple", "ring", "back", "again", "ring_simple")
    for name, pick in zip(names, picks[2:], strict=True):
        out[f"pick_{name}"] = Value(pick[0] / MIB, "MiB")
    out["naive"] = Value(naive_crossover(EXAMPLE, EXAMPLE.channels * EXAMPLE.channel_gbs) / MIB, "MiB")
    with_nvls = handovers(replace(EXAMPLE, nvls=True), 8, 64 * GIB)
    out["pick_nvls"] = Value(with_nvls[-1][0] / MIB, "MiB")
    out["gib_bound"] = Value(bound_us(EXAMPLE, GIB) / 1000, "ms")
    out["gib_ring"] = Value(time_us(RING, "Simple", EXAMPLE, GIB) / 1000, "ms")
    out["gib_nvls"] = Value(time_us(NVLS_TREE, "Simple", EXAMPLE, GIB) / 1000, "ms")

    for nodes in (8, 12):
        out[f"q_tree_{nodes}"] = Value(latency_us(TREE, "LL128", Cluster(nodes, gpus=4)), "µs")
        out[f"q_ring_{nodes}"] = Value(latency_us(RING, "LL128", Cluster(nodes, gpus=4)), "µs")
    out["q_depth"] = Value(tree_depth(12))
    out["q_depth_counted"] = Value(log2_floor(12))
    for cpu in ("Intel", "AMD"):
        out[f"q_{cpu}".lower()] = Value(latency_us(RING, "Simple", Cluster(32, cpu=cpu)), "µs")
    out["q_ib_error"] = Value(ib_error_s(23, retries=3), "s")
    return out


def tables() -> dict[str, Table]:
    """The tables the note shows."""
    pairs = [(algorithm, protocol) for algorithm in (RING, TREE) for protocol in PROTOCOLS]
    heads = (Column(f"{algorithm.lower()} {protocol}", "µs") for algorithm, protocol in pairs)
    growth = tuple(
        (nodes, *(latency_us(*pair, replace(EXAMPLE, nodes=nodes)) for pair in pairs))
        for nodes in (1, 16, 128)
    )
    waits = tuple((t, used, ib_timeout_s(t), ib_error_s(t)) for t, used in IB_TIMEOUTS.items())
    columns = (Column("`NCCL_IB_TIMEOUT`"), Column("default"))
    return {
        "latency": Table((Column("nodes"), *heads), growth),
        "timeouts": Table((*columns, Column("one time-out", "s"), Column("until the error", "s")), waits),
    }


def tuning_row(algorithm: str, c: Cluster) -> str:
    """One algorithm's cells of the all-reduce line that NCCL logs with NCCL_DEBUG_SUBSYS=TUNING: µs/GB/s."""
    cells = [f"{latency_us(algorithm, p, c):7.1f}/{bandwidth_gbs(algorithm, p, c):6.1f}" for p in PROTOCOLS]
    return f"{algorithm:4s}" + " ".join(cells)


def main() -> None:
    """Print what the note shows."""
    c = EXAMPLE
    job = f"{c.nodes} nodes x {c.gpus} H100, {c.channels} channels of {c.channel_gbs:g} GB/s"
    print(f"{job}; latency (µs)/bandwidth (GB/s):")
    print("    " + " ".join(f"{p:>14s}" for p in PROTOCOLS))
    for algorithm in (TREE, RING):
        print(tuning_row(algorithm, EXAMPLE))
    for c in (EXAMPLE, replace(EXAMPLE, nvls=True)):
        print(f"\nNVLS {'on' if c.nvls else 'off'}, picked from this size on, and the estimate there:")
        for nbytes, algorithm, protocol in handovers(c, 8, 64 * GIB):
            print(f"{size_name(nbytes):>10s}  {algorithm + ' ' + protocol:16s}{best(c, nbytes)[2]:8.1f} µs")


def fastest_us(algorithm: str, c: Cluster, nbytes: int) -> float:
    """The estimate of *algorithm* with the protocol that suits the size."""
    pairs = [pair for pair in candidates(replace(c, nvls=True)) if pair[0] == algorithm]
    return min(time_us(algorithm, protocol, c, nbytes) for _, protocol in pairs)


def between(lowest: int, highest: int, per_octave: int) -> list[int]:
    """Sizes from *lowest* to *highest*, and for the steps the byte before each power of two."""
    octaves = range(log2_floor(lowest) * per_octave, log2_floor(highest) * per_octave + 1)
    sizes = {round(2 ** (k / per_octave)) for k in octaves}
    return sorted(sizes | {2**k - 1 for k in range(log2_floor(lowest) + 1, log2_floor(highest) + 1)})


Dash = str | tuple[float, tuple[float, ...]]
LOOK: dict[str, tuple[Dash, int]] = {
    RING: ("-", 0),
    TREE: ((0, (5, 2)), 1),
    NVLS_TREE: ((0, (8, 2, 1.5, 2)), 2),
}
"""Dash and colour of a line, the same in both plots."""


def draw_ring_tree(ax: Axes, palette: Palette) -> None:
    """Estimated time against size: each algorithm with its best protocol."""
    sizes = between(4 * KIB, 8 * GIB, 16)
    for algorithm, (dash, colour) in LOOK.items():
        times = [fastest_us(algorithm, EXAMPLE, s) for s in sizes]
        ax.plot(sizes, times, color=palette.lines[colour], linestyle=dash)
    ax.plot(
        sizes,
        [bound_us(EXAMPLE, s) for s in sizes],
        color=palette.lines[3],
        linestyle=(0, (1, 1.6)),
        linewidth=2.2,
    )
    ax.set(xscale="log", yscale="log", xlim=(4 * KIB, 8 * GIB), ylim=(30, 1e5))
    ax.set_xticks([4 * KIB, 64 * KIB, MIB, 16 * MIB, 256 * MIB, 4 * GIB])
    ax.set_xticklabels(["4 KiB", "64 KiB", "1 MiB", "16 MiB", "256 MiB", "4 GiB"])
    ax.set_yticks([100, 1e3, 1e4, 1e5])
    ax.set_yticklabels(["0.1", "1", "10", "100"])
    ax.minorticks_off()
    ax.set(xlabel="buffer of the all-reduce", ylabel="NCCL's estimate (ms)")
    for name, y in (("ring", 340), ("NVLS tree", 174), ("tree", 62)):
        ax.text(6 * KIB, y, name, va="top" if name == "NVLS tree" else "bottom")
    ax.text(24 * MIB, 95, "the NICs alone", va="top")


def draw_pick(ax: Axes, palette: Palette) -> None:
    """The same where the lines meet, as bandwidth, with what is picked while NVLS is off."""
    low, high = 32 * MIB, 2 * GIB
    sizes = between(low, high, 32)
    for algorithm, (dash, colour) in LOOK.items():
        rates = [s / fastest_us(algorithm, EXAMPLE, s) / 1000 for s in sizes]
        ax.plot(sizes, rates, color=palette.lines[colour], linestyle=dash)
    spans: list[tuple[int, str]] = []
    for size, algorithm, _ in handovers(EXAMPLE, low, high):
        if not spans or spans[-1][1] != algorithm:
            spans.append((size, algorithm))
    for (start, algorithm), (end, _) in itertools.pairwise([*spans, (high, "")]):
        dash, colour = LOOK[algorithm]
        ax.plot([start, end], [25, 25], color=palette.lines[colour], linewidth=7, solid_capstyle="butt")
        above = algorithm == RING
        ax.text(
            (start * end) ** 0.5,
            32 if above else 18,
            algorithm.lower(),
            ha="center",
            va=("top", "bottom")[above],
        )
        if start > low:
            ax.axvline(
                start, ymin=0.125, ymax=0.86, color=palette.muted, linewidth=0.8, linestyle=(0, (2, 2))
            )
    ax.set(xscale="log", xlim=(low, high), ylim=(0, 200))
    ax.set_xticks([k * MIB for k in (32, 64, 128, 256, 512, 1024, 2048)])
    ax.set_xticklabels(["32", "64", "128", "256", "512", "1024", "2048"])
    ax.minorticks_off()
    ax.set(xlabel="buffer of the all-reduce (MiB)", ylabel="buffer / estimate (GB/s)")
    for name, size, y in (("NVLS tree", 96, 152), ("ring", 330, 130), ("tree", 1250, 110)):
        ax.text(size * MIB, y, name, ha="right", va="center")


FIGURES: dict[str, Draw] = {"nccl-ring-tree": draw_ring_tree, "nccl-pick": draw_pick}

if __name__ == "__main__":
    main()
