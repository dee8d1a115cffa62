"""Flags in git: `flagboard git` in real repositories, and git with what it sets up there."""

import json
import plistlib
import re
import shutil
import subprocess

import pytest
from git_repository import MANIFEST, VALUES, Repository
from harness import BINARY, ROOT

NEW_FLOW = ("<key>newFlow</key> <false/>", "<key>newFlow</key> <true/>")
OLD_FLOW = ("<key>oldFlow</key> <true/>", "<key>oldFlow</key> <false/>")


# What must not be committed beside a values file.
IGNORED = [
    "flags.history.sqlite", "flags.history.key", "flags.history.checkpoints", "flags.history.sqlite-wal", "flags.history.sqlite-shm",
    "flags.history.sqlite-journal", "flags.tokens.json", "flags.webhooks.json", "flags.webhooks-state.json",
    ".flags.history.sqlite.lock", ".flags.manifest.xml.lock", ".flags.xml.lock",
    "flags.history.*-*.jsonl", "flags.history.checkpoints.before-*", "flags.xml.overwritten-*",
    "flags.manifest.xml.overwritten-*", ".flags.*.tmp"]


def limit(value):
    return ("<integer>5</integer>", f"<integer>{value}</integer>")


@pytest.fixture
def repository(tmp_path):
    """A repository that is set up."""
    repository = Repository(tmp_path / "shop")
    repository.flagboard("git", "install")
    repository.git("add", ".gitattributes", ".gitignore")
    repository.commit("set up")
    return repository


# Setting up.


def test_install_says_what_it_did_and_does_it_once(tmp_path):
    repository = Repository(tmp_path / "shop")
    said = repository.flagboard("git", "install")
    assert re.findall(r"(?:Set|Added) (\S+)", said) == [
        "merge.flagboard.name", "merge.flagboard.driver", "diff.flagboard.textconv", "flags.xml", "flags.manifest.xml", *IGNORED]
    attributes, config = repository.folder / ".gitattributes", repository.folder / ".git/config"
    assert (repository.folder / ".gitignore").read_text().splitlines()[1:] == IGNORED
    assert attributes.read_text() == (
        "flags.xml merge=flagboard diff=flagboard\nflags.manifest.xml merge=flagboard diff=flagboard\n")
    assert repository.git("config", "merge.flagboard.driver").endswith("; f %O %A %B %L %P\n")
    files = [attributes, config, repository.folder / ".gitignore"]
    before = [file.read_bytes() for file in files]
    assert "Already set up. Nothing was changed" in repository.flagboard("git", "install")
    assert [file.read_bytes() for file in files] == before
    assert json.loads(repository.flagboard("git", "install", "--json")) == {"settings": [], "patterns": [], "ignored": []}


def test_uninstall_takes_back_all_of_it_and_nothing_else(tmp_path):
    repository = Repository(tmp_path / "shop")
    config = repository.folder / ".git/config"
    before = config.read_text()
    repository.flagboard("git", "install")
    said = repository.flagboard("git", "uninstall")
    assert said.count("Removed") == 5 and "2 lines from .gitattributes" in said and f"{len(IGNORED)} lines from .gitignore" in said
    assert config.read_text() == before and repository.is_clean
    assert repository.flagboard("git", "uninstall") == "Nothing was set up here.\n"
    done = json.loads(repository.flagboard("git", "uninstall", FLAGBOARD_JSON="true"))
    assert done == {"settings": [], "patterns": 0, "ignored": 0}


@pytest.mark.parametrize("text", ["*.png binary", "*.png binary\n", "*.png binary\r\n*.txt text\r\n", "", "# flags\n\n"])
def test_the_attributes_of_others_stay_byte_for_byte(tmp_path, text):
    repository = Repository(tmp_path / "shop")
    attributes = repository.folder / ".gitattributes"
    attributes.write_bytes(text.encode())
    repository.flagboard("git", "install")
    assert attributes.read_bytes().startswith(text.encode())
    assert len(attributes.read_text().splitlines()) == len(text.splitlines()) + 2
    assert "merge: flagboard" in repository.git("check-attr", "merge", "flags.xml")
    assert "diff: flagboard" in repository.git("check-attr", "diff", "sub/flags.manifest.xml")
    repository.flagboard("git", "uninstall")
    left = attributes.read_bytes() if attributes.exists() else b""
    assert left.rstrip(b"\r\n") == text.encode().rstrip(b"\r\n")


def test_a_line_that_a_person_wrote_for_the_driver_stays_and_is_named(tmp_path):
    repository = Repository(tmp_path / "shop")
    (repository.folder / ".gitattributes").write_text("*.plist merge=flagboard\n")
    repository.flagboard("git", "install")
    done = repository.run("flagboard", "git", "uninstall")
    assert "still has this line: *.plist merge=flagboard" in done.stderr
    assert (repository.folder / ".gitattributes").read_text() == "*.plist merge=flagboard\n"


@pytest.mark.parametrize("name", ["deep/er/flags.xml", "my flags.xml", "-f.xml", 'a"b\\c*[x]?.xml', "line\nend.xml", "#é!.xml"])
def test_files_of_any_name_are_set_up_merged_and_shown(tmp_path, name):
    repository = Repository(tmp_path / "a b" / "shop", name)
    repository.flagboard("git", "install", "--", f"./{name}")
    repository.git("add", ".gitattributes", ".gitignore")
    repository.commit("set up")
    for file in [repository.file, repository.manifest]:
        path = str(file.relative_to(repository.folder))
        said = repository.git("check-attr", "-z", "merge", "diff", "--", path)
        assert said.split("\0")[2::3] == ["flagboard", "flagboard"]
    assert "unspecified" in repository.git("check-attr", "merge", "other.xml")
    repository.fork(NEW_FLOW, OLD_FLOW)
    repository.git("merge", "-q", "other")
    assert repository.values["checkout"] == {"newFlow": True, "oldFlow": False}
    assert "-checkout/oldFlow = true\n+checkout/oldFlow = false\n" in repository.git("diff", "HEAD~1", "--", name)
    rows = json.loads(repository.flagboard("git", "blame", "--json", "--", f"./{name}", "checkout/newFlow"))
    assert [row["subject"] for row in rows] == ["ours", "the first version"]


def test_a_folder_may_be_given_and_a_folder_inside_does(tmp_path):
    repository = Repository(tmp_path / "shop", "deep/flags.xml")
    repository.flagboard("git", "install", "--directory", str(repository.folder), folder=tmp_path)
    repository.flagboard("git", "uninstall", folder=repository.file.parent)
    repository.flagboard("git", "install", folder=repository.file.parent)
    assert (repository.folder / ".gitattributes").exists()


def test_a_program_that_the_path_does_not_have_is_set_up_by_its_place(tmp_path):
    repository = Repository(tmp_path / "shop")
    place = tmp_path / "it's 100% mine"
    place.mkdir()
    shutil.copy(BINARY.resolve(), place / "flagboard")
    path = repository.environment["PATH"].split(":", 1)[1]
    done = repository.run(place / "flagboard", "git", "install", PATH=path)
    assert done.returncode == 0, done.stderr
    repository.git("add", ".gitattributes", ".gitignore")
    repository.commit("set up")
    repository.environment["PATH"] = path
    repository.fork(NEW_FLOW, OLD_FLOW)
    repository.git("merge", "-q", "other")
    assert repository.values["checkout"] == {"newFlow": True, "oldFlow": False}
    assert "+checkout/oldFlow = false" in repository.git("diff", "HEAD~1")


def without_flagboard(repository):
    """Git goes on where the program is not found any more, as in a container or from a menu."""
    repository.environment["PATH"] = repository.environment["PATH"].split(":", 1)[1]
    assert shutil.which("flagboard", path=repository.environment["PATH"]) is None


def broken_flagboard(repository):
    """The program is there, and can't be run: it was built for another system."""
    program = repository.folder.parent / f"{repository.folder.name}-programs/flagboard"
    program.unlink()
    program.write_text("#!/bin/sh\nexit 127\n")
    program.chmod(0o755)


@pytest.mark.parametrize("lose", [without_flagboard, broken_flagboard])
@pytest.mark.parametrize("name", ["flags.xml", "my config/-it's 100%.xml"])
def test_git_shows_and_merges_lines_where_the_program_cant_be_run(tmp_path, name, lose):
    repository = Repository(tmp_path / "shop", name)
    repository.flagboard("git", "install", "--", f"./{name}")
    repository.git("add", "--all")
    repository.commit("set up")
    repository.fork(limit(6), limit(7))
    lose(repository)
    for command in [["diff", "HEAD~1"], ["log", "-p", "-1"], ["show"]]:
        assert "-\t<integer>5</integer>\n+\t<integer>6</integer>\n" in repository.git(*command)
    said = repository.git("merge", "-q", "other", code=1)
    assert f"{name}: flagboard can't be run, so its lines are merged" in said
    assert repository.file.read_text() == VALUES.replace(
        "\t<integer>5</integer>\n",
        "<<<<<<< ours\n\t<integer>6</integer>\n=======\n\t<integer>7</integer>\n>>>>>>> theirs\n")
    assert repository.git("status", "--porcelain", "-z").startswith("UU ")
    repository.git("merge", "--abort")
    repository.git("reset", "-q", "--hard", "HEAD~1")
    repository.edit("<plist", "<!-- ours alone -->\n<plist", "ours alone")
    repository.git("merge", "-q", "other")
    assert "ours alone" in repository.file.read_text() and repository.values["limit"] == 7


# Keeping secrets out of commits.


def make_files(folder, stem="flags"):
    """All that lies beside a values file once it was served."""
    for pattern in IGNORED:
        name = pattern.replace("*", "tokens.json.1234").replace("flags", stem, 1)
        (folder / name).write_text("secret")
    (folder / f"{stem}.searches.json").write_text("{}")


@pytest.mark.parametrize("stem", ["flags", "my #1 [flags]*?\\!", " é ", "line\nend"])
def test_what_lies_beside_the_values_is_not_staged_but_for_what_is_for_everybody(tmp_path, stem):
    repository = Repository(tmp_path / "shop", f"my config/{stem}.xml")
    repository.flagboard("git", "install", *([] if stem == "flags" else [f"my config/{stem}.xml"]))
    make_files(repository.file.parent, stem)
    repository.git("add", "-A")
    staged = repository.git("diff", "--cached", "--name-only", "-z").split("\0")[:-1]
    assert sorted(staged) == sorted([".gitattributes", ".gitignore", f"my config/{stem}.searches.json"])
    assert repository.flagboard("git", "install", *([] if stem == "flags" else [f"my config/{stem}.xml"])).startswith("Already set up")
    repository.flagboard("git", "uninstall")
    assert not (repository.folder / ".gitignore").exists()


def test_the_files_that_a_server_makes_are_those_that_are_not_staged(tmp_path):
    repository = Repository(tmp_path / "shop")
    repository.flagboard("git", "install")
    repository.flagboard("token", "add", "flags.xml", "--name", "ada", "--role", "viewer")
    repository.flagboard("webhook", "add", "flags.xml", "http://127.0.0.1:9/x", "--allow-private")
    repository.flagboard("set", "flags.xml", "limit", "6")
    repository.git("add", "-A")
    staged = repository.git("diff", "--cached", "--name-only").split()
    assert staged == [".gitattributes", ".gitignore", "flags.xml"]


def test_the_lines_of_others_stay_in_gitignore_and_a_second_file_adds_its_own(tmp_path):
    repository = Repository(tmp_path / "shop", "a/shop.xml")
    other = repository.folder / "b.xml"
    other.write_text(VALUES)
    ignore = repository.folder / ".gitignore"
    mine = b"*.log\r\n/a/shop.tokens.json\r\n"
    ignore.write_bytes(mine)
    repository.flagboard("git", "install", "a/shop.xml")
    repository.flagboard("git", "install", "b.xml")
    lines = ignore.read_text().splitlines()
    assert lines.count("/a/shop.tokens.json") == 1 and lines.count("/b.tokens.json") == 1
    repository.flagboard("git", "uninstall")
    assert ignore.read_bytes() == mine


@pytest.mark.parametrize("files", [[], ["my config/flags.xml"]])
def test_a_secret_that_is_committed_already_is_named_with_what_to_do(tmp_path, files):
    repository = Repository(tmp_path / "shop", "my config/flags.xml")
    make_files(repository.file.parent)
    repository.git("add", "-A")
    repository.commit("all of it")
    done = repository.run("flagboard", "git", "install", *files)
    assert done.returncode == 0
    commands = re.findall(r"is in the repository, .*: (git rm --cached -- .*)$", done.stderr, re.M)
    assert len(commands) == 3 and all(re.search(name, done.stderr) for name in ("history.key", "tokens.json", "webhooks.json"))
    for command in commands:
        assert repository.run("sh", "-c", command).returncode == 0
    assert "is in the repository" not in repository.run("flagboard", "git", "install", *files).stderr


def test_the_line_that_settles_a_conflict_can_be_copied(tmp_path):
    repository = Repository(tmp_path / "shop", "my config/it's.xml")
    repository.flagboard("git", "install", "my config/it's.xml")
    repository.git("add", "--all")
    repository.commit("set up")
    repository.fork(limit(6), limit(7))
    said = repository.git("merge", "-q", "other", code=1)
    command = re.search(r"then run (git add .*)$", said, re.M)[1]
    repository.file.write_text(VALUES.replace(*limit(8)))
    assert repository.run("sh", "-c", command).returncode == 0
    assert "UU" not in repository.git("status", "--porcelain")


@pytest.mark.parametrize("size", ["200000000", "9223372036854775807", "0", "-5"])
def test_a_marker_is_no_longer_than_a_line_can_be_shown(repository, size):
    with (repository.folder / ".gitattributes").open("a") as attributes:
        attributes.write(f"flags.xml conflict-marker-size={size}\n")
    repository.commit("size")
    repository.fork(limit(6), limit(7))
    repository.git("merge", "-q", "other", code=1)
    assert "<<<" in repository.file.read_text() or size in ("0", "-5")
    assert repository.file.stat().st_size < 10_000 and repository.values["limit"] == 6


def test_the_driver_takes_any_number(repository):
    for size in ["9223372036854775807", "-9223372036854775808", "0"]:
        for name, value in [("base", 5), ("ours", 6), ("theirs", 7)]:
            (repository.folder / name).write_text(VALUES.replace(*limit(value)))
        done = repository.run("flagboard", "git", "merge-driver", "--", "base", "ours", "theirs", size, "flags.xml")
        assert done.returncode == 1 and "conflict in limit" in done.stderr
        assert len((repository.folder / "ours").read_text()) < 10_000


def test_no_repository_a_bare_one_and_no_git_are_told_with_what_to_do(tmp_path):
    repository = Repository(tmp_path / "shop")
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    (nowhere / "flags.xml").write_text(VALUES)
    commands = [["install"], ["uninstall"], ["blame", "flags.xml"]]
    for command in commands:
        said = repository.complaint("git", *command, folder=nowhere)
        assert "is not in a Git work tree" in said and "git init" in said
    bare = tmp_path / "bare.git"
    repository.git("clone", "-q", "--bare", ".", str(bare))
    for command in commands:
        said = repository.complaint("git", *command, folder=bare)
        assert "is a bare repository" in said and "Use a clone" in said
    empty = tmp_path / "empty"
    empty.mkdir()
    for command in commands:
        done = subprocess.run(
            [BINARY, "git", *command], capture_output=True, text=True, cwd=repository.folder, env={"PATH": str(empty)})
        assert done.returncode == 1 and "Can't find git on the PATH. Install Git" in done.stderr
    said = repository.complaint("git", "install", "--directory", "missing")
    assert "missing/ doesn't exist. Specify a folder in a Git repository" in said
    assert "flagz.xml doesn't exist, so nothing was set up" in repository.complaint("git", "install", "flagz.xml")
    assert "is not in the work tree" in repository.complaint(
        "git", "install", "--directory", ".", str(nowhere / "flags.xml"))
    assert repository.is_clean


# Merging.


@pytest.mark.parametrize("act", [["merge", "-q", "other"], ["rebase", "-q", "other"], ["cherry-pick", "other"]], ids=lambda act: act[0])
@pytest.mark.parametrize("lines", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_changes_of_neighbouring_flags_come_together(tmp_path, act, lines):
    repository = Repository(tmp_path / "shop", values="\ufeff" + VALUES.replace("\n", lines))
    (repository.folder / ".gitattributes").write_text("*.xml -text\n")
    repository.flagboard("git", "install")
    repository.git("add", "--all")
    repository.commit("set up")
    repository.fork(*[tuple(text.replace("\n", lines) for text in change) for change in (NEW_FLOW, OLD_FLOW)])
    repository.git(*act)
    expected = "\ufeff" + VALUES.replace(*NEW_FLOW).replace(*OLD_FLOW).replace("\n", lines)
    assert repository.file.read_bytes() == expected.encode() and repository.is_clean


def test_without_the_driver_the_same_merge_is_a_conflict(tmp_path):
    repository = Repository(tmp_path / "shop")
    repository.fork(NEW_FLOW, OLD_FLOW)
    repository.git("merge", "-q", "other", code=1)


@pytest.mark.parametrize("act", [["merge", "-q", "other"], ["rebase", "-q", "other"], ["cherry-pick", "other"]], ids=lambda act: act[0])
def test_a_flag_that_both_changed_is_a_conflict_that_names_it_and_the_file_stays_readable(repository, act):
    repository.fork(limit(6), limit(7))
    said = repository.git(*act, code=1)
    ours, theirs = (7, 6) if act[0] == "rebase" else (6, 7)
    assert f"flags.xml: conflict in limit: base 5, ours {ours}, theirs {theirs}\n" in said
    assert "Set the correct value there, remove the comment, then run git add flags.xml" in said
    assert repository.git("status", "--porcelain") == "UU flags.xml\n"
    assert repository.values == plistlib.loads(VALUES.replace(*limit(ours)).encode())
    text = repository.file.read_text()
    comment = text[text.index("\n<!-- conflict"):text.index("-->") + 3]
    assert text.replace(comment, "") == VALUES.replace(*limit(ours))
    assert f"=======\n<integer>{theirs}</integer>\n>>>>>>> theirs" in comment
    check = repository.run("git", "diff", "--check")
    assert check.returncode == 2 and "leftover conflict marker" in check.stdout
    repository.file.write_text(VALUES.replace(*limit(8)))
    repository.git("add", "flags.xml")
    repository.git(*(["commit", "-q", "--no-edit"] if act[0] == "merge" else [act[0], "--continue"]))
    assert repository.is_clean and repository.values["limit"] == 8


def test_branches_that_were_merged_into_each_other_conflict_where_their_ancestors_did(repository):
    """Each side settles the conflict its own way, and has two nearest ancestors in common with the other."""
    repository.fork(limit(6), limit(7))
    for branch, value in [("mine", 6), ("yours", 7)]:
        repository.git("checkout", "-q", "-b", branch, "main" if branch == "mine" else "other")
        repository.git("merge", "-q", "other" if branch == "mine" else "main", code=1)
        repository.file.write_text(VALUES.replace(*limit(value)))
        repository.commit(f"settled as {value}")
    assert len(repository.git("merge-base", "--all", "mine", "yours").split()) == 2
    repository.git("checkout", "-q", "mine")
    repository.edit(*NEW_FLOW, "mine alone")
    said = repository.git("merge", "-q", "yours", code=1)
    assert "conflict in limit: base no value, ours 6, theirs 7" in said
    assert repository.values["limit"] == 6 and repository.values["checkout"]["newFlow"] is True
    assert repository.file.read_text().count("<!-- conflict") == 1


def test_the_manifest_beside_a_file_counts_wherever_git_is_run(tmp_path):
    repository = Repository(tmp_path / "shop", "deep/flags.xml")
    repository.flagboard("git", "install")
    repository.git("add", ".gitattributes", ".gitignore")
    repository.edit(
        "<string>checkout/newFlow</string><key>type</key><string>bool</string>",
        "<string>checkout</string><key>type</key><string>dictionary</string>", "a dictionary", repository.manifest)
    repository.fork(NEW_FLOW, OLD_FLOW)
    done = repository.run("git", "merge", "-q", "other", folder=repository.file.parent)
    assert done.returncode == 1 and "conflict in checkout: base" in done.stderr


def test_a_stash_and_a_second_work_tree_are_merged_as_well(repository):
    second = repository.folder.parent / "second"
    repository.git("worktree", "add", "-q", "-b", "other", str(second))
    repository.edit(*OLD_FLOW, "ours")
    file = second / "flags.xml"
    file.write_text(VALUES.replace(*NEW_FLOW))
    for command in [["stash", "-q"], ["merge", "-q", "main"], ["stash", "pop", "-q"]]:
        done = repository.run("git", *command, folder=second)
        assert done.returncode == 0, done.stderr
    assert file.read_text() == VALUES.replace(*NEW_FLOW).replace(*OLD_FLOW)
    assert "Nothing was changed" in repository.flagboard("git", "install", folder=second)


def test_the_same_change_on_both_sides_is_no_conflict(repository):
    repository.fork(limit(6), limit("0x6"))
    repository.git("merge", "-q", "other")
    assert repository.file.read_text() == VALUES.replace(*limit(6))


def test_a_flag_set_here_and_removed_there_is_a_conflict(repository):
    repository.fork(limit(6), ("\t<key>limit</key>\n\t<integer>5</integer>\n", ""))
    assert "conflict in limit: base 5, ours 6, theirs no value" in repository.git("merge", "-q", "other", code=1)
    assert repository.values["limit"] == 6


def test_comments_and_layout_of_both_sides_stay_where_lines_merge_to_the_same(repository):
    repository.fork(limit(6), ("<dict>\n\t<key>checkout</key>", "<dict>\n\t<!-- the way to pay -->\n\t<key>checkout</key>"))
    repository.git("merge", "-q", "other")
    assert "<!-- the way to pay -->" in repository.file.read_text() and repository.values["limit"] == 6


def test_a_comment_that_is_not_taken_over_is_named(repository):
    repository.fork(NEW_FLOW, (OLD_FLOW[0], OLD_FLOW[1] + " <!-- see #12 -->"))
    said = repository.git("merge", "-q", "other")
    assert "a comment in theirs was not merged: <!-- see #12 -->" in said
    assert repository.values["checkout"] == {"newFlow": True, "oldFlow": False}


def test_a_file_that_both_added_is_merged(repository):
    repository.git("checkout", "-q", "-b", "other")
    added = repository.folder / "sub/flags.xml"
    added.parent.mkdir()
    for branch, change in [("other", OLD_FLOW), ("main", limit(6))]:
        repository.git("checkout", "-q", branch)
        added.parent.mkdir(exist_ok=True)
        added.write_text("<plist><dict><key>a</key><true/>%s</dict></plist>" % (
            "<key>b</key><true/>" if branch == "main" else "<key>c</key><true/>"))
        repository.git("add", "sub")
        repository.commit("added")
    repository.git("merge", "-q", "other")
    assert plistlib.loads(added.read_bytes()) == {"a": True, "b": True, "c": True}


def test_a_manifest_is_merged_by_flag_and_field(repository):
    field = "<string>bool</string>"
    limit = "<key>key</key><string>limit</string>"
    repository.fork(
        (field, f"{field}<key>default</key><true/>"),
        (f"{field}</dict>", f"{field}<key>owner</key><string>Eve</string></dict>\n\t\t<dict><key>key</key>"
         "<string>new</string><key>type</key><string>date</string></dict>"), repository.manifest)
    repository.git("merge", "-q", "other")
    flags = plistlib.loads(repository.manifest.read_bytes())["flags"]
    assert flags[1] == {"key": "checkout/newFlow", "type": "bool", "default": True, "owner": "Eve"}
    assert [flag["key"] for flag in flags] == ["limit", "checkout/newFlow", "new"]
    repository.git("branch", "-D", "-q", "other")
    repository.fork(
        (limit, f"{limit}<key>owner</key><string>Ada</string>"), (limit, f"{limit}<key>owner</key><string>Eve</string>"),
        repository.manifest)
    said = repository.git("merge", "-q", "other", code=1)
    assert 'flags.manifest.xml: conflict in limit owner: base no value, ours "Ada", theirs "Eve"' in said
    assert plistlib.loads(repository.manifest.read_bytes())["flags"][0]["owner"] == "Ada"


def test_flags_that_are_valid_alone_and_not_together_stop_the_merge(repository):
    end = "\t</array>"

    def flag(key):
        return f"\t\t<dict><key>key</key><string>{key}</string><key>type</key><string>bool</string></dict>\n{end}"
    repository.fork((end, flag("pay")), (end, flag("pay/now")), repository.manifest)
    said = repository.git("merge", "-q", "other", code=1)
    assert "both sides are valid, but the merged file is not" in said and "is inside the flag pay" in said
    assert repository.git("status", "--porcelain") == "UU flags.manifest.xml\n"


def test_a_dictionary_is_one_value_where_the_manifest_says_so(repository):
    repository.edit(
        "<string>checkout/newFlow</string><key>type</key><string>bool</string>",
        "<string>checkout</string><key>type</key><string>dictionary</string>", "a dictionary", repository.manifest)
    repository.fork(NEW_FLOW, OLD_FLOW)
    said = repository.git("merge", "-q", "other", code=1)
    assert 'conflict in checkout: base { "newFlow": false, "oldFlow": true }' in said
    assert repository.values["checkout"] == {"newFlow": True, "oldFlow": True}


def test_a_side_that_is_no_property_list_is_merged_by_lines_and_that_is_said(repository):
    repository.fork(limit(6), ("<?xml version", "<<?xml version"))
    said = repository.git("merge", "-q", "other")
    assert "flag by flag, so Git's line merge is used: can't read theirs as a property list" in said
    assert repository.file.read_text() == VALUES.replace(*limit(6)).replace("<?xml version", "<<?xml version")
    repository.git("reset", "-q", "--hard", "HEAD~1")
    repository.git("checkout", "-q", "other")
    repository.edit("<integer>5</integer>", "<integer>7<integer>", "broken too")
    repository.git("checkout", "-q", "main")
    said = repository.git("merge", "-q", "other", code=1)
    assert "Git's line merge" in said
    assert "<<<<<<< ours\n\t<integer>6</integer>\n=======\n" in repository.file.read_text()


def test_a_binary_property_list_is_left_as_ours_has_it(repository):
    for branch, limit in [("other", 6), ("main", 7)]:
        repository.git("checkout", "-q", *(["-b", branch] if branch == "other" else [branch]))
        repository.file.write_bytes(plistlib.dumps({"limit": limit}, fmt=plistlib.FMT_BINARY))
        repository.commit(branch)
    said = repository.git("merge", "-q", "other", code=1)
    assert "plutil -convert xml1" in said and "by lines either, so ours is kept" in said
    assert plistlib.loads(repository.file.read_bytes()) == {"limit": 7}
    shown = repository.git("show", "main", "--", "flags.xml")
    assert re.search(r"^\+\d+ bytes: 62 70 6C 69 73 74 30 30 … \(SHA-256 ", shown, re.M | re.I)


def test_a_side_that_can_not_be_written_is_told(repository):
    done = repository.run("flagboard", "git", "merge-driver", "flags.xml", "missing.xml", "flags.xml", "7", "flags.xml")
    assert done.returncode == 1 and "missing.xml: the file doesn't exist" in done.stderr


# Differences.


def test_differences_show_flags(repository):
    repository.edit(*NEW_FLOW, "open the new flow")
    repository.edit("<string>integer</string>", "<string>integer</string><key>owner</key><string>Ada</string>", "owned", repository.manifest)
    assert "\n-checkout/newFlow = false\n+checkout/newFlow = true\n" in repository.git("log", "-p", "-1", "--", "flags.xml")
    assert '\n+limit owner = "Ada"\n' in repository.git("diff", "HEAD~1")
    assert repository.flagboard("git", "textconv", "flags.xml") == (
        "checkout/newFlow = true\ncheckout/oldFlow = true\nlimit = 5\n")
    assert repository.flagboard("git", "textconv", "flags.manifest.xml") == (
        'version = 1\ncheckout/newFlow type = "bool"\nlimit owner = "Ada"\nlimit type = "integer"\n')


def test_each_kind_of_value_is_one_line_in_the_words_of_the_pages(repository):
    values = {
        "a": "two\nlines", "b": "\x1b[31m".replace("\x1b", "\u009b"), "c": b"\0\1", "d": b'{"a": 1}', "e": [1, {"x": True}],
        "f": {}, "g": 1.0, "h": 1, "i": "x" * 100_000}
    repository.file.write_bytes(plistlib.dumps(values))
    lines = repository.flagboard("git", "textconv", "flags.xml").splitlines()
    assert lines[:8] == [
        'a = "two↵lines"', 'b = "⟨U+009B⟩[31m"', "c = 2 bytes: 00 01", 'd = { "a": 1 } (stored as data)',
        'e = [ 1, { "x": true } ]', "f = {}", "g = 1 (stored as real)", "h = 1"]
    assert lines[8] == f'i = "{"x" * 100_000}"' and len(lines) == 9


def test_a_file_that_can_not_be_read_is_shown_as_it_is(repository):
    repository.edit("</plist>", "", "broken")
    assert "-</plist>" not in repository.git("log", "-p", "-1")
    assert repository.flagboard("git", "textconv", "flags.xml") == VALUES.replace("</plist>", "")
    assert repository.flagboard("git", "textconv", "/dev/null", code=1) == ""


# Who changed what.


def test_blame_lists_the_commits_that_changed_a_flag_newest_first(repository):
    repository.edit(*NEW_FLOW, "open the new flow")
    repository.edit(*limit(6), "more")
    repository.edit(NEW_FLOW[1] + "\n", "", "remove it")
    lines = repository.flagboard("git", "blame", "flags.xml", "checkout/newFlow").splitlines()
    assert [re.sub(r"^\w{7,}  \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ  ", "", line) for line in lines] == [
        "Ada  checkout/newFlow: true → no value  remove it", "Ada  checkout/newFlow: false → true  open the new flow",
        "Ada  checkout/newFlow: no value → false  the first version"]
    rows = json.loads(repository.flagboard("git", "blame", "flags.xml", "--json"))
    assert [(row["key"], row["before"], row["after"]) for row in rows] == [
        ("checkout/newFlow", True, None), ("limit", 5, 6), ("checkout/newFlow", False, True),
        ("checkout/newFlow", None, False), ("checkout/oldFlow", None, True), ("limit", None, 5)]
    assert rows[0] == rows[0] | {
        "author": "Ada", "email": "ada@example.org", "kind": "value", "field": None, "subject": "remove it",
        "commit": repository.git("rev-parse", "HEAD").strip()}
    assert len(repository.flagboard("git", "blame", "flags.xml", "checkout").splitlines()) == 4


def test_blame_tells_kinds_apart_that_look_alike(repository):
    repository.edit("<integer>5</integer>", "<real>5</real>", "a fraction, one day")
    line = repository.flagboard("git", "blame", "flags.xml", "limit").splitlines()[0]
    assert "limit: 5 (stored as integer) → 5 (stored as real)" in line


def test_blame_of_a_manifest_tells_fields(repository):
    repository.edit("<string>integer</string>", "<string>integer</string><key>owner</key><string>Ada</string>", "owned", repository.manifest)
    lines = repository.flagboard("git", "blame", "flags.manifest.xml", "limit").splitlines()
    assert lines[0].endswith('  limit owner: no value → "Ada"  owned') and len(lines) == 2


def test_blame_lists_a_merge_for_what_is_of_neither_side_alone(repository):
    repository.fork(limit(6), limit(7))
    repository.git("merge", "-q", "other", code=1)
    repository.file.write_text(VALUES.replace(*limit(8)).replace(*NEW_FLOW))
    repository.git("add", "flags.xml")
    repository.git("commit", "-q", "-m", "settled")
    subjects = [row["subject"] for row in json.loads(repository.flagboard("git", "blame", "flags.xml", "limit", "--json"))]
    assert subjects[0] == "settled" and sorted(subjects[1:3]) == ["ours", "theirs"]
    repository.git("branch", "-q", "-D", "other")
    repository.fork((NEW_FLOW[1], NEW_FLOW[0]), OLD_FLOW)
    repository.git("merge", "-q", "other", "-m", "together")
    assert "together" not in repository.flagboard("git", "blame", "flags.xml")


def test_blame_is_the_same_whatever_the_user_has_configured(repository):
    repository.edit(*NEW_FLOW, "open")
    before = repository.flagboard("git", "blame", "flags.xml")
    for name, value in [
            ("log.follow", "true"), ("log.showSignature", "true"), ("color.ui", "always"), ("log.abbrevCommit", "true"),
            ("format.pretty", "oneline"), ("log.decorate", "full"), ("core.quotePath", "false"), ("diff.renames", "copies")]:
        repository.git("config", name, value)
    assert repository.flagboard("git", "blame", "flags.xml") == before


def test_blame_goes_on_past_a_version_that_can_not_be_read_and_names_it(repository):
    repository.edit("</plist>", "", "broken")
    repository.file.write_text(VALUES.replace(*limit(6)))
    repository.commit("whole again")
    repository.edit("<integer>6</integer>", "<integer>7</integer>", "more")
    done = repository.run("flagboard", "git", "blame", "flags.xml", "limit")
    assert [line.split("  ")[-1] for line in done.stdout.splitlines()] == ["more", "the first version"]
    assert "can't read flags.xml in this commit, so its changes to or from this version are not listed: line" in done.stderr


def test_blame_of_a_flag_that_no_commit_has_says_so_with_the_likely_one(repository):
    said = repository.complaint("git", "blame", "flags.xml", "checkout/newFlo", code=3)
    assert "checkout/newFlo is not in any commit of flags.xml. Did you mean checkout/newFlow?" in said
    (repository.folder / "new.xml").write_text(VALUES)
    assert "new.xml is not in any commit. Add and commit it" in repository.complaint("git", "blame", "new.xml")
    assert "is not a valid key path" in repository.complaint("git", "blame", "flags.xml", "a~2", code=64)


def test_blame_of_a_file_that_is_gone(repository):
    repository.git("rm", "-q", "flags.xml")
    repository.git("commit", "-q", "-m", "gone")
    assert repository.flagboard("git", "blame", "flags.xml", "limit").splitlines()[0].endswith("limit: 5 → no value  gone")


def test_many_versions_are_read(repository):
    for number in range(6, 60):
        repository.file.write_text(VALUES.replace(*limit(number)) + "\n" * (number * 200))
        repository.commit(f"limit {number}")
    assert len(repository.flagboard("git", "blame", "flags.xml", "limit").splitlines()) == 55


def test_each_command_of_the_page_runs_and_what_it_shows_is_so(tmp_path):
    text = (ROOT / "docs/git.md").read_text()
    repository = Repository(tmp_path / "shop")
    shop = repository.folder / "config/shop.xml"
    shop.parent.mkdir()
    shop.write_text(VALUES)
    commands = re.findall(r"^    ((?:git|flagboard) .+)$", text, re.M)
    said = {}
    for command in sorted(commands, key=lambda command: "uninstall" in command):
        if "log -p" in command:
            repository.edit(*NEW_FLOW, "open the new flow")
        done = repository.run(*command.split())
        assert done.returncode == 0, f"{command}: {done.stderr}"
        said[command] = done.stdout
    assert len(commands) == 8
    assert "-checkout/newFlow = false\n+checkout/newFlow = true\n" in said["git log -p -- flags.xml"]
    shown = re.search(r"^    \w{40}  \S+Z  (.+)$", text, re.M)[1]
    assert said["flagboard git blame flags.xml checkout/newFlow"].splitlines()[0].endswith(f"Z  {shown}")
    fields = set(json.loads(said["flagboard git blame flags.xml --json"])[0])
    assert all(f"`{field}`" in text for field in fields) and len(fields) == 10
    repository.flagboard("git", "install")
    repository.fork(limit(6), limit(7))
    done = repository.run("git", "merge", "-q", "other")
    assert re.search(r"^      (flagboard: .*)$", text, re.M)[1] in done.stderr
    comment = re.search(r"^<!-- conflict.*?^-->$", text, re.M | re.S)[0]
    assert comment in repository.file.read_text()
    repository.git("checkout", "--theirs", "flags.xml")
    assert repository.values["limit"] == 7
    assert "+\t<integer>7</integer>" in repository.git("diff", "--no-textconv", "HEAD", "--", "flags.xml")


def test_a_large_file_is_merged(repository):
    """What git prints of it is more than a pipe holds."""
    def content(**changed):
        return plistlib.dumps({f"flag{number}": number for number in range(5000)} | changed)
    repository.file.write_bytes(content())
    repository.commit("many")
    repository.git("checkout", "-q", "-b", "other")
    repository.file.write_bytes(content(flag7=-1))
    repository.commit("theirs")
    repository.git("checkout", "-q", "main")
    for change in [{"flag8": -2}, {"flag3000": -2}]:
        repository.file.write_bytes(content(**change))
        repository.commit("ours")
        repository.git("merge", "-q", "other")
        assert repository.file.read_bytes() == content(flag7=-1, **change)
        repository.git("reset", "-q", "--hard", "HEAD~1")
