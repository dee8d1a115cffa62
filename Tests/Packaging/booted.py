"""The units of systemd in a Debian 12 that systemd has really started, by systemd-nspawn."""

import http.client
import json
import re
import signal
import socket
import subprocess
import threading
import time
from contextlib import contextmanager

from bare import System, copy_of_bare, first_process, inside
from used import answer, check_pages

FLAGS = '<plist version="1.0"><dict><key>search</key><dict><key>limit</key><integer>30</integer></dict></dict></plist>\n'
RESTARTS = 5


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@contextmanager
def booted(folder):
    """The system of a folder, after systemd has started everything in it."""
    nspawn = subprocess.Popen(
        ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--console=pipe", "--boot", f"--directory={folder}"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        system = System(folder, first_process(nspawn))
        end = time.monotonic() + 60
        while True:
            done = subprocess.run(system.command(["systemctl", "is-system-running", "--wait"]), capture_output=True, text=True, check=False)
            if done.stdout.strip() in ("running", "degraded"):
                break
            assert time.monotonic() < end, f"systemd didn't start: {done.stdout}{done.stderr}"
            time.sleep(0.1)
        yield system
    finally:
        # It takes this for an orderly end of the system.
        nspawn.send_signal(signal.SIGTERM)
        try:
            nspawn.wait(60)
        except subprocess.TimeoutExpired:
            nspawn.kill()
            nspawn.wait()


def show(system, name, unit="flagboard.service"):
    return system.run("systemctl", "show", "--value", "-p", name, unit).strip()


class Requests(threading.Thread):
    """Asks for the state and makes a change, again and again, and counts what wasn't answered."""

    def __init__(self, port, token):
        super().__init__()
        self.port, self.token = port, token
        self.answered, self.changes, self.failed, self.is_over = 0, [], [], False

    def run(self):
        number = 0
        while not self.is_over:
            number += 1
            change = {"value": number % 90 + 1, "reason": f"change {number} of {self.name}"}
            try:
                status, _ = answer(self.port, "/healthz")
                assert status == 200, status
                status, said = answer(self.port, "/api/v1/flags/search/limit", "PUT", change, self.token)
                assert status == 200, said
                self.answered += 2
                self.changes.append(change["reason"])
            except (OSError, http.client.HTTPException, AssertionError) as problem:
                self.failed.append(repr(problem))

    def finish(self):
        """Ends, and checks that what was acknowledged is in the history."""
        self.is_over = True
        self.join()
        status, rows = answer(self.port, "/export/history.jsonl", token=self.token)
        assert status == 200 and self.changes
        assert set(self.changes) <= {json.loads(row)["reason"] for row in rows.splitlines()}


def try_service(packages):
    """The service of the Debian package: started by the lines of README.Debian, used, restarted, killed, removed."""
    with copy_of_bare() as folder:
        with inside(folder) as system:
            system.copy_in(packages.deb, "/root/flagboard.deb")
            system.install("systemd", "dbus", "/root/flagboard.deb")
            system.run("systemd-analyze", "verify", "flagboard.service", "flagboard.socket")
            # The service is left to whoever administers the machine.
            assert not list(folder.glob("etc/systemd/system/*.wants/flagboard.*"))
        port = free_port()
        drop_in = folder / "etc/systemd/system/flagboard.socket.d/port.conf"
        drop_in.parent.mkdir()
        drop_in.write_text(f"[Socket]\nListenStream=\nListenStream=127.0.0.1:{port}\n")
        (folder / "root/flags.xml").write_text(FLAGS)
        text = (folder / "usr/share/doc/flagboard/README.Debian").read_text().replace("\\\n", "")
        install, add_token, enable = re.findall(r"^    (\w.*)$", text, re.MULTILINE)
        with booted(folder) as system:
            system.run("sh", "-c", f"cd /root && {install}")
            token = json.loads(system.run("sh", "-c", f"{add_token} --json"))["token"]
            start = time.monotonic()
            system.run("sh", "-c", enable)
            assert json.loads(answer(port, "/healthz")[1])["takesChanges"]
            start = time.monotonic() - start
            check_pages(port, token)
            status, said = answer(port, "/api/v1/flags/search/limit", "PUT", {"value": 40}, token)
            assert status == 200, said
            values = folder / "var/lib/flagboard/flags.xml"
            assert "<integer>40</integer>" in values.read_text()
            assert [show(system, name) for name in ("User", "PrivateNetwork", "NoNewPrivileges")] == ["flagboard", "yes", "yes"]

            requests = Requests(port, token)
            requests.start()
            for _ in range(RESTARTS):
                # So many starts within seconds are the test's.
                system.run("systemctl", "reset-failed", "flagboard.service")
                system.run("systemctl", "restart", "flagboard.service")
            requests.finish()
            assert not requests.failed, requests.failed

            number = show(system, "MainPID")
            unlucky = Requests(port, token)
            unlucky.start()
            while not unlucky.changes:
                answer(port, "/healthz")
            system.run("sh", "-c", f"kill -9 {number}")
            assert answer(port, "/healthz")[0] == 200 and show(system, "MainPID") != number
            assert (show(system, "NRestarts"), show(system, "ActiveState")) == ("1", "active")
            unlucky.finish()
            assert answer(port, "/api/v1/flags/search/limit", "PUT", {"value": 40}, token)[0] == 200
            system.run("sh", "-c", "flagboard history verify /var/lib/flagboard/flags.xml")

            system.run("dpkg", "--purge", "flagboard")
            assert show(system, "ActiveState") == "inactive"
            assert not list(folder.glob("etc/systemd/system/*.wants/flagboard.*"))
            assert "<integer>40</integer>" in values.read_text()
    return f"ready {1000 * start:.0f} ms after it was enabled; {RESTARTS} restarts, {requests.answered} requests meanwhile, none lost"
