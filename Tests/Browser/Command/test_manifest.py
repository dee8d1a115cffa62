"""`flagboard manifest`: the definitions as they are, and as the OpenFeature CLI reads them."""

import json
import subprocess

import pytest
from harness import BINARY, environment
from samples import demonstration, write

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
    assert [line.split()[1] for line in done.stderr.splitlines()] == ["open", "endless"]
    assert "secret" not in done.stdout + done.stderr


def test_a_file_is_replaced_only_where_that_is_asked_for(demo, tmp_path):
    output = tmp_path / "flags.json"
    manifest(demo, "--format", "openfeature", "--output", output)
    text = output.read_text()
    refused = subprocess.run(
        [BINARY, "manifest", demo, "--output", output], capture_output=True, text=True, env=environment(), timeout=20)
    assert refused.returncode == 1 and output.read_text() == text
    manifest(demo, "--output", output, "--force")
    assert output.read_text().startswith("<?xml")
