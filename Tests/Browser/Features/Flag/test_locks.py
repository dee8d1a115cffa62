"""An admin locks and unlocks a flag on its page; the manifest and the history tell of it."""

import pytest
from harness import flag_path

KEY = "checkout/delivery_fee"


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_an_admin_locks_a_flag_and_lifts_the_lock(demo, open_page, script):
    manifest = demo.file.parent / "flags.manifest.xml"
    before = manifest.read_text()
    page = open_page(java_script_enabled=script)
    page.goto(demo.url(flag_path(KEY)))
    page.get_by_role("heading", name="Lock", exact=True).click()
    page.locator("#lock-reason").fill("price list is printed")
    page.get_by_role("button", name="Lock flag").click()
    page.get_by_role("status").get_by_text("Locked.").wait_for()
    assert page.locator("[name=value]").count() == 0
    assert page.get_by_text("You can unlock it below.").is_visible()
    assert len(manifest.read_text().splitlines()) - len(before.splitlines()) in (1, 2)
    fields = {"action": "set", "value": "9"}
    assert demo.post(flag_path(KEY), fields).status == 423

    page.get_by_role("button", name="Unlock flag").click()
    page.get_by_role("status").get_by_text("Unlocked.").wait_for()
    assert manifest.read_text() == before
    page.goto(demo.url("/history"))
    assert page.get_by_text("price list is printed").is_visible()
    kinds = page.locator("[data-change]").count()
    assert kinds == 3, "locked, refused, unlocked"


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_an_admin_lifts_the_lock_in_the_open_row_of_the_list_without_a_reason(demo, open_page, script):
    page = open_page(java_script_enabled=script)
    page.goto(demo.url("/?open=onboarding%2Fminimum_age"))
    row = page.locator('.flag[data-flag="onboarding/minimum_age"]')
    assert row.get_by_text("You can unlock it below.").is_visible()
    row.get_by_role("button", name="Unlock flag").click()
    row.get_by_text("Unlocked.").wait_for()
    if script:
        row.locator(".opened [name=value]").wait_for()
    assert demo.editor("onboarding/minimum_age")["value"] == "18"


def test_the_open_row_of_a_locked_flag_says_below_only_where_something_is_below(guarded):
    from tokens import make_token

    for role, offers in [("admin", True), ("editor", False), ("viewer", False)]:
        headers = {"Authorization": f"Bearer {make_token(guarded.file, role, role)}"}
        for address in ("/?open=onboarding%2Fminimum_age", flag_path("onboarding/minimum_age")):
            text = guarded.get(address, headers).text
            assert ("unlock it below" in text) == ("Unlock flag" in text) == offers, (role, address)
        assert "with a reason" not in guarded.get("/help", headers).text


def test_webhooks_are_refused_to_a_viewer_in_their_own_words(guarded):
    from tokens import make_token

    headers = {"Authorization": f"Bearer {make_token(guarded.file, 'vic', 'viewer')}"}
    refusals = {path: guarded.get(path, headers) for path in ("/webhooks", "/access")}
    assert {answer.status for answer in refusals.values()} == {403}
    assert "Only admins can manage webhooks." in refusals["/webhooks"].text
    assert "Only admins can manage access." in refusals["/access"].text and "access." not in refusals["/webhooks"].text


def test_an_editor_sees_who_can_lift_a_lock_but_no_button(guarded):
    from tokens import make_token

    headers = {"Authorization": f"Bearer {make_token(guarded.file, 'eve', 'editor')}"}
    text = guarded.get(flag_path("checkout/guest_checkout"), headers).text
    assert "Lock flag" not in text and "name=\"revision\"" in text
