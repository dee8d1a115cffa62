"""A sample of Tests/Torture, whose whole is run by script/torture: kills and failing calls at the steps of a change."""

import sys
from collections import Counter

import pytest
from harness import ROOT

sys.path.insert(0, str(ROOT / "Tests/Torture"))

from tampering import tamperings
from torture import at_every_step, at_random

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="calls are failed by LD_PRELOAD")


def test_nothing_is_lost_at_a_sample_of_the_steps_of_a_change():
    table = Counter()
    at_every_step(17, table)
    assert table["killed, alone"] and table["failed call, outside edit"]


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_lost_when_the_server_is_killed_under_eight_writers(seed):
    at_random(seed)


def test_a_sample_of_tamperings_with_the_history_is_found():
    table = tamperings(60)
    assert sum(tried for _, tried, _ in table) == 60 and len(table) > 12
    assert all(tried == found for _, tried, found in table), table
