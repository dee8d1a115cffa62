"""What a server logs."""

import json
import re
import subprocess

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


def test_a_stop_is_logged_when_it_begins_and_when_it_is_done_and_the_folder_of_the_pages_once(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"), "--log-format", "json", "--log-level", "info")
    server.get("/flagboard.css")
    said = [line["message"] for line in lines(server)]
    assert [text for text in said if "stop" in text] == [
        "Flagboard is stopping: what was asked is still answered", "Flagboard has stopped"]
    assert said[-1] == "Flagboard has stopped"
    assert len([text for text in said if text.lower().startswith("serving ")]) == 1


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
    assert f'FLAGBOARD_{name} is "loud"; it must be one of {words}' in done.stderr
