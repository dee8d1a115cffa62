"""The rows of the list: how many there are on a screen, and what is changed where it stands, in how many steps."""

import re

import pytest
from browsers import tab_to
from harness import flag_path
from playwright.sync_api import expect
from samples import write

SWITCH, NUMBER = "checkout/guest_checkout", "checkout/maximum_basket_items"


def row(page, key=NUMBER):
    return page.locator(f'.flag[data-flag="{key}"]')


def shown_whole(page):
    """The flags whose whole row is on the screen."""
    return page.evaluate(
        """() => [...document.querySelectorAll(".flag")].filter((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return top >= 0 && bottom <= innerHeight;
        }).length""")


@pytest.mark.parametrize("scripted", [True, False], ids=["script on", "script off"])
def test_the_first_screen_of_a_desk_holds_eighteen_flags_and_that_of_a_phone_seven(demo, open_page, scripted):
    desk = open_page(java_script_enabled=scripted, viewport={"width": 1280, "height": 900})
    desk.goto(demo.url("/"))
    phone = open_page(java_script_enabled=scripted, viewport={"width": 390, "height": 844})
    phone.goto(demo.url("/"))
    counts = [shown_whole(page) for page in (desk, phone)]
    assert counts[0] >= 18 and counts[1] >= 7, counts


COLUMNS = ("Type", "Owner", "Tags", "Last change")


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_columns_that_are_chosen_stand_under_their_heads_beside_the_names(demo, open_page, count):
    page = open_page(viewport={"width": 1280, "height": 900})
    page.goto(demo.url("/"))
    page.locator(".list-look > summary").click()
    for place, label in enumerate(COLUMNS):
        page.get_by_label(label, exact=True).set_checked(place < count)
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".head-more")).to_have_count(count)
    page.wait_for_load_state()
    lefts = "all => all.map((one) => Math.round(one.getBoundingClientRect().left))"
    heads = page.locator(".head-more").evaluate_all(lefts)
    assert page.locator(f'.flag[data-flag="{SWITCH}"] .more-cells > span').evaluate_all(lefts) == heads
    widths = page.locator(".flag .name").evaluate_all("all => all.map((one) => one.getBoundingClientRect().width)")
    assert min(widths) >= 48 and max(widths) >= 120, widths
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_what_is_stuck_while_the_list_is_scrolled_covers_nothing_that_is_stuck_above_it(demo, open_page):
    page = open_page(viewport={"width": 1280, "height": 900})
    page.goto(demo.url("/"))
    for place in range(150, 1300, 30):
        page.evaluate(f"scrollTo(0, {place})")
        covered = page.evaluate(
            """() => [".filters-list", ".flags-head"].filter((name) => {
                const { left, right, top, bottom } = document.querySelector(name).getBoundingClientRect();
                const middle = (top + bottom) / 2;
                return [left + 60, (left + right) / 2, right - 60].some(
                    (across) => !document.elementFromPoint(across, middle)?.closest(name));
            })""")
        assert covered == [], place


def test_the_search_the_heads_and_the_group_stay_in_view_while_the_list_is_scrolled(demo, open_page):
    page = open_page(viewport={"width": 1280, "height": 900})
    page.goto(demo.url("/"))
    page.mouse.wheel(0, 900)
    expect(page.locator("body > header")).not_to_be_in_viewport()
    for part in (".filters-list", ".flags-head", ".facets"):
        expect(page.locator(part)).to_be_in_viewport()
    heads = page.locator(".group > summary")
    assert heads.evaluate_all("""heads => {
        const { bottom } = document.querySelector(".flags-head").getBoundingClientRect();
        return heads.some((head) => Math.abs(head.getBoundingClientRect().top - bottom) < 2);
    }""")


def test_a_row_that_is_gone_to_is_below_the_heads_of_all_groups_that_it_is_in(demo, open_page):
    page = open_page(viewport={"width": 1280, "height": 700})
    page.goto(demo.url("/?open=checkout/payment/retry_limit#row"))
    name = row(page, "checkout/payment/retry_limit").locator("a.name")
    expect(name).to_be_in_viewport()
    assert name.evaluate(
        """(name) => {
            const { left, top, height } = name.getBoundingClientRect();
            return name.contains(document.elementFromPoint(left + 5, top + height / 2)) && scrollY > 0;
        }""")


@pytest.mark.parametrize("touch", [True, False], ids=["by touch", "by mouse"])
@pytest.mark.parametrize("width", [320, 390, 768])
def test_on_a_small_screen_the_search_and_one_head_of_a_group_stay_in_view(demo, open_page, width, touch):
    page = open_page(viewport={"width": width, "height": 844}, has_touch=touch)
    page.goto(demo.url("/"))
    last = page.locator('[data-group="checkout/payment"] .flag').last
    last.evaluate("row => scrollBy({ top: row.getBoundingClientRect().top - 120, behavior: 'instant' })")
    bar = page.locator(".filters-list").bounding_box()
    assert bar["y"] == 0 and bar["height"] <= 56
    seen = page.evaluate(
        """() => {
            const bar = document.querySelector(".filters-list").getBoundingClientRect();
            const height = document.querySelector(".group > summary").offsetHeight;
            const at = (heads) => document.elementFromPoint(bar.left + 60, bar.bottom + heads * height);
            return [at(0.5).closest("summary")?.parentElement.dataset.group, at(1.5).closest("summary") === null];
        }""")
    assert seen == ["checkout/payment", True]


def test_what_a_flag_is_for_shows_beside_its_row_on_hover_and_focus(demo, open_page):
    page = open_page()
    page.goto(demo.url("/"))
    about = row(page).locator(".flag-name > p")
    expect(about).to_be_hidden()
    row(page).locator(".name").hover()
    expect(about).to_be_visible()
    page.mouse.move(0, 0)
    expect(about).to_be_hidden()
    page.keyboard.press("j")
    expect(page.locator(".flag").first.locator(".flag-name > p")).to_be_visible()


def test_a_boolean_is_found_and_switched_in_two_steps_and_put_back_in_one(demo, page):
    page.goto(demo.url("/?q=guest"))  # typed, where script is on; the search's own address, where it is off
    row(page, SWITCH).locator("button[value=on]").click()
    expect(row(page, SWITCH)).to_have_attribute("data-state", "overridden-on")
    row(page, SWITCH).get_by_role("button", name=re.compile("^Undo change 1")).click()
    expect(row(page, SWITCH)).to_have_attribute("data-state", "overridden-off")


def test_a_number_is_changed_with_a_reason_in_four_steps(demo, page):
    page.goto(demo.url("/"))
    row(page).locator("a.value").click()
    row(page).locator("#value").fill("175")
    row(page).locator("#reason").fill("More of them")
    row(page).locator("button[value=set]").click()
    expect(row(page).locator("[data-effective]")).to_have_text("175")
    expect(row(page).locator(".notice")).to_contain_text(re.compile("Turned|Set to"))
    expect(row(page).locator(".opened")).to_have_count(0)
    assert "reason" not in page.url and "More of them" in demo.get("/history").text


def test_by_keyboard_a_number_is_found_and_changed_with_a_reason_and_undone(demo, open_page):
    page = open_page()
    page.goto(demo.url("/"))
    page.keyboard.press("/")
    page.keyboard.type("maximum basket")
    page.keyboard.press("Enter")
    expect(row(page).locator(".name")).to_be_focused()
    page.keyboard.press("e")
    expect(row(page).locator("#value")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("175")
    tab_to(page, "#reason")
    page.keyboard.type("By keyboard")
    page.keyboard.press("Enter")
    expect(row(page).locator("[data-effective]")).to_have_text("175")
    expect(row(page).locator("a.value")).to_be_focused()
    page.keyboard.press("u")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(row(page).locator("[data-effective]")).to_have_text("150")
    assert demo.get("/history").text.count("By keyboard") > 0


def test_the_keys_move_tick_and_open_and_escape_closes(demo, open_page):
    page = open_page()
    page.goto(demo.url("/"))
    page.keyboard.press("j")
    page.keyboard.press("j")
    second = page.locator(".flag").nth(1)
    expect(second.locator(".name")).to_be_focused()
    page.keyboard.press("Space")
    expect(second.locator("input[name=key]")).to_be_checked()
    page.keyboard.press("e")
    expect(second.locator(".opened")).to_be_visible()
    page.keyboard.press("Escape")
    expect(second.locator(".opened")).to_have_count(0)
    expect(second.locator("input[name=key]")).to_be_checked()
    page.keyboard.press("k")
    expect(page.locator(".flag").first.locator(".name")).to_be_focused()


def test_down_leads_from_the_search_to_the_first_row_and_escape_keeps_the_text(demo, open_page):
    page = open_page()
    page.goto(demo.url("/"))
    page.keyboard.press("/")
    page.keyboard.type("basket")
    page.keyboard.press("Escape")
    expect(page.locator("#q")).to_have_value("basket")
    expect(page.locator("#q")).not_to_be_focused()
    page.keyboard.press("/")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".flag .name").first).to_be_focused()


def test_closing_asks_before_it_drops_what_was_typed(demo, open_page):
    page = open_page()
    page.goto(demo.url("/"))
    row(page).locator("a.value").click()
    row(page).locator("#value").fill("175")
    page.keyboard.press("Escape")
    expect(row(page).get_by_role("alert")).to_contain_text("Unsaved changes")
    expect(row(page).locator("#value")).to_have_value("175")
    page.keyboard.press("Escape")
    expect(row(page).locator(".opened")).to_have_count(0)
    row(page).locator("a.value").click()
    expect(row(page).locator("#value")).to_have_value("150")


def test_the_question_before_closing_moves_no_field_and_no_button_and_is_asked_once(demo, open_page):
    page = open_page(viewport={"width": 1280, "height": 900})
    page.goto(demo.url("/"))
    row(page).locator("a.value").click()
    # The slider is there when the field has the focus.
    expect(row(page).locator("#value")).to_be_focused()
    row(page).locator("#value").fill("175")
    parts = [row(page).locator(part) for part in ("#value", "#reason", "button[value=set]")]
    # The page may still be scrolling to the row: what counts is where the parts are in it.
    in_row = """part => {
        const [box, row] = [part, part.closest(".flag")].map((each) => each.getBoundingClientRect());
        return [box.x - row.x, box.y - row.y, box.width, box.height].map(Math.round);
    }"""
    before = [part.evaluate(in_row) for part in parts]
    page.keyboard.press("Escape")
    alert = row(page).get_by_role("alert")
    expect(alert).to_be_visible()
    assert [part.evaluate(in_row) for part in parts] == before
    row(page).locator("#value").fill("176")
    expect(alert).to_have_count(0)
    page.keyboard.press("Escape")
    expect(alert).to_have_count(1)
    expect(row(page).locator("#value")).to_have_value("176")


def test_what_is_typed_in_an_open_row_stays_when_its_switch_or_a_reason_is_sent(demo, open_page):
    page = open_page()
    page.goto(demo.url(f"/?open={SWITCH}"))
    opened, notice = row(page, SWITCH).locator(".opened"), row(page, SWITCH).locator(".notice")
    opened.locator("#reason").fill("Half of a reason")
    row(page, SWITCH).locator(".switching button[value=on]").click()
    expect(row(page, SWITCH)).to_have_attribute("data-state", "overridden-on")
    expect(opened.locator("#reason")).to_have_value("Half of a reason")
    notice.get_by_text("Add reason", exact=True).click()
    notice.locator("[name=reason]").fill("Sales asked")
    notice.get_by_role("button", name="Save the reason for change 1").click()
    expect(page.locator("#announcer")).to_contain_text("reason", ignore_case=True)
    expect(opened.locator("#reason")).to_have_value("Half of a reason")
    assert "Sales asked" in demo.get("/history/1").text
    opened.locator("#reason").fill("")
    row(page, SWITCH).locator(".switching button[value=off]").click()
    expect(row(page, SWITCH)).to_have_attribute("data-state", "overridden-off")
    expect(opened).to_be_visible()


def test_a_reason_that_is_half_typed_stays_when_the_flag_is_switched_again(demo, open_page):
    page = open_page()
    page.goto(demo.url("/"))
    row(page, SWITCH).locator("button[value=on]").click()
    notice = row(page, SWITCH).locator(".notice")
    notice.get_by_text("Add reason", exact=True).click()
    notice.locator("[name=reason]").fill("Sales asked")
    row(page, SWITCH).locator(".switching button[value=off]").click()
    expect(row(page, SWITCH)).to_have_attribute("data-state", "overridden-off")
    typed = row(page, SWITCH).locator(".notice:has([name=reason]:visible)")
    expect(typed).to_have_count(1)
    expect(typed.locator("[name=reason]")).to_have_value("Sales asked")
    expect(typed.locator(".undo")).to_have_count(0)
    expect(row(page, SWITCH).get_by_role("button", name=re.compile("^Undo change 2"))).to_have_count(1)
    typed.get_by_role("button", name="Save the reason for change 1").click()
    expect(typed).to_have_count(0)
    assert "Sales asked" in demo.get("/history/1").text


def test_the_address_of_an_open_row_opens_it_and_is_that_of_the_list_again_once_it_is_closed(demo, page):
    page.goto(demo.url("/?q=basket"))
    row(page).locator("a.value").click()
    expect(row(page).locator(".opened")).to_be_visible()
    assert "q=basket" in page.url and "open=checkout" in page.url
    page.locator("#copies > summary").click()
    expect(page.locator("[data-copy='link to this page']")).to_contain_text("open=checkout")
    page.reload()
    expect(row(page).locator(".opened")).to_contain_text("Why this value")
    row(page).get_by_role("link", name="Close").click()
    expect(row(page).locator(".opened")).to_have_count(0)
    assert "open=" not in page.url and "q=basket" in page.url


def test_the_address_of_an_open_row_goes_to_it_in_another_window(demo, page, open_page):
    page.goto(demo.url("/"))
    last = page.locator(".flag a.value").last
    key = last.locator("xpath=ancestor::li").get_attribute("data-flag")
    last.click()
    expect(page.locator(".opened")).to_be_visible()
    other = open_page()
    other.goto(page.url)
    expect(other.locator(f".flag[data-flag='{key}'] > .opened")).to_be_in_viewport()


@pytest.mark.parametrize(("scripted", "ending"), [(True, ""), (True, "#row"), (False, "#row")])
@pytest.mark.parametrize("width", [1280, 390])
def test_an_address_that_is_written_by_hand_goes_to_the_row_that_it_opens(demo, open_page, scripted, ending, width):
    page = open_page(java_script_enabled=scripted, viewport={"width": width, "height": 800})
    page.goto(demo.url(f"/?open=networking/timeout{ending}"))
    expect(row(page, "networking/timeout").locator(".name")).to_be_in_viewport()
    expect(row(page, "networking/timeout").locator(".opened #value")).to_be_in_viewport()


@pytest.mark.parametrize("ending", ["", "#row"])
def test_an_address_unfolds_the_group_of_the_row_that_it_opens(demo, open_page, ending):
    page = open_page()
    page.goto(demo.url("/"))
    page.locator(".list-look > summary").click()
    page.get_by_role("button", name="Collapse all").click()
    page.goto(demo.url(f"/?open=networking/timeout{ending}"))
    expect(page.locator("details[data-group][open]")).to_have_count(1)
    expect(row(page, "networking/timeout").locator(".opened")).to_be_in_viewport()


def test_a_row_that_is_in_view_is_opened_by_its_address_without_scrolling(demo, open_page):
    page = open_page(viewport={"width": 1280, "height": 1200})
    page.goto(demo.url("/"))
    key = page.locator(".flag").first.get_attribute("data-flag")
    page.goto(demo.url(f"/?open={key}"))
    expect(page.locator("#live")).to_have_text("Live")
    assert page.evaluate("scrollY") == 0


def test_what_is_refused_stays_in_the_open_row_with_the_reason(demo, page):
    page.goto(demo.url("/"))
    row(page).locator("a.value").click()
    row(page).locator("#value").fill("4000")
    row(page).locator("form[data-editor]").evaluate("form => form.noValidate = true")
    row(page).locator("#reason").fill("Far too many")
    row(page).locator("button[value=set]").click()
    expect(row(page).get_by_role("alert")).to_contain_text("Not saved.")
    expect(row(page).locator("#value")).to_have_value("4000")
    expect(row(page).locator("#reason")).to_have_value("Far too many")
    assert demo.editor(NUMBER)["value"] == "150"


def test_what_is_typed_in_an_open_row_stays_while_another_person_changes_the_flag(demo, open_page):
    page = open_page()
    page.goto(demo.url("/"))
    expect(page.locator("#live")).to_have_text("Live")
    row(page).locator("a.value").click()
    row(page).locator("#value").fill("175")
    demo.change(NUMBER, "set", "180")
    expect(row(page).locator("[data-effective]")).to_have_text("180")
    expect(row(page).locator("#value")).to_have_value("175")
    row(page).locator("button[value=set]").click()
    expect(row(page).get_by_role("alert")).to_contain_text("This flag changed while you were editing")
    row(page).get_by_role("button", name="Overwrite").click()
    expect(row(page).locator("[data-effective]")).to_have_text("175")


def test_what_needs_a_look_is_counted_listed_and_reset_together(demo, page):
    page.goto(demo.url("/"))
    look = page.locator(".look")
    expect(look).to_contain_text("1 broken")
    look.locator("summary").click()
    look.get_by_role("link", name="1 broken").click()
    expect(page.locator(".flag")).to_have_count(1)
    expect(page.locator(".flag .mark-broken")).to_be_visible()
    page.locator(".look > summary").click()
    page.locator(".look li").filter(has_text="1 broken").get_by_role("button", name="Reset…").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Reset")
    page.locator(".batch-form .button-primary").click()
    page.goto(demo.url("/"))
    expect(page.locator(".look")).not_to_contain_text("broken")


def test_a_few_flags_have_room_for_what_they_are_for(serve, tmp_path, page):
    flags = [{"key": "one", "type": "bool", "default": False, "description": "What it is for", "tags": ["a"]}]
    server = serve(write(tmp_path / "few", {}, flags))
    page.goto(server.url("/"))
    for text in ("What it is for", "a", "bool"):
        expect(row(page, "one").get_by_text(text, exact=True)).to_be_visible()


def test_the_name_leads_to_the_page_of_the_flag(demo, page):
    page.goto(demo.url("/"))
    row(page).locator(".name").click()
    page.wait_for_url(demo.url(flag_path(NUMBER)))
