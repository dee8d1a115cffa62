"""A network of hosts on one machine: a namespace for each, and a switch between them that delays and loses what it passes on.

The switch is a process of its own, which holds the other end of each host's interface: it needs no `tc netem`, which not every
kernel has. It obeys lines on its standard input: `cut HOST`, `heal HOST`.
"""

import asyncio
import ctypes
import fcntl
import os
import random
import struct
import subprocess
import sys

TUNSETIFF, IFF_TAP, IFF_NO_PI, CLONE_NEWNET = 0x400454CA, 0x0002, 0x1000, 0x40000000
LARGEST_FRAME = 65_536


def enter(namespace):
    """Has this thread, and what it starts, use the network of a namespace."""
    with open(f"/var/run/netns/{namespace}") as file:
        if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"can't enter the namespace {namespace}")


class Network:
    """Hosts by their names, at 10.77.0.1 and so on; this process is one of them, named first."""

    def __init__(self, names, delay, loss, seed):
        self.label = f"flagboard{os.getpid()}"
        self.addresses = {name: f"10.77.0.{number}" for number, name in enumerate(names, 1)}
        for name in names:
            _run("ip", "netns", "add", self.namespace(name))
        arguments = [str(delay), str(loss), str(seed), *(f"{name}={self.namespace(name)}" for name in names)]
        self._switch = subprocess.Popen(
            [sys.executable, "-B", __file__, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._switch.stdout.readline() == "ready\n"
        for name, address in self.addresses.items():
            inside = ["ip", "netns", "exec", self.namespace(name), "ip"]
            _run(*inside, "link", "set", "lo", "up")
            _run(*inside, "addr", "add", f"{address}/24", "dev", "port")
            _run(*inside, "link", "set", "port", "up")
        enter(self.namespace(names[0]))

    def namespace(self, name):
        return f"{self.label}-{name}"

    def on(self, name):
        """What a command begins with to run on a host."""
        return ["ip", "netns", "exec", self.namespace(name)]

    def cut(self, name):
        self._tell(f"cut {name}")

    def heal(self, name):
        self._tell(f"heal {name}")

    def _tell(self, line):
        self._switch.stdin.write(line + "\n")
        self._switch.stdin.flush()
        assert self._switch.stdout.readline() == "done\n"

    def close(self):
        """Ends the switch, and tells how many frames it passed on and lost."""
        self._switch.stdin.close()
        told = self._switch.stdout.read().strip()
        self._switch.wait()
        for name in self.addresses:
            _run("ip", "netns", "del", self.namespace(name))
        return told


def _run(*command):
    subprocess.run(command, check=True, capture_output=True)


class Switch:
    """Passes frames on, each after a while."""

    def __init__(self, delay, loss, seed):
        self.delay, self.loss, self.random = delay, loss, random.Random(seed)
        self.ports, self.places, self.cut = {}, {}, set()
        self.passed = self.lost = 0

    def open(self, name, namespace):
        enter(namespace)
        port = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(port, TUNSETIFF, struct.pack("16sH", b"port", IFF_TAP | IFF_NO_PI))
        self.ports[name] = port

    def take(self, name):
        for _ in range(64):
            try:
                frame = os.read(self.ports[name], LARGEST_FRAME)
            except BlockingIOError:
                return
            self.places[frame[6:12]] = name
            known = self.places.get(frame[:6])
            for target in [known] if known else [other for other in self.ports if other != name]:
                if name in self.cut or target in self.cut or self.random.random() < self.loss:
                    self.lost += 1
                else:
                    self.passed += 1
                    asyncio.get_running_loop().call_later(self.delay, self.give, target, frame)

    def give(self, name, frame):
        # What was on the way when the cable was cut is gone.
        if name in self.cut:
            return
        try:
            os.write(self.ports[name], frame)
        except (BlockingIOError, OSError):
            self.lost += 1

    async def run(self):
        loop = asyncio.get_running_loop()
        for name, port in self.ports.items():
            loop.add_reader(port, self.take, name)
        ended = loop.create_future()
        loop.add_reader(sys.stdin.fileno(), self.obey, ended)
        print("ready", flush=True)
        await ended
        print(f"{self.passed} frames were passed on, and {self.lost} lost", flush=True)

    def obey(self, ended):
        line = sys.stdin.readline()
        if not line:
            if not ended.done():
                ended.set_result(None)
            return
        deed, name = line.split()
        (self.cut.add if deed == "cut" else self.cut.discard)(name)
        print("done", flush=True)


def main():
    delay, loss, seed, *hosts = sys.argv[1:]
    switch = Switch(float(delay), float(loss), int(seed))
    for host in hosts:
        name, namespace = host.split("=")
        switch.open(name, namespace)
    asyncio.run(switch.run())


if __name__ == "__main__":
    main()
