"""A calculator in a browser: every operation, presets, ranges, the address, the keyboard, print."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from sphinx_writing.core.calculators import results

from ..build.conftest import ROOTS, Project
from ..site.calculators import calculators_in, cases
from .calculators import COUNT, disagreements
from .conftest import OpenPage
from .server import serving

NOTE = "a-note/index.html"
ROOT = ROOTS / "test-calculators"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a tiny site with calculators."""
    project = Project("calculators", tmp_path_factory.mktemp("calculators"))
    built = project.build(html_theme="writing", html_math_renderer="katex")
    with serving(built.out) as address:
        yield address


@pytest.fixture
def form(page: Page) -> Locator:
    """The first calculator of the note."""
    page.goto(NOTE)
    return page.get_by_role("form", name="How large is it?")


def result(form: Locator, name: str = "size") -> Locator:
    return form.locator(f'output[name="{name}"]')


@pytest.mark.parametrize("source", ["every-operation.md", "a-note/index.md"])
def test_every_operation_is_the_same_in_python_and_here(source: str, page: Page) -> None:
    page.goto(Path(source).with_suffix(".html").as_posix())
    for number, made in enumerate(calculators_in(ROOT / source)):
        if source == "every-operation.md":
            none = sum(
                value is None for case in cases(made, COUNT, source) for value in results(made, case.values)
            )
            assert COUNT / 10 < none < COUNT * len(made.outputs) / 2
        assert disagreements(page, number, made, cases(made, COUNT, source)) == []


def test_a_value_changes_the_result(form: Locator) -> None:
    expect(result(form)).to_have_text("1.221\u00a0MiB")
    form.get_by_label("Layers").fill("100")
    expect(result(form)).to_have_text("3.815\u00a0MiB")
    expect(result(form, "bytes")).to_have_text("4,000,000\u00a0B")
    form.get_by_label("Element").select_option("FP8")
    expect(result(form)).to_have_text("1.907\u00a0MiB")
    expect(form.locator("p[role=status]")).to_have_text("Size: 1.907\u00a0MiB, Bytes: 2,000,000\u00a0B")


def test_presets_set_values_and_are_named_by_them(form: Locator) -> None:
    preset = form.get_by_label("Preset")
    preset.select_option("small")
    expect(form.get_by_label("Layers")).to_have_value("16")
    expect(form.get_by_label("Element")).to_have_value("FP8")
    expect(result(form)).to_have_text("0.3052\u00a0MiB")
    form.get_by_label("Layers").fill("17")
    expect(preset.locator("option:checked")).to_have_text("Own values")
    form.get_by_label("Layers").fill("16")
    expect(preset.locator("option:checked")).to_have_text("small")
    form.get_by_role("button", name="Reset").click()
    expect(preset.locator("option:checked")).to_have_text("Default")
    expect(result(form)).to_have_text("1.221\u00a0MiB")


@pytest.mark.parametrize("value", ["0", "201", "1.5", ""])
def test_what_is_not_allowed_is_said_and_has_no_result(value: str, form: Locator) -> None:
    layers = form.get_by_label("Layers")
    layers.fill(value)
    expect(result(form)).to_have_text("–\u00a0MiB")
    expect(layers).to_have_attribute("aria-invalid", "true")
    expect(layers).to_have_accessible_description("A whole number from 1 to 200")
    expect(form.get_by_text("A whole number from 1 to 200")).to_be_visible()
    layers.fill("2")
    expect(layers).not_to_have_attribute("aria-invalid", "true")
    expect(layers).to_have_accessible_description("")


def test_a_division_by_zero_has_no_result(page: Page) -> None:
    page.goto(NOTE)
    form = page.get_by_role("form", name="A share")
    expect(result(form, "share")).to_have_text("25%")
    form.get_by_label("All").fill("0")
    expect(result(form, "share").locator("data")).to_have_text("–")
    expect(form.get_by_label("All")).not_to_have_attribute("aria-invalid", "true")


def test_what_is_set_stands_in_the_address(form: Locator, page: Page, open_page: OpenPage) -> None:
    form.get_by_label("Layers").fill("100")
    form.get_by_label("Element").select_option("FP8")
    page.wait_for_url("**/index.html?calc-size.layers=100&calc-size.element=FP8#calc-size")
    other = open_page()
    other.goto(page.url)
    there = other.get_by_role("form", name="How large is it?")
    expect(result(there)).to_have_text("1.907\u00a0MiB")
    expect(there).to_be_in_viewport()
    form.get_by_role("button", name="Reset").click()
    page.wait_for_url(lambda url: "?" not in url)


def test_an_address_that_makes_no_sense_is_passed_over(page: Page) -> None:
    page.goto(f"{NOTE}?calc-size.layers=many&calc-size.element=FP64&calc-size.other=1&tokens=3")
    form = page.get_by_role("form", name="How large is it?")
    expect(form.get_by_label("Element")).to_have_value("BF16")
    expect(form.get_by_label("Layers")).to_have_value("")
    expect(result(form)).to_have_text("–\u00a0MiB")


def test_everything_works_from_the_keyboard(form: Locator, page: Page) -> None:
    form.get_by_label("Preset").focus()
    page.keyboard.press("ArrowDown")
    expect(result(form)).to_have_text("3.052\u00a0MiB")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    expect(form.get_by_label("Layers")).to_have_value("81")
    page.keyboard.press("Enter")
    assert "layers=81" not in page.url.split("?")[0]
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(form.get_by_role("button", name="Reset")).to_be_focused()
    page.keyboard.press("Tab")
    fold = page.get_by_role("button", name="Table of presets")
    expect(fold).to_be_focused()
    table = page.locator("#calc-size table")
    expect(table).to_be_hidden()
    page.keyboard.press("Enter")
    expect(table).to_be_visible()
    expect(fold).to_have_attribute("aria-expanded", "true")


def test_print_has_the_table_and_no_form(form: Locator, page: Page) -> None:
    page.emulate_media(media="print")
    expect(page.locator("#calc-size table")).to_be_visible()
    expect(form).to_be_hidden()
    expect(page.get_by_role("button", name="Table of presets")).to_be_hidden()


@pytest.mark.parametrize(("width", "dark"), [(390, True), (1280, False)])
def test_axe_finds_nothing(
    width: int, dark: bool, open_page: OpenPage, audit: Callable[..., list[str]]
) -> None:
    page = open_page(width=width, dark=dark)
    page.goto(NOTE)
    page.get_by_label("Layers").fill("0")
    page.get_by_role("button", name="Table of presets").click()
    assert audit(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
