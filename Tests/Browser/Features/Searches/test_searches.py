"""Searches of the list with a name and a place in the menu."""

import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_search_gets_a_name_and_a_tab_above_the_list(demo, open_page, scripts, width):
    page = open_page(viewport={"width": width, "height": 844}, java_script_enabled=scripts)
    page.goto(demo.url("/?q=checkout&state=on"))
    page.get_by_role("link", name="Save this search").click()
    name = page.get_by_label("Name")
    expect(name).to_be_focused()
    name.fill("Checkout, on")
    name.press("Enter")
    expect(page.locator(".banner", has_text="Saved as “Checkout, on”.")).to_be_focused()
    page.goto(demo.url("/"))
    page.get_by_role("navigation", name="Saved views").get_by_role("link", name="Checkout, on").click()
    page.wait_for_url(demo.url("/?q=checkout&state=on"))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.goto(demo.url("/searches"))
    page.get_by_role("button", name="Remove Checkout, on").click()
    expect(page.get_by_role("heading", name="No saved searches yet")).to_be_visible()


@pytest.mark.parametrize("width", [768, 1024, 1280])
def test_the_button_of_a_new_flag_stays_beside_the_heading_with_many_searches(demo, open_page, width):
    for number in range(4):
        demo.post("/searches", {"action": "save", "name": f"Checkout on phones {number}", "query": f"q={number}"})
    page = open_page(viewport={"width": width, "height": 800})
    page.goto(demo.url("/"))
    heading, button = page.get_by_role("heading", level=1).bounding_box(), page.locator(".new-flag").bounding_box()
    assert button["y"] < heading["y"] + heading["height"] and heading["y"] < button["y"] + button["height"]
    assert button["x"] + button["width"] > width - 64
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_saved_search_is_found_by_its_name_from_everywhere(demo, open_page):
    form = {"action": "save", "name": "Prices of delivery", "query": "tag=prices"}
    assert demo.post("/searches", form).status == 303
    page = open_page()
    page.goto(demo.url("/history"))
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Flag or page").fill("prices of")
    page.get_by_role("option", name="Prices of delivery").click()
    page.wait_for_url(demo.url("/?tag=prices"))


def test_searches_beyond_the_first_five_are_in_a_menu_that_closes_by_escape(demo, open_page):
    for number in range(7):
        demo.post("/searches", {"action": "save", "name": f"Search {number}", "query": f"q={number}"})
    page = open_page()
    page.goto(demo.url("/"))
    summary = page.locator("#more-tabs > summary")
    summary.click()
    page.locator("#more-tabs a").first.focus()
    page.keyboard.press("Escape")
    expect(page.locator("#more-tabs a").first).to_be_hidden()
    expect(summary).to_be_focused()
    # The tab of the list that is shown is never in the menu.
    page.goto(demo.url("/?q=6"))
    expect(page.locator(".tabs > ul > li > [aria-current]")).to_have_text("Search 6")
