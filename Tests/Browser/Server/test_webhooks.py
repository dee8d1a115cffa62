"""Webhooks: a real receiver, which the server tells of changes, also where one of them is killed."""

import json
import subprocess
from html import unescape

import pytest
from harness import BINARY, Server, environment
from receiver import Receiver, is_signed
from samples import INTERNAL_FLAGS, demonstration

KEY = "checkout/minimum_order"


def webhook(*arguments):
    done = subprocess.run(
        [BINARY, "webhook", *arguments], capture_output=True, text=True, env=environment(), timeout=60)
    return done.returncode, done.stdout, done.stderr


def add(file, receiver, *options):
    code, out, said = webhook("add", file, receiver.url, "--allow-private", "--json", *options)
    assert code == 0, said
    return json.loads(out)


def put(server, key, value):
    answer = server.request(
        "PUT", f"/api/v1/flags/{key}", json.dumps({"value": value}).encode(),
        {"Content-Type": "application/json", "If-Match": "*"})
    assert answer.status == 200, answer.text


def row(message):
    return json.loads(message["body"])["data"]["id"]


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.stop()


@pytest.fixture
def file(tmp_path):
    return demonstration(tmp_path / "demo")


def test_every_row_arrives_in_order_though_the_server_is_killed_between_a_delivery_and_its_note(file, receiver):
    made = add(file, receiver)
    server = Server(file)
    try:
        for value in range(1, 8):
            put(server, KEY, value)
        # The receiver has these, and the server can't know: it is killed before it gets the answer, or just as it gets it.
        killed = {2: "before", 4: "before", 5: "with"}
        messages = []
        while not messages or row(messages[-1]) < 7:
            messages.append(receiver.next())
            match killed.pop(row(messages[-1]), None):
                case None:
                    receiver.answer()
                    continue
                case "before":
                    server.process.kill()
                    server.process.wait()
                    receiver.answer()
                case "with":
                    receiver.answer()
                    server.process.kill()
            server.stop()
            server = Server(file)
        assert not killed
        assert server.get("/healthz").status == 200
    finally:
        server.stop()
    rows = [row(message) for message in messages]
    assert sorted(set(rows)) == list(range(1, 8)) and rows == sorted(rows), rows
    # Rows 2 and 4 came twice at least, each under one id and with the same bytes.
    assert rows.count(2) > 1 and rows.count(4) > 1
    assert len({(row(message), message["headers"]["webhook-id"], message["body"]) for message in messages}) == 7
    assert all(is_signed(message, made["secret"]) for message in messages)


def test_a_message_tells_what_the_api_tells_and_nothing_of_internal_flags(file, receiver):
    server = Server(file)
    try:
        made = add(file, receiver)
        secret, value = next(iter(INTERNAL_FLAGS.items()))
        file.write_text(file.read_text().replace(value, "0.5"))
        put(server, KEY, 9)
        message = receiver.take()
        told = json.loads(message["body"])
        document = json.loads(server.get(f"/api/v1/history/{told['data']['id']}").text)
        assert told["type"] == "flag.changed" and told["data"] == document and document["key"] == KEY
        assert secret not in message["body"]
        assert message["headers"]["webhook-id"].startswith(made["id"])
        assert message["headers"]["content-type"] == "application/json" and message["path"] == "/hook"
        assert is_signed(message, made["secret"]) and not is_signed(message, "whsec_" + "A" * 32)
    finally:
        server.stop()


def test_webhooks_are_added_rotated_replayed_and_removed_while_the_server_runs(file, receiver):
    server = Server(file)
    try:
        put(server, KEY, 1)
        made = add(file, receiver, "--name", "till", "--filter", "key=checkout/*", "--filter", "kind=set")
        put(server, "search/results_per_page", 30)
        put(server, KEY, 2)
        message = receiver.take()
        assert row(message) == 3
        code, secret, said = webhook("rotate", file, "till")
        assert code == 0 and "24 hours" in said
        put(server, KEY, 3)
        message = receiver.take()
        assert is_signed(message, made["secret"]) and is_signed(message, secret.strip())
        assert webhook("replay", file, "till", "--from", "1", "--to", "3")[0] == 0
        assert [row(receiver.take()) for _ in range(2)] == [1, 3]
        code, said, problem = webhook("replay", file, "till", "--from", "9")
        assert code == 1 and "Row 9 doesn't exist. The last row is 4" in problem
        code, said, _ = webhook("list", file, "--json")
        listed = json.loads(said)
        assert code == 0 and [each["name"] for each in listed] == ["till"] and "secret" not in said
        assert listed[0]["url"].endswith("/…") and listed[0]["filters"] == ["key=checkout/*", "kind=set"]
        assert webhook("remove", file, "till")[0] == 0
        put(server, KEY, 5)
        assert "No webhooks yet" in server.get("/webhooks").text
        assert server.errors() == ""
    finally:
        server.stop()


def test_a_test_message_says_how_it_went(file, receiver):
    add(file, receiver, "--name", "till")
    for answer, code, words in ((204, 0, "status 204"), (302, 1, "redirects are not followed"), ("close", 1, "without a response")):
        run = subprocess.Popen(
            [BINARY, "webhook", "test", file, "till"], stdout=subprocess.PIPE, text=True, env=environment())
        message = receiver.take(answer)
        said = run.communicate(timeout=60)[0]
        assert run.returncode == code and words in said, said
        assert json.loads(message["body"])["type"] == "webhook.test"


def test_a_server_stops_at_once_though_a_receiver_never_answers(file, receiver):
    add(file, receiver)
    server = Server(file)
    put(server, KEY, 1)
    first = receiver.next()
    assert server.stop() == 0
    receiver.answer()
    server = Server(file)
    try:
        again = receiver.take()
        assert again["headers"]["webhook-id"] == first["headers"]["webhook-id"]
    finally:
        server.stop()


def test_a_change_never_waits_for_a_webhook_and_trouble_is_told(file, receiver):
    add(file, receiver, "--name", "till")
    server = Server(file)
    try:
        put(server, KEY, 1)
        receiver.next()
        for value in range(2, 6):
            put(server, KEY, value)
        receiver.answer(410)
        page = ""
        while "Disabled since" not in page:
            page = unescape(server.get("/webhooks").text)
        assert "Status 410 for row 1: the receiver doesn't want any more events." in page and "5 changes pending" in page
        health = json.loads(server.get("/healthz").text)
        assert health["status"] == "ready" and health["webhooks"] == {"disabled": 1, "failing": 0}
        metrics = server.get("/metrics").text
        assert 'flagboard_webhook_deliveries_total{outcome="gone"} 1' in metrics
        assert "flagboard_webhook_lag_rows 5" in metrics
        assert webhook("enable", file, "till")[0] == 0
        assert [row(receiver.take()) for _ in range(5)] == [1, 2, 3, 4, 5]
    finally:
        server.stop()


@pytest.mark.parametrize(
    "url, words",
    [("http://127.0.0.1:9/", "this machine"), ("http://localhost/", "this machine"), ("http://169.254.169.254/", "link-local"),
     ("http://2130706433/", "this machine"), ("http://[::ffff:10.0.0.1]/", "private"), ("http://10.1.2.3/", "private")])
def test_an_address_in_a_private_network_needs_permission(file, url, words):
    code, _, said = webhook("add", file, url)
    assert code == 1 and words in said and "--allow-private" in said
    assert not file.with_name("flags.webhooks.json").exists()


@pytest.mark.parametrize(
    "arguments", [["ftp://example.com/"], ["https://ada:pw@example.com/"], ["https://example.com/", "--filter", "x"],
        ["https://example.com/", "--template", "teams"]])
def test_what_can_be_no_webhook_is_wrong_usage(file, arguments):
    assert webhook("add", file, *arguments)[0] == 64


def test_a_receiver_that_cannot_prove_who_it_is_gets_nothing(file, tmp_path, serve):
    paths = tmp_path / "server.crt", tmp_path / "server.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", paths[0], "-keyout", paths[1]],
        check=True, capture_output=True)
    encrypted = serve(
        demonstration(tmp_path / "other"), "--tls-certificate", paths[0], "--tls-key", paths[1], access="token")
    plain = serve(demonstration(tmp_path / "third"))
    for name, server, words in (
            ("encrypted", encrypted, "is not trusted"), ("plain", plain, "doesn't use TLS")):
        assert webhook("add", file, f"https://localhost:{server.port}/", "--name", name, "--allow-private")[0] == 0
        code, said, _ = webhook("test", file, name)
        assert code == 1 and words in said and ".build" not in said, said


def test_a_read_only_server_sends_nothing_and_says_so(file, receiver):
    add(file, receiver)
    server = Server(file)
    server.stop()
    server = Server(file, "--read-only")
    try:
        assert "Webhooks aren’t sent here" in server.get("/webhooks").text
        assert "webhooks" not in server.get("/healthz").text
        assert server.post("/webhooks/test", {"id": "till"}).status == 409
    finally:
        server.stop()
