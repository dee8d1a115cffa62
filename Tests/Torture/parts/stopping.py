"""Stops servers that clients keep busy, and counts what is cut."""

import tempfile
from pathlib import Path

from harness import Server
from samples import demonstration
from stopping import Load
from table import Row

FULL, QUICK = 200, None
"""Stops. script/test tries a few, in Tests/Browser/Server/test_stopping.py."""
LONGEST = 5
"""Seconds within which a server must have ended."""


def run(count, jobs):
    answered, unaccepted, problems, slowest = 0, 0, [], 0
    for _ in range(count):
        with tempfile.TemporaryDirectory() as folder:
            server = Server(demonstration(Path(folder) / "demo"))
            try:
                load = Load(server, clients=18, listeners=6)
                took = load.run(requests=20)
            finally:
                server.stop()
        problems += load.faults
        if took > LONGEST:
            problems.append(f"the server ended after {took:.1f} s")
        answered += load.tally["answered"]
        unaccepted += load.tally["not accepted"]
        slowest = max(slowest, took)
    note = f"{count} stops, {slowest:.2f} s at most, {unaccepted} connections not accepted"
    return [Row("requests around a stop", answered, len(problems), note, tuple(problems))]
