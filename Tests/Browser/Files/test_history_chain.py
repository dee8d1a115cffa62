"""The history proves itself: to Flagboard's own check, and to one that shares no code with it."""

import base64
import csv
import hashlib
import json
import random
import shutil
import sqlite3
import subprocess
import uuid

import pytest
from harness import BINARY, ROOT, Server, environment
from history_chain import FIELDS, anchor_bytes, check, checkpoint_bytes, is_signed, read_archive, row_hash
from samples import INTERNAL_FLAGS, demonstration

VECTORS = json.loads((ROOT / "Tests/Vectors/history-chain.json").read_text())
SIGNED = json.loads((ROOT / "Tests/Vectors/history-signatures.json").read_text())


def history(command, file, *options):
    done = subprocess.run(
        [BINARY, "history", command, file, *options], capture_output=True, text=True, env=environment(), timeout=60)
    return done.returncode, done.stdout + done.stderr


def verify(file, *options):
    return history("verify", file, *options)


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
    connection.close()
    # The heads know the files by their paths, so a start makes the copy's known.
    Server(copy / "flags.xml").stop()
    return copy / "flags.xml"


def tamper(file, *statements):
    """Writes to the database behind the triggers that refuse it, which are there again afterwards."""
    connection = sqlite3.connect(file.parent / "flags.history.sqlite")
    triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f'DROP TRIGGER "{name}"')
    connection.execute("PRAGMA ignore_check_constraints = ON")
    for statement, *arguments in statements:
        connection.execute(statement, arguments)
    for _, sql in triggers:
        connection.execute(sql)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("vector", VECTORS, ids=[str(number) for number in range(1, len(VECTORS) + 1)])
def test_a_published_row_has_its_published_hash(vector):
    row = {name: bytes.fromhex(vector[name]) if "hash" in name and vector[name] else vector[name] for name in FIELDS}
    assert row_hash(row).hex() == vector["hash"]


def test_both_checks_find_a_sound_history_sound_and_name_the_same_head(files):
    count, head = check(files.parent / "flags.history.sqlite")
    code, said = verify(files)
    assert code == 0 and said.startswith(f"The history is intact: {count} rows, head {count}:{head.hex()}\n"), said
    assert "Every row is covered by the checkpoint of " in said
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


def test_the_list_says_which_rows_are_altered_or_missing(files):
    assert "altered" not in history("list", files)[1]
    tamper(files, ("DELETE FROM history WHERE id = 2",), ("UPDATE history SET actor = 'bob' WHERE id = 4",))
    code, said = history("list", files)
    assert code == 0 and "Rows 2, 4 of the history are altered or missing." in said
    assert json.loads(history("list", files, "--json")[1])["altered"] == [2, 4]


@pytest.mark.parametrize("point", SIGNED["checkpoints"], ids=str)
def test_a_published_checkpoint_is_signed(point):
    fields = json.loads(point["line"])
    assert checkpoint_bytes(fields).hex() == point["signed"]
    key = bytes.fromhex(SIGNED["public_key"])
    assert is_signed(key, base64.b64decode(fields["signature"]), bytes.fromhex(point["signed"]))
    assert not is_signed(key, base64.b64decode(fields["signature"]), checkpoint_bytes(fields | {"id": fields["id"] + 1}))


@pytest.mark.parametrize("anchor", SIGNED["anchors"], ids=lambda anchor: str(anchor["last"]))
def test_a_published_anchor_is_signed(anchor):
    key = bytes.fromhex(SIGNED["public_key"])
    columns = anchor | {name: bytes.fromhex(anchor[name]) for name in ("hash", "archive_hash")}
    assert anchor_bytes(columns, key).hex() == anchor["signed"]
    assert is_signed(key, bytes.fromhex(anchor["signature"]), bytes.fromhex(anchor["signed"]))


@pytest.mark.parametrize("archive", SIGNED["archives"], ids=lambda archive: archive["sha256"][:8])
def test_a_published_archive_is_sound(archive):
    assert read_archive(archive["text"].encode())[1][0].hex() == json.loads(archive["text"].splitlines()[1])["hash"]
    with pytest.raises(ValueError):
        read_archive(archive["text"].replace('"ada"', '"eve"', 1).encode())


def test_cut_off_rows_are_found_without_a_head_that_was_kept(files):
    count, _ = check(files.parent / "flags.history.sqlite")
    tamper(files, ("DELETE FROM history WHERE id > ?", count - 2))
    code, said = verify(files)
    assert code == 1 and f"rows {count - 1} to {count} are missing" in said, said
    assert "flagboard history accept" in said
    with pytest.raises(ValueError):
        check(files.parent / "flags.history.sqlite")


def test_an_older_copy_is_found_and_goes_on_once_somebody_accepts_it(files):
    store = files.parent / "flags.history.sqlite"
    older = store.read_bytes()
    server = Server(files)
    server.change("checkout/minimum_order", "set", "9")
    server.stop()
    store.write_bytes(older)
    code, said = verify(files)
    assert code == 1 and "an older copy of the history was restored" in said
    code, said = history("accept", files, "--reason", "restored the backup of Monday")
    assert code == 0 and "Accepted and recorded: row" in said and "missing" in said, said
    code, said = verify(files)
    assert code == 2, "the file is newer than the history that was put back"
    server = Server(files)
    try:
        code, said = history("accept", files, "--reason", "once more")
        assert code == 1 and server.address in said, "a server that runs was not named"
    finally:
        server.stop()
    assert verify(files)[0] == 0
    check(store)
    rows = [json.loads(line) for line in history("export", files)[1].splitlines()]
    accepted = [row for row in rows if row["kind"] == "accept"]
    assert len(accepted) == 1 and accepted[0]["reason"].startswith("restored the backup of Monday [Accepted: row")


@pytest.mark.parametrize("name", ["flags.history.key", "flags.history.checkpoints"])
def test_a_key_or_checkpoints_that_are_gone_are_told(files, name):
    (files.parent / name).unlink()
    code, said = verify(files, "--json")
    found = json.loads(said)
    assert code == 1 and found["result"] == "unproven" and name in found["reason"]
    with pytest.raises((ValueError, OSError)):
        check(files.parent / "flags.history.sqlite")


def test_old_rows_move_into_an_archive_and_their_pages_say_where(files):
    store = files.parent / "flags.history.sqlite"
    count, head = check(store)
    before = [json.loads(line) for line in history("export", files, "--show-internal")[1].splitlines()]
    server = Server(files)
    try:
        code, said = history("prune", files, "--keep-rows", "2")
        assert code == 1 and server.address in said, "a server that runs was not named"
    finally:
        server.stop()
    code, said = history("prune", files, "--keep-rows", "2", "--reason", "too long", "--json")
    assert code == 0, said
    told = json.loads(said)
    archive = files.parent / f"flags.history.1-{count - 2}.jsonl"
    assert told == {"pruned": count - 2, "first": 1, "last": count - 2, "archive": archive.name,
                    "sha256": hashlib.sha256(archive.read_bytes()).hexdigest()}
    assert archive.stat().st_mode & 0o777 == 0o600
    _, hashes = read_archive(archive.read_bytes())
    assert [value.hex() for value in hashes] == [row["hash"] for row in before[: count - 2]]
    assert check(store, (1, hashes[0]), [archive])[0] == count + 1
    code, said = verify(files, "--archive", archive, "--expect", f"1:{hashes[0].hex()}")
    assert code == 0 and f"Rows up to {count - 2} were pruned. 1 of 1 archives were checked." in said, said
    assert verify(files, "--expect", f"{count}:{head.hex()}")[0] == 0
    assert verify(files, "--expect", f"1:{hashes[0].hex()}")[0] == 1
    assert history("prune", files, "--keep", "90d") == (0, "Nothing to prune.\n")
    server = Server(files)
    try:
        answer = server.get("/history/1")
        assert answer.status == 404 and archive.name in answer.text
        answer = server.get("/api/v1/history/1")
        assert answer.status == 404 and json.loads(answer.text)["code"] == "archived"
        assert server.get(f"/history/{count - 1}").status == 200
        page = server.get(f"/history/{count + 1}")
        assert page.status == 200 and "archived the oldest changes" in page.text and "too long" in page.text
        listing = server.get("/history?kind=prune")
        assert archive.name in listing.text and "1 change" in listing.text
        server.change("checkout/guest_checkout", "set", "false")
    finally:
        server.stop()
    assert verify(files, "--archive", archive)[0] == 0
    archive.write_bytes(archive.read_bytes().replace(b'"actor"', b'"actoR"', 1))
    code, said = verify(files, "--archive", archive)
    assert code == 1 and "own rows are intact, but " in said, said
    assert "is not an intact archive" in said and "accept" not in said, said


@pytest.mark.parametrize(
    "options", [[], ["--keep", "90"], ["--before", "yesterday"], ["--keep-rows", "-1"], ["--keep", "1d", "--keep-rows", "1"]],
    ids=" ".join)
def test_a_pruning_that_is_not_said_exactly_is_wrong_usage(files, options):
    assert history("prune", files, *options)[0] == 64


def test_the_export_is_the_download_with_filters_and_without_internal_flags(files, tmp_path):
    key = next(iter(INTERNAL_FLAGS))
    tamper_with = sqlite3.connect(files.parent / "flags.history.sqlite")
    assert not tamper_with.execute("SELECT 1 FROM history WHERE key = ?", (key,)).fetchall()
    tamper_with.close()
    files.write_text(files.read_text().replace(INTERNAL_FLAGS[key], "0.5"))
    server = Server(files)
    try:
        for kind in ("jsonl", "csv"):
            code, said = history("export", files, "--format", kind)
            assert code == 0 and said == server.get(f"/export/history.{kind}").text.replace("\r\n", "\n")
    finally:
        server.stop()
    assert key not in history("export", files)[1]
    assert key in history("export", files, "--show-internal")[1]
    output = tmp_path / "out.csv"
    code, _ = history("export", files, "--format", "csv", "--key", "checkout/minimum_order", "--output", output)
    rows = list(csv.DictReader(output.read_text().splitlines()))
    assert code == 0 and len(rows) == 4 and {row["key"] for row in rows} == {"checkout/minimum_order"}
    assert output.stat().st_mode & 0o777 == 0o600
    assert history("export", files, "--actor", "nobody")[1] == "No rows match.\n"
    assert history("export", files, "--until", "2020-01-01")[1] == "No rows match.\n"
    assert len(history("export", files, "--since", "2020-01-01", "--key", "checkout/minimum_order")[1].splitlines()) == 4
    manifest = files.with_name("flags.manifest.xml")
    manifest.rename(manifest.with_name("elsewhere.xml"))
    code, said = history("export", files)
    assert code == 1 and "the manifest is missing" in said, "internal flags are given away where the manifest is gone"


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
    tamper(files, ("INSERT INTO intent (id, events, answers, at) VALUES (1, '[]', '[]', ?)", 0),
           ("INSERT INTO intent_file (intent, role, path, temporary_name, hash_before, hash_after) "
            "VALUES (1, 'values', ?, 'x.tmp', randomblob(32), randomblob(32))", str(files)))
    code, said = verify(files, "--json")
    assert code == 3
    assert json.loads(said) == {"path": str(files), "result": "interrupted"}


def test_a_file_without_a_history_is_refused(tmp_path):
    file = demonstration(tmp_path / "fresh")
    code, said = verify(file)
    assert code == 1
    assert "the file doesn't exist" in said
    assert not (file.parent / "flags.history.sqlite").exists()


def test_a_pruning_says_how_many_rows_a_request_that_may_be_repeated_keeps_and_until_when(files):
    server = Server(files)
    try:
        for key, value in (("first", 7), (None, 8)):
            headers = {"Content-Type": "application/json", "If-Match": "*"} | ({"Idempotency-Key": key} if key else {})
            answer = server.request(
                "PUT", "/api/v1/flags/checkout/minimum_order", json.dumps({"value": value}).encode(), headers)
            assert answer.status == 200, answer.text
    finally:
        server.stop()
    count, _ = check(files.parent / "flags.history.sqlite")
    left = files.parent / f".flags.history.1-{count}.jsonl.{uuid.uuid4()}.tmp"
    left.write_text("what a killed pruning left")
    code, said = history("prune", files, "--keep-rows", "0")
    assert code == 0 and f"Moved {count - 2} rows" in said and "2 more rows stay until 20" in said, said
    assert not left.exists()
    code, said = history("prune", files, "--keep-rows", "1", "--json")
    # The row that tells of the first pruning is the newest one.
    assert code == 0 and json.loads(said)["heldBack"] == 2 and "heldBackUntil" in json.loads(said), said
