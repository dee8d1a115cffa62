"""`flagboard lint`: what it prints for people, programs and GitHub, what it exits with, and that it leaves files alone."""

import json
import os
import re
import subprocess
import urllib.parse

import pytest
from harness import BINARY, Server, environment
from samples import INTERNAL_FLAGS, demonstration, five_thousand_flags, write

FLAGS = [
    {"key": "limit", "type": "integer", "maximum": 10},
    {"key": "open", "type": "bool", "isLocked": True},
    {"key": "secret", "type": "bool", "isInternal": True},
]
SOUND = {"limit": 3, "open": True, "secret": False}


def lint(file, *options, folder=None, **variables):
    return subprocess.run(
        [BINARY, "lint", file, *options], capture_output=True, text=True, env=environment() | variables, timeout=60,
        stdin=subprocess.DEVNULL, cwd=folder or file.parent)


def findings(file, *options, **variables):
    return json.loads(lint(file, "--json", *options, **variables).stdout)["findings"]


def codes(file, *options, **variables):
    return [finding["code"] for finding in findings(file, *options, **variables)]


def rules(folder, **changed):
    path = folder / "rules.json"
    path.write_text(json.dumps({name.replace("_", "-"): value for name, value in changed.items()}))
    return path


def test_sound_files_have_no_findings(tmp_path):
    done = lint(write(tmp_path, SOUND, FLAGS))
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 errors, 0 warnings in flags.xml, flags.manifest.xml\n", "")


def test_each_finding_is_a_line_and_the_last_line_counts_them(tmp_path):
    file = write(tmp_path, SOUND | {"limit": 11, "stray": 1}, FLAGS)
    done = lint(file)
    lines = file.read_text().splitlines()
    place = next(number for number, line in enumerate(lines, 1) if "<integer>11" in line)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"flags.xml:{place}:{lines[place - 1].index('<') + 1}: error: limit: 11 is invalid: must be 10 or less "
        "[broken-constraint]",
        f"flags.xml:{place + 6}:2: warning: stray: not defined in the manifest; define the flag or remove the value "
        "[undefined-value]",
        "1 error, 1 warning in flags.xml, flags.manifest.xml",
    ]


@pytest.mark.parametrize("options, variables, code", [
    ([], {}, 0), (["--strict"], {}, 1), ([], {"FLAGBOARD_STRICT": "true"}, 1), (["--strict", "--json"], {}, 1)])
def test_warnings_alone_fail_only_where_they_are_to(tmp_path, options, variables, code):
    assert lint(write(tmp_path, SOUND | {"stray": 1}, FLAGS), *options, **variables).returncode == code


def test_the_shape_in_json(tmp_path):
    file = write(tmp_path, SOUND | {"limit": "x"}, FLAGS)
    done = lint(file, "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 1 and done.stdout.count("\n") == 1
    assert {**report, "findings": None} == {
        "files": ["flags.xml", "flags.manifest.xml"], "errors": 1, "warnings": 0, "findings": None}
    (finding,) = report["findings"]
    assert list(finding) == sorted(finding)
    message = finding.pop("message")
    assert message.startswith('limit: found string "x", expected a whole number of 10') or less
    assert finding == {"code": "wrong-type", "severity": "error", "file": "flags.xml", "line": 6, "column": 2, "key": "limit"}
    file.unlink()
    (finding,) = findings(file)
    assert sorted(finding) == ["code", "file", "message", "severity"] and finding["code"] == "unreadable-file"
    assert json.loads(lint(file, FLAGBOARD_JSON="true").stdout)["errors"] == 1


def test_a_path_is_told_from_the_current_folder_or_from_the_root(tmp_path):
    file = write(tmp_path / "inner", SOUND | {"limit": "x"}, FLAGS)
    (tmp_path / "other").mkdir()
    assert [finding["file"] for finding in json.loads(lint(file, "--json", folder=tmp_path).stdout)["findings"]] == [
        "inner/flags.xml"]
    outside = lint(file, folder=tmp_path / "other").stdout
    assert outside.startswith(f"{file}:6:2: error: ")


def test_sarif_names_rules_places_and_files_as_uris(tmp_path):
    name = "fl ä%g,s:1.xml"
    file = write(tmp_path / "a b", SOUND | {"limit": "ü\n"}, FLAGS).rename(tmp_path / "a b" / name)
    (tmp_path / "a b" / "flags.manifest.xml").rename(tmp_path / "a b" / "fl ä%g,s:1.manifest.xml")
    for folder, base in [(tmp_path, "%SRCROOT%"), (tmp_path / "a b" / "..", "%SRCROOT%"), ("/usr", None)]:
        log = json.loads(lint(file, "--format", "sarif", folder=folder).stdout)
        assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
        (run,) = log["runs"]
        (result,) = run["results"]
        driver = run["tool"]["driver"]
        assert driver["name"] == "flagboard" and driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "wrong-type"
        (location,) = result["locations"]
        artifact = location["physicalLocation"]["artifactLocation"]
        assert artifact.get("uriBaseId") == base
        root = "" if base else "file://"
        assert artifact["uri"].startswith(root)
        path = urllib.parse.unquote(artifact["uri"].removeprefix(root))
        assert path == (f"a b/{name}" if base else str(file))
        assert not re.search(r"[^A-Za-z0-9\-._~/%]", artifact["uri"].removeprefix(root))
        assert location["physicalLocation"]["region"] == {"startLine": 6, "startColumn": 2}
        assert location["logicalLocations"] == [{"fullyQualifiedName": "limit"}]
        assert run["columnKind"] == "unicodeCodePoints" and result["level"] == "error"
    file.unlink()
    (result,) = json.loads(lint(file, "--format", "sarif").stdout)["runs"][0]["results"]
    assert "region" not in result["locations"][0]["physicalLocation"]


def read_annotation(line):
    """Reads a command as GitHub's runner does (actions/runner, ActionCommand.cs)."""
    command, message = re.fullmatch(r"::(\w+ [^\n]*?)::(.*)", line).groups()
    severity, _, properties = command.partition(" ")

    def unescaped(text, *signs):
        for escape, sign in (*signs, ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
            text = text.replace(escape, sign)
        return text

    pairs = (entry.split("=", 1) for entry in properties.split(","))
    return severity, {name: unescaped(value, ("%3A", ":"), ("%2C", ",")) for name, value in pairs}, unescaped(message)


def test_annotations_of_github_survive_every_sign(tmp_path):
    file = write(tmp_path, SOUND | {"limit": "100%0A::x,y\n::error::z"}, FLAGS).rename(tmp_path / "a,b:c%3A.xml")
    (tmp_path / "flags.manifest.xml").rename(tmp_path / "a,b:c%3A.manifest.xml")
    done = lint(file, "--format", "github")
    (line,) = done.stdout.splitlines()
    severity, properties, message = read_annotation(line)
    assert (severity, properties) == (
        "error", {"file": "a,b:c%3A.xml", "line": "6", "col": "2", "title": "wrong-type"})
    assert message.startswith('limit: found string "100%0A::x,y\n::error::z", expected a whole number')
    assert done.returncode == 1
    assert lint(write(tmp_path / "sound", SOUND, FLAGS), "--format", "github").stdout == ""


def test_a_finding_stays_on_its_line_and_a_terminal_obeys_none(tmp_path):
    file = write(tmp_path, {"a\nb": {"c\u202ed": 1}}, FLAGS)
    lines = lint(file).stdout.splitlines()
    assert len(lines) == 2 and "a⟨U+000A⟩b/c⟨U+202E⟩d" in lines[0]


def test_internal_flags_are_named_only_where_that_is_asked_for(tmp_path):
    file = write(tmp_path, SOUND | {"secret": "s3cr3t"}, FLAGS)
    demands = rules(tmp_path, missing_owner="error", unused_definition="error")
    for format in ("text", "json", "sarif", "github"):
        said = lint(file, "--format", format, "--rules", demands)
        assert "secret" not in said.stdout + said.stderr and "s3cr3t" not in said.stdout
    assert codes(file) == []
    assert codes(file, "--show-internal") == codes(file, FLAGBOARD_SHOW_INTERNAL="true") == ["wrong-type"]
    demo = demonstration(tmp_path / "demo")
    said = lint(demo, "--rules", rules(tmp_path, missing_tags="error", unused_definition="warning")).stdout
    assert [key for key in INTERNAL_FLAGS if key in said] == []


def test_a_lock_makes_no_difference(tmp_path):
    assert codes(write(tmp_path, SOUND | {"open": "maybe"}, FLAGS)) == ["wrong-type"]


def test_a_team_may_demand_more_and_less(tmp_path):
    file = write(tmp_path, SOUND | {"stray": 1}, FLAGS)
    demands = rules(tmp_path, missing_owner="error", undefined_value="off")
    assert codes(file, "--rules", demands) == ["missing-owner", "missing-owner"]
    assert codes(file, FLAGBOARD_RULES=str(demands)) == ["missing-owner", "missing-owner"]


@pytest.mark.parametrize("options, words", [
    (["--rules", "none.json"], "none.json: the file doesn't exist"),
    (["--rules", "rules.json"], '"missing-ownr" is not a rule; did you mean missing-owner?\n'),
    (["--format", "xml"], "'text', 'json', 'sarif' or 'github'"),
    (["--json", "--format", "sarif"], "can't be combined"),
    (["--also", "Team"], "NAME=SOURCE"),
    (["--also", "A=a.xml", "--also", "A=b.xml"], "the same name"),
    (["--fix"], "--fix"),
])
def test_wrong_options_and_rules_are_wrong_usage(tmp_path, options, words):
    file = write(tmp_path, SOUND, FLAGS)
    rules(tmp_path, missing_ownr="error")
    done = lint(file, *options)
    assert done.returncode == 64 and words in done.stderr
    # With --json the refusal is JSON as well.
    assert words in json.loads(done.stdout)["detail"] if "--json" in options else done.stdout == ""


def test_other_files_and_places_are_looked_at(tmp_path):
    file = write(tmp_path, SOUND)
    team = write(tmp_path / "team", {"limit": 12}, FLAGS)
    manifest = tmp_path / "team" / "flags.manifest.xml"
    assert [(each["file"], each["code"]) for each in findings(
        file, "--also", f"Team={team}", "--manifest", manifest)] == [("team/flags.xml", "broken-constraint")]
    assert codes(file, "--manifest", tmp_path / "none.xml") == ["unreadable-file"]
    done = lint(file)
    assert done.returncode == 0 and "no manifest" in done.stderr


def test_nothing_is_written_and_a_server_is_not_disturbed(tmp_path):
    file = demonstration(tmp_path / "demo")
    lint(file)
    assert sorted(os.listdir(file.parent)) == ["flags.manifest.xml", "flags.xml"]
    alone = codes(file)
    server = Server(file)
    try:
        assert codes(file) == alone
        server.change("checkout/minimum_order", "set", "3")
        names = sorted(os.listdir(file.parent))
        assert codes(file) == alone and sorted(os.listdir(file.parent)) == names
        server.change("checkout/minimum_order", "set", "4")
    finally:
        assert server.stop() == 0
    trace = tmp_path / "trace"
    subprocess.run(
        ["strace", "-f", "-o", trace, "-e", "trace=openat,open,creat,flock,fcntl,rename,renameat,renameat2,unlink,mkdir",
         BINARY, "lint", file], capture_output=True, env=environment(), timeout=60)
    inside = [call for call in trace.read_text().splitlines() if str(file.parent) in call]
    assert inside and [call for call in inside if not re.search(r"openat\(.*O_RDONLY", call)] == []
    assert not re.search(r"flock\(|F_SETLK|F_OFD_SETLK", trace.read_text())


def test_five_thousand_flags_are_checked(tmp_path):
    file = five_thousand_flags(tmp_path / "large")
    assert len(codes(file, "--rules", rules(tmp_path, missing_owner="error"))) == 5000
