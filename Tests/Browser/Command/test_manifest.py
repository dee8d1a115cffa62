"""`flagboard manifest`: the definitions as they are, and as the OpenFeature CLI reads them."""

import json
import os
import select
import socket
import subprocess
import threading
from pathlib import Path

import pytest
from harness import BINARY, environment
from samples import demonstration, write

SERVED = Path(f"/tmp/flagboard-{os.geteuid()}")
"""Where servers tell what they serve, and at which socket."""
KINDS = {"boolean": bool, "integer": int, "float": float, "string": str, "object": dict}


def manifest(file, *options):
    return subprocess.run(
        [BINARY, "manifest", file, *options], capture_output=True, text=True, env=environment(), timeout=20, check=True)


@pytest.fixture
def demo(tmp_path):
    return demonstration(tmp_path / "demo")


def test_the_definitions_are_those_of_the_export(demo):
    for options, format in ([(), "xml"], [("--json",), "json"], [("--format", "json"), "json"]):
        export = subprocess.run(
            [BINARY, "export", demo, "--content", "manifest", "--format", format], capture_output=True, text=True,
            env=environment(), timeout=20, check=True)
        assert manifest(demo, *options).stdout == export.stdout != ""


def test_every_flag_with_a_default_is_in_flags_json_as_a_read_over_the_protocol_returns_it(demo, serve):
    done = manifest(demo, "--format", "openfeature")
    flags = json.loads(done.stdout)["flags"]
    definitions = {flag["key"]: flag for flag in json.loads(manifest(demo, "--json").stdout)["flags"]}
    left_out = {line.split()[1] for line in done.stderr.splitlines()}
    assert flags.keys() | left_out == definitions.keys() and left_out == {
        key for key, flag in definitions.items() if "default" not in flag}
    assert {flag["flagType"] for flag in flags.values()} == KINDS.keys()
    server = serve(demo)
    for key, flag in flags.items():
        assert type(flag["defaultValue"]) is KINDS[flag["flagType"]], key
        assert flag["description"] == definitions[key]["description"]
        answer = server.request(
            "POST", f"/ofrep/v1/evaluate/flags/{key}", b"{}", {"Content-Type": "application/json"})
        value = json.loads(answer.body).get("value", flag["defaultValue"])
        assert type(value) is type(flag["defaultValue"]) or {type(value), type(flag["defaultValue"])} == {int, float}, key


def test_what_flags_json_can_not_say_is_told_and_internal_flags_are_not_there(tmp_path):
    file = write(tmp_path, {}, [
        {"key": "open", "type": "bool"}, {"key": "endless", "type": "double", "default": float("inf")},
        {"key": "secret", "type": "bool", "default": True, "isInternal": True},
        {"key": "list", "type": "array", "default": ["a", 1]}, {"key": "size", "type": "choice", "choices": [1, 2], "default": 2}])
    done = manifest(file, "--format", "openfeature")
    assert json.loads(done.stdout)["flags"] == {
        "list": {"flagType": "object", "defaultValue": {"items": ["a", 1]}},
        "size": {"flagType": "integer", "defaultValue": 2}}
    told = [line.split(" ", 1)[1] for line in done.stderr.splitlines()]
    assert told == [
        "open is skipped: it has no default.", "endless is skipped: flags.json can't represent its default."]
    assert "secret" not in done.stdout + done.stderr


def test_a_file_is_replaced_only_where_that_is_asked_for(demo, tmp_path):
    output = tmp_path / "flags.json"
    manifest(demo, "--format", "openfeature", "--output", output)
    text = output.read_text()
    refused = subprocess.run(
        [BINARY, "manifest", demo, "--output", output], capture_output=True, text=True, env=environment(), timeout=20)
    assert refused.returncode == 1 and output.read_text() == text
    output.chmod(0o640)
    os.setxattr(output, "user.note", b"kept")
    manifest(demo, "--output", output, "--force")
    assert output.read_text().startswith("<?xml")
    assert output.stat().st_mode & 0o777 == 0o640 and os.getxattr(output, "user.note") == b"kept"


def import_definitions(file, flags, *options):
    return subprocess.run(
        [BINARY, "import", file, "-", "--definitions", *options], input=json.dumps({"flags": flags}), capture_output=True,
        text=True, env=environment(), timeout=20)


NEW = {
    "shop/fast": {"flagType": "boolean", "defaultValue": True, "description": "Fast."},
    "shop/most": {"flagType": "integer", "defaultValue": 3}, "shop/rate": {"flagType": "float", "defaultValue": 4},
    "shop/name": {"flagType": "string", "defaultValue": "words"},
    "shop/look": {"flagType": "object", "defaultValue": {"a": [1, {"b": None}]}},
}


@pytest.mark.parametrize("is_served", [False, True])
def test_flags_of_flags_json_that_are_not_defined_are_defined_at_once(tmp_path, serve, is_served):
    file = write(tmp_path, {"shop": {"most": 7}}, [{"key": "shop/name", "type": "string", "default": "mine"}])
    if is_served:
        serve(file)
    before = file.read_bytes()
    planned = import_definitions(file, NEW, "--plan")
    assert planned.returncode == 0 and planned.stdout.splitlines() == [
        f"shop/{name}: would be defined" for name in ("fast", "look", "most", "rate")]
    assert len(json.loads(manifest(file, "--json").stdout)["flags"]) == 1
    done = import_definitions(file, NEW, "--reason", "From the other teams.")
    assert (done.returncode, done.stdout) == (0, planned.stdout.replace("would be ", "")) and "1 flag is already defined." in done.stderr
    flags = json.loads(manifest(file, "--format", "openfeature").stdout)["flags"]
    assert flags.pop("shop/name")["defaultValue"] == "mine"
    assert flags == {key: {"flagType": flag["flagType"], "defaultValue": flag["defaultValue"]} | (
        {"description": flag["description"]} if "description" in flag else {}) for key, flag in NEW.items() if key != "shop/name"}
    assert file.read_bytes() == before
    rows = json.loads(subprocess.run(
        [BINARY, "history", file, "--json"], capture_output=True, text=True, env=environment(), check=True, timeout=20).stdout)
    assert {(row["origin"], row["reason"]) for row in rows["changes"]} == {("cli", "From the other teams.")}
    assert len(rows["changes"]) == 4 and len({row["batch"] for row in rows["changes"]}) == 1
    again = import_definitions(file, NEW)
    assert (again.returncode, again.stdout) == (0, "") and "5 flags are already defined." in again.stderr


def test_no_flag_of_flags_json_is_defined_where_one_of_them_is_wrong(tmp_path):
    file = write(tmp_path, {}, [])
    names = sorted(path.name for path in tmp_path.iterdir())
    wrong = {
        "type": ({"a": {"flagType": "date", "defaultValue": 1}}, 1, "flagType"),
        "default": ({"b": {"flagType": "integer", "defaultValue": "x"}, "a": {"flagType": "boolean", "defaultValue": True}}, 5, "b"),
        "none": ([], 1, 'no "flags" object'),
    }
    for flags, code, words in wrong.values():
        done = import_definitions(file, flags)
        assert (done.returncode, done.stdout) == (code, "") and words in done.stderr
    assert json.loads(manifest(file, "--json").stdout)["flags"] == []
    assert [name for name in names if not (tmp_path / name).exists()] == []
    refused = import_definitions(file, NEW, "--replace")
    assert refused.returncode == 64 and "--definitions" in refused.stderr


def test_a_plan_says_of_no_flag_that_it_would_be_defined_where_one_of_them_can_not_be(tmp_path):
    file = write(tmp_path, {}, [{"key": "hidden", "type": "bool", "isInternal": True}])
    flags = {name: {"flagType": "boolean", "defaultValue": True} for name in ("hidden", "n1")}
    planned = import_definitions(file, flags, "--plan")
    refused, other = planned.stdout.splitlines()
    assert refused.startswith("hidden: refused (") and other == "n1: would not be defined" and "not at all" in planned.stderr
    told = import_definitions(file, flags, "--plan", "--json")
    assert ["refusal" in change for change in json.loads(told.stdout)["changes"]] == [True, False]
    done = import_definitions(file, flags)
    assert planned.returncode == told.returncode == done.returncode == 5 and done.stdout == ""
    assert json.loads(manifest(file, "--json").stdout)["flags"] == []


def test_a_refusal_of_flags_json_names_the_key_path_or_the_limit(tmp_path):
    file = write(tmp_path, {}, [{"key": "f1", "type": "bool"}])
    wrong = import_definitions(file, {"a": {"flagType": "boolean"}, "x~y": {"flagType": "boolean"}})
    assert wrong.returncode == 1 and "x~y is not a valid key path" in wrong.stderr and "~0" in wrong.stderr
    many = import_definitions(file, {f"f{number}": {"flagType": "boolean"} for number in range(10_002)})
    assert many.returncode == 1 and "10001 new flags; the limit is 10000" in many.stderr
    large = {f"f{number}": {"flagType": "boolean", "description": "x" * 200} for number in range(9_000)}
    too_large = import_definitions(file, large)
    assert too_large.returncode == 1 and "the limit is 1048576 in one request. Split the file." in too_large.stderr


class Loser:
    """Stands between a command and the server of a file, and loses the first answer to what changes something."""

    def __init__(self, file):
        entries = [path.read_bytes().split(b"\0\0") for path in SERVED.iterdir() if not path.is_socket()]
        name = next(entry[2] for entry in entries if str(file).encode() in entry[0].split(b"\0"))
        place = SERVED / name.decode().strip()
        self.behind = place.rename(place.with_suffix(".behind"))
        self.lost = 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(place))
        self.listener.listen()
        self.threads = [threading.Thread(target=self.accept)]

    def __enter__(self):
        self.threads[0].start()
        return self

    def __exit__(self, *error):
        with self.listener:
            self.listener.shutdown(socket.SHUT_RDWR)
            for thread in self.threads:
                thread.join()
        self.behind.unlink()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.threads.append(threading.Thread(target=self.pass_on, args=[client]))
            self.threads[-1].start()

    def pass_on(self, client):
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(str(self.behind))
            is_change = False
            while True:
                for source in select.select([client, server], [], [])[0]:
                    data = source.recv(1 << 20)
                    is_change = is_change or (source is client and data.startswith(b"POST "))
                    if not data:
                        return
                    if source is server and is_change and not self.lost:
                        # What was asked is done, and the client does not learn it.
                        self.lost += 1
                        return
                    (server if source is client else client).sendall(data)


def test_what_was_defined_is_told_where_the_answer_is_lost(tmp_path, serve):
    file = write(tmp_path, {}, [])
    serve(file)
    with Loser(file) as loser:
        done = import_definitions(file, NEW)
    assert loser.lost == 1
    assert done.returncode == 0 and done.stdout.splitlines() == [f"{key}: defined" for key in sorted(NEW)], done.stderr
    assert "0 flags are already defined." in done.stderr
    rows = json.loads(subprocess.run(
        [BINARY, "history", file, "--json"], capture_output=True, text=True, env=environment(), check=True, timeout=20).stdout)
    assert len(rows["changes"]) == len(NEW)


@pytest.mark.parametrize("command", ["manifest", "export", "list"])
def test_a_token_that_is_not_valid_is_told_as_such(demo, command):
    for options in ([], ["--json"]):
        done = subprocess.run(
            [BINARY, command, demo, *options], capture_output=True, text=True, timeout=20,
            env=environment() | {"FLAGBOARD_TOKEN": "wrong"})
        assert done.returncode == 4 and "Invalid or expired token" in done.stderr
        assert json.loads(done.stdout)["status"] == 401 if options else done.stdout == ""
