"""`flagboard references`: where code uses flags, what should be looked at, and `serve --source`."""

import datetime
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from exhibits import CODE
from harness import BINARY, ROOT, Server, environment, flag_path
from samples import demonstration, write

PAST = datetime.datetime(2020, 1, 1)
FLAGS = [
    {"key": "checkout/new_flow", "type": "bool"}, {"key": "checkout/unused", "type": "bool"}, {"key": "old", "type": "bool", "expires": PAST},
    {"key": "gone", "type": "bool", "retired": "no use"}, {"key": "away", "type": "bool", "retired": "no use"},
    {"key": "hidden", "type": "bool", "isInternal": True}, {"key": "maybe", "type": "bool"},
]
FLAGS_SWIFT = """struct AppFlags: FlagCollectionProtocol {
    @FlagCollection(description: "") var checkout: CheckoutFlags
    @Flag(description: "") var old: Bool
    @Flag(description: "") var hidden: Bool
    @Flag(description: "") var misspelt: Bool
    @Flag(description: "") var maybe: Bool
}
struct CheckoutFlags: FlagCollectionProtocol {
    @Flag(description: "") var newFlow: Bool
    @Flag(description: "") var unused: Bool
}
"""
USE_SWIFT = """func f(flags: FlagsLoader<AppFlags>) { if flags.checkout.newFlow && flags.old {} }
let gone = "gone"
let m = things.map { $0.maybe }
"""


def run(*arguments, cwd=None, env=None, timeout=60):
    return subprocess.run(
        [BINARY, *arguments], capture_output=True, text=True, timeout=timeout, cwd=cwd, env=environment() | (env or {}), stdin=subprocess.DEVNULL)


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, {"checkout": {"new_flow": True}, "valued": 1}, FLAGS)
    code = tmp_path / "Code"
    (code / "Inner").mkdir(parents=True)
    (code / ".build").mkdir()
    (code / "Flags.swift").write_text(FLAGS_SWIFT)
    (code / "Inner/Use.swift").write_text(USE_SWIFT)
    (code / ".build/Other.swift").write_text('"checkout/unused"')
    (code / "notes.txt").write_text('"checkout/unused"')
    (tmp_path / "Other.swift").write_text('"checkout/unused"')
    (code / "Link.swift").symlink_to(tmp_path / "Other.swift")
    (code / "Linked").symlink_to(tmp_path)
    return tmp_path


def test_each_flag_is_told_with_its_places_and_what_should_be_looked_at(folder):
    done = run("references", "flags.xml", "Code", "--json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    places = {
        flag["key"]: [f"{place['file']}:{place['line']}:{place['column']} {place['kind']}" for place in flag["references"]]
        for flag in report["flags"]}
    assert places == {
        "checkout/new_flow": ["Code/Flags.swift:9:32 declaration", "Code/Inner/Use.swift:1:58 property"],
        "checkout/unused": ["Code/Flags.swift:10:32 declaration"],
        "old": ["Code/Flags.swift:3:32 declaration", "Code/Inner/Use.swift:1:75 property"],
        "gone": ["Code/Inner/Use.swift:2:12 key"], "away": [], "valued": [],
        "maybe": ["Code/Flags.swift:6:32 declaration", "Code/Inner/Use.swift:3:25 possible"],
    }
    findings = {(finding["code"], finding["key"], finding.get("line")) for finding in report["findings"]}
    assert findings == {
        ("unused-flag", "checkout/unused", 10), ("unused-flag", "valued", None), ("expired-flag", "old", 3), ("retired-flag", "gone", 2),
        ("undefined-key", "misspelt", 5)}
    assert report["files"] == 2 and report["problems"] == report["untold"] == []


def test_the_text_says_the_same_and_the_exit_code_tells_of_findings(folder):
    done = run("references", "flags.xml", "Code", "--exit-code", cwd=folder)
    assert done.returncode == 1 and done.stderr == ""
    lines = done.stdout.splitlines()
    assert "  Code/Inner/Use.swift:1:58: property" in lines
    assert "Code/Flags.swift:5:32: misspelt: declared in the code but not defined in the manifest [undefined-key]" in lines
    assert "valued: no reference in the code [unused-flag]" in lines
    assert lines[-1] == "3 of 7 flags are used, 1 possibly used in 2 files, 5 findings"
    assert run("references", "flags.xml", "Code", cwd=folder).returncode == 0
    assert "hidden" not in done.stdout and "hidden" in run("references", "flags.xml", "Code", "--show-internal", cwd=folder).stdout


def test_a_flag_is_told_with_the_age_of_its_last_change(folder):
    assert run("set", "flags.xml", "checkout/unused", "true", cwd=folder).returncode == 0
    report = json.loads(run("references", "flags.xml", "Code", cwd=folder, env={"FLAGBOARD_JSON": "true"}).stdout)
    changed = {flag["key"]: flag.get("changed") for flag in report["flags"]}
    age = datetime.datetime.now(datetime.UTC) - datetime.datetime.fromisoformat(changed["checkout/unused"])
    assert datetime.timedelta(0) <= age + datetime.timedelta(seconds=2) < datetime.timedelta(minutes=5)
    assert changed["gone"] is None
    assert re.search(r"^checkout/unused  last changed [\d-]{10}, today$", run("references", "flags.xml", "Code", cwd=folder).stdout, re.M)


def test_what_cant_be_read_is_told(folder):
    large = folder / "Code/Large.swift"
    large.write_bytes(b"//" + b" " * (4 * 1024 * 1024))
    done = run("references", "flags.xml", "Code", cwd=folder)
    assert done.returncode == 1 and "Skipped Code/Large.swift: it has 4194306 bytes, and the limit is 4194304" in done.stderr
    large.unlink()
    (folder / "Code/\udcff.swift").write_text('"checkout/unused"')
    done = run("references", "flags.xml", "Code", cwd=folder)
    assert done.returncode == 1 and "Skipped Code/\ufffd.swift: its name is not UTF-8; rename it" in done.stderr
    (folder / "Code/\udcff.swift").unlink()
    with too_deep_folder(folder / "Code"):
        done = run("references", "flags.xml", "Code", cwd=folder)
        assert done.returncode == 1 and re.search(r"Skipped Code/[d/]+/File\.swift: File name too long", done.stderr)
    none = run("references", "flags.xml", "Nowhere", cwd=folder)
    assert none.returncode == 1 and "Nowhere; specify the source folder" in none.stderr
    (folder / "flags.manifest.xml").write_text("<plist>")
    assert run("references", "flags.xml", "Code", cwd=folder).returncode == 1
    assert run("references", "flags.xml", cwd=folder).returncode == 64
    assert run("serve", "flags.xml", "--source", "Nowhere", cwd=folder).returncode == 64


def test_the_program_that_reads_code_is_looked_for_and_its_absence_told_with_what_to_do(folder, tmp_path):
    alone, beside = tmp_path / "alone", tmp_path / "beside"
    for place in (alone, beside):
        place.mkdir()
    program = Path(shutil.copy(BINARY, alone))

    def start(*arguments):
        return subprocess.run(
            [program, *arguments], cwd=folder, capture_output=True, text=True, timeout=120,
            env=environment() | {"PATH": f"{beside}:{os.environ['PATH']}"})

    for command, code in (["references", "flags.xml", "Code"], 1), (["serve", "flags.xml", "--port", "0", "--source", "Code"], 64):
        refused = start(*command)
        assert refused.returncode == code and "beside flagboard or on the PATH" in refused.stderr
        assert "swift build -c release --product flagboard-references" in refused.stderr
    (beside / "flagboard-references").symlink_to(BINARY.parent / "flagboard-references")
    assert "checkout/new_flow" in start("references", "flags.xml", "Code").stdout
    other = alone / "flagboard-references"
    other.write_text("#!/bin/sh\nexit 64\n")
    other.chmod(0o755)
    refused = start("references", "flags.xml", "Code")
    assert refused.returncode == 1 and "is from a different version than flagboard; install both from the same build" in refused.stderr
    usage = subprocess.run([BINARY.parent / "flagboard-references"], capture_output=True, text=True, timeout=60)
    assert usage.returncode == 64 and "flagboard references" in usage.stderr


HOSTILE = {
    "Generics.swift": "let x: " + "A<" * 12_000, "Chain.swift": "if a {} " + "else if a {} " * 47_000, "Lists.swift": "let x = " + "[" * 40,
    "Texts.swift": 'let x = ' + '"\\(' * 20_000, "Deep.swift": "let x = " + "(" * 2_000 + ")" * 2_000}


def test_code_that_is_too_much_for_the_parser_is_told_and_ends_nothing(tmp_path):
    file = demonstration(tmp_path / "demo")
    code = file.parent / "Sources"
    code.mkdir()
    for name, text in HOSTILE.items():
        (code / name).write_text(text)
    (code / "Use.swift").write_text('let a = "checkout/delivery_fee"\n')
    done = run("references", "flags.xml", "Sources", cwd=file.parent, timeout=600)
    assert done.returncode == 1 and "  Sources/Use.swift:1:9: key" in done.stdout
    told = {name for name in HOSTILE if f"Skipped Sources/{name}: " in done.stderr}
    assert told >= {"Lists.swift", "Deep.swift"}
    assert "Skipped Sources/Lists.swift: parsing its code takes more than 10 seconds" in done.stderr
    assert "Skipped Sources/Deep.swift: its code is nested more than 1000 levels deep" in done.stderr
    assert "[unused-flag]" not in done.stdout or "no reference in the code" not in done.stdout
    # Two of them are enough to try the server with: each takes the parser's whole time.
    for name in HOSTILE.keys() - {"Generics.swift", "Deep.swift"}:
        (code / name).unlink()
    server = Server(file, "--source", code)
    try:
        page = wait_for(server, "Use.swift:1", seconds=600)
        assert "Couldn’t read Deep.swift: its code is nested more than 1000 levels deep." in page
        server.wait_for_error("Skipped Deep.swift: its code is nested")
        assert server.process.poll() is None
    finally:
        assert server.stop() == 0


GENERATED = ["old-flow", "http_URL", "enable SSO", "feature:v1", "2fa", "class", "a-b", "a_b", "deep/er/max.count", "deep-er/x"]


def test_what_is_used_by_its_generated_name_is_not_called_unused(tmp_path):
    """Each name is the one in the code that the generator makes, which is not in the folder."""
    flags = [{"key": key, "type": "bool"} for key in GENERATED]
    write(tmp_path, {}, [*flags, {"key": "no-one", "type": "bool"}])
    made = run("generate", "swift", "flags.xml", cwd=tmp_path).stdout
    names = re.findall(r"^ *var (\S+): Bool", made, re.M)
    assert len(names) == len(GENERATED) + 1
    used = [name for name in names if name != "noOne"]
    code = tmp_path / "Code"
    code.mkdir()
    for lines in (
        [f"    use(flags.group.{name})" for name in used], [f"    use(AppFlags.Keys.{name})" for name in used],
    ):
        (code / "Use.swift").write_text("\n".join(["func f(flags: AppFlags) {", *lines, "}"]))
        report = json.loads(run("references", "flags.xml", "Code", "--json", cwd=tmp_path).stdout)
        assert [(finding["code"], finding["key"]) for finding in report["findings"]] == [("unused-flag", "no-one")]
        assert report["findings"][0]["message"] == "no reference in the code"
        done = run("references", "flags.xml", "Code", cwd=tmp_path)
        assert f"0 of 11 flags are used, {len(GENERATED)} possibly used in 1 file, 1 finding" in done.stdout


def test_the_properties_of_a_plain_decodable_type_may_be_uses(tmp_path):
    write(tmp_path, {"dark_mode": True, "ui": {"newMenu": False, "Old Menu": 1}, "unread": 1, "gone": True})
    code = tmp_path / "Code"
    code.mkdir()
    (code / "Flags.swift").write_text('''
struct Flags: Decodable {
    let darkMode: Bool
    let unread: Int
    let ui: Menus
    struct Menus: Decodable {
        let newMenu: Bool
        let oldMenu: Int
        enum CodingKeys: String, CodingKey { case newMenu, oldMenu = "Old Menu" }
    }
}
func show(_ flags: Flags) { if flags.darkMode, flags.ui.newMenu { print(flags.ui.oldMenu) } }
''')
    report = json.loads(run("references", "flags.xml", "Code", "--json", cwd=tmp_path).stdout)
    assert {finding["key"]: finding["message"] for finding in report["findings"]} == {
        "gone": "no reference in the code",
        "unread": "only its name appears in the code, possibly for something else"}


@contextmanager
def too_deep_folder(folder):
    """A folder that can be listed, with a file whose path is longer than the system takes."""
    above, names = os.open(folder, os.O_RDONLY), []
    rest = 4090 - len(bytes(folder.resolve()))
    while rest > 2:
        name = "d" * min(200, rest - 1)
        os.mkdir(name, dir_fd=above)
        within = os.open(name, os.O_RDONLY, dir_fd=above)
        names.append((above, name))
        above, rest = within, rest - len(name) - 1
    os.close(os.open("File.swift", os.O_CREAT | os.O_WRONLY, dir_fd=above))
    try:
        yield
    finally:
        os.unlink("File.swift", dir_fd=above)
        os.close(above)
        for above, name in reversed(names):
            os.rmdir(name, dir_fd=above)
            os.close(above)


def test_the_commands_of_the_page_do_what_it_says(tmp_path):
    folder = demonstration(tmp_path / "demo").parent
    (folder / "Sources").mkdir()
    (folder / "Sources/Cart.swift").write_text(CODE)
    commands = re.findall(r"^    flagboard (.*)$", (ROOT / "docs/references.md").read_text(), re.M)
    assert len(commands) == 3
    for command in commands[:2]:
        words, _, said = command.partition("#")
        done = run(*shlex.split(words), cwd=folder)
        assert (done.returncode, done.stderr) == (1 if said else 0, "")
        assert "Cart.swift" in done.stdout
    words = shlex.split(commands[2])
    assert words[:2] == ["serve", "flags.xml"]
    server = Server(folder / "flags.xml", *words[2:])
    try:
        assert "Cart.swift:9" in wait_for(server, "Cart.swift")
    finally:
        server.stop()


def wait_for(server, text, path=flag_path("checkout/delivery_fee"), seconds=60):
    """The page once it has a text: code is read beside the pages' work."""
    end = time.monotonic() + seconds
    while text not in (page := server.get(path).text):
        assert time.monotonic() < end, f"{path} never says {text!r}: {page}"
    return page


def test_the_page_of_a_flag_follows_the_code(tmp_path):
    file = demonstration(tmp_path / "demo")
    code = file.parent / "Sources"
    code.mkdir()
    server = Server(file, "--source", code)
    try:
        assert "No references in 0 files." in wait_for(server, "No references in 0")
        (code / "A.swift").write_text('let a = "checkout/delivery_fee"\n')
        page = wait_for(server, "A.swift:1")
        assert 'href="/source?file=A.swift&amp;line=1"' in page
        assert '<code class="use-code" dir="ltr">let a = &quot;checkout/delivery_fee&quot;</code>' in page
        (code / "A.swift").write_text('\n\nlet a = "checkout/delivery_fee"\n')
        wait_for(server, "A.swift:3")
        (code / "A.swift").unlink()
        wait_for(server, "No references in 0")
        assert server.get("/source?file=A.swift&line=1").status == 404
    finally:
        server.stop()


def test_no_page_shows_anything_but_swift_files_of_the_folder_that_are_about_a_flag(tmp_path):
    file = demonstration(tmp_path / "demo")
    code = file.parent / "Sources"
    code.mkdir()
    text = 'let a = "checkout/delivery_fee" // </code><script>alert(1)</script>\n'
    for name in ("A.swift", "Big.swift", "Swapped.swift"):
        (code / name).write_text(text)
    (code / "Other.swift").write_text("let secret = 1\n")
    (code / "Internal.swift").write_text('let a = "checkout/payment/fraud_threshold"\n')
    (code / "A.txt").write_text(text)
    (tmp_path / "Outside.swift").write_text(text)
    (code / "Link.swift").symlink_to(tmp_path / "Outside.swift")
    server = Server(file, "--source", code)
    try:
        wait_for(server, "Swapped.swift:1")
        shown = server.get("/source?file=A.swift&line=1")
        assert shown.status == 200 and "&lt;script&gt;alert(1)" in shown.text and "<script>alert(1)" not in shown.text
        names = [
            "Other.swift", "Internal.swift", "A.txt", "Link.swift", "../../Outside.swift", "..%2F..%2FOutside.swift", "./A.swift", "/A.swift",
            str(code / "A.swift"), "A.swift%00", "a.swift", "", "%2E%2E/Sources/A.swift", "Sources/../A.swift", "A.swift/", "A.swift&file=A.swift",
        ]
        for name in names:
            assert server.get(f"/source?file={name}&line=1").status in (400, 404, 422), name
        assert server.get("/source?file=A.swift").status == 200
        lines = ["0", "-1", "2", "3", "x", "", str(2**63 - 1), str(-(2**63)), str(2**63), "9" * 40]
        for line in lines:
            assert server.get(f"/source?file=A.swift&line={line}").status == 404, line
        # What becomes a link or grows meanwhile is not shown either.
        (code / "Swapped.swift").unlink()
        (code / "Swapped.swift").symlink_to(tmp_path / "Outside.swift")
        assert server.get("/source?file=Swapped.swift&line=1").status == 404
        os.truncate(code / "Big.swift", 5 * 1024 * 1024)
        assert server.get("/source?file=Big.swift&line=1").status == 404
    finally:
        server.stop()


BESIDE = """struct Payment: FlagCollectionProtocol {
    @Flag(description: "Who processes payments") var processor: String
    // Above this sum an order is looked at.
    @Flag(
        description: "secret of the bank",
        default: 900)
    var fraudThreshold: Int
    @Flag(key: made(), description: "secret key") var made: Bool
}
struct Shop: FlagCollectionProtocol {
    @FlagCollection(key: "checkout", description: "The checkout") var checkout: Checkout
}
struct Inner: FlagCollectionProtocol { @Flag(description: "secret") var secret: Bool }
struct Checkout: FlagCollectionProtocol {
    @FlagCollection(description: "How people pay") var payment: Payment
    @FlagCollection(description: "secret group") var inner: Inner
    let keys = "checkout/delivery_fee"
}
func f(_ shop: Shop) {
    use("checkout/delivery_fee")
    use(shop.checkout.payment.fraudThreshold)  // secret use
    use(shop.checkout.payment
        .fraudThreshold)
    use("checkout/payment/fraud_threshold")  // secret text
    // checkout/payment/fraud_threshold: secret comment
    let open = 1
}
"""


@pytest.mark.parametrize("options", [[], ["--show-internal"]])
def test_no_line_that_tells_of_an_internal_flag_is_shown_beside_another_flag(tmp_path, options):
    file = demonstration(tmp_path / "demo")
    (file.parent / "A.swift").write_text(BESIDE + "\n" * 40 + "let last = 1\n")
    server = Server(file, "--source", file.parent, *options)
    try:
        beside = wait_for(server, "A.swift:17")
        assert "let keys = &quot;checkout/delivery_fee&quot;" in beside
        assert options or "secret" not in beside
        page = server.get("/source?file=A.swift&line=17").text
        assert all(text in page for text in ("let keys", "let open", "Who processes payments", "How people pay"))
        if options:
            assert "secret of the bank" in page and "not shown" not in page
        else:
            assert "secret" not in page and "Above this sum" not in page and "fraud" not in page.lower()
            assert "6 lines hidden" in page and "1 line hidden" in page
        # The lines far from any place of a flag are no business of the page.
        assert server.get("/source?file=A.swift&line=40").status == 200
        assert server.get("/source?file=A.swift&line=41").status == (404 if not options else 200)
        assert server.get("/source?file=A.swift&line=68").status == 404
    finally:
        server.stop()


def test_only_who_is_signed_in_sees_code(tmp_path):
    file = demonstration(tmp_path / "demo")
    (file.parent / "A.swift").write_text('let a = "checkout/delivery_fee"\n')
    server = Server(file, "--source", file.parent, access="token")
    try:
        answer = server.get("/source?file=A.swift&line=1")
        assert answer.status == 401 and "let a" not in answer.text
    finally:
        server.stop()


def test_a_history_that_breaks_ends_no_look_for_good(tmp_path):
    file = demonstration(tmp_path / "demo")
    code = file.parent / "Sources"
    code.mkdir()
    server = Server(file, "--source", code)
    try:
        wait_for(server, "No references in 0")
        with closing(sqlite3.connect(file.parent / "flags.history.sqlite")) as history:
            version = history.execute("PRAGMA schema_version").fetchone()[0]
            history.execute("PRAGMA writable_schema = ON")
            history.execute("UPDATE sqlite_master SET sql = 'damaged' WHERE name = 'history'")
            history.execute(f"PRAGMA schema_version = {version + 1}")
            history.commit()
        file.write_bytes(file.read_bytes().replace(b"<real>1.95</real>", b"<real>1.9</real>"))
        end = time.monotonic() + 60
        while "Can't read the source code: " not in server.errors():
            assert time.monotonic() < end, server.errors()
            server.get("/")
        assert server.process.poll() is None
        assert server.get("/").status in (200, 503)
    finally:
        assert server.stop() == 0


def test_the_server_stops_while_code_is_read(tmp_path):
    file = demonstration(tmp_path / "demo")
    (file.parent / "A.swift").write_text("let a = 1" + " + a" * 1_000_000)
    server = Server(file, "--source", file.parent)
    assert "Reading the source code. Reload the page in a moment." in server.get(flag_path("checkout/delivery_fee")).text
    assert server.stop() == 0
