"""Numbers as people type them, which a browser's field of numbers would change without a word."""

import pytest
from harness import flag_path
from playwright.sync_api import expect

FEE = flag_path("checkout/delivery_fee")


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def field(demo, open_page, request):
    page = open_page(java_script_enabled=request.param)
    page.goto(demo.url(FEE))
    field = page.locator("#value")
    field.focus()
    page.keyboard.press("Control+a")
    return field


@pytest.mark.parametrize(
    "typed, meant", [("1,5", "1.5"), ("0x10", "16"), ("1_0", "10"), ("\u0663", None), ("1 500", None)])
def test_what_is_no_number_is_kept_as_it_was_typed_and_refused_with_what_it_may_mean(demo, field, typed, meant):
    field.page.keyboard.type(typed)
    expect(field).to_have_value(typed)
    field.page.keyboard.press("Enter")
    problem = field.page.locator("#value-problem")
    expect(problem).to_contain_text("Enter a number between 0 and 20")
    if meant:
        expect(problem).to_contain_text(f"did you mean {meant}? Nothing was changed.")
    else:
        expect(problem).not_to_contain_text("did you mean")
    expect(field).to_have_value(typed)
    assert float(demo.editor("checkout/delivery_fee")["value"]) == 1.95


def test_a_number_is_taken_as_ever(demo, field):
    field.page.keyboard.type("2.75")
    field.page.keyboard.press("Enter")
    expect(field.page.locator(".notice")).to_contain_text("Set to 2.75")


def test_what_is_typed_over_a_part_takes_its_place(field):
    field.page.keyboard.type("1.95")
    field.page.keyboard.press("Shift+ArrowLeft")
    field.page.keyboard.press("Shift+ArrowLeft")
    field.page.keyboard.type(",5")
    expect(field).to_have_value("1.,5")
    field.page.keyboard.press("ArrowLeft")
    field.page.keyboard.press("ArrowLeft")
    field.page.keyboard.type(",")
    expect(field).to_have_value("1.,,5")
