"""Processes of readers of one flag, and the check of what these saw."""

import json
import subprocess
import threading
from dataclasses import dataclass

from harness import BINARY, environment

PROGRAM = BINARY.with_name("FlagReader")
PATIENCE = 120
"""Seconds after which a reader counts as one that stays wrong."""
AROUND = 3
"""How many reads are told before and after a bad one."""


@dataclass(frozen=True)
class Read:
    """What a reader saw: a value, `None` for none, and of etcd the last row of the history that it has read."""

    at: int
    value: object
    row: int | None


class Readers:
    """One process of readers, from its start to its end, with all that they saw."""

    def __init__(self, what, count, key, address):
        self.what, self.address = what, address
        self.reads = [[] for _ in range(count)]
        self._key = key
        self._is_ended = False
        self._changed = threading.Condition()
        self.process = subprocess.Popen(
            [PROGRAM, str(count), key, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=environment())
        self._thread = threading.Thread(target=self._collect)
        self._thread.start()

    def next(self):
        """Another process of the same readers, which know nothing of what these saw."""
        return Readers(self.what, len(self.reads), self._key, self.address)

    def _collect(self):
        for line in self.process.stdout:
            told = json.loads(line)
            with self._changed:
                self.reads[told["reader"]].append(Read(told["at"], told["value"], told.get("row")))
                self._changed.notify_all()
        with self._changed:
            self._is_ended = True
            self._changed.notify_all()

    def __str__(self):
        return f"the readers of {self.what} ({self.address})"

    def count(self):
        """How many reads they have made."""
        with self._changed:
            return sum(len(reads) for reads in self.reads)

    def check(self, values):
        """Looks at all that each has seen up to now: see `check_order`."""
        with self._changed:
            seen = [list(reads) for reads in self.reads]
        for number, reads in enumerate(seen):
            check_order(reads, values, f"number {number} of {self}")

    def wait(self, value):
        """Waits until each has seen a value as the last one."""
        lagging = lambda: [number for number, reads in enumerate(self.reads) if not reads or reads[-1].value != value]
        with self._changed:
            self._changed.wait_for(lambda: not lagging() or self._is_ended, PATIENCE)
            left = lagging()
            told = [f"number {number}: {around(self.reads[number], len(self.reads[number]) - 1)}" for number in left]
        assert not left, f"{self} stay wrong: {value} was set last, and they see {'; '.join(told)}"

    def kill(self):
        self.process.kill()
        self._close()

    def stop(self):
        """Has the process end, which it does with its standard input."""
        self.process.stdin.close()
        code = self.process.wait()
        self._close()
        assert code == 0, f"{self} ended with {code}"

    def _close(self):
        self.process.wait()
        self._thread.join()
        self.process.stdin.close()
        self.process.stdout.close()


def around(reads, place):
    """The reads beside one, as text."""
    near = reads[max(0, place - AROUND) : place + AROUND + 1]
    return ", ".join(f"{read.value}" + (f" (row {read.row})" if read.row is not None else "") for read in near) or "nothing"


def check_order(reads, values, who):
    """Looks at all that a reader saw.

    It saw nothing but values that were set, in the order in which they were, and was woken no more often than these were; a
    value, once there is one, is never gone; and the rows of the history never decrease, nor is a value newer than its row.

    Args:
        reads: What it saw.
        values: What the flag held after each row of the history, by its number; 0 for what it held before the first.
        who: The reader, for what is told.
    """
    first_rows = {value: row for row, value in sorted(values.items(), reverse=True)}
    newest = row = 0
    for place, read in enumerate(reads):
        told = f"{who}: {around(reads, place)}"
        if read.row is not None:
            assert read.row >= row, f"row {read.row} comes after row {row}, at {told}"
            assert read.row in values, f"the history has no row {read.row}, at {told}"
            row = read.row
        if read.value is None:
            assert place == 0 or reads[place - 1].value is None, f"the value is gone, at {told}"
            continue
        assert read.value in first_rows, f"{read.value} was never set, at {told}"
        assert first_rows[read.value] >= newest, f"{read.value} comes after what was set later, at {told}"
        newest = first_rows[read.value]
        assert read.row is None or newest <= row, f"{read.value} is newer than row {row}, at {told}"
    # Each looks before and after it is set up, too.
    most = len(first_rows) + 2
    assert len(reads) <= most, f"{len(reads)} reads of {len(first_rows)} values, at {who}"
