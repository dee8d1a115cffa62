"""What a person types is text: it goes into the field that has just unfolded, and is no command where a control has the focus."""

import pytest
from harness import flag_path
from playwright.sync_api import expect

SWITCH = "checkout/guest_checkout"
SENTENCE = "Finance asked us to keep just this one open for the fair"
"""It has each key that is a command of its own: e, f, j, k, s, u, x and the space bar."""
LETTERS = "".join(sorted(set("efjksux?/")))


def row(page, key=SWITCH):
    return page.locator(f'.flag[data-flag="{key}"]')


def switch_on(server, page):
    """Switches the flag on in the list, with other flags around it."""
    page.goto(server.url("/"))
    row(page).locator("button[value=on]").click()
    expect(row(page).locator(".notice")).to_contain_text("Turned on.")
    return server.file.read_bytes()


def switch_on_its_page(server, page):
    page.goto(server.url(flag_path(SWITCH)))
    page.locator(".card-editor input[value=true]").check()
    page.locator(".card-editor button[value=set]").click()
    expect(page.locator(".notice")).to_contain_text("Turned on.")
    return server.file.read_bytes()


def expect_nothing_done(server, page, before):
    """No flag is changed, ticked, opened or a favourite, and the page is still there."""
    expect(page.locator("#selection:visible")).to_have_count(0)
    expect(page.locator("main input[name=key]:checked")).to_have_count(0)
    expect(page.locator(".opened, .flag-name > .star, dialog[open]")).to_have_count(0)
    assert server.file.read_bytes() == before
    assert not any(cookie["name"].startswith("flagboard-favourites") for cookie in page.context.cookies())


@pytest.mark.parametrize("by_key", [False, True], ids=["by mouse", "by keyboard"])
@pytest.mark.parametrize("start", [switch_on, switch_on_its_page], ids=["list", "page of the flag"])
def test_a_reason_is_typed_without_a_press_into_its_field(demo, open_page, start, by_key):
    page = open_page()
    before = start(demo, page)
    summary = page.locator(".notice summary")
    if by_key:
        summary.focus()
        page.keyboard.press("Enter")
    else:
        summary.click()
    page.keyboard.type(SENTENCE)
    expect(page.locator(".notice input[name=reason]")).to_have_value(SENTENCE)
    page.keyboard.press("Enter")
    expect(page.locator(".notice")).to_contain_text("Reason added")
    expect_nothing_done(demo, page, before)
    assert SENTENCE in demo.get("/history").text


@pytest.mark.parametrize("place", [
    ".switching button", ".notice", ".notice summary", ".notice a, .notice button", "input[name=key]"])
def test_no_letter_is_a_command_where_a_control_or_a_notice_of_a_row_has_the_focus(demo, open_page, place):
    page = open_page()
    before = switch_on(demo, page)
    target = row(page).locator(place).first
    target.evaluate("element => { if (element.matches('.notice')) element.tabIndex = -1; element.focus(); }")
    expect(target).to_be_focused()
    page.keyboard.type(LETTERS)
    expect(target).to_be_focused()
    expect_nothing_done(demo, page, before)


@pytest.mark.parametrize("place", ["nav a[href='/history']", "#menu > summary", ".list-look > summary", "#q"])
def test_no_letter_is_a_command_in_the_menu_and_in_the_forms_of_a_page(demo, open_page, place):
    page = open_page()
    before = demo.file.read_bytes()
    page.goto(demo.url("/"))
    page.locator(place).first.focus()
    page.keyboard.type(LETTERS)
    expect(page.locator(place).first).to_be_focused()
    expect_nothing_done(demo, page, before)


@pytest.mark.parametrize("address, summary, field", [
    ("/", ".list-look > summary", "#sort"),
    ("/history", ".history-fields > summary", "#key"),
    ("/history/at", ".past-typed > summary", "#day"),
    ("/definitions/new", ".more-options > summary", ".more-options input:visible"),
    (flag_path(SWITCH), ".card-lock > details > summary", "#lock-reason"),
], ids=["look of the list", "filters of the history", "moment", "more of a definition", "lock"])
def test_a_field_that_unfolds_has_the_focus(shop, open_page, address, summary, field):
    page = open_page()
    page.goto(shop.url(address))
    page.locator(summary).click()
    expect(page.locator(field).first).to_be_focused()
    # A part that folds again takes no field with it.
    page.locator(summary).click()
    expect(page.locator(field).first).to_be_hidden()


def test_a_group_of_flags_that_unfolds_gives_no_box_the_focus(shop, open_page):
    page = open_page()
    page.goto(shop.url("/"))
    summary = page.locator("details[data-group] > summary").first
    summary.click()
    summary.click()
    expect(summary).to_be_focused()


def test_the_key_of_undo_leads_to_a_notice_that_names_the_change_and_changes_nothing(demo, open_page):
    page = open_page()
    before = switch_on(demo, page)
    # From the switch, Escape leads back to the row's name, where keys count again.
    page.keyboard.press("Escape")
    expect(row(page).locator(".name")).to_be_focused()
    page.keyboard.press("u")
    expect(row(page).locator(".notice")).to_be_focused()
    page.keyboard.press("u")
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    expect_nothing_done(demo, page, before)
    page.keyboard.press("Tab")
    expect(row(page).get_by_role("button", name="Undo change 1")).to_be_focused()
    page.keyboard.press("Enter")
    expect(row(page)).to_have_attribute("data-state", "overridden-off")


def test_after_a_press_of_escape_the_keys_of_the_list_go_on_from_the_row(demo, open_page):
    page = open_page()
    switch_on(demo, page)
    page.keyboard.press("j")
    expect(row(page).locator(".switching button").first).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(page.locator(".flag .name:focus")).to_have_count(1)
    expect(row(page).locator(".name")).not_to_be_focused()
    page.keyboard.press("e")
    expect(page.locator(".opened")).to_have_count(1)
