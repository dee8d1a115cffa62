"""What somebody does with an installed Flagboard, whatever it was installed by."""

import http.client
import json
import statistics
import subprocess
import time
from contextlib import contextmanager

FOLDER = "/home/ada/flags"
STARTS = 7


@contextmanager
def served(system, *options, user="ada", **where):
    """Starts a server, gives its port and its sign-in token, and stops it as a service manager would."""
    words = ["sh", "-c", 'echo $$; exec flagboard serve "$@"', "sh", f"{FOLDER}/flags.xml", "--port", "0", "--no-browser", *options]
    process = subprocess.Popen(
        system.command(words, user=user, **where), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    number = process.stdout.readline()
    try:
        address, link = (process.stdout.readline() for _ in range(2))
        assert link, f"the server didn't start: {process.stderr.read()}"
        yield int(address.rsplit(":", 1)[1].strip("/\n")), link.strip().split("token=")[1]
        system.run("sh", "-c", f"kill {number}")
        errors = process.communicate(timeout=60)[1]
        assert (process.returncode, errors) == (0, ""), f"the server ended with {process.returncode}: {errors}"
    finally:
        # What the pipes lead to is inside, and outlives the process that entered.
        subprocess.run(system.command(["sh", "-c", f"kill -9 {number}"]), capture_output=True, check=False)
        process.communicate()


def answer(port, path, method="GET", body=None, token=None):
    """The status of an answer, and its text."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if body is not None:
        headers |= {"Content-Type": "application/json", "If-Match": "*"}
        body = json.dumps(body)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def check_pages(port, token):
    """Reads pages, their style sheets and the state, with a token."""
    assert json.loads(answer(port, "/healthz")[1])["status"] == "ready"
    status, page = answer(port, "/", token=token)
    assert status == 200 and "search/limit" in page and "<title>" in page, page
    style = page.split('<link rel="stylesheet" href="', 1)[1].split('"', 1)[0]
    assert answer(port, style)[0] == 200, style


def use_flags(system, version):
    """Makes a file of flags, changes it, reads and checks its history; returns how long a start takes, in milliseconds."""

    def flagboard(*words, code=0):
        return system.run("flagboard", *words, code=code, user="ada", directory=FOLDER)

    assert not list(system.folder.rglob("*libswift*"))
    assert system.run("flagboard", "--version").strip() == version
    system.add_user("ada")
    system.run("mkdir", FOLDER, user="ada")
    with served(system, "--create"):
        # Through the server.
        flagboard("define", "flags.xml", "search/limit", "--type", "integer", "--default", "20", "--minimum", "1")
        flagboard("set", "flags.xml", "search/limit", "30", "--reason", "More fit on a page.")
    token = json.loads(flagboard("token", "add", "flags.xml", "--name", "grace", "--role", "editor", "--json"))["token"]
    with served(system) as (port, _):
        check_pages(port, token)
        assert answer(port, "/api/v1/flags/search/limit", "PUT", {"value": 40}, token)[0] == 200
    # Without a server.
    assert flagboard("get", "flags.xml", "search/limit").strip() == "40"
    flagboard("set", "flags.xml", "search/limit", "0", code=5)
    flagboard("undo", "flags.xml", code=6)
    assert json.loads(flagboard("export", "flags.xml", "--format", "json")) == {"search": {"limit": 40}}
    history = flagboard("history", "flags.xml")
    assert "grace" in history and "More fit on a page." in history, history
    flagboard("history", "verify", "flags.xml")
    assert "<integer>40</integer>" in (system.folder / FOLDER[1:] / "flags.xml").read_text()
    times = []
    for _ in range(STARTS):
        start = time.monotonic()
        with served(system):
            times.append(1000 * (time.monotonic() - start))
    return statistics.median(times)
