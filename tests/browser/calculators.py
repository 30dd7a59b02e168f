"""Calculators in a browser, held to what Python computes for the same inputs."""

from __future__ import annotations

import math
from typing import Any

from playwright.sync_api import Page

from sphinx_writing.core.calculators import Calculator, Case, results, shown, typed

COUNT = 1000
RUN = """([number, cases]) => {
    const form = document.querySelectorAll("form.writing-calculator-form")[number];
    const outputs = [...form.querySelectorAll("output data")];
    return cases.map(values => {
        for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
        form.dispatchEvent(new Event("input", {bubbles: true}));
        return outputs.map(data => [data.value, data.textContent]);
    });
}"""


def disagreements(page: Page, number: int, made: Calculator, cases: list[Case]) -> list[str]:
    """Where the calculator *number* of the page shows something else than Python computes."""
    names = [one.name for one in made.inputs]
    given = [dict(zip(names, map(typed, case.values), strict=True)) for case in cases]
    seen: list[list[list[Any]]] = page.evaluate(RUN, [number, given])
    found = []
    for case, outputs in zip(cases, seen, strict=True):
        values = results(made, case.values)
        for output, value, (text, words) in zip(made.outputs, values, outputs, strict=True):
            there = float(text) if text else None
            if not same(value, there) or words != shown(value, output.digits):
                found.append(
                    f"{output.name} of {case.values}: {value!r} here, {there!r} there, shown as {words}"
                )
    return found


def same(here: float | None, there: float | None) -> bool:
    if here is None or there is None:
        return here is there
    return math.isclose(here, there, rel_tol=1e-12)
