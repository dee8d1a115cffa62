"""What readers cost by each way, worked out from what a request, an event and a watch are measured to cost here.

    .build-python/bin/python Tests/Fleet/simulation.py

First a server and an etcd are measured: processor time and bytes on the wire, for an answer of 304, for all flags, for an event that
has a reader ask again, and for a change that etcd tells a watch. Then a day is reckoned for 1, 10, 1,000 and 100,000 readers.
"""

import json
import os
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Browser")]
os.environ.setdefault("FLAGBOARD_BINARY", str(ROOT / ".build/release/flagboard"))

from etcd import Etcd  # noqa: E402
from harness import Server  # noqa: E402
from samples import demonstration  # noqa: E402

READERS = (1, 10, 1000, 100_000)
CHANGES = 50
"""How often a flag is changed in a day."""
INTERVAL = 60
"""Seconds between two questions of a reader that polls."""
SECONDS = 86_400
TICKS = os.sysconf("SC_CLK_TCK")
STREAMS = 200
ROUNDS = 20


def processor_time(process):
    """Seconds that a process has worked."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Wire:
    """A connection that counts its bytes."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.port, self.bytes, self.rest = port, 0, b""

    def send(self, method, path, headers="", body=b""):
        text = (f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Length: {len(body)}\r\n"
                f"{headers}\r\n").encode() + body
        self.socket.sendall(text)
        self.bytes += len(text)

    def until(self, end):
        while end not in self.rest:
            piece = self.socket.recv(65_536)
            assert piece, "the connection was closed"
            self.bytes += len(piece)
            self.rest += piece
        found, self.rest = self.rest.split(end, 1)
        return found + end

    def answer(self):
        head = self.until(b"\r\n\r\n")
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line.split(b":")[1])
                while len(self.rest) < length:
                    piece = self.socket.recv(65_536)
                    self.bytes += len(piece)
                    self.rest += piece
                self.rest = self.rest[length:]
            elif line == b"transfer-encoding: chunked":
                self.until(b"0\r\n\r\n")
        return head


EVALUATE = ("POST", "/ofrep/v1/evaluate/flags")
JSON = "Content-Type: application/json\r\nAccept-Encoding: gzip\r\n"


def cost_of_asking(server, headers):
    """Seconds of the processor, and bytes, of one question for all flags."""
    wire = Wire(server.port)
    count = 2000
    before = processor_time(server.process)
    for _ in range(count):
        wire.send(*EVALUATE, JSON + headers, b"{}")
        wire.answer()
    return (processor_time(server.process) - before) / count, wire.bytes / count


def etag(server):
    wire = Wire(server.port)
    wire.send(*EVALUATE, JSON, b"{}")
    for line in wire.answer().split(b"\r\n"):
        if line.lower().startswith(b"etag:"):
            return line.split(b":", 1)[1].strip().decode()
    raise AssertionError("the answer has no ETag")


def change(server, value):
    body = json.dumps({"value": value}).encode()
    answer = server.request(
        "PUT", "/api/v1/flags/checkout/delivery_fee", body, {"If-Match": "*", "Content-Type": "application/json"})
    assert answer.status == 200, answer.text


def cost_of_events(server):
    """Seconds of the processor, and bytes, of one event for one listener, without the question that it brings."""
    wires = [Wire(server.port) for _ in range(STREAMS)]
    for wire in wires:
        wire.send("GET", "/ofrep/v1/events")
        wire.until(b"refetchEvaluation")
        wire.until(b"\n\n")
    for wire in wires:
        wire.bytes = 0
    before = processor_time(server.process)
    for number in range(ROUNDS):
        change(server, 6 + number / 100)
        for wire in wires:
            wire.until(b"refetchEvaluation")
            wire.until(b"\n\n")
    spent = processor_time(server.process) - before
    alone = time_of_changes(server)
    return max(0, spent - alone) / (STREAMS * ROUNDS), sum(wire.bytes for wire in wires) / (STREAMS * ROUNDS)


def time_of_changes(server):
    """Seconds of the processor of as many changes while nothing listens."""
    before = processor_time(server.process)
    for number in range(ROUNDS):
        change(server, 8 + number / 100)
    return processor_time(server.process) - before


def cost_of_watches(etcd, server):
    """The same of etcd, for one change and one watch, and for one question for a key."""
    import base64

    encode = lambda text: base64.b64encode(text.encode()).decode()
    member = etcd.members[0]
    question = json.dumps({"create_request": {"key": encode("/flags/"), "range_end": encode("/flags0")}}).encode()
    wires = [Wire(member.client) for _ in range(STREAMS)]
    for wire in wires:
        wire.send("POST", "/v3/watch", "Content-Type: application/json\r\n", question)
        wire.until(b'"created":true')
    for wire in wires:
        wire.bytes = 0
    before = processor_time(member.process)
    for number in range(ROUNDS):
        change(server, 10 + number / 100)
        row = encode("/flags/row").encode()
        for wire in wires:
            wire.until(row)
            wire.until(b"\n")
    event = (processor_time(member.process) - before) / (STREAMS * ROUNDS)
    size = sum(wire.bytes for wire in wires) / (STREAMS * ROUNDS)
    wire = Wire(member.client)
    body = json.dumps({"key": encode("/flags/row")}).encode()
    before = processor_time(member.process)
    for _ in range(2000):
        wire.send("POST", "/v3/kv/range", "Content-Type: application/json\r\n", body)
        wire.answer()
    return event, size, (processor_time(member.process) - before) / 2000, wire.bytes / 2000


def measure(folder):
    etcd = Etcd(folder / "etcd")
    server = Server(demonstration(folder / "demo"), "--max-streams", str(STREAMS + 10), "--publish", etcd.address())
    try:
        known = cost_of_asking(server, f"If-None-Match: {etag(server)}\r\n")
        whole = cost_of_asking(server, "")
        event = cost_of_events(server)
        watch = cost_of_watches(etcd, server)
    finally:
        server.stop()
        etcd.kill()
    return known, whole, event, watch


def amount(number):
    for unit, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return f"{number:.0f} "


def main():
    with tempfile.TemporaryDirectory() as folder:
        known, whole, event, (told, told_bytes, look, look_bytes) = measure(Path(folder))
    print("| one … | processor | bytes, both ways |\n|---|---|---|")
    for name, seconds, size in (
            ("question that is answered 304", *known), ("question for all 44 flags", *whole),
            ("event for a listener", *event), ("change for a watch of etcd", told, told_bytes),
            ("look at a key of etcd", look, look_bytes)):
        print(f"| {name} | {seconds * 1e6:.0f} µs | {size:.0f} |")
    print(f"\nA day with {CHANGES} changes:\n\n| readers | way | requests and events | bytes | processor | behind, on average |")
    print("|---|---|---|---|---|---|")
    for readers in READERS:
        questions = readers * SECONDS / INTERVAL
        news = readers * CHANGES
        beats = readers * SECONDS / 15
        looks = readers * SECONDS / 15
        rows = (
            (f"polling each {INTERVAL} s", questions, questions * known[1] + news * whole[1],
             questions * known[0] + news * whole[0], f"{INTERVAL / 2} s"),
            ("events", beats + 2 * news, beats * len(": still here\n\n") + news * (event[1] + whole[1]),
             news * (event[0] + whole[0]), "under 0.1 s"),
            ("etcd", looks + news, looks * look_bytes + news * told_bytes, looks * look + news * told, "under 0.1 s"))
        for way, count, size, seconds, behind in rows:
            share = seconds / SECONDS
            print(f"| {readers:,} | {way} | {amount(count)} | {amount(size)}B | {share * 100:.3g} % of a core | {behind} |")


if __name__ == "__main__":
    main()
