"""No command writes one of Flagboard's own files as something else, nor over a file of somebody's without being told to."""

import json
import os
import subprocess

import pytest
from harness import BINARY, Server, environment
from samples import demonstration
from tokens import make_token

OWN = {
    "flags.xml": "the provider Local",
    "flags.manifest.xml": "the manifest",
    "flags.history.sqlite": "the history",
    "flags.history.sqlite-wal": "the history's log",
    "flags.history.key": "the history's signing key",
    "flags.history.checkpoints": "the history's checkpoints",
    "flags.tokens.json": "the token file",
    "flags.webhooks.json": "the webhooks file",
    "flags.searches.json": "the saved searches file",
    ".flags.xml.lock": "the lock of flags.xml",
}
"""What stands beside a file of values that is served, and what a command calls it."""


@pytest.fixture
def file(tmp_path):
    return demonstration(tmp_path / "demo")


@pytest.fixture
def served(serve, file):
    """A server whose files are all there."""
    make_token(file, "ada", "admin")
    # One that is told of something has the server write beside it.
    webhooks = file.with_name("flags.webhooks.json")
    webhooks.touch(mode=0o600)
    webhooks.write_text('{"version": 1, "webhooks": []}')
    server = serve(file)
    server.post("/searches", {"action": "save", "name": "On", "query": "state=on"})
    server.change("checkout/minimum_order", "set", "3")
    assert set(OWN) <= set(names(file))
    return server


def run(*arguments, **variables):
    done = subprocess.run(
        [BINARY, *arguments], capture_output=True, text=True, env=environment() | variables, timeout=20,
        stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


def export(file, output, *options):
    return run("history", "export", file, "--output", output, *options)


def names(file):
    return sorted(path.name for path in file.parent.iterdir())


def contents(file):
    # SQLite keeps the locks of whoever reads in the third file.
    return {path.name: path.read_bytes() for path in file.parent.iterdir() if not path.name.endswith("-shm")}


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("options", [[], ["--force"]], ids=["unforced", "forced"])
def test_an_export_never_replaces_one_of_flagboards_own_files(served, tmp_path, name, options):
    own = served.file.parent / name
    linked, hard = tmp_path / "linked.jsonl", tmp_path / "hard.jsonl"
    linked.symlink_to(own)
    os.link(own, hard)
    before = contents(served.file)
    for output in (own, linked, hard, served.file.parent / ".." / "demo" / name):
        code, said = export(served.file, output, *options)
        assert code == 1 and f"is {OWN[name]}" in said and "Nothing was written" in said, said
    assert contents(served.file) == before
    served.change("checkout/minimum_order", "set", "4")
    served.stop()
    assert run("history", "verify", served.file)[0] == 0


@pytest.mark.parametrize("name", ["flags.tokens.json", "flags.history.sqlite-journal", "flags.manifest.xml"])
def test_a_name_that_is_flagboards_own_is_kept_for_it_before_there_is_such_a_file(tmp_path, name):
    file = demonstration(tmp_path / "demo")
    file.with_name("flags.manifest.xml").unlink()
    Server(file).stop()
    code, said = export(file, file.with_name(name))
    assert code == 1 and "Nothing was written" in said and name not in names(file)
    code, said = run("history", "prune", file, "--keep-rows", "0", "--archive", file.with_name(name))
    assert code == 1 and "--archive" in said and name not in names(file)


def test_the_own_files_are_known_where_options_or_the_environment_put_them(file, tmp_path):
    apart = tmp_path / "apart"
    apart.mkdir()
    history, tokens = apart / "log.sqlite", apart / "people.json"
    make_token(file, "ada", "admin", "--tokens", tokens)
    Server(file, "--history", history, "--tokens", tokens).stop()
    before = tokens.read_bytes(), history.read_bytes()
    variables = {"FLAGBOARD_HISTORY": str(history), "FLAGBOARD_TOKENS": str(tokens)}
    for output in (history, tokens, apart / "log.key"):
        code, said = run("history", "export", file, "--output", output, "--force", **variables)
        assert code == 1 and "which Flagboard uses" in said
    assert (tokens.read_bytes(), history.read_bytes()) == before
    assert run("history", "export", file, **variables)[0] == 0


def test_an_export_replaces_somebodys_file_only_where_it_is_told_to(served, tmp_path):
    output = tmp_path / "rows.jsonl"
    output.write_text("mine")
    code, said = export(served.file, output)
    assert code == 1 and "--force" in said and output.read_text() == "mine"
    code, said = export(served.file, output, "--force")
    assert code == 0 and f"row to {output}" in said
    assert json.loads(output.read_text().splitlines()[-1])["key"] == "checkout/minimum_order"
    assert output.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert run("history", "export", served.file, "--force")[0] == 64


def test_an_export_that_fails_leaves_what_was_there_and_nothing_half_written(served, tmp_path):
    output = tmp_path / "rows.jsonl"
    output.write_text("mine")
    served.file.with_name("flags.manifest.xml").write_text("<plist")
    code, said = export(served.file, output, "--force")
    assert code == 1 and "manifest" in said
    assert output.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["demo", "rows.jsonl"]


def test_what_a_killed_export_left_is_removed_by_the_next_one(served, tmp_path):
    output = tmp_path / "rows.jsonl"

    def drafts():
        return [path for path in tmp_path.iterdir() if path.name.startswith(".rows.jsonl.")]

    killed = subprocess.run(
        ["strace", "-f", "-o", "/dev/null", "-e", "inject=link:signal=SIGKILL", BINARY, "history", "export",
         served.file, "--output", output],
        env=environment(), stdin=subprocess.DEVNULL, timeout=60)
    assert killed.returncode != 0 and not output.exists() and len(drafts()) == 1
    assert export(served.file, output)[0] == 0
    assert drafts() == []


def test_an_export_goes_into_devices_and_pipes(served):
    assert export(served.file, "/dev/null")[0] == 0
    code, said = export(served.file, "/dev/stdout")
    assert code == 0 and '"key":"checkout/minimum_order"' in said
    code, said = export(served.file, served.file.parent)
    assert code == 1 and "isn't a regular file" in said


@pytest.mark.parametrize("name", [name for name in OWN if name != "flags.tokens.json"])
def test_tokens_are_never_written_into_another_of_the_files(served, name):
    before = contents(served.file)
    own = served.file.parent / name
    for arguments in (["token", "add", served.file, "--name", "bob", "--role", "admin"], ["token", "list", served.file]):
        code, said = run(*arguments, "--tokens", own)
        assert code == 1 and OWN[name] in said and "the token file" in said and "are the same file" in said, said
    assert contents(served.file) == before


@pytest.mark.parametrize("option, others", [
    ("--tokens", ["flags.xml", "flags.manifest.xml", "flags.history.sqlite", "flags.history.key", "flags.history.checkpoints"]),
    ("--manifest", ["flags.xml", "flags.tokens.json", "flags.history.sqlite", "flags.history.key", ".flags.xml.lock"]),
    ("--history", ["flags.xml", "flags.manifest.xml", "flags.tokens.json"]),
    ("--provider", ["flags.xml", "flags.manifest.xml", "flags.tokens.json", "flags.history.sqlite"]),
])
@pytest.mark.parametrize("is_there", [True, False], ids=["there", "missing"])
def test_a_server_does_not_start_where_two_of_its_files_are_one(file, tmp_path, option, others, is_there):
    for name in others:
        named = file.parent / name
        if is_there:
            make_token(file, f"for {option} {name}", "admin")
            Server(file).stop()
        linked = tmp_path / f"{option}-{name}-{is_there}"
        linked.symlink_to(named)
        for path in (named, linked):
            before = contents(file)
            value = f"Team={path}" if option == "--provider" else path
            code, said = run("serve", file, "--port", "0", "--no-browser", option, value)
            assert code == 1 and "are the same file" in said and "Use a different file for each" in said, (name, said)
            assert contents(file) == before
