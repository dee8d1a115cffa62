"""What pages, the API and downloads cost the server, beside the same work by Python's own library."""

import json
import plistlib
import sqlite3
from contextlib import closing

from connection import Connection
from files import key
from line import Goal, Line
from measuring import cost, own_cost
from peers import FlagTable, history_page

LIST_GOALS = {1_000: 3, 100_000: 6}
PAGE_GOAL = Goal(1.5, "ms")
UNCHANGED_GOAL = Goal(0.3, "ms")
SEARCHED = "flag0004"


def lines(server, size, about):
    """The lines of a server's file of so many flags.

    The figure is the server's processor time, which other programs on the machine add little to.
    """
    connection = Connection(server.port)
    table = FlagTable(size)
    list_goal = Goal(LIST_GOALS[size], "ms") if size in LIST_GOALS else None
    few, many = (5, 20) if size > 10_000 else (10, 50)

    def line(what, path, peer, act, goal, count=many):
        request = connection.getting(path)
        connection.ask(request)
        served = cost(server, lambda: connection.ask(request), count)
        own = own_cost(act, min(count, 10))
        return Line(
            "Pages", what + about, size, served.processors, "ms", peer, own.processors, goal,
            f"{served.clock:.2f} ms by the clock")

    yield line("list of 100 rows", "/", "SQLite and 100 rows of HTML in Python", table.list, list_goal)
    yield line(
        f"search ?q={SEARCHED}", f"/?q={SEARCHED}", "SQLite's LIKE and the rows in Python",
        lambda: table.search(SEARCHED), list_goal)
    yield line("page of a flag", f"/flags/{key(4)}", "SQLite and one row in Python", lambda: table.flag(key(4)), PAGE_GOAL)
    history = server.file.with_suffix(".history.sqlite")
    with closing(sqlite3.connect(f"file:{history}?mode=ro", uri=True)) as database:
        yield line(
            "history", "/history", "SQLite and 50 rows of HTML in Python", lambda: history_page(database), PAGE_GOAL)

    path = "/api/v1/flags"
    answer = connection.ask(connection.getting(path))
    documents = json.loads(answer.body)
    yield line(
        path, path, "json.dumps of the same", lambda: json.dumps(documents).encode(),
        Goal(20, "ms") if size == 10_000 else None, few)
    values = plistlib.loads(server.file.read_bytes())
    yield line(
        "export of the values", "/export/flags.xml", "plistlib.dumps of the same", lambda: plistlib.dumps(values), None, few)

    for what, path in (("list of 100 rows", "/"), ("/api/v1/flags", "/api/v1/flags")):
        tagged = _unchanged(server, connection, what, path, about, size, many)
        if tagged:
            yield tagged
    connection.close()


def _unchanged(server, connection, what, path, about, size, count):
    """The line of a page that the client has already; none where the server names no version of it."""
    plain = connection.getting(path)
    tag = connection.ask(plain).tag
    if not tag:
        return None
    request = connection.getting(path, **{"If-None-Match": tag})
    unchanged = cost(server, lambda: connection.ask(request, 304), count)
    whole = cost(server, lambda: connection.ask(plain), min(count, 25))
    return Line(
        "Pages", f"{what}, 304 by ETag{about}", size, unchanged.processors, "ms", "the whole of it", whole.processors,
        UNCHANGED_GOAL, f"{unchanged.clock:.2f} ms by the clock")
