"""The commands that read and change flags, with a server on the file and without one."""

import datetime
import json
import os
import plistlib
import pty
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from signal import SIGKILL, SIGTERM

import pytest
from command_project import LOCKED, TOUR, Project, numeric_flag
from harness import BINARY, Server, environment
from samples import write
from tokens import make_token


def test_list_is_a_table_of_key_value_source_and_state(project):
    lines = project.ask("list").splitlines()
    assert lines[0].split() == ["KEY", "VALUE", "SOURCE", "STATE"]
    row = next(line for line in lines if line.startswith(LOCKED))
    assert row.split() == [LOCKED, "18", "Local", "Overridden,", "locked"]
    assert "\x1b" not in "".join(lines)


def test_list_takes_the_filters_of_the_page(project):
    found = json.loads(project.ask("list", "--state", "locked", "--json"))["flags"]
    assert found and all(flag["isLocked"] for flag in found)
    code, printed, error = project.run("list", "--state", "asleep")
    assert code == 64 and printed == "" and "asleep" in error


def test_several_tags_and_states_are_all_to_be_met(project):
    def keys(*options):
        return {flag["key"] for flag in json.loads(project.ask("list", *options, "--json"))["flags"]}

    tags = [flag["tags"] for flag in json.loads(project.ask("list", "--json"))["flags"] if len(flag["tags"]) > 1]
    one, other = tags[0][:2]
    both = keys("--tag", one, "--tag", other)
    assert both and both == keys("--tag", f"{one},{other}") == keys("--tag", one) & keys("--tag", other)
    assert keys("--state", "overridden,locked") == keys("--state", "overridden") & keys("--state", "locked") != set()


def test_what_the_list_calls_overridden_is_found_as_such(tmp_path):
    project = Project(tmp_path / "shop")
    project.file.with_name("flags.manifest.xml").unlink()
    flags = json.loads(project.ask("list", "--json"))["flags"]
    for state in ("overridden", "overridden-on"):
        found = json.loads(project.ask("list", "--state", state, "--json"))["flags"]
        wanted = [flag for flag in flags if flag["state"].startswith(state)]
        assert found and found == wanted


def test_list_says_where_nothing_is_found_and_prints_nothing(project):
    assert project.run("list", "--query", "no such words") == (0, "", "No flags match.\n")


def test_list_refuses_a_provider_that_there_is_not(project):
    code, printed, error = project.run("list", "--provider", "bogus", "--json")
    assert code == 64 and "Provider bogus not found" in json.loads(printed)["detail"]
    assert error == "flagboard: Provider bogus not found. Available: Local, default.\n"
    assert "SOURCE" in project.ask("list", "--provider", "default")


@pytest.mark.parametrize(
    "arguments", [
        ("get", TOUR), ("list",), ("set", TOUR, "on"), ("reset", TOUR), ("import", "values.json"),
        ("import", "empty.json")], ids=" ".join)
def test_a_provider_that_there_is_not_is_wrong_usage_for_every_command(project, arguments):
    for name, content in {"values.json": '{"onboarding/welcome_tour": true}', "empty.json": "{}"}.items():
        project.file.with_name(name).write_text(content)
    arguments = [
        str(project.file.with_name(argument)) if argument.endswith(".json") else argument for argument in arguments]
    before = project.file.read_bytes()
    code, _, error = project.run(*arguments, "--provider", "bogus")
    assert code == 64 and re.search("Provider .?bogus.? not found", error)
    assert project.file.read_bytes() == before


def test_every_refusal_as_json_has_a_code(project):
    for code, *arguments in (
        ("unknown-provider", "get", TOUR, "--provider", "bogus"), ("unknown-flag", "get", "no/such"),
        ("wrong-usage", "list", "--provider", "bogus"), ("wrong-usage", "set", TOUR),
    ):
        _, printed, error = project.run(*arguments, "--json")
        assert json.loads(printed)["code"] == code, arguments
        assert "bogus" not in arguments or "Available: Local" in error


def test_get_prints_the_value_as_it_is(project):
    assert project.ask("get", TOUR) == "true\n"
    assert project.ask("get", TOUR, "-n") == "true"
    assert project.ask("get", LOCKED) == "18\n"
    assert json.loads(project.ask("get", LOCKED, "--json"))["value"] == 18


def test_get_can_insist_on_a_type_and_ask_one_provider(project):
    assert project.ask("get", TOUR, "--expect", "bool") == "true\n"
    code, printed, error = project.run("get", TOUR, "--expect", "integer")
    assert code == 1 and printed == "" and "bool, not integer" in error
    code, printed, error = project.run("get", TOUR, "--provider", "Local")
    assert code == 1 and printed == "" and "no value in Local" in error
    assert project.run("get", TOUR, "--provider", "Nowhere")[0] == 64


def test_a_flag_that_is_not_there_is_exit_code_3_for_every_command(project):
    for command, *rest in (["get"], ["explain"], ["set", "true"], ["reset"], ["lock"], ["unlock"]):
        code, printed, error = project.run(command, "no/such_flag", *rest)
        assert (code, printed) == (3, ""), command
        assert "Flag “no/such_flag” not found" in error


def test_set_prints_what_the_flag_was_and_is_and_changes_its_bytes_alone(project):
    key = numeric_flag(project)
    before = project.file.read_bytes()
    old = project.ask("get", key).strip()
    new = str(int(old) + 1)
    assert project.ask("set", key, new, "--reason", "Try it.") == f"{key}: {old} → {new}\n"
    assert project.ask("get", key) == f"{new}\n"
    assert project.ask("set", key, new) == f"{key}: unchanged\n"
    assert project.file.read_bytes() != before
    row = project.rows()[-1]
    assert (row["origin"], row["kind"], row["reason"], row["role"]) == ("cli", "set", "Try it.", "admin")
    project.ask("set", key, old)
    assert project.file.read_bytes() == before


def test_a_value_can_come_as_json_and_from_standard_input(project):
    key = numeric_flag(project)
    assert project.run("set", key, "--json-value", "7", "--type", "integer")[0] == 0
    assert project.ask("get", key) == "7\n"
    code, printed, error = project.run("set", key, "-", said="8\n")
    assert (code, printed) == (0, f"{key}: 7 → 8\n"), error
    assert project.run("set", key, "--json-value", "{")[0] == 64
    assert project.run("set", key)[0] == 64
    assert project.run("set", key, "9", "--type", "string")[0] == 5


def test_a_value_that_begins_with_a_dash_is_given_after_two_of_them(project):
    key = numeric_flag(project)
    project.run("set", key, "--", "-1")
    assert project.run("set", "--reason", "why", key, "--", "-1")[0] in (0, 5)


def test_a_refusal_is_one_line_that_says_what_to_do(project):
    code, printed, error = project.run("set", LOCKED, "3")
    assert (code, printed) == (5, "")
    assert error.count("\n") == 1 and "is locked" in error and "unlock it" in error
    assert project.rows()[-1]["kind"] == "denied"
    code, printed, error = project.run("set", TOUR, "maybe")
    assert (code, printed) == (5, "") and "Enter true or false" in error


def test_json_alone_is_printed_where_json_is_asked_for(project):
    code, printed, error = project.run("set", LOCKED, "3", "--json")
    assert code == 5 and json.loads(printed)["status"] == 423 and "is locked" in error
    outcome = json.loads(project.ask("set", TOUR, "false", "--json"))
    assert outcome["outcome"] == "applied" and outcome["change"]["after"] is False
    assert json.loads(project.ask("get", TOUR, FLAGBOARD_JSON="true"))["value"] is False


def test_a_flag_that_was_changed_meanwhile_is_exit_code_6(project):
    revision = json.loads(project.ask("get", TOUR, "--json"))["providers"][0]["revision"]
    project.ask("set", TOUR, "false", "--revision", revision)
    code, printed, error = project.run("set", TOUR, "true", "--revision", revision)
    assert (code, printed) == (6, "") and "changed in the meantime" in error


def test_lock_and_unlock_say_so_and_hold_for_the_next_command(project):
    assert project.ask("lock", TOUR) == f"{TOUR}: locked\n"
    assert project.run("set", TOUR, "false")[0] == 5
    assert project.ask("unlock", TOUR) == f"{TOUR}: unlocked\n"
    assert project.ask("set", TOUR, "false") == f"{TOUR}: no value → false\n"
    assert project.ask("reset", TOUR) == f"{TOUR}: false → no value\n"
    assert [row["kind"] for row in project.rows()] == ["lock", "denied", "unlock", "set", "reset"]


def test_explain_tells_each_source_which_one_wins_and_the_last_change(project):
    project.ask("set", TOUR, "false", "--reason", "Too long.")
    lines = project.ask("explain", TOUR).splitlines()
    assert "Value: false, from Local" in lines
    assert any(line.split() == ["Local", "false", "←", "in", "use"] for line in lines)
    assert any(line.split() == ["default", "true"] for line in lines)
    assert lines[-1].startswith("Last change: #1 ") and "no value → false" in lines[-1] and "Too long." in lines[-1]
    document = json.loads(project.ask("explain", TOUR, "--json"))
    assert document["flag"]["key"] == TOUR and document["lastChange"]["reason"] == "Too long."


def test_the_last_change_of_a_long_value_takes_one_line_that_is_short(project):
    project.ask("set", "checkout/notice", "x" * 5_000)
    line = project.ask("explain", "checkout/notice").splitlines()[-1]
    assert line.startswith("Last change: #1 ") and "xx… (5000 characters)" in line and len(line) < 1_500


def test_export_prints_what_the_downloads_hold(project, tmp_path):
    values = plistlib.loads(project.ask("export").encode())
    assert values["onboarding"] == plistlib.loads(project.file.read_bytes())["onboarding"]
    assert json.loads(project.ask("export", "--json"))["onboarding"]["minimum_age"] == 18
    manifest = json.loads(project.ask("export", "--content", "manifest", "--format", "json"))
    assert {flag["key"] for flag in manifest["flags"]} >= {TOUR, LOCKED}
    out = tmp_path / "effective.xml"
    project.ask("export", "--content", "effective", "--output", out)
    assert b"<plist" in out.read_bytes()
    assert project.run("export", "--output", out)[0] == 1
    project.ask("export", "--output", out, "--force")
    assert plistlib.loads(out.read_bytes()) == values
    assert project.run("export", "--output", project.file, "--force")[0] == 1


def test_history_prints_the_newest_rows_and_takes_the_filters_of_its_page(project):
    for value in ("false", "true", "false"):
        project.ask("set", TOUR, value)
    project.ask("lock", TOUR)
    lines = project.ask("history").splitlines()
    assert [line.split()[0] for line in lines] == ["#4", "#3", "#2", "#1"]
    assert "true → false in Local" in lines[1]
    assert len(project.ask("history list", "--kind", "lock").splitlines()) == 1
    assert project.run("history", "--kind", "nap")[0] == 64
    code, _, error = project.run("history", "--from", "yesterdai")
    assert code == 64 and "“yesterdai” is not a date" in error
    assert project.run("history", "--key", LOCKED) == (0, "", "No changes match.\n")


def test_a_change_is_given_a_reason_after_it_was_made(project):
    project.ask("set", TOUR, "false")
    before = project.file.read_bytes()
    assert "reason for #1" in project.ask("history note", "1", "Asked for by sales.")
    assert project.file.read_bytes() == before
    lines = project.ask("history").splitlines()
    assert lines[0].startswith("#2 ") and lines[0].endswith(f"{TOUR} reason for #1 in Local, “Asked for by sales.”")
    assert json.loads(project.ask("history note", "1", "And it stays.", "--json"))["change"]["noteOn"] == 1
    assert len(project.ask("history", "--kind", "note").splitlines()) == 2
    assert json.loads(project.ask("explain", TOUR, "--json"))["lastChange"]["id"] == 1
    code, printed, error = project.run("history note", "1", " ")
    assert (code, printed) == (5, "") and "Enter a reason for change 1." in error
    code, printed, error = project.run("history note", "99", "why")
    assert (code, printed) == (1, "") and "Change 99" in error
    assert "is intact" in project.ask("history verify")


def test_an_internal_flag_is_there_for_no_command(project):
    manifest = project.file.with_name("flags.manifest.xml").read_text()
    key = manifest.split("<key>isInternal</key>")[0].rsplit("<key>key</key>", 1)[1].split("<string>")[1].split("<")[0]
    assert key not in project.ask("list") and key not in project.ask("export", "--content", "effective")
    for command, *rest in (["get"], ["explain"], ["set", "true"], ["reset"], ["lock"], ["unlock"]):
        assert project.run(command, key, *rest)[0] == 3, command


def test_looking_leaves_nothing_beside_the_file(unserved):
    names = unserved.names()
    for command in (["list"], ["get", TOUR], ["explain", TOUR], ["history"], ["export"]):
        unserved.ask(*command)
    assert unserved.names() == names


def test_looking_needs_no_folder_that_can_be_written(unserved):
    folder = unserved.file.parent
    folder.chmod(0o500)
    try:
        assert unserved.ask("get", TOUR) == "true\n"
    finally:
        folder.chmod(0o700)


def test_commands_at_the_same_time_all_take_their_turn(project):
    key = numeric_flag(project)
    with ThreadPoolExecutor(8) as threads:
        done = list(threads.map(lambda number: project.run("set", key, str(number)), range(100, 108)))
    assert [code for code, _, _ in done] == [0] * 8, done
    rows = project.rows()
    assert sorted(row["after"] for row in rows) == list(range(100, 108))
    assert all(later["before"] == row["after"] for row, later in zip(rows, rows[1:]))
    assert "is intact: 8 rows" in project.ask("history verify")


def test_watch_prints_each_change_as_it_happens_and_what_is_edited_outside(project):
    with project.watching("--json", "--after", "0") as watch:
        project.ask("set", TOUR, "false", "--reason", "why")
        row = json.loads(watch.stdout.readline())
        assert (row["key"], row["after"], row["reason"], row["origin"]) == (TOUR, False, "why", "cli")
        text = project.file.read_text()
        project.file.write_text(text.replace("<integer>18</integer>", "<integer>21</integer>"))
        row = json.loads(watch.stdout.readline())
        assert (row["key"], row["before"], row["after"], row["origin"]) == (LOCKED, 18, 21, "external")


def test_watch_prints_lines_for_people(project):
    with project.watching("--after", "0") as watch:
        project.ask("set", TOUR, "false")
        assert watch.stdout.readline().rstrip().endswith(f"{TOUR} set no value → false in Local")


def test_watch_ends_with_its_server_and_says_how_to_go_on(serve, unserved):
    server = serve(unserved.file)
    with unserved.watching("--after", "0") as watch:
        unserved.ask("set", TOUR, "false")
        watch.stdout.readline()
        server.stop()
        assert watch.wait(60) == 1
        assert "flagboard watch --after 1 to continue from here" in watch.stderr.read()


def test_no_server_starts_on_a_file_that_is_watched_and_is_told_why(unserved):
    with unserved.watching("--after", "0") as watch:
        unserved.ask("set", TOUR, "false")
        watch.stdout.readline()
        code, _, error = unserved.run("serve", "--no-browser", "--port", "0")
        assert code == 1 and "already served by flagboard watch" in error


def test_watch_tells_how_to_go_on_where_its_server_is_killed_too(serve, unserved):
    server = serve(unserved.file)
    with unserved.watching("--after", "0") as watch:
        unserved.ask("set", TOUR, "false")
        watch.stdout.readline()
        server.process.kill()
        assert watch.wait(60) == 1
        assert "flagboard watch --after 1 to continue from here" in watch.stderr.read()


@pytest.mark.parametrize("signal", [SIGTERM, SIGKILL], ids=["is stopped", "is killed"])
def test_commands_go_on_while_their_server(unserved, signal):
    server = Server(unserved.file)
    key = numeric_flag(unserved)
    values = iter(range(100, 116))
    done = []

    def work():
        for value in values:
            done.append((value, *unserved.run("set", key, str(value))))
            if len(done) == 4:
                server.process.send_signal(signal)

    try:
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(lambda _: work(), range(4)))
    finally:
        server.stop()
    assert [answer for answer in done if answer[1] != 0] == []
    changes = [row for row in unserved.rows() if row["kind"] == "set"]
    assert sorted(row["after"] for row in changes) == list(range(100, 116))
    assert "is intact" in unserved.ask("history verify")


def test_who_sends_a_token_is_taken_for_its_holder(serve, unserved):
    server = serve(unserved.file, access="token")
    token = make_token(server.file, "Vera", "viewer")
    assert unserved.ask("get", TOUR, FLAGBOARD_TOKEN=token) == "true\n"
    code, _, error = unserved.run("set", TOUR, "false", FLAGBOARD_TOKEN=token)
    assert code == 5 and "Vera has the role viewer" in error
    assert unserved.run("get", TOUR, FLAGBOARD_TOKEN="wrong")[0] == 4
    assert unserved.ask("set", TOUR, "false") == f"{TOUR}: no value → false\n"
    server.stop()
    code, _, error = unserved.run("set", TOUR, "true", FLAGBOARD_TOKEN=token)
    assert code == 5 and "Vera has the role viewer" in error
    assert unserved.run("set", TOUR, "true", FLAGBOARD_TOKEN="wrong")[0] == 4


def test_a_refusal_does_nothing_to_a_terminal(unserved):
    code, _, error = unserved.run("set", TOUR, "false", "--provider", "\x1b[31m\u202evil")
    assert code == 64 and "not found" in error and "\x1b" not in error and "\u202e" not in error and "\\u{1B}[31m" in error


def test_a_server_that_takes_no_change_takes_none_from_a_command(serve, unserved):
    serve(unserved.file, "--read-only")
    code, _, error = unserved.run("set", TOUR, "false")
    assert code == 5 and "read-only mode" in error


def test_the_same_change_by_form_api_and_command_gives_the_same_bytes_and_row_but_for_its_origin(serve, tmp_path):
    found = []
    for way in ("form", "api", "cli"):
        project = Project(tmp_path / way)
        server = serve(project.file)
        if way == "form":
            server.change(TOUR, "set", "false", "why")
        elif way == "api":
            body = json.dumps({"value": False, "reason": "why"}).encode()
            headers = {"Content-Type": "application/json", "If-Match": "*"}
            assert server.request("PUT", f"/api/v1/flags/{TOUR}", body, headers).status == 200
        else:
            project.ask("set", TOUR, "false", "--reason", "why")
        row = project.rows()[-1]
        assert row.pop("origin") == way
        for own in ("at", "batch", "hash", "requestID"):
            row.pop(own, None)
        found.append((project.file.read_bytes(), row))
    assert found[0] == found[1] == found[2]


def test_what_a_file_holds_does_nothing_to_a_terminal(unserved):
    key = next(
        flag["key"] for flag in json.loads(unserved.ask("list", "--type", "string", "--json"))["flags"]
        if not flag["isLocked"] and "pattern" not in flag)
    unserved.ask("set", key, "a\tb\u202ec\nd")
    row = next(line for line in unserved.ask("list").splitlines() if line.startswith(key))
    assert "a\\tb\\u{202E}c\\nd" in row
    assert unserved.ask("get", key) == "a\tb\u202ec\nd\n"


@pytest.mark.parametrize("variables, coloured", [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colours_are_for_terminals_alone_and_never_with_no_color(unserved, variables, coloured):
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [BINARY, "list", unserved.file], stdin=subprocess.DEVNULL, stdout=theirs,
        env=environment() | {"TERM": "xterm"} | variables)
    os.close(theirs)
    printed = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        printed += piece
    os.close(ours)
    assert process.wait(60) == 0
    assert (b"\x1b[" in printed) == coloured


def test_diff_tells_what_differs_between_two_files_and_can_end_with_1(unserved, tmp_path):
    other = tmp_path / "other.xml"
    other.write_bytes(unserved.file.read_bytes())
    assert unserved.run("diff", other, "--exit-code") == (0, "", "")
    other.write_text(other.read_text().replace("<integer>18</integer>", "<integer>21</integer>"))
    assert unserved.run("diff", other) == (0, f"{LOCKED}: 18 → 21\n", "")
    assert unserved.run("diff", other, "--exit-code")[0] == 1
    document = json.loads(unserved.ask("diff", other, "--json"))
    assert document["flags"] == [
        {"key": LOCKED, "type": "integer", "difference": "changed", "left": 18, "right": 21}]
    assert unserved.run("diff", tmp_path / "missing.xml")[0] == 1
    assert unserved.run("diff", other, "--left", "Local")[0] == 64


def test_diff_says_nothing_of_what_either_file_keeps_internal(unserved, tmp_path):
    plain = tmp_path / "plain.xml"
    plain.write_text('<plist version="1.0"><dict/></plist>')
    shown = {flag["key"] for flag in json.loads(unserved.ask("list", "--json"))["flags"]}
    told = subprocess.run(
        [BINARY, "diff", plain, unserved.file, "--json"], capture_output=True, text=True, env=environment(), timeout=60)
    keys = {flag["key"] for flag in json.loads(told.stdout)["flags"]}
    assert keys and keys <= shown


def test_diff_tells_what_differs_between_two_sides_and_since_a_time(project):
    lines = project.ask("diff").splitlines()
    assert f"{LOCKED}: 16 → 18" in lines
    assert f"{LOCKED}: 18 → 16" in project.ask("diff", "--left", "effective", "--right", "default").splitlines()
    code, printed, error = project.run("diff", "--left", "Nowhere")
    assert (code, printed) == (64, "") and "No provider is named “Nowhere”" in error
    project.ask("set", TOUR, "false")
    since = project.rows()[0]["at"]
    project.ask("set", TOUR, "true")
    assert project.ask("diff", "--at", since) == f"{TOUR}: false → true\n"
    code, printed, error = project.run("diff", "--at", "someday")
    assert (code, printed) == (64, "") and "someday" in error


def imported(project, values, *options):
    return project.run("import", "-", *options, said=values if isinstance(values, str) else json.dumps(values))


def test_import_sets_what_the_input_holds_and_leaves_all_else(project):
    before = json.loads(project.ask("export", "--json"))
    code, printed, error = imported(project, {"onboarding": {"welcome_tour": False}}, "--reason", "from staging")
    assert (code, printed, error) == (0, f"{TOUR}: added\n", "0 unchanged flags.\n")
    row = project.rows()[-1]
    assert (row["origin"], row["after"], row["reason"]) == ("import", False, "from staging")
    assert json.loads(project.ask("export", "--json"))["onboarding"] == before["onboarding"] | {"welcome_tour": False}
    code, printed, error = imported(project, {"onboarding": {"welcome_tour": False}})
    assert (code, printed, error) == (0, "", "1 unchanged flag.\n") and len(project.rows()) == 1


def test_a_value_with_parts_differs_from_one_in_a_file_without_definitions(tmp_path):
    file = write(tmp_path / "shop", {"j": {"a": 2}, "k": 1}, [{"key": "j", "type": "json"}, {"key": "k", "type": "integer"}])
    other = tmp_path / "good.xml"
    other.write_bytes(plistlib.dumps({"j": {"a": 1}, "k": 1}))
    done = subprocess.run(
        [BINARY, "diff", file, other, "--exit-code"], capture_output=True, text=True, env=environment(), timeout=60)
    assert (done.returncode, done.stdout) == (1, 'j: {"a":2} → {"a":1}\n')
    # What is a group with an internal flag in OTHER stays unsaid.
    flags = [{"key": "j/a", "type": "integer"}, {"key": "j/secret", "type": "string", "isInternal": True}]
    other = write(tmp_path / "other", {"j": {"a": 1, "secret": "hunter2"}, "k": 2}, flags)
    done = subprocess.run([BINARY, "diff", file, other], capture_output=True, text=True, env=environment(), timeout=60)
    assert done.stdout == "k: 1 → 2\n"


def test_an_import_tells_what_it_stores_as_another_type(tmp_path):
    moments = [datetime.datetime(2026, 12, 24), datetime.datetime(2026, 12, 31)]
    project = Project(tmp_path / "shop")
    project.file.write_bytes(plistlib.dumps({"blackouts": moments}))
    project.file.with_name("flags.manifest.xml").unlink()
    for options in (["--plan"], []):
        code, printed, error = imported(project, {"blackouts": ["2026-12-24T00:00:00Z", "soon"]}, *options)
        assert (code, printed) == (0, "blackouts: changed\n")
        assert "blackouts: Stored as another type: /1 (date → string)." in error


def test_a_planned_import_changes_nothing_and_create_only_nothing_that_is_there(project):
    before = project.file.read_bytes()
    values = {"onboarding": {"welcome_tour": False, "skip_sign_in": False}}
    code, printed, error = imported(project, values, "--plan")
    assert error.splitlines()[-1] == "This was a preview. Nothing was imported."
    assert (code, printed.splitlines()) == (0, [f"{TOUR}: added", "onboarding/skip_sign_in: changed"])
    assert project.file.read_bytes() == before and project.rows() == []
    document = json.loads(imported(project, values, "--create-only", "--json")[1])
    assert {flag["key"]: flag["fate"] for flag in document["flags"]} == {TOUR: "added", "onboarding/skip_sign_in": "kept"}
    assert project.ask("get", "onboarding/skip_sign_in") == "true\n"
    assert imported(project, values, "--create-only", "--replace")[0] == 64


def test_an_import_of_what_is_refused_changes_nothing_unless_the_rest_is_asked_for(project):
    before = project.file.read_bytes()
    values = {"onboarding": {"welcome_tour": False, "minimum_age": 3}}
    code, printed, error = imported(project, values)
    assert (code, printed) == (5, "") and "is locked" in error and project.file.read_bytes() == before
    assert imported(project, {"no": {"such": 1}})[0] == 3
    assert imported(project, {"onboarding": {"welcome_tour": "maybe"}})[0] == 5
    assert imported(project, "<plist")[0] == 5
    for refused, expected in ((values, 5), ({"no": {"such": 1}}, 3), ({"onboarding": {"welcome_tour": "maybe"}}, 5)):
        code, printed, error = imported(project, refused, "--plan")
        assert code == expected and printed and "Nothing would be imported: " in error, (refused, error)
    code, printed, _ = imported(project, values, "--plan", "--partial")
    assert code == 0 and set(printed.splitlines()) == {f"{TOUR}: added", f"{LOCKED}: locked"}
    code, printed, _ = imported(project, values, "--partial")
    assert code == 0 and set(printed.splitlines()) == {f"{TOUR}: added", f"{LOCKED}: locked"}
    assert project.ask("get", LOCKED) == "18\n" and project.ask("get", TOUR) == "false\n"
