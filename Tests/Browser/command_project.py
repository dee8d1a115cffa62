"""A file that the command is tried on."""

import json
import subprocess
from contextlib import contextmanager

from harness import BINARY, environment
from samples import demonstration

TOUR = "onboarding/welcome_tour"
LOCKED = "onboarding/minimum_age"
RADIUS = "delivery/radius"


class Project:
    """A copy of the demonstration, and the command on it."""

    def __init__(self, folder):
        self.file = demonstration(folder)

    def run(self, command, *arguments, said="", **variables):
        """The exit code, standard output, and standard error."""
        done = subprocess.run(
            [BINARY, *command.split(), self.file, *arguments], capture_output=True, text=True, timeout=60, input=said,
            env=environment() | variables)
        return done.returncode, done.stdout, done.stderr

    def ask(self, command, *arguments, **variables):
        """What a command prints that is done."""
        code, printed, error = self.run(command, *arguments, **variables)
        assert code == 0, error
        return printed

    @contextmanager
    def watching(self, *arguments):
        """`flagboard watch`, as long as it is looked at."""
        process = subprocess.Popen(
            [BINARY, "watch", self.file, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment(), text=True)
        with process:
            try:
                yield process
            finally:
                process.terminate()

    def rows(self):
        """The history, the oldest row first."""
        return json.loads(self.ask("history", "--json"))["changes"][::-1]

    def names(self):
        return sorted(path.name for path in self.file.parent.iterdir())


def numeric_flag(project):
    """The key of a flag that can be changed and holds an integer."""
    flags = json.loads(project.ask("list", "--type", "integer", "--json"))["flags"]
    return next(flag["key"] for flag in flags if not flag["isLocked"])
