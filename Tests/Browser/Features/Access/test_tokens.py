"""The command line's tokens, and what `serve` refuses to do without them."""

import fcntl
import http.client
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

import pytest
from harness import BINARY, Server, environment, flag_path
from samples import demonstration, write
from tokens import make_token, run_token

SECRET = re.compile(r"flagboard_[\w-]{43}")


@pytest.fixture
def file(tmp_path):
    return write(tmp_path / "shop", {"open": True})


def serve_refused(file, *options, variables=None):
    """Runs `serve` with options that can't be, and returns what it said."""
    before = sorted(path.name for path in file.parent.iterdir())
    result = subprocess.run(
        [BINARY, "serve", file, "--port", "0", "--no-browser", *options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        env=environment() | (variables or {}),
    )
    assert result.stdout == ""
    assert sorted(path.name for path in file.parent.iterdir()) == before
    return result.returncode, result.stderr


def waiting_for(folder, process):
    """How many of a process's requests wait for their turn in a folder."""
    open_files = (f"/proc/{process.pid}/fd/{name}" for name in os.listdir(f"/proc/{process.pid}/fd"))
    return sum(os.path.realpath(path) == os.path.realpath(folder) for path in open_files)


def test_everybody_is_answered_while_new_tokens_wait_for_another_program(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"), access="token")
    admin = make_token(server.file, "ada", "admin")
    folder = os.open(server.file.parent, os.O_RDONLY)
    own = {"Authorization": f"Bearer {admin}", "Sec-Fetch-Site": "same-origin"}

    def make(number):
        return server.post("/access/tokens", {"name": f"t{number}", "role": "viewer"}, own).status

    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        with ThreadPoolExecutor(8) as people:
            made = [people.submit(make, number) for number in range(8)]
            for _ in range(1000):
                assert server.get("/flagboard.css").status == 200
                if waiting_for(server.file.parent, server.process) == 8:
                    break
            else:
                pytest.fail("not all of them wait: they keep one another from it")
            fcntl.flock(folder, fcntl.LOCK_UN)
        assert {each.result() for each in made} == {200}
    finally:
        os.close(folder)
    assert len(json.loads(run_token("list", server.file, "--json").stdout)) == 9


def test_a_token_is_made_printed_once_listed_and_revoked(file):
    made = run_token("add", file, "--name", "Ada Łovelace", "--role", "editor", "--expires", "30d")
    assert made.returncode == 0
    assert SECRET.fullmatch(made.stdout.strip())
    assert "You won't see it again." in made.stderr and not SECRET.search(made.stderr)
    tokens = file.parent / "flags.tokens.json"
    assert tokens.stat().st_mode & 0o777 == 0o600
    assert made.stdout.strip() not in tokens.read_text()

    listed = run_token("list", file)
    assert "Ada Łovelace  editor" in listed.stdout and "expires 20" in listed.stdout
    (row,) = json.loads(run_token("list", file, "--json").stdout)
    assert row["name"] == "Ada Łovelace" and row["role"] == "editor" and row["isExpired"] is False
    assert not SECRET.search(listed.stdout)

    revoked = run_token("revoke", file, "Ada Łovelace")
    assert revoked.returncode == 0 and revoked.stdout == "Revoked the token for Ada Łovelace.\n"
    assert json.loads(run_token("list", file, variables={"FLAGBOARD_JSON": "true"}).stdout) == []
    assert run_token("revoke", file, "Ada Łovelace").returncode == 1


def test_a_stream_ends_as_soon_as_its_token_is_revoked_by_another_process(guarded):
    token = make_token(guarded.file, "deploy", "viewer")
    connection = http.client.HTTPConnection("127.0.0.1", guarded.port, timeout=60)
    connection.request("GET", "/events", headers={"Authorization": f"Bearer {token}"})
    stream = connection.getresponse()
    assert stream.status == 200
    while b"still here" not in stream.readline():
        pass
    assert run_token("revoke", guarded.file, "deploy").returncode == 0
    revoked = time.monotonic()
    *signs, ended, data = [line for line in stream.read().splitlines() if line]
    assert (ended, data) == (b"event: ended", b"data: {}") and set(signs) <= {b": still here"}
    # By itself, the stream would look only after 15 s.
    assert time.monotonic() - revoked < 10
    connection.close()


@pytest.mark.parametrize(
    "options, code, words",
    [
        (["--name", "a", "--role", "root"], 64, "'viewer', 'editor' or 'admin'"),
        (["--name", "a"], 64, "--role"),
        (["--role", "admin"], 64, "--name"),
        (["--name", "a", "--role", "admin", "--expires", "soon"], 64, "30d"),
        (["--name", "a", "--role", "admin", "--expires", "2020-01-01"], 64, "past"),
        (["--name", "", "--role", "admin"], 1, "Enter the name of the person or program"),
        (["--name", "a\nb", "--role", "admin"], 1, "contains an invisible character"),
        (["--name", "taken", "--role", "admin"], 1, "A token named “taken” already exists"),
    ],
)
def test_a_token_that_can_not_be_is_refused_with_the_cause(file, options, code, words):
    make_token(file, "taken", "viewer")
    before = (file.parent / "flags.tokens.json").read_bytes()
    result = run_token("add", file, *options)
    assert result.returncode == code
    assert words in result.stderr and result.stdout == ""
    assert (file.parent / "flags.tokens.json").read_bytes() == before


def test_the_tokens_may_be_elsewhere_and_a_missing_values_file_is_named(file, tmp_path):
    elsewhere = tmp_path / "access.json"
    make_token(file, "a", "viewer", "--tokens", elsewhere)
    listed = run_token("list", file, "--json", variables={"FLAGBOARD_TOKENS": str(elsewhere)})
    assert [row["name"] for row in json.loads(listed.stdout)] == ["a"]
    assert not (file.parent / "flags.tokens.json").exists()
    missing = run_token("add", tmp_path / "none.xml", "--name", "a", "--role", "admin")
    assert missing.returncode == 1 and "none.xml" in missing.stderr


@pytest.mark.parametrize("mode", [0o644, 0o660])
def test_tokens_that_others_may_read_or_write_stop_the_server_and_the_commands(file, mode):
    make_token(file, "a", "viewer")
    tokens = file.parent / "flags.tokens.json"
    tokens.chmod(mode)
    code, said = serve_refused(file)
    assert code == 1 and "chmod 600" in said and "flags.tokens.json" in said
    assert run_token("list", file).returncode == 1
    assert run_token("revoke", file, "a").returncode == 1


def test_a_running_server_takes_up_what_the_command_line_does(guarded):
    token = make_token(guarded.file, "bot", "editor")
    headers = {"Authorization": f"Bearer {token}"}
    assert guarded.get("/history", headers).status == 200
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = guarded.request(
        "POST", flag_path("checkout/guest_checkout"), b"action=set&value=true", headers | form)
    assert answer.status == 303
    assert '"actor":"bot","role":"editor"' in guarded.get("/export/history.jsonl", headers).text
    assert run_token("revoke", guarded.file, "bot").returncode == 0
    assert guarded.get("/history", headers).status == 401


def test_nothing_secret_is_printed_but_the_sign_in_link(tmp_path):
    server = Server(demonstration(tmp_path / "demo"), access="token")
    launch = server.link.partition("token=")[2]
    named = make_token(server.file, "ada", "admin")
    cookie = server.get("/sign-in?token=" + launch).headers["set-cookie"].partition(";")[0]
    fields = {"token": "wrong-" + named, "next": "/"}
    assert server.post("/sign-in", fields).status == 401
    assert server.post("/sign-in", {"token": named, "next": "/"}).status == 303
    assert server.get("/sign-in?token=wrong-" + named).status == 401
    assert server.get("/?q=1", {"Authorization": "Bearer wrong-" + named}).status == 401
    assert server.get("/sign-in?token=a&token=" + named).status == 400
    made = server.post("/access/tokens", {"name": "new", "role": "viewer"}, own_page(server, cookie))
    new = SECRET.search(made.text)[0]
    assert server.post("/access/sessions/revoke", {"session": "all"}, own_page(server, cookie)).status == 303
    second = server.next_link()
    assert second != server.link and server.get("/sign-in?token=" + launch).status == 401
    assert server.get(urllib.parse.urlsplit(second)._replace(scheme="", netloc="").geturl()).status == 303
    errors = server.errors()
    assert errors.count("failed sign-in from 127.0.0.1: invalid token") == 4
    lock = (server.file.parent / ".flags.xml.lock").read_text()
    history = server.get("/export/history.jsonl", {"Authorization": f"Bearer {new}"}).text
    assert server.stop() == 0
    for text in (errors, lock, history, server.printed()):
        for secret in (launch, named, new, cookie.partition("=")[2], second.partition("token=")[2]):
            assert secret not in text


def own_page(server, cookie):
    return {"Origin": server.address, "Sec-Fetch-Site": "same-origin", "Cookie": cookie}


def test_the_link_comes_as_json_too(tmp_path):
    process = subprocess.Popen(
        [BINARY, "serve", demonstration(tmp_path / "demo"), "--port", "0", "--no-browser", "--json"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    try:
        told = json.loads(process.stdout.readline())
    finally:
        process.terminate()
        process.communicate(timeout=10)
    assert told["signIn"].startswith(told["listening"] + "sign-in?token=")


OTHERS = ["0.0.0.0", "::", "192.0.2.1"]


@pytest.mark.parametrize("host", OTHERS)
def test_other_machines_need_a_token_and_a_name(file, host):
    code, said = serve_refused(file, "--host", host)
    assert code == 64 and host in said
    assert "flagboard token add" in said and "--allowed-host" in said

    code, said = serve_refused(file, "--host", host, "--allowed-host", "flags.example.com")
    assert code == 64 and "flagboard token add" in said and "- the host name" not in said

    make_token(file, "a", "viewer")
    code, said = serve_refused(file, variables={"FLAGBOARD_HOST": host})
    assert code == 64 and "FLAGBOARD_HOST" in said and "--allowed-host" in said and "flagboard token add" not in said


def test_expired_tokens_are_none(file):
    make_token(file, "a", "viewer", "--expires", "1d")
    tokens = file.parent / "flags.tokens.json"
    tokens.write_text(re.sub(r'("expires" : ")\d{4}', r"\g<1>2020", tokens.read_text()))
    code, said = serve_refused(file, "--host", "0.0.0.0", "--allowed-host", "flags.example.com")
    assert code == 64 and "flagboard token add" in said


@pytest.mark.parametrize("name", ["ftp://flags.example.com", "a b", "a/b", "a:b", "", "flags.example.com:123456"])
def test_a_host_name_that_can_not_be_is_named(file, name):
    code, said = serve_refused(file, "--allowed-host", name)
    assert code == 64 and "--allowed-host" in said


def certificate(folder, name="server"):
    """A certificate that signs itself, and its key, as PEM files."""
    paths = folder / f"{name}.crt", folder / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
        + ["-out", paths[0], "-keyout", paths[1]],
        check=True,
        capture_output=True,
    )
    return paths


def test_tls_encrypts_and_the_cookie_stays_within(serve, tmp_path):
    certificate_file, key = certificate(tmp_path)
    server = serve(
        demonstration(tmp_path / "demo"), "--tls-certificate", certificate_file, "--tls-key", key, access="token")
    assert server.address.startswith("https://") and server.link.startswith(server.address)
    context = ssl.create_default_context(cafile=certificate_file)

    def ask(request):
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
            with context.wrap_socket(connection, server_hostname="localhost") as secure:
                assert secure.version() in ("TLSv1.2", "TLSv1.3")
                secure.sendall(f"{request}Host: localhost:{server.port}\r\nConnection: close\r\n\r\n".encode())
                return b"".join(iter(lambda: secure.recv(65536), b"")).decode()

    target = server.link.removeprefix(server.address)
    answer = ask(f"GET {target} HTTP/1.1\r\n")
    assert answer.startswith("HTTP/1.1 303")
    cookie = re.search(r"Set-Cookie: (__Host-flagboard_\d+=[\w-]{43}); Path=/; HttpOnly; SameSite=Strict; Secure", answer)[1]
    page = ask(f"GET / HTTP/1.1\r\nCookie: {cookie}\r\n")
    assert page.startswith("HTTP/1.1 200")
    for origin, status in [("https", 303), ("http", 403)]:
        answer = ask(
            f"POST /sign-out HTTP/1.1\r\nCookie: {cookie}\r\nOrigin: {origin}://localhost:{server.port}\r\n"
            "Content-Length: 0\r\n")
        assert answer.startswith(f"HTTP/1.1 {status}"), origin
        if status == 303:
            cookie = re.search(r"Set-Cookie: ([^;]+)", ask(f"GET {target} HTTP/1.1\r\n"))[1]

    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost:{server.port}\r\n\r\n".encode())
        assert b"HTTP/1.1" not in connection.recv(65536)
    assert server.link.partition("token=")[2] not in server.errors()


def test_a_certificate_that_can_not_be_used_is_named(file, tmp_path):
    good, key = certificate(tmp_path)
    _, other_key = certificate(tmp_path, "other")
    empty = tmp_path / "empty.pem"
    empty.write_text("")
    for options, named in [
        ((good, tmp_path / "none.key"), "none.key: the file doesn't exist"),
        ((tmp_path / "none.crt", key), "none.crt: the file doesn't exist"),
        ((empty, key), "empty.pem: it contains no certificate"),
        ((key, key), "server.key: it contains no certificate"),
        ((good, empty), "empty.pem: it contains no private key"),
        ((good, other_key), "other.key: it doesn't match the certificate in server.crt"),
    ]:
        code, said = serve_refused(file, "--tls-certificate", options[0], "--tls-key", options[1])
        assert code == 1 and named in said, (options, said)
    for option in ("--tls-certificate", "--tls-key"):
        code, said = serve_refused(file, option, good)
        assert code == 64 and "--tls-certificate" in said and "--tls-key" in said


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has more loopback addresses than one")
def test_another_address_is_served_under_its_names_without_a_link(tmp_path):
    file = demonstration(tmp_path / "demo")
    token = make_token(file, "ada", "admin")
    process = subprocess.Popen(
        [BINARY, "serve", file, "--host", "127.0.0.2", "--port", "0", "--no-browser", "--allowed-host", "Flags.example.com"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment() | {"NO_COLOR": "1"},
    )
    try:
        port = int(re.fullmatch(r"Flagboard is listening on http://Flags\.example\.com:(\d+)/\n", process.stdout.readline())[1])
        statuses = {}
        for host in (f"flags.example.com:{port}", f"127.0.0.2:{port}", "flags.example.com", f"evil.example:{port}"):
            connection = http.client.HTTPConnection("127.0.0.2", port, timeout=20)
            connection.request("GET", "/", headers={"Host": host, "Authorization": f"Bearer {token}"})
            statuses[host] = connection.getresponse().status
            connection.close()
    finally:
        process.terminate()
        printed, said = process.communicate(timeout=10)
    assert list(statuses.values()) == [200, 200, 200, 421]
    assert printed == "" and "Connections are not encrypted" in said and "--tls-certificate" in said
