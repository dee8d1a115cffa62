"""Every page for whoever doesn't see it, uses no mouse, or has it shown in another way (WCAG 2.2, level AA)."""

from itertools import chain

import pytest
from axe_playwright_python.sync_playwright import Axe
from pages import PAGES, SIZES, visit_all, visit_guarded

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"],
    # Off by themselves, since they are new.
    "rules": {"target-size": {"enabled": True}},
}


def violations(page):
    """What axe finds, by rule, once the style sheets are there."""
    page.wait_for_load_state("load")
    results = Axe().run(page, options=RULES).response
    assert "target-size" in {rule["id"] for kind in ("passes", "violations", "inapplicable") for rule in results[kind]}
    return {
        violation["id"]: (violation["help"], [node["target"] for node in violation["nodes"]][:3])
        for violation in results["violations"]
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(exhibit, guarded_exhibit, open_page, scheme):
    page = open_page(color_scheme=scheme, viewport=SIZES["wide"])
    found = {}
    for name in chain(visit_all(page, exhibit), visit_guarded(page, guarded_exhibit)):
        found |= {f"{name}: {rule}": told for rule, told in violations(page).items()}
    assert found == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_dialogs(exhibit, open_page, scheme):
    page = open_page(color_scheme=scheme)
    page.goto(exhibit.url("/"))
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()
    assert violations(page) == {}
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Flag or page").fill("a")
    page.locator(".dialog-palette [role=option]").nth(5).wait_for()
    assert violations(page) == {}


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
    for name in ("list", "boolean", "history", "change", "help"):
        page.goto(exhibit.url(PAGES[name]))
        page.add_style_tag(content=SPACED)
        found = page.evaluate(
            """() => [...document.querySelectorAll("main *:not(pre):not(input):not(select):not(textarea), header *")]
                .filter((element) => element.checkVisibility() && !element.closest(".unseen, .cell-label"))
                .filter((element) => getComputedStyle(element).overflowX !== "visible")
                .filter((element) => element.scrollWidth > element.clientWidth + 1)
                .map((element) => element.outerHTML.slice(0, 80))"""
        )
        wide = page.evaluate("document.documentElement.scrollWidth")
        if found or wide > SIZES["wide"]["width"]:
            cut[name] = (found, wide)
    assert cut == {}


def test_a_page_at_twice_its_size_does_not_scroll_sideways(exhibit, open_page):
    page = open_page(viewport={"width": 640, "height": 450}, device_scale_factor=2)
    for path in PAGES.values():
        page.goto(exhibit.url(path))
        assert page.evaluate("document.documentElement.scrollWidth") <= 640, path


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
        page.goto(exhibit.url(PAGES[name]))
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


def test_headings_go_down_by_one_and_every_page_has_its_landmarks(exhibit, open_page):
    page = open_page(java_script_enabled=False)
    for name, path in PAGES.items():
        page.goto(exhibit.url(path))
        levels = [int(tag[1]) for tag in page.locator("main :is(h1,h2,h3,h4,h5,h6)").evaluate_all(
            "headings => headings.map((heading) => heading.localName)")]
        assert levels[0] == 1, name
        assert all(after - before <= 1 for before, after in zip(levels, levels[1:])), (name, levels)
        for landmark in ("main", "header", "footer", "nav"):
            assert page.locator(f"body > {landmark}, body > * {landmark}").count() >= 1, (name, landmark)
