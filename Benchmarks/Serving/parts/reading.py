"""What reading a flag in code costs, beside swift-configuration: the figures of ReadingBenchmarks."""

import json
import subprocess

from line import Goal, Line
from measuring import ROOT

READS = 100_000
GOALS = {"Boolean": Goal(1.8, "ns"), "integer": Goal(1.8, "ns"), "text": Goal(10, "ns")}
PEER = "Peer, swift-configuration: Boolean"
# What is asked at each read, or seems to be.
ASKED = (
    "behind the environment", "that may be computed", "with a dynamic default", "of a dynamic list",
    "of a provider that is asked each time", "in UserDefaults", "in steady UserDefaults")
DEFAULTS = "Peer, Foundation: Boolean in UserDefaults"


def lines():
    """The lines of one thread and of two."""
    done = subprocess.run(
        ["swift", "package", "benchmark", "--target", "ReadingBenchmarks", "--metric", "wallClock",
         "--metric", "throughput", "--format", "jmh", "--path", "stdout", "--no-progress"],
        cwd=ROOT / "Benchmarks", check=True, capture_output=True, text=True)
    # What the build says stands before and after.
    found, _ = json.JSONDecoder().raw_decode(done.stdout, done.stdout.index("[{"))
    times = dict(_times(found))
    for threads in ("1 thread", "2 threads"):
        for kind, goal in GOALS.items():
            yield Line(
                "Reads in code", f"{kind}, {threads}", 1, times[f"Flag: {kind}", threads], "ns",
                "swift-configuration, Boolean", times[PEER, threads], goal)
    for kind in ASKED:
        peer = ("Foundation, UserDefaults", times[DEFAULTS, "1 thread"]) if kind.endswith("UserDefaults") else (
            "swift-configuration, Boolean", times[PEER, "1 thread"])
        yield Line(
            "Reads in code", f"Boolean {kind}, 1 thread", 1, times[f"Flag: Boolean {kind}", "1 thread"], "ns", *peer,
            Goal(2, "times") if kind == "in UserDefaults" else Goal(100, "ns"))


def _times(found):
    """What is read, on how many threads, and the nanoseconds of one read."""
    for benchmark in found:
        name = benchmark["benchmark"].rpartition(".ReadingBenchmarks.")[2].replace("_", " ")
        what, _, threads = name.partition(", 100,000 reads on ")
        clock = next(
            figures for metric, figures in benchmark["secondaryMetrics"].items() if metric.startswith("Time (wall"))
        assert clock["scoreUnit"] == "μs", f"the times are in {clock['scoreUnit']}"
        yield (what, threads), clock["scorePercentiles"]["50.0"] * 1000 / READS
