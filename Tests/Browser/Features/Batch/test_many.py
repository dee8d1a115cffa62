"""Many flags at once: ticked in the list, looked at, and changed as one batch."""

import json
import plistlib
import re

import pytest
from pages import SIZES
from playwright.sync_api import expect
from samples import write
from tokens import make_token

FLAGS = [{"key": f"group/flag_{number}", "type": "bool", "default": False} for number in range(8)] + [
    {"key": "title", "type": "string"},
    {"key": "fixed", "type": "bool", "isLocked": True},
    {"key": "secret", "type": "bool", "isInternal": True},
]


@pytest.fixture
def server(serve, tmp_path):
    return serve(write(tmp_path / "many", {"group": {"flag_1": True}, "title": "x"}, FLAGS))


def box(page, key):
    return page.locator(f'[data-flag="{key}"] input[type=checkbox][name=key]')


def action(page):
    return page.get_by_label("Action", exact=True)


def preview(page, deed, value=None):
    action(page).select_option(label=deed)
    if value is not None:
        page.get_by_label("Value", exact=True).fill(value)
    page.get_by_role("button", name="Preview", exact=True).click()
    page.wait_for_url(re.compile(r"/batch\?preview="))


def apply(page, name="Apply"):
    """Applies the changes of a preview, which leads back to the list with a notice of them."""
    page.get_by_role("button", name=name).click()
    page.wait_for_url(re.compile(r"/\?([^/]*&)?noted="))


def batches(server):
    rows = [json.loads(line) for line in server.get("/export/history.jsonl").text.splitlines()]
    return [(row["key"], row["kind"], row["batch"]) for row in rows]


def test_ticked_flags_are_turned_on_as_one_batch(server, page):
    page.goto(server.url("/?q=flag"))
    for number in (0, 1, 3):
        box(page, f"group/flag_{number}").check()
    preview(page, "Turn on")
    expect(page.get_by_role("heading", level=1)).to_have_text("Turn on 3 flags")
    expect(page.get_by_role("status").first).to_have_text("2 changes, 1 unchanged")
    assert batches(server) == []
    apply(page)
    assert page.url.startswith(server.url("/?q=flag&noted="))
    told = page.locator(".notice")
    expect(told).to_contain_text("2 changes applied.")
    made = batches(server)
    assert [(key, kind) for key, kind, _ in made] == [("group/flag_0", "set"), ("group/flag_3", "set")]
    assert len({batch for _, _, batch in made}) == 1
    assert plistlib.loads(server.file.read_bytes())["group"] == {"flag_0": True, "flag_1": True, "flag_3": True}
    told.get_by_role("link", name="View changes").click()
    page.wait_for_url(re.compile(r"/history\?batch="))
    expect(page.locator("[data-change]")).to_have_count(2)
    assert sorted(page.locator(".change-flag").evaluate_all("links => links.map((link) => link.title)")) == [
        "group/flag_0", "group/flag_3"]


def test_the_reason_of_a_batch_is_added_from_its_notice(server, page):
    page.goto(server.url("/?q=flag"))
    for number in (0, 3):
        box(page, f"group/flag_{number}").check()
    preview(page, "Turn on")
    apply(page)
    notice = page.locator(".notice")
    notice.get_by_text("Add reason", exact=True).click()
    expect(notice.get_by_role("button", name="Save", exact=True)).to_have_count(0)
    notice.get_by_label("Reason").fill("Both at once")
    notice.get_by_label("Reason").press("Enter")
    expect(notice.get_by_role("status")).to_have_text("Reason added to 2 changes.")
    assert page.url.startswith(server.url("/?q=flag&noted="))
    rows = [json.loads(line) for line in server.get("/export/history.jsonl").text.splitlines()]
    assert [(row["key"], row["reason"]) for row in rows if row["kind"] == "note"] == [
        ("group/flag_0", "Both at once"), ("group/flag_3", "Both at once")]
    # What was done can still be undone.
    notice.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".notice")).to_contain_text("2 changes undone.")
    assert plistlib.loads(server.file.read_bytes())["group"] == {"flag_1": True}


def test_the_reason_of_a_batch_of_one_change_is_added_in_the_same_way(server, page):
    page.goto(server.url("/?q=flag"))
    box(page, "group/flag_0").check()
    preview(page, "Turn on")
    apply(page)
    notice = page.locator(".notice")
    notice.get_by_text("Add reason", exact=True).click()
    notice.get_by_label("Reason").fill("Too early")
    notice.get_by_role("button", name="Save", exact=True).click()
    expect(notice.get_by_role("status")).to_have_text("Reason added.")
    expect(notice.get_by_role("link", name="View change", exact=True)).to_be_visible()
    assert page.url.startswith(server.url("/?q=flag&noted="))


def test_a_batch_that_has_its_reason_asks_for_none(server, page):
    page.goto(server.url("/?q=flag"))
    box(page, "group/flag_0").check()
    preview(page, "Turn on")
    page.get_by_label("Reason").fill("Launch")
    apply(page)
    notice = page.locator(".notice")
    expect(notice).to_contain_text("1 change applied.")
    expect(notice.get_by_text("Add reason", exact=True)).to_have_count(0)


def test_a_tag_is_given_to_the_ticked_flags_and_found_by(server, page):
    page.goto(server.url("/?q=flag"))
    for number in (0, 3):
        box(page, f"group/flag_{number}").check()
    action(page).select_option(label="Add a tag")
    page.get_by_label("Tag", exact=True).fill("spring")
    page.get_by_role("button", name="Preview", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Add tag spring to 2 flags")
    apply(page)
    assert [(key, kind) for key, kind, _ in batches(server)] == [("group/flag_0", "redefine"), ("group/flag_3", "redefine")]
    page.goto(server.url("/?tag=spring"))
    expect(page.locator("[data-flag]")).to_have_count(2)


def test_a_tag_is_asked_for_before_the_form_is_sent(server, open_page):
    page = open_page()
    page.goto(server.url("/?q=flag"))
    box(page, "group/flag_0").check()
    action(page).select_option(label="Add a tag")
    tag = page.get_by_label("Tag", exact=True)
    for typed in ("", "  "):
        tag.fill(typed)
        page.get_by_role("button", name="Preview", exact=True).click()
        expect(tag).to_be_focused()
        assert page.url == server.url("/?q=flag") and not tag.evaluate("field => field.validity.valid")
    # What is not shown is not asked for.
    preview(page, "Turn on")
    expect(page.get_by_role("heading", level=1)).to_have_text("Turn on 1 flag")


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_the_list_stays_where_it_is_while_the_bar_is_used(large, open_page, size):
    page = open_page(viewport=SIZES[size], reduced_motion="reduce")
    page.goto(large.url("/"))
    page.locator("input[name=key]").first.check()
    before = page.evaluate("scrollY")
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight - scrollY") > 1000
    action(page).select_option(label="Add a tag")
    tag, button = page.get_by_label("Tag", exact=True), page.get_by_role("button", name="Preview", exact=True)
    for control in (action(page), tag, button):
        control.focus()
        expect(control).to_be_focused()
        assert page.evaluate("scrollY") == before


def test_what_is_refused_is_shown_and_the_rest_can_be_made(server, page):
    page.goto(server.url("/"))
    for key in ("title", "fixed", "group/flag_2"):
        box(page, key).check()
    preview(page, "Set value", "true")
    expect(page.locator("main")).to_contain_text("fixed is locked")
    apply(page, "Apply 2 changes, skip 1")
    assert plistlib.loads(server.file.read_bytes())["title"] == "true"


def test_a_preview_is_loaded_again_and_gone_back_to_and_shows_the_values_of_now(server, page):
    page.goto(server.url("/"))
    box(page, "group/flag_2").check()
    preview(page, "Turn on")
    row = page.locator(".batch-row")
    expect(row).to_have_class(re.compile("batch-change"))
    server.change("group/flag_2", "set", "true")
    page.reload()
    expect(row).to_contain_text("No change")
    server.change("group/flag_2", "reset")
    page.reload()
    apply(page, "Apply change")
    page.go_back()
    page.wait_for_url(re.compile(r"/batch\?preview="))
    expect(row).to_contain_text("No change")
    expect(page.locator("main")).to_contain_text("No changes")


def test_looking_anew_at_changes_keeps_the_reason(server, open_page):
    page = open_page()
    page.goto(server.url("/"))
    box(page, "group/flag_1").check()
    box(page, "title").check()
    preview(page, "Reset")
    expect(page.locator("#live")).to_have_text("Live")
    page.get_by_label("Reason").fill("Because of it")
    server.change("title", "set", "y")
    page.locator(".live-warning").get_by_role("link", name="Preview again").click()
    expect(page.locator(".live-warning")).to_have_count(0)
    expect(page.locator(".batch-row", has_text="title")).to_contain_text('"y"')
    expect(page.locator("#main")).to_be_focused()
    expect(page.get_by_label("Reason")).to_have_value("Because of it")
    apply(page)
    assert "title" not in plistlib.loads(server.file.read_bytes())


def test_a_batch_that_was_overtaken_comes_again_with_the_values_of_now_and_can_be_applied(server, page):
    page.goto(server.url("/"))
    for key in ("title", "group/flag_2"):
        box(page, key).check()
    preview(page, "Set value", "true")
    page.get_by_label("Reason").fill("for all")
    server.change("title", "set", "theirs")
    # A warning that comes meanwhile moves the button.
    page.get_by_role("button", name="Apply 2 changes").press("Enter")
    expect(page.get_by_role("alert").first).to_contain_text("Nothing was changed")
    row = page.locator(".batch-row", has_text="title")
    expect(row).to_contain_text("This flag changed since you previewed it.")
    expect(row.locator(".side-before")).to_contain_text("theirs")
    expect(page.get_by_label("Reason")).to_have_value("for all")
    apply(page, "Apply 2 changes")
    assert plistlib.loads(server.file.read_bytes())["title"] == "true"


def test_an_open_preview_warns_when_a_flag_among_its_changes_is_changed(server, open_page):
    page = open_page()
    page.goto(server.url("/"))
    box(page, "title").check()
    preview(page, "Set value", "mine")
    expect(page.locator("#live")).to_have_text("Live")
    server.change("group/flag_2", "set", "true")
    server.change("title", "set", "theirs")
    warning = page.locator(".live-warning")
    expect(warning).to_contain_text(re.compile(r"set title in Local at \d\d:\d\d UTC"))
    warning.get_by_role("link", name="Preview again").click()
    expect(page.locator(".batch-row .side-before")).to_contain_text("theirs")
    expect(warning).to_have_count(0)


def test_a_batch_is_undone_as_one_from_where_it_leads(server, page):
    before = server.file.read_bytes()
    page.goto(server.url("/?q=flag"))
    for number in (0, 3):
        box(page, f"group/flag_{number}").check()
    preview(page, "Turn on")
    page.get_by_role("button", name="Apply 2 changes").click()
    told = page.locator(".notice")
    expect(told).to_be_focused()
    told.get_by_role("button", name="Undo").click()
    expect(told).to_contain_text("2 changes undone.")
    assert plistlib.loads(server.file.read_bytes()) == plistlib.loads(before)
    assert len({batch for _, _, batch in batches(server)}) == 2


def test_a_refused_batch_stands_at_an_address_to_come_back_to(server, open_page):
    page = open_page()
    page.goto(server.url("/"))
    box(page, "title").check()
    preview(page, "Set value", "mine")
    server.change("title", "set", "theirs")
    page.get_by_role("button", name="Apply change").click()
    expect(page.get_by_role("alert").first).to_be_focused()
    page.wait_for_url(re.compile(r"/batch\?preview="))
    apply(page, "Apply change")
    page.go_back()
    expect(page.locator(".batch-row")).to_contain_text("No change")


def test_cancel_leads_back_to_the_search(server, page):
    page.goto(server.url("/?q=flag_4"))
    box(page, "group/flag_4").check()
    preview(page, "Reset")
    page.get_by_role("link", name=re.compile("^(Cancel|Back)$")).click()
    page.wait_for_url(server.url("/?q=flag_4"))
    assert batches(server) == []


def test_cancel_brings_back_what_was_selected_and_what_was_to_be_done(server, open_page):
    page = open_page()
    page.goto(server.url("/?q=flag_4"))
    box(page, "group/flag_4").check()
    page.get_by_role("searchbox").fill("flag_2")
    box(page, "group/flag_2").check()
    action(page).select_option(label="Add a tag")
    page.get_by_label("Tag", exact=True).fill("spring")
    page.get_by_role("button", name="Preview", exact=True).click()
    page.wait_for_url(re.compile(r"/batch\?preview="))
    page.reload()
    page.get_by_role("link", name="group/flag_2").click()
    page.wait_for_url(re.compile("/flags/"))
    page.go_back()
    page.get_by_role("link", name="Cancel").click()
    page.wait_for_url(server.url("/?q=flag_2"))
    expect(box(page, "group/flag_2")).to_be_checked()
    expect(page.locator("[data-selection-count]")).to_have_text("2 selected, 1 not on this page")
    expect(action(page)).to_have_value("tag")
    expect(page.get_by_label("Tag", exact=True)).to_have_value("spring")
    page.get_by_role("button", name="Preview", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Add tag spring to 2 flags")


def test_all_flags_of_the_list_are_selected_still_after_cancel(long, open_page):
    page = open_page()
    page.goto(long.url("/?q=flag"))
    box(page, "area_0/flag_003").check()
    everything = page.get_by_label("All 150 matching flags on all pages")
    everything.check()
    preview(page, "Turn on")
    page.get_by_role("link", name="Cancel").click()
    expect(page.locator("[data-selection-count]")).to_have_text("All 150 selected")
    everything.uncheck()
    expect(page.locator("[data-selection-count]")).to_have_text(re.compile("^1 of "))


def test_what_was_selected_does_not_come_back_another_way_or_after_it_was_applied(server, open_page):
    page = open_page()
    page.goto(server.url("/?q=flag"))
    box(page, "group/flag_2").check()
    preview(page, "Turn on")
    page.get_by_role("navigation").get_by_role("link", name="Flags", exact=True).click()
    page.wait_for_url(server.url("/"))
    expect(page.locator("#selection")).to_be_hidden()
    box(page, "group/flag_2").check()
    preview(page, "Turn on")
    apply(page, "Apply change")
    expect(page.locator("#selection")).to_be_hidden()
    page.go_back()
    page.get_by_role("link", name="Back", exact=True).click()
    page.wait_for_url(server.url("/"))
    expect(page.locator("#selection")).to_be_hidden()


def test_cancel_brings_back_what_was_selected_for_a_batch_that_was_overtaken(server, open_page):
    page = open_page()
    page.goto(server.url("/?q=title"))
    box(page, "title").check()
    preview(page, "Set value", "mine")
    server.change("title", "set", "theirs")
    page.get_by_role("button", name="Apply change").click()
    expect(page.get_by_role("alert").first).to_contain_text("Nothing was changed")
    # The script gives the page that address once it has begun.
    page.wait_for_url(re.compile(r"/batch\?preview="))
    page.get_by_role("link", name="Cancel").click()
    page.wait_for_url(server.url("/?q=title"))
    expect(box(page, "title")).to_be_checked()
    expect(page.get_by_label("Value", exact=True)).to_have_value("mine")


def test_locks_are_set_together(server, page):
    page.goto(server.url("/"))
    box(page, "group/flag_5").check()
    box(page, "group/flag_6").check()
    preview(page, "Lock")
    apply(page)
    assert [kind for _, kind, _ in batches(server)] == ["lock", "lock"]


@pytest.fixture
def long(serve, tmp_path):
    """A server of a list of two pages."""
    flags = [{"key": f"area_{number // 100}/flag_{number:03}", "type": "bool", "default": False} for number in range(150)]
    return serve(write(tmp_path / "long", {}, flags))


def test_flags_of_every_page_are_changed_together(long, page):
    page.goto(long.url("/?group=area_1"))
    assert page.get_by_label(re.compile("on all pages")).count() == 0, "a list of one page has nothing more to select"
    page.goto(long.url("/?q=flag"))
    box(page, "area_0/flag_003").check()
    page.get_by_label("All 150 matching flags on all pages").check()
    preview(page, "Turn on")
    expect(page.get_by_role("heading", level=1)).to_have_text("Turn on 150 flags")
    apply(page, "Apply 150 changes")
    assert len({batch for _, _, batch in batches(long)}) == 1 and len(batches(long)) == 150


def test_what_is_ticked_stays_so_on_the_next_page_of_the_list(long, open_page):
    page = open_page()
    page.goto(long.url("/"))
    box(page, "area_0/flag_003").check()
    page.get_by_role("link", name=re.compile("^Next")).first.click()
    page.wait_for_url(re.compile("page=2"))
    count = page.locator("[data-selection-count]")
    expect(count).to_have_text("1 selected, 1 not on this page")
    box(page, "area_1/flag_103").check()
    expect(count).to_have_text("2 selected, 1 not on this page")
    page.get_by_label("All 150 flags on all pages").check()
    expect(count).to_have_text("All 150 selected")
    page.get_by_label("All 150 flags on all pages").uncheck()
    preview(page, "Turn on")
    expect(page.get_by_role("heading", level=1)).to_have_text("Turn on 2 flags")
    # Elsewhere nothing is kept.
    page.goto(long.url("/history"))
    page.goto(long.url("/"))
    expect(page.locator("#selection")).to_be_hidden()


def test_the_bar_follows_counts_and_takes_ranges(server, open_page):
    page = open_page(viewport={"width": 1000, "height": 500})
    page.goto(server.url("/?q=group"))
    bar = page.locator("#selection")
    expect(bar).to_be_hidden()
    box(page, "group/flag_1").check()
    expect(bar).to_be_in_viewport()
    expect(bar.get_by_role("status")).to_have_text("1 of 8 selected")
    box(page, "group/flag_4").click(modifiers=["Shift"])
    expect(bar.get_by_role("status")).to_have_text("4 of 8 selected")
    box(page, "group/flag_3").click()
    box(page, "group/flag_2").click(modifiers=["Shift"])
    expect(bar.get_by_role("status")).to_have_text("2 of 8 selected")
    expect(page.get_by_label("Value", exact=True)).to_be_hidden()
    action(page).select_option(label="Set value")
    expect(page.get_by_label("Value", exact=True)).to_be_visible()
    page.get_by_role("button", name="Select all shown").click()
    expect(bar.get_by_role("status")).to_have_text("8 of 8 selected")
    bar.get_by_role("button", name="Clear").click()
    expect(bar).to_be_hidden()
    expect(box(page, "group/flag_0")).to_be_focused()


def test_what_is_ticked_stays_so_while_somebody_searches_and_is_sent_even_where_it_is_not_listed(server, open_page):
    page = open_page()
    page.goto(server.url("/?q=flag_1"))
    box(page, "group/flag_1").check()
    page.get_by_role("searchbox").fill("flag_2")
    box(page, "group/flag_2").check()
    expect(box(page, "group/flag_1")).to_have_count(0)
    counted = page.locator("#selection").get_by_role("status")
    expect(counted).to_have_text("2 selected, 1 not on this page")
    page.get_by_role("searchbox").fill("flag")
    expect(box(page, "group/flag_1")).to_be_checked()
    expect(box(page, "group/flag_2")).to_be_checked()
    page.get_by_role("searchbox").fill("flag_2")
    expect(counted).to_have_text("2 selected, 1 not on this page")
    preview(page, "Lock")
    expect(page.get_by_role("heading", level=1)).to_have_text("Lock 2 flags")
    page.go_back()
    page.locator("#selection").get_by_role("button", name="Clear").click()
    expect(page.locator("#selection")).to_be_hidden()
    page.get_by_role("searchbox").fill("flag")
    expect(box(page, "group/flag_1")).not_to_be_checked()


def test_what_was_ticked_is_ticked_after_going_back(server, open_page):
    page = open_page()
    page.goto(server.url("/"))
    box(page, "group/flag_5").check()
    preview(page, "Turn on")
    page.go_back()
    expect(page.locator("#selection")).to_be_visible(visible=box(page, "group/flag_5").is_checked())


def test_flags_are_ticked_and_changed_by_keyboard(server, open_page):
    page = open_page()
    page.goto(server.url("/?q=flag_7"))
    box(page, "group/flag_7").focus()
    page.keyboard.press("Space")
    action(page).focus()
    page.keyboard.type("Turn on")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Preview", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/batch\?preview="))
    expect(page.get_by_role("heading", level=1)).to_have_text("Turn on 1 flag")


def test_a_form_that_lacks_something_comes_back_with_what_was_chosen(server, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(server.url("/?q=flag&sort=key"))
    action(page).select_option(label="Add a tag")
    page.get_by_role("button", name="Preview", exact=True).click()
    problem = page.get_by_role("alert").filter(has_text="No flags are selected")
    expect(problem).to_be_focused()
    expect(action(page)).to_have_value("tag")
    box(page, "group/flag_2").check()
    page.get_by_label("Search", exact=True).fill("unsent")
    page.get_by_role("button", name="Preview", exact=True).click()
    tag = page.get_by_label("Tag", exact=True)
    expect(tag).to_be_focused()
    expect(tag).to_have_accessible_description(re.compile("Enter a tag"))
    expect(box(page, "group/flag_2")).to_be_checked()
    expect(box(page, "title")).to_have_count(0)
    tag.fill("spring")
    page.get_by_role("button", name="Preview", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Add tag spring to 1 flag")
    expect(page.get_by_role("link", name="Cancel")).to_have_attribute("href", "/?q=flag&sort=key")


def test_who_only_reads_has_no_boxes_and_nothing_is_made_for_them(guarded):
    headers = {"Authorization": f"Bearer {make_token(guarded.file, 'vic', 'viewer')}"}
    assert 'form="selection"' not in guarded.get("/", headers).text
    answer = guarded.post("/selected", {"key": "checkout/guest_checkout", "action": "on"}, headers)
    assert answer.status == 303
    answer = guarded.get(answer.headers["location"], headers)
    assert answer.status == 200 and "has the role viewer" in answer.text and ">No changes<" in answer.text
