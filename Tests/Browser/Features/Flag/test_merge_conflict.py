"""A conflict that the merge driver left in a file is an error until a person has chosen a version, on a page or in the file."""

import json
import plistlib
import re
import subprocess

import pytest
from harness import BINARY, environment, flag_path
from playwright.sync_api import expect
from samples import write
from tokens import make_token

FLAGS = [
    {"key": "shop/limit", "type": "integer", "name": "Basket limit", "maximum": 20},
    {"key": "shop/open", "type": "bool", "default": False},
    {"key": "secret", "type": "string", "isInternal": True},
]
KEY = "shop/limit"


def run(*arguments):
    return subprocess.run(
        [BINARY, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, env=environment(), timeout=60)


def version(limit, opens=True, secret="ours"):
    return {"secret": secret, "shop": {"limit": limit, "open": opens}}


def merge(folder, base, ours, theirs, size=7):
    """Merges as git does, with the driver itself; returns the file, and our version with what was merged without a conflict."""
    folder.mkdir(parents=True)
    for name, values in [("base", base), ("theirs", theirs), ("ours", ours)]:
        file = write(folder, values, FLAGS)
        file.rename(folder / f"{name}.xml")
    file = folder / "flags.xml"
    (folder / "ours.xml").rename(file)
    done = run("git", "merge-driver", folder / "base.xml", file, folder / "theirs.xml", str(size), "flags.xml")
    assert done.returncode == 1, done.stderr
    merged = re.sub(rb"\n<!-- conflict: [\s\S]*?-->", b"", file.read_bytes())
    assert merged != file.read_bytes()
    return file, merged


@pytest.fixture
def conflicted(tmp_path):
    return merge(tmp_path / "shop", version(5), version(6), version(9, opens=False))


def test_lint_finds_an_error_in_each_format_whatever_the_rules_are(conflicted, tmp_path):
    file, _ = conflicted
    line = next(
        number for number, text in enumerate(file.read_text().splitlines(), 1) if text.startswith("<!-- conflict"))
    said = "shop/limit: unresolved merge conflict: the file has integer 6, the other version integer 9"
    for options in [[], ["--strict"], ["--format", "github"]]:
        done = run("lint", file, *options)
        assert done.returncode == 1 and said in done.stdout, options
    (finding,) = json.loads(run("lint", file, "--json").stdout)["findings"]
    assert (finding["code"], finding["severity"], finding["line"]) == ("merge-conflict", "error", line)
    sarif = json.loads(run("lint", file, "--format", "sarif").stdout)
    assert [result["level"] for result in sarif["runs"][0]["results"]] == ["error"]
    rules = tmp_path / "rules.json"
    rules.write_text('{"merge-conflict": "off"}')
    refused = run("lint", file, "--rules", rules)
    assert refused.returncode == 64 and "always an error" in refused.stderr


@pytest.mark.parametrize("size", [7, 12])
@pytest.mark.parametrize("button, value", [("Use the other version…", "9"), ("Keep the file’s version…", "6")])
def test_a_version_is_chosen_on_the_page_of_the_flag(serve, tmp_path, page, button, value, size):
    file, merged = merge(tmp_path / "shop", version(5), version(6), version(9, opens=False), size)
    server = serve(file)
    page.goto(server.url("/"))
    expect(page.locator("main")).to_contain_text("A merge left a conflict.")
    expect(page.locator("main")).to_contain_text("shop/limit in flags.xml, where the file has 6 and the other version is 9")
    row = page.locator(f'.flag[data-flag="{KEY}"]')
    expect(row.locator(".problem")).to_have_text("Local: A merge left a conflict between 6 (in the file) and 9.")
    row.locator(".name").click()
    card = page.locator(".merge-conflict")
    expect(card).to_contain_text("In the file")
    expect(card.locator("code")).to_have_text(["6", "9"])
    before = file.read_bytes()
    card.get_by_role("button", name=button).click()
    expect(page.locator(".batch-row")).to_contain_text("Removes the conflict comment from the file.")
    assert file.read_bytes() == before, "a preview changes nothing"
    page.get_by_role("button", name="Apply change").click()
    expect(page.locator(".notice")).to_contain_text("1 change applied.")
    assert file.read_bytes() == merged.replace(b"<integer>6</integer>", f"<integer>{value}</integer>".encode())
    page.goto(server.url(flag_path(KEY)))
    expect(page.locator("[data-effective]")).to_contain_text(value)
    expect(page.locator(".merge-conflict")).to_have_count(0)
    assert "merge left" not in page.locator("main").inner_text()
    assert run("lint", file, "--strict").returncode == 0
    assert run("history", "verify", file).returncode == 0


def test_what_the_other_version_removed_is_reset(serve, tmp_path, page):
    gone = version(6)
    del gone["shop"]["limit"]
    file, merged = merge(tmp_path / "shop", version(5), version(6), gone)
    server = serve(file)
    page.goto(server.url(flag_path(KEY)))
    expect(page.locator(".merge-conflict")).to_contain_text("no value")
    page.get_by_role("button", name="Use the other version…").click()
    page.get_by_role("button", name="Apply change").click()
    expect(page.locator(".notice")).to_contain_text("1 change applied.")
    assert plistlib.loads(file.read_bytes()) == gone and b"conflict" not in file.read_bytes()


def test_who_may_not_change_the_flag_sees_both_versions_and_no_button(serve, conflicted):
    file, _ = conflicted
    headers = {"Authorization": f"Bearer {make_token(file, 'vic', 'viewer')}"}
    server = serve(file, access="token")
    text = server.get(flag_path(KEY), headers).text
    assert "The other version" in text and "take-theirs" not in text and "remove the comment there" in text
    before = file.read_bytes()
    own = {"Origin": server.address, "Sec-Fetch-Site": "same-origin"}
    answer = server.post(flag_path(KEY), {"action": "take-theirs", "provider": "Local"}, own | headers)
    assert answer.status == 303
    shown = server.get(answer.headers["location"], headers).text
    assert '<span class="outcome verdict">Error</span>' in shown and file.read_bytes() == before


def test_the_log_tells_of_it_and_pages_not_of_an_internal_flag(serve, tmp_path):
    file, _ = merge(
        tmp_path / "shop", version(5, secret="old-token"), version(6, secret="our-token"), version(9, secret="their-token"))
    server = serve(file)
    assert "secret: unresolved merge conflict" in server.errors() and "shop/limit: unresolved merge conflict" in server.errors()
    for path in ("/", flag_path(KEY), "/history"):
        text = server.get(path).text
        assert "shop/limit in flags.xml" in text and "-token" not in text, path
    lint = run("lint", file).stdout
    assert "unresolved merge conflict (use --show-internal for details)" in lint and "-token" not in lint


def merge_owners(folder, theirs="Eve"):
    """Merges manifests that name another owner each; returns the values file, and the manifest."""
    def owned(name):
        return [FLAGS[0] | ({"owner": name} if name else {}), *FLAGS[1:]]

    for name, owner in [("base", "Ada"), ("theirs", theirs), ("ours", "Bob")]:
        file = write(folder, version(5), owned(owner))
        (folder / "flags.manifest.xml").rename(folder / f"{name}.xml")
    manifest = folder / "flags.manifest.xml"
    (folder / "ours.xml").rename(manifest)
    done = run("git", "merge-driver", folder / "base.xml", manifest, folder / "theirs.xml", "7", "flags.manifest.xml")
    assert done.returncode == 1
    return file, manifest


@pytest.mark.parametrize("theirs", ["Eve", None])
@pytest.mark.parametrize("button", ["Use the other version…", "Keep the file’s version…"])
def test_a_version_of_a_field_of_a_definition_is_chosen_on_the_page(serve, tmp_path, page, theirs, button):
    file, manifest = merge_owners(tmp_path / "shop", theirs)
    merged = re.sub(rb"\n<!-- conflict: [\s\S]*?-->", b"", manifest.read_bytes())
    assert "shop/limit, owner: unresolved merge conflict" in run("lint", file).stdout
    server = serve(file)
    page.goto(server.url(flag_path(KEY)))
    card = page.locator(".merge-conflict")
    expect(card).to_contain_text("shop/limit owner")
    expect(card).to_contain_text(theirs or "no value")
    card.get_by_role("button", name=button).click()
    expect(page.locator(".batch-row")).to_contain_text("Removes the conflict comment from the file.")
    page.get_by_role("button", name="Apply change").click()
    expect(page.locator(".notice")).to_contain_text("1 change applied.")
    owners = {flag["key"]: flag.get("owner") for flag in plistlib.loads(manifest.read_bytes())["flags"]}
    assert owners[KEY] == (theirs if button.startswith("Use") else "Bob")
    if theirs or button.startswith("Keep"):
        assert manifest.read_bytes() == merged.replace(b"Bob", owners[KEY].encode())
    page.goto(server.url(flag_path(KEY)))
    expect(page.locator(".merge-conflict")).to_have_count(0)
    assert run("lint", file, "--strict").returncode == 0
    assert run("history", "verify", file).returncode == 0


def test_a_conflict_of_a_definition_is_settled_by_admins_alone_and_can_be_mended_by_hand(serve, tmp_path):
    file, manifest = merge_owners(tmp_path / "shop")
    headers = {"Authorization": f"Bearer {make_token(file, 'eve', 'editor')}"}
    server = serve(file, access="token")
    text = server.get(flag_path(KEY), headers).text
    assert "shop/limit owner" in text and "Eve" in text and "take-theirs" not in text
    before = manifest.read_bytes()
    own = {"Origin": server.address, "Sec-Fetch-Site": "same-origin"}
    answer = server.post(flag_path(KEY), {"action": "take-theirs", "provider": "", "field": "owner"}, own | headers)
    shown = server.get(answer.headers["location"], headers).text
    assert '<span class="outcome verdict">Error</span>' in shown and manifest.read_bytes() == before
    manifest.write_bytes(re.sub(rb"\n<!-- conflict: [\s\S]*?-->", b"", before))
    assert "merge left" not in server.get(flag_path(KEY), headers).text
    assert run("lint", file, "--strict").returncode == 0
