"""The pages for whoever uses no mouse, or has them shown in another way; test_pages asks axe about each of them."""

import pytest
from exhibits import EXHIBITS
from harness import flag_path
from pages import PAGES, SIZES
from playwright.sync_api import expect

PLACES = {
    "list": "/",
    "boolean": flag_path("checkout/new_checkout"),
    "history": "/history",
    "change": "/history/1",
    "searches": "/searches?q=checkout",
    "settings": "/settings",
    "help": "/help",
    "help for programs": "/help/api",
    "webhooks": "/webhooks",
}


@pytest.fixture(scope="module")
def exhibit(tmp_path_factory):
    server = EXHIBITS["exhibit"](tmp_path_factory.mktemp("exhibit") / "demo")
    yield server
    server.stop()


SPACED = """
* {
    line-height: 1.5 !important;
    letter-spacing: 0.12em !important;
    word-spacing: 0.16em !important;
}
p { margin-bottom: 2em !important; }
"""


def test_text_may_be_spaced_out_without_anything_being_cut_off(exhibit, open_page):
    page = open_page(viewport=SIZES["wide"], bypass_csp=True)
    cut = {}
    for name, path in PLACES.items():
        page.goto(exhibit.url(path))
        page.add_style_tag(content=SPACED)
        found = page.evaluate(
            """() => [...document.querySelectorAll("main *:not(pre):not(input):not(select):not(textarea), header *")]
                .filter((element) => element.checkVisibility() && !element.closest(".unseen, .cell-label"))
                .map((element) => ({ element, style: getComputedStyle(element) }))
                // What is clipped is for those who hear it; what ends in an ellipsis says so, and is whole in its open row.
                .filter(({ style }) => style.clipPath === "none" && style.textOverflow !== "ellipsis")
                .filter(({ style }) => style.overflowX !== "visible")
                .map(({ element }) => element)
                .filter((element) => element.scrollWidth > element.clientWidth + 1)
                .map((element) => element.outerHTML.slice(0, 80))"""
        )
        wide = page.evaluate("document.documentElement.scrollWidth")
        if found or wide > SIZES["wide"]["width"]:
            cut[name] = (found, wide)
    assert cut == {}


HIDDEN_FOCUS = """() => {
    const focused = document.activeElement;
    if (focused === document.body) return null;
    const box = focused.getBoundingClientRect();
    const places = [0.15, 0.5, 0.85].flatMap((x) => [0.15, 0.5, 0.85].map((y) => [
        box.left + box.width * x, box.top + box.height * y]));
    const isSeen = places.some(([x, y]) => {
        const top = document.elementFromPoint(x, y);
        return top !== null && (focused.contains(top) || top.contains(focused));
    });
    const style = getComputedStyle(focused);
    const isMarked = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    return isSeen && isMarked ? "" : `${focused.outerHTML.slice(0, 100)} seen: ${isSeen}, marked: ${isMarked}`;
}"""


@pytest.mark.parametrize("direction", ["Tab", "Shift+Tab"])
def test_whatever_has_the_focus_is_seen_and_marked(exhibit, open_page, direction):
    page = open_page(viewport={"width": 1280, "height": 500}, reduced_motion="reduce")
    wrong = []
    for name in ("list", "boolean", "history"):
        page.goto(exhibit.url(PLACES[name]))
        reached = 0
        for _ in range(90):
            page.keyboard.press(direction)
            told = page.evaluate(HIDDEN_FOCUS)
            if told is None:
                break
            reached += 1
            if told:
                wrong.append((name, told))
        assert reached > 20, name
    assert wrong == []


def test_nothing_moves_for_whoever_wants_no_motion(exhibit, open_page):
    page = open_page(reduced_motion="reduce")
    page.goto(exhibit.url("/"))
    page.locator("#live.live-on").wait_for()
    exhibit.change("checkout/minimum_order", "set", "21")
    page.locator(".live-by").wait_for()
    assert page.evaluate("document.getAnimations().length") == 0
    exhibit.change("checkout/minimum_order", "reset")


MARKED = ["main .button", "main .state", "main select", "main input:is([type=text], [type=search], [type=number])"]
MARKS = """selectors => selectors.flatMap((selector) => [...document.querySelectorAll(selector)])
    .filter((element) => element.checkVisibility())
    .map((element) => ({ style: getComputedStyle(element), text: element.outerHTML.slice(0, 120) }))
    .filter(({ style }) => style.borderStyle === "none" && style.outlineStyle === "none")
    .map(({ text }) => text)"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_with_the_colours_of_the_system_buttons_and_marks_keep_a_border_and_the_focus_is_seen(exhibit, open_page, scheme):
    page = open_page(color_scheme=scheme, forced_colors="active")
    for name, path in PLACES.items():
        page.goto(exhibit.url(path))
        assert page.evaluate("matchMedia('(forced-colors: active)').matches")
        assert page.evaluate(MARKS, MARKED) == [], name
        page.keyboard.press("Tab")
        assert page.evaluate(HIDDEN_FOCUS) == "", name


def test_without_script_no_page_is_wider_than_a_phone(exhibit, open_page):
    page = open_page(viewport=SIZES["phone"], java_script_enabled=False)
    too_wide = []
    for each in PAGES:
        if each.on == "exhibit" and each.status == 200 and not (each.form or each.act or each.headers):
            page.goto(exhibit.url(each.path))
            if page.evaluate("document.documentElement.scrollWidth") > SIZES["phone"]["width"]:
                too_wide.append(each.name)
    assert too_wide == []


LOW = """() => {
    const low = [];
    for (const one of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")) {
        const { width, height } = one.getBoundingClientRect();
        if (!width || !height || !one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        if (one.tagName === "A" && !one.closest("nav, .button, .tag")) continue;
        const around = getComputedStyle(one, "::after");
        const room = around.position === "absolute" && around.content !== "none" ? parseFloat(around.height) : 0;
        const label = one.matches("[type=checkbox], [type=radio]") ? one.closest("label")?.getBoundingClientRect().height ?? 0 : 0;
        if (Math.max(height, room, label) < 43.5) low.push(`${one.outerHTML.slice(0, 100)}: ${height}`);
    }
    return low;
}"""
"""Controls that are lower than 44 pixels, with the label or the room around them that answers a touch as well; a link that is
text is as high as its line."""


def test_every_control_is_high_enough_for_a_finger(exhibit, open_page):
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    low = {}
    for each in PAGES:
        if each.on == "exhibit" and each.status == 200 and not (each.form or each.act or each.headers or each.role):
            page.goto(exhibit.url(each.path))
            if found := page.evaluate(LOW):
                low[each.name] = found[:5]
    assert low == {}


def test_a_touch_beside_a_box_of_the_list_ticks_it(exhibit, open_page):
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(exhibit.url("/"))
    box = page.locator(".flag > input").first
    place = box.bounding_box()
    page.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] - 6)
    expect(box).to_be_checked()
