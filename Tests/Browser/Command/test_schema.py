"""`flagboard schema`: what its schemas let through and refuse, beside what Flagboard itself reads."""

import base64
import datetime
import json
import plistlib
import re
import subprocess

import jsonschema
import pytest
from harness import BINARY, ROOT, environment
from lxml import etree
from samples import demonstration, five_thousand_flags, write

DAY = datetime.datetime(2027, 1, 31)
VALUES = {
    "true": True, "zero": 0, "one": 1, "real": 1.5, "text": "words", "number": "12", "empty": "", "day": "2027-01-31",
    "date": DAY, "data": b"\x00\xff", "json data": b'{"a": [1]}', "array": ["a", "b"], "numbers": [1, 2], "mixed": [True],
    "nested": [[1]], "no elements": [], "dictionary": {"a": 1}, "no entries": {}, "bool": "bool", "storage": "string",
}
TYPES = ["bool", "integer", "double", "string", "date", "data", "url", "choice", "array", "dictionary", "json"]
NEEDED = {"choice": {"choices": ["a", 1]}}

STRICTER = {
    ("default", "bool", "text"), ("default", "bool", "number"), ("default", "bool", "empty"), ("default", "bool", "day"),
    ("default", "bool", "bool"), ("default", "bool", "storage"),
    *((field, type, value) for field in ("default", "suggestions") for type in ("integer", "double")
      for value in ("text", "empty", "day", "bool", "storage", "array")),
    *(("default", "choice", value) for value in VALUES),
    *(("default", "date", value) for value in ("text", "number", "empty", "bool", "storage")),
    *(("suggestions", "date", value) for value in ("array",)),
    ("suggestions", "url", "array"), ("default", "url", "empty"), ("default", "json", "data"),
}
"""Fields with values of which no schema tells that Flagboard refuses them: texts that are no numbers, and the like."""


def schema(*options):
    return subprocess.run(
        [BINARY, "schema", *options], capture_output=True, text=True, env=environment(), timeout=20, check=True).stdout


@pytest.fixture(scope="module")
def json_schema():
    document = json.loads(schema())
    jsonschema.Draft202012Validator.check_schema(document)
    return jsonschema.Draft202012Validator(document)


@pytest.fixture(scope="module")
def relax_ng():
    return etree.RelaxNG(etree.fromstring(schema("--format", "relax-ng").encode()))


def as_json(value, is_json=False):
    """A property list as the dashboard's export in JSON tells it."""
    match value:
        case dict():
            of_json = value.get("type") == "json"
            return {name: as_json(inner, of_json and name in ("default", "suggestions")) for name, inner in value.items()}
        case list(): return [as_json(inner, is_json) for inner in value]
        case datetime.datetime(): return value.strftime("%Y-%m-%dT%H:%M:%SZ")
        case bytes():
            if is_json:
                try:
                    return json.loads(value)
                except ValueError:
                    pass
            return base64.b64encode(value).decode()
    return value


def as_xml(value):
    return etree.fromstring(plistlib.dumps(value, sort_keys=False))


def manifest(flags, collections=()):
    return {"version": 1, "flags": flags, "collections": list(collections)}


def refused_keys(folder, flags):
    """The keys of the flags whose definitions Flagboard refuses, which it tells of fifty problems at a time."""
    refused = set()
    for start in range(0, len(flags), 20):
        file = write(folder, {}, flags[start:start + 20])
        said = subprocess.run(
            [BINARY, "lint", file, "--json", "--show-internal"], capture_output=True, text=True, env=environment(),
            timeout=60).stdout
        found = json.loads(said)["findings"]
        assert all("key" in each for each in found), found
        refused |= {each["key"] for each in found if each["severity"] == "error"}
    return refused


def test_a_manifest_passes_as_json_and_as_a_property_list(json_schema, relax_ng, tmp_path):
    for file in [demonstration(tmp_path / "demo"), five_thousand_flags(tmp_path / "large")]:
        source = (file.parent / "flags.manifest.xml").read_bytes()
        assert list(json_schema.iter_errors(as_json(plistlib.loads(source)))) == []
        assert relax_ng.validate(etree.fromstring(source)), relax_ng.error_log


def test_a_manifest_passes_as_the_dashboard_exports_it(json_schema, demo):
    assert list(json_schema.iter_errors(json.loads(demo.get("/export/manifest.json").text))) == []


@pytest.mark.parametrize("type", TYPES)
def test_each_field_is_let_through_and_refused_as_flagboard_reads_it(json_schema, relax_ng, tmp_path, type):
    fields = sorted(set(json_schema.schema["$defs"]["flag"]["properties"]) - {"key", "type"})
    cases = [(field, name) for field in fields for name in VALUES]
    flags = [
        {"key": f"f{number}", "type": type} | NEEDED.get(type, {}) | {field: VALUES[name]}
        for number, (field, name) in enumerate(cases)]
    refused = refused_keys(tmp_path, flags)
    of_flag = json_schema.evolve(schema=json_schema.schema["$defs"]["flag"])
    wrong = []
    for (field, name), flag in zip(cases, flags, strict=True):
        passes = {
            "flagboard": flag["key"] not in refused, "json-schema": of_flag.is_valid(as_json(flag)),
            "relax-ng": relax_ng.validate(as_xml(manifest([flag])))}
        # JSON has one form for texts, dates and data, so that it can't tell them apart; and data of a json is any JSON.
        loose = isinstance(VALUES[name], (bytes, datetime.datetime)) or (
            field in ("default", "suggestions") and type in ("data", "json"))
        expected = passes["flagboard"]
        for kind in ("json-schema", "relax-ng"):
            excused = passes[kind] and not expected and (
                (field, type, name) in STRICTER or loose and kind == "json-schema")
            if passes[kind] != expected and not excused:
                wrong.append((kind, field, name, passes))
    assert wrong == []
    assert 0 < len(refused) < len(flags)


def test_a_format_is_let_through_with_the_types_and_defaults_that_it_fits(json_schema, relax_ng, tmp_path):
    formats = json_schema.schema["$defs"]["flag"]["properties"]["format"]["enum"]
    defaults = [None, -(2**63), -129, -1, 0, 127, 255, 256, 2**31, 2**32, 2**63, 2**64 - 1, 0.5, 1e300]
    flags = [
        {"key": f"{type}-{format}-{number}", "type": type, "format": format}
        | NEEDED.get(type, {}) | ({} if default is None else {"default": default})
        for format in [*formats, "int7"] for type in TYPES
        for number, default in enumerate(defaults if type in ("integer", "double") else [None])]
    refused = refused_keys(tmp_path, flags)
    of_flag = json_schema.evolve(schema=json_schema.schema["$defs"]["flag"])
    for flag in flags:
        is_right = flag["key"] not in refused
        # No schema compares a default with the range of its format.
        may_pass = is_right or flag["format"] in formats and "default" in flag
        for passes in (of_flag.is_valid(flag), relax_ng.validate(as_xml(manifest([flag])))):
            assert passes == is_right or passes and may_pass, flag
    fitting = {flag["format"] for flag in flags if flag["key"] not in refused and "default" not in flag}
    assert fitting == set(formats)


ENTRY = {"key": "a", "type": "bool"}


@pytest.mark.parametrize("root, passes", [
    (manifest([ENTRY]), True), ({"version": 1}, True), ({}, False), ({"version": 2}, False), ({"version": "1"}, False),
    ({"flags": [ENTRY]}, False), (manifest([{"type": "bool", "key": "a"}]), True), (manifest([{"key": "a"}]), False),
    (manifest([{"type": "bool"}]), False), (manifest([ENTRY | {"type": "boolean"}]), False), (manifest({}), False),
    (manifest([ENTRY | {"jira": ["X-1"]}]) | {"own": {"a": True}}, True), (manifest(["a"]), False),
    (manifest([{"key": "a", "type": "choice"}]), False), (manifest([{"key": "a", "type": "choice", "choices": []}]), False),
    (manifest([{"key": "a", "type": "choice", "choices": ["x"]}]), True),
    (manifest([ENTRY], [{"key": "g", "name": "G", "description": "", "order": -1, "isLocked": True}]), True),
    (manifest([ENTRY], [{"key": "g", "icon": "cart", "isSection": True}]), True),
    (manifest([ENTRY], [{"key": "g", "icon": True}]), False), (manifest([ENTRY], [{"key": "g", "isSection": "yes"}]), False),
    (manifest([ENTRY], [{"name": "G"}]), False), (manifest([ENTRY], [{"key": "g", "order": "1"}]), False),
    (manifest([ENTRY | {"key": 1}]), False),
])
def test_entries_are_let_through_and_refused_as_flagboard_reads_them(json_schema, relax_ng, tmp_path, root, passes):
    assert json_schema.is_valid(root) == passes
    assert relax_ng.validate(as_xml(root)) == passes
    file = write(tmp_path, {})
    (tmp_path / "flags.manifest.xml").write_bytes(plistlib.dumps(root))
    done = subprocess.run([BINARY, "lint", file], capture_output=True, env=environment(), timeout=20)
    assert (done.returncode == 0) == passes


@pytest.mark.parametrize("key, passes", [
    ("a/b", True), ("a~1b/~0", True), ("a~2", False), ("a~", False), ("", False), ("/", True), ("/".join("a" * 64), True),
    ("/".join("a" * 65), False), ("ä/🚀", True), ("a" * 4096, True), ("a" * 4097, False), ("~" * 2000, False)])
def test_a_key_path_is_let_through_and_refused_as_flagboard_reads_it(json_schema, tmp_path, key, passes):
    flag = ENTRY | {"key": key}
    assert json_schema.is_valid(manifest([flag])) == passes
    done = subprocess.run(
        [BINARY, "lint", write(tmp_path, {}, [flag])], capture_output=True, env=environment(), timeout=20)
    assert (done.returncode == 0) == passes


def test_each_field_is_explained_and_on_the_page_of_the_manifest(json_schema):
    page = (ROOT / "docs/manifest.md").read_text()
    objects = json_schema.schema["$defs"].values()
    for name, field in (pair for each in objects for pair in each["properties"].items()):
        assert field["description"].endswith(".")
        assert f"`{name}`" in page, name
    names = set(json_schema.schema["$defs"]["flag"]["properties"])
    table = re.findall(r"^\| (`.+?) \| ", page, re.M)
    assert {name for row in table for name in re.findall(r"`(\w+)`", row)} | {"key", "type"} == names


def test_a_misspelled_field_passes_and_lint_finds_it(json_schema, tmp_path):
    flag = ENTRY | {"islocked": True}
    assert json_schema.is_valid(manifest([flag]))
    done = subprocess.run(
        [BINARY, "lint", write(tmp_path, {}, [flag])], capture_output=True, text=True, env=environment(), timeout=20)
    assert "[misspelled-field]" in done.stdout


@pytest.mark.parametrize("options, words", [
    (["--format", "dtd"], "DTD and XSD can't describe"), (["--format", "xsd"], "Use json-schema or relax-ng"),
    (["--format", "yaml"], '"yaml" is not a schema format'), (["--json", "--format", "relax-ng"], "can't be combined")])
def test_a_format_that_there_is_not_is_wrong_usage(options, words):
    done = subprocess.run([BINARY, "schema", *options], capture_output=True, text=True, env=environment(), timeout=20)
    assert done.returncode == 64 and words in done.stderr
    # With --json the refusal is JSON as well.
    assert words in json.loads(done.stdout)["detail"] if "--json" in options else done.stdout == ""


def test_the_schema_is_the_same_each_time():
    assert schema() == schema("--json") == schema("--format", "json-schema")
    assert schema("--format", "relax-ng") == schema("--format", "relax-ng")
