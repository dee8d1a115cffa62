"""Tampers with a history in every way that needs no signing key, and counts what `flagboard history verify` finds."""

import base64
import hashlib
import json
import random
import shutil
import sqlite3
import subprocess
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

from harness import BINARY, Server, environment
from history_chain import FIELDS, INTERVAL, WIDTH, fingerprint, row_hash, statement
from samples import three_hundred_flags
from table import Row

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

FULL, QUICK = 1000, 60

COLUMNS = (*FIELDS[1:], "hash")


def history(command, file, *options):
    done = subprocess.run(
        [BINARY, "history", command, file, *options], capture_output=True, text=True, env=environment(), timeout=60)
    return done.returncode, done.stdout + done.stderr


class Target:
    """A sound history of some twelve hundred rows, the oldest of which were pruned, that is put back after each try."""

    def __init__(self, folder):
        self.folder, self.safe = folder / "project", folder / "safe"
        self.file = three_hundred_flags(self.folder)
        self.store = self.folder / "flags.history.sqlite"
        server = Server(self.file)
        for number in range(12):
            server.change("group_0/flag_01", "set", str(number + 100))
        server.stop()
        self.older = [self.store.read_bytes()]
        server = Server(self.file)
        for number in range(4):
            self.file.write_text(self._edited(number))
            assert server.get("/").status == 200
        server.stop()
        self.older.append(self.store.read_bytes())
        code, said = history("prune", self.file, "--keep-rows", "1203")
        assert code == 0, said
        (self.archive,) = self.folder.glob("flags.history.*.jsonl")
        code, said = self.verify()
        assert code == 0, said
        with closing(sqlite3.connect(self.store)) as connection:
            self.first, self.last = connection.execute("SELECT min(id), max(id) FROM history").fetchone()
        assert self.last > 1200 and self.first > 1
        shutil.copytree(self.folder, self.safe)

    def _edited(self, number):
        """The values file after an edit of every flag from outside."""
        text = self.file.read_text()
        for old, new in (("<true/>", "<x/>"), ("<false/>", "<true/>"), ("<x/>", "<false/>"), ("<integer>", "<integer>1"),
                         ("<real>", "<real>1"), ("blue", f"blue{number} and blue")):
            text = text.replace(old, new)
        return text

    def verify(self):
        return history("verify", self.file, "--archive", self.archive)

    def restore(self):
        for path in self.folder.iterdir():
            if not path.name.endswith(".lock"):
                path.unlink()
        for path in self.safe.iterdir():
            shutil.copy2(path, self.folder)

    def write(self, *statements):
        """Runs statements behind the triggers and the constraints, which are there again afterwards."""
        with closing(sqlite3.connect(self.store)) as connection:
            triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
            for name, _ in triggers:
                connection.execute(f"DROP TRIGGER {name}")
            connection.execute("PRAGMA ignore_check_constraints = ON")
            for text, *values in statements:
                connection.execute(text, values)
            for _, sql in triggers:
                connection.execute(sql)
            connection.commit()

    def rows(self):
        with closing(sqlite3.connect(self.store)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute("SELECT * FROM history ORDER BY id")]

    def content(self):
        """All that means something in the database, as it is read back."""
        with closing(sqlite3.connect(self.store)) as connection:
            connection.text_factory = bytes
            return [connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
                    for table in ("history", "anchor", "signing_key", "head", "head_content", "head_edit", "intent")]


def chained(rows):
    """The rows with ids and hashes that follow from one another, as anybody can compute them."""
    number, previous = rows[0]["id"], rows[0]["previous_hash"]
    for number, row in enumerate(rows, number):
        row["id"], row["previous_hash"] = number, previous
        row["hash"] = previous = row_hash(row)
    return rows


def insert(row):
    names = ", ".join(f'"{name}"' for name in row)
    return (f"INSERT INTO history ({names}) VALUES ({', '.join('?' * len(row))})", *row.values())


def replace_from(target, rows, first):
    target.write(("DELETE FROM history WHERE id >= ?", first), *(insert(row) for row in rows if row["id"] >= first))


def flipped(dice, value):
    """A value with one bit changed; where there is none, a value."""
    if value is None:
        return b"x"
    if isinstance(value, int):
        return value ^ (1 << dice.randrange(62))
    data = bytearray(value.encode() if isinstance(value, str) else value)
    if not data:
        return b"x"
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    return bytes(data)


def flip_column(target, dice, table, key, columns, texts):
    """Flips a bit of a column of a row of a table."""
    with closing(sqlite3.connect(target.store)) as connection:
        row = dice.choice(connection.execute(f"SELECT {key} FROM {table}").fetchall())[0]
        column = dice.choice(columns)
        value = connection.execute(f'SELECT "{column}" FROM {table} WHERE {key} = ?', (row,)).fetchone()[0]
    cast = "CAST(? AS TEXT)" if column in texts else "?"
    target.write((f'UPDATE {table} SET "{column}" = {cast} WHERE {key} = ?', flipped(dice, value), row))


def bit_in_a_row(target, dice):
    texts = [name for name in COLUMNS if name != "at" and "hash" not in name]
    flip_column(target, dice, "history", "id", COLUMNS, texts)


def row_replaced(target, dice):
    rows = target.rows()
    row = dice.choice(rows)
    row["reason"] += "!"
    row["hash"] = row_hash(row)
    target.write(("UPDATE history SET reason = ?, hash = ? WHERE id = ?", row["reason"], row["hash"], row["id"]))


def all_rewritten_from_a_row(target, dice):
    rows = target.rows()
    row = dice.choice(rows)
    row["actor"] = "eve"
    replace_from(target, chained(rows), row["id"])


def rows_swapped(target, dice):
    one, other = dice.sample(range(target.first, target.last + 1), 2)
    target.write(("UPDATE history SET id = 999999 WHERE id = ?", one), ("UPDATE history SET id = ? WHERE id = ?", one, other),
                 ("UPDATE history SET id = ? WHERE id = 999999", other))


def rows_reordered_and_chained(target, dice):
    rows = target.rows()
    first, start = dice.randrange(len(rows) - 1), dict(rows[0])
    rows[first], rows[first + 1] = rows[first + 1], rows[first]
    rows[0]["id"], rows[0]["previous_hash"] = start["id"], start["previous_hash"]
    replace_from(target, chained(rows), rows[0]["id"])


def row_inserted(target, dice):
    rows = target.rows()
    place = dice.randrange(1, len(rows))
    rows.insert(place, rows[place] | {"reason": "never happened"})
    replace_from(target, chained(rows), rows[0]["id"])


def row_added(target, dice):
    rows = target.rows()
    rows.append(rows[-1] | {"reason": f"never happened {dice.random()}"})
    replace_from(target, chained(rows), rows[-1]["id"])


def row_deleted(target, dice):
    target.write(("DELETE FROM history WHERE id = ?", dice.randrange(target.first, target.last)))


def row_deleted_and_chained(target, dice):
    rows = target.rows()
    del rows[dice.randrange(1, len(rows) - 1)]
    replace_from(target, chained(rows), rows[0]["id"])


def newest_cut_off(target, dice):
    count = dice.choice([1, 2, dice.randrange(1, target.last - target.first)])
    target.write(("DELETE FROM history WHERE id > ?", target.last - count),
                 ("DELETE FROM history_search WHERE rowid > ?", target.last - count))


def anchor_altered(target, dice):
    columns = ("last", "first", "hash", "archive", "archive_hash", "at", "actor", "signature")
    flip_column(target, dice, "anchor", "last", columns, ("archive", "actor"))


def anchor_removed(target, dice):
    target.write(("DELETE FROM anchor",))


def checkpoints(target):
    return target.folder / "flags.history.checkpoints"


def checkpoint_altered(target, dice):
    checkpoints(target).write_bytes(flipped(dice, checkpoints(target).read_bytes()))


def checkpoints_removed_or_swapped(target, dice):
    path = checkpoints(target)
    lines = [path.read_bytes()[start : start + WIDTH] for start in range(0, path.stat().st_size, WIDTH)]
    assert len(lines) == 2 and target.last > INTERVAL
    what = dice.choice(["no file", "swapped", "first", "second", "twice", "second for first", "cut", "cut"])
    lines = {"swapped": lines[::-1], "first": lines[1:], "second": lines[:1], "twice": lines + lines[1:],
             "second for first": [lines[1], lines[1]]}.get(what, lines)
    path.write_bytes(b"".join(lines))
    if what == "no file":
        path.unlink()
    elif what == "cut":
        path.write_bytes(path.read_bytes()[: -dice.randrange(1, 2 * WIDTH)])


def checkpoint_forged(target, dice):
    """Rows are cut off, and the checkpoints signed for the rest with another key."""
    key = Ed25519PrivateKey.generate()
    newest_cut_off(target, dice)
    name = fingerprint(key.public_key().public_bytes_raw())
    row, heads = target.rows()[-1], bytes(32)
    signed = statement("flagboard checkpoint 1", "closed", row["id"], row["hash"], 0, heads, name)
    fields = {"at": 0, "hash": row["hash"].hex(), "heads": heads.hex(), "id": row["id"], "key": name.hex(),
              "signature": base64.b64encode(key.sign(signed)).decode(), "state": "closed"}
    line = json.dumps(fields, separators=(",", ":")).encode().ljust(WIDTH - 1) + b"\n"
    checkpoints(target).write_bytes(line + checkpoints(target).read_bytes()[WIDTH:])
    if dice.random() < 0.5:
        replace_key(target, key)


def replace_key(target, key):
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (target.folder / "flags.history.key").write_bytes(pem)


def key_replaced(target, dice):
    key = Ed25519PrivateKey.generate()
    what = dice.choice(["file", "database", "both", "removed", "bit"])
    if what in ("file", "both"):
        replace_key(target, key)
    if what in ("database", "both"):
        target.write(("UPDATE signing_key SET public_key = ?", key.public_key().public_bytes_raw()))
    if what == "removed":
        (target.folder / "flags.history.key").unlink()
    if what == "bit":
        flip_column(target, dice, "signing_key", "id", ("public_key",), ())


def heads_altered(target, dice):
    if dice.random() < 0.2:
        target.write(("DELETE FROM head WHERE role = ?", dice.choice(["values", "manifest"])))
    elif dice.random() < 0.3:
        # The file is edited, and the history made to say that it always held that.
        target.file.write_text(target._edited(9))
        data = target.file.read_bytes()
        target.write(
            ("UPDATE head SET hash = ? WHERE role = 'values'", hashlib.sha256(data).digest()),
            ("UPDATE head_content SET content = ? WHERE role = 'values'", data),
            ("DELETE FROM head_edit WHERE role = 'values'",))
    else:
        tables = [("head", ("path", "hash")), ("head_content", ("path", "content"))]
        # After an edit from outside, the history knows the file by its content alone.
        with closing(sqlite3.connect(target.store)) as connection:
            if connection.execute("SELECT 1 FROM head_edit").fetchone():
                tables.append(("head_edit", ("path", "size", "edit")))
        table, columns = dice.choice(tables)
        flip_column(target, dice, table, "path", columns, ("path",))


def older_copy(target, dice):
    target.store.write_bytes(dice.choice(target.older))


def archive_altered(target, dice):
    target.archive.write_bytes(flipped(dice, target.archive.read_bytes()))


def guard_removed(target, dice):
    with closing(sqlite3.connect(target.store)) as connection:
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        connection.execute(f"DROP TRIGGER {dice.choice(names)[0]}")
        connection.commit()


def bit_in_the_file(target, dice):
    target.store.write_bytes(flipped(dice, target.store.read_bytes()))


# Each with its share of the tries.
KINDS = {
    "bit of a row's column": (bit_in_a_row, 250),
    "row replaced": (row_replaced, 40),
    "all rewritten from a row on": (all_rewritten_from_a_row, 60),
    "two rows swapped": (rows_swapped, 40),
    "rows reordered, chained anew": (rows_reordered_and_chained, 40),
    "row inserted, chained anew": (row_inserted, 50),
    "row added at the end": (row_added, 40),
    "row deleted": (row_deleted, 40),
    "row deleted, chained anew": (row_deleted_and_chained, 40),
    "newest rows cut off": (newest_cut_off, 80),
    "anchor altered": (anchor_altered, 50),
    "anchor removed": (anchor_removed, 5),
    "checkpoint altered": (checkpoint_altered, 60),
    "checkpoints removed or swapped": (checkpoints_removed_or_swapped, 40),
    "cut off, checkpoint forged": (checkpoint_forged, 20),
    "key replaced": (key_replaced, 25),
    "heads altered": (heads_altered, 40),
    "older copy put back": (older_copy, 10),
    "archive altered": (archive_altered, 20),
    "guard removed": (guard_removed, 10),
    "bit of the database file": (bit_in_the_file, 40),
}


def readable(target):
    try:
        return target.content()
    except sqlite3.Error:
        return None


def run(count, jobs):
    """Tampers so many times, with as many of each kind as 1,000 have, or a share of them."""
    dice = random.Random(1)
    tried, missed, problems = Counter(), Counter(), []
    kinds = [name for name, (_, share) in KINDS.items() for _ in range(share)]
    assert len(kinds) == FULL
    with tempfile.TemporaryDirectory() as folder:
        target = Target(Path(folder))
        for name in kinds if count >= FULL else dice.sample(kinds, count):
            target.restore()
            before = target.content()
            KINDS[name][0](target, dice)
            code, said = target.verify()
            # A bit of the file that means nothing may change unnoticed: what is read back is the same.
            harmless = name == "bit of the database file" and code == 0 and readable(target) == before
            tried[name] += 1
            if code == 0 and not harmless:
                missed[name] += 1
                problems.append(f"not found: {name}: {said}")
        target.restore()
        assert target.verify()[0] == 0, "the history that was tampered with is not sound by itself"
    note = ", ".join(f"{name} {tried[name]}" for name in KINDS if tried[name])
    return [Row("tamperings of the history", sum(tried.values()), sum(missed.values()), note, tuple(problems))]
