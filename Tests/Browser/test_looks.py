"""Every page: readable on a phone and on a wide screen, light and dark, and called what it is."""

from itertools import chain

import pytest
from pages import PAGES, SIZES, visit_all, visit_guarded


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_no_page_scrolls_sideways_and_each_has_its_portrait(
    exhibit, guarded_exhibit, open_page, screenshots, scheme, size
):
    page = open_page(color_scheme=scheme, viewport=SIZES[size])
    too_wide = {}
    for name in chain(visit_all(page, exhibit), visit_guarded(page, guarded_exhibit)):
        page.screenshot(path=screenshots / f"{name}-{size}-{scheme}.png", full_page=True)
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > SIZES[size]["width"]:
            too_wide[name] = width
    assert too_wide == {}


def test_light_and_dark_differ(exhibit, open_page):
    colours = set()
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme)
        page.goto(exhibit.url("/"))
        colours.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(colours) == 2


def test_every_page_has_a_title_of_its_own_and_one_heading(exhibit, open_page):
    page = open_page()
    titles = {}
    for name, path in PAGES.items():
        page.goto(exhibit.url(path))
        assert page.locator("h1").count() == 1, name
        assert page.locator("html").get_attribute("lang") == "en"
        titles.setdefault(page.title(), []).append(name)
    assert all(title.strip() for title in titles)
    assert titles and len(titles) >= len(PAGES) - 5, titles
