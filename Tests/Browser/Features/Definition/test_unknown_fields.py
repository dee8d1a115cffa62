"""A definition's fields that Flagboard does not know: told where they are likely slips, and kept in any case."""

import json
import plistlib

import pytest
from samples import write

FLAGS = [
    {"key": "shop/limit", "type": "integer", "islocked": True, "jira": "SHOP-12"},
    {"key": "shop/open", "type": "bool", "jira": "SHOP-13"},
    {"key": "token", "type": "string", "isInternal": True, "expire": "2030-01-01"},
]


@pytest.fixture
def file(tmp_path):
    groups = [{"key": "shop", "isLocked": True}]
    return write(tmp_path / "shop", {"shop": {"limit": 5, "open": True}, "token": "x"}, FLAGS, groups)


def notices(page):
    return page.locator("main .banner-warning[data-notice]").all_inner_texts()


def test_a_likely_slip_is_told_on_the_list_and_on_the_flags_page_and_what_is_meant(page, serve, file):
    server = serve(file)
    page.goto(server.url("/"))
    (text,) = notices(page)
    assert "2 fields" in text and "shop/limit, islocked: did you mean isLocked?" in text
    assert "the group shop, isLocked: only flags can have isLocked" in text
    assert "jira" not in page.inner_text("main")
    page.goto(server.url("/flags/shop/limit"))
    card = page.locator(".card-notice", has_text="has no effect").inner_text()
    assert "islocked: did you mean isLocked?" in card and "jira" not in card
    assert notices(page) == []

    manifest = file.with_name("flags.manifest.xml")
    manifest.write_bytes(manifest.read_bytes().replace(b"<key>islocked</key>", b"<key>isLocked</key>"))
    page.goto(server.url("/flags/shop/limit"))
    assert page.locator(".card-notice", has_text="has no effect").count() == 0
    assert page.get_by_role("heading", name="Locked", exact=True).count() == 1
    page.goto(server.url("/"))
    assert "1 field" in notices(page)[0] and "islocked" not in notices(page)[0]


def test_an_authors_own_field_is_told_as_kept_on_the_flags_page_alone(page, serve, file):
    server = serve(file)
    page.goto(server.url("/flags/shop/open"))
    assert page.locator(".facts div", has_text="Other fields").inner_text().split("\n")[1].startswith("jira (")
    assert page.locator(".card-notice", has_text="no effect").count() == 0
    assert server.post("/flags/shop/open", {"action": "lock", "reason": ""}).status == 303
    entry = plistlib.loads(file.with_name("flags.manifest.xml").read_bytes())["flags"][1]
    assert entry == FLAGS[1] | {"isLocked": True}


def test_the_api_tells_a_flags_unknown_fields(serve, file):
    server = serve(file)
    assert json.loads(server.get("/api/v1/flags/shop/limit").text)["unknownFields"] == [
        {"name": "islocked", "likely": "isLocked"}, {"name": "jira"}]
    flags = json.loads(server.get("/api/v1/flags").text)["flags"]
    assert [flag.get("unknownFields") for flag in flags if flag["key"] == "shop/open"] == [[{"name": "jira"}]]


def test_an_internal_flags_slip_is_told_in_the_log_and_with_show_internal_alone(serve, file):
    server = serve(file)
    shown = server.get("/").text + server.get("/flags/shop/limit").text + server.get("/api/v1/flags").text
    assert "expire:" not in shown and "token" not in shown
    log = server.errors()
    assert "token, expire is unknown and has no effect: did you mean expires?" in log
    assert "shop/limit, islocked" in log and "the group shop, isLocked" in log and "jira" not in log
    server.stop()
    assert "token, expire: did you mean expires?" in serve(file, "--show-internal").get("/").text
