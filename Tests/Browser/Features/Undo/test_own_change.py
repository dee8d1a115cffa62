"""The key `u`, and the foot of the page: the way to undo the last change of one's own, also after a reload."""

import re

from harness import flag_path
from playwright.sync_api import expect

KEY = "checkout/maximum_basket_items"
SWITCH = "checkout/guest_checkout"


def row(page, key=KEY):
    return page.locator(f'.flag[data-flag="{key}"]')


def effective(server, key):
    return server.get(f"/api/v1/flags/{key}").text


def test_after_a_reload_the_key_leads_to_the_reverse_of_the_last_own_change(demo, open_page):
    page = open_page()
    page.goto(demo.url("/"))
    row(page, SWITCH).locator("button[value=on]").click()
    expect(row(page, SWITCH)).to_have_attribute("data-state", "overridden-on")
    page.reload()
    expect(page.locator(".notice")).to_have_count(0)
    page.keyboard.press("u")
    page.wait_for_url(re.compile(r"/batch\?preview="))
    expect(page.get_by_role("heading", level=1)).to_have_text("Undo change 1")
    page.get_by_role("button", name=re.compile("^Apply")).click()
    expect(page.locator("main")).to_contain_text("Undone.")
    page.goto(demo.url("/"))
    expect(row(page, SWITCH)).to_have_attribute("data-state", "overridden-off")


def test_the_foot_of_each_page_offers_it_without_a_key(demo, page):
    demo.change(KEY, "set", "151")
    for path in ("/", "/history", flag_path(SWITCH)):
        page.goto(demo.url(path))
        expect(page.locator("#own-change")).to_contain_text("Your last change here: Largest basket")
    page.locator("#own-change").get_by_role("button", name="Undo change 1 of Largest basket").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Undo change 1")
    page.get_by_role("button", name=re.compile("^Apply")).click()
    expect(page.locator("main")).to_contain_text("Undone.")
    page.goto(demo.url(flag_path(KEY)))
    expect(page.locator("[data-effective]")).to_contain_text("150")


def test_a_later_change_in_the_way_is_named_and_stays(demo, page):
    demo.change(KEY, "set", "151")
    text = demo.file.read_text()
    assert "<integer>151</integer>" in text
    demo.file.write_text(text.replace("<integer>151</integer>", "<integer>152</integer>"))
    page.goto(demo.url("/history"))
    page.locator("#own-change button").click()
    expect(page.locator("main")).to_contain_text("was changed after change 1, so it won’t be reverted: change 2")
    expect(page.get_by_role("button", name=re.compile("^Apply"))).to_have_count(0)
    assert "<integer>152</integer>" in demo.file.read_text()


def test_a_change_in_the_row_is_the_last_one_at_the_foot_at_once(demo, open_page):
    page = open_page()
    demo.change(KEY, "set", "151")
    page.goto(demo.url("/"))
    expect(page.locator("#own-change")).to_contain_text("Largest basket")
    row(page, SWITCH).locator("button[value=on]").click()
    expect(page.locator("#own-change")).to_contain_text("Guest checkout")
    # The notice of the change that the page has just made offers to undo it.
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(row(page, SWITCH)).to_have_attribute("data-state", "overridden-off")


def test_where_nothing_can_be_undone_the_key_says_so(shop, open_page):
    page = open_page()
    page.goto(shop.url("/"))
    page.keyboard.press("u")
    expect(page.locator("#announcer")).to_have_text("Nothing to undo.")
