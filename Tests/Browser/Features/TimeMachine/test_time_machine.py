"""The flags of another time: found, compared with those of now, taken away, and brought back."""

import json
import plistlib
import re
from datetime import UTC, datetime, timedelta

import pytest
from browsers import tab_to
from past import season
from playwright.sync_api import expect
from samples import INTERNAL_FLAGS

BASKET, NOTICE, CHECKOUT = "checkout/maximum_basket_items", "checkout/notice", "checkout/new_checkout"


def changed(server):
    """Makes three changes, the second from outside."""
    server.change(CHECKOUT, "set", "false", "Too early")
    server.file.write_text(server.file.read_text().replace("<integer>150</integer>", "<integer>90</integer>"))
    server.change(NOTICE, "set", "Closed on Sunday", "Bridge")
    return server


@pytest.fixture
def past(demo):
    demo.original = plistlib.loads(demo.file.read_bytes())
    return changed(demo)


def row(page, key):
    return page.locator(f'[data-flag="{key}"]')


def test_a_person_goes_to_just_before_a_change_and_restores_all_that_differs(past, page):
    page.goto(past.url("/history"))
    page.locator("[data-change='1'] a.when").click()
    page.get_by_role("link", name="View flags before this change").click()
    expect(page.locator("h2").first).to_contain_text("before change 1")
    expect(page.get_by_role("link", name=re.compile("^Changed"))).to_have_attribute("aria-current", "true")
    expect(page.locator("[data-flag]")).to_have_count(3)
    expect(row(page, BASKET)).to_contain_text(re.compile(r"Then\s+150\s+→\s+Now\s+90"))
    page.get_by_role("button", name="Restore 3 flags").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Restore flags from")
    expect(page.get_by_label("Reason")).to_have_value(re.compile("^Restore from 20"))
    page.get_by_label("I understand changes that require a restart").check()
    page.locator(".batch-form .button-primary").click()
    page.wait_for_url(re.compile("/history"))
    expect(page.locator(".notice")).to_contain_text("3 changes restored.")
    assert plistlib.loads(past.file.read_bytes()) == past.original
    page.goto(past.url("/history/at?before=1"))
    expect(page.locator("main")).to_contain_text("All values are the same.")


def test_one_flag_is_chosen_and_restored_alone(past, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(past.url("/history/at?before=1"))
    page.get_by_role("button", name="Restore selected").click()
    expect(page.get_by_role("alert")).to_contain_text("Select the flags to restore first")
    expect(page.get_by_role("alert")).to_be_focused()
    assert page.url.endswith("/history/at?before=1"), "the address still tells the moment"
    row(page, NOTICE).get_by_role("checkbox").check()
    page.get_by_role("button", name="Restore selected").click()
    page.locator(".batch-form .button-primary").click()
    page.wait_for_url(re.compile("/history"))
    held = plistlib.loads(past.file.read_bytes())["checkout"]
    assert held["notice"] == past.original["checkout"]["notice"] and held["maximum_basket_items"] == 90


def test_a_time_is_typed_and_the_flags_of_then_are_searched(past, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(past.url("/history"))
    page.get_by_role("link", name="Time machine").click()
    now = datetime.now(UTC)
    page.get_by_text("Pick date and time").click()
    page.get_by_label("Date (UTC)").fill((now - timedelta(days=2)).strftime("%Y-%m-%d"))
    page.get_by_label("Time (UTC)").fill("12:34:56")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.locator("main")).to_contain_text("History starts at")
    expect(page.locator("main")).to_contain_text("12:34:56 UTC")
    page.get_by_role("link", name=re.compile("^All")).click()
    page.get_by_role("search", name="Flags at that time").get_by_label("Search").fill("basket")
    page.get_by_role("button", name="Search").click()
    expect(row(page, BASKET)).to_contain_text("150")
    assert page.locator("[data-flag]").count() < 5
    page.get_by_text("Pick date and time").click()
    page.get_by_label("Date (UTC)").fill((now + timedelta(days=2)).strftime("%Y-%m-%d"))
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("in the future")


def test_the_values_of_then_are_taken_away_as_both_kinds_of_file(past, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(past.url("/history/at?before=1"))
    for name, read in {"Property list (XML) of Local": plistlib.loads, "JSON of Local": json.loads}.items():
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        content = download.value.path().read_bytes()
        values = read(content)
        assert values["checkout"]["maximum_basket_items"] == 150
        assert not any(value in content.decode() for value in INTERNAL_FLAGS.values())


def test_what_is_internal_is_nowhere_in_the_past(past):
    text = past.get("/history/at?before=1").text
    for key, value in INTERNAL_FLAGS.items():
        assert key not in text and value not in text


@pytest.fixture(scope="module")
def seasoned(tmp_path_factory):
    """One server with changes of three months in its history, which no test changes."""
    server = season(tmp_path_factory.mktemp("seasoned") / "demo")
    yield server
    server.stop()


def test_it_opens_on_what_differs_since_the_last_change_with_a_picture_of_the_last_days(seasoned, page):
    page.goto(seasoned.url("/history/at"))
    expect(page.locator("main")).to_contain_text("Showing the state before the last change.")
    expect(page.locator("[data-flag]")).to_have_count(1)
    expect(row(page, BASKET)).to_contain_text(re.compile(r"Then\s+80\s+→\s+Now\s+110"))
    strip = page.locator(".moment-strip")
    expect(strip.locator("svg.chart a")).to_have_count(10)
    expect(strip).to_contain_text("15 changes on 10 days (1 external)")
    tab_to(page, "button[value=all]", limit=40)


def test_the_buttons_lead_from_change_to_change(seasoned, page):
    page.goto(seasoned.url("/history/at"))
    expect(page.get_by_role("link", name="Next change")).to_have_count(0)
    page.get_by_role("link", name="Previous change").click()
    expect(row(page, BASKET)).to_contain_text(re.compile(r"Then\s+100\s+→\s+Now\s+110"))
    expect(page.get_by_role("link", name="Previous change")).to_be_focused()
    assert page.evaluate("scrollY") == 0, "the moment above the buttons stays in sight"
    heading = page.locator(".past-moment").inner_text()
    page.keyboard.press("Enter")
    expect(page.locator(".past-moment")).not_to_have_text(heading)
    expect(page.get_by_role("link", name="Previous change")).to_be_focused()
    page.get_by_role("link", name="Next change").click()
    expect(page.locator(".past-moment")).to_have_text(heading)
    expect(page.get_by_role("link", name="Next change")).to_be_focused()


@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
def test_the_focus_stays_where_no_change_is_left(past, open_page, scripts):
    page = open_page(java_script_enabled=scripts)
    page.goto(past.url("/history/at?before=2"))
    page.get_by_role("link", name="Previous change").click()
    expect(page.get_by_role("heading", level=2).first).to_be_focused()
    page.get_by_role("link", name="Next change").click()
    page.get_by_role("link", name="Next change").click()
    expect(page.get_by_text("1 later change")).to_be_focused()


def test_a_bar_leads_to_the_flags_before_the_changes_of_its_day(seasoned, page):
    page.goto(seasoned.url("/history/at?show=all&q=basket"))
    bar = page.locator(".moment-strip svg.chart a").first
    box = bar.locator(".chart-bar").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url(re.compile("time=.*&show=all&q=basket"))
    expect(row(page, BASKET)).to_contain_text(re.compile(r"Then\s+150\s+→\s+Now\s+110"))
    mark = float(page.locator(".chart-mark").get_attribute("x1").rstrip("%"))
    assert mark < 5, "the moment stands in the strip"
    page.get_by_text("View as table").click()
    page.locator(".moment-strip table").get_by_role("link").nth(1).click()
    expect(row(page, BASKET)).to_contain_text(re.compile(r"Then\s+40\s+→\s+Now\s+110"))


def test_the_slider_leads_to_a_day_with_a_button_where_there_is_no_script(seasoned, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(seasoned.url("/history/at?show=all&q=basket"))
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    page.get_by_role("button", name="Go", exact=True).click()
    page.wait_for_url(re.compile("time=.*&show=all&q=basket"))
    expect(page.get_by_role("slider")).to_have_value("0")
    expect(row(page, BASKET)).to_contain_text(re.compile(r"Then\s+150\s+→\s+Now\s+110"))


def test_the_page_follows_the_slider_and_the_focus_stays_on_it(seasoned, open_page):
    page = open_page()
    page.goto(seasoned.url("/history/at?show=all&q=basket"))
    expect(page.get_by_role("button", name="Go", exact=True)).to_be_hidden()
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    expect(row(page, BASKET)).to_contain_text(re.compile(r"Then\s+150\s+→\s+Now\s+110"))
    expect(slider).to_be_focused()
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"^\d{4}-\d\d-\d\d$"))
    page.wait_for_url(re.compile("time=.*&show=all&q=basket"))
    first = page.locator(".past-moment").inner_text()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".past-moment")).not_to_have_text(first)
    expect(slider).to_have_value("1")
    expect(slider).to_be_focused()
    with page.expect_response(re.compile("days=1")):
        page.keyboard.press("Enter")
    expect(slider).to_be_focused()
    page.reload()
    expect(page.get_by_role("slider")).to_have_value("1")


def test_what_was_ticked_stays_so_while_the_slider_moves(seasoned, open_page):
    page = open_page()
    page.goto(seasoned.url("/history/at?show=all&q=basket"))
    row(page, BASKET).get_by_role("checkbox").check()
    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
    expect(row(page, BASKET)).to_contain_text(re.compile(r"Then\s+150\s+→\s+Now\s+110"))
    expect(row(page, BASKET).get_by_role("checkbox")).to_be_checked()
    page.get_by_role("button", name="Restore selected").click()
    expect(page.locator(".batch-row")).to_have_count(1)
    expect(page.locator(".batch-row")).to_contain_text("150")


def test_the_time_is_chosen_first_and_what_restores_stays_in_sight_below_the_list(seasoned, open_page):
    page = open_page(java_script_enabled=False, viewport={"width": 1280, "height": 500})
    page.goto(seasoned.url("/history/at?show=all&before=1"))
    parts = [page.get_by_role("link", name="A day ago"), page.locator(".moment-strip"), page.locator(".past-summary"),
             page.locator(".extents"), page.locator(".matrix")]
    tops = [part.bounding_box()["y"] for part in parts]
    assert tops == sorted(tops)
    expect(page.locator(".past-summary")).to_have_text(re.compile(r"^\d+ of \d+ flags have changed since\.$"))
    bar = page.locator(".copy-bar-sticky")
    box = bar.bounding_box()
    page.locator("[data-flag]").first.scroll_into_view_if_needed()
    box = bar.bounding_box()
    assert box["y"] + box["height"] <= 500, "the bar stands at the foot of the window"


def test_each_flag_is_one_line_with_a_single_provider(seasoned, open_page):
    page = open_page(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page.goto(seasoned.url("/history/at?before=1"))
    assert page.locator(".matrix thead th").all_inner_texts() == ["Flag", "Then → now"]
    heights = [row.bounding_box()["height"] for row in page.locator("[data-flag]").all()]
    assert heights and max(heights) < 40
    expect(row(page, BASKET).locator("td")).to_have_count(1)
    expect(row(page, BASKET)).not_to_contain_text("Changed")
