"""Values from elsewhere: uploaded or pasted, looked at flag by flag, and made as one batch; and the downloads that they come from."""

import io
import json
import plistlib
import re
from html import unescape

from harness import ROOT, forms_in
from playwright.sync_api import expect
from samples import INTERNAL_FLAGS, write
from tokens import make_token

FEE = "checkout/delivery_fee"
VALUES = {
    "checkout": {"delivery_fee": 3.5, "guest_checkout": True, "payment": {"processor": "other", "fraud_threshold": 0.5}},
    "nobody": {"knows": 1},
}


def upload(page, content, name="values.json"):
    page.locator("#file").set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": content})
    page.get_by_role("button", name="Preview").click()


def post(server, content, mode="merge", text=""):
    """Posts a file as a browser does, by plain HTTP."""
    body = io.BytesIO()
    for name, value in {"text": text, "mode": mode, "provider": "Local"}.items():
        body.write(f'--edge\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
    body.write(b'--edge\r\nContent-Disposition: form-data; name="file"; filename="f.xml"\r\n\r\n')
    body.write(content + b"\r\n--edge--\r\n")
    headers = {"Content-Type": "multipart/form-data; boundary=edge", "Sec-Fetch-Site": "same-origin"}
    return server.request("POST", "/import", body.getvalue(), headers)


def hostile_files():
    def bytes_of(part):
        if isinstance(part, str):
            return part.encode()
        if "hex" in part:
            return bytes.fromhex(part["hex"])
        return "".join(part["repeat"].replace("%d", str(number)) for number in range(part["times"])).encode()

    for file in json.loads((ROOT / "Tests/Vectors/hostile-files.json").read_text()):
        yield file, b"".join(bytes_of(part) for part in file["parts"])


def test_a_file_is_previewed_then_made_as_one_batch_and_internal_flags_are_as_if_they_were_not(demo, page):
    before = demo.file.read_bytes()
    page.goto(demo.url("/"))
    page.locator("#menu summary").click()
    page.get_by_role("navigation", name="Menu").get_by_role("link", name="Import").click()
    upload(page, json.dumps(VALUES).encode())
    expect(page.get_by_role("heading", level=1)).to_have_text("Import into Local")
    left_out = page.locator(".batch-row", has_text="Skipped")
    expect(left_out).to_have_text([
        re.compile("checkout/payment/processor is locked"),
        re.compile("Flag “checkout/payment/fraud_threshold” not found"), re.compile("Flag “nobody/knows” not found")])
    assert demo.file.read_bytes() == before

    page.get_by_label("Reason").fill("From the shop next door")
    page.get_by_role("button", name="Apply").click()
    notice = page.locator(".notice")
    expect(notice).to_contain_text("2 changes applied.")
    notice.get_by_role("link", name="View changes").click()
    page.wait_for_url(re.compile(r"/history\?batch="))
    expect(page.locator("[data-change]")).to_have_count(2)
    expect(page.locator("main")).to_contain_text("From the shop next door")
    root = plistlib.loads(demo.file.read_bytes())
    assert root["checkout"]["delivery_fee"] == 3.5 and "nobody" not in root
    assert INTERNAL_FLAGS["checkout/payment/fraud_threshold"] in demo.file.read_text()
    rows = [json.loads(line) for line in demo.get("/export/history.jsonl").text.splitlines()]
    assert {row["origin"] for row in rows} == {"import"} and len({row["batch"] for row in rows}) == 1


def test_an_unknown_key_is_defined_from_the_preview_and_then_imported(demo, page):
    page.goto(demo.url("/import"))
    page.get_by_label("Or paste").fill('{"checkout": {"gift_wrap_price": 2.5, "payment": {"processor": "other"}}}')
    page.get_by_role("button", name="Preview").click()
    locked = page.locator('[data-changes="checkout/payment/processor"]')
    expect(locked.locator(".side-before")).to_be_visible()
    expect(locked).to_contain_text(re.compile(r'Requested\s+"other"'))
    expect(locked.get_by_role("link", name="Define it")).to_have_count(0)
    preview = page.url
    row = page.locator('[data-changes="checkout/gift_wrap_price"]')
    expect(row).to_contain_text(re.compile(r"Requested\s+2\.5"))
    row.get_by_role("link", name="Define it").click()
    expect(page.get_by_label("Key path")).to_have_value("checkout/gift_wrap_price")
    expect(page.get_by_label("Type", exact=True)).to_have_value("double")
    expect(page.get_by_label("Default", exact=True)).to_have_value("2.5")
    page.get_by_role("button", name="Create flag").click()
    expect(page.locator(".banner-success")).to_contain_text("Flag created.")
    page.goto(preview)
    expect(page.locator('[data-changes="checkout/gift_wrap_price"]')).to_have_class(re.compile("batch-change"))


def test_a_pasted_property_list_that_is_broken_is_refused_with_its_place_and_kept(demo, page):
    text = '<plist version="1.0">\n<dict>\n<key>a</key>\n</dict></plist>'
    page.goto(demo.url("/import"))
    page.get_by_label("Or paste").fill(text)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 3")
    expect(page.get_by_label("Or paste")).to_have_value(text)


def test_who_cancels_a_preview_finds_the_text_again_and_flat_keys_are_explained(demo, page):
    text = '{"checkout/delivery_fee": 2.5, "checkout": {"delivery_fee": 4.5}}'
    page.goto(demo.url("/import"))
    page.get_by_label("Or paste").fill(text)
    page.get_by_role("button", name="Preview").click()
    row = page.locator(".batch-row", has_text="Skipped")
    expect(row).to_contain_text("If you mean checkout/delivery_fee, put delivery_fee inside its groups")
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_label("Or paste")).to_have_value(text)


def test_what_is_exported_as_json_is_what_is_there_already(demo, page):
    page.goto(demo.url("/export"))
    with page.expect_download() as download:
        page.get_by_role("link", name="flags.json").click()
    content = download.value.path().read_bytes()
    page.goto(demo.url("/import"))
    page.get_by_label("Replace").check()
    upload(page, content)
    expect(page.get_by_role("heading", name="No changes")).to_be_visible()
    result = page.get_by_role("status").filter(has_text="unchanged")
    expect(result).to_contain_text(re.compile(r"\d unchanged"))
    expect(result).not_to_contain_text(re.compile(r"\d to (add|change|remove)"))


def test_a_flag_that_was_the_same_and_changed_meanwhile_is_shown_before_it_is_changed(serve, tmp_path, page):
    server = serve(write(tmp_path / "two", {"a": True, "b": 1}))
    page.goto(server.url("/import"))
    page.get_by_label("Or paste").fill('{"a": false, "b": 1}')
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("1 to change, 1 unchanged.")).to_be_visible()
    server.change("b", "set", "2")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("alert").first).to_contain_text("The flags or your permissions changed since this preview. Nothing was changed.")
    expect(page.locator(".batch-row", has_text="This flag changed since you previewed it.")).to_contain_text("b")
    assert plistlib.loads(server.file.read_bytes()) == {"a": True, "b": 2}
    page.get_by_role("button", name="Apply 2 changes").click()
    expect(page.locator(".notice")).to_contain_text("2 changes applied.")
    assert plistlib.loads(server.file.read_bytes()) == {"a": False, "b": 1}


def test_a_replacement_resets_what_the_import_lacks(serve, tmp_path, page):
    server = serve(write(tmp_path / "two", {"a": True, "b": {"c": 1}}))
    page.goto(server.url("/import"))
    page.get_by_label("Or paste").fill('{"a": false, "new": {"flag": "x"}}')
    page.get_by_label("Replace").check()
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("2 values: 1 to add, 1 to change, 1 to remove.")).to_be_visible()
    page.get_by_role("button", name="Apply 3 changes").click()
    expect(page.locator(".notice")).to_contain_text("3 changes applied.")
    assert plistlib.loads(server.file.read_bytes()) == {"a": False, "b": {}, "new": {"flag": "x"}}


def test_the_flags_of_a_search_are_exported_alone(demo, page):
    page.goto(demo.url("/?tag=notifications"))
    count = page.locator("[data-flag]").count()
    page.get_by_role("link", name=re.compile(f"Export {count} flags?")).click()
    with page.expect_download() as download:
        page.get_by_role("link", name="effective.json").click()
    assert download.value.suggested_filename == "effective.json"

    def leaves(tree):
        return sum(leaves(value) if isinstance(value, dict) else 1 for value in tree.values())

    assert 0 < leaves(json.loads(download.value.path().read_text())) <= count


def test_who_is_no_admin_can_not_import(guarded, open_page):
    secret = make_token(guarded.file, "eddy", "editor")
    headers = {"Authorization": f"Bearer {secret}"}
    page = guarded.get("/import", headers)
    assert page.status == 200 and "permission to import" in page.text
    assert not any("mode" in form for form in forms_in(page.text))
    answer = guarded.post("/import", {"text": '{"checkout": {"delivery_fee": 9}}'}, headers)
    assert answer.status == 403 and "can't import" in unescape(answer.text)


def test_fifty_hostile_files_are_refused_and_nothing_is_changed(demo):
    before = demo.file.read_bytes()
    files = list(hostile_files())
    step = max(1, len(files) // 50)
    tried = 0
    for file, content in files[::step][:50]:
        tried += 1
        if "elements" in file["says"]:
            # They are too many for a file of 16 MiB; what is imported may have twice as many.
            content = content.replace(b"<true/>", b"<true/>" * 3)
        answer = post(demo, content)
        if len(content) > 8 * 1024 * 1024:
            assert answer.status in (413, 422), file["name"]
            continue
        assert answer.status == 422, f"{file['name']}: {answer.status}"
        if not content.strip():
            assert "The import is empty." in answer.text
        elif "elements" in file["says"]:
            assert "more than 524288 elements" in answer.text, file["name"]
        elif file.get("line"):
            assert f"Line {file['line']}, column {file['column']}" in answer.text, file["name"]
    assert tried == 50
    assert demo.file.read_bytes() == before
    assert demo.get("/export/history.jsonl").text == ""
    assert post(demo, b"").status == 422
