"""Servers whose pages are looked at: between them they have everything that a page can show."""

import json
import os
import plistlib
import re
import subprocess
import time
from contextlib import contextmanager

from harness import BINARY, Server, environment
from past import season
from samples import demonstration, five_thousand_flags, flags_of_many_scripts, write
from tokens import make_token

SIDE_VALUES = {
    "ui": {"dark": True, "title": "the old title of this shop", "fixed": 1},
    "count": 3,
    "only_local": "x",
    "\u05e9\u05dc\u05d5\u05dd \U0001f600": True,
}
TEAM = {"ui": {"dark": False, "title": "the new title of this shop", "fixed": 2}, "count": 3, "rate": "odd"}
SIDE_FLAGS = [
    {"key": "ui/dark", "type": "bool", "default": False},
    {"key": "ui/title", "type": "string"},
    {"key": "ui/fixed", "type": "integer", "isLocked": True},
    {"key": "count", "type": "integer", "default": 1},
    {"key": "rate", "type": "double"},
    {"key": "nowhere", "type": "bool"},
]


def two_providers(folder):
    file = write(folder, SIDE_VALUES, SIDE_FLAGS)
    (folder / "team.xml").write_bytes(plistlib.dumps(TEAM))
    return file


def apply_batch(server, reason="Sale", **values):
    """Sets several flags together."""
    changes = [{"key": key, "action": "set", "value": value, "revision": "*"} for key, value in values.items()]
    body = json.dumps({"changes": changes, "reason": reason}).encode()
    headers = {"Content-Type": "application/json", "If-Match": "*", "Sec-Fetch-Site": "same-origin"}
    answer = server.request("POST", "/api/v1/batches", body, headers | {"Origin": server.address})
    assert answer.status == 200, answer.text


def exhibit(folder):
    """The demonstration with a history of everything: changes of each type, from outside, together, and refused ones."""
    server = Server(demonstration(folder), "--banner", "Tests:violet")
    server.change("checkout/new_checkout", "set", "false", "The new checkout loses baskets: see the report of Monday.")
    server.change("checkout/notice", "set", "No deliveries on Sunday, because the bridge is closed. " * 4, "Bridge closed")
    server.change("checkout/notice", "set", "https://cornershop.example/" + "a-very-long-word" * 12, "because " * 60)
    server.change("checkout/notice", "set", "a\tb\n\nc\u202ed\u200be " + "a-very-long-word" * 12)
    server.change("search/ranking", "set", '{"version": 3, "weights": {"distance": 1, "price": 2}}', "Try distance alone")
    server.change("search/ranking", "set", '{"version": 4, "weights": {"distance": 1}, "boost": true}')
    server.change("checkout/maximum_basket_items", "reset", reason="Back to normal")
    server.change("search/endpoint", "set", "https://cornershop.example/" + "a-very-long-word" * 12 + "/")
    server.file.write_text(server.file.read_text().replace("<real>30</real>", "<real>45</real>"))
    apply_batch(server, **{"search/results_per_page": 30, "checkout/new_checkout": True})
    server.post("/flags/checkout/payment/processor", {"action": "set", "value": "x"})
    return server


def guarded(folder):
    """People sign in, by tokens of every sort; `cookies` holds what an admin and a viewer sign in with."""
    server = Server(demonstration(folder), access="token")
    viewer = make_token(server.file, "Vic of the support team", "viewer")
    make_token(server.file, "deploy-bot", "editor", "--expires", "30d")
    make_token(server.file, "a-very-long-name-without-a-space-" * 3, "admin")
    make_token(server.file, "<b>Zoë \u05d0\u05d1\u05d2 & \"Co\"", "viewer", "--expires", "1d")
    tokens = server.file.parent / "flags.tokens.json"
    tokens.write_text(re.sub(r'("expires" : ")\d{4}', r"\g<1>2020", tokens.read_text(), count=1))
    server.cookies = {
        "admin": cookie(server.get(server.link.removeprefix(server.address))),
        "viewer": cookie(server.post("/sign-in", {"token": viewer, "next": "/"})),
    }
    return server


def hooked(folder):
    """Webhooks that no program answers: one waits for its next try, one was told of nothing yet, and one was tried out."""
    file = demonstration(folder)
    for name, options in (("The till of the shop in the old town", []), ("a-very-long-name-without-a-space-" * 3, [
            "--filter", "key=checkout/*", "--filter", "kind=set,reset"]), ("idle", [
            "--filter", "tag=none", "--template", "slack"])):
        subprocess.run(
            [BINARY, "webhook", "add", file, "http://127.0.0.1:9/hook/secret", "--name", name, "--allow-private", *options],
            check=True, capture_output=True, env=environment())
    server = Server(file)
    server.change("checkout/minimum_order", "set", "3")
    end = time.monotonic() + 60
    while server.get("/webhooks").text.count("Failing since") < 2:
        assert time.monotonic() < end, "the webhooks are never told"
    identifier = re.search(r'data-webhook="(\w+)"', server.get("/webhooks").text)[1]
    assert server.post("/webhooks/test", {"id": identifier}).status == 303
    return server


def cookie(answer):
    assert answer.status == 303, answer.text
    return answer.headers["set-cookie"].partition(";")[0]


def without_history(folder):
    """The history was taken away while the server runs."""
    server = Server(demonstration(folder))
    server.change("checkout/minimum_order", "set", "3")
    for file in server.file.parent.glob("flags.history.sqlite*"):
        file.unlink()
    return server


def without_key(folder):
    """The key that the history was signed with was lost before the server started."""
    server = Server(demonstration(folder))
    server.change("checkout/minimum_order", "set", "3")
    server.stop()
    server.file.with_name("flags.history.key").unlink()
    return Server(server.file)


ODD_FLAGS = [
    {"key": "shop/limit", "type": "integer", "islocked": True, "jira": "SHOP-12"},
    {"key": "shop/code", "type": "string", "pattern": "(a+)+$", "patern": "a-very-long-word" * 12},
]


def odd_definitions(folder):
    """Definitions with slips, and with a pattern that takes too long on the value."""
    values = {"shop": {"limit": 5, "code": "a" * 50 + "!"}}
    return Server(write(folder, values, ODD_FLAGS, [{"key": "shop", "isLocked": True}]))


def merged(folder):
    """A merge left a conflict, as the merge driver writes it."""
    file = write(folder, {"shop": {"limit": 5}}, [{"key": "shop/limit", "type": "integer"}])
    value = "<integer>5</integer>"
    lines = [
        f"{value}", "<!-- conflict: shop/limit", "<<<<<<< ours, which the file holds", value, "||||||| base",
        "<integer>4</integer>", "=======", "<integer>9</integer>", ">>>>>>> theirs", "-->"]
    file.write_text(file.read_text().replace(value, "\n".join(lines)))
    return Server(file)


def with_code(folder):
    """The demonstration with code that uses it, once that was read."""
    file = demonstration(folder)
    code = file.parent / "Sources/App"
    code.mkdir(parents=True)
    subprocess.run(
        [BINARY, "generate", "swift", file, "--type", "ShopFlags", "--date", "2026-11-01", "--output", code / "ShopFlags.swift"],
        check=True, capture_output=True, timeout=60, env=environment())
    (code / "Cart.swift").write_text(CODE)
    server = Server(file, "--source", file.parent / "Sources")
    # The code is read beside the pages' work.
    end = time.monotonic() + 60
    while "Reading the source code" in server.get("/flags/checkout/delivery_fee").text:
        assert time.monotonic() < end, "the code is never read"
    return server


CODE = """import FeatureFlags

/// What delivery costs: "checkout/delivery_fee" in a comment is no use.
func total(of cart: Cart, _ flags: FlagsLoader<ShopFlags>) -> Double {
    let fee = flags.checkout.deliveryFee  // <script>alert(1)</script>
    return cart.sum + fee
}

let watched = ["checkout/delivery_fee", "checkout/notice"]
"""


EXHIBITS = {
    "code": with_code,
    "exhibit": exhibit,
    "guarded": guarded,
    "hooked": hooked,
    "pair": lambda folder: Server(two_providers(folder), "--provider", "Team=team.xml"),
    "environments": lambda folder: Server(two_providers(folder), "--provider", "staging=team.xml:env"),
    "read-only": lambda folder: Server(demonstration(folder), "--read-only"),
    "without history": without_history,
    "without key": without_key,
    "season": season,
    "no flag": lambda folder: Server(write(folder, {})),
    "one flag": lambda folder: Server(write(folder, {"only": True})),
    "many scripts": lambda folder: Server(flags_of_many_scripts(folder)),
    "odd definitions": odd_definitions,
    "merged": merged,
    "5,000 flags": lambda folder: Server(five_thousand_flags(folder)),
}


@contextmanager
def broken(file):
    """A file of flags, cut short for as long as this lasts."""
    sound = file.read_bytes()
    file.write_bytes(sound[:2000])
    try:
        yield
    finally:
        file.write_bytes(sound)


@contextmanager
def linked(server):
    """The values file has a second name for as long as this lasts."""
    name = server.file.with_name("second-name.xml")
    os.link(server.file, name)
    try:
        yield
    finally:
        name.unlink()


@contextmanager
def symbolic_link(server):
    """A symbolic link is in the place of the values file for as long as this lasts."""
    moved = server.file.rename(server.file.with_name("moved.xml"))
    server.file.symlink_to(moved)
    try:
        yield
    finally:
        moved.rename(server.file)


def broken_values(server):
    return broken(server.file)


def broken_manifest(server):
    return broken(server.file.with_name("flags.manifest.xml"))
