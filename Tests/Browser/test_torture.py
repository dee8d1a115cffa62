"""A sample of Tests/Torture, whose whole is run by script/torture: kills and failing calls at the steps of a change."""

import sys
from collections import Counter

import pytest
from harness import ROOT

sys.path.insert(0, str(ROOT / "Tests/Torture"))

from torture import at_every_step, at_random
from writers import many_writers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="calls are failed by LD_PRELOAD")


def test_nothing_is_lost_at_a_sample_of_the_steps_of_a_change():
    table = Counter()
    at_every_step(17, table)
    assert table["killed, alone"] and table["failed call, outside edit"]


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_lost_when_the_server_is_killed_under_eight_writers(seed):
    at_random(seed)


def test_nothing_is_lost_when_many_write_at_once_and_other_programs_edit():
    table = many_writers(writers=12, edits=20, outside=2)
    assert table["changes by 12 writers at once"] == 12 * 21
