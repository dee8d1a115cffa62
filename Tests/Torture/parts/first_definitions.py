"""Kills the server and fails its calls at each call of a project's first definition, which makes the manifest."""

import errno
import functools
import plistlib
import tempfile
from dataclasses import dataclass
from pathlib import Path

from harness import Server
from one_change import Round
from subject import check_nothing_left, check_pages, project, rows_of, values, verify
from table import attempt, spread

FULL, QUICK = 300, 4
KEY = "new/flag"


@dataclass(frozen=True)
class Case:
    """What the shim does at which call."""

    plan: str | None
    edited = False

    def __str__(self):
        return f"{self.plan} at the first definition"


class FirstDefinition(Round):
    """A server without a manifest, and the definition of a flag."""

    def prepare(self, folder):
        file = project(folder)
        manifest_of(file).unlink()
        return file

    def form(self):
        return "/definitions/new", {"action": "save", "key": KEY, "type": "bool"}


def manifest_of(file):
    return file.with_name("flags.manifest.xml")


def definitions(file):
    """The keys that the manifest defines; `None` where there is no manifest."""
    manifest = manifest_of(file)
    return [flag["key"] for flag in plistlib.loads(manifest.read_bytes())["flags"]] if manifest.exists() else None


def try_case(case):
    """Runs a round; the definition is there exactly where its row is, and where it is not it can be made again."""
    with tempfile.TemporaryDirectory() as folder:
        round_ = FirstDefinition(Path(folder), case)
        file, before = round_.file, values(round_.file)
        acknowledged = round_.run()
        # A server that went on after a call failed was asked for another change.
        held = file.read_bytes()
        assert values(file) | {"w1": before["w1"]} == before
        server = Server(file)
        try:
            made = [row for row in rows_of(server) if row["kind"] == "define"]
            others = [row for row in rows_of(server) if row["kind"] not in ("define", "aborted")]
            assert all((row["kind"], row["key"]) == ("set", "w1") for row in others), "somebody else is blamed"
            defined = definitions(file)
            assert defined in (None, [], [KEY]), f"the manifest defines {defined}"
            assert len(made) == (defined == [KEY]), f"{defined} is defined, and the rows are {made}"
            assert defined or not acknowledged, "an acknowledged definition is lost"
            check_pages(server)
            if not defined:
                path, fields = round_.form()
                answer = server.post(path, fields)
                assert answer.status == 303, f"{answer.status}: {answer.text}"
        finally:
            server.stop()
        assert definitions(file) == [KEY] and file.read_bytes() == held
        check_nothing_left(file)
        verify(file)
        return acknowledged, round_.fired()


@functools.cache
def calls():
    """What calls a first definition makes, and how many of each."""
    with tempfile.TemporaryDirectory() as folder:
        round_ = FirstDefinition(Path(folder), Case(None))
        assert round_.run(), "a definition without any trouble was refused"
        return sorted(round_.calls().items())


def run(count, jobs):
    points = [
        Case(f"{name}:{number}:{fate}")
        for name, calls_ in calls()
        for number in range(1, calls_ + 1)
        for fate in ("before", "after", errno.EIO)
    ]
    return [
        attempt(
            "kills and failing calls at the first definition", spread(points, count), try_case, jobs,
            note=lambda told: f"{len(points)} points; fired {sum(fired for _, fired in told)} times, "
            f"{sum(acknowledged for acknowledged, _ in told)} definitions were acknowledged")
    ]
