"""A value that can't be understood is broken by itself: the rest of the file works, and its bytes stay."""

import json
import subprocess

import pytest
from harness import BINARY, environment

FILE = """<plist version="1.0">
<dict>
\t<key>banner</key>
\t<string>hello</string>
\t<key>lastAsked</key>
\t<date>0000-12-30T00:00:00Z</date>
\t<key>launch</key>
\t<date>2026-02-30T09:00:00Z</date>
\t<key>limits</key>
\t<array>
\t\t<integer>5</integer>
\t\t<integer>99999999999999999999</integer>
\t</array>
\t<key>retries</key>
\t<integer>three</integer>
</dict>
</plist>
"""


def run(command, file, *arguments):
    done = subprocess.run(
        [BINARY, *command.split(), file, *arguments], capture_output=True, text=True, timeout=60, env=environment())
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "flags.xml"
    file.write_text(FILE)
    return file


def test_commands_read_the_rest_and_say_what_is_broken(file):
    code, printed, _ = run("list", file)
    assert code == 0
    for name in ("banner", "lastAsked", "launch", "limits", "retries"):
        assert name in printed
    assert "0000-12-30T00:00:00Z" in printed
    code, printed, _ = run("get", file, "banner")
    assert (code, printed) == (0, "hello\n")
    launch = json.loads(run("get", file, "launch", "--json")[1])
    local = launch["providers"][0]
    assert local["answer"] == "broken"
    assert '"2026-02-30T09:00:00Z" is not a date' in local["problem"]
    limits = json.loads(run("get", file, "limits", "--json")[1])["providers"][0]
    assert "at /1: the integer" in limits["problem"] and "out of range" in limits["problem"]
    code, printed, _ = run("lint", file)
    assert code == 1
    assert all(f"flags.xml:{line}:" in printed for line in (8, 12, 15))
    assert "3 errors" in printed
    assert file.read_text() == FILE


def test_a_change_beside_a_broken_value_leaves_its_bytes_and_it_can_be_set_and_reset_and_put_back(file):
    assert run("set", file, "banner", "bye")[0] == 0
    assert file.read_text() == FILE.replace("hello", "bye")
    assert run("set", file, "retries", "3")[0] == 0
    assert run("reset", file, "launch")[0] == 0
    left = FILE.replace("hello", "bye").replace("three", "3")
    left = left.replace("\t<key>launch</key>\n\t<date>2026-02-30T09:00:00Z</date>\n", "")
    assert file.read_text() == left
    code, printed, _ = run("history", file, "--json")
    rows = json.loads(printed)["changes"]
    assert [row["before"] for row in rows[:2]] == ["2026-02-30T09:00:00Z", "three"]
    assert run("history verify", file)[0] == 0


def test_another_program_that_breaks_one_value_takes_no_other_with_it(page, serve, file):
    file.write_text(FILE.replace("three", "3").replace("02-30", "02-28"))
    server = serve(file)
    file.write_text(file.read_text().replace("<integer>3<", "<integer>3 times<"))
    page.goto(server.url("/flags/banner"))
    assert page.locator(".banner-error").count() == 0
    page.goto(server.url("/flags/retries"))
    assert '"3 times" is not a whole number' in page.locator("main").inner_text()
    page.fill("[name=value]", "4")
    page.click("button:has-text('Save')")
    assert "Set to 4" in page.locator("main").inner_text()
    assert "<integer>4</integer>" in file.read_text()
    page.goto(server.url("/history"))
    assert "3 times" in page.locator("main").inner_text()
