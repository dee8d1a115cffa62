"""A sample of what Tests/Torture tries, whose whole is run by script/torture."""

import os
import sys

import pytest
from readers import Read, check_order
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


HELD = {0: 0, 1: 1, 2: 2, 3: 2, 4: 4}
"""What a flag held after each row: 3 was asked for, and not set."""


def test_reads_that_skip_and_repeat_values_are_sound():
    for values in ([], [None], [None, None, 0, 1, 1, 4], [2, 4]):
        check_order([Read(0, value, None) for value in values], HELD, "it")
    check_order([Read(0, None, None), Read(0, 0, 0), Read(0, 1, 2), Read(0, 2, 3), Read(0, 4, 4)], HELD, "it")


@pytest.mark.parametrize(
    "reads, problem",
    [
        ([(1, None), (3, None)], "3 was never set"),
        ([("broken: x", None)], "was never set"),
        ([(4, None), (2, None)], "2 comes after what was set later"),
        ([(1, None), (0, None)], "0 comes after what was set later"),
        ([(1, None), (None, None), (2, None)], "the value is gone"),
        ([(1, 2), (1, 1)], "row 1 comes after row 2"),
        ([(4, 4), (4, 5)], "the history has no row 5"),
        ([(2, 1), (2, 2)], "2 is newer than row 1"),
    ],
)
def test_reads_that_cannot_be_are_told_with_those_around(reads, problem):
    with pytest.raises(AssertionError, match=problem) as raised:
        check_order([Read(0, value, row) for value, row in reads], HELD, "reader 7")
    assert "reader 7" in str(raised.value)
    assert all(str(value) in str(raised.value) for value, _ in reads)


def test_a_reader_that_is_woken_without_a_change_is_told():
    with pytest.raises(AssertionError, match="7 reads of 4 values"):
        check_order([Read(0, 4, None)] * 7, HELD, "it")
