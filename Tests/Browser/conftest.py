import pytest
from browsers import PATIENCE, SharedContexts, chromium
from harness import BINARY, Server
from playwright.sync_api import expect
from samples import demonstration, three_hundred_flags


def pytest_sessionstart(session):
    expect.set_options(timeout=PATIENCE)
    if not BINARY.exists():
        pytest.exit(f"{BINARY} is missing: build it with swift build", 1)


def pytest_collection_modifyitems(items):
    """Marks the tests that a browser takes part in."""
    for item in items:
        if "browser" in item.fixturenames:
            item.add_marker("browser")


def pytest_terminal_summary(terminalreporter, config):
    """Tells how much of the run the tests in a browser took: the others start commands, or ask below its level."""
    reports = [
        report for kind in terminalreporter.stats.values() for report in kind
        if isinstance(report, pytest.TestReport) and "browser" in report.keywords]
    workers = len(config.getoption("tx", None) or [1])
    minutes, seconds = divmod(round(sum(report.duration for report in reports) / workers), 60)
    count = len({report.nodeid for report in reports})
    terminalreporter.write_line(f"In the browser: {count} tests, {minutes} min {seconds:02} s of the run")


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
def shop(tmp_path_factory):
    """One server on the demonstration for the tests of a file that leave its values as they are."""
    server = Server(demonstration(tmp_path_factory.mktemp("shop") / "demo"))
    before = server.file.read_bytes()
    yield server
    server.stop()
    assert server.file.read_bytes() == before, "a test changed a value that others share"


@pytest.fixture(scope="session")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def contexts(browser):
    return SharedContexts(browser)


@pytest.fixture
def open_page(contexts, serve):
    """Opens pages that end with the test, before its servers do, and fails the test for whatever a browser complains of."""
    complaints = []

    def watch(page):
        page.on("pageerror", lambda error: complaints.append(f"script failed: {error}"))
        page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda message: complain(message))
        page.on("response", lambda response: check_resource(response))
        return page

    def complain(message):
        refused = message.text.startswith("Failed to load resource: the server responded with a status of 4")
        if message.type in ("error", "warning") and not refused:
            complaints.append(f"console: {message.text}")

    def check_resource(response):
        # A form that a script sends may be refused as one that the browser sends.
        is_refusal = response.request.method == "POST" and response.status in (409, 413, 422, 428)
        if response.status >= 400 and response.request.resource_type != "document" and not is_refusal:
            complaints.append(f"{response.url} answered {response.status}")

    with contexts.lending() as open_in:
        yield lambda **options: watch(open_in(**options))
    assert complaints == []


@pytest.fixture(params=[True, False], ids=["script on", "script off"])
def page(request, open_page):
    """A page with JavaScript, and once more without."""
    return open_page(java_script_enabled=request.param)
