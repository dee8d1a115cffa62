import os
import shutil

import pytest
from harness import BINARY, ROOT, Server
from pages import open_exhibit, open_guarded_exhibit
from playwright.sync_api import sync_playwright
from samples import demonstration, three_hundred_flags

SCREENSHOTS = ROOT / ".build/screenshots"


def pytest_sessionstart(session):
    if not BINARY.exists():
        pytest.exit(f"{BINARY} is missing: build it with swift build --product flagboard", 1)


@pytest.fixture
def serve():
    """Starts servers that end with the test."""
    servers = []

    def start(file, *options, prefix=(), access="open"):
        servers.append(Server(file, *options, prefix=prefix, access=access))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def demo(serve, tmp_path):
    """A server on a fresh copy of the demonstration."""
    return serve(demonstration(tmp_path / "demo"))


@pytest.fixture
def guarded(serve, tmp_path):
    """A server on a fresh copy of the demonstration, which people sign in to."""
    return serve(demonstration(tmp_path / "guarded"), access="token")


@pytest.fixture
def large(serve, tmp_path):
    """A server on a file of 300 flags, none of them internal."""
    return serve(three_hundred_flags(tmp_path / "large"))


@pytest.fixture(scope="module")
def exhibit(tmp_path_factory):
    """One server for all the pages, with something in its history."""
    server = open_exhibit(tmp_path_factory.mktemp("exhibit") / "demo")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def guarded_exhibit(tmp_path_factory):
    """One server that people sign in to, with tokens of every sort."""
    server = open_guarded_exhibit(tmp_path_factory.mktemp("guarded") / "demo")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser():
    executable = shutil.which(os.environ.get("FLAGBOARD_CHROMIUM", "chromium"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, headless=True, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser):
    """Opens pages that end with the test, and fails the test for whatever a browser complains of."""
    contexts, complaints = [], []

    def watch(page):
        page.on("pageerror", lambda error: complaints.append(f"script failed: {error}"))
        page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda message: complain(message))
        page.on("response", lambda response: check_resource(response))

    def complain(message):
        refused = message.text.startswith("Failed to load resource: the server responded with a status of 4")
        if message.type in ("error", "warning") and not refused:
            complaints.append(f"console: {message.text}")

    def check_resource(response):
        if response.status >= 400 and response.request.resource_type != "document":
            complaints.append(f"{response.url} answered {response.status}")

    def open_in(**options):
        context = browser.new_context(**options)
        context.set_default_timeout(5000)
        contexts.append(context)
        page = context.new_page()
        watch(page)
        return page

    yield open_in
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(params=[True, False], ids=["script on", "script off"])
def page(request, open_page):
    """A page with JavaScript, and once more without."""
    return open_page(java_script_enabled=request.param)


@pytest.fixture(scope="session")
def screenshots():
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS
