"""The calculators of the notes are what the labs of the notes compute, for their presets and for any inputs."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import pytest

from labs.infra import bus_bandwidth
from labs.kit import files
from labs.llm_systems import kv_cache_cost
from labs.systems import fat
from sphinx_writing.core.calculators import Calculator, Case, number, results

from .calculators import DOCS, Found, cases, find

FOUND = find(DOCS)
COUNT = 1000
DEAREST = {"n": 64, "heads": 32, "width": 256}
"""How far these inputs go: to carry out a schedule for 512 ranks, or to run a huge layer, takes a lab seconds."""


def arguments(function: Callable[..., Any], made: Calculator, case: Case) -> dict[str, object]:
    """What *function* is called with: of a choice, its name if it takes a text, else its number."""
    given: dict[str, object] = {}
    for one, value in zip(made.inputs, case.values, strict=True):
        if one.name in (wanted := inspect.signature(function).parameters):
            takes = wanted[one.name].annotation
            found = value if takes == "str" else number(one, value)
            given[one.name] = int(found) if takes == "int" and not isinstance(found, str) else found
    return given


def tied(found: Found) -> list[tuple[int, str]]:
    """The outputs that equal a function of the lab: their places and its name."""
    return [(i, output.lab) for i, output in enumerate(found.made.outputs) if output.lab]


def is_cheap(found: Found, case: Case) -> bool:
    values = zip(found.made.inputs, case.values, strict=True)
    return all(value <= DEAREST.get(one.name, value) for one, value in values if not isinstance(value, str))


def test_three_notes_have_one() -> None:
    assert [found.folder for found in FOUND] == [
        "infra/bus-bandwidth",
        "llm-systems/kv-cache-cost",
        "systems/fat",
    ]
    assert all(tied(found) for found in FOUND)


@pytest.mark.parametrize("found", FOUND, ids=str)
def test_a_calculator_equals_its_lab(found: Found) -> None:
    lab = files.load(found.folder)
    drawn = (case for case in cases(found.made, 20 * COUNT, str(found)) if is_cheap(found, case))
    compared = 0
    for case in list(drawn)[:COUNT]:
        values = results(found.made, case.values)
        for i, name in tied(found):
            function = getattr(lab, name)
            if values[i] is not None:
                wanted = float(function(**arguments(function, found.made, case)))
                assert math.isclose(values[i] or 0, wanted, rel_tol=1e-12), (case, name)
                compared += 1
    assert compared >= COUNT


def of(folder: str) -> Calculator:
    return next(found.made for found in FOUND if found.folder == folder)


def test_presets_of_the_cache_are_models_of_the_lab() -> None:
    made = of("llm-systems/kv-cache-cost")
    assert len(made.presets) == 5
    for preset in made.presets:
        _, token = results(made, preset.values)
        model = kv_cache_cost.MODELS[preset.name]
        assert token == model.per_token().kept / 2**10
        assert results(made, preset.values)[0] == model.cache_bytes(kv_cache_cost.CONTEXT) / 2**30


def test_presets_of_bus_bandwidth_are_reports_that_the_lab_has() -> None:
    made = of("infra/bus-bandwidth")
    reports: dict[tuple[object, ...], float] = {
        (f"{r.gpus} {r.machine}, NVLS", r.gpus, r.algbw): bus_bandwidth.on_the_wire(r)
        for r in bus_bandwidth.NVLS_REPORTS
    }
    for preset in made.presets:
        operation, ranks, algbw = preset.values
        assert operation == "all-reduce"
        assert results(made, preset.values)[1] == pytest.approx(reports[preset.name, ranks, algbw])


def test_operations_without_a_schedule_of_the_switch_have_no_port() -> None:
    made = of("infra/bus-bandwidth")
    choices = made.inputs[0].choices or {}
    assert set(choices) < set(bus_bandwidth.BEST)
    for name in choices:
        busbw, port = results(made, (name, 16.0, 100.0))
        assert busbw == pytest.approx(bus_bandwidth.busbw(name, 16, 1e9, 0.01))
        assert (port is not None) == (name == "all-reduce")


def test_the_calculator_of_fat_knows_the_volumes_of_the_note() -> None:
    made = of("systems/fat")
    volumes = {name: bpb for name, bpb in fat.VOLUMES if "as FAT32" in name}
    for name, mib, sector in (
        ("16 MiB as FAT32", 16.0, "512"),
        ("256 MiB as FAT32, 4 KiB sectors", 256.0, "4096"),
        ("260 MiB as FAT32, 4 KiB sectors", 260.0, "4096"),
    ):
        clusters, missing, bits = results(made, (mib, sector, "1"))
        assert clusters == volumes[name].clusters
        assert bits == fat.bits_by_count(volumes[name].clusters)
        assert (missing == 0) == (fat.bits_edk2(volumes[name]) == 32)
