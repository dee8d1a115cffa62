"""What a history of a million rows costs, beside SQLite on the same file, and how fast a chain of hashes is checked."""

import hashlib
import os
import resource
import sqlite3
import subprocess
import tempfile
import time
import urllib.parse
from contextlib import closing
from pathlib import Path

import addresses
import measure
import peers
import rows
from connection import Connection
from files import key, write_flags
from line import Goal, Line
from measuring import cost, own_cost

TOPIC = "History"
LOOK_GOAL, MOMENT_GOAL, OPEN_GOAL = Goal(5, "ms"), Goal(20, "ms"), Goal(1, "s")
VERIFY_GOAL = Goal(200_000, "/s", is_least=True)
COUNT = 50
WANTED = 'SELECT "key", kind, "after", reason FROM history WHERE {} LIMIT 50'
LOOKS = {
    "newest page": ({}, "id > 0 ORDER BY id DESC"),
    "last page": ({"after": 0}, "id > 0 ORDER BY id"),
    "filter by flag": ({"key": rows.HOT}, f"key = '{rows.HOT}' ORDER BY id DESC"),
    "filter by person": ({"actor": "person 7"}, "actor = 'person 7' ORDER BY id DESC"),
    "text search": (
        {"q": rows.NEEDLE},
        f"id IN (SELECT rowid FROM history_search WHERE history_search MATCH '\"{rows.NEEDLE}\"') ORDER BY id DESC"),
}


def lines(count, folder):
    """The lines of a history of so many rows, which is made in the folder, and found there again."""
    from harness import Server

    folder.mkdir(parents=True, exist_ok=True)
    file = measure.prepared(folder, count, Server)
    database = file.with_suffix(".history.sqlite")
    Server(file).stop()
    took, floor = _cold_open(file, database)
    yield Line(
        TOPIC, "cold open to the first page", count, took, "s", "SQLite, cold, the newest page", floor, OPEN_GOAL)
    server = Server(file)
    try:
        yield from _looks(server, database, count)
        yield from _moments(server, count)
    finally:
        server.stop()


def _cold_open(file, database):
    """The seconds from start to the first page, and those of SQLite, with the file out of the system's cache."""
    from harness import Server

    _forget(database)
    start = time.perf_counter()
    with closing(sqlite3.connect(database)) as own:
        peers.history_page(own)
    floor = time.perf_counter() - start
    _forget(database)
    start = time.perf_counter()
    server = Server(file)
    try:
        connection = Connection(server.port)
        connection.ask(connection.getting("/history"))
        took = time.perf_counter() - start
        connection.close()
    finally:
        server.stop()
    return took, floor


def _forget(file):
    """Takes a file out of the system's cache."""
    opened = os.open(file, os.O_RDWR)
    try:
        os.fsync(opened)
        os.posix_fadvise(opened, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(opened)


def _looks(server, database, count):
    connection = Connection(server.port)
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as own:
        for what, (fields, condition) in LOOKS.items():
            request = connection.getting("/history?" + urllib.parse.urlencode(fields))
            connection.ask(request)
            served = cost(server, lambda request=request: connection.ask(request), COUNT)
            sql = WANTED.format(condition)
            floor = own_cost(lambda sql=sql: peers.page(own.execute(sql)), COUNT)
            yield Line(
                TOPIC, what, count, served.processors, "ms", "the same query by SQLite in Python", floor.processors,
                LOOK_GOAL, f"{served.clock:.2f} ms by the clock")
    request = connection.getting("/history")
    newest = cost(server, lambda: connection.ask(request), COUNT)
    asked = list(addresses.lists(count, "/history", 300))[::40]
    worst, tried = measure.measure(server, asked, tries=3)
    used, took, path = max(worst.values())
    yield Line(
        TOPIC, f"worst of {tried} filters, pairs and mixtures", count, used, "ms", "newest page", newest.processors,
        LOOK_GOAL, urllib.parse.unquote_plus(path.partition("?")[2]))
    connection.close()


def _moments(server, count):
    """The first looks at some moments, each of which is asked for once."""
    connection = Connection(server.port)
    connection.ask(connection.getting("/history/at?time=2023-11-20T12:00:00Z"))
    request = connection.getting("/")
    plain = cost(server, lambda: connection.ask(request), COUNT)
    found = []
    for day in ("2024-02-01", "2024-09-01", "2025-03-01"):
        before = measure.processor_time(server)
        connection.ask(connection.getting(f"/history/at?time={day}T12:00:00Z"))
        found.append(measure.processor_time(server) - before)
    yield Line(
        TOPIC, "first look at a past moment", count, max(found), "ms", "the flags as they are", plain.processors,
        MOMENT_GOAL, f"the worst of {len(found)}")
    connection.close()


def verification(count, edits, folder):
    """The line of a check of rows that the server itself wrote, since others have no hashes that hold.

    So many values are each edited outside of it so many times. A change through the form has each edit taken up before the
    next one.
    """
    from harness import BINARY, Server, environment

    def verify():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([BINARY, "history", "verify", file], check=True, capture_output=True, env=environment())
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    with tempfile.TemporaryDirectory(dir=folder) as own:
        file = write_flags(Path(own), count, has_manifest=False)
        Server(file).stop()
        fixed = verify()
        first = file.read_bytes()
        other = first.replace(b"<true/>", b"<false/>").replace(b"text ", b"word ").replace(b".5</real>", b".6</real>")
        other = other.replace(b"<integer>", b"<integer>1")
        server = Server(file)
        try:
            connection = Connection(server.port)
            for number in range(edits):
                file.write_bytes(first if number % 2 else other)
                action = "off" if number % 2 else "on"
                connection.ask(connection.posting(f"/flags/{key(0)}", {"action": action, "reason": ""}), 303)
            connection.close()
        finally:
            server.stop()
        took = min(verify() for _ in range(3)) - fixed
        with closing(sqlite3.connect(file.with_suffix(".history.sqlite"))) as database:
            written = database.execute("SELECT count(*) FROM history").fetchone()[0]
            start = time.process_time()
            for row in database.execute("SELECT * FROM history ORDER BY id"):
                hashlib.sha256(repr(row).encode()).digest()
            floor = time.process_time() - start
    assert written >= count * edits, f"{written} rows were written of {count * edits} changes outside"
    yield Line(
        TOPIC, "verify", written, written / took, "/s", "SQLite's rows and SHA-256 in Python", written / floor, VERIFY_GOAL)
