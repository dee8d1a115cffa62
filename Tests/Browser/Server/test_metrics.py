"""What Prometheus is told of a server."""

import json
import re
import shutil
import subprocess

import pytest
from harness import ROOT, Server, flag_path
from samples import demonstration

PROMTOOL = shutil.which("promtool") or str(ROOT / ".build-tools/promtool")
SAMPLE = re.compile(r'([a-z_]+)(?:\{([^{}]*)\})? (\S+)')
JSON = {"Content-Type": "application/json", "If-Match": "*"}
OFREP = "/ofrep/v1/evaluate/flags"


def told(server, headers=None):
    answer = server.get("/metrics", headers)
    assert answer.status == 200, answer.text
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    return answer.text


def number(server, name, **labels):
    """The number of one series; `None` where there is none."""
    wanted = ",".join(f'{label}="{value}"' for label, value in sorted(labels.items()))
    found = [
        float(match[3]) for line in told(server).splitlines()
        if (match := SAMPLE.fullmatch(line)) and match[1] == name and (match[2] or "") == wanted
    ]
    assert len(found) < 2
    return found[0] if found else None


def evaluate(server, path, headers=None):
    return server.request("POST", path, b"{}", JSON | (headers or {})).status


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="script/setup has promtool from Debian alone")
def test_promtool_finds_nothing_to_say_about_it(demo):
    demo.change("checkout/guest_checkout", "set", "true")
    demo.get("/nowhere")
    evaluate(demo, OFREP)
    check = subprocess.run([PROMTOOL, "check", "metrics"], input=told(demo), capture_output=True, text=True)
    assert (check.returncode, check.stdout, check.stderr) == (0, "", "")


def test_changes_and_refusals_are_counted_by_what_they_were(demo):
    changes = dict(action="set", origin="form")
    assert number(demo, "flagboard_changes_total", **changes) == 0
    demo.change("checkout/guest_checkout", "set", "true")
    assert number(demo, "flagboard_changes_total", **changes) == 1
    assert number(demo, "flagboard_changes_total", action="reset", origin="api") == 0
    refused = demo.request("PUT", "/api/v1/flags/onboarding/minimum_age", b'{"value": 20}', JSON)
    assert refused.status == 423, refused.text
    assert number(demo, "flagboard_refusals_total", reason="locked") == 1
    assert number(demo, "flagboard_refusals_total", reason="conflict") == 0


def test_a_change_that_is_asked_for_twice_is_counted_once(demo):
    for _ in range(2):
        answer = demo.request(
            "PUT", "/api/v1/flags/checkout/guest_checkout", b'{"value": true}',
            JSON | {"Idempotency-Key": "one"})
        assert answer.status == 200, answer.text
    assert number(demo, "flagboard_changes_total", action="set", origin="api") == 1


def test_an_edit_outside_is_counted_and_ages(demo):
    assert number(demo, "flagboard_outside_edit_age_seconds") is None
    demo.file.write_text(demo.file.read_text().replace("<true/>", "<false/>", 1))
    demo.get("/")
    assert number(demo, "flagboard_changes_total", action="external", origin="external") == 1
    first = number(demo, "flagboard_outside_edit_age_seconds")
    assert 0 <= first < number(demo, "flagboard_outside_edit_age_seconds") < 3600


def test_the_age_of_an_edit_outlasts_a_restart(tmp_path):
    file = demonstration(tmp_path / "demo")
    first = Server(file)
    try:
        file.write_text(file.read_text().replace("<true/>", "<false/>", 1))
        first.get("/")
    finally:
        first.stop()
    second = Server(file)
    try:
        assert 0 <= number(second, "flagboard_outside_edit_age_seconds") < 3600
        assert number(second, "flagboard_changes_total", action="external", origin="external") == 0
    finally:
        second.stop()


def test_requests_are_timed_by_route_and_class_of_status(demo):
    demo.get("/")
    demo.get(flag_path("checkout/guest_checkout"))
    demo.get(flag_path("checkout/none"))
    demo.get("/history/1")
    demo.get("/no/where")
    demo.get("/flagboard.css")
    demo.request("GET", "/", headers={"Host": "elsewhere.example"})
    for route, status in [
        ("flags", "2xx"), ("flag", "2xx"), ("flag", "4xx"), ("change", "4xx"), ("none", "4xx"), ("assets", "2xx"),
        ("flags", "4xx"),
    ]:
        assert number(demo, "flagboard_request_duration_seconds_count", route=route, status=status) == 1, (route, status)
    assert number(demo, "flagboard_request_duration_seconds_count", route="metrics", status="2xx") > 0


def test_evaluations_are_counted_by_how_they_ended(demo):
    assert evaluate(demo, OFREP) == 200
    answer = demo.request("POST", OFREP, b"{}", JSON)
    assert evaluate(demo, OFREP, {"If-None-Match": answer.headers["etag"]}) == 304
    assert evaluate(demo, OFREP + "/checkout/guest_checkout") == 200
    assert evaluate(demo, OFREP + "/none") == 404
    for scope, outcome, count in [
        ("all", "answered", 2), ("all", "unchanged", 1), ("one", "answered", 1), ("one", "refused", 1),
        ("all", "refused", 0),
    ]:
        assert number(demo, "flagboard_evaluations_total", scope=scope, outcome=outcome) == count, (scope, outcome)


def test_how_things_stand_is_told(demo):
    rows = number(demo, "flagboard_history_rows")
    demo.change("checkout/guest_checkout", "set", "true")
    assert number(demo, "flagboard_history_rows") == rows + 1
    assert number(demo, "flagboard_takes_changes") == 1
    assert number(demo, "flagboard_open_intents") == 0
    assert number(demo, "flagboard_unreadable_files") == 0
    assert number(demo, "flagboard_event_streams") == 0
    assert 0 < number(demo, "flagboard_uptime_seconds") < 3600
    assert 'flagboard_build_info{version="' in told(demo)


def test_no_key_and_no_value_of_a_flag_is_told(demo):
    flags = [flag["key"] for flag in json.loads(demo.get("/api/v1/flags").body)["flags"]]
    text = told(demo)
    assert flags and not [key for key in flags if key in text]


def test_this_machine_needs_no_token_where_it_alone_reaches_the_server(guarded):
    assert "flagboard_uptime_seconds" in told(guarded)


def test_where_others_may_reach_the_server_a_token_is_asked_for(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"), "--allowed-host", "flags.example.com", access="token")
    assert server.get("/metrics").status == 401
    assert server.get("/healthz").status == 200
