"""A history of many days: what a server has just recorded is moved into the past, as though it had been recorded then.

The rows are chained and the last one is signed anew, with the history's own key, so that a server takes it for its own.
"""

import base64
import json
import sqlite3
import time
from contextlib import closing

from cryptography.hazmat.primitives.serialization import load_pem_private_key
from harness import Server
from history_chain import FIELDS, WIDTH, ZEROS, check, checkpoint_bytes, row_hash
from samples import demonstration

DAY = 86_400_000_000
HOUR = 3_600_000_000


def move(file, days):
    """Moves each row of a stopped server's history to noon of so many days ago, in UTC, by the rows' numbers; others stay."""
    midnight = time.time_ns() // 1000 // DAY * DAY
    history = file.with_name("flags.history.sqlite")
    with closing(sqlite3.connect(history)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.row_factory = sqlite3.Row
        previous = ZEROS
        for found in connection.execute("SELECT * FROM history ORDER BY id").fetchall():
            row = {name: found[name] for name in FIELDS}
            if row["id"] in days:
                row["at"] = midnight - days[row["id"]] * DAY + DAY // 2 + row["id"]
            row["previous_hash"] = previous
            previous = row_hash(row)
            connection.execute(
                "UPDATE history SET at = ?, previous_hash = ?, hash = ? WHERE id = ?",
                (row["at"], row["previous_hash"], previous, row["id"]))
        connection.execute("DELETE FROM history_hour")
        connection.execute(
            f"INSERT INTO history_hour SELECT at / {HOUR}, min(id), max(id) FROM history GROUP BY 1")
        for _, sql in triggers:
            connection.execute(sql)
        connection.commit()
        last = connection.execute("SELECT max(id) FROM history").fetchone()[0]
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    sign(history, last, previous)
    check(history)


def sign(history, last, head):
    """Has the newest checkpoint tell of the last row as it is now."""
    points = history.with_name("flags.history.checkpoints")
    key = load_pem_private_key(history.with_name("flags.history.key").read_bytes(), None)
    data = points.read_bytes()
    point = json.loads(data[:WIDTH])
    assert point["id"] == last, "the server was not stopped"
    point["hash"] = head.hex()
    point["signature"] = base64.b64encode(key.sign(checkpoint_bytes(point))).decode()
    line = json.dumps(point, sort_keys=True, separators=(",", ":")).encode()
    points.write_bytes(line.ljust(WIDTH - 1) + b"\n" + data[WIDTH:])


def season(folder, *options):
    """A server on the demonstration with changes of three months: many on one day, none for weeks, one from outside."""
    file = demonstration(folder)
    server = Server(file)
    ages = []

    def change(ago, key, value):
        server.change(key, "set", str(value), f"Tried on day {ago}")
        ages.append(ago)

    basket = "checkout/maximum_basket_items"
    change(88, basket, 40)
    change(80, basket, 60)
    for number in range(4):
        change(80, "search/results_per_page", 21 + number)
    change(80, basket, 55)
    change(51, basket, 90)
    change(50, basket, 120)
    file.write_text(file.read_text().replace("<real>30</real>", "<real>45</real>"))
    assert "External" in server.get("/history").text
    ages.append(30)
    change(20, basket, 100)
    change(15, "checkout/new_checkout", "false")
    change(12, "checkout/new_checkout", "true")
    change(9, basket, 80)
    server.change(basket, "set", "110", "Today")
    server.stop()
    move(file, dict(enumerate(ages, 1)))
    return Server(file, *options)
