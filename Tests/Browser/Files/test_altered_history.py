"""What another program altered in the history is shown as altered, wherever it is shown."""

import csv
import io
import json
import re
import sqlite3
import subprocess
from contextlib import closing

import pytest
from harness import BINARY, Server, environment
from samples import demonstration

KEY = "checkout/minimum_order"
MARK = "Altered after it was recorded"


def history(command, file, *options):
    done = subprocess.run(
        [BINARY, "history", command, file, *options], capture_output=True, text=True, env=environment(), timeout=60)
    return done.returncode, done.stdout + done.stderr


def alter(file, statements):
    """Alters the history behind the server's back, with the triggers out of the way and put back."""
    with closing(sqlite3.connect(file.parent / "flags.history.sqlite", isolation_level=None)) as store:
        triggers = store.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        store.execute("BEGIN IMMEDIATE")
        for name, _ in triggers:
            store.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            store.execute(statement)
        for _, sql in triggers:
            store.execute(sql)
        store.execute("COMMIT")


@pytest.fixture
def served(serve, tmp_path):
    """A server whose history has three changes of one flag and one of another."""
    server = serve(demonstration(tmp_path / "demo"))
    for value in ("3", "5", "7"):
        server.change(KEY, "set", value, f"step {value}")
    server.change("checkout/guest_checkout", "set", "true")
    return server


def rows(server):
    return json.loads(server.get("/api/v1/history").text)["changes"]


def health(server):
    return json.loads(server.get("/healthz").text)


def test_a_row_that_was_altered_is_marked_on_every_page_and_by_every_program(served):
    sound = [row["id"] for row in rows(served)]
    assert sound == [4, 3, 2, 1] and all("altered" not in row for row in rows(served))
    assert health(served)["status"] == "ready" and MARK not in served.get("/history").text
    alter(served.file, ["UPDATE history SET actor = 'somebody else' WHERE id = 2"])

    assert [row["id"] for row in rows(served) if row.get("altered")] == [2]
    assert json.loads(served.get("/api/v1/history/2").text)["altered"] is True
    told = health(served)
    assert told["status"] == "degraded" and told["alteredRows"] == 1
    for path in ("/history", f"/flags/{KEY}", "/history/2"):
        page = served.get(path).text
        assert page.count(MARK) >= 1 and "History altered." in page, path
    assert MARK not in served.get("/history/3").text
    assert "History altered." in served.get("/").text

    lines = [json.loads(line) for line in served.get("/export/history.jsonl").text.splitlines()]
    assert [line["id"] for line in lines if line.get("altered")] == [2]
    table = list(csv.DictReader(io.StringIO(served.get("/export/history.csv").text)))
    assert [row["id"] for row in table if row["altered"]] == ["2"] and len(table) == 4
    code, printed = history("list", served.file)
    assert code == 0 and [line for line in printed.splitlines() if line.startswith("[ALTERED")][0].startswith(
        "[ALTERED after it was recorded] #2 ")
    assert printed.count("[ALTERED") == 1
    assert "row 2 is not as recorded" in served.errors()


def test_what_an_altered_row_says_was_before_is_put_back_nowhere(served):
    alter(served.file, ['UPDATE history SET "before" = "after" WHERE id = 2'])
    page = served.get("/history/2").text
    assert "It can’t be reverted" in page and 'action="/history/2/revert"' not in page
    refused = served.post("/history/2/revert", {"scope": "change", "confirm": "yes"})
    assert refused.status == 409 and "altered after it was recorded" in refused.text
    undo = served.editor(KEY) | {"action": "undo", "change": "2"}
    refused = served.post(f"/flags/{KEY}", undo)
    assert refused.status == 422 and "Change “2” of this flag can’t be undone" in refused.text, refused.text
    then = served.get("/history/at?before=2").text
    assert "Another program altered the history: change 2." in re.sub(r"\s+", " ", then)
    assert "Unverified: change 2" in then and "its past value can’t be verified" in then
    assert served.get("/history/at/values.xml?before=2").status == 503
    compared = json.loads(served.get("/api/v1/compare?left=Local&before=2&show=all").text)
    assert compared["altered"] == [2]
    assert "altered" not in json.loads(served.get("/api/v1/compare?left=Local&before=3&show=all").text)
    # The rest of the past stays of use.
    assert served.get("/history/at/values.xml?before=4").status == 200
    assert json.loads(served.get(f"/api/v1/flags/{KEY}").text)["value"] == 7 and len(rows(served)) == 4


def test_a_row_that_is_gone_from_the_search_index_is_found_by_a_check_and_by_a_search_once_the_index_is_made_anew(
        served):
    file = served.file
    assert len(json.loads(served.get("/api/v1/history?q=step").text)["changes"]) == 3
    served.stop()
    assert history("verify", file)[0] == 0
    alter(file, ["DELETE FROM history_search WHERE rowid = 2"])
    code, said = history("verify", file)
    assert code == 1 and "its search index lacks row 2" in said and "history reindex" in said
    code, said = history("verify", file, "--json")
    assert code == 1 and json.loads(said) == {"result": "wrongIndex", "reason": "its search index lacks row 2"}
    out = file.parent.parent / "backup"
    code, said = history("backup", file, str(out))
    assert code == 0 and "its search index lacks row 2" in said

    server = Server(file)
    try:
        code, said = history("reindex", file)
        assert code == 1 and "serves" in said or "in use" in said or "process" in said, said
    finally:
        server.stop()
    code, said = history("reindex", file)
    assert (code, said.strip()) == (0, "Rebuilt the search index from 4 rows.")
    assert history("verify", file)[0] == 0
    assert history("reindex", file, "--json")[1].strip() == '{"rows":4}'
    server = Server(file)
    try:
        assert len(json.loads(server.get("/api/v1/history?q=step").text)["changes"]) == 3
    finally:
        server.stop()


def test_a_comparison_with_the_past_warns_of_an_altered_row(served):
    alter(served.file, ["UPDATE history SET actor = 'somebody else' WHERE id = 1"])
    done = subprocess.run(
        [BINARY, "diff", served.file, "--at", "2026-01-01"], capture_output=True, text=True, env=environment(), timeout=60)
    assert done.returncode == 0 and "Row 1 of the history is altered or missing" in done.stderr


def test_what_a_loss_of_power_left_behind_the_checkpoints_is_no_alteration(served):
    served.stop()
    with served.file.with_name("flags.history.checkpoints").open("ab") as file:
        file.write(b"junk")
    code, printed = history("verify", served.file)
    assert code == 0 and printed.startswith("The history is intact"), printed
