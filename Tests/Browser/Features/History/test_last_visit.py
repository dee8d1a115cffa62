"""What is new since the last visit: in the history, and in what needs a look."""

import re

from playwright.sync_api import expect


def return_later(page, hours=1):
    """Has the browser have been here some hours ago."""
    [cookie] = [cookie for cookie in page.context.cookies() if cookie["name"].startswith("flagboard-visit-")]
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax"
    numbers = [int(number) for number in cookie["value"].split(".")]
    value = ".".join(str(number - 3600 * hours if place % 2 else number) for place, number in enumerate(numbers))
    page.context.add_cookies([cookie | {"value": value}])


def edit_outside(server, old, new):
    text = server.file.read_text()
    assert old in text
    server.file.write_text(text.replace(old, new))


def changes(page):
    return page.locator("[data-change]").evaluate_all("rows => rows.map((row) => Number(row.dataset.change))")


def test_the_history_tells_what_came_since_the_last_visit(demo, page):
    demo.change("checkout/notice", "set", "Closed on Sunday.")
    page.goto(demo.url("/history"))
    expect(page.get_by_role("link", name="Since your last visit")).to_have_count(0)

    return_later(page)
    demo.change("checkout/notice", "set", "Closed on Monday.")
    edit_outside(demo, "<integer>150</integer>", "<integer>151</integer>")
    page.goto(demo.url("/history"))
    expect(page.locator(".seen-line")).to_contain_text("Changes above are new since your last visit")
    assert changes(page) == [3, 2, 1]

    page.get_by_role("link", name="Since your last visit").click()
    page.wait_for_url(demo.url("/history?since=visit"))
    expect(page.locator(".criteria")).to_contain_text("Since your last visit, 20")
    assert changes(page) == [3, 2]
    # The search keeps to it, and the other person's link does not depend on who follows it.
    page.get_by_role("searchbox").fill("Monday")
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_url(re.compile("since=visit"))
    assert changes(page) == [2]
    assert "/history?q=Monday" in page.locator("#copies pre").first.text_content()
    assert "since=1" in page.locator("#copies pre").first.text_content()
    page.get_by_role("link", name=re.compile("remove")).last.click()
    page.wait_for_url(demo.url("/history?q=Monday"))


def test_a_link_from_another_site_leaves_what_was_seen(demo, page):
    demo.change("checkout/notice", "set", "Closed on Sunday.")
    page.goto(demo.url("/history"))
    return_later(page)
    demo.change("checkout/notice", "set", "Closed on Monday.")
    chat = "http://chat.example/"
    link = f'<!DOCTYPE html><title>Chat</title><a href="{demo.url("/history")}">Look</a>'
    page.route(chat, lambda route: route.fulfill(body=link, content_type="text/html"))
    page.goto(chat)
    page.get_by_role("link", name="Look").click()
    page.wait_for_url(demo.url("/history"))
    expect(page.locator(".seen-line")).to_contain_text("Changes above are new since your last visit")
    page.goto(demo.url("/history"))
    expect(page.locator(".seen-line")).to_contain_text("Changes above are new since your last visit")


def test_edits_from_outside_since_the_last_visit_need_a_look(demo, page):
    page.goto(demo.url("/"))
    return_later(page)
    edit_outside(demo, "<integer>150</integer>", "<integer>151</integer>")
    page.goto(demo.url("/"))
    page.locator(".look > summary").click()
    page.get_by_role("link", name="1 edited externally since your last visit").click()
    page.wait_for_url(demo.url("/?state=edited"))
    expect(page.locator(".flag[data-flag]")).to_have_count(1)
    expect(page.locator('[data-flag="checkout/maximum_basket_items"]')).to_be_visible()
    page.locator(".look > summary").click()
    page.get_by_role("link", name="View edits").click()
    page.wait_for_url(demo.url("/history?origin=external&since=visit"))
    assert changes(page) == [1]
    # Another visit begins with what was seen on this one.
    return_later(page)
    page.goto(demo.url("/"))
    expect(page.locator(".look")).to_be_visible()
    expect(page.locator(".look-edited")).to_have_count(0)
