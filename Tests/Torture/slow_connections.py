"""Holds many slow connections against a server and measures what an honest client notices.

    slow_connections.py [--connections N] [--seconds S] [--unread PATH]

Four kinds of client take equal parts: one sends a head byte by byte, one a body, one nothing, and one asks again and again
for what it never reads. Each connects again a second after it was thrown out. The honest client opens a connection for each
request, so that it has to be let in each time.

What the clients that never read ask for costs the server the same as if they did; with a page that is costly to make, they
are a flood of requests besides being slow.
"""

import argparse
import asyncio
import http.client
import multiprocessing
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Browser"))

from harness import Server
from samples import three_hundred_flags

KINDS = ("slow head", "slow body", "silent", "slow reader")
HONEST = ("/flags/group_3/flag_07", "/history", "/flagboard.css")


async def _send_slowly(writer, start, more="x"):
    writer.write(start.encode())
    while True:
        await asyncio.sleep(1)
        writer.write(more.encode())
        await writer.drain()


async def _attack(port, kind, unread):
    """One client that is slow until the server ends its connection."""
    head = f"Host: 127.0.0.1:{port}\r\n"
    plain = socket.socket()
    if kind == "slow reader":
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.setblocking(False)
    tasks = []
    try:
        await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", port))
        reader, writer = await asyncio.open_connection(sock=plain, limit=1024)
        if kind == "slow head":
            tasks.append(_send_slowly(writer, f"GET / HTTP/1.1\r\n{head}X-Long: "))
        elif kind == "slow body":
            form = "Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n"
            post = f"POST /flags/group_0/flag_00 HTTP/1.1\r\n{head}{form}Content-Length: 500\r\n\r\naction=reset&"
            tasks.append(_send_slowly(writer, post))
        elif kind == "slow reader":
            # An empty line before a request means nothing; only sending it tells that the server has ended the connection.
            tasks.append(_send_slowly(writer, f"GET {unread} HTTP/1.1\r\n{head}\r\n", "\r\n"))
            writer.transport.pause_reading()
        if kind != "slow reader":
            tasks.append(reader.read())
        tasks = [asyncio.create_task(task) for task in tasks]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        writer.transport.abort()
    finally:
        plain.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _attack_again(port, kind, unread):
    while True:
        try:
            await _attack(port, kind, unread)
        except OSError:
            pass
        await asyncio.sleep(1)


def _attackers(port, connections, unread, begun, ends):
    """Runs in a process of its own, so that it takes nothing from the honest client but the processor."""

    async def run():
        tasks = [
            asyncio.create_task(_attack_again(port, KINDS[number % len(KINDS)], unread))
            for number in range(connections)
        ]
        await asyncio.sleep(1)
        begun.set()
        while not ends.is_set():
            await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())


def _memory(server, name):
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith(name))


def _honest(server, seconds):
    """Asks one request after another, each on a connection of its own; returns the times in ms and how many failed."""
    times, failed = [], 0
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end:
        began = time.monotonic()
        try:
            answered = server.get(HONEST[number % len(HONEST)]).status == 200
        except (OSError, http.client.HTTPException):
            answered = False
        times.append((time.monotonic() - began) * 1000)
        failed += not answered
        number += 1
    return sorted(times), failed


def _share(times, part):
    return times[min(len(times) - 1, int(len(times) * part))]


def _open_connections(server):
    return sum(
        1 for link in Path(f"/proc/{server.process.pid}/fd").iterdir() if str(_target(link)).startswith("socket:"))


def _target(link):
    try:
        return link.readlink()
    except FileNotFoundError:
        return ""


def measure(connections=500, seconds=60, unread="/flagboard.css"):
    """Runs both; returns what was measured by name. No figure fails anything but a request that was not answered."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(three_hundred_flags(Path(folder) / "large"))
        try:
            calm, failed_before = _honest(server, min(seconds, 5))
            context = multiprocessing.get_context("spawn")
            begun, ends = context.Event(), context.Event()
            attackers = context.Process(target=_attackers, args=(server.port, connections, unread, begun, ends))
            attackers.start()
            assert begun.wait(30), "the slow clients did not start"
            most = 0
            done = threading.Event()

            def watch():
                nonlocal most
                while not done.wait(0.2):
                    most = max(most, _open_connections(server))

            watcher = threading.Thread(target=watch)
            watcher.start()
            times, failed = _honest(server, seconds)
            done.set()
            watcher.join()
            ends.set()
            attackers.join(30)
            assert attackers.exitcode == 0, f"the slow clients ended with {attackers.exitcode}"
            return {
                "connections": connections,
                "seconds": seconds,
                "requests": len(times),
                "failed": failed_before + failed,
                "calm p50 ms": _share(calm, 0.5),
                "calm p99 ms": _share(calm, 0.99),
                "p50 ms": _share(times, 0.5),
                "p99 ms": _share(times, 0.99),
                "worst ms": times[-1],
                "most sockets open": most,
                "peak memory MiB": _memory(server, "VmHWM"),
            }
        finally:
            server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--connections", type=int, default=500, help="how many slow connections (default: 500)")
    parser.add_argument("--seconds", type=int, default=60, help="for how long (default: 60)")
    parser.add_argument("--unread", default="/flagboard.css", help="what is asked for and not read (default: the style sheet)")
    options = parser.parse_args()
    for name, figure in measure(options.connections, options.seconds, options.unread).items():
        print(f"{figure:12.1f}  {name}" if isinstance(figure, float) else f"{figure:12}  {name}")


if __name__ == "__main__":
    main()
