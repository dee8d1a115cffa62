"""Running apps that are connected: `Examples/ConnectedShop`, whose memory and UserDefaults the dashboard shows and changes."""

import json
import os
import re
import socket
import subprocess

import pytest
from followed import Events
from harness import BINARY, environment
from playwright.sync_api import expect

SHOP = BINARY.parent / "ConnectedShop"
EMPTY = '<plist version="1.0">\n<dict/>\n</plist>\n'


class App:
    """The example as a process."""

    def __init__(self, file):
        self.process = subprocess.Popen(
            [SHOP, file], env=environment() | {"HOME": str(file.parent)}, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, cwd=file.parent)
        self.greeting = self.process.stdout.readline()

    def says(self, line=""):
        """What the shop reads now."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def run(*arguments):
    return subprocess.run([BINARY, *arguments], env=environment(), capture_output=True, text=True)


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "shop.xml"
    file.write_text(EMPTY)
    return file


@pytest.fixture
def start(file):
    apps = []

    def start():
        apps.append(App(file))
        return apps[-1]

    yield start
    for app in apps:
        if app.process.poll() is None:
            app.kill()


def providers(server):
    return [provider["name"] for provider in json.loads(server.get("/api/v1/providers").text)["providers"]]


def wait(server, condition):
    """Waits until the providers are as wanted; each app that comes or goes is an event."""
    events = Events(server)
    try:
        events.wait(lambda: condition(providers(server)))
    finally:
        events.close()


def chain(page, app="shop"):
    return page.get_by_role("heading", name=f"In the running app {app}", exact=True).locator("xpath=following-sibling::ol[1]")


@pytest.mark.parametrize("scripts", [True, False], ids=["with script", "without script"])
def test_memory_and_user_defaults_are_seen_switched_and_undone_with_a_history(serve, file, start, open_page, scripts):
    server = serve(file)
    app = start()
    assert app.greeting == 'The shop is open: connected(as: "shop")\n'
    page = open_page(java_script_enabled=scripts)
    for provider in ["shop/Session", "shop/Saved"]:
        page.goto(server.url(f"/flags/quick_checkout?provider={provider}"))
        expect(page.locator("main")).to_contain_text(f"{provider} is in the running app shop")
        expect(chain(page).locator(".provider")).to_have_text(["shop/Session", "shop/Local", "shop/Saved"])
        page.locator("label", has_text="On").first.click()
        page.get_by_role("textbox", name="Reason (optional)", exact=True).fill("try it in the app")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.locator("main")).to_contain_text(f"Turned on in {provider}.")
        expect(page.locator(".app-value")).to_contain_text(re.compile(rf"Reads\s+On\s+from\s+{provider}\."))
        assert app.says().startswith("Paying takes one click")
        page.locator(".banner").get_by_role("button", name=re.compile("^Undo")).first.click()
        expect(page.locator("main")).to_contain_text("Undone.")
        assert app.says().startswith("Paying takes a form")
    assert file.read_text() == EMPTY, "the file has nothing to do with it"
    page.goto(server.url("/history"))
    expect(page.locator("main")).to_contain_text("shop/Saved")
    expect(page.locator("main")).to_contain_text("try it in the app")


def test_explain_tells_the_values_of_a_running_app_from_those_of_other_environments(serve, file, start):
    file.with_name("team.xml").write_text(EMPTY)
    serve(file, "--provider", f"Team={file.with_name('team.xml')}:env")
    start()
    said = run("explain", file, "quick_checkout").stdout
    assert re.search(r"shop/Saved .*\(in the running app\)", said), said
    assert re.search(r"Team .*\(not used by the app that reads this file\)", said), said


def test_what_the_app_does_itself_is_on_the_open_page(serve, file, start, open_page):
    server = serve(file)
    app = start()
    page = open_page()
    page.goto(server.url("/flags/delivery_fee"))
    expect(page.locator(".app-value")).to_contain_text("4.9")
    app.says("sale")
    expect(page.locator(".app-value")).to_contain_text("from shop/Session")
    app.kill()
    expect(page.locator(".app-value")).to_have_count(0)


def test_each_of_two_apps_has_a_section_and_a_page_that_stays_open_follows_its_restart(serve, file, start, open_page):
    server = serve(file)
    first = start()
    wait(server, lambda shown: "shop/Session" in shown)
    page = open_page()
    page.goto(server.url("/flags/delivery_fee"))
    expect(chain(page)).to_have_count(1)
    second = start()
    expect(chain(page, "shop-2").locator(".provider")).to_have_text(["shop-2/Session", "shop-2/Local", "shop-2/Saved"])
    second.says("sale")
    expect(page.locator(".app-value").nth(1)).to_contain_text("from shop-2/Session")
    expect(page.locator(".app-value").first).to_contain_text("4.9")
    second.kill()
    expect(chain(page, "shop-2")).to_have_count(0)
    expect(chain(page)).to_have_count(1)
    first.kill()
    expect(page.locator(".app-value")).to_have_count(0)
    again = start()
    assert again.greeting == 'The shop is open: connected(as: "shop")\n'
    expect(chain(page).locator(".provider")).to_have_text(["shop/Session", "shop/Local", "shop/Saved"])
    again.says("sale")
    expect(page.locator(".app-value")).to_contain_text("from shop/Session")


def test_an_app_is_found_again_after_either_side_was_killed_and_two_are_told_apart(serve, file, start):
    app = start()
    assert app.greeting == "The shop is open: searching\n"
    server = serve(file)
    wait(server, lambda shown: "shop/Session" in shown)
    app.kill()
    wait(server, lambda shown: shown == ["Local"])
    change = run("set", file, "delivery_fee", "1", "--provider", "shop/Session")
    assert change.returncode == 64 and "Provider shop/Session not found." in change.stderr
    first, second = start(), start()
    assert [first.greeting, second.greeting] == [f'The shop is open: connected(as: "{n}")\n' for n in ["shop", "shop-2"]]
    wait(server, lambda shown: "shop-2/Session" in shown)
    assert run("set", file, "delivery_fee", "1", "--provider", "shop-2/Session").returncode == 0
    assert "costs 4.9" in first.says() and "costs 1.0" in second.says()
    server.kill()
    server = serve(file)
    wait(server, lambda shown: {"shop/Session", "shop-2/Session"} <= set(shown))


def test_the_values_of_apps_count_in_the_app_alone(serve, file, start):
    server = serve(file)
    app = start()
    wait(server, lambda shown: "shop/Session" in shown)
    assert run("set", file, "delivery_fee", "1", "--provider", "shop/Session").returncode == 0
    assert "costs 1.0" in app.says()
    assert run("get", file, "delivery_fee").stdout == "4.9\n"
    assert run("get", file, "delivery_fee", "--provider", "shop").stdout == "1.0\n"
    answer = server.request(
        "POST", "/ofrep/v1/evaluate/flags/delivery_fee", b"{}", {"Content-Type": "application/json"})
    assert json.loads(answer.text)["value"] == 4.9
    difference = run("diff", file, "--left", "Local", "--right", "shop")
    assert "delivery_fee" in difference.stdout


def test_a_flag_that_an_app_reads_otherwise_is_marked_and_found(serve, file, start, open_page):
    server = serve(file)
    app = start()
    page = open_page()
    page.goto(server.url("/"))
    wait(server, lambda shown: "shop/Session" in shown)
    assert run("list", file, "--state", "differs-in-app").stdout == ""
    app.says("sale")
    row = page.locator("[data-flag='delivery_fee']")
    expect(row.locator(".mark-in-app")).to_have_text(re.compile(r"^shop: \d"))
    page.goto(server.url("/"))
    page.get_by_role("link", name="Different in an app 1").click()
    expect(page.locator("[data-flag]")).to_have_count(1)
    assert "delivery_fee" in run("list", file, "--state", "differs-in-app").stdout
    app.kill()
    wait(server, lambda shown: "shop/Session" not in shown)
    page.goto(server.url("/?state=differs-in-app"))
    expect(row).to_have_count(0)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_process_of_another_user_is_refused(serve, file, start):
    serve(file)
    start()
    folder = f"/tmp/flagboard-{os.geteuid()}"
    sockets = [name for name in os.listdir(folder) if name.endswith(".apps.socket")]
    own = next(name for name in sockets if knows_the_app(f"{folder}/{name}"))
    # The folder keeps others out. Who could enter it all the same, as a program with the files' rights of its owner, is not
    # answered: the rights on files are of the one user, and the process is of the other.
    script = (
        "import ctypes, os, socket, sys\n"
        "s = socket.socket(socket.AF_UNIX)\n"
        "os.seteuid(65534)\n"
        "if sys.argv[2] == 'enters': ctypes.CDLL(None).setfsuid(0)\n"
        "try: s.connect(sys.argv[1])\n"
        "except PermissionError: print('kept out')\n"
        "else:\n"
        "    try: s.sendall(b'{\"hello\":{\"version\":1,\"name\":\"x\",\"process\":1}}\\n'); print(s.recv(99))\n"
        "    except (BrokenPipeError, ConnectionResetError): print(b'')\n")

    def ask(way):
        command = ["python3", "-c", script, f"{folder}/{own}", way]
        return subprocess.run(command, capture_output=True, text=True).stdout

    assert ask("knocks") == "kept out\n"
    assert ask("enters") == "b''\n", "not a word to a stranger"


def knows_the_app(path):
    """Whether this is the socket of the test's own server, to which an app is connected."""
    beside = path.removesuffix(".apps.socket") + ".socket"
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(20)
    try:
        client.connect(beside)
        client.sendall(b"GET /api/v1/providers HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        said = b"".join(iter(lambda: client.recv(65536), b""))
        return b"shop/Session" in said 
    except OSError:
        return False
    finally:
        client.close()
