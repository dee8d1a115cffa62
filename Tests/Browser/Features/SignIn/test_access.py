"""Signing in and out, as people do it, and what each may do then."""

import json
import re

from browsers import tab_to
from harness import flag_path
from playwright.sync_api import expect
from samples import demonstration
from tokens import make_token, run_token

KEY = "checkout/guest_checkout"


def sign_in(page, server, token, path="/"):
    page.goto(server.url(path))
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(server.url(path))


def test_the_link_lets_in_and_leaves_the_address(guarded, page):
    page.goto(guarded.link)
    assert page.url == guarded.url("/")
    expect(page.locator("#menu summary")).to_contain_text("admin")
    # The others are the browser's time zone, which a script tells, and what was seen on this visit.
    cookies = [each for each in page.context.cookies() if each["name"] != "flagboard-zone"]
    assert all(cookie["httpOnly"] for cookie in cookies)
    [session] = [each for each in cookies if not each["name"].startswith("flagboard-visit-")]
    assert (session["name"], session["sameSite"]) == (f"flagboard_{guarded.port}", "Strict")
    page.goto(guarded.url(flag_path(KEY)))
    page.locator("[name=value][value=true]").check()
    page.locator("button[name=action][value=set]").click()
    expect(page.locator("[role=status]").first).to_contain_text("Turned on.")


def test_a_link_on_another_page_lets_in_too(guarded, page, tmp_path):
    """The browser keeps a strict cookie back on whatever another site leads to."""
    other = tmp_path / "other.html"
    other.write_text(f'<a href="{guarded.link}">In</a><a href="{guarded.url("/history")}">There</a>')
    page.goto(other.as_uri())
    page.get_by_role("link", name="In").click()
    page.wait_for_url(guarded.url("/"))
    expect(page.locator("#menu summary")).to_contain_text("admin")

    page.goto(other.as_uri())
    page.get_by_role("link", name="There").click()
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url(guarded.url("/history"))
    expect(page.locator("h1")).to_have_text("History")


def test_a_person_signs_in_by_keyboard_and_comes_to_the_page_asked_for(guarded, open_page):
    token = make_token(guarded.file, "ada", "editor")
    page = open_page()
    address = guarded.url(flag_path(KEY) + "?provider=Local")
    page.goto(address)
    expect(page.locator("h1")).to_have_text("Sign in")
    expect(page.get_by_label("Token")).to_be_focused()
    page.keyboard.type("flagboard_wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Invalid or expired token.")
    expect(page.get_by_label("Token")).to_have_value("")
    expect(page.get_by_label("Token")).to_be_focused()
    page.keyboard.type(token)
    tab_to(page, "button")
    page.keyboard.press("Enter")
    page.wait_for_url(address)
    expect(page.locator("#menu summary")).to_contain_text("ada")

    tab_to(page, "#menu summary")
    page.keyboard.press("Enter")
    tab_to(page, "#menu button")
    page.keyboard.press("Enter")
    page.wait_for_url(guarded.url("/sign-in"))
    page.goto(address)
    expect(page.locator("h1")).to_have_text("Sign in")


def test_after_signing_out_going_back_shows_nothing(guarded, page):
    page.goto(guarded.link)
    page.goto(guarded.url(flag_path(KEY)))
    page.locator("#menu > summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(guarded.url("/sign-in"))
    page.go_back()
    expect(page.locator("h1")).to_have_text("Sign in")


def test_a_refused_attempt_is_not_told_as_the_last_change_of_the_value(guarded, page):
    body = json.dumps({"value": True, "reason": "Sale"}).encode()
    for name, role, status in (("ann", "admin", 200), ("vic", "viewer", 403)):
        headers = {
            "Authorization": f"Bearer {make_token(guarded.file, name, role)}", "If-Match": "*",
            "Content-Type": "application/json"}
        assert guarded.request("PUT", f"/api/v1/flags/{KEY}", body, headers).status == status
    sign_in(page, guarded, make_token(guarded.file, "eve", "admin"), flag_path(KEY))
    expect(page.locator(".value-why")).to_contain_text("by ann · Sale")
    expect(page.locator(".value-why")).not_to_contain_text("vic")


def test_a_viewer_is_told_why_there_is_no_form(guarded, page):
    sign_in(page, guarded, make_token(guarded.file, "vic", "viewer"), flag_path(KEY))
    expect(page.get_by_role("heading", name="View only")).to_be_visible()
    assert page.locator("[name=revision]").count() == 0
    assert page.get_by_role("link", name="Access").count() == 0
    page.goto(guarded.url("/access"))
    expect(page.locator("h1")).to_have_text("Not allowed")


def test_a_token_is_copied_by_one_press_and_without_script_there_is_no_button(guarded, open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(guarded.link)
    page.goto(guarded.url("/access"))
    page.get_by_label("Name").fill("robot")
    page.get_by_label("Custom date").fill("2030-01-31")
    page.get_by_role("button", name="Create token").click()
    expect(page.locator("[data-secret]")).to_be_focused()
    page.get_by_role("button", name="Copy the token").click()
    expect(page.get_by_role("status").get_by_text("Copied the token.")).to_be_attached()
    token = page.locator("[data-secret]").inner_text().strip()
    assert page.evaluate("navigator.clipboard.readText()").strip() == token
    expect(page.locator("[data-token=robot]")).to_contain_text("Expires 2030-02-01 00:00:00 UTC")
    without = open_page(java_script_enabled=False)
    sign_in(without, guarded, make_token(guarded.file, "grace", "admin"))
    without.goto(guarded.url("/access"))
    without.get_by_label("Name").fill("other")
    without.get_by_role("button", name="Create token").click()
    expect(without.locator("[data-secret]")).to_be_focused()
    expect(without.get_by_role("button", name="Copy the token")).to_have_count(0)


def test_a_token_that_is_refused_or_revoked_is_told_where_the_focus_is(guarded, page):
    page.goto(guarded.link)
    page.goto(guarded.url("/access"))
    for expected in (page.locator("[data-secret]"), page.locator("#form-problem")):
        page.get_by_label("Name").fill("robot")
        page.get_by_role("button", name="Create token").click()
        expect(expected).to_be_focused()
    robot = page.locator("[data-token=robot]")
    robot.get_by_text("Revoke…").click()
    robot.get_by_role("button", name="Revoke token for robot").click()
    expect(page.get_by_text("Token revoked. Its sessions have ended.")).to_be_focused()


def test_an_admin_makes_a_token_for_somebody_and_takes_it_back(guarded, page, browser):
    page.goto(guarded.link)
    page.locator("#menu summary").click()
    page.get_by_role("link", name="Access").click()
    page.get_by_label("Name").fill("carol")
    page.get_by_label("Role").select_option("editor")
    expect(page.get_by_label("Expires")).to_have_value("30d")
    page.get_by_label("Expires").select_option("In 90 days")
    page.get_by_role("button", name="Create token").click()
    token = page.locator("[data-secret]").inner_text().strip()
    assert re.fullmatch(r"flagboard_[\w-]{43}", token)

    with browser.new_context() as context:
        carol = context.new_page()
        sign_in(carol, guarded, token)
        expect(carol.locator("#menu summary")).to_contain_text("carol")

        page.goto(guarded.url("/access"))
        assert token not in page.content()
        expect(page.locator("[data-session]")).to_have_count(2)
        revoke = page.get_by_role("button", name="Revoke token for carol")
        expect(revoke).to_be_hidden()
        page.get_by_text("Revoke…").click()
        revoke.click()
        expect(page.locator(".banner[role=status]")).to_contain_text("revoked")
        expect(page.locator("[data-token]")).to_have_count(0)
        expect(page.locator("[data-session]")).to_have_count(1)
        carol.reload()
        expect(carol.locator("h1")).to_have_text("Sign in")


def test_signing_everybody_out_needs_the_link_that_is_printed_then(guarded, page):
    page.goto(guarded.link)
    page.goto(guarded.url("/access"))
    page.get_by_text("Sign out everyone…").click()
    page.get_by_role("button", name="Sign out everyone", exact=True).click()
    expect(page.locator("h1")).to_have_text("Sign in")
    page.goto(guarded.link)
    expect(page.get_by_role("alert")).to_contain_text("Invalid or expired link.")
    page.goto(guarded.next_link())
    assert page.url == guarded.url("/")


def test_what_was_typed_survives_the_end_of_a_session(guarded, page):
    sign_in(page, guarded, make_token(guarded.file, "ada", "editor"), flag_path("checkout/notice"))
    page.locator("[name=value]").fill("A long text\nof two lines")
    assert run_token("revoke", guarded.file, "ada").returncode == 0
    page.locator("button[name=action][value=set]").click()
    expect(page.get_by_role("alert")).to_contain_text("Your session has ended")
    expect(page.locator(".typed")).to_contain_text("A long text\nof two lines")
    page.get_by_label("Token").fill(make_token(guarded.file, "bob", "editor"))
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Signed in")
    page.get_by_role("link", name="Discard").click()
    page.wait_for_url(guarded.url(flag_path("checkout/notice")))
    expect(page.locator("#menu summary")).to_contain_text("bob")
    expect(page.locator("[name=value]")).not_to_have_value("A long text\nof two lines")


def test_a_definition_that_was_typed_survives_the_end_of_a_session(guarded, page):
    page.goto(guarded.link)
    page.goto(guarded.url("/definitions/checkout/delivery_fee"))
    page.get_by_label("Description").fill("A long text\nof two lines")
    page.get_by_label("Requires restart").check()
    page.context.clear_cookies()
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    for label, text in {"Description": "A long text\nof two lines", "Requires restart": "yes", "Maximum": "20"}.items():
        expect(page.get_by_role("group", name=label, exact=True)).to_have_text(text)
    expect(page.locator("input[name=next]")).to_have_value("/definitions/checkout/delivery_fee")


def test_two_servers_on_one_machine_keep_their_sessions_apart(serve, guarded, page, tmp_path):
    other = serve(demonstration(tmp_path / "other"), access="token")
    page.goto(guarded.link)
    page.goto(other.link)
    for server in (guarded, other):
        page.goto(server.url("/"))
        expect(page.locator("h1")).to_have_text("Flags")


def test_what_was_typed_when_the_session_was_over_is_sent_after_signing_in(guarded, page):
    page.goto(guarded.link)
    page.goto(guarded.url(flag_path("checkout/notice")))
    page.locator("#value").fill("typed with\ncare")
    page.locator("#reason").fill("it took long")
    page.context.clear_cookies()
    page.locator("button[name=action][value=set]").click()
    expect(page.locator("h1")).to_have_text("Sign in")
    expect(page.locator(".banner-info")).to_contain_text("Your changes aren’t saved yet.")
    page.get_by_label("Token").fill(guarded.link)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("h1")).to_have_text("Signed in")
    expect(page.locator(".lead")).to_contain_text("It sets checkout/notice.")
    expect(page.locator(".typed")).to_contain_text("it took long")
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".banner-success")).to_contain_text("Set to")
    expect(page.locator("#value")).to_have_value("typed with\ncare")
