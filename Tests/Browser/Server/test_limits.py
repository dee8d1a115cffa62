"""What is read of large files, and of what is no file, by the server and the commands."""

import os
import socket
import subprocess
from contextlib import closing

import pytest
from followed import Events
from harness import BINARY, Server, environment
from samples import demonstration


@pytest.fixture
def file(tmp_path):
    return demonstration(tmp_path / "demo")


def run(*arguments, **variables):
    done = subprocess.run(
        [BINARY, *arguments], capture_output=True, text=True, env=environment() | variables, timeout=20,
        stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


def serve(file, *options, **variables):
    return run("serve", file, "--access", "open", "--port", "0", "--no-browser", *options, **variables)


@pytest.mark.parametrize("name", ["flags.xml", "flags.manifest.xml"])
def test_a_file_over_the_limit_is_refused_once_with_its_size_the_limit_and_the_option(file, name):
    large = file.with_name(name)
    size = large.stat().st_size
    large.write_bytes(large.read_bytes() + b"\n" * (100_000 - size))
    for code, said in (serve(file, "--max-file-size", "64K"), serve(file, FLAGBOARD_MAX_FILE_SIZE="64K")):
        assert code == 1
        assert said.count(str(large)) == 1 and "100000 bytes" in said and "65536" in said and "--max-file-size" in said
        assert "not valid" not in said
    server = Server(file, "--max-file-size", "100000")
    server.stop()


@pytest.mark.parametrize("size", ["0", "2G", "lots", "-1", "99999999999999999999G", ""])
def test_an_impossible_limit_is_wrong_usage(file, size):
    code, said = serve(file, "--max-file-size", size)
    assert code == 64 and "--max-file-size" in said


def test_the_history_commands_take_the_limit_too(file):
    Server(file).stop()
    manifest = file.with_name("flags.manifest.xml")
    manifest.write_bytes(manifest.read_bytes() + b"\n" * 100_000)
    code, said = run("history", "export", file, "--max-file-size", "64K")
    assert code == 1 and "the limit is 65536" in said and "--max-file-size" in said
    assert run("history", "export", file)[0] == 0


def make_socket(path):
    with closing(socket.socket(socket.AF_UNIX)) as made:
        made.bind(str(path))


KINDS = {"a socket": make_socket, "a named pipe": os.mkfifo, "a folder": os.mkdir}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["flags.xml", "flags.manifest.xml"])
def test_what_is_no_file_is_called_what_it_is(file, name, kind):
    place = file.with_name(name)
    place.unlink()
    KINDS[kind](place)
    code, said = serve(file)
    assert code == 1 and str(place) in said and f"it is {kind}" in said, said
    assert "check the disk" not in said


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["flags.history.key", "flags.history.checkpoints"])
def test_what_is_no_file_beside_the_history_is_called_what_it_is_and_waited_for_by_no_command(file, name, kind):
    Server(file).stop()
    place = file.with_name(name)
    place.unlink()
    KINDS[kind](place)
    code, said = run("history", "verify", file)
    assert code == 1 and f"can't use {place}: it is {kind}" in said, said


@pytest.mark.parametrize("archive", ["/dev/zero", "/dev/null", "/etc", "pipe"])
def test_an_archive_that_is_no_file_is_called_what_it_is(file, tmp_path, archive):
    Server(file).stop()
    if archive == "pipe":
        archive = tmp_path / "pipe"
        os.mkfifo(archive)
    code, said = run("history", "verify", file, "--archive", archive)
    assert code == 1 and "not a regular file" in said and "permission" not in said, said


def test_more_programs_may_listen_where_the_operator_says_so(tmp_path):
    server = Server(demonstration(tmp_path / "demo"), "--max-streams", "20")
    try:
        listeners = [Events(server) for _ in range(20)]
        refused = server.get("/events")
        assert refused.status in (429, 503) and "20" in refused.text
        for listener in listeners:
            listener.close()
    finally:
        server.stop()


@pytest.mark.parametrize("number", ["0", "10001", "-1", "many"])
def test_a_number_of_listeners_that_cannot_be_is_refused(file, number):
    code, said = serve(file, f"--max-streams={number}")
    assert code == 64 and "max-streams" in said
