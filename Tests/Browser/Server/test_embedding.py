"""The dashboard in an app: `Examples/EmbeddedShop`, which serves it below a path beside its own pages."""

import base64
import html
import http.client
import re
import subprocess
import urllib.parse

import pytest
from harness import BINARY, Response, environment, forms_in
from playwright.sync_api import expect

SHOP = BINARY.parent / "EmbeddedShop"
BELOW = "/staff/flags"
FLAG = f"{BELOW}/flags/quick_checkout"


class Shop:
    """The example as a process, from its first line to its end."""

    def __init__(self, folder):
        self.folder = folder
        self._errors = open(folder / "errors.log", "w+")
        self.process = subprocess.Popen(
            [SHOP], cwd=folder, env=environment() | {"PORT": "0"}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self._errors, text=True)
        line = self.process.stdout.readline()
        match = re.match(r"The shop is open at (http://127\.0\.0\.1:(\d+))/, ", line)
        assert match, self._errors.seek(0) or self._errors.read()
        self.address, self.port = match[1], int(match[2])

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()
        self._errors.close()
        return self.process.returncode

    def ask(self, method, path, fields=None, who="ada:lovelace", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            if who:
                headers["Authorization"] = "Basic " + base64.b64encode(who.encode()).decode()
            body = None
            if fields is not None:
                body = urllib.parse.urlencode(fields)
                headers = {
                    "Content-Type": "application/x-www-form-urlencoded", "Origin": self.address,
                    "Sec-Fetch-Site": "same-origin"} | headers
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return Response(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def get(self, path, **options):
        return self.ask("GET", path, **options)


@pytest.fixture
def embedded(tmp_path):
    shop = Shop(tmp_path)
    yield shop
    if shop.process.poll() is None:
        shop.stop()


def test_the_app_has_its_own_pages_and_the_dashboard_below_a_path(embedded):
    assert embedded.get("/", who=None).text == "Paying takes a form, and delivery costs 4.9.\n"
    assert embedded.get("/history").status == 404
    answer = embedded.get(BELOW + "/")
    assert answer.status == 200 and answer.headers["server"] == "Shop"
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert embedded.get(BELOW).headers["location"] == BELOW + "/"
    assert embedded.stop() == 0


def test_the_app_says_who_is_let_in_and_as_whom(embedded):
    asked = embedded.get(FLAG, who=None)
    assert asked.status == 401 and asked.headers["www-authenticate"].startswith("Basic")
    refused = embedded.get(FLAG, who="eve:customer")
    assert refused.status == 403 and "doesn’t give you access" in html.unescape(refused.text)
    assert embedded.get(f"{BELOW}/api/v1/flags", who="eve:customer").headers["content-type"].startswith("application/problem+json")
    form = next(form for form in forms_in(embedded.get(FLAG).text) if "revision" in form)
    change = form | {"action": "set", "value": "true"}
    assert embedded.ask("POST", FLAG, change, who="bob:builder").status == 403
    assert embedded.ask("POST", FLAG, change, **{"Sec-Fetch-Site": "cross-site"}).status == 403
    assert embedded.get(FLAG, Host="evil.example").status == 421
    assert embedded.ask("POST", FLAG, change).status == 303


def test_a_change_from_the_page_reaches_the_app_and_one_of_the_app_shows(embedded):
    form = next(form for form in forms_in(embedded.get(FLAG).text) if "revision" in form)
    answer = embedded.ask("POST", FLAG, form | {"action": "set", "value": "true", "reason": "Try it."})
    assert answer.status == 303 and answer.headers["location"].startswith(FLAG + "?saved=")
    assert embedded.get(answer.headers["location"]).status == 200
    assert embedded.get("/", who=None).text.startswith("Paying takes one click")
    history = embedded.get(BELOW + "/history").text
    assert "Try it." in history and '<bdi class="actor">ada</bdi>' in history

    assert embedded.ask("POST", "/sale/0.5", {}).status == 204
    answer = embedded.get(f"{BELOW}/api/v1/flags/delivery_fee").text
    assert '"source":"Sale"' in answer and '"value":0.5' in answer


def test_each_address_that_a_page_leads_to_is_below_the_path_and_answers(embedded):
    embedded.ask("POST", "/quick", {})
    seen, waiting = set(), [BELOW + "/"]
    while waiting:
        path = waiting.pop()
        if path in seen or len(seen) > 150:
            continue
        seen.add(path)
        answer = embedded.get(path)
        assert answer.status in (200, 303), path
        if answer.status == 303:
            assert answer.headers["location"].startswith(BELOW + "/"), path
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        for name, value in re.findall(r'(href|src|action|data-to-[a-z-]+|data-again)="([^"]*)"', answer.text):
            address = html.unescape(value).split("#")[0]
            if not address:
                continue
            assert address.startswith(BELOW + "/"), f"{path}: {name}={value}"
            if name in ("href", "src"):
                waiting.append(address)
    assert len(seen) > 60
    assert {f"{BELOW}/{name}" for name in ["history", "compare", "import", "export", "help", "access"]} <= seen


def test_an_evaluation_and_its_events_are_below_the_path(embedded):
    connection = http.client.HTTPConnection("127.0.0.1", embedded.port, timeout=20)
    token = base64.b64encode(b"bob:builder").decode()
    connection.request("POST", f"{BELOW}/ofrep/v1/evaluate/flags", "{}", {"Authorization": f"Basic {token}"})
    text = connection.getresponse().read().decode()
    address = re.search(r'"requestUri":"([^"]+)"', text)[1]
    assert address == f"{BELOW}/ofrep/v1/events"
    connection.request("GET", address, headers={"Authorization": f"Basic {token}"})
    events = connection.getresponse()
    while not (line := events.readline()).startswith(b"data:"):
        assert line, "the stream ended"
    assert b"refetchEvaluation" in line
    connection.close()


def test_an_evaluation_that_is_known_is_sent_again_once_the_app_holds_another_value(embedded):
    bulk = f"{BELOW}/ofrep/v1/evaluate/flags"
    first = embedded.ask("POST", bulk)
    known = {"If-None-Match": first.headers["etag"]}
    assert embedded.ask("POST", bulk, **known).status == 304
    assert embedded.ask("POST", "/sale/0.5", {}).status == 204
    second = embedded.ask("POST", bulk, **known)
    assert second.status == 200 and '"value":0.5' in second.text
    assert "etag" not in embedded.get(f"{BELOW}/api/v1/flags").headers


def test_the_app_stops_while_streams_are_open(embedded):
    connection = http.client.HTTPConnection("127.0.0.1", embedded.port, timeout=20)
    token = base64.b64encode(b"ada:lovelace").decode()
    connection.request("GET", f"{BELOW}/events", headers={"Authorization": f"Basic {token}"})
    events = connection.getresponse()
    assert events.readline().startswith(b"retry:")
    embedded.process.terminate()
    events.read()
    connection.close()
    assert embedded.stop() == 0


def test_definitions_are_the_codes(embedded):
    assert "/definitions/" not in embedded.get(FLAG).text
    assert embedded.get(f"{BELOW}/definitions/new").status == 403
    answer = embedded.ask("POST", f"{BELOW}/definitions/quick_checkout", {"action": "delete", "confirm": "yes"})
    assert answer.status == 403
    assert "quick_checkout" in (embedded.folder / "shop.manifest.xml").read_text()


@pytest.mark.parametrize("scripted", [True, False], ids=["script on", "script off"])
def test_a_person_changes_a_flag_below_the_path(embedded, open_page, scripted):
    page = open_page(
        java_script_enabled=scripted, http_credentials={"username": "ada", "password": "lovelace"})
    page.goto(embedded.address + BELOW)
    assert page.url == f"{embedded.address}{BELOW}/"
    row = page.locator("[data-flag=quick_checkout]")
    row.locator(".switching button[value=on]").click()
    expect(row).to_have_attribute("data-state", re.compile("on"))
    assert embedded.get("/", who=None).text.startswith("Paying takes one click")

    page.get_by_role("link", name="Quick Checkout").first.click()
    page.wait_for_url(f"{embedded.address}{FLAG}*")
    page.get_by_role("radio", name="Off", exact=True).check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".banner-success").first).to_be_visible()
    assert embedded.get("/", who=None).text.startswith("Paying takes a form")

    page.get_by_role("navigation").get_by_role("link", name="History").click()
    page.wait_for_url(f"{embedded.address}{BELOW}/history")
    expect(page.locator("li.change")).to_have_count(2)


def test_what_the_app_changes_shows_in_an_open_page(embedded, open_page):
    page = open_page(http_credentials={"username": "ada", "password": "lovelace"})
    page.goto(f"{embedded.address}{BELOW}/")
    expect(page.locator("#live")).to_have_text("Live")
    assert embedded.ask("POST", "/quick", {}).status == 204
    expect(page.locator("[data-flag=quick_checkout]")).to_have_attribute("data-state", re.compile("on"))
