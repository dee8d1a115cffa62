"""What stands where on the list and around it: the head of each page, chosen columns, the times of changes, the providers."""

import pytest
from exhibits import two_providers
from playwright.sync_api import expect

WIDE = [1024, 1280, 1440, 1920]


def choose_all(page, server):
    """Chooses all columns, as the form of the list does."""
    page.goto(server.url("/"))
    page.locator(".list-look > summary").click()
    for box in page.locator(".list-look [type=checkbox]").all():
        box.check()
    page.get_by_role("button", name="Apply").click()
    page.wait_for_url("**/?noted=*")
    page.goto(server.url("/"))


def box(locator):
    return locator.evaluate("element => element.getBoundingClientRect().toJSON()")


@pytest.mark.parametrize("path", ["/?view=providers", "/?view=providers&q=title", "/?view=providers&open=ui%2Ftitle"])
def test_the_providers_side_by_side_open_without_a_complaint_of_nothing(serve, tmp_path, path):
    server = serve(two_providers(tmp_path / "pair"), "--provider", "Team=team.xml")
    text = server.get(path).text
    assert "matrix-scroll" in text
    # An open row is asked for by an address alone, and then named.
    assert "> opens only" not in text and ("ui/title opens only in the list" in text) == ("open=" in path)


@pytest.mark.parametrize("width", WIDE)
@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
def test_the_head_of_a_page_stays_one_line_whatever_is_saved(serve, tmp_path, open_page, width, scripts):
    file = two_providers(tmp_path / "pair")
    server = serve(file, "--provider", "Team=team.xml:env", "--banner", "Production:red")
    for number in range(12):
        form = {"action": "save", "name": f"A search with a rather long name {number}", "query": f"q={number}"}
        assert server.post("/searches", form).status == 303
    page = open_page(viewport={"width": width, "height": 700}, java_script_enabled=scripts)
    for path in ("/", "/history"):
        page.goto(server.url(path))
        tops = page.evaluate("""() => [...document.querySelectorAll(".masthead :is(a, summary, .file, .environment)")]
            .filter((each) => each.checkVisibility() && !each.closest(".menu-parts"))
            .map((each) => { const box = each.getBoundingClientRect(); return (box.top + box.bottom) / 2; })""")
        assert max(tops) - min(tops) < 8, tops
        assert page.locator(".masthead-row").bounding_box()["height"] < 60
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [1024, 1280, 1440])
def test_columns_that_were_chosen_can_be_read(demo, open_page, width):
    demo.change("checkout/delivery_fee", "set", "2.5")
    page = open_page(viewport={"width": width, "height": 900})
    choose_all(page, demo)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cut = page.evaluate("""() => [...document.querySelectorAll(".more-cells > span:not(:has(.tag)), .flag-name > .name:not(:has(.name-end)), .marks > .mark")]
        .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0).map((each) => each.textContent)""")
    assert [text for text in cut if len(text) < 30] == []
    inside = page.evaluate("""() => [...document.querySelectorAll(".more-cells .tag")].filter((each) => each.checkVisibility()).map((each) => {
        const [tag, cell] = [each, each.parentElement].map((one) => one.getBoundingClientRect());
        const isSeen = tag.top < cell.bottom - 2;
        return !isSeen || (tag.left >= cell.left - 1 && tag.right <= cell.right + 1 && tag.bottom <= cell.bottom + 3);
    })""")
    assert inside and all(inside)
    if width >= 1248:
        others = page.locator('[data-flag="checkout/delivery_fee"] .tags-more')
        expect(others).to_have_attribute("title", "prices")
        expect(others).to_contain_text("+1")
        heads = {head.inner_text(): box(head)["left"] for head in page.locator(".head-more").all()}
        cells = page.locator('[data-flag="checkout/delivery_fee"] .more-cells > span')
        lefts = [box(cell)["left"] for cell in cells.all()]
        assert len(heads) == 4 and all(abs(one - other) < 3 for one, other in zip(heads.values(), lefts, strict=True))


@pytest.mark.parametrize("width", [1280, 1440])
def test_in_the_order_of_changes_the_times_stand_under_their_own_head(demo, open_page, width):
    demo.change("checkout/delivery_fee", "set", "2.5")
    page = open_page(viewport={"width": width, "height": 900})
    page.goto(demo.url("/?sort=changed"))
    head = page.locator(".flags-head").get_by_text("Last change")
    cell = page.locator('[data-flag="checkout/delivery_fee"] time')
    assert abs(box(head)["left"] - box(cell)["left"]) < 3
    # A row that is changed in place says the time of that change.
    row = page.locator('.flag[data-flag="checkout/guest_checkout"]')
    expect(row.locator("time")).to_have_count(0)
    row.locator("button[value=on]").click()
    expect(row.locator(".notice")).to_contain_text("Turned on.")
    expect(row.locator(".more-cells time")).to_have_count(1)
