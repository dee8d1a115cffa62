"""`flagboard generate swift`: the source compiles, declares what the manifest says, and says it again as a manifest."""

import datetime
import plistlib
import re
import shlex
import subprocess

import pytest
from code_blocks import program, type_check
from harness import BINARY, ROOT, environment
from samples import demonstration

DEMO = ROOT / "Demo/flags.xml"
PAST, FUTURE = datetime.datetime(2020, 1, 1), datetime.datetime(2040, 1, 1)

GOLDEN = '''// Made by `flagboard generate swift` from the manifest of the flags: change that, and generate anew.

import FeatureFlags
import Foundation

public struct ShopFlags: FlagCollectionProtocol {
    @FlagCollection(
        description: FlagMetadata(
            name: "Checkout",
            description: ""))
    public var checkout: CheckoutFlags

    public struct CheckoutFlags: FlagCollectionProtocol {
        /// One page.
        @available(*, deprecated, message: "expired on 2020-01-01")
        @Flag(
            default: false,
            description: FlagMetadata(
                name: "New flow",
                description: "One page.",
                isLocked: true,
                tags: ["a", "b"],
                owner: "Ada",
                expires: Date(timeIntervalSince1970: 1577836800.0)))
        public var newFlow: Bool

        @Flag(
            description: FlagMetadata(
                name: "Mode",
                description: ""))
        public var mode: ModeChoice?

        public enum ModeChoice: String, CaseIterable, FlagProtocol {
            case `default` = "default"
            case atOnce = "at once"
        }

        /// The key paths of the flags of this group, as the files have them.
        public enum Keys {
            public static let newFlow = "checkout/new_flow"
            public static let mode = "checkout/mode"
        }

        public init() {}
    }

    public init() {}
}
'''

NASTY = [
    {"key": key, "type": "bool", "default": True, "description": 'a "quote" \\(x) \u202e\nline\t'}
    for key in ["class", "self", "init", "Type", "2fa", "x//e", "a-b", "a_b", "aB", "größe", "日本", "e\u0301/a", "\u00e9/b", "🙂",
                "group/class", "group-x/Keys", "flag", "a~1b", "hash_value", "some", "x/y/z"]
] + [
    {"key": "t/choice", "type": "choice", "choices": ["self", "init", "a", "A", "", "2", "none", "class"], "default": "self"},
    {"key": "t/numbers", "type": "choice", "choices": [1, -1, 20], "default": -1},
    {"key": "t/mixed", "type": "choice", "choices": ["a", 1, 1.5], "default": 1.5},
    {"key": "t/large", "type": "integer", "default": 2**64 - 1}, {"key": "t/least", "type": "integer", "default": -2**63},
    {"key": "t/limited", "type": "integer", "default": 3, "minimum": 0, "maximum": 9, "suggestions": [1, 3]},
    {"key": "t/half", "type": "double", "minimum": 0.5}, {"key": "t/infinite", "type": "double", "default": float("inf")},
    {"key": "t/pattern", "type": "string", "default": "#a", "pattern": '#[a-f"\\w]+'},
    {"key": "t/date", "type": "date", "default": PAST}, {"key": "t/stored", "type": "date", "storage": "date"},
    {"key": "t/data", "type": "data", "default": b"\0\xff"}, {"key": "t/url", "type": "url", "default": "https://a.example/?q=%20"},
    {"key": "t/array", "type": "array", "default": ["a", 1, [True]]}, {"key": "t/texts", "type": "array", "default": ["a"]},
    {"key": "t/dictionary", "type": "dictionary", "default": {"b": 1, "a": 2}},
    {"key": "t/none", "type": "dictionary"}, {"key": "t/empty", "type": "array", "default": []},
    {"key": "t/json", "type": "json", "default": {"a": [1, 2.5, "x\"\n"]}}, {"key": "t/list", "type": "json", "default": [1]},
    {"key": "t/old", "type": "bool", "default": True, "retired": 'use "new"', "isInternal": True,
     "userInfo": {"a": [1, True, PAST, b"x", {}]}},
]


def written(folder, flags):
    (folder / "flags.xml").write_bytes(plistlib.dumps({}))
    (folder / "flags.manifest.xml").write_bytes(plistlib.dumps({"version": 1, "flags": flags}, sort_keys=False))
    return folder / "flags.xml"


def generate(file, *options, code=0):
    done = subprocess.run(
        [BINARY, "generate", "swift", file, *options], capture_output=True, text=True, env=environment(), timeout=60)
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture
def small(tmp_path):
    return written(tmp_path, [
        {"key": "checkout/new_flow", "type": "bool", "default": False, "description": "One page.", "isLocked": True,
         "tags": ["a", "b"], "owner": "Ada", "expires": PAST},
        {"key": "checkout/mode", "type": "choice", "choices": ["default", "at once"]}])


SMALL = ["--type", "ShopFlags", "--access", "public", "--date", "2026-01-01"]


def test_the_source_is_as_it_was_agreed(small):
    assert generate(small, *SMALL).stdout == GOLDEN


def test_no_flag_is_deprecated_before_it_expires(small):
    assert "deprecated" not in generate(small, "--date", "2019-12-31").stdout


def test_check_tells_whether_a_file_is_what_would_be_generated(small, tmp_path):
    output = tmp_path / "Flags.swift"
    generate(small, *SMALL, "--output", output)
    assert output.read_text() == GOLDEN
    assert generate(small, *SMALL, "--check", output).stdout == ""
    output.write_text(GOLDEN + "\n")
    assert "Generate it anew" in generate(small, *SMALL, "--check", output, code=1).stderr
    assert "--force" in generate(small, *SMALL, "--output", output, code=1).stderr
    generate(small, *SMALL, "--output", output, "--force")
    assert output.read_text() == GOLDEN


@pytest.mark.parametrize("name", ["class", "Self", "2Flags", "a b", "", "Flag", "Date"])
def test_what_is_no_name_of_a_type_is_refused(small, name):
    generate(small, "--type", name, code=64)


@pytest.mark.parametrize("access", ["internal", "public", "package"])
def test_nasty_names_and_values_compile(tmp_path, access):
    done = generate(written(tmp_path, NASTY), "--access", access, "--date", "2026-01-01")
    assert "t/stored: the storage" in done.stderr and "// Not in this code: the storage" in done.stdout
    assert done.stdout == generate(tmp_path / "flags.xml", "--access", access, "--date", "2026-01-01").stdout
    (tmp_path / "Flags.swift").write_text(done.stdout)
    assert type_check([tmp_path / "Flags.swift"], tmp_path, "-warnings-as-errors") == []


ROUND_TRIP = """import FeatureFlags
import FeatureFlagsXML
import Foundation

let manager = FlagsManager(providers: [])
_ = manager.addCollection(AppFlags.self)
FileHandle.standardOutput.write(try manager.manifest().document.source)
"""


def manifest_of(source, folder):
    """What an app that has the source in it says of its flags: flags and groups by key."""
    (folder / "Flags.swift").write_text(source)
    (folder / "main.swift").write_text(ROUND_TRIP)
    done = subprocess.run(
        [program([folder / "main.swift", folder / "Flags.swift"], folder)], capture_output=True, check=True, timeout=60)
    return by_key(plistlib.loads(done.stdout))


def by_key(manifest):
    """Flags and groups; a default that is a date as text, as code stores dates."""
    for flag in manifest["flags"]:
        if isinstance(flag.get("default"), datetime.datetime):
            flag["default"] = flag["default"].strftime("%Y-%m-%dT%H:%M:%SZ")
    return [{entry["key"]: entry for entry in manifest[name]} for name in ["flags", "collections"]]


def test_the_flags_of_the_demonstration_say_their_own_manifest_again(tmp_path):
    flags, groups = manifest_of(generate(DEMO, "--date", "2026-01-01").stdout, tmp_path)
    expected_flags, expected_groups = by_key(plistlib.loads((ROOT / "Demo/flags.manifest.xml").read_bytes()))
    # Swift's types know more than a manifest that a person wrote.
    for key, flag in flags.items():
        for field in {"format", "items", "isOptional"} - set(expected_flags[key]):
            flag.pop(field, None)
    assert len(flags) > 30 and flags == expected_flags and groups == expected_groups


def test_the_types_of_numbers_and_elements_are_those_of_the_manifest_and_come_back(tmp_path):
    byte = {"type": "integer", "format": "uint8"}
    declared = [
        {"key": "t/byte", "default": 1, **byte}, {"key": "t/single", "type": "double", "format": "float", "default": 0.5},
        {"key": "t/least", "type": "integer", "format": "int16", "minimum": 3, "default": 4},
        {"key": "t/bytes", "type": "array", "items": byte, "default": [1]},
        {"key": "t/deep", "type": "dictionary", "items": {"type": "array", "items": {"type": "url"}}, "default": {}},
        {"key": "t/perhaps", "type": "string", "isOptional": True, "default": "a"},
        {"key": "t/far", "type": "bool", "default": True, "excludedProviders": ["Local", "a \"b\""]},
    ]
    cell = {"type": "json", "properties": {"title": {"type": "string"}, "span": byte}}
    declared.append({
        "key": "t/layout", "type": "json", "storage": "data",
        "default": b'{"cells":[{"span":1,"title":"a"}],"class":true,"in-line":{"x":[1.5]},"size":2}',
        "properties": {
            "size": byte, "class": {"type": "bool"}, "note": {"type": "string", "isOptional": True},
            "cells": {"type": "array", "items": cell},
            "in-line": {"type": "dictionary", "items": {"type": "array", "items": {"type": "double"}}}}})
    source = generate(written(tmp_path, declared), "--access", "public").stdout
    for line in ["public struct LayoutValue: Codable, Hashable, FlagProtocol", "var cells: [CellsValue]", "var note: String?"]:
        assert line in source
    for line in ["var byte: UInt8", "var single: Float", "var bytes: [UInt8]", "var deep: [String: [URL]]", "var perhaps: String?"]:
        assert line in source
    flags, _ = manifest_of(source, tmp_path)
    for flag in declared:
        again = flags[flag["key"]]
        assert {field: again.get(field) for field in flag} == flag


def test_groups_that_key_paths_do_not_name_come_back(tmp_path):
    places = {"rows": "lists", "scroll": "lists/beta", "delivery/fee": "shop/delivery", "delivery/hours/open": "shop/delivery/hours"}
    declared = [{"key": key, "type": "bool", "default": True, "group": group} for key, group in places.items()]
    declared += [{"key": "plain", "type": "bool", "default": True}, {"key": "odd/far", "type": "bool", "default": True, "group": "money"}]
    done = generate(written(tmp_path, declared))
    assert done.stdout.count("keyConfiguration: .skip") == 3
    assert "// Not in this code: the group money that it is shown in." in done.stdout
    flags, groups = manifest_of(done.stdout, tmp_path)
    assert {key: flags[key].get("group") for key in flags} == {**places, "plain": None, "odd/far": None}
    assert {"lists", "lists/beta", "shop", "shop/delivery", "shop/delivery/hours"} <= set(groups)


def test_nasty_flags_have_their_keys_types_and_defaults_again(tmp_path):
    flags, _ = manifest_of(generate(written(tmp_path, NASTY)).stdout, tmp_path)
    expected, _ = by_key({"flags": [dict(flag) for flag in NASTY], "collections": []})
    for flag in expected.values():
        again = flags[flag["key"]]
        for field in ["type", "default", "choices", "minimum", "pattern", "suggestions", "description", "userInfo"]:
            assert again.get(field) == flag.get(field) or not flag.get(field), (flag["key"], field)
    assert len(flags) == len(NASTY)


def test_the_commands_of_the_page_do_what_it_says(tmp_path):
    folder = demonstration(tmp_path / "demo").parent
    commands = re.findall(r"^    flagboard (.*)$", (ROOT / "docs/generating-code.md").read_text(), re.M)
    assert len(commands) == 4 and "--check" in commands[1]
    for command in commands:
        done = subprocess.run(
            [BINARY, *shlex.split(command)], cwd=folder, capture_output=True, text=True, env=environment(), timeout=60)
        assert (done.returncode, done.stdout) == (0, "")
        assert all("is left out" in line or "defined already" in line for line in done.stderr.splitlines())
    assert "onboarding/welcome_tour" in (folder / "flags.json").read_text()
    assert "struct ShopFlags" in (folder / "ShopFlags.swift").read_text()


def test_the_tool_of_the_build_plugin_names_the_collection_after_the_manifests_file(tmp_path):
    tool, made = ROOT / ".build/debug/GenerateFlagsTool", tmp_path / "made.swift"
    for name, collection in {
            "till": "TillFlags", "flags": "AppFlags", "shop-flags": "ShopFlags", "shop.eu": "ShopEuFlags",
            "my shop": "MyShopFlags"}.items():
        manifest = tmp_path / f"{name}.manifest.xml"
        manifest.write_bytes((ROOT / "Demo/flags.manifest.xml").read_bytes())
        subprocess.run([tool, manifest, made], check=True, timeout=20, capture_output=True)
        assert f"\nstruct {collection}: FlagCollectionProtocol {{" in made.read_text()
    remark, _, source = made.read_text().partition("\n")
    assert remark == "// Made by the plugin GenerateFlags from my shop.manifest.xml: change that."
    # No flag has expired by that date: what a build makes depends on no day.
    assert source == generate(DEMO, "--type", "MyShopFlags", "--date", "1970-01-01").stdout.partition("\n")[2]


def test_the_tool_of_the_build_plugin_says_what_is_wrong_and_writes_nothing(tmp_path):
    tool, made = ROOT / ".build/debug/GenerateFlagsTool", tmp_path / "made.swift"
    wrong = {"2024.manifest.xml": DEMO.with_name("flags.manifest.xml").read_text(), "broken.manifest.xml": "<plist>"}
    for name, text in wrong.items():
        (tmp_path / name).write_text(text)
        done = subprocess.run([tool, tmp_path / name, made], capture_output=True, text=True, timeout=20)
        assert done.returncode == 1 and done.stderr.startswith(f"{tmp_path / name}: error: ") and not made.exists()
