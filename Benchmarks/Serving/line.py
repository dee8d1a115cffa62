"""What the benchmark reports: one figure beside its peer's, and the goal that it is held to."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """A limit of the figure itself, or of its ratio to the peer's."""

    limit: float
    unit: str
    """`ms`, `s`, `MB`, `ns`, `/s`; `times` for a limit of the ratio."""
    is_least: bool = False
    """Whether the limit is the least that will do, rather than the most."""

    def is_met(self, line):
        held = line.ratio if self.unit == "times" else line.took
        return held >= self.limit if self.is_least else held <= self.limit

    def __str__(self):
        return f"{'≥' if self.is_least else '≤'} {self.limit:,g} {self.unit}"


@dataclass(frozen=True)
class Line:
    """One row of the table."""

    topic: str
    """The part of the table that it belongs to."""
    what: str
    size: int
    """How many flags, values or rows there are."""
    took: float
    unit: str
    peer: str
    """What it is measured against, in the same run."""
    peer_took: float
    goal: Goal | None = None
    note: str = ""
    """What else was measured."""

    @property
    def ratio(self):
        """How many times the peer's figure this one is."""
        return self.took / self.peer_took if self.peer_took else float("nan")

    @property
    def is_met(self):
        """Whether the goal is met; `None` where there is none."""
        return self.goal.is_met(self) if self.goal else None

    @property
    def name(self):
        """What tells it from all other lines of its run."""
        return self.topic, self.what, self.size
