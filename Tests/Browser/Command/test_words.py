"""What commands take and say: words of lists, negative numbers, likely key paths, completion, and JSON for every refusal."""

import json
import os
import pathlib
import plistlib
import subprocess

import pytest
from command_project import LOCKED, TOUR, numeric_flag
from harness import BINARY, environment


@pytest.mark.parametrize("word, value", [
    ("yes", "true"), ("on", "true"), ("1", "true"), ("ON", "true"), ("no", "false"), ("off", "false"), ("0", "false")])
def test_a_boolean_can_be_set_with_the_words_of_people(project, word, value):
    project.ask("set", TOUR, "false" if value == "true" else "true")
    assert project.ask("set", TOUR, word).endswith(f"→ {value}\n")


def test_the_same_words_stay_text_and_numbers_for_other_flags(project):
    project.ask("set", "checkout/notice", "yes")
    assert project.ask("get", "checkout/notice") == "yes\n"
    key = numeric_flag(project)
    project.ask("set", key, "1")
    assert project.ask("get", key) == "1\n" and project.run("set", key, "on")[0] == 5


def test_a_negative_number_needs_no_dashes_before_it(project):
    project.ask("define", "fresh/depth", "--type", "integer")
    assert project.ask("set", "fresh/depth", "-7") == "fresh/depth: no value → -7\n"
    assert project.ask("set", "fresh/depth", "-8", "--reason", "deeper") == "fresh/depth: -7 → -8\n"
    assert json.loads(project.ask("set", "fresh/depth", "--json", "-9"))["change"]["after"] == -9
    assert project.ask("set", "fresh/depth", "--json-value", "-10") == "fresh/depth: -9 → -10\n"
    assert project.ask("set", "fresh/depth", "--", "-11") == "fresh/depth: -10 → -11\n"
    assert project.run("set", "fresh/depth", "-x")[0] == 64


@pytest.mark.parametrize("value", ["-hello", "-Hello\nthere", "-Infinity"])
def test_a_text_that_begins_with_a_dash_is_taken_as_it_is(project, value):
    assert project.run("set", "checkout/notice", value)[0] == 0
    assert project.ask("get", "checkout/notice") == value + "\n"


@pytest.mark.parametrize("mistake", ["-json", "-help", "-reason"])
def test_a_long_option_with_one_dash_is_no_value(project, mistake):
    before = project.file.read_bytes()
    project.run("set", "checkout/notice", mistake)
    assert project.file.read_bytes() == before


@pytest.mark.parametrize("wrong", [["list", "--state", "\x1b[31mX"], ["\x1b[31mX"], ["webhook add", "https://a.example", "--filter", "kind=\x07\u202e"]])
def test_a_refusal_of_what_was_given_gives_no_control_to_the_terminal(project, wrong):
    code, printed, error = project.run(*wrong)
    assert code != 0 and printed == "" and error.endswith("\n")
    assert not any(not character.isprintable() and character != "\n" for character in error), repr(error)


LISTS = [
    ("list", "--state", ["overridden", "locked", "no-value"]), ("list", "--state", ["waiting"]), ("list", "--sort", ["key", "-changed"]),
    ("list", "--type", ["bool", "json"]), ("history", "--kind", ["set", "redefine"]), ("history", "--origin", ["cli", "external"]),
    ("export", "--content", ["values", "effective"]), ("get", "--expect", ["dictionary"]), ("history export", "--format", ["csv"]),
    ("token add", "--role", ["viewer", "admin"]), ("webhook add", "--template", ["slack"]), ("define", "--type", ["choice"]),
]


@pytest.mark.parametrize("command, option, words", LISTS)
def test_what_is_in_no_list_is_wrong_usage_and_answered_with_the_list(unserved, command, option, words):
    for wrong in ("odd", "locked,odd", ""):
        code, printed, error = unserved.run(command, option, wrong)
        assert (code, printed) == (64, ""), wrong
        assert [word for word in words if word not in error] == []


def test_every_order_and_state_of_the_help_can_be_asked_for(project):
    for sort in ("order", "key", "-key", "changed", "-changed", "source", "type", "owner"):
        assert project.ask("list", "--sort", sort)
    assert project.ask("list", "--state", "overridden,locked")
    assert "name" not in project.run("list", "--sort", "odd")[2].split("sort <ORDER>")[0].split()


def test_a_mistyped_key_path_is_answered_with_the_likely_one_and_never_an_internal_one(project):
    for command, *rest in (["get"], ["explain"], ["set", "true"], ["reset"], ["lock"], ["retire"], ["rename", "x/y"]):
        code, printed, error = project.run(command, "onboarding/welcom_tour", *rest)
        assert (code, printed) == (3, "") and f"Did you mean {TOUR}?" in error, command
    assert f"Did you mean {TOUR}?" in project.run("get", "welcome_tour")[2]
    assert f"Did you mean {TOUR}?" in project.run("history", "--key", "onboarding/welcom_tour")[2]
    error = project.run("get", "checkout/payment/fraud_treshold")[2]
    assert "not found" in error and "fraud_threshold" not in error


def completed(project, *words, argument="positional@1"):
    """What the shell offers for the last of some words."""
    line = ["flagboard", *words]
    done = subprocess.run(
        [BINARY, "---completion", words[0], "--", argument, str(len(line) - 1), str(len(words[-1])), *line],
        capture_output=True, text=True, timeout=60, env=environment() | {"SAP_SHELL": "bash"})
    return done.stdout.splitlines()


def test_the_shell_completes_key_paths_of_the_file_and_no_internal_ones(unserved):
    assert TOUR in completed(unserved, "get", str(unserved.file), "onb")
    found = completed(unserved, "get", str(unserved.file), "")
    assert LOCKED in found and not any("fraud_threshold" in key for key in found)
    assert completed(unserved, "get", str(unserved.file.parent / "nowhere.xml"), "") == []


def test_the_shell_completes_what_flags_and_files_have(unserved):
    def offered(command, option):
        return completed(unserved, command, str(unserved.file), option, "", argument=option)

    flags = json.loads(unserved.ask("list", "--json"))["flags"]
    # Bash would split a word with a space.
    tags = {tag for flag in flags for tag in flag["tags"] if " " not in tag}
    assert tags and set(offered("list", "--tag")) == tags == set(offered("define", "--tag"))
    assert "onboarding" in offered("list", "--group") and "checkout/payment" in offered("define", "--group")
    assert set(offered("list", "--owner")) == {flag["owner"] for flag in flags if flag.get("owner")}
    for command in ("list", "get", "set", "reset", "import"):
        assert offered(command, "--provider") == ["Local"], command


def test_bash_is_offered_no_key_that_it_would_run(tmp_path):
    file = tmp_path / "my flags.xml"
    keys = ["plain/one", "café", "co:lon", "$(touch ran)", "x`touch ran`", "it's", "a b", "back\\slash", "a;b", "a|b", "x\u0d4e`touch ran`\u0301", "e`\u0301>\u0301ran`\u0301"]
    file.write_bytes(plistlib.dumps(dict.fromkeys(["two", *keys[1:]], True) | {"plain": {"one": True}}))
    script = subprocess.run(
        [BINARY, "--generate-completion-script", "bash"], capture_output=True, text=True, timeout=30, env=environment()).stdout
    asked = '''
        COMP_WORDS=(flagboard get 'my\\ flags.xml' ''); COMP_CWORD=3; COMP_LINE='flagboard get my\\ flags.xml '; COMP_POINT=${#COMP_LINE}
        _flagboard flagboard '' 'my\\ flags.xml'
        printf '%s\\n' "${COMPREPLY[@]}"
    '''
    done = subprocess.run(
        ["bash", "-c", script + asked], capture_output=True, text=True, timeout=60, cwd=tmp_path,
        env=environment() | {"PATH": f"{pathlib.Path(BINARY).parent}:{os.environ['PATH']}"})
    assert sorted(done.stdout.splitlines()) == ["café", "co:lon", "plain/one", "two"], done
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_completes_states_types_and_orders(shell):
    script = subprocess.run(
        [BINARY, "--generate-completion-script", shell], capture_output=True, text=True, timeout=30, env=environment()).stdout
    assert [word for word in ("overridden-on", "dictionary", "-changed", "redefine") if word not in script] == []


REFUSALS = {
    "list": ["--provider", "nobody"], "get": [TOUR, "--expect", "string"], "set": [LOCKED, "3"], "reset": ["no/such"],
    "revert": ["9"], "undo": [], "import": ["-"], "diff": ["--left", "nobody"], "history note": ["9", "why"],
    "history verify": [], "history prune": ["--keep-rows", "1"], "history backup": ["."], "token revoke": ["nobody"],
    "webhook remove": ["nobody"], "history export": ["--output", "."], "get ": [TOUR], "list ": ["--state", "odd"],
}


@pytest.mark.parametrize("command", REFUSALS)
def test_each_refusal_is_json_where_json_is_asked_for(unserved, command):
    if command == "get ":
        unserved.file.write_text("<plist")
    code, printed, error = unserved.run(command.strip(), *REFUSALS[command], "--json", said="{")
    assert code != 0 and error
    problem = json.loads(printed)
    assert (problem.get("detail") and problem["title"]) or problem["changes"]


def test_get_of_one_provider_prints_its_value_as_json_or_fails(project):
    code, printed, error = project.run("get", TOUR, "--provider", "Local", "--json")
    assert code == 1 and "no value in Local" in json.loads(printed)["detail"] and "no value in Local" in error
    project.ask("set", TOUR, "false")
    document = json.loads(project.ask("get", TOUR, "--provider", "Local", "--json"))
    assert (document["value"], document["source"], document["key"]) == (False, "Local", TOUR)
    assert json.loads(project.run("get", TOUR, "--provider", "Nowhere", "--json")[1])["status"] == 404


def test_a_value_that_is_too_large_is_told_with_the_limit(project):
    code, printed, error = project.run("set", "checkout/notice", "-", said="x" * 3_000_000)
    assert (code, printed) == (5, "") and "1048576 bytes" in error and "restart" not in error
    code, _, error = project.run("set", "checkout/notice", "-", said="x" * 1_048_576)
    assert code == 5 and "1048576 bytes" in error
    assert project.rows() == []
    project.ask("set", "checkout/notice", "x" * 100_000)


def test_the_marks_of_browsers_are_not_printed(project):
    for arguments in (["get", TOUR, "--provider", "no such"], ["history", "--key", "no/such"]):
        error = project.run(*arguments)[2]
        assert "2068" not in error and "2069" not in error and "\u2068" not in error


NUMBERS = [
    ("history list", ["--before"]), ("history note", ["why", "-at"]), ("history prune", ["--keep-rows"]), ("watch", ["--after"]),
    ("serve", ["--port"]), ("serve", ["--max-streams"]), ("serve", ["--max-file-size"]), ("revert", ["-at"]),
    ("webhook replay", ["x", "--from"]), ("define", ["a/b", "--type", "integer", "--maximum"]), ("get", [TOUR, "--timeout"]),
    ("history prune", ["--keep"]), ("token add", ["--name", "a", "--role", "admin", "--expires"]),
]


@pytest.mark.parametrize("command, option", NUMBERS)
@pytest.mark.parametrize("number", [2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 10**40])
def test_the_ends_of_what_a_program_can_hold_end_no_command(unserved, command, option, number):
    unserved.ask("set", TOUR, "false")
    name = option[-1]
    if name == "-at":
        arguments = ["--", str(number), *option[:-1]] if command != "history note" else ["--", str(number), "why"]
    else:
        unit = {"--keep": "d", "--expires": "d"}.get(name, "")
        arguments = [*option[:-1], f"{name}={number}{unit}"]
    if command == "watch":
        with unserved.watching(*arguments) as watch:
            unserved.ask("set", TOUR, "true")
            assert watch.poll() is None or watch.returncode >= 0
        return
    code, _, error = unserved.run(command, *arguments)
    assert code in (0, 1, 3, 5, 64), f"{code} {error}"
