"""Where the focus is after a form was sent: never lost, whatever button of a page sent it."""

import pytest
from exhibits import EXHIBITS
from harness import flag_path
from pages import BASKET
from playwright.sync_api import expect

PLACES = {
    "list": "/?q=checkout",
    "boolean": flag_path("checkout/guest_checkout"),
    "integer": flag_path(BASKET),
    "text": flag_path("checkout/notice"),
    "choice": flag_path("appearance/price_emphasis"),
    "dictionary": flag_path("networking/extra_headers"),
    "locked": flag_path("checkout/payment/processor"),
    "change": "/history/2",
    "settings": "/settings",
}

BUTTONS = """() => {
    for (const details of document.querySelectorAll("main details")) details.open = true;
    return [...document.querySelectorAll("main button")]
        .filter((button) => button.type === "submit" && button.form?.method === "post" && button.checkVisibility())
        .map((button, place) => {
            button.dataset.sends = place;
            return `${button.form.getAttribute("action")} ${button.value} ${button.textContent.trim()}`;
        });
}"""
"""Marks the buttons of a page that send something, and names them."""

FILL = """(place) => {
    document.documentElement.dataset.before = "";
    const { form } = document.querySelector(`[data-sends="${place}"]`);
    for (const field of form.elements) {
        const isText = field.matches("input:not([type]), input[type=text], textarea");
        if (field.required && isText && field.value === "") field.value = "because";
    }
}"""

ANSWERED = "html:not([data-before]), html:has(.notice, [role=alert])"


@pytest.fixture
def exhibit(tmp_path):
    """A server on files that show what there is, which ends after the pages that it is open in."""
    server = EXHIBITS["exhibit"](tmp_path / "demo")
    yield server
    server.stop()


@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
@pytest.mark.parametrize("place", PLACES)
def test_the_focus_is_never_lost_after_a_form_was_sent(exhibit, open_page, place, scripts):
    page = open_page(java_script_enabled=scripts)
    page.goto(exhibit.url(PLACES[place]))
    names = page.evaluate(BUTTONS)
    assert names, "nothing can be sent there"
    lost = []
    for number, name in enumerate(names[:12]):
        page.goto(exhibit.url(PLACES[place]))
        if page.evaluate(BUTTONS)[number:number + 1] != [name]:
            continue  # what was sent before has changed what there is to send
        page.evaluate(FILL, number)
        button = page.locator(f'[data-sends="{number}"]')
        if scripts:
            button.click()
            page.locator(ANSWERED).wait_for()
            page.wait_for_load_state()
        else:
            with page.expect_navigation():
                button.click()
        if not found_focus(page):
            lost.append((name, page.url))
    assert lost == []


def found_focus(page):
    """Whether something gets the focus: `autofocus` gives it with the first frame that is drawn."""
    try:
        expect(page.locator(":focus")).to_have_count(1, timeout=5_000)
    except AssertionError:
        return False
    return True


def test_each_refusal_in_an_open_row_leads_to_the_field_that_is_wrong(demo, open_page):
    page = open_page()
    page.goto(demo.url("/?q=delivery_fee"))
    page.locator(".flag a.value").click()
    field = page.locator(".opened #value")
    for typed in ("abc", "x", "1,5"):
        field.fill("")
        field.press_sequentially(typed)
        with page.expect_response(lambda response: response.request.method == "POST"):
            field.press("Enter")
        expect(page.locator(".opened #value[aria-invalid=true]")).to_have_attribute("value", typed)
        expect(field).to_be_focused()
    field.press("Control+a")
    page.keyboard.type("4.5")
    page.keyboard.press("Enter")
    expect(page.locator(".flag [data-effective]")).to_have_text("4.5")


@pytest.mark.parametrize("place", ["/?q=extra_headers", flag_path("networking/extra_headers")], ids=["open row", "flag's page"])
def test_json_that_is_refused_has_the_focus(demo, open_page, place):
    page = open_page()
    page.goto(demo.url(place))
    if "?" in place:
        page.locator(".flag a.value").click()
    page.get_by_role("tab", name="JSON").click()
    page.locator("#value").fill('{"Accept": ')
    page.locator("form[data-editor] button[value=set]").click()
    expect(page.locator("#value-problem")).to_contain_text("Not saved.")
    expect(page.get_by_role("tab", name="JSON")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#value")).to_be_focused()
