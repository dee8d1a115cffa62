"""Starts on a damaged history, values file, manifest or intent: each is refused by name or recovered, and nothing is overwritten."""

import http.client
import json
import random
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

from harness import BINARY, Server, environment
from subject import check_nothing_left, check_pages, project, values, verify
from table import attempt, spread

FULL, QUICK = 300, 16

KINDS = ("history", "values", "manifest", "intent", "write-ahead log")


def served(folder, is_killed=False):
    """A project with three changes behind it."""
    server = Server(project(folder))
    for number in (2, 3, 4):
        server.change("a", "set", str(number))
    if is_killed:
        server.process.kill()
    server.stop()
    return server.file


def contents(folder):
    """The files' bytes, and what an SQLite file says: its housekeeping at opening is no change."""
    return {
        path.name: sqlite_dump(path) or path.read_bytes()
        for path in folder.iterdir() if path.is_file() and not path.name.endswith((".lock", "-wal", "-shm"))
    }


def sqlite_dump(path):
    """What an SQLite file says; `None` where it is none, or is damaged."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "copy"
        for ending in ("", "-wal"):
            if path.with_name(path.name + ending).exists():
                shutil.copy(path.with_name(path.name + ending), f"{copy}{ending}")
        database = sqlite3.connect(copy)
        try:
            return "\n".join(database.iterdump()) if copy.stat().st_size > 1 else None
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            return None
        finally:
            database.close()


def row_count(server):
    """How many rows the server tells of; `None` where it refuses, or breaks off at the damage, which the client notices."""
    try:
        answer = server.get("/export/history.jsonl")
    except http.client.IncompleteRead:
        return None
    return answer.text.count("\n") if answer.status == 200 else None


def damage(content, generator):
    """Cuts off an end, overwrites a stretch, puts something in, or takes something out."""
    at = generator.randrange(len(content))
    length = generator.choice((1, 16, 4096))
    noise = generator.randbytes(length)
    return generator.choice(
        (
            content[:at],
            content[:at] + noise + content[at + length :],
            content[:at] + noise + content[at:],
            content[:at] + content[at + length :],
            bytes(len(content)),
            noise,
        ))


def start(file):
    """Starts the server; returns it, or what it says when it refuses."""
    try:
        return Server(file), None
    except AssertionError as refusal:
        return None, str(refusal)


def check_refusal(said, file, kind, before):
    name = {"values": "flags.xml", "manifest": "flags.manifest.xml"}.get(kind, "flags.history.sqlite")
    assert "ended with 1:" in said, f"it did not refuse but fail: {said}"
    assert name in said, f"the refusal does not name {name}: {said}"
    after = contents(file.parent)
    # What is signed may have been: that the history was opened and closed.
    changed = {path for path in before if after.get(path) != before[path] and path != "flags.history.checkpoints"}
    assert not changed, f"it refused, and yet changed {changed}"


def try_damage(kind, generator):
    with tempfile.TemporaryDirectory() as name:
        file = served(Path(name) / "project", is_killed=kind == "write-ahead log")
        names = {
            "history": ".history.sqlite", "values": ".xml", "manifest": ".manifest.xml",
            "write-ahead log": ".history.sqlite-wal",
        }
        bad = file.with_suffix(names[kind])
        bad.write_bytes(damage(bad.read_bytes(), generator))
        before = contents(file.parent)
        server, said = start(file)
        if server is None:
            check_refusal(said, file, kind, before)
            return "refused"
        try:
            # Damage of one page of a text, or of free space, is found by whoever reads it.
            pages = [server.get(path) for path in ("/", "/flags/a", "/history")]
            assert all(page.status in (200, 503) for page in pages), [page.status for page in pages]
            rows = row_count(server)
        finally:
            server.stop()
        assert contents(file.parent)["flags.xml"] == before["flags.xml"], "the values file was overwritten"
        assert contents(file.parent)["flags.manifest.xml"] == before["flags.manifest.xml"], "the manifest was overwritten"
        done = subprocess.run(
            [BINARY, "history", "verify", file], capture_output=True, text=True, env=environment(), timeout=60)
        # What can't be read is recorded by nobody: the values from before are in force, and the file is as it was found.
        if kind == "values" and done.returncode == 2:
            assert rows == 3 and "flags.xml" in done.stdout, f"{done}"
            return "last good values in force"
        assert done.returncode in (0, 1), f"{done}"
        if done.returncode == 1:
            return "found by history verify"
        # SQLite leaves out what is damaged at the end of its log: it never was committed, for all that can be told.
        if kind == "write-ahead log" and rows != 3:
            return "recovered up to the damage"
        # Damage of the values that leaves them a property list is an edit from outside, which has rows of its own.
        assert rows == 3 or (kind == "values" and rows > 3), f"{rows} of 3 rows are left, and nobody notices"
        return "harmless"


def damaged_intents(file, outside):
    """An open intent that a crash could not have left."""
    sound = {
        "role": "values", "path": str(file), "temporary_name": f".{file.name}.flagboard.x.tmp", "hash_before": bytes(32),
        "hash_after": bytes(32), "edit": None, "events": "[]", "answers": "[]", "at": 0,
    }
    event = {"key": "a", "kind": "set", "origin": "form"}
    return [
        sound,
        sound | {"temporary_name": "../outside"},
        sound | {"temporary_name": str(outside)},
        sound | {"temporary_name": ".."},
        sound | {"temporary_name": ""},
        sound | {"temporary_name": "flags.manifest.xml"},
        sound | {"temporary_name": "a\0b"},
        sound | {"events": json.dumps([event])},
        sound | {"events": json.dumps({"no": "list"})},
        sound | {"events": json.dumps([1, None, "x"])},
        sound | {"answers": json.dumps([event])},
        sound | {"answers": "1"},
        sound | {"role": "manifest", "path": str(file.with_name("flags.manifest.xml"))},
        sound | {"role": "manifest"},
        sound | {"path": "/nowhere/flags.xml"},
        sound | {"at": 2**62},
        sound | {"at": -(2**62)},
        sound | {"edit": b"\xff" * 100},
    ]


def insert(database, table, row):
    places = ", ".join("?" * len(row))
    database.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", list(row.values()))


def try_intent(number):
    with tempfile.TemporaryDirectory() as name:
        file = served(Path(name) / "project")
        outside = Path(name) / "outside"
        outside.write_bytes(b"not ours")
        kinds = damaged_intents(file, outside)
        intent = kinds[number % len(kinds)]
        history = sqlite3.connect(file.with_suffix(".history.sqlite"))
        head = {name: intent[name] for name in ("events", "answers", "at")}
        insert(history, "intent", {"id": 99} | head)
        insert(history, "intent_file", {"intent": 99} | {name: intent[name] for name in intent if name not in head})
        history.commit()
        history.close()
        before = contents(file.parent)
        server, said = start(file)
        assert outside.read_bytes() == b"not ours", f"a file outside was changed by {intent}"
        if server is None:
            check_refusal(said, file, "intent", before)
            return "refused"
        try:
            check_pages(server)
            server.change("a", "set", "5")
        finally:
            server.stop()
        manifest = "flags.manifest.xml"
        assert contents(file.parent)[manifest] == before[manifest], f"the manifest was changed by {intent}"
        assert values(file)["a"] == 5
        check_nothing_left(file)
        if intent["role"] == "values" and intent["path"] == str(file):
            verify(file)
        return "recovered"


def try_case(case):
    kind, number = case
    if kind == "intent":
        return try_intent(number)
    return try_damage(kind, random.Random(number))


def note(results):
    return ", ".join(f"{results.count(result)} {result}" for result in sorted(set(results)))


def run(count, jobs):
    rows = []
    for index, kind in enumerate(KINDS):
        share = (count + index) // len(KINDS)
        cases = [(kind, number) for number in range(share)]
        rows.append(attempt(f"starts on a damaged {kind}", spread(cases, share), try_case, jobs, note=note))
    return rows
