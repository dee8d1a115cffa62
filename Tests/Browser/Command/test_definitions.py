"""Defining, renaming and retiring flags, and taking changes back, with a server on the file and without one."""

import json
import plistlib

import pytest
from command_project import LOCKED, TOUR, Project

FEE = "checkout/delivery_fee"


def definition(project, key):
    manifest = plistlib.loads(project.file.with_name("flags.manifest.xml").read_bytes())
    return next((flag for flag in manifest["flags"] if flag["key"] == key), None)


def test_a_flag_is_defined_with_all_that_is_said_of_it(project):
    printed = project.ask(
        "define", "search/limit", "--type", "integer", "--default", "-5", "--minimum", "-10", "--maximum", "50", "--name",
        "Search limit", "--description", "How many are found.", "--tag", "search", "--tag", "beta", "--owner", "ada",
        "--expires", "2031-05-01", "--requires-restart", "--reason", "New page.")
    assert printed.splitlines()[0].startswith("search/limit: defined")
    assert project.ask("get", "search/limit") == "-5\n"
    found = definition(project, "search/limit")
    assert (found["type"], found["minimum"], found["maximum"], found["tags"]) == ("integer", -10, 50, ["search", "beta"])
    assert found["requiresRestart"] is True and found["owner"] == "ada" and found["name"] == "Search limit"
    row = project.rows()[-1]
    assert (row["kind"], row["reason"], row["origin"]) == ("define", "New page.", "cli")
    code, printed, error = project.run("define", "search/limit", "--type", "integer")
    assert (code, printed) == (5, "") and "search/limit" in error


@pytest.mark.parametrize("kind, text, value", [
    ("bool", "yes", True), ("double", "2.5", 2.5), ("string", "1", "1"), ("array", "[1, \"a\"]", [1, "a"]),
    ("dictionary", "{\"a\": 1}", {"a": 1}), ("url", "https://example.com/x", "https://example.com/x")])
def test_a_default_is_read_as_the_type(project, kind, text, value):
    project.ask("define", "fresh/one", "--type", kind, "--default", text)
    assert json.loads(project.ask("get", "fresh/one", "--json"))["value"] == value


def test_a_choice_has_its_values_and_a_wrong_default_is_refused(project):
    project.ask("define", "fresh/size", "--type", "choice", "--choice", "S", "--choice", "M", "--default", "M")
    assert definition(project, "fresh/size")["choices"] == ["S", "M"]
    code, printed, error = project.run(
        "define", "fresh/other", "--type", "choice", "--choice", "S", "--default", "XL", "--json")
    assert code == 5 and "default" in json.loads(printed)["problems"] and error
    assert project.run("define", "fresh/other", "--type", "integer", "--default", "many")[0] == 64
    assert definition(project, "fresh/other") is None


def test_a_definition_that_breaks_a_stored_value_has_to_be_confirmed(project):
    text = project.file.read_text()
    project.file.write_text(text.replace("<dict>", "<dict><key>old</key><integer>1</integer>", 1))
    code, _, error = project.run("define", "old", "--type", "date")
    assert code == 5 and "Local has integer 1" in error and "--breaks-values" in error
    assert project.run("define", "old", "--type", "date", "--plan")[2] == error
    assert project.ask("define", "old", "--type", "date", "--breaks-values") == "old: defined\n"
    assert definition(project, "old")["type"] == "date"


def test_a_planned_definition_changes_nothing(project):
    before = project.file.with_name("flags.manifest.xml").read_bytes()
    assert project.ask("define", "fresh/one", "--type", "bool", "--plan") == "fresh/one: would be defined\n"
    assert project.run("define", TOUR, "--type", "bool", "--plan")[0] == 5
    assert project.file.with_name("flags.manifest.xml").read_bytes() == before and project.rows() == []


def test_a_flag_moves_with_its_values_and_comes_back_by_undo(project):
    before = project.file.read_bytes(), project.file.with_name("flags.manifest.xml").read_bytes()
    value = project.ask("get", FEE)
    assert project.ask("rename", FEE, "checkout/postage", "--reason", "clearer") == f"{FEE}: renamed to checkout/postage\n"
    assert project.ask("get", "checkout/postage") == value and project.run("get", FEE)[0] == 3
    assert project.run("rename", "checkout/postage", TOUR)[0] == 5
    assert project.run("rename", FEE, "checkout/x")[0] == 3
    project.ask("undo")
    assert project.ask("get", FEE) == value and project.run("get", "checkout/postage")[0] == 3
    assert plistlib.loads(project.file.read_bytes()) == plistlib.loads(before[0])
    assert definition(project, "checkout/postage") is None


def test_a_flag_is_retired_and_taken_into_use_again(project):
    assert project.ask("retire", TOUR, "--reason", "everyone knows") == f"{TOUR}: deprecated\n"
    assert definition(project, TOUR)["retired"] == "everyone knows"
    assert "deprecated" in project.ask("list", "--state", "retired") and project.ask("get", TOUR) == "true\n"
    assert "Deprecated: everyone knows" in project.ask("explain", TOUR)
    assert project.ask("retire", TOUR, "--restore") == f"{TOUR}: restored\n"
    assert "retired" not in definition(project, TOUR)
    assert project.ask("retire", TOUR, "--restore") == f"{TOUR}: unchanged\n"


def test_a_change_is_reverted_by_its_number(project):
    project.ask("set", TOUR, "false")
    project.ask("set", FEE, "7")
    assert project.ask("revert", "1", "--plan") == f"{TOUR}: false → no value\n"
    assert len(project.rows()) == 2
    assert project.ask("revert", "1", "--reason", "back") == f"{TOUR}: false → no value\n"
    row = project.rows()[-1]
    assert (row["origin"], row["reason"]) == ("revert", "Revert change 1: back")
    code, printed, error = project.run("revert", "1")
    assert (code, printed) == (6, "") and TOUR in error
    assert project.run("revert", "1", "--plan")[0] == 6
    code, printed, error = project.run("revert", "77", "--json")
    assert code == 1 and "Change 77" in json.loads(printed)["detail"] and error


def test_what_changed_nothing_can_not_be_reverted(project):
    assert project.run("set", LOCKED, "3")[0] == 5
    code, printed, error = project.run("revert", "1")
    assert (code, printed) == (5, "") and "it changed nothing" in error


def test_undo_takes_back_the_last_change_and_its_whole_batch(project):
    code, printed, error = project.run("undo")
    assert (code, printed) == (1, "") and "no change that can be undone" in error and "2068" not in error
    project.run("import", "-", said=json.dumps({"onboarding": {"welcome_tour": False, "skip_sign_in": False}}))
    assert len(project.ask("undo", "--plan").splitlines()) == 2
    assert len(project.ask("undo").splitlines()) == 2
    assert project.ask("get", TOUR) == "true\n" and project.ask("get", "onboarding/skip_sign_in") == "true\n"
    project.ask("undo")
    assert project.ask("get", TOUR) == "false\n"
    project.ask("lock", TOUR)
    assert project.ask("undo") == f"{TOUR}: unlocked\n"


def test_a_new_file_says_how_its_first_flag_is_made(tmp_path):
    project = Project(tmp_path / "project")
    project.file = tmp_path / "new.xml"
    project.file.write_text('<plist version="1.0"><dict/></plist>')
    code, printed, error = project.run("set", "search/on", "true")
    assert (code, printed) == (3, "")
    assert f"flagboard define {project.file} search/on --type bool" in error
    assert "--type integer" in project.run("set", "search/limit", "-3")[2]
    project.ask("define", "search/on", "--type", "bool")
    assert project.ask("set", "search/on", "on") == "search/on: no value → true\n"
