"""What the server refuses, whatever is posted, and what a person is told."""

import plistlib
import re

import pytest
from harness import flag_path, forms_in
from playwright.sync_api import expect
from samples import INTERNAL_FLAGS, demonstration, write

LOCKED = ["onboarding/minimum_age", "checkout/payment/processor"]
INTERNAL = list(INTERNAL_FLAGS)

INVALID = [
    ("checkout/maximum_basket_items", "abc", "whole number"),
    ("checkout/maximum_basket_items", "", "whole number"),
    ("checkout/maximum_basket_items", "1000", "Must be 999 or less"),
    ("checkout/maximum_basket_items", "12.5", "whole number"),
    ("checkout/minimum_order", "-1", "Must be 0 or more"),
    ("checkout/free_delivery_until", "2027-02-30T12:00:00Z", "date"),
    ("checkout/payment/public_key", "not base64!", "base64"),
    ("checkout/payment/public_key", "85 20 f0 09", "hexadecimal"),
    ("appearance/theme/accent_colour", "green", "pattern"),
    ("onboarding/terms_url", "ftp://cornershop.example/", "pattern"),
    ("search/ranking", '{"version": ', "JSON"),
    ("search/boosted_brands", '{"a": 1}', "array"),
    ("networking/extra_headers", '{"a": null}', "null"),
]


def as_text(form):
    """Makes the field one of text, as it is in a browser that knows none of numbers: the server's check is what counts."""
    form.locator("[name=value]").evaluate("field => { if (field.localName === 'input') field.type = 'text'; }")


def show_json(page):
    """Shows the JSON of an array or a dictionary, which a script puts beside its items."""
    for tab in page.get_by_role("tab", name="JSON").all():
        tab.click()


@pytest.mark.parametrize("key, typed, problem", INVALID)
def test_a_value_that_is_not_valid_is_refused_beside_the_field_and_kept_as_typed(shop, page, key, typed, problem):
    before = shop.file.read_bytes()
    page.goto(shop.url(flag_path(key)))
    form = page.locator("form:has([name=revision])").first
    form.evaluate("form => form.noValidate = true")
    as_text(form)
    show_json(page)
    form.locator("[name=value]").fill(typed)
    form.locator("[name=reason]").fill("Because I said so")
    with page.expect_response(lambda response: response.request.method == "POST") as answer:
        form.locator("button[name=action][value=set]").click()
    assert answer.value.status == 422

    field = page.locator("form:has([name=revision]) [name=value]").first
    expect(field).to_have_value(typed)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.locator("[name=reason]").first).to_have_value("Because I said so")
    expect(page.locator("[role=alert]").first).to_be_visible()
    described = " ".join(
        page.locator(f"#{part}").inner_text() for part in field.get_attribute("aria-describedby").split()
    )
    assert problem in described
    assert shop.file.read_bytes() == before


def test_going_back_after_a_corrected_refusal_shows_what_was_refused(demo, page):
    address = demo.url(flag_path("checkout/maximum_basket_items"))
    page.goto(address)
    form = page.locator("form:has([name=revision])").first
    as_text(form)
    form.locator("[name=value]").fill("abc")
    form.locator("button[name=action][value=set]").click()
    expect(page.locator("[role=alert]").first).to_contain_text("Not saved.")
    form.locator("[name=value]").fill("123")
    form.locator("button[name=action][value=set]").click()
    expect(page.locator("[role=status]").first).to_contain_text(re.compile("Turned|Set to"))
    page.go_back()
    # The page may also warn of the change that was saved meanwhile.
    expect(page.locator("[role=alert]").filter(has_text="Not saved.")).to_be_visible()


def test_a_browser_asks_for_a_value_before_it_sends_a_boolean_and_resets_without_one(serve, tmp_path, page):
    file = write(tmp_path / "new", {"other": 1}, [{"key": "new", "type": "bool"}])
    server = serve(file)
    page.goto(server.url("/flags/new"))
    page.locator("button[name=action][value=set]").click()
    assert page.locator("[name=value]").first.evaluate("field => !field.validity.valid")
    assert page.url == server.url("/flags/new")
    page.locator("[name=value][value=true]").check()
    page.locator("button[name=action][value=set]").click()
    expect(page.locator("[role=status]").first).to_contain_text("Turned on.")


@pytest.mark.parametrize("value", ["", "maybe", "truest", "2"])
def test_a_boolean_takes_only_words_for_true_and_false(shop, value):
    before = shop.file.read_bytes()
    fields = shop.editor("checkout/guest_checkout") | {"action": "set", "value": value}
    assert shop.post(flag_path("checkout/guest_checkout"), fields).status == 422
    assert shop.file.read_bytes() == before


@pytest.mark.parametrize("value", ["Bold", "shouted", ""])
def test_a_choice_takes_one_of_its_choices_only(shop, value):
    before = shop.file.read_bytes()
    fields = shop.editor("appearance/price_emphasis") | {"action": "set", "value": value}
    assert shop.post(flag_path("appearance/price_emphasis"), fields).status == 422
    assert shop.file.read_bytes() == before


@pytest.mark.parametrize("key", LOCKED)
def test_a_locked_flag_has_no_editor_and_says_why(shop, page, key):
    page.goto(shop.url(flag_path(key)))
    expect(page.locator("main")).to_contain_text(re.compile("locked", re.I))
    expect(page.locator("main")).to_contain_text("manifest")
    assert page.locator("[name=value], [name=revision]").count() == 0
    assert page.locator("button[value=set], button[value=reset]").count() == 0


@pytest.mark.parametrize("action", ["set", "reset"])
@pytest.mark.parametrize("key, value", list(zip(LOCKED, ["21", "cardbridge"])))
def test_a_hand_made_request_cannot_change_a_locked_flag(shop, key, value, action):
    before = shop.file.read_bytes()
    fields = shop.editor("checkout/guest_checkout") | {"action": action, "value": value, "reason": "by hand"}
    for variant in (fields, fields | {"revision": ""}, fields | {"value": "not valid"}):
        answer = shop.post(flag_path(key), variant)
        assert answer.status == 423, answer.text
        assert "locked" in answer.text
    assert shop.file.read_bytes() == before


@pytest.mark.parametrize(
    "path",
    [
        "/flags/onboarding%2Fminimum_age",
        "/flags/onboarding//minimum_age",
        "/flags/onboarding/minimum_age/",
        "/flags/onboarding/minimum_age/x",
        "/flags/onboarding/./minimum_age",
        "/flags/x/../onboarding/minimum_age",
        "/flags/onboarding~1minimum_age",
        "/flags/ONBOARDING/minimum_age",
        "/flags/onboarding",
        "/flags/",
        "/flags",
    ],
)
def test_no_other_spelling_of_a_key_path_reaches_a_locked_flag(shop, path):
    before = shop.file.read_bytes()
    fields = shop.editor("checkout/guest_checkout") | {"action": "set", "value": "21"}
    for variant in (fields, fields | {"value": '{"minimum_age": 21}'}, fields | {"action": "reset"}):
        assert 400 <= shop.post(path, variant).status < 500
    assert shop.file.read_bytes() == before


@pytest.mark.parametrize("action", ["remove", "", "SET"])
def test_an_action_that_does_not_exist_changes_nothing(shop, action):
    before = shop.file.read_bytes()
    fields = shop.editor("checkout/guest_checkout") | {"action": action, "value": "true"}
    assert 400 <= shop.post(flag_path("checkout/guest_checkout"), fields).status < 500
    assert shop.file.read_bytes() == before


@pytest.mark.parametrize("missing", ["action", "value"])
def test_a_request_without_a_field_that_matters_changes_nothing(shop, missing):
    before = shop.file.read_bytes()
    fields = shop.editor("checkout/guest_checkout") | {"action": "set", "value": "true"}
    del fields[missing]
    assert 400 <= shop.post(flag_path("checkout/guest_checkout"), fields).status < 500
    assert shop.file.read_bytes() == before


def test_a_provider_that_does_not_exist_is_refused(shop):
    before = shop.file.read_bytes()
    fields = shop.editor("checkout/guest_checkout") | {"action": "set", "value": "true", "provider": "elsewhere"}
    assert 400 <= shop.post(flag_path("checkout/guest_checkout"), fields).status < 500
    assert shop.file.read_bytes() == before


def test_an_edit_of_a_value_that_has_changed_meanwhile_shows_both(demo):
    key = "checkout/notice"
    mine = demo.editor(key) | {"action": "set", "value": "My notice"}
    demo.change(key, "set", "Their notice")
    before = demo.file.read_bytes()
    answer = demo.post(flag_path(key), mine)
    assert answer.status in (409, 412)
    assert "Their notice" in answer.text and "My notice" in answer.text
    assert demo.file.read_bytes() == before


def test_a_change_that_changes_nothing_writes_nothing(demo):
    demo.change("checkout/guest_checkout", "set", "false")
    before = demo.file.stat()
    demo.change("checkout/guest_checkout", "set", "false")
    after = demo.file.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert demo.get("/history").text.count("data-change=") == 0


@pytest.mark.parametrize("key", INTERNAL)
def test_an_internal_flag_answers_like_a_key_that_was_never_there(shop, key):
    never = key.rpartition("/")[0] + "/never_there"
    fields = shop.editor("checkout/guest_checkout") | {"action": "set", "value": "1"}
    for answer, other in [
        (shop.get(flag_path(key)), shop.get(flag_path(never))),
        (shop.post(flag_path(key), fields), shop.post(flag_path(never), fields)),
        (
            shop.post(flag_path(key), fields | {"action": "reset"}),
            shop.post(flag_path(never), fields | {"action": "reset"}),
        ),
    ]:
        assert answer.status == other.status == 404
        assert answer.text.replace(key, "KEY") == other.text.replace(never, "KEY")
    assert INTERNAL_FLAGS[key] in shop.file.read_text()


PATHS = [
    "/",
    "/?q=trace",
    "/?q=fraud",
    "/?q=0.8731",
    "/?q=Platform",
    "/?group=networking",
    "/?group=checkout/payment",
    "/history",
    "/history?q=trace",
    "/history?key=networking/trace_token",
    "/export/flags.xml",
    "/export/manifest.xml",
    "/export/effective.xml",
    "/export/history.csv",
    "/export/history.jsonl",
]


def test_internal_flags_leave_no_trace_on_any_page(serve, tmp_path):
    """Every page is the same, byte for byte, as on files that never held the internal flags."""
    with_them = demonstration(tmp_path / "a" / "files")
    without_them = demonstration(tmp_path / "b" / "files")
    values = plistlib.loads(without_them.read_bytes())
    manifest_file = without_them.parent / "flags.manifest.xml"
    manifest = plistlib.loads(manifest_file.read_bytes())
    for key in INTERNAL:
        *groups, leaf = key.split("/")
        holder = values
        for group in groups:
            holder = holder[group]
        del holder[leaf]
    manifest["flags"] = [flag for flag in manifest["flags"] if flag["key"] not in INTERNAL]
    without_them.write_bytes(plistlib.dumps(values))
    manifest_file.write_bytes(plistlib.dumps(manifest, sort_keys=False))

    one, other = serve(with_them), serve(without_them)
    for path in PATHS:
        pages = []
        for server in (one, other):
            answer = server.get(path)
            text = answer.text
            for key, value in INTERNAL_FLAGS.items():
                if key not in path:
                    assert key.rpartition("/")[2] not in text, path
                assert value not in text or value in path, path
            text = text.replace(str(server.port), "PORT").replace(str(server.file.parent.parent), "FOLDER")
            pages.append((answer.status, text))
        # The second file was written anew, so its layout is another; the test of the export compares bytes.
        if path not in ("/export/manifest.xml", "/export/flags.xml"):
            assert pages[0] == pages[1], path


def test_an_outside_edit_of_an_internal_flag_is_not_shown(demo):
    demo.file.write_text(demo.file.read_text().replace("trace-5f27c1d0b9", "trace-changed"))
    for path in ["/", "/history", "/history?q=trace", "/history/1", "/export/history.csv", "/export/history.jsonl"]:
        answer = demo.get(path)
        assert "trace_token" not in answer.text and "trace-changed" not in answer.text
    assert demo.get("/history").text.count("data-change=") == 0
    assert demo.get("/history/1").status == 404


def test_a_server_told_so_shows_internal_flags(serve, tmp_path):
    server = serve(demonstration(tmp_path / "demo"), "--show-internal")
    assert server.get(flag_path("networking/trace_token")).status == 200
    assert "trace_token" in server.get("/").text


def test_a_read_only_server_refuses_every_change(serve, tmp_path, page):
    server = serve(demonstration(tmp_path / "demo"), "--read-only")
    before = server.file.read_bytes()
    page.goto(server.url(flag_path("checkout/guest_checkout")))
    expect(page.locator("article")).to_contain_text("See the message at the top of the page.")
    for path in ("/definitions/new", "/definitions/checkout/delivery_fee"):
        answer = server.get(path)
        assert answer.status == 403 and "Editing is unavailable" in answer.text
    assert all("value" not in form for form in forms_in(page.content()))
    fields = {"provider": "local", "revision": "x", "action": "set", "value": "true"}
    assert server.post(flag_path("checkout/guest_checkout"), fields).status == 403
    assert server.file.read_bytes() == before


def test_a_file_that_breaks_while_it_is_served_is_never_overwritten(demo):
    fields = demo.editor("checkout/guest_checkout") | {"action": "set", "value": "true"}
    broken = demo.file.read_bytes().replace(b"</plist>", b"")
    demo.file.write_bytes(broken)
    assert demo.post(flag_path("checkout/guest_checkout"), fields).status in (409, 503)
    assert demo.file.read_bytes() == broken
    assert re.search(r"line \d+", demo.get("/").text)


def test_a_page_that_does_not_exist_says_so_and_leads_back(shop, page):
    for path in ["/nowhere", "/flags/no/such/flag", "/history/999999", "/history/abc"]:
        answer = page.goto(shop.url(path))
        assert answer.status == 404
        expect(page.locator("main")).to_be_visible()
        expect(page.locator('a[href="/"]').first).to_be_visible()


def test_the_export_is_the_file_byte_for_byte_less_the_internal_entries(shop):
    lines = shop.file.read_bytes().splitlines(keepends=True)
    for key in INTERNAL:
        leaf = key.rpartition("/")[2].encode()
        at = next(number for number, line in enumerate(lines) if line.strip() == b"<key>" + leaf + b"</key>")
        del lines[at : at + 2]
    assert shop.get("/export/flags.xml").body == b"".join(lines)


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
@pytest.mark.parametrize("button, shown, rows", [("Keep current", "Their notice", 1), ("Overwrite", "My notice", 2)])
def test_a_conflict_is_decided_by_one_of_two_buttons(demo, open_page, script, button, shown, rows):
    key = "checkout/notice"
    page = open_page(java_script_enabled=script)
    page.goto(demo.url(flag_path(key)))
    page.locator("[name=value]").fill("My notice")
    demo.change(key, "set", "Their notice")
    page.get_by_role("button", name="Save").click()
    page.locator(".card-editor").get_by_text(button, exact=True).click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("[data-effective]")).to_contain_text(shown)
    expect(page.locator("[name=value]")).to_have_value(shown)
    expect(page.locator("[data-change]")).to_have_count(rows)
