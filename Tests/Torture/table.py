"""What a part of the torture reports, and how it tries many cases at once."""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass


@dataclass
class Row:
    """One line of the table."""

    what: str
    """What was tried, in words."""
    tried: int
    """How often."""
    bad: int
    """How often it went wrong."""
    note: str = ""
    """What else was measured."""
    problems: tuple = ()
    """What went wrong, each as text."""


class Skipped(Exception):
    """Says why a part can't be tried on this machine."""


def spread(cases, count):
    """`count` of the cases: evenly chosen where there are more, over and over where there are fewer."""
    if count >= len(cases):
        return (cases * math.ceil(count / len(cases)))[:count] if cases else []
    return [cases[number * len(cases) // count] for number in range(count)]


def attempt(what, cases, try_one, jobs, note=""):
    """Tries each case, several at a time, and counts those in which an assertion fails.

    `try_one(case)` raises AssertionError, with a text that says what is wrong, where the case is bad. `note` is a text, or
    makes one of the list of what `try_one` returned.
    """

    def tried(case):
        try:
            return None, try_one(case)
        except AssertionError as problem:
            return f"{what}: {case}: {problem}", None

    with ThreadPoolExecutor(jobs) as pool:
        outcomes = list(pool.map(tried, cases))
    problems = tuple(problem for problem, _ in outcomes if problem is not None)
    text = note([result for problem, result in outcomes if problem is None]) if callable(note) else note
    return Row(what, len(outcomes), len(problems), text, problems)


def print_table(rows):
    """Prints the rows, and below them what went wrong; returns whether nothing did."""
    wide = max([len(row.what) for row in rows] + [4])
    print(f"{'what':{wide}}  {'tried':>6}  {'bad':>5}  note")
    for row in rows:
        print(f"{row.what:{wide}}  {row.tried:6}  {row.bad:5}  {row.note}")
    problems = [problem for row in rows for problem in row.problems]
    for problem in problems:
        print(f"\n{problem}")
    return not any(row.bad for row in rows)
