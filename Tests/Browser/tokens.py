"""Makes and revokes tokens with the command line."""

import json
import subprocess

from harness import BINARY, environment


def run_token(*arguments, variables=None):
    return subprocess.run(
        [BINARY, "token", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        env=environment() | (variables or {}),
    )


def make_token(file, name, role, *options):
    """Makes a token, and returns it."""
    result = run_token("add", file, "--name", name, "--role", role, "--json", *options)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)["token"]
