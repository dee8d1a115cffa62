"""How long a server takes to its first answer, and what it holds in memory, beside one of an empty file."""

import statistics
import time

from connection import Connection
from line import Goal, Line
from measure import processor_time
from measuring import memory

START_GOALS = {10_000: 0.15, 100_000: 0.6}
MEMORY_GOALS = {1_000: 45, 100_000: 150}
PATH = "/api/v1/history"
STARTS = 3


def lines(file, empty, size, about):
    """Starts servers of both files in turn; yields the lines, and last a server of the file, which runs on."""
    from harness import Server

    for first in (file, empty):
        # The first start of all makes the history.
        Server(first).stop()
    times, floors, held, floors_held, used = [], [], [], [], 0
    server = None
    for _ in range(STARTS):
        for path, took, memories in ((empty, floors, floors_held), (file, times, held)):
            if server:
                server.stop()
            start = time.perf_counter()
            server = Server(path)
            connection = Connection(server.port)
            connection.ask(connection.getting(PATH))
            took.append(time.perf_counter() - start)
            connection.close()
            memories.append(memory(server))
            used = processor_time(server)
    yield Line(
        "Start", f"start to the first answer{about}", size, statistics.median(times), "s", "the same with an empty file",
        statistics.median(floors), Goal(START_GOALS[size], "s") if size in START_GOALS else None,
        f"{used / 1000:.2f} s of the processors")
    yield Line(
        "Memory", f"idle{about}", size, statistics.median(held), "MB", "the same with an empty file",
        statistics.median(floors_held), Goal(MEMORY_GOALS[size], "MB") if size in MEMORY_GOALS else None)
    return server
