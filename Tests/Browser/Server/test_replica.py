"""A server that answers with the flags of another one."""

import contextlib
import http.server
import json
import re
import shutil
import subprocess
import threading
import time
from html import unescape

import pytest
from followed import Events
from harness import BINARY, FREE_PORTS, environment
from playwright.sync_api import expect
from samples import INTERNAL_FLAGS, demonstration
from tokens import make_token

FEE = "/api/v1/flags/checkout/delivery_fee"


def value(server, path=FEE, headers=None):
    return json.loads(server.get(path, headers).body)["value"]


def replica_of(serve, folder, source, *options):
    folder.mkdir(exist_ok=True)
    create = [] if (folder / "own.xml").exists() else ["--create"]
    return serve(folder / "own.xml", *create, "--provider", f"main={source}", *options)


def until(server, condition):
    """Waits until it is so: an answer of a server's own paces the look."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, server.get("/healthz").text + server.errors()


def record(folder):
    """What a replica says that it got last."""
    return json.loads((folder / "own.main.replica.json").read_text())


def health(replica):
    """What a replica says of itself to who watches over it."""
    return json.loads(replica.get("/healthz").body)["replica"]


@contextlib.contextmanager
def answering(port, handler):
    """A server in the writer's place."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def refused(folder, *options):
    folder.mkdir(exist_ok=True)
    return subprocess.run(
        [BINARY, "serve", folder / "own.xml", "--create", "--port", "0", *options], capture_output=True, text=True,
        timeout=60, env=environment())


def test_it_answers_with_the_writer_s_flags_as_they_change(demo, serve, tmp_path):
    replica = replica_of(serve, tmp_path / "replica", demo.url("/"))
    assert value(replica) == value(demo)
    events = Events(replica)
    demo.change("checkout/delivery_fee", "set", "3.75")
    events.wait(lambda: value(replica) == 3.75)
    demo.change("checkout/delivery_fee", "reset")
    events.wait(lambda: value(replica) == 2.95)
    assert json.loads(replica.get(FEE).body)["source"] == "default"
    evaluation = json.loads(
        replica.request("POST", "/ofrep/v1/evaluate/flags/checkout/delivery_fee", b"{}",
                        {"Content-Type": "application/json"}).body)
    assert evaluation["value"] == 2.95
    assert json.loads(replica.get("/healthz").body)["replica"]["failing"] is False
    assert "flagboard_replica_failing 0" in replica.get("/metrics").text
    page = replica.get("/").text
    assert f"Replica of {demo.url('/')}" in page and "second" in page
    events.close()


def test_a_value_of_the_writer_is_the_replica_s_default_and_one_of_its_own_overrides_it(demo, serve, page, tmp_path):
    demo.change("checkout/delivery_fee", "set", "3.75")
    replica = replica_of(serve, tmp_path / "replica", demo.url("/"))
    found = json.loads(replica.get(FEE).body)
    assert (found["value"], found["source"], found["state"]) == (3.75, "main", "default")
    row = page.locator('[data-flag="checkout/delivery_fee"]')
    page.goto(replica.url("/?state=default&q=checkout/delivery_fee"))
    expect(row).to_have_attribute("data-state", "default")
    page.goto(replica.url("/?state=overridden"))
    expect(row).to_have_count(0)
    replica.change("checkout/delivery_fee", "set", "4.75")
    page.reload()
    expect(row).to_have_attribute("data-state", "overridden")
    replica.change("checkout/delivery_fee", "reset")
    page.reload()
    expect(row).to_have_count(0)
    assert value(replica) == 3.75


@pytest.mark.parametrize("edit", [
    lambda text: text.replace("</plist>", ""),
    lambda text: re.sub(r"(<key>delivery_fee</key>\s*)<real>[^<]*</real>", r"\1<string>one</string>", text)])
def test_it_keeps_the_last_good_value_and_says_so_while_the_writer_s_file_is_broken(serve, tmp_path, edit):
    writer = serve(demonstration(tmp_path / "writer"))
    writer.change("checkout/delivery_fee", "set", "3.75")
    text = writer.file.read_text()
    assert edit(text) != text
    replica = replica_of(serve, tmp_path / "replica", writer.url("/"))
    writer.file.write_text(edit(text))
    until(replica, lambda: "isStale" in json.loads(replica.get(FEE).body))
    document = json.loads(replica.get(FEE).body)
    assert document["value"] == 3.75 and document["brokenSources"] == ["main"]
    evaluation = json.loads(replica.request(
        "POST", "/ofrep/v1/evaluate/flags/checkout/delivery_fee", b"{}", {"Content-Type": "application/json"}).body)
    assert (evaluation["reason"], evaluation["value"]) == ("STALE", 3.75)
    # One that begins now is told the same.
    late = replica_of(serve, tmp_path / "late", writer.url("/"))
    assert json.loads(late.get(FEE).body)["isStale"] is True and value(late) == 3.75
    writer.file.write_text(text)
    until(replica, lambda: "isStale" not in json.loads(replica.get(FEE).body))
    assert value(replica) == 3.75


def test_its_definitions_and_locks_are_the_writer_s(demo, serve, tmp_path):
    replica = replica_of(serve, tmp_path / "replica", demo.url("/"))
    answer = replica.post("/flags/checkout/delivery_fee", {"action": "lock"})
    assert answer.status == 403 and demo.url("/") in answer.text
    assert replica.get("/definitions/checkout/delivery_fee").status == 403
    assert "Lock flag" not in replica.get("/flags/checkout/delivery_fee").text
    events = Events(replica)
    demo.change("checkout/delivery_fee", "lock")
    events.wait(lambda: json.loads(replica.get(FEE).body)["isLocked"])
    answer = replica.post("/flags/checkout/delivery_fee", {"action": "set", "value": "1", "revision": "absent"})
    assert answer.status == 423 and f"unlock it at {demo.url('/')}" in answer.text
    events.close()


def test_a_value_of_its_own_comes_before_the_writer_s(demo, serve, tmp_path):
    replica = replica_of(serve, tmp_path / "replica", demo.url("/"))
    replica.change("checkout/delivery_fee", "set", "0.5")
    assert (value(replica), value(demo)) == (0.5, 1.95)
    assert demo.file.read_bytes() == demonstration(tmp_path / "fresh").read_bytes()


def test_nothing_of_internal_flags_gets_there(demo, serve, tmp_path):
    replica_of(serve, tmp_path / "replica", demo.url("/"))
    manifest = (demo.file.with_name("flags.manifest.xml")).read_text()
    internal = [part.split("<string>")[1].split("</string>")[0] for part in manifest.split("<dict>")
                if "<key>isInternal</key>\n\t\t\t<true/>" in part and "<key>key</key>" in part]
    assert internal
    for file in (tmp_path / "replica").iterdir():
        for key in internal:
            assert key.encode() not in file.read_bytes()


def test_it_starts_without_the_writer_from_what_it_got_before_and_catches_up(serve, tmp_path):
    writer = serve(demonstration(tmp_path / "writer"))
    first = replica_of(serve, tmp_path / "replica", writer.url("/"))
    writer.change("checkout/delivery_fee", "set", "3.75")
    events = Events(first)
    events.wait(lambda: value(first) == 3.75)
    events.close()
    first.stop()
    port = writer.port
    writer.stop()
    # The next server would take it.
    FREE_PORTS.discard(port)
    second = replica_of(serve, tmp_path / "replica", f"http://127.0.0.1:{port}/")
    assert value(second) == 3.75
    assert "can’t be reached now" in second.get("/").text
    events = Events(second)
    again = serve(writer.file, "--port", str(port))
    again.change("checkout/delivery_fee", "set", "4.75")
    events.wait(lambda: value(second) == 4.75)
    events.close()


@pytest.fixture
def past(serve, tmp_path):
    """A writer and a replica of its last row, both stopped, with a copy of what the writer had before that row."""
    writer = serve(demonstration(tmp_path / "writer"))
    writer.change("checkout/delivery_fee", "set", "2.25")
    writer.stop()
    shutil.copytree(tmp_path / "writer", tmp_path / "copy")
    writer = served_again(serve, writer)
    writer.change("checkout/delivery_fee", "set", "2.75")
    replica = replica_of(serve, tmp_path / "replica", writer.url("/"))
    assert value(replica) == 2.75
    replica.stop()
    writer.stop()
    return writer


def served_again(serve, writer):
    """The writer that was stopped, at the same address."""
    FREE_PORTS.discard(writer.port)
    return serve(writer.file, "--port", str(writer.port))


def put_back(writer, tmp_path):
    shutil.rmtree(writer.file.parent)
    shutil.copytree(tmp_path / "copy", writer.file.parent)


def snapshots(writer):
    """How often the flags of a writer were told."""
    return sum(
        int(count) for count in
        re.findall(r'_count\{route="api-snapshot",status="2xx"\} (\d+)', writer.get("/metrics").text))


@pytest.mark.parametrize("changes", [0, 1, 4])
def test_another_history_is_not_followed_whatever_its_row(past, serve, tmp_path, changes):
    held = record(tmp_path / "replica")
    put_back(past, tmp_path)
    writer = served_again(serve, past)
    for number in range(changes):
        writer.change("checkout/delivery_fee", "set", f"{number + 5}.5")
    head = json.loads(writer.get("/api/v1/snapshot").body)
    assert head["row"] == held["row"] - 1 + changes and head["hash"] != held["hash"]
    replica = replica_of(serve, tmp_path / "replica", writer.url("/"))
    assert value(replica) == 2.75
    assert f"row {held['row']} of the history at" in replica.get("/").text
    assert record(tmp_path / "replica") == held
    log = replica.errors()
    replica.stop()
    for name in ("own.main.replica.xml", "own.main.replica.json", "own.manifest.xml"):
        assert name in log
        (tmp_path / "replica" / name).unlink()
    assert value(replica_of(serve, tmp_path / "replica", writer.url("/"))) == value(writer)


def test_a_running_replica_stays_with_its_history(past, serve, tmp_path):
    writer = served_again(serve, past)
    replica = replica_of(serve, tmp_path / "replica", writer.url("/"))
    held = record(tmp_path / "replica")
    writer.stop()
    put_back(past, tmp_path)
    writer = served_again(serve, writer)
    why = f"row {held['row']} of the history at {writer.url('/')} doesn't match the last sync"
    until(replica, lambda: why in unescape(replica.get("/").text))
    for fee in ("5.5", "6.5"):
        writer.change("checkout/delivery_fee", "set", fee)
    told = snapshots(writer)
    until(writer, lambda: snapshots(writer) > told + 1)
    assert (value(replica), value(writer)) == (2.75, 6.5)
    assert record(tmp_path / "replica") == held


def test_rows_of_internal_flags_and_the_last_one_that_was_pruned_tell_that_it_is_the_same_history(
        past, serve, tmp_path):
    past.file.write_text(past.file.read_text().replace(INTERNAL_FLAGS["checkout/payment/fraud_threshold"], "0.5"))
    writer = served_again(serve, past)
    replica = replica_of(serve, tmp_path / "replica", writer.url("/"))
    row = record(tmp_path / "replica")["row"]
    assert writer.get(f"/api/v1/history/{row}").status == 404
    replica.stop()
    writer.change("checkout/delivery_fee", "set", "3.75")
    writer.stop()
    prune(writer, 1)
    writer = served_again(serve, writer)
    replica = replica_of(serve, tmp_path / "replica", writer.url("/"))
    assert value(replica) == 3.75
    replica.stop()
    for fee in ("4.75", "5.75"):
        writer.change("checkout/delivery_fee", "set", fee)
    writer.stop()
    prune(writer, 1)
    writer = served_again(serve, writer)
    replica = replica_of(serve, tmp_path / "replica", writer.url("/"))
    assert value(replica) == 3.75
    assert "was pruned there since the last sync" in replica.get("/").text


def prune(writer, rows):
    subprocess.run(
        [BINARY, "history", "prune", writer.file, "--keep-rows", str(rows)], check=True, capture_output=True,
        env=environment())


def test_without_the_writer_and_without_flags_of_before_it_does_not_start(tmp_path):
    result = refused(tmp_path / "replica", "--provider", "main=http://127.0.0.1:1/")
    assert result.returncode == 1
    assert "http://127.0.0.1:1/api/v1/snapshot can't be reached" in result.stderr


def test_it_shows_a_token_and_trusts_one_authority_alone(serve, tmp_path):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", tmp_path / "key.pem", "-out",
         tmp_path / "certificate.pem"], check=True, capture_output=True)
    file = demonstration(tmp_path / "writer")
    token = tmp_path / "token"
    token.write_text(make_token(file, "replica", "viewer") + "\n")
    writer = serve(
        file, "--tls-certificate", str(tmp_path / "certificate.pem"), "--tls-key", str(tmp_path / "key.pem"),
        access="token")
    source = writer.url("/")
    assert source.startswith("https://")
    replica = replica_of(
        serve, tmp_path / "replica", source, "--provider-token", str(token), "--provider-ca",
        str(tmp_path / "certificate.pem"))
    assert value(replica) == 1.95
    stranger = refused(tmp_path / "stranger", "--provider", f"main={source}", "--provider-token", str(token))
    assert stranger.returncode == 1 and "certificate" in stranger.stderr
    nobody = refused(
        tmp_path / "nobody", "--provider", f"main={source}", "--provider-ca", str(tmp_path / "certificate.pem"))
    assert nobody.returncode == 1 and "401" in nobody.stderr


def test_what_a_crash_at_the_first_snapshot_left_is_taken_up(demo, serve, tmp_path):
    folder = tmp_path / "replica"
    first = replica_of(serve, folder, demo.url("/"))
    first.stop()
    (folder / "own.main.replica.xml").unlink()
    second = replica_of(serve, folder, demo.url("/"))
    assert value(second) == 1.95


def test_files_of_which_one_was_removed_belong_to_their_history_still(past, serve, tmp_path):
    put_back(past, tmp_path)
    served_again(serve, past)
    (tmp_path / "replica/own.main.replica.xml").unlink()
    result = refused(tmp_path / "replica", "--provider", f"main={past.url('/')}")
    assert result.returncode == 1
    assert "doesn't match the last sync" in result.stderr and "remove its files" in result.stderr


def edit(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def untimed(file):
    """What is in a file of a replica, less when it was got."""
    return re.sub('"time":"[^"]*"', "", file.read_text())


@pytest.mark.parametrize(
    "name, change",
    [
        ("own.main.replica.xml", lambda file: edit(file, "1.95", "9.95")),
        ("own.main.replica.xml", lambda file: file.unlink()),
        ("own.manifest.xml", lambda file: edit(file, "Delivery fee", "Another fee")),
        ("own.manifest.xml", lambda file: file.unlink()),
        ("own.main.replica.json", lambda file: edit(file, "hash", "hush")),
    ])
def test_a_file_that_another_program_changed_or_removed_is_put_back_and_told(demo, serve, tmp_path, name, change):
    replica = replica_of(serve, tmp_path / "replica", demo.url("/"))
    file = tmp_path / "replica" / name
    before = untimed(file)
    flag = replica.get(FEE).body
    for count in (1, 2):
        change(file)
        until(replica, lambda: file.exists() and untimed(file) == before)
        until(replica, lambda: replica.get(FEE).body == flag)
        assert replica.errors().count(f"{name} no longer has the data from") == count
    assert json.loads(replica.get("/healthz").body)["replica"]["failing"] is False


def test_a_file_that_was_changed_while_the_replica_was_stopped_is_put_back_and_told(demo, serve, tmp_path):
    file = tmp_path / "replica/own.main.replica.xml"
    first = replica_of(serve, tmp_path / "replica", demo.url("/"))
    before = file.read_bytes()
    assert first.errors() == ""
    first.stop()
    edit(file, "1.95", "9.95")
    second = replica_of(serve, tmp_path / "replica", demo.url("/"))
    assert value(second) == 1.95 and file.read_bytes() == before
    assert "own.main.replica.xml no longer has the data from" in second.errors()


class _Refusing(http.server.BaseHTTPRequestHandler):
    status, wanted = 429, "60"

    def do_GET(self):
        if self.path.startswith("/api/v1/snapshot"):
            type(self).asked += 1
        self.send_response(self.status)
        if self.wanted:
            self.send_header("Retry-After", self.wanted)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


@pytest.mark.parametrize("status", [429, 503])
def test_a_writer_that_refuses_is_left_alone_as_long_as_it_asks(demo, serve, tmp_path, status):
    folder = tmp_path / "replica"
    replica_of(serve, folder, demo.url("/")).stop()
    demo.stop()
    FREE_PORTS.discard(demo.port)
    handler = type("Handler", (_Refusing,), {"asked": 0, "status": status})
    with answering(demo.port, handler):
        second = replica_of(serve, folder, f"http://127.0.0.1:{demo.port}/")
        for _ in range(200):
            assert value(second) == 1.95
        assert str(status) in second.get("/").text
        second.stop()
    assert 1 <= handler.asked <= 4


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_writer_that_a_proxy_does_not_reach_is_asked_as_often_as_one_that_is_not_there(
        demo, serve, tmp_path, status):
    replica = replica_of(serve, tmp_path / "replica", demo.url("/"))
    demo.stop()
    FREE_PORTS.discard(demo.port)
    handler = type("Handler", (_Refusing,), {"asked": 0, "status": status, "wanted": None})
    with answering(demo.port, handler):
        # With longer waits each time, as for other answers, there would not be as many within minutes.
        until(replica, lambda: handler.asked > 20)
        assert health(replica)["failing"] is True
    writer = served_again(serve, demo)
    events = Events(replica)
    writer.change("checkout/delivery_fee", "set", "3.75")
    events.wait(lambda: value(replica) == 3.75)
    events.close()


def test_definitions_of_its_own_are_never_replaced(demo, tmp_path):
    folder = tmp_path / "replica"
    folder.mkdir()
    own = '<plist version="1.0"><dict><key>version</key><integer>1</integer></dict></plist>'
    (folder / "own.manifest.xml").write_text(own)
    result = refused(folder, "--provider", f"main={demo.url('/')}")
    assert result.returncode == 1 and "its own definitions" in result.stderr
    assert (folder / "own.manifest.xml").read_text() == own


@pytest.mark.parametrize(
    "options, problem",
    [
        (["--provider", "a=http://127.0.0.1:1/", "--provider", "b=http://127.0.0.1:2/"], "only one other Flagboard server can be followed"),
        (["--provider", "a=http://me:pw@127.0.0.1:1/"], "an address can't contain a user name or password"),
        (["--provider", "a=https://"], "it has no host"),
        (["--provider", "a=http://127.0.0.1:1/", "--provider-ca", "x.pem"], "encrypted connection"),
        (["--provider-token", "x"], "only with another Flagboard server"),
        (["--provider", "a=https://127.0.0.1:1/", "--provider-ca", "missing.pem"], "missing.pem"),
    ])
def test_what_cannot_be_followed_is_refused(tmp_path, options, problem):
    result = refused(tmp_path / "replica", *options)
    assert result.returncode == 64
    assert problem in result.stderr


class _Odd(http.server.BaseHTTPRequestHandler):
    answer = (200, "text/html", b"<html>Sign in to the network</html>")

    def do_GET(self):
        status, kind, body = self.answer
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def test_how_old_the_flags_are_is_known_after_a_restart_too(demo, serve, tmp_path):
    folder = tmp_path / "replica"
    replica_of(serve, folder, demo.url("/")).stop()
    edit(folder / "own.main.replica.json", record(folder)["time"], "2020-01-01T00:00:00Z")
    # The flags are the same, so the writer answers with none.
    told = snapshots(demo)
    replica_of(serve, folder, demo.url("/")).stop()
    assert snapshots(demo) == told
    demo.stop()
    FREE_PORTS.discard(demo.port)
    again = replica_of(serve, folder, f"http://127.0.0.1:{demo.port}/")
    assert health(again)["failing"] is True and health(again)["age"] < 3600


def test_each_reason_is_told_once_until_all_is_well_again(demo, serve, tmp_path):
    replica = replica_of(serve, tmp_path / "replica", demo.url("/"))
    demo.stop()
    FREE_PORTS.discard(demo.port)
    until(replica, lambda: "connection refused" in health(replica).get("problem", ""))
    with answering(demo.port, _Odd):
        until(replica, lambda: "not a Flagboard snapshot" in health(replica)["problem"])
        assert "not a Flagboard snapshot" in replica.get("/").text
    until(replica, lambda: "connection refused" in health(replica)["problem"])
    assert [replica.errors().count(reason) for reason in ("connection refused", "not a Flagboard snapshot")] == [1, 1]
    writer = served_again(serve, demo)
    until(replica, lambda: not health(replica)["failing"])
    assert "problem" not in health(replica)
    assert replica.errors().count(" again") == 1
    writer.stop()
    FREE_PORTS.discard(demo.port)
    until(replica, lambda: replica.errors().count("connection refused") == 2)


def test_what_is_wrong_is_not_told_to_who_needs_no_token_from_elsewhere(demo, serve, tmp_path):
    replica_of(serve, tmp_path / "replica", demo.url("/")).stop()
    demo.stop()
    FREE_PORTS.discard(demo.port)
    replica = replica_of(
        serve, tmp_path / "replica", f"http://127.0.0.1:{demo.port}/", "--allowed-host", "flags.example.org")
    assert health(replica)["failing"] is True and "problem" not in health(replica)


@pytest.mark.parametrize(
    "answer, problem",
    [
        ((200, "text/html", b"<html>Sign in to the network</html>"), "not a Flagboard snapshot"),
        ((200, "application/json", b"[" * 100_000), "not a Flagboard snapshot"),
        ((200, "application/json", b'{"row":"1","hash":"","values":""}'), "not a Flagboard snapshot"),
        ((200, "application/json", b'{"row":1,"hash":"","values":"<plist><array/></plist>"}'), "can't read the flags"),
        ((404, "text/plain", b"Not Found"), "404"),
    ])
def test_what_is_no_flagboard_is_told(tmp_path, answer, problem):
    handler = type("Handler", (_Odd,), {"answer": answer})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as odd:
        threading.Thread(target=odd.serve_forever, daemon=True).start()
        result = refused(tmp_path / "replica", "--provider", f"main=http://127.0.0.1:{odd.server_port}/")
        odd.shutdown()
    assert result.returncode == 1
    assert problem in result.stderr
