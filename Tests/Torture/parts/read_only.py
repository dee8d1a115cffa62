"""Takes away the right to write: the file's, the folder's, the history's, before the start and while it runs."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from harness import BINARY, Server, environment
from subject import check_nothing_left, check_pages, project, rows_of, values, verify
from table import Skipped, attempt, spread

FULL, QUICK = 5, 5


def prefix():
    """What to put before a command so that permissions hold, which they don't for root."""
    if os.geteuid() != 0:
        return ()
    found = ("setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner")
    if shutil.which("setpriv") is None or subprocess.run([*found, "test", "-e", "/"]).returncode != 0:
        raise Skipped("root writes everywhere here, and setpriv can't take that away")
    return found


def modes(place):
    """What is closed, and its modes before and after."""
    return {
        "folder": [("", 0o500, 0o700)],
        "file": [("flags.xml", 0o400, 0o600)],
        "history": [(f"flags.history.sqlite{ending}", 0o400, 0o600) for ending in ("", "-wal", "-shm")],
    }[place]


def while_serving(place):
    """A file that is open stays so, and a history that can be written is no reason to refuse."""
    with tempfile.TemporaryDirectory() as name:
        server = Server(project(Path(name) / "project"), prefix=prefix())
        try:
            server.change("a", "set", "2")
            fields = server.editor("a") | {"action": "set", "value": "3"}
            for path, closed, _ in modes(place):
                (server.file.parent / path).chmod(closed)
            answer = server.post("/flags/a", fields)
            assert place == "history" or answer.status == 503, f"{answer.status}: {answer.text}"
            held = values(server.file)["a"]
            assert held == (3 if answer.status == 303 else 2)
            check_pages(server)
            if place != "history":
                assert "Can’t write" in server.get("/").text, "no page says that nothing can be changed"
            for path, _, opened in modes(place):
                (server.file.parent / path).chmod(opened)
            server.change("a", "set", "4")
            rows = [row for row in rows_of(server) if row["kind"] == "set"]
            assert len(rows) == held, f"{rows}"
        finally:
            server.file.parent.chmod(0o700)
            server.stop()
        check_nothing_left(server.file)
        verify(server.file)


def at_start(_):
    """A folder that may not be written is refused by name, and served read-only with the history elsewhere."""
    with tempfile.TemporaryDirectory() as name:
        file = project(Path(name) / "project")
        before = file.read_bytes()
        file.parent.chmod(0o500)
        try:
            done = subprocess.run(
                [*prefix(), BINARY, "serve", file, "--access", "open", "--port", "0", "--no-browser"],
                capture_output=True, text=True, env=environment(), timeout=60)
            assert done.returncode == 1 and str(file.parent) in done.stderr, f"{done}"
            history = Path(name) / "history.sqlite"
            server = Server(file, "--read-only", "--history", history, prefix=prefix())
            try:
                check_pages(server)
                assert "Read-only mode." in server.get("/").text
            finally:
                server.stop()
            assert sorted(path.name for path in file.parent.iterdir()) == ["flags.manifest.xml", "flags.xml"]
            assert file.read_bytes() == before
        finally:
            file.parent.chmod(0o700)


def start_on_closed_history(_):
    """A history that may not be written is refused by name, and left as it is."""
    with tempfile.TemporaryDirectory() as name:
        file = project(Path(name) / "project")
        server = Server(file)
        server.change("a", "set", "2")
        server.stop()
        history = file.with_suffix(".history.sqlite")
        before = history.read_bytes()
        history.chmod(0o400)
        done = subprocess.run(
            [*prefix(), BINARY, "serve", file, "--access", "open", "--port", "0", "--no-browser"],
            capture_output=True, text=True, env=environment(), timeout=60)
        assert done.returncode == 1 and history.name in done.stderr and "not writable" in done.stderr, f"{done}"
        assert history.read_bytes() == before


def run(count, jobs):
    cases = [(while_serving, place) for place in ("folder", "file", "history")]
    cases += [(at_start, "folder"), (start_on_closed_history, "history")]
    prefix()
    return [attempt("rights taken away", spread(cases, count), lambda case: case[0](case[1]), jobs)]
