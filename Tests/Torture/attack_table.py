"""What attacks were tried and how many of them got through, as rows of a table."""

from dataclasses import dataclass, field


@dataclass
class Row:
    """One class of attack: how many were tried, which got through, and the longest answer in milliseconds."""

    attack: str
    tried: int = 0
    through: list = field(default_factory=list)
    worst_ms: float = 0.0

    def __str__(self):
        line = f"{self.attack:44} {self.tried:6} tried {len(self.through):4} got through {self.worst_ms:9.1f} ms at worst"
        return "\n".join([line, *(f"    {what}" for what in self.through[:20])])


class AttackTable:
    """Collects rows by the class of attack, in the order in which they were first noted."""

    def __init__(self):
        self._rows = {}

    def note(self, attack, what, got_through, seconds=0.0):
        """Notes one attempt; `what` tells it from the others where it got through, with what was answered."""
        row = self._rows.setdefault(attack, Row(attack))
        row.tried += 1
        row.worst_ms = max(row.worst_ms, seconds * 1000)
        if got_through:
            row.through.append(str(what))

    def rows(self):
        return list(self._rows.values())
