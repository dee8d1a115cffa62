"""A socket that a service manager opens for the server."""

import http.client
import select
import socket
import subprocess
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from harness import BINARY, environment
from samples import demonstration

PASSING = ("bash", "-c", 'LISTEN_PID=${LISTEN_PID:-$$} LISTEN_FDS=${FDS:-1} exec "$@" 3<&"$LISTENER"-', "bash")
"""Gives a socket as number 3 to the program that takes this one's place, and says so as systemd does.

No Python runs between the fork and the program, where a test with several threads could wait for ever.
"""


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as found:
        yield found


def passed(listener, *options, file, variables=None):
    """Starts the server with the socket as number 3."""
    number = listener.fileno()
    return subprocess.Popen(
        [*PASSING, BINARY, "serve", file, "--no-browser", *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env=environment() | {"LISTENER": str(number)} | (variables or {}), pass_fds=(number,))


def asked(port, path="/healthz"):
    with socket.create_connection(("127.0.0.1", port)) as plain:
        plain.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        with plain.makefile("rb") as file:
            return file.read().decode()


def ended(process):
    process.terminate()
    out, errors = process.communicate()
    assert (process.returncode, errors) == (0, ""), errors
    return out


def refused(process):
    out, errors = process.communicate()
    assert (process.returncode, out) == (64, "")
    return errors


def test_the_socket_is_served_and_its_address_printed(listener, tmp_path):
    port = listener.getsockname()[1]
    process = passed(listener, "--access", "open", file=demonstration(tmp_path / "demo"))
    assert process.stdout.readline() == f"Flagboard is listening on http://127.0.0.1:{port}/\n"
    answers = [asked(port) for _ in range(20)]
    assert all(answer.startswith("HTTP/1.1 200 ") for answer in answers)
    assert "checkout" in asked(port, "/")
    ended(process)


def test_who_comes_before_the_server_waits_for_it_and_who_comes_between_two_for_the_next(listener, tmp_path):
    port, file = listener.getsockname()[1], demonstration(tmp_path / "demo")
    for _ in range(2):
        with socket.create_connection(("127.0.0.1", port)) as early:
            early.sendall(f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
            process = passed(listener, "--access", "open", file=file)
            with early.makefile("rb") as answer:
                assert answer.read().startswith(b"HTTP/1.1 200 ")
            ended(process)


def test_no_request_is_lost_where_the_server_is_started_anew_under_load(listener, tmp_path):
    """Each request is made until it is answered by whichever process there is; none is made twice."""
    port, file = listener.getsockname()[1], demonstration(tmp_path / "demo")
    answered, faults = threading.Semaphore(0), []

    def ask(keeps):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for number in range(200):
            try:
                connection.request("GET", ["/healthz", "/api/v1/flags"][number % 2])
                answer = connection.getresponse()
                if answer.status != 200 or not answer.read():
                    faults.append(answer.status)
                if answer.will_close or not keeps:
                    connection.close()
            except (OSError, http.client.HTTPException) as error:
                faults.append(repr(error))
                connection.close()
            answered.release()
        connection.close()

    process = passed(listener, "--access", "open", file=file)
    threads = [threading.Thread(target=ask, args=(number % 2 == 0,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for _ in range(3):
        for _ in range(300):
            answered.acquire()
        ended(process)
        process = passed(listener, "--access", "open", file=file)
    for thread in threads:
        thread.join()
    ended(process)
    assert faults == []


def is_about_to_listen(process):
    """Whether it has the socket that it opens right before it accepts from the one that was passed."""
    lines = [line.split() for line in Path("/proc/net/unix").read_text().splitlines()]
    own = {f"socket:[{line[6]}]" for line in lines if len(line) > 7 and "/flagboard-own-" in line[7]}
    return bool(own) and not own.isdisjoint(opened(process.pid))


def opened(process):
    for link in Path(f"/proc/{process}/fd").iterdir():
        # It may be closed meanwhile.
        with suppress(FileNotFoundError):
            yield str(link.readlink())


def test_no_request_is_lost_where_the_server_is_stopped_while_it_starts(listener, tmp_path):
    port, file = listener.getsockname()[1], demonstration(tmp_path / "demo")
    request = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode()
    with ExitStack() as stack:
        clients, hits = [], 0
        for _ in range(8):
            clients.append(stack.enter_context(socket.create_connection(("127.0.0.1", port))))
            clients[-1].settimeout(60)
            clients[-1].sendall(request)
            process = passed(listener, "--access", "open", file=file)
            while not (is_hit := is_about_to_listen(process)) and not select.select([process.stdout], [], [], 0)[0]:
                pass
            hits += is_hit
            ended(process)
        assert hits > 0, "each was stopped too late"
        process = passed(listener, "--access", "open", file=file)
        assert process.stdout.readline()
        for client in clients:
            with client.makefile("rb") as answer:
                assert answer.read().startswith(b"HTTP/1.1 200 ")
        ended(process)


def test_a_socket_for_another_process_is_left_alone(listener, tmp_path):
    file = demonstration(tmp_path / "demo")
    process = passed(listener, "--access", "open", "--port", "0", file=file, variables={"LISTEN_PID": "1"})
    assert f":{listener.getsockname()[1]}/" not in process.stdout.readline()
    ended(process)


def test_options_that_name_another_address_are_refused(listener, tmp_path):
    process = passed(listener, "--port", "0", file=demonstration(tmp_path / "demo"))
    assert "Remove --host and --port" in refused(process)


def test_several_sockets_are_refused(listener, tmp_path):
    process = passed(listener, file=demonstration(tmp_path / "demo"), variables={"FDS": "2"})
    assert "LISTEN_FDS is 2, but only one socket can be served" in refused(process)


def test_what_does_not_listen_is_refused(tmp_path):
    with socket.socket() as plain:
        plain.bind(("127.0.0.1", 0))
        assert "not a listening socket" in refused(passed(plain, file=demonstration(tmp_path / "demo")))


def test_a_socket_of_the_file_system_is_refused(tmp_path):
    with socket.socket(socket.AF_UNIX) as local:
        local.bind(str(tmp_path / "s"))
        local.listen()
        assert "no address and port" in refused(passed(local, file=demonstration(tmp_path / "demo")))


def test_a_socket_that_others_reach_needs_what_keeps_strangers_out(tmp_path):
    with socket.create_server(("0.0.0.0", 0)) as wide:
        errors = refused(passed(wide, "--access", "open", file=demonstration(tmp_path / "demo")))
    assert "LISTEN_FDS would give access to anyone who can reach 0.0.0.0" in errors


def test_an_address_of_the_sixth_version_is_served(tmp_path):
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as six:
        process = passed(six, "--access", "open", file=demonstration(tmp_path / "demo"))
        assert process.stdout.readline() == f"Flagboard is listening on http://[::1]:{six.getsockname()[1]}/\n"
        ended(process)
