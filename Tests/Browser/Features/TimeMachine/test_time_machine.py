"""The flags of another time: found, compared with those of now, taken away, and brought back."""

import json
import plistlib
import re
from datetime import UTC, datetime, timedelta

import pytest
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
    page.get_by_role("link", name="The flags just before this change").click()
    expect(page.locator("h2").first).to_contain_text("just before change 1")
    page.get_by_role("link", name=re.compile("Different now")).click()
    expect(page.locator("[data-flag]")).to_have_count(3)
    expect(row(page, BASKET)).to_contain_text(re.compile(r"Then\s+150\s+→\s+Now\s+90"))
    page.get_by_role("button", name="Restore all 3 that differ").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Restore the flags of")
    expect(page.get_by_label("Reason")).to_have_value(re.compile("^As of 20"))
    page.get_by_label("I know that 1 of them takes effect after a restart").check()
    page.locator(".batch-form .button-primary").click()
    page.wait_for_url(re.compile("/history"))
    assert plistlib.loads(past.file.read_bytes()) == past.original
    page.goto(past.url("/history/at?before=1&show=different"))
    expect(page.locator("main")).to_contain_text("Every flag is now what it was then.")


def test_one_flag_is_chosen_and_restored_alone(past, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(past.url("/history/at?before=1"))
    page.get_by_role("button", name="Restore the chosen").click()
    expect(page.get_by_role("alert")).to_contain_text("No flag was chosen")
    row(page, NOTICE).get_by_role("checkbox").check()
    page.get_by_role("button", name="Restore the chosen").click()
    page.locator(".batch-form .button-primary").click()
    page.wait_for_url(re.compile("/history"))
    held = plistlib.loads(past.file.read_bytes())["checkout"]
    assert held["notice"] == past.original["checkout"]["notice"] and held["maximum_basket_items"] == 90


def test_a_time_is_typed_and_the_flags_of_then_are_searched(past, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(past.url("/history"))
    page.get_by_role("link", name="Time machine").click()
    now = datetime.now(UTC)
    page.get_by_label("Date (UTC)").fill((now - timedelta(days=2)).strftime("%Y-%m-%d"))
    page.get_by_label("Time (UTC)").fill("12:34:56")
    page.get_by_role("button", name="Show the flags at that time").click()
    expect(page.locator("main")).to_contain_text("The history begins at")
    expect(page.locator("main")).to_contain_text("12:34:56 UTC")
    page.get_by_role("search", name="Flags at that time").get_by_label("Search").fill("basket")
    page.get_by_role("button", name="Search").click()
    expect(row(page, BASKET)).to_contain_text("150")
    assert page.locator("[data-flag]").count() < 5
    page.get_by_label("Date (UTC)").fill((now + timedelta(days=2)).strftime("%Y-%m-%d"))
    page.get_by_role("button", name="Show the flags at that time").click()
    expect(page.get_by_role("alert")).to_contain_text("still to come")


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
