"""What reading a flag in code costs, beside swift-configuration: the figures of ReadingBenchmarks."""

import json
import subprocess

from line import Goal, Line
from measuring import ROOT

READS = 100_000
KINDS = {"Boolean": Goal(1.8, "ns"), "integer": Goal(1.8, "ns"), "text": Goal(10, "ns"), "choice": Goal(1.8, "ns")}
PEER = "Peer, swift-configuration: Boolean"
# What only a Boolean is measured for.
COMPUTED = ("that may be computed", "with a dynamic default")
# Providers that are asked at each read, or seem to be.
PROVIDERS = (
    "in memory", "behind the environment", "of a dynamic list", "of a provider that is asked each time",
    "in UserDefaults", "in steady UserDefaults", "behind UserDefaults that lack it")
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
        for kind, goal in KINDS.items():
            yield Line(
                "Reads in code", f"{kind}, {threads}", 1, times[f"Flag: {kind}", threads], "ns",
                "swift-configuration, Boolean", times[PEER, threads], goal)
    measured = [f"Boolean {what}" for what in COMPUTED]
    measured += [f"{kind} {provider}" for provider in PROVIDERS for kind in KINDS]
    for what in measured:
        is_foundation = "UserDefaults" in what and "steady" not in what
        peer = ("Foundation, UserDefaults", DEFAULTS) if is_foundation else ("swift-configuration, Boolean", PEER)
        yield Line(
            "Reads in code", f"{what}, 1 thread", 1, times[f"Flag: {what}", "1 thread"], "ns",
            peer[0], times[peer[1], "1 thread"], Goal(2, "times") if is_foundation else Goal(100, "ns"))
    # Only where a checkout of it is named.
    for kind in KINDS:
        if (theirs := times.get((f"Peer, Vexil: {kind}", "1 thread"))) is not None:
            yield Line(
                "Reads in code", f"{kind} beside Vexil, 1 thread", 1, times[f"Flag: {kind}", "1 thread"], "ns",
                f"Vexil, {kind}", theirs, Goal(1, "times"))


def _times(found):
    """What is read, on how many threads, and the nanoseconds of one read."""
    for benchmark in found:
        name = benchmark["benchmark"].rpartition(".ReadingBenchmarks.")[2].replace("_", " ")
        what, _, threads = name.partition(", 100,000 reads on ")
        clock = next(
            figures for metric, figures in benchmark["secondaryMetrics"].items() if metric.startswith("Time (wall"))
        assert clock["scoreUnit"] == "μs", f"the times are in {clock['scoreUnit']}"
        yield (what, threads), clock["scorePercentiles"]["50.0"] * 1000 / READS
