"""Requests of programs that are broken, sent by other pages, or sent with a token that is not asked for."""

import json
import socket

import pytest
from harness import Server
from samples import demonstration
from tokens import make_token, run_token

FEE = "checkout/delivery_fee"
JSON = {"Content-Type": "application/json"}
UNSAFE = [("DELETE", f"/api/v1/flags/{FEE}"), ("POST", "/api/v1/restarted"), ("DELETE", f"/api/v1/definitions/{FEE}")]


def rows(server, heads=None):
    return json.loads(server.get("/api/v1/history", heads).text)["changes"]


@pytest.fixture
def changed(serve, tmp_path):
    """A server with one change, so that there is something to take away."""
    server = serve(demonstration(tmp_path / "demo"))
    server.change(FEE, "set", "3.5")
    return server


@pytest.mark.parametrize("method, path", UNSAFE)
@pytest.mark.parametrize(
    "body, heads, status",
    [(b'{"reason":', JSON, 400), (b"\xff\xfe", JSON, 400), (b"[]", JSON, 400), (b'{"value":1}', JSON, 400),
     (b"value=1", {"Content-Type": "application/x-www-form-urlencoded"}, 415), (b"{}", {}, 415),
     (b"{}", JSON | {"Content-Encoding": "gzip"}, 415)])
def test_what_takes_no_body_is_not_carried_out_with_one_that_is_broken(changed, method, path, body, heads, status):
    values, past = changed.file.read_bytes(), rows(changed)
    answer = changed.request(method, path, body, heads | {"If-Match": "*"})
    assert answer.status == status, answer.text
    assert json.loads(answer.text)["code"] == ("unreadable-body" if status == 400 else "unsupported-media-type")
    assert changed.file.read_bytes() == values and rows(changed) == past


@pytest.mark.parametrize("method, path", UNSAFE)
def test_what_takes_no_body_is_not_carried_out_with_one_that_is_cut_short(changed, method, path):
    values, past = changed.file.read_bytes(), rows(changed)
    head = (f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{changed.port}\r\nIf-Match: *\r\n"
            "Content-Type: application/json\r\nContent-Length: 50\r\n\r\n")
    with socket.create_connection(("127.0.0.1", changed.port), timeout=20) as connection:
        connection.sendall(head.encode() + b'{"reason": "')
        connection.shutdown(socket.SHUT_WR)
        said = b"".join(iter(lambda: connection.recv(65536), b""))
    assert b" 200 " not in said.partition(b"\r\n")[0]
    assert changed.file.read_bytes() == values and rows(changed) == past


@pytest.mark.parametrize("body, heads", [(None, {}), (b"", JSON), (b"{}", JSON), (b" { } ", JSON)])
def test_an_empty_body_says_nothing(changed, body, heads):
    assert changed.request("POST", "/api/v1/restarted", body, heads).status == 200
    answer = changed.request("DELETE", f"/api/v1/flags/{FEE}", body, heads | {"If-Match": "*"})
    assert answer.status == 200 and json.loads(answer.text)["outcome"] == "applied"


@pytest.mark.parametrize("path", ["/ofrep/v1/evaluate/flags", f"/ofrep/v1/evaluate/flags/{FEE}", "/api/v1/flags/" + FEE])
def test_a_browser_that_asks_for_a_page_of_another_origin_whether_it_may_is_told_that_it_may_not(changed, path):
    heads = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST",
             "Access-Control-Request-Headers": "authorization,content-type"}
    answer = changed.request("OPTIONS", path, None, heads)
    told = json.loads(answer.text)
    assert answer.status == 403 and told["code"] == "other-origin"
    # Reading can be allowed.
    reads = "evaluate" in path
    assert ("Pages of other origins can’t change anything" in told["detail"]) != reads and ("--cors-origin" in told["remedy"]) == reads
    assert not [name for name in answer.headers if name.startswith("access-control-")]
    # A program that asks what an address takes is told.
    answer = changed.request("OPTIONS", path)
    assert answer.status == 405 and "POST" in answer.headers["allow"] or "PUT" in answer.headers["allow"]
    assert json.loads(answer.text)["code"] == "method-not-allowed" and "forms" not in answer.text


def test_a_read_that_is_refused_to_a_page_of_another_origin_does_not_say_that_nothing_was_changed(changed):
    heads = JSON | {"Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"}
    answer = changed.request("POST", "/ofrep/v1/evaluate/flags", b"{}", heads)
    told = json.loads(answer.text)
    assert answer.status == 403 and told["code"] == "other-origin"
    assert "it was refused" in told["detail"] and "nothing was changed" not in answer.text
    answer = changed.request("POST", "/api/v1/batches", b"{}", heads)
    assert answer.status == 403 and "nothing was changed" in answer.text


def test_a_token_that_is_sent_counts_where_none_is_asked_for(serve, tmp_path):
    file = demonstration(tmp_path / "demo")
    viewer, editor = make_token(file, "vera", "viewer"), make_token(file, "ed", "editor")
    server = serve(file)

    def put(token, value):
        heads = JSON | {"If-Match": "*"} | ({"Authorization": f"Bearer {token}"} if token else {})
        return server.request("PUT", f"/api/v1/flags/{FEE}", json.dumps({"value": value}).encode(), heads)

    assert put(viewer, 3).status == 403
    assert put(editor, 4).status == 200 and rows(server)[0]["actor"] == "ed" and rows(server)[0]["role"] == "editor"
    assert put(None, 5).status == 200 and rows(server)[0]["role"] == "admin"
    refused = put("made-up", 6)
    assert refused.status == 401 and json.loads(refused.text)["code"] == "wrong-token"
    assert server.get("/api/v1/flags", {"X-API-Key": "made-up"}).status == 401
    assert server.get("/api/v1/flags", {"Authorization": "Basic YTpi"}).status == 200
    assert run_token("revoke", file, "ed").returncode == 0
    assert put(editor, 7).status == 401
    # A page of another origin is refused with a made-up token too.
    heads = JSON | {"If-Match": "*", "Authorization": "Bearer made-up", "Origin": "https://evil.example"}
    assert server.request("PUT", f"/api/v1/flags/{FEE}", b'{"value": 8}', heads).status in (401, 403)
    assert server.get("/").status == 200 and json.loads(server.get(f"/api/v1/flags/{FEE}").text)["value"] == 5
