"""Sends malformed requests, requests with bad intent, pages of other origins, and script in every field that can be set."""

import tempfile
from pathlib import Path

import cross_site
import http_attacks
import injection
import wire_attacks
from browsers import chromium
from harness import Server
from samples import demonstration
from table import Row

FULL, QUICK = 1000, None
"""Of the attacks that there are, so many thousandths are tried. script/test samples them in Tests/Browser/Server/test_attacks.py."""


def run(count, jobs):
    every = max(1, FULL // max(count, 1))
    found = []
    with chromium(["--no-sandbox"]) as browser, tempfile.TemporaryDirectory() as folder:
        for number, attacks in enumerate((
            wire_attacks.run,
            http_attacks.run,
            lambda server, every: cross_site.run(browser, server, every),
            lambda server, every: injection.run(browser, server, Path(folder), every),
        )):
            server = Server(demonstration(Path(folder) / f"demo{number}"))
            try:
                found += attacks(server, every)
            finally:
                server.stop()
    return [
        Row(row.attack, row.tried, len(row.through), f"{row.worst_ms:.0f} ms at worst", tuple(row.through[:20]))
        for row in found
    ]
