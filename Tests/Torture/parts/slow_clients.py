"""Holds 500 slow connections open for a minute, and measures what an honest client notices of them."""

import tempfile
from pathlib import Path

import slow_connections
import wire_attacks
from harness import Server
from samples import demonstration
from table import Row

FULL, QUICK = 60, None
"""Seconds. script/test tries it for a few, in Tests/Browser/Server/test_attacks.py."""


def run(count, jobs):
    figures = slow_connections.measure(connections=500, seconds=count)
    note = ", ".join(
        f"{name} {figures[name]:.0f}" for name in ("calm p99 ms", "p50 ms", "p99 ms", "worst ms", "peak memory MiB"))
    rows = [Row("requests beside 500 slow connections", figures["requests"], figures["failed"], note)]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(demonstration(Path(folder) / "demo"))
        try:
            slow = wire_attacks.run_slow(server)
        finally:
            server.stop()
    return rows + [
        Row(row.attack, row.tried, len(row.through), f"{row.worst_ms:.0f} ms at worst", tuple(row.through)) for row in slow
    ]
