"""Kills the server at any time under eight writers."""

import random
import tempfile
import threading
from pathlib import Path

from harness import Server
from subject import LOST, check_nothing_left, project, rows_of, values, verify
from table import attempt

FULL, QUICK = 2000, 4


def try_seed(seed):
    """Kills the server under eight writers, then looks at what they were told; returns how many changes those are."""
    generator = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        file = project(Path(folder) / "project")
        server = Server(file)
        told, sent = [0] * 8, [0] * 8
        first = threading.Event()

        def work(number):
            try:
                while True:
                    sent[number] += 1
                    server.change(f"w{number}", "set", str(sent[number]))
                    told[number] = sent[number]
                    first.set()
            except (*LOST, AssertionError):
                pass

        writers = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for writer in writers:
            writer.start()
        # Not before there is something to lose, however busy the machine is.
        assert first.wait(60), "no change is made"
        killer = threading.Timer(generator.uniform(0, 0.5), server.process.kill)
        killer.start()
        for writer in writers:
            writer.join()
        killer.join()
        server.stop()
        after = Server(file)
        try:
            rows = rows_of(after)
        finally:
            after.stop()
        held = values(file)
        for number in range(8):
            assert told[number] <= held[f"w{number}"] <= sent[number], f"w{number}: told {told[number]}, held {held}"
            made = [row for row in rows if row["key"] == f"w{number}" and row["kind"] == "set"]
            assert len(made) == held[f"w{number}"], f"w{number} is {held[f'w{number}']} after {len(made)} rows"
        assert not [row for row in rows if row["kind"] == "external"], "somebody else is blamed"
        check_nothing_left(file)
        verify(file)
        return sum(told)


def run(count, jobs):
    note = lambda told: f"{sum(told)} changes were acknowledged first"
    return [attempt("random kills under 8 writers", list(range(count)), try_seed, jobs, note=note)]
