"""What the targets import is what `Package.swift` gives them, also for an app that takes one library with its trait alone."""

import json
import re
import subprocess

import pytest
from harness import ROOT

PLATFORM = {
    "Combine", "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc", "Musl", "Darwin", "Observation",
    "PackagePlugin", "RegexBuilder", "Swift", "SwiftUI", "Synchronization", "Testing", "libxml2", "os"}
"""Modules that come with Swift and the system."""
IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\(\w+\))? )*(?:(?:public|package|internal|fileprivate|private) )?import "
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias) )?(\w+)", re.M)


@pytest.fixture(scope="module")
def targets():
    """The targets of Swift by name, each with the traits that bring what it depends on: none for what is always there."""
    done = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, capture_output=True, text=True, check=True)
    found = {}
    for target in json.loads(done.stdout)["targets"]:
        if target["type"] in ("regular", "executable", "test"):
            found[target["name"]] = (folder(target), dict(map(dependency, target["dependencies"])))
    return found


def folder(target):
    return ROOT / (target.get("path") or f"Tests/{target['name']}")


def dependency(stated):
    [(name, *_, condition)] = stated.values()
    return name, set((condition or {}).get("traits") or [])


def imports(folder):
    return {module for file in folder.rglob("*.swift") for module in IMPORT.findall(file.read_text())} - PLATFORM


def test_each_target_imports_what_the_package_gives_it_and_nothing_else(targets):
    assert len(targets) > 25
    strays = {
        name: strays for name, (folder, dependencies) in targets.items() if (strays := imports(folder) - set(dependencies))}
    assert strays == {}


@pytest.mark.parametrize("library, traits", [
    ("FeatureFlags", set()), ("FeatureFlagsXML", set()), ("FeatureFlagsObservation", set()), ("FeatureFlagsConnection", set()),
    ("FeatureFlagsTesting", set()),
    ("GenerateFlagsTool", set()),
    ("FeatureFlagsConfiguration", {"Configuration"}), ("FeatureFlagsRemote", {"Remote"})])
def test_an_app_that_takes_a_library_with_its_trait_alone_gets_all_that_it_imports(targets, library, traits):
    waiting, seen = [library], set()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in targets:
            continue
        seen.add(name)
        folder, dependencies = targets[name]
        brought = {other for other, wanted in dependencies.items() if not wanted or wanted & traits}
        assert imports(folder) <= brought, name
        waiting += brought
    assert library in seen


def test_an_import_is_found_however_it_is_written():
    text = "import A\n@testable import B\npublic import C\n@preconcurrency import D\n    import struct E.F\n// import G\n"
    assert set(IMPORT.findall(text)) == {"A", "B", "C", "D", "E"}
