"""What the plugin GeneratePages makes of the declarations in the dashboard's sources."""

import subprocess

from harness import ROOT

TOOL = ROOT / ".build/debug/GeneratePagesTool"

SOURCE = '''
/// struct Commented: PagePart { let no: Int }
struct Plain: Hashable, PagePart {
    let name: String
    var `default`: Int?
    private(set) var count: [Int] = [1, 2].map { $0 }
    static let limit = 3
    static var all: [Plain] { [] }
    var computed: Int { 1 }
    var long: String {
        let local = "x"
        return local
    }

    enum Sort: String {
        case one, two
        var other: Int { 1 }
    }

    struct Inner: PagePart {
        let text: String
    }

    let last: Inner

    init(_ name: String) {
        let inside = name
        self.name = inside
    }
}

private func free() -> Int {
    let local = 1
    return local
}

struct Several<Value>:
    Hashable, JSONDocument
where Value: Hashable {
    let key: String
}

struct Own: JSONDocument {
    let hidden: Int
    static let members: JSONMembers<Self> = ["shown": .of(\\.hidden)]
}

struct Unlisted {
    let name: String
}

extension Unlisted: PageModel {
    static let template = "unlisted"
}

extension Plain.Sort { struct Short: PagePart { let one: Int } }
'''


def made(folder, source):
    (folder / "sources").mkdir()
    (folder / "sources/Some.swift").write_text(source)
    output = folder / "made.swift"
    done = subprocess.run(
        [TOOL, "list", output, folder / "sources"], capture_output=True, text=True, timeout=20)
    assert (done.returncode, done.stderr) == (0, "")
    return output


def test_stored_properties_of_parts_pages_and_documents_are_listed_and_no_others(tmp_path):
    text = made(tmp_path, SOURCE).read_text()
    tables = {}
    for block in text.split("extension ")[1:]:
        name, *lines = block.splitlines()
        entries = lines[1:lines.index("    ]")]
        tables.setdefault(name.removesuffix(" {"), []).append(
            (lines[0].split()[2].rstrip(":"), [line.strip().rstrip(",") for line in entries]))
    parts = [f"{name}.self" for name in ("Plain", "Plain.Inner", "Plain.Sort.Short")]
    assert tables == {
        "TemplateLibrary": [("pages", ["Unlisted.self"]), ("parts", parts)],
        "Plain": [("fields", [f'"{name}": .of(\\Self.{name})' for name in ("name", "default", "count", "last")])],
        "Plain.Inner": [("fields", ['"text": .of(\\Self.text)'])],
        "Plain.Sort.Short": [("fields", ['"one": .of(\\Self.one)'])],
        "Several": [("members", ['"key": .of(\\Self.key)'])],
        "Unlisted": [("fields", ['"name": .of(\\Self.name)'])],
    }
    assert "case 2: count.shown" in text and text.count("func content(at place: Int)") == 4


def test_a_source_that_would_be_the_same_is_left_so_that_nothing_is_compiled_again(tmp_path):
    output = made(tmp_path, SOURCE)
    before = output.stat()
    subprocess.run([TOOL, "list", output, tmp_path / "sources"], check=True, timeout=20)
    assert (output.stat().st_mtime_ns, output.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


def test_a_command_that_is_none_is_refused(tmp_path):
    for arguments in [[], ["list"], ["list", tmp_path / "a"], ["other", tmp_path / "a", tmp_path]]:
        done = subprocess.run([TOOL, *arguments], capture_output=True, text=True, timeout=20)
        assert done.returncode == 1 and done.stderr.startswith("usage: ") and not (tmp_path / "a").exists()
