"""What a person comes for: find a flag, change it, see the change, take the file away."""

import re
import sqlite3
import subprocess
from contextlib import closing

import pytest
from harness import Server, flag_path
from playwright.sync_api import expect
from samples import demonstration, three_hundred_flags, without_internal_flags


def find_flag(page, server, key, words):
    """Searches the list for `words` and opens the flag from the result."""
    page.goto(server.url("/"))
    page.locator("input[name=q]").fill(words)
    page.locator("input[name=q]").press("Enter")
    page.wait_for_url(re.compile(r"[?&]q="))
    row = page.locator(f'[data-flag="{key}"]')
    expect(row).to_be_visible()
    row.locator(f'a[href$="{flag_path(key)}"]').first.click()
    page.wait_for_url(server.url(flag_path(key)))


def editor(page):
    return page.locator("form:has([name=revision])").first


def save(page, reason):
    editor(page).locator("[name=reason]").fill(reason)
    consent = editor(page).locator("[name=restart]")
    if consent.count():
        consent.check()
    editor(page).locator("button[name=action][value=set]").click()
    expect(page.locator("[role=status]").first).to_be_visible()


def rows_of_history(file):
    """The rows of the history file as dictionaries, oldest first."""
    with closing(sqlite3.connect(f"file:{file.parent / 'flags.history.sqlite'}?mode=ro", uri=True)) as store:
        store.row_factory = sqlite3.Row
        tables = [name for (name,) in store.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in tables:
            columns = {row["name"] for row in store.execute(f'PRAGMA table_info("{table}")')}
            if {"before", "after", "actor", "reason", "hash"} <= columns:
                return [dict(row) for row in store.execute(f'SELECT * FROM "{table}" ORDER BY id')]
    raise AssertionError(f"no table of changes among {tables}")


def test_a_person_finds_a_flag_flips_it_and_sees_the_change_in_the_history(demo, page):
    key = "checkout/guest_checkout"
    find_flag(page, demo, key, "guest")
    expect(page.locator("[data-effective]")).to_have_text(re.compile(r"\b(false|off)\b", re.I))

    editor(page).locator("[name=value][value=true]").check()
    save(page, "The fake orders have stopped")

    expect(page.locator("[data-effective]")).to_have_text(re.compile(r"\b(true|on)\b", re.I))
    own_history = page.locator("[data-change]")
    expect(own_history).to_have_count(1)
    expect(own_history).to_contain_text("The fake orders have stopped")

    page.goto(demo.url("/"))
    expect(page.locator(f'[data-flag="{key}"]')).to_have_attribute("data-state", "overridden-on")

    page.goto(demo.url("/history"))
    row = page.locator("[data-change]").first
    expect(row.locator(".deed")).to_contain_text(re.compile(r"turned Guest checkout\s+on\b.*The fake orders have stopped", re.S))
    expect(row.get_by_role("link", name="Guest checkout")).to_have_attribute("title", key)


def test_one_change_among_300_flags_changes_one_line_and_leaves_one_row(large, page, tmp_path):
    key = "group_4/flag_08"
    before = large.file.read_bytes()
    copy = tmp_path / "before.xml"
    copy.write_bytes(before)

    find_flag(page, large, key, key)
    editor(page).locator("[name=value][value=false]").check()
    save(page, "One line only")

    difference = subprocess.run(["diff", copy, large.file], capture_output=True, text=True).stdout.splitlines()
    assert [line[:1] for line in difference[1:]] == ["<", "-", ">"], difference
    assert (difference[1].split(), difference[3].split()) == (["<", "<true/>"], [">", "<false/>"])

    assert large.get("/export/flags.xml").body == large.file.read_bytes()

    (row,) = rows_of_history(large.file)
    assert row["reason"] == "One line only"
    assert row["actor"]
    assert row["before"] != row["after"]
    assert b"true" in as_bytes(row["before"]) and b"false" in as_bytes(row["after"])


def as_bytes(column):
    return column if isinstance(column, bytes) else str(column).encode()


def test_the_sqlite3_tool_reads_the_history(large):
    large.change("group_0/flag_00", "set", "false", "Seen from outside")
    file = large.file.parent / "flags.history.sqlite"
    dump = subprocess.run(
        ["sqlite3", "-readonly", file, ".dump"], capture_output=True, text=True, check=True
    ).stdout
    assert dump.count("Seen from outside") == 1


def test_an_export_of_a_file_with_internal_flags_is_the_file_less_their_entries(demo):
    assert demo.get("/export/flags.xml").body == without_internal_flags(demo.file.read_bytes())
    demo.change("checkout/guest_checkout", "set", "true")
    assert demo.get("/export/flags.xml").body == without_internal_flags(demo.file.read_bytes())


def test_a_person_downloads_the_file_from_the_pages(large, open_page):
    page = open_page()
    page.goto(large.url("/"))
    link = page.locator('a[href$="/export/flags.xml"]')
    if link.count() == 0:
        page.locator("#menu > summary").click()
        page.get_by_role("link", name="Export", exact=True).click()
    with page.expect_download() as download:
        page.locator('a[href$="/export/flags.xml"]').first.click()
    assert download.value.suggested_filename == "flags.xml"
    assert download.value.path().read_bytes() == large.file.read_bytes()


def test_a_person_puts_a_flag_back_to_its_default(demo, page):
    key = "checkout/maximum_basket_items"
    page.goto(demo.url(flag_path(key)))
    expect(page.locator("[data-effective]")).to_contain_text("150")
    editor(page).locator("[name=reason]").fill("Back to normal")
    editor(page).locator("button[name=action][value=reset]").click()
    expect(page.locator("[role=status]").first).to_be_visible()
    expect(page.locator("[data-effective]")).to_contain_text("200")
    assert b"maximum_basket_items" not in demo.file.read_bytes()

    page.goto(demo.url("/"))
    expect(page.locator(f'[data-flag="{key}"]')).to_have_attribute("data-state", "default")


VALUES = [
    ("checkout/minimum_order", "17.5", "17.5"),
    ("search/results_per_page", "48", "48"),
    ("search/placeholder", "Find <bread> & \"butter\"", "Find <bread> & \"butter\""),
    ("checkout/free_delivery_until", "2027-01-31T12:00:00Z", "2027-01-31 12:00:00 UTC"),
    ("checkout/payment/public_key", "AAECAwQFBgc=", "AAECAwQFBgc="),
    ("search/endpoint", "https://search.example/v3/", "https://search.example/v3/"),
    ("search/boosted_brands", '["North", "South"]', "South"),
    ("networking/extra_headers", '{"X-Trial": "yes"}', "X-Trial"),
    ("search/ranking", '{"version": 3}', "version"),
    ("experiments/old_cart_layout", "false", None),
    ("checkout/payment/retry_limit", "4", "4"),
]


@pytest.mark.parametrize("key, typed, shown", VALUES, ids=[key for key, _, _ in VALUES])
def test_a_value_of_every_type_can_be_set(demo, page, request, key, typed, shown):
    page.goto(demo.url(flag_path(key)))
    field = editor(page).locator("[name=value]")
    if typed in ("true", "false"):
        editor(page).locator(f"[name=value][value={typed}]").check()
    else:
        # Where script is on, an array and a dictionary are edited as items first.
        if request.node.callspec.params["page"] and key in ("search/boosted_brands", "networking/extra_headers"):
            page.get_by_role("tab", name="JSON").click()
        field.fill(typed)
    save(page, "Try another value")
    if shown is not None:
        expect(page.locator("[data-effective]")).to_contain_text(shown)
    expect(page.locator("[data-change]")).to_have_count(1)


def test_a_choice_is_picked_from_the_list(demo, page):
    key = "appearance/price_emphasis"
    page.goto(demo.url(flag_path(key)))
    select = editor(page).locator("select[name=value]")
    if select.count():
        select.select_option("coloured")
    else:
        editor(page).locator("[name=value][value=coloured]").check()
    save(page, "Try colours")
    expect(page.locator("[data-effective]")).to_contain_text("coloured")


def test_a_search_finds_flags_by_key_name_description_and_tag(shop, page):
    for words, key in [
        ("retry_limit", "checkout/payment/retry_limit"),
        ("Payment attempts", "checkout/payment/retry_limit"),
        ("after a payment is declined", "checkout/payment/retry_limit"),
        ("first run", "onboarding/steps"),
    ]:
        page.goto(shop.url("/"))
        everything = page.locator("[data-flag]").count()
        page.locator("input[name=q]").fill(words)
        page.locator("input[name=q]").press("Enter")
        page.wait_for_url(re.compile(r"[?&]q="))
        expect(page.locator(f'[data-flag="{key}"]')).to_be_visible()
        assert page.locator("[data-flag]").count() < everything
        expect(page.locator("input[name=q]")).to_have_value(words)


def test_the_list_shows_every_state(shop, page):
    page.goto(shop.url("/"))
    for key, state in {
        "onboarding/welcome_tour": "on",
        "appearance/compact_rows": "off",
        "onboarding/skip_sign_in": "overridden-on",
        "checkout/guest_checkout": "overridden-off",
        "search/placeholder": "default",
        "networking/timeout": "overridden",
        "checkout/payment/retry_limit": "default",
    }.items():
        expect(page.locator(f'[data-flag="{key}"]')).to_have_attribute("data-state", state)


def test_a_broken_value_is_shown_with_what_is_wrong(shop, page):
    page.goto(shop.url(flag_path("checkout/payment/retry_limit")))
    expect(page.locator("main")).to_contain_text("three")
    expect(page.locator("main")).to_contain_text("expected a whole number")
    expect(page.locator("[data-effective]")).to_contain_text("3")


def test_the_history_can_be_narrowed_down_to_one_flag(demo, page):
    demo.change("checkout/guest_checkout", "set", "true", "First")
    demo.change("onboarding/skip_sign_in", "set", "false", "Second")
    page.goto(demo.url("/history"))
    expect(page.locator("[data-change]")).to_have_count(2)
    expect(page.locator("[data-change]").first).to_contain_text("Second")
    page.goto(demo.url("/history?key=checkout/guest_checkout"))
    expect(page.locator("[data-change]")).to_have_count(1)
    expect(page.locator("[data-change]")).to_contain_text("First")


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """A server whose history has more than a page."""
    server = Server(three_hundred_flags(tmp_path_factory.mktemp("long") / "flags"))
    for number in range(60):
        fields = {"action": "set", "value": str(number + 100), "reason": f"Change number {number + 1}."}
        assert server.post(flag_path("group_1/flag_01"), fields).status == 303
    yield server
    server.stop()


def test_the_history_comes_in_pages_of_50(long, page):
    page.goto(long.url("/history"))
    expect(page.locator("[data-change]")).to_have_count(50)
    expect(page.locator("[data-change]").first).to_contain_text("Change number 60.")
    page.get_by_role("link", name=re.compile("older", re.I)).first.click()
    expect(page.locator("[data-change]")).to_have_count(10)
    expect(page.locator("[data-change]").last).to_contain_text("Change number 1.")
    page.get_by_role("link", name=re.compile("newer", re.I)).first.click()
    expect(page.locator("[data-change]")).to_have_count(50)


def test_an_outside_edit_is_served_and_recorded(demo, page):
    text = demo.file.read_text()
    page.goto(demo.url(flag_path("networking/timeout")))
    demo.file.write_text(text.replace("<real>30</real>", "<real>45</real>"))
    page.reload()
    expect(page.locator("[data-effective]")).to_contain_text("45")
    page.goto(demo.url("/history"))
    expect(page.locator("[data-change]")).to_have_count(1)
    expect(page.locator("[data-change]")).to_have_class(re.compile(r"\bchange-external\b"))
    expect(page.locator("[data-change]")).to_contain_text(re.compile(r"External edit\s+set Timeout\s+from 30\s+→ to 45"))
    demo.change("checkout/guest_checkout", "set", "true", "")
    page.reload()
    page.get_by_role("navigation", name="Actors").get_by_role("link", name=re.compile("^External edit 1$")).click()
    expect(page.locator("[data-change]")).to_have_count(1)


def test_changes_outlive_the_server(serve, tmp_path):
    file = demonstration(tmp_path / "demo")
    first = serve(file)
    first.change("checkout/guest_checkout", "set", "true", "Before the restart")
    assert first.stop() == 0
    second = serve(file)
    assert "Before the restart" in second.get("/history").text
    assert 'data-state="overridden-on"' in second.get("/?q=checkout/guest_checkout").text
