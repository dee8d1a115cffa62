"""What a server holds in memory after hours of work: people at its pages, programs at its API, and changes among them."""

import random
import tempfile
import threading
import time
from pathlib import Path

from connection import Connection
from files import key, write_flags
from line import Goal, Line
from measuring import memory, peak_memory

CLIENTS = 4
PAGES = ("/", "/?q=flag00", "/?q=text", "/?provider=Local", "/history", "/compare", "/api/v1/flags", "/api/v1/history", "/help")
GOAL = Goal(1.05, "times")


def lines(size, minutes, folder):
    """The line of a server that clients ask without a pause for so many minutes; a third of what they ask are changes."""
    from harness import Server

    with tempfile.TemporaryDirectory(dir=folder) as own:
        server = Server(write_flags(Path(own), size, has_manifest=True))
        try:
            connection = Connection(server.port)
            connection.ask(connection.getting("/"))
            connection.close()
            idle = memory(server)
            clients = [_Client(server.port, number, size, time.monotonic() + minutes * 60) for number in range(CLIENTS)]
            for client in clients:
                client.start()
            held = []
            while working := [client for client in clients if client.is_alive()]:
                # A minute, or less where the work ends.
                working[0].join(60)
                held.append(memory(server))
            for client in clients:
                client.join()
                if client.failure:
                    raise client.failure
            asked, changed = (sum(getattr(client, name) for client in clients) for name in ("asked", "changed"))
            yield Line(
                "Memory", f"after {minutes:g} minutes of mixed load, defined", size, memory(server), "MB", "idle", idle, GOAL,
                f"{held[0]:.0f} MB after a minute, {peak_memory(server):.0f} MB at most; {asked:,} answers, {changed:,} changes")
        finally:
            server.stop()


class _Client(threading.Thread):
    """Asks for one thing after the other until a time; each client changes flags of its own."""

    def __init__(self, port, number, size, end):
        super().__init__(daemon=True)
        self.asked = self.changed = 0
        self.failure = None
        self._random = random.Random(number)
        self._connection = Connection(port)
        self._size = size
        # Every fourth flag is a Boolean.
        self._own = {flag: True for flag in range(4 * number, size, 4 * CLIENTS)}
        self._end = end

    def run(self):
        try:
            while time.monotonic() < self._end:
                if self._random.random() < 1 / 3:
                    self._change()
                else:
                    self._connection.ask(self._connection.getting(self._page()))
                self.asked += 1
        except (AssertionError, OSError) as failure:
            self.failure = failure
        finally:
            self._connection.close()

    def _page(self):
        if self._random.random() < 1 / 3:
            return f"/flags/{key(self._random.randrange(self._size))}"
        return self._random.choice(PAGES)

    def _change(self):
        flag = self._random.choice(list(self._own))
        self._own[flag] = not self._own[flag]
        action = {"action": "on" if self._own[flag] else "off", "reason": f"change {self.changed}"}
        self._connection.ask(self._connection.posting(f"/flags/{key(flag)}", action), 303)
        self.changed += 1
