"""What reads over the OpenFeature Remote Evaluation Protocol cost, and how soon a change reaches who listens."""

import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from connection import Connection
from files import key, write_flags
from line import Goal, Line

SIZES = (10, 1_000, 10_000)
SECONDS = 5
CONNECTIONS = 16
CHANGES = 200
RATE_GOAL = Goal(20_000, "/s", is_least=True)
DELAY_GOAL = Goal(100, "ms")
FLAG = key(0)
ONE = f"/ofrep/v1/evaluate/flags/{FLAG}"
ASKING = """
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"context":{"targetingKey":"somebody"}}'
"""


def lines(folder):
    """The lines of files of several sizes, and those of the changes."""
    from harness import Server

    if not shutil.which("wrk"):
        sys.exit("wrk is missing, which asks for the evaluations. Install it (apt-get install wrk), then run this again.")
    for size in SIZES:
        with tempfile.TemporaryDirectory(dir=folder) as own:
            server = Server(write_flags(Path(own), size, has_manifest=True))
            try:
                yield _rate(server, size, Path(own))
                if size == SIZES[-1]:
                    yield _delay(server, size)
            finally:
                server.stop()


def _rate(server, size, folder):
    script = folder / "asking.lua"
    script.write_text(ASKING)
    connection = Connection(server.port)
    body = connection.ask(_asking(connection, ONE)).body
    connection.close()
    with subprocess.Popen(
            [sys.executable, "-B", str(Path(__file__).parent.parent / "constant.py"), body.decode()],
            stdout=subprocess.PIPE, text=True) as peer:
        try:
            plain = _asked(int(peer.stdout.readline()), script)
        finally:
            peer.terminate()
    return Line(
        "Evaluations", "single evaluations, 16 connections", size, _asked(server.port, script), "/s",
        "asyncio that answers the same bytes", plain, RATE_GOAL)


def _asked(port, script):
    """How many answers come in a second."""
    told = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "-s", str(script), f"http://127.0.0.1:{port}{ONE}"],
        check=True, capture_output=True, text=True).stdout
    assert "Non-2xx" not in told and "Socket errors" not in told, told
    return float(re.search(r"Requests/sec: +([\d.]+)", told)[1])


def _asking(connection, path):
    """The bytes of a request for evaluations."""
    return connection.getting(path, **{"Content-Type": "application/json", "Content-Length": "2"}).replace(b"GET", b"POST", 1) + b"{}"


def _delay(server, size):
    """How long it takes from the moment a change is sent until a listener, told of it, has the new value."""
    listening, writing = Connection(server.port), Connection(server.port)
    events = _Events(listening)
    asking, delays, answers = Connection(server.port), [], []
    for number in range(CHANGES):
        events.expect()
        start = time.perf_counter()
        writing.ask(writing.posting(f"/flags/{FLAG}", {"action": "off" if number % 2 == 0 else "on"}), 303)
        answers.append((time.perf_counter() - start) * 1000)
        events.wait()
        value = json.loads(asking.ask(_asking(asking, ONE)).body)["value"]
        delays.append((time.perf_counter() - start) * 1000)
        assert value is (number % 2 == 1), f"the evaluation after change {number} is {value}"
    return Line(
        "Evaluations", "from save to listener and its new value, 95 of 100", size, _late(delays), "ms",
        "the answer to the save, 95 of 100", _late(answers), DELAY_GOAL, f"median {statistics.median(delays):.1f} ms")


def _late(times):
    return statistics.quantiles(times, n=20)[-1]


class _Events:
    """The events of a stream, one after the other."""

    def __init__(self, connection):
        self._come = threading.Semaphore(0)
        self._stream = connection.stream("/ofrep/v1/events")
        next(self._stream)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        try:
            for _ in self._stream:
                self._come.release()
        except (AssertionError, OSError):
            # The server has ended, or the wait for the next event fails.
            return

    def expect(self):
        """Forgets what has come before."""
        while self._come.acquire(blocking=False):
            pass

    def wait(self):
        assert self._come.acquire(timeout=60), "no event came within a minute"
