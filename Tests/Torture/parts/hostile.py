"""Gives the server hostile files, as values and as a manifest, at the start and while it runs, and watches what it opens."""

from collections import Counter

from hostile_files import answer_times, at_hostile_files, hostile_files
from table import Row

FULL, QUICK = 1000, None
"""Of the files that there are, so many thousandths are tried. script/test samples them in Tests/Browser/Files/test_hostile_files.py."""


def run(count, jobs):
    table = Counter()
    tried = ("hostile files refused at the start", "hostile files refused while it runs")
    try:
        at_hostile_files(max(1, FULL // max(count, 1)), table)
        answer_times(table)
    except AssertionError as problem:
        return [Row("hostile files", sum(table[what] for what in tried) + 1, 1, "", (str(problem),))]
    note = ", ".join(f"{what}: {number}" for what, number in table.items() if what not in tried)
    return [Row("hostile files", sum(table[what] for what in tried), 0, f"{len(hostile_files())} files; {note}")]
