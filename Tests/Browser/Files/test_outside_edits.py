"""What other programs do to the files while the dashboard serves them, as people see it."""

import os
import plistlib
import re
import shutil
import sqlite3
import struct
import subprocess
import time

import pytest
from harness import BINARY, environment
from permissions import as_ordinary_user
from playwright.sync_api import expect
from samples import write


@pytest.fixture
def shop(serve, tmp_path):
    flags = [{"key": "open", "type": "bool"}, {"key": "limit", "type": "integer"}]
    return serve(write(tmp_path / "shop", {"open": True, "limit": 5}, flags))


def banner(page):
    return page.locator(".banner-error")


def test_a_broken_file_is_announced_with_line_and_column_until_it_is_mended(page, shop):
    sound = shop.file.read_text()
    page.goto(shop.url("/flags/limit"))
    assert banner(page).count() == 0
    shop.file.write_text(sound.replace("<integer>5</integer>", "<integer>five</number>"))
    page.reload()
    line = sound[: sound.index("<integer>")].count("\n") + 1
    assert re.search(rf"flags\.xml.*line {line}, column \d+", banner(page).inner_text(), re.S)
    assert page.locator("form[method=post] [name=value]").count() == 0
    assert "five" not in page.content()
    shop.file.write_text(sound.replace("<integer>5", "<integer>8"))
    page.reload()
    assert banner(page).count() == 0
    assert page.locator("[name=value]").input_value() == "8"
    page.goto(shop.url("/history"))
    assert "outside" in page.content()


def test_while_the_file_is_broken_a_list_shows_in_grey_what_it_held_before(page, shop):
    key = "limit"
    row = page.locator(f'.flag[data-flag="{key}"]')
    page.goto(shop.url("/?q=limit"))
    held = row.locator("[data-effective]").inner_text()
    sound = shop.file.read_bytes()
    shop.file.write_bytes(sound.replace(b"</plist>", b""))
    page.goto(shop.url("/?q=limit"))
    expect(row.locator("[data-effective]")).to_have_text(held)
    expect(row).to_have_attribute("data-last-read", "")
    expect(row.locator(".source").first).to_have_text("Local (old)")
    page.goto(shop.url(f"/flags/{key}"))
    expect(page.locator(".reading").first).to_contain_text(held)
    expect(page.locator(".reading").first).to_contain_text("last good value in use")
    shop.file.write_bytes(sound)
    page.goto(shop.url("/?q=limit"))
    expect(page.locator("[data-last-read]")).to_have_count(0)


def test_what_is_wrong_with_a_file_stays_in_view_over_the_values_that_are_old(demo, open_page):
    page = open_page(viewport={"width": 1280, "height": 600})
    demo.file.write_bytes(demo.file.read_bytes().replace(b"</plist>", b""))
    page.goto(demo.url("/"))
    notice = page.locator("[data-notice]")
    expect(notice).to_contain_text("Can’t read flags.xml")
    page.locator("[data-flag]").last.scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 300
    expect(notice).to_be_in_viewport()
    heads = page.locator(".flags-head").bounding_box()
    assert heads["y"] >= notice.bounding_box()["y"] + notice.bounding_box()["height"], "the heads of the columns stand below it"


def test_a_broken_manifest_is_announced_with_line_and_column_until_it_is_mended(page, shop):
    manifest = shop.file.with_name("flags.manifest.xml")
    sound = manifest.read_text()
    manifest.write_text(sound.replace("<string>bool</string>", "<string>boolean</string>"))
    page.goto(shop.url("/"))
    assert re.search(r"flags\.manifest\.xml.*line \d+, column \d+", banner(page).inner_text(), re.S)
    manifest.write_text(sound)
    page.reload()
    assert banner(page).count() == 0


def rows(file):
    history = sqlite3.connect(f"file:{file.with_suffix('.history.sqlite')}?mode=ro", uri=True)
    try:
        return history.execute("SELECT kind, key FROM history").fetchall()
    finally:
        history.close()


def test_an_edit_is_in_the_history_although_nobody_asks(shop):
    content = plistlib.loads(shop.file.read_bytes())
    shop.file.write_bytes(plistlib.dumps(content | {"limit": 9}))
    end = time.monotonic() + 20
    while not rows(shop.file):
        assert time.monotonic() < end, "the edit is not recorded"
    assert rows(shop.file) == [("external", "limit")]


def test_a_file_that_may_not_be_read_any_more_is_announced_until_it_may(serve, tmp_path):
    file = write(tmp_path / "shop", {"open": True})
    probe = write(tmp_path / "probe", {})
    probe.chmod(0)
    server = serve(file, prefix=as_ordinary_user(probe))
    file.chmod(0)
    text = server.get("/flags/open").text
    assert "Can’t read flags.xml:" in text and "ermission" in text
    assert 'name="value"' not in text
    file.chmod(0o644)
    assert "Can’t read" not in server.get("/flags/open").text


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_a_history_that_git_clean_removes_is_missed_on_every_page_and_begun_anew_after_a_restart(serve, shop):
    folder = shop.file.parent
    for command in (["init", "-q"], ["add", "flags.xml", "flags.manifest.xml"], ["clean", "-q", "-fdx"]):
        subprocess.run(["git", "-C", folder, *command], check=True, env={"PATH": "/usr/bin:/bin"})
    for path in ("/", "/flags/limit", "/history"):
        answer = shop.get(path)
        # The rows are shown as long as they can be read.
        assert answer.status == 200 or (path == "/history" and answer.status == 503)
        assert "flags.history.sqlite was removed, replaced or truncated" in answer.text, path
    form = {"action": "set", "value": "6", "revision": "absent", "provider": "Local"}
    assert shop.post("/flags/limit", form).status in (409, 503)
    assert plistlib.loads(shop.file.read_bytes())["limit"] == 5
    assert shop.stop() == 0
    server = serve(shop.file)
    server.change("limit", "set", "6")
    done = subprocess.run([BINARY, "history", "verify", shop.file], env=environment(), capture_output=True, timeout=60)
    assert done.returncode == 0, done


ACCESS_LIST = "system.posix_acl_access"
# user::rw- user:65534:rw- group::--- mask::rw- other::---
ENTRIES = [(1, 6, 0xFFFFFFFF), (2, 6, 65534), (4, 0, 0xFFFFFFFF), (16, 6, 0xFFFFFFFF), (32, 0, 0xFFFFFFFF)]


def access_list(entries):
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def test_a_change_leaves_who_may_read_the_file_and_what_is_noted_of_it_as_they_were(shop):
    path = shop.file
    path.chmod(0o600)
    os.setxattr(path, ACCESS_LIST, access_list(ENTRIES))
    os.setxattr(path, "user.note", b"kept by the team")
    before = {name: os.getxattr(path, name) for name in os.listxattr(path)}
    mode = path.stat().st_mode
    shop.change("limit", "set", "6")
    assert {name: os.getxattr(path, name) for name in os.listxattr(path)} == before
    assert path.stat().st_mode == mode


def test_a_list_that_a_folder_gives_to_new_files_does_not_come_with_a_change(serve, tmp_path):
    server = serve(write(tmp_path / "shop", {"limit": 5}, [{"key": "limit", "type": "integer"}]))
    server.file.chmod(0o660)
    os.setxattr(server.file.parent, "system.posix_acl_default", access_list(ENTRIES))
    server.change("limit", "set", "6")
    assert ACCESS_LIST not in os.listxattr(server.file)
    assert server.file.stat().st_mode & 0o777 == 0o660


def test_the_first_definition_makes_a_manifest_that_is_as_private_as_the_values(serve, tmp_path):
    file = write(tmp_path / "shop", {"limit": 5})
    file.chmod(0o600)
    server = serve(file)
    assert server.post("/definitions/new", {"action": "save", "key": "open", "type": "bool"}).status == 303
    assert server.file.with_name("flags.manifest.xml").stat().st_mode & 0o777 == 0o600
