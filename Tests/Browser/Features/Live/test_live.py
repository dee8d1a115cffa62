"""What others change appears in the pages that are open, and what somebody types there stays."""

import plistlib
import re

import pytest
from exhibits import two_providers
from harness import Server, flag_path, forms_in
from playwright.sync_api import expect
from samples import demonstration, write
from tokens import make_token

KEY = "checkout/delivery_fee"


@pytest.fixture
def pair(serve, tmp_path):
    """A server with two providers."""
    return serve(two_providers(tmp_path / "pair"), "--provider", "Team=team.xml")


def open_live(page, server, path):
    page.goto(server.url(path))
    expect(page.locator("#live")).to_have_text("Live")


def row(page, key=KEY):
    return page.locator(f'.flag[data-flag="{key}"]')


def value(page):
    return page.locator("[data-effective]")


def field(page):
    return page.locator("form:has([name=revision]) [name=value]")


def test_what_one_changes_another_sees_in_the_list_with_who_and_when(demo, open_page):
    watching, editing = open_page(), open_page()
    open_live(watching, demo, "/")
    watching.evaluate("window.isSamePage = true")
    editing.goto(demo.url(flag_path(KEY)))
    field(editing).fill("4.5")
    editing.locator("button[name=action][value=set]").click()

    expect(row(watching).locator("[data-effective]")).to_have_text("4.5")
    expect(row(watching).locator(".live-by")).to_have_text(re.compile(r"^Changed by \S+ at \d\d:\d\d UTC$"))
    expect(watching.locator("#announcer")).to_have_text(re.compile(rf"^\S+ set {KEY} in Local\.$"))
    assert watching.evaluate("window.isSamePage"), "the page was loaded anew"


def test_the_warning_in_a_form_names_the_new_value_of_the_environment_that_it_edits(serve, tmp_path, open_page):
    server = serve(two_providers(tmp_path / "two"), "--provider", "Production=team.xml:env")
    page = open_page()
    open_live(page, server, "/flags/ui/title?provider=Production")
    field(page).fill("Mine")
    headers = {"Content-Type": "application/json", "If-Match": "*", "Sec-Fetch-Site": "same-origin"}
    server.request("PUT", "/api/v1/flags/ui/title?provider=Production", b'{"value": "Theirs"}', headers)
    expect(page.locator(".live-warning")).to_contain_text("New value: \"Theirs\"")


def test_a_row_that_is_brought_up_to_date_keeps_the_focus(demo, open_page):
    page = open_page()
    open_live(page, demo, "/")
    row(page).locator("a.name").focus()
    demo.change(KEY, "set", "4.5")
    expect(row(page).locator("[data-effective]")).to_have_text("4.5")
    expect(row(page).locator("a.name")).to_be_focused()


def test_a_ticked_row_that_is_brought_up_to_date_stays_ticked(demo, open_page):
    page = open_page()
    open_live(page, demo, "/")
    ticked = row(page).get_by_role("checkbox")
    ticked.check()
    demo.change(KEY, "set", "4.5")
    expect(row(page).locator("[data-effective]")).to_have_text("4.5")
    expect(ticked).to_be_checked()
    switch = row(page, "checkout/guest_checkout")
    switch.get_by_role("checkbox").check()
    switch.locator("button[value=on]").click()
    expect(switch).to_have_attribute("data-state", "overridden-on")
    expect(page.locator("#selection").get_by_role("status")).to_have_text(re.compile("^2 of "))


def test_undo_stays_while_the_whole_list_is_brought_up_to_date_until_somebody_changes_the_flag(demo, open_page):
    page = open_page()
    open_live(page, demo, "/")
    switch = row(page, "checkout/guest_checkout")
    switch.locator("button[value=on]").click()
    undo = switch.get_by_role("button", name=re.compile("^Undo"))
    undo.focus()
    sound = demo.file.read_text()
    demo.file.write_text("<plist")
    expect(switch.locator(".switching")).to_have_count(0)
    demo.file.write_text(sound)
    expect(switch.locator(".switching")).to_be_visible()
    expect(undo).to_be_focused()
    demo.change("checkout/guest_checkout", "set", "false")
    expect(switch).to_have_attribute("data-state", "overridden-off")
    expect(undo).to_have_count(0)
    expect(switch.locator("a.name")).to_be_focused()


def test_a_reason_that_another_adds_appears_with_its_change_and_no_flag_counts_as_changed_by_it(demo, open_page):
    demo.change(KEY, "set", "4.5")
    page, change, listed = open_page(), open_page(), open_page()
    open_live(page, demo, flag_path(KEY))
    open_live(change, demo, "/history/1")
    open_live(listed, demo, "/")
    assert demo.post("/history/1/reason", {"reason": "Asked for by sales."}).status == 303
    expect(page.locator("[data-change='1'] .later-reason")).to_contain_text("Asked for by sales.")
    expect(change.get_by_text("A reason was added since this page was loaded.")).to_be_visible()
    change.locator(".live-more button").click()
    expect(change.locator(".later-reason")).to_contain_text("Asked for by sales.")
    demo.change("checkout/guest_checkout", "set", "true")
    expect(row(listed, "checkout/guest_checkout").locator(".live-by")).to_be_visible()
    expect(row(listed).locator(".live-by")).to_have_count(0)
    expect(page.locator(".live-by, .live-gone")).to_have_count(0)


def test_a_reason_that_another_adds_leaves_the_undo_of_a_row_and_comes_into_the_open_one(demo, open_page):
    page, opened = open_page(), open_page()
    open_live(page, demo, "/")
    switch = row(page, "checkout/guest_checkout")
    switch.locator("button[value=on]").click()
    undo = switch.get_by_role("button", name=re.compile("^Undo"))
    expect(undo).to_be_visible()
    open_live(opened, demo, "/?open=checkout/guest_checkout")
    assert demo.post("/history/1/reason", {"reason": "Asked for by sales."}).status == 303
    expect(row(opened, "checkout/guest_checkout").locator(".opened")).to_contain_text("Asked for by sales.")
    demo.change(KEY, "set", "4.5")
    for each in (page, opened):
        expect(row(each).locator(".live-by")).to_be_visible()
        expect(row(each, "checkout/guest_checkout").locator(".live-by")).to_have_count(0)
    expect(undo).to_be_visible()


def test_a_reason_is_no_change_of_the_definition_that_a_form_is_about(demo, open_page):
    page = open_page()
    open_live(page, demo, f"/definitions/{KEY}")
    page.locator("form.definition [name=owner]").fill("Me")
    change_definition(demo, KEY, type="double", description="Theirs")
    warning = page.locator("form.definition .live-warning")
    expect(warning).to_contain_text("changed the definition of this flag at")
    assert demo.post("/history/1/reason", {"reason": "Asked for by sales."}).status == 303
    # The stream tells of the broken file after the reason.
    demo.file.write_text("<plist")
    expect(page.locator(".banner-error[data-notice]")).to_contain_text("Can’t read flags.xml")
    expect(warning).to_have_count(1)
    expect(warning).to_contain_text("changed the definition of this flag at")


def test_what_another_program_does_to_the_file_appears_in_the_flag_and_its_history(serve, tmp_path, open_page):
    server = serve(write(tmp_path / "shop", {"limit": 5}, [{"key": "limit", "type": "integer"}]))
    page = open_page()
    open_live(page, server, "/flags/limit")
    sound = server.file.read_text()
    server.file.write_text(sound.replace("<integer>5", "<integer>8"))
    expect(value(page)).to_have_text("8")
    expect(field(page)).to_have_value("8")
    expect(page.locator("[data-change]")).to_have_count(1)
    expect(page.locator("#announcer")).to_have_text("limit was edited outside Flagboard.")

    field(page).fill("9")
    page.locator("button[name=action][value=set]").click()
    expect(page.locator("[role=status]").first).to_contain_text("Set to 9.")

    expect(page.locator("#live")).to_have_text("Live")
    server.file.write_text("<plist")
    expect(page.locator(".banner-error[data-notice]")).to_contain_text("Can’t read flags.xml")
    server.file.write_text(sound)
    expect(page.locator(".banner-error[data-notice]")).to_have_count(0)


def test_what_happens_to_the_file_between_a_page_and_its_stream_is_told_by_the_stream(serve, tmp_path, open_page):
    server = serve(write(tmp_path / "shop", {"limit": 5}, [{"key": "limit", "type": "integer"}]))
    page = open_page()

    def break_the_file(route):
        server.file.write_text("<plist")
        route.continue_()

    page.route("**/events?*", break_the_file, times=1)
    page.goto(server.url("/flags/limit"))
    expect(page.locator(".banner-error[data-notice]")).to_contain_text("Can’t read flags.xml")


def test_a_list_that_was_opened_while_the_file_was_broken_can_be_changed_once_it_is_mended(serve, tmp_path, open_page):
    server = serve(write(tmp_path / "shop", {"on": True}, [{"key": "on", "type": "bool"}]))
    sound = server.file.read_text()
    server.file.write_text("<plist")
    page = open_page()
    open_live(page, server, "/")
    expect(page.locator("#selection")).to_have_count(0)
    server.file.write_text(sound)
    row(page, "on").get_by_role("checkbox").check()
    expect(page.locator("#selection")).to_be_visible()
    expect(page.locator("#selection").get_by_role("status")).to_have_text("1 of 1 selected")


def test_a_form_that_is_filled_in_is_left_alone_and_warned_of(demo, open_page):
    page = open_page()
    open_live(page, demo, flag_path(KEY))
    field(page).fill("7.25")
    page.locator("[name=reason]").first.fill("A new contract")
    revision = page.locator("[name=revision]").first.input_value()
    demo.change(KEY, "set", "4.5")

    warning = page.locator(".live-warning")
    expect(warning).to_have_text(re.compile(r"^\S+ changed this flag at \d\d:\d\d UTC\. New value: 4\.5"))
    expect(value(page)).to_have_text("4.5")
    expect(page.locator("[data-change]")).to_have_count(1)
    expect(field(page)).to_have_value("7.25")
    expect(page.locator("[name=reason]").first).to_have_value("A new contract")
    assert page.locator("[name=revision]").first.input_value() == revision, "the edit is based on another state"

    warning.get_by_role("button", name="View").click()
    expect(value(page)).to_be_focused()
    # What was typed is still checked against what the other one has set.
    page.locator("button[name=action][value=set]").click()
    expect(page.locator("[role=alert]").first).to_contain_text("Not saved")
    expect(field(page)).to_have_value("7.25")

    demo.change(KEY, "set", "5")
    expect(page.locator(".live-warning")).to_contain_text("New value: 5")
    expect(page.locator("#form-problem")).to_contain_text("Not saved")
    expect(field(page)).to_have_value("7.25")
    page.get_by_role("button", name="Discard my edits").click()
    expect(field(page)).to_have_value(re.compile(r"^5(\.0)?$"))


COLOUR = "appearance/theme/accent_colour"
EDITORS = [
    ("checkout/maximum_basket_items", "7", "input[type=range]"),
    ("checkout/free_delivery_until", "2027-01-01T00:00:00Z", "#zone option:text-is('America/New_York (this browser)')"),
    ("checkout/payment/public_key", "AAEC", ".helpers span:text-is('3 bytes')"),
    ("search/ranking", '{"a": 1}', ".helpers:has(.verdict-good) button"),
    ("networking/extra_headers", '{"a": "1"}', ".rows:has(li:only-child)"),
    (COLOUR, "#00aa55", "input[type=color]"),
]


@pytest.mark.parametrize("key, text, handy", EDITORS)
def test_an_editor_that_is_brought_up_to_date_is_as_handy_as_before(demo, open_page, key, text, handy):
    page = open_page(timezone_id="America/New_York")
    open_live(page, demo, flag_path(key))
    page.get_by_role("heading", name="Swift").click()
    copies = page.get_by_role("button", name="Copy the")
    expect(copies).to_have_count(2)
    before = field(page).input_value()
    demo.change(key, "set", text)
    expect(field(page)).not_to_have_value(before)
    expect(page.locator("[data-change]")).to_have_count(1)
    expect(page.locator(handy)).to_have_count(1)
    expect(copies).to_have_count(2)


def test_a_revert_that_waits_to_be_confirmed_stays_open_while_the_history_grows(demo, open_page):
    key = "checkout/new_checkout"
    demo.change(key, "set", "false")
    page = open_page()
    open_live(page, demo, flag_path(key))
    confirm = page.locator("#revert-1")
    confirm.locator("summary").click()
    demo.change(key, "set", "true")
    demo.change(key, "set", "false")
    expect(page.locator("[data-change]")).to_have_count(3)
    expect(confirm).to_have_attribute("open", "")
    expect(page.locator(".confirm-revert[open]")).to_have_count(1)


def test_the_focus_stays_on_a_button_behind_what_the_script_adds(demo, open_page):
    page = open_page()
    open_live(page, demo, flag_path("networking/extra_headers"))
    save = page.get_by_role("button", name="Save", exact=True)
    save.focus()
    demo.change("networking/extra_headers", "set", '{"X-Environment": "other"}')
    expect(page.get_by_label("Value of item 1")).to_have_value("other")
    expect(save).to_be_focused()


def test_rows_are_there_once_while_somebody_types_and_after_what_was_typed_is_discarded(demo, open_page):
    page = open_page()
    open_live(page, demo, flag_path("networking/extra_headers"))
    page.get_by_label("Value of item 1").fill("mine")
    demo.change("networking/extra_headers", "set", '{"X-Environment": "theirs"}')
    discard = page.locator(".live-warning").get_by_role("button", name="Discard my edits")
    expect(discard).to_be_visible()
    expect(page.get_by_label("Value of item 1")).to_have_value("mine")
    expect(page.locator(".rows")).to_have_count(1)
    discard.click()
    expect(page.get_by_label("Value of item 1")).to_have_value("theirs")
    expect(page.locator(".rows")).to_have_count(1)
    page.get_by_label("Value of item 1").fill("both")
    expect(field(page)).to_have_value('{\n  "X-Environment": "both"\n}')


@pytest.mark.parametrize("is_searched", [True, False])
def test_a_list_that_is_shown_anew_is_searched_and_folded_as_before(serve, tmp_path, open_page, is_searched):
    flags = [{"key": f"group/{name}", "type": "bool"} for name in ("one", "other", "two")]
    server = serve(write(tmp_path / "shop", {"group": {"one": True}}, flags))
    page = open_page()
    open_live(page, server, "/")
    page.locator(".list-look > summary").click()
    folding = page.get_by_role("button", name="Collapse all", exact=True)
    expect(folding).to_be_visible()
    if is_searched:
        page.get_by_role("searchbox").fill("o")
        page.wait_for_url(server.url("/?q=o"))
    values = server.file.read_text()
    server.file.write_text(values.replace("<key>one</key>", "<key>more</key>\n\t\t<true/>\n\t\t<key>one</key>"))
    page.locator(".live-more").get_by_role("button", name="Show").click()
    expect(row(page, "group/more")).to_be_visible()
    if not is_searched:
        page.locator(".list-look > summary").click()
        folding.click()
        expect(row(page, "group/more")).to_be_hidden()
    page.evaluate("window.isSamePage = true")
    page.get_by_role("searchbox").fill("two")
    expect(row(page, "group/more")).to_have_count(0)
    expect(row(page, "group/two")).to_be_visible()
    assert page.evaluate("window.isSamePage")


@pytest.fixture
def offered(serve, tmp_path, open_page):
    """A list that another flag has come to since, which it offers to show; and the file as it was."""
    server = serve(write(tmp_path / "shop", {"group": {"one": True}}, [{"key": "group/one", "type": "bool"}]))
    page = open_page()
    open_live(page, server, "/")
    values = server.file.read_text()
    server.file.write_text(values.replace("<key>one</key>", "<key>more</key>\n\t\t<true/>\n\t\t<key>one</key>"))
    expect(page.locator(".live-more")).to_contain_text("1 added.")
    return server, page, values


def test_an_offer_shows_what_there_is_when_it_is_taken(offered):
    _, page, _ = offered
    one = row(page, "group/one")
    one.locator("button[value=off]").click()
    expect(one).to_have_attribute("data-state", "overridden-off")
    page.locator(".live-more").get_by_role("button", name="Show").click()
    expect(row(page, "group/more")).to_be_visible()
    expect(one).to_have_attribute("data-state", "overridden-off")
    expect(page.locator(".live-more")).to_have_count(0)


def test_an_offer_goes_when_the_list_is_again_what_it_was(offered):
    server, page, values = offered
    server.file.write_text("<plist")
    expect(page.locator(".banner-error[data-notice]")).to_contain_text("Can’t read flags.xml")
    server.file.write_text(values)
    expect(page.locator(".banner-error[data-notice]")).to_have_count(0)
    expect(page.locator(".live-more")).to_have_count(0)


def test_an_offer_goes_when_somebody_searches(offered):
    server, page, _ = offered
    page.get_by_role("searchbox").fill("one")
    page.wait_for_url(server.url("/?q=one"))
    expect(page.locator(".live-more")).to_have_count(0)
    expect(page.locator("[data-count]")).to_have_text("1 of 2 flags")


def test_the_table_of_the_providers_shows_what_others_change(pair, open_page):
    page = open_page()
    open_live(page, pair, "/?view=providers")
    table_row = page.locator('.matrix [data-flag="ui/title"]')
    pair.change("ui/title", "set", "another")
    expect(table_row.locator("[data-provider=Local]")).to_contain_text('"another"')
    expect(table_row.get_by_role("rowheader").locator(".live-by")).to_have_text(re.compile("^Changed by "))
    (pair.file.parent / "team.xml").write_bytes(plistlib.dumps({"ui": {"title": "by hand"}}))
    expect(table_row.locator("[data-provider=Team]")).to_contain_text('"by hand"')


def test_a_page_says_that_its_flag_is_gone_until_it_is_back(serve, tmp_path, browser):
    server = serve(write(tmp_path / "shop", {"limit": 5, "other": 1}))
    page = browser.new_context().new_page()
    open_live(page, server, "/flags/limit")
    values = server.file.read_text()
    server.file.write_text(values.replace("<key>limit</key>\n\t<integer>5</integer>\n\t", ""))
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("This flag no longer exists. Last change: limit was edited outside Flagboard at")
    expect(notice.get_by_role("link", name="View history")).to_have_attribute("href", "/history?key=limit")
    server.file.write_text(values)
    expect(notice).to_have_count(0)
    page.context.close()


def test_a_page_says_that_its_flag_was_renamed_and_leads_there(demo, browser):
    page = browser.new_context().new_page()
    open_live(page, demo, flag_path(KEY))
    path = f"/definitions/{KEY}"
    form = next(form for form in forms_in(demo.get(path).text) if "newKey" in form)
    assert demo.post(path, form | {"action": "rename", "newKey": "delivery/fee"}).status == 303
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text(f"{KEY} was renamed to delivery/fee. Renamed by")
    notice.get_by_role("link", name="Go to delivery/fee").click()
    expect(page).to_have_url(demo.url("/flags/delivery/fee"))
    page.context.close()


def test_a_definition_that_is_edited_outside_is_not_told_as_a_new_value(demo, open_page):
    page = open_page()
    open_live(page, demo, flag_path(KEY))
    page.locator("#value").fill("9")
    manifest = demo.file.with_name("flags.manifest.xml")
    manifest.write_text(manifest.read_text().replace("What delivery costs", "What bringing it costs"))
    warning = page.locator(".live-warning")
    expect(warning).to_contain_text("The definition of this flag was edited outside Flagboard")
    expect(warning).not_to_contain_text("now")


def test_whoever_edits_a_definition_is_told_that_it_is_deleted(demo, open_page):
    page = open_page()
    path = f"/definitions/{KEY}"
    open_live(page, demo, path)
    page.locator("form.definition [name=owner]").fill("Me")
    form = next(form for form in forms_in(demo.get(path).text) if "confirmation" in form)
    assert demo.post(path, form | {"action": "delete", "confirmation": KEY}).status == 303
    warning = page.locator("form.definition .live-warning")
    expect(warning).to_contain_text("The definition no longer exists, so this form can’t be saved.")
    expect(warning.get_by_role("link")).to_have_attribute("href", "/history?key=checkout%2Fdelivery_fee")


def change_definition(server, key, **fields):
    path = f"/definitions/{key}"
    form = next(form for form in forms_in(server.get(path).text) if "owner" in form)
    assert server.post(path, form | {"action": "save"} | fields).status == 303


def lock(server, key, **_):
    form = next(form for form in forms_in(server.get(flag_path(key)).text) if set(form) == {"reason"})
    assert server.post(flag_path(key), form | {"action": "lock"}).status == 303


def change_in_team(server, key, **_):
    form = next(form for form in forms_in(server.get(f"{flag_path(key)}?provider=Team").text) if "revision" in form)
    assert server.post(flag_path(key), form | {"provider": "Team", "action": "set", "value": "x"}).status == 303


@pytest.mark.parametrize(
    "change, said",
    [
        (change_definition, "changed the definition of this flag at"),
        (lock, "locked this flag at"),
        (change_in_team, r'changed this flag in Team at \d\d:\d\d UTC\. This form edits Local\. Value in use: "the old title of this shop"'),
    ],
)
def test_whoever_fills_in_a_form_is_told_what_was_changed(pair, open_page, change, said):
    page = open_page()
    open_live(page, pair, "/flags/ui/title")
    field(page).fill("mine")
    change(pair, "ui/title", owner="Me", type="string")
    warning = page.locator(".live-warning")
    expect(warning).to_contain_text(re.compile(said))
    if change != change_in_team:
        expect(warning).not_to_contain_text("now")
    expect(field(page)).to_have_value("mine")


def test_whoever_edits_a_definition_is_told_that_it_is_not_what_it_was(demo, open_page):
    page = open_page()
    open_live(page, demo, f"/definitions/{KEY}")
    owner = page.locator("form.definition [name=owner]")
    before = owner.input_value()
    owner.fill("Me")
    demo.change("checkout/minimum_order", "set", "11")
    demo.change(KEY, "set", "4.5")
    path = f"/definitions/{KEY}"
    form = next(form for form in forms_in(demo.get(path).text) if "owner" in form)
    assert demo.post(path, form | {"action": "save", "type": "double", "description": "Theirs"}).status == 303
    warning = page.locator("form.definition .live-warning")
    expect(warning).to_have_count(1)
    expect(warning).to_contain_text("changed the definition of this flag at")
    expect(owner).to_have_value("Me")
    owner.fill(before)
    warning.get_by_role("button", name="Load current definition").click()
    expect(page.locator("form.definition [name=description]")).to_have_value("Theirs")


@pytest.mark.parametrize("path", ["/definitions/limit", "preview"])
def test_that_a_file_cannot_be_read_is_told_to_whoever_fills_in_another_form_too(serve, tmp_path, open_page, path):
    server = serve(write(tmp_path / "shop", {"limit": 5}, [{"key": "limit", "type": "integer"}]))
    page = open_page()
    if path == "preview":
        page.goto(server.url("/?q=limit"))
        page.locator("input[form=selection]").check()
        page.get_by_label("Action", exact=True).select_option(label="Reset")
        page.get_by_role("button", name="Preview").click()
        expect(page.locator("#live")).to_have_text("Live")
        typed = page.get_by_label("Reason")
    else:
        open_live(page, server, path)
        typed = page.locator("form.definition [name=owner]")
    typed.fill("Somebody")
    sound = server.file.read_text()
    server.file.write_text("<plist")
    expect(page.locator(".banner-error[data-notice]")).to_contain_text("Can’t read flags.xml")
    expect(typed).to_have_value("Somebody")
    server.file.write_text(sound)
    expect(page.locator(".banner-error[data-notice]")).to_have_count(0)
    expect(typed).to_have_value("Somebody")


@pytest.mark.parametrize("path", ["/compare?show=all", "/history/at?before=1"])
def test_flags_that_are_compared_are_shown_anew_when_somebody_wants_them(demo, open_page, path):
    demo.change(KEY, "set", "4")
    page = open_page()
    open_live(page, demo, path)
    compared = page.locator(".matrix").filter(has_text=KEY)
    expect(compared).to_contain_text("4")
    demo.change(KEY, "set", "4.625")
    offer = page.locator(".live-more")
    expect(offer).to_contain_text("Flags have changed since this page was loaded.")
    expect(compared).not_to_contain_text("4.625")
    offer.get_by_role("button", name="Show").click()
    expect(compared).to_contain_text("4.625")
    expect(offer).to_have_count(0)


@pytest.mark.parametrize("path", [flag_path(KEY), "/?q=compact"])
def test_what_would_be_sent_to_a_server_that_is_away_stays_and_is_sent_once_it_is_back(serve, tmp_path, browser, path):
    server = serve(demonstration(tmp_path / "demo"))
    # The page is to lose its server, which a browser complains of.
    context = browser.new_context()
    page = context.new_page()
    open_live(page, server, path)
    editor = path == flag_path(KEY)
    if editor:
        field(page).fill("7.75")
    button = page.locator("button[name=action][value=set]") if editor else page.locator(".switching button[value=on]")
    server.stop()
    expect(page.locator("#live")).to_have_text("Reconnecting…")
    button.click()
    expect(page.get_by_role("alert")).to_contain_text("Your changes weren’t saved")
    if editor:
        expect(field(page)).to_have_value("7.75")
    again = serve(server.file, "--port", str(server.port))
    expect(page.locator("#live")).to_have_text("Live")
    expect(page.get_by_role("alert")).to_have_count(0)
    button.click()
    expect(page.locator(".notice")).to_contain_text("Set to 7.75." if editor else "Turned on.")
    rows = [row for row in again.get("/export/history.jsonl").text.splitlines() if '"kind":"set"' in row]
    assert len(rows) == 1
    context.close()


def test_a_change_that_comes_while_somebody_searches_leaves_the_list_of_the_search(demo, open_page):
    page = open_page()
    open_live(page, demo, "/")
    held = []
    page.route("**/", lambda route: held.append(route))
    with page.expect_request(demo.url("/")):
        demo.change(KEY, "set", "4.5")
    with page.expect_response("**/?q=fee*"):
        page.get_by_role("searchbox").fill("fee")
    expect(page.locator("[data-count]")).to_have_text("1 of 44 flags")
    page.evaluate("""() => {
        document.addEventListener("flagboard:refreshed", () => (document.body.dataset.refreshed = ""));
    }""")
    for route in held:
        route.continue_()
    page.locator("body[data-refreshed]").wait_for()
    expect(page.locator("[data-count]")).to_have_text("1 of 44 flags")
    assert page.locator(".facets section a").first.get_attribute("href").count("fee") == 1


def test_somebody_in_a_field_is_not_disturbed(demo, open_page):
    page = open_page()
    open_live(page, demo, flag_path(KEY))
    field(page).focus()
    demo.change(KEY, "set", "4.5")
    expect(page.locator(".live-warning")).to_be_visible()
    expect(field(page)).to_be_focused()
    page.keyboard.type("1")
    assert "1" in field(page).input_value()


def test_the_history_offers_what_is_new(demo, open_page):
    page = open_page()
    demo.change(KEY, "set", "4")
    open_live(page, demo, "/history")
    demo.change(KEY, "set", "4.5")
    demo.change(KEY, "set", "5")
    expect(page.locator(".live-more")).to_contain_text("2 new changes.")
    expect(page.locator("main [data-change]")).to_have_count(1)
    page.locator(".live-more").get_by_role("button", name="Show").click()
    expect(page.locator("main [data-change]")).to_have_count(3)
    expect(page.locator(".live-more")).to_have_count(0)
    assert page.locator(":focus").evaluate("link => link.closest('[data-change]') !== null")


def test_a_link_in_the_history_of_a_flag_keeps_the_focus_while_changes_come(demo, open_page):
    page = open_page()
    for value in ("4", "5", "6"):
        demo.change(KEY, "set", value)
    open_live(page, demo, flag_path(KEY))
    link = page.locator('[data-change="2"] a.when')
    link.focus()
    demo.change(KEY, "set", "7")
    expect(page.locator("[data-change]")).to_have_count(4)
    expect(link).to_be_focused()


def test_a_list_by_last_change_offers_its_new_order(demo, open_page):
    page = open_page()
    demo.change("checkout/minimum_order", "set", "12")
    open_live(page, demo, "/?sort=changed")
    expect(page.locator(".flag").first).to_have_attribute("data-flag", "checkout/minimum_order")
    demo.change(KEY, "set", "4.5")
    offer = page.locator(".live-more")
    expect(offer).to_contain_text("The order of the list has changed.")
    offer.get_by_role("button", name="Show").click()
    expect(page.locator(".flag").first).to_have_attribute("data-flag", KEY)


def test_the_page_of_a_change_offers_to_tell_what_came_after_it(demo, open_page):
    page = open_page()
    demo.change(KEY, "set", "4")
    open_live(page, demo, "/history/1")
    demo.change("checkout/minimum_order", "set", "12")
    demo.change(KEY, "set", "4.5")
    page.locator(".live-more").get_by_role("button", name="Show").click()
    expect(page.locator(".card-revert")).to_contain_text(re.compile(r"Superseded by change 3 \(\S+\)\. Current value: 4\.5\."))


def test_own_changes_are_not_told(demo, open_page):
    page = open_page()
    open_live(page, demo, flag_path(KEY))
    field(page).fill("4.5")
    page.locator("button[name=action][value=set]").click()
    expect(page.locator(".banner-success")).to_be_visible()
    expect(page.locator("#live")).to_have_text("Live")
    demo.change("checkout/minimum_order", "set", "30")
    open_live(page, demo, "/")
    demo.change("checkout/minimum_order", "set", "31")
    expect(row(page, "checkout/minimum_order").locator(".live-by")).to_be_visible()
    assert row(page).locator(".live-by").count() == 0


def hide(page, is_hidden):
    page.evaluate(
        """isHidden => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        is_hidden,
    )


def test_a_page_in_the_background_keeps_no_stream_and_catches_up(demo, open_page):
    page = open_page()
    open_live(page, demo, "/")
    with page.expect_event("requestfailed", lambda request: "/events" in request.url):
        hide(page, True)
    demo.change(KEY, "set", "4.5")
    assert "4.5" not in row(page).locator("[data-effective]").inner_text()
    hide(page, False)
    expect(row(page).locator("[data-effective]")).to_have_text("4.5")


def test_after_a_restart_of_the_server_nothing_is_missed(serve, tmp_path, browser):
    file = demonstration(tmp_path / "demo")
    first = serve(file)
    # The page is to lose its server, which a browser complains of.
    context = browser.new_context()
    page = context.new_page()
    open_live(page, first, "/")
    first.stop()
    expect(page.locator("#live")).to_have_text("Reconnecting…")
    second = Server(file, "--port", str(first.port))
    try:
        second.change(KEY, "set", "4.5")
        expect(row(page).locator("[data-effective]")).to_have_text("4.5", timeout=10_000)
        expect(page.locator("#live")).to_have_text("Live")
    finally:
        context.close()
        second.stop()


def test_a_page_whose_session_is_over_says_so_and_stops_asking(guarded, open_page):
    secret = make_token(guarded.file, "vic", "viewer")
    page = open_page()
    page.goto(guarded.url("/"))
    page.get_by_label("Token").fill(secret)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#live")).to_have_text("Live")
    admin = open_page()
    admin.goto(guarded.link)
    admin.goto(guarded.url("/access"))
    admin.get_by_text("Revoke…").click()
    admin.get_by_role("button", name="Revoke token for vic").click()
    admin.goto(guarded.url(flag_path(KEY)))
    field(admin).fill("4.5")
    admin.locator("button[name=action][value=set]").click()
    expect(page.locator("#live")).to_have_text("Signed out · Sign in")
    assert "4.5" not in row(page).inner_text()
    page.locator("#live").get_by_role("link", name="Sign in").click()
    expect(page.get_by_label("Token")).to_be_visible()


def test_a_restart_that_ends_the_session_takes_back_that_nothing_was_sent_and_leads_to_the_sign_in(
    serve, tmp_path, browser
):
    file = demonstration(tmp_path / "demo")
    secret = make_token(file, "ada", "editor")
    server = serve(file, access="token")
    # The page is to lose its server, which a browser complains of.
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url(flag_path(KEY)))
    page.get_by_label("Token").fill(secret)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#live")).to_have_text("Live")
    field(page).fill("7.75")
    server.stop()
    expect(page.locator("#live")).to_have_text("Reconnecting…")
    page.locator("button[name=action][value=set]").click()
    expect(page.get_by_role("alert")).to_contain_text("Your changes weren’t saved")
    serve(file, "--port", str(server.port), access="token")
    expect(page.locator("#live")).to_have_text("Signed out · Sign in")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(field(page)).to_have_value("7.75")
    assert page.locator("#live a").get_attribute("href") == flag_path(KEY)
    context.close()


def test_without_script_a_page_does_not_claim_to_be_live(shop, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(shop.url("/"))
    expect(page.locator("#live")).to_be_hidden()
