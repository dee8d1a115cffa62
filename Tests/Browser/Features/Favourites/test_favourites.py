"""Flags that one viewer comes back to."""

import re

from harness import flag_path
from playwright.sync_api import expect

KEY = "checkout/maximum_basket_items"
OTHER = "checkout/notice"


def row(page, key=KEY):
    return page.locator(f'.flag[data-flag="{key}"]')


def star(page, key=KEY):
    return row(page, key).get_by_role("img", name="Favourite")


def button(page, name):
    return page.locator("main form.favourite").get_by_role("button", name=name)


def favourites(page):
    return page.locator(".tabs .tab", has_text="Favourites")


def test_a_flag_becomes_a_favourite_in_its_row_and_on_its_page_and_is_found_above_the_list(shop, page):
    page.goto(shop.url(f"/?open={KEY}"))
    expect(star(page)).to_have_count(0)
    button(page, "Add to favourites").click()
    expect(button(page, "Remove from favourites")).to_be_visible()
    expect(star(page)).to_be_visible()
    expect(row(page).locator(".opened")).to_be_visible()
    [cookie] = [cookie for cookie in page.context.cookies() if cookie["name"].startswith("flagboard-favourites-")]
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax"

    page.goto(shop.url(flag_path(OTHER)))
    button(page, "Add to favourites").click()
    expect(button(page, "Remove from favourites")).to_be_visible()
    page.goto(shop.url("/"))
    favourites(page).click()
    page.wait_for_url(shop.url("/?state=favourite"))
    expect(page.locator(".flag[data-flag]")).to_have_count(2)
    expect(favourites(page)).to_have_attribute("aria-current", "true")

    page.goto(shop.url(flag_path(KEY)))
    button(page, "Remove from favourites").click()
    expect(button(page, "Add to favourites")).to_be_visible()
    page.goto(shop.url("/?state=favourite"))
    expect(page.locator(".flag[data-flag]")).to_have_count(1)
    assert re.search(r"\bdata-change=", shop.get("/history").text) is None


def test_by_keyboard_a_favourite_is_one_key(shop, open_page):
    page = open_page()
    page.goto(shop.url("/?q=basket"))
    row(page).locator(".name").focus()
    page.keyboard.press("f")
    expect(star(page)).to_be_visible()
    expect(page.locator("#announcer")).to_have_text(re.compile("added to favourites"))
    expect(row(page).locator(".name")).to_be_focused()
    page.reload()
    expect(star(page)).to_be_visible()
    row(page).locator(".name").focus()
    page.keyboard.press("f")
    expect(star(page)).to_have_count(0)
    page.goto(shop.url(flag_path(KEY)))
    page.keyboard.press("f")
    expect(button(page, "Remove from favourites")).to_be_visible()
    page.keyboard.press("f")
    expect(button(page, "Add to favourites")).to_be_visible()


def test_the_star_of_a_row_is_reached_by_tab_from_its_name(shop, open_page):
    page = open_page()
    page.goto(shop.url("/?q=basket"))
    expect(page.locator(".star-button")).to_have_count(0)
    row(page).locator(".name").focus()
    page.keyboard.press("Tab")
    button = row(page).get_by_role("button", name="Add to favourites")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    expect(star(page)).to_be_visible()
    button = row(page).get_by_role("button", name="Remove from favourites")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    expect(star(page)).to_have_count(0)
    page.get_by_label("Search", exact=True).focus()
    expect(page.locator(".star-button")).to_have_count(0)


def test_the_star_of_a_row_shows_under_the_mouse_and_is_filled_where_it_is_set(shop, open_page):
    page = open_page()
    page.goto(shop.url("/?q=basket"))
    row(page).hover()
    button = row(page).locator(".star-button")
    fill = "icon => getComputedStyle(icon).fill"
    assert button.locator(".icon").evaluate(fill) == "none"
    button.click()
    expect(star(page)).to_be_visible()
    assert button.locator(".icon").evaluate(fill) == star(page).locator(".icon").evaluate(fill) != "none"
    button.click()
    expect(star(page)).to_have_count(0)


def test_on_a_touch_screen_each_row_has_its_star(shop, open_page):
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(shop.url("/?q=basket"))
    expect(page.locator(".star-button")).to_have_count(page.locator(".flag[data-flag]").count())
    button = row(page).locator(".star-button")
    box = button.bounding_box()
    assert box["width"] >= 44 and box["height"] >= 44 and box["x"] + box["width"] <= 390
    button.tap()
    expect(button).to_have_accessible_name("Remove from favourites")
    page.get_by_label("Search", exact=True).fill("maximum")
    expect(page.locator("[data-count]")).to_have_text(re.compile(r"^\d+ of"))
    page.wait_for_url(re.compile("q=maximum"))
    expect(button).to_have_accessible_name("Remove from favourites")
    button.tap()
    expect(button).to_have_accessible_name("Add to favourites")


def test_flags_that_become_favourites_at_the_same_moment_are_all_kept(shop, open_page):
    page = open_page()
    page.goto(shop.url("/?q=checkout"))
    held = []

    def hold(route):
        # The first request is answered once the second one was asked for.
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/favourites", hold)
    row(page, KEY).locator(".name").focus()
    with page.expect_request("**/favourites"):
        page.keyboard.press("f")
    row(page, OTHER).locator(".name").focus()
    page.keyboard.press("f")
    held[0].continue_()
    for key in (KEY, OTHER):
        expect(star(page, key)).to_be_visible()
    page.goto(shop.url("/?state=favourite"))
    expect(page.locator(".flag[data-flag]")).to_have_count(2)


def test_an_answer_that_leads_elsewhere_keeps_no_favourite(shop, open_page):
    page = open_page()
    page.goto(shop.url("/?q=basket"))
    page.route("**/favourites", lambda route: route.fulfill(status=303, headers={"Location": "/help"}), times=1)
    row(page).locator(".name").focus()
    page.keyboard.press("f")
    # It is sent once more as a form, whose answer is shown.
    page.wait_for_url(re.compile("noted="))
    expect(page.locator("main")).to_contain_text("added to favourites.")


def test_what_is_typed_in_the_open_row_stays_when_the_flag_becomes_a_favourite(shop, open_page):
    page = open_page()
    page.goto(shop.url(f"/?open={KEY}"))
    page.locator(".opened #value").fill("177")
    button(page, "Add to favourites").click()
    expect(star(page)).to_be_visible()
    expect(page.locator(".opened #value")).to_have_value("177")
    button(page, "Remove from favourites").click()
    expect(star(page)).to_have_count(0)
    page.locator(".opened #value").fill("150")


def test_where_no_more_fit_the_refusal_says_how_many_do(large, page):
    page.goto(large.url("/"))
    keys = page.locator(".flag[data-flag]").evaluate_all("rows => rows.map((row) => row.dataset.flag)")
    page.goto(large.url(flag_path(keys[0])))
    button(page, "Add to favourites").click()
    expect(button(page, "Remove from favourites")).to_be_visible()
    [cookie] = [cookie for cookie in page.context.cookies() if cookie["name"].startswith("flagboard-favourites-")]
    page.context.add_cookies([cookie | {"value": "".join(f"!{key}" for key in keys[:50])}])
    page.goto(large.url(flag_path(keys[50])))
    button(page, "Add to favourites").click()
    expect(page.locator("main")).to_contain_text("You have 50 favourites, which is the limit.")
    page.get_by_role("link", name="Go to your favourites").click()
    expect(page.locator(".flag[data-flag]")).to_have_count(50)
