"""Values from outside that a pattern takes very long on: nobody waits for them more than once."""

import json
import os
import plistlib
from pathlib import Path

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


def processor_time(server):
    """How long the server has worked so far, in seconds."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def time_of_one_check(serve, folder):
    """How long it takes to find out that one value takes too long, in seconds of processor time."""
    server = serve(write(folder, {}, [{"key": "slow", "type": "string", "pattern": "(a+)+$"}]))
    began = processor_time(server)
    for number in range(10):
        answer = server.post("/flags/slow", {"action": "set", "value": "a" * (40 + number) + "!"})
        assert answer.status == 422 and "is too slow" in answer.text
    return (processor_time(server) - began) / 10


@pytest.mark.parametrize("case", ["one pattern, one value", "one pattern", "patterns of their own"])
def test_a_start_and_changes_of_other_flags_take_no_time_however_many_values_are_slow_to_check(serve, tmp_path, case):
    one = time_of_one_check(serve, tmp_path / "one")
    flags = [*slow_flags(case), {"key": "other", "type": "integer"}, {"key": "named", "type": "bool"}]
    server = serve(write(tmp_path / "shop", values(case) | {"other": 1}, flags))
    took = [processor_time(server)]

    def take(ask):
        began = processor_time(server)
        ask()
        took.append(processor_time(server) - began)

    for value in (2, 3, 4):
        take(lambda value=value: put(server, "other", value))
    assert json.loads(server.get("/api/v1/flags/other").text)["value"] == 4
    take(lambda: server.post("/flags/named", {"action": "lock", "reason": ""}))
    assert "locked" in server.get("/flags/named").text
    # As many checks as there are values would each take as long as one does.
    assert max(took) < one * COUNT / 2, (one, took)


def test_a_value_that_could_not_be_checked_says_so_until_it_is_another_and_a_person_can_not_set_one(serve, tmp_path):
    flags = [{"key": "slow", "type": "string", "pattern": "(a+)+$", "default": "a"}]
    server = serve(write(tmp_path / "shop", {"slow": SAME}, flags))
    text = server.get("/flags/slow").text
    assert "is too slow" in text and "Not checked, ignored" in text
    assert "The stored value couldn’t be checked" in text and "The stored value is invalid" not in text
    told = json.loads(server.get("/api/v1/flags/slow").text)
    assert told["value"] == "a" and "can't check" in told["providers"][0]["problem"]

    form = server.editor("slow") | {"action": "set", "value": "a" * 50 + "!"}
    answer = server.post("/flags/slow", form)
    assert answer.status == 422 and "is too slow" in answer.text
    assert plistlib.loads(server.file.read_bytes()) == {"slow": SAME}

    server.file.write_bytes(plistlib.dumps({"slow": "aaaa"}))
    text = server.get("/flags/slow").text
    assert "is too slow" not in text and "couldn’t be checked" not in text
    assert json.loads(server.get("/api/v1/flags/slow").text)["value"] == "aaaa"
