"""Property lists of UserDefaults as a provider: listed, set, undone and in the history, by command, page and API."""

import json
import plistlib
import subprocess

import pytest
from harness import BINARY, Server, environment, flag_path
from samples import write

FLAGS = [
    {"key": "fast", "type": "bool", "default": False, "description": "Pay in one click."},
    {"key": "pay/limit", "type": "integer", "default": 3, "description": "How many."}]
OTHERS = {"AppleLanguages": ["en"], "theme": "dark"}
"""What is in the file besides flags, and stays."""

# The option's ending; the entries that an app left; the flag, its value there, another; how the file has the other one.
FORMS = {
    "a prefix": (":defaults=flags/", {"flags/fast": True, "flags/pay/limit": 7}, "pay/limit", 7, 8, {"flags/pay/limit": 8}),
    "no prefix": (":defaults", {"pay/limit": 7}, "pay/limit", 7, 8, {"pay/limit": 8}),
    "Override": (
        ":override", {"Override_fast": "OFF", "Override_wide": "Default"}, "fast", False, True, {"Override_fast": "ON"}),
    "Override's own prefix": (":override=my_", {"my_fast": "ON"}, "fast", True, False, {"my_fast": "OFF"}),
    "ToggleUI": (":dictionary", {"toggles": {"fast": True, "pay": {"limit": 7}}}, "pay/limit", 7, 8, {
        "toggles": {"fast": True, "pay": {"limit": 8}}}),
    "SwiftFeatureConfigs": (":dictionary=Shop_defaults_key_", {"Shop_defaults_key_": {"fast": True}}, "fast", True, False, {
        "Shop_defaults_key_": {"fast": False}}),
}


class App:
    """A server on an empty file, and after it the UserDefaults that an app left."""

    def __init__(self, folder, form):
        self.ending, entries, self.key, self.old, self.new, self.changed = FORMS[form]
        self.file = write(folder, {}, FLAGS)
        self.defaults = folder / "shop.plist"
        self.before = OTHERS | entries
        self.defaults.write_bytes(plistlib.dumps(self.before))
        self.server = Server(self.file, "--provider", f"Saved=shop.plist{self.ending}")

    def held(self):
        return plistlib.loads(self.defaults.read_bytes())

    def command(self, name, *arguments):
        done = subprocess.run(
            [BINARY, name, self.file, *arguments], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
            env=environment())
        assert done.returncode == 0, done.stderr
        return done.stdout

    def last(self):
        return json.loads(self.server.get("/api/v1/history").text)["changes"][0]

    def send(self, method, path, document, **more):
        head = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in more.items()}
        answer = self.server.request(method, path, json.dumps(document).encode(), head)
        assert answer.status == 200, answer.text
        return json.loads(answer.text)


@pytest.fixture(params=FORMS)
def app(request, tmp_path):
    app = App(tmp_path / "shop", request.param)
    yield app
    app.server.stop()


def test_commands_list_set_and_undo_the_values_that_an_app_left(app):
    flags = {flag["key"]: flag for flag in json.loads(app.command("list", "--json"))["flags"]}
    assert (flags[app.key]["value"], flags[app.key]["source"]) == (app.old, "Saved")
    assert "AppleLanguages" not in flags or app.ending == ":defaults"
    assert "wide" not in flags
    assert app.command("get", app.key) == json.dumps(app.old) + "\n"
    app.command("set", app.key, json.dumps(app.new), "--provider", "Saved", "--reason", "try it")
    assert app.held() == app.before | app.changed
    row = app.last()
    assert (row["key"], row["provider"], row["before"], row["after"]) == (app.key, "Saved", app.old, app.new)
    assert "Saved" in app.command("history", "--key", app.key)
    app.command("undo")
    assert app.held() == app.before
    assert plistlib.loads(app.file.read_bytes()) == {}


def test_programs_set_and_undo_them_over_http(app):
    flag = json.loads(app.server.get(f"/api/v1/flags/{app.key}").text)
    assert (flag["value"], flag["source"]) == (app.old, "Saved")
    made = app.send("PUT", f"/api/v1/flags/{app.key}", {"value": app.new, "provider": "Saved"}, If_Match="*")
    assert app.held() == app.before | app.changed
    app.send("POST", f"/api/v1/history/{made['change']['id']}/revert", {})
    assert app.held() == app.before and app.last()["origin"] == "revert"


@pytest.mark.parametrize("app", ["a prefix", "Override", "ToggleUI"], indirect=True)
def test_the_page_of_a_flag_shows_and_sets_them(app, page):
    page.goto(app.server.url(f"{flag_path(app.key)}?provider=Saved"))
    text = page.inner_text("main")
    assert "the UserDefaults in shop.plist" in text
    if isinstance(app.new, bool):
        page.locator("label", has_text="On" if app.new else "Off").first.click()
    else:
        page.locator("#value").fill(str(app.new))
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator(".banner").get_by_role("button", name="Undo").first.wait_for()
    assert app.held() == app.before | app.changed
    page.goto(app.server.url("/history"))
    assert app.key in page.inner_text("main") and "Saved" in page.inner_text("main")


def test_an_empty_place_is_written_and_emptied_again(tmp_path):
    file = write(tmp_path / "shop", {}, FLAGS)
    server = Server(file, "--provider", "Saved=shop.plist:override")
    try:
        head = {"Content-Type": "application/json", "If-Match": "*"}
        body = json.dumps({"value": True, "provider": "Saved"}).encode()
        assert server.request("PUT", "/api/v1/flags/fast", body, head).status == 200
        assert plistlib.loads((file.parent / "shop.plist").read_bytes()) == {"Override_fast": "ON"}
        assert server.request("DELETE", "/api/v1/flags/fast?provider=Saved", headers=head).status == 200
        assert plistlib.loads((file.parent / "shop.plist").read_bytes()) == {}
    finally:
        server.stop()


def test_a_value_that_overrides_words_can_not_say_is_refused(tmp_path):
    file = write(tmp_path / "shop", {}, FLAGS)
    server = Server(file, "--provider", "Saved=shop.plist:override")
    try:
        head = {"Content-Type": "application/json", "If-Match": "*"}
        body = json.dumps({"value": 8, "provider": "Saved"}).encode()
        assert server.request("PUT", "/api/v1/flags/pay/limit", body, head).status >= 400
        assert not (file.parent / "shop.plist").exists()
    finally:
        server.stop()


@pytest.mark.parametrize("flags", [FLAGS, None], ids=["with definitions", "without"])
def test_lint_checks_them(tmp_path, flags):
    file = write(tmp_path / "shop", {"fast": True}, flags)
    defaults = file.with_name("shop.plist")

    def findings():
        done = subprocess.run(
            [BINARY, "lint", file, "--also", f"Saved={defaults}:override", "--json"], capture_output=True, text=True,
            timeout=60, stdin=subprocess.DEVNULL, env=environment())
        return [
            (finding["file"].rpartition("/")[2], finding["code"], finding["message"])
            for finding in json.loads(done.stdout)["findings"] if finding["severity"] == "error"]

    assert findings() == [("shop.plist", "unreadable-file", "the file doesn't exist; check the path")]
    defaults.write_bytes(plistlib.dumps(OTHERS | {"Override_fast": "ON"}))
    assert findings() == []
    defaults.write_bytes(plistlib.dumps(OTHERS | {"Override_fast": "maybe"}, fmt=plistlib.FMT_BINARY))
    [(name, code, message)] = findings()
    assert (name, code) == ("shop.plist", "wrong-type") and "fast: found" in message and '"ON", "OFF"' in message
    defaults.write_bytes(b"bplist00 and no more")
    [(name, code, message)] = findings()
    assert (name, code) == ("shop.plist", "malformed-file")
    defaults.write_bytes(plistlib.dumps({"Override_fast": "ON"}).replace(b"</dict>", b"<key>Override_fast</key><true/></dict>"))
    assert [finding[:2] for finding in findings()] == [("shop.plist", "wrong-type"), ("shop.plist", "duplicate-key")]


def test_lint_names_no_internal_flag_of_them(tmp_path):
    file = write(tmp_path / "shop", {}, FLAGS + [
        {"key": "secret", "type": "bool", "isInternal": True}, {"key": "wrong", "type": "choice"}])
    file.with_name("shop.plist").write_bytes(plistlib.dumps({"Override_secret": "maybe"}))
    done = subprocess.run(
        [BINARY, "lint", file, "--also", "Saved=shop.plist:override"], capture_output=True, text=True, timeout=60,
        stdin=subprocess.DEVNULL, env=environment(), cwd=file.parent)
    assert "doesn't match its type" in done.stdout and "wrong" in done.stdout
    assert "secret" not in done.stdout and "maybe" not in done.stdout
