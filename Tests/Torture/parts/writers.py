"""Many people change flags at once while other programs replace the file, without waiting for anybody."""

import ctypes
import json
import os
import plistlib
import tempfile
import threading
from pathlib import Path

from harness import Server, flag_path
from samples import write
from subject import LOST, check_nothing_left, rows_of, values, verify
from table import attempt

FULL, QUICK = 50, 12

AT_FDCWD, RENAME_EXCHANGE = -100, 2
_libc = ctypes.CDLL(None, use_errno=True)


def exchange(left, right):
    """Swaps two files at one stroke."""
    if _libc.renameat2(AT_FDCWD, os.fsencode(left), AT_FDCWD, os.fsencode(right), RENAME_EXCHANGE):
        raise OSError(ctypes.get_errno(), "renameat2")


def edit_outside(file, name, key, value):
    """Sets a value as a careful editor does: what it displaces must be what it read, else it puts that back."""
    new = file.with_name(f"{name}.new")
    while True:
        read = file.read_bytes()
        edited = plistlib.dumps(plistlib.loads(read) | {key: value})
        new.write_bytes(edited)
        exchange(new, file)
        placed, displaced = edited, new.read_bytes()
        if displaced == read:
            new.unlink()
            return
        # What is put back must displace this edit; where it displaces a newer one, that is put back in turn.
        while True:
            exchange(new, file)
            found = new.read_bytes()
            if found == placed:
                break
            placed, displaced = displaced, found


def take_kept(file):
    """What Flagboard kept of edits that another program overwrote, having read the file just before they were back."""
    paths = list(file.parent.glob("*.overwritten-*"))
    contents = [plistlib.loads(path.read_bytes()) for path in paths]
    for path in paths:
        path.unlink()
    return contents


def check_without_gap(key, rows, held):
    """Looks whether each row of a flag begins where the one before it ended, and the last one at what the file holds."""
    told = None
    for row in (row for row in rows if row["key"] == key):
        assert told is None or row["before"] == told, f"{key} was {told}, and row {row['id']} began at {row['before']}"
        told = row["after"]
    assert told == {"integer": str(held)}, f"{key} is {held} in the file, and {told} by its last row"


def many_writers(writers=50, edits=200, outside=5):
    """Has writers set a flag each, and count a flag up together, while other programs edit; returns a note.

    Every success has one row, no update is lost, and every outside edit is recorded: the rows of each flag lead from one
    value to the next without a gap, up to what the file holds. Where a change and an outside edit meet, a program may read
    the change in the moment before it is taken back to be tried again, and make it last by its own edit: the change then
    finds the file as it wants it, and the row of its value is that of the outside edit. A program that swaps in what it made of an older file takes
    back, for the moment until it notices, what was changed since; a change on top of that makes it last, and then the row
    that says so is there. The other programs take turns among themselves, since they would lose each other's edits
    without any help.
    """
    keys = [f"w{number}" for number in range(writers)]
    flags = [{"key": key, "type": "integer"} for key in (*keys, "shared")]
    counts = {"made": 0, "shared": 0, "conflicts": 0, "retried": 0}
    changed, problems, turn = threading.Condition(), [], threading.Lock()

    def count(name):
        with changed:
            counts[name] += 1
            changed.notify_all()

    with tempfile.TemporaryDirectory() as folder:
        file = write(Path(folder) / "project", dict.fromkeys((*keys, "shared"), 0), flags)
        server = Server(file)

        def post(key, fields):
            """Posts until no outside editor was too fast for five tries."""
            while True:
                answer = server.post(flag_path(key), fields)
                if answer.status != 503:
                    return answer
                count("retried")

        def change(number):
            for value in range(1, edits + 1):
                answer = post(keys[number], {"action": "set", "value": str(value), "reason": "writers"})
                assert answer.status == 303, f"{answer.status}: {answer.text}"
                count("made")
                if value % 20 == 0:
                    add_one(by_form=value == edits)

        def add_one(by_form):
            """Counts the shared flag up from what was just read: by the form, or by the API, which costs less to ask."""
            while True:
                answer = add_by_form() if by_form else add_by_api()
                if answer.status in (200, 303):
                    count("made")
                    return count("shared")
                assert answer.status in (409, 412, 503), f"{answer.status}: {answer.text}"
                count("retried" if answer.status == 503 else "conflicts")

        def add_by_form():
            fields = server.editor("shared")
            return post("shared", fields | {"action": "set", "value": str(int(fields["value"]) + 1)})

        def add_by_api():
            path = "/api/v1/flags/shared"
            read = server.get(path)
            assert read.status == 200, f"{read.status}: {read.text}"
            headers = {"Content-Type": "application/json", "If-Match": read.headers["etag"]}
            body = {"value": json.loads(read.text)["value"] + 1, "reason": "writers"}
            return server.request("PUT", path, json.dumps(body).encode(), headers)

        def edit(number):
            for value in range(1, edits + 1):
                # Spread over the whole time that the writers take.
                with changed:
                    changed.wait_for(lambda: problems or counts["made"] >= writers * (value - 1))
                with turn:
                    edit_outside(file, f"editor{number}", f"p{number}", value)

        def watched(work, number):
            try:
                work(number)
            except (AssertionError, OSError, *LOST) as problem:
                with changed:
                    problems.append(problem)
                    changed.notify_all()

        threads = [threading.Thread(target=watched, args=(change, number)) for number in range(writers)]
        threads += [threading.Thread(target=watched, args=(edit, number)) for number in range(outside)]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            if problems:
                raise problems[0]
            rows = rows_of(server)
        finally:
            server.stop()
        held = values(file)
        made = [row for row in rows if row["kind"] == "set"]
        external = [row for row in rows if row["kind"] == "external"]
        assert len(rows) == len(made) + len(external), "there are rows of another kind"
        taken_back, found = 0, 0
        for key in (*keys, "shared"):
            check_without_gap(key, rows, held[key])
            own = [int(row["after"]["integer"]) for row in made if row["key"] == key]
            told = {int(row["after"]["integer"]) for row in external if row["key"] == key}
            missing = set() if key == "shared" else set(range(1, edits + 1)).difference(own)
            # What counts up is counted again where another program took it back; nothing else is ever made twice.
            assert key == "shared" or own == sorted(set(own)), f"the rows of {key} are {own}"
            assert missing <= told, f"{key} was never {missing}; it was {own}, and {told} from outside"
            found += len(missing)
            taken_back += sum(row["key"] == key for row in external)
        counted = [row for row in made if row["key"] == "shared"]
        assert len(counted) == counts["shared"], f"{len(counted)} rows for {counts['shared']} successes"
        for row in counted:
            before, after = (int(row[name]["integer"]) for name in ("before", "after"))
            assert after == before + 1, f"row {row['id']} counts from {before} to {after}"
        assert len(made) + found == counts["made"], f"{len(made)} and {found} rows for {counts['made']} successes"
        kept = take_kept(file)
        for number in range(outside):
            key, own = f"p{number}", [row["after"] for row in external if row["key"] == f"p{number}"]
            check_without_gap(key, rows, held[key])
            lasts = held[key] == edits or any(content.get(key) == edits for content in kept)
            assert lasts, f"{key} is {held[key]}, and nothing was kept; {len(kept)} files were; {own[-3:]}"
            assert {"integer": str(edits)} in own, f"{key}: {own[-3:]}"
        check_nothing_left(file)
        verify(file)
    return (
        f"{counts['made']} changes; of {outside * edits} outside edits {len(external)} recorded one by one, the others seen "
        f"together, {len(kept)} kept beside the file, {taken_back} rows of what they took back of flags; "
        f"{counts['conflicts']} conflicts and {counts['retried']} changes that met five edits in a row tried again, "
        f"{found} that an outside edit had made last already")


def run(count, jobs):
    edits, outside = (200, 5) if count >= FULL else (20, 2)

    def try_once(_):
        return many_writers(count, edits, outside)

    what = f"{count} writers, {edits} changes each, {outside} other programs"
    return [attempt(what, [what], try_once, 1, note=lambda notes: ", ".join(notes))]
