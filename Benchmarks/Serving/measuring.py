"""What an act costs: by the clock, by the server's processor time, and in memory."""

import re
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from measure import processor_time

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 5


@dataclass(frozen=True)
class Cost:
    """What one act costs, in milliseconds."""

    clock: float
    processors: float


def cost(server, act, count):
    """Does something so many times: the median by the clock, and the median of some rounds of the server's processor time.

    A round's processor time is divided by its acts, since one act alone may take less than the clock of it tells.
    """
    clock, processors = [], []
    for _ in range(ROUNDS):
        used = processor_time(server)
        acts = max(1, count // ROUNDS)
        for _ in range(acts):
            start = time.perf_counter()
            act()
            clock.append((time.perf_counter() - start) * 1000)
        processors.append((processor_time(server) - used) / acts)
    return Cost(statistics.median(clock), statistics.median(processors))


def own_cost(act, count):
    """What something costs that is done in this process."""
    clock, used = [], time.process_time()
    for _ in range(count):
        start = time.perf_counter()
        act()
        clock.append((time.perf_counter() - start) * 1000)
    return Cost(statistics.median(clock), (time.process_time() - used) * 1000 / count)


def memory(server):
    """What the server holds in memory, in megabytes."""
    return _status(server, "VmRSS")


def peak_memory(server):
    """The most that the server has held in memory so far, in megabytes."""
    return _status(server, "VmHWM")


def _status(server, name):
    text = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(rf"{name}:\s+(\d+)", text)[1]) / 1024
