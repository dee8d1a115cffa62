"""The page about webhooks, as an admin uses it, with scripts and without."""

import json
import re
import subprocess

import pytest
from harness import BINARY, environment, flag_path
from playwright.sync_api import expect
from receiver import Receiver, is_signed
from samples import demonstration
from tokens import make_token

KEY = "checkout/minimum_order"
SECRET = re.compile(r"whsec_[\w+/=]+")


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.stop()


def webhook(*arguments):
    done = subprocess.run([BINARY, "webhook", *arguments], capture_output=True, text=True, env=environment(), timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def serve_with(serve, tmp_path, receiver, *options):
    """A server of the demonstration with the webhook `till`."""
    file = demonstration(tmp_path / "demo")
    webhook("add", file, receiver.url, "--name", "till", "--allow-private")
    return serve(file, *options)


def test_an_admin_tests_replays_and_removes_a_webhook(serve, tmp_path, page, receiver):
    server = serve_with(serve, tmp_path, receiver)
    page.goto(server.address)
    page.locator("#menu > summary").click()
    page.locator("#menu").get_by_role("link", name="Webhooks").click()
    till = page.locator("[data-webhook]")
    # The answer is awaited by the form, so that the receiver is told before.
    receiver.answer(204)
    till.get_by_role("button", name="Send test to till").click()
    assert "webhook.test" in receiver.next()["body"]
    expect(page.get_by_text("Test sent. “till” responded with 204.")).to_be_focused()
    server.change(KEY, "set", "3")
    first = receiver.take()
    page.reload()
    till.get_by_text("Resend…").click()
    till.get_by_label("From").fill("1")
    till.get_by_role("button", name="Resend to till").click()
    again = receiver.take()
    assert again["headers"]["webhook-id"] == first["headers"]["webhook-id"]
    expect(page.get_by_text("Resending change 1 to “till”, before any new ones.")).to_be_focused()
    till.get_by_text("Remove…").click()
    till.get_by_role("button", name="Remove till").click()
    page.get_by_text("No webhooks yet").wait_for()


def test_an_admin_adds_a_webhook_and_sees_its_secret_once(serve, tmp_path, page, receiver):
    server = serve(demonstration(tmp_path / "demo"), "--allow-private-webhooks")
    page.goto(server.url("/webhooks"))
    page.get_by_label("URL").fill(receiver.url)
    page.get_by_label("Name (optional)").fill("till")
    page.get_by_label("Filters (optional)").fill("key=checkout/*\nkind=set")
    page.get_by_role("button", name="Add webhook").click()
    # Private addresses must be wished for one by one.
    expect(page.locator("#url-problem")).to_contain_text("127.0.0.1 is this machine. Select “Allow private addresses”")
    page.get_by_label("Allow private addresses").check()
    page.get_by_role("button", name="Add webhook").click()
    expect(page.locator("[data-secret]")).to_be_focused()
    secret = page.locator("[data-secret]").inner_text().strip()
    assert SECRET.fullmatch(secret)
    server.change("search/results_per_page", "set", "30")
    server.change(KEY, "set", "3")
    message = receiver.take()
    assert json.loads(message["body"])["data"]["key"] == KEY and is_signed(message, secret)
    page.goto(server.url("/webhooks"))
    assert secret not in page.content() and receiver.url not in page.content()
    expect(page.locator("[data-webhook]")).to_contain_text("key=checkout/*, kind=set, as JSON")


def test_a_private_address_is_refused_and_the_command_that_permits_it_works(serve, tmp_path, page, receiver):
    server = serve(demonstration(tmp_path / "demo"))
    page.goto(server.url("/webhooks"))
    page.get_by_label("URL").fill(receiver.url)
    page.get_by_label("Name (optional)").fill("the till")
    page.get_by_role("button", name="Add webhook").click()
    expect(page.locator("#form-problem")).to_be_focused()
    expect(page.locator("#url-problem")).to_contain_text("127.0.0.1 is this machine")
    expect(page.get_by_label("Name (optional)")).to_have_value("the till")
    assert not list(server.file.parent.glob("*webhooks.json"))
    command = page.get_by_role("group", name="Command that adds this webhook").inner_text().strip()
    line = command.replace("flagboard ", f"{BINARY} ", 1)
    subprocess.run(line, shell=True, check=True, capture_output=True, env=environment(), timeout=60)
    page.goto(server.url("/webhooks"))
    expect(page.locator("[data-webhook]")).to_contain_text("the till")


def test_nothing_is_sent_while_a_webhook_is_paused_and_what_waited_comes_in_order(serve, tmp_path, page, receiver):
    server = serve_with(serve, tmp_path, receiver)
    page.goto(server.url("/webhooks"))
    till = page.locator("[data-webhook]")
    till.get_by_role("button", name="Pause till").click()
    expect(page.get_by_text("Paused “till”. Changes wait until you resume it.")).to_be_focused()
    for value in ("3", "4"):
        server.change(KEY, "set", value)
    (listed,) = json.loads(webhook("list", server.file, "--json"))
    assert listed["paused"] and "paused since" in webhook("list", server.file)
    page.reload()
    expect(till).to_contain_text("2 changes pending")
    expect(till).to_contain_text("Changes are kept in the history and sent in order when you resume.")
    # A test goes out all the same, and before what waits.
    receiver.answer(204)
    till.get_by_role("button", name="Send test to till").click()
    assert "webhook.test" in receiver.next()["body"]
    page.goto(server.url("/webhooks"))
    till.get_by_role("button", name="Resume till").click()
    expect(page.get_by_text("Resumed “till”. Pending changes are sent in order.")).to_be_focused()
    assert [json.loads(receiver.take()["body"])["data"]["after"] for _ in range(2)] == [3, 4]
    assert webhook("pause", server.file, "till") == "Paused till. Changes wait until you resume it.\n"
    page.goto(server.url("/webhooks"))
    expect(till.locator(".mark")).to_have_text("Paused")
    webhook("resume", server.file, "till")
    assert "paused" not in json.loads(webhook("list", server.file, "--json"))[0]


def test_a_delivery_shows_its_answer_and_body_and_is_sent_again(serve, tmp_path, page, receiver):
    server = serve_with(serve, tmp_path, receiver)
    server.change(KEY, "set", "3")
    first = receiver.take(204)
    page.goto(server.url("/webhooks"))
    till = page.locator("[data-webhook]")
    row = till.locator("[data-delivery='1']")
    for _ in range(100):
        if row.count():
            break
        page.reload()
    expect(row).to_contain_text("204")
    row.get_by_role("link", name="Change 1").click()
    expect(page.locator("h1")).to_have_text("Delivery 1")
    assert page.get_by_role("group", name="Body").inner_text().strip() == first["body"]
    expect(page.get_by_role("link", name="Change 1")).to_have_attribute("href", "/history/1")
    assert first["headers"]["webhook-signature"] not in page.content()
    receiver.answer(500)
    page.get_by_role("button", name="Resend").click()
    again = receiver.next()
    assert again["headers"]["webhook-id"] == first["headers"]["webhook-id"] and again["body"] == first["body"]
    expect(page.get_by_text("Resending to “till” failed: status 500.")).to_be_focused()
    expect(till.locator("[data-delivery='2']")).to_contain_text("500")
    expect(till.locator("[data-delivery='2']")).to_contain_text("resent · attempt 2")
    expect(till.locator(".mark")).to_have_text("Active")
    # Deliveries are kept over a restart, without anything secret.
    kept = server.file.with_name("flags.webhooks-state.json").read_text()
    assert first["headers"]["webhook-signature"] not in kept and receiver.url not in kept
    page.goto("about:blank")  # its page would ask a server that is gone
    server.stop()
    again = serve(server.file)
    page.goto(again.url("/webhooks"))
    expect(till.locator("[data-delivery]")).to_have_count(2)


def test_one_confirmation_is_open_at_a_time(serve, tmp_path, page, receiver):
    server = serve_with(serve, tmp_path, receiver)
    page.goto(server.url("/webhooks"))
    page.get_by_text("Resend…").click()
    expect(page.locator("details.confirm[open]")).to_have_count(1)
    page.get_by_text("Remove…").click()
    expect(page.locator("details.confirm[open]")).to_have_count(1)
    expect(page.get_by_role("button", name="Remove till")).to_be_visible()


@pytest.mark.parametrize("role", ["viewer", "editor"])
def test_only_admins_see_or_change_webhooks(guarded, role):
    webhook("add", guarded.file, "https://hooks.example/a", "--name", "till")
    headers = {"Authorization": f"Bearer {make_token(guarded.file, 'vic', role)}", "Sec-Fetch-Site": "same-origin"}
    assert "Only admins can manage webhooks." in guarded.get("/webhooks", headers).text
    for path in ("add", "test", "pause", "resume", "resend", "enable", "replay", "remove"):
        answer = guarded.post(f"/webhooks/{path}", {"id": "till", "url": "https://hooks.example/b"}, headers)
        assert answer.status == 403 and "Only admins can manage webhooks." in answer.text
    assert guarded.get("/webhooks/till/deliveries/1", headers).status == 403
    assert guarded.get(flag_path(KEY), headers).status == 200
    (listed,) = json.loads(webhook("list", guarded.file, "--json"))
    assert listed["name"] == "till" and "paused" not in listed
