"""Checks the chain of a history by itself: it shares no code with Flagboard.

    python history_chain.py flags.history.sqlite [ID:HASH]

The format is told in Sources/FlagHistory/HistoryRecord+hash.swift.
"""

import hashlib
import sqlite3
import sys

TEXTS = ("actor", "role", "origin", "kind", "provider", "key", "type", "before", "after", "reason", "request_id",
         "idempotency_key")
FIELDS = ("id", "batch", "at", *TEXTS, "file_hash_before", "file_hash_after", "previous_hash")


def field(value):
    """One field: absent, or its length and its bytes."""
    if value is None:
        return b"\0"
    if isinstance(value, int):
        value = value.to_bytes(8, "big", signed=True)
    elif isinstance(value, str):
        value = value.encode()
    return b"\1" + len(value).to_bytes(8, "big") + value


def row_hash(row):
    """The hash of a row, given as a dictionary of its columns."""
    return hashlib.sha256(b"\1" + b"".join(field(row[name]) for name in FIELDS)).digest()


def check(path, expected=None):
    """Returns the number of rows and the last one's hash; raises ValueError at the first row that is not right."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    connection.text_factory = bytes
    try:
        previous, count, found = bytes(32), 0, expected is None
        for row in connection.execute("SELECT * FROM history ORDER BY id"):
            count += 1
            if row["id"] != count:
                raise ValueError(f"row {count}: it is missing")
            if row["previous_hash"] != previous:
                raise ValueError(f"row {count}: it does not follow the row before")
            if row["hash"] != row_hash(row):
                raise ValueError(f"row {count}: its hash is not that of what it says")
            previous = row["hash"]
            found = found or (count, previous) == expected
        if not found and expected != (0, bytes(32)):
            raise ValueError(f"row {expected[0]}: the expected head is no part of the chain")
        return count, previous
    finally:
        connection.close()


def main():
    expected = None
    if len(sys.argv) > 2:
        number, text = sys.argv[2].split(":")
        expected = (int(number), bytes.fromhex(text))
    try:
        count, head = check(sys.argv[1], expected)
    except ValueError as problem:
        sys.exit(str(problem))
    print(f"{count}:{head.hex()}")


if __name__ == "__main__":
    main()
