"""Groups that code declares: headings, search, filter and order, whether key paths name them or not."""

import json

import pytest
from samples import write

FLAGS = [
    {"key": "zebra", "type": "bool", "default": False},
    {"key": "apple", "type": "bool", "default": False},
    {"key": "infinite_scroll", "type": "bool", "default": False, "group": "lists/scrolling", "name": "Infinite scroll"},
    {"key": "bounce", "type": "bool", "default": False, "group": "lists/scrolling"},
    {"key": "delivery/fee", "type": "double", "default": 2.5, "group": "shop/delivery"},
    {"key": "admin/log", "type": "bool", "default": False},
]
GROUPS = [
    {"key": "lists", "name": "Lists", "description": "What lists do"},
    {"key": "lists/scrolling", "name": "How lists scroll"}, {"key": "shop", "name": "The shop"},
]
VALUES = {"delivery": {"stray": True}}


@pytest.fixture
def server(serve, tmp_path):
    return serve(write(tmp_path / "shop", VALUES, FLAGS, GROUPS))


def headings(page):
    return [" ".join(heading.inner_text().split()) for heading in page.locator("details.group > summary :is(h2, h3, h4)").all()]


def flags(page):
    return page.locator("li.flag").evaluate_all("rows => rows.map(row => row.dataset.flag)")


def test_headings_are_the_groups_and_stand_with_the_flags_in_the_order_of_declaration(page, server):
    page.goto(server.url("/"))
    assert flags(page) == [
        "zebra", "apple", "infinite_scroll", "bounce", "delivery/fee", "delivery/stray", "admin/log"]
    texts = headings(page)
    assert [text.split(" ")[0] for text in texts] == ["Lists", "How", "The", "Delivery", "Admin"]
    assert "2 flags" in texts[0] and "What lists do" in texts[0]
    # A path that no key path has is not shown as one.
    codes = page.locator("details.group > summary code").all_inner_texts()
    assert codes == ["admin"]
    page.goto(server.url("/?sort=key"))
    assert flags(page) == [
        "apple", "zebra", "admin/log", "bounce", "infinite_scroll", "delivery/fee", "delivery/stray"]
    assert len(headings(page)) == 5


@pytest.fixture
def sectioned(serve, tmp_path):
    groups = [*GROUPS, {"key": "admin", "icon": "lock", "isSection": True}]
    return serve(write(tmp_path / "sectioned", VALUES, FLAGS, groups))


def test_the_heading_of_a_section_cannot_be_collapsed(page, sectioned):
    page.goto(sectioned.url("/"))
    section = page.locator("section.group[data-group=admin]")
    assert section.locator("summary").count() == 0
    assert "Admin" in section.locator("h2").inner_text() and section.locator("h2 svg.icon use").count() == 1


def test_a_section_stays_where_all_groups_are_collapsed(open_page, sectioned):
    page = open_page()
    page.goto(sectioned.url("/"))
    page.locator(".list-look > summary").click()
    page.get_by_role("button", name="Collapse all", exact=True).click()
    assert page.locator("details.group[open]").count() == 0
    assert page.locator("section.group[data-group=admin] li.flag").is_visible()


def test_a_search_finds_flags_by_their_groups_and_says_where_each_is(page, server):
    page.goto(server.url("/?q=lists+scroll"))
    assert flags(page) == ["infinite_scroll", "bounce"]
    row = page.locator("li.flag").first
    assert row.locator(".groups").text_content() == "In Lists › How lists scroll"
    page.goto(server.url("/?q=zebra"))
    assert page.locator(".groups").count() == 0


def test_a_group_is_a_filter_on_the_page_in_the_api_and_on_the_way_to_a_flag(page, server):
    page.goto(server.url("/"))
    page.locator("details.group[data-group=\"lists/scrolling\"] .only").click()
    page.wait_for_url(server.url("/?group=lists%2Fscrolling"))
    assert flags(page) == ["infinite_scroll", "bounce"]
    page.goto(server.url("/?group=shop"))
    assert flags(page) == ["delivery/fee", "delivery/stray"]
    page.goto(server.url("/flags/bounce"))
    trail = page.locator("nav[aria-label=\"Breadcrumbs\"], .breadcrumbs").first
    assert "Lists" in trail.inner_text() and "How lists scroll" in trail.inner_text()
    trail.get_by_role("link", name="How lists scroll").click()
    page.wait_for_url("**/?group=*")
    assert flags(page) == ["infinite_scroll", "bounce"]
    answer = json.loads(server.get("/api/v1/flags?group=lists").body)
    assert [(flag["key"], flag["group"]) for flag in answer["flags"]] == [
        ("infinite_scroll", "lists/scrolling"), ("bounce", "lists/scrolling")]
    assert "group" not in json.loads(server.get("/api/v1/flags/admin/log").body)


def test_an_admin_moves_a_flag_to_another_group_and_back(page, serve, tmp_path):
    server = serve(write(tmp_path / "shop", VALUES, FLAGS, GROUPS))
    page.goto(server.url("/definitions/zebra"))
    page.get_by_label("Group", exact=True).fill("x~")
    page.get_by_role("button", name="Save changes").click()
    assert "isn’t a group path" in page.inner_text("main")
    page.get_by_label("Group", exact=True).fill("lists/scrolling")
    page.get_by_role("button", name="Save changes").click()
    page.goto(server.url("/?group=lists"))
    assert flags(page) == ["zebra", "infinite_scroll", "bounce"]
    page.goto(server.url("/definitions/zebra"))
    page.get_by_label("Group", exact=True).fill("")
    page.get_by_role("button", name="Save changes").click()
    page.goto(server.url("/"))
    assert flags(page)[0] == "zebra"
    assert json.loads(server.get("/api/v1/history?key=zebra").body)["changes"][0]["kind"] == "redefine"
