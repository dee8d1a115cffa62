"""Fails every write, sync, rename and unlink of a change in turn, as a full and as a broken disk does."""

import errno

from one_change import cases, try_case
from table import attempt, spread

FULL, QUICK = 1200, 6


def run(count, jobs):
    rows = []
    for edited, share in ((False, count // 2), (True, count - count // 2)):
        points = cases((errno.ENOSPC, errno.EIO), edited)
        what = f"failing calls, {'with an outside edit' if edited else 'alone'}"
        rows.append(
            attempt(
                what, spread(points, share), try_case, jobs,
                note=lambda told: f"{len(points)} points; failed {sum(one.fired for one in told)} times, "
                f"{sum(not one.acknowledged for one in told)} changes were refused"))
    return rows
