"""Values from outside that a pattern takes very long on: nobody waits for them more than once."""

import json
import plistlib
import time

import pytest
from samples import write

COUNT = 80
SAME = "a" * 40 + "!"


def values(case):
    return {f"slow_{number:02}": SAME if case == "one pattern, one value" else "a" * (40 + number) + "!"
            for number in range(COUNT)}


def pattern(case, number):
    return f"(a+)+{'b' * number}$" if case == "patterns of their own" else "(a+)+$"


def slow_flags(case):
    return [{"key": f"slow_{number:02}", "type": "string", "pattern": pattern(case, number)} for number in range(COUNT)]


def put(server, key, value):
    revision = server.get(f"/api/v1/flags/{key}").headers["etag"]
    headers = {"Content-Type": "application/json", "If-Match": revision} | {"Origin": server.address}
    return server.request("PUT", f"/api/v1/flags/{key}", json.dumps({"value": value}).encode(), headers)


@pytest.mark.parametrize("case", ["one pattern, one value", "one pattern", "patterns of their own"])
def test_a_start_and_changes_of_other_flags_take_no_time_however_many_values_are_slow_to_check(serve, tmp_path, case):
    flags = [*slow_flags(case), {"key": "other", "type": "integer"}, {"key": "named", "type": "bool"}]
    file = write(tmp_path / "shop", values(case) | {"other": 1}, flags)
    began = time.monotonic()
    server = serve(file)
    started = time.monotonic() - began
    took = []
    for value in (2, 3, 4):
        began = time.monotonic()
        assert put(server, "other", value).status == 200
        took.append(time.monotonic() - began)
    began = time.monotonic()
    assert server.post("/flags/named", {"action": "lock", "reason": ""}).status == 303
    assert server.get("/").status == 200
    took.append(time.monotonic() - began)
    # Each of the 80 takes a tenth of a second: one after the other, they take 8 s.
    assert started < 4 and max(took) < 2, (started, took)


def test_a_value_that_could_not_be_checked_says_so_until_it_is_another_and_a_person_can_not_set_one(serve, tmp_path):
    flags = [{"key": "slow", "type": "string", "pattern": "(a+)+$", "default": "a"}]
    server = serve(write(tmp_path / "shop", {"slow": SAME}, flags))
    text = server.get("/flags/slow").text
    assert "takes too long" in text and "could not be checked" in text and "Not checked: passed over" in text
    told = json.loads(server.get("/api/v1/flags/slow").text)
    assert told["value"] == "a" and "could not be checked" in told["providers"][0]["problem"]

    form = server.editor("slow") | {"action": "set", "value": "a" * 50 + "!"}
    answer = server.post("/flags/slow", form)
    assert answer.status == 422 and "could not be checked" in answer.text
    assert plistlib.loads(server.file.read_bytes()) == {"slow": SAME}

    server.file.write_bytes(plistlib.dumps({"slow": "aaaa"}))
    text = server.get("/flags/slow").text
    assert "could not be checked" not in text
    assert json.loads(server.get("/api/v1/flags/slow").text)["value"] == "aaaa"
