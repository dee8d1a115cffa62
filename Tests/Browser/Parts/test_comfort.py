"""Keys, help, the palette, the guard against leaving, the banner of the environment, and paper."""

import plistlib
import re
import subprocess

import pytest
from exhibits import two_providers
from harness import BINARY, environment, flag_path
from playwright.sync_api import expect
from samples import demonstration, write

KEY = "checkout/delivery_fee"


def focused_flag(page):
    return page.evaluate("document.activeElement.closest('[data-flag]')?.dataset.flag")


def test_keys_lead_to_the_search_and_from_row_to_row(shop, open_page):
    page = open_page()
    page.goto(shop.url("/"))
    page.keyboard.press("j")
    first = focused_flag(page)
    page.keyboard.press("j")
    second = focused_flag(page)
    assert first and second and first != second
    page.keyboard.press("k")
    assert focused_flag(page) == first
    page.keyboard.press("/")
    expect(page.locator("[name=q]")).to_be_focused()
    page.keyboard.type("j/k?")
    expect(page.locator("[name=q]")).to_have_value("j/k?")
    page.locator("[name=q]").blur()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url(shop.url(flag_path(first)))


@pytest.mark.parametrize("path", ["/?view=providers", "/compare?show=all", "/history/at?before=1&show=all"])
def test_keys_lead_from_row_to_row_of_every_list(serve, tmp_path, open_page, path):
    server = serve(two_providers(tmp_path / "pair"), "--provider", "Team=team.xml")
    server.change("ui/title", "set", "another")
    page = open_page()
    page.goto(server.url(path))
    page.keyboard.press("j")
    first = focused_flag(page)
    page.keyboard.press("j")
    assert first and focused_flag(page) not in (None, first)
    page.keyboard.press("k")
    assert focused_flag(page) == first
    boxes = page.locator("input[name=key]")
    for _ in range(page.locator("[data-flag]").count()):
        if page.locator("[data-flag]:focus-within input[name=key]").count() == 0:
            page.keyboard.press("j")
    page.keyboard.press("x")
    assert page.locator("input[name=key]:checked").count() == min(1, boxes.count())


def test_keys_tick_the_row_and_lead_to_what_to_do(shop, open_page):
    page = open_page()
    page.goto(shop.url("/"))
    page.keyboard.press("s")
    page.keyboard.press("x")
    assert focused_flag(page) is None and page.locator("input[name=key]:checked").count() == 0
    page.keyboard.press("j")
    page.keyboard.press("s")
    first = focused_flag(page)
    assert first, "there is nothing to do yet"
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("#selection [role=status]")).to_have_text(re.compile("^2 of "))
    second = page.locator(f'[data-flag="{focused_flag(page)}"]').get_by_role("checkbox")
    page.keyboard.press("x")
    expect(second).not_to_be_checked()
    expect(page.locator(f'[data-flag="{first}"]').get_by_role("checkbox")).to_be_checked()
    page.keyboard.press("s")
    action = page.get_by_label("Action", exact=True)
    expect(action).to_be_focused()
    page.keyboard.press("x")
    page.keyboard.press("s")
    expect(action).to_have_value("")
    page.locator("[name=q]").focus()
    page.keyboard.type("xs")
    expect(page.locator("[name=q]")).to_have_value("xs")
    expect(page.locator("#selection [role=status]")).to_contain_text(re.compile("^1 "))


def test_help_opens_by_its_key_and_closes_again(shop, open_page):
    page = open_page()
    page.goto(shop.url("/"))
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Help")
    expect(dialog).to_contain_text("Provider")
    expect(dialog).to_contain_text("Select row")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    link = page.locator(".flag .name").first
    link.focus()
    page.keyboard.press("?")
    dialog.get_by_role("button", name="Close").click()
    expect(link).to_be_focused()


def test_help_is_a_page_without_script(shop, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(shop.url("/"))
    page.locator("#menu > summary").click()
    page.locator("#menu").get_by_role("link", name="Help").click()
    page.wait_for_url(shop.url("/help"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Help")


def test_the_foot_of_a_page_names_the_sources_in_one_line_and_leads_to_what_they_are(shop, open_page):
    page = open_page(java_script_enabled=False)
    page.goto(shop.url("/"))
    foot = page.get_by_role("contentinfo")
    expect(foot.locator("p").first).to_have_text(re.compile(r"^\s*Values come from: Local\s+→, then\s+default · How values are resolved\s*$"))
    foot.get_by_role("link", name="How values are resolved").click()
    page.wait_for_url(shop.url("/help#sources"))
    expect(page.locator("#sources li")).to_contain_text(["Local", "default"])


def test_keys_of_a_single_character_can_be_turned_off_for_good(shop, open_page):
    page = open_page()
    page.goto(shop.url("/"))
    page.keyboard.press("?")
    page.get_by_label("Enable single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    page.keyboard.press("?")
    page.keyboard.press("j")
    assert page.locator("dialog[open]").count() == 0 and focused_flag(page) is None
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Flag or page")).to_be_focused()
    page.keyboard.press("Escape")
    page.goto(shop.url("/help"))
    page.get_by_label("Enable single-key shortcuts").check()
    page.get_by_label("Enable single-key shortcuts").blur()
    page.keyboard.press("/")
    # Where there is no field to search in, the palette is one.
    expect(page.get_by_role("combobox", name="Flag or page")).to_be_focused()


def test_the_palette_leads_to_a_flag_by_a_part_of_its_name(shop, open_page):
    page = open_page()
    page.goto(shop.url("/history"))
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Flag or page")
    field.fill("delivery")  # typed letter by letter, each answer would choose the first one anew
    options = page.get_by_role("option")
    expect(options.filter(has_text=KEY)).to_have_count(1)
    expect(page.locator("dialog [role=status]")).to_have_text(re.compile(r"\d+ found"))
    chosen = page.locator("[role=option][aria-selected=true]")
    before = chosen.get_attribute("id")
    page.keyboard.press("ArrowDown")
    assert chosen.get_attribute("id") != before
    assert field.get_attribute("aria-activedescendant") == chosen.get_attribute("id")
    while KEY not in chosen.inner_text():
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(shop.url(flag_path(KEY)))


def test_enter_right_after_the_last_letter_leads_to_what_was_typed(shop, open_page):
    page = open_page()
    page.goto(shop.url("/history"))
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option").filter(has_text="History")).to_have_count(1)
    page.keyboard.type("largest basket")
    page.keyboard.press("Enter")
    page.wait_for_url(shop.url("/flags/checkout/maximum_basket_items"))


def test_letters_after_enter_take_it_back(shop, open_page):
    page = open_page()
    page.goto(shop.url("/history"))
    page.route("**/api/v1/flags?q=largest", lambda route: None)  # stays without an answer
    page.keyboard.press("Control+k")
    page.keyboard.type("largest")
    with page.expect_request("**/api/v1/flags?q=largest"):
        page.keyboard.press("Enter")
    page.keyboard.type(" basket")
    expect(page.locator("dialog [role=option]")).to_have_text([re.compile("Largest basket")])
    assert page.url == shop.url("/history")


def test_the_palette_leads_to_a_page_and_finds_no_internal_flag(shop, open_page):
    page = open_page()
    page.goto(shop.url("/"))
    page.keyboard.press("Control+k")
    page.keyboard.type("fraud_threshold")
    expect(page.locator("dialog [role=status]")).to_have_text("No results")
    page.get_by_role("combobox", name="Flag or page").fill("hist")
    expect(page.get_by_role("option").filter(has_text="History")).to_have_count(1)
    page.get_by_role("option").filter(has_text="History").click()
    page.wait_for_url(shop.url("/history"))


@pytest.mark.parametrize(
    ("name", "address"),
    [("Time machine", "/history/at"), ("New flag", "/definitions/new"), ("All saved searches", "/searches"),
     ("API reference", "/help/api"), ("Access", "/access")])
def test_the_palette_leads_to_pages_that_have_no_place_in_the_menu(shop, open_page, name, address):
    page = open_page()
    page.goto(shop.url("/compare"))
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Flag or page").fill(name.lower())
    option = page.get_by_role("option").filter(has_text=name).filter(has_text="page")
    expect(option).to_have_count(1)
    option.click()
    page.wait_for_url(shop.url(address))


def find(page, words):
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Flag or page").fill(words)
    return page.get_by_role("option")


def test_the_palette_switches_a_boolean_and_says_so_on_the_page_that_one_is_on(demo, open_page):
    page = open_page()
    page.goto(demo.url("/?q=checkout"))
    find(page, "skip sign-in").filter(has_text="Turn off Skip sign-in").click()
    expect(page.locator(".notice")).to_contain_text("Turned off.")
    assert "q=checkout" in page.url
    assert plistlib.loads(demo.file.read_bytes())["onboarding"]["skip_sign_in"] is False


@pytest.mark.parametrize("words", ["turn off skip sign-in", "Skip sign-in off", "off skip", "turn skip", "turn skip off"])
def test_the_palette_finds_an_action_by_its_own_words_beside_those_of_the_flag(shop, open_page, words):
    page = open_page()
    page.goto(shop.url("/history"))
    find(page, words)
    expect(page.locator("dialog [role=option]").first).to_have_text(re.compile("^Turn off Skip sign-in"))


@pytest.mark.parametrize(("words", "said"), [("turn on", "Type the flag’s name, too"), ("turn on nothing like it", "No results")])
def test_the_palette_says_what_the_words_of_an_action_lack(shop, open_page, words, said):
    page = open_page()
    page.goto(shop.url("/history"))
    find(page, words)
    expect(page.locator("dialog [role=status]")).to_have_text(said)


def test_the_palette_turns_on_no_flag_that_is_on_and_leads_to_it_instead(shop, open_page):
    page = open_page()
    page.goto(shop.url("/history"))
    find(page, "turn on skip sign-in")
    options = page.locator("dialog [role=option]")
    expect(options.first).to_have_text(re.compile("^Skip sign-in"))
    expect(options.filter(has_text="Turn")).to_have_count(0)


def test_a_flag_whose_name_has_a_word_of_an_action_comes_before_its_switch(serve, tmp_path, open_page):
    flags = [{"key": "on_time", "type": "bool", "default": False, "name": "Log on in time"}]
    server = serve(write(tmp_path / "on", {}, flags))
    page = open_page()
    page.goto(server.url("/history"))
    find(page, "log on")
    expect(page.locator("dialog [role=option]")).to_have_text([re.compile("^Log on in time"), re.compile("^Turn on Log on in time")])


def test_the_palette_shows_values_and_switches_no_locked_flag_and_none_that_is_no_boolean(shop, open_page):
    page = open_page()
    page.goto(shop.url("/history"))
    options = find(page, "minimum")
    expect(options.filter(has_text="Minimum age").locator(".palette-value")).to_have_text("18")
    expect(options.filter(has_text="Turn")).to_have_count(0)


@pytest.mark.parametrize(("name", "value"), [
    ("Ask for notifications", '"at_sign_up"'), ("Onboarding steps", '[ "address", "notifications", "favourit…'),
    ("Free delivery until", "2026-12-24 18:00:00 UTC"), ("Public key", "32 bytes: 85 20 f0 09 89 30 a7 54 …"),
    ("Banner text", "“Winter is here: "), ("Guest checkout", "Off")])
def test_the_palette_shows_values_as_the_rows_of_the_list_do(shop, open_page, name, value):
    page = open_page()
    page.goto(shop.url("/"))
    row = page.locator(".flag", has=page.get_by_role("link", name=name, exact=True))
    inside = row.locator("[data-effective], .switching button").first.text_content()
    shown = find(page, name).filter(has_text=name).first.locator(".palette-value")
    expect(shown).to_contain_text(value)
    assert inside.startswith(value.split("…")[0].rstrip()), inside


def test_the_palette_ranks_pages_and_flags_alike(shop, open_page):
    page = open_page()
    page.goto(shop.url("/history"))
    options = find(page, "time")
    # A flag that has the word in its description only.
    expect(options.filter(has_text="Welcome tour").first).to_be_visible()
    found = options.all_text_contents()
    machine = next(place for place, text in enumerate(found) if text.startswith("Time machine"))
    assert machine < next(place for place, text in enumerate(found) if "Welcome tour" in text)


def test_where_the_palette_cannot_switch_it_leads_to_the_flag(demo, browser):
    # A browser complains of the answer that is lost.
    context = browser.new_context()
    page = context.new_page()
    page.goto(demo.url("/history"))
    page.route("**/?group=*", lambda route: route.abort())
    before = demo.file.read_bytes()
    find(page, "skip sign-in").filter(has_text="Turn off Skip sign-in").click()
    page.wait_for_url(demo.url(flag_path("onboarding/skip_sign_in")))
    assert demo.file.read_bytes() == before
    context.close()


def test_the_palette_offers_what_was_chosen_last_first(shop, open_page):
    page = open_page()
    page.goto(shop.url("/history"))
    find(page, "delivery").filter(has_text=KEY).filter(has_not_text="Turn").first.click()
    page.wait_for_url(shop.url(flag_path(KEY)))
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option").first).to_contain_text(KEY)


def test_control_s_saves_the_form(demo, open_page):
    page = open_page()
    page.goto(demo.url(flag_path(KEY)))
    page.locator("form:has([name=revision]) [name=value]").fill("4.5")
    page.keyboard.press("Control+s")
    expect(page.locator(".banner-success")).to_contain_text("4.5")


def leave(page, address):
    """Follows a link as a person does; tells whether the browser asked first."""
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.evaluate("address => { location.href = address; }", address)
    page.wait_for_url(address)
    return asked


@pytest.mark.parametrize("is_changed", [True, False])
def test_what_was_typed_is_not_left_behind_unasked(shop, browser, is_changed):
    context = browser.new_context()
    page = context.new_page()
    page.goto(shop.url(flag_path(KEY)))
    field = page.locator("form:has([name=revision]) [name=value]")
    field.click()
    page.keyboard.press("End")
    page.keyboard.type("7")
    if not is_changed:
        page.keyboard.press("Backspace")
    assert leave(page, shop.url("/history")) == (["beforeunload"] if is_changed else [])
    context.close()


def test_a_suggestion_that_was_chosen_is_not_left_behind_unasked(shop, browser):
    context = browser.new_context()
    page = context.new_page()
    page.goto(shop.url(flag_path(KEY)))
    expect(page.get_by_role("slider")).to_be_visible()  # the script is there
    page.get_by_role("link", name="2.95").click()
    expect(page.locator("#value")).to_have_value("2.95")
    assert leave(page, shop.url("/history")) == ["beforeunload"]
    context.close()


def test_saving_is_no_leaving(demo, open_page):
    page = open_page()
    page.goto(demo.url(flag_path(KEY)))
    page.locator("form:has([name=revision]) [name=value]").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("4.5")
    page.keyboard.press("Enter")
    expect(page.locator(".banner-success")).to_contain_text("4.5")


@pytest.mark.parametrize("typed, pressed", [("#value", "Lock flag"), ("#lock-reason", "Save")])
def test_to_send_one_form_is_to_leave_what_was_typed_in_another(demo, browser, typed, pressed):
    before = demo.file.read_bytes()
    context = browser.new_context()
    page = context.new_page()
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.goto(demo.url(flag_path(KEY)))
    page.get_by_role("heading", name="Lock", exact=True).click()
    page.locator(typed).click()
    page.keyboard.press("End")
    page.keyboard.type("7")
    held = page.locator(typed).input_value()
    with page.expect_event("dialog"):
        page.get_by_role("button", name=pressed, exact=True).click(no_wait_after=True)
    # Whoever stays is asked again.
    with page.expect_event("dialog"):
        page.evaluate("() => setTimeout(() => (location.href = '/history'))")
    expect(page.locator(typed)).to_have_value(held)
    assert asked == ["beforeunload", "beforeunload"]
    assert page.url == demo.url(flag_path(KEY)) and demo.file.read_bytes() == before
    form = page.locator(f"form:has({typed})")
    form.get_by_role("button").first.click()
    expect(page.locator(".banner-success, .card-notice").first).to_be_visible()
    assert len(asked) == 2
    context.close()


@pytest.mark.parametrize("pressed", ["Delivery fee", "History"])
def test_what_was_entered_about_selected_flags_is_kept_and_not_asked_about(shop, open_page, pressed):
    page = open_page()  # it fails the test for any dialog
    page.goto(shop.url("/?q=guest"))
    page.locator('.flag[data-flag="checkout/guest_checkout"]').get_by_role("checkbox").check()
    page.get_by_label("Search", exact=True).fill("delivery")
    page.wait_for_url("**/?q=delivery")
    page.locator(f'.flag[data-flag="{KEY}"]').get_by_role("checkbox").check()
    page.get_by_label("Action", exact=True).select_option(label="Add a tag")
    page.get_by_label("Tag", exact=True).press_sequentially("spring")
    page.get_by_role("link", name=pressed, exact=True).first.click()
    page.wait_for_url(re.compile("/flags/|/history"))
    page.go_back()
    page.wait_for_url("**/?q=delivery")
    expect(page.locator("[data-selection-count]")).to_have_text("2 selected, 1 not on this page")
    expect(page.get_by_label("Action", exact=True)).to_have_value("tag")
    expect(page.get_by_label("Tag", exact=True)).to_have_value("spring")


def test_where_a_browser_keeps_nothing_it_asks_even_after_a_change_in_the_list(demo, browser):
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };")
    page.goto(demo.url("/"))
    row = page.locator('.flag[data-flag="checkout/guest_checkout"]')
    row.get_by_role("checkbox").check()
    row.locator("button[value=on]").click()
    expect(row).to_have_attribute("data-state", "overridden-on")
    assert leave(page, demo.url("/history")) == ["beforeunload"]
    context.close()


def test_a_banner_tells_environments_apart_on_every_page(serve, tmp_path, open_page):
    server = serve(demonstration(tmp_path / "demo"), "--banner", "Production: EU :red", access="token")
    page = open_page()
    page.goto(server.url("/"))
    assert page.title().startswith("Production: EU: Sign in")
    expect(page.locator(".environment-red")).to_have_text("Environment: Production: EU")
    page.goto(server.link)
    for path in ("/", flag_path(KEY), "/history", "/access", "/no/such/page"):
        page.goto(server.url(path))
        assert page.title().startswith("Production: EU: "), path
        expect(page.locator(".environment-red")).to_be_visible()


def start(*options, **variables):
    done = subprocess.run(
        [BINARY, "serve", "flags.xml", *options], capture_output=True, text=True, timeout=30,
        env=environment() | variables,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_banner_that_cannot_be_is_refused_with_what_can(tmp_path):
    code, said = start("--banner", "Production:pink")
    assert code == 64 and "pink is not a colour" in said and "red, amber, green, blue, violet, gray" in said
    code, said = start("--banner", ":red")
    assert code == 64 and "one line of text" in said
    code, said = start("--banner", "x" * 81)
    assert code == 64 and "up to 80 characters" in said
    code, said = start(FLAGBOARD_BANNER="Production:pink")
    assert code == 64 and "FLAGBOARD_BANNER" in said and "pink" in said
    code, said = start("--help")
    assert code == 0 and "--banner" in said


def test_on_paper_there_is_nothing_to_press_and_nothing_is_cut_off(demo, open_page):
    long = "word " * 2000
    demo.change("checkout/notice", "set", long)
    page = open_page(color_scheme="dark")
    for path in ("/", flag_path("checkout/notice"), "/history", "/history/1"):
        page.goto(demo.url(path))
        page.emulate_media(media="print", color_scheme="dark")
        # A Boolean’s state is in its switch alone: on paper, as its word.
        for pressed in ("nav", "form:not(.switching)", "button:not(.switching .switch)", ".button", ".skip"):
            assert page.locator(f"{pressed}:visible").count() == 0, (path, pressed)
        assert (page.locator(".switching .switch:visible").count() > 0) == (path == "/")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        page.emulate_media(media="screen")
    page.goto(demo.url("/history/1"))
    page.emulate_media(media="print")
    heights = page.locator("pre.value").evaluate_all("all => all.map((pre) => [pre.scrollHeight, pre.clientHeight])")
    assert heights and all(whole <= shown + 1 for whole, shown in heights)


@pytest.mark.parametrize("width", [720, 520])
def test_on_paper_the_header_is_a_line_or_two_and_the_rows_stand_below_no_stub_of_a_panel(serve, tmp_path, open_page, width):
    server = serve(demonstration(tmp_path / "paper"), "--environment", "Production:red")
    page = open_page(viewport={"width": width, "height": 1000})
    page.goto(server.url("/"))
    page.emulate_media(media="print")
    assert page.locator(".masthead").bounding_box()["height"] < 60
    assert page.locator(".file").bounding_box()["width"] > 60
    for part in (".filters-list", ".panel-menu"):
        assert page.locator(f"{part}:visible").count() == 0, part


FAINT = """() => [...document.querySelectorAll("body *")].filter((element) => {
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
    const [red, green, blue] = getComputedStyle(element).color.match(/[\\d.]+/g).map(Number);
    return hasText && element.checkVisibility() && Math.max(red, green, blue) > 170 && Math.min(red, green, blue) > 80;
}).map((element) => element.outerHTML.slice(0, 100))"""
"""The elements with text that can't be read on paper where a printer leaves out backgrounds."""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_paper_text_is_dark_whatever_it_stands_on(shop, open_page, theme):
    page = open_page(color_scheme="dark")
    for path in ("/", flag_path("checkout/new_checkout"), flag_path("checkout/payment/retry_limit"), "/history"):
        page.goto(shop.url(path))
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        assert page.evaluate(FAINT) or theme == "light"
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate(FAINT) == [], path
        page.emulate_media(media="screen")
