"""A public address: everything follows it behind a real nginx with TLS, below a path of a site that has other pages too."""

import json
import re
import subprocess
import urllib.parse

import pytest
from harness import BINARY, ROOT, Server, environment
from nginx import Nginx
from playwright.sync_api import expect
from samples import demonstration
from tokens import make_token

PATH = "/flags"


@pytest.fixture
def nginx(tmp_path):
    proxy = Nginx(tmp_path / "nginx")
    yield proxy
    proxy.stop()


def documented_location(port):
    """The block for nginx in the documentation, with the port of a test's server."""
    text = (ROOT / "docs/proxies.md").read_text()
    block = re.search(r"```nginx\n(.*?)```", text, re.S)[1]
    assert "127.0.0.1:8080" in block
    return block.replace("127.0.0.1:8080", f"127.0.0.1:{port}")


class Site:
    def __init__(self, nginx, file, *options):
        self.nginx = nginx
        self.server = SiteServer(file, "--public-url", nginx.origin + PATH, *options, access="token")
        nginx.start(documented_location(self.server.port))

    def url(self, path):
        return self.nginx.origin + PATH + path


class SiteServer(Server):
    """A server whose sign-in link leads to its public address."""

    def next_link(self):
        return self._wait_for(re.compile(r"Sign in: (https://localhost:\d+/flags/sign-in\?token=[\w-]{43})$"))[1]


@pytest.fixture
def site(nginx, tmp_path):
    site = Site(nginx, demonstration(tmp_path / "demo"), "--trusted-proxy", "127.0.0.1")
    yield site
    site.server.stop()


@pytest.fixture
def visitor(browser):
    context = browser.new_context(ignore_https_errors=True)
    yield context.new_page()
    context.close()


def test_a_person_signs_in_changes_a_flag_and_sees_another_s_change_at_once(site, visitor):
    page, failed = visitor, []
    page.on("response", lambda answer: answer.status >= 400 and failed.append((answer.status, answer.url)))
    page.on("pageerror", lambda error: failed.append(error))
    page.goto(site.server.link)
    expect(page).to_have_url(site.url("/"))
    cookies = page.context.cookies()
    session = next(each for each in cookies if each["httpOnly"] and "flagboard_" in each["name"])
    assert session["secure"] and session["path"] == f"{PATH}/" and session["name"].startswith("__Secure-")
    for link in page.locator("a[href]").all():
        address = urllib.parse.urljoin(page.url, link.get_attribute("href"))
        assert address.startswith((site.url("/"), page.url.partition("#")[0])), address
    row = page.locator('.flag[data-flag="checkout/guest_checkout"]')
    row.get_by_role("button", name="Off", exact=True).click()
    expect(row.get_by_role("button", name="On", exact=True)).to_be_visible()
    result = subprocess.run(
        [BINARY, "set", site.server.file, "checkout/guest_checkout", "false", "--reason", "by command"],
        capture_output=True, text=True, env=environment(), timeout=60)
    assert result.returncode == 0, result.stderr
    expect(row.get_by_role("button", name="Off", exact=True)).to_be_visible()
    page.get_by_role("link", name="History", exact=True).click()
    expect(page).to_have_url(site.url("/history"))
    expect(page.locator("main")).to_contain_text("by command")
    page.goto(site.url("/flags/checkout/delivery_fee"))
    copied = page.locator("main").inner_html() + page.content()
    assert f"{site.nginx.origin}{PATH}/api/v1/" in copied and f"127.0.0.1:{site.server.port}" not in copied
    assert failed == []
    verified = subprocess.run(
        [BINARY, "history", "verify", site.server.file], capture_output=True, text=True, env=environment(), timeout=60)
    assert verified.returncode == 0, verified.stdout


def test_forms_redirect_to_the_public_path_and_the_description_names_it(site):
    token = make_token(site.server.file, "bob", "editor")
    host = {"Host": site.nginx.origin.removeprefix("https://")}
    assert site.server.get("/").headers["location"] == f"{PATH}/"
    assert site.server.get("/", host).headers["location"] == f"{PATH}/"
    assert site.server.get(PATH, host).headers["location"] == f"{PATH}/"
    assert site.server.get("/history", host).status == 404
    assert site.server.get("/healthz").status == 200 and site.server.get(f"{PATH}/healthz").status == 200
    bearer = host | {"Authorization": f"Bearer {token}"}
    described = site.server.get(f"{PATH}/api/v1/openapi.json", bearer)
    assert json.loads(described.text)["servers"][0]["url"] == PATH
    form = bearer | {"Content-Type": "application/x-www-form-urlencoded", "Origin": site.nginx.origin}
    saved = site.server.request("POST", f"{PATH}/settings", b"theme=dark", form)
    assert saved.status == 303 and saved.headers["location"].startswith(f"{PATH}/")
    assert "; Secure" in saved.headers["set-cookie"]
    signing_in = host | {"Content-Type": "application/x-www-form-urlencoded"}
    for origin, status in ((site.nginx.origin, 303), ("http://localhost", 403), ("https://evil.example", 403)):
        sent = f"token={token}".encode()
        assert site.server.request("POST", f"{PATH}/sign-in", sent, signing_in | {"Origin": origin}).status == status
    assert site.server.get(f"{PATH}/", {"Host": "evil.example"}).status == 421


def test_a_sign_in_link_leads_to_the_public_address_though_it_is_made_beside_the_proxy(site):
    token = make_token(site.server.file, "ann", "admin")
    form = {"Authorization": f"Bearer {token}", "Content-Type": "application/x-www-form-urlencoded"}
    form["Origin"] = site.server.address
    made = site.server.request("POST", f"{PATH}/access/tokens", b"name=zoe&role=viewer", form)
    assert made.status == 200 and f"{site.url('/sign-in')}?token=flagboard_" in made.text
    assert f"{site.server.port}/" not in made.text.partition("link-title")[2].partition("</pre>")[0]


def test_a_proxy_that_removes_the_path_is_named_and_sends_nobody_around_in_a_circle(nginx, visitor, tmp_path):
    server = SiteServer(demonstration(tmp_path / "demo"), "--public-url", nginx.origin + PATH, access="token")
    nginx.start(f"location {PATH}/ {{ proxy_pass http://127.0.0.1:{server.port}/; proxy_set_header Host $http_host; }}")
    try:
        for path in (f"{PATH}/", f"{PATH}/history"):
            assert visitor.goto(nginx.origin + path).status == 404
            shown = visitor.inner_text("body")
            assert f"Flagboard is at {nginx.origin}{PATH}/." in shown and f"it removes {PATH} from the address" in shown
    finally:
        server.stop()


@pytest.fixture
def bare_site(nginx, tmp_path):
    """A server behind an nginx that passes on neither `Host` nor anything else, as without further settings."""
    server = SiteServer(demonstration(tmp_path / "demo"), "--public-url", nginx.origin + PATH, access="token")
    nginx.start(f"location {PATH}/ {{ proxy_pass http://127.0.0.1:{server.port}; }}")
    yield server
    server.stop()


def test_behind_a_proxy_that_passes_on_no_host_the_cookie_goes_over_tls_alone(bare_site, nginx, visitor):
    visitor.goto(bare_site.link)
    assert [each for each in visitor.context.cookies() if each["httpOnly"] and each["name"].startswith("flagboard_")] == []
    visitor.get_by_role("button").click()
    expect(visitor).to_have_url(f"{nginx.origin}{PATH}/")
    # Before its script is there, a switch is a form that leads to the flag's page.
    visitor.wait_for_load_state()
    cookies = [each for each in visitor.context.cookies() if "flagboard_" in each["name"]]
    assert [(each["name"], each["secure"]) for each in cookies] == [(f"__Secure-flagboard_{nginx.port}", True)]
    row = visitor.locator('.flag[data-flag="checkout/guest_checkout"]')
    row.get_by_role("button", name="Off", exact=True).click()
    expect(row.get_by_role("button", name="On", exact=True)).to_be_visible()


def test_a_trusted_proxy_that_says_https_without_the_host_gets_a_cookie_for_tls_alone(site):
    token = make_token(site.server.file, "bob", "editor")
    form = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}

    def sign_in(heads):
        answer = site.server.request("POST", f"{PATH}/sign-in", f"token={token}".encode(), form | heads)
        assert answer.status == 303, answer.text
        return answer.headers["set-cookie"]

    held = sign_in({"X-Forwarded-Proto": "https"})
    assert held.startswith(f"__Secure-flagboard_{site.nginx.port}=") and "; Secure" in held
    assert site.server.get(f"{PATH}/", {"Cookie": held.partition(";")[0], "X-Forwarded-Proto": "https"}).status == 200
    assert site.server.get(f"{PATH}/", {"Cookie": held.partition(";")[0], "X-Forwarded-Proto": "http"}).status == 401
    assert sign_in({"X-Forwarded-Proto": "http"}).startswith(f"flagboard_{site.server.port}=")
    # The first of a chain of proxies saw the browser.
    assert sign_in({"X-Forwarded-Proto": "https, http"}).startswith("__Secure-")
    assert sign_in({"X-Forwarded-Proto": "http,https"}).startswith("flagboard_")


def test_a_form_that_a_proxy_passes_on_without_the_host_is_refused_with_the_header_s_name(site):
    form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": site.nginx.origin}
    refused = site.server.request("POST", f"{PATH}/sign-in", b"token=x", form)
    assert refused.status == 403 and "proxy_set_header Host $http_host;" in refused.text
    assert f"127.0.0.1:{site.server.port}" in refused.text
    refused = site.server.request("POST", f"{PATH}/sign-in", b"token=x", form | {"Origin": "https://evil.example"})
    assert refused.status == 403 and "proxy_set_header" not in refused.text


def guess(server, forwarded, count=1):
    """The statuses of answers to wrong tokens."""
    heads = {"Authorization": "Bearer wrong"} | ({"X-Forwarded-For": forwarded} if forwarded else {})
    return [server.get(f"{PATH}/api/v1/flags", heads).status for _ in range(count)]


def test_guesses_are_limited_for_each_client_of_a_trusted_proxy(site):
    assert guess(site.server, "203.0.113.7", 10) == [401] * 10
    assert guess(site.server, "203.0.113.7") == [429]
    assert guess(site.server, "198.51.100.9, 203.0.113.7") == [429], "what a client says before its proxy does not count"
    assert guess(site.server, "203.0.113.7, 127.0.0.1") == [429], "a second trusted proxy"
    assert guess(site.server, "::ffff:203.0.113.7") == [429], "the same, written as IPv6"
    assert guess(site.server, "2001:db8:0::1", 10) == [401] * 10
    assert guess(site.server, "2001:0DB8::1") == [429], "the same, written in another way"
    assert guess(site.server, "203.0.113.8") == [401]
    assert guess(site.server, "not an address") == [401]
    assert "failed sign-in from 203.0.113.7" in site.server.errors()


def test_nobody_else_says_where_a_request_comes_from(nginx, tmp_path):
    site = Site(nginx, demonstration(tmp_path / "demo"), "--trusted-proxy", "10.0.0.0/8")
    try:
        assert guess(site.server, None, 5) == [401] * 5
        assert [guess(site.server, f"203.0.113.{number}")[0] for number in range(6)] == [401] * 5 + [429]
    finally:
        site.server.stop()


@pytest.mark.parametrize(
    "options, told",
    [
        (["--public-url", "flags.example.com"], "https://flags.example.com"),
        (["--public-url", "https://example.com/a?b=c"], "https://example.com/flags"),
        (["--public-url", "https://example.com/ä"], "letters"),
        (["--public-url", "https://example.com", "--access", "open"], "Remove --access open"),
        (["--public-url", "http://example.com", "--tls-certificate", "c", "--tls-key", "k"], "https://example.com/"),
        (["--public-url", "https://example.com:65536"], "above 65535"),
        (["--public-url", "https://example.com/a//b"], "one / before each"),
        (["--public-url", "https://example.com/a/../b"], "none of them may be . or .."),
        (["--public-url", "https://localhost:9443", "--port", "9443"], "doesn't speak https"),
        (["--allowed-host", "example.com:65536"], "flags.example.com:8080"),
        (["--allowed-host", "https://example.com", "--access", "open"], "Remove --access open"),
        (["--trusted-proxy", "127.0.0.1", "--access", "open"], "Remove --access open"),
        (["--trusted-proxy", "proxy.example.com"], "10.0.0.0/8"),
        (["--trusted-proxy", "0.0.0.0/0"], "0.0.0.0/0 is every address"),
        (["--trusted-proxy", "::/0"], "::/0 is every address"),
        (["--trusted-proxy", "10.0.0.0/33"], "10.0.0.0/8"),
        (["--cors-origin", "https://app.example.com/app"], "Use https://app.example.com"),
        (["--cors-origin", "*"], "https://app.example.com"),
    ])
def test_what_can_t_be_right_is_refused_at_the_start_with_what_is(tmp_path, options, told):
    file = demonstration(tmp_path / "demo")
    result = subprocess.run(
        [BINARY, "serve", file, "--port", "0", "--no-browser", *options], capture_output=True, text=True,
        env=environment(), timeout=60)
    assert result.returncode == 64 and told in result.stderr and options[0] in result.stderr, result.stderr


@pytest.mark.parametrize("separator", [",", " ", ", "])
@pytest.mark.parametrize(
    "name, values",
    [
        ("TRUSTED_PROXY", ["127.0.0.1", "10.0.0.0/8"]),
        ("CORS_ORIGIN", ["https://a.example", "https://b.example"]),
        ("ALLOWED_HOST", ["a.example", "b.example"]),
    ])
def test_several_values_of_a_variable_are_written_one_to_a_line(tmp_path, name, values, separator):
    file = demonstration(tmp_path / "demo")

    def start(text, *options):
        return subprocess.run(
            [BINARY, "serve", file, "--no-browser", *options], capture_output=True, text=True, timeout=60,
            env=environment() | {f"FLAGBOARD_{name}": text})

    refused = start(separator.join(values), "--port", "0")
    assert refused.returncode == 64 and f"FLAGBOARD_{name}: " in refused.stderr, refused.stderr
    assert "put each on a line of its own" in refused.stderr, refused.stderr
    # The lines are taken: what is refused is the port.
    taken = start("\n".join(values), "--port", "70000")
    assert taken.returncode == 64 and "--port: 70000" in taken.stderr and name not in taken.stderr, taken.stderr
    alone = start(f"{values[0]}:x", "--port", "0")
    assert alone.returncode == 64 and "on a line of its own" not in alone.stderr, alone.stderr


def test_the_address_that_is_listened_on_is_printed_with_the_path(tmp_path):
    process = subprocess.Popen(
        [BINARY, "serve", demonstration(tmp_path / "demo"), "--port", "0", "--no-browser", "--public-url", "https://a.example/x/flags"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True, env=environment())
    try:
        assert re.fullmatch(r"Flagboard is listening on http://127\.0\.0\.1:\d+/x/flags/\n", process.stdout.readline())
        assert process.stdout.readline().startswith("Sign in: https://a.example/x/flags/sign-in?token=")
    finally:
        process.terminate()
        process.communicate()
