"""Changes that are left out of a preview before the others are applied."""

import plistlib
import re

import pytest
from playwright.sync_api import expect
from samples import write

FLAGS = [{"key": f"group/flag_{number}", "type": "bool", "default": False} for number in range(3)] + [
    {"key": "count", "type": "integer", "default": 1}]


@pytest.fixture
def server(serve, tmp_path):
    return serve(write(tmp_path / "many", {"group": {"flag_0": False}}, FLAGS))


def preview(page, server):
    """Opens the preview of turning all three flags on."""
    page.goto(server.url("/"))
    for number in range(3):
        page.locator(f'[data-flag="group/flag_{number}"] input[type=checkbox][name=key]').check()
    page.get_by_label("Action", exact=True).select_option(label="Turn on")
    page.get_by_role("button", name="Preview", exact=True).click()
    page.wait_for_url(re.compile(r"/batch\?preview="))


def box(page, number):
    return page.locator(f'[data-changes="group/flag_{number}"]').get_by_role("checkbox")


def held(server):
    return plistlib.loads(server.file.read_bytes())["group"]


def test_only_the_ticked_changes_are_applied(server, page):
    preview(page, server)
    box(page, 1).uncheck()
    page.get_by_role("button", name="Apply").click()
    page.wait_for_url(re.compile(r"noted="))
    expect(page.locator(".notice")).to_contain_text("2 changes applied.")
    assert held(server) == {"flag_0": True, "flag_2": True}


def test_the_button_says_how_many_are_ticked_and_each_box_names_its_change(server, open_page):
    page = open_page()
    preview(page, server)
    page.get_by_role("checkbox", name="Apply: Set group/flag_2").uncheck()
    expect(page.get_by_role("button", name="Apply 2 changes", exact=True)).to_be_visible()
    box(page, 0).uncheck()
    expect(page.get_by_role("button", name="Apply 1 change", exact=True)).to_be_visible()


def test_nothing_ticked_is_refused_and_nothing_is_changed(server, page):
    preview(page, server)
    for number in range(3):
        box(page, number).uncheck()
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("alert").first).to_have_text("Select at least one change. Nothing was changed.")
    expect(box(page, 1)).not_to_be_checked()
    assert held(server) == {"flag_0": False}


def test_what_was_left_out_stays_so_after_a_refusal_and_after_looking_anew(server, open_page):
    page = open_page()
    preview(page, server)
    box(page, 1).uncheck()
    server.change("group/flag_0", "set", "true")
    page.get_by_role("button", name="Apply 2 changes").click()
    expect(page.get_by_role("alert").first).to_contain_text("Nothing was changed")
    expect(box(page, 1)).not_to_be_checked()
    expect(box(page, 2)).to_be_checked()
    page.get_by_role("button", name="Apply 1 change", exact=True).click()
    page.wait_for_url(re.compile(r"noted="))
    assert held(server) == {"flag_0": True, "flag_2": True}


def test_a_single_change_has_no_box(server, page):
    page.goto(server.url("/"))
    page.locator('[data-flag="group/flag_1"] input[type=checkbox][name=key]').check()
    page.get_by_label("Action", exact=True).select_option(label="Turn on")
    page.get_by_role("button", name="Preview", exact=True).click()
    page.wait_for_url(re.compile(r"/batch\?preview="))
    expect(page.locator(".batch-row").get_by_role("checkbox")).to_have_count(0)


def test_a_change_that_cannot_be_made_has_its_mark_at_the_end_of_its_line_and_no_box(server, open_page):
    page = open_page()
    page.goto(server.url("/"))
    for key in ("count", "group/flag_1", "group/flag_2"):
        page.locator(f'[data-flag="{key}"] input[type=checkbox][name=key]').check()
    page.get_by_label("Action", exact=True).select_option(label="Set value")
    page.get_by_label("Value", exact=True).fill("true")
    page.get_by_role("button", name="Preview", exact=True).click()
    page.wait_for_url(re.compile(r"/batch\?preview="))
    row = page.locator('[data-changes="count"]')
    expect(row.get_by_role("checkbox")).to_have_count(0)
    deed, mark = (row.locator(part).bounding_box() for part in (".deed", ".verdict"))
    assert mark["x"] > deed["x"] and abs(mark["y"] + mark["height"] / 2 - deed["y"] - deed["height"] / 2) < 4
    lines = page.locator(".batch-row .pick").evaluate_all("picks => picks.map((pick) => pick.getBoundingClientRect().x)")
    assert len(lines) == 2 and lines[0] == lines[1]


def test_the_restart_is_only_asked_about_while_a_ticked_change_needs_one(serve, tmp_path, open_page):
    flags = [dict(flag, requiresRestart=flag["key"] == "group/flag_1") for flag in FLAGS]
    server = serve(write(tmp_path / "restart", {"group": {"flag_0": False}}, flags))
    page = open_page()
    preview(page, server)
    agreement = page.get_by_label("after the app restarts")
    expect(agreement).to_be_visible()
    box(page, 1).uncheck()
    expect(agreement).to_be_hidden()
    expect(page.locator(".page-head .count")).to_contain_text("2 changes")
    page.get_by_role("button", name="Apply 2 changes").click()
    page.wait_for_url(re.compile(r"noted="))
    assert held(server) == {"flag_0": True, "flag_2": True}
