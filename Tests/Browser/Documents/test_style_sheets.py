"""The style sheets of the pages: what is declared once is used everywhere."""

import re

import pytest
from harness import ROOT

SHEETS = sorted((ROOT / "Public").rglob("*.css"))
SCALE = re.compile(r"^    --text-([a-z]+): ([\d.]+)rem;$", re.MULTILINE)
WRITTEN_OUT = re.compile(r"font(?:-size)?:[^;{}]*?(?<![\w.-])[\d.]+(?:rem|px)\b")


def sizes_outside(sheet):
    return [line.strip() for line in sheet.splitlines() if WRITTEN_OUT.search(line)]


def test_text_has_the_sizes_of_one_scale():
    scale = {name: float(size) for path in SHEETS for name, size in SCALE.findall(path.read_text())}
    used = {name for path in SHEETS for name in re.findall(r"var\(--text-([a-z]+)\)", path.read_text())}
    assert used == set(scale) and len(scale) <= 7
    assert list(scale.values()) == sorted(set(scale.values())), "from the smallest to the largest"


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_no_size_of_text_is_written_out(path):
    assert sizes_outside(path.read_text()) == []


@pytest.mark.parametrize("line", ["font-size: 0.8125rem;", "font: 600 13px/1.5 sans-serif;", "font-size: calc(1rem + 2px);"])
def test_a_size_outside_the_scale_is_found(line):
    assert sizes_outside(f"p {{\n    {line}\n}}") == [line]


@pytest.mark.parametrize("line", ["font-size: var(--text-small);", "font-size: 0.8em;", "font-size: inherit;", "font: inherit;"])
def test_steps_of_the_scale_and_relative_sizes_are_allowed(line):
    assert sizes_outside(f"p {{\n    {line}\n}}") == []


def test_no_glyph_of_the_systems_font_stands_for_an_icon():
    paths = [path for folder in ("Templates", "Public") for path in sorted((ROOT / folder).rglob("*.*"))]
    glyphs = {str(path.relative_to(ROOT)): found for path in paths if (found := re.findall("[◷★☆⠿▸▾▴▼▶✓✕✗⚠]", path.read_text()))}
    assert paths and glyphs == {}
