"""Files of two names, and links that come in a file's place while it is served."""

import os
import shutil

import pytest
from harness import Server
from samples import write

FLAGS = [{"key": "limit", "type": "integer"}, {"key": "secret", "type": "bool", "isInternal": True}]


@pytest.fixture
def file(tmp_path):
    return write(tmp_path / "shop", {"limit": 5, "secret": True}, FLAGS)


def test_a_second_server_on_a_hard_link_refuses_and_names_the_first(serve, file, tmp_path):
    other = tmp_path / "other.xml"
    os.link(file, other)
    first = serve(file)
    with pytest.raises(AssertionError) as refusal:
        serve(other)
    assert str(file) in str(refusal.value) and first.address in str(refusal.value)
    assert "hard link" in str(refusal.value)
    first.change("limit", "set", "6")
    assert serve(other).get("/flags/limit").status == 200


def test_a_hard_link_is_told_on_every_page_until_a_change_parts_it(page, serve, file, tmp_path):
    server = serve(file)
    page.goto(server.url("/"))
    assert "hard link" not in page.inner_text("main")
    before = file.read_bytes()
    os.link(file, tmp_path / "app.xml")
    for path in ("/", "/flags/limit", "/history"):
        page.goto(server.url(path))
        notice = page.locator(".banner-warning[data-notice]").inner_text()
        assert "flags.xml is a hard link." in notice and "symbolic link" in notice
    server.change("limit", "set", "6")
    page.goto(server.url("/"))
    assert "hard link" not in page.inner_text("main")
    assert (tmp_path / "app.xml").read_bytes() == before != file.read_bytes()


def test_an_open_page_tells_of_a_hard_link_as_it_comes_and_goes(open_page, serve, file, tmp_path):
    server = serve(file)
    page = open_page()
    page.goto(server.url("/"))
    page.locator("#live").wait_for(state="attached")
    os.link(file, tmp_path / "app.xml")
    notice = page.locator("[data-notice]").get_by_text("flags.xml is a hard link.")
    notice.wait_for()
    (tmp_path / "app.xml").unlink()
    notice.wait_for(state="detached")


def test_a_symbolic_link_in_the_files_place_is_told_with_what_a_start_would_do(page, serve, file, tmp_path):
    server = serve(file)
    target = tmp_path / "elsewhere.xml"
    shutil.move(file, target)
    file.symlink_to(target)
    page.goto(server.url("/flags/limit"))
    text = page.locator(".banner-error[data-notice]").inner_text()
    assert "elsewhere.history.sqlite" in text and "Restart Flagboard" in text
    assert "--manifest" in text and "--history" in text
    # What a program that reads the path finds there is shown.
    assert "5" in page.inner_text("main")
    assert server.post("/flags/limit", {"action": "set", "value": "6"}).status == 503
    assert file.is_symlink() and b"<integer>5" in target.read_bytes()

    # Each of the two ways leads on.
    file.unlink()
    shutil.copy(target, file)
    page.reload()
    assert page.locator(".banner-error").count() == 0
    server.change("limit", "set", "6")
    page.goto("about:blank")
    server.stop()
    file.unlink()
    file.symlink_to(target)
    names = [file.with_name(f"flags.{name}") for name in ("manifest.xml", "history.sqlite")]
    again = serve(file, "--manifest", names[0], "--history", names[1])
    again.change("limit", "set", "7")
    assert file.is_symlink() and b"<integer>7" in target.read_bytes()
    assert again.get("/flags/secret").status == 404
