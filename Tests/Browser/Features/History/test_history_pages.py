"""The history: by day, narrowed, told apart, taken back, and as bars of time."""

import csv
import io
import re

import pytest
from exhibits import apply_batch
from harness import Server, flag_path
from playwright.sync_api import expect
from samples import demonstration

@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """One server with something of everything in its history."""
    server = Server(demonstration(tmp_path_factory.mktemp("told") / "demo"))
    server.change("checkout/new_checkout", "set", "false", "The new checkout loses baskets")
    server.change("checkout/new_checkout", "set", "true", "Mended")
    server.change("checkout/notice", "set", "No deliveries on Sunday, because the bridge is closed.")
    server.change("checkout/notice", "set", "No deliveries on Monday, because the old bridge is closed.")
    server.change("search/ranking", "set", '{"version": 3, "weights": {"distance": 1, "price": 2}}')
    server.change("search/ranking", "set", '{"version": 4, "weights": {"distance": 1}, "boost": true}')
    apply_batch(server, **{"checkout/maximum_basket_items": 7, "search/results_per_page": 30, "checkout/new_checkout": False})
    yield server
    server.stop()


def change_of(server, key, place=0):
    """The number of a flag's newest change, or of one before it."""
    numbers = re.findall(r'data-change="(\d+)"', server.get(f"/history?key={key}").text)
    return int(numbers[place])


def test_changes_stand_by_day_and_a_batch_in_one_block(told, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(told.url("/history"))
    day = page.locator("section.day").first
    assert day.get_by_role("heading").inner_text().startswith("Today")
    assert day.locator("h2 time").get_attribute("datetime")
    together = day.locator("li.together")
    assert "changed 3 flags together: Sale" in together.inner_text()
    assert together.locator("[data-change]").count() == 3
    together.get_by_role("link", name="Show all of it").click()
    expect(page.locator("li.together")).to_have_count(0)
    expect(page.locator("[data-change]")).to_have_count(3)
    page.get_by_role("link", name="Show every change").click()
    expect(page.locator("[data-change]").nth(3)).to_be_visible()


def test_the_group_and_the_chart_and_the_actors_narrow_the_list(told, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(told.url("/history"))
    page.get_by_label("Group").fill("search")
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**group=search**")
    keys = page.locator(".change-flag").all_inner_texts()
    assert keys and all(key.startswith("search/") for key in keys)
    assert page.locator(".day-chart").bounding_box()["height"] < 200, "the chart must leave room for the changes"
    bar = page.locator(".day-chart svg a").last
    assert re.fullmatch(r"\d{4}-\d\d-\d\d: \d+ changes", bar.get_attribute("aria-label"))
    bar.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"group=search&from=.*&to="))
    expect(page.locator(".change-flag")).to_have_text(keys)


def test_downloads_hold_what_is_listed(told, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(told.url("/history?group=checkout&kind=set"))
    listed = page.locator("[data-change]").count()
    links = {link.inner_text(): link.get_attribute("href") for link in page.locator(".exports a").all()}
    table = list(csv.DictReader(io.StringIO(told.get(links["CSV"]).text)))
    assert len(table) == listed
    assert all(row["key"].startswith("checkout/") and row["kind"] == "set" for row in table)
    assert len(told.get(links["JSON lines"]).text.splitlines()) == listed


def test_text_differs_word_by_word_and_json_entry_by_entry(told, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(told.url(f"/history/{change_of(told, 'checkout/notice')}"))
    words = page.locator(".difference pre")
    assert "Sunday" in words.locator("del").first.inner_text()
    added = [text.replace("added: ", "") for text in words.locator("ins").all_inner_texts()]
    assert "Monday" in added[0] and "old" in "".join(added[1:])
    page.goto(told.url(f"/history/{change_of(told, 'search/ranking')}"))
    rows = page.locator(".entry").all_inner_texts()
    shown = sorted(re.sub(r"\s+", " ", row) for row in rows)
    assert shown == ["Added boost true", "Changed version 3 4", "Removed weights › price 2"]


def test_a_change_is_reverted_from_its_page(demo, page):
    demo.change("checkout/maximum_basket_items", "set", "9", "Too many baskets")
    before = change_of(demo, "checkout/maximum_basket_items")
    page.goto(demo.url(f"/history/{before}"))
    page.get_by_label("Reason for reverting").fill("It was right before")
    page.get_by_role("button", name="Revert this change").click()
    page.get_by_role("heading", name=f"Change {before + 1}").wait_for()
    expect(page.locator(".notice")).to_contain_text("Reverted. Local holds 150 again.")
    expect(page.locator(".notice").get_by_role("button", name="Undo")).to_be_visible()
    expect(page.locator("main")).to_contain_text(f"Revert of change {before}: It was right before")
    assert "Revert" in page.locator(".facts").first.inner_text()
    page.goto(demo.url(f"/history/{before}"))
    expect(page.get_by_role("button", name="Revert this change")).to_have_count(0)
    expect(page.locator("main")).to_contain_text(f"change {before + 1} by")
    page.get_by_role("link", name=f"Look at change {before + 1}").click()
    page.get_by_role("heading", name=f"Change {before + 1}").wait_for()


def test_a_batch_is_shown_and_reverted_as_one(demo, page):
    was = demo.editor("search/results_per_page")["value"]
    apply_batch(demo, **{"checkout/maximum_basket_items": 7, "search/results_per_page": 42})
    number = change_of(demo, "search/results_per_page")
    page.goto(demo.url(f"/history/{number}"))
    page.get_by_role("button", name="Revert all 2 together").click()
    expect(page.locator(".batch-row")).to_have_count(2)
    page.get_by_role("button", name="Apply all 2 changes").click()
    page.get_by_role("heading", name=re.compile(r"^Change \d+$")).wait_for()
    assert demo.editor("search/results_per_page")["value"] == was
    assert demo.get("/history").text.count("changed 2 flags together") == 2


def test_what_changed_nothing_offers_no_reversal(demo, open_page):
    demo.post(flag_path("checkout/payment/processor"), {"action": "set", "value": "x"})
    page = open_page(java_script_enabled=False)
    page.goto(demo.url("/history/1"))
    card = page.locator(".card-revert")
    assert "There is nothing to revert" in card.inner_text()
    assert card.get_by_role("button").count() == 0


def test_a_flag_shows_when_it_was_on_and_off(told, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(told.url(flag_path("checkout/new_checkout")))
    bars = page.locator(".timeline").get_by_role("img")
    assert bars.count() == 2
    name = bars.nth(1).get_attribute("aria-label")
    assert "on (true)" in name and "off (false)" in name
    assert page.locator(".timeline-legend li").count() >= 2
    page.locator(".timeline summary").click()
    expect(page.locator(".timeline-spans li")).to_have_count(4)
    expect(page.locator(".timeline-spans li").last).to_contain_text("before that, until 20")


def test_of_a_change_of_a_batch_that_was_overtaken_the_batch_alone_is_offered(demo, page):
    apply_batch(demo, **{"checkout/delivery_fee": 4.5, "checkout/minimum_order": 12})
    demo.change("checkout/delivery_fee", "set", "5")
    page.goto(demo.url("/history/1"))
    card = page.locator(".card-revert")
    expect(card).to_contain_text("Local holds 5 now: change 3")
    expect(card.get_by_role("button")).to_have_text(["Revert all 2 together…"])
