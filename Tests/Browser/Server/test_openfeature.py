"""The OpenFeature Remote Evaluation Protocol, by the unmodified client for Python and below it."""

import http.client
import json
from urllib.parse import quote

import pytest
from harness import Server
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.exception import ErrorCode
from samples import demonstration
from tokens import make_token

TOUR = "onboarding/welcome_tour"
ONE = "/ofrep/v1/evaluate/flags/"
ALL = "/ofrep/v1/evaluate/flags"
JSON = {"Content-Type": "application/json"}
VALUES = """<plist version="1.0"><dict>
<key>on</key><true/><key>text</key><string>words</string><key>whole</key><integer>3</integer><key>part</key><real>2.5</real>
<key>round</key><real>4</real><key>list</key><array><string>a</string></array>
<key>when</key><date>2026-01-31T12:00:00Z</date><key>bytes</key><data>AAEC</data>
<key>a</key><dict><key>b</key><false/></dict>
</dict></plist>"""
MANIFEST = """<plist version="1.0"><dict><key>version</key><integer>1</integer><key>flags</key><array>
<dict><key>key</key><string>object</string><key>type</key><string>json</string>
<key>default</key><dict><key>x</key><integer>1</integer></dict></dict>
<dict><key>key</key><string>empty</string><key>type</key><string>bool</string></dict>
<dict><key>key</key><string>on</string><key>type</key><string>bool</string><key>default</key><false/></dict>
<dict><key>key</key><string>whole</string><key>type</key><string>string</string></dict>
<dict><key>key</key><string>secret</string><key>type</key><string>bool</string><key>isInternal</key><true/></dict>
</array></dict></plist>"""


@pytest.fixture
def server(serve, tmp_path):
    (tmp_path / "flags.xml").write_text(VALUES)
    (tmp_path / "flags.manifest.xml").write_text(MANIFEST)
    return serve(tmp_path / "flags.xml")


@pytest.fixture
def client(server):
    api.set_provider(OFREPProvider(server.address))
    yield api.get_client()
    api.clear_providers()


def evaluate(server, key, body=b"{}", headers=JSON):
    answer = server.request("POST", ONE + quote(key, safe=""), body, headers)
    return answer.status, json.loads(answer.body)


def bulk(server, headers=None):
    return server.request("POST", ALL, b"{}", JSON | (headers or {}))


def test_the_client_evaluates_each_type(client):
    found = client.get_boolean_details("on", False)
    assert (found.value, found.reason, found.error_code) == (True, "STATIC", None)
    assert found.flag_metadata == {"source": "Local", "type": "bool"}
    assert client.get_string_value("text", "") == "words"
    assert client.get_float_value("part", 0.0) == 2.5
    assert client.get_float_value("round", 0.0) == 4.0
    assert client.get_object_value("object", {}) == {"x": 1}
    assert client.get_object_value("list", {}) == {"items": ["a"]}
    assert client.get_string_value("when", "") == "2026-01-31T12:00:00Z"
    assert client.get_string_value("bytes", "") == "AAEC"
    assert client.get_boolean_value("a/b", True) is False


def test_the_client_takes_its_default_where_a_flag_has_no_value_and_learns_of_one_that_is_not_there(client):
    assert client.get_boolean_details("empty", True).value is True
    for key in ("none", "secret", "a"):
        found = client.get_boolean_details(key, True)
        assert (found.value, found.error_code) == (True, ErrorCode.FLAG_NOT_FOUND), key


def test_the_client_has_the_last_good_value_of_a_broken_file_and_the_default_of_a_sound_one(client, server):
    assert client.get_boolean_value("on", False) is True
    server.file.write_text(VALUES.replace("</plist>", ""))
    found = client.get_boolean_details("on", False)
    assert (found.value, found.reason, found.error_code) == (True, "STALE", None)
    assert found.flag_metadata["brokenSource"] == "Local" and "line" in found.flag_metadata["problem"]
    server.file.write_text(VALUES.replace("<key>on</key><true/>", ""))
    found = client.get_boolean_details("on", True)
    assert (found.value, found.reason) == (False, "DEFAULT") and "brokenSource" not in found.flag_metadata


def test_the_client_sees_a_change(client, server):
    assert client.get_boolean_value("on", False) is True
    server.change("on", "set", "false")
    assert client.get_boolean_value("on", True) is False


def test_a_single_evaluation_has_just_what_the_protocol_says(server):
    assert evaluate(server, "a/b") == (200, {
        "key": "a/b", "reason": "STATIC", "value": False, "variant": "Local", "metadata": {"source": "Local", "type": "bool"}})
    status, found = evaluate(server, "empty")
    assert status == 200 and found["reason"] == "DISABLED" and "value" not in found
    status, found = evaluate(server, "secret")
    assert status == 404 and found["errorCode"] == "FLAG_NOT_FOUND" and found["key"] == "secret" and found["errorDetails"]


@pytest.mark.parametrize("body, status, code", [
    (b"", 200, None), (b"{}", 200, None), (b'{"context":{"targetingKey":"x","more":[1]}}', 200, None),
    (b'{"context":null}', 200, None), (b'{"context":3}', 400, "INVALID_CONTEXT"), (b"{", 400, "PARSE_ERROR"),
    (b"[]", 400, "PARSE_ERROR"), (b"\xff", 400, "PARSE_ERROR")])
def test_no_context_is_wanted_and_a_body_that_is_none_is_refused(server, body, status, code):
    found = evaluate(server, "on", body)
    assert (found[0], found[1].get("errorCode")) == (status, code)
    answer = server.request("POST", ALL, body, JSON)
    assert (answer.status, json.loads(answer.body).get("errorCode")) == (status, code)


def test_all_flags_are_evaluated_at_once_and_a_broken_one_does_not_fail_the_others(server):
    answer = bulk(server)
    document = json.loads(answer.body)
    flags = {flag["key"]: flag for flag in document["flags"]}
    assert answer.status == 200 and "secret" not in flags
    assert flags["on"]["value"] is True and flags["a/b"]["value"] is False
    # What the file holds for it is no text, never was, and there is no default: nothing is known.
    assert flags["whole"]["errorCode"] == "GENERAL" and not {"value", "reason", "variant"} & flags["whole"].keys()
    assert document["eventStreams"] == [{"type": "sse", "endpoint": {"requestUri": "/ofrep/v1/events"}}]


def test_the_bulk_answer_has_a_strong_etag_by_which_it_is_not_sent_again(server):
    tag = bulk(server).headers["etag"]
    assert tag.startswith('"')
    for known in (tag, f'"x", {tag}', f"W/{tag}", "*"):
        answer = bulk(server, {"If-None-Match": known})
        assert (answer.status, answer.body, answer.headers["etag"]) == (304, b"", tag), known
    assert bulk(server, {"If-None-Match": '"x"'}).status == 200
    server.change("on", "set", "false")
    assert bulk(server, {"If-None-Match": tag}).status == 200
    server.change("on", "set", "true")
    assert bulk(server, {"If-None-Match": tag}).status == 304


def test_a_client_that_listens_is_told_to_ask_again_after_a_change_and_after_an_edit_from_outside(server):
    tag = bulk(server).headers["etag"]
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", "/ofrep/v1/events", headers={"Host": f"127.0.0.1:{server.port}"})
    stream = connection.getresponse()
    assert stream.headers["content-type"] == "text/event-stream"
    told = []

    def next_event():
        while not (line := stream.readline()).startswith(b"data: "):
            assert line, "the stream ended"
        return json.loads(line.removeprefix(b"data: "))

    # What changed before it listened is not lost.
    told.append(next_event())
    assert told[0]["etag"] == tag.strip('"')
    server.change("on", "set", "false")
    told.append(next_event())
    server.file.write_text(VALUES.replace("words", "other words"))
    told.append(next_event())
    connection.close()
    assert [event["type"] for event in told] == ["refetchEvaluation"] * 3
    assert told[-1]["etag"] == bulk(server).headers["etag"].strip('"') != tag.strip('"')
    asked = server.request("POST", f"{ALL}?flagConfigEtag={told[-1]['etag']}", b"{}", JSON)
    assert asked.status == 200


def test_a_token_of_a_viewer_is_enough_in_either_header_and_none_is_401(tmp_path):
    server = Server(demonstration(tmp_path / "demo"), access="token")
    try:
        token = make_token(server.file, "app", "viewer")
        for headers in ({"Authorization": f"Bearer {token}"}, {"X-API-Key": token}):
            assert evaluate(server, TOUR, headers=JSON | headers)[0] == 200
            assert bulk(server, headers).status == 200
        assert evaluate(server, TOUR)[0] == 401 and bulk(server).status == 401
        assert evaluate(server, TOUR, headers=JSON | {"X-API-Key": "x"})[0] == 401
        api.set_provider(OFREPProvider(server.address, headers_factory=lambda: {"X-API-Key": token}))
        assert api.get_client().get_boolean_value(TOUR, False) is True
    finally:
        api.clear_providers()
        server.stop()
