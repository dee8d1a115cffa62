"""The page about webhooks, as an admin uses it, with scripts and without."""

import subprocess

from harness import BINARY, environment
from playwright.sync_api import expect
from receiver import Receiver
from samples import demonstration


def test_an_admin_tests_replays_and_removes_a_webhook(serve, tmp_path, page):
    receiver = Receiver()
    try:
        file = demonstration(tmp_path / "demo")
        subprocess.run(
            [BINARY, "webhook", "add", file, receiver.url, "--name", "till", "--allow-private"],
            check=True, capture_output=True, env=environment())
        server = serve(file)
        page.goto(server.address)
        page.get_by_role("link", name="Webhooks").click()
        webhook = page.locator("[data-webhook]")
        # The answer is awaited by the form, so that the receiver is told before.
        receiver.answer(204)
        webhook.get_by_role("button", name="Send a test to till").click()
        assert "webhook.test" in receiver.next()["body"]
        webhook.get_by_text("taken, it answered 204").wait_for()
        server.change("checkout/minimum_order", "set", "3")
        first = receiver.take()
        page.reload()
        webhook.get_by_text("Send again…").click()
        webhook.get_by_label("From row").fill("1")
        webhook.get_by_role("button", name="Send again to till").click()
        again = receiver.take()
        assert again["headers"]["webhook-id"] == first["headers"]["webhook-id"]
        expect(page.get_by_text("The rows are sent again, before any new one.")).to_be_focused()
        webhook.get_by_text("Remove…").click()
        webhook.get_by_role("button", name="Remove till").click()
        page.get_by_text("There is no webhook.").wait_for()
    finally:
        receiver.stop()
