"""Every page of the dashboard, for the tests that look at each of them: a new page is one more line of PAGES."""

import re
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from exhibits import broken_manifest, broken_values, linked, symbolic_link
from harness import ROOT, flag_path, forms_in

SIZES = {"wide": {"width": 1280, "height": 900}, "phone": {"width": 320, "height": 640}}
OWN = {"Sec-Fetch-Site": "same-origin"}


@dataclass(frozen=True)
class Page:
    """A page: its address, and where needed what is posted there, who asks, and what is done on it then."""

    name: str
    path: str
    status: int = 200
    on: str = "exhibit"
    """Which of EXHIBITS serves it."""
    form: Callable[[Any], dict | list] | None = None
    """What is posted to the address, by the server that it is posted to."""
    headers: dict = field(default_factory=dict)
    """What a browser would not send by itself: the page is asked for below the level of a browser, and shown in one."""
    role: str | None = None
    """As whom somebody is signed in."""
    while_in: Callable[[Any], Any] = nullcontext
    """The state that the server is in meanwhile."""
    act: Callable[[Any, Any], None] | None = None
    """What is done on the page, with the server, before it is looked at."""
    route: str | None = None
    """The route of the page that `act` leads to."""

    def ask(self, server):
        """Asks below the level of a browser; follows the redirect after a form that was taken."""
        headers = dict(self.headers)
        if self.role:
            headers["Cookie"] = server.cookies[self.role]
        if not self.form:
            return self.path, server.get(self.path, headers)
        answer = server.post(self.path, self.form(server), {"Origin": server.address} | OWN | headers)
        if answer.status == 303:
            path = answer.headers["location"]
            return path, server.get(path, {"Cookie": headers["Cookie"]} if self.role else {})
        return self.path, answer

    def lead(self, page, server):
        """Leads a browser's page there; returns the HTML that was sent."""
        if self.role:
            name, _, value = server.cookies[self.role].partition("=")
            page.context.add_cookies([{"name": name, "value": value, "url": server.address}])
        address = server.url(self.path)
        if self.form or self.headers:
            address, answer = self.ask(server)
            address = server.url(address)
            headers = {name: answer.headers[name] for name in ("content-type", "content-security-policy")}
            page.route(address, lambda route: route.fulfill(status=answer.status, headers=headers, body=answer.body))
            status, sent = answer.status, answer.body
            page.goto(address)
        else:
            answer = page.goto(address)
            status, sent = answer.status, answer.body()
        assert status == self.status, f"{self.name}: {status}"
        page.wait_for_load_state("load")
        if self.act:
            self.act(page, server)
        return sent


def edit(key, **fields):
    return lambda server: server.editor(key) | {"action": "set"} | fields


def fields(**given):
    return lambda server: given


def form_of(path, number=-1, **given):
    """A form of the main part of another page as it stands there, with some fields filled in."""
    return lambda server: forms_in(server.get(path).text.partition("</main>")[0])[number] | given


def late_edit(key, *values):
    """An edit that is based on a value which somebody else has changed meanwhile."""

    def make(server):
        mine = server.editor(key) | {"action": "set", "value": values[0]}
        server.change(key, "set", values[1] if mine["value"] != values[1] else values[2])
        return mine | {"revision": "absent"}

    return make


def selected(*keys, action="on", back="/"):
    return lambda server: [("action", action), ("provider", "Local"), ("back", back), *(("key", key) for key in keys)]


def batch_changed_meanwhile(server):
    """The form of a batch of which one change was made by somebody else after the preview."""
    keys = selected("onboarding/welcome_tour", "checkout/guest_checkout", action="off")(server)
    server.change("checkout/guest_checkout", "set", "true")
    form = server.preview("/selected", keys)
    server.change("checkout/guest_checkout", "set", "false")
    return form


def overtaken_batch(server):
    """The form of a batch that was made by somebody else after the preview, so that nothing is left to do."""
    server.change("checkout/guest_checkout", "set", "true")
    form = server.preview("/selected", selected("checkout/guest_checkout", action="off")(server))
    server.change("checkout/guest_checkout", "set", "false")
    return form


def conflicting_definition(server):
    """The form of a definition that was changed after it had been opened."""
    path = "/definitions/checkout/delivery_fee"

    def form():
        return next(form for form in forms_in(server.get(path).text) if "owner" in form) | {
            "action": "save", "type": "double"}

    mine = form()
    theirs = form() | {"owner": "Them" if mine["owner"] != "Them" else "Others"}
    assert server.post(path, theirs).status == 303
    return mine | {"owner": "Me"}


def retirement(key):
    """The form by which a flag is retired."""
    path = f"/definitions/{key}"
    return lambda server: next(form for form in forms_in(server.get(path).text) if "retired" in form) | {
        "action": "retire", "retired": "The report of Monday says that nobody asks for it."}


def removal_of_new(key):
    """The form by which a flag that has just been defined is deleted."""

    def make(server):
        path = f"/definitions/{key}"
        assert server.post("/definitions/new", {"action": "save", "key": key, "type": "bool"}).status == 303
        return form_of(path, action="delete", confirmation=key)(server)

    return make


def open_help(page, _):
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()


def open_palette(page, _):
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Flag or page").fill("delivery")
    page.locator(".dialog-palette [role=option]").first.wait_for()


def tick(page, _):
    for number in range(3):
        page.locator("input[form=selection]").nth(number).check()
    page.get_by_label("Action", exact=True).select_option(label="Set value")


def select_first(page, _):
    page.locator(".matrix .pick input").first.check()
    page.locator("[data-copy-count]", has_text="1 selected").wait_for()


def press_on(page, _):
    page.locator('[data-flag="appearance/compact_rows"] button[value=on]').click()
    page.locator(".notice").wait_for()


def change_and_say_why(page, _):
    page.locator('[data-flag="appearance/compact_rows"] .switching button:not([aria-current])').last.click()
    page.locator(".notice").get_by_text("Add reason", exact=True).click()


def come_back(page, _):
    """Somebody was here two hours ago, two changes before the newest one."""
    [cookie] = [cookie for cookie in page.context.cookies() if cookie["name"].startswith("flagboard-visit-")]
    row, time = (int(number) for number in cookie["value"].split(".")[:2])
    page.context.add_cookies([cookie | {"value": f"{row - 2}.{time - 7200}"}])
    page.reload()


def change_behind(key, value, other, shown):
    """Somebody else changes a flag while the page is open."""

    def act(page, server):
        page.locator("#live.live-on").wait_for()
        server.change(key, "set", value if server.editor(key)["value"] != value else other)
        page.locator(shown).first.wait_for()

    return act


def type_and_be_overtaken(page, server):
    page.locator("#live.live-on").wait_for()
    page.locator("#value").fill("7.25")
    value = "4.5" if "4.5" not in page.locator("[data-effective]").inner_text() else "5.5"
    server.change("checkout/delivery_fee", "set", value)
    page.locator(".live-warning").wait_for()


def unfold(page, _):
    # The menu would lie over the rest; test_pages looks at it by itself.
    page.evaluate("document.querySelectorAll('details:not(#menu)').forEach(each => each.open = true)")


def open_delivery(page, _):
    page.locator(".delivery a").first.click()
    page.get_by_role("heading", name="Body").wait_for()


BASKET, FEE, MINIMUM = "checkout/maximum_basket_items", "checkout/delivery_fee", "checkout/minimum_order"
def unsent_form(server):
    """Signing in after a form was refused for want of a session."""
    return {
        "token": server.link.partition("token=")[2], "next": "/", "unsentTo": flag_path(FEE),
        "unsent": "action=set&provider=Local&value=3.5&reason=a+long+one%0Aof+two+lines",
    }


TYPES = {
    "boolean": "checkout/guest_checkout",
    "boolean-restart": "checkout/new_checkout",
    "integer": BASKET,
    "string": "appearance/banner_text",
    "pattern": "appearance/theme/accent_colour",
    "text": "checkout/notice",
    "choice": "appearance/price_emphasis",
    "date": "checkout/free_delivery_until",
    "data": "checkout/payment/public_key",
    "url": "search/endpoint",
    "array": "search/boosted_brands",
    "dictionary": "networking/extra_headers",
    "json": "search/ranking",
    "broken": "checkout/payment/retry_limit",
    "locked": "checkout/payment/processor",
    "expired": "checkout/payment/pay_by_invoice",
    "undefined": "experiments/old_cart_layout",
}

PAGES = [
    Page("list", "/"),
    Page("search", "/?q=checkout"),
    Page("list-by-change", "/?sort=changed&q=checkout"),
    Page("list-narrowed", "/?state=on,restart&group=checkout"),
    Page("no-result", "/?q=nothing+like+it"),
    Page("no-result-of-criteria", "/?type=date&tag=first+run"),
    Page("list-ticked", "/?q=delivery", act=tick),
    Page("list-saved", "/?q=compact", act=press_on),
    Page("list-saved-unfolded", "/?q=compact", act=change_and_say_why),
    Page("list-live", "/?q=order", act=change_behind(MINIMUM, "11", "12", ".live-by")),
    Page("help-dialog", "/?q=fee", act=open_help),
    Page("palette", "/history?key=checkout/notice", act=open_palette),
    Page("list-after-a-visit", "/", act=come_back),
    Page("providers", "/?view=providers"),
    *(Page(name, flag_path(key), act=unfold if name == "text" else None) for name, key in TYPES.items()),
    Page("flag-unfolded", flag_path(BASKET), act=unfold),
    Page("flag-by-key", "/flags?key=checkout/guest_checkout"),
    Page("flag-overtaken", flag_path(FEE), act=type_and_be_overtaken),
    Page("flag-not-found", "/flags/no/such/flag", 404),
    Page("flag-refused", flag_path(BASKET), 422, form=edit(BASKET, value="99999", reason="because")),
    Page("flag-refused-json", flag_path("search/ranking"), 422, form=edit("search/ranking", value='{\n "a": 01}')),
    Page("flag-conflict", flag_path(MINIMUM), 409, form=late_edit(MINIMUM, "17", "18", "19")),
    Page("flag-locked", flag_path("checkout/payment/processor"), 423, form=fields(action="set", value="x")),
    Page("flag-saved", flag_path("search/results_per_page"), form=edit("search/results_per_page", value="36")),
    Page("flag-too-large", flag_path("checkout/notice"), 413, form=edit("checkout/notice", value="so long, " * 950_000)),
    Page("flag-in-code", flag_path(FEE), on="code"),
    Page("source", "/source?file=App/Cart.swift&line=5", on="code"),
    Page("source-not-found", "/source?file=../flags.xml&line=1", 404, on="code"),
    Page("definition", "/definitions/checkout/delivery_fee"),
    Page("definition-by-key", "/definitions?key=checkout/notice"),
    Page("definition-new", "/definitions/new"),
    Page("definition-new-unfolded", "/definitions/new?key=shop/size&type=choice&default=10", act=unfold),
    Page("definition-copy", "/definitions/new?from=experiments/order_button"),
    Page("definition-unusual-key", "/definitions/new", 422, form=fields(action="save", key="a key path!", type="bool")),
    Page("definition-not-found", "/definitions/no/such/flag", 404),
    Page("definition-refused", "/definitions/new", 422, form=fields(
        action="save", key="checkout", type="double", default="free", expires="soon")),
    Page("definition-conflict", "/definitions/checkout/delivery_fee", 409, form=conflicting_definition),
    Page("definition-not-deleted", "/definitions/checkout/delivery_fee", 422, form=form_of(
        "/definitions/checkout/delivery_fee", action="delete", confirmation="fee")),
    Page("definition-retired", "/definitions/experiments/order_button", form=retirement("experiments/order_button")),
    Page("definition-deleted", "/definitions/passing/fancy", form=removal_of_new("passing/fancy")),
    Page("history", "/history"),
    Page("history-narrowed", "/history?key=checkout/notice"),
    Page("history-empty", "/history?actor=nobody"),
    Page("history-refused", "/history?from=soon"),
    Page("history-after-a-visit", "/history", act=come_back),
    Page("history-since", "/history?since=2"),
    Page("change", "/history/1"),
    Page("change-unfolded", "/history/1", act=unfold),
    Page("change-of-text", "/history/3"),
    Page("change-of-json", "/history/6"),
    Page("change-of-many", "/history/10", act=unfold),
    Page("change-not-found", "/history/999999", 404),
    Page("revert-refused", "/history/2/revert", 409, form=fields(scope="change")),
    Page("set-again-preview", "/history/1/again", form=fields()),
    Page("revert-preview", "/history/10/revert", form=fields(scope="batch")),
    Page("reason-added", "/history/2/reason", form=fields(reason="Asked for by sales.")),
    Page("reason-refused", "/history/2/reason", 422, form=fields(reason=" ")),
    Page("time-machine", "/history/at"),
    Page("past", "/history/at?before=1"),
    Page("past-different", "/history/at?before=2&show=different"),
    Page("past-refused", "/history/at?time=soon"),
    Page("past-all", "/history/at?before=2&show=all"),
    Page("merged-list", "/", on="merged"),
    Page("merged-flag", flag_path("shop/limit"), on="merged"),
    Page("merged-preview", flag_path("shop/limit"), on="merged", form=fields(action="take-theirs", provider="Local")),
    Page("list-locked-open", "/?open=onboarding%2Fminimum_age"),
    Page("season-history", "/history", on="season"),
    Page("season-history-unfolded", "/history?kind=set", on="season", act=unfold),
    Page("season-time-machine", "/history/at", on="season"),
    Page("season-past", "/history/at?before=2", on="season", act=unfold),
    Page("season-number", flag_path(BASKET), on="season", act=unfold),
    Page("season-boolean", flag_path("checkout/new_checkout"), on="season"),
    Page("restore-preview", "/history/at", form=form_of("/history/at?before=2&show=different", restore="all")),
    Page("restore-nothing", "/history/at", 422, form=form_of("/history/at?before=2&show=different", restore="chosen")),
    Page("selected-preview", "/selected", form=selected(
        "checkout/guest_checkout", "checkout/notice", "checkout/payment/processor")),
    Page("selected-nothing", "/selected", 422, form=selected(back="/?q=checkout")),
    Page("selected-no-deed", "/selected", 422, form=selected(FEE, action="", back="/?q=delivery")),
    Page("selected-no-tag", "/selected", 422, form=selected(FEE, "no/such/flag", action="tag", back="/?q=delivery")),
    Page("batch-changed-meanwhile", "/batch", 409, form=batch_changed_meanwhile),
    Page("batch-overtaken", "/batch", 409, form=overtaken_batch),
    Page("preview-gone", "/batch?preview=gone", 404),
    Page("export", "/export"),
    Page("export-search", "/export?q=checkout"),
    Page("import", "/import"),
    Page("import-refused", "/import", 422, form=fields(text="{\n  “smart quotes”: 1\n}", mode="merge", provider="Local")),
    Page("import-nothing", "/import", form=fields(text="{}", mode="merge", provider="Local")),
    Page("import-preview", "/import", form=fields(mode="merge", provider="Local", text=(
        '{"checkout": {"delivery_fee": 3.5, "guest_checkout": true, "payment": {"processor": "other"}}, "nobody": 1}'))),
    Page("searches", "/searches"),
    Page("searches-save", "/searches?q=checkout&state=on"),
    Page("searches-saved", "/searches", form=fields(action="save", name="All that is on", query="state=on")),
    Page("searches-refused", "/searches", 422, form=fields(action="save", name="", query="q=checkout")),
    Page("searches-none", "/searches", 422, form=fields(action="save", name="All", query="")),
    Page("viewer-searches", "/searches?q=checkout", on="guarded", role="viewer"),
    Page("settings", "/settings"),
    Page("settings-refused", "/settings", 422, form=fields(theme="dark", density="", zone="Europe/Nowhere")),
    Page("settings-odd", "/settings", 422, form=fields(theme="pink")),
    Page("help", "/help"),
    Page("help-api", "/help/api", act=unfold),
    Page("nowhere", "/nowhere", 404),
    Page("wrong-method", "/selected", 405),
    Page("wrong-host", "/", 421, headers={"Host": "evil.example"}),
    Page("other-site", flag_path(BASKET), 403, form=fields(action="reset"), headers={"Sec-Fetch-Site": "cross-site"}),
    Page("access-open", "/access"),
    Page("values-broken-list", "/?q=fee", while_in=broken_values),
    Page("values-broken-flag", flag_path(FEE), while_in=broken_values),
    Page("values-broken-export", "/export", while_in=broken_values),
    Page("manifest-broken-list", "/?q=fee", while_in=broken_manifest),
    Page("signed-out", flag_path(FEE), 401, on="guarded"),
    Page("sign-in", "/sign-in", on="guarded"),
    Page("sign-in-refused", "/sign-in", 401, on="guarded", form=fields(token="wrong", next="/")),
    Page("sign-in-old-link", "/sign-in?token=wrong", 401, on="guarded"),
    Page("signed-out-meanwhile", flag_path(FEE), 401, on="guarded", form=fields(
        action="set", value="a long text\nof two lines", reason="because")),
    Page("signed-out-import", "/import", 401, on="guarded", form=fields(
        text='{"checkout": {"delivery_fee": 3.5}}', mode="merge", provider="Local")),
    Page("signed-out-definition", "/definitions/checkout/delivery_fee", 401, on="guarded", form=fields(
        action="save", type="double", owner="Me")),
    Page("signed-in-with-form", "/sign-in", on="guarded", form=unsent_form),
    Page("viewer-list", "/?q=fee", on="guarded", role="viewer"),
    Page("viewer-flag", flag_path(FEE), on="guarded", role="viewer"),
    Page("viewer-import", "/import", on="guarded", role="viewer"),
    Page("viewer-definition", "/definitions/checkout/delivery_fee", 403, on="guarded", role="viewer"),
    Page("viewer-access", "/access", 403, on="guarded", role="viewer"),
    Page("viewer-selected", "/selected", on="guarded", role="viewer", form=selected("checkout/guest_checkout")),
    Page("viewer-restarted", "/restarted", 403, on="guarded", role="viewer", form=fields(back="/")),
    Page("admin-list", "/?q=fee", on="guarded", role="admin"),
    Page("access", "/access", on="guarded", role="admin"),
    Page("access-refused", "/access/tokens", 422, on="guarded", role="admin", form=fields(
        name="deploy-bot", role="editor", expires="soon")),
    Page("access-made", "/access/tokens", on="guarded", role="admin", form=fields(name="new", role="viewer")),
    Page("access-no-such-token", "/access/tokens/revoke", 404, on="guarded", role="admin", form=fields(name="nobody")),
    Page("viewer-webhooks", "/webhooks", 403, on="guarded", role="viewer"),
    Page("webhooks", "/webhooks", on="guarded", role="admin"),
    Page("webhooks-told", "/webhooks", on="hooked", act=unfold),
    Page("webhook-delivery", "/webhooks", on="hooked", act=open_delivery, route="/webhooks/:id/deliveries/:number"),
    Page("webhook-added", "/webhooks/add", on="hooked", form=fields(url="https://hooks.example/a", template="generic")),
    Page("webhook-refused", "/webhooks/add", 422, on="hooked", form=fields(url="http://127.0.0.1:9/a", template="generic")),
    Page("webhooks-no-such-test", "/webhooks/test", 404, on="hooked", form=fields(id="nobody")),
    Page("webhooks-no-such-one-enabled", "/webhooks/enable", 404, on="hooked", form=fields(id="nobody")),
    Page("webhooks-no-such-one-removed", "/webhooks/remove", 404, on="hooked", form=fields(id="nobody")),
    Page("webhooks-no-such-rows", "/webhooks/replay", 422, on="hooked", form=fields(id="nobody", **{"from": "x"})),
    Page("access-no-such-session", "/access/sessions/revoke", 404, on="guarded", role="admin", form=fields(session="999")),
    Page("compare", "/compare", on="pair"),
    Page("compare-selected", "/compare", on="pair", act=select_first),
    Page("compare-all", "/compare?show=all", on="pair"),
    Page("compare-empty", "/compare?q=zzz", on="pair"),
    Page("compare-with-default", "/compare?left=default&right=Local", on="pair"),
    Page("compare-refused", "/compare?left=Local&right=nobody", on="pair"),
    Page("compare-none-chosen", "/compare", 422, on="pair", form=form_of("/compare", copy="chosen-right")),
    Page("copy-preview", "/compare", on="pair", form=form_of("/compare", copy="all-right")),
    Page("environments", "/environments", on="environments"),
    Page("environments-all", "/environments?show=all&base=staging", on="environments"),
    Page("environments-empty", "/environments?q=zzz", on="environments"),
    Page("environments-refused", "/environments?base=nobody", on="environments"),
    Page("environments-none-chosen", "/environments", 422, on="environments", form=fields(
        **{"from": "staging", "to": "Local", "copy": "chosen"})),
    Page("environments-copy-preview", "/environments", on="environments", form=fields(
        **{"from": "staging", "to": "Local", "copy": "all"})),
    Page("one-environment", "/environments", on="one flag"),
    Page("environment-flag", "/flags/ui/title?provider=staging", on="environments"),
    Page("two-providers", "/?view=providers", on="pair"),
    Page("two-providers-flag", "/flags/ui/title", on="pair"),
    Page("read-only-list", "/?q=fee", on="read-only"),
    Page("read-only-flag", flag_path(FEE), on="read-only"),
    Page("read-only-import", "/import", on="read-only"),
    Page("read-only-definition", "/definitions/checkout/delivery_fee", 403, on="read-only"),
    Page("read-only-refused", flag_path(FEE), 403, on="read-only", form=fields(action="set", value="3")),
    Page("unsigned-list", "/?q=fee", on="without key"),
    Page("unsigned-history", "/history", on="without key"),
    Page("history-gone-list", "/?q=fee", on="without history"),
    Page("history-gone-flag", flag_path(FEE), on="without history"),
    Page("history-gone", "/history", on="without history"),
    Page("no-flag-list", "/", on="no flag"),
    Page("no-flag-history", "/history", on="no flag"),
    Page("no-flag-compare", "/compare", on="no flag"),
    Page("no-flag-export", "/export", on="no flag"),
    Page("one-flag-list", "/", on="one flag"),
    Page("scripts-list", "/", on="many scripts"),
    Page("scripts-search", "/?q=top", on="many scripts"),
    Page("scripts-by-change", "/?sort=changed&q=top", on="many scripts"),
    Page("scripts-providers", "/?view=providers&q=plain", on="many scripts"),
    Page("scripts-flag", flag_path("plain/\u0645\u0631\u062d\u0628\u0627_0"), on="many scripts"),
    Page("scripts-long-search", "/?q=" + "long" * 60, on="many scripts"),
    Page("scripts-compare", "/compare?show=all&q=plain", on="many scripts"),
    Page("slips-list", "/", on="odd definitions"),
    Page("slips-flag", "/flags/shop/limit", on="odd definitions"),
    Page("unchecked-flag", "/flags/shop/code", on="odd definitions"),
    Page("linked-list", "/", on="one flag", while_in=linked),
    Page("symbolic-link-flag", "/flags/shop/limit", on="odd definitions", while_in=symbolic_link),
    Page("many-list", "/?q=area_03/part_7", on="5,000 flags"),
]

BARE = {
    "wrong-host", "wrong-method", "other-site", "signed-out", "signed-out-meanwhile", "signed-out-import",
    "signed-out-definition", "signed-in-with-form", "sign-in", "sign-in-refused", "sign-in-old-link",
}
"""Pages that tell nobody anything of the dashboard, not even where its pages are."""

NO_PAGES = {
    "/data": "the bytes of a flag",
    "/events": "what changes, as it happens",
    "/restarted": "leads on",
    "/favourites": "leads on",
    **{f"/webhooks/{deed}": "leads on" for deed in ("test", "pause", "resume", "enable", "replay", "resend", "remove")},
    "/sign-out": "leads on",
    "/history/at/values.xml": "a download",
    "/history/at/values.json": "a download",
    "/export/*": "a download",
    "/api/*": "for programs",
    "/ofrep/*": "for programs",
    "/healthz": "for programs",
    "/metrics": "for programs",
}
"""What answers no page, or none but refusals."""


def routes():
    """The paths of all features."""
    files = sorted((ROOT / "Sources/Dashboard/Flagboard").rglob("Feature+*.swift"))
    text = "".join(file.read_text() for file in files)
    return re.findall(r'static let \w+ = (?:Route|action)\(\s*"[^"]+", "([^"]+)"', text)


def shows(route, page):
    """Whether a page is at an address that a route stands for."""
    if page.route == route:
        return True
    pattern = re.escape(route).replace(r"\*\*", ".+")
    return re.fullmatch(re.sub(r":\w+", "[^/]+", pattern), page.path.partition("?")[0]) is not None
