"""A project of flags to try things on, and the look at what is left of it."""

import functools
import http.client
import json
import plistlib
import shutil
import subprocess
from pathlib import Path

from harness import BINARY, ROOT, environment
from samples import write

HERE = Path(__file__).resolve().parent
LOST = (http.client.HTTPException, ConnectionError, TimeoutError)
"""What a client sees of a server that was ended."""


@functools.cache
def shim():
    """Builds the library that ends and fails calls, with the C compiler that comes with Swift where there is no other."""
    library = ROOT / ".build/torture-shim.so"
    swift = Path(shutil.which("swift") or "swift").resolve()
    compiler = shutil.which("cc") or shutil.which("clang") or swift.with_name("clang")
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, HERE / "shim.c", "-ldl"], check=True)
    return library


def project(folder, padding=0):
    """Writes integers `a`, `b` and `w0` to `w7`, and a text of so many bytes."""
    keys = ("a", "b", *(f"w{number}" for number in range(8)))
    flags = [{"key": key, "type": "integer", "minimum": 0} for key in keys] + [{"key": "text", "type": "string"}]
    values = {"a": 1, "b": 1, "text": "x" * padding} | {f"w{number}": 0 for number in range(8)}
    return write(Path(folder), values, flags)


def values(file):
    return plistlib.loads(file.read_bytes())


def edit_outside(file, key, value):
    """Changes a value as an editor does that writes a new file and renames it."""
    new = file.with_name("editor.new")
    new.write_bytes(plistlib.dumps(values(file) | {key: value}))
    new.rename(file)


def rows_of(server):
    answer = server.get("/export/history.jsonl")
    assert answer.status == 200, f"the history is answered with {answer.status}: {answer.text}"
    return [json.loads(line) for line in answer.text.splitlines()]


def check_pages(server):
    """Looks whether reads go on."""
    for path in ("/", "/flags/a", "/history"):
        answer = server.get(path)
        assert answer.status == 200, f"{path} is answered with {answer.status}: {answer.text}"


def verify(file):
    done = subprocess.run(
        [BINARY, "history", "verify", file], capture_output=True, text=True, env=environment(), timeout=60)
    assert done.returncode == 0, f"history verify: {done.returncode} {done.stdout}{done.stderr}"


def check_nothing_left(file):
    left = [path.name for path in file.parent.iterdir() if ".tmp" in path.name or "overwritten" in path.name]
    assert not left, f"left beside the file: {left}"
