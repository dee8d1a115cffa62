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
    page.get_by_label("Reason for locking").fill("price list is printed")
    page.get_by_role("button", name="Lock this flag").click()
    page.get_by_role("status").get_by_text("Locked.").wait_for()
    assert page.locator("[name=value]").count() == 0
    assert page.get_by_text("As an admin, you can unlock it below.").is_visible()
    assert len(manifest.read_text().splitlines()) - len(before.splitlines()) in (1, 2)
    fields = {"action": "set", "value": "9"}
    assert demo.post(flag_path(KEY), fields).status == 423

    page.get_by_role("button", name="Unlock this flag").click()
    page.get_by_role("status").get_by_text("Unlocked.").wait_for()
    assert manifest.read_text() == before
    page.goto(demo.url("/history"))
    assert page.get_by_text("price list is printed").is_visible()
    kinds = page.locator("[data-change]").count()
    assert kinds == 3, "locked, refused, unlocked"


def test_an_editor_sees_who_can_lift_a_lock_but_no_button(guarded):
    from tokens import make_token

    headers = {"Authorization": f"Bearer {make_token(guarded.file, 'eve', 'editor')}"}
    text = guarded.get(flag_path("checkout/guest_checkout"), headers).text
    assert "Lock this flag" not in text and "name=\"revision\"" in text
