"""One server after the other, of files of several sizes, with and without definitions."""

import tempfile
from pathlib import Path

from files import write_flags
from line import Line
from measuring import memory, peak_memory
from parts import answers, starting, writing


def lines(sizes, folder):
    """The lines of all sizes."""
    for size in sizes:
        for has_manifest, about in ((False, ""), (True, ", defined")):
            with tempfile.TemporaryDirectory(dir=folder) as own:
                yield from _lines_of_one(Path(own), size, has_manifest, about)


def _lines_of_one(folder, size, has_manifest, about):
    file = write_flags(folder / "flags", size, has_manifest)
    empty = write_flags(folder / "empty", 0, has_manifest)
    server = yield from starting.lines(file, empty, size, about)
    try:
        idle = memory(server)
        yield from writing.lines(server, size, about)
        yield from answers.lines(server, size, about)
        used = memory(server)
        yield Line(
            "Memory", f"after changes and pages{about}", size, used, "MB", "idle", idle, None,
            f"{peak_memory(server):.0f} MB at most")
    finally:
        server.stop()
