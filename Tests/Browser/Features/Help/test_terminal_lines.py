"""The lines that pages offer for a terminal do what they say, in any shell, whatever keys, values and names hold."""

import json
import os
import plistlib
import pty
import re
import subprocess
from html import unescape
from urllib.parse import quote

import pytest
from harness import BINARY, Server, environment
from samples import demonstration, write
from tokens import make_token

ODD = """it's "$(touch pwned)" `touch pwned` $HOME \\ & ; | > x * ? [a] {b} ! # ~ é 👩‍💻"""
"""What shells act on, unless it is quoted."""

HIDDEN = "a\u202eb\tc\nd\u200be\u00a0f\U000e0041g"
"""What can't be seen, or is acted on by a terminal when it is pasted."""

VALUES = {
    "bool": True, "integer": -5, "double": -0.5, "whole": 2.0, "string": ODD, "hidden": HIDDEN, "dash": "-",
    "option": "--reason", "empty": "", "at": "@/etc/passwd", "spaces": "  a  ", "url": "https://example.com/?a=1&b='2'",
    "array": ["a'b", HIDDEN, 1], "dictionary": {ODD: {"x": [True]}}, "data": b"\x00\xff'", "long": "x" * 1900,
    ODD.replace("/", "|"): 1, "-n": 2, "..": {".": 3, "-": {"~/a": 4}}, "%2F": {"[1-3]": 5, "{a,b}": 6},
}
"""Flags of every type, and with key paths of every sort, as a property list has them."""

TYPES = {bool: "bool", int: "integer", float: "double", str: "string", bytes: "data", list: "array", dict: "dictionary"}

SHELLS = ["sh", "bash"]


def flags_of(values, above=()):
    """The key path, in its parts, and the value of each flag of a property list."""
    for name, value in values.items():
        steps = (*above, name)
        if isinstance(value, dict) and steps != ("dictionary",):
            yield from flags_of(value, steps)
        else:
            yield steps, value


def key(steps):
    return "/".join(step.replace("~", "~0").replace("/", "~1") for step in steps)


def definition(steps, value):
    kind = "url" if steps == ("url",) else TYPES[type(value)]
    return {"key": key(steps), "type": kind, "description": "Odd."}


def page(*steps):
    return "/flags?key=" + quote(key(steps), safe="")


class World:
    """A server on odd flags, in a folder with an odd name, and a shell beside it."""

    def __init__(self, folder, values=VALUES):
        flags = [definition(steps, value) for steps, value in flags_of(values)]
        self.folder = folder / ODD.replace("/", "|")
        self.file = write(self.folder, values, flags)
        self.server = Server(self.file, access="token")
        self.token = make_token(self.file, "ada", "admin")
        programs = folder / "bin"
        programs.mkdir()
        (programs / "flagboard").symlink_to(BINARY)
        self.path = f"{programs}:{os.environ['PATH']}"

    def stop(self):
        self.server.stop()
        assert not (self.folder / "pwned").exists()

    @property
    def heads(self):
        return {"Authorization": f"Bearer {self.token}"}

    def lines(self, path):
        """The lines of a page, by what each is called."""
        answer = self.server.get(path, self.heads)
        assert answer.status == 200, answer.text
        found = re.findall(r'<pre class="snippet"[^>]*data-copy="([^"]+ command to [^"]+)">\n(.*?)</pre>', answer.text, re.S)
        return {unescape(name): unescape(line) for name, line in found}

    def run(self, shell, line):
        """Runs a line as a person does who pasted it; what it prints."""
        done = subprocess.run(
            [shell, "-c", line], capture_output=True, text=True, timeout=60, cwd=self.folder, stdin=subprocess.DEVNULL,
            env=environment() | {"PATH": self.path, "FLAGBOARD_TOKEN": self.token})
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def values(self):
        return plistlib.loads(self.file.read_bytes())

    def newest(self):
        return json.loads(self.server.get("/api/v1/history?limit=1", self.heads).text)["changes"][0]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    world = World(tmp_path_factory.mktemp("terminal"))
    yield world
    world.stop()


KEYS = [steps for steps, _ in flags_of(VALUES)]


def ids(steps):
    return re.sub(r"\W+", "_", "/".join(steps))[:20]


@pytest.mark.parametrize("steps", KEYS, ids=ids)
@pytest.mark.parametrize("program", ["flagboard", "curl"])
def test_a_flag_is_read_reset_and_set_as_it_was(world, steps, program):
    lines = world.lines(page(*steps))
    shell = SHELLS[KEYS.index(steps) % len(SHELLS)]
    assert {f"{program} command to {deed}" for deed in ("read it", "set it", "reset it")} <= lines.keys(), lines
    assert world.run(shell, lines[f"{program} command to read it"])
    world.run(shell, lines[f"{program} command to reset it"])
    assert world.newest()["kind"] == "reset"
    world.run(shell, lines[f"{program} command to set it"])
    assert world.newest()["kind"] == "set"
    assert world.values() == VALUES


@pytest.mark.parametrize("program", ["flagboard", "curl"])
def test_a_change_is_made_again_with_its_reason(world, program):
    for value in (ODD + "!", ODD):
        flag = json.loads(world.server.get("/api/v1/flags/string", world.heads).text)
        body = json.dumps({"value": value, "reason": ODD}).encode()
        answer = world.server.request(
            "PUT", "/api/v1/flags/string", body,
            world.heads | {"If-Match": f'"{flag["providers"][0]["revision"]}"', "Content-Type": "application/json"})
        assert answer.status == 200, answer.text
    last = world.newest()["id"]
    lines = world.lines(f"/history/{last - 1}")
    assert str(last - 1) in world.run("sh", lines["curl command to read this change"])
    world.run("bash", lines[f"{program} command to set it to this value again"])
    change = world.newest()
    assert (change["after"], change["reason"], change["key"]) == (ODD + "!", ODD, "string")
    world.run("sh", world.lines(f"/history/{last}")[f"{program} command to set it to this value again"])
    assert world.values() == VALUES


def test_what_a_terminal_would_act_on_is_written_as_json(world):
    for name, line in world.lines(page("hidden")).items():
        if name.endswith("to set it"):
            assert re.search(r" hidden[ -~\n]+\Z|--data-raw [ -~]+\Z", line), line
            assert r"\u202e" in line and r"\t" in line and r"\udb40\udc41" in line


def test_where_a_key_cant_be_typed_only_curl_is_offered(tmp_path):
    world = World(tmp_path, {HIDDEN: True})
    try:
        lines = world.lines(page(HIDDEN))
        assert all(name.startswith("curl") for name in lines) and len(lines) >= 3
        world.run("sh", lines["curl command to reset it"])
        world.run("sh", lines["curl command to set it"])
        assert world.values() == {HIDDEN: True}
    finally:
        world.stop()


@pytest.mark.parametrize("program", ["flagboard", "curl"])
def test_a_flag_is_locked_and_unlocked_and_offers_no_change_meanwhile(world, program):
    path = page("whole")
    world.run("sh", world.lines(path)[f"{program} command to lock it"])
    lines = world.lines(path)
    assert not {f"{program} command to set it", f"{program} command to reset it"} & lines.keys()
    world.run("sh", lines[f"{program} command to unlock it"])
    assert f"{program} command to set it" in world.lines(path)


def test_another_provider_than_the_usual_one_is_named(tmp_path):
    file = write(tmp_path / "two", {"count": 1}, [{"key": "count", "type": "integer", "description": ""}])
    other = write(tmp_path / "other", {"count": 7})
    server = Server(file, "--provider", f"it's other={other}")
    try:
        text = unescape(server.get("/flags/count?provider=it%27s%20other").text)
        assert r"""flagboard set""" in text and r"""count 7 --provider 'it'\''s other'""" in text
        assert "/api/v1/flags/count?provider=it%27s%20other" in text
        assert "Authorization" not in text
    finally:
        server.stop()


def test_a_viewer_is_offered_what_a_viewer_may_do_and_not_where_the_file_is(world):
    token = make_token(world.file, "eve", "viewer")
    page_text = world.server.get(page("integer"), {"Authorization": f"Bearer {token}"}).text
    found = re.findall(r'data-copy="([^"]+ command to [^"]+)"', page_text)
    assert found == ["flagboard command to read it", "curl command to read it"]
    assert "pwned" not in page_text and world.token not in page_text and token not in page_text


def test_the_help_tells_how_a_token_is_made_and_given(world):
    text = world.server.get("/help/api", world.heads).text
    making, giving = (
        unescape(re.search(rf'data-copy="command that {deed} token">\n(.*?)</pre>', text, re.S)[1])
        for deed in ("creates a", "asks for the"))
    made = world.run("sh", making).strip()
    assert world.server.get("/api/v1/flags", {"Authorization": f"Bearer {made}"}).status == 200
    # The line takes the echo off a terminal while the token is typed.
    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            ["sh", "-c", f'{giving}; printf "<%s>" "$(sh -c \'echo $FLAGBOARD_TOKEN\')"'], stdin=theirs,
            stdout=subprocess.PIPE, text=True, env=environment())
        os.write(ours, b"typed\n")
        assert process.communicate(timeout=30)[0] == "Token: <typed>"
    finally:
        os.close(ours)
        os.close(theirs)


def test_every_line_of_the_help_for_programs_is_answered(tmp_path):
    server = Server(demonstration(tmp_path / "demo"), access="token")
    try:
        token = make_token(server.file, "ada", "admin")
        heads = {"Authorization": f"Bearer {token}"}
        server.request(
            "PUT", "/api/v1/flags/checkout/delivery_fee", b'{"value": 3.5}',
            heads | {"If-Match": "*", "Content-Type": "application/json"})
        text = server.get("/help/api", heads).text
        found = re.findall(r'data-copy="cURL example for (\w+) ([^"]+)">\n(.*?)</pre>', text, re.S)
        document = json.loads(server.get("/api/v1/openapi.json", heads).text)
        described = {(method.upper(), path) for path, item in document["paths"].items() for method in item}
        assert {(method, path) for method, path, _ in found} == described
        # What removes a flag comes last: others are about it.
        answers = {}
        for method, path, line in sorted(found, key=lambda line: line[:2] == ("DELETE", "/api/v1/definitions/{key}")):
            done = subprocess.run(
                ["sh", "-c", unescape(line) + " -sS -o answer -w '%{http_code}'" + (" -m 1" if " -N " in line else "")],
                capture_output=True, text=True, timeout=60, cwd=tmp_path,
                env=environment() | {"FLAGBOARD_TOKEN": token})
            answers[method, path] = done.stdout
        assert {place: status for place, status in answers.items() if status != "200"} == {}
        assert token not in text
    finally:
        server.stop()


@pytest.mark.parametrize("path", [
    "/", "/?q=a&state=overridden&sort=changed", "/?type=bool&provider=Local", "/?q=it%27s+%22%24(touch+pwned)%22",
    "/history", "/history?actor=ada&kind=set&from=2020-01-01", "/history?q=%60touch+pwned%60", "/compare",
    "/compare?left=Local&right=effective", "/compare?show=all&q=string",
])
def test_what_a_page_is_copied_as_leads_to_it_and_tells_the_same(world, path):
    text = world.server.get(path, world.heads).text
    copies = re.search(r'<details class="copies".*?</details>', text, re.S)[0]
    lines = [unescape(line) for line in re.findall(r'<pre class="snippet".*?>\n(.*?)</pre>', copies, re.S)]
    assert lines[0] == world.server.url(path)
    assert len(lines) == (2 if "show=" in path else 3)
    for shell, line in zip(SHELLS, lines[1:]):
        world.run(shell, line)
