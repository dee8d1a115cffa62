"""A server that names the environment of its file, and has changes confirmed and reasons given."""

import json
import plistlib
import re

import pytest
from command_project import Project
from exhibits import two_providers
from playwright.sync_api import expect

SWITCH = "checkout/guest_checkout"
COUNT = "checkout/maximum_basket_items"
STRICT = ("--environment", "Production:red", "--require-reason", "--confirm-changes")


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "production")


@pytest.fixture
def production(serve, project):
    return serve(project.file, *STRICT)


def held(server, key):
    group, name = key.split("/")
    return plistlib.loads(server.file.read_bytes())[group].get(name)


def rows(server):
    return json.loads(server.get("/api/v1/history").text)["changes"]


@pytest.mark.parametrize("path", ["/", f"/flags/{COUNT}", f"/?open={COUNT}", "/history", "/compare", "/export", "/help"])
def test_no_page_calls_the_file_local(serve, project, open_page, path):
    server = serve(project.file, "--environment", "Production:red")
    server.change(COUNT, "set", "160", "Fair")
    page = open_page()
    page.goto(server.url(path))
    expect(page.locator(".environment")).to_have_text("Environment: Production")
    assert "Local" not in page.locator("body").inner_text()


def test_the_name_in_the_apps_code_still_means_the_file_for_programs(serve, project):
    server = serve(project.file, "--environment", "Production:red")
    assert project.ask("get", COUNT, "--provider", "Local") == "150\n"
    assert json.loads(project.ask("get", COUNT, "--provider", "Local", "--json"))["source"] == "Production"
    exported = [server.get(f"/api/v1/export/flags.json?of={name}") for name in ("Local", "Production")]
    assert exported[0].status == 200 and exported[0].text == exported[1].text
    listed = json.loads(server.get("/api/v1/providers").text)["providers"]
    assert [(each["name"], each.get("declaredName")) for each in listed] == [("Production", "Local")]


def test_a_switch_in_the_list_opens_its_row_and_is_saved_with_reason_and_name(production, page):
    was = held(production, SWITCH)
    page.goto(production.url("/"))
    row = page.locator(f'[data-flag="{SWITCH}"]')
    row.locator(".switching button").first.click()
    reason = row.get_by_role("textbox", name="Reason")
    expect(reason).to_be_focused()
    # It asks, and refuses nothing.
    expect(row).to_contain_text("Production requires a reason. Nothing is changed yet.")
    expect(row.locator(".problem, [aria-invalid=true], [role=alert]")).to_have_count(0)
    assert held(production, SWITCH) == was
    reason.fill("Fake orders")
    row.get_by_role("button", name="Save", exact=True).click()
    name = page.get_by_role("textbox", name="Type Production to confirm")
    expect(name).to_be_focused()
    assert held(production, SWITCH) == was
    name.fill("Production")
    row.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".notice")).to_be_visible()
    assert held(production, SWITCH) is (not was)
    assert (rows(production)[0]["provider"], rows(production)[0]["reason"]) == ("Production", "Fake orders")


def test_the_palette_leads_to_the_reason_that_a_switch_needs_and_what_is_typed_goes_there(production, open_page):
    was = held(production, SWITCH)
    page = open_page()
    page.goto(production.url("/"))
    page.keyboard.press("Control+k")
    page.keyboard.type(f"turn {'off' if was else 'on'} guest")
    expect(page.locator("dialog [role=option]").first).to_contain_text("Guest checkout")
    page.keyboard.press("Enter")
    reason = page.locator(f'[data-flag="{SWITCH}"]').get_by_role("textbox", name="Reason")
    expect(reason).to_be_focused()
    page.keyboard.type("Fix for launch")
    expect(reason).to_have_value("Fix for launch")
    assert rows(production) == [] and held(production, SWITCH) == was


@pytest.mark.parametrize("has_script", [True, False])
def test_a_refused_switch_is_corrected_and_saved_in_the_list_that_it_is_in(production, open_page, has_script):
    was = held(production, SWITCH)
    page = open_page(java_script_enabled=has_script)
    page.goto(production.url("/?q=checkout"))
    row = page.locator(f'[data-flag="{SWITCH}"]')
    row.locator(".switching button").first.click()
    row.get_by_role("textbox", name="Reason").fill("Fake orders")
    row.get_by_role("textbox", name="Type Production to confirm").fill("Production")
    row.get_by_role("button", name="Save", exact=True).click()
    expect(row.locator(".notice")).to_be_visible()
    expect(page.get_by_role("searchbox", name="Search")).to_have_value("checkout")
    expect(page.get_by_role("heading", level=1)).to_have_text("Flags")
    assert held(production, SWITCH) is (not was)
    assert [each["reason"] for each in rows(production)] == ["Fake orders"]


def test_a_refused_switch_leaves_another_row_that_is_being_edited(production, open_page):
    page = open_page()
    page.goto(production.url(f"/?open={COUNT}#row"))
    page.locator("#value").fill("77")
    page.locator(f'[data-flag="{SWITCH}"] .switching button').first.click()
    expect(page.locator(f'[data-flag="{COUNT}"] [role=alert]')).to_contain_text("Unsaved changes.")
    expect(page.locator("#value")).to_have_value("77")
    expect(page.locator(f'[data-flag="{SWITCH}"]')).not_to_have_attribute("aria-busy", "true")


def test_a_flag_is_changed_by_keyboard_alone(production, page):
    page.goto(production.url(f"/flags/{COUNT}"))
    page.locator("#value").fill("160")
    page.get_by_role("textbox", name="Reason").fill("Fair")
    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox", name="Type Production to confirm")).to_be_focused()
    page.keyboard.type("Production")
    page.keyboard.press("Enter")
    expect(page.locator(".notice")).to_be_visible()
    assert held(production, COUNT) == 160


def test_a_touch_screen_confirms_with_a_box_of_44_pixels(production, open_page):
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(production.url(f"/flags/{COUNT}"))
    expect(page.get_by_role("textbox", name="Type Production to confirm")).to_be_hidden()
    box = page.get_by_label("I’m changing Production").first
    assert page.locator(".confirm-ticked label").first.bounding_box()["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#value").fill("160")
    page.get_by_role("textbox", name="Reason").first.fill("Fair")
    box.tap()
    page.get_by_role("button", name="Save", exact=True).tap()
    expect(page.locator(".notice")).to_be_visible()
    assert held(production, COUNT) == 160


def test_an_undo_has_its_reason_and_is_confirmed_in_its_preview(production, page):
    page.goto(production.url(f"/flags/{COUNT}"))
    was = held(production, COUNT)
    page.locator("#value").fill("160")
    page.get_by_role("textbox", name="Reason").fill("Fair")
    page.get_by_role("textbox", name="Type Production to confirm").fill("Production")
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Undo")
    assert held(production, COUNT) == 160
    page.locator("form.batch-form button[type=submit]").first.click()
    expect(page.locator("#confirm-problem")).to_contain_text("Confirm that you’re changing Production.")
    page.get_by_role("textbox", name="Type Production to confirm").fill("production")
    page.locator("form.batch-form button[type=submit]").first.click()
    expect(page.locator("#confirm-problem")).to_contain_text("Type Production exactly to confirm. Upper and lower case differ.")
    page.get_by_role("textbox", name="Type Production to confirm").fill("Production")
    page.locator("form.batch-form button[type=submit]").first.click()
    page.wait_for_url(f"**/flags/{COUNT}?noted=*")
    expect(page.locator(".notice")).to_contain_text(f"Undone. Back to {was}.")
    assert held(production, COUNT) == was
    assert (rows(production)[0]["origin"], rows(production)[0]["reason"]) == ("revert", "Undo change 1")


@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
def test_a_revert_of_an_older_change_is_called_so_in_its_preview(production, open_page, scripts):
    for value in ("160", "170"):
        form = production.editor(COUNT) | {"action": "set", "value": value, "reason": "Fair", "confirm": "Production"}
        assert production.post(f"/flags/{COUNT}", form).status == 303
    page = open_page(java_script_enabled=scripts)
    page.goto(production.url(f"/flags/{COUNT}"))
    page.get_by_role("button", name=re.compile("^Revert change 1")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Revert")
    page.goto(production.url(f"/flags/{COUNT}"))
    page.get_by_role("button", name=re.compile("^Undo change 2:")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Undo")


def test_rest_is_told_what_to_send(production):
    def put(body):
        headers = {"Content-Type": "application/json", "If-Match": "*", "Sec-Fetch-Site": "same-origin"}
        return production.request(
            "PUT", f"/api/v1/flags/{COUNT}", json.dumps({"value": 160} | body).encode(),
            headers | {"Origin": production.address})

    bare = put({})
    assert (bare.status, json.loads(bare.text)["code"]) == (422, "reason-required")
    unconfirmed = put({"reason": "Fair"})
    problem = json.loads(unconfirmed.text)
    assert (unconfirmed.status, problem["code"]) == (428, "confirmation-required")
    assert problem["remedy"] == "Send confirm=Production (--confirm Production). Nothing was changed."
    assert put({"reason": "Fair", "confirm": "Production", "provider": "Local"}).status == 200
    assert held(production, COUNT) == 160


def test_commands_meet_the_rules_beside_the_server_and_without_it(production, project):
    code, _, error = project.run("set", COUNT, "160")
    assert code == 5 and "Production requires a reason." in error
    code, _, error = project.run("set", COUNT, "160", "--reason", "Fair")
    assert code == 5 and "--confirm Production" in error
    project.ask("set", COUNT, "160", "--reason", "Fair", "--confirm", "Production", "--provider", "Local")
    production.stop()
    strict = {"FLAGBOARD_ENVIRONMENT": "Production", "FLAGBOARD_REQUIRE_REASON": "true"}
    code, _, error = project.run("set", COUNT, "170", **strict)
    assert code == 5 and "Production requires a reason." in error
    values = json.dumps({"checkout": {"maximum_basket_items": 180}})
    code, _, error = project.run("import", "-", "--plan", said=values, **strict)
    assert code == 5 and "Production requires a reason." in error
    assert project.run("import", "-", "--plan", "--reason", "Fair", said=values, **strict)[0] == 0
    project.ask("set", COUNT, "170", "--reason", "Fair", **strict)
    assert [row["provider"] for row in project.rows()] == ["Local", "Local"]


@pytest.mark.parametrize("options, told", [
    (("--confirm-changes",), "--environment NAME"),
    (("--environment", "Production", "--banner", "Staging"), "Remove --banner"),
    (("--environment", "effective"), "can't be named effective"),
    (("--environment", "Production:pink"), "pink is not a colour"),
])
def test_wrong_options_are_refused_with_the_right_ones(project, options, told):
    code, _, error = project.run("serve", "--port", "0", *options)
    assert code == 64 and told in error


def test_a_flag_with_a_value_in_a_strict_environment_is_renamed_and_deleted_on_its_page(serve, tmp_path, page):
    file = two_providers(tmp_path / "strict")
    manifest = file.with_name("flags.manifest.xml")
    document = plistlib.loads(manifest.read_bytes())
    document["environments"] = {"Production": {"requiresReason": True, "confirmsChanges": True}}
    manifest.write_bytes(plistlib.dumps(document))
    server = serve(file, "--provider", "Production=team.xml:env")
    page.goto(server.url("/definitions/ui/title"))
    renaming = page.get_by_role("form", name="Rename flag")
    renaming.get_by_label("New key path").fill("ui/name")
    renaming.get_by_label("Reason for renaming", exact=True).fill("Shorter")
    renaming.get_by_role("button", name="Rename flag").click()
    expect(page.get_by_label("New key path")).not_to_have_attribute("aria-invalid", "true")
    page.get_by_role("form", name="Rename flag").get_by_label("Type Production to confirm").fill("Production")
    page.get_by_role("form", name="Rename flag").get_by_role("button", name="Rename flag").click()
    page.wait_for_url("**/ui/name*")
    assert "name" in plistlib.loads((file.parent / "team.xml").read_bytes())["ui"]
    page.goto(server.url("/definitions/ui/name"))
    deleting = page.get_by_role("form", name="Delete flag")
    deleting.get_by_label("Type ui/name to confirm").fill("ui/name")
    deleting.get_by_label("Reason for deleting", exact=True).fill("Unused")
    deleting.get_by_label("Type Production to confirm").fill("Production")
    deleting.get_by_role("button", name="Delete flag").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Flags")
    assert "name" not in plistlib.loads((file.parent / "team.xml").read_bytes())["ui"]
