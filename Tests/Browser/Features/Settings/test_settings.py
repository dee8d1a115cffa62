"""What a viewer chooses in the settings, as a browser keeps and shows it."""

import pytest
from exhibits import EXHIBITS


@pytest.fixture(scope="module")
def exhibit(tmp_path_factory):
    server = EXHIBITS["exhibit"](tmp_path_factory.mktemp("exhibit") / "demo")
    yield server
    server.stop()


def choose(page, server, label):
    page.goto(server.url("/settings"))
    page.get_by_label(label, exact=True).check()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Settings saved.").wait_for()


def ground(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
def test_a_theme_that_is_chosen_wins_over_the_systems_on_every_page(exhibit, open_page, scripts):
    page = open_page(color_scheme="light", java_script_enabled=scripts)
    page.goto(exhibit.url("/settings"))
    light = ground(page)
    choose(page, exhibit, "Dark")
    dark = ground(page)
    assert dark != light
    for path in ("/", "/history", "/help", "/nowhere"):
        page.goto(exhibit.url(path))
        assert ground(page) == dark, path
    page.emulate_media(color_scheme="dark")
    choose(page, exhibit, "Light")
    assert ground(page) == light
    choose(page, exhibit, "System")
    assert ground(page) == dark
    page.emulate_media(color_scheme="light")
    assert ground(page) == light


def test_paper_stays_light(exhibit, open_page):
    page = open_page(color_scheme="light")
    choose(page, exhibit, "Dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert ground(page) == "rgb(255, 255, 255)"


def test_the_notice_that_settings_are_saved_has_the_focus(exhibit, open_page):
    page = open_page()
    choose(page, exhibit, "Compact")
    assert "saved" in page.evaluate("document.activeElement.textContent")
    assert page.get_by_label("Compact", exact=True).is_checked()


def test_the_browsers_time_zone_counts_until_another_one_is_chosen(exhibit, open_page):
    page = open_page(timezone_id="Asia/Tokyo")
    page.goto(exhibit.url("/"))
    page.goto(exhibit.url("/settings"))
    hint = page.locator("#zone-hint")
    assert "Now in Asia/Tokyo:" in hint.inner_text()
    page.get_by_label("Time zone").fill("Europe/Berlin")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Settings saved").wait_for()
    assert "Now in Europe/Berlin:" in hint.inner_text()
    assert page.locator("html").get_attribute("data-zone") == "Europe/Berlin"


def test_a_time_zone_that_there_is_not_is_told_beside_its_field_which_has_the_focus(exhibit, open_page):
    page = open_page()
    page.goto(exhibit.url("/settings"))
    page.get_by_label("Time zone").fill("Berlin")
    page.get_by_label("Dark", exact=True).check()
    page.get_by_role("button", name="Save").click()
    page.locator("#zone-problem").wait_for()
    assert page.evaluate("document.activeElement.id") == "zone"
    assert page.get_by_label("Time zone").input_value() == "Berlin"
