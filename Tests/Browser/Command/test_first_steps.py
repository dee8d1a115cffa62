"""The first commands of somebody who is new: slips in them, a file that is not there yet, and the version."""

import os
import plistlib
import re
import stat
import subprocess

import pytest
from harness import BINARY, ROOT, Server, environment


def run(*arguments, folder=None, **variables):
    done = subprocess.run(
        [BINARY, *arguments], capture_output=True, text=True, env=environment() | variables, timeout=20,
        stdin=subprocess.DEVNULL, cwd=folder)
    return done.returncode, done.stdout + done.stderr


def create(file, *options, **variables):
    return run("serve", file, "--create", "--access", "open", "--port", "0", "--no-browser", *options, **variables)


@pytest.mark.parametrize("given, meant", [
    ("serv flags.xml", "serve"), ("Serve flags.xml", "serve"), ("histroy verify flags.xml", "history"),
    ("history verfy flags.xml", "verify"), ("token ad flags.xml --name a --role admin", "add"), ("tokens", "token")])
def test_a_mistyped_command_is_answered_with_the_likely_one(tmp_path, given, meant):
    code, said = run(*given.split(), folder=tmp_path)
    assert code == 64
    assert f"Did you mean `{meant}`?" in said and "Usage: flagboard" in said


def test_a_file_in_the_place_of_a_command_is_answered_with_serve(tmp_path):
    (tmp_path / "flags.xml").touch()
    code, said = run("flags.xml", folder=tmp_path)
    assert code == 64 and "Did you mean `flagboard serve flags.xml`?" in said


def test_a_command_like_no_other_is_answered_with_all_of_them(tmp_path):
    code, said = run("deploy", folder=tmp_path)
    assert code == 64 and [name for name in ("serve", "history", "token", "lint") if name not in said] == []


@pytest.mark.parametrize("given", ["help", "help serve", "serve --help", "--help"])
def test_help_is_no_mistyped_command(given):
    code, said = run(*given.split())
    assert code == 0 and "USAGE: flagboard" in said


def test_a_missing_file_is_answered_with_the_option_that_makes_one(tmp_path):
    code, said = run("serve", tmp_path / "flags.xml", "--port", "0", "--no-browser")
    assert code == 1
    assert "file is missing" in said and "--create" in said and "--demo" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["list"], ["get", "ui/on"], ["set", "ui/on", "true"], ["export"]], ids=" ".join)
def test_a_mistyped_path_is_answered_as_one_and_makes_no_file(tmp_path, command):
    file = tmp_path / "flags.xml"
    code, said = run(command[0], file, *command[1:])
    assert code == 1 and said == f"flagboard: {file}: the file is missing.\nCheck the path.\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [[], ["--no-browser"], ["--port", "0"]])
def test_serve_without_a_file_says_how_to_begin(options):
    code, said = run("serve", *options)
    assert code == 64
    assert all(word in said for word in ("flagboard serve flags.xml", "--create", "--demo"))


@pytest.mark.parametrize("option, said", [("--version", r"\d+\.\d+\.\d+\n"), ("--help", r"(?s)OVERVIEW: .*")])
def test_what_serve_says_of_itself_needs_no_file(option, said):
    code, text = run("serve", option)
    assert code == 0 and re.fullmatch(said, text)


def test_a_demonstration_is_made_and_served(serve, tmp_path):
    file = tmp_path / "flags.xml"
    server = serve(file, "--demo")
    assert file.read_bytes() == (ROOT / "Demo/flags.xml").read_bytes()
    assert (tmp_path / "flags.manifest.xml").read_bytes() == (ROOT / "Demo/flags.manifest.xml").read_bytes()
    assert "Welcome tour" in server.get("/").text and "<bdi>Demonstration</bdi>" in server.get("/").text
    server.stop()
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.suffix == ".xml"}
    code, said = run("serve", file, "--demo", "--port", "0", "--no-browser")
    assert code == 1 and "already exists" in said and "Remove --demo" in said
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.suffix == ".xml"} == before


def test_a_demonstration_takes_the_place_of_no_manifest(tmp_path):
    manifest = tmp_path / "flags.manifest.xml"
    manifest.write_text("mine")
    code, said = run("serve", tmp_path / "flags.xml", "--demo", "--port", "0", "--no-browser")
    assert code == 1 and "flags.manifest.xml already exists" in said
    assert manifest.read_text() == "mine" and list(tmp_path.iterdir()) == [manifest]
    assert run("serve", tmp_path / "flags.xml", "--demo", "--create")[0] == 64


@pytest.mark.parametrize("options, prefix", [(["--create"], []), ([], ["env", "FLAGBOARD_CREATE=true"])])
def test_an_empty_file_is_made_and_served(serve, tmp_path, options, prefix):
    file = tmp_path / "flags.xml"
    server = serve(file, *options, prefix=prefix)
    assert plistlib.loads(file.read_bytes()) == {}
    assert "No flags yet" in server.get("/").text
    file.write_bytes(plistlib.dumps({"beta": True}))
    assert "/flags/beta" in server.get("/").text
    assert not [path.name for path in tmp_path.iterdir() if path.name.endswith(".tmp")]


def test_a_file_that_is_there_is_never_replaced(tmp_path):
    file = tmp_path / "flags.xml"
    file.write_bytes(plistlib.dumps({"a": True}))
    before = file.read_bytes()
    code, said = create(file)
    assert code == 1 and "already exists" in said and "--create" in said
    assert file.read_bytes() == before and [path.name for path in tmp_path.iterdir()] == ["flags.xml"]


def test_no_file_is_made_through_a_link_to_one_that_is_there(tmp_path):
    (tmp_path / "real.xml").write_bytes(plistlib.dumps({"a": True}))
    (tmp_path / "flags.xml").symlink_to("real.xml")
    code, said = create(tmp_path / "flags.xml")
    assert code == 1 and "already exists" in said
    assert plistlib.loads((tmp_path / "real.xml").read_bytes()) == {"a": True}


def test_an_empty_file_takes_no_place_of_one_that_the_history_knows(serve, tmp_path):
    file = tmp_path / "flags.xml"
    serve(file, "--create").stop()
    file.unlink()
    code, said = create(file)
    assert code == 1 and str(tmp_path / "flags.history.sqlite") in said and "Restore the file" in said
    assert not file.exists()


def test_a_folder_that_is_missing_is_not_made(tmp_path):
    code, said = create(tmp_path / "missing" / "flags.xml")
    assert code == 1 and "folder doesn't exist" in said
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_durable_before_it_has_its_name_and_so_is_its_folder(tmp_path):
    trace = tmp_path / "trace"
    (tmp_path / "served").mkdir()
    file = tmp_path / "served" / "flags.xml"
    server = Server(
        file, "--create", prefix=["strace", "-D", "-f", "-y", "-o", trace, "-e", "trace=fsync,link,linkat"])
    server.stop()
    calls = trace.read_text().splitlines()
    made = next(number for number, call in enumerate(calls) if re.search(r'link.*, "[^"]*served/flags\.xml"', call))
    assert any("fsync" in call and "served/.flags.xml" in call for call in calls[:made]), calls[:made]
    assert any("fsync" in call and f"{file.parent}>" in call for call in calls[made:]), calls[made:]


def test_others_may_read_the_file_that_was_made_as_the_mode_mask_has_it(serve, tmp_path):
    file = tmp_path / "flags.xml"
    serve(file, "--create", prefix=["sh", "-c", 'umask 027; exec "$@"', "sh"])
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o640


def test_the_version_is_the_newest_one_of_the_changelog():
    newest = re.search(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text(), re.M)[1]
    assert run("--version") == (0, f"{newest}\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_that_completes_commands_gets_its_script(shell):
    code, said = run("--generate-completion-script", shell)
    assert code == 0 and [name for name in ("serve", "list", "explain", "git", "lint") if name not in said] == []
    if shell == "bash":
        assert subprocess.run(["bash", "-n"], input=said, text=True, timeout=20).returncode == 0
