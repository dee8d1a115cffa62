"""A binary property list of UserDefaults, as on macOS: read, and changed at one key, by commands."""

import datetime
import json
import plistlib

import pytest
from command_project import Project

ENTRIES = {
    "NSWindow Frame": "0 0 800 600", "flags/shop/limit": 7, "flags/shop/most": 2**64 - 1, "flags/shop/rate": 1.0,
    "flags/shop/since": datetime.datetime(2026, 1, 2, 3, 4, 5, 678000), "flags/shop/raw": b"\x00\xff",
    "flags/shop/zones": [1, ["a", {"deep": True}]], "flags/shop/archived": plistlib.UID(7),
}


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "project")


def defaults(project):
    file = project.file.with_name("shop.plist")
    file.write_bytes(plistlib.dumps(ENTRIES, fmt=plistlib.FMT_BINARY))
    return file, ["--also", f"Defaults={file}:defaults=flags/"]


def test_a_binary_list_stays_one_and_keeps_all_other_values(project):
    file, also = defaults(project)
    for key, value in [("limit", "7"), ("most", str(2**64 - 1))]:
        assert project.ask("get", f"shop/{key}", "--provider", "Defaults", *also).strip() == value
    zones = json.loads(project.ask("get", "shop/zones", "--provider", "Defaults", "--json", *also))
    assert zones["value"] == [1, ["a", {"deep": True}]]
    project.ask("set", "shop/limit", "8", "--provider", "Defaults", *also)
    assert file.read_bytes().startswith(b"bplist")
    assert plistlib.loads(file.read_bytes()) == ENTRIES | {"flags/shop/limit": 8}
    assert type(plistlib.loads(file.read_bytes())["flags/shop/rate"]) is float
    assert [row["key"] for row in project.rows() if row["provider"] == "Defaults"] == ["shop/limit"]


def test_a_read_only_one_is_never_written(project):
    file, (option, source) = defaults(project)
    before = file.read_bytes()
    code, _, error = project.run("set", "shop/limit", "8", "--provider", "Defaults", option, f"{source}:ro")
    assert code == 5 and "read-only" in error
    assert file.read_bytes() == before
