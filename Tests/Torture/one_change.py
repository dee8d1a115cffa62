"""A server that is ended or failed at one call of one change, and the look at what is left."""

import functools
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from harness import Server
from subject import (
    LOST, check_nothing_left, check_pages, edit_outside, project, rows_of, shim, values, verify,
)

LONG = "y" * 60_000


@dataclass(frozen=True)
class Change:
    """What is asked for: a flag, what to do to it, and what it holds before and after."""

    key: str
    action: str
    before: object
    after: object

    @property
    def kind(self):
        return "reset" if self.after is None else "set"


CHANGES = (Change("a", "set", 1, 2), Change("w0", "reset", 0, None), Change("text", "set", "", LONG))


@dataclass(frozen=True)
class Case:
    """A change, whether `b` is edited from outside at the same time, and what the shim does at which call."""

    change: Change
    edited: bool
    plan: str | None

    def __str__(self):
        return f"{self.plan} at {self.change.action} of {self.change.key}{', edited outside' if self.edited else ''}"


@dataclass(frozen=True)
class Told:
    """What came of a case: whether the change was acknowledged, and whether the plan's call was made at all."""

    acknowledged: bool
    fired: bool


class Round:
    """A server under the shim, on files of its own, and one change."""

    def __init__(self, folder, case):
        self.file, self.case = self.prepare(folder / "project"), case
        self.armed, self.log = folder / "armed", folder / "log"
        prefix = ("env", f"LD_PRELOAD={shim()}", f"TORTURE_ARMED={self.armed}", f"TORTURE_LOG={self.log}")
        if case.plan:
            prefix += (f"TORTURE={case.plan}",)
        self.server = Server(self.file, prefix=prefix)

    def prepare(self, folder):
        """Writes the files, and returns the one of values."""
        return project(folder)

    def form(self):
        """The form of the change: where it goes, and its fields."""
        change = self.case.change
        fields = self.server.editor(change.key) | {"action": change.action, "reason": "torture"}
        if change.after is not None:
            fields["value"] = str(change.after)
        return f"/flags/{change.key}", fields

    def run(self):
        """Makes the change; returns whether it was acknowledged."""
        try:
            path, fields = self.form()
            self.armed.touch()
            if self.case.edited:
                edit_outside(self.file, "b", 7)
            answer = self.server.post(path, fields)
            if answer.status != 303:
                assert answer.status in (503, 507), f"{answer.status}: {answer.text}"
                check_pages(self.server)
                # One call failed, and the next ones don't: the same server goes on.
                self.server.change("w1", "set", "1")
            return answer.status == 303
        except LOST:
            self.server.process.wait(10)
            return False
        finally:
            self.server.stop()

    def calls(self):
        return Counter(self.log.read_text().split())

    def fired(self):
        """Whether the call that the plan is about was made: another one may have been first, and the change done."""
        name, number, _ = self.case.plan.split(":")
        return self.log.exists() and self.calls()[name] >= int(number)


def check(file, case, acknowledged):
    """Looks at the files after the next start.

    The file holds the old value or the new one and is whole; there is a row for the change exactly where the file holds it;
    what was acknowledged is there; what another program edited is there and recorded; nothing is left beside the file; the
    chain is sound.
    """
    change = case.change
    values(file)
    server = Server(file)
    try:
        rows = rows_of(server)
        check_pages(server)
    finally:
        server.stop()
    held = values(file).get(change.key)
    assert held in (change.before, change.after), "the file holds what nobody asked for"
    assert not acknowledged or held == change.after, "an acknowledged change is lost"
    made = [row for row in rows if row["kind"] == change.kind and row["key"] == change.key]
    assert len(made) == (held == change.after), f"{change.key} is {str(held)[:40]}, and its rows are {made}"
    external = [row for row in rows if row["kind"] == "external"]
    assert all(row["key"] == "b" for row in external), f"somebody else is blamed: {external}"
    assert len(external) == case.edited, f"{len(external)} outside edits are recorded"
    assert values(file)["b"] == (7 if case.edited else 1), "an outside edit is lost"
    check_nothing_left(file)
    verify(file)


def try_case(case):
    """Runs a round and checks it."""
    with tempfile.TemporaryDirectory() as folder:
        round_ = Round(Path(folder), case)
        acknowledged = round_.run()
        check(round_.file, case, acknowledged)
        return Told(acknowledged, round_.fired())


@functools.cache
def calls(change, edited):
    """What calls a change makes, and how many of each."""
    with tempfile.TemporaryDirectory() as folder:
        round_ = Round(Path(folder), Case(change, edited, None))
        assert round_.run(), "a change without any trouble was refused"
        return sorted(round_.calls().items())


def cases(fates, edited):
    """Every call of each change, with each of the fates."""
    return [
        Case(change, edited, f"{name}:{number}:{fate}")
        for change in CHANGES
        for name, count in calls(change, edited)
        for number in range(1, count + 1)
        for fate in fates
    ]
