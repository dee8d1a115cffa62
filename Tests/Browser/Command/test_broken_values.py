"""What commands say of a values file that is broken, beside a server that serves it and without one."""

import json
import subprocess

import pytest
from harness import BINARY, environment

SOUND = "<key>stop</key><true/><key>limit</key><integer>3</integer>"
MISTYPED = "<key>stop</key><string>perhaps</string><key>limit</key><integer>3</integer>"
TWICE = "<key>stop</key><false/>" + SOUND
DEFAULT = "<key>default</key><false/>"

# What the file holds at first, what becomes of it (None: it is gone), what the definition says besides, what `get` prints of the
# flag `stop`, and what standard error says.
ROWS = {
    "unreadable": (SOUND, "<key>stop</key>", DEFAULT, "true", "last good value (stale)"),
    "missing": (SOUND, None, DEFAULT, "true", "last good value (stale)"),
    "mistyped": (SOUND, MISTYPED, DEFAULT, "true", "last good value (stale)"),
    "twice": (SOUND, TWICE, DEFAULT, "true", "last good value (stale)"),
    "never good": ("<key>limit</key><integer>3</integer>", MISTYPED, DEFAULT, "false",
                   "no last good value, so the value comes from the default"),
    "absent before": ("<key>limit</key><integer>3</integer>", "<key>stop</key>", DEFAULT, "false",
                      "no last good value, so the value comes from the default"),
    "nothing known": ("<key>limit</key><integer>3</integer>", MISTYPED, "", None, "the flag has no value"),
}


def write(file, entries):
    if entries is None:
        file.unlink()
    else:
        file.write_text(f'<plist version="1.0"><dict>{entries}{"" if entries == "<key>stop</key>" else "</dict></plist>"}\n')


def run(file, command, *arguments):
    """The exit code, standard output, and standard error."""
    done = subprocess.run(
        [BINARY, command, file, *arguments], capture_output=True, text=True, timeout=60, env=environment())
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(params=ROWS)
def row(request):
    return ROWS[request.param]


@pytest.fixture(params=["served", "alone"])
def broken(request, row, serve, tmp_path):
    """The file, broken as the row has it."""
    before, after, more, *_ = row
    file = tmp_path / "flags.xml"
    write(file, before)
    (tmp_path / "flags.manifest.xml").write_text(
        '<plist version="1.0"><dict><key>version</key><integer>1</integer><key>flags</key><array><dict><key>key</key>'
        f"<string>stop</string><key>type</key><string>bool</string>{more}</dict></array></dict></plist>\n")
    server = serve(file)
    assert server.get("/api/v1/flags/stop").status == 200
    if request.param == "alone":
        server.stop()
    write(file, after)
    return file


def test_a_command_has_the_last_good_value_and_says_so(broken, row):
    *_, value, said = row
    code, printed, error = run(broken, "get", "stop")
    assert (code, printed) == ((0, f"{value}\n") if value else (1, "")), error
    assert "stop: Local is broken: " in error and said in error
    code, printed, error = run(broken, "get", "stop", "--json")
    assert code == (0 if value else 1) and said in error
    document = json.loads(printed)
    assert document["brokenSources"] == ["Local"]
    assert document.get("isStale", False) == ("stale" in said)
    assert document.get("value") == (None if value is None else value == "true")


def test_the_last_good_value_of_a_provider_that_is_asked_for_is_printed_with_a_caution(broken, row):
    *_, said = row
    code, printed, error = run(broken, "get", "stop", "--provider", "Local")
    if "stale" in said:
        assert (code, printed) == (0, "true\n") and "stop: Local is broken: " in error and "last good value" in error
    else:
        assert (code, printed) == (1, "") and "has no value in Local" in error


def test_a_comparison_marks_the_last_good_value(broken, row):
    *_, value, said = row
    code, printed, error = run(broken, "diff", "--left", "effective", "--right", "default", "--json")
    flags = {flag["key"]: flag for flag in json.loads(printed)["flags"]}
    if "stale" in said:
        assert flags["stop"]["left"] is True and flags["stop"]["leftStale"] is True
        assert "broken" in flags["stop"]["leftProblem"] and "stop: Local is broken" in error
    else:
        assert "leftStale" not in flags.get("stop", {}) and "stop:" not in error


def test_a_list_and_an_explanation_say_so_too(broken, row):
    *_, value, said = row
    code, printed, error = run(broken, "list")
    line = next(line for line in printed.splitlines() if line.startswith("stop"))
    assert code == 0 and said in error and "broken" in line and ("last good value" in line) == ("stale" in said)
    assert line.split()[1] == (value or "–")
    code, printed, error = run(broken, "explain", "stop")
    assert code == 0 and said in error and "broken: " in printed
    assert ("Value: true, from Local, its last good value" in printed) == ("stale" in said)


def test_the_effective_values_are_exported_and_said_not_to_be_as_the_file_has_them(broken, row):
    *_, value, said = row
    code, printed, error = run(broken, "export", "--content", "effective", "--json")
    assert code == 0 and "Local is broken: " in error
    assert json.loads(printed).get("stop") == (None if value is None else value == "true")


@pytest.mark.parametrize("served", [True, False])
def test_stored_values_as_json_have_no_text_in_place_of_a_broken_value(serve, tmp_path, served):
    file = tmp_path / "flags.xml"
    write(file, TWICE + "<key>mixed</key><string>a<b/>c</string>")
    if served:
        answer = serve(file).get("/api/v1/export/flags.json")
        assert json.loads(answer.text) == {"limit": 3} and "mixed" in answer.headers["flagboard-broken-sources"]
    code, printed, error = run(file, "export", "--json")
    assert code == 0 and json.loads(printed) == {"limit": 3}
    assert "Local is broken: mixed: " in error and "doesn't include them" in error
    code, printed, error = run(file, "export")
    assert (code, printed, error) == (0, file.read_text(), "")


def test_a_file_that_is_sound_again_is_as_it_says_and_nothing_is_said(broken):
    write(broken, "<key>stop</key><false/>")
    assert run(broken, "get", "stop") == (0, "false\n", "")
    write(broken, "")
    code, printed, error = run(broken, "get", "stop")
    assert error == "" or "has no value" in error


def test_a_file_that_never_was_known_is_refused(tmp_path):
    file = tmp_path / "flags.xml"
    for entries in ("<key>stop</key>", None):
        write(file, entries)
        code, printed, error = run(file, "get", "stop")
        assert code == 1 and printed == "" and str(file) in error


def test_a_server_starts_on_a_file_that_is_broken_since_it_was_served(serve, tmp_path):
    file = tmp_path / "flags.xml"
    write(file, SOUND)
    serve(file).stop()
    write(file, "<key>stop</key>")
    server = serve(file)
    document = json.loads(server.get("/api/v1/flags/stop").body)
    assert document["value"] is True and document["isStale"] is True
    assert "the last good values from the history are in use" in server.errors()
    write(file, "<key>stop</key><false/>")
    document = json.loads(server.get("/api/v1/flags/stop").body)
    assert document["value"] is False and "isStale" not in document
