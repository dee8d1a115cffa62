"""Every page of the dashboard, for the tests that look at each of them: a new page is one more line of PAGES."""

import re

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
    "definition": "/definitions/checkout/delivery_fee",
    "definition-new": "/definitions/new",
    "history": "/history",
    "history-narrowed": "/history?key=checkout/notice",
    "history-empty": "/history?actor=nobody",
    "change": "/history/1",
    "providers": "/?view=providers",
    "compare": "/compare?show=all",
    "time-machine": "/history/at",
    "past": "/history/at?before=1",
    "export": "/export",
    "export-search": "/export?q=checkout",
    "import": "/import",
    "help": "/help",
    "not-found": "/flags/no/such/flag",
}
SIZES = {"wide": {"width": 1280, "height": 900}, "phone": {"width": 320, "height": 640}}


def open_exhibit(folder):
    """One server for all the pages, with something in its history."""
    server = Server(demonstration(folder), "--banner", "Tests:violet")
    server.change("checkout/new_checkout", "set", "false", "The new checkout loses baskets: see the report of Monday.")
    server.change("checkout/notice", "set", "No deliveries on Sunday, because the bridge is closed. " * 4, "Bridge closed")
    server.change("checkout/notice", "set", "https://cornershop.example/" + "a-very-long-word" * 12, "because " * 60)
    server.change("checkout/notice", "set", "a\tb\n\nc\u202ed\u200be " + "a-very-long-word" * 12)
    server.change("search/ranking", "set", '{"version": 3, "weights": {"distance": 1}}', "Try distance alone")
    server.change("checkout/maximum_basket_items", "reset", reason="Back to normal")
    return server


def open_guarded_exhibit(folder):
    """One server that people sign in to, with tokens of every sort."""
    server = Server(demonstration(folder), access="token")
    server.viewer = make_token(server.file, "Vic of the support team", "viewer")
    make_token(server.file, "deploy-bot", "editor", "--expires", "30d")
    make_token(server.file, "a-very-long-name-without-a-space-" * 3, "admin")
    make_token(server.file, "<b>Zoë \u05d0\u05d1\u05d2 & \"Co\"", "viewer", "--expires", "1d")
    tokens = server.file.parent / "flags.tokens.json"
    tokens.write_text(re.sub(r'("expires" : ")\d{4}', r"\g<1>2020", tokens.read_text(), count=1))
    return server


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
