"""What a server logs."""

import http.server
import json
import re
import subprocess
import threading
import time

import pytest
from harness import BINARY, environment
from samples import demonstration

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def lines(server):
    """What was logged, after the server has ended."""
    server.process.terminate()
    assert server.process.wait() == 0
    found = [json.loads(line) for line in server.errors().splitlines()]
    for line in found:
        assert set(line) == {"time", "level", "label", "message", "metadata"}
        assert TIME.fullmatch(line["time"]) and line["label"] == "flagboard"
    return found


def failing_start(*options, variables=None):
    return subprocess.run(
        [BINARY, "serve", *options], capture_output=True, text=True, env=environment() | (variables or {}), check=False)


def test_each_line_is_an_object_where_json_is_asked_for(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"), "--log-format", "json")
    server.file.write_text("<plist>")
    server.get("/")
    found = lines(server)
    assert [line["level"] for line in found] == ["warning"]
    assert "flags.xml" in found[0]["message"] and found[0]["metadata"] == {}


def test_a_level_decides_what_is_logged(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"), "--log-format", "json", "--log-level", "info")
    found = lines(server)
    assert any("listening on 127.0.0.1" in line["message"] for line in found)
    assert {line["level"] for line in found} == {"info"}


def test_a_stop_is_logged_when_it_begins_and_when_it_is_done(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"), "--log-format", "json", "--log-level", "info")
    server.get("/flagboard.css")
    said = [line["message"] for line in lines(server)]
    assert [text for text in said if "shutting down" in text or "stop" in text] == [
        "Flagboard is shutting down and finishing the requests in progress", "Flagboard has stopped"]
    assert said[-1] == "Flagboard has stopped"
    assert [text for text in said if text.lower().startswith("serving ")] == []


def test_the_lines_for_people_stay_on_standard_output(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"), "--log-format", "json", access="token")
    assert lines(server) == []
    server._reader.join()
    assert server.link and server.printed() == ""


def test_text_is_what_a_server_logs_otherwise(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"))
    server.file.write_text("<plist>")
    server.get("/")
    server.process.terminate()
    server.process.wait()
    assert re.search(r"^\S+ warning flagboard: .*flags\.xml", server.errors())


def test_why_a_server_does_not_start_is_logged_as_the_rest(tmp_path):
    done = failing_start(tmp_path / "none.xml", "--port", "0", variables={"FLAGBOARD_LOG_FORMAT": "json"})
    assert (done.returncode, done.stdout) == (1, "")
    line = json.loads(done.stderr)
    assert line["level"] == "critical" and "none.xml" in line["message"]


@pytest.mark.parametrize(
    ("name", "words"), [("LOG_FORMAT", "text, json"), ("LOG_LEVEL", "trace, debug, info, notice, warning, error, critical")])
def test_a_wrong_word_in_the_environment_is_told_with_the_right_ones(tmp_path, name, words):
    done = failing_start(demonstration(tmp_path / "demo"), variables={f"FLAGBOARD_{name}": "loud"})
    assert done.returncode == 64
    assert f"FLAGBOARD_{name}: The value 'loud' is invalid" in done.stderr
    assert all(re.search(rf"\b{word}\b", done.stderr) for word in words.split(", "))
    assert "Usage: flagboard serve" in done.stderr


def until(server, condition):
    """Waits until it is so: an answer of the server's own paces the look."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, server.get("/healthz").text + server.errors()


class TroubledEtcd(http.server.BaseHTTPRequestHandler):
    """An etcd that answers each request with a cause that would clear a terminal and begin a line of its own."""

    def do_POST(self):
        body = json.dumps({"error": "\x1b[2Jgone\r\nforged warning flagboard: \x9b31m", "code": 14}).encode()
        self.send_response(503)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_what_another_program_answers_does_nothing_to_a_terminal_that_shows_the_log(serve, tmp_path):
    etcd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), TroubledEtcd)
    threading.Thread(target=etcd.serve_forever, daemon=True).start()
    try:
        address = f"etcd://127.0.0.1:{etcd.server_port}/flagboard"
        server = serve(demonstration(tmp_path / "demo"), "--publish", address)
        until(server, lambda: "can't publish flags" in server.errors())
        said = server.errors()
        assert "gone" in said and "forged" in said, said
        assert all(" flagboard: " in line for line in said.splitlines()), said
        assert not [letter for letter in said if ord(letter) < 32 and letter != "\n" or 127 <= ord(letter) < 160], repr(said)
    finally:
        etcd.shutdown()
        etcd.server_close()


def test_what_is_kept_of_a_webhook_does_nothing_to_a_terminal_that_lists_it(tmp_path):
    file = demonstration(tmp_path / "demo")
    added = subprocess.run(
        [BINARY, "webhook", "add", file, "https://example.com/h", "--name", "hook", "--filter", "tag=a\x1b[2J\x9b1mb"],
        capture_output=True, text=True, env=environment())
    assert added.returncode == 0, added.stderr
    said = subprocess.run([BINARY, "webhook", "list", file], capture_output=True, text=True, env=environment())
    assert said.returncode == 0 and "tag=a\\u{1B}[2J\\u{9B}1mb" in said.stdout, said.stdout + said.stderr
    assert not [letter for letter in said.stdout if ord(letter) < 32 and letter != "\n" or 127 <= ord(letter) < 160]
