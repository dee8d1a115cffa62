"""Why a flag has its value: every provider in order, what each holds, and which one wins."""

import pytest
from exhibits import EXHIBITS
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    server = EXHIBITS["pair"](tmp_path_factory.mktemp("pair") / "flags")
    yield server
    server.stop()


CHAINS = {
    "ui/dark": [("Local", "On", "In use"), ("Team", "Off", "Overridden"), ("default", "Off", "Overridden")],
    "rate": [("Local", "", "Not set"), ("Team", 'found "odd"; expected a number', "Invalid, ignored"),
             ("default", "", "No default")],
    "nowhere": [("Local", "", "Not set"), ("Team", "", "Not set"), ("default", "", "No default")],
    "only_local": [("Local", "x", "In use"), ("Team", "", "Not set"), ("default", "", "No default")],
}


@pytest.mark.parametrize("key", CHAINS)
def test_the_providers_stand_in_order_with_what_each_holds_and_the_winner_marked(pair, page, key):
    page.goto(pair.url(f"/flags/{key}"))
    rows = page.get_by_role("region", name="Why this value").get_by_role("listitem")
    expect(rows).to_have_count(3)
    for row, (provider, held, verdict) in zip(rows.all(), CHAINS[key], strict=True):
        expect(row.locator(".provider")).to_have_text(provider)
        expect(row).to_contain_text(held)
        expect(row.locator(".verdict")).to_contain_text(verdict)
    winners = [row[0] for row in CHAINS[key] if row[2] == "In use"]
    expect(page.locator(".reading-winner .provider")).to_have_text(winners)
