"""What an edit of an array or a dictionary does to the entries that are not edited: nothing."""

import json
import subprocess

import pytest
from harness import BINARY, environment

FILE = """<plist version="1.0">
<dict>
\t<key>outages</key>
\t<array>
\t\t<date>2027-03-01T02:00:00Z</date> <!-- database -->
\t\t<date>
\t\t\t2027-03-08T02:00:00Z
\t\t</date>
\t\t<date>2027-03-15T02:00:00Z</date>
\t</array>
\t<key>partners</key>
\t<array>
\t\t<dict>
\t\t\t<key>name</key>
\t\t\t<string>Caf&#xE9; &apos;One&apos;</string>
\t\t\t<key>token</key>
\t\t\t<data>3q2+7w==</data>
\t\t</dict>
\t\t<dict>
\t\t\t<key>name</key>
\t\t\t<string>Two</string>
\t\t\t<key>token</key>
\t\t\t<data>
\t\t\tAAEC
\t\t\t</data>
\t\t</dict>
\t</array>
</dict>
</plist>
"""
SECOND = "\t\t<date>\n\t\t\t2027-03-08T02:00:00Z\n\t\t</date>\n"
FIRST_PARTNER = FILE[FILE.index("\t\t<dict>\n"):FILE.index("\t\t</dict>\n") + len("\t\t</dict>\n")]


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "flags.xml"
    file.write_text(FILE)
    return file


def run(command, file, *arguments):
    done = subprocess.run(
        [BINARY, *command.split(), file, *arguments], capture_output=True, text=True, timeout=60, env=environment())
    return done.returncode, done.stdout, done.stderr


def test_a_command_leaves_the_types_and_bytes_of_what_stays(file):
    dates = ["2027-03-01T02:00:00Z", "2027-03-15T02:00:00Z"]
    code, _, said = run("set", file, "outages", "--json-value", json.dumps(dates))
    assert (code, said) == (0, "")
    assert file.read_text() == FILE.replace(SECOND, "")
    code, _, said = run("set", file, "partners", "--json-value", '[{"name":"Two","token":"AAEC"}]')
    assert (code, said) == (0, "")
    assert file.read_text() == FILE.replace(SECOND, "").replace(FIRST_PARTNER, "")


def test_a_new_entry_is_of_the_type_of_its_siblings_and_what_becomes_another_type_is_told(file):
    dates = ["2027-03-01T02:00:00Z", "2027-03-08T02:00:00Z", "2027-03-15T02:00:00Z", "2027-03-22T02:00:00Z"]
    assert run("set", file, "outages", "--json-value", json.dumps(dates))[0] == 0
    last = "\t\t<date>2027-03-15T02:00:00Z</date>\n"
    assert file.read_text() == FILE.replace(last, last + "\t\t<date>2027-03-22T02:00:00Z</date>\n")
    code, _, said = run("set", file, "outages", "--json-value", json.dumps(dates[:2] + ["never"]))
    assert code == 0
    assert "Stored as another type: /2 (date → string)." in said


def test_programs_are_told_what_becomes_another_type_before_and_after(serve, file):
    server = serve(file)
    value = ["2027-03-01T02:00:00Z", "2027-03-08T02:00:00Z", "2027-03-15T02:00:00Z", "weekly"]
    change = {"key": "outages", "action": "set", "revision": "*", "value": value}
    sent = {"Content-Type": "application/json"}
    body = json.dumps({"changes": [change], "preview": True}).encode()
    preview = json.loads(server.request("POST", "/api/v1/batches", body, sent).text)
    told = [{"after": "string", "before": "date", "isNew": True, "path": "/3"}]
    assert preview["changes"][0]["retyped"] == told
    assert file.read_text() == FILE
    answer = server.request(
        "PUT", "/api/v1/flags/outages", json.dumps({"value": value}).encode(), sent | {"If-Match": "*"})
    assert json.loads(answer.text)["retyped"] == told
    assert "\t\t<string>weekly</string>\n" in file.read_text()


def test_the_editor_of_items_removes_one_and_keeps_the_others_as_they_are(open_page, serve, file):
    page, server = open_page(java_script_enabled=True), serve(file)
    page.goto(server.url("/flags/outages"))
    page.locator(".row-remove").nth(1).click()
    page.click("button:has-text('Save')")
    notice = page.locator("main").inner_text()
    assert "Set to" in notice and "another type" not in notice
    assert file.read_text() == FILE.replace(SECOND, "")
    page.goto(server.url("/flags/partners"))
    page.get_by_role("tab", name="JSON").click()
    page.fill("textarea[name=value]", '[{"name": "Two", "token": "not base64"}]')
    page.click("button:has-text('Save')")
    assert "Stored as another type: /0/token (data → string)." in page.locator("main").inner_text()


def test_text_of_several_lines_has_the_line_ends_of_the_file(tmp_path):
    file = tmp_path / "flags.xml"
    source = '<plist version="1.0">\r\n<dict>\r\n\t<key>s</key>\r\n\t<string>x</string>\r\n</dict>\r\n</plist>\r\n'
    file.write_bytes(source.encode())
    assert run("set", file, "s", "one\ntwo")[0] == 0
    assert file.read_bytes() == source.replace("x", "one\r\ntwo").encode()
    assert run("get", file, "s")[1] == "one\ntwo\n"


def test_a_table_begins_with_a_byte_order_mark_where_it_is_asked_for(serve, file):
    assert run("set", file, "outages", "[]", "--reason", "x;=1+1")[0] == 0
    table = subprocess.run(
        [BINARY, "history", "export", file, "--format", "csv", "--bom"], capture_output=True, timeout=60,
        env=environment()).stdout
    assert table.startswith(b"\xef\xbb\xbfid,at,") and b"x;'=1+1" in table
    assert run("history export", file, "--bom")[0] == 64
    server = serve(file)
    assert server.get("/export/history.csv?bom=true").text == table.decode()
    assert server.get("/export/history.csv").text == table.decode("utf-8-sig")
    assert 'href="/export/history.csv?bom=true"' in server.get("/export").text
