"""Times the history's pages over a million changes, every mixture of filters, and what a change costs beside them.

    .build-python/bin/python Benchmarks/History/measure.py [--rows 1000000] [--keep FOLDER] [--step N]

Each address is asked for twice by HTTP from this machine, and the better time counts; the table shows the worst of each
mixture's times, on the processors and by the clock, from the request to the last byte of the answer.
"""

import argparse
import itertools
import json
import os
import sqlite3
import sys
import tempfile
import time
import urllib.parse
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

COLUMNS = (
    "id", "batch", "at", "actor", "role", "origin", "kind", "provider", "key", "type", "before", "after", "reason",
    "request_id", "idempotency_key", "file_hash_before", "file_hash_after", "previous_hash", "hash", "path",
)
ACTORS = [f"person {number}" for number in range(40)] + ["deploy-bot"] * 60
KEYS = [f"group_{group}/flag_{number:02}" for group in range(10) for number in range(30)]
WAYS = [("form", "set"), ("form", "set"), ("form", "reset"), ("api", "set"), ("cli", "set"), ("import", "set"),
        ("external", "external"), ("form", "denied"), ("form", "lock"), ("form", "unlock")]
START = 1_700_000_000_000_000
FILTERS = {
    "key": ["group_3/flag_07", "hot/flag"],
    "group": ["group_3", "hot"],
    "actor": ["person 7", "deploy-bot"],
    "origin": ["form", "external"],
    "kind": ["set", "denied", "external"],
    "q": ["blue", "needle in the hay", "group_3/flag_07", "x"],
    "from": ["2024-06-01"],
    "to": ["2024-03-01T10:00:00Z", "2025-01-01"],
}


ROWS = """
WITH RECURSIVE row (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM row WHERE id < :count),
mixed (id, a, b, c, d) AS (
    SELECT id, id * 2654435761 % 4294967291, id * 40503 % 65521, id * 2246822519 % 4294967279, id * 3266489917 % 4294967231
    FROM row
)
INSERT INTO history SELECT id, printf('%08X-0000-4000-8000-%012X', a, id), :start + id * 47000000,
    :actors ->> (a % json_array_length(:actors)), 'editor',
    :ways ->> (b % json_array_length(:ways)) ->> 0, :ways ->> (b % json_array_length(:ways)) ->> 1, 'local',
    iif(c % 10 < 7, :keys ->> (c / 10 % json_array_length(:keys)), 'hot/flag'), 'integer',
    printf('{"integer":"%d"}', d % 100), printf('{"integer":"%d"}', d % 100 + 1),
    CASE WHEN id % 250000 = 7 THEN 'needle in the hay' WHEN d % 5 = 0 THEN 'Try blue' WHEN d % 5 = 1 THEN ''
        WHEN d % 5 = 2 THEN printf('Ticket %d', d % 5000) ELSE 'Back to normal' END,
    NULL, NULL, zeroblob(32), zeroblob(32), zeroblob(32), zeroblob(32), '/'
FROM mixed
"""


def fill(path, count):
    """Adds rows; their hashes are zeros, which no page looks at."""
    with closing(sqlite3.connect(path)) as db:
        # Indexes and triggers are put back once the rows are there, which takes a tenth of the time.
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA cache_size = -400000")
        parts = db.execute(
            "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql LIKE 'CREATE%history%'"
        ).fetchall()
        for kind, name, _ in parts:
            db.execute(f"DROP {kind} {name}")
        lists = {"actors": ACTORS, "keys": KEYS, "ways": WAYS}
        db.execute(ROWS, {"count": count, "start": START} | {name: json.dumps(value) for name, value in lists.items()})
        db.execute("UPDATE history SET path = \"key\" || '/'")
        db.execute(
            'INSERT INTO history_search (rowid, "key", actor, reason, "before", "after")'
            ' SELECT id, lower("key"), lower(actor), lower(reason), substr("before", 13, 2), substr("after", 13, 2)'
            " FROM history")
        db.execute("DELETE FROM history_hour")
        db.execute("INSERT INTO history_hour SELECT at / 3600000000, min(id), max(id) FROM history GROUP BY 1")
        for _, _, sql in parts:
            db.execute(sql)
        db.commit()
        db.execute("PRAGMA journal_mode = WAL")


def samples():
    """A flag for each key, and an internal one of every hundred."""
    from samples import write

    values, flags = {}, []
    for key in ["hot/flag", *KEYS]:
        group, name = key.split("/")
        values.setdefault(group, {})[name] = 1
        flags.append({"key": key, "type": "integer", "default": 0, "isInternal": name in ("flag_11", "flag_12")})
    return write, values, flags


def mixtures():
    """Every mixture of filters, each with every value."""
    for size in range(len(FILTERS) + 1):
        for names in itertools.combinations(FILTERS, size):
            if "key" in names and "group" in names:
                continue
            for values in itertools.product(*(FILTERS[name] for name in names)):
                yield dict(zip(names, values))


def processor_time(server):
    """What the server has used of the processors so far, in milliseconds."""
    threads = Path(f"/proc/{server.process.pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e6


def ask(server, path):
    """How long an answer takes, and how much of the processors, which other programs don't add to."""
    start, used = time.perf_counter(), processor_time(server)
    answer = server.get(path)
    took = (time.perf_counter() - start) * 1000
    assert answer.status == 200, f"{answer.status} {path}"
    return processor_time(server) - used, took


def changes_per_second(server, count=100):
    """How many changes one client makes one after the other by the API."""
    start = time.perf_counter()
    for number in range(count):
        body = f'{{"value": {number}, "reason": "Measured"}}'.encode()
        answer = server.request(
            "PUT", "/api/v1/flags/group_0/flag_00", body,
            {"Content-Type": "application/json", "If-Match": "*", "Sec-Fetch-Site": "same-origin", "Origin": server.address})
        assert answer.status == 200, answer.text
    return count / (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--binary", default=str(ROOT / ".build/debug/flagboard"))
    parser.add_argument("--keep", help="a folder to keep the files in, and to find them in again")
    parser.add_argument("--step", type=int, default=1, help="ask for every n-th mixture alone")
    parser.add_argument("--path", default="/history", help="what to ask for, such as /api/v1/history")
    arguments = parser.parse_args()
    os.environ["FLAGBOARD_BINARY"] = str(Path(arguments.binary).absolute())
    from harness import Server

    folder = Path(arguments.keep or tempfile.mkdtemp(prefix="flagboard-history-")).absolute()
    file = folder / "flags.xml"
    if not (folder / "filled").exists():
        write, values, flags = samples()
        server = Server(write(folder / "empty", values, flags))
        print(f"changes per second beside an empty history: {changes_per_second(server):.0f}")
        server.stop()
        write(folder, values, flags)
        Server(file).stop()
        start = time.perf_counter()
        fill(folder / "flags.history.sqlite", arguments.rows)
        print(f"{arguments.rows} rows added in {time.perf_counter() - start:.0f} s")
        (folder / "filled").touch()
    server = Server(file)
    try:
        measure(server, arguments)
    finally:
        server.stop()


def measure(server, arguments):
    ask(server, arguments.path)
    worst = {}
    addresses = [("+".join(filters) or "(none)", "?" + urllib.parse.urlencode(filters)) for filters in mixtures()]
    addresses += [(f"page at {before}", f"?before={before}") for before in (900_000, 500_000, 12)]
    step = arguments.step
    for names, query in addresses[::step]:
        path = arguments.path + query
        times = min(ask(server, path) for _ in range(2))
        worst[names] = max(worst.get(names, (0, 0, "")), (*times, path))
    print("processor     clock  filters")
    for names, (used, took, path) in sorted(worst.items(), key=lambda item: -item[1][0]):
        print(f"{used:6.1f} ms {took:6.1f} ms  {names:45} {path}")
    print(f"worst of {len(worst)}: {max(used for used, _, _ in worst.values()):.1f} ms of the processors")
    print(f"changes per second beside {arguments.rows} rows: {changes_per_second(server):.0f}")


if __name__ == "__main__":
    main()
