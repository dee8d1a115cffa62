"""Ends the server at every step of a change, fails every call in turn, and looks at what is left.

    torture.py [--every N] [--random N]

Each round works on files of its own. Whatever happened, after the next start: the file holds the old value or the new one
and is whole; there is a row for the change exactly where the file holds it; what was acknowledged is there; what another
program edited is there and recorded; nothing is left beside the file; the chain is sound.
"""

import argparse
import http.client
import json
import plistlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Browser"))

from harness import BINARY, Server, environment
from samples import write

HERE = Path(__file__).resolve().parent
NO_SPACE, IO_ERROR = 28, 5
LOST = (http.client.HTTPException, ConnectionError, TimeoutError)


def shim(folder):
    """Builds the library that ends and fails calls, with the C compiler that comes with Swift where there is no other."""
    library = Path(folder) / "shim.so"
    swift = Path(shutil.which("swift") or "swift").resolve()
    compiler = shutil.which("cc") or shutil.which("clang") or swift.with_name("clang")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, HERE / "shim.c", "-ldl"], check=True)
    return library


def project(folder):
    flags = [{"key": key, "type": "integer", "minimum": 0} for key in ("a", "b", *(f"w{n}" for n in range(8)))]
    return write(Path(folder), {"a": 1, "b": 1} | {f"w{n}": 0 for n in range(8)}, flags)


def values(file):
    return plistlib.loads(file.read_bytes())


def edit_outside(file, key, value):
    """Changes a value as an editor does that writes a new file and renames it."""
    content = values(file) | {key: value}
    new = file.with_name("editor.new")
    new.write_bytes(plistlib.dumps(content))
    new.rename(file)


def rows_of(server):
    answer = server.get("/export/history.jsonl")
    assert answer.status == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def verify(file):
    done = subprocess.run(
        [BINARY, "history", "verify", file], capture_output=True, text=True, env=environment(), timeout=60)
    assert done.returncode == 0, f"history verify: {done.returncode} {done.stdout}{done.stderr}"


def check_one_change(file, acknowledged, edited):
    """Looks at the files after the change of `a` from 1 to 2, and of `b` to 7 from outside where it was `edited`."""
    before = file.read_bytes()
    plistlib.loads(before)
    server = Server(file)
    try:
        rows = rows_of(server)
        page = server.get("/")
        assert page.status == 200
    finally:
        server.stop()
    assert not acknowledged or values(file)["a"] == 2, "an acknowledged change is lost"
    made = [row for row in rows if row["kind"] == "set" and row["key"] == "a"]
    assert len(made) == (values(file)["a"] == 2), f"a is {values(file)['a']}, and its rows are {made}"
    external = [row for row in rows if row["kind"] == "external"]
    assert all(row["key"] == "b" for row in external), f"somebody else is blamed: {external}"
    assert len(external) == edited, f"{len(external)} outside edits are recorded"
    assert values(file)["b"] == (7 if edited else 1), "an outside edit is lost"
    left = [path.name for path in file.parent.iterdir() if ".tmp" in path.name or "overwritten" in path.name]
    assert not left, f"left beside the file: {left}"
    verify(file)


class Round:
    """A server under the shim, and one change of `a` from 1 to 2."""

    def __init__(self, library, folder, plan, edited):
        self.file, self.edited = project(folder / "project"), edited
        self.armed, self.log = folder / "armed", folder / "log"
        prefix = ("env", f"LD_PRELOAD={library}", f"TORTURE_ARMED={self.armed}", f"TORTURE_LOG={self.log}")
        if plan:
            prefix += (f"TORTURE={plan}",)
        self.server = Server(self.file, prefix=prefix)

    def run(self):
        """Makes the change; returns whether it was acknowledged."""
        try:
            fields = self.server.editor("a") | {"action": "set", "value": "2", "reason": "torture"}
            self.armed.touch()
            if self.edited:
                edit_outside(self.file, "b", 7)
            answer = self.server.post("/flags/a", fields)
            if answer.status != 303:
                assert answer.status in (503, 507), f"{answer.status}: {answer.text}"
                assert self.server.get("/").status in (200, 503)
            return answer.status == 303
        except LOST:
            self.server.process.wait(10)
            return False
        finally:
            self.server.stop()

    def calls(self):
        return Counter(self.log.read_text().split())


def points(library, edited):
    """Every call of a change, and what to do at it."""
    with tempfile.TemporaryDirectory() as folder:
        round_ = Round(library, Path(folder), None, edited)
        assert round_.run(), "a change without any trouble was refused"
        calls = round_.calls()
    for name, count in sorted(calls.items()):
        for number in range(1, count + 1):
            for what in ("before", "after", NO_SPACE, IO_ERROR):
                yield f"{name}:{number}:{what}"


def at_every_step(every, table):
    with tempfile.TemporaryDirectory() as tools:
        library = shim(tools)
        for edited in (False, True):
            for plan in list(points(library, edited))[::every]:
                with tempfile.TemporaryDirectory() as folder:
                    round_ = Round(library, Path(folder), plan, edited)
                    try:
                        check_one_change(round_.file, round_.run(), edited)
                    except AssertionError as problem:
                        raise AssertionError(f"{plan}, {'with' if edited else 'without'} an outside edit: {problem}") from None
                kind = "killed" if plan.endswith(("before", "after")) else "failed call"
                table[f"{kind}, {'outside edit' if edited else 'alone'}"] += 1


def at_random(seed):
    """Kills the server under eight writers; then looks at what they were told."""
    generator = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        file = project(Path(folder) / "project")
        server = Server(file)
        told, sent = [0] * 8, [0] * 8

        def work(number):
            try:
                while True:
                    sent[number] += 1
                    server.change(f"w{number}", "set", str(sent[number]))
                    told[number] = sent[number]
            except (*LOST, AssertionError):
                pass

        writers = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for writer in writers:
            writer.start()
        killer = threading.Timer(generator.uniform(0.05, 0.6), server.process.kill)
        killer.start()
        for writer in writers:
            writer.join()
        killer.join()
        server.stop()
        after = Server(file)
        try:
            rows = rows_of(after)
        finally:
            after.stop()
        held = values(file)
        for number in range(8):
            assert told[number] <= held[f"w{number}"] <= sent[number], f"w{number}: told {told[number]}, held {held}"
            made = [row for row in rows if row["key"] == f"w{number}" and row["kind"] == "set"]
            assert len(made) == held[f"w{number}"], f"w{number} is {held[f'w{number}']} after {len(made)} rows"
        assert not [row for row in rows if row["kind"] == "external"], "somebody else is blamed"
        verify(file)
        return sum(told)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="try every Nth step (default: each)")
    parser.add_argument("--random", type=int, default=2000, help="how often to kill under eight writers (default: 2000)")
    options = parser.parse_args()
    table = Counter()
    at_every_step(options.every, table)
    for seed in range(options.random):
        table["changes acknowledged before random kills"] += at_random(seed)
        table["random kills under 8 writers"] += 1
    for what, count in sorted(table.items()):
        print(f"{count:8}  {what}")
    print("Nothing lost, nothing torn, nothing without its row.")


if __name__ == "__main__":
    main()
