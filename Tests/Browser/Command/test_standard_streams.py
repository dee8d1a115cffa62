"""What the command prints where nobody takes it."""

import os
import re
import socket
import subprocess
import urllib.request
from contextlib import suppress

import pytest
from harness import BINARY, Server, environment
from samples import demonstration, write


class Unheard:
    """A server whose standard output goes somewhere else."""

    def __init__(self, file, redirection):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.address = f"http://127.0.0.1:{taken.getsockname()[1]}/"
            port = str(taken.getsockname()[1])
        command = [BINARY, "serve", file, "--access", "open", "--no-browser", "--port", port]
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" {redirection}', "sh", *command],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment())

    def __enter__(self):
        while not self.answers():
            with suppress(subprocess.TimeoutExpired):
                raise AssertionError(f"it ended with {self.process.wait(0.02)}: {self.process.stderr.read()}")
        return self

    def answers(self):
        try:
            with urllib.request.urlopen(self.address, timeout=20) as answer:
                return answer.status == 200
        except OSError:
            return False

    def __exit__(self, *_):
        self.process.terminate()
        self.said = self.process.communicate()[1]


def test_a_server_goes_on_when_whoever_started_it_reads_no_more(tmp_path):
    file = demonstration(tmp_path / "demo")
    command = [BINARY, "serve", file, "--no-browser", "--port", "0"]
    with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment()) as process:
        try:
            address = re.search(r"http://\S+", process.stdout.readline())[0]
            link = re.search(r"http://\S+", process.stdout.readline())[0]
            process.stdout.close()
            no_redirects = urllib.request.build_opener(StayHere)
            cookie = no_redirects.open(link).headers["Set-Cookie"].split(";")[0]
            own = {"Cookie": cookie, "Origin": address.rstrip("/"), "Sec-Fetch-Site": "same-origin"}
            asked = urllib.request.Request(f"{address}access/sessions/revoke", b"session=all", own)
            assert no_redirects.open(asked).status == 303
            assert urllib.request.urlopen(f"{address}sign-in").status == 200
        finally:
            process.terminate()
            said = process.stderr.read()
    assert process.returncode == 0, said
    assert "Can't print the new sign-in link: can't write to standard output: Broken pipe" in said


class StayHere(urllib.request.HTTPErrorProcessor):
    """Takes every answer as it is."""

    def http_response(self, request, response):
        return response


@pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
def test_a_server_starts_where_its_output_goes_nowhere(tmp_path, redirection):
    file = write(tmp_path / "shop", {"limit": 5})
    with Unheard(file, redirection) as server:
        for name in os.listdir(file.parent):
            content = (file.parent / name).read_bytes()
            assert b"Flagboard is listening" not in content, f"what is printed went into {name}"
    assert server.process.returncode == 0, server.said
    assert (f"Can't print the address {server.address}" in server.said) == (redirection == ">/dev/full")


def test_a_command_whose_output_nobody_takes_says_so(tmp_path):
    file = write(tmp_path / "shop", {"limit": 5})
    Server(file).stop()
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [BINARY, "history", "verify", file], stdout=full, stderr=subprocess.PIPE, text=True, env=environment(), timeout=60)
    assert done.returncode != 0 and "can't write to standard output: No space left on device" in done.stderr
