"""What only the app's code knows of a flag is said as unknown at every door, and never shown as a value of the file's."""

import json
import subprocess

import pytest
from harness import BINARY, environment
from samples import write

FLAGS = [
    {"key": "shop/computed", "type": "bool", "default": False, "computed": "value"},
    {"key": "shop/tuesday", "type": "bool", "computed": "default"},
    {"key": "shop/far", "type": "integer", "default": 3, "excludedProviders": ["Local"]},
    {"key": "shop/bytes", "type": "array", "items": {"type": "integer", "format": "uint8"}},
    {"key": "shop/count", "type": "integer", "format": "uint64", "default": 1},
]
VALUES = {"shop": {"computed": True, "far": 9}}


@pytest.fixture
def server(serve, tmp_path):
    return serve(write(tmp_path / "shop", VALUES, FLAGS))


def command(server, *arguments):
    return subprocess.run(
        [BINARY, arguments[0], server.file, *arguments[1:]], capture_output=True, text=True, env=environment(), timeout=60,
        stdin=subprocess.DEVNULL)


def test_the_pages_say_what_the_app_computes_and_never_reads(page, server):
    page.goto(server.url("/"))
    assert "computed by the app" in page.locator("li.flag[data-flag=\"shop/computed\"]").inner_text()
    assert "computed default" in page.locator("li.flag[data-flag=\"shop/tuesday\"]").inner_text()
    page.goto(server.url("/flags/shop/computed"))
    text = page.inner_text("main")
    assert "Computed by the app on each read, so its value can’t be shown here" in text
    assert "Used only if the app computes no value" in text and "which the app uses only if it computes none" in text
    page.goto(server.url("/flags/shop/tuesday"))
    assert "Default, computed by the app on each read" in page.inner_text("main")
    page.goto(server.url("/flags/shop/far"))
    text = page.inner_text("main")
    assert "Not read by the app" in text and "This flag can’t be changed here" in text
    page.goto(server.url("/?state=computed"))
    assert page.locator("li.flag").count() == 2


def test_programs_get_no_value_of_it_and_are_told_why(server):
    for key in ("shop/computed", "shop/tuesday"):
        flag = json.loads(server.get(f"/api/v1/flags/{key}").body)
        assert "value" not in flag and flag["state"] == "computed"
        asked = server.request("POST", f"/ofrep/v1/evaluate/flags/{key}", b"{}", {"Content-Type": "application/json"})
        answer = json.loads(asked.body)
        assert asked.status == 200 and answer["metadata"]["computed"] in ("value", "default")
        # The app asks the file if it computes no value; what it computes as a default, nobody else knows.
        assert answer.get("value") == (True if key == "shop/computed" else None)
        assert ("value" in answer) == (answer["reason"] != "DISABLED")
        got = command(server, "get", key)
        assert got.returncode == 1 and got.stdout == "" and "the app computes it" in got.stderr
        assert "computed by the app" in command(server, "explain", key).stdout
    assert json.loads(server.get("/api/v1/flags/shop/far").body)["value"] == 3
    assert "never read by the app" in command(server, "explain", "shop/far").stdout
    refused = command(server, "set", "shop/far", "4", "--provider", "Local")
    assert refused.returncode == 5 and b"9" in server.file.read_bytes()


def test_comparisons_say_that_the_app_computes_it(page, serve, tmp_path):
    (tmp_path / "team.xml").write_text('<plist version="1.0"><dict/></plist>')
    server = serve(write(tmp_path / "shop", VALUES, FLAGS), "--provider", "Team=../team.xml:env")
    told = command(server, "diff", "--left", "default", "--right", "effective").stdout
    assert told == "shop/computed: false → computed by the app\n"
    [flag] = json.loads(server.get("/api/v1/compare?left=default&right=effective").body)["flags"]
    assert flag["rightComputed"] is True and "leftComputed" not in flag and "right" not in flag
    page.goto(server.url("/environments"))
    assert "default, if the app computes none" in page.get_by_role("row", name="shop/computed").inner_text()
    page.goto(server.url("/compare?left=default&right=effective&show=all"))
    assert "Computed by the app" in page.get_by_role("row", name="shop/computed").inner_text()
    assert command(server, "set", "shop/count", "7").returncode == 0
    page.goto(server.url("/history/at?show=all"))
    assert "computed by the app" in page.locator("main").inner_text()


@pytest.mark.parametrize("key, value, why", [
    ("shop/bytes", "[1, 300]", "At /1, must be 255 or less"),
    ("shop/bytes", '["a"]', "At /0, found string \"a\", expected a whole number between 0 and 255"),
    ("shop/count", "-7", "Must be 0 or more"),
])
def test_a_value_that_the_app_could_not_read_is_refused_by_form_api_and_command(page, server, key, value, why):
    before = server.file.read_bytes()
    answer = server.request(
        "PUT", f"/api/v1/flags/{key}", json.dumps({"value": json.loads(value)}).encode(),
        {"Content-Type": "application/json", "If-Match": "*"})
    assert answer.status == 422 and why in answer.body.decode().replace('\\"', '"')
    refused = command(server, "set", key, "--", value)
    assert refused.returncode == 5 and why in refused.stderr
    page.goto(server.url(f"/flags/{key}"))
    field = page.locator("#value")
    # With script, the text of an array is behind its items.
    field.evaluate("(field, text) => { field.form.noValidate = true; field.value = text }", value)
    page.get_by_role("button", name="Save").first.click()
    page.get_by_role("alert").wait_for()
    assert why.replace('"', "") in page.inner_text("main").replace('"', "").replace("“", "").replace("”", "")
    assert server.file.read_bytes() == before
    assert {"shop/bytes": "between 0 and 255", "shop/count": "from 0 to 18446744073709551615"}[key] in page.inner_text("main")
