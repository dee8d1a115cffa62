"""The history: by day, narrowed, told apart, taken back, and as bars of time."""

import csv
import io
import re

import pytest
from browsers import tab_to
from exhibits import apply_batch
from harness import Server, flag_path
from past import season
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


@pytest.fixture(scope="module")
def seasoned(tmp_path_factory):
    """One server with changes of three months in its history, which no test changes."""
    server = season(tmp_path_factory.mktemp("seasoned") / "demo")
    yield server
    server.stop()


def unfold(page):
    """Shows the fields of the history's filter."""
    page.locator(".history-fields > summary").click()


@pytest.mark.parametrize("width", [390, 900, 1280, 1440])
def test_the_larger_chart_fills_its_place_beside_its_numbers(seasoned, open_page, width):
    page = open_page(viewport={"width": width, "height": 800})
    page.goto(seasoned.url("/history"))
    page.locator(".chart-more > summary").click()
    parts = {name: f".day-chart {name}" for name in ("figcaption", ".chart", ".chart-scroll")}
    boxes = {
        name: page.locator(each).evaluate("element => element.getBoundingClientRect().toJSON()")
        for name, each in parts.items()}
    figure = page.locator(".day-chart").evaluate("element => element.getBoundingClientRect().toJSON()")
    caption, drawing, numbers = boxes.values()
    assert caption["bottom"] <= drawing["top"] and drawing["left"] - figure["left"] < 24
    if width < 896:
        assert drawing["bottom"] <= numbers["top"]
    else:
        # The drawing and the numbers stand side by side, and leave nothing empty.
        assert numbers["left"] - drawing["right"] < 32 and figure["right"] - numbers["right"] < 24
        assert numbers["top"] < drawing["bottom"] and drawing["width"] > figure["width"] / 2


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
    said = re.sub(r"\s+", " ", together.inner_text())
    assert re.search(r"root changed Largest basket, [\w ]+ and New checkout . Reason: · Sale", said), said
    assert together.locator("[data-change]").count() == 3
    together.get_by_role("link", name="View batch").click()
    expect(page.locator("li.together")).to_have_count(0)
    expect(page.locator("[data-change]")).to_have_count(3)
    page.get_by_role("link", name="All changes").click()
    expect(page.locator("[data-change]").nth(3)).to_be_visible()


def test_the_fields_are_folded_and_what_they_narrow_the_list_to_stays_in_sight(seasoned, page):
    page.goto(seasoned.url("/history"))
    expect(page.get_by_label("Group")).to_be_hidden()
    unfold(page)
    page.get_by_label("Group").fill("search")
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**group=search**")
    keys = [link.get_attribute("title") for link in page.locator(".change-flag").all()]
    assert keys and all(key.startswith("search/") for key in keys)
    criterion = page.locator(".criteria").get_by_role("link")
    expect(criterion).to_have_count(1)
    expect(criterion).to_contain_text("Group search")
    expect(page.get_by_label("Group")).to_be_hidden()
    criterion.click()
    expect(page.locator(".criteria")).to_have_count(0)
    page.goto(seasoned.url("/history?from=soon"))
    expect(page.get_by_label(re.compile("^From"))).to_have_value("soon")


def test_the_first_changes_stand_high_on_the_page(seasoned, open_page):
    page = open_page(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page.goto(seasoned.url("/history"))
    rows = [row.bounding_box() for row in page.locator("[data-change]").all()]
    assert rows[0]["y"] < 400
    assert sum(row["y"] + row["height"] <= 900 for row in rows) >= 5
    assert page.locator(".day-chart svg.chart").bounding_box()["height"] < 40, "the chart is one line high until it is opened"


def test_a_bar_leads_to_the_changes_of_its_time(seasoned, page):
    page.goto(seasoned.url("/history?kind=set"))
    chart = page.locator(".day-chart")
    expect(chart.locator("figcaption")).to_contain_text("Changes per week")
    names = [link.get_attribute("aria-label") for link in chart.locator("svg.chart a").all()]
    assert sum(int(name.split(": ")[1].split()[0]) for name in names) == 14
    bar = chart.locator("svg.chart a").first
    name = bar.get_attribute("aria-label")
    assert re.fullmatch(r"the week of \d{4}-\d\d-\d\d: \d+ changes?", name)
    box = bar.locator(".chart-bar").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url(re.compile(r"kind=set&from=.*&to="))
    expect(page.locator("[data-change]")).to_have_count(int(name.split(": ")[1].split()[0]))
    assert {item.split()[0] for item in page.locator(".criteria a").all_inner_texts()} == {"Kind", "From", "To"}


def test_the_chart_shows_a_quiet_month_and_tells_edits_from_outside_apart(seasoned, page):
    page.goto(seasoned.url("/history"))
    chart = page.locator(".day-chart")
    places = [float(room.get_attribute("x").rstrip("%")) for room in chart.locator(".chart-room").all()]
    gaps = [after - before for before, after in zip(places, places[1:], strict=False)]
    assert max(gaps) > 3 * min(gaps), "a time without changes has no bar, and its room all the same"
    outside = chart.locator("a", has=page.locator(".chart-outside"))
    expect(outside).to_have_count(1)
    assert outside.get_attribute("aria-label").endswith("1 change, 1 external")
    expect(chart.locator("figcaption")).to_contain_text("External")
    table = chart.get_by_role("table")
    expect(table).to_be_hidden()
    chart.get_by_text("Expand chart").click()
    expect(table.locator("tbody tr")).to_have_count(len(places))
    expect(table).to_contain_text("1 change, 1 external")
    assert chart.locator("svg.chart").bounding_box()["height"] > 100
    link = table.get_by_role("link").first
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("from="))


def test_the_arrow_keys_lead_from_bar_to_bar(seasoned, open_page):
    page = open_page()
    page.goto(seasoned.url("/history"))
    bars = page.locator(".day-chart svg.chart a")
    tab_to(page, ".day-chart svg.chart a")
    expect(bars.last).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(bars.nth(-2)).to_be_focused()
    page.keyboard.press("Home")
    expect(bars.first).to_be_focused()
    name = bars.first.get_attribute("aria-label")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("from="))
    expect(page.locator("[data-change]")).to_have_count(int(name.split(": ")[1].split()[0]))


def test_times_are_those_of_the_browser_from_its_first_page_on_with_utc_to_point_at(seasoned, open_page):
    page = open_page(timezone_id="Asia/Tehran")
    page.goto(seasoned.url("/history"))
    time = page.locator("[data-change='2'] .when time")
    expect(time).to_have_text("15:30")
    assert re.fullmatch(r"\S+ 15:30:00 UTC\+3:30 \(\S+ 12:00:00 UTC\)", time.get_attribute("title"))
    page.goto(seasoned.url("/history"))
    expect(page.locator(".history-fields")).to_contain_text("From (Asia/Tehran)")
    bar = page.locator(".day-chart svg.chart a").first
    assert bar.get_attribute("href").endswith("zone=Asia%2FTehran")


def test_words_for_how_long_ago_stay_true_while_the_page_is_open(demo, open_page):
    page = open_page()
    page.clock.install()
    demo.change("checkout/minimum_order", "set", "3")
    page.goto(demo.url("/?sort=changed"))
    ago = page.locator("[data-flag='checkout/minimum_order'] time")
    expect(ago).to_have_text("just now")
    page.clock.fast_forward("05:00")
    expect(ago).to_have_text("5 minutes ago")
    page.clock.fast_forward("02:00:00")
    expect(ago).to_have_text("2 hours ago")


def test_changes_of_one_day_make_no_picture(told, open_page):
    page = open_page(java_script_enabled=False)
    for path, picture in (("/history", ".day-chart"), (flag_path("checkout/new_checkout"), ".timeline"),
                          ("/history/at", ".moment-strip")):
        page.goto(told.url(path))
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator(picture)).to_have_count(0)


def test_a_change_is_reverted_from_its_row_after_a_look_at_it(demo, page):
    demo.change("checkout/maximum_basket_items", "set", "9", "Too many baskets")
    demo.change("checkout/minimum_order", "set", "3")
    demo.change("checkout/minimum_order", "set", "4")
    page.goto(demo.url("/history"))
    expect(page.locator("[data-change='2']")).to_contain_text("Superseded")
    expect(page.locator("[data-change='2']").get_by_role("button")).to_have_text(["Set again"])
    page.locator("[data-change='1']").get_by_role("button", name="Revert… change 1").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Revert change 1")
    page.get_by_role("button", name="Apply change").click()
    expect(page.locator(".notice")).to_contain_text("Reverted. Back to 150.")


def test_a_renaming_is_told_by_the_key_path_and_a_definition_by_its_fields(demo, open_page):
    page = open_page(java_script_enabled=False)
    key = "checkout/maximum_basket_items"
    page.goto(demo.url(f"/definitions/{key}"))
    rename = page.locator("form", has=page.get_by_label("New key path"))
    rename.get_by_label("New key path").fill("checkout/most_items")
    rename.get_by_role("button").click()
    page.wait_for_url("**/checkout/most_items*")
    page.goto(demo.url("/history"))
    defined, removed = page.locator(".change-define"), page.locator(".change-remove")
    expect(defined).to_contain_text(re.compile(rf"key\s+from\s+\"{key}\"\s+→\s+to\s+\"checkout/most_items\""))
    expect(removed).to_contain_text(f"renamed {key} to checkout/most_items")
    assert "{" not in page.locator(".changes").first.inner_text(), "no definition is dumped as JSON"


def test_downloads_hold_what_is_listed(told, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(told.url("/history?group=checkout&kind=set"))
    listed = page.locator("[data-change]").count()
    links = {link.inner_text(): link.get_attribute("href") for link in page.locator(".exports a").all()}
    table = list(csv.DictReader(io.StringIO(told.get(links["CSV"]).text)))
    assert len(table) == listed
    assert all(row["key"].startswith("checkout/") and row["kind"] == "set" for row in table)
    assert len(told.get(links["JSONL"]).text.splitlines()) == listed


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
    assert shown == ["Added boost: true", "Changed version: 3 → 4", "Removed weights › price: 2"]


def test_the_notice_of_a_change_leads_to_it_in_the_list_and_on_the_flags_page(demo, page):
    page.goto(demo.url("/"))
    page.locator('.flag[data-flag="checkout/guest_checkout"] .switching .switch').click()
    page.locator(".notice").get_by_role("link", name="View change 1").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Change 1")
    page.goto(demo.url(flag_path("checkout/maximum_basket_items")))
    page.locator("[name=value]").fill("175")
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator(".notice").get_by_role("link", name="View change 2").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Change 2")


def test_a_change_is_reverted_from_its_page(demo, page):
    demo.change("checkout/maximum_basket_items", "set", "9", "Too many baskets")
    before = change_of(demo, "checkout/maximum_basket_items")
    page.goto(demo.url(f"/history/{before}"))
    page.get_by_label("Reason (optional)").fill("It was right before")
    page.get_by_role("button", name="Revert", exact=True).click()
    expect(page.locator(".notice")).to_contain_text("Reverted. Back to 150.")
    expect(page.locator(".notice").get_by_role("button", name="Undo")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Change {before}")
    expect(page.get_by_role("button", name="Revert", exact=True)).to_have_count(0)
    expect(page.locator("main")).to_contain_text(f"Superseded by change {before + 1}")
    page.get_by_role("link", name=f"View change {before + 1}").click()
    page.get_by_role("heading", name=f"Change {before + 1}").wait_for()
    expect(page.locator("main")).to_contain_text(f"Revert change {before}: It was right before")
    assert "Revert" in page.locator(".facts").first.inner_text()


def test_a_batch_is_shown_and_reverted_as_one(demo, page):
    was = demo.editor("search/results_per_page")["value"]
    apply_batch(demo, **{"checkout/maximum_basket_items": 7, "search/results_per_page": 42})
    number = change_of(demo, "search/results_per_page")
    page.goto(demo.url(f"/history/{number}"))
    page.get_by_role("button", name="Revert batch of 2").click()
    expect(page.locator(".batch-row")).to_have_count(2)
    page.get_by_role("button", name="Apply 2 changes").click()
    page.get_by_role("heading", name=re.compile(r"^Change \d+$")).wait_for()
    assert demo.editor("search/results_per_page")["value"] == was
    text = re.sub(r"<[^>]+>", "", demo.get("/history").text)
    assert len(re.findall(r"root (?:set|changed) (?:Largest basket and Results|Results [\w ]+ and Largest basket)", text)) == 2


def test_what_changed_nothing_offers_no_reversal(demo, open_page):
    demo.post(flag_path("checkout/payment/processor"), {"action": "set", "value": "x"})
    page = open_page(java_script_enabled=False)
    page.goto(demo.url("/history/1"))
    card = page.locator(".card-revert")
    assert "Nothing to revert" in card.inner_text()
    assert card.get_by_role("button").count() == 0


def test_a_flag_shows_when_it_was_on_and_off(seasoned, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(seasoned.url(flag_path("checkout/new_checkout")))
    bars = page.locator(".timeline").get_by_role("img")
    assert bars.count() == 2
    name = bars.nth(1).get_attribute("aria-label")
    assert "on (true)" in name and "off (false)" in name
    assert page.locator(".timeline-legend li").count() >= 2
    page.locator(".timeline summary").click()
    expect(page.locator(".timeline-spans li")).to_have_count(3)
    expect(page.locator(".timeline-spans li").last).to_contain_text("until 20")


def test_a_flag_shows_its_number_over_time_as_a_line(seasoned, open_page):
    page = open_page(java_script_enabled=False, viewport={"width": 320, "height": 640})
    page.goto(seasoned.url(flag_path("checkout/maximum_basket_items")))
    line = page.locator(".timeline").get_by_role("img")
    expect(line).to_have_count(1)
    assert line.get_attribute("aria-label").endswith(": 8 changes; from 40 to 150, now 110")
    assert line.locator("path").get_attribute("d").count("H") >= 8
    expect(page.locator(".timeline-scale")).to_have_text("150 40")
    ends = page.locator(".timeline-ends span").all_inner_texts()
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", end) for end in ends) and len(ends) == 2
    page.locator(".timeline summary").click()
    expect(page.locator(".timeline-spans li")).to_have_count(9)


def test_of_a_change_of_a_batch_that_was_overtaken_the_batch_alone_is_offered(demo, page):
    apply_batch(demo, **{"checkout/delivery_fee": 4.5, "checkout/minimum_order": 12})
    demo.change("checkout/delivery_fee", "set", "5")
    page.goto(demo.url("/history/1"))
    card = page.locator(".card-revert")
    expect(card).to_contain_text("Superseded by change 3 (root). Current value: 5.")
    expect(card.get_by_role("button")).to_have_text(["Set again…", "Revert batch of 2…"])
