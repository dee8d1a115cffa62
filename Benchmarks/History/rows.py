"""A history of any length, as a team of some hundred people and a few programs would leave it.

Filters that match most of it, some of it, a handful and nothing are all there, and pairs of which each matches much while
both together match nothing: `nightly` never touches `hot/flag`, nobody locked it, and no reason of its changes says blue.
The first two fifths are about a provider that is served no more.
"""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

START = 1_700_000_000_000_000
EVERY = 47_000_000
PEOPLE = [f"person {number}" for number in range(200)]
GROUPS, FLAGS = 40, 50
HOT = "hot/flag"
KEYS = [f"area_{group:02}/part_{number % 5}/flag_{number:02}" for group in range(GROUPS) for number in range(FLAGS)]
INTERNAL = {key for key in KEYS if key.endswith(("flag_11", "flag_37"))}
RESTARTING = {key for key in KEYS if key.endswith(("flag_05", "flag_20"))} | {HOT}
# How a person's change came in, and what it was.
WAYS = [("form", "set")] * 5 + [
    ("form", "reset"), ("api", "set"), ("api", "set"), ("cli", "set"), ("external", "external"), ("external", "external"),
    ("form", "denied"), ("form", "lock"), ("form", "unlock"), ("api", "reset"), ("revert", "set"), ("form", "redefine")]
LONG = (
    "Went back to normal, then back to work: the figures of the last weeks say that nobody missed it, so the old way stays "
    "until the next release. Agreed with support and with the people who look after payments.")
REASONS = ["", "", "", "Back to normal", "Try blue", "Try blue", LONG, "Ticket", "Ticket", "Ticket"]
NEEDLE = "needle in the hay"
# Rows of one import each: this many in a row, every so many.
BATCH, BATCH_EVERY = 400, 25_000
# One import of many more.
GREAT_BATCH = (300_000, 305_000)

ROWS = """
WITH RECURSIVE row (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM row WHERE id < :count),
mixed (id, a, b, c, d, who, imported) AS (
    SELECT id, id * 2654435761 % 4294967291, id * 40503 % 65521, id * 2246822519 % 4294967279,
        id * 3266489917 % 4294967231, id * 48271 % 2147483647 % 100,
        id % :batch_every < :batch OR id BETWEEN :great_first AND :great_last
    FROM row
),
made (id, actor, origin, kind, "key", reason, batch, d) AS (
    SELECT id, CASE WHEN imported THEN 'person 3' WHEN who < 45 THEN 'deploy-bot' WHEN who < 60 THEN 'nightly'
            WHEN id % 200000 = 9 THEN 'visitor' ELSE :people ->> (a % json_array_length(:people)) END,
        CASE WHEN imported THEN 'import' WHEN who < 60 THEN 'api' ELSE :ways ->> (b % json_array_length(:ways)) ->> 0 END,
        CASE WHEN imported OR who < 60 THEN 'set' ELSE :ways ->> (b % json_array_length(:ways)) ->> 1 END,
        CASE WHEN NOT imported AND (who < 20 OR (who >= 60 AND c % 10 = 0
                AND :ways ->> (b % json_array_length(:ways)) ->> 1 NOT IN ('lock', 'unlock'))) THEN 'hot/flag'
            WHEN c % 3 = 0 THEN :keys ->> (c / 3 % 40 * 7)
            ELSE :keys ->> (c / 3 % (json_array_length(:keys) - 100)) END,
        :reasons ->> (d % json_array_length(:reasons)),
        CASE WHEN id BETWEEN :great_first AND :great_last THEN printf('%08X-0000-4000-8000-%012X', 7, 7)
            WHEN imported THEN printf('%08X-0000-4000-8000-%012X', 1, id / :batch_every)
            ELSE printf('%08X-0000-4000-8000-%012X', a, id) END, d
    FROM mixed
)
INSERT INTO history SELECT id, batch, :start + id * :every, actor,
    iif(kind IN ('lock', 'unlock', 'redefine'), 'admin', 'editor'), origin, kind,
    iif(kind IN ('lock', 'unlock', 'redefine'), NULL, iif(id * 10 < :count * 4, 'Staging', 'Local')), "key", 'integer',
    CASE WHEN kind IN ('lock', 'redefine') THEN replace(entry, :more, '')
        WHEN kind = 'unlock' THEN replace(entry, :more, :locked)
        ELSE printf('{"integer":"%d"}', d % 100) END,
    CASE WHEN kind = 'lock' THEN replace(entry, :more, :locked)
        WHEN kind = 'unlock' THEN replace(entry, :more, '')
        WHEN kind = 'redefine' THEN replace(entry, :more, :owned)
        WHEN kind <> 'reset' THEN printf('{"integer":"%d"}', d % 100 + 1) END,
    CASE WHEN id % 250000 = 7 THEN :needle WHEN "key" = 'hot/flag' AND reason LIKE '%blue%' THEN ''
        WHEN reason = 'Ticket' THEN printf('Ticket %d', d % 5000) ELSE reason END,
    NULL, NULL, zeroblob(32), zeroblob(32), zeroblob(32), zeroblob(32), "key" || '/'
FROM (
    SELECT *, iif(kind NOT IN ('lock', 'unlock', 'redefine'), NULL, printf(:entry, "key",
        iif("key" GLOB '*flag_11' OR "key" GLOB '*flag_37', 'true', 'false'),
        iif("key" GLOB '*flag_05' OR "key" GLOB '*flag_20' OR "key" = 'hot/flag', 'true', 'false'))) AS entry
    FROM made
)
"""
# What the manifest says of a flag, as the history keeps it, and the places where a change of it stands.
MORE = "MORE"
ENTRY = (
    '{"dictionary":{"key":{"string":"%s"},"type":{"string":"integer"},"default":{"integer":"0"},"isInternal":{"bool":%s},'
    '"requiresRestart":{"bool":%s}' + MORE + "}}")
LOCKED, OWNED = ',"isLocked":{"bool":true}', ',"owner":{"string":"web"}'


def fill(path, count):
    """Adds rows to a new history; their hashes are zeros, which no page looks at."""
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
        lists = {"people": PEOPLE, "keys": KEYS, "ways": WAYS, "reasons": REASONS}
        db.execute(
            ROWS,
            {"count": count, "start": START, "every": EVERY, "needle": NEEDLE, "batch": BATCH, "batch_every": BATCH_EVERY,
             "great_first": GREAT_BATCH[0], "great_last": GREAT_BATCH[1] - 1,
             "entry": ENTRY, "more": MORE, "locked": LOCKED, "owned": OWNED}
            | {name: json.dumps(value) for name, value in lists.items()})
        db.execute(
            'INSERT INTO history_search (rowid, "key", actor, reason, "before", "after")'
            ' SELECT id, lower("key"), lower(actor), lower(reason), coalesce("before" ->> \'integer\', lower("before")),'
            ' coalesce("after" ->> \'integer\', lower("after"))'
            " FROM history")
        db.execute("DELETE FROM history_hour")
        db.execute("INSERT INTO history_hour SELECT at / 3600000000, min(id), max(id) FROM history GROUP BY 1")
        for _, _, sql in parts:
            db.execute(sql)
        db.commit()
        db.execute("PRAGMA journal_mode = WAL")


def flags(folder):
    """Writes the flags of the history into a folder, and returns the values file."""
    from samples import write

    values, definitions = {}, []
    for key in [HOT, *KEYS]:
        *groups, name = key.split("/")
        inside = values
        for group in groups:
            inside = inside.setdefault(group, {})
        inside[name] = 1
        definitions.append(
            {"key": key, "type": "integer", "default": 0, "isInternal": key in INTERNAL,
             "requiresRestart": key in RESTARTING})
    return write(folder, values, definitions)
