"""Kills the server before and after every call of a change, with and without an edit from outside."""

from one_change import cases, try_case
from table import attempt, spread

FULL, QUICK = 2000, 6


def run(count, jobs):
    rows = []
    for edited, share in ((False, count // 2), (True, count - count // 2)):
        points = cases(("before", "after"), edited)
        what = f"labelled kills, {'with an outside edit' if edited else 'alone'}"
        rows.append(
            attempt(
                what, spread(points, share), try_case, jobs,
                note=lambda told: f"{len(points)} points; killed {sum(one.fired for one in told)} times, "
                f"{sum(one.acknowledged for one in told)} changes were acknowledged before"))
    return rows
