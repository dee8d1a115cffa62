"""What is around every page: the menu and the notices, open on a wide screen and folded to one line each on a phone."""

import re

import pytest
from exhibits import EXHIBITS, broken_manifest, broken_values
from harness import flag_path
from pages import SIZES
from playwright.sync_api import expect

PHONES = [{"width": 390, "height": 844}, SIZES["phone"]]


@pytest.fixture(scope="module")
def exhibit(tmp_path_factory):
    server = EXHIBITS["exhibit"](tmp_path_factory.mktemp("exhibit") / "demo")
    yield server
    server.stop()


def menu_link(page, name):
    return page.get_by_role("navigation", name="Dashboard").get_by_role("link", name=name, exact=True)


@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
@pytest.mark.parametrize("size", [*PHONES, SIZES["wide"]], ids=lambda size: str(size["width"]))
def test_the_pages_of_every_day_are_in_the_header_and_the_others_in_the_menu_of_the_person(exhibit, open_page, size, scripts):
    page = open_page(viewport=size, java_script_enabled=scripts)
    page.goto(exhibit.url("/history"))
    for name in ("Flags", "History", "Compare"):
        expect(menu_link(page, name)).to_be_visible()
    expect(menu_link(page, "History")).to_have_attribute("aria-current", "page")
    button = page.locator("#menu > summary")
    expect(page.get_by_role("link", name="Settings")).to_be_hidden()
    before = button.bounding_box()
    button.click()
    assert button.bounding_box() == before, "the button moves when it is pressed"
    for name in ("Import", "Export", "Access", "Webhooks", "Settings", "Help"):
        expect(page.locator("#menu").get_by_role("link", name=name, exact=True)).to_be_visible()
    page.locator("#menu").get_by_role("link", name="Help").click()
    page.wait_for_url(exhibit.url("/help"))


def test_the_menu_closes_by_escape_and_by_a_click_elsewhere(exhibit, open_page):
    page = open_page(viewport=PHONES[0])
    page.goto(exhibit.url("/history"))
    button = page.locator("#menu > summary")
    link = page.locator("#menu").get_by_role("link", name="Help")
    button.click()
    link.focus()
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    expect(link).to_be_visible()
    page.get_by_role("heading", level=1).click()
    expect(link).to_be_hidden()


@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
def test_on_a_phone_the_notices_are_one_line_until_they_are_opened(exhibit, open_page, scripts):
    page = open_page(viewport=PHONES[0], java_script_enabled=scripts)
    with broken_values(exhibit):
        page.goto(exhibit.url("/history"))
        notice = page.locator("[data-notice]").first
        line = page.locator("#notices > summary")
        expect(notice).to_be_hidden()
        expect(line).to_contain_text("Can’t read flags.xml")
        assert line.bounding_box()["height"] < 40
        line.click()
        expect(notice).to_be_visible()
        page.set_viewport_size(SIZES["wide"])
        page.goto(exhibit.url("/history"))
        expect(line).to_be_hidden()
        expect(notice).to_be_visible()


def test_notices_stay_open_while_the_page_hears_of_changes(exhibit, open_page):
    page = open_page(viewport=PHONES[0])
    page.goto(exhibit.url("/"))
    page.locator("#live.live-on").wait_for(state="attached")
    with broken_values(exhibit):
        line = page.locator("#notices > summary")
        expect(line).to_contain_text("Can’t read flags.xml")
        line.click()
        expect(page.locator("[data-notice]")).to_have_count(1)
        with broken_manifest(exhibit):
            expect(page.locator("[data-notice]")).to_have_count(2)
            expect(page.locator("[data-notice]").first).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/history", "/compare", "/import", "/export", "/access", "/settings"])
def test_the_content_of_a_page_begins_near_the_top_of_a_phone(exhibit, open_page, path):
    page = open_page(viewport=PHONES[0])
    page.goto(exhibit.url(path))
    top = page.get_by_role("heading", level=1).bounding_box()["y"]
    notices = page.locator("#notices > summary")
    folded = notices.bounding_box()["height"] + 12 if notices.count() else 0
    assert top - folded <= 112


def test_what_a_list_is_copied_as_follows_the_search(exhibit, open_page):
    page = open_page(viewport=SIZES["wide"])
    page.goto(exhibit.url("/"))
    page.locator("#copies > summary").click()
    page.get_by_label("Search", exact=True).fill("delivery")
    page.wait_for_url("**/?q=delivery")
    link = page.locator('#copies [data-copy="link to this page"]')
    expect(link).to_have_text(exhibit.url("/?q=delivery"))
    expect(link.locator("xpath=following-sibling::button")).to_have_text("Copy")


def test_a_list_is_copied_as_the_text_that_the_link_beside_it_shows(exhibit, open_page):
    page = open_page(viewport=SIZES["wide"], permissions=["clipboard-read", "clipboard-write"])
    page.goto(exhibit.url("/?q=delivery"))
    expect(page.locator("#copies > summary")).to_have_text("Copy as link, text, CLI command or cURL")
    page.locator("#copies > summary").click()
    page.get_by_role("button", name="Copy the list as text").click()
    expect(page.get_by_role("status").get_by_text("Copied the list as text.")).to_be_attached()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines() == exhibit.get("/export/flags.txt?q=delivery").text.splitlines() != []
    assert all(re.fullmatch(r".+ \[.+\]", line) for line in copied.splitlines())
    assert copied.splitlines()[0] not in page.content()


def test_a_list_that_cannot_be_copied_as_text_says_where_it_can_be_copied(exhibit, open_page):
    page = open_page(viewport=SIZES["wide"], permissions=["clipboard-read", "clipboard-write"])
    page.goto(exhibit.url("/"))
    page.locator("#copies > summary").click()
    page.evaluate(
        "() => { navigator.clipboard.write = () => Promise.reject(new DOMException('blocked', 'NotAllowedError')); }")
    page.get_by_role("button", name="Copy the list as text").click()
    said = "Can’t copy the list as text. Use “View as text” and copy it there."
    expect(page.get_by_role("status").get_by_text(said)).to_be_attached()


def test_a_list_is_text_at_an_address_of_its_own_without_script(exhibit, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(exhibit.url("/?q=delivery"))
    page.locator("#copies > summary").click()
    page.get_by_role("link", name="View as text").click()
    page.wait_for_url(exhibit.url("/export/flags.txt?q=delivery"))
    assert page.inner_text("body").strip() == exhibit.get("/export/flags.txt?q=delivery").text.strip()


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_the_rule_above_the_footer_is_as_wide_as_the_content(shop, open_page, width):
    page = open_page(viewport={"width": width, "height": 800})
    for path in ("/", "/history"):
        page.goto(shop.url(path))
        rule, content = page.evaluate("""() => {
            const [footer, main] = [".footer", "main"].map((part) => document.querySelector(part));
            const padding = parseFloat(getComputedStyle(main).paddingLeft);
            const rule = getComputedStyle(footer, "::before");
            if (getComputedStyle(footer).borderTopWidth !== "0px" || rule.borderTopWidth !== "1px") return [0, 1];
            return [parseFloat(rule.width), main.getBoundingClientRect().width - 2 * padding];
        }""")
        assert abs(rule - content) < 1, path


@pytest.mark.parametrize("key", ["checkout/maximum_basket_items", "onboarding/skip_sign_in"])
def test_the_state_beside_a_flags_title_is_a_tint(shop, open_page, key):
    page = open_page(color_scheme="light")
    page.goto(shop.url(flag_path(key)))
    state = page.locator(".page-head .state")
    expect(state).to_contain_text("Overridden")
    red, green, blue = state.evaluate("each => getComputedStyle(each).backgroundColor.match(/\\d+/g).map(Number)")
    assert min(red, green, blue) > 200
