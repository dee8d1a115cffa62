"""What the benchmark asks for: mixtures of filters, places in the list, and every other page that costs what it does."""

import itertools
import random
import urllib.parse

from rows import BATCH_EVERY, GREAT_BATCH, HOT, KEYS, LONG

BUSY, QUIET = KEYS[7], KEYS[1013]
# Filters that match much, some, a little and nothing; searches of what the index knows in every row, of too few letters for
# it, and of words that stand in a third of the rows, but never like this.
FILTERS = {
    "key": [HOT, BUSY, QUIET, "no/such/flag"],
    "group": ["hot", "area_03", "area_03/part_2"],
    "actor": ["deploy-bot", "nightly", "person 7", "visitor", "nobody"],
    "origin": ["api", "form", "external", "revert"],
    "kind": ["set", "denied", "lock", "aborted"],
    "q": [
        "blue", "needle in the hay", "area_", "x", "zq", "then back to normal", "back to work: the old way", "ticket 4711"],
    "from": ["2024-06-01", "2025-05-10"],
    "to": ["2023-11-20", "2024-03-01T10:00:00Z", "2025-04-30"],
    "batch": ["00000001-0000-4000-8000-000000000012", "00000007-0000-4000-8000-000000000007"],
}


def mixtures(size):
    """Every mixture of so many filters, with every value of each."""
    for names in itertools.combinations(FILTERS, size):
        for values in itertools.product(*(FILTERS[name] for name in names)):
            yield dict(zip(names, values))


def larger(count):
    """So many mixtures of three filters and more, the same ones each time."""
    chosen, drawn = random.Random(1), []
    for _ in range(count):
        names = chosen.sample(list(FILTERS), chosen.randint(3, len(FILTERS)))
        drawn.append({name: chosen.choice(FILTERS[name]) for name in FILTERS if name in names})
    return drawn


def places(rows):
    """Where a page of the list may begin: at the front, deep in it, and from its end on upwards."""
    return {
        "newest": {},
        "before": {"before": rows * 9 // 10}, "middle": {"before": rows // 2}, "oldest": {"before": rows // 50},
        "last page": {"after": 0}, "middle, upwards": {"after": rows // 2}, "near the top, upwards": {"after": rows - 60},
    }


def lists(rows, path, samples):
    """The list of changes: each filter alone and every pair at every place, and larger mixtures at one place each."""
    everywhere = [{}, *mixtures(1), *mixtures(2)]
    some = list(places(rows).items())
    for filters in everywhere:
        for place, cursor in some:
            yield f"{path}: {'+'.join(filters) or 'no filter'}, {place}", path + query(filters | cursor)
    for number, filters in enumerate(larger(samples)):
        place, cursor = some[number % len(some)]
        yield f"{path}: {len(filters)} filters, {place}", path + query(filters | cursor)


def others(rows):
    """Every other page that costs what the history does."""
    great = GREAT_BATCH[0] + 5
    for id in (1, rows // 2, rows - 5, BATCH_EVERY + 3, great, great + 4000):
        yield "a change", f"/history/{id}"
    for key in (HOT, BUSY, QUIET):
        yield "a flag", f"/flags/{key}"
    for address in ("/", "/?sort=changed", "/?q=flag_05"):
        yield f"the flags {address}", address
    for time in ("2023-11-14", "2023-11-16", "2024-02-01", "2024-09-01", "2025-03-01", "2025-05-01", "2025-05-11"):
        yield f"time machine at {time}", f"/history/at?time={time}T12:00:00Z"
        yield f"time machine at {time}, different", f"/history/at?time={time}T12:00:00Z&show=different&q=flag_05"
    for id in (1, rows // 2, great, rows - 5):
        yield f"time machine before {id}", f"/history/at?before={id}"
    yield "values of then", "/history/at/values.xml?time=2024-02-01T12:00:00Z"
    yield "API: a change", f"/api/v1/history/{rows // 2}"


def exports():
    """The downloads, of which the first byte counts."""
    for filters in (
            {}, {"actor": "visitor"}, {"q": "needle in the hay"}, {"q": "then back to normal"}, {"q": "zq"},
            {"q": LONG[:90]}, {"key": HOT, "actor": "nightly"}, {"group": "hot", "kind": "lock"}, {"q": "blue", "key": HOT}):
        for ending in ("csv", "jsonl"):
            name = "+".join(filters) or "no filter"
            yield f"first byte of history.{ending}: {name}", f"/export/history.{ending}" + query(filters)


def query(fields):
    """The fields as the end of an address."""
    return "?" + urllib.parse.urlencode(fields) if fields else ""
