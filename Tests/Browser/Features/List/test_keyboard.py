"""The main job without a mouse."""

import json
import plistlib
import re

import pytest
from browsers import tab_to
from exhibits import SIDE_VALUES, TEAM, two_providers
from harness import flag_path
from playwright.sync_api import expect
from samples import demonstration

KEY = "checkout/guest_checkout"


def press(page, selector, key="Enter"):
    """Goes to an element and presses a key there."""
    tab_to(page, selector)
    page.keyboard.press(key)


def presses_to_the_first_flag(page, skips=False):
    """Counts the presses of Tab until the focus is in the first flag; Enter follows a link that skips what is before it."""
    for presses in range(1, 30):
        page.keyboard.press("Tab")
        if skips and page.locator(".skip:focus").count():
            page.keyboard.press("Enter")
        if page.locator(".flag").first.evaluate("flag => flag.contains(document.activeElement)"):
            return presses
    raise AssertionError("Tab does not reach a flag")


def follow(page, server, start, link, end):
    """Goes from a page to another one by a link of it."""
    page.goto(server.url(start))
    press(page, link)
    page.wait_for_url(end if isinstance(end, re.Pattern) else server.url(end))


def test_a_person_changes_a_flag_by_keyboard_alone(demo, open_page):
    page = open_page()
    page.goto(demo.url("/"))
    tab_to(page, "input[name=q]")
    page.keyboard.type("guest")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"[?&]q=guest"))

    expect(page.locator(f'[data-flag="{KEY}"] .name')).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(demo.url(flag_path(KEY)))

    tab_to(page, "form:has([name=revision]) [name=value]")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[name=value][value=true]").first).to_be_checked()
    tab_to(page, "[name=reason]")
    page.keyboard.type("By keyboard")
    press(page, "button[name=action][value=set]")
    expect(page.locator("[role=status]").first).to_be_visible()
    expect(page.locator("[data-change]").first).to_contain_text("By keyboard")


def test_enter_in_the_field_saves_and_does_not_reset(demo, page):
    page.goto(demo.url(flag_path("checkout/maximum_basket_items")))
    field = page.locator("form:has([name=revision]) [name=value]").first
    field.fill("175")
    field.press("Enter")
    expect(page.locator("[role=status]").first).to_be_visible()
    expect(page.locator("[data-effective]")).to_contain_text("175")


def test_the_first_tab_leads_past_the_navigation(shop, open_page):
    page = open_page()
    page.goto(shop.url("/"))
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_attribute("href", re.compile("^#"))
    expect(page.locator(":focus")).to_be_in_viewport()


def test_a_change_is_reverted_by_keyboard_alone(demo, open_page):
    demo.change(KEY, "set", "true", "Too early")
    page = open_page()
    follow(page, demo, "/history", "[data-change] a.when", "/history/1")
    tab_to(page, "#revert-reason")
    page.keyboard.type("It was right before")
    press(page, "button[name=scope][value=change]")
    page.wait_for_url(re.compile(r"/history/1\?noted="))
    expect(page.locator(".notice")).to_be_focused()
    assert "Revert change 1: It was right before" in demo.get("/history/2").text


def test_values_are_imported_by_keyboard_alone(demo, open_page):
    page = open_page()
    page.goto(demo.url("/"))
    press(page, "#menu > summary")
    press(page, "nav a[href='/import']")
    page.wait_for_url(demo.url("/import"))
    tab_to(page, "#text")
    page.keyboard.type('{"checkout": {"delivery_fee": 3.5}}')
    press(page, "form[action='/import'] button")
    expect(page.get_by_role("heading", level=1)).to_have_text("Import into Local")
    press(page, ".batch-form .button-primary")
    page.wait_for_url(re.compile(r"/import\?.*\bnoted="))
    expect(page.locator(".notice")).to_contain_text("1 change applied.")
    assert demo.editor("checkout/delivery_fee")["value"] == "3.5"


def test_a_value_is_copied_to_another_provider_by_keyboard_alone(serve, tmp_path, open_page):
    server = serve(two_providers(tmp_path / "pair"), "--provider", "Team=team.xml")
    page = open_page()
    follow(page, server, "/", "nav a[href='/compare']", "/compare")
    press(page, '[data-flag="ui/title"] input[type=checkbox]', "Space")
    press(page, "button[name=copy][value=chosen-right]")
    expect(page.get_by_role("heading", level=1)).to_have_text("Copy from Local to Team")
    press(page, ".batch-form .button-primary")
    page.wait_for_url(re.compile(r"/compare.*noted="))
    team = plistlib.loads((server.file.parent / "team.xml").read_bytes())
    assert team == TEAM | {"ui": TEAM["ui"] | {"title": SIDE_VALUES["ui"]["title"]}}


def test_the_flags_of_a_moment_are_found_and_one_is_restored_by_keyboard_alone(demo, open_page):
    demo.change(KEY, "set", "true", "Too early")
    page = open_page()
    follow(page, demo, "/history/1", "a[href^='/history/at']", re.compile("/history/at"))
    tab_to(page, "input[name=q]")
    page.keyboard.type("guest")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("q=guest"))
    press(page, f'[data-flag="{KEY}"] input[type=checkbox]', "Space")
    press(page, "button[name=restore][value=chosen]")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Restore flags from")
    press(page, ".batch-form .button-primary")
    page.wait_for_url(re.compile(r"/history/at.*\bnoted="))
    expect(page.locator(".notice")).to_contain_text("Guest checkout: Restored. Back to off.")
    assert demo.editor(KEY)["value"] == "false"


def test_the_first_flag_is_at_most_twelve_presses_of_tab_away(demo, open_page):
    page = open_page()
    page.goto(demo.url("/"))
    assert presses_to_the_first_flag(page) <= 12


@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
def test_so_it_is_by_a_link_with_saved_searches_an_environment_and_a_notice(serve, tmp_path, open_page, scripts):
    file = demonstration(tmp_path / "demo")
    (file.parent / "staging.xml").write_bytes(plistlib.dumps({}))
    server = serve(file, "--provider", "Staging=staging.xml:env")
    for number in range(3):
        form = {"action": "save", "name": f"Search {number}", "query": f"q={number}"}
        assert server.post("/searches", form).status == 303
    page = open_page(java_script_enabled=scripts)
    page.goto(server.url("/"))
    assert presses_to_the_first_flag(page, skips=True) <= 12
    # The focus is on a notice that stands above the tabs.
    batch = json.dumps([{"key": KEY, "action": "reset"}])
    for path, form in (
        (flag_path(KEY), {"action": "on", "back": "/?state=off"}),
        ("/batch", {"origin": "form", "idempotency": "one", "changes": batch, "back": "/"}),
    ):
        answer = server.post(path, form)
        assert answer.status == 303
        page.goto(server.url(answer.headers["location"]))
        expect(page.locator("main > .notice")).to_be_focused()
        assert presses_to_the_first_flag(page, skips=True) <= 12
