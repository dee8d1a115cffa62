"""Tries to make the dashboard lose or betray something, part by part, and prints one table of what came of it.

    torture.py [--only PART,PART] [--quick] [--count PART=N] [--jobs N] [--list]

A part is a module `parts/NAME.py`; in the options, `_` in its name is `-`. It has

    FULL, QUICK     how many cases script/torture and script/test try; None where another test samples the part
    run(count, jobs)
                    tries `count` cases, at most `jobs` at a time, and returns a list of `table.Row`: what was tried, how
                    often, how often it went wrong, a note of what was measured, and the text of each thing that went wrong

and a docstring whose first line says what it tries. A part that can't be tried on a machine raises `table.Skipped` with the
reason. `table.attempt` makes a row of a function that raises AssertionError for a bad case; `one_change` and `subject` have a
project of flags, a server that is ended or stopped at one of its calls, and the look at what is left.

The exit code is 1 where anything went wrong.
"""

import argparse
import importlib
import os
import sys
import time
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Browser")]

from table import Row, Skipped, print_table


def part_names():
    """Every part, by its name in the options."""
    files = (HERE / "parts").glob("[a-z]*.py")
    return sorted(file.stem.replace("_", "-") for file in files)


def part(name):
    return importlib.import_module(f"parts.{name.replace('-', '_')}")


def run_part(name, count, jobs):
    """Runs a part; what it could not do is a row too."""
    start = time.monotonic()
    try:
        rows = part(name).run(count, jobs)
    except Skipped as reason:
        rows = [Row(name, 0, 0, f"skipped: {reason}")]
    except Exception:
        rows = [Row(name, 0, 1, "it could not be tried", (traceback.format_exc(),))]
    tried, bad = sum(row.tried for row in rows), sum(row.bad for row in rows)
    print(f"{name}: {tried} tried, {bad} bad, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    return rows


def counts(text):
    name, equals, count = text.partition("=")
    if name not in part_names() or not equals or not count.isdigit():
        raise argparse.ArgumentTypeError(f"write it as PART=N; the parts are {', '.join(part_names())}")
    return name, int(count)


def names(text):
    unknown = set(text.split(",")) - set(part_names())
    if unknown:
        raise argparse.ArgumentTypeError(f"no part is called {', '.join(sorted(unknown))}: see --list")
    return text.split(",")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", type=names, default=part_names(), metavar="PART,PART", help="leave out the other parts")
    parser.add_argument("--quick", action="store_true", help="try as few cases as script/test does")
    parser.add_argument("--count", type=counts, action="append", default=[], metavar="PART=N", help="try N cases of a part")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="name the parts, with their counts")
    options = parser.parse_args()
    if options.list:
        for name in options.only:
            module = part(name)
            quick = "-" if module.QUICK is None else module.QUICK
            print(f"{name:16} {module.FULL:6} or {quick:>4}  {module.__doc__.splitlines()[0]}")
        return
    given = dict(options.count)
    rows = []
    for name in options.only:
        module = part(name)
        count = given.get(name, module.QUICK if options.quick else module.FULL)
        rows += run_part(name, count, options.jobs)
    if not print_table(rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
