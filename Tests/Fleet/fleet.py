"""One writer, three replicas, an etcd of three members and many readers, each on a host of its own: how long a change takes to be
everywhere, and what becomes of it when the writer, a member or the network is gone.

    script/fleet                    all of it, with 200 readers: about four minutes
    script/fleet --readers 40 --outage 10
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Browser"), str(Path(__file__).parent)]

from etcd import ETCD  # noqa: E402
from harness import environment  # noqa: E402
from network import Network  # noqa: E402

FOLDER = Path(os.environ.get("FLAGBOARD_BINARIES", ROOT / ".build/release"))
KEY = "checkout/delivery_fee"
PATIENCE = 120


class Host:
    """A process on a host, with what it prints."""

    def __init__(self, network, name, command, variables=None, ready=None):
        self.process = subprocess.Popen(
            [*network.on(name), *map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env=environment() | (variables or {}))
        if ready:
            said = []
            for line in self.process.stdout:
                said.append(line)
                if any(text in line for text in ready):
                    break
            else:
                raise AssertionError(f"{name} does not start: {''.join(said)[-2000:]}")
        self.lines = []
        self.changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line)
                self.changed.notify_all()

    def kill(self):
        self.process.kill()
        self.end()

    def end(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            if not isinstance(self, Readers):
                self.process.terminate()
        self.process.wait(30)
        self._reader.join()
        self.process.stdout.close()


class Readers(Host):
    """Some readers of one sort on one host."""

    def __init__(self, network, name, count, address, token):
        self.count = count
        super().__init__(
            network, name, [FOLDER / "FlagReader", count, KEY, address], {"FLAG_READER_TOKEN": token})

    def reads(self):
        return [json.loads(line) for line in list(self.lines) if line.startswith("{")]

    def last(self):
        """What each reader saw last."""
        return {read["reader"]: read["value"] for read in self.reads()}

    def wait(self, value):
        """Waits until each reader has seen a value last; returns how many have not."""
        deadline = time.monotonic() + PATIENCE
        with self.changed:
            while time.monotonic() < deadline:
                late = self.count - list(self.last().values()).count(value)
                if late == 0:
                    return 0
                self.changed.wait(deadline - time.monotonic())
        return late


class Fleet:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        names = ["control", "writer", "e1", "e2", "e3", "r1", "r2", "r3", "near-etcd", "near-writer"]
        self.network = Network(names, options.delay / 1000, options.loss / 100, options.seed)
        self.at = self.network.addresses
        self.file = folder / "writer/flags.xml"
        self.file.parent.mkdir()
        for name in ("flags.xml", "flags.manifest.xml"):
            (self.file.parent / name).write_bytes((ROOT / "Demo" / name).read_bytes())
        self.tokens = {}
        for name, role in (("control", "editor"), ("reader", "viewer")):
            self.tokens[name] = self._token(self.file, name, role)
        (folder / "token").write_text(self.tokens["reader"])
        self.members = {name: self._member(name) for name in ("e1", "e2", "e3")}
        self.etcd = "etcd://" + ",".join(f"{self.at[name]}:2379" for name in self.members) + "/flags"
        self.writer = self._writer()
        self.replicas, self.replica_tokens = {}, {}
        for name in ("r1", "r2", "r3"):
            self._make_replica(name)
        self.readers = self._make_readers()
        self.value = 5.0
        self.changes = []

    def _token(self, file, name, role):
        made = subprocess.run(
            [FOLDER / "flagboard", "token", "add", file, "--name", name, "--role", role, "--json"],
            capture_output=True, text=True, check=True, env=environment())
        return json.loads(made.stdout)["token"]

    def _member(self, name):
        here = f"http://{self.at[name]}"
        peers = ",".join(f"{one}=http://{self.at[one]}:2380" for one in ("e1", "e2", "e3"))
        command = [
            ETCD, "--name", name, "--data-dir", self.folder / name, "--listen-client-urls", f"{here}:2379",
            "--advertise-client-urls", f"{here}:2379", "--listen-peer-urls", f"{here}:2380",
            "--initial-advertise-peer-urls", f"{here}:2380", "--initial-cluster", peers, "--logger", "zap",
            "--log-outputs", "stderr"]
        return Host(self.network, name, command)

    def _serve(self, name, file, *options):
        command = [
            FOLDER / "flagboard", "serve", file, "--host", self.at[name], "--port", "8080", "--allowed-host",
            self.at[name], "--no-browser", "--max-streams", "1000", *options]
        return Host(self.network, name, command, ready=["Flagboard is listening"])

    def _writer(self):
        return self._serve("writer", self.file, "--publish", self.etcd)

    def _make_replica(self, name):
        file = self.folder / name / "own.xml"
        file.parent.mkdir(exist_ok=True)
        if not file.exists():
            file.write_text('<plist version="1.0"><dict/></plist>\n')
            self.replica_tokens[name] = self._token(file, "reader", "viewer")
        source = f"http://{self.at['writer']}:8080/"
        self.replicas[name] = self._serve(
            name, file, "--provider", f"main={source}", "--provider-token", self.folder / "token")

    def _make_readers(self):
        tenth = max(1, self.options.readers // 10)
        third = max(1, (self.options.readers - tenth) // 6)
        readers = {"the writer's events": [self._readers("near-writer", tenth, "writer", self.tokens["reader"])]}
        readers["a replica's events"] = [
            self._readers(name, third, name, self.replica_tokens[name]) for name in ("r1", "r2", "r3")]
        rest = max(1, self.options.readers - tenth - 3 * third)
        readers["etcd"] = [Readers(self.network, "near-etcd", rest, self.etcd, "")]
        return readers

    def _readers(self, host, count, server, token):
        return Readers(self.network, host, count, f"http://{self.at[server]}:8080/", token)

    @property
    def groups(self):
        return [group for groups in self.readers.values() for group in groups]

    def change(self):
        """Changes the flag, and returns the value."""
        self.value = round(self.value + 0.01, 2)
        request = urllib.request.Request(
            f"http://{self.at['writer']}:8080/api/v1/flags/{KEY}", json.dumps({"value": self.value}).encode(),
            {"Authorization": f"Bearer {self.tokens['control']}", "If-Match": "*", "Content-Type": "application/json"},
            method="PUT")
        sent = time.monotonic_ns()
        with urllib.request.urlopen(request, timeout=30) as answer:
            answer.read()
        self.changes.append((self.value, sent))
        return self.value

    def everywhere(self, value, groups=None):
        """Waits until readers have a value; returns the seconds that took, and how many have not got it."""
        start = time.monotonic()
        late = sum(group.wait(value) for group in groups or self.groups)
        return time.monotonic() - start, late

    def snapshot(self, name, token):
        request = urllib.request.Request(
            f"http://{self.at[name]}:8080/api/v1/snapshot", headers={"Authorization": f"Bearer {token}"})
        return json.load(urllib.request.urlopen(request, timeout=30))

    def close(self):
        for group in self.groups:
            group.end()
        for host in [*self.replicas.values(), self.writer, *self.members.values()]:
            host.end()
        return self.network.close()


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def say(text):
    print(text, flush=True)


def steady(fleet):
    """Changes in peace: how long each takes to be with the readers of each way."""
    say(f"| way | readers | changes | p50 | p95 | p99 | largest |\n|---|---|---|---|---|---|---|")
    first = len(fleet.changes)
    for _ in range(fleet.options.changes):
        fleet.change()
        time.sleep(0.1)
    _, late = fleet.everywhere(fleet.value)
    assert late == 0, f"{late} readers have not got the last change"
    sent = dict(fleet.changes[first:])
    for way, groups in fleet.readers.items():
        times = []
        for group in groups:
            seen = {}
            for read in group.reads():
                seen.setdefault((read["reader"], read["value"]), read["at"])
            times += [(at - sent[value]) / 1e6 for (_, value), at in seen.items() if value in sent]
        count = sum(group.count for group in groups)
        figures = " | ".join(f"{percentile(times, share):.0f} ms" for share in (0.5, 0.95, 0.99, 1))
        say(f"| {way} | {count} | {len(times)} seen of {count * len(sent)} | {figures} |")


def writer_gone(fleet):
    """The writer is killed: the readers keep what they have, and get the first change after it is back."""
    before = fleet.value
    fleet.writer.kill()
    time.sleep(fleet.options.outage)
    wrong = sum(list(group.last().values()).count(before) != group.count for group in fleet.groups)
    fleet.writer = fleet._writer()
    value = fleet.change()
    took, late = fleet.everywhere(value)
    say(f"writer killed for {fleet.options.outage} s: {wrong} groups of readers lost their value meanwhile; the first change "
        f"after it was back was with all readers after {took:.2f} s, {late} never got it")
    assert wrong == 0 and late == 0


def member_gone(fleet):
    """A member of etcd is killed, and comes back."""
    fleet.members["e1"].kill()
    start = time.monotonic()
    value = fleet.change()
    etcd = fleet.readers["etcd"]
    took, late = fleet.everywhere(value, etcd)
    say(f"etcd member killed: the next change was with etcd's readers after {time.monotonic() - start:.2f} s, {late} never got it")
    fleet.members["e1"] = fleet._member("e1")
    value = fleet.change()
    _, behind = fleet.everywhere(value)
    assert late == 0 and behind == 0


def network_cut(fleet):
    """The network of a replica and its readers is cut and healed."""
    fleet.network.cut("r1")
    value = fleet.change()
    others = [group for group in fleet.groups if group is not fleet.readers["a replica's events"][0]]
    _, late = fleet.everywhere(value, others)
    time.sleep(fleet.options.outage)
    fleet.network.heal("r1")
    cut = [fleet.readers["a replica's events"][0]]
    took, behind = fleet.everywhere(value, cut)
    say(f"a replica's network cut for {fleet.options.outage} s: its readers have the change {took:.2f} s after it was healed, "
        f"{behind} never got it; of the others {late} never got it")
    assert late == 0 and behind == 0


def equal(fleet):
    """Everything is the same everywhere, by the history's hash."""
    value = fleet.change()
    _, late = fleet.everywhere(value)
    writer = fleet.snapshot("writer", fleet.tokens["reader"])
    heads = [fleet.snapshot(name, fleet.replica_tokens[name])["values"] == writer["values"] for name in fleet.replicas]
    records = [
        json.loads((fleet.folder / name / "own.main.replica.json").read_text()) for name in fleet.replicas]
    held = subprocess.run(
        [*fleet.network.on("control"), ETCD.replace("etcd", "etcdctl") if ETCD.endswith("/etcd") else "etcdctl",
         "--endpoints", f"{fleet.at['e2']}:2379", "get", "/flags/row", "--print-value-only"],
        capture_output=True, text=True, check=True, env=environment() | {"ETCDCTL_API": "3"})
    rows = [(record["row"], record["hash"]) for record in records] + [
        (json.loads(held.stdout)["row"], json.loads(held.stdout)["hash"])]
    same = all(row == (writer["row"], writer["hash"]) for row in rows)
    say(f"at the end: row {writer['row']} with the same hash at 3 replicas and in etcd: {same}; the same values at the replicas: "
        f"{all(heads)}; readers without the last value: {late}")
    assert same and all(heads) and late == 0
    for group in fleet.groups:
        seen = {}
        for read in group.reads():
            if isinstance(read["value"], float) and read["value"] >= 5:
                assert read["value"] >= seen.get(read["reader"], 0), f"a reader went back: {read}"
                seen[read["reader"]] = read["value"]
    say("no reader saw a value go back")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--changes", type=int, default=100)
    parser.add_argument("--outage", type=float, default=60, help="seconds")
    parser.add_argument("--delay", type=float, default=5, help="milliseconds from a host to another")
    parser.add_argument("--loss", type=float, default=0.1, help="per cent of the frames")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        fleet = Fleet(options, Path(folder))
        say(f"{options.readers} readers, {options.delay} ms from host to host, {options.loss} % of the frames lost")
        try:
            fleet.everywhere(1.95)
            for part in (steady, writer_gone, member_gone, network_cut, equal):
                part(fleet)
        finally:
            say(fleet.close())


if __name__ == "__main__":
    main()
