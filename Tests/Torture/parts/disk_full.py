"""Fills the disk up to a point from which on one of a change's writes fails, and makes room again."""

import contextlib
import plistlib
import resource
import subprocess
import tempfile
from pathlib import Path

from harness import Server
from subject import check_nothing_left, check_pages, project, rows_of, values, verify
from table import attempt, spread

FULL, QUICK = 64, 4

PAGE = 4096
PADDING = 200_000
"""Bytes of the values file, so that each write of a change takes many pages: the temporary file, the intent and the rows."""
POINTS = 64
STEP = 3
"""Pages of room that each point has more than the one before; a change takes somewhat fewer than POINTS * STEP in all."""


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
        limit = room * PAGE if room < PADDING // PAGE else log + (room - PADDING // PAGE) * PAGE
        self._limit(server, limit)

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

    Other changes come before, so that the write-ahead log goes into the database during some of the points' changes.
    """
    with disk() as (folder, limited):
        server = Server(project(folder / "project", PADDING))
        try:
            made = point % 8
            for number in range(made):
                server.change("b", "set", str(number + 2))
            before = server.file.read_bytes()
            fields = server.editor("a") | {"action": "set", "value": "2"}
            limited.fill(server, point * STEP)
            answer = server.post("/flags/a", fields)
            assert answer.status in (303, *limited.refusals), f"it is answered with {answer.status}: {answer.text}"
            is_made = answer.status == 303
            now = server.file.read_bytes()
            assert plistlib.loads(now)["a"] == (2 if is_made else 1), "the answer does not say what the file holds"
            assert is_made or now == before, "a change that failed has changed the file"
            check_pages(server)
            limited.empty(server)
            if not is_made:
                server = again(server, answer)
            server.change("a", "set", "3")
            check_pages(server)
            made += 1 + is_made
            rows = [row for row in rows_of(server) if row["kind"] == "set"]
            assert len(rows) == made, f"{made} changes were made, and there are {len(rows)} rows"
        finally:
            server.stop()
        assert values(server.file)["a"] == 3
        check_nothing_left(server.file)
        verify(server.file)
        return step_of(answer)


def step_of(answer):
    """What a change that was answered so did not get beyond."""
    if answer.status == 303:
        return "made"
    if "estart Flagboard" in answer.text:
        return "taken back"
    return "refused for the history" if "The history" in answer.text else "refused for the file"


def again(server, refusal):
    """Does what the refusal says: tries again, after a restart where it asks for one; returns the server."""
    if "estart Flagboard" not in refusal.text:
        return server
    page = server.get("/")
    assert "estart Flagboard" in page.text, f"the page does not say that a restart is needed: {page.status}, {page.text[:3000]}"
    server.stop()
    return Server(server.file)


def note(steps):
    return ", ".join(f"{steps.count(step)} {step}" for step in sorted(set(steps)))


def run(count, jobs):
    with disk() as (_, limited):
        what = f"disk-full points, {limited.name}"
    return [attempt(what, spread(list(range(POINTS)), count), try_point, jobs, note=note)]
