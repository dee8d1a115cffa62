"""The history proves itself: to Flagboard's own check, and to one that shares no code with it."""

import json
import random
import shutil
import sqlite3
import subprocess

import pytest
from harness import BINARY, ROOT, Server, environment
from history_chain import FIELDS, check, row_hash
from samples import demonstration

VECTORS = json.loads((ROOT / "Tests/Vectors/history-chain.json").read_text())


def verify(file, *options):
    done = subprocess.run(
        [BINARY, "history", "verify", file, *options], capture_output=True, text=True, env=environment(), timeout=60)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A values file whose history has a few rows of several kinds."""
    file = demonstration(tmp_path_factory.mktemp("chain") / "demo")
    server = Server(file)
    try:
        for value in ("3", "5", "7"):
            server.change("checkout/minimum_order", "set", value, f"step {value} ✓")
        server.change("checkout/minimum_order", "reset")
        server.change("checkout/guest_checkout", "set", "true")
    finally:
        server.stop()
    return file


@pytest.fixture
def files(recorded, tmp_path):
    """A copy of them, to be tampered with."""
    copy = tmp_path / "copy"
    shutil.copytree(recorded.parent, copy)
    history = copy / "flags.history.sqlite"
    connection = sqlite3.connect(history)
    connection.execute("PRAGMA journal_mode = DELETE")
    # The heads know the files by their paths.
    connection.execute("UPDATE head SET path = replace(path, ?, ?)", (str(recorded.parent), str(copy)))
    connection.commit()
    connection.close()
    return copy / "flags.xml"


def tamper(file, *statements):
    """Writes to the database behind the triggers that refuse it."""
    connection = sqlite3.connect(file.parent / "flags.history.sqlite")
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f'DROP TRIGGER "{name}"')
    connection.execute("PRAGMA ignore_check_constraints = ON")
    for statement, *arguments in statements:
        connection.execute(statement, arguments)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("vector", VECTORS, ids=[str(number) for number in range(1, len(VECTORS) + 1)])
def test_a_published_row_has_its_published_hash(vector):
    row = {name: bytes.fromhex(vector[name]) if "hash" in name and vector[name] else vector[name] for name in FIELDS}
    assert row_hash(row).hex() == vector["hash"]


def test_both_checks_find_a_sound_history_sound_and_name_the_same_head(files):
    count, head = check(files.parent / "flags.history.sqlite")
    code, said = verify(files)
    assert (code, said) == (0, f"The history is sound: {count} rows, head {count}:{head.hex()}\n")
    assert count >= 5
    assert verify(files, "--expect", f"{count}:{head.hex()}")[0] == 0
    assert verify(files, "--expect", f"{count}:{'00' * 32}")[0] == 1


def test_every_altered_field_is_found_with_its_row(files):
    backup = files.parent / "backup"
    history = files.parent / "flags.history.sqlite"
    shutil.copy(history, backup)
    generator = random.Random(7)
    for column in ("batch", "at", "actor", "role", "origin", "kind", "provider", "key", "type", "before", "after",
                   "reason", "request_id", "idempotency_key", "previous_hash", "hash"):
        shutil.copy(backup, history)
        row = generator.randint(1, 5)
        value = "at + 1" if column == "at" else "randomblob(32)" if "hash" in column else f"coalesce(\"{column}\", '') || 'x'"
        tamper(files, (f'UPDATE history SET "{column}" = {value} WHERE id = ?', row))
        code, said = verify(files)
        assert code == 1, f"{column}: {said}"
        assert f"row {row}" in said or (column == "hash" and f"row {row + 1}" in said), f"{column}: {said}"
        with pytest.raises(ValueError):
            check(history)


@pytest.mark.parametrize(
    "statements",
    [
        [("DELETE FROM history WHERE id = 2",)],
        [("DELETE FROM history WHERE id = 1",)],
        [("UPDATE history SET id = 99 WHERE id = 2",), ("UPDATE history SET id = 2 WHERE id = 3",),
         ("UPDATE history SET id = 3 WHERE id = 99",)],
        [("INSERT INTO history SELECT (SELECT max(id) + 1 FROM history), batch, at, actor, role, origin, kind, provider, "
          '"key", type, "before", "after", reason, request_id, idempotency_key, file_hash_before, file_hash_after, '
          "previous_hash, hash, path FROM history WHERE id = 1",)],
    ],
    ids=["a row removed", "the first row removed", "two rows swapped", "a row repeated"],
)
def test_removed_added_and_reordered_rows_are_found(files, statements):
    tamper(files, *statements)
    assert verify(files)[0] == 1
    with pytest.raises(ValueError):
        check(files.parent / "flags.history.sqlite")


def test_cut_off_rows_are_found_by_a_head_that_was_kept(files):
    count, head = check(files.parent / "flags.history.sqlite")
    tamper(files, ("DELETE FROM history WHERE id = ?", count))
    code, said = verify(files, "--expect", f"{count}:{head.hex()}")
    assert code == 1, said
    with pytest.raises(ValueError):
        check(files.parent / "flags.history.sqlite", (count, head))


def test_a_file_that_was_edited_meanwhile_is_named(files):
    files.write_text(files.read_text().replace("<dict>", "<dict><!-- edited -->", 1))
    code, said = verify(files)
    assert code == 2
    assert str(files) in said


def test_an_interrupted_change_is_told(files):
    tamper(files, ("INSERT INTO intent (role, path, temporary_name, hash_before, hash_after, events, at) "
                   "VALUES ('values', ?, 'x.tmp', randomblob(32), randomblob(32), '[]', 0)", str(files)))
    code, said = verify(files, "--json")
    assert code == 3
    assert json.loads(said) == {"path": str(files), "result": "interrupted"}


def test_a_file_without_a_history_is_refused(tmp_path):
    file = demonstration(tmp_path / "fresh")
    code, said = verify(file)
    assert code == 1
    assert "no such file" in said
    assert not (file.parent / "flags.history.sqlite").exists()
