"""Every page, visited once: what axe, a validator of HTML and a browser say of it, in both themes, wide and on a phone."""

import os
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from exhibits import EXHIBITS
from pages import BARE, NO_PAGES, PAGES, SIZES, routes, shows
from validator import Validator

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"],
    # Off by themselves, since they are new.
    "rules": {"target-size": {"enabled": True}},
    # To describe everything that is well takes longer than to look at it.
    "resultTypes": ["violations"],
    # Only rules that are not asked read the style sheets themselves.
    "preload": False,
}
OF_LAYOUT = RULES | {"runOnly": {"type": "rule", "values": ["target-size", "scrollable-region-focusable"]}}
"""What may be another thing on a phone; all the rest is the same document in the same colours."""
OF_COLOUR = RULES | {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""What may be another thing in dark colours."""
OF_MENU = RULES | {"runOnly": {"type": "rule", "values": ["color-contrast", "link-name", "list", "landmark-unique"]}}
"""What is asked while the menu lies over the page, and leaves less of the targets beneath."""
AXE = Axe().axe_script


FINDINGS = """async (options) => {
  const results = await axe.run(options);
  const kinds = ["passes", "violations", "inapplicable", "incomplete"];
  return {
    asked: kinds.flatMap((kind) => results[kind].map((rule) => rule.id)),
    found: results.violations.map((rule) => [rule.id, rule.help, rule.nodes.slice(0, 3).map((node) => node.target)]),
  };
}"""
"""What axe finds; its whole report takes longer to bring here than to write."""


def violations(page, rules=RULES):
    """What axe finds, by rule."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    results = page.evaluate(FINDINGS, rules)
    asked = {"target-size", "color-contrast"} if rules is RULES else set(rules["runOnly"]["values"])
    assert asked <= set(results["asked"])
    return {rule: (advice, nodes) for rule, advice, nodes in results["found"]}


@pytest.fixture(scope="module")
def validator():
    validator = Validator()
    yield validator
    validator.stop()


@pytest.fixture(scope="module")
def exhibits(tmp_path_factory):
    """The servers that the pages are on, each begun when it is first asked for."""
    servers = {}

    def serve(name):
        if name not in servers:
            servers[name] = EXHIBITS[name](tmp_path_factory.mktemp("exhibit") / "flags")
        return servers[name]

    yield serve
    for server in servers.values():
        server.stop()


@pytest.fixture(scope="session")
def picture():
    """Keeps pictures of the pages where somebody wants to look at them, and names a folder for them."""
    folder = os.environ.get("FLAGBOARD_PICTURES")
    if not folder:
        return lambda page, name: None
    Path(folder).mkdir(parents=True, exist_ok=True)
    return lambda page, name: page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def wrong_headings(page):
    """What is wrong with the title, the headings and the landmarks."""
    levels = page.locator("main :is(h1,h2,h3,h4,h5,h6)").evaluate_all(
        "all => all.filter((each) => !each.closest('dialog')).map((each) => Number(each.localName[1]))")
    wrong = []
    if not page.title().strip() or page.locator("html").get_attribute("lang") != "en":
        wrong.append("it has no title, or no language")
    if levels[:1] != [1] or levels.count(1) != 1 or any(after - before > 1 for before, after in zip(levels, levels[1:])):
        wrong.append(f"its headings are {levels}")
    return wrong


def wear(page, theme):
    """Has a page the colours of a theme as a viewer who has chosen it, against what the system says."""
    page.emulate_media(color_scheme="light" if theme == "dark" else "dark", reduced_motion="reduce")
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)


WIDER_THAN_ITS_WINDOW = """() => {
    const { scrollWidth } = document.documentElement;
    if (scrollWidth <= innerWidth) return null;
    const isOut = (element) => element.getBoundingClientRect().right + scrollX > innerWidth + 0.5;
    const out = [...document.body.querySelectorAll("*")].filter(isOut).map((element) => element.outerHTML.slice(0, 80));
    return `it is ${scrollWidth} wide in a window of ${innerWidth}: ${out.slice(-3).join(", ")}`;
}"""


def too_wide(page, size):
    """What scrolls a page of this size sideways, as soon as its window has that size; `None` for nothing."""
    page.set_viewport_size(size)
    page.wait_for_function("width => innerWidth === width", arg=size["width"])
    return page.evaluate(WIDER_THAN_ITS_WINDOW)


@pytest.mark.parametrize("stop", PAGES, ids=lambda stop: stop.name)
def test_a_page_is_sound(exhibits, validator, open_page, picture, stop):
    server = exhibits(stop.on)
    page = open_page(viewport=SIZES["wide"], color_scheme="light", reduced_motion="reduce")
    with stop.while_in(server):
        sent = stop.lead(page, server)
        check(stop, page, sent, validator, picture)


def check(stop, page, sent, validator, picture):
    found = [("sent", error) for error in validator.errors(sent)]
    made = "<!DOCTYPE html>" + page.locator("html").evaluate("page => page.outerHTML")
    found += [("with script", error) for error in validator.errors(made)]
    found += [("headings", wrong) for wrong in wrong_headings(page)]
    landmarks = ["main"] if stop.name in BARE else ["main", "header", "footer"]
    found += [("landmark", name) for name in landmarks if not page.locator(f"body > {name}").count()]
    for scheme, rules in (("light", RULES), ("dark", OF_COLOUR)):
        wear(page, scheme)
        found += [(scheme, rule, told) for rule, told in violations(page, rules).items()]
        picture(page, f"{stop.name}-wide-{scheme}")
    for name, size in {"twice its size": {"width": 640, "height": 450}, "phone": SIZES["phone"]}.items():
        if told := too_wide(page, size):
            found.append((name, "scrolls sideways", told))
    # The bar of a selection covers rows until one scrolls on; these have their size all the same.
    page.evaluate("document.querySelector('.selection-follows')?.style.setProperty('position', 'static')")
    found += [("phone", rule, told) for rule, told in violations(page, OF_LAYOUT).items()]
    page.evaluate("document.querySelector('.selection-follows')?.style.removeProperty('position')")
    for scheme in ("dark", "light"):
        wear(page, scheme)
        picture(page, f"{stop.name}-phone-{scheme}")
    assert not found, "\n".join(map(str, found))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_open_menu_is_sound(exhibits, open_page, size, scheme):
    page = open_page(viewport=SIZES[size], reduced_motion="reduce")
    page.goto(exhibits("exhibit").url("/history"))
    page.locator("#menu > summary").click()
    wear(page, scheme)
    assert violations(page, OF_MENU) == {}
    heights = [link.bounding_box()["height"] for link in page.locator("#menu li a").all()]
    assert len(heights) > 4 and min(heights) >= 24
    assert too_wide(page, SIZES[size]) is None


def test_the_checks_find_what_is_wrong(validator, open_page):
    assert validator.errors("<!DOCTYPE html><html lang=en><title>Wrong</title><p><ul><li>text</p></ul>")
    assert validator.errors(b"<!DOCTYPE html><html lang=en><title>Right</title><p>text") == []
    page = open_page()
    page.set_content("<html lang=en><title>Wrong</title><main><h1>A</h1><h3>B</h3><img><p style='color:#aaa'>dim</p>")
    assert {"image-alt", "color-contrast"} <= violations(page).keys()
    assert violations(page, OF_COLOUR).keys() == {"color-contrast"}
    assert wrong_headings(page)
    page.set_content("<p style='width: 400px'>wide")
    assert "it is 4" in too_wide(page, SIZES["phone"]) and too_wide(page, SIZES["wide"]) is None


def is_no_page(route):
    return any(route == path or path.endswith("*") and route.startswith(path[:-1]) for path in NO_PAGES)


def test_every_route_is_among_the_pages_or_answers_none():
    assert len(routes()) > 40
    assert [route for route in routes() if not is_no_page(route) and not any(shows(route, page) for page in PAGES)] == []
    assert len({page.name for page in PAGES}) == len(PAGES)


QUERIES = {
    "/data": "?key=checkout/payment/public_key", "/api/v1/compare": "?before=1", "/history/at/values.xml": "?before=1",
    "/history/at/values.json": "?before=1",
}
"""What the addresses that answer no page are asked with, where they need to be."""


def test_what_answers_no_page_answers_none(exhibits):
    server = exhibits("exhibit")
    for route in routes():
        # The streams never end; test_live and test_openfeature read them.
        if is_no_page(route) and not route.endswith("/events"):
            path = route.replace("**", "checkout/delivery_fee").replace(":id", "1").replace(":file", "flags.xml")
            answer = server.get(path + QUERIES.get(path, ""))
            is_html = answer.headers.get("content-type", "").startswith("text/html")
            assert answer.status == 405 or answer.status == 200 and not is_html, f"{path}: {answer.status}"


def test_every_address_has_a_title_of_its_own(exhibits):
    titles = {}
    for page in PAGES:
        by_key = page.name.endswith("-by-key")
        if page.on == "exhibit" and not by_key and not (page.form or page.headers or page.act) and page.status == 200:
            title = re.search("<title>(.*?)</title>", exhibits("exhibit").get(page.path).text, re.S)[1]
            titles.setdefault(title, set()).add(page.path.partition("?")[0])
    assert [(title, paths) for title, paths in titles.items() if len(paths) > 1] == []


COLOURS = """() => [...document.querySelectorAll("body, body *")].flatMap((element) => {
    const style = getComputedStyle(element);
    return [style.color, style.backgroundColor, style.borderTopColor, style.boxShadow];
})"""


def test_light_and_dark_differ_and_are_the_same_by_the_system_and_by_the_setting(exhibits, open_page):
    page = open_page(reduced_motion="reduce")
    for path in ("/?q=checkout", "/history", "/settings"):
        page.goto(exhibits("exhibit").url(path))
        colours = {}
        for scheme in ("light", "dark"):
            page.evaluate("delete document.documentElement.dataset.theme")
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            colours[scheme] = page.evaluate(COLOURS)
            wear(page, scheme)
            assert page.evaluate(COLOURS) == colours[scheme], (path, scheme)
        assert colours["light"] != colours["dark"], path
