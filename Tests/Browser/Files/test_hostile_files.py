"""A sample of Tests/Torture/hostile_files.py, which tries each hostile file, and checks that it would see what it looks for."""

import socket
import subprocess
import sys
from collections import Counter

import pytest
from hostile_files import Trace, Watch, at_hostile_files, hostile_files

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is opened is watched by strace")


def test_a_sample_of_hostile_files_is_refused_and_nothing_else_is_opened():
    table = Counter()
    at_hostile_files(48, table)
    count = 2 * len(hostile_files()[::48])
    assert table["hostile files refused at the start"] == table["hostile files refused while it runs"] == count


def test_the_watch_sees_a_file_that_is_opened_and_a_connection(tmp_path):
    (tmp_path / "trace").write_text("")
    trace = Trace(tmp_path / "trace")
    secret = tmp_path / "secret.txt"
    secret.write_text("a file that an attack names")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        program = f"""
import socket
open({str(secret)!r}).read()
socket.create_connection(("127.0.0.1", {listening.getsockname()[1]})).close()
"""
        # Its output ends when strace, which shares it, has written everything.
        subprocess.run([*trace.prefix, sys.executable, "-c", program], check=True, capture_output=True)
    named = trace.take()
    assert any(name.endswith("secret.txt") for name in named)
    assert "socket AF_INET" in named and any(name.startswith("connect AF_INET") for name in named)


def test_the_watch_finds_what_no_server_opens(tmp_path):
    watch = Watch(tmp_path)
    trace = watch.trace()
    subprocess.run([*trace.prefix, "cat", watch.file.with_name("secret.txt"), watch.file], check=True, capture_output=True)
    with pytest.raises(AssertionError, match="secret.txt"):
        watch.check(trace, watch.at_start, Counter())
