"""Times every page that the history has a part in, over a million changes, and what a change costs beside them.

    .build-python/bin/python Benchmarks/History/measure.py [--binary .build/release/flagboard] [--rows 1000000]
        [--keep FOLDER] [--samples 600] [--step 1] [--tries 3] [--path /api/v1/history] [--all]
        [--only lists|others|exports|changes]...

What counts is what the server itself uses of the processors for an answer (its processor clock, from before the request to
the last byte, or to the head of a download), since other programs add much to the time by the clock and little to that. Each
address is asked for three times, and up to nine where that is over the limit; the least counts. A million rows take a minute
or two to make, and 1 GB; `--keep` finds them again. Exits with 1 where an answer is over the limit.
"""

import argparse
import http.client
import os
import sys
import tempfile
import time
from pathlib import Path

import addresses
import changes
import rows

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 50
PARTS = ("lists", "others", "exports", "changes")


def processor_time(server):
    """What the server has used of the processors so far, in milliseconds; threads that have ended count too."""
    # The clock of another process's processor time, as clock_getcpuclockid(3) makes its number.
    return time.clock_gettime_ns((~server.process.pid << 3) | 2) / 1e6


def ask(server, path, first_byte=False):
    """How much of the processors an answer takes, and how long, in milliseconds; and its status."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        connection.connect()
        start, used = time.perf_counter(), processor_time(server)
        connection.request("GET", path)
        answer = connection.getresponse()
        if not first_byte:
            answer.read()
        took, used = (time.perf_counter() - start) * 1000, processor_time(server) - used
        return used, took, answer.status
    finally:
        connection.close()


def least(server, path, tries, first_byte):
    """The best of several times."""
    best, took, status = ask(server, path, first_byte)
    for number in range(1, tries * 3):
        if number >= tries and best <= LIMIT:
            break
        again = ask(server, path, first_byte)
        best, took = min(best, again[0]), min(took, again[1])
    return best, took, status


def measure(server, asked, tries, first_byte=False):
    """Asks for everything, and returns the worst of each name."""
    worst, count = {}, 0
    for name, path in asked:
        used, took, status = least(server, path, tries, first_byte)
        assert status in (200, 404), f"{status} {path}"
        if used > LIMIT:
            print(f"over: {used:6.1f} ms  {name:60} {path}", file=sys.stderr, flush=True)
        count += 1
        worst[name] = max(worst.get(name, (0,)), (used, took, path))
    return worst, count


def show(title, worst, count, shows_all):
    """Prints the worst of a part."""
    ranked = sorted(worst.items(), key=lambda item: -item[1][0])
    times = [used for _, (used, _, _) in ranked]
    print(f"\n{title}: {count} addresses; worst {times[0]:.1f} ms, median of the names {times[len(times) // 2]:.1f} ms, "
          f"{sum(used > LIMIT for used in times)} of {len(times)} names over {LIMIT} ms")
    print("processor     clock  what")
    for name, (used, took, path) in ranked if shows_all else ranked[:25]:
        print(f"{used:6.1f} ms {took:6.1f} ms  {name:60} {path}")
    return times[0]


def prepared(folder, count, server_of):
    """The values file beside so many rows, which are made where they are not there."""
    file = folder / "flags.xml"
    if not (folder / "filled").exists():
        rows.flags(folder)
        server_of(file).stop()
        start = time.perf_counter()
        rows.fill(folder / "flags.history.sqlite", count)
        print(f"{count} rows added in {time.perf_counter() - start:.0f} s")
        (folder / "filled").touch()
    return file


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--binary", default=str(ROOT / ".build/release/flagboard"))
    parser.add_argument("--keep", help="a folder to keep the files in, and to find them in again")
    parser.add_argument("--samples", type=int, default=600, help="how many mixtures of three filters and more")
    parser.add_argument("--step", type=int, default=1, help="ask for every n-th address of the lists alone")
    parser.add_argument("--tries", type=int, default=3, help="how often to ask for each address at least")
    parser.add_argument("--only", action="append", choices=PARTS, help="a part to measure alone")
    parser.add_argument("--path", default="/history", help="the list: /history or /api/v1/history")
    parser.add_argument("--all", action="store_true", help="print every name, and not the 25 worst of a part")
    arguments = parser.parse_args()
    os.environ["FLAGBOARD_BINARY"] = str(Path(arguments.binary).absolute())
    from harness import Server

    parts = arguments.only or PARTS
    folder = Path(arguments.keep or tempfile.mkdtemp(prefix="flagboard-history-")).absolute()
    file = prepared(folder, arguments.rows, Server)
    worst = 0
    start = time.perf_counter()
    server = Server(file)
    print(f"the server answers {time.perf_counter() - start:.1f} s after its start")
    try:
        ask(server, arguments.path)
        if "lists" in parts:
            asked = list(addresses.lists(arguments.rows, arguments.path, arguments.samples))[:: arguments.step]
            worst = max(worst, show("Lists", *measure(server, asked, arguments.tries), arguments.all))
        if "others" in parts:
            asked = addresses.others(arguments.rows)
            worst = max(worst, show("Other pages", *measure(server, asked, arguments.tries), arguments.all))
        if "exports" in parts:
            asked = addresses.exports()
            worst = max(worst, show("First bytes", *measure(server, asked, arguments.tries, first_byte=True), arguments.all))
    finally:
        server.stop()
    if "changes" in parts:
        with tempfile.TemporaryDirectory(prefix="flagboard-changes-") as empty:
            changes.compare({0: rows.flags(Path(empty)), arguments.rows: file}, Server, processor_time)
    sys.exit(1 if worst > LIMIT else 0)


if __name__ == "__main__":
    main()
