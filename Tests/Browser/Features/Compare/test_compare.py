"""Providers side by side: the table of all of them, two compared, and values copied across."""

import plistlib
import re

import pytest
from exhibits import SIDE_VALUES as VALUES
from exhibits import TEAM, two_providers
from playwright.sync_api import expect

@pytest.fixture
def pair(serve, tmp_path):
    """A server with two providers that can be written, and one that can't."""
    file = two_providers(tmp_path / "pair")
    (file.parent / "fixed.xml").write_bytes(plistlib.dumps({"count": 8}))
    return serve(file, "--provider", "Team=team.xml", "--provider", "Fixed=fixed.xml:ro")


def team_values(server):
    return plistlib.loads((server.file.parent / "team.xml").read_bytes())


def row(page, key):
    return page.locator(f'[data-flag="{key}"]')


def test_the_table_has_a_column_for_each_provider_and_marks_the_winner(pair, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(pair.url("/"))
    page.get_by_role("link", name="By provider").click()
    page.wait_for_url(re.compile("view=providers"))
    table = page.get_by_role("table")
    expect(page.get_by_role("button", name="Preview")).to_have_count(0)
    heads = table.locator("thead th").all_inner_texts()
    assert heads == ["Flag", "Local writable", "Team writable", "Fixed read-only", "default"]
    cells = row(page, "ui/dark").locator("td")
    expect(cells.nth(0)).to_have_text(re.compile(r"On\s+in use"))
    expect(cells.nth(1)).to_have_text("Off")
    expect(cells.nth(2)).to_have_text("no value")
    expect(row(page, "rate").locator("td").nth(1)).to_have_text(re.compile("broken: "))
    expect(row(page, "rate").get_by_role("rowheader")).to_be_visible()
    page.get_by_label("Search").fill("title")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("[data-flag]")).to_have_count(1)
    assert "view=providers" in page.url
    page.get_by_role("link", name="List", exact=True).click()
    expect(page.get_by_role("table")).to_have_count(0)


def test_on_a_phone_each_value_stands_below_the_other_with_the_name_of_its_provider(pair, open_page):
    page = open_page(viewport={"width": 320, "height": 640})
    page.goto(pair.url("/?view=providers"))
    cells = page.locator("tr[data-flag='ui/dark'] td")
    said = cells.evaluate_all("all => all.map((cell) => getComputedStyle(cell, '::before').content)")
    assert said == ['"Local: "', '"Team: "', '"Fixed: "', '"default: "']
    tops = [cell.bounding_box()["y"] for cell in cells.all()]
    assert tops == sorted(set(tops))
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.locator(".matrix-scroll").evaluate("box => box.scrollWidth <= box.clientWidth")


def test_the_table_can_be_scrolled_by_the_keyboard_where_it_is_wider_than_the_page(pair, open_page):
    page = open_page(viewport={"width": 660, "height": 640})
    page.goto(pair.url("/?view=providers"))
    # A sheet of the page holds for a row too that is brought up to date.
    page.evaluate(
        """() => {
            const wide = new CSSStyleSheet();
            wide.replaceSync(".matrix td { min-width: 20rem; }");
            document.adoptedStyleSheets = [wide];
        }"""
    )
    region = page.get_by_role("region", name="Values by provider")
    assert region.evaluate("region => region.scrollWidth > region.clientWidth")
    region.focus()
    expect(region).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".matrix-scroll")).not_to_have_js_property("scrollLeft", 0)


def test_a_person_compares_two_providers_and_copies_chosen_flags_across(pair, page):
    page.goto(pair.url("/"))
    page.get_by_role("navigation", name="Dashboard").get_by_role("link", name="Compare").click()
    page.wait_for_url("**/compare")
    expect(page.get_by_label("Left")).to_have_value("Local")
    expect(page.get_by_label("Right")).to_have_value("Team")
    shown = page.get_by_role("navigation", name="Which flags to show").get_by_role("link").all_inner_texts()
    assert [" ".join(text.split()) for text in shown] == [
        "Different 6", "Different values 3", "Only in Local 2", "Only in Team 1", "Same 1", "Not set 1", "All 8",
    ]  # fmt: skip
    expect(page.locator(".extents a[aria-current]")).to_have_text(re.compile("^Different"))
    expect(page.locator(".page-head .count")).to_have_text("6 differ")
    expect(page.locator("[data-flag]")).to_have_count(6)
    expect(row(page, "ui/title").locator("mark")).to_have_text(["old", "new"])
    expect(row(page, "ui/fixed")).to_contain_text("Locked. An admin must unlock it first.")
    expect(row(page, "ui/fixed").get_by_role("checkbox")).to_have_count(0)
    row(page, "ui/title").get_by_role("checkbox").check()
    row(page, "rate").get_by_role("checkbox").check()
    page.get_by_role("button", name="Copy selected to Team").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Copy from Local to Team")
    assert team_values(pair) == TEAM
    page.locator(".batch-form .button-primary").click()
    page.wait_for_url(re.compile(r"/compare.*\bnoted="))
    expect(page.locator(".notice")).to_contain_text("2 changes applied.")
    expect(page.locator("[data-flag]")).to_have_count(4)
    values = team_values(pair)
    assert values["ui"] == TEAM["ui"] | {"title": VALUES["ui"]["title"]} and "rate" not in values


def test_all_shown_are_copied_the_other_way_and_cancelling_leads_back(pair, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(pair.url("/compare?left=Local&right=Team&show=changed"))
    page.get_by_role("button", name="Copy all (2) to Local").click()
    expect(page.locator("main")).to_contain_text("1 locked flag is skipped.")
    page.get_by_role("link", name="Cancel").click()
    expect(page.locator("[data-flag]")).to_have_count(3)
    assert "show=changed" in page.url
    page.get_by_role("button", name="Copy all (2) to Local").click()
    page.locator(".batch-form .button-primary").click()
    page.wait_for_url(re.compile(r"/compare.*\bnoted="))
    expect(page.get_by_role("status").first).to_contain_text("2 changes applied.")
    assert "left=Local" in page.url and "right=Team" in page.url and "show=changed" in page.url
    local = plistlib.loads(pair.file.read_bytes())
    assert local["ui"] == {"dark": False, "title": TEAM["ui"]["title"], "fixed": 1}


def test_what_copies_the_selected_flags_comes_with_the_first_selection_and_stays_in_sight(pair, open_page):
    page = open_page(viewport={"width": 1000, "height": 300})
    page.goto(pair.url("/compare?left=Local&right=Team"))
    bar = page.get_by_role("group", name="Copy values")
    selected, everything = bar.get_by_role("button", name="Copy selected to Team"), bar.get_by_role("button", name="Copy all (2) to Team")
    expect(selected).to_be_hidden()
    expect(page.get_by_role("button", name=re.compile("^Copy all .* to Team$"))).to_be_visible()
    row(page, "ui/title").get_by_role("checkbox").check()
    expect(bar).to_contain_text("1 selected")
    expect(selected).to_be_visible()
    expect(everything).to_be_hidden()
    page.mouse.wheel(0, 2000)
    # A press while the page still moves may miss its button.
    page.evaluate("""() => new Promise((resolve) => {
        const look = () => scrollY + innerHeight >= document.documentElement.scrollHeight - 1 ? resolve() : requestAnimationFrame(look)
        look()
    })""")
    expect(selected).to_be_in_viewport()
    bar.get_by_role("button", name="Select all").click()
    expect(bar).to_contain_text(f"{page.get_by_role('checkbox').count()} selected")
    bar.get_by_role("button", name="Clear").click()
    expect(selected).to_be_hidden()
    assert page.evaluate("document.activeElement.closest('[data-copy-bar]') !== null")


def test_a_refused_copy_has_the_focus_and_keeps_the_comparison(pair, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(pair.url("/compare?left=Team&right=Local&show=all&q=dark"))
    page.get_by_role("button", name="Copy selected to Local").click()
    expect(page.get_by_role("alert")).to_contain_text("Select the flags to copy first.")
    expect(page.get_by_role("alert")).to_be_focused()
    assert page.url.endswith("/compare?left=Team&right=Local&show=all&q=dark")
    page.goto(page.url)
    expect(page.get_by_label("Search")).to_have_value("dark")


def test_the_keyboard_reaches_what_copies_before_the_rows(pair, page):
    page.goto(pair.url("/compare?left=Local&right=Team"))
    button = page.get_by_role("button", name=re.compile("^Copy all .* to Team$"))
    copying, rows = button.bounding_box(), row(page, "ui/dark").bounding_box()
    assert copying["y"] + copying["height"] <= rows["y"]
    page.locator(".extents a").last.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.copy-bar') !== null")
    page.goto(pair.url("/compare?left=Local&right=Team&q=dark"))
    expect(page.get_by_role("button", name="Copy all (1) to Team")).to_be_visible()


def test_what_only_the_defaults_hold_is_no_difference(pair, page):
    page.goto(pair.url("/compare?left=default&right=Local"))
    expect(page.locator(".difference-only-right").first).to_be_visible()
    expect(page.locator(".difference-only-left")).to_have_count(0)


def test_on_paper_the_comparison_is_there_without_its_controls(pair, open_page):
    page = open_page(java_script_enabled=False, color_scheme="dark")
    page.goto(pair.url("/compare?left=Local&right=Team"))
    page.emulate_media(media="print")
    expect(row(page, "ui/title")).to_be_visible()
    expect(page.get_by_role("checkbox").first).to_be_hidden()
    expect(page.get_by_role("button", name="Copy selected to Team")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_on_paper_the_comparison_and_the_history_say_what_they_are_of(pair, open_page):
    pair.change("ui/title", "set", "another")
    page = open_page()
    page.emulate_media(media="print")
    page.goto(pair.url("/compare?left=Local&right=Team&q=ui&show=changed"))
    expect(page.locator("main")).to_contain_text("Left")
    expect(page.get_by_label("Search")).to_be_visible()
    expect(page.locator(".extents a:visible")).to_have_text(re.compile("^Different values"))
    expect(page.get_by_role("button", name="Compare")).to_be_hidden()
    page.goto(pair.url("/history?key=ui/title&kind=set"))
    expect(page.get_by_label("Flag", exact=True)).to_be_visible()
    expect(page.get_by_label("Kind")).to_be_visible()
    for label in ("Search", "Actor", "Origin", "From (UTC)"):
        expect(page.get_by_label(label)).to_be_hidden()


def test_ticks_stay_when_what_others_changed_is_shown(pair, open_page):
    page = open_page()
    page.goto(pair.url("/compare?left=Local&right=Team&show=all"))
    expect(page.locator("#live")).to_have_text("Live")
    row(page, "ui/dark").get_by_role("checkbox").check()
    pair.change("ui/title", "set", "another")
    page.locator(".live-more").get_by_role("button", name="Show").click()
    expect(row(page, "ui/title")).to_contain_text("another")
    expect(row(page, "ui/dark").get_by_role("checkbox")).to_be_checked()
    expect(page.locator("#main")).to_be_focused()


def test_what_can_not_be_copied_says_why(pair, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(pair.url("/compare?left=Fixed&right=default&show=all"))
    expect(page.locator("main")).to_contain_text("Fixed is read-only.")
    expect(page.get_by_role("checkbox")).to_have_count(0)
    page.goto(pair.url("/compare?left=Fixed&right=Team"))
    expect(page.get_by_role("button", name=re.compile("to Fixed"))).to_have_count(0)
    page.get_by_role("button", name="Copy selected to Team").click()
    expect(page.get_by_role("alert")).to_contain_text("Select the flags to copy first.")
    page.goto(pair.url("/compare?left=Local&right=nobody"))
    expect(page.get_by_role("alert")).to_contain_text("No provider is named “nobody”.")
