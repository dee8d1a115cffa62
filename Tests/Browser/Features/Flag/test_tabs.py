"""Items and JSON of an array or a dictionary: two tabs for one value."""

import pytest
from harness import flag_path
from playwright.sync_api import expect
from samples import write


@pytest.fixture
def editor(serve, tmp_path, open_page):
    """The page of an array with an array in it."""
    flags = [{"key": "list", "type": "array", "default": [["a", "b"], "x"]}]
    server = serve(write(tmp_path / "list", {}, flags))
    page = open_page()
    page.goto(server.url(flag_path("list")))
    expect(page.get_by_role("tab", name="Items")).to_have_attribute("aria-selected", "true")
    return page


@pytest.mark.parametrize(("typed", "said"), [
    ('["x", {"d": 1}, ', "Fix the JSON first. Line 1, column 17: the text ends too early"),
    ('{"d": 1}', "Fix the JSON first. Enter a JSON array")])
@pytest.mark.parametrize("key", [None, "ArrowLeft", "ArrowRight"], ids=["click", "left", "right"])
def test_json_that_is_wrong_stays_in_view_with_the_reason_until_it_is_right(editor, typed, said, key):
    items, text = (editor.get_by_role("tab", name=name) for name in ("Items", "JSON"))

    def turn():
        if key:
            text.press(key)
        else:
            items.click()

    text.click()
    editor.locator("#value").fill(typed)
    turn()
    expect(text).to_have_attribute("aria-selected", "true")
    expect(text).to_be_focused()
    expect(editor.locator("#value")).to_be_visible()
    expect(editor.get_by_role("status").filter(has_text="Fix the JSON")).to_have_text(said)
    editor.locator("#value").fill('["y"]')
    turn()
    expect(items).to_have_attribute("aria-selected", "true")
    expect(items).to_be_focused()
    expect(editor.locator(".row-value")).to_have_value("y")


def test_an_item_of_several_lines_starts_at_the_margin(editor):
    expect(editor.locator(".row-value").first).to_have_value('[\n  "a",\n  "b"\n]')
