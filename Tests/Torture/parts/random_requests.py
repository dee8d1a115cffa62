"""Sends random requests to every route, many at once, by every role: none ends in a fault, and the files stay sound.

`FLAGBOARD_SEED` repeats a run; script/test always tries the same ones, script/torture others each time. No status from 500 on
is right here: no file is broken, no disk full, and nobody else writes.
"""

import http.client
import itertools
import json
import os
import plistlib
import random
import re
import socket
import tempfile
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from harness import Server
from pages import routes
from random_acts import ACTS, play
from random_scenes import FLAGS, Scene, World
from samples import write
from subject import check_nothing_left, verify
from table import Row
from tokens import make_token

FULL, QUICK = 100_000, 4_000
PER_SERVER = 20_000
"""After so many requests another server begins anew, so that histories don't grow beyond what people have."""
CLIENTS = 6
MOST_PROBLEMS = 30
PATIENCE = 60
"""Seconds after which a request counts as one that is never answered."""
ROLES = ("viewer", "editor", "admin")


@dataclass
class Answer:
    status: int
    headers: dict
    body: bytes


def send(port, request):
    """Sends a request; of what never ends only the head is read."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        try:
            connection.sendall(request.encoded(f"127.0.0.1:{port}"))
        except ConnectionError:
            # Who is refused early is answered all the same.
            pass
        response = http.client.HTTPResponse(connection, method=request.method)
        response.begin()
        headers = {name.lower(): value for name, value in response.getheaders()}
        is_endless = headers.get("content-type", "").startswith("text/event-stream")
        return Answer(response.status, headers, b"" if is_endless else response.read())


class Run:
    """A server with two providers that can be written and one that can't, and what many clients did to it.

    `memory` is the most that the server used, in MiB.
    """

    def __init__(self, folder, seed):
        self.seed = seed
        values = {
            "shop": {"on": True, "count": 7}, "free": {"one": 1, "two": "x"}, "fixed": 1, "secret": {"inner": True},
            "": {"": True}, "a": {"": {"b": 1}},
        }
        flags = [{"key": key, "type": kind} | more for key, (kind, _, more) in FLAGS.items()]
        self.file = write(folder, values, flags, [{"key": "shop", "name": "The shop"}])
        others = {"Team": {"shop": {"off": True}}, "Fixed": {"shop": {"fee": 1.5}}}
        for name, held in others.items():
            (folder / f"{name}.xml").write_bytes(plistlib.dumps(held))
        self.world = World({role: make_token(self.file, role, role) for role in ROLES})
        providers = [f"--provider=Team={folder / 'Team.xml'}", f"--provider=Fixed={folder / 'Fixed.xml'}:ro"]
        code = folder / "Sources"
        code.mkdir()
        (code / "App.swift").write_text('let on = "shop/on"\nlet deep = "shop/deep/size"\nlet inner = "secret/inner"\n')
        self.server = Server(self.file, *providers, "--source", code, access="token")
        self.files = [self.file, self.file.with_name("flags.manifest.xml"), *(folder / f"{name}.xml" for name in others)]
        self.statuses, self.kinds, self.memory, self.problems = Counter(), Counter(), 0, []
        self.sent, self.lock, self.done = 0, threading.Lock(), threading.Event()

    def note(self, problem):
        with self.lock:
            self.problems.append(problem)

    def ask(self, number, request):
        with self.lock:
            self.sent += 1
        sent = request.encoded("…")
        told = f"seed {self.seed}, scene {number}: {sent[:1500]!r}"
        try:
            answer = send(self.server.port, request)
        except (OSError, http.client.HTTPException) as problem:
            self.note(f"{told}: {problem!r}")
            return Answer(0, {}, b"")
        with self.lock:
            self.statuses[answer.status] += 1
        if answer.status >= 500:
            self.note(f"{told}: {answer.status} {answer.body[:300]!r}")
        return answer

    def play(self, numbers, count):
        """Plays scenes of the next numbers until so many requests were sent, or far too many went wrong; so do others."""
        while self.server.process.poll() is None and self.sent < count and len(self.problems) < MOST_PROBLEMS:
            number = next(numbers)
            play(Scene(self.seed, number, self.world, lambda request: self.ask(number, request)))

    def watch_files(self):
        """Reads the files over and over until the clients are done: each time they must be whole."""
        while not self.done.wait(0.02):
            for file in self.files:
                try:
                    plistlib.loads(file.read_bytes())
                except Exception as problem:
                    self.note(f"seed {self.seed}: {file.name} is torn: {problem!r}")
                    return

    def check_end(self):
        """Looks whether the server is there, and what it did stands in a sound history."""
        assert self.server.process.poll() is None, f"the server ended: {self.server.errors()[-3000:]}"
        status = Path(f"/proc/{self.server.process.pid}/status").read_text()
        self.memory = int(re.search(r"VmHWM:\s+(\d+)", status)[1]) // 1024
        admin = {"Authorization": f"Bearer {self.world.tokens['admin']}"}
        rows = [json.loads(line) for line in self.server.get("/export/history.jsonl", admin).body.splitlines()]
        self.kinds = Counter(row["kind"] for row in rows)
        strays = [row for row in rows if row["role"] == "viewer" and row["kind"] != "denied"]
        assert not strays, f"a viewer changed something: {strays[:3]}"
        strays = [row for row in rows if row["origin"] == "import" and row["role"] != "admin" and row["kind"] != "denied"]
        assert not strays, f"somebody else than an admin imported: {strays[:3]}"
        assert Path(self.files[3]).read_bytes() == plistlib.dumps({"shop": {"fee": 1.5}}), "the read-only provider was written"
        errors = [line for line in self.server.errors().splitlines() if " error " in line]
        assert not errors, f"{len(errors)} errors in the log: {errors[:5]}"
        assert self.server.stop() == 0, "the server did not end as it should"
        for file in self.files:
            plistlib.loads(file.read_bytes())
        check_nothing_left(self.file)
        verify(self.file)


def try_run(seed, numbers, count):
    """Sends about so many requests to a server, of scenes of the next numbers; returns the run."""
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder) / "project", seed)
        watcher = threading.Thread(target=run.watch_files)
        watcher.start()
        try:
            with ThreadPoolExecutor(CLIENTS) as pool:
                list(pool.map(lambda _: run.play(numbers, count), range(CLIENTS)))
            run.done.set()
            watcher.join()
            run.check_end()
        except AssertionError as problem:
            run.note(f"seed {seed}: {problem}")
        finally:
            run.done.set()
            run.server.stop()
        return run


def run(count, jobs):
    missing = set(routes()) ^ set(ACTS)
    assert not missing, f"of these routes, random_acts.py or the dashboard knows nothing: {missing}"
    seed = int(os.environ.get("FLAGBOARD_SEED") or (1 if count <= QUICK else random.randrange(1_000_000)))
    statuses, kinds, most, problems = Counter(), Counter(), 0, []
    numbers = itertools.count()
    for start in range(0, count, PER_SERVER):
        one = try_run(seed, numbers, min(PER_SERVER, count - start))
        statuses += one.statuses
        kinds += one.kinds
        most = max(most, one.memory)
        problems += one.problems
    requests = sum(statuses.values())
    answered = ", ".join(f"{status}: {number}" for status, number in sorted(statuses.items()))
    rows = ", ".join(f"{kind} {number}" for kind, number in kinds.most_common())
    note = f"seed {seed}; {next(numbers)} scenes; {answered}; rows of history: {rows}; {most} MiB at most"
    changed = sum(kinds[kind] for kind in ("set", "reset", "define", "redefine", "remove"))
    if changed < requests // 50:
        problems.append(f"seed {seed}: only {changed} changes were made: too few of the requests are sound")
    return [Row("random requests", requests, len(problems), note, tuple(problems[:MOST_PROBLEMS]))]
