"""Each change as one line: who did what to which flag, why and when, and what can be done about it."""

import re

import pytest
from exhibits import apply_batch
from harness import Server, flag_path, forms_in
from past import move
from playwright.sync_api import expect
from samples import demonstration
from tokens import make_token

FEE, BASKET, GUEST = "checkout/delivery_fee", "checkout/maximum_basket_items", "checkout/guest_checkout"


@pytest.fixture(scope="module")
def months(tmp_path_factory):
    """A server with 27 changes on nine days, which no test changes."""
    server = Server(demonstration(tmp_path_factory.mktemp("months") / "demo"))
    for number in range(27):
        server.change(BASKET, "set", str(10 + number), "A reason of the usual length")
    server.stop()
    move(server.file, {number + 1: 24 - number // 3 * 3 for number in range(27)})
    server = Server(server.file)
    yield server
    server.stop()


def line(page, number):
    return page.locator(f"[data-change='{number}']")


def words(page, number):
    return re.sub(r"\s+", " ", line(page, number).locator(".deed").inner_text())


def test_27_changes_on_nine_days_fit_into_1000_pixels(months, open_page):
    page = open_page(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page.goto(months.url("/history"))
    boxes = [row.bounding_box() for row in page.locator("[data-change]").all()]
    assert len(boxes) == 27
    assert page.locator("section.day").count() == 9
    assert boxes[-1]["y"] + boxes[-1]["height"] - boxes[0]["y"] <= 1000


def test_a_line_names_actor_deed_flag_values_and_reason_and_the_time_in_full_on_hover(demo, open_page):
    demo.change(FEE, "set", "2.95", "Black Friday")
    demo.change(GUEST, "set", "true")
    demo.change(FEE, "reset")
    page = open_page(java_script_enabled=False)
    page.goto(demo.url("/history"))
    assert words(page, 1) == "root set Delivery fee from 1.95 → to 2.95 . Reason: · Black Friday"
    assert words(page, 2) == "root turned Guest checkout on"
    assert words(page, 3) == "root reset Delivery fee from 2.95 → to no value"
    link = line(page, 1).get_by_role("link", name="Delivery fee")
    expect(link).to_have_attribute("title", FEE)
    expect(line(page, 1).locator("time")).to_have_text(re.compile(r"^\d\d:\d\d$"))
    expect(line(page, 1).locator("time")).to_have_attribute("title", re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$"))
    assert line(page, 1).locator(".side-after").bounding_box()["width"] < 60, "a chip is as wide as its text"
    page.goto(demo.url(flag_path(FEE)))
    assert "Delivery fee" not in words(page, 1), "the flag's own page needs no name"


def test_a_batch_is_one_line_that_opens_to_its_changes(demo, open_page):
    apply_batch(demo, **{BASKET: 7, "search/results_per_page": 30})
    page = open_page(java_script_enabled=False)
    page.goto(demo.url("/history"))
    expect(line(page, 1)).to_be_hidden()
    page.locator(".together summary").click()
    expect(line(page, 1)).to_be_visible()
    expect(line(page, 1)).to_contain_text("Largest basket")
    page.goto(demo.url(f"/history?key={BASKET}"))
    expect(line(page, change_of(page))).to_be_visible()
    page.goto(demo.url("/history"))
    page.get_by_role("button", name="Revert… the batch").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Revert 2 changes")


def change_of(page):
    return page.locator("[data-change]").first.get_attribute("data-change")


def test_an_overtaken_value_is_set_again_after_a_preview(demo, open_page):
    demo.change(FEE, "set", "1.5", "Black Friday")
    demo.change(FEE, "set", "3")
    page = open_page(java_script_enabled=False)
    page.goto(demo.url("/history"))
    expect(line(page, 1)).to_contain_text("Superseded")
    expect(line(page, 2).get_by_role("button", name=re.compile("again"))).to_have_count(0)
    line(page, 1).get_by_role("button", name="Set Delivery fee to 1.5 again").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Set Delivery fee to 1.5 again")
    assert demo.editor(FEE)["value"] == "3", "the preview changes nothing"
    page.get_by_role("button", name="Apply change").click()
    expect(page.locator(".notice")).to_contain_text("1 change applied.")
    assert demo.editor(FEE)["value"] == "1.5"
    page.goto(demo.url("/history/2"))
    page.get_by_role("button", name="Set Delivery fee to 3 again").click()
    page.get_by_role("button", name="Apply change").click()
    assert demo.editor(FEE)["value"] == "3"


def test_a_reset_that_was_overtaken_is_offered_as_one(demo, open_page):
    demo.change(FEE, "reset")
    demo.change(FEE, "set", "3")
    page = open_page(java_script_enabled=False)
    page.goto(demo.url(flag_path(FEE)))
    line(page, 1).get_by_role("button", name="Reset Delivery fee again").click()
    page.get_by_role("button", name="Apply change").click()
    expect(page.locator("[data-change]").first).to_contain_text("reset")


def test_a_value_set_again_is_refused_if_it_changes_after_the_preview(demo, open_page):
    demo.change(FEE, "set", "1.5")
    demo.change(FEE, "set", "3")
    page = open_page(java_script_enabled=False)
    page.goto(demo.url("/history/1"))
    page.get_by_role("button", name="Set Delivery fee to 1.5 again").click()
    demo.change(FEE, "set", "4")
    page.get_by_role("button", name="Apply change").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was changed")
    assert demo.editor(FEE)["value"] == "4"


def test_nothing_is_set_again_where_the_flag_is_locked(demo, open_page):
    demo.change(FEE, "set", "1.5")
    demo.change(FEE, "set", "3")
    demo.post(flag_path(FEE), {"action": "lock"})
    page = open_page(java_script_enabled=False)
    for path in ("/history", "/history/1", flag_path(FEE)):
        page.goto(demo.url(path))
        expect(page.get_by_role("button", name=re.compile("^Set .* again"))).to_have_count(0)


def test_a_viewer_is_offered_nothing_to_change(guarded):
    editor, viewer = (
        {"Authorization": f"Bearer {make_token(guarded.file, role, role)}"} for role in ("editor", "viewer"))
    for value in ("1.5", "3"):
        form = next(form for form in forms_in(guarded.get(flag_path(FEE), editor).text) if "revision" in form)
        assert guarded.post(flag_path(FEE), form | {"action": "set", "value": value}, editor).status == 303
    assert "Set again" in guarded.get("/history", editor).text
    seen = guarded.get("/history", viewer).text
    assert "Superseded" in seen and "Set again" not in seen and "Revert…" not in seen
    assert guarded.post("/history/1/again", {}, viewer).status in (303, 403)


def test_the_last_days_are_a_link_away_and_the_current_one_is_marked(months, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(months.url("/history"))
    periods = page.get_by_role("navigation", name="Period")
    expect(periods.locator("[aria-current]")).to_have_count(0)
    for name, count in [("Today", 3), ("7 days", 9), ("30 days", 27)]:
        periods.get_by_role("link", name=name, exact=True).click()
        expect(periods.locator("[aria-current]")).to_have_text([name])
        expect(page.locator("[data-change]")).to_have_count(count)
        assert "from=" in page.url and "to=" not in page.url
    periods.get_by_role("link", name="30 days").click()
    expect(periods.locator("[aria-current]")).to_have_count(0)


def test_the_last_days_are_those_of_the_time_zone_of_the_page(months, open_page):
    page = open_page(timezone_id="Asia/Tehran")
    page.goto(months.url("/history"))
    page.goto(months.url("/history"))
    today = page.get_by_role("link", name="Today", exact=True)
    assert "zone=Asia%2FTehran" in today.get_attribute("href")
    today.click()
    expect(page.get_by_role("link", name="Today", exact=True)).to_have_attribute("aria-current", "true")


@pytest.mark.parametrize("path", ["/history", "/history/1", flag_path("checkout/notice")])
def test_long_values_and_reasons_fit_a_small_phone(demo, open_page, path):
    demo.change("checkout/notice", "set", "https://cornershop.example/" + "a-very-long-word" * 12, "because " * 60)
    demo.change("checkout/notice", "set", "short", "a-very-long-word" * 5)
    page = open_page(java_script_enabled=False, viewport={"width": 320, "height": 700})
    page.goto(demo.url(path))
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_lines_tell_their_times_by_the_clocks_of_the_browser_on_its_first_page_too(months, open_page):
    page = open_page(timezone_id="Pacific/Kiritimati")
    page.goto(months.url("/history"))
    first = line(page, 27).locator("time")
    expect(first).to_have_text(re.compile(r"^\d{4}-\d\d-\d\d 02:00$"))
    expect(first).to_have_attribute("title", re.compile(r"02:00:00 UTC\+14 \(.* 12:00:00 UTC\)$"))
    page.goto(months.url("/history"))
    expect(first).to_have_text("02:00")
