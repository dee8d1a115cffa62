"""Flags are changed where they stand, changes are undone, and each type has an editor of its own."""

import base64
import datetime
import json
import plistlib
import re

import pytest
from browsers import keep_unaware
from harness import flag_path
from playwright.sync_api import expect
from samples import write

KEY = "checkout/guest_checkout"
DATE = "checkout/free_delivery_until"
WORDS = "appearance/theme/accent_colour"


def row(page, key=KEY):
    return page.locator(f'[data-flag="{key}"]')


def press(page, name, key=KEY):
    row(page, key).locator(f"button[value={name}]").click()


def save(page):
    consent = page.get_by_label("I understand this takes effect after the app restarts")
    if consent.count():
        consent.check()
    page.locator("button[name=action][value=set]").click()


def only_documents(page):
    """Counts the pages that are loaded from now on."""
    loaded = []
    page.on("request", lambda request: request.is_navigation_request() and loaded.append(request.url))
    return loaded


def test_a_boolean_is_changed_in_the_list_and_its_row_says_what_it_is_now(demo, page):
    page.goto(demo.url("/?q=checkout"))
    press(page, "on")
    expect(row(page)).to_have_attribute("data-state", "overridden-on")
    expect(row(page).locator(".notice")).to_contain_text("Turned on.")
    switch = row(page).get_by_role("group", name="Guest checkout")
    expect(switch.locator(".switch.is-on")).to_have_accessible_name("On")
    expect(switch.locator(".switch.is-on")).to_have_accessible_description("Turn off")
    expect(switch.get_by_role("button", name="Reset")).to_have_attribute("title", re.compile("^Reset to default"))
    press(page, "reset")
    expect(row(page)).to_have_attribute("data-state", re.compile("^(on|off)$"))
    expect(page.locator(".notice")).to_have_count(1)
    expect(page.locator("input[name=q]")).to_have_value("checkout")


def test_a_change_in_the_list_is_undone_by_one_button(demo, page):
    before = demo.file.read_bytes()
    page.goto(demo.url("/?state=off"))
    assert row(page).count() == 1
    press(page, "on")
    page.get_by_role("button", name=re.compile("^Undo change 1: set Local to off")).click()
    expect(row(page)).to_have_attribute("data-state", "overridden-off")
    assert demo.file.read_bytes() == before
    page.goto(demo.url("/history"))
    expect(page.locator("[data-change]").first).to_contain_text("Undo change 1")


def test_a_notice_can_be_dismissed_and_leaves_the_focus_at_the_flag(demo, open_page):
    page = open_page()
    page.goto(demo.url("/"))
    press(page, "on")
    page.locator(".notice").get_by_role("button", name="Dismiss").click()
    expect(page.locator(".notice")).to_have_count(0)
    assert page.evaluate("document.activeElement.matches('.switch')")
    page.goto(demo.url(flag_path("checkout/delivery_fee")))
    page.locator("input[name=value]").fill("3.5")
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(page.locator("[data-change] .deed").first).to_have_text(re.compile(r"^\w+ set it back "))
    page.locator(".notice").get_by_role("button", name="Dismiss").click()
    expect(page.locator(".notice")).to_have_count(0)


def test_three_switches_of_the_list_are_undone_in_three_presses(demo, open_page):
    before = plistlib.loads(demo.file.read_bytes())
    page = open_page()
    page.goto(demo.url("/"))
    switches = ".switching button:is([value=on], [value=off])"
    keys = page.locator(f".flag:has({switches})").evaluate_all("rows => rows.slice(0, 3).map((row) => row.dataset.flag)")
    assert len(keys) == 3
    rows = [page.locator(f'.flag[data-flag="{key}"]') for key in keys]
    for number, changed in enumerate(rows, 1):
        changed.locator(switches).first.click()
        expect(changed.locator(f'.notice[data-made="{number}"]')).to_be_visible()
    assert plistlib.loads(demo.file.read_bytes()) != before
    for number, changed in enumerate(rows, 4):
        changed.locator(".undo button").click()
        expect(changed.locator(f'.notice[data-made="{number}"]')).to_be_visible()
    assert plistlib.loads(demo.file.read_bytes()) == before


def test_a_switch_in_the_list_is_given_its_reason_in_the_notice_and_the_history_shows_both(demo, page):
    page.goto(demo.url("/?q=checkout"))
    press(page, "on")
    notice = row(page).locator(".notice")
    notice.get_by_text("Add reason", exact=True).click()
    notice.get_by_label("Reason", exact=True).fill("Asked for by sales.")
    notice.get_by_role("button", name="Save the reason for change 1").click()
    expect(notice).to_contain_text("Reason added.")
    expect(notice.get_by_text("Add reason", exact=True)).to_have_count(0)
    expect(page.locator("input[name=q]")).to_have_value("checkout")
    expect(row(page)).to_have_attribute("data-state", "overridden-on")
    held = demo.file.read_bytes()
    page.goto(demo.url("/history"))
    change = page.locator("[data-change='1']")
    expect(change.locator(".later-reason")).to_contain_text("Asked for by sales.")
    expect(change.locator(".reason-by")).to_contain_text("added by")
    expect(page.locator("[data-change='2']")).to_contain_text("added a reason for a change to Guest checkout")
    page.locator("[data-change='2']").get_by_role("link", name="change 1", exact=True).click()
    expect(page.get_by_role("heading", name="Change 1", exact=True)).to_be_visible()
    expect(page.locator(".later-reason")).to_contain_text("Asked for by sales.")
    assert demo.file.read_bytes() == held


def test_after_a_reason_was_added_the_switch_is_undone_by_the_same_button(demo, page):
    before = demo.file.read_bytes()
    page.goto(demo.url("/?state=off"))
    press(page, "on")
    notice = page.locator(".notice")  # without script, the flag is no more in the list
    notice.get_by_text("Add reason", exact=True).click()
    notice.get_by_label("Reason", exact=True).fill("A try")
    notice.get_by_label("Reason", exact=True).press("Enter")
    expect(notice).to_contain_text("Reason added.")
    page.get_by_role("button", name=re.compile("^Undo change 1: set Local to off")).click()
    expect(row(page)).to_have_attribute("data-state", "overridden-off")
    assert demo.file.read_bytes() == before


def test_a_reason_that_is_being_typed_stays_while_another_flag_is_switched(demo, open_page):
    page = open_page()
    page.goto(demo.url("/"))
    press(page, "on")
    row(page).locator(".notice").get_by_text("Add reason", exact=True).click()
    field = row(page).get_by_label("Reason", exact=True)
    field.fill("Asked for")
    other = row(page, "appearance/compact_rows")
    other.locator(".switching .switch").click()
    expect(other.locator(".notice")).to_be_visible()
    expect(field).to_have_value("Asked for")
    expect(row(page).locator(".notice .undo")).to_have_count(1)
    expect(other.locator(".notice .undo")).to_have_count(1)
    field.press("Enter")
    expect(row(page).locator(".notice")).to_contain_text("Reason added.")


def test_a_reason_is_added_on_the_page_of_a_change_and_of_a_flag(demo, page):
    page.goto(demo.url(flag_path("checkout/maximum_basket_items")))
    page.locator("[name=value]").fill("175")
    save(page)
    notice = page.locator(".notice")
    notice.get_by_text("Add reason", exact=True).click()
    notice.get_by_label("Reason", exact=True).fill("More of them")
    notice.get_by_role("button", name="Save the reason for change 1").click()
    expect(page.locator(".notice")).to_contain_text("Reason added.")
    expect(page.locator(".notice")).to_be_focused()
    expect(page.locator("[data-effective]")).to_have_text("175")
    expect(page.locator("[data-change='1'] .later-reason")).to_contain_text("More of them")
    page.goto(demo.url("/history/1"))
    page.get_by_text("Add reason", exact=True).click()
    page.get_by_label("Reason", exact=True).fill("And they stay")
    page.get_by_role("button", name="Save the reason for change 1").click()
    expect(page.locator(".notice")).to_contain_text("Reason added.")
    expect(page.locator(".later-reason > p:first-child")).to_have_text(["More of them", "And they stay"])


def test_undo_is_refused_where_somebody_changed_the_flag_meanwhile(demo, page):
    keep_unaware(page)  # else it takes the button away as soon as it hears of the other change
    page.goto(demo.url(flag_path("checkout/maximum_basket_items")))
    page.locator("[name=value]").fill("175")
    save(page)
    demo.change("checkout/maximum_basket_items", "set", "180")
    page.locator(".notice").get_by_role("button", name="Undo change 1").click()
    expect(page.get_by_role("alert")).to_contain_text("This flag changed while you were editing")
    expect(page.locator("[data-effective]")).to_have_text("180")
    page.get_by_role("link", name="Keep current").click()
    expect(page.locator("[name=value]")).to_have_value("180")


def test_with_script_nothing_is_loaded_anew_and_the_change_is_announced(demo, open_page):
    page = open_page()
    page.goto(demo.url("/?q=checkout"))
    page.evaluate("window.isStillHere = true")
    loaded = only_documents(page)
    press(page, "on")
    expect(row(page)).to_have_attribute("data-state", "overridden-on")
    expect(row(page).locator(".switch")).to_be_focused()
    expect(page.locator("body > [role=status]")).to_have_text("Guest checkout: Turned on.")
    page.keyboard.press("Enter")
    expect(row(page)).to_have_attribute("data-state", "overridden-off")
    row(page).locator(".undo button").click()
    expect(row(page)).to_have_attribute("data-state", "overridden-on")
    assert page.evaluate("window.isStillHere")
    assert loaded == []


def test_after_ones_own_change_the_counts_of_the_list_are_those_of_now_and_the_row_stays(demo, open_page):
    page = open_page()
    page.goto(demo.url("/?state=off"))
    count, state = page.locator("[data-count]"), page.locator(".facets section").filter(has_text="State")
    before = int(count.inner_text().split()[0])
    off = state.get_by_role("link", name=re.compile("^Off ")).locator(".tally")
    press(page, "on")
    expect(count).to_have_text(f"{before - 1} of 44 flags")
    expect(off).to_have_text(str(before - 1))
    expect(page.get_by_role("link", name=re.compile("^Export [0-9]"))).to_have_text(f"Export {before - 1} flags")
    expect(row(page).locator(".switch")).to_be_focused()
    expect(page.locator(".live-more")).to_have_count(0)
    row(page).locator(".undo button").click()
    expect(count).to_have_text(f"{before} of 44 flags")
    expect(off).to_have_text(str(before))
    expect(row(page)).to_have_attribute("data-state", "overridden-off")


def test_criteria_that_are_unfolded_stay_so_after_a_change_though_others_come_and_go(serve, tmp_path, open_page):
    flags = [
        {"key": f"group_{number}/flag", "type": "bool", "default": False, "tags": [f"tag {number:02}"]}
        for number in range(13)
    ]
    flags[0]["tags"] += ["tag 13"]
    server = serve(write(tmp_path / "many", {}, flags))
    page = open_page()
    page.goto(server.url("/?state=off"))
    more = page.locator(".facets .more")
    expect(more).to_have_text([re.compile("3 more.*Group 12", re.S), re.compile("4 more.*tag 13", re.S)])
    more.nth(1).locator("summary").click()
    # Of the twelve groups that are left, none is folded away.
    press(page, "on", "group_12/flag")
    expect(more).to_have_text([re.compile("3 more.*tag 13", re.S)])
    expect(more).to_have_attribute("open", "")
    row(page, "group_12/flag").locator(".undo button").click()
    expect(more).to_have_count(2)
    expect(more.nth(0)).not_to_have_attribute("open", "")
    expect(more.nth(1)).to_have_attribute("open", "")


def test_a_change_that_is_refused_opens_the_row_with_both_values(demo, browser):
    # Not one of the pages that are watched: the refusal is first the answer to a script.
    page = browser.new_context().new_page()
    page.route("**/events*", lambda route: route.abort())  # a page that isn't told of the other change in time
    page.goto(demo.url("/"))
    demo.change(KEY, "set", "true")
    press(page, "reset")
    expect(row(page).get_by_role("alert")).to_contain_text("This flag changed while you were editing")
    expect(row(page).locator(".conflict")).to_contain_text("On")
    assert demo.get(flag_path(KEY)).text.count("data-change=") == 1
    page.context.close()


def test_by_keyboard_alone_a_boolean_is_changed_and_put_back(demo, open_page):
    page = open_page()
    page.goto(demo.url("/?q=guest"))
    row(page).locator(".name").focus()
    for _ in range(8):
        page.keyboard.press("Tab")
        if page.locator(".switching button[value=on]:focus").count():
            break
    outline = page.locator(":focus").evaluate("element => getComputedStyle(element).outlineStyle")
    assert outline != "none"
    page.keyboard.press("Space")
    expect(row(page)).to_have_attribute("data-state", "overridden-on")
    for _ in range(8):
        page.keyboard.press("Tab")
        if page.locator(".undo button:focus").count():
            break
    expect(page.locator(":focus")).to_have_text("Undo")
    page.keyboard.press("Enter")
    expect(row(page)).to_have_attribute("data-state", "overridden-off")


def test_what_waits_for_a_restart_is_changed_in_the_open_row_and_what_is_locked_says_so(demo, serve, open_page):
    page = open_page()
    page.goto(demo.url("/?state=restart"))
    assert row(page, "checkout/new_checkout").locator("form").count() == 0
    switch = row(page, "checkout/new_checkout").locator(".switch")
    expect(switch).to_have_text("On")
    # One press does not switch it; what it stands for is changed in the row that it opens.
    assert switch.evaluate("element => [element.localName, element.tabIndex]") == ["a", 0]
    switch.click()
    expect(page.get_by_role("heading", name="Edit Local")).to_be_in_viewport()
    expect(row(page, "checkout/new_checkout")).to_contain_text("takes effect after the app restarts")
    folder = demo.file.parent / "other"
    looking = serve(write(folder, {"on": True}, [{"key": "on", "type": "bool", "isLocked": True}]))
    page.goto(looking.url("/"))
    expect(row(page, "on")).to_contain_text("Locked")
    row(page, "on").locator("a.switch").press("Enter")
    expect(row(page, "on")).to_contain_text("An admin must unlock it")
    assert page.locator(".switching").count() == 0


def test_a_read_only_dashboard_has_no_control(serve, tmp_path, open_page):
    server = serve(write(tmp_path / "look", {"on": True}), "--read-only")
    page = open_page()
    page.goto(server.url("/"))
    expect(page.locator(".banner")).to_contain_text("Changes are turned off.")
    assert page.locator(".switching").count() == 0


def test_each_change_is_put_back_from_the_flags_page_also_after_a_reload(demo, page):
    for value in ("175", "180"):
        demo.change("checkout/maximum_basket_items", "set", value)
    page.goto(demo.url(flag_path("checkout/maximum_basket_items")))
    page.reload()
    history = page.get_by_role("region", name="History")
    buttons = history.get_by_role("button", name=re.compile("change [12]:"))
    expect(buttons).to_have_text(["Undo", "Revert"])
    buttons.last.click()
    expect(page.locator(".notice")).to_contain_text("Undone. Back to 150.")
    page.wait_for_load_state()
    expect(history.locator("[data-change]").first).to_contain_text("Back to before change 1")
    page.reload()
    history.get_by_role("button", name="Undo change 3: set Local to 180").click()
    expect(page.locator("[data-effective]")).to_have_text("180")


def test_the_editor_comes_first_with_the_definition_beside_it_and_the_history_below(shop, open_page):
    page = open_page(viewport={"width": 1280, "height": 900})
    page.goto(shop.url(flag_path("checkout/maximum_basket_items")))
    titles = page.locator("article h2").all_inner_texts()
    assert titles == ["Value", "Edit Local", "Why this value", "Definition", "Lock", "Swift", "History"]
    editor, definition = (
        page.get_by_role("heading", name=name, exact=True).bounding_box() for name in ("Edit Local", "Definition"))
    assert editor["x"] + editor["width"] < definition["x"]
    expect(page.get_by_role("heading", name="Edit Local")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Definition", exact=True)).to_be_in_viewport()
    expect(page.locator("#lock-reason")).to_be_hidden()
    snippet = page.locator("pre[aria-labelledby=snippet-title]")
    expect(snippet).to_be_hidden()
    page.get_by_role("heading", name="Swift").click()
    assert snippet.evaluate("pre => pre.scrollHeight <= pre.clientHeight"), "nothing of it is cut off"


def test_a_number_is_changed_with_a_reason_in_four_steps_by_keyboard(demo, page):
    page.goto(demo.url(flag_path("checkout/maximum_basket_items")))
    page.locator("#editor-title").evaluate("title => { title.tabIndex = -1; title.focus(); }")
    page.keyboard.press("Tab")
    expect(page.locator("#value")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("160")
    for _ in range(2):
        page.keyboard.press("Tab")
        if page.locator("#reason:focus").count():
            break
    expect(page.locator("#reason")).to_be_focused()
    page.keyboard.type("Sale")
    page.keyboard.press("Enter")
    expect(page.locator("[data-effective]")).to_have_text("160")


def test_a_change_that_changes_nothing_is_no_success(demo, page):
    page.goto(demo.url(flag_path("checkout/maximum_basket_items")))
    save(page)
    expect(page.locator(".notice.banner-info")).to_contain_text("No changes: already set to that value.")
    expect(page.locator(".banner-success")).to_have_count(0)


def test_a_colour_has_a_swatch_and_a_picker_that_follows_the_text(demo, open_page):
    page = open_page()
    page.goto(demo.url(flag_path(WORDS)))
    field, picker = page.locator("#value"), page.get_by_label("Pick a colour")
    held = field.input_value()
    expect(page.get_by_role("img", name=f"The colour {held}").locator("rect")).to_have_attribute("fill", held)
    expect(picker).to_have_value(held.lower())
    picker.fill("#00aa55")
    expect(field).to_have_value("#00aa55")
    field.fill("#ABCDEF")
    expect(picker).to_have_value("#abcdef")
    picker.fill("#0000ff")
    expect(field).to_have_value("#0000FF")
    save(page)
    expect(page.get_by_role("img", name="The colour #0000FF")).to_be_visible()
    without = open_page(java_script_enabled=False)
    without.goto(demo.url(flag_path(WORDS)))
    expect(without.get_by_role("img", name="The colour #0000FF")).to_be_visible()
    expect(without.get_by_label("Pick a colour")).to_have_count(0)


def test_an_expired_and_a_retired_flag_say_what_comes_next(serve, tmp_path, page):
    flags = [
        {"key": "old", "type": "bool", "owner": "Ann", "expires": datetime.datetime(2020, 1, 2)},
        {"key": "gone", "type": "bool", "retired": "Delivery is free now"},
    ]
    server = serve(write(tmp_path / "ends", {}, flags))
    page.goto(server.url("/flags/old"))
    expect(page.locator(".ending")).to_contain_text("Expired on 2020-01-02 · Owner: Ann")
    expect(page.locator(".ending")).to_contain_text("Remove it from your code, then delete it here. To keep it, set a later expiry date.")
    page.goto(server.url("/flags/gone"))
    expect(page.locator(".ending")).to_contain_text("Deprecated: Delivery is free now · No owner")
    page.locator(".ending").get_by_role("link", name="Edit definition").click()
    page.wait_for_url("**/definitions/gone")


def test_a_slider_moves_the_number_and_follows_it(demo, open_page):
    page = open_page()
    page.goto(demo.url(flag_path("checkout/maximum_basket_items")))
    field, slider = page.locator("#value"), page.get_by_role("slider")
    assert [field.get_attribute(f"data-{name}") for name in ("minimum", "maximum", "step")] == ["1", "999", "1"]
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(field).to_have_value("151")
    field.fill("999")
    expect(slider).to_have_value("999")
    field.fill("1000")
    save(page)
    expect(page.locator("#value-problem")).to_contain_text("Must be 999 or less")
    expect(field).to_have_value("1000")
    field.fill("12")
    save(page)
    expect(page.locator("[data-effective]")).to_have_text("12")


def test_a_browser_checks_a_pattern_before_it_sends_a_text(demo, page):
    page.goto(demo.url(flag_path(WORDS)))
    field = page.locator("#value")
    field.fill("green")
    save(page)
    assert field.evaluate("field => field.validity.patternMismatch")
    field.fill("#00ff00")
    save(page)
    expect(page.locator("[data-effective]")).to_have_text('"#00ff00"')


def test_the_empty_text_and_no_value_are_two_things(demo, page):
    page.goto(demo.url(flag_path("checkout/notice")))
    page.locator("#value").fill("")
    save(page)
    expect(page.locator(".notice")).to_contain_text("Set to empty text.")
    expect(page.locator("#value-held")).to_contain_text("Currently empty.")
    page.locator("button[value=reset]").click()
    expect(page.locator(".notice")).to_contain_text("Reset to")
    expect(page.locator("form[data-editor]")).to_contain_text("Not set.")


def test_without_script_a_picked_time_is_read_with_its_zone(demo, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(demo.url(flag_path(DATE)))
    page.get_by_label("Date and time").fill("2027-07-01T12:30:00")
    page.get_by_label("Time zone").select_option("Europe/Berlin")
    save(page)
    expect(page.locator("[data-effective]")).to_have_text("2027-07-01 10:30:00 UTC")
    text = page.locator("#value").input_value()
    page.get_by_label("Date and time").fill("2027-03-28T02:30:00")
    page.get_by_label("Time zone").select_option("Europe/Berlin")
    save(page)
    expect(page.locator("#value-problem")).to_contain_text(
        "2027-03-28 02:30 doesn’t exist in Europe/Berlin, because clocks go forward at that time.")
    expect(page.locator("#value")).to_have_value(text)
    expect(page.get_by_label("Date and time")).to_have_value("2027-03-28T02:30")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Berlin")


def test_with_script_the_picker_and_the_text_follow_each_other(demo, open_page):
    page = open_page(timezone_id="America/New_York")
    page.goto(demo.url(flag_path(DATE)))
    text, picked, zone = page.locator("#value"), page.get_by_label("Date and time"), page.get_by_label("Time zone")
    expect(picked).to_have_value(text.input_value()[:16])
    picked.fill("2027-07-01T12:30:00")
    expect(text).to_have_value("2027-07-01T12:30:00Z")
    zone.select_option(label="America/New_York (this browser)")
    expect(text).to_have_value("2027-07-01T16:30:00Z")
    picked.fill("2027-03-14T02:30:00")
    expect(page.locator(".picker")).to_contain_text("This time doesn’t exist in America/New_York")
    text.fill("2027-01-01T00:00:00+02:00")
    expect(picked).to_have_value("2026-12-31T17:00")
    save(page)
    expect(page.locator("[data-effective]")).to_have_text("2026-12-31 22:00:00 UTC")


def test_a_time_that_clocks_leap_over_can_not_be_saved(demo, open_page):
    page = open_page()
    page.goto(demo.url(flag_path(DATE)))
    expect(page.locator("#picked:not([name])")).to_be_visible()  # the script is there
    before = demo.file.read_bytes()
    text, picked, zone = page.locator("#value"), page.get_by_label("Date and time"), page.get_by_label("Time zone")
    picked.fill("2026-03-29T02:30:00")
    zone.select_option("Europe/Berlin")
    expect(page.locator(".picker")).to_contain_text("This time doesn’t exist in Europe/Berlin")
    expect(text).to_have_value("")
    save(page)
    expect(picked).to_be_focused()
    assert "doesn’t exist" in picked.evaluate("field => field.validationMessage")
    assert demo.file.read_bytes() == before
    picked.fill("2026-03-29T03:30:00")
    expect(text).to_have_value("2026-03-29T01:30:00Z")
    zone.select_option("UTC")
    picked.fill("2026-03-29T02:30:00")
    zone.select_option("Europe/Berlin")
    text.fill("2026-04-01T10:00:00Z")
    expect(picked).to_have_value("2026-04-01T12:00")
    save(page)
    expect(page.locator("[data-effective]")).to_have_text("2026-04-01 10:00:00 UTC")


def test_a_time_that_was_picked_before_the_script_was_there_is_taken(shop, open_page):
    page = open_page(timezone_id="Europe/Berlin")
    held = []
    page.route("**/editors.js", lambda route: held.append(route))
    with page.expect_request("**/editors.js"):
        page.goto(shop.url(flag_path(DATE)))
    page.get_by_label("Time zone").select_option("Europe/Berlin")
    page.get_by_label("Date and time").fill("2027-07-01T12:30:00")
    held.pop().continue_()
    expect(page.locator("#value")).to_have_value("2027-07-01T10:30:00Z")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Berlin")


@pytest.mark.parametrize(
    "typed, picked, said",
    [
        ("2026-02-30T10:00:00Z", "", "2026-02-30 isn’t a date."),
        ("2026-01-01T24:00:00Z", "", "This time doesn’t exist. Pick another one."),
        ("tomorrow", "", ""),
        ("2028-02-29", "2028-02-29T00:00", ""),
        ("2026-01-31 12:05", "2026-01-31T12:05", ""),
        ("0050-06-01T01:02:03.5-01:30", "0050-06-01T02:32:03", ""),
    ],
)
def test_the_picker_shows_the_moment_that_is_typed_and_no_other(shop, open_page, typed, picked, said):
    page = open_page()
    page.goto(shop.url(flag_path(DATE)))
    page.locator("#value").fill(typed)
    expect(page.get_by_label("Date and time")).to_have_value(picked)
    expect(page.locator(".picker").get_by_role("status")).to_have_text(said)


def test_an_address_of_the_web_can_be_opened(shop, open_page):
    page = open_page()
    page.goto(shop.url(flag_path("search/endpoint")))
    assert page.locator("#value").get_attribute("type") == "url"
    link = page.get_by_role("link", name="Open this address")
    assert link.get_attribute("href").startswith("https://") and link.get_attribute("rel") == "noreferrer"


def test_a_suggestion_goes_into_the_field_and_leaves_the_reason(shop, open_page):
    page = open_page()
    page.goto(shop.url(flag_path("checkout/delivery_fee")))
    field, reason = page.locator("#value"), page.locator("#reason")
    expect(page.get_by_role("slider")).to_be_visible()  # the script is there
    reason.fill("A new contract")
    loaded = only_documents(page)
    page.get_by_role("link", name="2.95").click()
    expect(field).to_have_value("2.95")
    expect(field).to_be_focused()
    expect(reason).to_have_value("A new contract")
    page.get_by_role("link", name="4.95").click()
    expect(field).to_have_value("4.95")
    assert loaded == []


def test_a_suggestion_is_shown_by_whatever_follows_the_field(serve, tmp_path, open_page):
    flags = [
        {"key": "words", "type": "array", "suggestions": [["one"], ["two", "three"]]},
        {"key": "text", "type": "string", "suggestions": ["one line", "two\nlines"]},
    ]
    server = serve(write(tmp_path / "suggested", {"words": ["a"], "text": "b"}, flags))
    page = open_page()
    page.goto(server.url("/flags/words"))
    expect(page.locator(".rows li")).to_have_count(1)
    page.locator("a.suggestion").nth(1).click()
    expect(page.get_by_label("Value of item 2")).to_have_value("three")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".notice")).to_contain_text(re.compile("Set to|Turned|Saved"))
    page.goto(server.url("/flags/text"))
    page.get_by_role("link", name="two").click()
    expect(page.locator("#value")).to_have_value("two\nlines")
    save(page)
    expect(page.locator(".notice")).to_contain_text(re.compile("Set to|Turned|Saved"))
    assert plistlib.loads(server.file.read_bytes()) == {"words": ["two", "three"], "text": "two\nlines"}


def test_where_a_suggestion_can_not_be_asked_for_its_link_is_followed(shop, open_page):
    page = open_page()
    page.goto(shop.url(flag_path("checkout/delivery_fee")))
    expect(page.get_by_role("slider")).to_be_visible()  # the script is there
    page.route("**suggestion=3", lambda route: route.fulfill(body="<p>no form</p>", content_type="text/html"), times=1)
    page.get_by_role("link", name="2.95").click()
    page.wait_for_url(re.compile("suggestion=3#editor-title$"))
    expect(page.locator("#value")).to_have_value("2.95")


@pytest.mark.parametrize(
    "typed, said, refused",
    [
        *(
            (typed, "this isn’t valid base64. Use groups of four characters", "enter data in base64.")
            for typed in ("zz", "aGVsbG8", "A===", "-_-_", "AA==AA==", "AA==\ufeff")
        ),
        *((typed, *["enter data in base64; this looks like hexadecimal"] * 2) for typed in ("85 20", "85\n20\nF0")),
    ],
)
def test_data_is_checked_as_it_is_typed_and_by_the_server(shop, open_page, typed, said, refused):
    page = open_page()
    page.goto(shop.url(flag_path("checkout/payment/public_key")))
    expect(page.locator(".helpers")).to_contain_text("bytes")
    page.locator("#value").fill(typed)
    expect(page.locator(".helpers .verdict-bad")).to_contain_text(said, ignore_case=True)
    expect(page.locator("form pre.hex")).to_be_hidden()
    save(page)
    expect(page.locator("#value-problem")).to_contain_text(refused, ignore_case=True)


def test_data_may_hold_white_space_anywhere(demo, open_page):
    page = open_page()
    page.goto(demo.url(flag_path("checkout/payment/public_key")))
    field = page.locator("#value")
    field.fill("zz")
    expect(page.locator(".helpers .verdict-bad")).to_be_visible()
    field.fill(" aGVs\n bG8\u00a0= ")
    expect(page.locator(".helpers")).to_have_text("5 bytes")
    expect(page.locator(".helpers .verdict-bad")).to_have_count(0)
    save(page)
    expect(page.locator("[data-effective]")).to_contain_text("aGVsbG8=")


def test_data_is_taken_from_a_file_and_shown_byte_by_byte(demo, open_page):
    page = open_page()
    page.goto(demo.url(flag_path("checkout/payment/public_key")))
    expect(page.locator("pre.hex").first).to_contain_text("0000  85 20 f0 09")
    content = b"Hello\0world"
    page.get_by_label("Upload file").set_input_files(
        {"name": "key.bin", "mimeType": "application/octet-stream", "buffer": content}
    )
    expect(page.locator("#value")).to_have_value(base64.b64encode(content).decode())
    expect(page.locator("form pre.hex")).to_contain_text("48 65 6c 6c 6f 00 77 6f 72 6c 64")
    expect(page.locator(".helpers")).to_have_text("11 bytes")
    save(page)
    expect(page.locator("[data-effective]")).to_contain_text("SGVsbG8Ad29ybGQ=")
    expect(page.locator("#file-hint")).to_contain_text("review it before saving")  # the script is there
    huge = {"name": "huge.bin", "mimeType": "application/octet-stream", "buffer": bytes(800_000)}
    page.get_by_label("Upload file").set_input_files(huge)
    expect(page.locator(".helpers")).to_contain_text("huge.bin has 800000 bytes; the limit is 786432.")


def test_of_large_data_the_beginning_is_shown_and_a_file_replaces_it(serve, tmp_path, page):
    server = serve(write(tmp_path / "large", {"blob": bytes(700 * 1024)}, [{"key": "blob", "type": "data"}]))
    page.goto(server.url("/flags/blob"))
    assert len(page.content()) < 100_000
    expect(page.locator("[data-effective]")).to_contain_text("716800 bytes, in base64: AAAA")
    expect(page.get_by_text("Only the beginning of 716800 bytes is shown.")).to_be_visible()
    expect(page.locator("[name=value]")).to_have_count(0)
    page.locator("#value-file").set_input_files({"name": "k", "mimeType": "application/octet-stream", "buffer": b"abc"})
    save(page)
    expect(page.locator(".notice")).to_be_focused()
    expect(page.locator("[data-effective]")).to_have_text("3 bytes, in base64: YWJj")
    page.locator("[data-change] a[href^='/history/']").first.click()
    expect(page.get_by_text("Only the beginning of 716800 bytes is shown.")).to_be_visible()


def test_data_is_sent_as_a_file_without_script(demo, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(demo.url(flag_path("checkout/payment/public_key")))
    chosen = {"name": "key.bin", "mimeType": "application/octet-stream", "buffer": bytes(800_000)}
    page.get_by_label("Upload file").set_input_files(chosen)
    page.locator("#reason").fill("New key")
    page.get_by_label("I understand this takes effect after the app restarts").check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_label("Upload file")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#file-problem")).to_contain_text("“key.bin” has 800000 bytes; the limit is 786432.")
    expect(page.locator("#reason")).to_have_value("New key")
    page.get_by_label("Upload file").set_input_files(chosen | {"buffer": b"Hello\0world"})
    save(page)
    expect(page.locator("[data-effective]")).to_contain_text("SGVsbG8Ad29ybGQ=")


def test_an_array_of_many_entries_is_edited_as_json_alone(serve, tmp_path, open_page):
    server = serve(write(tmp_path / "shop", {"list": list(range(501))}, [{"key": "list", "type": "array"}]))
    page = open_page()
    page.goto(server.url("/flags/list"))
    rows = page.locator(".rows")
    expect(page.get_by_role("tab", name="JSON")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="Items").click()
    expect(rows).to_contain_text("501 items. Lists of more than 500 can only be edited as JSON.")
    expect(rows.get_by_role("button", name="Add item")).to_be_disabled()
    as_json(page)
    page.locator("#value").fill("[1, 2]")
    page.get_by_role("tab", name="Items").click()
    expect(rows.locator("li")).to_have_count(2)
    expect(rows.get_by_role("button", name="Add item")).to_be_enabled()


def as_json(page):
    """Shows the text of an array or a dictionary in place of its items."""
    page.get_by_role("tab", name="JSON").click()


def test_items_write_the_dictionary_and_follow_it(demo, open_page):
    page = open_page()
    page.goto(demo.url(flag_path("networking/extra_headers")))
    text = page.locator("#value")
    page.get_by_label("Value of item 1").fill('a "b"')
    expect(text).to_have_value('{\n  "X-Environment": "a \\"b\\""\n}')
    page.get_by_role("button", name="Add item").click()
    expect(page.get_by_label("Key of item 2")).to_be_focused()
    page.keyboard.type("X-Environment")
    expect(page.locator(".rows")).to_contain_text("Item 2: duplicate key.")
    page.get_by_label("Key of item 2").fill("X-Trial")
    page.get_by_label("Value of item 2").fill("yes")
    page.get_by_role("button", name="Remove item 1").click()
    expect(text).to_have_value('{\n  "X-Trial": "yes"\n}')
    as_json(page)
    text.fill('{"one": "1", "two": "2", "three": "3"}')
    expect(page.locator(".rows li")).to_have_count(3)
    save(page)
    expect(page.locator("[data-effective]")).to_contain_text('"three": "3"')


@pytest.fixture
def items_of(serve, tmp_path, open_page):
    """Opens the page of a flag that holds an array or a dictionary."""

    def start(value):
        kind = "array" if isinstance(value, list) else "dictionary"
        server = serve(write(tmp_path / "rows", {"held": value}, [{"key": "held", "type": kind}]))
        page = open_page()
        page.goto(server.url("/flags/held"))
        return server, page

    return start


def test_items_keep_the_lines_of_texts_and_keys(items_of):
    server, page = items_of({"k\ny": "1\n2", "plain": "x"})
    keys = page.locator(".row-key")
    place = next(place for place in range(2) if keys.nth(place).input_value() == "plain")
    page.locator(".row-value").nth(place).fill("y")
    save(page)
    expect(page.locator(".banner-success")).to_be_visible()
    held = plistlib.loads(server.file.read_bytes())["held"]
    assert held == {"k\ny": "1\n2", "plain": "y"}
    lines = page.locator("textarea.row-value").first
    lines.press("End")
    lines.press_sequentially("!\n?")
    save(page)
    expect(page.locator("[data-effective]")).to_contain_text("!\\n?")


def add_item(page, number, kind=None, value=None, key=None):
    page.get_by_role("button", name="Add item").click()
    if kind:
        page.get_by_label(f"Type of item {number}").select_option(kind)
    if key is not None:
        page.get_by_label(f"Key of item {number}").fill(key)
    if value is not None:
        page.get_by_label(f"Value of item {number}").fill(value)


@pytest.mark.parametrize(
    "kind, typed, said",
    [
        ("Number", "1,5", "Item 2: enter a number"),
        ("Number", "address", "Item 2: enter a number"),
        ("Number", "1e999", "Item 2: enter a number"),
        ("JSON", "[1,", "Item 2: invalid JSON: line 1, column 4"),
    ],
)
def test_an_item_of_an_array_that_is_wrong_keeps_the_form_from_being_sent(items_of, kind, typed, said):
    server, page = items_of(["a"])
    before = server.file.read_bytes()
    add_item(page, 2, kind, typed)
    expect(page.locator(".rows")).to_contain_text(said)
    expect(page.locator(".helpers .verdict-bad")).to_contain_text("Fix the highlighted item first.")
    expect(page.get_by_role("button", name="Format the JSON", include_hidden=True)).to_be_disabled()
    save(page)
    wrong = page.get_by_label("Value of item 2")
    expect(wrong).to_be_focused()
    assert said in wrong.evaluate("field => field.validationMessage")
    assert server.file.read_bytes() == before
    wrong.fill("15")
    expect(page.locator(".verdict-good")).to_have_text("Valid JSON")
    save(page)
    expect(page.locator(".notice")).to_contain_text(re.compile("Set to|Turned|Saved"))
    expect(page.locator("#value")).to_have_value('[\n  "a",\n  15\n]')


@pytest.mark.parametrize("key, said", [("one", "Item 2: duplicate key."), ("", "Item 2 needs a key.")])
def test_an_item_of_a_dictionary_needs_a_key_of_its_own(items_of, key, said):
    server, page = items_of({"one": "1"})
    before = server.file.read_bytes()
    add_item(page, 2, value="2", key=key)
    expect(page.locator(".rows")).to_contain_text(said)
    assert page.locator(".verdict-good").count() == 0
    save(page)
    expect(page.get_by_label("Key of item 2")).to_be_focused()
    assert server.file.read_bytes() == before
    page.get_by_role("button", name="Remove item 2").click()
    save(page)
    expect(page.locator(".notice")).to_contain_text("No changes: already set to that value.")


def test_the_text_of_the_json_wins_over_items_that_are_wrong(items_of):
    _, page = items_of({"one": "1"})
    add_item(page, 2, value="2", key="one")
    as_json(page)
    page.locator("#value").fill('{"one": "3"}')
    page.get_by_role("tab", name="Items").click()
    expect(page.locator(".rows li")).to_have_count(1)
    expect(page.get_by_label("Value of item 1")).to_have_value("3")
    expect(page.locator(".rows [role=status]")).to_be_hidden()
    expect(page.locator(".verdict-good")).to_have_text("Valid JSON")
    add_item(page, 2, value="2", key="one")
    as_json(page)
    page.locator("#value").fill('{"one": ')
    expect(page.locator(".verdict-bad")).to_contain_text("the text ends too early")
    assert page.locator("form[data-editor]").evaluate("form => form.checkValidity()"), "the server is to say what is wrong"
    page.locator("#value").fill('{"one": "4"}')
    save(page)
    expect(page.locator("[data-effective]")).to_contain_text('"one": "4"')


@pytest.mark.parametrize("value", [["a"], {"one": "a"}])
def test_an_item_that_was_added_and_is_empty_does_not_go_into_the_json(items_of, value):
    _, page = items_of(value)
    text = page.locator("#value")
    before = json.loads(text.input_value())
    add_item(page, 2)
    expect(page.locator(".rows")).to_contain_text("Item 2 is empty and won’t be saved.")
    assert json.loads(text.input_value()) == before == value
    expect(page.locator(".verdict-good")).to_have_text("Valid JSON")
    # What was there before may be empty.
    page.get_by_label("Value of item 1").fill("")
    assert json.loads(text.input_value()) == ([""] if isinstance(value, list) else {"one": ""})


def test_an_item_that_is_wrong_is_not_replaced_by_what_somebody_else_changes(items_of):
    server, page = items_of(["a"])
    expect(page.locator("#live")).to_have_text("Live")
    add_item(page, 2, "Number", "x")
    page.get_by_role("button", name="Remove item 1").focus()
    server.change("held", "set", '["b"]')
    expect(page.locator(".live-warning")).to_contain_text("changed this flag")
    expect(page.get_by_label("Value of item 2")).to_have_value("x")


def test_items_of_an_array_are_moved_by_keyboard(items_of):
    server, page = items_of(["a", 2, True])
    text = page.locator("#value")
    page.get_by_role("button", name="Move item 3 up").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Move item 2 up")).to_be_focused()
    assert json.loads(text.input_value()) == ["a", True, 2]
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Move item 1 up")).to_be_focused()
    expect(page.get_by_role("button", name="Move item 1 up")).to_be_disabled()
    expect(page.locator(".rows").get_by_role("status")).to_have_text("Moved to position 1")
    page.keyboard.press("Enter")
    assert json.loads(text.input_value()) == [True, "a", 2]
    expect(page.get_by_label("Value of item 3")).to_have_value("2")
    save(page)
    expect(page.locator(".notice")).to_contain_text(re.compile("Set to|Turned|Saved"))
    assert plistlib.loads(server.file.read_bytes())["held"] == [True, "a", 2]


def test_items_of_a_dictionary_have_no_order(items_of):
    _, page = items_of({"one": "1", "two": "2"})
    expect(page.locator(".rows li")).to_have_count(2)
    assert page.get_by_role("button", name=re.compile("^Move")).count() == 0


def test_items_keep_numbers_as_they_are_written(serve, tmp_path, open_page):
    values = {"list": [18446744073709551615, 1.0, True, {"a": [1]}, "x"]}
    server = serve(write(tmp_path / "rows", values, [{"key": "list", "type": "array"}]))
    page = open_page()
    page.goto(server.url("/flags/list"))
    before = server.file.read_bytes()
    kinds = [page.get_by_label(f"Type of item {number}").input_value() for number in range(1, 6)]
    assert kinds == ["number", "number", "switch", "json", "text"]
    page.get_by_label("Value of item 3").select_option("Off")
    save(page)
    expect(page.locator(".notice")).to_contain_text(re.compile("Set to|Turned|Saved"))
    assert server.file.read_bytes() == before.replace(b"<true/>", b"<false/>")


@pytest.mark.parametrize(
    "typed, said",
    [
        ('{"a": 1', "line 1, column 8: expected a comma or }"),
        ('{\n  "a": 01}', "line 2, column 8: a number must start with a digit, and can't have leading zeros"),
        ('{"a": 1,\n "a": 2}', 'line 2, column 2: duplicate key "a"'),
        ("[1] x", "line 1, column 5: unexpected text after the value"),
        ('{"é": tru}', "line 1, column 10: expected true"),
        ('{"a": fals', "line 1, column 11: expected false"),
        ('["a\\x"]', "line 1, column 4: unknown escape; write a backslash as"),
        ('["\\ud800"]', "line 1, column 3: a surrogate pair is incomplete"),
        ('["a', "line 1, column 4: unclosed string"),
        ("[1., 2]", "line 1, column 4: expected a digit after the decimal point"),
        ("[1, 1e999]", "line 1, column 5: the number 1e999 is too large"),
        ("[" * 201 + "]" * 201, "line 1, column 201: nested more than 200 levels deep"),
        ('{"a": [1, null]}', "null at /a/1: a property list can't store null; remove the entry"),
        ('{"a": 18446744073709551616}', "18446744073709551616 at /a is out of range for an integer (-9223372036854775808 to"),
        ("7", "enter a JSON array or object"),
    ],
)
def test_json_is_checked_as_it_is_typed_and_by_the_server(shop, open_page, typed, said):
    page = open_page()
    page.goto(shop.url(flag_path("search/ranking")))
    expect(page.locator(".verdict-good")).to_have_text("Valid JSON")
    page.locator("#value").fill(typed)
    expect(page.locator(".verdict-bad")).to_contain_text(said, ignore_case=True)
    save(page)
    expect(page.locator("#value-problem")).to_be_visible()
    expect(page.locator("#value")).to_have_value(typed)
    if typed != "7":
        expect(page.locator("#value-problem")).to_contain_text(said, ignore_case=True)


def test_data_that_holds_json_takes_what_property_lists_can_not_store(serve, tmp_path, open_page):
    server = serve(write(tmp_path / "kept", {"held": b'{"a":1}'}, [{"key": "held", "type": "json"}]))
    page = open_page()
    page.goto(server.url("/flags/held"))
    page.locator("#value").fill('{"a": null}')
    expect(page.locator(".verdict-good")).to_have_text("Valid JSON")
    page.locator("#value").fill('{"a": nul}')
    expect(page.locator(".verdict-bad")).to_contain_text("expected null")
    page.locator("#value").fill('{"a": null, "b": 18446744073709551616}')
    save(page)
    expect(page.locator(".notice")).to_contain_text(re.compile("Set to|Turned|Saved"))
    assert plistlib.loads(server.file.read_bytes())["held"] == b'{"a":null,"b":18446744073709551616}'


@pytest.mark.parametrize(
    "values, storage, stored",
    [
        ({}, "data", b'{"a":null}'),
        ({"held": {"b": 1}}, "data", b'{"a":null}'),
        ({"held": b'{"b":1}'}, "dictionary", None),
    ],
)
def test_the_layout_that_the_definition_says_decides_whether_null_is_taken(
    serve, tmp_path, open_page, values, storage, stored
):
    server = serve(write(tmp_path / "kept", values, [{"key": "held", "type": "json", "storage": storage}]))
    page = open_page()
    page.goto(server.url("/flags/held"))
    page.locator("#value").fill('{"a": null}')
    if stored:
        expect(page.locator(".verdict-good")).to_have_text("Valid JSON")
        save(page)
        expect(page.locator(".notice")).to_contain_text(re.compile("Set to|Turned"))
        expect(page.locator("#value")).to_have_value('{\n  "a": null\n}')
        assert plistlib.loads(server.file.read_bytes())["held"] == stored
    else:
        said = "null at /a: a property list can't store null; remove the entry, or set storage to data in the flag's definition"
        expect(page.locator(".verdict-bad")).to_contain_text(said, ignore_case=True)
        save(page)
        expect(page.locator("#value-problem")).to_contain_text(said, ignore_case=True)


def test_json_is_laid_out_on_demand(shop, open_page):
    page = open_page()
    page.goto(shop.url(flag_path("search/ranking")))
    page.locator("#value").fill('{"b":[1,2.50,{}],"a":{"x":"\\u00e9"}}')
    page.get_by_role("button", name="Format").click()
    laid_out = '{\n  "b": [\n    1,\n    2.50,\n    {}\n  ],\n  "a": {\n    "x": "\\u00e9"\n  }\n}'
    expect(page.locator("#value")).to_have_value(laid_out)


def test_the_key_path_and_the_declaration_are_copied(shop, open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(shop.url(flag_path(KEY)))
    page.get_by_role("button", name="Copy the key path").click()
    expect(page.get_by_role("status").get_by_text("Copied the key path.")).to_be_attached()
    assert page.evaluate("navigator.clipboard.readText()") == KEY
    page.get_by_role("heading", name="Swift").click()
    page.get_by_role("button", name="Copy the Swift declaration").click()
    expect(page.get_by_role("status").get_by_text("Copied the Swift declaration.")).to_be_attached()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "@Flag(" in copied and "var guestCheckout: Bool" in copied
    without = open_page(java_script_enabled=False)
    without.goto(shop.url(flag_path(KEY)))
    expect(without.locator("pre[aria-labelledby=snippet-title]")).to_contain_text("var guestCheckout: Bool")
    assert without.get_by_role("button", name="Copy").count() == 0


def test_on_a_phone_a_switch_and_its_reset_stay_in_their_row(demo, open_page):
    page = open_page(viewport={"width": 320, "height": 700})
    page.goto(demo.url("/?q=checkout"))
    press(page, "on")
    expect(page.locator(".notice")).to_be_visible()
    for control in page.locator(".switching").all():
        box, card = control.bounding_box(), control.locator("xpath=ancestor::li").bounding_box()
        assert box["x"] + box["width"] <= card["x"] + card["width"]
    page.goto(demo.url("/"))
    for control in page.locator(".group .group .switching").all():
        assert len({round(button.bounding_box()["y"]) for button in control.locator("button").all()}) == 1
