"""`Benchmarks/RESULTS.md`, and its pictures: what some runs found, and on which machine."""

import statistics
from datetime import date

import curves
import machine
import table
from measuring import ROOT

FOLDER = ROOT / "Benchmarks"
PICTURES = {
    "changes": ("A change through the form, by the clock", "ms", "Changes"),
    "pages": ("Pages, by the server's processor time", "ms", "Pages"),
    "starts": ("Start to the first answer", "s", "Start"),
    "memory": ("Memory", "MB", "Memory"),
}
HEAD = """# What Flagboard costs

`script/benchmark --write` makes this page and its pictures. Each figure stands beside another one that was measured in the same
run: a floor, which is the least that any program could take, or a peer, which is another program that does such work. The ratio
compares the two; between machines, compare ratios. A goal is for a machine of two cores with nothing else to do.

- **Changes** are by the clock: from the form that is sent to the whole page that follows, which comes once all is on the disk; or
  from a program's request to its answer.
- **Pages**, **Load** and **History** are the server's processor time, to which other programs add little; the clock is in the note.
- **defined** flags have a definition each, in a manifest; the others have a value alone.

{date}, {machine}. {runs}, one figure each; {load:.1f} programs wanted a core at the end.{state}
"""
BUSY = (
    " **The machine was busy with other work**: take the ratios, not the times, and no goal by the clock that was missed as"
    " missed for good.")


def write(runs, folder):
    """Writes the page and its pictures."""
    busy = machine.load()
    names = [name for name, (title, unit, topic) in PICTURES.items() if _draw(name, title, unit, topic, runs)]
    head = HEAD.format(
        date=date.today().isoformat(), machine=machine.description(folder), load=busy, state=BUSY if busy > 2 else "",
        runs="One run" if len(runs) == 1 else f"{len(runs)} runs")
    pictures = "\n".join(f"![{PICTURES[name][0]}, over the number of flags](curves/{name}.svg)" for name in names)
    parts = [head, *([pictures + "\n"] if names else []), table.markdown(runs)]
    (FOLDER / "RESULTS.md").write_text("\n".join(parts))


def _draw(name, title, unit, topic, runs):
    """Draws the curves of a topic that are measured at several sizes; returns whether there are any."""
    own, peers = {}, {}
    for found in table.paired(runs).get(topic, []):
        line = found[0]
        if line.unit != unit:
            continue
        own.setdefault(line.what, []).append((line.size, statistics.median(run.took for run in found)))
        if topic in ("Changes", "Start"):
            peers.setdefault(line.peer + "*", []).append((line.size, statistics.median(run.peer_took for run in found)))
    peers = {name: sorted({size: took for size, took in points}.items()) for name, points in peers.items()}
    drawn = {name: points for name, points in (own | peers).items() if len(points) > 1}
    if drawn:
        (FOLDER / "curves").mkdir(exist_ok=True)
        (FOLDER / "curves" / f"{name}.svg").write_text(curves.drawing(title, unit, drawn))
    return bool(drawn)
