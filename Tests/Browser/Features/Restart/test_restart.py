"""Flags that require a restart: the page asks first, every page lists what waits, and a report of the restart ends that."""

import json
import plistlib
import re
import subprocess

from harness import BINARY, Server, environment, flag_path
from playwright.sync_api import expect
from samples import write
from tokens import make_token

KEY = "checkout/new_checkout"


def banner(page):
    return page.get_by_role("region", name="Pending app restart")


def test_the_page_asks_before_a_change_and_lists_it_until_the_app_has_restarted(demo, page):
    page.goto(demo.url(flag_path(KEY)))
    consent = page.get_by_label("I understand this takes effect after the app restarts")
    assert consent.get_attribute("required") is not None and not consent.is_checked()
    value = "false" if page.get_by_label("On", exact=True).is_checked() else "true"
    page.locator(f"[name=value][value={value}]").check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(consent).to_be_focused()
    assert page.locator(".banner-success").count() == 0, "it was saved without being asked"
    consent.check()
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator(".banner-success").wait_for()
    for path in ("/", "/history", flag_path("appearance/banner_text")):
        page.goto(demo.url(path))
        text = banner(page).inner_text()
        assert "1 change pending app restart" in text and re.search(r"\bOn\b", text) and re.search(r"\bOff\b", text)
    page.get_by_role("button", name="Mark as restarted").click()
    expect(banner(page)).to_have_count(0)
    told = page.locator(".notice")
    expect(told).to_have_text("Marked as restarted. No changes are pending.")
    expect(told).to_be_focused()
    page.reload()
    expect(page.get_by_text("Marked as restarted.")).to_have_count(0)


def test_a_value_that_is_set_back_waits_no_longer_and_outside_tools_need_no_consent(demo, page):
    page.goto(demo.url("/"))
    assert banner(page).count() == 0
    old = demo.editor("checkout/new_checkout")["value"]
    demo.change(KEY, "set", "false" if old == "true" else "true")
    page.goto(demo.url("/"))
    assert banner(page).count() == 1
    demo.change(KEY, "set", old)
    page.goto(demo.url("/"))
    assert banner(page).count() == 0


def test_what_waits_and_its_end_outlive_flagboard(demo, open_page):
    demo.change("search/endpoint", "set", "https://other.example/")
    demo.stop()
    again = Server(demo.file)
    try:
        page = open_page()
        page.goto(again.url("/"))
        assert "https://other.example/" in banner(page).inner_text()
        page.get_by_role("button", name="Mark as restarted").click()
        expect(banner(page)).to_have_count(0)
        page.goto("about:blank")
        again.stop()
        again = Server(demo.file)
        page.goto(again.url("/"))
        assert banner(page).count() == 0
        page.goto("about:blank")
    finally:
        again.stop()


def test_a_reset_is_asked_about_too(demo, page):
    demo.change("search/endpoint", "set", "https://other.example/")
    page.goto(demo.url(flag_path("search/endpoint")))
    reset = page.locator("button[name=action][value=reset]")
    expect(reset).to_be_hidden()
    page.get_by_text(re.compile("^Reset.*…$")).click()
    expect(page.locator(".confirm-reset")).to_contain_text("Takes effect after the app restarts.")
    reset.click()
    expect(page.locator(".notice")).to_contain_text("Reset to default")


def test_the_empty_text_is_asked_about_too(serve, tmp_path, page):
    flags = [{"key": "title", "type": "string", "requiresRestart": True, "default": "a"}]
    server = serve(write(tmp_path / "shop", {}, flags))
    page.goto(server.url("/flags/title"))
    page.locator("#value").fill("")
    save, consent = page.get_by_role("button", name="Save", exact=True), page.locator("#restart")
    save.click()
    expect(consent).to_be_focused()
    assert consent.evaluate("box => box.matches(':invalid')")
    assert plistlib.loads(server.file.read_bytes()) == {}
    consent.check()
    save.click()
    expect(page.locator(".banner-success")).to_be_visible()
    assert plistlib.loads(server.file.read_bytes()) == {"title": ""}


def test_what_waits_and_its_end_appear_in_pages_that_are_open(demo, open_page):
    pages = [open_page() for _ in range(3)]
    for page, path in zip(pages, ("/", flag_path("checkout/delivery_fee"), "/import")):
        page.goto(demo.url(path))
        expect(page.locator("#live")).to_have_text("Live")
    demo.change("search/endpoint", "set", "https://other.example/")
    for page in pages:
        expect(banner(page)).to_contain_text("https://other.example/")
    assert demo.request("POST", "/api/v1/restarted", b"").status == 200
    for page in pages:
        expect(banner(page)).to_have_count(0)


def test_the_app_reports_in_with_the_token_of_an_editor(guarded, open_page):
    tokens = {role: make_token(guarded.file, role, role) for role in ("viewer", "editor")}
    headers = {role: {"Authorization": f"Bearer {token}"} for role, token in tokens.items()}
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    fields = b"action=set&value=https%3A%2F%2Fother.example%2F"
    assert guarded.request("POST", flag_path("search/endpoint"), fields, headers["editor"] | form).status == 303
    page = guarded.get("/", headers["viewer"]).text
    assert "Pending app restart" in page and "Mark as restarted" not in page
    assert guarded.request("POST", "/api/v1/restarted", b"", headers["viewer"]).status == 403
    answer = guarded.request("POST", "/api/v1/restarted", b"", headers["editor"])
    assert answer.status == 200 and json.loads(answer.body) == {"waiting": 0}
    assert "Pending app restart" not in guarded.get("/", headers["viewer"]).text


def test_a_lock_says_who_set_it_when_and_why(demo, page):
    page.goto(demo.url(flag_path("checkout/delivery_fee")))
    page.get_by_role("heading", name="Lock", exact=True).click()
    page.locator("#lock-reason").fill("the price list is printed")
    page.get_by_role("button", name="Lock flag", exact=True).click()
    expect(page.locator(".notice")).to_contain_text("Locked.")
    story = page.locator(".lock-story").inner_text()
    assert story.startswith("Locked by ") and ("ago" in story or "just now" in story)
    assert "the price list is printed" in story
    assert page.get_by_text("You can unlock it below.").is_visible()


def test_the_banner_folds_by_keyboard(demo, open_page):
    demo.change("search/endpoint", "set", "https://other.example/")
    page = open_page()
    page.goto(demo.url(flag_path("search/endpoint")))
    summary = banner(page).locator("summary")
    summary.focus()
    page.keyboard.press("Enter")
    assert banner(page).locator("details").get_attribute("open") is None


def test_a_flag_that_waits_goes_by_its_new_name_in_a_page_that_is_open(demo, open_page):
    demo.change("search/endpoint", "set", "https://other.example/")
    page = open_page()
    page.goto(demo.url(flag_path("checkout/delivery_fee")))
    expect(page.locator("#live")).to_have_text("Live")
    manifest = next(demo.file.parent.glob("*.manifest.xml"))
    manifest.write_text(manifest.read_text().replace("Search service", "Finder"))
    expect(banner(page)).to_contain_text("Finder")
    expect(banner(page)).not_to_contain_text("Search service")


def test_what_was_pruned_before_a_restart_was_reported_is_not_taken_for_nothing(demo, open_page):
    demo.change("search/endpoint", "set", "https://other.example/")
    demo.change("appearance/banner_text", "set", "pruned to here")
    demo.stop()
    subprocess.run(
        [BINARY, "history", "prune", demo.file, "--keep-rows", "1"], check=True, env=environment(),
        capture_output=True, timeout=60)
    again = Server(demo.file)
    try:
        page = open_page()
        page.goto(again.url("/"))
        expect(banner(page)).to_contain_text("Changes may be pending app restart")
        expect(banner(page)).to_contain_text("History since the last restart was pruned")
        page.get_by_role("button", name="Mark as restarted").click()
        expect(banner(page)).to_have_count(0)
        page.goto("about:blank")
    finally:
        again.stop()
