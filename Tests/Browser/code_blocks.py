"""The Swift code that the documentation shows: in pages, and in the comments of the public libraries."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

from harness import ROOT

LIBRARIES = [
    "FeatureFlags", "FeatureFlagsXML", "FeatureFlagsObservation", "FeatureFlagsConnection", "FeatureFlagsTesting",
    "FeatureFlagsRemote"]
OTHERS = ["RealFlags", "Override", "ToggleUI", "SwiftFeatureConfigs", "CloudKit FeatureToggles"]
"""Libraries that guides move from; code whose first line names one is theirs. What names FeatureFlags is how it is here."""
APPLES = re.compile(r"^import (SwiftUI|Combine)$", re.M)
"""Frameworks that only Apple's systems have; elsewhere, code that imports one is compiled against stand-ins."""
SURROUNDINGS = ROOT / "Tests/Browser/CodeBlocks/Surroundings.swift"
REMOTE = ROOT / "Tests/Browser/CodeBlocks/RemoteSurroundings.swift"
"""What the code about remote values speaks of besides: it needs the library of that, which an app without its trait has not."""
FENCE = re.compile(r"^([ \t]*)```swift\n(.*?)^\1```$", re.M | re.S)


@dataclass
class Block:
    """A piece of code, by the page that it is on and its first line there."""

    page: Path
    line: int
    text: str

    @property
    def is_of_apple(self):
        return bool(APPLES.search(self.text))

    @property
    def is_compiled(self):
        if self.is_of_apple and sys.platform != "darwin":
            return False
        return self.text.splitlines()[0] not in [f"// {name}" for name in [*OTHERS, "Package.swift"]]

CONFIGURATION = [
    ROOT / "docs/swift-configuration.md",
    ROOT / "Sources/Library/FeatureFlagsConfiguration/FeatureFlagsConfiguration.docc/FeatureFlagsConfiguration.md"]
"""The pages whose code needs a library of its own."""


def pages():
    files = [ROOT / "README.md", ROOT / "Examples/Shop/README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("Sources/*/*/*.docc/*.md")]
    return sorted(files)


def blocks_of(page, text=None):
    text = page.read_text() if text is None else text
    return [
        Block(page, text[:match.start()].count("\n") + 2, textwrap.dedent(match[2])) for match in FENCE.finditer(text)]


def sources():
    return sorted(path for name in LIBRARIES for path in (ROOT / "Sources/Library" / name).rglob("*.swift"))


def blocks_of_comments(source):
    """The code within the documentation comments of a source file."""
    found = []
    lines = source.read_text().splitlines()
    start = None
    for number, line in enumerate([*lines, ""]):
        is_comment = line.lstrip().startswith("///")
        if is_comment and start is None:
            start = number
        if not is_comment and start is not None:
            comment = "\n".join(re.sub(r"^\s*/// ?", "", each) for each in lines[start:number]) + "\n"
            for block in blocks_of(source, comment):
                found.append(Block(source, block.line + start, block.text))
            start = None
    return found


def types_without_example():
    """The public types whose documentation comment shows no code."""
    missing = []
    declaration = re.compile(r"^\s*(?:public|open) (?:final )?(?:struct|class|enum|protocol|actor) (\w+)")
    for source in sources():
        comment = ""
        for line in source.read_text().splitlines():
            if line.lstrip().startswith("///"):
                comment += line + "\n"
            elif (match := declaration.match(line)) and "```swift" not in comment:
                missing.append(f"{source.relative_to(ROOT)}: {match[1]}")
            elif not line.lstrip().startswith(("@", "//")):
                comment = ""
    return missing


DECLARATION = re.compile(r"(@|final |struct |class |enum |protocol |func |[ })]|//|$)")


def as_program(blocks, number):
    """Blocks as one file: imports first, then types and tests within a type of their own, and all else within a function."""
    imports = {"import FeatureFlags", "import FeatureFlagsXML", "import Foundation"}
    if any("FeatureFlagsTesting" in str(block.page) for block in blocks):
        imports |= {"import FeatureFlagsTesting", "import Testing"}
    if any("FeatureFlagsObservation" in str(block.page) for block in blocks):
        imports |= {"import FeatureFlagsObservation", "import Observation"}
    if any("FeatureFlagsConnection" in str(block.page) for block in blocks):
        imports |= {"import FeatureFlagsConnection"}
    if any("FeatureFlagsRemote" in str(block.page) for block in blocks):
        imports |= {"import FeatureFlagsRemote"}
    declarations, statements = [], []
    for block in blocks:
        lines = block.text.splitlines()
        imports |= {line for line in lines if line.startswith("import ")}
        lines = ["" if line.startswith("import ") else line for line in lines]
        name = block.page.relative_to(ROOT)
        code = "\n".join([f'#sourceLocation(file: "{name}", line: {block.line})', *lines, "#sourceLocation()"])
        (declarations if all(map(DECLARATION.match, lines)) else statements).append(code)
    # Views are built on the main actor.
    actor = "@MainActor " if any(block.is_of_apple for block in blocks) else ""
    program = [
        *sorted(imports), f"struct Blocks{number} {{", *declarations, f"{actor}func run() async throws {{", *statements, "}", "}"]
    return "\n".join(program) + "\n"


def type_check(files, folder, *options):
    """What the compiler has against files of one module, with the libraries as `swift build` made them."""
    return compiled(files, folder, "-emit-sil", "-wmo", "-o", "/dev/null", *options)


def program(files, folder):
    """A program of files, one of them `main.swift`, with the libraries of flags linked in."""
    # An object stays in the folder of a build when its source is gone.
    sources = {f"{path.name}.o" for path in (ROOT / "Sources").rglob("*.*")}
    objects = [
        path for name in ["FeatureFlags", "FeatureFlagsXML", "DurableFiles", "CFileCalls"]
        for path in sorted((ROOT / f".build/debug/{name}.build").glob("*.o")) if path.name in sources]
    assert compiled(files, folder, "-o", folder / "program", *objects, "-lxml2") == []
    return folder / "program"


def stood_in(folder):
    """Makes the library of observation anew beside stand-ins for Apple's frameworks, and returns the compiler's options for them."""
    here = ["-I", folder]
    made = {name: [ROOT / f"Tests/Browser/CodeBlocks/{name}.swift"] for name in ["Combine", "SwiftUI"]}
    made["FeatureFlagsObservation"] = sorted((ROOT / "Sources/Library/FeatureFlagsObservation").rglob("*.swift"))
    for module, files in made.items():
        problems = compiled(
            files, folder, "-emit-module", "-parse-as-library", "-wmo", "-emit-module-path", folder / f"{module}.swiftmodule",
            "-enable-upcoming-feature", "ExistentialAny", *here, module=module, package=ROOT.name.lower())
        assert problems == [], module
    return here


def compiled(files, folder, *options, module="Blocks", package="blocks"):
    """What the compiler has against files of one module."""
    swiftc = shutil.which("swiftc")
    plugins = Path(os.path.realpath(swiftc)).parents[1] / "lib/swift/host/plugins"
    modules = [ROOT / "Sources/C/CLibXML2/module.modulemap", ROOT / "Sources/C/CZlib/module.modulemap"]
    # What is built for a plugin's tool is there a second time.
    modules += sorted(
        module for module in ROOT.glob(".build/debug/*.build/module.modulemap") if "-tool.build" not in module.parent.name)
    # What the dashboard and Hummingbird are made of; a block that names neither reads none of these.
    for place in ["*/include", "GRDBSQLite"]:
        modules += sorted(ROOT.glob(f".build/checkouts/*/Sources/{place}/module.modulemap"))
    command = [
        swiftc, *options, "-swift-version", "6", "-module-name", module, "-package-name", package,
        "-I", ROOT / ".build/debug/Modules",
        "-plugin-path", plugins, "-plugin-path", plugins / "testing", "-module-cache-path", ROOT / ".build/debug/ModuleCache",
        "-Xcc", "-I/usr/include/libxml2"]
    for module in modules:
        command += ["-Xcc", f"-fmodule-map-file={module}"]
    done = subprocess.run([*command, *files], capture_output=True, text=True, cwd=folder, timeout=300)
    problems = [line for line in done.stderr.splitlines() if " error: " in line or line.startswith("error: ")]
    return problems or ([done.stderr] if done.returncode else [])
