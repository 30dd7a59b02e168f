"""The lab of the KV cache note, against attention without a cache, published sizes and models' totals."""

from __future__ import annotations

import cmath
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from labs.kit import files
from labs.llm_systems import kv_cache_cost as kv
from labs.llm_systems.kv_cache_cost import (
    GIB,
    KIB,
    Array,
    Cost,
    Decode,
    Gpu,
    Grouped,
    GroupedLayer,
    Kind,
    Latent,
    LatentLayer,
    Model,
)

NOTE = (Path(__file__).parents[3] / "docs/llm-systems/kv-cache-cost/index.md").read_text(encoding="utf-8")
F64: Any = {"dtype": np.float64, "store": np.float64}
SHAPES = [Grouped(6, 6, 8), Grouped(6, 3, 8), Grouped(6, 2, 4), Grouped(6, 1, 8)]
LATENT = Latent(heads=6, rank=20, rope=8, nope=12, value=10)


def turned(x: Array, position: int) -> Array:
    """RoPE on a vector as a product of complex numbers: element i and i + half are one number."""
    half = len(x) // 2
    numbers = [
        complex(x[i], x[i + half]) * cmath.exp(1j * position / 10_000 ** (i / half)) for i in range(half)
    ]
    return np.array([z.real for z in numbers] + [z.imag for z in numbers])


def softmax(scores: list[Any]) -> Array:
    weights = [math.exp(s) for s in scores]
    return np.array(weights) / sum(weights)


def without_cache(shape: Grouped, w: dict[str, Array], xs: Array, window: int | None = None) -> Array:
    """Attention of every token over all before it, head by head, nothing kept between tokens."""
    out = np.zeros_like(xs)
    for t in range(len(xs)):
        seen = range(max(0, t + 1 - window) if window else 0, t + 1)
        for head in range(shape.heads):
            pair = head * shape.kv_heads // shape.heads
            q = turned(w["q"][head] @ xs[t], t)
            scores = [q @ turned(w["k"][pair] @ xs[i], i) / math.sqrt(shape.head_dim) for i in seen]
            mixed = sum(p * (w["v"][pair] @ xs[i]) for p, i in zip(softmax(scores), seen, strict=True))
            out[t] += w["o"][:, head] @ mixed
    return out


def latent_without_cache(shape: Latent, w: dict[str, Array], xs: Array) -> Array:
    """Equations 9 to 19 of DeepSeek-V2 (arXiv 2405.04434) without the query's compression, head by head."""
    out = np.zeros_like(xs)
    for t in range(len(xs)):
        for head in range(shape.heads):
            q = np.concatenate([w["q"][head] @ xs[t], turned(w["qr"][head] @ xs[t], t)])
            scores, values = [], []
            for i in range(t + 1):
                latent = w["c"] @ xs[i]
                k = np.concatenate([w["uk"][head] @ latent, turned(w["kr"] @ xs[i], i)])
                scores.append(q @ k / math.sqrt(shape.nope + shape.rope))
                values.append(w["uv"][head] @ latent)
            out[t] += w["o"][:, head] @ sum(p * v for p, v in zip(softmax(scores), values, strict=True))
    return out


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("each", [False, True])
def test_cached_attention_is_attention(shape: Grouped, each: bool) -> None:
    layer = kv.layer_of(shape, **F64, each_head_reads=each)
    xs = kv.tokens(7, np.float64)
    np.testing.assert_allclose(kv.outputs(layer, xs), without_cache(shape, layer.weights, xs), atol=1e-12)


@pytest.mark.parametrize("how", [{}, {"absorb": False}, {"cached": "heads"}])
def test_all_three_ways_of_mla_are_the_published_equations(how: dict[str, Any]) -> None:
    layer = kv.layer_of(LATENT, **F64, **how)
    xs = kv.tokens(7, np.float64)
    np.testing.assert_allclose(
        kv.outputs(layer, xs), latent_without_cache(LATENT, layer.weights, xs), atol=1e-12
    )


def test_absorbed_and_cached_heads_agree_at_the_real_heads_of_deepseek_v3() -> None:
    shape = replace(kv.V3.kinds[0].shape, heads=8)
    assert isinstance(shape, Latent)
    xs = kv.tokens(5, np.float64)
    found = kv.outputs(kv.layer_of(shape, **F64), xs)
    wanted = kv.outputs(kv.layer_of(shape, **F64, cached="heads"), xs)
    assert kv.relative_error(found, wanted) < 1e-12


@pytest.mark.parametrize("window", [1, 3, 20])
def test_a_window_is_a_mask(window: int) -> None:
    shape = SHAPES[1]
    layer = kv.layer_of(shape, **F64, window=window)
    xs = kv.tokens(9, np.float64)
    np.testing.assert_allclose(
        kv.outputs(layer, xs), without_cache(shape, layer.weights, xs, window), atol=1e-12
    )
    assert layer.nbytes == min(window, 9) * 2 * 3 * 8 * 8


@pytest.mark.parametrize("shape", SHAPES[1:])
def test_shared_heads_are_heads_that_are_equal(shape: Grouped) -> None:
    w = GroupedLayer.weights_of(shape, 5, np.float64)
    copies = shape.heads // shape.kv_heads
    tied = {**w, "k": np.repeat(w["k"], copies, axis=0), "v": np.repeat(w["v"], copies, axis=0)}
    xs = kv.tokens(6, np.float64)
    shared = kv.outputs(GroupedLayer(shape, w, np.float64), xs)
    full = kv.outputs(GroupedLayer(replace(shape, kv_heads=shape.heads), tied, np.float64), xs)
    np.testing.assert_allclose(shared, full, atol=1e-12)


def test_names_of_designs() -> None:
    assert [s.design for s in SHAPES] == ["MHA", "GQA", "GQA", "MQA"]
    assert Grouped(1, 1, 8).design == "MQA"  # one head: both names fit
    assert LATENT.design == "MLA"


@pytest.mark.parametrize("bits", [16, 32, 64])
@pytest.mark.parametrize("shape", SHAPES)
def test_cost_of_grouped_attention_is_the_formula(shape: Grouped, bits: int) -> None:
    layer = kv.layer_of(shape, store=f"f{bits // 8}")
    elements = 2 * shape.kv_heads * shape.head_dim
    size = elements * bits // 8
    assert kv.run(layer, 5) == Cost(size, size, 2 * 2 * shape.heads * shape.head_dim)
    assert layer.nbytes == 6 * size
    assert layer.meter.read == size * (1 + 2 + 3 + 4 + 5 + 6)


def test_cost_when_each_query_head_reads_for_itself() -> None:
    for shape in SHAPES:
        c = kv.cost(shape, (("each_head_reads", True),))
        assert c.kept == 2 * shape.kv_heads * shape.head_dim * 2
        assert c.read == 2 * shape.heads * shape.head_dim * 2


def test_cost_of_mla_by_hand() -> None:
    # 6 heads, 20 + 8 kept; scores 28 and mixing 20 a head
    assert kv.cost(LATENT) == Cost(56, 56, 2 * 6 * (28 + 20))
    # keys of 12 + 8, values of 10
    heads = kv.cost(LATENT, (("cached", "heads"),))
    assert heads == Cost(2 * 6 * 30, 2 * 6 * 30, 2 * 6 * 30)
    # making them again: 20 products for each of 6 x (12 + 10) elements
    assert kv.cost(LATENT, (("absorb", False),)) == Cost(56, 56, 2 * 6 * 30 + 2 * 20 * 6 * 22)
    # one byte an element of the latent, 4 bytes a tile of 5, the position in 16 bits
    assert kv.cost(LATENT, (("tile", 5),)).kept == 20 + 4 * 4 + 16


def test_a_model_costs_what_a_stack_of_its_layers_holds() -> None:
    model = Model("toy", (Kind(3, SHAPES[2], window=4), Kind(2, SHAPES[1]), Kind(1, LATENT)))
    for count in (1, 4, 5, 9):
        held = read = 0
        for kind in model.kinds:
            for _ in range(kind.count):
                layer = (
                    kv.layer_of(kind.shape, window=kind.window)
                    if isinstance(kind.shape, Grouped)
                    else kv.layer_of(kind.shape)
                )
                kv.outputs(layer, kv.tokens(count))
                held += layer.nbytes
                read += layer.meter.read
        assert model.cache_bytes(count) == held
        if count == 1:
            assert (model.per_token().kept, model.per_token().read) == (held, read)


# Table 1 of arXiv 2505.09343, KB of 1000 bytes; Qwen2.5 72B: 80 layers, 64 heads of 128, 8 KV heads
@pytest.mark.parametrize(
    ("model", "kilobytes"),
    [
        (kv.V3, 70.272),
        (kv.MODELS["Llama 3.1 405B"], 516.096),
        (Model("Qwen2.5 72B", (Kind(80, Grouped(64, 8, 128)),)), 327.680),
    ],
)
def test_published_sizes_of_a_token(model: Model, kilobytes: float) -> None:
    assert model.per_token().kept == 1000 * kilobytes


def test_published_sizes_of_deepseek() -> None:
    # FlashMLA @9241ae3, README: 656 bytes a token; deep dive on FP8: 128K tokens in 62 layers, 8.72 GiB
    assert kv.V3.per_token(tile=128).kept == 61 * 656
    with_mtp = kv.model_of("V3.2", kv.CONFIGS["DeepSeek-V3"], extra_layers=1)
    assert round(with_mtp.cache_bytes(128 * 1024) / GIB, 2) == 8.72
    # arXiv 2405.04434: 34.6K elements (table 9), 2.25 groups (table 1), 93.3% less than 67B at 6 bits (3.2.3)
    v2 = kv.model_of("V2", kv.DEEPSEEK_V2)
    assert round(v2.per_token().kept / 2 / 1000, 1) == 34.6
    old = kv.model_of("67B", kv.DEEPSEEK_67B)
    assert round(100 * (1 - v2.per_token().kept * 6 / 16 / old.per_token().kept), 1) == 93.3
    # eight KV heads and 95 layers make 67 billion parameters; width of the feed-forward layer from the same config
    attention = 2 * 8192 * 8192 + 2 * 8192 * 8 * 128
    assert round((95 * (attention + 3 * 8192 * 22_016) + 2 * 102_400 * 8192) / 1e9) == 67
    # FlashMLA's deep dive: operations per byte are heads x (576 + 512) / 576
    assert kv.V3.per_token().flops / kv.V3.per_token().read == pytest.approx(128 * (576 + 512) / 576)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        # GPT-2 small and OPT-13B name no KV heads: as many as heads
        ({"n_layer": 12, "n_head": 12, "n_embd": 768}, 36_864),
        ({"num_hidden_layers": 40, "num_attention_heads": 40, "hidden_size": 5120}, 819_200),
        # Falcon 7B: a flag says that there is one
        (
            {
                "num_hidden_layers": 32,
                "num_attention_heads": 71,
                "hidden_size": 4544,
                "multi_query": True,
                "num_key_value_heads": 71,
            },
            8_192,
        ),
        # Qwen3 32B: 64 heads of 128 in a model 5120 wide
        (
            {
                "num_hidden_layers": 64,
                "num_attention_heads": 64,
                "num_key_value_heads": 8,
                "hidden_size": 5120,
                "head_dim": 128,
                "sliding_window": None,
            },
            262_144,
        ),
    ],
)
def test_other_configs(config: dict[str, Any], expected: int) -> None:
    assert kv.model_of("other", config).per_token().kept == expected


def test_config_of_a_windowed_model() -> None:
    gemma = kv.MODELS["Gemma 3 27B"]
    pattern = [
        layer % 6 != 5 for layer in range(62)
    ]  # gemma_pytorch @014acb7: five local, one global, repeated
    assert [k.count for k in gemma.kinds] == [sum(pattern), 62 - sum(pattern)]
    assert [k.window for k in gemma.kinds] == [1024, None]
    everywhere = kv.model_of("Mistral", {**kv.DEEPSEEK_67B, "sliding_window": 10, "local_layers_of": (1, 1)})
    assert everywhere.cache_bytes(10) == everywhere.cache_bytes(500)
    # 36 layers, every other one keeps 128 tokens: 2 KiB a token and layer
    oss = kv.model_of("gpt-oss", kv.GPT_OSS_120B)
    assert oss.cache_bytes(1000) == 2 * KIB * (18 * 128 + 18 * 1000)


@pytest.mark.parametrize(("shape", "ranks"), [(SHAPES[0], 3), (SHAPES[1], 3), (SHAPES[1], 6), (SHAPES[3], 2)])
def test_ranks_together_compute_what_one_does(shape: Grouped, ranks: int) -> None:
    layer = kv.layer_of(shape, **F64)
    xs = kv.tokens(6, np.float64)
    shards = [layer.shard(rank, ranks) for rank in range(ranks)]
    parts = [kv.outputs(shard, xs) for shard in shards]
    np.testing.assert_allclose(sum(parts), kv.outputs(layer, xs), atol=1e-12)
    # vllm/config/model.py @18ec662, get_num_kv_heads: max(1, heads // ranks)
    each = max(1, shape.kv_heads // ranks) * 2 * shape.head_dim * 8 * 6
    assert [shard.nbytes for shard in shards] == [each] * ranks


@pytest.mark.parametrize("ranks", [1, 2, 6])
def test_ranks_each_keep_the_latent(ranks: int) -> None:
    layer = kv.layer_of(LATENT, **F64)
    xs = kv.tokens(6, np.float64)
    shards = [layer.shard(rank, ranks) for rank in range(ranks)]
    np.testing.assert_allclose(
        sum(kv.outputs(shard, xs) for shard in shards), kv.outputs(layer, xs), atol=1e-12
    )
    assert [shard.nbytes for shard in shards] == [layer.nbytes] * ranks
    assert kv.rank_bytes(LATENT, ranks) == 56
    assert kv.rank_bytes(SHAPES[0], ranks) == 6 // ranks * 2 * 8 * 2


def test_position_counts_only_by_difference() -> None:
    q, k = np.random.default_rng(1).standard_normal((2, 16))
    np.testing.assert_allclose(kv.rope(q, 5), turned(q, 5), atol=1e-12)
    assert kv.rope(q, 9) @ kv.rope(k, 4) == pytest.approx(kv.rope(q, 105) @ kv.rope(k, 100))
    assert np.linalg.norm(kv.rope(q, 77)) == pytest.approx(np.linalg.norm(q))


def test_a_rotation_between_the_projections_cannot_be_absorbed() -> None:
    assert kv.rope_on_content_error(kv.SMALL, 1) < 1e-12  # position 0 is not rotated
    assert kv.rope_on_content_error(kv.SMALL, 2) > 0.01
    w = LatentLayer.weights_of(LATENT, 3, np.float64)
    xs = kv.tokens(9, np.float64)
    wanted, found = np.zeros((6, 9)), np.zeros((6, 9))
    for head in range(6):
        q = turned(w["q"][head] @ xs[8], 8)
        for i, x in enumerate(xs):
            key = w["uk"][head] @ w["c"] @ x
            wanted[head, i], found[head, i] = q @ turned(key, i), q @ key
    assert kv.rope_on_content_error(LATENT, 9) == pytest.approx(kv.relative_error(found, wanted))


def test_one_byte_elements_are_within_half_a_step() -> None:
    rng = np.random.default_rng(2)
    store = kv.TiledStore(kv.Meter(), 4)
    rows = rng.standard_normal((5, 12))
    for row in rows:
        store.append(row)
    step = np.abs(rows.reshape(5, 3, 4)).max(axis=-1, keepdims=True) / 127
    error = np.abs(store.read().reshape(5, 3, 4) - rows.reshape(5, 3, 4))
    assert (error <= step * 0.5001).all()
    assert error.max() > 0
    assert store.nbytes == 5 * (12 + 3 * 4) == store.meter.read
    assert 0 < kv.tiled_error(LATENT, 5, 6) < 0.02
    assert kv.tiled_error(kv.SMALL, 4, 16) < kv.tiled_error(kv.SMALL, 64, 16)


def test_errors_are_relative() -> None:
    assert kv.relative_error(np.array([3.0, 4.0]), np.array([3.0, 0.0])) == pytest.approx(4 / 3)


def test_parameters_are_those_of_the_checkpoints() -> None:
    # the totals of the safetensors files on Hugging Face: 8,030,261,248 and 70,553,706,496
    assert kv.llama_parameters(kv.LLAMA_8B) == (8_030_261_248, 128_256 * 4096)
    large = {"dim": 8192, "n_layers": 80, "n_heads": 64, "n_kv_heads": 8, "vocab_size": 128_256}
    assert kv.llama_parameters({**large, "ffn_dim_multiplier": 1.3, "multiple_of": 4096})[0] == 70_553_706_496
    assert kv.ffn_width(4096, 1.3, 1024) == 14_336  # table 3 of arXiv 2407.21783
    assert kv.ffn_width(8192, 1.3, 4096) == 28_672
    assert kv.ffn_width(16_384, 1.2, 4096) == 53_248


def test_the_example_multiplies_by_all_but_its_input_embedding() -> None:
    d = kv.example()
    assert (d.stored, d.active) == (2 * 8_030_261_248, 8_030_261_248 - 525_336_576)
    assert d.token == Cost(131_072, 131_072, 32 * 4 * 32 * 128)


TOY = Decode(
    stored=2200, active=1000, token=Cost(25, 20, 80), gpu=Gpu(flops=10_000, bandwidth=100, memory=10_000)
)


def test_decoding_by_hand() -> None:
    assert TOY.gpu.ridge == 100
    assert TOY.bytes_moved(3, 10) == 2000 + 600
    assert TOY.flops(3, 10) == 3 * (2000 + 800)
    assert TOY.seconds(3, 10) == 26.0
    assert TOY.seconds(400, 0.5) == pytest.approx(400 * 2040 / 10_000)  # longer than 6,000 bytes take
    assert TOY.intensity(3, 10) == pytest.approx(8400 / 2600)
    assert TOY.limit(10) == 0.5
    assert TOY.intensity_limit(10) == pytest.approx(2800 / 200)
    assert TOY.longest_compute_bound() == pytest.approx(2000 / (100 * 20 - 80))
    assert TOY.cache_room() == 9000 - 2200
    assert TOY.cache_room(0.5) == 2800
    assert TOY.largest_batch(10) == 27
    assert TOY.largest_batch(34) == 8


@pytest.mark.parametrize("d", [TOY, kv.example()])
def test_no_batch_is_bound_by_arithmetic_beyond_the_longest_context(d: Decode) -> None:
    batches = [2.0**k for k in range(40)]
    longest = d.longest_compute_bound()
    for context in (longest * 0.99, longest * 1.01):
        reached = any(d.intensity(b, context) >= d.gpu.ridge for b in batches)
        assert reached == (context < longest)
    assert d.intensity_limit(longest) == pytest.approx(d.gpu.ridge)


@pytest.mark.parametrize("context", [100, 2000, 50_000])
def test_throughput_rises_to_its_limit(context: int) -> None:
    d = kv.example()
    rates = [b / d.seconds(b, context) for b in (1, 2, 8, 64, 4096, 2**30)]
    assert rates == sorted(rates)
    if context > d.longest_compute_bound():
        assert rates[-1] == pytest.approx(d.limit(context), rel=1e-3)
        assert rates[-1] < d.limit(context)


def test_largest_batch_just_fits() -> None:
    d = kv.example()
    for context in (1000, 8192, 30_000):
        batch = d.largest_batch(context)
        for sequences, fits in ((batch, True), (batch + 1, False)):
            held = d.stored + sequences * kv.LLAMA.cache_bytes(context)
            assert (held <= 0.9 * kv.H100.memory) is fits


def number(name: str) -> float:
    value = kv.values()[name].value
    assert not isinstance(value, str)
    return value


def test_the_figures_of_the_argument_by_hand() -> None:
    """From sizes and the data sheet alone, without anything of the lab."""
    bandwidth, peak, context = 3.35e12, 989.5e12, 8192
    embedding = 128_256 * 4096
    layers = 32 * (2 * 4096**2 + 2 * 4096 * 1024 + 3 * 4096 * 14_336 + 2 * 4096) + 4096
    stored, read = 2 * (layers + 2 * embedding), 2 * (layers + embedding)
    token, attention = 2 * 32 * 8 * 128 * 2, 4 * 32 * 32 * 128
    room = 0.9 * 81_559 * 2**20 - stored
    fits = int(room / (token * context))

    def step(batch: int, tokens: int) -> tuple[float, float]:
        moved, done = read + batch * tokens * token, batch * (read + tokens * attention)
        return max(moved / bandwidth, done / peak), done / moved

    latent, heads, up = 2 * 128 * (576 + 512), 2 * 128 * (192 + 128), 2 * 512 * 128 * 256
    one, all_, half = step(1, context), step(fits, context), step(113, context // 2)
    by_hand = {
        "parameters": stored / 2e9,
        "weights": stored / GIB,
        "weights_read": read / GIB,
        "fetch": token / bandwidth * 1e9,
        "remake": 2 * layers / peak * 1e6,
        "remake_ratio": 2 * layers / peak / (token / bandwidth),
        "pass_tokens": stored / token,
        "pass_batch": 15,
        "pass_read_batch": 14,
        "pass_read_short": 56,
        "room": room / GIB,
        "fits": fits,
        "fits_ms": 1e3 * all_[0],
        "fits_rate": fits / all_[0],
        "fits_gain": fits * one[0] / all_[0],
        "fits_share": 100 * fits / all_[0] / (bandwidth / (context * token)),
        "fits_intensity": all_[1],
        "one_ms": 1e3 * one[0],
        "one_intensity": one[1],
        "one_share": 100 * one[1] / (peak / bandwidth),
        "limit": bandwidth / (context * token),
        "limit_intensity": (read + context * attention) / (context * token),
        "limit_share": 100 * (read + context * attention) / (context * token) / (peak / bandwidth),
        "ridge": peak / bandwidth,
        "ridge_batch": 296,
        "ridge_cache": 296,  # a sequence is a GiB
        "ridge_throttled": 865 / 3.35,
        "longest": read / (peak / bandwidth * token - attention),
        "v3_latent": 61 * 576 * 2 / KIB,
        "v3_heads": 61 * 128 * (192 + 128) * 2 / 2**20,
        "v3_ratio": 128 * (192 + 128) / 576,
        "v3_expand": (heads + up) / latent,
        "v3_absorb": latent / heads,
        "v3_queries": math.ceil(up / (latent - heads)),
        "v3_rank_intensity": latent / 8 / 1152,
        "v3_calculator": 61 * 2 * 128 * 56 * 2 / 2**20,
        "v3_long": 61 * 576 * 2 * 2**17 / GIB,
        "v2_saves": 100 * (1 - 60 * 576 / (95 * 8 * 128 * 2)),
        "v2_saves_6": 100 * (1 - 60 * 576 * 6 / (95 * 8 * 128 * 2 * 16)),
        "v2_groups": 576 / 256,
        "gemma_7b_wrong": 28 * 16 * 192 * 2 * 2 / KIB,
        "windowed_long": 16 * 128 * 2 * 2 * (52 * 1024 + 10 * 2**17) / GIB,
        "windowed_flat": 16 * 128 * 2 * 2 * 62 * 2**17 / GIB,
        "ask_oss_short": 36 * 8 * 64 * 2 * 2 / KIB,
        "ask_oss": 18 * 8 * 64 * 2 * 2 * (128 + 2**17) / GIB,
        "ask_70b_rank": 80 * 128 * 2 * 2 / KIB,
        "ask_half": 113,
        "ask_half_rate": 113 / half[0],
    }
    found = {name: value.value for name, value in kv.values().items()}
    assert {name: found[name] for name in by_hand} == pytest.approx(by_hand)


def test_the_note_quotes_every_value_and_table_and_no_other() -> None:
    quoted = set(re.findall(r"\{lab\}`([a-z0-9_]+)", NOTE)) | set(
        re.findall(r"\{lab-table\} ([a-z0-9_]+)", NOTE)
    )
    assert quoted == files.computed("llm-systems/kv-cache-cost").keys()


def test_what_the_note_says_in_words() -> None:
    tokens = {name: model.per_token().kept for name, model in kv.MODELS.items()}
    assert tokens["Llama 3.1 405B"] < tokens["Llama 2 7B"]  # "costs less a token"
    assert 0.9 * 2**17 < number("pass_tokens") < 2**17  # "nearly 128Ki"
    assert number("token_unshared") * KIB == tokens["Llama 2 7B"]  # "as much as MHA would need"
    listed = kv.model_of("listed", {**kv.CONFIGS["Llama 2 7B"], "num_key_value_heads": 8})
    assert tokens["Llama 2 7B"] == 4 * listed.per_token().kept  # "short by a factor of four"
    assert (
        0.9 * number("ridge_throttled") < number("v3_intensity") < number("ridge_throttled")
    )  # "a little below"
    split = kv.tables()["split"].rows
    eight = next(row for row in split if row[0] == 8)
    assert isinstance(eight[4], float)
    assert eight[4] > number("llama_405b_token")  # "adds up to more"
    assert [row[2] for row in split] == [128, 128, 128, 256]  # copies beyond 8 ranks
    ask_70b = [number(name) for name in ("ask_70b", "ask_70b_all")]
    assert ask_70b[1] == 2 * ask_70b[0]
    # the sizes of the window's curve: on the line of Llama 2 7B at first, below Llama 3.1 8B in the end
    gemma = kv.MODELS["Gemma 3 27B"]
    assert 0.95 < gemma.cache_bytes(1024) / kv.MODELS["Llama 2 7B"].cache_bytes(1024) < 1
    assert kv.V3.cache_bytes(2**17) < gemma.cache_bytes(2**17) < kv.LLAMA.cache_bytes(2**17)
    oss = kv.model_of("gpt-oss", kv.GPT_OSS_120B)
    assert oss.kinds[1].count == 18
    assert 18 * 2048 * 2**17 / oss.cache_bytes(2**17) > 0.99  # "nearly all of it"
    d = kv.example()
    half = d.bytes_moved(d.largest_batch(4096), 4096) / d.bytes_moved(d.largest_batch(8192), 8192)
    assert half == pytest.approx(1, abs=0.02)  # "almost the same bytes a step"
    assert number("ask_half_rate") / number("fits_rate") == pytest.approx(2, abs=0.05)
    shape = kv.V3.kinds[0].shape
    assert isinstance(shape, Latent)
    assert (shape.nope + shape.rope, shape.value, shape.rank + shape.rope) == (192, 128, 576)
    assert set(re.findall(r"[\d,.]*\d", NOTE)) >= CITED


CITED = {"81,559", "1,979", "3.35", "516.096", "70.272", "8.72", "656", "865", "93.3", "47.2", "47.1", "46.6"} | {
    "1.51", "0.28", "0.24", "45.2", "41.2", "37.9", "59.0", "57.5", "50.0", "48.7", "50.9", "51.6", "600"
}  # fmt: skip
"""Figures of others, each with its citation in the note: whoever changes one meets this line."""
