"""Environments side by side: what differs is marked, and values are copied across after a preview."""

import json
import plistlib

import pytest
from exhibits import two_providers
from playwright.sync_api import expect


@pytest.fixture
def environments(serve, tmp_path):
    """A server with a file of its own, and two of other environments, one of them read-only."""
    file = two_providers(tmp_path / "environments")
    (file.parent / "dev.xml").write_bytes(plistlib.dumps({"count": 8}))
    return serve(file, "--provider", "staging=team.xml:env", "--provider", "dev=dev.xml:env:ro")


def row(page, key):
    return page.locator(f'[data-flag="{key}"]')


def values(server, name="flags.xml"):
    return plistlib.loads((server.file.parent / name).read_bytes())


@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
def test_the_menu_leads_to_a_column_for_each_environment_with_what_differs_marked(environments, open_page, scripts):
    page = open_page(java_script_enabled=scripts)
    page.goto(environments.url("/"))
    page.get_by_role("navigation").get_by_role("link", name="Environments").click()
    page.wait_for_url("**/environments")
    heads = page.get_by_role("table").locator("thead th").all_inner_texts()
    assert heads == ["Flag", "Local writable", "staging writable", "dev read-only"]
    cells = row(page, "ui/dark").locator("td")
    expect(cells.nth(0)).not_to_contain_text("differs")
    expect(cells.nth(1)).to_contain_text("≠ differs")
    page.get_by_role("link", name="Same").click()
    expect(row(page, "ui/dark")).to_have_count(0)
    expect(page.locator(".differs")).to_have_count(0)
    page.get_by_label("Compare with").select_option("staging")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url(lambda address: "base=staging" in address and "show=same" in address)


def test_one_value_is_copied_to_the_environment_that_the_others_are_held_against(environments, page):
    page.goto(environments.url("/environments"))
    there = values(environments, "team.xml")["ui"]["title"]
    assert values(environments)["ui"]["title"] != there
    row(page, "ui/title").get_by_role("button", name="Copy to Local").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Copy from staging to Local")
    assert values(environments)["ui"]["title"] != there
    page.locator("form.batch-form button[type=submit]").click()
    expect(page.locator(".notice")).to_contain_text("1 change applied.")
    page.wait_for_url("**/environments*")
    assert values(environments)["ui"]["title"] == there
    assert "differs" not in row(page, "ui/title").locator("td").nth(1).inner_text()
    change = environments.get("/history").text
    assert "Copied from staging" in change


def test_many_values_are_copied_between_other_environments_without_script(environments, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(environments.url("/environments?show=all"))
    page.get_by_label("From", exact=True).select_option("Local")
    page.get_by_label("to", exact=True).select_option("staging")
    assert "dev" not in page.get_by_label("to", exact=True).inner_text()
    page.get_by_role("button", name="Copy all differences").click()
    page.locator("form.batch-form button[type=submit]").click()
    expect(page.locator(".notice")).to_contain_text("changes applied.")
    page.wait_for_url("**/environments*")
    assert values(environments, "team.xml")["ui"]["dark"] == values(environments)["ui"]["dark"]
    rows = page.goto(environments.url("/history")) and page.locator(".change").all_text_contents()
    assert rows and all("staging" in each for each in rows)


def test_a_value_of_another_environment_is_changed_on_its_own_form_and_leaves_the_value_here(environments, page):
    page.goto(environments.url("/environments?show=all"))
    row(page, "count").locator("td").nth(1).get_by_role("link").click()
    expect(page.get_by_role("heading", name="Edit staging")).to_be_visible()
    expect(page.locator("main")).to_contain_text("staging is another environment")
    page.locator("#value").fill("41")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".notice").first).to_contain_text("Set to 41")
    assert values(environments, "team.xml")["count"] == 41
    assert values(environments)["count"] == 3
    expect(page.locator(".value-why")).to_contain_text("Local")


def test_a_second_provider_is_no_environment_and_the_copy_leads_away_from_the_file(serve, tmp_path, page):
    file = two_providers(tmp_path / "environments")
    (file.parent / "staging.xml").write_bytes(plistlib.dumps({"count": 8}))
    server = serve(file, "--provider", "overrides=team.xml", "--provider", "staging=staging.xml:env")
    page.goto(server.url("/environments?show=all"))
    heads = page.locator("thead th").all_inner_texts()
    assert "staging" in " ".join(heads) and "overrides" not in " ".join(heads)
    assert page.get_by_label("From", exact=True).input_value() == "Local"
    assert page.get_by_label("to", exact=True).input_value() == "staging"


def test_on_a_phone_each_value_stands_below_the_other_with_its_environment(environments, open_page):
    page = open_page(viewport={"width": 320, "height": 640}, java_script_enabled=False)
    page.goto(environments.url("/environments"))
    said = row(page, "ui/dark").locator("td").evaluate_all(
        "all => all.map((cell) => getComputedStyle(cell, '::before').content)")
    assert said == ['"Local: "', '"staging: "', '"dev: "']
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize(
    "source, isWritable", [("team.xml:ro:env", False), ("team.xml:env:ro", False), ("team.xml:env", True)])
def test_what_follows_a_file_says_that_it_is_another_environment_and_whether_it_can_be_changed(
        serve, tmp_path, source, isWritable):
    server = serve(two_providers(tmp_path / "flags"), "--provider", f"staging={source}")
    provider = json.loads(server.get("/api/v1/providers").text)["providers"][1]
    assert (provider["isAsked"], provider["isWritable"]) == (False, isWritable)
    flag = json.loads(server.get("/api/v1/flags/count").text)
    assert flag["source"] == "Local" and flag["providers"][1]["isAsked"] is False
    assert "isAsked" not in flag["providers"][0]
