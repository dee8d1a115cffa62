"""Backups beside a server that goes on, and what is restored from them."""

import hashlib
import json
import shutil
import subprocess
import threading

import pytest
from harness import BINARY, Server, environment
from history_chain import check
from samples import demonstration


def flagboard(*arguments):
    done = subprocess.run([BINARY, *arguments], capture_output=True, text=True, env=environment(), timeout=120)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def file(tmp_path):
    return demonstration(tmp_path / "demo")


def put(server, key, value):
    answer = server.request(
        "PUT", f"/api/v1/flags/{key}", json.dumps({"value": value}).encode(),
        {"Content-Type": "application/json", "If-Match": "*"})
    assert answer.status == 200, answer.text


def test_backups_while_several_writers_change_flags_are_each_of_one_moment(file, tmp_path):
    server = Server(file)
    ends, failures = threading.Event(), []
    is_written = threading.Semaphore(0)

    def write(number):
        try:
            while not ends.is_set():
                number += 3
                put(server, "checkout/minimum_order", number % 90 + 1)
                is_written.release()
        except Exception as error:
            failures.append(error)
            is_written.release()

    writers = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    try:
        for writer in writers:
            writer.start()
        heads = []
        for number in range(4):
            for _ in range(10):
                assert is_written.acquire(timeout=30)
            out = tmp_path / f"backup-{number}"
            code, said = flagboard("history", "backup", file, out, "--json")
            assert code == 0, said
            told = json.loads(said)
            assert told == json.loads((out / "backup.json").read_text())
            # Nothing was edited outside: what the history says of the files is what the copies hold.
            assert told["unrecorded"] == []
            count, head = check(out / "flags.history.sqlite")
            assert told["head"] == f"{count}:{head.hex()}" and told["rows"] == count
            value = json.loads(flagboard("get", out / "flags.xml", "checkout/minimum_order", "--json")[1])
            rows = [json.loads(line) for line in flagboard("history", "export", out / "flags.xml")[1].splitlines()]
            assert float(*rows[-1]["after"].values()) == value["value"], "values and history are of two moments"
            heads.append(told["head"])
    finally:
        ends.set()
        for writer in writers:
            writer.join()
        server.stop()
    assert not failures
    assert len(set(heads)) == 4
    for head in heads:
        assert flagboard("history", "verify", file, "--expect", head)[0] == 0
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_what_is_restored_into_a_fresh_folder_is_served_and_verified(file, tmp_path):
    server = Server(file)
    try:
        server.change("checkout/minimum_order", "set", "7")
        assert flagboard("token", "add", file, "--name", "ada", "--role", "admin")[0] == 0
        code, said = flagboard("history", "backup", file, tmp_path / "backup")
        assert code == 0 and "The copy is intact: 1 row, head 1:" in said, said
        server.change("checkout/minimum_order", "set", "8")
    finally:
        server.stop()
    told = json.loads((tmp_path / "backup/backup.json").read_text())
    # The machine is gone; the files go back to where backup.json says.
    shutil.rmtree(file.parent)
    file.parent.mkdir()
    for copied in told["files"]:
        source = tmp_path / "backup" / copied["name"]
        assert hashlib.sha256(source.read_bytes()).hexdigest() == copied["sha256"]
        assert source.stat().st_mode & 0o777 == 0o600
        shutil.copy(source, copied["path"])
    code, said = flagboard("history", "verify", file, "--expect", told["head"])
    assert code == 0 and "not compared" not in said, said
    server = Server(file)
    try:
        assert server.editor("checkout/minimum_order")["value"] == "7"
        server.change("checkout/minimum_order", "set", "9")
        assert "ada" in flagboard("token", "list", file)[1]
    finally:
        server.stop()
    code, said = flagboard("history", "verify", file, "--expect", told["head"])
    assert code == 0 and "The history is intact: 2 rows" in said, said
    # Below another path the history goes on too.
    moved = tmp_path / "moved"
    shutil.copytree(tmp_path / "backup", moved)
    server = Server(moved / "flags.xml")
    try:
        server.change("checkout/minimum_order", "set", "9")
    finally:
        server.stop()
    assert flagboard("history", "verify", moved / "flags.xml", "--expect", told["head"])[0] == 0


def test_a_backup_names_what_it_does_not_do(file, tmp_path):
    code, said = flagboard("history", "backup", file, tmp_path / "backup")
    assert code == 1 and "the file doesn't exist" in said, "there is no history yet"
    Server(file).stop()
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/note").write_text("mine")
    code, said = flagboard("history", "backup", file, tmp_path / "taken")
    assert code == 1 and "Use a new folder" in said
    code, said = flagboard("history", "backup", file, tmp_path / "missing/backup")
    assert code == 1 and "its folder doesn't exist" in said
    assert flagboard("history", "backup", file)[0] == 64
    assert sorted(path.name for path in tmp_path.iterdir()) == ["demo", "taken"]
