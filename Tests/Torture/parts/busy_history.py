"""Has another process hold the history's lock, for shorter and for longer than is waited, at each of its transactions."""

import contextlib
import os
import signal
import sqlite3
import tempfile
import threading
from pathlib import Path

from harness import Server
from subject import check_nothing_left, check_pages, edit_outside, project, rows_of, shim, values, verify
from table import attempt, spread

FULL, QUICK = 8, 4
BRIEFLY = 1.0
"""Seconds that the lock is held where the change is to be made in the end: fewer than the 5 that are waited."""


@contextlib.contextmanager
def locked(file):
    """Holds the lock; yields what releases it."""
    history = sqlite3.connect(file.with_suffix(".history.sqlite"), isolation_level=None, check_same_thread=False)
    released = threading.Lock()

    def release():
        if released.acquire(blocking=False):
            history.execute("ROLLBACK")

    history.execute("BEGIN IMMEDIATE")
    try:
        yield release
    finally:
        release()
        history.close()


def at_start_of_change(server, briefly):
    with locked(server.file) as release:
        timer = threading.Timer(BRIEFLY, release)
        if briefly:
            timer.start()
        answer = server.post("/flags/a", server.editor("a") | {"action": "set", "value": "2"})
        check_pages(server)
        timer.cancel()
    return answer


def at_outside_edit(server, briefly):
    with locked(server.file) as release:
        edit_outside(server.file, "b", 7)
        timer = threading.Timer(BRIEFLY, release)
        if briefly:
            timer.start()
        page = server.get("/flags/b")
        assert page.status == 200 and "7" in page.text, "the outside edit is not shown"
        assert briefly or "is locked by another process" in page.text, "nobody is told that the edit can't be recorded"
        timer.cancel()
    check_pages(server)
    return server.post("/flags/a", server.editor("a") | {"action": "set", "value": "2"})


def at_end_of_change(server, briefly, armed):
    """Stops the server when it has replaced the file, and takes the lock before the rows are stored."""
    fields = server.editor("a") | {"action": "set", "value": "2"}
    answers = []
    armed.touch()
    client = threading.Thread(target=lambda: answers.append(server.post("/flags/a", fields)))
    client.start()
    os.waitpid(server.process.pid, os.WUNTRACED)
    with locked(server.file) as release:
        assert values(server.file)["a"] == 1, "the server stands elsewhere"
        os.kill(server.process.pid, signal.SIGCONT)
        timer = threading.Timer(BRIEFLY, release)
        if briefly:
            timer.start()
        client.join()
        timer.cancel()
    return answers[0]


STEPS = {"the start of a change": at_start_of_change, "an outside edit": at_outside_edit, "the rows": at_end_of_change}


def try_case(case):
    step, briefly = case
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        armed = folder / "armed"
        prefix = ("env", f"LD_PRELOAD={shim()}", f"TORTURE_ARMED={armed}", "TORTURE=renameat2:1:stop")
        server = Server(project(folder / "project"), prefix=prefix if step == "the rows" else ())
        try:
            more = (armed,) if step == "the rows" else ()
            answer = STEPS[step](server, briefly, *more)
            is_made = briefly or step == "an outside edit"
            assert answer.status == (303 if is_made else 503), f"{answer.status}: {answer.text}"
            assert is_made or "locked by another process" in answer.text
            assert values(server.file)["a"] == (2 if is_made else 1)
            check_pages(server)
            if "estart Flagboard" in answer.text:
                server.stop()
                server = Server(server.file)
            server.change("a", "set", "3")
            rows = [row for row in rows_of(server) if row["kind"] in ("set", "external")]
            assert len(rows) == 1 + is_made + (step == "an outside edit"), f"{rows}"
        finally:
            server.stop()
        check_nothing_left(server.file)
        verify(server.file)


def run(count, jobs):
    cases = [(step, briefly) for briefly in (True, False) for step in STEPS]
    return [attempt("history locked by another process", spread(cases, count), try_case, jobs)]
