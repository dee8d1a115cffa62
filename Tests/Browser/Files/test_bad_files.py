"""What `serve` says when it can't serve: the file, the line, the remedy; and that it touches nothing."""

import os
import re
import socket
import subprocess

import pytest
from harness import BINARY, environment
from permissions import as_ordinary_user
from samples import demonstration, write

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
"""
TAIL = "</plist>\n"


def document(inside):
    return HEAD + inside + TAIL


def with_subset(subset, value):
    head = HEAD.replace('.dtd">', f'.dtd" [\n{subset}\n]>')
    return f"{head}<dict>\n\t<key>a</key>\n\t<string>{value}</string>\n</dict>\n{TAIL}"


BOMB = "\n".join(
    ['<!ENTITY a "ha">']
    + [f'<!ENTITY {name} "{f"&{before};" * 20}">' for before, name in zip("abcdefgh", "bcdefghi")]
)

BAD_FILES = {
    "plain text": ("Shopping list:\n- bread\n", 1),
    "empty": ("", None),
    "another sort of XML": ("<?xml version='1.0'?>\n<html>\n<p>Hello</p>\n</html>\n", 2),
    "JSON": ('{"a": true}\n', 1),
    "a binary property list": (b"bplist00\xd1\x01\x02Qa\x09\x08\x0b\x0d\x00\x00", None),
    "UTF-16": (document("<dict/>\n").encode("utf-16"), None),
    "cut short": (HEAD + "<dict>\n\t<key>a</key>\n\t<true/>\n", None),
    "a root that is an array": (document("<array/>\n"), 4),
    "a key without a value": (document("<dict>\n\t<key>a</key>\n</dict>\n"), None),
    "an unknown element": (document("<dict>\n\t<number unit=\"kg\">1</number>\n</dict>\n"), 5),
    "an OpenStep property list": ("{\n  zones = (north, south);\n}\n", 1),
    "an entity bomb": (with_subset(BOMB, "&i;"), None),
    "an external entity": (with_subset('<!ENTITY secret SYSTEM "file:///etc/passwd">', "&secret;"), None),
    "a parameter entity": (with_subset('<!ENTITY % more SYSTEM "http://127.0.0.1:1/x">\n%more;', "x"), None),
    "an entity that is only declared": (with_subset('<!ENTITY harmless "x">', "x"), None),
    "text after the end": (document("<dict/>\n") + "more\n", None),
    "nested too deeply": (document("<array>" * 5000 + "</array>" * 5000), None),
}


def run(*arguments, prefix=(), cwd=None, variables=None):
    return subprocess.run(
        [*prefix, BINARY, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        cwd=cwd,
        env=environment() | (variables or {}),
    )


def serve_in_vain(file, *options, prefix=()):
    """Runs `serve`, checks that it gave up properly and touched nothing, and returns what it said."""
    folder = file.parent
    before = contents(folder)
    result = run("serve", file, "--access", "open", "--port", "0", "--no-browser", *options, prefix=prefix)
    assert result.returncode == 1, result
    assert contents(folder) == before
    assert result.stdout == ""
    assert "Fatal error" not in result.stderr and "Swift." not in result.stderr
    return result.stderr


def contents(folder):
    return {
        path.name: path.read_bytes() if path.is_file() and os.access(path, os.R_OK) else None
        for path in folder.iterdir()
    }


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_is_no_property_list_of_flags_is_named_with_line_and_remedy(tmp_path, name):
    text, line = BAD_FILES[name]
    file = tmp_path / "flags.xml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    said = serve_in_vain(file)
    assert str(file) in said
    if line is not None:
        assert re.search(rf"(line |:){line}\b", said), said
    assert "property list" in said
    assert "root:" not in said
    assert len(said) < 2000


def test_a_missing_file_is_not_made(tmp_path):
    said = serve_in_vain(tmp_path / "flags.xml")
    assert str(tmp_path / "flags.xml") in said
    assert "the file is missing" in said


def test_a_folder_is_no_file(tmp_path):
    folder = tmp_path / "flags.xml"
    folder.mkdir()
    said = serve_in_vain(folder)
    assert str(folder) in said
    assert re.search("directory|folder", said)


def test_a_pipe_is_no_file(tmp_path):
    pipe = tmp_path / "flags.xml"
    os.mkfifo(pipe)
    assert str(pipe) in serve_in_vain(pipe)


def test_a_file_that_may_not_be_read_is_named(tmp_path):
    file = write(tmp_path / "closed", {"a": True})
    file.chmod(0)
    said = serve_in_vain(file, prefix=as_ordinary_user(file))
    assert str(file) in said
    assert re.search("permission|not allowed|may not", said, re.I)
    file.chmod(0o644)
    assert file.read_bytes() == write(tmp_path / "open", {"a": True}).read_bytes()


def test_a_port_in_use_is_named(tmp_path):
    file = demonstration(tmp_path / "demo")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = serve_in_vain(file, "--port", port)
    assert port in said
    assert "in use" in said
    assert "--port" in said


def test_a_second_server_on_the_same_file_is_refused_and_told_of_the_first(demo):
    result = run("serve", demo.file, "--access", "open", "--port", "0", "--no-browser")
    assert result.returncode == 1
    assert demo.address in result.stderr
    assert demo.get("/").status == 200


def manifest_of(*flags, **root):
    def plist(value):
        match value:
            case bool():
                return f"<{str(value).lower()}/>"
            case int():
                return f"<integer>{value}</integer>"
            case str():
                return f"<string>{value}</string>"
            case list():
                return "\n".join(["<array>", *map(plist, value), "</array>"])
            case dict():
                pairs = (f"<key>{key}</key>\n{plist(inner)}" for key, inner in value.items())
                return "\n".join(["<dict>", *pairs, "</dict>"])

    return document(plist({"version": 1, "flags": list(flags)} | root) + "\n")


# What is wrong, and the words that must be in the message: the flag, the field, the line.
BAD_MANIFESTS = {
    "an unknown type": (manifest_of({"key": "shop/open", "type": "boolean"}), ["shop/open", "type", "13"]),
    "no type": (manifest_of({"key": "shop/open"}), ["shop/open", "type"]),
    "no key": (manifest_of({"type": "bool"}), ["flags[0]", "key"]),
    "a default of another type": (
        manifest_of({"key": "shop/open", "type": "bool", "default": "perhaps"}),
        ["shop/open", "default", "15"],
    ),
    "a lock that is no boolean": (
        manifest_of({"key": "shop/open", "type": "bool", "isLocked": "yes"}),
        ["shop/open", "isLocked", "15"],
    ),
    "a choice without choices": (manifest_of({"key": "shop/size", "type": "choice"}), ["shop/size", "choices"]),
    "a default that is too large": (
        manifest_of({"key": "shop/size", "type": "integer", "maximum": 5, "default": 6}),
        ["shop/size", "default", "17"],
    ),
    "a key defined twice": (
        manifest_of({"key": "shop/open", "type": "bool"}, {"key": "shop/open", "type": "bool"}),
        ["shop/open", "key", "17", "9"],
    ),
    "a flag inside a flag": (
        manifest_of({"key": "shop", "type": "bool"}, {"key": "shop/open", "type": "bool"}),
        ["shop/open", "key", "17"],
    ),
    "a version from the future": (manifest_of(version=2), ["version", "6"]),
    "flags that are no list": (manifest_of(flags="none"), ["flags", "8"]),
    "no property list": ("version: 1\n", []),
}


@pytest.mark.parametrize("name", BAD_MANIFESTS)
def test_a_bad_manifest_is_refused_with_flag_field_and_line(tmp_path, name):
    text, words = BAD_MANIFESTS[name]
    file = write(tmp_path / "shop", {"shop": {"open": True}})
    manifest = file.parent / "flags.manifest.xml"
    manifest.write_text(text)
    said = serve_in_vain(file)
    assert str(manifest) in said
    rest = said.replace(str(manifest), "")
    for word in words:
        assert re.search(rf"(?<!\w){re.escape(word)}(?!\w)", rest), said


def test_a_manifest_that_was_named_must_be_there(tmp_path):
    file = write(tmp_path / "shop", {"open": True})
    said = serve_in_vain(file, "--manifest", tmp_path / "elsewhere.xml")
    assert str(tmp_path / "elsewhere.xml") in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve"],
        ["serve", "FILE", "--port", "many"],
        ["serve", "FILE", "--port", "70000"],
        ["serve", "FILE", "--port", "-1"],
        ["serve", "FILE", "--nonsense"],
        ["serve", "FILE", "--access", "everybody"],
        ["serve", "FILE", "another.xml"],
        ["dance"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_told_with_exit_code_64(tmp_path, arguments):
    file = write(tmp_path / "shop", {"open": True})
    before = contents(file.parent)
    result = run(*[str(file) if argument == "FILE" else argument for argument in arguments])
    assert result.returncode == 64
    assert "Usage:" in result.stderr
    assert contents(file.parent) == before


@pytest.mark.parametrize(
    "option, why",
    [
        ("Team", "the = is missing"),
        ("=team.xml", "name before = is empty"),
        ("Team=", "file after = is missing"),
        ("local=team.xml", "FILE itself"),
        ("default=team.xml", "default"),
        ("Computed=team.xml", "computed"),
    ],
)
@pytest.mark.parametrize("way", ["option", "environment"])
def test_a_provider_that_can_not_be_is_refused_with_the_cause_and_the_usage_of_serve(tmp_path, option, why, way):
    file = write(tmp_path / "shop", {"open": True})
    arguments = ["serve", str(file), "--access", "open", "--port", "0", "--no-browser"]
    if way == "option":
        result = run(*arguments, "--provider", option)
    else:
        result = run(*arguments, variables={"FLAGBOARD_PROVIDER": option})
        assert "FLAGBOARD_PROVIDER" in result.stderr
    assert result.returncode == 64
    assert why in result.stderr
    assert "Usage: flagboard serve" in result.stderr


@pytest.mark.parametrize("name, value", [("PORT", "70000"), ("PORT", "many"), ("HOST", "0.0.0.0"), ("READ_ONLY", "si")])
def test_a_wrong_variable_is_named(tmp_path, name, value):
    file = write(tmp_path / "shop", {"open": True})
    result = run("serve", str(file), "--access", "open", variables={f"FLAGBOARD_{name}": value})
    assert result.returncode == 64
    assert f"FLAGBOARD_{name}" in result.stderr and value in result.stderr
    assert "Usage: flagboard serve" in result.stderr


def test_a_password_in_a_variable_is_not_printed(tmp_path):
    file = write(tmp_path / "shop", {"open": True})
    result = run("serve", str(file), variables={"FLAGBOARD_PUBLISH": "etcd://ada:s3cret@127.0.0.1:2379/flags"})
    assert result.returncode == 64
    assert "FLAGBOARD_PUBLISH" in result.stderr and "s3cret" not in result.stderr


def test_variables_that_are_no_options_of_serve_are_left_alone(tmp_path):
    # An image may say so which version it has.
    variables = {"FLAGBOARD_VERSION": "0.1.0", "FLAGBOARD_HELP": "https://help.example/", "FLAGBOARD_OTHER": "x"}
    result = run("serve", str(tmp_path / "none.xml"), "--port", "0", variables=variables)
    assert result.returncode == 1 and "none.xml: the file is missing" in result.stderr


def test_an_option_on_the_command_line_wins_over_the_environment(tmp_path):
    file = write(tmp_path / "shop", {"open": True})
    variables = {"FLAGBOARD_PROVIDER": "Local=team.xml", "FLAGBOARD_MAX_STREAMS": "none", "FLAGBOARD_PORT": "many"}
    result = run(
        "serve", str(file), "--provider", "Team=team.xml", "--max-streams=0", "--port", "70000", variables=variables)
    assert result.returncode == 64
    assert result.stderr.startswith("Error: --port: 70000 is not a valid port")


def test_the_version_is_told():
    result = run("--version")
    assert result.returncode == 0
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", result.stdout)


def test_a_server_that_starts_well_logs_nothing(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"))
    assert server.get("/").status == 200
    assert server.errors() == ""


def test_a_file_that_may_not_be_written_is_announced_before_anybody_types(serve, tmp_path):
    file = write(tmp_path / "shop", {"open": True})
    closed = write(tmp_path / "closed", {"open": True})
    closed.chmod(0)
    prefix = as_ordinary_user(closed)
    file.chmod(0o444)
    server = serve(file, prefix=prefix)
    page = server.get("/flags/open").text
    assert "Can’t write flags.xml." in page
    assert 'name="value"' not in page
    file.chmod(0o644)
    assert 'name="value"' in server.get("/flags/open").text


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_open_access_stays_on_this_machine(tmp_path, host):
    file = write(tmp_path / "shop", {"open": True})
    before = contents(file.parent)
    result = run("serve", str(file), "--access", "open", "--host", host, "--port", "0", "--no-browser")
    assert result.returncode in (1, 64)
    assert host in result.stderr or "loopback" in result.stderr
    assert contents(file.parent) == before


def test_a_server_told_to_end_ends_and_leaves_no_temporary_file(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"))
    server.change("checkout/guest_checkout", "set", "true")
    assert server.stop() == 0
    names = {path.name for path in server.file.parent.iterdir()}
    files = {"flags.xml", "flags.manifest.xml", "flags.history.sqlite", "flags.history.key", "flags.history.checkpoints"}
    allowed = files | {f".{name}.lock" for name in files}
    assert names - allowed <= {"flags.history.sqlite-wal", "flags.history.sqlite-shm"}
