"""What a token costs in the KV cache: attention that runs one token at a time and counts what its cache does.

Each layer keeps its cache in numpy arrays. What a token costs is the size of these arrays, and what a step
fetches is counted where the attention fetches it. Weights are random and the model's width is cut to 16:
nothing in the cache depends on either. Norms, biases and the low-rank query of MLA are left out.

    python -m labs.llm_systems.kv_cache_cost
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from labs.kit import Column, Draw, Palette, Table, Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[Any]
KIB, MIB, GIB = 2**10, 2**20, 2**30
WIDTH = 16


class Meter:
    """Bytes that a layer fetched from its cache, and operations in products with what it fetched."""

    def __init__(self) -> None:
        self.read = 0
        self.flops = 0

    def product(self, spec: str, a: Array, b: Array) -> Array:
        """``einsum(spec, a, b)``, counted as a multiplication and an addition for each term."""
        inputs = spec.split("->")[0].split(",")
        extent = {
            index: n
            for term, x in zip(inputs, (a, b), strict=True)
            for index, n in zip(term, x.shape, strict=True)
        }
        self.flops += 2 * math.prod(extent.values())
        return np.asarray(np.einsum(spec, a, b, optimize=True))


class Store:
    """What a layer keeps of one quantity: a row for each token, or for the last *window* tokens."""

    def __init__(self, meter: Meter, dtype: DTypeLike, window: int | None = None) -> None:
        self.meter, self.window = meter, window
        self.rows: Array = np.empty(0, dtype)

    def append(self, row: Array) -> None:
        """Keep one more token, and drop the oldest once the window is full."""
        new = row[None].astype(self.rows.dtype)
        kept = np.concatenate([self.rows, new]) if len(self.rows) else new
        self.rows = kept[-self.window :] if self.window else kept

    def read(self, head: int | None = None) -> Array:
        """All rows, or those of one head, in the precision of the arithmetic."""
        fetched = self.rows if head is None else self.rows[:, head]
        self.meter.read += fetched.nbytes
        return fetched.astype(np.result_type(fetched, np.float32))

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.rows.nbytes


class TiledStore(Store):
    """One byte an element and a scale of four bytes for each *tile* of a row.

    The bytes are integers here. FP8 takes as many; numpy has no such type.
    """

    def __init__(self, meter: Meter, tile: int, window: int | None = None) -> None:
        super().__init__(meter, np.int8, window)
        self.tile = tile
        self.scales = Store(meter, np.float32, window)

    def append(self, row: Array) -> None:
        """Keep one more token, each tile rounded to 127 steps of its largest element."""
        tiles = row.reshape(-1, self.tile)
        scales = np.abs(tiles).max(axis=1) / 127
        super().append(np.rint(tiles / scales[:, None]).reshape(row.shape))
        self.scales.append(scales)

    def read(self, head: int | None = None) -> Array:
        """All rows, scaled back."""
        codes, scales = super().read(head), self.scales.read()
        tiles = codes.reshape(len(codes), -1, self.tile) * scales[:, :, None]
        return np.asarray(tiles.reshape(codes.shape))

    @property
    def nbytes(self) -> int:
        """Bytes held, with the scales."""
        return self.rows.nbytes + self.scales.nbytes


def rope(x: Array, position: int) -> Array:
    """*x* with its two halves rotated against each other, by angles that grow with the position."""
    half = x.shape[-1] // 2
    angles = position * 10_000.0 ** (-np.arange(half) / half)
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def softmax(scores: Array) -> Array:
    """Weights along the last axis."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


@dataclass(frozen=True)
class Grouped:
    """Attention with *kv_heads* pairs of keys and values: *heads* in MHA, one in MQA, between in GQA."""

    heads: int
    kv_heads: int
    head_dim: int

    @property
    def design(self) -> str:
        """Its name."""
        return {self.heads: "MHA", 1: "MQA"}.get(self.kv_heads, "GQA")


@dataclass(frozen=True)
class Latent:
    """Multi-head latent attention: *rank* numbers for keys and values, *rope* more for the position."""

    heads: int
    rank: int
    rope: int
    nope: int
    value: int
    design = "MLA"


Attention = Grouped | Latent
Cached = Literal["latent", "heads"]


def random_weights(seed: int, dtype: DTypeLike, **shapes: tuple[int, ...]) -> dict[str, Array]:
    """A random matrix for each name, scaled by its last axis."""
    rng = np.random.default_rng(seed)
    return {
        name: (rng.standard_normal(shape, dtype=np.float32) / math.sqrt(shape[-1])).astype(dtype)
        for name, shape in shapes.items()
    }


class Layer(Protocol):
    """One layer of attention with its cache."""

    meter: Meter

    def step(self, x: Array, position: int) -> Array:
        """Cache one token and attend to all that are cached."""
        ...

    @property
    def nbytes(self) -> int:
        """Bytes that the cache holds."""
        ...


class GroupedLayer:
    """MHA, GQA or MQA. With *each_head_reads*, query heads that share a key fetch it separately."""

    def __init__(
        self,
        shape: Grouped,
        weights: dict[str, Array],
        store: DTypeLike = np.float16,
        window: int | None = None,
        each_head_reads: bool = False,
        tile: int | None = None,
    ) -> None:
        self.shape, self.weights, self.each_head_reads = shape, weights, each_head_reads
        self.meter = Meter()
        self.keys, self.values = (
            TiledStore(self.meter, tile, window) if tile else Store(self.meter, store, window) for _ in "kv"
        )

    @staticmethod
    def weights_of(shape: Grouped, seed: int, dtype: DTypeLike = np.float32) -> dict[str, Array]:
        """Random weights for this shape."""
        h, g, d = shape.heads, shape.kv_heads, shape.head_dim
        return random_weights(seed, dtype, q=(h, d, WIDTH), k=(g, d, WIDTH), v=(g, d, WIDTH), o=(WIDTH, h, d))

    # region grouped
    def step(self, x: Array, position: int) -> Array:
        """Cache one token's keys and values, attend to all that are cached."""
        w, s = self.weights, self.shape
        self.keys.append(rope(w["k"] @ x, position))
        self.values.append(w["v"] @ x)
        # g: heads of keys, q: queries of one of them, t: tokens
        q = rope(w["q"] @ x, position).reshape(s.kv_heads, -1, s.head_dim)
        k, v = self._fetch(self.keys), self._fetch(self.values)
        scores = self.meter.product("gqd,tgd->gqt", q, k) / math.sqrt(s.head_dim)
        out = self.meter.product("gqt,tgd->gqd", softmax(scores), v)
        heads = out.reshape(s.heads, s.head_dim)
        return np.asarray(np.einsum("whd,hd->w", w["o"], heads))

    # endregion

    def _fetch(self, store: Store) -> Array:
        if not self.each_head_reads:
            return store.read()
        group = self.shape.heads // self.shape.kv_heads
        per_query_head = [store.read(head // group) for head in range(self.shape.heads)]
        return np.stack(per_query_head[::group], axis=1)

    def shard(self, rank: int, ranks: int) -> GroupedLayer:
        """One rank's query heads, with every key and value head that one of them uses."""
        s, w = self.shape, self.weights
        mine = np.arange(s.heads).reshape(ranks, -1)[rank]
        needed = sorted({int(head) // (s.heads // s.kv_heads) for head in mine})
        weights = {"q": w["q"][mine], "k": w["k"][needed], "v": w["v"][needed], "o": w["o"][:, mine]}
        return GroupedLayer(Grouped(len(mine), len(needed), s.head_dim), weights, self.keys.rows.dtype)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.keys.nbytes + self.values.nbytes


class LatentLayer:
    """MLA, which may cache the *latent* or the *heads* made from it, and may *absorb* the up-projections."""

    def __init__(
        self,
        shape: Latent,
        weights: dict[str, Array],
        store: DTypeLike = np.float16,
        cached: Cached = "latent",
        absorb: bool = True,
        tile: int | None = None,
    ) -> None:
        self.shape, self.weights, self.cached, self.absorb = shape, weights, cached, absorb
        self.meter, self.dtype = Meter(), store
        self.first, self.second = Store(self.meter, store), Store(self.meter, store)
        if tile:
            self.first = TiledStore(self.meter, tile)

    @staticmethod
    def weights_of(shape: Latent, seed: int, dtype: DTypeLike = np.float32) -> dict[str, Array]:
        """Random weights for this shape."""
        h, c, r, n, v = shape.heads, shape.rank, shape.rope, shape.nope, shape.value
        down = {"c": (c, WIDTH), "kr": (r, WIDTH), "q": (h, n, WIDTH), "qr": (h, r, WIDTH)}
        return random_weights(seed, dtype, **down, uk=(h, n, c), uv=(h, v, c), o=(WIDTH, h, v))

    def step(self, x: Array, position: int) -> Array:
        """Cache one token, attend to all that are cached."""
        w = self.weights
        latent, key = w["c"] @ x, rope(w["kr"] @ x, position)
        q, qr = w["q"] @ x, rope(w["qr"] @ x, position)
        if self.cached == "heads":
            self.first.append(self._with_position(w["uk"] @ latent, key))
            self.second.append(w["uv"] @ latent)
            out = self._attend(np.concatenate([q, qr], axis=-1), self.first.read(), self.second.read())
        else:
            self.first.append(latent)
            self.second.append(key)
            attend = self._absorbed if self.absorb else self._expanded
            out = attend(q, qr, self.first.read(), self.second.read())
        return np.asarray(np.einsum("whv,hv->w", w["o"], out))

    # region absorbed
    def _absorbed(self, q: Array, qr: Array, c: Array, kr: Array) -> Array:
        """Attend to latents and position keys; no head's key is ever made."""
        down = np.einsum("hn,hnc->hc", q, self.weights["uk"])
        content = self.meter.product("hc,tc->ht", down, c)
        position = self.meter.product("hr,tr->ht", qr, kr)
        weights = softmax((content + position) * self._scale)
        mixed = self.meter.product("ht,tc->hc", weights, c)
        return np.asarray(np.einsum("hc,hvc->hv", mixed, self.weights["uv"]))

    # endregion

    def _expanded(self, q: Array, qr: Array, c: Array, kr: Array) -> Array:
        """Attend to keys and values of all cached tokens, which are made again in every step."""
        k = self.meter.product("tc,hnc->thn", c, self.weights["uk"])
        v = self.meter.product("tc,hvc->thv", c, self.weights["uv"])
        return self._attend(np.concatenate([q, qr], axis=-1), self._with_position(k, kr[:, None]), v)

    def _attend(self, q: Array, k: Array, v: Array) -> Array:
        weights = softmax(self.meter.product("hd,thd->ht", q, k) * self._scale)
        return self.meter.product("ht,thv->hv", weights, v)

    def _with_position(self, k: Array, key: Array) -> Array:
        return np.concatenate([k, np.broadcast_to(key, (*k.shape[:-1], key.shape[-1]))], axis=-1)

    @property
    def _scale(self) -> float:
        return 1 / math.sqrt(self.shape.nope + self.shape.rope)

    def shard(self, rank: int, ranks: int) -> LatentLayer:
        """One rank's heads. Every head reads the whole latent, so every rank keeps it."""
        s, w = self.shape, self.weights
        mine = np.arange(s.heads).reshape(ranks, -1)[rank]
        weights = {name: w[name][mine] for name in ("q", "qr", "uk", "uv")}
        weights |= {"c": w["c"], "kr": w["kr"], "o": w["o"][:, mine]}
        return LatentLayer(replace(s, heads=len(mine)), weights, self.dtype, self.cached, self.absorb)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.first.nbytes + self.second.nbytes


def layer_of(
    shape: Attention, seed: int = 0, dtype: DTypeLike = np.float32, **how: Any
) -> GroupedLayer | LatentLayer:
    """A layer of this shape with random weights."""
    if isinstance(shape, Grouped):
        return GroupedLayer(shape, GroupedLayer.weights_of(shape, seed, dtype), **how)
    return LatentLayer(shape, LatentLayer.weights_of(shape, seed, dtype), **how)


def tokens(count: int, dtype: DTypeLike = np.float32) -> Array:
    """Random inputs of a layer."""
    return np.random.default_rng(7).standard_normal((count, WIDTH)).astype(dtype)


@dataclass(frozen=True)
class Cost:
    """What one more cached token costs one layer: bytes kept, bytes and operations in each later step."""

    kept: int
    read: int
    flops: int


def run(layer: Layer, count: int) -> Cost:
    """Run *count* tokens and one more, and take what the last one added."""
    before = kept = 0
    spent: list[tuple[int, int]] = []
    for position, x in enumerate(tokens(count + 1)):
        before, read, flops = layer.nbytes, layer.meter.read, layer.meter.flops
        layer.step(x, position)
        kept = layer.nbytes - before
        spent.append((layer.meter.read - read, layer.meter.flops - flops))
    (read_before, flops_before), (read_last, flops_last) = spent[-2:]
    return Cost(kept, read_last - read_before, flops_last - flops_before)


@lru_cache(maxsize=64)
def cost(shape: Attention, how: tuple[tuple[str, Any], ...] = ()) -> Cost:
    """What a token costs a layer of this shape, from running it."""
    return run(layer_of(shape, **dict(how)), 2)


@dataclass(frozen=True)
class Kind:
    """*count* layers of one kind; those with a *window* keep only so many tokens."""

    count: int
    shape: Attention
    window: int | None = None


@dataclass(frozen=True)
class Model:
    """The attention of a model, as far as the cache can tell."""

    name: str
    kinds: tuple[Kind, ...]

    def per_token(self, **how: Any) -> Cost:
        """What one more token costs in all layers, before any window is full."""
        each = [(kind.count, cost(kind.shape, tuple(sorted(how.items())))) for kind in self.kinds]
        return Cost(*(sum(n * getattr(c, name) for n, c in each) for name in ("kept", "read", "flops")))

    def cache_bytes(self, context: int, **how: Any) -> int:
        """Bytes that one sequence of *context* tokens holds."""
        held = [(kind.count * min(context, kind.window or context), kind.shape) for kind in self.kinds]
        return sum(n * cost(shape, tuple(sorted(how.items()))).kept for n, shape in held)


ELEMENTS: dict[int, DTypeLike] = {1: np.int8, 2: np.float16, 4: np.float32}


def cache_gib(
    kept: str, layers: int, heads: int, width: int, element: int, context: int, sequences: int
) -> float:
    """GiB that *sequences* of *context* tokens hold in *layers* that keep *heads* of this *width*.

    A layer of the shape runs and its bytes are counted. A latent's width includes its position key.
    """
    position = width // 4 * 2  # any share of the width, as a rotation needs an even one
    shape = (
        Grouped(heads, heads, width)
        if kept == "keys and values"
        else Latent(1, width - position, position, 2, 2)
    )
    copies = 1 if isinstance(shape, Grouped) else heads
    model = Model("any", (Kind(layers * copies, shape),))
    return sequences * model.cache_bytes(context, store=ELEMENTS[element]) / GIB


def first(config: Mapping[str, Any], *names: str) -> Any:
    """The first of these fields that is there and is not null."""
    return next((config[name] for name in names if config.get(name) is not None), None)


def model_of(name: str, config: Mapping[str, Any], extra_layers: int = 0) -> Model:
    """The attention that a config describes, with *extra_layers* such as those of multi-token prediction."""
    layers = first(config, "num_hidden_layers", "n_layers", "n_layer") + extra_layers
    heads = first(config, "num_attention_heads", "n_heads", "n_head")
    rank = first(config, "kv_lora_rank")
    if rank is not None:
        widths = (config[f"{part}_head_dim"] for part in ("qk_rope", "qk_nope", "v"))
        return Model(name, (Kind(layers, Latent(heads, rank, *widths)),))
    kv_heads = 1 if config.get("multi_query") else first(config, "num_key_value_heads", "n_kv_heads") or heads
    head_dim = first(config, "head_dim") or first(config, "hidden_size", "dim", "n_embd") // heads
    shape = Grouped(heads, kv_heads, head_dim)
    window, pattern = first(config, "sliding_window"), config.get("local_layers_of", (0, 1))
    if window is None:
        return Model(name, (Kind(layers, shape),))
    local = sum(1 for layer in range(layers) if layer % pattern[1] < pattern[0])
    return Model(name, (Kind(local, shape, window), Kind(layers - local, shape)))


# Fields as the files have them, sources in the note; "local_layers_of" is ours: (5, 6) is 5 of every 6.
LLAMA_8B = {"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 128_256} | {
    "ffn_dim_multiplier": 1.3,
    "multiple_of": 1024,
}
CONFIGS: dict[str, Mapping[str, Any]] = {
    "Llama 2 7B": {
        "hidden_size": 4096,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 32,
    },
    "Gemma 7B": {
        "num_hidden_layers": 28,
        "num_attention_heads": 16,
        "num_key_value_heads": 16,
        "hidden_size": 3072,
        "head_dim": 256,
    },
    "Llama 3.1 405B": {"dim": 16_384, "n_layers": 126, "n_heads": 128, "n_kv_heads": 8},
    "Llama 3.1 8B": LLAMA_8B,
    "Gemma 2B": {
        "num_hidden_layers": 18,
        "num_attention_heads": 8,
        "num_key_value_heads": 1,
        "hidden_size": 2048,
        "head_dim": 256,
    },
    "Gemma 3 27B": {
        "num_hidden_layers": 62,
        "num_attention_heads": 32,
        "num_key_value_heads": 16,
        "hidden_size": 5376,
        "head_dim": 128,
        "sliding_window": 1024,
        "local_layers_of": (5, 6),
    },
    "DeepSeek-V3": {
        "dim": 7168,
        "n_layers": 61,
        "n_heads": 128,
        "kv_lora_rank": 512,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "v_head_dim": 128,
    },
}
MISREAD = {"kv_lora_rank": None, "num_key_value_heads": 128}
"""What a calculator sees of DeepSeek-V3's config if it does not know the latent."""
DEEPSEEK_V2 = {**CONFIGS["DeepSeek-V3"], "dim": 5120, "n_layers": 60}
DEEPSEEK_67B = {
    "hidden_size": 8192,
    "num_hidden_layers": 95,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
}
GPT_OSS_120B = {
    "num_hidden_layers": 36,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "hidden_size": 2880,
    "head_dim": 64,
    "sliding_window": 128,
    "local_layers_of": (1, 2),
}
MODELS = {name: model_of(name, config) for name, config in CONFIGS.items()}
LLAMA, V3 = MODELS["Llama 3.1 8B"], MODELS["DeepSeek-V3"]


def ffn_width(dim: int, multiplier: float, multiple_of: int) -> int:
    """Width of Llama's feed-forward layer: two thirds of 4 *dim*, scaled, rounded up."""
    width = int(multiplier * int(2 * 4 * dim / 3))
    return -(-width // multiple_of) * multiple_of


def llama_parameters(config: Mapping[str, Any]) -> tuple[int, int]:
    """Parameters of a Llama 3 model, and how many of them are its input embedding."""
    dim, layers, heads, kv_heads = (config[k] for k in ("dim", "n_layers", "n_heads", "n_kv_heads"))
    attention = 2 * dim * dim + 2 * dim * (dim // heads) * kv_heads
    ffn = 3 * dim * ffn_width(dim, config["ffn_dim_multiplier"], config["multiple_of"])
    embedding = config["vocab_size"] * dim
    return layers * (attention + ffn + 2 * dim) + dim + 2 * embedding, embedding


@dataclass(frozen=True)
class Gpu:
    """Peak operations and bytes a second, and bytes of memory."""

    flops: float
    bandwidth: float
    memory: int

    @property
    def ridge(self) -> float:
        """Operations for each byte above which arithmetic is the limit."""
        return self.flops / self.bandwidth


H100 = Gpu(1979e12 / 2, 3.35e12, 81_559 * MIB)
"""NVIDIA's figures for the SXM part; its 1,979 is with sparsity. The memory is what nvidia-smi reports."""


THROTTLED_FLOPS = 865e12
"""The peak that FlashMLA's authors give for an H800 that throttles; its bandwidth is the same."""


@dataclass(frozen=True)
class Decode:
    """Decoding with 16-bit weights on one GPU: what a step moves and computes."""

    stored: float
    """Bytes of weights in memory."""
    active: float
    """Parameters that a step multiplies by, all but the input embedding."""
    token: Cost
    """What a cached token costs in all layers."""
    gpu: Gpu = field(default=H100)

    def bytes_moved(self, batch: float, context: float) -> float:
        """Weights once, and every sequence's cache once."""
        return 2 * self.active + batch * context * self.token.read

    def flops(self, batch: float, context: float) -> float:
        """Two for each parameter and sequence, and those of attention."""
        return batch * (2 * self.active + context * self.token.flops)

    def seconds(self, batch: float, context: float) -> float:
        """The roofline: the longer of moving and computing, at the GPU's peaks."""
        return max(
            self.bytes_moved(batch, context) / self.gpu.bandwidth, self.flops(batch, context) / self.gpu.flops
        )

    def intensity(self, batch: float, context: float) -> float:
        """Operations for each byte."""
        return self.flops(batch, context) / self.bytes_moved(batch, context)

    def limit(self, context: float) -> float:
        """Tokens a second that no batch exceeds while memory is the limit: the cache's bytes alone."""
        return self.gpu.bandwidth / (context * self.token.read)

    def intensity_limit(self, context: float) -> float:
        """Operations for each byte as the batch grows without end."""
        return (2 * self.active + context * self.token.flops) / (context * self.token.read)

    def longest_compute_bound(self) -> float:
        """The context below which some batch is limited by arithmetic."""
        return 2 * self.active / (self.gpu.ridge * self.token.read - self.token.flops)

    def cache_room(self, share: float = 0.9) -> float:
        """Bytes left for the cache, if the rest of this *share* of the memory is weights."""
        return share * self.gpu.memory - self.stored

    def largest_batch(self, context: int) -> int:
        """Sequences of this length that fit."""
        return int(self.cache_room() // (context * self.token.kept))


@lru_cache(maxsize=1)
def example() -> Decode:
    """Llama 3.1 8B in BF16 on one H100."""
    parameters, embedding = llama_parameters(LLAMA_8B)
    return Decode(2.0 * parameters, float(parameters - embedding), LLAMA.per_token())


SMALL = Latent(heads=8, rank=64, rope=16, nope=32, value=32)
CONTEXT = 8192


def outputs(layer: Layer, xs: Array) -> Array:
    """The layer's output for each token."""
    return np.stack([layer.step(x, t) for t, x in enumerate(xs)])


def relative_error(found: Array, wanted: Array) -> float:
    """Root mean square of the difference, over that of *wanted*."""
    return float(np.linalg.norm(found - wanted) / np.linalg.norm(wanted))


def rope_on_content_error(shape: Latent, count: int) -> float:
    """How wrong absorbed scores are if position is rotated into keys made from the latent.

    The query is rotated, as it can be, before it goes down to the latent. The key's own rotation stands
    between the two projections and depends on which key it is, so it is lost. Relative error of the scores.
    """
    w = LatentLayer.weights_of(shape, 3, np.float64)
    latents = tokens(count, np.float64) @ w["c"].T
    q = rope(w["q"] @ tokens(count, np.float64)[-1], count - 1)
    keys = np.stack([rope(w["uk"] @ latent, t) for t, latent in enumerate(latents)])
    wanted = np.einsum("hn,thn->ht", q, keys)
    found = np.einsum("hn,hnc,tc->ht", q, w["uk"], latents)
    return relative_error(found, wanted)


def tiled_error(shape: Latent, tile: int, count: int) -> float:
    """How far one-byte latents move the output of a layer."""
    xs = tokens(count, np.float64)
    exact = outputs(layer_of(shape, dtype=np.float64, store=np.float64), xs)
    return relative_error(outputs(layer_of(shape, dtype=np.float64, store=np.float64, tile=tile), xs), exact)


def rank_bytes(shape: Attention, ranks: int) -> int:
    """Bytes that a token costs one of *ranks* in a layer whose heads are split over them."""
    return run(layer_of(shape).shard(0, ranks), 1).kept


def values() -> dict[str, Value]:
    """The figures the note quotes."""
    d, token = example(), LLAMA.per_token()
    remake = 2 * (d.active - llama_parameters(LLAMA_8B)[1]) / d.gpu.flops  # without the output head
    heads = V3.per_token(cached="heads")
    expanded = V3.per_token(absorb=False)
    rank = run(layer_of(V3.kinds[0].shape).shard(0, 8), 2)
    calculated = model_of("misread", {**CONFIGS["DeepSeek-V3"], **MISREAD}).per_token()
    mtp = model_of("with MTP", CONFIGS["DeepSeek-V3"], extra_layers=1)
    gemma, gemma_wrong = (
        CONFIGS["Gemma 7B"],
        {k: v for k, v in CONFIGS["Gemma 7B"].items() if k != "head_dim"},
    )
    long = 2**17
    v2, old = model_of("V2", DEEPSEEK_V2).per_token().kept, model_of("67B", DEEPSEEK_67B).per_token().kept
    fits = d.largest_batch(CONTEXT)
    tiled = V3.per_token(tile=128).kept / V3.kinds[0].count
    windowed = MODELS["Gemma 3 27B"]
    oss = model_of("gpt-oss-120b", GPT_OSS_120B)
    llama_70b = model_of("70B", {"dim": 8192, "n_layers": 80, "n_heads": 64, "n_kv_heads": 8})
    return {
        "v3_latent": Value(V3.per_token().kept / KIB, "KiB"),
        "v3_heads": Value(heads.kept / MIB, "MiB"),
        "v3_ratio": Value(heads.kept / V3.per_token().kept),
        "v3_expand": Value(expanded.flops / V3.per_token().flops),
        "v3_absorb": Value(V3.per_token().flops / heads.flops),
        "v3_queries": Value(math.ceil((expanded.flops - heads.flops) / (V3.per_token().flops - heads.flops))),
        "v3_rank_intensity": Value(rank.flops / rank.read),
        "v3_calculator": Value(calculated.kept / MIB, "MiB"),
        "v3_calculator_ratio": Value(calculated.kept / V3.per_token().kept),
        "v3_intensity": Value(V3.per_token().flops / V3.per_token().read),
        "v3_long": Value(V3.cache_bytes(long) / GIB, "GiB"),
        "v3_mtp": Value(mtp.cache_bytes(long) / GIB, "GiB"),
        "v3_tile": Value(tiled, "B"),
        "v3_layer": Value(cost(V3.kinds[0].shape).kept, "B"),
        "v3_elements": Value(cost(V3.kinds[0].shape).kept // 2),
        "tile_error": Value(100 * tiled_error(SMALL, 16, 32), "%"),
        "rope_error": Value(100 * rope_on_content_error(SMALL, 32), "%"),
        "token": Value(token.kept / KIB, "KiB"),
        "token_layer": Value(cost(LLAMA.kinds[0].shape).kept / KIB, "KiB"),
        "token_intensity": Value(token.flops / token.read),
        "token_unshared": Value(LLAMA.per_token(each_head_reads=True).read / KIB, "KiB"),
        "parameters": Value(d.stored / 2 / 1e9),
        "weights": Value(d.stored / GIB, "GiB"),
        "weights_read": Value(2 * d.active / GIB, "GiB"),
        "pass_tokens": Value(d.stored / token.kept),
        "pass_batch": Value(math.ceil(d.stored / (token.kept * CONTEXT))),
        "pass_read_batch": Value(math.ceil(2 * d.active / (token.read * CONTEXT))),
        "pass_read_short": Value(math.ceil(2 * d.active / (token.read * CONTEXT / 4))),
        "fetch": Value(token.read / d.gpu.bandwidth * 1e9, "ns"),
        "remake": Value(remake * 1e6, "µs"),
        "remake_ratio": Value(remake / (token.read / d.gpu.bandwidth)),
        "ridge": Value(d.gpu.ridge),
        "one_ms": Value(1e3 * d.seconds(1, CONTEXT), "ms"),
        "one_intensity": Value(d.intensity(1, CONTEXT)),
        "one_share": Value(100 * d.intensity(1, CONTEXT) / d.gpu.ridge, "%"),
        "room": Value(d.cache_room() / GIB, "GiB"),
        "fits": Value(fits),
        "fits_ms": Value(1e3 * d.seconds(fits, CONTEXT), "ms"),
        "fits_rate": Value(fits / d.seconds(fits, CONTEXT)),
        "fits_gain": Value(fits * d.seconds(1, CONTEXT) / d.seconds(fits, CONTEXT)),
        "fits_share": Value(100 * fits / d.seconds(fits, CONTEXT) / d.limit(CONTEXT), "%"),
        "fits_intensity": Value(d.intensity(fits, CONTEXT)),
        "limit": Value(d.limit(CONTEXT)),
        "limit_share": Value(100 * d.intensity_limit(CONTEXT) / d.gpu.ridge, "%"),
        "limit_intensity": Value(d.intensity_limit(CONTEXT)),
        "ridge_throttled": Value(replace(d.gpu, flops=THROTTLED_FLOPS).ridge),
        "ridge_batch": Value(math.ceil(d.gpu.ridge)),
        "ridge_cache": Value(math.ceil(d.gpu.ridge) * LLAMA.cache_bytes(CONTEXT) / GIB, "GiB"),
        "longest": Value(d.longest_compute_bound()),
        "llama_405b_token": Value(MODELS["Llama 3.1 405B"].per_token().kept / KIB, "KiB"),
        "gemma_7b": Value(model_of("Gemma 7B", gemma).per_token().kept / KIB, "KiB"),
        "gemma_7b_wrong": Value(model_of("Gemma 7B", gemma_wrong).per_token().kept / KIB, "KiB"),
        "local_layers": Value(windowed.kinds[0].count),
        "global_layers": Value(windowed.kinds[1].count),
        "windowed_before": Value(windowed.per_token().kept / KIB, "KiB"),
        "windowed_after": Value((windowed.cache_bytes(4097) - windowed.cache_bytes(4096)) / KIB, "KiB"),
        "windowed_long": Value(windowed.cache_bytes(long) / GIB, "GiB"),
        "windowed_flat": Value(long * windowed.per_token().kept / GIB, "GiB"),
        "v2_saves": Value(100 * (1 - v2 / old), "%"),
        "v2_saves_6": Value(100 * (1 - v2 * 6 / 16 / old), "%"),
        "v2_groups": Value(cost(V3.kinds[0].shape).kept / cost(Grouped(128, 1, 128)).kept),
        "ask_oss_short": Value(oss.per_token().kept / KIB, "KiB"),
        "ask_oss": Value(oss.cache_bytes(long) / GIB, "GiB"),
        "ask_70b": Value(llama_70b.per_token().kept / KIB, "KiB"),
        "ask_70b_rank": Value(80 * rank_bytes(llama_70b.kinds[0].shape, 16) / KIB, "KiB"),
        "ask_70b_all": Value(16 * 80 * rank_bytes(llama_70b.kinds[0].shape, 16) / KIB, "KiB"),
        "ask_half": Value(d.largest_batch(CONTEXT // 2)),
        "ask_half_rate": Value(
            d.largest_batch(CONTEXT // 2) / d.seconds(d.largest_batch(CONTEXT // 2), CONTEXT // 2)
        ),
    }


TP_RANKS = (1, 2, 8, 16)


def tables() -> dict[str, Table]:
    """The tables of the note."""
    rows: list[tuple[float | str | None, ...]] = []
    for name, model in MODELS.items():
        kind, token = model.kinds[-1], model.per_token()
        shape = kind.shape
        sizes = (
            f"{shape.heads} → {shape.kv_heads} × {shape.head_dim}"
            if isinstance(shape, Grouped)
            else "128 → 512 + 64"
        )
        layers = "\u00a0+\u00a0".join(str(k.count) for k in model.kinds)
        rows.append((name, shape.design, layers, sizes, token.kept / KIB, token.flops / token.read))
    split: list[tuple[float | str | None, ...]] = []
    for ranks in TP_RANKS:
        each = [sum(k.count * rank_bytes(k.shape, ranks) for k in m.kinds) / KIB for m in (LLAMA, V3)]
        split.append((ranks, each[0], ranks * each[0], each[1], ranks * each[1]))
    columns = (
        ("model", "kind", "layers", "query heads → kept"),
        ("a token", "KiB"),
        ("ops per byte",),
    )
    return {
        "models": Table((*map(Column, columns[0]), Column(*columns[1]), Column(*columns[2])), tuple(rows)),
        "split": Table(
            (
                Column("ranks"),
                Column("Llama 3.1 8B, one rank", "KiB"),
                Column("all ranks", "KiB"),
                Column("DeepSeek-V3, one rank", "KiB"),
                Column("all ranks", "KiB"),
            ),
            tuple(split),
        ),
    }


def main() -> None:
    """Print what the note shows."""
    print("one layer, for each cached token:      kept   read  operations")
    print("DeepSeek-V3")
    for label, how in (
        ("heads cached", {"cached": "heads"}),
        ("latent cached, heads made again", {"absorb": False}),
        ("latent cached, absorbed", {}),
        ("the same, one byte an element", {"tile": 128}),
    ):
        c = cost(V3.kinds[0].shape, tuple(sorted(how.items())))
        print(f"  {label:33s}{c.kept:8,} {c.read:6,} {c.flops:11,}")
    print("Llama 3.1 8B")
    for label, how in (
        ("KV heads read once", {}),
        ("read by each query head", {"each_head_reads": True}),
    ):
        c = cost(LLAMA.kinds[0].shape, tuple(sorted(how.items())))
        print(f"  {label:33s}{c.kept:8,} {c.read:6,} {c.flops:11,}")
    d = example()
    print(f"\nLlama 3.1 8B on one H100, context {CONTEXT:,}:")
    print("batch   weights    cache  operations/byte   ms a step  tokens/s")
    for batch in (1, 4, 14, 28, d.largest_batch(CONTEXT)):
        cache = batch * LLAMA.cache_bytes(CONTEXT) / GIB
        ms = 1e3 * d.seconds(batch, CONTEXT)
        print(
            f"{batch:5d} {2 * d.active / GIB:5.1f} GiB {cache:4.0f} GiB {d.intensity(batch, CONTEXT):16.1f} "
            f"{ms:11.1f} {1e3 * batch / ms:9,.0f}"
        )
    print(f"and no batch passes {d.limit(CONTEXT):,.0f} tokens/s")


SHOWN = ("Llama 2 7B", "Gemma 3 27B", "Llama 3.1 8B", "DeepSeek-V3")
Dash = str | tuple[float, tuple[float, ...]]
DASHES: tuple[Dash, ...] = ("-", (0, (5, 2)), (0, (8, 2, 1.5, 2)), (0, (1, 1.6)))


def draw_context(ax: Axes, palette: Palette) -> None:
    """The cache of one sequence against its length, for four designs, with the memory of the GPU."""
    contexts = [2 ** (k / 4) for k in range(32, 69)]
    for name, dash, colour in zip(SHOWN, DASHES, palette.lines, strict=True):
        sizes = [MODELS[name].cache_bytes(round(c)) / GIB for c in contexts]
        ax.plot(contexts, sizes, color=colour, linestyle=dash)
    ax.axhline(H100.memory / GIB, color=palette.muted, linewidth=0.9)
    ax.text(2**8.1, H100.memory / GIB * 0.88, "memory of one H100", va="top")
    ax.set(xscale="log", yscale="log", xlim=(2**8, 2**17), ylim=(0.012, 130))
    ax.set_xticks([2**k for k in (8, 10, 12, 14, 16)])
    ax.set_xticklabels(["256", "1,024", "4,096", "16,384", "65,536"])
    ax.set_yticks([0.1, 1, 10, 100])
    ax.set_yticklabels(["0.1", "1", "10", "100"])
    ax.minorticks_off()
    ax.set(xlabel="tokens in the sequence", ylabel="cache (GiB)")
    for name, y in zip(SHOWN, (64, 9.8, 18, 5.6), strict=True):
        ax.text(2**17.2, y, name, va="center")


def draw_batch(ax: Axes, palette: Palette) -> None:
    """Tokens a second against the batch, for four contexts, as far as the memory goes."""
    d = example()
    for context, dash, colour in zip((512, 2048, 8192, 32_768), DASHES, palette.lines, strict=True):
        most = d.largest_batch(context)
        batches = [most ** (k / 60) for k in range(61)]
        ax.plot(batches, [b / d.seconds(b, context) for b in batches], color=colour, linestyle=dash)
        ax.plot([most], [most / d.seconds(most, context)], "o", color=colour)
        ax.text(most * 1.12, most / d.seconds(most, context), f"{context:,}", va="center")
    alone = [2 ** (k / 8) for k in range(73)]
    ax.plot(alone, [b / d.seconds(b, 0) for b in alone], color=palette.muted, linewidth=0.9)
    ax.text(70, 70 / d.seconds(70, 0) * 1.15, "no cache", ha="right")
    ax.set(xscale="log", yscale="log", xlim=(1, 2400), ylim=(120, 90_000))
    ax.set_xticks([1, 4, 16, 64, 256, 1024])
    ax.set_xticklabels(["1", "4", "16", "64", "256", "1,024"])
    ax.set_yticks([1000, 10_000])
    ax.set_yticklabels(["1,000", "10,000"])
    ax.minorticks_off()
    ax.set(xlabel="sequences in the batch", ylabel="tokens a second, at best")


FIGURES: dict[str, Draw] = {"kv-cache-context": draw_context, "kv-cache-batch": draw_batch}

if __name__ == "__main__":
    main()
