"""What a search found is highlighted in the rows, by the rule that the server searches by."""

import pytest
from playwright.sync_api import expect
from samples import write

HIGHLIGHTED = """() => [...(CSS.highlights.get("found") ?? [])].map((part) => {
    const range = document.createRange();
    range.setStart(part.startContainer, part.startOffset);
    range.setEnd(part.endContainer, part.endOffset);
    return range.startContainer.isConnected ? range.toString() : "gone";
})"""

FLAGS = [
    {"key": "shop/fee", "type": "integer", "default": 3, "name": "Über-Fee", "description": "A fee for UBER rides."},
    {"key": "shop/word", "type": "string", "default": "straße & fee", "name": "Word"},
    {"key": "shop/other", "type": "bool", "default": False, "name": "Other", "description": "Nothing like them."},
]


@pytest.fixture
def found(serve, tmp_path):
    return serve(write(tmp_path / "found", {}, FLAGS))


def expect_highlighted(page, *texts):
    page.wait_for_function(f"texts => JSON.stringify(({HIGHLIGHTED})()) === JSON.stringify(texts)", arg=list(texts))


@pytest.mark.parametrize(("text", "texts"), [
    ("fee", ["Fee", "fee", "fee", "fee"]),
    ("uber", ["Über", "UBER"]),
    ("FEE  über", ["Fee", "Über", "fee", "fee", "UBER"]),
    ("strasse", ["straße"]),
    ("shop/oth", ["shop/oth"]),
    ("", []),
])
def test_each_word_is_highlighted_as_the_server_finds_it(found, open_page, text, texts):
    page = open_page()
    page.goto(found.url(f"/?q={text}"))
    expect(page.locator("main .flag").first).to_be_visible()
    expect_highlighted(page, *texts)


def test_the_highlights_follow_what_is_typed(found, open_page):
    page = open_page()
    page.goto(found.url("/"))
    search = page.get_by_label("Search", exact=True)
    search.press_sequentially("nothing")
    expect_highlighted(page, "Nothing")
    search.fill("other")
    expect_highlighted(page, "Other", "other")
    search.fill("")
    expect(page.locator("main .flag")).to_have_count(3)
    expect_highlighted(page)


def test_a_row_that_is_shown_again_after_a_change_is_highlighted(found, open_page):
    page = open_page()
    page.goto(found.url("/?q=fee"))
    expect(page.locator("#live")).to_have_text("Live")
    found.change("shop/fee", "set", "4")
    expect(page.locator('[data-flag="shop/fee"] [data-effective]')).to_have_text("4")
    expect_highlighted(page, "Fee", "fee", "fee", "fee")


def test_a_name_that_is_cut_in_the_middle_is_highlighted_across_the_cut(serve, tmp_path, open_page):
    name = "The first part of a long name and its remarkable last part"
    server = serve(write(tmp_path / "long", {}, [{"key": "a", "type": "bool", "default": True, "name": name}]))
    page = open_page()
    page.goto(server.url("/?q=part"))
    assert page.locator("main .flag .name-end").count() == 1
    expect_highlighted(page, "part", "part")


def test_a_row_of_which_only_the_description_was_found_shows_it(serve, tmp_path, open_page):
    many = [{"key": f"more/{number}", "type": "bool", "description": "About rides."} for number in range(21)]
    page = open_page()
    page.goto(serve(write(tmp_path / "many", {}, FLAGS + many)).url("/?q=rides"))
    row = page.locator('[data-flag="shop/fee"]')
    expect(row.locator(".flag-name > p")).to_be_visible()
    expect(row.locator(".flag-name > code")).to_be_hidden()
    page.get_by_label("Search", exact=True).fill("fee")
    expect(row.locator(".flag-name > code")).to_be_visible()
    expect(row.locator(".flag-name > p")).to_be_hidden()
