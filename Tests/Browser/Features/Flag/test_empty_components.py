"""A key path with empty components, such as `/`, which a property list can hold, means one flag on every way in and out."""

import json
import plistlib
from urllib.parse import quote

import pytest
from harness import Server, forms_in
from samples import write

HELD = ["/", "//", "a//b", "a/"]
ABSENT = ["///", "a//c", "b/"]
PROGRAM = {"Content-Type": "application/json", "If-Match": "*"}


def values_of(key, value):
    for component in reversed(key.split("/")):
        value = {component: value}
    return value


@pytest.fixture(params=[False, True], ids=["undefined", "defined"])
def serve(request, tmp_path):
    servers = []

    def start(key):
        flags = [{"key": each, "type": "bool"} for each in {key, "x"}] if request.param else None
        servers.append(Server(write(tmp_path, values_of(key, True) | {"x": True}, flags)))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def statuses(server, key):
    """What each way of changing a flag answers, in turn false and true."""
    text, encoded = f"/api/v1/flags/{key}", quote(key, safe="")
    batch = {"changes": [{"key": key, "action": "set", "value": True, "revision": "*"}]}
    proposed = [{"key": key, "action": "setText", "value": {"string": "true"}}]
    return {
        "page": server.get(f"/flags/{key}").status,
        "page by field": server.get(f"/flags?key={encoded}").status,
        "API": server.get(text).status,
        "PUT": server.request("PUT", text, b'{"value": false}', PROGRAM).status,
        "API's batch": server.request("POST", "/api/v1/batches", json.dumps(batch).encode(), PROGRAM).status,
        "form": server.post(f"/flags/{key}", {"action": "set", "value": "false"}).status,
        "batch": server.post("/batch", {"changes": json.dumps(proposed), "idempotency": "x", "back": "/"}).status,
        "form by field": server.post(f"/flags?key={encoded}", {"action": "set", "value": "false"}).status,
        "DELETE": server.request("DELETE", text, headers=PROGRAM).status,
    }


@pytest.mark.parametrize("key", HELD)
def test_a_flag_with_empty_components_is_shown_changed_exported_and_imported_on_every_way(serve, key):
    server = serve(key)
    assert {flag["key"] for flag in json.loads(server.get("/api/v1/flags").text)["flags"]} == {key, "x"}
    assert json.loads(server.get(f"/api/v1/flags/{key}").text)["key"] == key
    assert statuses(server, key) == {
        "page": 200, "page by field": 200, "API": 200, "PUT": 200, "API's batch": 200, "form": 303, "batch": 303,
        "form by field": 303, "DELETE": 200,
    }
    rows = json.loads(server.get(f"/api/v1/history?key={quote(key, safe='')}").text)["changes"]
    assert [row.get("after") for row in rows] == [None, False, True, False, True, False]
    page = server.preview("/import", {"text": json.dumps(values_of(key, False)), "mode": "merge"})
    assert server.post("/batch", page).status == 303
    assert plistlib.loads(server.file.read_bytes()) == values_of(key, False) | {"x": True}
    assert json.loads(server.get("/export/flags.json").text) == values_of(key, False) | {"x": True}
    assert plistlib.loads(server.get("/export/effective.xml").body) == values_of(key, False) | {"x": True}


def test_an_address_that_ends_where_a_key_path_begins_is_that_of_the_empty_key(tmp_path):
    server = Server(write(tmp_path, {"": True, "x": True}))
    try:
        assert json.loads(server.get("/api/v1/flags/").text)["key"] == ""
        assert len(json.loads(server.get("/api/v1/flags").text)["flags"]) == 2
        assert statuses(server, "")["DELETE"] == 200
        assert plistlib.loads(server.file.read_bytes()) == {"x": True}
    finally:
        server.stop()


@pytest.mark.parametrize("key", ABSENT)
def test_a_flag_with_empty_components_that_is_nowhere_is_found_on_no_way_and_can_not_be_defined(serve, key):
    server = serve("x")
    assert set(statuses(server, key).values()) == {404}
    problem = json.loads(server.get(f"/api/v1/flags/{key}").text)
    assert problem["detail"] == f"Flag “{key}” not found." and problem["remedy"]
    refused = server.post("/definitions/new", {"key": key, "type": "bool", "name": "New"})
    problems = [line for line in refused.text.splitlines() if 'id="field-key-problem"' in line]
    assert refused.status == 422 and "part" in problems[0], problems
    assert forms_in(refused.text)
