"""The units of systemd in Examples/systemd."""

import re
import shutil
import socket
import subprocess
import sys

import pytest
from harness import BINARY, ROOT, environment
from samples import demonstration

UNITS = ROOT / "Examples/systemd"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="systemd is for Linux")


@pytest.fixture
def units(tmp_path):
    """The units for a program that is here."""
    folder = tmp_path / "units"
    shutil.copytree(UNITS, folder)
    service = folder / "flagboard.service"
    service.write_text(service.read_text().replace("/usr/local/bin/flagboard", str(BINARY)))
    return folder


def analyze(*arguments):
    done = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def setting(name):
    return re.findall(rf"^{name}=(.*)$", (UNITS / "flagboard.service").read_text(), re.MULTILINE)


def test_systemd_finds_nothing_wrong_with_the_units(units):
    assert analyze("verify", units / "flagboard.service", units / "flagboard.socket") == (0, "")


def test_systemd_would_find_a_mistake_in_them(units):
    service = units / "flagboard.service"
    service.write_text(service.read_text().replace("LockPersonality=true", "LockPersonalty=true"))
    assert "LockPersonalty" in analyze("verify", service)[1]


def test_little_is_exposed(units):
    # In tenths, of 100.
    code, table = analyze("security", "--offline=yes", "--threshold=10", units / "flagboard.service")
    assert code == 0, table


def calls_of(sets):
    """The system calls of systemd's sets."""
    found = set()
    for name in sets:
        lines = analyze("syscall-filter", name)[1].splitlines()
        names = {line.strip() for line in lines if line.startswith("    ") and not line.strip().startswith("#")}
        found |= calls_of(name for name in names if name.startswith("@")) | {name for name in names if name[0] != "@"}
    return found


def test_a_server_needs_nothing_that_its_unit_keeps_from_it(tmp_path):
    """Traces a start, reads, changes, a stream and a stop, with a socket that is passed."""
    file, trace = demonstration(tmp_path / "demo"), tmp_path / "trace"
    command = ["sh", "-c", 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"', "sh", BINARY, "serve", file, "--access", "open", "--no-browser"]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        place = f'exec 3<&{listener.fileno()}; exec "$@"'
        # The shells' own calls are not looked at: what is traced begins with the program.
        process = subprocess.Popen(
            ["strace", "-f", "-qq", "-o", trace, "-e", "signal=none", "bash", "-c", place, "bash", *command],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
            pass_fds=(listener.fileno(),))
        assert process.stdout.readline() == f"Flagboard is listening on http://127.0.0.1:{port}/\n"
        for method, path, body in [
            ("GET", "/", ""), ("GET", "/metrics", ""), ("GET", "/history", ""),
            ("PUT", "/api/v1/flags/checkout/guest_checkout", '{"value": true}'),
        ]:
            with socket.create_connection(("127.0.0.1", port)) as plain:
                plain.sendall((
                    f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nIf-Match: *\r\n"
                    f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode())
                with plain.makefile("rb") as answer:
                    assert answer.read().startswith(b"HTTP/1.1 200 "), path
        pid = re.search(r"process (\d+)", next(file.parent.glob("*.lock")).read_text())[1]
        subprocess.run(["kill", pid], check=True)
        _, errors = process.communicate()
        assert (process.returncode, errors) == (0, "")
    lines = trace.read_text().split(f'execve("{BINARY}"', 1)[1].splitlines()[1:]
    calls = [match for line in lines if (match := re.match(r"\d+ +(?:<\.\.\. )?([a-z]\w*)(.*)", line))]
    allowed = set()
    for line in setting("SystemCallFilter"):
        words = set(line.removeprefix("~").split())
        named = calls_of(word for word in words if word[0] == "@") | {word for word in words if word[0] != "@"}
        allowed = allowed - named if line[0] == "~" else allowed | named
    assert len(allowed) > 100 and "chroot" not in allowed and len(calls) > 1000
    assert sorted({call[1] for call in calls} - allowed) == []
    families = {match[1] for call in calls if call[1] == "socket" and (match := re.match(r"\((AF_\w+)", call[2]))}
    assert families <= set(setting("RestrictAddressFamilies")[0].split())
    assert not [call[0] for call in calls if "PROT_WRITE|PROT_EXEC" in call[2]]
