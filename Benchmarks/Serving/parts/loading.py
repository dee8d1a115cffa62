"""How long a file of values takes to be read, beside other readers of XML and of property lists."""

import json
import plistlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from files import write_flags
from line import Goal, Line
from measuring import ROOT, own_cost

LOADING = ROOT / "Benchmarks/.build/release/Loading"
ROUNDS = 7


def lines(size, folder):
    """The lines of a file of so many values; all figures are processor time."""
    with tempfile.TemporaryDirectory(dir=folder) as own:
        file = write_flags(Path(own), size, has_manifest=False)
        source = file.read_bytes()
        done = subprocess.run([LOADING, file, str(ROUNDS)], check=True, capture_output=True, text=True)
        times = json.loads(done.stdout)
        took = statistics.median(times["document"])

        def line(peer, peer_took, goal=None):
            return Line(
                "Load", "property list of values", size, took, "ms", peer, peer_took, goal, f"{len(source) / 1e6:.1f} MB")

        if shutil.which("xmllint"):
            yield line("xmllint --noout", _xmllint(file), Goal(2, "times"))
        else:
            print("xmllint is missing, and so is its line: sudo apt-get install libxml2-utils", file=sys.stderr, flush=True)
        yield Line(
            "Load", "the same in memory, without the file's bytes", size, times["memory"] / 1e6, "MB", "the file", len(source) / 1e6,
            Goal(6, "times"))
        yield line("Python's plistlib", own_cost(lambda: plistlib.loads(source), 3).processors)
        yield line("PropertyListSerialization", statistics.median(times["foundation"]))


def _xmllint(file):
    """The processor time that xmllint takes, in milliseconds: the median of some runs."""
    times = []
    for _ in range(ROUNDS):
        before = _children()
        subprocess.run(["xmllint", "--noout", file], check=True)
        times.append((_children() - before) * 1000)
    return statistics.median(times)


def _children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
