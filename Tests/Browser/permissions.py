"""File permissions that hold for the tests too."""

import os
import shutil
import subprocess

import pytest


def as_ordinary_user(file):
    """What to put before a command so that file permissions hold, which they don't for root."""
    if os.geteuid() != 0:
        return ()
    prefix = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
    if shutil.which("setpriv") is None or subprocess.run([*prefix, "test", "-e", "/"]).returncode != 0:
        pytest.skip("root reads every file here, and setpriv can't take that away")
    if subprocess.run([*prefix, "cat", file], capture_output=True).returncode == 0:
        pytest.skip("root reads every file here")
    return prefix
