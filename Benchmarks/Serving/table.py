"""Lines as rows of a table, for a terminal and for Markdown."""

HEADS = ("what", "size", "figure", "measured against", "its figure", "ratio", "goal", "met", "note")


def figure(number, unit=""):
    """A number with three digits that count."""
    digits = 0 if abs(number) >= 100 else 1 if abs(number) >= 10 else 2 if abs(number) >= 1 else 3
    return f"{number:,.{digits}f} {unit}".strip()


def met(runs):
    """Whether the goal of a line was met in each run."""
    found = [line.is_met for line in runs]
    if None in found:
        return ""
    return "yes" if all(found) else "no" if not any(found) else "not each time"


def cells(runs):
    """A row of the table: the line as it came out in each run."""
    line = runs[0]
    return (
        line.what, f"{line.size:,}", " · ".join(figure(run.took) for run in runs) + f" {line.unit}", line.peer,
        " · ".join(figure(run.peer_took) for run in runs) + f" {line.unit}", " · ".join(figure(run.ratio) for run in runs),
        str(line.goal or ""), met(runs), line.note)


def paired(runs):
    """The lines of all runs, by topic: of each line the list of how it came out in the runs that have it."""
    topics = {}
    for run in runs:
        for line in run:
            topics.setdefault(line.topic, {}).setdefault(line.name + (line.peer,), []).append(line)
    return {topic: list(found.values()) for topic, found in topics.items()}


def text(runs):
    """The table for a terminal."""
    parts = []
    for topic, found in paired(runs).items():
        rows = [HEADS, *(cells(lines) for lines in found)]
        wide = [max(len(row[place]) for row in rows) for place in range(len(HEADS) - 1)]
        parts.append(topic)
        parts += ["  " + "  ".join((*(cell.ljust(width) for cell, width in zip(row, wide)), row[-1])).rstrip() for row in rows]
        parts.append("")
    return "\n".join(parts)


def markdown(runs):
    """The table for Markdown."""
    parts = []
    for topic, found in paired(runs).items():
        parts += [f"## {topic}", "", f"| {' | '.join(HEADS)} |", "|---|" + "---:|" * 2 + "---|" + "---:|" * 2 + "---|" * 3]
        parts += ["| " + " | ".join(cell.replace("|", "\\|") for cell in cells(lines)) + " |" for lines in found]
        parts.append("")
    return "\n".join(parts)
