"""What a change costs, through the form and the API, with one writer and with sixteen."""

import http.client
import json
import threading
import time
import urllib.parse

from rows import KEYS

WRITERS = [key for key in KEYS if key.endswith("flag_03")][:16]


class Client:
    """A client that keeps its connection."""

    def __init__(self, server):
        self.address = server.address
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)

    def send(self, method, path, body, headers):
        own = {"Origin": self.address, "Sec-Fetch-Site": "same-origin"}
        self.connection.request(method, path, body, own | headers)
        answer = self.connection.getresponse()
        text = answer.read()
        assert answer.status in (200, 303), f"{answer.status} {text[:300]}"

    def put(self, key, value):
        body = json.dumps({"value": value, "reason": "Measured"})
        self.send("PUT", f"/api/v1/flags/{key}", body, {"Content-Type": "application/json", "If-Match": "*"})

    def post(self, key, value):
        fields = {"action": "set", "value": value, "reason": "Measured", "provider": "Local"}
        self.send(
            "POST", f"/flags/{key}", urllib.parse.urlencode(fields), {"Content-Type": "application/x-www-form-urlencoded"})

    def get(self, path):
        self.send("GET", path, None, {})


def run(server, writers, count, act):
    """So many acts by each writer at the same time; returns the seconds by the clock."""
    clients = [Client(server) for _ in range(writers)]
    threads = [
        threading.Thread(target=lambda place=place: [act(clients[place], WRITERS[place], n) for n in range(count)])
        for place in range(writers)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


ACTS = {
    "set by the form, 1 writer": (1, 100, lambda client, key, number: client.post(key, 10 + number % 7)),
    "set by the API, 1 writer": (1, 100, lambda client, key, number: client.put(key, 20 + number % 7)),
    "set by the API, 16 writers": (16, 20, lambda client, key, number: client.put(key, 30 + number % 7)),
    "a flag's page": (1, 100, lambda client, key, number: client.get(f"/flags/{key}")),
    "a flag by the API": (1, 200, lambda client, key, number: client.get(f"/api/v1/flags/{key}")),
}


def compare(files, server_of, processor_time, rounds=4):
    """Prints what each act costs beside histories of several lengths: the best of some rounds in turn."""
    servers = {count: server_of(file) for count, file in files.items()}
    best = {}
    try:
        for round in range(rounds):
            for name, (writers, count, act) in ACTS.items():
                for length, server in servers.items():
                    used = processor_time(server)
                    took = run(server, writers, count, act)
                    used = (processor_time(server) - used) / (writers * count)
                    rate, least = best.get((name, length), (0, used))
                    best[name, length] = max(rate, writers * count / took), min(least, used)
    finally:
        for server in servers.values():
            server.stop()
    print("\nchanges and plain pages: a second by the clock, and of the processors for each")
    for name in ACTS:
        own = [(length, *figures) for (act, length), figures in best.items() if act == name]
        figures = [f"{rate:6.0f}/s {used:5.2f} ms beside {length}" for length, rate, used in own]
        print(f"{name:30} {'    '.join(figures)}")
