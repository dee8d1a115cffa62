"""Curves of cost over size, as SVG: both axes go by powers of ten, so that what grows with the size is a slope."""

import html
import math

WIDTH, HEIGHT = 820, 440
LEFT, RIGHT, TOP, BOTTOM = 70, 330, 46, 46
COLOURS = ("#0b62c4", "#b4470b", "#1a7f4b", "#7a3fb0", "#9a6a00", "#b0206a", "#4a5568", "#00808a", "#5a7d00", "#a33")
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#222}.title{font-size:15px;font-weight:600}.grid{stroke:#ddd}"
    ".curve{fill:none;stroke-width:2}.peer{stroke-dasharray:4 4}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#444}}")


class Axis:
    """Numbers by powers of ten, between two places."""

    def __init__(self, numbers, start, end):
        self.least, self.most = math.floor(math.log10(min(numbers))), math.ceil(math.log10(max(numbers)))
        self.most = max(self.most, self.least + 1)
        self._start, self._end = start, end

    def place(self, number):
        share = (math.log10(number) - self.least) / (self.most - self.least)
        return round(self._start + share * (self._end - self._start), 1)

    def powers(self):
        return [10.0**power for power in range(self.least, self.most + 1)]


def drawing(title, unit, curves):
    """A picture of some curves: the points of each, of size and figure, by its name, which ends in `*` where it is a peer's."""
    points = [point for found in curves.values() for point in found]
    across = Axis([size for size, _ in points], LEFT, WIDTH - RIGHT)
    up = Axis([figure for _, figure in points], HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{html.escape(title)}</title>", f"<style>{STYLE}</style>",
        f'<text class="title" x="{LEFT}" y="24">{html.escape(title)}</text>']
    for power in across.powers():
        x = across.place(power)
        parts.append(f'<path class="grid" d="M{x} {TOP}V{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text x="{x}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{power:,.0f}</text>')
    for power in up.powers():
        y = up.place(power)
        parts.append(f'<path class="grid" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{power:g} {unit}</text>')
    for number, (name, found) in enumerate(curves.items()):
        parts += _curve(number, name, [(across.place(size), up.place(figure)) for size, figure in sorted(found)])
    return "\n".join([*parts, "</svg>", ""])


def _curve(number, name, places):
    """A curve, its points, and its name in the legend."""
    colour, y = COLOURS[number % len(COLOURS)], TOP + 12 + 20 * number
    kind, x = "curve peer" if name.endswith("*") else "curve", WIDTH - RIGHT + 20
    line = "L".join(f"{right} {down}" for right, down in places)
    yield f'<path class="{kind}" stroke="{colour}" d="M{line}"/>'
    for right, down in places:
        yield f'<circle cx="{right}" cy="{down}" r="3" fill="{colour}"/>'
    yield f'<path class="{kind}" stroke="{colour}" d="M{x} {y - 4}h24"/>'
    yield f'<text x="{x + 32}" y="{y}">{html.escape(name.rstrip("*"))}</text>'
