"""What becomes of changes while the history can't be written, and of a start on a history that is damaged."""

import http.client
import json
import os
import sqlite3
import subprocess
from contextlib import closing

import pytest
from harness import BINARY, Server, environment, flag_path
from history_chain import check
from samples import demonstration

LOST = (http.client.HTTPException, ConnectionError, TimeoutError)


@pytest.fixture
def file(tmp_path):
    return demonstration(tmp_path / "demo")


def history_of(file):
    return file.parent / "flags.history.sqlite"


def overwrite(history):
    """Leaves the first page alone, which tells that it is a history."""
    with history.open("r+b") as content:
        content.seek(4096)
        content.write(b"Z" * (history.stat().st_size - 4096))


def start(file):
    done = subprocess.run(
        [BINARY, "serve", file, "--access", "open", "--port", "0", "--no-browser"], capture_output=True, text=True,
        env=environment(), timeout=60, stdin=subprocess.DEVNULL)
    return done.returncode, done.stderr


def test_a_history_that_another_process_holds_longer_than_five_seconds_costs_no_change(file):
    server = Server(file)
    try:
        server.change("checkout/minimum_order", "set", "3")
        fields = server.editor("checkout/minimum_order") | {"action": "set", "value": "5", "reason": ""}
        before = file.read_bytes()
        with closing(sqlite3.connect(history_of(file), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            answer = server.post(flag_path("checkout/minimum_order"), fields)
            assert answer.status == 503 and "Nothing was changed" in answer.text
            assert server.get("/").status == 200 and server.get("/history").status == 200
            assert file.read_bytes() == before
            other.execute("ROLLBACK")
        assert server.post(flag_path("checkout/minimum_order"), fields).status == 303
    finally:
        server.stop()
    assert check(history_of(file))[0] == 2


@pytest.mark.parametrize("damage", ["overwritten", "cut short", "text", "a folder"])
def test_a_damaged_history_stops_the_start_with_what_to_do_and_is_left_as_it_is(file, damage):
    server = Server(file)
    for number in range(3, 6):
        server.change("checkout/minimum_order", "set", str(number))
    server.stop()
    store = history_of(file)
    content = store.read_bytes()
    broken = {"overwritten": content[:4096] + b"Z" * (len(content) - 4096), "cut short": content[:6000],
              "text": b"my notes\n" * 1000, "a folder": None}[damage]
    values = file.read_bytes()
    store.unlink()
    if broken is None:
        store.mkdir()
    else:
        store.write_bytes(broken)
    code, said = start(file)
    assert code == 1 and str(store) in said, said
    assert file.read_bytes() == values
    assert broken is None or store.read_bytes() == broken
    checked = subprocess.run([BINARY, "history", "verify", file], capture_output=True, text=True, env=environment())
    assert checked.returncode == 1 and "sound" not in checked.stdout


def test_a_server_on_a_history_whose_end_was_cut_off_says_so_on_every_page_and_serves(file, tmp_path):
    server = Server(file)
    server.change("checkout/minimum_order", "set", "3")
    older = history_of(file)
    server.stop()
    kept = older.read_bytes()
    server = Server(file)
    server.change("checkout/minimum_order", "set", "5")
    assert "not verified" not in server.get("/").text
    server.stop()
    older.write_bytes(kept)
    server = Server(file)
    try:
        assert "checkpoints of the history are not being signed: row" in server.errors()
        assert all("History not verified." in server.get(path).text for path in ("/", "/history", "/flags/checkout/minimum_order"))
        health = json.loads(server.get("/healthz").body)
        assert (health["status"], health["historySigned"]) == ("degraded", False)
        server.change("checkout/minimum_order", "set", "7")
    finally:
        server.stop()
    checked = subprocess.run([BINARY, "history", "verify", file], capture_output=True, text=True, env=environment())
    assert checked.returncode == 1 and "The history was altered at row 2" in checked.stdout


def test_a_history_that_is_damaged_while_it_is_served_leaves_the_values_on_the_list_and_says_what_is_missing(file):
    server = Server(file)
    server.change("checkout/minimum_order", "set", "7")
    server.stop()
    server = Server(file)
    try:
        overwrite(history_of(file))
        for path in ("/", "/?sort=changed"):
            page = server.get(path)
            assert page.status == 200 and "The last changes can’t be read." in page.text and "7" in page.text
        assert server.get("/api/v1/flags").status == 200
        assert server.get("/api/v1/flags?sort=changed").status == 503
        assert "is damaged" in server.errors()
    finally:
        server.stop()


def test_a_change_that_finds_the_history_damaged_shows_in_the_health_from_then_on(file):
    server = Server(file)
    for value in (5, 6, 7):
        assert put(server, "checkout/minimum_order", value).status == 200
    server.stop()
    server = Server(file)
    try:
        overwrite(history_of(file))
        before = file.read_bytes()
        answer = put(server, "checkout/minimum_order", 8)
        assert answer.status == 503 and "is damaged" in answer.text and "Make the history writable" not in answer.text
        assert file.read_bytes() == before
        for _ in range(3):
            answer = server.get("/healthz")
            assert answer.status == 503 and json.loads(answer.body)["status"] == "failed"
            assert json.loads(answer.body)["takesChanges"] is False
        # Only a restart on a history that is sound ends it.
        page = server.get("/").text
        assert "Last change not saved." in page and "is damaged" in page and "updates itself when changes" not in page
    finally:
        server.stop()


def put(server, key, value):
    return server.request(
        "PUT", f"/api/v1/flags/{key}", json.dumps({"value": value}).encode(),
        {"Content-Type": "application/json", "If-Match": "*"})


@pytest.mark.parametrize("left", [0, 10_000])
def test_a_log_that_is_cut_short_while_it_is_served_stops_changes_before_the_file_holds_them(file, left):
    server = Server(file)
    try:
        server.change("checkout/minimum_order", "set", "3")
        fields = server.editor("checkout/minimum_order") | {"action": "set", "value": "5", "reason": ""}
        before = file.read_bytes()
        os.truncate(history_of(file).with_name("flags.history.sqlite-wal"), left)
        for answer in (server.post(flag_path("checkout/minimum_order"), fields), put(server, "checkout/minimum_order", 5)):
            assert answer.status == 503 and "othing was changed" in answer.text, answer.text
            assert "flags.history.sqlite-wal was removed, replaced or truncated" in answer.text
            assert file.read_bytes() == before
        page = server.get("/")
        assert page.status == 200 and "removed, replaced or truncated" in page.text
    finally:
        server.stop()
    server = Server(file)
    try:
        server.change("checkout/minimum_order", "set", "7")
    finally:
        server.stop()


def test_an_index_of_the_log_that_is_cut_short_ends_the_server_and_costs_no_change(file):
    server = Server(file)
    try:
        server.change("checkout/minimum_order", "set", "3")
        os.truncate(history_of(file).with_name("flags.history.sqlite-shm"), 0)
        with pytest.raises(LOST):
            server.get("/history")
        assert server.process.wait(60) < 0
    finally:
        server.stop()
    server = Server(file)
    try:
        assert json.loads(server.get("/api/v1/history").text)["total"] == 1
        server.change("checkout/minimum_order", "set", "5")
    finally:
        server.stop()
    assert check(history_of(file))[0] == 2


def test_a_change_that_was_made_is_never_denied_for_what_its_answer_can_not_read(file):
    server = Server(file)
    try:
        server.change("checkout/minimum_order", "set", "3")
        with closing(sqlite3.connect(history_of(file), isolation_level=None)) as other:
            # The row of the change is damaged in the moment that it is stored.
            other.execute("DROP TRIGGER history_refuses_update")
            other.execute(
                "CREATE TRIGGER damage AFTER INSERT ON history BEGIN"
                """ UPDATE history SET "before" = 'no typed value' WHERE id = NEW.id; END""")
        answer = server.post("/history/1/revert", {"confirm": "yes"})
        assert answer.status == 303, answer.text
        assert "<integer>3</integer>" not in file.read_text()
    finally:
        server.stop()
