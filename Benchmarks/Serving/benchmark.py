"""Measures what Flagboard costs, and prints it beside what other programs and the machine itself take for such work.

    script/benchmark [--quick] [--only serving|evaluating|loading|reading|history|verification|lasting]... [--minutes 60] [--runs 2] [--write]

One run takes less than 15 minutes once all is built. `--quick` leaves out the largest file, the long history and the reads
in code. `--minutes` has a server work for so long too, once, and tells what it then holds in memory. `--write` puts the table
and its curves into `Benchmarks/RESULTS.md`. A goal that is missed is told, and is no failure.
"""

import argparse
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The long history, and the server and the files of the tests.
sys.path += [str(ROOT / "Benchmarks/History"), str(ROOT / "Tests/Browser")]
PARTS = ("serving", "evaluating", "loading", "reading", "verification", "history")
LASTING = "lasting"


def lines(parts, quick, folder, rows, minutes):
    """All lines of a run."""
    # Imported late, since what they import looks at once for the program to measure.
    import files
    import table
    from parts import evaluating, lasting, loading, past, reading, serving

    work = {
        "serving": lambda: serving.lines(files.SIZES[:3] if quick else files.SIZES, folder),
        "evaluating": lambda: evaluating.lines(folder),
        "loading": lambda: loading.lines(100_000, folder),
        "reading": reading.lines,
        "verification": lambda: past.verification(5_000, 10, folder),
        "history": lambda: past.lines(rows, folder / f"history-{rows}"),
        "lasting": lambda: lasting.lines(1_000, minutes, folder),
    }
    for part in parts:
        start = time.perf_counter()
        for line in work[part]():
            print(" · ".join(table.cells([line])), file=sys.stderr, flush=True)
            yield line
        print(f"{part}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(ROOT / ".build/release/flagboard"), help="the server to measure")
    parser.add_argument(
        "--folder", default=str(ROOT / ".build/benchmark"), help="where files are made: on a disk, not in memory")
    parser.add_argument("--quick", action="store_true", help="leave out what takes long")
    parser.add_argument("--only", action="append", choices=(*PARTS, LASTING), help="a part to measure alone")
    parser.add_argument("--rows", type=int, default=1_000_000, help="the length of the history")
    parser.add_argument("--minutes", type=float, help="how long a server works without a pause; not at all without it")
    parser.add_argument("--runs", type=int, default=1, help="how often to measure all of it")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md and its curves")
    arguments = parser.parse_args()
    os.environ["FLAGBOARD_BINARY"] = str(Path(arguments.binary).absolute())
    import results
    import table

    folder = Path(arguments.folder).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    quick_parts = [part for part in PARTS if part not in ("history", "reading")]
    parts = arguments.only or (quick_parts if arguments.quick else PARTS)
    minutes = arguments.minutes or 60
    once = [LASTING] if arguments.minutes and LASTING not in parts else []
    runs = []
    for _ in range(arguments.runs):
        runs.append(list(lines([*parts, *once], arguments.quick, folder, arguments.rows, minutes)))
        once = []
        print(table.text(runs[-1:]), flush=True)
    if arguments.write:
        results.write(runs, folder)
        print("written: Benchmarks/RESULTS.md and its curves")


if __name__ == "__main__":
    main()
