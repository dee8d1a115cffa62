"""An admin defines, edits, renames, deprecates and deletes a flag; the manifest changes in that flag's entry alone."""

import plistlib
import re

import pytest
from harness import flag_path, forms_in
from playwright.sync_api import expect
from samples import write
from tokens import make_token

KEY = "checkout/delivery_fee"


def definition_path(key):
    return flag_path(key).replace("/flags/", "/definitions/", 1)


def manifest_of(server):
    return server.file.parent / "flags.manifest.xml"


def notice(page):
    """What the page says of what was done, once all of it is there."""
    told = page.locator(".banner-success").inner_text()
    page.wait_for_load_state()
    return told


def test_a_flag_is_defined_from_the_list_with_what_was_typed_kept_where_it_is_wrong(demo, page):
    before = manifest_of(demo).read_text()
    page.goto(demo.url("/"))
    page.get_by_role("link", name="New flag").click()
    page.get_by_label("Key path").fill("checkout/gift_wrap_price")
    page.get_by_label("Type", exact=True).select_option("double")
    page.get_by_label("Description").fill("What wrapping costs.\nIn euros & cents.")
    page.get_by_label("Default", exact=True).fill("free")
    page.get_by_text("More options").click()
    page.get_by_label("Minimum").fill("0")
    page.get_by_label("Order").fill("first")
    page.get_by_role("button", name="Create flag").click()
    page.get_by_role("alert").wait_for()
    assert manifest_of(demo).read_text() == before
    for label, wrong in (("Default", "Enter a number of 0 or more."), ("Order", "first")):
        field = page.get_by_label(label, exact=True)
        assert field.get_attribute("aria-invalid") == "true"
        problem = page.locator("#" + field.get_attribute("aria-describedby").split()[0])
        assert wrong in problem.inner_text()
    assert page.get_by_label("Description").input_value() == "What wrapping costs.\nIn euros & cents."

    page.get_by_label("Default", exact=True).fill("2.5")
    page.get_by_label("Order").fill("")
    assert page.get_by_label("Expires").get_attribute("type") == "date"
    page.get_by_label("Expires").fill("2030-01-31")
    page.get_by_label("Tags").fill("gifts, winter")
    page.get_by_label("Owner").fill("Eve")
    page.get_by_label("Requires restart").check()
    page.get_by_role("button", name="Create flag").click()
    assert "Flag created." in notice(page)
    facts = page.locator("section:has(#definition-title)").inner_text()
    for text in ("2.5", "Eve", "2030-01-31", "Minimum"):
        assert text in facts
    assert page.locator(".tag").all_inner_texts() == ["Tag gifts", "Tag winter"] or page.locator(".tag").count() == 2
    after = manifest_of(demo).read_text()
    place = after.index("<string>checkout/gift_wrap_price</string>")
    start, end = after.rindex("\n\t\t<dict>", 0, place), after.index("</dict>", place) + len("</dict>")
    assert after[:start] + after[end:] == before
    page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(page.locator(".banner-success")).to_contain_text("Undone.")
    assert manifest_of(demo).read_text() == before


def test_an_edit_changes_its_own_fields_alone_and_a_conflict_shows_both(demo, page):
    manifest = manifest_of(demo)
    before = manifest.read_text()
    page.goto(demo.url(flag_path(KEY)))
    page.get_by_role("link", name="Edit definition").click()
    page.get_by_label("Owner").fill("Zoë")
    page.get_by_role("button", name="Save changes").click()
    assert "Definition saved." in notice(page)
    changed = [line for line in manifest.read_text().splitlines() if line not in before.splitlines()]
    assert changed == ["\t\t\t<string>Zoë</string>"]

    page.goto(demo.url(definition_path(KEY)))
    page.get_by_label("Owner").fill("Mine")
    manifest.write_text(manifest.read_text().replace("Zoë", "Theirs"))
    page.get_by_role("button", name="Save changes").click()
    page.get_by_role("alert").get_by_text("This definition changed while you were editing.").wait_for()
    meanwhile = page.locator("section:has(#differences-title)").inner_text()
    assert "Theirs" in meanwhile and "Mine" in meanwhile
    assert "Theirs" in manifest.read_text()
    page.get_by_role("button", name="Save changes").click()
    assert "Definition saved." in notice(page) and "Mine" in manifest.read_text()

    page.goto(demo.url(definition_path(KEY)))
    page.get_by_label("Owner").fill("Mine again")
    form = next(form for form in forms_in(demo.get(definition_path(KEY)).text) if "owner" in form)
    theirs = {"action": "save", "type": "double", "description": "Theirs is better", "requiresRestart": "yes"}
    assert demo.post(definition_path(KEY), form | theirs).status == 303
    page.get_by_role("button", name="Save changes").click()
    page.get_by_role("alert").get_by_text("Fields you didn’t touch now show the new content.").wait_for()
    assert page.get_by_label("Description").input_value() == "Theirs is better"
    assert page.get_by_label("Requires restart").is_checked()
    assert page.get_by_label("Owner").input_value() == "Mine again"
    assert page.locator("section:has(#differences-title) dt").all_inner_texts() == ["Owner"]
    page.get_by_role("button", name="Save changes").click()
    assert "Definition saved." in notice(page)
    assert "Mine again" in manifest.read_text() and "Theirs is better" in manifest.read_text()


def test_a_field_that_is_not_for_the_type_shows_only_while_something_stands_in_it(demo, page):
    page.goto(demo.url("/definitions/new"))
    page.get_by_text("More options").click()
    expect(page.get_by_role("group", name="Values")).to_be_hidden()
    chosen, fields = page.get_by_label("Type", exact=True), ("Choices", "Suggestions", "Minimum", "Maximum", "Pattern")

    def shown():
        return {label for label in fields if page.get_by_label(label, exact=True).is_visible()}

    wanted = {
        "bool": set(), "integer": {"Suggestions", "Minimum", "Maximum"}, "string": {"Suggestions", "Pattern"}, "choice": {"Choices"},
        "url": {"Suggestions", "Pattern"}, "json": {"Suggestions"}}
    for name, labels in wanted.items():
        chosen.select_option(name)
        assert shown() == labels, name
    chosen.select_option("string")
    expect(page.get_by_label("Default is empty text")).to_be_visible()
    page.get_by_label("Pattern").fill("[a-z]+")
    chosen.select_option("integer")
    expect(page.get_by_label("Default is empty text")).to_be_hidden()
    assert shown() == {"Suggestions", "Minimum", "Maximum", "Pattern"}
    page.get_by_label("Key path").fill("checkout/odd")
    page.get_by_role("button", name="Create flag").click()
    expect(page.locator("#field-pattern-problem")).to_contain_text("Only for string and url")
    page.get_by_label("Pattern").fill("")
    chosen.focus()
    # What was said to be wrong is not hidden before the next answer.
    assert "Pattern" in shown()


def test_a_field_that_was_emptied_stays_while_a_button_below_it_is_pressed(demo, page):
    page.goto(demo.url("/definitions/new"))
    page.get_by_label("Key path").fill("checkout/odd")
    page.get_by_label("Type", exact=True).select_option("string")
    page.get_by_text("More options").click()
    page.get_by_label("Pattern").fill("[a-z]+")
    page.get_by_label("Type", exact=True).select_option("integer")
    page.get_by_label("Pattern").press("ControlOrMeta+a")
    page.get_by_label("Pattern").press("Delete")
    button = page.get_by_role("button", name="Create flag")
    button.scroll_into_view_if_needed()
    place = button.bounding_box()
    page.mouse.move(place["x"] + 8, place["y"] + 8)
    page.mouse.down()
    assert button.bounding_box() == place
    page.mouse.up()
    assert "Flag created." in notice(page)


def test_a_type_that_breaks_values_is_saved_only_when_that_is_confirmed(demo, page):
    page.goto(demo.url(definition_path("checkout/maximum_basket_items")))
    page.get_by_label("Type", exact=True).select_option("array")
    for label in ("Default", "Minimum", "Maximum"):
        page.get_by_label(label, exact=True).fill("")
    page.get_by_role("button", name="Save changes").click()
    assert "Local has integer" in page.locator("#field-breaksValues-problem").inner_text()
    page.get_by_label("Save anyway").check()
    page.get_by_role("button", name="Save changes").click()
    assert "Definition saved." in notice(page)
    assert page.locator(".state-broken").count() == 1


def test_a_flag_is_renamed_with_its_value_and_retired_and_deleted_when_its_key_is_typed(demo, page):
    page.goto(demo.url(definition_path(KEY)))
    page.get_by_label("New key path").fill("checkout/free_delivery_until")
    page.get_by_role("button", name="Rename flag").click()
    assert "in use or reserved" in page.locator("#rename-problem").inner_text()
    page.get_by_label("New key path").fill("delivery/fee")
    page.get_by_role("button", name="Rename flag").click()
    assert "Flag renamed." in notice(page)
    assert page.locator("[data-flag='delivery/fee']").count() == 1
    answer = demo.get(flag_path(KEY))
    assert answer.status == 404 and f"{KEY} was renamed to delivery/fee." in answer.text
    expect(page.locator(".flag-history")).to_contain_text(f"Formerly {KEY}")
    assert page.locator(".flag-history [data-change]").count() == 1
    expect(page.locator(".flag-history .deed")).to_contain_text(f"renamed it from {KEY}")
    page.get_by_role("link", name="Earlier history").click()
    page.wait_for_url("**/history?key=checkout%2Fdelivery_fee")
    expect(page.locator("[data-change]").first).to_contain_text(KEY)

    page.goto(demo.url(definition_path("delivery/fee")))
    page.get_by_label("Reason for deprecating").fill("delivery is free now")
    page.get_by_role("button", name="Deprecate flag").click()
    assert "Flag deprecated." in notice(page)
    page.goto(demo.url("/?state=retired"))
    assert page.locator("[data-flag]").count() == 1 or "1 of" in page.locator(".count").first.inner_text()

    page.goto(demo.url(definition_path("delivery/fee")))
    confirmation = page.get_by_label(re.compile("^Type .* to confirm$"))
    confirmation.fill("delivery")
    page.get_by_role("button", name="Delete flag").click()
    assert "exactly to confirm" in page.locator("#delete-problem").inner_text()
    # What is wrong is said at the form alone, which has the focus.
    expect(page.get_by_role("alert")).to_have_count(1)
    expect(page.locator("#delete-problem")).to_be_focused()
    assert confirmation.input_value() == "delivery"
    confirmation.fill("delivery/fee")
    page.get_by_label("Reason for deleting").fill("nobody pays it")
    page.get_by_role("button", name="Delete flag").click()
    expect(page.locator(".notice")).to_contain_text("delivery/fee deleted.")
    page.locator(".notice").get_by_role("link", name="View change").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"^Change \d+$"))
    expect(page.locator(".page-head .kind")).to_have_text("Deleted")
    expect(page.locator("main")).to_contain_text("nobody pays it")
    assert demo.get(flag_path("delivery/fee")).status == 404
    assert "delivery/fee" not in manifest_of(demo).read_text()


def test_the_first_definition_makes_the_manifest(serve, tmp_path, page):
    server = serve(write(tmp_path / "bare", {"stray": "value"}))
    page.goto(server.url(flag_path("stray")))
    page.get_by_role("link", name="Add definition").click()
    assert page.get_by_label("Key path").input_value() == "stray"
    assert page.get_by_label("Type", exact=True).input_value() == "string"
    page.get_by_role("button", name="Create flag").click()
    assert "Flag created." in notice(page)
    assert "<string>stray</string>" in manifest_of(server).read_text()


def test_a_flag_made_internal_is_gone_and_its_key_path_tells_nothing(demo, page):
    page.goto(demo.url(definition_path(KEY)))
    page.get_by_label("Internal").check()
    page.get_by_role("button", name="Save changes").click()
    page.wait_for_url(demo.url("/"))
    for path in (flag_path(KEY), definition_path(KEY)):
        assert demo.get(path).status == 404
    texts = set()
    # A key path where a file holds something that can be seen, and no flag is defined, is refused just so.
    values = plistlib.loads(demo.file.read_bytes())
    values["checkout"]["stray"] = "x"
    demo.file.write_bytes(plistlib.dumps(values))
    for key in (KEY, "checkout/payment/fraud_threshold", "checkout/stray/inside"):
        answer = demo.post("/definitions/new", {"action": "save", "key": key, "type": "bool"})
        assert answer.status == 422
        texts.add(answer.text.replace(f'value="{key}"', 'value="KEY"'))
    assert len(texts) == 1 and "in use or reserved" in texts.pop()


def test_only_admins_see_the_way_to_definitions(guarded):
    for role, count in {"viewer": 0, "editor": 0, "admin": 1}.items():
        headers = {"Authorization": f"Bearer {make_token(guarded.file, role, role)}"}
        assert ("/definitions/new" in guarded.get("/", headers).text) == (count == 1)
        assert guarded.get(flag_path(KEY), headers).text.count(definition_path(KEY)) == count
        assert guarded.get(definition_path(KEY), headers).status == (200 if count else 403)


def test_a_flag_is_defined_by_its_key_path_and_enter(demo, page):
    page.goto(demo.url("/definitions/new"))
    expect(page.get_by_label("Key path")).to_be_focused()
    page.keyboard.type("typed/by_keyboard")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "field-name"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "field-type"
    page.keyboard.press("Tab")
    expect(page.get_by_label("Off", exact=True)).to_be_focused()
    expect(page.get_by_label("Off", exact=True)).to_be_checked()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url("**/flags/typed/by_keyboard?saved=*")
    assert page.locator("h1").inner_text() == "By keyboard"
    expect(page.locator("[data-effective]")).to_have_text("On")


@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
def test_an_unusual_key_path_is_asked_about_before_the_flag_is_created(demo, open_page, scripts):
    page = open_page(java_script_enabled=scripts)
    before = manifest_of(demo).read_text()
    page.goto(demo.url("/definitions/new"))
    page.get_by_label("Key path", exact=True).fill("checkout new flag!")
    page.get_by_label("Name").fill("Fast lane")
    page.get_by_role("button", name="Create flag").click()
    expect(page.locator("#field-key-problem")).to_contain_text("Use checkout/new_flag?")
    expect(page.get_by_label("Use this key path anyway")).not_to_be_checked()
    assert manifest_of(demo).read_text() == before
    page.get_by_label("Key path", exact=True).fill("checkout/new_flag")
    page.get_by_role("button", name="Create flag").click()
    assert "Flag created." in notice(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Fast lane")
    page.goto(demo.url("/definitions/new"))
    page.get_by_label("Key path", exact=True).fill("checkout/odd one")
    page.get_by_role("button", name="Create flag").click()
    page.get_by_label("Use this key path anyway").check()
    page.get_by_role("button", name="Create flag").click()
    assert "Flag created." in notice(page)
    assert "<string>checkout/odd one</string>" in manifest_of(demo).read_text()


@pytest.mark.parametrize("path", [flag_path, definition_path], ids=["from its page", "from its definition"])
@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
def test_a_flag_is_duplicated_under_a_new_key_path_and_only_when_it_is_created(demo, open_page, scripts, path):
    page = open_page(java_script_enabled=scripts)
    before = manifest_of(demo).read_bytes()
    page.goto(demo.url(path("appearance/price_emphasis")))
    page.get_by_role("link", name="Duplicate").click()
    page.wait_for_url("**/definitions/new?from=*")
    expect(page.get_by_label("Key path", exact=True)).to_have_value("appearance/price_emphasis_copy")
    expect(page.get_by_label("Type", exact=True)).to_have_value("choice")
    assert manifest_of(demo).read_bytes() == before
    page.get_by_label("Key path", exact=True).fill("appearance/tag_emphasis")
    page.get_by_role("button", name="Create flag").click()
    assert "Flag created." in notice(page)
    flags = {flag["key"]: flag for flag in plistlib.loads(manifest_of(demo).read_bytes())["flags"]}
    copy, original = flags["appearance/tag_emphasis"], flags["appearance/price_emphasis"]
    assert {k: v for k, v in copy.items() if k not in ("key", "name")} == {
        k: v for k, v in original.items() if k not in ("key", "name")}
    assert copy["name"] == original["name"] + " (copy)"


def test_the_forms_fields_are_no_wider_than_they_need_and_what_is_dangerous_comes_last(demo, open_page):
    page = open_page(viewport={"width": 1440, "height": 900})
    page.goto(demo.url(definition_path(KEY)))
    assert page.get_by_label("Name", exact=True).bounding_box()["width"] <= 28 * 16
    assert page.get_by_label("Minimum").bounding_box()["width"] <= 14 * 16
    flag, owner = (page.get_by_role("group", name=name, exact=True).bounding_box() for name in ("Flag", "Ownership"))
    assert owner["x"] >= flag["x"] + flag["width"] and owner["y"] == flag["y"]
    headings = page.get_by_role("heading", level=2).all_inner_texts()
    assert headings == ["Rename or deprecate", "Danger zone"]


def test_choices_among_whole_numbers_are_defined_and_set(demo, page):
    page.goto(demo.url("/definitions/new"))
    page.get_by_label("Key path").fill("search/page_size")
    expect(page.get_by_label("Choices")).to_be_hidden()
    page.get_by_label("Type", exact=True).select_option("choice")
    expect(page.get_by_label("Off", exact=True)).to_be_hidden()
    page.get_by_label("Choices").fill("10\n25")
    page.get_by_label("Whole number").check()
    page.get_by_label("Default", exact=True).fill("10")
    page.get_by_role("button", name="Create flag").click()
    assert "Flag created." in notice(page)
    page.get_by_label("25", exact=True).check()
    page.locator("button[name=action][value=set]").click()
    assert "Set to 25." in notice(page)
    assert plistlib.loads(demo.file.read_bytes())["search"]["page_size"] == 25
    page.get_by_role("heading", name="Swift").click()
    expect(page.locator("pre[aria-labelledby=snippet-title]")).to_contain_text("enum PageSizeChoice: Int")


def test_names_and_tags_of_several_lines_stay_as_they_are(serve, tmp_path, open_page):
    entry = {"key": "limit", "type": "integer", "name": "Na\nme", "tags": ["x, y", "z", "w\nq"], "owner": "A\nB"}
    server = serve(write(tmp_path / "shop", {"limit": 5}, [entry]))
    page = open_page()
    page.goto(server.url("/definitions/limit"))
    page.get_by_label("Icon").fill("gauge")
    page.get_by_role("button", name="Save changes").click()
    expect(page.locator(".banner-success")).to_be_visible()
    held = plistlib.loads(manifest_of(server).read_bytes())["flags"][0]
    assert held == entry | {"icon": "gauge"}
    page.goto(server.url("/definitions/limit"))
    tags = page.get_by_label("Tags")
    tags.fill(tags.input_value() + ", new")
    page.get_by_role("button", name="Save changes").click()
    expect(page.locator(".banner-success")).to_be_visible()
    held = plistlib.loads(manifest_of(server).read_bytes())["flags"][0]
    assert held["tags"] == ["x, y", "z", "w\nq", "new"]


def test_suggestions_that_are_arrays_stand_on_a_line_each(serve, tmp_path, open_page):
    entry = {"key": "list", "type": "array", "suggestions": [["x", "y"], []]}
    server = serve(write(tmp_path / "shop", {"list": ["x"]}, [entry]))
    page = open_page()
    page.goto(server.url("/definitions/list"))
    lines = page.get_by_label("Suggestions").input_value().split("\n")
    assert len(lines) == 2
    page.get_by_label("Suggestions").fill("\n".join([*lines, '["z"]']))
    page.get_by_role("button", name="Save changes").click()
    expect(page.locator(".banner-success")).to_be_visible()
    held = plistlib.loads(manifest_of(server).read_bytes())["flags"][0]
    assert held["suggestions"] == [["x", "y"], [], ["z"]]


@pytest.mark.parametrize("path", ["/definitions/new", "/definitions/list"])
def test_a_definition_that_may_not_be_made_any_more_is_refused_with_what_was_typed(serve, tmp_path, path):
    server = serve(write(tmp_path / "shop", {"list": ["x"]}, [{"key": "list", "type": "array"}]), "--read-only")
    fields = {"action": "save", "key": "new/flag", "type": "array", "description": "A long text <of> mine", "reason": "so"}
    answer = server.post(path, fields)
    assert answer.status == 403
    assert "Unsaved changes" in answer.text and "A long text &lt;of&gt; mine" in answer.text
