"""What is refused is refused whichever way it comes in: by a form, the API, a batch, an import, and a command."""

import json
import plistlib
import subprocess

import pytest
from harness import BINARY, Server, environment, flag_path
from samples import demonstration
from tokens import make_token

TOUR = "onboarding/welcome_tour"
LOCKED = "onboarding/minimum_age"
NOT_CURRENT = "0" * 64


def internal_flag(file):
    manifest = plistlib.loads(file.with_name("flags.manifest.xml").read_bytes())
    return next(flag["key"] for flag in manifest["flags"] if flag.get("isInternal"))


class Ways:
    """Each way to set a flag: what is answered is the status, or the exit code of the command."""

    def __init__(self, server, token):
        self.server, self.token = server, token

    def _head(self, **more):
        return {"Authorization": f"Bearer {self.token}"} | {name.replace("_", "-"): text for name, text in more.items()}

    def _send(self, method, path, document, **more):
        body = json.dumps(document).encode()
        return self.server.request(method, path, body, self._head(Content_Type="application/json", **more)).status

    def form(self, key, value, revision):
        # A form that states no revision is based on whatever there is.
        fields = {"action": "set", "value": json.dumps(value), "provider": "Local"}
        fields |= {"revision": revision} if revision else {}
        return self.server.post(flag_path(key), fields, self._head()).status

    def api(self, key, value, revision):
        tag = f'"{revision}"' if revision else "*"
        return self._send("PUT", f"/api/v1/flags/{key}", {"value": value}, If_Match=tag)

    def batch(self, key, value, revision):
        change = {"key": key, "action": "set", "value": value, "revision": revision or "*"}
        return self._send("POST", "/api/v1/batches", {"changes": [change]})

    def imported(self, key, value, revision):
        nested = value
        for part in reversed(key.split("/")):
            nested = {part: nested}
        return self._send("POST", "/api/v1/import", nested)

    def command(self, key, value, revision):
        options = ["--revision", revision] if revision else []
        return subprocess.run(
            [BINARY, "set", self.server.file, key, json.dumps(value), *options], capture_output=True, timeout=60,
            stdin=subprocess.DEVNULL, env=environment() | {"FLAGBOARD_TOKEN": self.token}).returncode


WAYS = ["form", "api", "batch", "imported", "command"]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    server = Server(demonstration(tmp_path_factory.mktemp("ways") / "demo"), access="token")
    yield server, {role: make_token(server.file, role, role) for role in ("viewer", "editor", "admin")}
    server.stop()


CASES = {
    "a locked flag": (lambda file: (LOCKED, 3), "admin", None, {423, 5}),
    "an internal flag": (lambda file: (internal_flag(file), True), "admin", None, {404, 3}),
    "a flag that is not there": (lambda file: ("no/such_flag", True), "admin", None, {404, 3}),
    "a value of another type": (lambda file: (TOUR, "maybe"), "admin", None, {422, 5}),
    "the token of a viewer": (lambda file: (TOUR, False), "viewer", None, {403, 5}),
    "another revision": (lambda file: (TOUR, False), "admin", NOT_CURRENT, {409, 412, 6}),
}


# An import states no revision: it is made on what there is.
ATTEMPTS = [(case, way) for case in CASES for way in WAYS if (case, way) != ("another revision", "imported")]


@pytest.mark.parametrize("case, way", ATTEMPTS)
def test_it_is_refused_and_nothing_is_changed(world, case, way):
    server, tokens = world
    choose, role, revision, codes = CASES[case]
    before = server.file.read_bytes(), server.file.with_name("flags.manifest.xml").read_bytes()
    key, value = choose(server.file)
    assert getattr(Ways(server, tokens[role]), way)(key, value, revision) in codes
    assert (server.file.read_bytes(), server.file.with_name("flags.manifest.xml").read_bytes()) == before


@pytest.mark.parametrize("way", WAYS)
def test_what_is_allowed_is_done_with_the_same_bytes(tmp_path, way):
    server = Server(demonstration(tmp_path / "demo"), access="token")
    try:
        token = make_token(server.file, "ada", "admin")
        before = plistlib.loads(server.file.read_bytes())
        assert getattr(Ways(server, token), way)(TOUR, False, None) in {200, 303, 0}
        assert plistlib.loads(server.file.read_bytes())["onboarding"] == before["onboarding"] | {"welcome_tour": False}
        row = json.loads(server.get("/api/v1/history", {"Authorization": f"Bearer {token}"}).text)["changes"][0]
        origins = {"form": "form", "api": "api", "batch": "api", "imported": "import", "command": "cli"}
        assert (row["actor"], row["origin"], row["after"]) == ("ada", origins[way], False)
    finally:
        server.stop()
