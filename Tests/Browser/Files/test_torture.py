"""A sample of what Tests/Torture tries, whose whole is run by script/torture."""

import os
import sys

import pytest
from harness import ROOT

sys.path.insert(0, str(ROOT / "Tests/Torture"))

from table import Row, Skipped, attempt, print_table, spread
from torture import part, part_names

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="calls are failed by LD_PRELOAD")


@pytest.mark.parametrize("name", [name for name in part_names() if part(name).QUICK])
def test_nothing_goes_wrong_in_a_sample_of(name):
    module = part(name)
    try:
        rows = module.run(module.QUICK, os.cpu_count() or 1)
    except Skipped as reason:
        pytest.skip(str(reason))
    assert sum(row.tried for row in rows) > 0
    assert not any(row.bad for row in rows), "\n".join(problem for row in rows for problem in row.problems)


def test_what_goes_wrong_is_counted_and_told(capsys):
    def try_one(number):
        assert number % 3, f"{number} is bad"
        return number

    row = attempt("numbers", list(range(1, 10)), try_one, 2, note=lambda found: f"the sum is {sum(found)}")
    assert (row.tried, row.bad, row.note) == (9, 3, "the sum is 27")
    assert not print_table([Row("nothing", 1, 0), row])
    said = capsys.readouterr().out
    assert "numbers: 6: 6 is bad" in said and "the sum is 27" in said
    assert print_table([Row("nothing", 1, 0)])


def test_a_count_is_spread_over_all_cases():
    assert spread(list("abcdef"), 3) == list("ace")
    assert spread(list("ab"), 5) == list("ababa")
