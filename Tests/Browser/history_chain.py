"""Checks a history, its checkpoints, anchors and archives by itself: it shares no code with Flagboard.

    python history_chain.py flags.history.sqlite [--expect ID:HASH] [--archive FILE]...

The rows' format is told in Sources/Store/FlagHistory/Records/HistoryRecord.swift, that of signed statements beside each of them.
"""

import argparse
import base64
import hashlib
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

TEXTS = ("actor", "role", "origin", "kind", "provider", "key", "type", "before", "after", "reason", "request_id",
         "idempotency_key")
FIELDS = ("id", "batch", "at", *TEXTS, "file_hash_before", "file_hash_after", "previous_hash")
INTERVAL, WIDTH = 1000, 448
ZEROS = bytes(32)


def field(value):
    """One field: absent, or its length and its bytes."""
    if value is None:
        return b"\0"
    if isinstance(value, int):
        value = value.to_bytes(8, "big", signed=True)
    elif isinstance(value, str):
        value = value.encode()
    return b"\1" + len(value).to_bytes(8, "big") + value


def statement(*values):
    """The bytes that a signature is made over."""
    return b"".join(field(value) for value in values)


def row_hash(row):
    """The hash of a row, given as a dictionary of its columns."""
    return hashlib.sha256(b"\1" + b"".join(field(row[name]) for name in FIELDS)).digest()


def fingerprint(key):
    return hashlib.sha256(key).digest()


def is_signed(key, signature, signed):
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
        return True
    except (InvalidSignature, ValueError):
        return False


def checkpoint_bytes(point):
    """What a checkpoint signs, given as its line's object."""
    heads = bytes.fromhex(point["heads"]) if point.get("heads") else None
    return statement("flagboard checkpoint 1", point["state"], point["id"], bytes.fromhex(point["hash"]), point["at"],
                     heads, bytes.fromhex(point["key"]))


def anchor_bytes(anchor, key):
    """What an anchor signs, given as a dictionary of its columns."""
    return statement("flagboard anchor 1", anchor["first"], anchor["last"], anchor["hash"], anchor["archive"],
                     anchor["archive_hash"], anchor["at"], anchor["actor"], fingerprint(key))


def archive_bytes(first, last, previous, last_hash, content, key):
    return statement("flagboard archive 1", first, last, previous, last_hash, content, fingerprint(key))


def read_archive(data):
    """Returns the first row's id and the hash of each row of an archive; raises ValueError where it is not sound."""
    lines = data.split(b"\n")
    if len(lines) < 4 or lines.pop() != b"":
        raise ValueError("the archive is not complete")
    header, trailer = json.loads(lines[0]), json.loads(lines[-1])
    if header["archive"] != "flagboard history 1":
        raise ValueError("it is no archive")
    previous, hashes = bytes.fromhex(header["previous_hash"]), []
    for number, line in enumerate(lines[1:-1], header["first"]):
        row = json.loads(line)
        row = {name: row.get(name) for name in (*FIELDS, "hash")}
        for name in ("file_hash_before", "file_hash_after", "previous_hash", "hash"):
            row[name] = bytes.fromhex(row[name]) if row[name] is not None else None
        if row["id"] != number or row["previous_hash"] != (hashes or [previous])[-1] or row["hash"] != row_hash(row):
            raise ValueError(f"row {number} of the archive is not right")
        hashes.append(row["hash"])
    if not hashes or header["first"] + len(hashes) != header["last"] + 1:
        raise ValueError("the archive holds other rows than it says")
    content = hashlib.sha256(data[: len(data) - len(lines[-1]) - 1]).digest()
    key = bytes.fromhex(header["public_key"])
    signed = archive_bytes(header["first"], header["last"], previous, hashes[-1], content, key)
    if trailer["sha256"] != content.hex() or not is_signed(key, base64.b64decode(trailer["signature"]), signed):
        raise ValueError("the archive is not signed")
    return header["first"], hashes


def read_checkpoints(path, key, first):
    """Returns the newest checkpoint and all that tell of rows from `first` on, by id."""
    data = path.read_bytes()
    if not data or len(data) % WIDTH:
        raise ValueError("the checkpoints are not complete")
    points = [json.loads(data[start : start + WIDTH]) for start in range(0, len(data), WIDTH)]
    for number, point in enumerate(points):
        signature = base64.b64decode(point["signature"], validate=True)
        if bytes.fromhex(point["key"]) != fingerprint(key) or not is_signed(key, signature, checkpoint_bytes(point)):
            raise ValueError(f"line {number + 1} of the checkpoints is not signed")
        canonical = json.dumps(point, sort_keys=True, separators=(",", ":")).encode()
        if data[number * WIDTH : (number + 1) * WIDTH] != canonical.ljust(WIDTH - 1) + b"\n":
            raise ValueError(f"line {number + 1} of the checkpoints was altered")
    newest, kept = points[0], points[1:]
    ids = [point["id"] for point in kept]
    wanted = range(-(-first // INTERVAL) * INTERVAL or INTERVAL, newest["id"] + 1, INTERVAL)
    if newest["state"] not in ("open", "closed") or any(point["state"] != "kept" for point in kept):
        raise ValueError("the checkpoints are out of order")
    if ids != sorted(set(ids)) or any(number % INTERVAL for number in ids) or not set(wanted) <= set(ids):
        raise ValueError("a kept checkpoint is missing or out of place")
    return newest, {point["id"]: bytes.fromhex(point["hash"]) for point in points}


def heads_digest(connection):
    rows = connection.execute("SELECT role, path, hash FROM head ORDER BY CAST(role AS BLOB), CAST(path AS BLOB)")
    return hashlib.sha256(statement("flagboard heads 1", *(value for row in rows for value in row))).digest()


def check(path, expected=None, archives=()):
    """Returns the last row's id and hash; raises ValueError at the first thing that is not right."""
    path = Path(path)
    stem = path.with_name(path.name.removesuffix(".sqlite"))
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    connection.text_factory = bytes
    with closing(connection):
        known = connection.execute("SELECT public_key FROM signing_key").fetchone()
        if not known:
            raise ValueError("the history names no key")
        key = known[0]
        private = load_pem_private_key(stem.with_name(stem.name + ".key").read_bytes(), None)
        if not isinstance(private, Ed25519PrivateKey) or key != private.public_key().public_bytes(
                Encoding.Raw, PublicFormat.Raw):
            raise ValueError("the key is another one")
        anchors = connection.execute("SELECT * FROM anchor ORDER BY last").fetchall()
        count, previous = 0, ZEROS
        for anchor in anchors:
            if anchor["first"] != count + 1 or not is_signed(key, anchor["signature"], anchor_bytes(anchor, key)):
                raise ValueError(f"the anchor of row {anchor['last']} is not right")
            count, previous = anchor["last"], anchor["hash"]
        newest, wanted = read_checkpoints(stem.with_name(stem.name + ".checkpoints"), key, count + 1)
        wanted = {number: value for number, value in wanted.items() if number >= count}
        found = expected in (None, (0, ZEROS))
        for file in archives:
            data = Path(file).read_bytes()
            if hashlib.sha256(data).digest() not in [anchor["archive_hash"] for anchor in anchors]:
                raise ValueError(f"{file} is no archive of this history")
            first, hashes = read_archive(data)
            found = found or expected in list(enumerate(hashes, first))
        if wanted.pop(count, previous) != previous:
            raise ValueError(f"row {count}: a checkpoint has another hash")
        for row in connection.execute("SELECT * FROM history ORDER BY id"):
            count += 1
            if row["id"] != count:
                raise ValueError(f"row {count}: it is missing")
            if row["previous_hash"] != previous:
                raise ValueError(f"row {count}: it doesn't follow the previous row")
            if row["hash"] != row_hash(row):
                raise ValueError(f"row {count}: its hash is not that of what it says")
            previous = row["hash"]
            if wanted.pop(count, previous) != previous:
                raise ValueError(f"row {count}: a checkpoint has another hash")
            found = found or (count, previous) == expected
        if wanted:
            raise ValueError(f"row {count + 1}: it is missing, and a checkpoint tells of it")
        if newest["state"] == "closed" and newest["id"] < count:
            raise ValueError(f"row {newest['id'] + 1}: it was added after the history was closed")
        if newest["state"] == "closed" and newest["heads"] != heads_digest(connection).hex():
            raise ValueError("what is known of the files was altered")
        if not found:
            raise ValueError(f"row {expected[0]}: the expected head is no part of the chain")
        return count, previous


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("history")
    parser.add_argument("--expect")
    parser.add_argument("--archive", action="append", default=[])
    options = parser.parse_args()
    expected = None
    if options.expect:
        number, text = options.expect.split(":")
        expected = (int(number), bytes.fromhex(text))
    try:
        count, head = check(options.history, expected, options.archive)
    except (ValueError, KeyError, OSError, sqlite3.Error) as problem:
        sys.exit(str(problem))
    print(f"{count}:{head.hex()}")


if __name__ == "__main__":
    main()
