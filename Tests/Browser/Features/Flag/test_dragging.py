"""The items of an array are dragged to their place by mouse and by finger."""

import json

import pytest
from playwright.sync_api import expect
from samples import write


@pytest.fixture
def items(serve, tmp_path, open_page):
    """Opens the page of a flag that has three texts in an array."""

    def start(**options):
        server = serve(write(tmp_path / "rows", {"list": ["a", "b", "c"]}, [{"key": "list", "type": "array"}]))
        page = open_page(**options)
        page.goto(server.url("/flags/list"))
        page.locator(".rows").scroll_into_view_if_needed()
        return page

    return start


def middle(page, selector, number):
    box = page.locator(selector).nth(number).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def value(page):
    return json.loads(page.locator("#value").input_value())


def test_an_item_is_dragged_by_mouse_down_and_up(items):
    page = items()
    page.mouse.move(*middle(page, ".row-handle", 0))
    page.mouse.down()
    page.mouse.move(*middle(page, ".rows li", 2), steps=5)
    page.mouse.move(middle(page, ".rows li", 2)[0], middle(page, ".rows li", 2)[1] + 8)
    expect(page.locator(".is-dragged").get_by_label("Value of")).to_have_value("a")
    page.mouse.up()
    expect(page.locator(".is-dragged")).to_have_count(0)
    expect(page.locator(".rows").get_by_role("status")).to_have_text("Moved to position 3")
    assert value(page) == ["b", "c", "a"]
    # All the way at once, and outside the list.
    page.mouse.move(*middle(page, ".row-handle", 2))
    page.mouse.down()
    page.mouse.move(5, middle(page, ".rows li", 0)[1] - 60)
    page.mouse.up()
    expect(page.locator(".rows").get_by_role("status")).to_have_text("Moved to position 1")
    assert value(page) == ["a", "b", "c"]
    page.get_by_label("Value of item 2").click()
    page.mouse.move(*middle(page, ".rows li", 0))
    assert value(page) == ["a", "b", "c"], "nothing is dragged without its handle"


def test_an_item_is_dragged_by_a_finger_while_the_page_stays_in_place(items):
    page = items(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    session = page.context.new_cdp_session(page)
    before = page.evaluate("scrollY")

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    start, end = middle(page, ".row-handle", 2), middle(page, ".row-handle", 0)
    touch("touchStart", start)
    for step in range(1, 9):
        touch("touchMove", (start[0], start[1] + (end[1] - 30 - start[1]) * step / 8))
    touch("touchEnd")
    expect(page.locator(".rows").get_by_role("status")).to_have_text("Moved to position 1")
    assert value(page) == ["c", "a", "b"]
    assert page.evaluate("scrollY") == before
    session.detach()


def test_the_handle_is_as_large_as_a_finger(items):
    page = items(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    box = page.locator(".row-handle").first.bounding_box()
    assert box["width"] >= 44 and box["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
