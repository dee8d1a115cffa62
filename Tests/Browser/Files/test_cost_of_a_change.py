"""What a change costs whatever the machine: how often a whole file is read, and what is written and synchronized."""

import sys
from collections import Counter

import pytest
from harness import Server
from subject import project, shim, values

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="calls are counted by LD_PRELOAD")

SIZE = 1_000_000
# More than any read of the history takes.
BLOCK = 100_000


@pytest.fixture
def served(tmp_path):
    """A server on a file of a megabyte, and the file that its calls are told in once the other one is there."""
    file = project(tmp_path / "project", padding=SIZE)
    armed, log = tmp_path / "armed", tmp_path / "log"
    prefix = (
        "env", f"LD_PRELOAD={shim()}", f"TORTURE_ARMED={armed}", f"TORTURE_LOG={log}", f"TORTURE_READS={BLOCK}")
    server = Server(file, prefix=prefix)
    yield server, file, armed, log
    server.stop()


def calls(served, change):
    """What a change calls, from when it is asked for until it is answered."""
    server, _, armed, log = served
    path, fields = f"/flags/{change}", server.editor(change) | {"action": "set", "value": "2", "reason": "counted"}
    log.unlink(missing_ok=True)
    armed.touch()
    answer = server.post(path, fields)
    armed.unlink()
    assert answer.status == 303, answer.text
    return Counter(log.read_text().split())


def test_a_change_synchronizes_four_times_and_reads_the_file_once_for_each_look(served):
    made = calls(served, "a")
    assert values(served[1])["a"] == 2
    assert made["renameat2"] == 1
    # The new file and its folder; in the history the intent and the rows.
    assert made["fsync"] == 2
    assert made["fdatasync"] == 2
    # As the form is read, as the round begins, what was displaced, and each time that the watch looks: a file so new can't be told
    # by its times. Then its bytes are compared before they are read. The first of those looks may begin before the calls are counted.
    assert 1 <= made["read"] <= 3 + 2 * max(1, made["watch"])


def test_the_history_is_told_the_bytes_that_change_and_not_the_file(served):
    for flag in ("a", "b"):
        made = calls(served, flag)
        assert values(served[1])[flag] == 2
        # Each page of 4 KiB is two writes, and the file would be 250 pages.
        assert made["pwrite64"] < 100
