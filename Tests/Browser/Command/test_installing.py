"""script/install: everything in its place, once more over itself, and away again."""

import os
import shutil
import subprocess

import pytest
from harness import BINARY, ROOT, environment


def install(*arguments):
    return subprocess.run(
        [ROOT / "script/install", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
        env=environment() | {"PATH": os.environ["PATH"]})


def files_below(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The program without what helps debuggers, which takes the most time to copy."""
    stripped = tmp_path_factory.mktemp("program") / "flagboard"
    subprocess.run(["strip", "-o", stripped, BINARY], check=True)
    return stripped


def test_what_is_installed_runs_and_is_removed_to_the_last_file(program, tmp_path):
    prefix = tmp_path / "local"
    (prefix / "share/man/man1").mkdir(parents=True)
    (prefix / "share/man/man1/other.1").write_text("of another program")
    result = install("--binary", program, prefix)
    assert result.returncode == 0, result.stderr
    assert f'export PATH="{prefix}/bin:$PATH"' in result.stdout and f"--uninstall {prefix}" in result.stdout
    found = files_below(prefix)
    assert {
        "bin/flagboard", "share/man/man1/flagboard.1", "share/man/man1/flagboard-serve.1",
        "share/bash-completion/completions/flagboard", "share/zsh/site-functions/_flagboard",
        "share/fish/vendor_completions.d/flagboard.fish", "lib/systemd/system/flagboard.service"} <= found
    assert f"{prefix}/bin/flagboard" in (prefix / "lib/systemd/system/flagboard.service").read_text()
    version = subprocess.run([prefix / "bin/flagboard", "--version"], capture_output=True, text=True, env=environment())
    assert version.returncode == 0 and version.stdout.strip() in result.stdout
    for shell, script in (
        ("bash", "share/bash-completion/completions/flagboard"), ("zsh", "share/zsh/site-functions/_flagboard"),
        ("fish", "share/fish/vendor_completions.d/flagboard.fish")):
        if shutil.which(shell):
            read = subprocess.run([shell, "-n", prefix / script], capture_output=True, text=True)
            assert read.returncode == 0, f"{script}: {read.stderr}"
    again = install("--binary", program, prefix)
    assert again.returncode == 0 and files_below(prefix) == found
    removed = install("--uninstall", prefix)
    assert removed.returncode == 0 and f"Removed the {len(found) - 1} files" in removed.stdout, removed.stdout
    assert files_below(prefix) == {"share/man/man1/other.1"} and not (prefix / "bin").exists()
    assert install("--uninstall", prefix).returncode == 1


def test_a_file_that_another_program_installed_is_not_replaced(program, tmp_path):
    other = tmp_path / "local/bin/flagboard"
    other.parent.mkdir(parents=True)
    other.write_text("of another program")
    refused = install("--binary", program, tmp_path / "local")
    assert refused.returncode == 1 and f"{other} is there" in refused.stderr
    assert files_below(tmp_path / "local") == {"bin/flagboard"} and other.read_text() == "of another program"
