"""How a server ends."""

import re
import socket
import subprocess
from pathlib import Path
from signal import SIGINT, SIGTERM

import pytest
from harness import BINARY, environment
from samples import demonstration, three_hundred_flags
from stopping import Load


@pytest.mark.parametrize("turn", range(3))
def test_nothing_that_was_accepted_is_cut_where_the_server_is_stopped_under_load(serve, tmp_path, turn):
    load = Load(serve(demonstration(tmp_path / "demo")), clients=9, listeners=4)
    load.run(requests=15)
    assert load.faults == []
    assert load.tally["streams ended whole"] == 4


def connected(server, *sent):
    plain = socket.create_connection(("127.0.0.1", server.port))
    for text in sent:
        plain.sendall(text.format(port=server.port).encode())
    return plain


def rest(plain):
    """All that comes until the connection ends."""
    with plain, plain.makefile("rb") as file:
        return file.read().decode()


HEAD = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"


@pytest.mark.parametrize("signal", [SIGTERM, SIGINT])
def test_a_server_with_nothing_to_do_ends_with_0(serve, tmp_path, signal):
    server = serve(demonstration(tmp_path / "demo"))
    server.process.send_signal(signal)
    assert server.process.wait() == 0
    assert server.errors() == ""


def test_a_server_that_is_stopped_while_it_starts_ends_with_0(tmp_path):
    process = subprocess.Popen(
        [BINARY, "serve", demonstration(tmp_path / "demo"), "--port", "0", "--no-browser"], env=environment(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def signals(name):
        return int(re.search(rf"{name}:\s*([0-9a-f]+)", Path(f"/proc/{process.pid}/status").read_text())[1], 16)

    stop = 1 << (SIGTERM - 1)
    while not signals("SigCgt") & stop:
        assert not signals("SigIgn") & stop, "it ignored the signal before it listened for it"
    process.send_signal(SIGTERM)
    process.communicate()
    assert process.returncode == 0


def test_a_request_that_is_half_sent_is_told_that_it_came_too_late(demo):
    plain = connected(demo, HEAD)
    # The answer to the next connection tells that the server has seen the first.
    assert demo.get("/healthz").status == 200
    demo.process.send_signal(SIGTERM)
    answer = rest(plain)
    assert answer.startswith("HTTP/1.1 408 ") and "\r\nConnection: close\r\n" in answer
    assert demo.process.wait() == 0


def test_a_request_whose_rest_comes_in_time_is_answered_as_the_last_one(demo):
    plain = connected(demo, HEAD)
    assert demo.get("/healthz").status == 200
    demo.process.send_signal(SIGTERM)
    plain.sendall(b"\r\n")
    answer = rest(plain)
    assert answer.startswith("HTTP/1.1 200 ") and '"status":"ready"' in answer
    assert demo.process.wait() == 0


def test_silent_connections_and_clients_that_read_nothing_do_not_keep_it(serve, tmp_path):
    server = serve(three_hundred_flags(tmp_path / "large"))
    silent = [connected(server) for _ in range(5)]
    unread = connected(server, *["GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"] * 30)
    assert server.get("/healthz").status == 200
    server.process.send_signal(SIGTERM)
    assert server.process.wait() == 0
    assert server.errors() == ""
    for plain in [*silent, unread]:
        plain.close()


def test_a_stopped_server_leaves_the_history_in_one_file(demo):
    demo.change("checkout/guest_checkout", "set", "true")
    demo.process.send_signal(SIGTERM)
    assert demo.process.wait() == 0
    assert not list(demo.file.parent.glob("*.sqlite-*"))
