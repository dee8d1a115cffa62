"""Fills the disk up to a point from which on one of a change's writes fails, and makes room again."""

import contextlib
import plistlib
import re
import resource
import sqlite3
import subprocess
import tempfile
from pathlib import Path

from harness import Server
from subject import check_nothing_left, check_pages, project, rows_of, values, verify
from table import attempt, spread

FULL, QUICK = 64, 6

PAGE = 4096
POINTS = 64


def setting(point):
    """How many bytes the values file is padded with, and how many pages of room a point leaves.

    Half of the points have a large file, so that each write of a change takes many pages: the temporary file, the intent and
    the rows. The others have a small one, whose temporary file is not enough room to clear away what failed.
    """
    return (200_000, point // 2 * 6) if point % 2 else (100, point // 2)


class SmallDisk:
    """A file system in memory, and a file in it that takes all room but some."""

    name = "a small tmpfs"
    refusals = (507,)

    def __init__(self, folder):
        self.folder = folder
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=16m,mode=700", "flagboard-torture", folder], capture_output=True)
        if done.returncode != 0:
            raise OSError(done.stderr)
        self._ballast = folder / "ballast"

    def fill(self, server, room):
        """Leaves so many pages."""
        with self._ballast.open("wb", buffering=0) as ballast:
            with contextlib.suppress(OSError):
                while ballast.write(bytes(PAGE)):
                    pass
            ballast.truncate(max(ballast.tell() // PAGE - room, 0) * PAGE)

    def empty(self, server):
        self._ballast.unlink()

    def close(self):
        subprocess.run(["umount", self.folder], check=True, capture_output=True)


class SizeLimit:
    """A limit to the size of the server's files, where mounting is not allowed: it fails writes just so."""

    name = "RLIMIT_FSIZE"
    refusals = (503, 507)

    def __init__(self, folder):
        pass

    def fill(self, server, room):
        """Lets no file grow past the values file's size at the first points, and past the write-ahead log's at the others."""
        log = server.file.with_suffix(".history.sqlite-wal").stat().st_size
        pages = server.file.stat().st_size // PAGE
        self._limit(server, room * PAGE if room < pages else log + (room - pages) * PAGE)

    def empty(self, server):
        self._limit(server, resource.RLIM_INFINITY)

    def _limit(self, server, size):
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def close(self):
        pass


@contextlib.contextmanager
def disk():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            limited = SmallDisk(folder)
        except OSError:
            limited = SizeLimit(folder)
        try:
            yield folder, limited
        finally:
            limited.close()


def try_point(point):
    """Makes a change while there is some room, and again when there is enough; returns what became of the first.

    Other changes come before, so that the write-ahead log has to grow for it, or goes into the database meanwhile. At most
    points another program reads the history, as a backup does, so that the log can't begin anew.
    """
    with disk() as (folder, limited):
        padding, room = setting(point)
        server = Server(project(folder / "project", padding))
        try:
            made = 3 + point % 3
            for number in range(made):
                server.change("b", "set", str(number + 2))
            before = server.file.read_bytes()
            fields = server.editor("a") | {"action": "set", "value": "2"}
            reader = reading(server) if point % 8 < 6 else None
            limited.fill(server, room)
            answer = server.post("/flags/a", fields)
            assert answer.status in (303, *limited.refusals), f"it is answered with {answer.status}: {answer.text}"
            is_made = answer.status == 303
            now = server.file.read_bytes()
            assert plistlib.loads(now)["a"] == (2 if is_made else 1), "the answer does not say what the file holds"
            assert is_made or now == before, "a change that failed has changed the file"
            check_pages(server)
            is_settled = check_account(server)
            limited.empty(server)
            if reader:
                reader.close()
            # Room is all that it takes: the same server goes on, be the next thing that it is asked for a change or a page.
            if is_made or point % 4 < 2:
                server.change("a", "set", "3")
            else:
                last = server.post("/flags/a", fields | {"value": "3"})
                assert last.status == 303, f"with room again, a change is answered with {last.status}: {last.text}"
            assert "Editing is unavailable" not in server.get("/").text, "the page still says that nothing can be changed"
            check_pages(server)
            made += 1 + is_made
            rows = [row for row in rows_of(server) if row["kind"] == "set"]
            assert len(rows) == made, f"{made} changes were made, and there are {len(rows)} rows"
        finally:
            server.stop()
        assert values(server.file)["a"] == 3
        check_nothing_left(server.file)
        verify(server.file)
        return step_of(answer) + ("" if is_settled else ", and settled with room")


def reading(server):
    """A connection that keeps what it read of the history until it is closed."""
    connection = sqlite3.connect(f"file:{server.file.with_suffix('.history.sqlite')}?mode=ro", uri=True, isolation_level=None)
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM history").fetchone()
    return connection


def step_of(answer):
    """What a change that was answered so did not get beyond."""
    assert ".." not in answer.text.replace("...", ""), "a sentence ends twice"
    if answer.status == 303:
        return "made"
    if "The change failed" in answer.text:
        return "taken back"
    return "refused for the history" if "The history" in answer.text else "refused for the file"


def check_account(server):
    """Whether nothing is left half done; where something is, the page must say since when, why, and what to do."""
    page = server.get("/").text
    if "Editing is unavailable" not in page:
        return True
    assert re.search(r"A change has been pending since 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC", page), "it does not say since when"
    assert "the disk is full" in page and "Free disk space" in page, "it does not say why, or what to do"
    assert "estart" not in page.split("A change has been pending")[1][:600], "it asks for a restart"
    return False


def try_read_only(room):
    """Serves with --read-only while the disk has so many pages of room: as long as it starts at all, everything is shown."""
    with disk() as (folder, limited):
        first = Server(project(folder / "project", 100))
        first.change("b", "set", "2")
        first.stop()
        before = first.file.read_bytes()
        server = Server(first.file, "--read-only")
        try:
            limited.fill(server, room)
            check_pages(server)
            answer = server.post("/flags/a", {"action": "set", "value": "2"})
            assert answer.status == 403, f"a change is answered with {answer.status}: {answer.text}"
            kinds = [row["kind"] for row in rows_of(server)]
            assert kinds in (["set"], ["set", "denied"]), f"the history tells of {kinds}"
            server.stop()
            try:
                server = Server(first.file, "--read-only")
                check_pages(server)
            except AssertionError as problem:
                assert "the disk is full. Free disk space and try again" in str(problem), f"it does not start: {problem}"
        finally:
            limited.empty(server)
            server.stop()
        assert first.file.read_bytes() == before
        check_nothing_left(first.file)
        verify(first.file)


def note(steps):
    return ", ".join(f"{steps.count(step)} {step}" for step in sorted(set(steps)))


def run(count, jobs):
    with disk() as (_, limited):
        what = f"disk-full points, {limited.name}"
    return [
        attempt(what, spread(list(range(POINTS)), count), try_point, jobs, note=note),
        attempt("the same with --read-only", spread(list(range(32)), count // 2), try_read_only, jobs),
    ]
