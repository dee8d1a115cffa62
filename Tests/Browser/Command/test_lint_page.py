"""docs/lint.md: its commands run, its hook guards a repository, and its tables are those of the program."""

import json
import os
import re
import shlex
import subprocess

import pytest
import yaml
from harness import BINARY, ROOT, environment
from lxml import etree
from samples import demonstration

PAGE = (ROOT / "docs/lint.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


COMMANDS = [line for block in blocks("sh") for line in block.splitlines()]


def variables():
    return environment() | {
        "PATH": f"{BINARY.parent}:{os.environ['PATH']}", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def run(command, folder):
    return subprocess.run(
        ["sh", "-c", command], cwd=folder, env=variables(), capture_output=True, text=True, timeout=60,
        stdin=subprocess.DEVNULL)


@pytest.fixture
def folder(tmp_path):
    folder = demonstration(tmp_path / "demo").parent
    (folder / "flags.rules.json").write_text(blocks("json")[0])
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_on_the_page_runs(folder, command):
    done = run(command, folder)
    # The demonstration has a wrong value on purpose.
    assert done.returncode == (1 if " lint " in command else 0), done.stderr
    assert done.stderr == ""
    written = command.partition(" > ")[2]
    said = (folder / written).read_text() if written else done.stdout
    if command == COMMANDS[0]:
        assert said.splitlines() == re.findall(r"^    (.*(?:\[[a-z-]+\]|flags\.manifest\.xml))$", PAGE, re.M)[:4]
    if "--json" in command:
        shown, report = json.loads(blocks("json")[1]), json.loads(said)
        assert set(shown) == set(report)
        assert shown["findings"][0] in report["findings"]
    if "schema" in command or "sarif" in command:
        assert etree.fromstring(said.encode()) is not None if "relax" in command else json.loads(said)


def test_the_table_of_rules_is_that_of_the_program(folder):
    driver = json.loads(run("flagboard lint flags.xml --format sarif", folder).stdout)["runs"][0]["tool"]["driver"]
    help = run("flagboard help lint", folder).stdout
    told = {}
    for cell, usual in re.findall(r"^\| (`[a-z`, -]+) \| (error, always|error|warning|off) \| ", PAGE, re.M):
        told |= {name: usual for name in re.findall(r"`([a-z-]+)`", cell)}
    real = {}
    for rule in driver["rules"]:
        default = rule["defaultConfiguration"]
        usual = default["level"] if default["enabled"] else "off"
        real[rule["id"]] = "error, always" if f"{rule['id']} (always error)" in help else usual
    assert told == real and len(real) == 21


def test_every_option_is_on_the_page(folder):
    options = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", run("flagboard help lint", folder).stdout, re.M))
    assert [option for option in sorted(options - {"--help", "--version", "--history"}) if option not in PAGE] == []


@pytest.fixture
def repository(folder):
    """A repository with the page's hook, and nothing committed yet but the demonstration, set right."""
    file = folder / "flags.xml"
    file.write_text(file.read_text().replace("<string>three</string>", "<integer>3</integer>"))
    (hook,) = blocks("bash")
    commands = ["git init -q", "git config user.name Ada", "git config user.email ada@example.com"]
    assert run(" && ".join(commands), folder).returncode == 0
    path = folder / ".git/hooks/pre-commit"
    path.write_text(hook)
    path.chmod(0o755)
    return folder


def commit(repository, *files, options=""):
    return run(f"git add {shlex.join(files)} && git commit -q {options} -m 'Some change'", repository)


def commits(repository):
    return len(run("git log --format=%h", repository).stdout.split())


def test_the_hook_lets_sound_flags_through_and_no_wrong_ones(repository):
    assert commit(repository, "flags.xml", "flags.manifest.xml").returncode == 0
    file = repository / "flags.xml"
    sound = file.read_text()
    file.write_text(sound.replace("<integer>3</integer>", "<string>three</string>"))
    done = commit(repository, "flags.xml")
    assert done.returncode != 0 and "flags.xml:44:4: error: checkout/payment/retry_limit" in done.stdout + done.stderr
    assert commits(repository) == 1
    # What lies in the folder makes no difference: neither that it is right by now, nor that it is wrong.
    file.write_text(sound)
    assert run("git commit -q -m 'Some change'", repository).returncode != 0
    assert commit(repository, "flags.xml", options="--allow-empty").returncode == 0
    file.write_text("no property list")
    (repository / "notes").write_text("")
    assert commit(repository, "notes").returncode == 0
    assert run("git commit -q -a -m 'Some change'", repository).returncode != 0
    assert commits(repository) == 3
    assert sorted(path.name for path in repository.iterdir()) == [
        ".git", "flags.manifest.xml", "flags.rules.json", "flags.xml", "notes"]


def test_the_hook_checks_values_against_the_manifest_as_it_is_staged(repository):
    assert commit(repository, "flags.xml", "flags.manifest.xml").returncode == 0
    manifest = repository / "flags.manifest.xml"
    manifest.write_text(manifest.read_text().replace("<string>integer</string>", "<string>date</string>"))
    assert commit(repository, "flags.manifest.xml").returncode != 0
    assert commits(repository) == 1


def test_the_entry_for_pre_commit_is_one_that_runs(folder):
    (entry,) = blocks("yaml")
    (repo,) = yaml.safe_load(entry)["repos"]
    (hook,) = repo["hooks"]
    assert repo["repo"] == "local" and hook["language"] == "system" and hook["pass_filenames"] is False
    assert {"id", "name", "entry", "files"} < set(hook)
    names = ["flags.xml", "flags.manifest.xml", "flagsAxml", "old/flags.xml", "flags.history.xml"]
    assert [name for name in names if re.search(hook["files"], name)] == ["flags.xml", "flags.manifest.xml"]
    assert run(hook["entry"], folder).returncode == 1
