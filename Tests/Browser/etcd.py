"""Runs a real etcd, of one member or several, and talks to it by its JSON gateway."""

import base64
import json
import random
import shutil
import socket
import subprocess
import threading
import urllib.request
from pathlib import Path

from harness import ROOT

ETCD = shutil.which("etcd") or str(ROOT / ".build-tools/etcd")
ETCDCTL = shutil.which("etcdctl") or str(ROOT / ".build-tools/etcdctl")
GIVEN_PORTS = set()
"""The ports of members, and of what follows them: none is another one's while its program is down."""
READY = ("serving client traffic", "serving insecure client requests")


def free_ports(count):
    """Ports that no program listens at, others each time.

    They are below those that the system gives to connections, so that none takes one while its program is down.
    """
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    sockets = []
    while len(sockets) < count:
        one = socket.socket()
        port = random.randrange(10_000, lowest)
        try:
            one.bind(("127.0.0.1", port))
        except OSError:
            one.close()
            continue
        sockets.append(one)
        if port in GIVEN_PORTS:
            sockets.pop().close()
        GIVEN_PORTS.add(port)
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Member:
    """One member of a cluster."""

    def __init__(self, cluster, name, folder, client, peer):
        self.cluster, self.name, self.folder = cluster, name, folder
        self.client, self.peer = client, peer
        self.process = self._drain = None

    def launch(self):
        """Starts it, without waiting until it answers."""
        here, peer = f"http://127.0.0.1:{self.client}", f"http://127.0.0.1:{self.peer}"
        peers = ",".join(f"{one.name}=http://127.0.0.1:{one.peer}" for one in self.cluster.members)
        self.process = subprocess.Popen(
            [ETCD, "--name", self.name, "--data-dir", self.folder, "--listen-client-urls", here,
             "--advertise-client-urls", here, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
             "--initial-cluster", peers, "--logger", "zap", "--log-outputs", "stderr",
             "--heartbeat-interval", "50", "--election-timeout", "500"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def wait(self):
        """Waits until it answers."""
        said = []
        for line in self.process.stderr:
            said.append(line)
            if any(text in line for text in READY):
                # What it says from now on must not fill the pipe.
                self._drain = threading.Thread(target=self.process.stderr.read)
                self._drain.start()
                return
        raise AssertionError("etcd does not start: " + "".join(said)[-2000:])

    def start(self):
        self.launch()
        self.wait()

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process and self._drain:
            self._drain.join()
            self.process.stderr.close()
            self._drain = None


class Etcd:
    """A cluster in a folder."""

    def __init__(self, folder, members=1):
        ports = free_ports(2 * members)
        self.members = []
        self.members += [
            Member(self, f"m{number}", folder / f"m{number}", ports[2 * number], ports[2 * number + 1])
            for number in range(members)]
        for member in self.members:
            member.launch()
        for member in self.members:
            member.wait()

    def address(self, prefix="/flags"):
        return "etcd://" + ",".join(f"127.0.0.1:{member.client}" for member in self.members) + prefix

    def ask(self, path, question):
        """Asks the first member that answers."""
        problem = None
        for member in self.members:
            try:
                request = urllib.request.Request(
                    f"http://127.0.0.1:{member.client}/v3/{path}", json.dumps(question).encode())
                return json.load(urllib.request.urlopen(request, timeout=5))
            except OSError as error:
                problem = error
        raise problem

    def content(self, prefix="/flags/"):
        """What keys hold, as text."""
        encode = lambda text: base64.b64encode(text.encode()).decode()
        end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        answer = self.ask("kv/range", {"key": encode(prefix), "range_end": encode(end)})
        decode = lambda text: base64.b64decode(text).decode()
        return {decode(pair["key"]): decode(pair.get("value", "")) for pair in answer.get("kvs", [])}

    def kill(self):
        for member in self.members:
            member.kill()

    def start(self):
        for member in self.members:
            member.launch()
        for member in self.members:
            member.wait()
