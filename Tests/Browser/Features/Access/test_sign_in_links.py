"""The sign-in link of a new token: copied by its admin, opened by somebody else."""

from harness import forms_in
from playwright.sync_api import expect
from tokens import make_token


def created(page, server, name):
    """Makes a token on the page, and returns its link."""
    page.goto(server.link)
    page.goto(server.url("/access"))
    page.get_by_label("Name").fill(name)
    page.get_by_label("Role").select_option("editor")
    page.get_by_role("button", name="Create token").click()
    return page.get_by_role("group", name="Sign-in link").inner_text().strip()


def test_a_link_signs_somebody_in_by_one_press(guarded, page, browser):
    link = created(page, guarded, "zoe")
    token = page.locator("[data-secret]").inner_text().strip()
    assert link == f"{guarded.address}/sign-in?token={token}"
    expect(page.locator(".card-token")).to_contain_text("zoe can use this link on this machine only.")
    expect(page.locator(".card-token")).to_contain_text("as an editor. Like the token")
    with browser.new_context() as context:
        zoe = context.new_page()
        zoe.goto(link)
        assert context.cookies() == []
        expect(zoe.get_by_role("button", name="Sign in as zoe (editor)")).to_be_focused()
        zoe.keyboard.press("Enter")
        expect(zoe.locator("#menu > summary")).to_contain_text("zoe")
        assert token not in zoe.url
    page.goto(guarded.url("/access"))
    assert link not in page.content()


def test_the_link_is_copied_by_one_press(guarded, open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    link = created(page, guarded, "zoe")
    page.get_by_role("button", name="Copy the sign-in link").click()
    expect(page.get_by_role("status").get_by_text("Copied the sign-in link.")).to_be_attached()
    assert page.evaluate("navigator.clipboard.readText()").strip() == link


def test_what_previews_a_link_begins_no_session_and_a_revoked_one_is_refused(guarded):
    token = make_token(guarded.file, "zoe", "viewer")
    for site in ({}, {"Sec-Fetch-Site": "cross-site"}):
        answer = guarded.get(f"/sign-in?token={token}&next=/history", site)
        assert answer.status == 200 and "set-cookie" not in answer.headers
    (form,) = forms_in(answer.text)
    assert form == {"token": token, "next": "/history"}
    signed_in = guarded.post("/sign-in", form)
    assert signed_in.status == 303 and signed_in.headers["location"] == "/history"
    wrong = guarded.get(f"/sign-in?token={token[:-1]}")
    assert wrong.status == 401 and token[:-1] not in wrong.text
    assert "Invalid or expired link." in wrong.text
