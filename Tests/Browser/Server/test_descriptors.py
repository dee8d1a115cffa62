"""What a server does that may have few files and connections open."""

import contextlib
import json
import re
import socket
import subprocess
from pathlib import Path

import pytest
from followed import Events
from harness import BINARY, Server, environment
from samples import demonstration


def limited(soft, hard=None):
    """What starts a program that may have so many open, and may raise that to as many."""
    return ("bash", "-c", f'ulimit -Sn {soft}; ulimit -Hn {hard or soft}; exec "$@"', "bash")


def refused_start(file, limit, *options):
    done = subprocess.run(
        [*limited(limit), BINARY, "serve", file, "--access", "open", "--port", "0", "--no-browser", *options],
        capture_output=True, text=True, env=environment(), timeout=60, stdin=subprocess.DEVNULL)
    assert done.returncode == 1, done
    return done.stderr


@pytest.fixture(scope="module")
def least(tmp_path_factory):
    """How many descriptors a server takes at least, on this machine."""
    return int(re.search(r"at least (\d+)", refused_start(demonstration(tmp_path_factory.mktemp("least") / "demo"), 48))[1])


@contextlib.contextmanager
def served(file, limit, *options, hard=None):
    server = Server(file, *options, prefix=limited(limit, hard))
    try:
        yield server
    finally:
        assert server.stop() == 0


def connections(server, count):
    return [socket.create_connection(("127.0.0.1", server.port), timeout=30) for _ in range(count)]


def assert_at_work(server):
    """A program that watches over the server is answered, and so is a change, which is on the disk then."""
    assert server.get("/healthz").status == 200
    before = server.file.read_bytes()
    value = json.loads(server.get("/api/v1/flags/checkout/guest_checkout").body)["value"]
    answer = server.request(
        "PUT", "/api/v1/flags/checkout/guest_checkout", json.dumps({"value": not value}).encode(),
        {"Content-Type": "application/json", "If-Match": "*"})
    assert answer.status == 200, answer.text
    assert server.file.read_bytes() != before


@pytest.mark.parametrize("limit", [40, 56, 64, 100])
def test_a_server_that_could_open_too_little_says_so_at_its_start_and_how_much_it_takes(tmp_path, least, limit):
    said = refused_start(demonstration(tmp_path / "demo"), limit)
    assert f"can open {limit} files and connections, but the server needs at least {least}" in said
    assert "ulimit -n" in said


def test_a_command_that_could_open_too_little_says_so_and_raises_what_it_may(tmp_path):
    file = demonstration(tmp_path / "demo")
    for limit in ((8,), (20,), (63,), (20, 64), (64,)):
        done = subprocess.run(
            [*limited(*limit), BINARY, "set", file, "checkout/minimum_order", "7"], capture_output=True, text=True,
            env=environment(), timeout=60, stdin=subprocess.DEVNULL)
        is_enough = limit[-1] >= 64
        assert done.returncode == (0 if is_enough else 1), done
        assert is_enough or f"can open {limit[0]} files and connections, but a command needs 64" in done.stderr


def test_a_server_works_that_may_open_just_what_it_takes(tmp_path, least):
    with served(demonstration(tmp_path / "demo"), least) as server:
        assert_at_work(server)
        listener = Events(server)
        assert_at_work(server)
        listener.close()


def test_listeners_that_could_not_all_be_held_are_refused_at_the_start_with_the_number_that_can(tmp_path, least):
    said = refused_start(demonstration(tmp_path / "demo"), least + 200, "--max-streams", "900")
    assert "--max-streams 900 needs" in said
    fewer = int(re.search(r"--max-streams (\d+) or less", said)[1])
    with served(demonstration(tmp_path / "other"), least + 200, "--max-streams", str(fewer)) as server:
        with contextlib.ExitStack() as stack:
            for _ in range(fewer):
                stack.callback(Events(server).close)
            assert server.get("/events").status in (429, 503)
            assert_at_work(server)


def test_the_limit_is_raised_as_far_as_the_system_lets_it(tmp_path, least):
    hard = least + 800
    with served(demonstration(tmp_path / "demo"), least, "--max-streams", "300", hard=hard) as server:
        limits = Path(f"/proc/{server.process.pid}/limits").read_text()
        assert re.search(rf"Max open files +{hard} +{hard}", limits)
        with contextlib.ExitStack() as stack:
            for _ in range(300):
                stack.callback(Events(server).close)
            assert_at_work(server)


def test_more_silent_connections_than_the_process_may_have_keep_nobody_out(tmp_path, least):
    with served(demonstration(tmp_path / "demo"), least + 60) as server:
        open_ones = connections(server, 300)
        try:
            for _ in range(3):
                assert_at_work(server)
            listener = Events(server)
            assert_at_work(server)
            listener.close()
        finally:
            for plain in open_ones:
                plain.close()
        assert "Limiting connections to" in server.errors()
        assert_at_work(server)


def test_a_burst_of_connections_that_each_ask_for_something_is_answered_or_told_to_come_again(tmp_path, least):
    with served(demonstration(tmp_path / "demo"), least + 20) as server:
        request = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
        told = []
        for _ in range(3):
            burst = connections(server, 150)
            for plain in burst:
                with contextlib.suppress(ConnectionError):
                    plain.sendall(request)
            for plain in burst:
                with contextlib.suppress(ConnectionError):
                    told.append(plain.recv(12))
                plain.close()
        assert told.count(b"HTTP/1.1 200") > 100
        assert set(told) <= {b"HTTP/1.1 200", b"HTTP/1.1 503", b""}
        assert_at_work(server)
