"""Commands beside a server that is stopped, or says nothing: they end, and say what hangs and what to do."""

import json
import sqlite3
import subprocess
import time
from contextlib import contextmanager
from signal import SIGCONT, SIGSTOP

import pytest
from command_project import TOUR, Project
from harness import BINARY, environment

COMMANDS = {
    "list": [], "get": [TOUR], "explain": [TOUR], "set": [TOUR, "false"], "reset": [TOUR], "lock": [TOUR], "unlock": [TOUR],
    "define": ["fresh/one", "--type", "bool"], "rename": [TOUR, "fresh/two"], "retire": [TOUR], "undo": [], "revert": ["1"],
    "export": [], "import": ["-"], "diff": [], "history": [], "history note": ["1", "why"], "manifest": [], "watch": [],
}
"""Each command that asks the server of its file."""


@contextmanager
def stopped(server):
    server.process.send_signal(SIGSTOP)
    try:
        yield
    finally:
        server.process.send_signal(SIGCONT)


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "project")


def test_every_command_gives_up_on_a_stopped_server_and_says_what_to_do(serve, project):
    server = serve(project.file)
    with stopped(server):
        for command, rest in COMMANDS.items():
            code, printed, error = project.run(command, *rest, "--timeout", "0.2", said="{}")
            assert (code, printed) == (1, ""), f"{command}: {code} {printed} {error}"
            assert f"process {server.process.pid}" in error and "hasn't responded for 0.2 seconds" in error, command
            assert "--timeout SECONDS" in error, command
    # What was given up may still go through, so the flag may have its new name by now.
    assert project.ask("list")


def test_what_a_change_comes_to_is_said_to_be_open(serve, project):
    with stopped(serve(project.file)):
        error = project.run("set", TOUR, "false", "--timeout", "0.2")[2]
        assert "may still go through" in error and "flagboard history" in error
        assert "may still go through" not in project.run("get", TOUR, "--timeout", "0.2")[2]


def test_the_time_can_come_from_the_environment(serve, project):
    with stopped(serve(project.file)):
        code, printed, error = project.run("get", TOUR, "--json", FLAGBOARD_TIMEOUT="0.2")
        assert code == 1 and "hasn't responded for 0.2 seconds" in error
        assert "hasn't responded for 0.2 seconds" in json.loads(printed)["detail"]


def test_a_history_that_another_program_has_locked_is_waited_for_as_long(project):
    assert project.run("set", TOUR, "false")[0] == 0
    with sqlite3.connect(project.file.parent / "flags.history.sqlite") as database:
        database.execute("BEGIN IMMEDIATE")
        durations = {}
        for seconds in (0.1, 1.5):
            start = time.monotonic()
            code, printed, error = project.run("set", TOUR, "true", "--timeout", str(seconds))
            durations[seconds] = time.monotonic() - start
            assert (code, printed) == (1, "") and "locked" in error, error
        assert durations[1.5] - durations[0.1] > 1
        database.rollback()
    assert project.run("set", TOUR, "true", "--timeout", "3")[0] == 0


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon", "86401", "9223372036854775807"])
def test_what_is_no_time_is_wrong_usage(project, seconds):
    assert project.run("get", TOUR, f"--timeout={seconds}")[0] == 64
    code, _, error = project.run("get", TOUR, FLAGBOARD_TIMEOUT=seconds)
    assert code == 64 and "FLAGBOARD_TIMEOUT" in error


def leaves(command, above=()):
    below = [item for item in command.get("subcommands", []) if item["commandName"] != "help"]
    names = [*above, command["commandName"]]
    return [leaf for item in below for leaf in leaves(item, names)] if below else [(" ".join(names[1:]), command)]


def test_every_command_takes_the_time():
    said = subprocess.run(
        [BINARY, "--experimental-dump-help"], capture_output=True, text=True, check=True, timeout=30, env=environment())
    without = [
        name for name, command in leaves(json.loads(said.stdout)["command"])
        if "timeout" not in [item["name"] for option in command["arguments"] for item in option.get("names", [])]]
    # git itself runs these two, which ask no other process.
    assert [name for name in without if name not in ("git merge-driver", "git textconv")] == []
